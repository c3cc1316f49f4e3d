/* Breadth-first search's ladder: the start, the end, and when a rung does not serve. */
#include "afford.h"
#include "bfs.h"
#include "weft/bfs.h"

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

weft_status bfs_close(search *s, double bytes) {
    lab_turn(s->r, LAB_UNTIMED);
    if (lab_stopped(s->r)) return WEFT_ECANCELLED;
    bfs_answer(s->r, s->level, s->parent);
    s->r->bytes = bytes;
    return WEFT_OK;
}
