/* Folds (pendant_trees.h): trees taken away from their leaves, and sizes of components.  By one thread: two looks at
 * each arc. */
#include "algo/betweenness/pendant_trees.h"
#include "core/poll.h"

#include <string.h>

enum { POLL = 1 << 12 };

/* left: arcs of a vertex to what is still there; TAKEN: it is not. */
#define TAKEN UINT32_MAX

/* A loop is an arc, too, that stays. */
static weft_vid neighbor_left(const weft_graph *g, const weft_vid *left, weft_vid v) {
    weft_eid e = g->out.offsets[v];
    while (e < g->out.offsets[v + 1] && left[g->out.targets[e]] == TAKEN) e++;
    return e < g->out.offsets[v + 1] ? g->out.targets[e] : v;
}

static weft_status take_trees(weft_ctx *ctx, const weft_graph *g, weft_vid *below, weft_vid *left, weft_vid *queue) {
    weft_vid end = 0;
    for (weft_vid v = 0; v < g->n; v++) {
        left[v] = (weft_vid)wfi_min_u64(g->out.offsets[v + 1] - g->out.offsets[v], TAKEN - 1);
        below[v] = 0;
        if (left[v] == 1) queue[end++] = v;
    }
    for (weft_vid at = 0; at < end; at++) {
        weft_vid v = queue[at], u = neighbor_left(g, left, v);
        if (at % POLL == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (left[v] != 1 || u == v) continue; /* the last one of its component */
        left[v] = TAKEN;
        below[v]++;
        below[u] += below[v];
        if (--left[u] == 1) queue[end++] = u;
    }
    for (weft_vid v = 0; v < g->n; v++)
        if (left[v] != TAKEN) below[v] = 0;
    return WEFT_OK;
}

static weft_status count_components(weft_ctx *ctx, const weft_graph *g, weft_vid *all, weft_vid *queue) {
    wfi_polling poll = {.ctx = ctx, .stop = wfi_cancelled(ctx)};
    memset(all, 0, g->n * sizeof *all);
    for (weft_vid first = 0; first < g->n; first++) {
        if (all[first]) continue;
        weft_vid end = 1;
        queue[0] = first;
        all[first] = 1;
        for (weft_vid at = 0; at < end; at++) {
            if (wfi_poll(&poll, g->out.offsets[queue[at] + 1] - g->out.offsets[queue[at]]))
                return wfi_fail_cancelled(ctx);
            for (weft_eid e = g->out.offsets[queue[at]]; e < g->out.offsets[queue[at] + 1]; e++) {
                weft_vid u = g->out.targets[e];
                if (all[u]) continue;
                all[u] = 1;
                queue[end++] = u;
            }
        }
        for (weft_vid i = 0; i < end; i++) all[queue[i]] = end;
    }
    return WEFT_OK;
}

weft_status wfi_pendant_trees_make(weft_ctx *ctx, const weft_graph *g, const wfi_pendant_trees *f, weft_vid *queue) {
    weft_status st = take_trees(ctx, g, f->below, f->all, queue);
    return st ? st : count_components(ctx, g, f->all, queue);
}
