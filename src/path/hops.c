/* A path of the fewest hops.
 * Method: level by level from both ends, always on the side whose last level has fewer arcs.  All levels but the one at work are whole on
 * both sides, so the first vertex that both have seen lies on a shortest path. */
#include "path/path.h"

enum { POLL = 1 << 12 };

static weft_status next_level(wfi_path_search *s, const wfi_path_bar *bar, int i, weft_vid *meeting) {
    wfi_path_side *side = &s->side[i], *other = &s->side[1 - i];
    size_t end = side->end;
    side->arcs = 0;
    for (; side->level < end; side->level++) {
        weft_vid u = side->queue[side->level];
        if (side->level % POLL == 0 && wfi_cancelled(s->ctx)) return wfi_fail_cancelled(s->ctx);
        for (weft_eid e = side->rows->offsets[u]; e < side->rows->offsets[u + 1]; e++) {
            weft_vid v = side->rows->targets[e];
            if (side->seen[v] == s->number || !wfi_path_may_go(s, bar, i, u, v)) continue;
            side->seen[v] = s->number;
            side->parent[v] = u;
            side->queue[side->end++] = v;
            side->arcs += wfi_degree(side->rows, v);
            if (other->seen[v] != s->number) continue;
            *meeting = v;
            return WEFT_OK;
        }
    }
    return WEFT_OK;
}

weft_status wfi_path_by_hops(wfi_path_search *s, const wfi_path_bar *bar, weft_vid *meeting) {
    weft_status st = WEFT_OK;
    while (!st && *meeting == WEFT_NO_VERTEX) {
        wfi_path_side *side = s->side;
        if (side[0].level == side[0].end || (s->both && side[1].level == side[1].end)) break;
        st = next_level(s, bar, s->both && side[1].arcs < side[0].arcs, meeting);
    }
    return st;
}
