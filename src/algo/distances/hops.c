/* Breadth-first searches within a component, and the vertices that reach all others ("mother vertices").
 * Method of the latter: a search from each vertex that no earlier one reached.  If any vertex reaches all, the last
 * source does: otherwise a later search would have begun.  The other mother vertices are those that reach it. */
#include "algo/distances/distances.h"
#include "core/poll.h"

#include <string.h>

static weft_vid hops_more(weft_ctx *ctx, const wfi_view *rows, weft_vid source, uint32_t *distance, weft_vid *queue) {
    weft_vid end = 1;
    wfi_polling poll = {.ctx = ctx, .stop = wfi_cancelled(ctx)};
    distance[source] = 0;
    queue[0] = source;
    for (weft_vid at = 0; at < end; at++) {
        weft_vid v = queue[at];
        uint32_t next = distance[v] + 1;
        if (wfi_poll(&poll, rows->offsets[v + 1] - rows->offsets[v])) return 0;
        for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
            weft_vid u = rows->targets[e];
            if (distance[u] != UINT32_MAX) continue;
            distance[u] = next;
            queue[end++] = u;
        }
    }
    return end;
}

weft_vid wfi_hops(weft_ctx *ctx, const wfi_view *rows, weft_vid n, weft_vid source, uint32_t *distance,
                  weft_vid *queue) {
    memset(distance, 0xff, n * sizeof *distance);
    return hops_more(ctx, rows, source, distance, queue);
}

weft_status wfi_find_roots(weft_ctx *ctx, const wfi_component *c, uint32_t *distance, weft_vid *queue, uint8_t *roots,
                           weft_vid *count) {
    weft_vid last = 0, reached = 1;
    *count = 0;
    if (!c->n) return WEFT_OK;
    memset(roots, 0, c->n);
    memset(distance, 0xff, c->n * sizeof *distance);
    for (weft_vid v = 0; v < c->n && reached; v++) {
        if (distance[v] != UINT32_MAX) continue;
        last = v;
        reached = hops_more(ctx, &c->along, v, distance, queue);
    }
    if (reached) reached = wfi_hops(ctx, &c->along, c->n, last, distance, queue);
    if (reached && reached < c->n) return WEFT_OK;
    if (reached) reached = wfi_hops(ctx, &c->back, c->n, last, distance, queue);
    for (weft_vid i = 0; i < reached; i++) roots[queue[i]] = 1;
    *count = reached;
    return reached ? WEFT_OK : wfi_fail_cancelled(ctx);
}
