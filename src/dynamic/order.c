/* Pearce and Kelly's dynamic topological order [1].  An arc u -> v that leads backward starts two searches within the
 * affected region, between the places of v and u: forward from v, which meets u if there is a cycle, and backward from
 * u.  What they found is reordered among its own places: first what leads to u, then what v leads to.
 * Feedback arcs may lead backward: searches skip arcs that do, and no others, so that none of them needs to know which
 * arcs these are.
 * [1] Pearce, Kelly, "A dynamic topological sort algorithm for directed acyclic graphs", JEA 2006. */
#include "dynamic/order.h"
#include "core/scan.h"

#include <stdlib.h>
#include <string.h>

void wfi_order_grown(wfi_order *o, weft_vid from, weft_vid to) {
    for (weft_vid v = from; v < to; v++) {
        o->place[v] = v;
        o->seen[v] = 0;
    }
}

/* --- from nothing --------------------------------------------------------------- */

/* Reverse postorder of a depth-first search.  next[] is the first arc of a row that was not followed yet. */
static void depth_first(wfi_order *o, const wfi_adjacency *l, uint32_t *next) {
    weft_vid *stack = o->stack, left = l->slots;
    for (weft_vid root = 0; root < l->slots; root++) {
        uint64_t top = 0;
        if (o->seen[root]) continue;
        o->seen[root] = 1;
        stack[top++] = root;
        while (top) {
            weft_vid u = stack[top - 1];
            if (next[u] == l->out[u].count) {
                o->place[u] = --left;
                top--;
                continue;
            }
            weft_vid v = l->out[u].to[next[u]++];
            if (o->seen[v]) continue;
            o->seen[v] = 1;
            stack[top++] = v;
        }
    }
    if (l->slots) memset(o->seen, 0, l->slots);
}

static weft_status add_feedback(weft_ctx *ctx, wfi_order *o, weft_vid u, weft_vid v) {
    if (o->feedbacks == o->feedback_room) {
        size_t room = 2 * o->feedback_room + 64;
        weft_status st = WFI_WIDEN(ctx, &o->feedback, room);
        if (st) return st;
        o->feedback_room = room;
    }
    o->feedback[o->feedbacks++] = (wfi_arc){u, v};
    return WEFT_OK;
}

weft_status wfi_order_load(weft_ctx *ctx, wfi_order *o, const wfi_adjacency *l) {
    uint32_t *next = NULL;
    weft_status st = wfi_alloc_zeroed(ctx, &next, l->slots);
    if (!st) depth_first(o, l, next);
    for (weft_vid u = 0; u < l->slots && !st; u++)
        for (uint32_t i = 0; i < l->out[u].count && !st; i++)
            if (o->place[l->out[u].to[i]] <= o->place[u]) st = add_feedback(ctx, o, u, l->out[u].to[i]);
    wfi_free(next);
    return st;
}

/* --- one arc ---------------------------------------------------------------------- */

static uint64_t with_place(const wfi_order *o, weft_vid v) { return (uint64_t)o->place[v] << 32 | v; }

/* Forward from v, no further than u's place.  Returns how many were found; u among them: *closed. */
static size_t search_forward(wfi_order *o, const wfi_adjacency *l, weft_vid v, weft_vid u, bool *closed) {
    size_t count = 0, top = 0;
    o->seen[v] = 1;
    o->stack[top++] = v;
    o->from[v] = WEFT_NO_VERTEX;
    *closed = false;
    while (top && !*closed) {
        weft_vid x = o->stack[--top];
        o->ahead[count++] = with_place(o, x);
        o->looked += 1 + l->out[x].count;
        for (uint32_t i = 0; i < l->out[x].count; i++) {
            weft_vid y = l->out[x].to[i];
            if (o->seen[y] || o->place[y] <= o->place[x] || o->place[y] > o->place[u]) continue;
            o->seen[y] = 1;
            o->from[y] = x;
            *closed = *closed || y == u;
            o->stack[top++] = y;
        }
    }
    while (top) o->ahead[count++] = with_place(o, o->stack[--top]);
    return count;
}

static size_t search_backward(wfi_order *o, const wfi_adjacency *l, weft_vid u, weft_vid v) {
    size_t count = 0, top = 0;
    o->seen[u] = 1;
    o->stack[top++] = u;
    while (top) {
        weft_vid x = o->stack[--top];
        o->behind[count++] = with_place(o, x);
        o->looked += 1 + l->in[x].count;
        for (uint32_t i = 0; i < l->in[x].count; i++) {
            weft_vid y = l->in[x].to[i];
            if (o->seen[y] || o->place[y] >= o->place[x] || o->place[y] < o->place[v]) continue;
            o->seen[y] = 1;
            o->stack[top++] = y;
        }
    }
    return count;
}

static void forget(wfi_order *o, const uint64_t *list, size_t count) {
    for (size_t i = 0; i < count; i++) o->seen[(weft_vid)list[i]] = 0;
}

/* Both lists together keep their places: first those behind, then those ahead. */
static void reorder(wfi_order *o, size_t behind, size_t ahead) {
    qsort(o->behind, behind, sizeof *o->behind, wfi_by_u64);
    qsort(o->ahead, ahead, sizeof *o->ahead, wfi_by_u64);
    size_t a = 0, b = 0, taken = 0;
    while (taken < behind + ahead) {
        bool first = b == ahead || (a < behind && o->behind[a] < o->ahead[b]);
        uint32_t place = (uint32_t)((first ? o->behind[a++] : o->ahead[b++]) >> 32);
        /* The stack is empty here, and large enough. */
        o->stack[taken++] = place;
    }
    for (size_t i = 0; i < behind; i++) o->place[(weft_vid)o->behind[i]] = o->stack[i];
    for (size_t i = 0; i < ahead; i++) o->place[(weft_vid)o->ahead[i]] = o->stack[behind + i];
}

static void show_cycle(wfi_order *o, weft_vid u) {
    o->length = 0;
    for (weft_vid x = u; x != WEFT_NO_VERTEX; x = o->from[x]) o->cycle[o->length++] = x;
    for (size_t i = 0, k = o->length - 1; i < k; i++, k--) {
        weft_vid swap = o->cycle[i];
        o->cycle[i] = o->cycle[k];
        o->cycle[k] = swap;
    }
}

bool wfi_order_fits(wfi_order *o, const wfi_adjacency *l, weft_vid u, weft_vid v) {
    bool closed;
    o->looked++;
    if (u == v) {
        o->cycle[0] = u;
        o->length = 1;
        return false;
    }
    if (o->place[u] < o->place[v]) return true;
    size_t ahead = search_forward(o, l, v, u, &closed);
    forget(o, o->ahead, ahead);
    if (closed) {
        show_cycle(o, u);
        return false;
    }
    size_t behind = search_backward(o, l, u, v);
    forget(o, o->behind, behind);
    reorder(o, behind, ahead);
    return true;
}

weft_status wfi_order_insert(weft_ctx *ctx, wfi_order *o, const wfi_adjacency *l, weft_vid u, weft_vid v) {
    return wfi_order_fits(o, l, u, v) ? WEFT_OK : add_feedback(ctx, o, u, v);
}

/* Also when a feedback arc is deleted: it may have been part of the cycle of another. */
void wfi_order_delete(wfi_order *o, weft_vid u, weft_vid v) {
    size_t i = 0;
    while (i < o->feedbacks && (o->feedback[i].u != u || o->feedback[i].v != v)) i++;
    if (i < o->feedbacks) o->feedback[i] = o->feedback[--o->feedbacks];
    o->again = true;
}

bool wfi_order_is_acyclic(wfi_order *o, const wfi_adjacency *l) {
    for (size_t i = 0; o->again && i < o->feedbacks;) {
        wfi_arc arc = o->feedback[i];
        if (wfi_order_fits(o, l, arc.u, arc.v))
            o->feedback[i] = o->feedback[--o->feedbacks];
        else
            i++;
    }
    o->again = false;
    return !o->feedbacks;
}
