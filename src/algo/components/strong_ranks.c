/* Strong components on ranks by colouring [1].  Needs: incoming rows.
 * Method: in a round every vertex that is left takes the best name among those of the vertices that reach it.  A vertex
 * that bears its own name is a root, and its component are those of its colour that reach it.  The next round goes
 * along arcs inside a colour only.  Names are compared by a hash of the vertex, so that a chain of components falls
 * into halves, on average, whatever its order.  Each rank propagates as far as it can by itself before it sends
 * messages.
 * Encoding: the label of a component is its smallest vertex.  Memory: 14 bytes for each vertex of the graph, 24 for
 * messages.
 * [1] Orzan, "On Distributed Verification and Verified Distribution", thesis, Amsterdam 2004. */
#include "algo/components/components.h"
#include "algo/components/rank_colours.h"
#include "ranks/messages.h"

#include <string.h>

enum { POLL = 1 << 16 };

/* A name; or the smallest vertex of a component, and how many there are. */
typedef struct message {
    weft_vid vertex;
    uint32_t number, count;
} message;

typedef struct colouring {
    wfi_rank_colours c; /* first */
    weft_vid *label;
    weft_vid *colour, *class; /* of each vertex of the graph: in this round, and in the last */
    uint8_t *marked;          /* likewise: it reaches its root */
    uint8_t *waits;           /* of this rank's: is it in the queue? */
    weft_vid *queue;
    uint32_t *members;
    wfi_messages messages;
    uint64_t head, count; /* of the queue, a ring */
    uint64_t unpolled;
} colouring;

static colouring *of(wfi_rank_colours *c) { return (colouring *)c; }

static void lay_out(wfi_workspace *w, const wfi_spread *s, colouring *a) {
    wfi_column(w, "component", WEFT_VERTEX, s->vertices, &a->label);
    wfi_array(w, &a->colour, s->g->n);
    wfi_array(w, &a->class, s->g->n);
    wfi_array(w, &a->marked, s->g->n);
    wfi_array(w, &a->waits, s->vertices);
    wfi_array(w, &a->queue, s->vertices);
    wfi_array(w, &a->members, s->vertices);
    wfi_messages_lay_out(w, s, sizeof(message), &a->messages);
}

void wfi_components_plan_strong_ranks(const wfi_spread *spread, wfi_choice *choice) {
    choice->method = "colours, in rounds";
    choice->space.needs_in = true;
    lay_out(&choice->space, spread, &(colouring){.label = NULL});
}

static void put(colouring *c, weft_vid k) {
    if (c->waits[k]) return;
    c->waits[k] = 1;
    c->queue[(c->head + c->count++) % c->c.s->vertices] = k;
}

static weft_vid get(colouring *c) {
    weft_vid k = c->queue[c->head];
    c->head = (c->head + 1) % c->c.s->vertices;
    c->count--;
    c->waits[k] = 0;
    c->unpolled += wfi_degree(&c->c.part->out, k) + 1;
    if (c->unpolled < POLL) return k;
    c->unpolled = 0;
    if (wfi_cancelled(c->c.ctx)) c->c.stop = true;
    return k;
}

/* --- forward: names ------------------------------------------------------------------------ */

static void pass_on_name(colouring *c, weft_vid k) {
    weft_vid u = c->c.part->first + k, *colour = c->colour;
    const weft_vid *class = c->class;
    const wfi_view *rows = &c->c.part->out;
    for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
        weft_vid v = rows->targets[e];
        if (class[v] != class[u] || !wfi_name_better(colour[u], colour[v])) continue;
        colour[v] = colour[u];
        if (wfi_part_has(c->c.part, v))
            put(c, v - c->c.part->first);
        else
            wfi_address(&c->messages, v);
    }
}

static weft_status name(wfi_rank_colours *base) {
    colouring *c = of(base);
    weft_vid *colour = c->colour;
    for (weft_vid v = 0; v < c->c.s->g->n; v++) colour[v] = WEFT_NO_VERTEX;
    for (weft_vid v = c->c.part->first; v < c->c.part->end; v++) {
        if (c->class[v] == WEFT_NO_VERTEX) continue;
        colour[v] = v;
        put(c, v - c->c.part->first);
    }
    return WEFT_OK;
}

static weft_status spread_names(wfi_rank_colours *base, uint64_t *queued) {
    colouring *c = of(base);
    wfi_messages *t = &c->messages;
    weft_vid *colour = c->colour;
    while (c->count && !c->c.stop) pass_on_name(c, get(c));
    for (uint64_t i = 0; i < t->send_count; i++) {
        message *it = wfi_to_send(t, i);
        it->number = colour[it->vertex];
        it->count = 0;
    }
    weft_status st = wfi_messages_deliver(c->c.ctx, c->c.s, t);
    for (uint64_t i = 0; i < t->received_count; i++) {
        const message *it = wfi_received(t, i);
        if (!wfi_name_better(it->number, colour[it->vertex])) continue;
        colour[it->vertex] = it->number;
        put(c, it->vertex - c->c.part->first);
    }
    *queued = c->count;
    return st;
}

/* --- backward: who reaches the root -------------------------------------------------------------- */

static void put_mark(colouring *c, weft_vid v) {
    if (c->marked[v]) return;
    c->marked[v] = 1;
    put(c, v - c->c.part->first);
}

static void look_back(colouring *c, weft_vid k) {
    const wfi_view *rows = &c->c.part->in;
    const weft_vid *colour = c->colour;
    weft_vid v = c->c.part->first + k;
    for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
        weft_vid u = rows->targets[e];
        if (colour[u] != colour[v] || c->marked[u]) continue;
        if (wfi_part_has(c->c.part, u)) {
            put_mark(c, u);
        } else {
            c->marked[u] = 1; /* its owner gets a message */
            wfi_address(&c->messages, u);
        }
    }
}

static weft_status mark(wfi_rank_colours *base) {
    colouring *c = of(base);
    weft_status st = wfi_spread_allgather(c->c.ctx, c->c.s, c->c.part, c->colour, sizeof *c->colour);
    if (c->c.s->g->n) memset(c->marked, 0, (size_t)c->c.s->g->n);
    for (weft_vid v = c->c.part->first; v < c->c.part->end && !st; v++)
        if (c->colour[v] == v) put_mark(c, v);
    return st;
}

static weft_status spread_marks(wfi_rank_colours *base, uint64_t *queued) {
    colouring *c = of(base);
    wfi_messages *t = &c->messages;
    while (c->count && !c->c.stop) look_back(c, get(c));
    for (uint64_t i = 0; i < t->send_count; i++) {
        message *it = wfi_to_send(t, i);
        it->number = it->count = 0;
    }
    weft_status st = wfi_messages_deliver(c->c.ctx, c->c.s, t);
    for (uint64_t i = 0; i < t->received_count; i++) put_mark(c, ((const message *)wfi_received(t, i))->vertex);
    *queued = c->count;
    return st;
}

static weft_status end_round(wfi_rank_colours *base, uint64_t *left) {
    colouring *c = of(base);
    weft_vid *label = c->label, *class = c->class;
    weft_status st = wfi_spread_allgather(c->c.ctx, c->c.s, c->c.part, c->marked, 1);
    *left = 0;
    for (weft_vid v = 0; v < c->c.s->g->n && !st; v++) {
        if (c->marked[v] && wfi_part_has(c->c.part, v)) label[v - c->c.part->first] = c->colour[v];
        class[v] = c->marked[v] ? WEFT_NO_VERTEX : c->colour[v];
        *left += class[v] != WEFT_NO_VERTEX;
    }
    return st;
}

/* --- labels ------------------------------------------------------------------------------------ */

/* Each root receives the smallest vertex of its component on each rank, and how many there are: `class` has the
 * smallest of each root's, of all ranks, and `colour` the counters. */
static weft_status end(wfi_rank_colours *base, uint64_t *found, uint64_t *most) {
    colouring *c = of(base);
    weft_vid *label = c->label, *smallest = c->class, *sizes = c->colour;
    wfi_messages *t = &c->messages;
    uint32_t *members = c->members;
    for (weft_vid v = 0; v < c->c.s->g->n; v++) smallest[v] = WEFT_NO_VERTEX, sizes[v] = 0;
    for (weft_vid k = 0; k < c->c.s->vertices; k++) {
        if (wfi_address(t, label[k])) smallest[label[k]] = c->c.part->first + k;
        sizes[label[k]]++;
    }
    for (uint64_t i = 0; i < t->send_count; i++) {
        message *it = wfi_to_send(t, i);
        it->number = smallest[it->vertex];
        it->count = sizes[it->vertex];
    }
    weft_status st = wfi_messages_deliver(c->c.ctx, c->c.s, t);
    for (weft_vid k = 0; k < c->c.s->vertices; k++) members[k] = 0;
    for (uint64_t i = 0; i < t->received_count; i++) {
        const message *it = wfi_received(t, i);
        if (it->number < smallest[it->vertex]) smallest[it->vertex] = it->number;
        members[it->vertex - c->c.part->first] += it->count;
    }
    if (!st) st = wfi_spread_allgather(c->c.ctx, c->c.s, c->c.part, smallest, sizeof *smallest);
    for (weft_vid k = 0; k < c->c.s->vertices && !st; k++) {
        label[k] = smallest[label[k]];
        *found += members[k] > 0;
        *most = wfi_max_u64(*most, members[k]);
    }
    return st;
}

static weft_status begin(wfi_rank_colours *base) {
    colouring *c = of(base);
    for (weft_vid v = 0; v < c->c.s->g->n; v++) c->class[v] = 0;
    if (c->c.s->vertices) memset(c->waits, 0, c->c.s->vertices);
    wfi_messages_begin(c->c.s, &c->messages);
    return WEFT_OK;
}

weft_status wfi_components_strong_ranks(wfi_job *job, uint64_t *count, uint64_t *largest) {
    static const wfi_rank_colour_steps steps = {begin, name, spread_names, mark, spread_marks, end_round, end};
    wfi_spread *s = job->spread;
    colouring c = {.c = {.ctx = job->ctx, .s = s, .part = &s->part[0], .steps = &steps}};
    lay_out(job->space, s, &c);
    weft_status st = wfi_agree(job->ctx, job->space->status);
    return st ? st : wfi_rank_colours_run(&c.c, count, largest);
}

/* --- the driver, of CPUs and GPUs ----------------------------------------------------- */

/* Until no rank has anything to pass on. */
static weft_status spread_all(wfi_rank_colours *c, weft_status (*step)(wfi_rank_colours *c, uint64_t *queued)) {
    for (;;) {
        uint64_t queued = 0;
        weft_status st = step(c, &queued);
        uint64_t all[] = {queued, c->stop};
        if (!st) st = wfi_allreduce(c->ctx, all, 2, WFI_SUM);
        if (!st && all[1]) st = wfi_fail_cancelled(c->ctx);
        if (st || !all[0]) return st;
    }
}

static weft_status round_of(wfi_rank_colours *c, uint64_t *left) {
    weft_status st = c->steps->name(c);
    if (!st) st = spread_all(c, c->steps->spread_names);
    if (!st) st = c->steps->mark(c);
    if (!st) st = spread_all(c, c->steps->spread_marks);
    return st ? st : c->steps->end_round(c, left);
}

weft_status wfi_rank_colours_run(wfi_rank_colours *c, uint64_t *count, uint64_t *largest) {
    weft_vid n = c->s->g->n;
    *count = *largest = 0;
    weft_status st = c->steps->begin(c);
    for (uint64_t left = n; left && !st;) {
        st = round_of(c, &left);
        wfi_progress(c->ctx, "components", n - left, n);
    }
    if (!st) st = c->steps->end(c, count, largest);
    if (!st) st = wfi_allreduce(c->ctx, count, 1, WFI_SUM);
    return st ? st : wfi_allreduce(c->ctx, largest, 1, WFI_MAX);
}
