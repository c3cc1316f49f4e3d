/* Properties of this machine (machine.c, limits.c) and measured speeds of its CPU (ceilings.c).
 * Paths are parameters, so that tests can pass files of other machines. */
#ifndef WFI_MACHINE_H
#define WFI_MACHINE_H

#include "core/core.h"

/* The CPU's name from a file in the format of /proc/cpuinfo; "unknown CPU" if the file has none. */
void wfi_cpu_name(const char *cpuinfo, char *name, size_t size);

typedef struct wfi_caches {
    uint64_t l1_data, l2, l3; /* per core, bytes; 0: unknown */
    uint64_t l3_instances;    /* number of such L3 caches that the usable cores share, at least 1 */
} wfi_caches;

/* Reads a folder in the format of /sys/devices/system/cpu/cpu0/cache; `cores` is the number of usable cores. */
void wfi_cache_sizes(const char *folder, int cores, wfi_caches *caches);
/* Caches of this machine, looked up once; never NULL. */
const wfi_caches *wfi_caches_here(void);

/* Limits by control groups (containers, batch systems), versions 1 and 2: the tightest limit from this process's
 * group up to the root. */
typedef struct wfi_limits {
    uint64_t memory;      /* bytes; UINT64_MAX: no limit */
    uint64_t memory_free; /* unused bytes of that limit; file cache that can be dropped counts as unused */
    double cpus;          /* core-seconds per second; 0: no limit */
} wfi_limits;

/* membership: a file in the format of /proc/self/cgroup; root: the mount point of the hierarchies (/sys/fs/cgroup). */
void wfi_control_group_limits(const char *membership, const char *root, wfi_limits *limits);

/* Bytes that may be allocated of the `left` bytes of a group's limit, by a process with `resident` bytes before any
 * work and `threads` threads. The rest is for memory outside of the library's allocations. */
uint64_t wfi_group_share(uint64_t left, uint64_t resident, int threads);
/* Resident bytes of this process; 0: unknown. */
uint64_t wfi_resident_bytes(void);

/* True if files of NVIDIA's drivers exist below `root` ("": this machine). Calls no driver. */
bool wfi_gpu_seen(const char *root);

struct weft_machine;
/* Fills the fields of the CPU, its caches and the memory; unknown fields are 0. Takes milliseconds and cannot fail. */
void wfi_machine_look_up(struct weft_machine *machine);

/* Fills read_gbs, copy_gbs, gather_gps and parse_gbs with wfi_threads(ctx) threads; needs the looked-up fields. A
 * figure stays 0 if its arrays exceed an eighth of the free memory. */
weft_status wfi_machine_measure(weft_ctx *ctx, struct weft_machine *machine);

#endif
