/* aggregate: every value is recomputed from the definition, pushed along the outgoing arcs in double, a few columns at a
 * time.  A maximum must be exact.  A sum in f32 may differ by what its roundings can add up to: with the terms t, it is
 * the number of additions that a term goes through (no more than a block and the blocks of the row), and a few for the
 * factors, times 2^-24 times the sum of |t|.  Where the finite terms alone leave the range of f32, infinity or NaN passes. */
#include "checks.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 8, BLOCK = 256, FACTORS = 8 };

typedef struct cell {
    double value, size; /* the sum or maximum; the sum of the absolute values of its finite terms */
} cell;

typedef struct definition {
    const weft_graph *g;
    const weft_aggregate_params *p;
    const float *result;
    uint64_t *degree; /* in-neighbours, the vertex itself included where it is one */
    cell *cells;      /* COLUMNS for each vertex */
} definition;

static int is_max(const definition *d) { return d->p->op == WEFT_AGGREGATE_MAX; }

static double factor(const definition *d, weft_vid v) {
    if (!d->p->normalize) return 1;
    return d->degree[v] ? 1 / sqrt((double)d->degree[v]) : 0;
}

static int joins_itself(const definition *d, weft_vid v) {
    return d->p->self_loop && !weft_graph_has_arc(d->g, v, v, NULL);
}

static void count_neighbours(const definition *d) {
    weft_csr out = weft_graph_out(d->g);
    for (weft_eid e = 0; e < out.arcs; e++) d->degree[out.targets[e]]++;
    for (weft_vid v = 0; v < out.vertices; v++) d->degree[v] += joins_itself(d, v) ? 1 : 0;
}

static void meet(const definition *d, weft_vid u, weft_vid v, size_t column, size_t columns) {
    double s = factor(d, u);
    for (size_t c = 0; c < columns; c++) {
        cell *to = &d->cells[(size_t)v * COLUMNS + c];
        double x = (double)d->p->features.data[(size_t)u * d->p->features.width + column + c] * s;
        if (is_max(d))
            to->value = isnan(to->value) || isnan(x) ? (double)NAN : fmax(to->value, x);
        else
            to->value += x;
        if (isfinite(x)) to->size += fabs(x);
    }
}

static void compute(const definition *d, size_t column, size_t columns) {
    weft_csr out = weft_graph_out(d->g);
    for (size_t i = 0; i < (size_t)out.vertices * COLUMNS; i++) d->cells[i] = (cell){is_max(d) ? -INFINITY : 0, 0};
    for (weft_vid u = 0; u < out.vertices; u++) {
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) meet(d, u, out.targets[e], column, columns);
        if (joins_itself(d, u)) meet(d, u, u, column, columns);
    }
}

/* Is `got` what the terms of vertex v give? */
static int fits(const definition *d, weft_vid v, cell want, double got, double *expected) {
    double count = (double)d->degree[v], share = factor(d, v);
    if (!is_max(d) && !d->p->normalize && d->p->op == WEFT_AGGREGATE_MEAN && count > 0) share = 1 / count;
    *expected = count > 0 ? want.value * (is_max(d) ? 1 : share) : 0;
    if (is_max(d)) return isnan(*expected) ? isnan(got) : got == *expected;
    if (want.size >= (double)FLT_MAX && !isfinite(got)) return 1;
    if (!isfinite(*expected)) return isnan(*expected) ? isnan(got) : got == *expected;
    double additions = fmin(count, BLOCK) + count / BLOCK + FACTORS;
    double slack = additions * (FLT_EPSILON / 2) * want.size * share + (count + 1) * 0x1p-149;
    return fabs(got - *expected) <= slack;
}

static int columns_right(const definition *d, size_t column, size_t columns, weft_check_report *report) {
    size_t width = (size_t)d->p->features.width;
    compute(d, column, columns);
    for (weft_vid v = 0; v < weft_graph_vertices(d->g); v++)
        for (size_t c = 0; c < columns; c++) {
            double expected, got = (double)d->result[(size_t)v * width + column + c];
            if (fits(d, v, d->cells[(size_t)v * COLUMNS + c], got, &expected)) continue;
            char id[128];
            weft_graph_id_text(d->g, v, id, sizeof id);
            snprintf(report->message, sizeof report->message, "vertex %s: f%zu is %.9g, but must be %.9g", id,
                     column + c, got, expected);
            return 0;
        }
    return 1;
}

static int shape_right(const definition *d, const weft_result *result, weft_check_report *report) {
    const weft_column *f = weft_result_column(result, "f");
    const weft_scalar *rows = weft_result_scalar(result, "rows"), *width = weft_result_scalar(result, "width");
    uint64_t n = weft_graph_vertices(d->g), wide = d->p->features.width;
    if (f && f->type == WEFT_F32 && f->length == n && f->width == wide && rows && rows->value.u64 == n && width &&
        width->value.u64 == wide)
        return 1;
    snprintf(report->message, sizeof report->message, "the result is not a matrix of %" PRIu64 " x %" PRIu64, n, wide);
    return 0;
}

weft_status weft_check_aggregate(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                 weft_check_report *report) {
    (void)ctx;
    static const weft_aggregate_params standard = WEFT_AGGREGATE_DEFAULTS;
    definition d = {.g = g, .p = params ? params : &standard, .result = weft_result_f32(result, "f")};
    size_t n = weft_graph_vertices(g), width = (size_t)d.p->features.width;
    report->passed = 0;
    if (!shape_right(&d, result, report)) return WEFT_OK;
    d.degree = calloc(n + 1, sizeof *d.degree);
    d.cells = malloc((n * COLUMNS + 1) * sizeof *d.cells);
    weft_status st = d.degree && d.cells ? WEFT_OK : WEFT_ENOMEM;
    int right = !st;
    if (right) count_neighbours(&d);
    for (size_t column = 0; right && column < width; column += COLUMNS)
        right = columns_right(&d, column, width - column < COLUMNS ? width - column : COLUMNS, report);
    if (right) {
        report->passed = 1;
        snprintf(report->message, sizeof report->message, "all %zu x %zu values recomputed in double%s", n, width,
                 is_max(&d) ? "" : ", within the roundings of f32");
    }
    free(d.degree);
    free(d.cells);
    return st;
}
