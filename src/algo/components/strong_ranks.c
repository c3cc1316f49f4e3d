/* Strong components on ranks.  Needs: incoming rows.
 * Method: colours, in rounds [1].  Every vertex that is left takes the best name among those of the vertices that reach it; who bears its own name is a
 * root, and its component are those of its colour that reach it.  No component has two colours, so that the next round goes along arcs inside a
 * colour only.  Names are ranked by a hash of the vertex: whatever the order of the ids, a chain of components falls into halves,
 * on average, so that rounds are few.  In a round each rank goes as far as it can by itself before it tells others.
 * In the end the smallest vertex of a component gives it its label.
 * Memory: 14 bytes for each vertex of the graph, 24 for what is told.
 * [1] Orzan, "On Distributed Verification and Verified Distribution", thesis, Amsterdam 2004. */
#include "algo/components/components.h"
#include "ranks/tell.h"

#include <string.h>

enum { POLL = 1 << 16 };

/* A name; or the smallest vertex of a component, and how many there are. */
typedef struct said {
    weft_vid vertex;
    uint32_t number, count;
} said;

typedef struct colouring {
    weft_ctx *ctx;
    wfi_spread *s;
    const wfi_part *part;
    wfi_strong_ranks *a;
    uint64_t head, count; /* of the queue, a ring */
    uint64_t unpolled;
    bool stop;
} colouring;

void wfi_components_strong_ranks_lay_out(wfi_workspace *w, const wfi_spread *s, wfi_strong_ranks *a) {
    wfi_column(w, "component", WEFT_VERTEX, s->vertices, &a->label);
    wfi_array(w, &a->colour, s->g->n);
    wfi_array(w, &a->class, s->g->n);
    wfi_array(w, &a->marked, s->g->n);
    wfi_array(w, &a->waits, s->vertices);
    wfi_array(w, &a->queue, s->vertices);
    wfi_array(w, &a->members, s->vertices);
    wfi_telling_lay_out(w, s, sizeof(said), &a->telling);
}

/* One to one. */
static inline uint32_t hash(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Is name a better than b?  No name is worse than any. */
static inline bool better(weft_vid a, weft_vid b) { return b == WEFT_NO_VERTEX || (a != b && hash(a) < hash(b)); }

static void put(colouring *c, weft_vid k) {
    if (c->a->waits[k]) return;
    c->a->waits[k] = 1;
    c->a->queue[(c->head + c->count++) % c->s->vertices] = k;
}

static weft_vid get(colouring *c) {
    weft_vid k = c->a->queue[c->head];
    c->head = (c->head + 1) % c->s->vertices;
    c->count--;
    c->a->waits[k] = 0;
    c->unpolled += wfi_degree(&c->part->out, k) + 1;
    if (c->unpolled < POLL) return k;
    c->unpolled = 0;
    if (wfi_cancelled(c->ctx)) c->stop = true;
    return k;
}

/* Is there work on any rank? */
static weft_status any_left(colouring *c, bool *any) {
    uint64_t all[] = {c->count, c->stop};
    weft_status st = wfi_allreduce(c->ctx, c->s->comm, all, 2, WFI_SUM);
    *any = all[0];
    return !st && all[1] ? wfi_fail_cancelled(c->ctx) : st;
}

/* --- forward: names ------------------------------------------------------------------------ */

static void pass_on_name(colouring *c, weft_vid k) {
    weft_vid u = c->part->first + k, *colour = c->a->colour;
    const weft_vid *class = c->a->class;
    const wfi_rows *rows = &c->part->out;
    for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
        weft_vid v = rows->targets[e];
        if (class[v] != class[u] || !better(colour[u], colour[v])) continue;
        colour[v] = colour[u];
        if (wfi_part_has(c->part, v))
            put(c, v - c->part->first);
        else
            wfi_mention(&c->a->telling, v);
    }
}

static weft_status spread_names(colouring *c) {
    wfi_telling *t = &c->a->telling;
    weft_vid *colour = c->a->colour;
    weft_status st = WEFT_OK;
    for (weft_vid v = 0; v < c->s->g->n; v++) colour[v] = WEFT_NO_VERTEX;
    for (weft_vid v = c->part->first; v < c->part->end; v++) {
        if (c->a->class[v] == WEFT_NO_VERTEX) continue;
        colour[v] = v;
        put(c, v - c->part->first);
    }
    for (bool any = true; any && !st;) {
        while (c->count && !c->stop) pass_on_name(c, get(c));
        for (uint64_t i = 0; i < t->said; i++) {
            said *it = wfi_said(t, i);
            it->number = colour[it->vertex];
            it->count = 0;
        }
        st = wfi_tell(c->ctx, c->s, t);
        for (uint64_t i = 0; i < t->heard_count; i++) {
            const said *it = wfi_heard(t, i);
            if (!better(it->number, colour[it->vertex])) continue;
            colour[it->vertex] = it->number;
            put(c, it->vertex - c->part->first);
        }
        if (!st) st = any_left(c, &any);
    }
    return st ? st : wfi_spread_allgather(c->ctx, c->s, c->part, colour, sizeof *colour);
}

/* --- backward: who reaches the root -------------------------------------------------------------- */

static void mark(colouring *c, weft_vid v) {
    if (c->a->marked[v]) return;
    c->a->marked[v] = 1;
    put(c, v - c->part->first);
}

static void look_back(colouring *c, weft_vid k) {
    const wfi_rows *rows = &c->part->in;
    const weft_vid *colour = c->a->colour;
    weft_vid v = c->part->first + k;
    for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
        weft_vid u = rows->targets[e];
        if (colour[u] != colour[v] || c->a->marked[u]) continue;
        if (wfi_part_has(c->part, u)) {
            mark(c, u);
        } else {
            c->a->marked[u] = 1; /* told of */
            wfi_mention(&c->a->telling, u);
        }
    }
}

/* The marks are those of all ranks in the end. */
static weft_status mark_components(colouring *c) {
    wfi_telling *t = &c->a->telling;
    weft_status st = WEFT_OK;
    if (c->s->g->n) memset(c->a->marked, 0, (size_t)c->s->g->n);
    for (weft_vid v = c->part->first; v < c->part->end; v++)
        if (c->a->colour[v] == v) mark(c, v);
    for (bool any = true; any && !st;) {
        while (c->count && !c->stop) look_back(c, get(c));
        for (uint64_t i = 0; i < t->said; i++) {
            said *it = wfi_said(t, i);
            it->number = it->count = 0;
        }
        st = wfi_tell(c->ctx, c->s, t);
        for (uint64_t i = 0; i < t->heard_count; i++) mark(c, ((const said *)wfi_heard(t, i))->vertex);
        if (!st) st = any_left(c, &any);
    }
    return st ? st : wfi_spread_allgather(c->ctx, c->s, c->part, c->a->marked, 1);
}

/* A round: label has the roots of what was found.  *left: vertices of the graph without one. */
static weft_status round_of(colouring *c, uint64_t *left) {
    weft_vid *label = c->a->label, *class = c->a->class;
    weft_status st = spread_names(c);
    if (!st) st = mark_components(c);
    *left = 0;
    for (weft_vid v = 0; v < c->s->g->n && !st; v++) {
        if (c->a->marked[v] && wfi_part_has(c->part, v)) label[v - c->part->first] = c->a->colour[v];
        class[v] = c->a->marked[v] ? WEFT_NO_VERTEX : c->a->colour[v];
        *left += class[v] != WEFT_NO_VERTEX;
    }
    return st;
}

/* --- labels ------------------------------------------------------------------------------------ */

/* Each root is told of the smallest vertex of its component on each rank, and of how many there are: `class` has the smallest of each root's, of all
 * ranks, and the counters are told of in `colour`. */
static weft_status name_by_smallest(colouring *c, uint64_t *count, uint64_t *largest) {
    weft_vid *label = c->a->label, *smallest = c->a->class, *sizes = c->a->colour;
    wfi_telling *t = &c->a->telling;
    uint32_t *members = c->a->members;
    for (weft_vid v = 0; v < c->s->g->n; v++) smallest[v] = WEFT_NO_VERTEX, sizes[v] = 0;
    for (weft_vid k = 0; k < c->s->vertices; k++) {
        if (wfi_mention(t, label[k])) smallest[label[k]] = c->part->first + k;
        sizes[label[k]]++;
    }
    for (uint64_t i = 0; i < t->said; i++) {
        said *it = wfi_said(t, i);
        it->number = smallest[it->vertex];
        it->count = sizes[it->vertex];
    }
    weft_status st = wfi_tell(c->ctx, c->s, t);
    for (weft_vid k = 0; k < c->s->vertices; k++) members[k] = 0;
    for (uint64_t i = 0; i < t->heard_count; i++) {
        const said *it = wfi_heard(t, i);
        if (it->number < smallest[it->vertex]) smallest[it->vertex] = it->number;
        members[it->vertex - c->part->first] += it->count;
    }
    if (!st) st = wfi_spread_allgather(c->ctx, c->s, c->part, smallest, sizeof *smallest);
    uint64_t found = 0, most = 0;
    for (weft_vid k = 0; k < c->s->vertices && !st; k++) {
        label[k] = smallest[label[k]];
        found += members[k] > 0;
        most = wfi_max_u64(most, members[k]);
    }
    if (!st) st = wfi_allreduce(c->ctx, c->s->comm, &found, 1, WFI_SUM);
    if (!st) st = wfi_allreduce(c->ctx, c->s->comm, &most, 1, WFI_MAX);
    *count = found;
    *largest = most;
    return st;
}

weft_status wfi_components_strong_ranks(weft_ctx *ctx, wfi_spread *s, wfi_strong_ranks *a, uint64_t *count,
                                        uint64_t *largest) {
    colouring c = {.ctx = ctx, .s = s, .part = &s->part[0], .a = a};
    weft_status st = WEFT_OK;
    for (weft_vid v = 0; v < s->g->n; v++) a->class[v] = 0; /* one colour to begin with */
    if (s->vertices) memset(a->waits, 0, s->vertices);
    wfi_telling_begin(s, &a->telling);
    for (uint64_t left = s->g->n; left && !st;) {
        st = round_of(&c, &left);
        wfi_progress(ctx, "components", s->g->n - left, s->g->n);
    }
    return st ? st : name_by_smallest(&c, count, largest);
}
