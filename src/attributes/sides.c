/* See sides.h: the store of sides, and public calls for them. */
#include "attributes/sides.h"
#include "attributes/attributes.h"
#include "core/scan.h"
#include "core/search.h"

#include <string.h>

weft_status wfi_sides_new(weft_ctx *ctx, weft_vid n, const char *first, const char *second, wfi_sides **out) {
    size_t bits = wfi_side_bytes(n), a = strlen(first), b = strlen(second);
    if (!a || !b || a > WFI_SIDE_NAME_MOST || b > WFI_SIDE_NAME_MOST || !strcmp(first, second))
        return wfi_fail(ctx, WEFT_EINPUT, "the names of sides must have 1 to %d bytes and differ", WFI_SIDE_NAME_MOST);
    wfi_sides *s = wfi_take_zeroed(ctx, sizeof *s + bits + a + b + 2, 1);
    if (!s) return WEFT_ENOMEM;
    s->second = (uint8_t *)(s + 1);
    s->bytes = bits;
    char *text = (char *)s->second + bits;
    s->name[0] = memcpy(text, first, a + 1);
    s->name[1] = memcpy(text + a + 1, second, b + 1);
    *out = s;
    return WEFT_OK;
}

weft_status wfi_sides_copy(weft_ctx *ctx, const weft_graph *g, const weft_vid *row, weft_graph *fresh) {
    if (!g->sides) return WEFT_OK;
    weft_status st = wfi_sides_new(ctx, fresh->n, g->sides->name[0], g->sides->name[1], &fresh->sides);
    for (weft_vid v = 0; v < fresh->n && !st; v++)
        if (wfi_side_of(g->sides, row ? row[v] : v)) wfi_set_second_side(fresh->sides, v);
    return st;
}

weft_eid wfi_sides_first_within(weft_ctx *ctx, const weft_graph *g, const wfi_sides *s) {
    weft_eid first = g->arcs;
#pragma omp parallel for num_threads(wfi_threads_for(ctx, g->n + g->arcs, 1 << 14)) schedule(dynamic, 4096) \
    reduction(min                                                                                           \
              : first)
    for (weft_vid u = 0; u < g->n; u++)
        for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1] && e < first; e++)
            if (wfi_side_of(s, g->out.targets[e]) == wfi_side_of(s, u)) first = e;
    return first;
}

/* Sets sides from a value per vertex; fails for an edge within a side. */
static weft_status take_sides(weft_ctx *ctx, const weft_graph *g, const uint8_t *side, wfi_sides *s) {
    char from[128], to[128];
    for (weft_vid v = 0; v < g->n; v++) {
        if (v % WFI_POLL_EVERY == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (side[v] > 1) return wfi_fail(ctx, WEFT_EINVAL, "sides: entry %u is %u, not 0 or 1", v, (unsigned)side[v]);
        if (side[v]) wfi_set_second_side(s, v);
    }
    weft_eid e = wfi_sides_first_within(ctx, g, s);
    if (e == g->arcs) return WEFT_OK;
    weft_vid u = 0, high = g->n;
    WFI_BISECT(u, high, middle, g->out.offsets[middle + 1] <= e);
    weft_graph_id_text(g, u, from, sizeof from);
    weft_graph_id_text(g, g->out.targets[e], to, sizeof to);
    return wfi_fail(ctx, WEFT_EINVAL, "sides: an edge joins %s and %s, which are both on side '%s'", from, to,
                    s->name[side[u]]);
}

weft_status weft_graph_with_sides(weft_ctx *ctx, const weft_graph *g, const char *first, const char *second,
                                  const uint8_t *side, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_OR_RETURN(ctx, out);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    if (g->n) WFI_NEED_OR_RETURN(ctx, side);
    weft_graph *fresh = wfi_graph_shell(ctx, g);
    if (!fresh) return WEFT_ENOMEM;
    weft_status st = wfi_sides_new(ctx, g->n, first ? first : "0", second ? second : "1", &fresh->sides);
    if (st == WEFT_EINPUT) st = WEFT_EINVAL;
    if (!st) st = take_sides(ctx, g, side, fresh->sides);
    if (!st) st = wfi_graph_copy_ambiguous(ctx, g, fresh);
    if (!st) st = wfi_vertex_data_copy(ctx, g, NULL, fresh);
    if (!st) st = wfi_edge_data_copy(ctx, g, NULL, fresh);
    if (st)
        weft_graph_free(fresh);
    else
        *out = fresh;
    return st;
}

int weft_graph_sides(const weft_graph *g, const char **first, const char **second) {
    const wfi_sides *s = g && !wfi_graph_ready(NULL, g) ? g->sides : NULL;
    if (first) *first = s ? s->name[0] : NULL;
    if (second) *second = s ? s->name[1] : NULL;
    return s != NULL;
}

int weft_graph_side(const weft_graph *g, weft_vid v) {
    return g && !wfi_graph_ready(NULL, g) && g->sides && v < g->n ? wfi_side_of(g->sides, v) : -1;
}
