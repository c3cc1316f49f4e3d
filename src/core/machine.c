/* Properties of the machine: /proc/cpuinfo, /proc/meminfo, caches in sysfs, the affinity mask and control groups. On
 * x86 the CPU has a name; on aarch64 it has part numbers, named here. */
#include "core/machine.h"
#include "stream/descriptors.h"
#include "weft/machine.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the CPU's name --------------------------------------------------------- */

typedef struct part {
    unsigned implementer, part;
    const char *name;
} part;

static const part parts[] = {
    /* clang-format off */
    {0x41, 0xd03, "Arm Cortex-A53"},     {0x41, 0xd05, "Arm Cortex-A55"},     {0x41, 0xd07, "Arm Cortex-A57"},
    {0x41, 0xd08, "Arm Cortex-A72"},     {0x41, 0xd09, "Arm Cortex-A73"},     {0x41, 0xd0a, "Arm Cortex-A75"},
    {0x41, 0xd0b, "Arm Cortex-A76"},     {0x41, 0xd0c, "Arm Neoverse-N1"},    {0x41, 0xd0d, "Arm Cortex-A77"},
    {0x41, 0xd40, "Arm Neoverse-V1"},    {0x41, 0xd41, "Arm Cortex-A78"},     {0x41, 0xd44, "Arm Cortex-X1"},
    {0x41, 0xd49, "Arm Neoverse-N2"},    {0x41, 0xd4a, "Arm Neoverse-E1"},    {0x41, 0xd4b, "Arm Cortex-A78C"},
    {0x41, 0xd4f, "Arm Neoverse-V2"},    {0x41, 0xd84, "Arm Neoverse-V3"},    {0x41, 0xd8e, "Arm Neoverse-N3"},
    {0x43, 0x0af, "Cavium ThunderX2"},   {0x46, 0x001, "Fujitsu A64FX"},      {0x48, 0xd01, "HiSilicon TSV110"},
    {0x4e, 0x004, "NVIDIA Carmel"},      {0x61, 0x022, "Apple M1 (E core)"},  {0x61, 0x023, "Apple M1 (P core)"},
    {0x61, 0x024, "Apple M1 Pro (E core)"}, {0x61, 0x025, "Apple M1 Pro (P core)"},
    {0x61, 0x028, "Apple M1 Max (E core)"}, {0x61, 0x029, "Apple M1 Max (P core)"},
    {0x61, 0x032, "Apple M2 (E core)"},  {0x61, 0x033, "Apple M2 (P core)"},
    {0xc0, 0xac3, "Ampere-1"},           {0xc0, 0xac4, "Ampere-1A"},
    /* clang-format on */
};

static const part makers[] = {{0x41, 0, "Arm"},    {0x43, 0, "Cavium"},   {0x46, 0, "Fujitsu"}, {0x48, 0, "HiSilicon"},
                              {0x4e, 0, "NVIDIA"}, {0x51, 0, "Qualcomm"}, {0x61, 0, "Apple"},   {0xc0, 0, "Ampere"}};

static void name_part(unsigned implementer, unsigned number, char *name, size_t size) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].implementer == implementer && parts[i].part == number) {
            snprintf(name, size, "%s", parts[i].name);
            return;
        }
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (makers[i].implementer == implementer) {
            snprintf(name, size, "%s part 0x%03x", makers[i].name, number);
            return;
        }
    snprintf(name, size, "implementer 0x%02x part 0x%03x", implementer, number);
}

/* Value of a "key : value" line; NULL for another key. */
static const char *value_of(char *line, const char *key) {
    size_t length = strlen(key);
    if (strncmp(line, key, length)) return NULL;
    const char *p = line + length + strspn(line + length, " \t");
    if (*p != ':') return NULL;
    line[strcspn(line, "\n")] = '\0';
    p++;
    return p + strspn(p, " \t");
}

void wfi_cpu_name(const char *cpuinfo, char *name, size_t size) {
    snprintf(name, size, "unknown CPU");
    FILE *f = wfi_open_stream(cpuinfo);
    if (!f) return;
    char line[8192]; /* the line of CPU flags is long */
    const char *value;
    unsigned implementer = 0, number = 0;
    bool named = false, numbered = false;
    while (!named && !numbered && fgets(line, sizeof line, f)) {
        if ((value = value_of(line, "model name")) != NULL && *value) {
            snprintf(name, size, "%s", value);
            named = true;
        } else if ((value = value_of(line, "CPU implementer")) != NULL) {
            implementer = (unsigned)strtoul(value, NULL, 0);
        } else if ((value = value_of(line, "CPU part")) != NULL) {
            number = (unsigned)strtoul(value, NULL, 0);
            numbered = true;
        }
    }
    fclose(f);
    if (numbered) name_part(implementer, number, name, size);
}

/* --- presence of a GPU -------------------------------------------------------- */

bool wfi_gpu_seen(const char *root) {
    static const char *const traces[] = {
        /* device nodes may appear on first use only */
        "/dev/nvidiactl",   "/dev/nvidia0", "/proc/driver/nvidia/version", "/dev/dxg", /* Windows (WSL) */
        "/dev/nvhost-ctrl",                                                            /* Jetson, also the next one */
        "/dev/nvgpu",
    };
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        char path[512];
        int length = snprintf(path, sizeof path, "%s%s", root, traces[i]);
        if (length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0) return true;
    }
    return false;
}

/* --- caches ----------------------------------------------------------------- */

static bool cache_file(const char *folder, int index, const char *name, char *text, int size) {
    char path[512];
    snprintf(path, sizeof path, "%s/index%d/%s", folder, index, name);
    FILE *f = wfi_open_stream(path);
    if (!f) return false;
    bool there = fgets(text, size, f) != NULL;
    fclose(f);
    return there;
}

/* Parses "512K", "32M", "1024". */
static uint64_t size_text(const char *text) {
    char *end;
    uint64_t size = strtoull(text, &end, 10);
    return *end == 'K' ? size << 10 : *end == 'M' ? size << 20 : *end == 'G' ? size << 30 : size;
}

/* Number of CPUs in a list such as "0-3,8-11". */
static int listed_cpus(const char *list) {
    int total = 0;
    while (*list >= '0' && *list <= '9') {
        char *end;
        long from = strtol(list, &end, 10), to = from;
        if (*end == '-') to = strtol(end + 1, &end, 10);
        if (to >= from) total += (int)(to - from + 1);
        list = *end == ',' ? end + 1 : end;
    }
    return total;
}

static void ask_sysconf(wfi_caches *caches) {
#ifdef _SC_LEVEL1_DCACHE_SIZE
    long l1 = sysconf(_SC_LEVEL1_DCACHE_SIZE), l2 = sysconf(_SC_LEVEL2_CACHE_SIZE), l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (!caches->l1_data && l1 > 0) caches->l1_data = (uint64_t)l1;
    if (!caches->l2 && l2 > 0) caches->l2 = (uint64_t)l2;
    if (!caches->l3 && l3 > 0) caches->l3 = (uint64_t)l3;
#endif
}

void wfi_cache_sizes(const char *folder, int cores, wfi_caches *caches) {
    *caches = (wfi_caches){0, 0, 0, 1};
    char level[16], type[32], size[32], list[256];
    for (int i = 0; cache_file(folder, i, "level", level, sizeof level); i++) {
        if (!cache_file(folder, i, "type", type, sizeof type) || !strncmp(type, "Instruction", 11)) continue;
        if (!cache_file(folder, i, "size", size, sizeof size)) continue;
        uint64_t bytes = size_text(size);
        if (*level == '1') caches->l1_data = bytes;
        if (*level == '2') caches->l2 = bytes;
        if (*level != '3') continue;
        caches->l3 = bytes;
        int sharing = cache_file(folder, i, "shared_cpu_list", list, sizeof list) ? listed_cpus(list) : 0;
        if (sharing > 0 && cores > sharing) caches->l3_instances = (uint64_t)((cores + sharing - 1) / sharing);
    }
}

static wfi_caches here;
static void look_here(void) {
    wfi_cache_sizes("/sys/devices/system/cpu/cpu0/cache", 1, &here);
    ask_sysconf(&here);
}

const wfi_caches *wfi_caches_here(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_here);
    return &here;
}

/* --- cores and memory ------------------------------------------------------- */

/* CPUs in the affinity mask. The kernel's mask size is unknown, so the buffer grows until the call succeeds. */
static int cores_allowed(void) {
    for (int cpus = 1024; cpus <= 1 << 18; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)cpus);
        if (!set) break;
        size_t bytes = CPU_ALLOC_SIZE((size_t)cpus);
        int count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0) return count;
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

/* MemTotal and MemAvailable of /proc/meminfo, in bytes. */
static void memory_of_machine(uint64_t *total, uint64_t *available) {
    FILE *f = wfi_open_stream("/proc/meminfo");
    if (!f) return;
    char line[128];
    const char *value;
    while (fgets(line, sizeof line, f)) {
        if ((value = value_of(line, "MemTotal")) != NULL) *total = strtoull(value, NULL, 10) << 10;
        if ((value = value_of(line, "MemAvailable")) != NULL) *available = strtoull(value, NULL, 10) << 10;
    }
    fclose(f);
}

void wfi_machine_look_up(weft_machine *machine) {
    wfi_limits limits;
    wfi_control_group_limits("/proc/self/cgroup", "/sys/fs/cgroup", &limits);
    wfi_cpu_name("/proc/cpuinfo", machine->cpu, sizeof machine->cpu);
    machine->cores = cores_allowed();
    if (limits.cpus > 0 && ceil(limits.cpus) < machine->cores) machine->cores = (int)ceil(limits.cpus);

    memory_of_machine(&machine->memory_bytes, &machine->memory_free_bytes);
    machine->memory_bytes = wfi_min_u64(machine->memory_bytes, limits.memory);
    machine->memory_free_bytes = wfi_min_u64(machine->memory_free_bytes, limits.memory_free);

    wfi_caches caches;
    wfi_cache_sizes("/sys/devices/system/cpu/cpu0/cache", machine->cores, &caches);
    ask_sysconf(&caches);
    machine->l1_bytes = caches.l1_data;
    machine->l2_bytes = caches.l2;
    machine->l3_bytes = caches.l3;
}
