/* Reading speed: the text edge list of an R-MAT graph, each undirected edge once, from a warm page cache.
 *
 *   parse          the text into edges, nothing built
 *   read           parse + symmetrised CSR, with the ids that occur as vertices (what a user gets) and with --vertices
 *   shuffled       the same edges in random order: no two neighbouring lines share an id
 *   open .weft     the same graph by mmap; and with every checksum verified
 *   read .gz/.zst  the same text, compressed; rates count the text
 *   generate       a bigger R-MAT, which must be the same graph with 1 and with all threads
 *   memory         the high-water mark of one read against the bytes of the CSR it makes
 *
 * No time without a verified answer: the graph is generated anew each time, and what is read must have its edges and
 * fingerprint before the clock starts.  README.md beside this file has the protocol. */
#include "bench.h"
#include "inputs.h"

#include "graph/edges.h"
#include "io/stream/source.h"
#include "io/table/edgelist.h"

#include <sys/stat.h>

typedef struct options {
    input in;
    unsigned generate_scale;
    int runs, threads;
    bool generate;
} options;

typedef struct setup {
    options o;
    facts f;
    char path[512];
    int threads;
    bool all_vertices; /* --vertices 2^scale */
    bool verify_checksums;
} setup;

static weft_ctx *context(int threads, bench_result *r) {
    weft_ctx *ctx;
    if (weft_ctx_new(&ctx)) {
        bench_fail(r, "no context: out of memory");
        return NULL;
    }
    weft_ctx_set_threads(ctx, threads);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    return ctx;
}

static void prepare(const void *given, bench_result *r) {
    const setup *s = given;
    facts f = {0};
    weft_ctx *ctx = context(s->o.threads, r);
    if (!ctx) return;
    if (input_prepare(ctx, &s->o.in, &f, r)) memcpy(r->number, &f, sizeof f);
    weft_ctx_free(ctx);
}

static void describe_machine(const void *given, bench_result *r) {
    const setup *s = given;
    weft_ctx *ctx = context(s->o.threads, r);
    if (!ctx) return;
    r->machine.size = sizeof r->machine;
    bench_good(ctx, weft_machine_describe(ctx, 1, &r->machine), "measuring the machine", r);
    r->number[0] = (uint64_t)weft_ctx_threads(ctx);
    weft_ctx_free(ctx);
}

/* --- the measurements ------------------------------------------------------- */

/* Times `once` for a warm-up, whose answer is checked and whose time is not kept, and the runs.  Each has a context
 * of its own, so that a high-water mark is that of one run. */
static void repeat(const setup *s, bool (*once)(weft_ctx *, const setup *, bool check, double *ms, bench_result *),
                   bench_result *r) {
    for (int i = 0; i <= s->o.runs && !r->failed; i++) {
        double ms = 0;
        weft_ctx *ctx = context(s->threads, r);
        if (!ctx) return;
        bool good = once(ctx, s, i == 0, &ms, r);
        r->library_peak = weft_ctx_memory_peak(ctx);
        weft_ctx_free(ctx);
        if (good && i > 0) r->ms[r->runs++] = ms;
    }
}

static bool parse_once(weft_ctx *ctx, const setup *s, bool check, double *ms, bench_result *r) {
    (void)check; /* counting is cheap: every run is checked */
    weft_read_params p = input_reading(&s->o.in, s->all_vertices);
    wfi_source *source = NULL;
    wfi_table table = {0};
    double start = bench_now_ms();
    weft_status st = wfi_source_open(ctx, s->path, &source);
    if (!st) st = wfi_edgelist_gather(ctx, source, &p, &table);
    *ms = bench_now_ms() - start;
    bool good = bench_good(ctx, st, "parsing", r);
    uint64_t found = good ? wfi_edges_total(&table.edges) : 0;
    wfi_table_free(&table);
    wfi_source_close(source);
    if (good && found != s->f.edges) bench_fail(r, "parsed %" PRIu64 " edges, expected %" PRIu64, found, s->f.edges);
    return !r->failed;
}

static bool read_once(weft_ctx *ctx, const setup *s, bool check, double *ms, bench_result *r) {
    weft_read_params p = input_reading(&s->o.in, s->all_vertices);
    weft_graph *g = NULL;
    p.verify_checksums = s->verify_checksums;
    double start = bench_now_ms();
    weft_status st = weft_read(ctx, s->path, &p, &g);
    *ms = bench_now_ms() - start;
    uint64_t found = 0, expected = s->all_vertices ? s->f.fingerprint : s->f.compact_fingerprint;
    bool good = bench_good(ctx, st, "reading", r);
    if (good && check && bench_good(ctx, weft_graph_fingerprint(ctx, g, &found), "fingerprint", r) && found != expected)
        bench_fail(r, "%s holds another graph; remove %s and run again", s->path, s->o.in.folder);
    weft_graph_free(g);
    return !r->failed;
}

static bool generate_once(weft_ctx *ctx, const setup *s, bool check, double *ms, bench_result *r) {
    weft_graph *g = NULL;
    double start = bench_now_ms();
    weft_status st = input_generate(ctx, s->o.generate_scale, s->o.in.degree, false, &g);
    *ms = bench_now_ms() - start;
    bool good = bench_good(ctx, st, "generating", r);
    if (good && check && bench_good(ctx, weft_graph_fingerprint(ctx, g, &r->number[0]), "fingerprint", r)) {
        weft_graph_info info = {.size = sizeof info};
        if (bench_good(ctx, weft_graph_describe(ctx, g, &info), "describing", r)) r->number[1] = info.records;
    }
    weft_graph_free(g);
    return !r->failed;
}

static void measure_parse(const void *given, bench_result *r) { repeat(given, parse_once, r); }
static void measure_read(const void *given, bench_result *r) { repeat(given, read_once, r); }
static void measure_generate(const void *given, bench_result *r) { repeat(given, generate_once, r); }

/* One read in a fresh process: neither a warm-up nor a check may raise its high-water mark. */
static void measure_memory(const void *given, bench_result *r) {
    const setup *s = given;
    weft_ctx *ctx = context(s->threads, r);
    if (!ctx) return;
    if (read_once(ctx, s, false, &r->ms[0], r)) r->runs = 1;
    r->library_peak = weft_ctx_memory_peak(ctx);
    weft_ctx_free(ctx);
}

/* --- the report ------------------------------------------------------------- */

static int failures;

static bool measure(bench_work work, const setup *s, const char *what, bench_result *r) {
    bench_in_child(work, s, r);
    if (r->failed) {
        failures++;
        fprintf(stderr, "bench_read: %s: %s\n", what, r->message);
    }
    return !r->failed;
}

static void text_row(const setup *s, bench_work work, const char *what, const weft_machine *m) {
    static bench_result r;
    char rate[32], share[64];
    if (!measure(work, s, what, &r)) return;
    double gbs = (double)s->f.text_bytes / bench_spread_of(&r).median * 1e-6;
    snprintf(rate, sizeof rate, "%.0f MB/s", gbs * 1e3);
    snprintf(share, sizeof share, "%.0f %% of parse", 100 * gbs / (m->parse_gbs * s->threads));
    bench_row(what, s->threads, &r, rate, m->parse_gbs > 0 ? share : NULL);
}

static void report_text(setup *s, const weft_machine *m, const int *threads, int kinds) {
    static const struct {
        const char *what, *extension;
        bool parse_only, all_vertices;
    } rows[] = {{"parse the text", "txt", true, false},
                {"read: parse + symmetrised CSR", "txt", false, false},
                {"read with --vertices", "txt", false, true},
                {"parse, edges shuffled", "shuffled.txt", true, false},
                {"read, edges shuffled", "shuffled.txt", false, false},
                {"read .txt.gz", "txt.gz", false, false},
                {"read .txt.zst", "txt.zst", false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        input_path(&s->o.in, rows[i].extension, s->path, sizeof s->path);
        s->all_vertices = rows[i].all_vertices;
        for (int k = 0; k < kinds; k++) {
            s->threads = threads[k];
            text_row(s, rows[i].parse_only ? measure_parse : measure_read, rows[i].what, m);
        }
    }
}

static void report_weft(setup *s, const weft_machine *m, int threads) {
    static bench_result r;
    char rate[32], share[64];
    input_path(&s->o.in, "weft", s->path, sizeof s->path);
    s->threads = threads;
    s->all_vertices = true;
    s->verify_checksums = false;
    if (measure(measure_read, s, "open .weft", &r)) bench_row("open .weft", threads, &r, NULL, NULL);
    s->verify_checksums = true;
    if (measure(measure_read, s, "open .weft, verify checksums", &r)) {
        double gbs = (double)s->f.weft_bytes / bench_spread_of(&r).median * 1e-6;
        snprintf(rate, sizeof rate, "%.0f MB/s", gbs * 1e3);
        snprintf(share, sizeof share, "%.0f %% of memory read", 100 * gbs / m->read_gbs);
        bench_row("open .weft, verify checksums", threads, &r, rate, m->read_gbs > 0 ? share : NULL);
    }
    s->verify_checksums = false;
}

static void report_generate(setup *s, const int *threads, int kinds) {
    static bench_result r;
    uint64_t fingerprint[2] = {0, 0};
    char what[64], rate[32];
    snprintf(what, sizeof what, "generate R-MAT scale %u", s->o.generate_scale);
    for (int k = 0; k < kinds; k++) {
        s->threads = threads[k];
        if (!measure(measure_generate, s, what, &r)) return;
        fingerprint[k] = r.number[0];
        snprintf(rate, sizeof rate, "%.1f Medge/s", (double)r.number[1] / bench_spread_of(&r).median * 1e-3);
        bench_row(what, s->threads, &r, rate, NULL);
    }
    if (kinds < 2) return;
    if (fingerprint[0] != fingerprint[1]) {
        failures++;
        fprintf(stderr, "bench_read: %s: another graph with %d threads\n", what, threads[1]);
    }
    printf("\nGenerated with 1 and with %d threads: fingerprints %016" PRIx64 " and %016" PRIx64 ", %s.\n", threads[1],
           fingerprint[0], fingerprint[1], fingerprint[0] == fingerprint[1] ? "the same graph" : "NOT the same graph");
}

static void report_memory(setup *s, const int *threads, int kinds) {
    static bench_result r;
    printf("\n| peak memory of one read | threads | library | process | final CSR | library / CSR | process / CSR |\n"
           "|:--|--:|--:|--:|--:|--:|--:|\n");
    input_path(&s->o.in, "txt", s->path, sizeof s->path);
    for (int i = 0; i < 2 * kinds; i++) {
        s->all_vertices = i >= kinds;
        s->threads = threads[i % kinds];
        const char *what = s->all_vertices ? "with --vertices" : "ids as they occur";
        if (!measure(measure_memory, s, what, &r)) continue;
        uint64_t n = s->all_vertices ? s->f.vertices : s->f.compact_vertices;
        double csr = (double)(n + 1) * sizeof(weft_eid) + (double)s->f.arcs * sizeof(weft_vid);
        double library = (double)r.library_peak, process = (double)r.process_peak;
        printf("| %s | %d | %.1f MB | %.1f MB | %.1f MB | %.2f | %.2f |\n", what, s->threads, library / 1e6,
               process / 1e6, csr / 1e6, library / csr, process / csr);
    }
    printf("\nThe process is the largest resident set of a child that does just this; the library counts what it "
           "allocates.\n");
}

static void report_head(const setup *s, const weft_machine *m, int threads) {
    printf("- build: %s\n- CPU: %s, %d cores usable, %d threads; L1 %.0f KiB, L2 %.1f MiB, L3 %.1f MiB; "
           "memory %.1f GB\n",
           weft_build_info(), m->cpu, m->cores, threads, (double)m->l1_bytes / 1024, (double)m->l2_bytes / 1048576,
           (double)m->l3_bytes / 1048576, (double)m->memory_bytes / 1e9);
    printf("- ceilings: read %.1f GB/s, copy %.1f GB/s, gather %.3f G/s (all threads); bare parser %.2f GB/s "
           "(one thread)\n",
           m->read_gbs, m->copy_gbs, m->gather_gps, m->parse_gbs);
    printf("- input: R-MAT scale %u, degree %g, undirected, each edge once: %" PRIu64 " edges, %" PRIu64 " of %" PRIu64
           " vertices with an edge, %.1f MB of text; page cache warm\n\n",
           s->o.in.scale, s->o.in.degree, s->f.edges, s->f.compact_vertices, s->f.vertices,
           (double)s->f.text_bytes / 1e6);
}

static int usage(void) {
    fputs("usage: bench_read [--data FOLDER] [--scale N] [--degree N] [--generate-scale N] [--no-generate]\n"
          "                  [--runs N] [--threads N]\n",
          stderr);
    return 2;
}

/* The next argument as a whole number from least to most, else -1. */
static long number_argument(char **argv, int *i, long least, long most) {
    const char *text = argv[*i + 1];
    char *end;
    if (!text) return -1;
    long x = strtol(text, &end, 10);
    ++*i;
    return *end || x < least || x > most ? -1 : x;
}

static bool parse_arguments(char **argv, options *o) {
    for (int i = 1; argv[i]; i++) {
        long x = 0;
        if (!strcmp(argv[i], "--data") && argv[i + 1])
            o->in.folder = argv[++i];
        else if (!strcmp(argv[i], "--no-generate"))
            o->generate = false;
        else if (!strcmp(argv[i], "--scale"))
            o->in.scale = (unsigned)(x = number_argument(argv, &i, 4, 28));
        else if (!strcmp(argv[i], "--generate-scale"))
            o->generate_scale = (unsigned)(x = number_argument(argv, &i, 4, 28));
        else if (!strcmp(argv[i], "--degree"))
            o->in.degree = (double)(x = number_argument(argv, &i, 1, 1024));
        else if (!strcmp(argv[i], "--runs"))
            o->runs = (int)(x = number_argument(argv, &i, 1, BENCH_RUNS_MOST));
        else if (!strcmp(argv[i], "--threads"))
            o->threads = (int)(x = number_argument(argv, &i, 0, 4096));
        else
            return false;
        if (x < 0) return false;
    }
    return true;
}

int main(int argc, char **argv) {
    (void)argc;
    static bench_result r;
    options o = {{"build/bench-data", 20, 16}, 22, bench_runs(), 0, true};
    if (!parse_arguments(argv, &o)) return usage();
    setup s = {.o = o};
    if (mkdir(o.in.folder, 0777) && errno != EEXIST) {
        fprintf(stderr, "bench_read: %s: %s\n", o.in.folder, strerror(errno));
        return 1;
    }
    if (!measure(prepare, &s, "preparing", &r)) return 1;
    memcpy(&s.f, r.number, sizeof s.f);
    if (!measure(describe_machine, &s, "machine", &r)) return 1;
    weft_machine machine = r.machine;
    int threads[2] = {1, (int)r.number[0]}, kinds = threads[1] > 1 ? 2 : 1;

    report_head(&s, &machine, threads[1]);
    bench_table_head();
    report_text(&s, &machine, threads, kinds);
    report_weft(&s, &machine, threads[kinds - 1]);
    if (o.generate) report_generate(&s, threads, kinds);
    report_memory(&s, threads, kinds);
    return failures ? 1 : 0;
}
