/* degree: counts every arc at both of its ends, with its weight, and compares; the distribution must count every
 * vertex once. */
#include "weft/degree.h"
#include "checks.h"

#include <inttypes.h>
#include <math.h>

/* Recounted degrees of each vertex. */
typedef struct recount {
    const weft_graph *g;
    const weft_result *result;
    check_watch *watch;
    uint64_t *in, *out;
    double *in_sum, *out_sum; /* sums of weights, and of their absolute values, which bound the rounding error */
    double *in_size, *out_size;
} recount;

static int degrees_right(const recount *c, const char *name, int in, int out) {
    const weft_column *column = weft_result_column(c->result, name);
    const uint64_t *got = weft_result_u64(c->result, name);
    if (!got || column->length != weft_graph_vertices(c->g))
        return check_wrong(c->watch, "the column %s is missing", name);
    for (weft_vid v = 0; v < weft_graph_vertices(c->g); v++) {
        uint64_t want = (in ? c->in[v] : 0) + (out ? c->out[v] : 0);
        if (got[v] != want)
            return check_wrong(c->watch, "vertex %s: %s is %" PRIu64 ", but %" PRIu64 " arcs were counted",
                               check_id(c->g, v).text, name, got[v], want);
    }
    return 1;
}

/* A sum of d numbers may have d rounding errors, relative to the sum of absolute values. */
static int strengths_right(const recount *c, const char *name, int in, int out) {
    const weft_column *column = weft_result_column(c->result, name);
    const double *got = weft_result_f64(c->result, name);
    for (weft_vid v = 0; v < weft_graph_vertices(c->g); v++) {
        double want = (in ? c->in_sum[v] : 0) + (out ? c->out_sum[v] : 0);
        double size = (in ? c->in_size[v] : 0) + (out ? c->out_size[v] : 0);
        double slack = ((double)(in ? c->in[v] : 0) + (double)(out ? c->out[v] : 0)) * 0x1p-51 * size;
        if (got && column->length == weft_graph_vertices(c->g) && (fabs(got[v] - want) <= slack || got[v] == want))
            continue;
        return check_wrong(c->watch, "vertex %s: %s is %.17g, but the weights sum to %.17g", check_id(c->g, v).text,
                           name, got ? got[v] : (double)NAN, want);
    }
    return 1;
}

/* The column that the distribution describes. */
static const char *main_column(const weft_degree_params *p) {
    return p->mode == WEFT_SIDE_IN ? "in" : p->mode == WEFT_SIDE_OUT ? "out" : "total";
}

static int columns_right(const recount *c, const weft_degree_params *p) {
    int directed = weft_graph_directed(c->g), in = p->mode != WEFT_SIDE_OUT, out = p->mode != WEFT_SIDE_IN;
    int right = 1;
    if (in) right = degrees_right(c, "in", 1, 0);
    if (right && out) right = degrees_right(c, "out", 0, 1);
    if (right && in && out) right = degrees_right(c, "total", directed, 1);
    if (!right || !p->strength) return right;
    if (in) right = strengths_right(c, "in_strength", 1, 0);
    if (right && out) right = strengths_right(c, "out_strength", 0, 1);
    return right && in && out ? strengths_right(c, "strength", directed, 1) : right;
}

/* Compares the table's totals with the columns. */
static int distribution_right(const weft_graph *g, const weft_degree_params *p, const weft_result *result,
                              check_watch *w) {
    const weft_column *degree = weft_result_column(result, "degree"), *count = weft_result_column(result, "count");
    const uint64_t *total = weft_result_u64(result, main_column(p));
    const weft_scalar *max = weft_result_scalar(result, "max_degree");
    uint64_t most = 0, vertices = 0, arcs = 0, ends = 0;
    for (size_t i = 0; degree && count && i < count->length; i++) {
        vertices += ((const uint64_t *)count->data)[i];
        ends += ((const uint64_t *)count->data)[i] * ((const uint64_t *)degree->data)[i];
        if (i && ((const uint64_t *)degree->data)[i] <= ((const uint64_t *)degree->data)[i - 1]) vertices = UINT64_MAX;
    }
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
        arcs += total[v];
        most = total[v] > most ? total[v] : most;
    }
    if (max && max->value.u64 != most) /* kernels of the lab have no scalars */
        return check_wrong(w, "max_degree is not the largest, %" PRIu64, most);
    if (vertices == weft_graph_vertices(g) && ends == arcs) return 1;
    return check_wrong(
        w, "the distribution counts %" PRIu64 " vertices and %" PRIu64 " arc ends; the columns have %u and %" PRIu64,
        vertices, ends, weft_graph_vertices(g), arcs);
}

static void count_arc(const recount *c, const weft_csr *rows, weft_vid u, weft_eid e) {
    weft_vid v = rows->targets[e];
    c->out[u]++;
    c->in[v]++;
    if (!c->in_sum) return;
    double w = check_weight(c->g, rows, e);
    c->out_sum[u] += w;
    c->in_sum[v] += w;
    c->out_size[u] += fabs(w);
    c->in_size[v] += fabs(w);
}

int weft_check_degree(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    const weft_degree_params *p = params;
    size_t n = weft_graph_vertices(g);
    recount c = {.g = g, .result = result, .watch = w};
    c.in = check_take(w, n, sizeof *c.in);
    c.out = check_take(w, n, sizeof *c.out);
    double **sums[] = {&c.in_sum, &c.out_sum, &c.in_size, &c.out_size};
    for (int i = 0; i < 4 && p->strength; i++) *sums[i] = check_take(w, n, sizeof **sums[i]);
    if (w->status) return 0;
    weft_csr rows = check_out(w, g);
    for (weft_vid u = 0; u < n && !check_stops(w, u); u++)
        for (weft_eid e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) count_arc(&c, &rows, u, e);
    return columns_right(&c, p) && distribution_right(g, p, result, w) &&
           check_right(w, "all %u vertices and the distribution recounted", (unsigned)n);
}
