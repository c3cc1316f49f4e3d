/* Limits by control groups. A process belongs to one group per hierarchy, listed in /proc/self/cgroup. Each group
 * from there up to the root may limit it, so the tightest limit on that path applies. Inside a container the listed
 * path is often not mounted, but the root of the mount is the container's own group: the walk up finds it, too.
 *
 * Version 2 has one hierarchy ("0::/path"), version 1 has one per controller ("4:memory:/path"). */
#include "core/machine.h"
#include "stream/descriptors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

/* Version 1 writes "no limit" as a huge number of pages. */
static const uint64_t NO_LIMIT_FROM = UINT64_C(1) << 60;

typedef struct hierarchy {
    const char *controller; /* as in /proc/self/cgroup; "" is version 2 */
    const char *mount;      /* relative to the root */
    const char *memory_limit, *memory_used, *droppable;
    const char *cpu_quota, *cpu_period; /* version 2 has both in one file */
} hierarchy;

static const hierarchy hierarchies[] = {
    {"", "", "memory.max", "memory.current", "inactive_file", "cpu.max", NULL},
    {"", "/unified", "memory.max", "memory.current", "inactive_file", "cpu.max", NULL},
    {"memory", "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", NULL, NULL},
    {"cpu", "/cpu", NULL, NULL, NULL, "cpu.cfs_quota_us", "cpu.cfs_period_us"},
};

/* Reads the first line of folder/name; false if there is none. */
static bool first_line(const char *folder, const char *name, char *line, int size) {
    char path[PATH_ROOM + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = wfi_open_stream(path);
    if (!f) return false;
    bool there = fgets(line, size, f) != NULL;
    fclose(f);
    return there;
}

/* Reads a number at the start of the line; false for "max", "-1" and other text. */
static bool positive_number(const char *line, uint64_t *value) {
    if (*line < '0' || *line > '9') return false;
    *value = strtoull(line, NULL, 10);
    return *value > 0;
}

static bool number_in(const char *folder, const char *name, uint64_t *value) {
    char line[64];
    return name && first_line(folder, name, line, sizeof line) && positive_number(line, value);
}

/* Value of `key` in folder/memory.stat, 0 if it is absent. */
static uint64_t memory_stat(const char *folder, const char *key) {
    char path[PATH_ROOM + 64], line[128];
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    FILE *f = wfi_open_stream(path);
    if (!f) return 0;
    uint64_t value = 0;
    size_t length = strlen(key);
    while (fgets(line, sizeof line, f))
        if (!strncmp(line, key, length) && line[length] == ' ') value = strtoull(line + length, NULL, 10);
    fclose(f);
    return value;
}

static void ask_memory(const char *folder, const hierarchy *h, wfi_limits *limits) {
    uint64_t limit, used;
    if (!number_in(folder, h->memory_limit, &limit) || limit >= NO_LIMIT_FROM) return;
    if (!number_in(folder, h->memory_used, &used)) used = 0;
    used -= wfi_min_u64(used, memory_stat(folder, h->droppable));
    limits->memory = wfi_min_u64(limits->memory, limit);
    limits->memory_free = wfi_min_u64(limits->memory_free, limit - wfi_min_u64(limit, used));
}

static void ask_cpus(const char *folder, const hierarchy *h, wfi_limits *limits) {
    char line[64];
    uint64_t quota, period;
    if (!h->cpu_quota || !first_line(folder, h->cpu_quota, line, sizeof line) || !positive_number(line, &quota)) return;
    if (h->cpu_period) {
        if (!number_in(folder, h->cpu_period, &period)) return;
    } else {
        const char *second = strchr(line, ' ');
        if (!second || !positive_number(second + 1, &period)) return;
    }
    double cpus = (double)quota / (double)period;
    limits->cpus = limits->cpus > 0 ? fmin(limits->cpus, cpus) : cpus;
}

static void ask_group_and_parents(const char *root, const hierarchy *h, const char *group, wfi_limits *limits) {
    char folder[PATH_ROOM];
    size_t top = (size_t)snprintf(folder, sizeof folder, "%s%s", root, h->mount);
    if (top + strlen(group) >= sizeof folder) return;
    memcpy(folder + top, group, strlen(group) + 1);
    for (;;) {
        ask_memory(folder, h, limits);
        ask_cpus(folder, h, limits);
        char *slash = strrchr(folder, '/');
        if (!folder[top] || !slash || slash < folder + top) return;
        *slash = '\0';
    }
}

/* True if `name` is an item of the comma-separated list. */
static bool listed(const char *list, const char *name) {
    size_t length = strlen(name);
    for (;;) {
        const char *comma = strchrnul(list, ',');
        if ((size_t)(comma - list) == length && !strncmp(list, name, length)) return true;
        if (!*comma) return false;
        list = comma + 1;
    }
}

void wfi_control_group_limits(const char *membership, const char *root, wfi_limits *limits) {
    *limits = (wfi_limits){UINT64_MAX, UINT64_MAX, 0};
    FILE *f = wfi_open_stream(membership);
    if (!f) return;
    char line[PATH_ROOM];
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) continue;
        controllers++;
        *group++ = '\0';
        for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++)
            if (listed(controllers, hierarchies[i].controller))
                ask_group_and_parents(root, &hierarchies[i], group, limits);
    }
    fclose(f);
}

/* --- memory outside the allocator
 * ---------------------------------------------------------------------------------- */

/* A group's limit counts all pages and kills the process. Pages outside of context allocations: those of the program,
 * its libraries and the C library's buffers (at most as much as is resident before any work); two stacks and a heap
 * per thread; page tables, block headers and rounding (a 128th). Measured in groups of 64 to 300 MiB: 2 to 4 MiB. */
uint64_t wfi_group_share(uint64_t left, uint64_t resident, int threads) {
    enum { MOST_RESIDENT = 16 << 20, THREAD = 128 << 10, PART = 128 };
    uint64_t aside = wfi_min_u64(resident, MOST_RESIDENT) + (uint64_t)threads * THREAD + left / PART;
    return left - wfi_min_u64(aside, left / 2);
}

uint64_t wfi_resident_bytes(void) {
    FILE *f = wfi_open_stream("/proc/self/statm");
    unsigned long long size, resident = 0;
    if (!f) return 0;
    if (fscanf(f, "%llu %llu", &size, &resident) != 2) resident = 0;
    fclose(f);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}
