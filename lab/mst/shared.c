/* Spanning forests: weights, the list of edges, and the whole run (mst.h). */
#include "mst.h"
#include "weft/mst.h"

#include <math.h>

double mst_weight(const forest *f, weft_eid arc) {
    double weight = 1;
    if (f->type == WEFT_WEIGHT_U32) weight = ((const uint32_t *)f->out->weights)[arc];
    if (f->type == WEFT_WEIGHT_F32) weight = (double)((const float *)f->out->weights)[arc];
    if (f->type == WEFT_WEIGHT_F64) weight = ((const double *)f->out->weights)[arc];
    return f->maximum ? -weight : weight;
}

size_t mst_list(const forest *f, mst_edge *list) {
    size_t count = 0;
    for (weft_vid u = 0; u < f->n; u++)
        for (weft_eid e = f->out->offsets[u]; e < f->out->offsets[u + 1]; e++)
            if (mst_is_edge(f, u, f->out->targets[e]))
                list[count++] = (mst_edge){mst_weight(f, e), e, u, f->out->targets[e]};
    return count;
}

/* What was taken, in the order of arcs; the sum keeps what rounding takes away. */
static void answer(const forest *f, weft_vid *source, weft_vid *target, double *weight) {
    size_t rows = 0;
    double sum = 0, rest = 0;
    for (weft_vid u = 0; u < f->n; u++)
        for (weft_eid e = f->out->offsets[u]; e < f->out->offsets[u + 1]; e++) {
            if (!f->taken[e]) continue;
            double x = f->maximum ? -mst_weight(f, e) : mst_weight(f, e), next = sum + x;
            rest += fabs(sum) >= fabs(x) ? (sum - next) + x : (x - next) + sum;
            sum = next;
            source[rows] = u;
            target[rows] = f->out->targets[e];
            weight[rows++] = x;
        }
    lab_turn(f->r, LAB_UNTIMED);
    lab_column(f->r, "source", WEFT_VERTEX, source, rows);
    lab_column(f->r, "target", WEFT_VERTEX, target, rows);
    lab_column(f->r, "weight", WEFT_F64, weight, rows);
    lab_f64(f->r, "weight", sum + rest);
    lab_u64(f->r, "edges", rows);
    lab_u64(f->r, "trees", f->n - rows);
}

weft_status mst_run(lab_run *r, weft_status (*find)(forest *f)) {
    size_t n = r->out.vertices + (size_t)1;
    forest f = {.r = r,
                .out = &r->out,
                .n = r->out.vertices,
                .type = weft_graph_weight_type(r->g),
                .directed = weft_graph_directed(r->g) != 0,
                .maximum = ((const weft_mst_params *)r->params)->maximum != 0};
    weft_vid *source = lab_take(r, n * sizeof *source), *target = lab_take(r, n * sizeof *target);
    double *weight = lab_take(r, n * sizeof *weight);
    f.above = lab_take(r, n * sizeof *f.above);
    f.taken = lab_take(r, (size_t)r->out.arcs + 1);
    if (!source || !target || !weight || !f.above || !f.taken) return WEFT_ENOMEM;
    lab_reads(r, f.out);
    for (weft_vid v = 0; v < f.n; v++) f.above[v] = v;
    weft_status st = find(&f);
    if (st) return st;
    r->edges = (double)r->out.arcs;
    answer(&f, source, target, weight);
    return WEFT_OK;
}
