/* Breadth-first search on the GPU by Graph500's rule: K random sources, each searched apart, TEPS = edges of what was reached /
 * time of its kernels (from the first to the last, between two events), and the harmonic mean of these.  An edge counts once,
 * parallel edges and loops as the file has them.
 *
 *   bench_bfs FILE [K] [ROUNDS]      64 sources, 3 rounds; of each source the median round counts
 *   bench_bfs FILE =V [ROUNDS]       from vertex number V only; = alone: from the one with most arcs
 *
 * No time without a verified answer: levels and parents of the first source go through the verifier, with
 * WEFT_BENCH_VERIFY=N those of the first N sources, side by side. */
#include "bench.h"
#include "weft/bfs.h"
#include "weft/check.h"

#include <string.h>

/* Of one search: its kernels, the out-arcs of what it reached, and how deep it went. */
typedef struct search_time {
    double ms;
    uint64_t arcs, depth;
} search_time;

static int compare_ms(const void *a, const void *b) {
    double x = ((const search_time *)a)->ms, y = ((const search_time *)b)->ms;
    return (x > y) - (x < y);
}

static int fail(weft_ctx *ctx, const char *what) {
    fprintf(stderr, "bench_bfs: %s: %s\n", what, weft_ctx_message(ctx));
    weft_ctx_free(ctx);
    return 1;
}

/* Searches from the first `count` sources again and has the answers verified, as many at once as there are threads. */
static bool verified(weft_ctx *ctx, const weft_graph *g, const weft_vid *sources, size_t count) {
    weft_result **result = calloc(count, sizeof(weft_result *));
    weft_bfs_params params = WEFT_BFS_DEFAULTS;
    bool good = result != NULL;
    for (size_t i = 0; good && i < count; i++) {
        params.source = sources[i];
        good = weft_bfs(ctx, g, &params, &result[i]) == WEFT_OK;
    }
#pragma omp parallel for schedule(dynamic, 1) firstprivate(params) reduction(&& : good)
    for (size_t i = 0; i < count; i++) {
        weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
        weft_ctx *own = NULL;
        params.source = sources[i];
        good = good && result[i] && weft_ctx_new(&own) == WEFT_OK &&
               weft_check(own, "bfs", g, &params, result[i], &report) == WEFT_OK && report.passed;
        if (report.message[0] && !report.passed)
            fprintf(stderr, "bench_bfs: from vertex %u: %s\n", sources[i], report.message);
        weft_ctx_free(own);
    }
    for (size_t i = 0; result && i < count; i++) weft_result_free(result[i]);
    free(result);
    return good;
}

/* One search from each source. */
static weft_status measure(weft_ctx *ctx, const weft_graph *g, const weft_vid *sources, size_t count,
                           search_time *times) {
    weft_csr out = {.size = sizeof out};
    weft_status st = weft_graph_out(ctx, g, &out);
    for (size_t i = 0; !st && i < count; i++) {
        weft_bfs_params params = WEFT_BFS_DEFAULTS;
        weft_result *r = NULL;
        params.source = sources[i];
        st = weft_bfs(ctx, g, &params, &r);
        const uint32_t *level = st ? NULL : weft_result_u32(r, "level");
        times[i] = (search_time){0};
        for (size_t k = 0; k < weft_result_stage_count(r); k++)
            if (!strcmp(weft_result_stage_at(r, k)->name, "iterations"))
                times[i].ms = weft_result_stage_at(r, k)->kernel_ms;
        for (weft_vid v = 0; level && v < out.vertices; v++)
            if (level[v] != WEFT_UNREACHED) times[i].arcs += out.offsets[v + 1] - out.offsets[v];
        if (!st) times[i].depth = weft_result_scalar(r, "depth")->value.u64;
        weft_result_free(r);
    }
    return st;
}

/* Of each source the median of its rounds, to the front of `times`. */
static void take_medians(search_time *times, size_t count, size_t rounds) {
    search_time *of_one = malloc(rounds * sizeof *of_one);
    if (!of_one) exit(1);
    for (size_t i = 0; i < count; i++) {
        for (size_t r = 0; r < rounds; r++) of_one[r] = times[r * count + i];
        qsort(of_one, rounds, sizeof *of_one, compare_ms);
        times[i] = of_one[rounds / 2];
    }
    free(of_one);
}

static void report(const char *path, const weft_graph *g, search_time *times, size_t count) {
    double inverse = 0, directions = weft_graph_directed(g) ? 1 : 2;
    for (size_t i = 0; i < count; i++) inverse += times[i].ms / ((double)times[i].arcs / directions);
    qsort(times, count, sizeof *times, compare_ms);
    const search_time *middle = &times[count / 2];
    printf("%s: %u vertices, %" PRIu64 " %s, %zu source%s\n", path, weft_graph_vertices(g), weft_graph_edges(g),
           weft_graph_directed(g) ? "directed edges" : "undirected edges", count, count == 1 ? "" : "s");
    printf("kernels: median %.4f ms, min %.4f, max %.4f; the median has %" PRIu64 " levels of %.2f us\n", middle->ms,
           times[0].ms, times[count - 1].ms, middle->depth + 1, middle->ms * 1e3 / (double)(middle->depth + 1));
    printf("harmonic mean: %.1f GTEPS\n", (double)count / inverse * 1e-6);
}

int main(int argc, char **argv) {
    weft_ctx *ctx;
    weft_graph *g = NULL;
    bool one = argc > 2 && *argv[2] == '=';
    size_t count = one ? 1 : argc > 2 ? strtoul(argv[2], NULL, 10) : 64;
    size_t rounds = argc > 3 ? strtoul(argv[3], NULL, 10) : 3;
    if (argc < 2 || !count || !rounds) {
        fprintf(stderr, "usage: bench_bfs FILE [SOURCES | =VERTEX] [ROUNDS]\n");
        return 2;
    }
    if (weft_ctx_new(&ctx)) return 1;
    if (weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA)) return fail(ctx, "device");
    if (weft_read(ctx, argv[1], NULL, &g)) return fail(ctx, argv[1]);
    unsigned long vertex = one ? strtoul(argv[2] + 1, NULL, 10) : 0;
    if (vertex >= weft_graph_vertices(g)) {
        fprintf(stderr, "bench_bfs: %s has no vertex number %lu\n", argv[1], vertex);
        return 1;
    }
    search_time *times = calloc((rounds + 1) * count, sizeof *times);
    weft_vid *sources = malloc(count * sizeof *sources);
    if (!times || !sources) return fail(ctx, "memory");
    *sources = one && argv[2][1] ? (weft_vid)vertex : WEFT_NO_VERTEX; /* none: the one with most arcs */
    if (!one && weft_random_sources(ctx, g, count, 1, sources)) return fail(ctx, "sources");
    for (size_t r = 0; r <= rounds; r++) /* the first one warms up, and its place is taken by the second */
        if (measure(ctx, g, sources, count, times + (r ? r - 1 : 0) * count)) return fail(ctx, "bfs");
    const char *verify = getenv("WEFT_BENCH_VERIFY");
    size_t asked = verify ? strtoul(verify, NULL, 10) : 1, checked = asked < 1 ? 1 : asked < count ? asked : count;
    if (!verified(ctx, g, sources, checked)) return fail(ctx, "wrong");
    take_medians(times, count, rounds);
    report(argv[1], g, times, count);
    printf("verified: %zu of %zu searches\n", checked, count);
    free(times);
    free(sources);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return 0;
}
