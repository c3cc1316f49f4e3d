/* Who is joined to whom: reciprocity, the share of arcs whose reverse exists, and degree assortativity, the correlation
 * of the degrees at the two ends of an edge (Newman 2003): of an arc the out-degree where it begins and the in-degree
 * where it ends, of an undirected edge both ways.  One thread, in the order of the arcs: the same bits everywhere. */
#include "report/graph_report.h"

#include <math.h>

/* Rows are in ascending order, so a vertex's two rows are walked together.  Of parallel arcs each counts. */
static void count_mutual(const weft_csr *out, const weft_csr *in, report_found *found) {
    for (weft_vid v = 0; v < out->vertices; v++) {
        weft_eid back = in->offsets[v], end = in->offsets[v + 1];
        for (weft_eid e = out->offsets[v]; e < out->offsets[v + 1]; e++) {
            weft_vid to = out->targets[e];
            while (back < end && in->targets[back] < to) back++;
            if (to == v) continue;
            found->one_way++;
            found->mutual += back < end && in->targets[back] == to;
        }
    }
}

/* NaN: all ends are alike, or there are no arcs. */
static double assortativity(const weft_csr *out, const uint64_t *from, const uint64_t *to) {
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0, arcs = (double)out->arcs;
    for (weft_vid u = 0; u < out->vertices; u++) {
        mean_x += (double)from[u] * (double)(out->offsets[u + 1] - out->offsets[u]) / arcs;
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) mean_y += (double)to[out->targets[e]] / arcs;
    }
    for (weft_vid u = 0; u < out->vertices; u++)
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            double x = (double)from[u] - mean_x, y = (double)to[out->targets[e]] - mean_y;
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
    double spread = sqrt(xx) * sqrt(yy);
    return spread > 1e-12 * arcs ? xy / spread : (double)NAN;
}

int report_mixing(report *r) {
    weft_csr out = {.size = sizeof out}, in = {.size = sizeof in};
    double began = cli_now_ms();
    report_section(r, "mixing");
    weft_status st = weft_graph_out(r->ctx, r->g, &out);
    if (!st && r->info.directed) st = weft_graph_in(r->ctx, r->g, &in);
    if (st) return cli_fail_status(r->ctx, st);
    const uint64_t *from = weft_result_u64(r->degree, r->info.directed ? "out" : "total");
    const uint64_t *to = weft_result_u64(r->degree, r->info.directed ? "in" : "total");
    double likeness = assortativity(&out, from, to);
    if (r->info.directed) count_mutual(&out, &in, &r->found);
    report_counted(r, r->info.directed ? "reciprocity and degree assortativity" : "degree assortativity",
                   r->info.directed
                       ? "arcs whose reverse exists, loops left out; correlation of the out-degree where an arc begins "
                         "and the in-degree where it ends"
                       : "correlation of the degrees at the two ends of an edge",
                   cli_now_ms() - began);
    report_values(r);
    if (r->info.directed) {
        json_f64(r->j, "reciprocity",
                 r->found.one_way ? (double)r->found.mutual / (double)r->found.one_way : (double)NAN);
        json_u64(r->j, "mutual", r->found.mutual);
    }
    json_f64(r->j, "assortativity", likeness);
    report_tables(r);
    report_section_end(r);
    return EXIT_DONE;
}
