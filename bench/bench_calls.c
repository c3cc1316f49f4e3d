/* Whole calls on the GPU with results on the host: from weft_plan_run until a load from every column has come back, while the ten last
 * results are kept alive, beside what the bytes and the kernels alone would take.
 *
 *   bench_calls FILE [ALGORITHM...]      those that the GPU serves with their defaults
 *
 * 41 calls; the median is of the last 20, when memory has been used before; the first is shown apart, with its stages of half a ms or
 * more by the host's clock; CUDA's context is made before it, on a graph of two vertices.  The limit: the GPU's own clock in the same
 * calls + bytes of the result / 45 GB/s + 0.2 ms.  No time without a verified answer: the first result goes through the
 * verifier, and every other has its digest.  What takes seconds is not called 41 times, and has no line. */
#include "bench.h"
#include "weft/check.h"
#include "weft/degree.h"
#include "weft/registry.h"

enum { CALLS = 41, COUNTED = 20, KEPT = 10 };

static const double LINK = 45e6, OVERHEAD = 0.2, TOO_LONG = 2000; /* bytes a ms; ms; ms */

typedef struct timings {
    double first, call[COUNTED], kernels[COUNTED];
    uint64_t bytes;
    char stages[256]; /* of the first call */
} timings;

static size_t bytes_of(const weft_column *c) { return c->length * (c->width ? c->width : 1) * weft_type_size(c->type); }

/* Loads the last byte of every column: a result that were still on its way would be waited for here. */
static uint64_t touch(const weft_result *r) {
    uint64_t sum = 0;
    for (size_t i = 0; i < weft_result_column_count(r); i++) {
        const weft_column *c = weft_result_column_at(r, i);
        if (c->length) sum += ((const volatile unsigned char *)c->data)[bytes_of(c) - 1];
    }
    return sum;
}

static double kernels_of(const weft_result *r) {
    double ms = 0;
    for (size_t i = 0; i < weft_result_stage_count(r); i++) ms += weft_result_stage_at(r, i)->kernel_ms;
    return ms;
}

static void name_stages(const weft_result *r, char *text, size_t room) {
    text[0] = 0;
    for (size_t i = 0, used = 0; i < weft_result_stage_count(r) && used < room; i++) {
        const weft_stage *s = weft_result_stage_at(r, i);
        if (s->ms >= 0.5)
            used += (size_t)snprintf(text + used, room - used, "%s%s %.1f", used ? ", " : "", s->name, s->ms);
    }
}

/* The reason why there is no time, or NULL. */
static const char *measure(weft_ctx *ctx, const char *name, const weft_graph *g, weft_plan *plan, timings *t) {
    weft_result *kept[KEPT] = {NULL};
    const char *wrong = NULL;
    uint64_t expected = 0;
    for (int i = 0; i < CALLS && !wrong; i++) {
        weft_result *r = NULL;
        uint64_t digest = 0;
        double start = bench_now_ms();
        if (weft_plan_run(plan, &r)) {
            wrong = weft_ctx_message(ctx);
            break;
        }
        touch(r);
        double ms = bench_now_ms() - start;
        weft_result_free(kept[i % KEPT]);
        kept[i % KEPT] = r;
        if (i == 0 && ms > TOO_LONG) {
            t->first = ms;
            break;
        }
        if (i == 0) {
            weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
            t->first = ms;
            name_stages(r, t->stages, sizeof t->stages);
            for (size_t c = 0; c < weft_result_column_count(r); c++) t->bytes += bytes_of(weft_result_column_at(r, c));
            if (weft_check(ctx, name, g, NULL, r, &report) || !report.passed) wrong = "the verifier refused the answer";
        }
        if (weft_result_digest(ctx, r, &digest) || (i && digest != expected)) wrong = "two calls differ";
        expected = digest;
        if (i >= CALLS - COUNTED) {
            t->call[i - (CALLS - COUNTED)] = ms;
            t->kernels[i - (CALLS - COUNTED)] = kernels_of(r);
        }
    }
    for (int i = 0; i < KEPT; i++) weft_result_free(kept[i]);
    return wrong;
}

static double median(double *values) {
    qsort(values, COUNTED, sizeof *values, bench_by_value);
    return (values[COUNTED / 2 - 1] + values[COUNTED / 2]) / 2;
}

/* A line of the table; false when an answer was wrong. */
static bool row(weft_ctx *ctx, const char *name, const weft_graph *g) {
    weft_plan *plan = NULL;
    timings t = {0};
    if (weft_plan_new(ctx, name, g, NULL, &plan)) {
        fprintf(stderr, "bench_calls: %s: %s\n", name, weft_ctx_message(ctx));
        return true; /* what the graph or the GPU does not allow has no line */
    }
    const char *wrong = measure(ctx, name, g, plan, &t);
    if (!wrong && t.first > TOO_LONG) {
        fprintf(stderr, "bench_calls: %s: takes %.1f s, not called again\n", name, t.first * 1e-3);
    } else if (wrong) {
        printf("| %s | WRONG: %s |\n", name, wrong);
    } else {
        double kernels = median(t.kernels), call = median(t.call), limit = kernels + (double)t.bytes / LINK + OVERHEAD;
        printf("| %s | %.3f | %.1f | %.3f | %.3f | %s | %.1f | %s |\n", name, kernels, (double)t.bytes * 1e-6, call,
               limit, call <= limit ? "yes" : "no", t.first, t.stages);
    }
    fflush(stdout);
    weft_plan_free(plan);
    return !wrong;
}

/* What the process does once, so that no algorithm's first call has it. */
static weft_status make_context(weft_ctx *ctx) {
    weft_vid ends[] = {0, 1};
    weft_graph *two = NULL;
    weft_result *r = NULL;
    weft_status st = weft_graph_from_edges(ctx, 2, 1, &ends[0], &ends[1], NULL, WEFT_WEIGHT_NONE, NULL, &two);
    if (!st) st = weft_degree(ctx, two, NULL, &r);
    weft_result_free(r);
    weft_graph_free(two);
    return st;
}

int main(int argc, char **argv) {
    weft_ctx *ctx;
    weft_graph *g = NULL;
    bool good = true;
    if (argc < 2) {
        fprintf(stderr, "usage: bench_calls FILE [ALGORITHM...]\n");
        return 2;
    }
    if (weft_ctx_new(&ctx)) return 1;
    if (weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA) || make_context(ctx) || weft_read(ctx, argv[1], NULL, &g)) {
        fprintf(stderr, "bench_calls: %s\n", weft_ctx_message(ctx));
        weft_ctx_free(ctx);
        return 1;
    }
    printf("%s: %u vertices, %" PRIu64 " arcs\n\n", argv[1], weft_graph_vertices(g), weft_graph_arcs(g));
    printf("| algorithm | kernels, ms | result, MB | call, ms | limit, ms | met | first call, ms "
           "| of it |\n|---|--:|--:|--:|--:|---|--:|---|\n");
    if (argc > 2)
        for (int i = 2; i < argc; i++) good = row(ctx, argv[i], g) && good;
    else
        for (size_t i = 0; i < weft_algorithm_count(); i++) good = row(ctx, weft_algorithm_at(i)->name, g) && good;
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return good ? 0 : 1;
}
