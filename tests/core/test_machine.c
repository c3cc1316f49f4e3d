/* The machine: names, caches and limits from files of machines that are not here; this one's figures for sanity; the
 * GPU's where there is one. */
#include "support.h"

#include "core/machine.h"
#include "weft/machine.h"

#include <zlib.h>

/* --- a folder of made-up files ---------------------------------------------- */

static char folder[256];

/* Writes folder/name, making the folders on the way. */
static const char *put(const char *name, const char *text) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    write_file(path, text, strlen(text));
    return path;
}

static const char *name_from(const char *cpuinfo) {
    static char name[128];
    wfi_cpu_name(put("cpuinfo", cpuinfo), name, sizeof name);
    return name;
}

TEST(a_gpu_leaves_traces) {
    REQUIRE(make_temp(folder, sizeof folder));
    CHECK(!wfi_gpu_seen(folder));
    put("dev/null", "");
    CHECK(!wfi_gpu_seen(folder));
    put("dev/nvidiactl", "");
    CHECK(wfi_gpu_seen(folder));
    remove_temp(folder);
    REQUIRE(make_temp(folder, sizeof folder));
    put("dev/dxg", "");
    CHECK(wfi_gpu_seen(folder));
    remove_temp(folder);
}

TEST(cpu_names_come_from_cpuinfo) {
    REQUIRE(make_temp(folder, sizeof folder));
    CHECK_TEXT(name_from("processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 85\n"
                         "model name\t: Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz\nstepping\t: 7\n"),
               "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz");
    CHECK_TEXT(name_from("CPU implementer\t: 0x41\nCPU part\t: 0xd40\nCPU part\t: 0xd0c\n"), "Arm Neoverse-V1");
    CHECK_TEXT(name_from("CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"), "Arm Neoverse-N1");
    CHECK_TEXT(name_from("CPU implementer\t: 0x41\nCPU part\t: 0xd49\n"), "Arm Neoverse-N2");
    CHECK_TEXT(name_from("CPU implementer\t: 0x41\nCPU part\t: 0xd4f\n"), "Arm Neoverse-V2");
    CHECK_TEXT(name_from("CPU implementer\t: 0x61\nCPU part\t: 0x999\n"), "Apple part 0x999");
    CHECK_TEXT(name_from("CPU implementer\t: 0x77\nCPU part\t: 0x123\n"), "implementer 0x77 part 0x123");
    CHECK_TEXT(name_from("processor\t: 0\n"), "unknown CPU");
    char name[32];
    wfi_cpu_name("/nowhere/cpuinfo", name, sizeof name);
    CHECK_TEXT(name, "unknown CPU");
    remove_temp(folder);
}

TEST(caches_come_from_sysfs) {
    wfi_caches caches;
    REQUIRE(make_temp(folder, sizeof folder));
    put("index0/level", "1\n"), put("index0/type", "Data\n"), put("index0/size", "48K\n");
    put("index1/level", "1\n"), put("index1/type", "Instruction\n"), put("index1/size", "32K\n");
    put("index2/level", "2\n"), put("index2/type", "Unified\n"), put("index2/size", "2M\n");
    put("index3/level", "3\n"), put("index3/type", "Unified\n"), put("index3/size", "32768K\n");
    put("index3/shared_cpu_list", "0-3,8-11\n");
    wfi_cache_sizes(folder, 20, &caches);
    CHECK_U64(caches.l1_data, 48 << 10);
    CHECK_U64(caches.l2, 2 << 20);
    CHECK_U64(caches.l3, 32 << 20);
    CHECK_U64(caches.l3_instances, 3);
    wfi_cache_sizes(folder, 2, &caches);
    CHECK_U64(caches.l3_instances, 1);
    wfi_cache_sizes("/nowhere", 2, &caches);
    CHECK_U64(caches.l1_data + caches.l2 + caches.l3, 0);
    remove_temp(folder);
}

/* --- control groups --------------------------------------------------------- */

static wfi_limits limits_of(const char *membership) {
    wfi_limits limits;
    char path[128];
    snprintf(path, sizeof path, "%s", put("membership", membership));
    wfi_control_group_limits(path, folder, &limits);
    return limits;
}

TEST(the_tightest_group_limits_version_2) {
    REQUIRE(make_temp(folder, sizeof folder));
    put("job/memory.max", "8000000\n"), put("job/memory.current", "5000000\n");
    put("job/memory.stat", "anon 1\ninactive_file 1000000\ninactive_file_not 7\n");
    put("job/cpu.max", "150000 100000\n");
    put("job/step/memory.max", "max\n"), put("job/step/cpu.max", "max 100000\n");
    put("job/other/cpu.max", "50000 100000\n");
    wfi_limits limits = limits_of("0::/job/step\n");
    CHECK_U64(limits.memory, 8000000);
    CHECK_U64(limits.memory_free, 4000000);
    CHECK_NEAR(limits.cpus, 1.5, 1e-9);
    CHECK_NEAR(limits_of("0::/job/other\n").cpus, 0.5, 1e-9);
    /* The smallest limit need not leave the least. */
    put("job/tight/memory.max", "6000000\n"), put("job/tight/memory.current", "500000\n");
    limits = limits_of("0::/job/tight\n");
    CHECK_U64(limits.memory, 6000000);
    CHECK_U64(limits.memory_free, 4000000);
    remove_temp(folder);
}

TEST(a_group_s_limit_has_room_for_the_process) {
    uint64_t mib = 1 << 20, resident = wfi_resident_bytes();
    CHECK(resident > 100 << 10 && resident < UINT64_C(1) << 40);
    CHECK_U64(wfi_group_share(100 * mib, 3 * mib, 2), 100 * mib - 3 * mib - 2 * 128 * 1024 - 100 * mib / 128);
    CHECK_U64(wfi_group_share(128 * mib, 500 * mib, 8),
              (128 - 16 - 1 - 1) * mib); /* a guest's own data is there already */
    CHECK_U64(wfi_group_share(4 * mib, 3 * mib, 64), 2 * mib);
    CHECK_U64(wfi_group_share(0, 3 * mib, 64), 0);
    /* And it is what is taken. */
    wfi_limits limits;
    wfi_control_group_limits("/proc/self/cgroup", "/sys/fs/cgroup", &limits);
    weft_ctx *ctx = new_ctx(1, NULL);
    CHECK_U64(weft_ctx_follow_memory_group(ctx), WEFT_OK);
    if (limits.memory_free == UINT64_MAX)
        CHECK_U64(weft_ctx_memory_limit(ctx), 0);
    else
        CHECK(weft_ctx_memory_limit(ctx) < limits.memory_free - limits.memory_free / 256);
    weft_ctx_free(ctx);
}

TEST(the_tightest_group_limits_version_1) {
    REQUIRE(make_temp(folder, sizeof folder));
    put("memory/box/memory.limit_in_bytes", "3000000\n"), put("memory/box/memory.usage_in_bytes", "3500000\n");
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("cpu/box/cpu.cfs_quota_us", "200000\n"), put("cpu/box/cpu.cfs_period_us", "100000\n");
    put("cpu/cpu.cfs_quota_us", "-1\n"), put("cpu/cpu.cfs_period_us", "100000\n");
    wfi_limits limits = limits_of("4:memory:/box\n2:cpuacct,cpu:/box\n1:cpuset:/box\n");
    CHECK_U64(limits.memory, 3000000);
    CHECK_U64(limits.memory_free, 0);
    CHECK_NEAR(limits.cpus, 2, 1e-9);
    put("memory/box/memory.stat", "inactive_file 900000\ntotal_inactive_file 700000\n");
    CHECK_U64(limits_of("4:memory:/box\n").memory_free, 200000);
    limits = limits_of("4:memory:/\n2:cpu:/\n");
    CHECK(limits.memory == UINT64_MAX && limits.memory_free == UINT64_MAX);
    CHECK(limits.cpus <= 0);
    remove_temp(folder);
}

TEST(a_group_that_is_not_mounted_is_limited_by_the_root) {
    REQUIRE(make_temp(folder, sizeof folder));
    put("memory.max", "1000\n");
    CHECK_U64(limits_of("0::/docker/0123456789\n").memory, 1000);
    CHECK(limits_of("").memory == UINT64_MAX);
    CHECK(limits_of("nonsense\n").memory == UINT64_MAX);
    remove_temp(folder);
}

/* --- this machine ----------------------------------------------------------- */

TEST(looking_up_is_sane_and_measures_nothing) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_machine m = {.size = sizeof m};
    CHECK_U64(weft_machine_describe(ctx, 0, &m), WEFT_OK);
    CHECK_U64(m.size, sizeof m);
    CHECK(*m.cpu);
    CHECK(m.cores >= 1 && m.cores <= sysconf(_SC_NPROCESSORS_CONF));
    CHECK(m.memory_bytes > (16 << 20));
    CHECK(m.memory_free_bytes <= m.memory_bytes);
    CHECK(m.read_gbs <= 0 && m.copy_gbs <= 0 && m.gather_gps <= 0 && m.parse_gbs <= 0);
    CHECK(m.gpu_copy_gbs <= 0 && m.gpu_context_ms <= 0);
    CHECK(m.gpus >= 0);
    CHECK((m.gpus == 0) == (*m.gpu_reason != '\0'));
    CHECK((m.gpus == 0) == (*m.gpu == '\0'));
    CHECK_U64(weft_ctx_memory_peak(ctx), 0);
    weft_ctx_free(ctx);
}

static int progress_calls;
static bool progress_in_range = true;
static void note_progress(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    progress_calls++;
    if (!*stage || done > total) progress_in_range = false;
}

static bool is_rate(double x) { return isfinite(x) && x > 0; }

TEST(measuring_gives_finite_rates_and_frees_what_it_took) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    weft_ctx_set_progress(ctx, note_progress, NULL);
    weft_machine m = {.size = sizeof m};
    CHECK_U64(weft_machine_describe(ctx, 1, &m), WEFT_OK);
    if (m.memory_free_bytes > UINT64_C(1) << 30) {
        CHECK(is_rate(m.read_gbs) && is_rate(m.copy_gbs) && is_rate(m.gather_gps) && is_rate(m.parse_gbs));
        CHECK(m.parse_gbs < 100 && m.read_gbs < 100000); /* beyond these, the work was optimised away */
    }
    CHECK(progress_calls > 0 && progress_in_range);
    CHECK(weft_ctx_memory_peak(ctx) <= m.memory_free_bytes / 4 + (1 << 20));
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(a_context_set_to_the_cpu_does_not_look_for_a_gpu) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    weft_machine m = {.size = sizeof m};
    CHECK_U64(weft_machine_describe(ctx, 0, &m), WEFT_OK);
    CHECK_I64(m.gpus, 0);
    CHECK_HAS(m.gpu_reason, "the device is set to cpu");
    weft_ctx_free(ctx);
}

TEST(a_struct_of_another_size_is_respected) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    struct {
        weft_machine m;
        unsigned char more[16];
    } wide;
    memset(&wide, 0xaa, sizeof wide);
    wide.m.size = offsetof(weft_machine, read_gbs);
    CHECK_U64(weft_machine_describe(ctx, 0, &wide.m), WEFT_OK);
    CHECK_U64(wide.m.size, offsetof(weft_machine, read_gbs));
    CHECK(wide.m.cores >= 1);
    CHECK_U64(*(unsigned char *)&wide.m.read_gbs, 0xaa);
    CHECK_U64(wide.more[0], 0xaa);
    wide.m.size = sizeof wide;
    CHECK_U64(weft_machine_describe(ctx, 0, &wide.m), WEFT_OK);
    CHECK_U64(wide.more[0] + wide.more[15], 0);
    wide.m.size = 0;
    CHECK_U64(weft_machine_describe(ctx, 0, &wide.m), WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), ".size");
    CHECK_U64(weft_machine_describe(ctx, 0, NULL), WEFT_EINVAL);
    weft_ctx_free(ctx);
}

/* --- stopping and failing --------------------------------------------------- */

static int polls_left;
static int stop_soon(void *user) {
    (void)user;
    return polls_left-- <= 0;
}

TEST(measuring_stops_on_request) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_ctx_set_cancel(ctx, stop_soon, NULL);
    weft_machine m = {.size = sizeof m};
    for (int polls = 0; polls <= 8; polls += 4) {
        polls_left = polls;
        CHECK_U64(weft_machine_describe(ctx, 1, &m), WEFT_ECANCELLED);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        CHECK_I64(m.cores, 0);
    }
    weft_ctx_free(ctx);
}

static int allowed, live;
static void *counted_alloc(void *user, size_t bytes) {
    (void)user;
    if (allowed-- <= 0) return NULL;
    void *block = malloc(bytes);
    if (block) live++;
    return block;
}
static void counted_free(void *user, void *block, size_t bytes) {
    (void)user, (void)bytes;
    if (block) live--;
    free(block);
}

TEST(every_allocation_may_fail) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    REQUIRE(!weft_ctx_set_allocator(ctx, counted_alloc, counted_free, NULL));
    weft_machine m = {.size = sizeof m};
    weft_status st = WEFT_ENOMEM;
    int attempt = 0;
    for (; attempt < 32 && st; attempt++) {
        allowed = attempt;
        st = weft_machine_describe(ctx, 1, &m);
        if (st) CHECK_U64(st, WEFT_ENOMEM);
        CHECK_I64(live, 0);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    }
    CHECK_U64(st, WEFT_OK);
    CHECK(attempt > 1);
    weft_ctx_free(ctx);
}

/* --- the GPU ---------------------------------------------------------------- */

TEST(the_gpu_is_described_and_measured) {
    static char why[300];
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_machine m = {.size = sizeof m};
    weft_status st = weft_machine_describe(ctx, 0, &m);
    CHECK_U64(st, WEFT_OK);
    if (!m.gpus) {
        snprintf(why, sizeof why, "no GPU: %s", m.gpu_reason);
        weft_ctx_free(ctx);
        SKIP(why);
    }
    CHECK_U64(weft_machine_describe(ctx, 1, &m), WEFT_OK);
    CHECK_TEXT(m.gpu_reason, "");
    CHECK(m.gpu_sms > 0 && m.gpu_major > 0 && m.gpu_l2_bytes > 0);
    CHECK(m.gpu_runtime <= m.gpu_driver || m.gpu_runtime / 1000 == m.gpu_driver / 1000);
    CHECK(m.gpu_memory_free_bytes > 0 && m.gpu_memory_free_bytes <= m.gpu_memory_bytes);
    CHECK(is_rate(m.gpu_copy_gbs) && is_rate(m.gpu_read_gbs));
    CHECK(is_rate(m.gpu_gather_l2_gps));
    if (m.gpu_memory_free_bytes > UINT64_C(4) << 30) {
        CHECK(is_rate(m.gpu_gather_hbm_gps) && is_rate(m.gpu_upload_gbs) && is_rate(m.gpu_download_gbs));
        CHECK(m.gpu_gather_hbm_gps < m.gpu_gather_l2_gps * 2);
    }
    CHECK(is_rate(m.gpu_launch_us) && is_rate(m.gpu_barrier_us) && is_rate(m.gpu_context_ms));
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(the_build_says_what_it_is_in_one_line) {
    const char *info = weft_build_info();
    CHECK_HAS(info, weft_version());
    CHECK_HAS(info, zlibVersion());
    CHECK_HAS(info, "zstd 1.");
    CHECK_HAS(info, "OpenMP");
#ifdef WEFT_HAVE_CUDA
    CHECK_HAS(info, ", CUDA ");
#else
    CHECK_HAS(info, "no CUDA");
#endif
    CHECK(!strchr(info, '\n'));
    CHECK(weft_build_info() == info);
}

TEST_MAIN()
