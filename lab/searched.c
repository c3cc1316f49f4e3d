/* See searched.h. */
#include "searched.h"
#include "weft/bfs.h"

static weft_vid most_out_arcs(const weft_csr *out) {
    weft_vid best = 0;
    for (weft_vid v = 1; v < out->vertices; v++)
        if (out->offsets[v + 1] - out->offsets[v] > out->offsets[best + 1] - out->offsets[best]) best = v;
    return best;
}

weft_vid bfs_source(const lab_run *r) {
    const weft_bfs_params *p = r->params;
    return p->source != WEFT_NO_VERTEX ? p->source : most_out_arcs(&r->out);
}

double bfs_arcs_out(const weft_csr *out, const uint32_t *level) {
    double arcs = 0;
    for (weft_vid v = 0; v < out->vertices; v++)
        if (level[v] != WEFT_UNREACHED) arcs += (double)(out->offsets[v + 1] - out->offsets[v]);
    return arcs;
}

void bfs_answer(lab_run *r, const uint32_t *level, const weft_vid *parent) {
    weft_vid n = r->out.vertices;
    uint64_t reached = 0, deepest = 0;
    for (weft_vid v = 0; v < n; v++) {
        if (level[v] == WEFT_UNREACHED) continue;
        reached++;
        if (level[v] > deepest) deepest = level[v];
    }
    lab_column(r, "level", WEFT_U32, level, n);
    lab_column(r, "parent", WEFT_VERTEX, parent, n);
    lab_column(r, "source", WEFT_VERTEX, parent, 0); /* the table is for lists of sources */
    lab_column(r, "source_reached", WEFT_U64, parent, 0);
    lab_column(r, "source_depth", WEFT_U64, parent, 0);
    lab_column(r, "source_distances", WEFT_U64, parent, 0);
    lab_u64(r, "reached", reached);
    lab_u64(r, "depth", deepest);
    r->edges = bfs_arcs_out(&r->out, level);
}
