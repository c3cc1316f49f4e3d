/* Breadth-first search's ladder: the start, the end, and when a rung does not serve. */
#include "afford.h"
#include "bfs.h"

static weft_vid most_out_arcs(const weft_csr *out) {
    weft_vid best = 0;
    for (weft_vid v = 1; v < out->vertices; v++)
        if (out->offsets[v + 1] - out->offsets[v] > out->offsets[best + 1] - out->offsets[best]) best = v;
    return best;
}

const char *bfs_serves(lab_run *r) {
    const weft_bfs_params *p = r->params;
    return p->sources ? "this rung searches from one source" : NULL;
}

/* A path of n vertices has n levels, of some launches and a copy back each. */
const char *bfs_gpu_serves(lab_run *r) {
    if (bfs_serves(r)) return bfs_serves(r);
    const char *too_large = lab_too_large_for_gpu(r, 20.0 * (double)r->out.arcs + 64.0 * r->out.vertices);
    return too_large ? too_large : lab_too_slow(r, 1e-4 * lab_known(r, "depth"));
}

weft_vid bfs_source(const lab_run *r) {
    const weft_bfs_params *p = r->params;
    return p->source != WEFT_NO_VERTEX ? p->source : most_out_arcs(&r->out);
}

weft_status bfs_open(lab_run *r, size_t extra_bytes, search *s) {
    const weft_bfs_params *p = r->params;
    weft_vid n = r->out.vertices;
    *s = (search){.r = r, .out = r->out, .in = r->in, .n = n, .depth = p->max_depth ? p->max_depth : UINT64_MAX};
    s->level = lab_take(r, n * sizeof *s->level);
    s->parent = lab_take(r, n * sizeof *s->parent);
    s->frontier = lab_take(r, n * sizeof *s->frontier);
    s->next = lab_take(r, n * sizeof *s->next);
    s->extra = lab_take(r, extra_bytes);
    if (!s->level || !s->parent || !s->frontier || !s->next || !s->extra) return WEFT_ENOMEM;
    s->source = bfs_source(r);
    lab_turn(r, LAB_KERNELS);
    for (weft_vid v = 0; v < n; v++) {
        s->level[v] = WEFT_UNREACHED;
        s->parent[v] = WEFT_NO_VERTEX;
    }
    if (!n) return WEFT_OK;
    s->level[s->source] = 0;
    s->parent[s->source] = s->source;
    s->frontier[0] = s->source;
    return WEFT_OK;
}

double bfs_arcs_out(const weft_csr *out, const uint32_t *level) {
    double arcs = 0;
    for (weft_vid v = 0; v < out->vertices; v++)
        if (level[v] != WEFT_UNREACHED) arcs += (double)(out->offsets[v + 1] - out->offsets[v]);
    return arcs;
}

weft_status bfs_close(search *s, double bytes) {
    lab_run *r = s->r;
    lab_turn(r, LAB_UNTIMED);
    if (lab_stopped(r)) return WEFT_ECANCELLED;
    uint64_t reached = 0, deepest = 0;
    for (weft_vid v = 0; v < s->n; v++) {
        if (s->level[v] == WEFT_UNREACHED) continue;
        reached++;
        if (s->level[v] > deepest) deepest = s->level[v];
    }
    lab_column(r, "level", WEFT_U32, s->level, s->n);
    lab_column(r, "parent", WEFT_VERTEX, s->parent, s->n);
    lab_column(r, "source", WEFT_VERTEX, s->parent, 0); /* the table is for lists of sources */
    lab_column(r, "source_reached", WEFT_U64, s->parent, 0);
    lab_column(r, "source_depth", WEFT_U64, s->parent, 0);
    lab_column(r, "source_distances", WEFT_U64, s->parent, 0);
    lab_u64(r, "reached", reached);
    lab_u64(r, "depth", deepest);
    r->edges = bfs_arcs_out(&s->out, s->level);
    r->bytes = bytes;
    return WEFT_OK;
}
