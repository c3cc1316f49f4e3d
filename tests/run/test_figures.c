/* The file of the figures that --device auto and PageRank's choice of method go by: what is read, what is refused and
 * with which words, where it lies. */
#include "core/machine.h"
#include "run/auto.h"
#include "support.h"

static char folder[256], path[300];

static bool begin(void) {
    bool good = make_temp(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/figures.tsv", folder);
    return good;
}

static wfi_figures own_figures(void) {
    wfi_figures f = {.threads = 4,
                     .few = {3000000, 2000000, 5000000},
                     .many = {4000000, 3000000, 9000000},
                     .context_ns = 200000000,
                     .count = 2,
                     .at = {{"bfs", {10000, 1000000, 7000000, 20000, 0}, {100000, 10000, 20000, 5000, 100000}},
                            {"pagerank", {10000, 2000000, 0, 0, 0}, {100000, 10000, 0, 0, 300000}}}};
    wfi_cpu_name("/proc/cpuinfo", f.cpu, sizeof f.cpu);
    snprintf(f.gpu, sizeof f.gpu, "A GPU");
    return f;
}

/* The file says so; %v stands for this version, %s for this CPU. */
static bool put(const char *form) {
    char text[600] = "", cpu[128];
    wfi_cpu_name("/proc/cpuinfo", cpu, sizeof cpu);
    for (const char *c = form; *c; c++) {
        bool cpu_here = c[0] == '%' && c[1] == 's', version_here = c[0] == '%' && c[1] == 'v';
        append(text, sizeof text, "%.*s", cpu_here || version_here ? 200 : 1,
               cpu_here       ? cpu
               : version_here ? weft_version()
                              : c);
        c += cpu_here || version_here;
    }
    return write_file(path, text, strlen(text));
}

static void refused(const char *why) {
    wfi_figures f;
    char note[200] = "";
    CHECK(!wfi_figures_read(path, &f, note, sizeof note));
    CHECK_HAS(note, why);
}

TEST(figures_are_read_as_they_were_written) {
    char deep[400], note[200], source[WFI_FIGURES_SOURCE];
    weft_ctx *ctx = new_ctx(1, NULL);
    wfi_figures f = own_figures(), back;
    REQUIRE(begin());
    snprintf(deep, sizeof deep, "%s/a/b/figures.tsv", folder);
    REQUIRE(wfi_figures_write(ctx, deep, &f) == WEFT_OK);
    REQUIRE(wfi_figures_read(deep, &back, note, sizeof note));
    CHECK(memcmp(&f, &back, sizeof f) == 0);
    wfi_figures_settle(&back, source, sizeof source);
    CHECK(back.measured == f.count && back.context_ns == f.context_ns && back.threads == f.threads);
    CHECK(memcmp(f.at, back.at, f.count * sizeof *f.at) == 0);
    CHECK_TEXT(source, "calibrated here with A GPU");
    remove_temp(folder);
    weft_ctx_free(ctx);
}

TEST(what_was_not_measured_keeps_its_built_in_costs) {
    char source[WFI_FIGURES_SOURCE];
    wfi_figures f = own_figures(), standard;
    wfi_figures_standard(&standard);
    wfi_figures_settle(&f, source, sizeof source);
    CHECK(wfi_figures_measured(&f, "bfs") && !wfi_figures_measured(&f, "kcore"));
    CHECK_U64(f.count, standard.count); /* both of the file are among them */
    for (size_t i = 0; i < standard.count; i++) {
        size_t k = 0;
        while (k < f.count && strcmp(f.at[k].algorithm, standard.at[i].algorithm)) k++;
        REQUIRE(k < f.count);
        CHECK((k < 2) == (memcmp(&f.at[k], &standard.at[i], sizeof f.at[k]) != 0));
    }
}

TEST(without_a_gpu_the_built_in_costs_stand_beside_the_cores) {
    char note[200], source[WFI_FIGURES_SOURCE];
    weft_ctx *ctx = new_ctx(1, NULL);
    wfi_figures f = own_figures(), back, standard;
    f.count = 0;
    f.gpu[0] = '\0';
    REQUIRE(begin());
    REQUIRE(wfi_figures_write(ctx, path, &f) == WEFT_OK);
    REQUIRE(wfi_figures_read(path, &back, note, sizeof note));
    CHECK_U64(back.count, 0);
    wfi_figures_settle(&back, source, sizeof source);
    wfi_figures_standard(&standard);
    CHECK(back.count == standard.count && back.context_ns == standard.context_ns);
    CHECK(!memcmp(&back.few, &f.few, sizeof f.few) && !memcmp(&back.many, &f.many, sizeof f.many));
    CHECK_HAS(source, "built-in figures");
    remove_temp(folder);
    weft_ctx_free(ctx);
}

#define FEW  "sweep\tfew\t1\t2\t3\n"
#define MANY "sweep\tmany\t1\t2\t3\n"
#define HEAD "weft\t%v\ncpu\t%s\nthreads\t4\ngpu\tX\n" FEW MANY
#define CPU  "cost\tbfs\tcpu\t1\t2\t3\t4\t5\n"
#define GPU  "cost\tbfs\tgpu\t1\t2\t3\t4\t5\n"

TEST(figures_of_others_and_damaged_ones_are_not_used) {
    static const struct {
        const char *text, *note;
    } cases[] = {
        {"weft\t9.9.9\ncpu\t%s\nthreads\t4\ngpu\tX\ncontext\t1\n" CPU GPU, "by Weft 9.9.9"},
        {"weft\t9.9.9\nnovelty\t1\n", "by Weft 9.9.9"},
        {"weft\t%v\ncpu\tAnother\nthreads\t4\ngpu\tX\ncontext\t1\n" FEW MANY CPU GPU, "another machine"},
        {HEAD "context\t1\n" GPU "cost\tbfs\tcpu\t1\t2\t3\t4\n", "damaged"},
        {HEAD "context\t1\n" CPU GPU "cost\tbfs\ttpu\t1\t2\t3\t4\t5\n", "damaged"},
        {HEAD "context\t1\n" CPU GPU CPU, "damaged"},
        {HEAD "context\t1\n" CPU GPU "context\t", "damaged"},
        {HEAD "context\tlong\n" CPU GPU, "damaged"},
        {"weft\t%v\ncpu\t%s\nthreads\t-4\ngpu\tX\ncontext\t1\n" CPU GPU, "damaged"},
        {"weft\t\x1b[31m9\n" CPU GPU, "damaged"},
        {"weft\t%v\ncpu\t%s\nthreads\t4\ngpu\t\x9b"
         "31mX\ncontext\t1\n" CPU GPU,
         "damaged"},
        {"\x7f"
         "ELF",
         "damaged"},
        {HEAD "context\t1\n" CPU GPU FEW, "damaged"},
        {HEAD "context\t1\n" CPU GPU "sweep\tall\t1\t2\t3\n", "damaged"},
        {"weft\t%v\ncpu\t%s\nthreads\t4\nsweep\tfew\t1\t2\n" MANY, "damaged"},
        {"weft\t%v\ncpu\t%s\nthreads\t4\n" FEW, "incomplete"},
        {"weft\t%v\ncpu\t%s\nthreads\t4\ngpu\tX\ncontext\t1\n" CPU GPU, "incomplete"},
        {"weft\t%v\ncpu\t%s\nthreads\t4\ngpu\tX\n" FEW MANY, "incomplete"},
        {HEAD "context\t1\n" CPU, "incomplete"},
        {HEAD "context\t1\n" GPU, "incomplete"},
        {HEAD "context\t1\n" CPU GPU "cost\tsssp\tgpu\t1\t2\t3\t4\t5\n", "incomplete"},
        {HEAD CPU GPU, "incomplete"},
        {HEAD "context\t1\n", "incomplete"},
        {"weft\t%v\ncpu\t%s\nthreads\t4\ncontext\t1\n" FEW MANY CPU GPU, "incomplete"},
        {"weft\t%v\nthreads\t4\ngpu\tX\ncontext\t1\n" FEW MANY CPU GPU, "incomplete"},
        {"weft\t%v\ncpu\t%s\ngpu\tX\ncontext\t1\n" FEW MANY CPU GPU, "incomplete"},
        {"cpu\t%s\nthreads\t4\ngpu\tX\ncontext\t1\n" FEW MANY CPU GPU, "incomplete"},
        {"", "incomplete"},
    };
    wfi_figures f;
    char note[200];
    REQUIRE(begin());
    refused("has not been run");
    for (size_t i = 0; i < LENGTH(cases); i++) {
        REQUIRE(put(cases[i].text));
        refused(cases[i].note);
    }
    REQUIRE(put(HEAD "context\t1\n" CPU GPU)); /* what the others lack is all that they lack */
    CHECK(wfi_figures_read(path, &f, note, sizeof note));
    remove_temp(folder);
}

TEST(only_a_small_regular_file_is_read) {
    REQUIRE(begin());
    REQUIRE(mkfifo(path, 0600) == 0);
    refused("not a regular file");
    unlink(path);
    REQUIRE(mkdir(path, 0700) == 0);
    refused("not a regular file");
    rmdir(path);
    FILE *large = fopen(path, "w");
    REQUIRE(large != NULL);
    for (int i = 0; i < 10000; i++) fputs("threads\t4\n", large);
    fclose(large);
    refused("too large");
    unlink(path);
    REQUIRE(symlink("figures.tsv", path) == 0);
    refused("cannot be read: ");
    remove_temp(folder);
}

TEST(where_the_file_cannot_be_is_known_beforehand) {
    char at[400];
    weft_ctx *ctx = new_ctx(1, NULL);
    REQUIRE(begin());
    snprintf(at, sizeof at, "%s/cache/weft/figures.tsv", folder);
    CHECK(wfi_figures_try(ctx, at) == WEFT_OK);
    CHECK(access(at, F_OK) != 0);
    snprintf(at, sizeof at, "%s/cache/weft", folder);
    CHECK(wfi_figures_try(ctx, at) == WEFT_EIO);
    CHECK_HAS(weft_ctx_message(ctx), "directory");
    REQUIRE(write_file(path, "", 0));
    snprintf(at, sizeof at, "%s/weft/figures.tsv", path);
    CHECK(wfi_figures_try(ctx, at) == WEFT_EIO);
    remove_temp(folder);
    weft_ctx_free(ctx);
}

/* Sets both; NULL = not there. */
static const char *why_not(const char *cache, const char *home, char *to, size_t room) {
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    if (cache) setenv("XDG_CACHE_HOME", cache, 1);
    if (home) setenv("HOME", home, 1);
    return wfi_figures_path(to, room);
}

TEST(the_environment_names_the_place_or_the_reason_is_true) {
    static char at[WFI_FIGURES_PATH], huge[5000];
    memset(huge, 'x', sizeof huge - 1);
    huge[0] = '/';
    CHECK(why_not("/c", "/h", at, sizeof at) == NULL);
    CHECK_TEXT(at, "/c/weft/figures.tsv");
    CHECK(why_not("c", "/h", at, sizeof at) == NULL);
    CHECK_TEXT(at, "/h/.cache/weft/figures.tsv");
    CHECK_HAS(why_not(NULL, NULL, at, sizeof at), "is set");
    CHECK_HAS(why_not("", "", at, sizeof at), "is set");
    CHECK_HAS(why_not(NULL, "h", at, sizeof at), "absolute");
    CHECK_HAS(why_not(huge, "/h", at, sizeof at), "XDG_CACHE_HOME is too long");
    CHECK_HAS(why_not(NULL, huge, at, sizeof at), "HOME is too long");
}

TEST(what_cannot_be_saved_is_not_measured) {
    char at[4096];
    weft_ctx *ctx = new_ctx(1, NULL);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "/dev/null", 1);
    CHECK(weft_calibrate(ctx, 0, at, sizeof at) == WEFT_EIO);
    CHECK_HAS(weft_ctx_message(ctx), "/dev/null/.cache/weft/figures.tsv");
    CHECK(weft_calibrate(ctx, 0, NULL, 0) == WEFT_EINVAL);
    CHECK(weft_calibrate(ctx, 0, at, 3) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "was given 3 bytes");
    CHECK(weft_calibrate(ctx, -1, at, sizeof at) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "was given -1 seconds");
    setenv("HOME", "nowhere", 1);
    CHECK(weft_calibrate(ctx, 0, at, sizeof at) == WEFT_EIO);
    CHECK_HAS(weft_ctx_message(ctx), "absolute");
    weft_ctx_free(ctx);
}

TEST_MAIN()
