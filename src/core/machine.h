/* What this machine is, looked up (machine.c, limits.c), and what its CPU can do, measured (ceilings.c).
 * The paths are parameters so that tests can pass files of other machines. */
#ifndef WFI_MACHINE_H
#define WFI_MACHINE_H

#include "core/core.h"

/* The CPU's name from a file in the form of /proc/cpuinfo; "unknown CPU" when it does not say. */
void wfi_cpu_name(const char *cpuinfo, char *name, size_t room);

typedef struct wfi_caches {
    uint64_t l1_data, l2, l3; /* of one core, bytes; 0 = unknown */
    uint64_t l3_instances;    /* how many such L3s the usable cores have between them, at least 1 */
} wfi_caches;

/* From a folder in the form of /sys/devices/system/cpu/cpu0/cache; `cores` share the machine's L3s. */
void wfi_cache_sizes(const char *folder, int cores, wfi_caches *caches);
/* Of this machine, looked up once; never NULL. */
const wfi_caches *wfi_caches_here(void);

/* What control groups (containers, batch systems) leave of the machine: the tightest limit on the way from this
 * process's group up to the root.  Both versions of control groups are supported. */
typedef struct wfi_limits {
    uint64_t memory;      /* bytes, UINT64_MAX = no limit */
    uint64_t memory_free; /* of that limit, file cache that can be dropped counted as free */
    double cpus;          /* core-seconds a second, 0 = no limit */
} wfi_limits;

/* membership: a file in the form of /proc/self/cgroup; root: where the hierarchies are mounted (/sys/fs/cgroup). */
void wfi_control_group_limits(const char *membership, const char *root, wfi_limits *limits);

/* What a program that is `resident` bytes large before it has done anything, with so many threads, may ask for of the
 * `left` bytes that a group leaves: the rest is for what no allocation of ours counts. */
uint64_t wfi_group_share(uint64_t left, uint64_t resident, int threads);
/* Bytes of this process that are in memory now; 0: not known. */
uint64_t wfi_resident_bytes(void);

/* Could there be a GPU?  Looks for the files of NVIDIA's drivers below `root` ("" = this machine's), and touches no
 * driver. */
bool wfi_gpu_seen(const char *root);

/* Fills the fields of the CPU, its caches and the memory.  Milliseconds, no failure: unknown is 0. */
void wfi_machine_look_up(weft_machine *machine);

/* Fills read_gbs, copy_gbs, gather_gps and parse_gbs with wfi_threads(ctx) threads; needs the looked-up fields.
 * A figure stays 0 when an eighth of the free memory does not hold what it needs. */
weft_status wfi_machine_measure(weft_ctx *ctx, weft_machine *machine);

#endif
