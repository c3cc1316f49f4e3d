/* toposort: every arc into a placed vertex rises by at least one level from a placed one; every level above 0 has a
 * predecessor one below; a vertex without a place has a predecessor without one (so a backward walk never ends: it is
 * on or behind a cycle). Positions are a permutation ascending by (level, vertex). The cycle exists. If only the
 * order was requested, levels are first derived along it, which detects arcs that lead backward. */
#include "weft/toposort.h"
#include "checks.h"

#include <inttypes.h>

static int wrong_vertex(const weft_graph *g, weft_vid v, const char *what, check_watch *w) {
    return check_wrong(w, "vertex %s: %s", check_id(g, v).text, what);
}

/* witness[v]: some arc justifies the level of v. */
static int levels_right(const weft_graph *g, const uint32_t *level, char *witness, check_watch *w) {
    weft_csr out = check_out(w, g);
    for (weft_vid u = 0; u < out.vertices && !check_stops(w, u); u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            weft_vid v = out.targets[e];
            if (level[v] == WEFT_UNREACHED) {
                witness[v] |= level[u] == WEFT_UNREACHED;
                continue;
            }
            if (level[u] >= level[v]) return wrong_vertex(g, v, "an arc into it does not lead to a higher level", w);
            witness[v] |= level[u] + 1 == level[v];
        }
    for (weft_vid v = 0; v < out.vertices; v++) {
        if (level[v] == WEFT_UNREACHED && !witness[v])
            return wrong_vertex(g, v, "no level, but all its predecessors have one", w);
        if (level[v] != WEFT_UNREACHED && level[v] && !witness[v])
            return wrong_vertex(g, v, "no predecessor is one level below", w);
    }
    return 1;
}

/* Derives levels along the given order. at[p] = the vertex at position p. */
static int levels_of_order(const weft_graph *g, const uint32_t *position, weft_vid *at, uint32_t *level,
                           check_watch *w) {
    weft_csr out = check_out(w, g);
    weft_vid placed = 0;
    for (weft_vid v = 0; v < out.vertices; v++) {
        at[v] = WEFT_NO_VERTEX;
        level[v] = position[v] == WEFT_UNREACHED ? WEFT_UNREACHED : 0;
        placed += level[v] == 0;
    }
    for (weft_vid v = 0; v < out.vertices; v++) {
        if (position[v] == WEFT_UNREACHED) continue;
        if (position[v] >= placed || at[position[v]] != WEFT_NO_VERTEX)
            return wrong_vertex(g, v, "its position is out of range or taken", w);
        at[position[v]] = v;
    }
    for (weft_vid p = 0; p < placed && !check_stops(w, p); p++)
        for (weft_eid e = out.offsets[at[p]]; e < out.offsets[at[p] + 1]; e++) {
            weft_vid v = out.targets[e];
            if (level[v] == WEFT_UNREACHED) continue;
            if (position[v] <= p) return wrong_vertex(g, v, "an arc into it does not go forward", w);
            if (level[v] <= level[at[p]]) level[v] = level[at[p]] + 1;
        }
    return 1;
}

/* at[p] = the vertex at position p. */
static int positions_right(const weft_graph *g, const uint32_t *level, const uint32_t *position, weft_vid *at,
                           check_watch *w) {
    weft_vid n = weft_graph_vertices(g), placed = 0;
    for (weft_vid v = 0; v < n; v++) {
        at[v] = WEFT_NO_VERTEX;
        placed += level[v] != WEFT_UNREACHED;
    }
    for (weft_vid v = 0; v < n; v++) {
        if (level[v] == WEFT_UNREACHED && position[v] == WEFT_UNREACHED) continue;
        if (level[v] == WEFT_UNREACHED || position[v] >= placed || at[position[v]] != WEFT_NO_VERTEX)
            return wrong_vertex(g, v, "its position is out of range or taken", w);
        at[position[v]] = v;
    }
    for (weft_vid p = 1; p < placed; p++) {
        weft_vid u = at[p - 1], v = at[p];
        if (level[u] > level[v] || (level[u] == level[v] && u >= v))
            return wrong_vertex(g, v, "its position does not follow (level, vertex)", w);
    }
    return 1;
}

static int scalars_right(const weft_graph *g, const weft_result *result, const uint32_t *level, check_watch *w) {
    const weft_scalar *acyclic = weft_result_scalar(result, "acyclic"), *levels = weft_result_scalar(result, "levels");
    const weft_column *cycle = weft_result_column(result, "cycle");
    uint64_t all = 1, most = 0;
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
        all &= level[v] != WEFT_UNREACHED;
        if (level[v] != WEFT_UNREACHED && level[v] >= most) most = (uint64_t)level[v] + 1;
    }
    if (!acyclic || !levels || !cycle || acyclic->value.u64 != all || levels->value.u64 != most ||
        (cycle->length == 0) != (all == 1))
        return check_wrong(w, "the columns say acyclic %" PRIu64 " and %" PRIu64 " levels; the answer does not", all,
                           most);
    return all || check_cycle(w, g, cycle);
}

/* Both columns are requested by neither flag or both. */
static int columns_right(const void *params, const uint32_t *level, const uint32_t *position) {
    const weft_toposort_params *p = params;
    int levels = p->levels, order = p->order;
    return (levels || !order) == (level != NULL) && (order || !levels) == (position != NULL);
}

int weft_check_toposort(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    const uint32_t *level = weft_result_u32(result, "level"), *position = weft_result_u32(result, "position");
    if (!columns_right(params, level, position))
        return check_wrong(w, "a column is missing, or present without being requested");
    size_t n = weft_graph_vertices(g);
    char *witness = check_take(w, n, 1);
    weft_vid *at = check_take(w, n, sizeof *at);
    uint32_t *made = level ? NULL : check_take(w, n, sizeof *made);
    if (w->status || (!level && !levels_of_order(g, position, at, made, w))) return 0;
    if (!level) level = made;
    return levels_right(g, level, witness, w) && (!position || positions_right(g, level, position, at, w)) &&
           scalars_right(g, result, level, w) &&
           check_right(w, "every arc leads to a higher level, every level is tight%s%s",
                       position ? ", positions follow" : "",
                       weft_result_scalar(result, "acyclic")->value.u64 ? "" : ", and the cycle is there");
}
