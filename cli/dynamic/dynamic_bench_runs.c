/* The cost of updates for later algorithms: runs on a snapshot, its rows packed, and on the graph built from the same
 * edges. */
#include "dynamic/dynamic.h"

#include <stdlib.h>

enum { TIMES = 5 };

static const char *const algorithms[DYNAMIC_BENCH_RUNS] = {"pagerank", "bfs", "components", "triangles"};

/* An untimed first run fills the caches of the graph. */
typedef struct side {
    weft_plan *plan;
    double ms[TIMES];
    uint64_t digest;
} side;

static weft_status run(weft_ctx *ctx, side *s, double *ms) {
    weft_result *r = NULL;
    double began = cli_now_ms();
    weft_status st = weft_plan_run(s->plan, &r);
    *ms = cli_now_ms() - began;
    if (!st) st = weft_result_digest(ctx, r, &s->digest);
    weft_result_free(r);
    return st;
}

static int by_time(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *ms) {
    qsort(ms, TIMES, sizeof *ms, by_time);
    return ms[TIMES / 2];
}

static int compare(weft_ctx *ctx, const weft_graph *const graph[2], dynamic_bench_run *to) {
    side s[2] = {{NULL, {0}, 0}, {NULL, {0}, 0}};
    weft_status st = WEFT_OK;
    double first;
    for (int i = 0; i < 2 && !st; i++) st = weft_plan_new(ctx, to->algorithm, graph[i], NULL, &s[i].plan);
    bool serves = !st;
    for (int i = 0; i < 2 && !st; i++) st = run(ctx, &s[i], &first);
    for (int k = 0; k < TIMES && !st; k++)
        for (int i = 0; i < 2 && !st; i++) st = run(ctx, &s[i], &s[i].ms[k]);
    int code = EXIT_DONE;
    if (st && (serves || st == WEFT_ENOMEM || st == WEFT_ECANCELLED)) {
        code = cli_fail_status(ctx, st);
    } else if (!st && s[0].digest != s[1].digest) {
        code = cli_fail(EXIT_NO, "NOT VERIFIED: %s of the snapshot is not that of the same graph", to->algorithm);
    } else if (!st) {
        to->snapshot_ms = median(s[0].ms);
        to->fixed_ms = median(s[1].ms);
    }
    for (int i = 0; i < 2; i++) weft_plan_free(s[i].plan);
    return code;
}

int dynamic_bench_compare(weft_ctx *ctx, const weft_graph *snapshot, const weft_graph *fixed,
                          dynamic_bench_run runs[DYNAMIC_BENCH_RUNS]) {
    const weft_graph *graph[2] = {snapshot, fixed};
    int code = EXIT_DONE;
    for (int i = 0; i < DYNAMIC_BENCH_RUNS && !code; i++) {
        runs[i] = (dynamic_bench_run){.algorithm = algorithms[i]};
        code = compare(ctx, graph, &runs[i]);
    }
    return code;
}

void dynamic_bench_print(const dynamic_bench_run runs[DYNAMIC_BENCH_RUNS]) {
    for (int i = 0; i < DYNAMIC_BENCH_RUNS; i++) {
        const dynamic_bench_run *r = &runs[i];
        if (r->fixed_ms > 0)
            printf("%12s%-12s %10.2f ms on the snapshot, %10.2f on the same graph: %.2f of its speed\n", "",
                   r->algorithm, r->snapshot_ms, r->fixed_ms, r->fixed_ms / r->snapshot_ms);
        else
            printf("%12s%-12s does not take this graph\n", "", r->algorithm);
    }
}

void dynamic_bench_json(json *j, const dynamic_bench_run runs[DYNAMIC_BENCH_RUNS]) {
    json_open_array(j, "analytics", false);
    for (int i = 0; i < DYNAMIC_BENCH_RUNS; i++) {
        if (runs[i].fixed_ms <= 0) continue;
        json_open_object(j, NULL, true);
        json_text(j, "algorithm", runs[i].algorithm);
        json_rounded(j, "snapshot_ms", runs[i].snapshot_ms);
        json_rounded(j, "static_ms", runs[i].fixed_ms);
        json_close(j);
    }
    json_close(j);
}
