/* k-cores on ranks: the peeling of rank_rounds.h on CPU cores.  Needs: incoming rows of a directed graph.
 * Method: each rank removes its vertices with no more than k neighbours left, adds up by how much each neighbour is
 * decremented, and sends that to the neighbour's owner, one message a neighbour and wave.
 * Memory: 24 bytes for each vertex of the graph. */
#include "algo/kcore/rank_rounds.h"
#include "graph/rows.h"
#include "ranks/messages.h"

typedef struct peel {
    wfi_rank_rounds r;                         /* first */
    const wfi_view *counts[2], *counted_by[2]; /* as in kcore_cpu.c */
    bool merged;
    /* Of this rank's vertices, by their rows, as the column, which has neighbours left, then core numbers */
    uint8_t *taken;
    weft_vid *queue; /* rows of this rank */
    uint64_t queued;
    uint32_t *decrement; /* of each vertex of the graph: by how much, 0 between waves */
    wfi_messages messages;
} peel;

static peel *of(wfi_rank_rounds *r) { return (peel *)r; }

static void lay_out(wfi_workspace *w, const wfi_spread *s, uint64_t k, peel *p) {
    wfi_rank_rounds_lay_out(w, s, k, &p->r);
    wfi_array(w, &p->taken, s->vertices);
    wfi_array(w, &p->queue, s->vertices);
    wfi_array(w, &p->decrement, s->g->n);
    wfi_messages_lay_out(w, s, sizeof(wfi_message), &p->messages);
}

void wfi_kcore_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    (void)ctx;
    wfi_rank_rounds_plan(spread, ((const weft_kcore_params *)params)->mode, choice);
    lay_out(&choice->space, spread, ((const weft_kcore_params *)params)->k, &(peel){.taken = NULL});
}

static void choose_rows(peel *p, weft_core_mode mode) {
    const wfi_part *part = p->r.part;
    const wfi_view *const rows[] = {&part->out, &part->in, NULL};
    wfi_core_sides sides = wfi_core_sides_of(p->r.s->g, mode);
    p->merged = sides.merged;
    for (int i = 0; i < 2; i++) {
        p->counts[i] = rows[sides.counts[i]];
        p->counted_by[i] = rows[sides.counted_by[i]];
    }
}

static wfi_merger neighbours(const peel *p, const wfi_view *const rows[2], weft_vid k) {
    return wfi_row_neighbours(rows[0], rows[1], k, p->r.part->first + k);
}

static weft_status begin(wfi_rank_rounds *r) {
    peel *p = of(r);
    for (weft_vid k = 0; k < r->s->vertices; k++) {
        r->core[k] = 0;
        p->taken[k] = 0;
        for (wfi_merger m = neighbours(p, p->counts, k); wfi_next_neighbour(&m);) r->core[k] += p->merged ? 1 : m.ways;
    }
    for (weft_vid v = 0; v < r->s->g->n; v++) p->decrement[v] = 0;
    wfi_messages_begin(r->s, &p->messages);
    return WEFT_OK;
}

static void put(peel *p, weft_vid k) {
    p->taken[k] = 1;
    p->queue[p->queued++] = k;
}

/* To the neighbours of the vertices in the queue: one message each, with the sum of its decrements. */
static void send_decrements(peel *p) {
    for (uint64_t i = 0; i < p->queued; i++)
        for (wfi_merger m = neighbours(p, p->counted_by, p->queue[i]); wfi_next_neighbour(&m);) {
            wfi_address(&p->messages, m.neighbour);
            p->decrement[m.neighbour] += p->merged ? 1 : m.ways;
        }
    for (uint64_t i = 0; i < p->messages.send_count; i++) {
        wfi_message *message = wfi_to_send(&p->messages, i);
        message->number = p->decrement[message->vertex];
        p->decrement[message->vertex] = 0;
    }
}

/* Decrements, clamped at k; vertices that reach k are removed. */
static void receive(peel *p, uint32_t k) {
    p->queued = 0;
    for (uint64_t i = 0; i < p->messages.received_count; i++) {
        const wfi_message *message = wfi_received(&p->messages, i);
        weft_vid at = message->vertex - p->r.part->first;
        if (p->taken[at]) continue;
        uint32_t left = p->r.core[at];
        p->r.core[at] = left - k > message->number ? left - message->number : k; /* left > k, or it had been taken */
        if (p->r.core[at] == k) put(p, at);
    }
}

static weft_status take(wfi_rank_rounds *r, uint32_t k, uint64_t *queued) {
    peel *p = of(r);
    p->queued = 0;
    for (weft_vid at = 0; at < r->s->vertices; at++)
        if (!p->taken[at] && r->core[at] == k) put(p, at);
    *queued = p->queued;
    return WEFT_OK;
}

static weft_status wave(wfi_rank_rounds *r, uint32_t k, uint64_t *queued) {
    peel *p = of(r);
    send_decrements(p);
    weft_status st = wfi_messages_deliver(r->ctx, r->s, &p->messages);
    if (!st) receive(p, k);
    *queued = p->queued;
    return st;
}

static weft_status lowest(wfi_rank_rounds *r, uint64_t *k) {
    for (weft_vid at = 0; at < r->s->vertices; at++)
        if (!of(r)->taken[at] && r->core[at] < *k) *k = r->core[at];
    return WEFT_OK;
}

static weft_status end(wfi_rank_rounds *r) {
    (void)r; /* the numbers are in their column */
    return WEFT_OK;
}

weft_status wfi_kcore_ranks(wfi_job *job) {
    static const wfi_rank_round_steps steps = {begin, lowest, take, wave, end};
    const weft_kcore_params *given = job->params;
    wfi_spread *s = job->spread;
    peel p = {.r = {.ctx = job->ctx, .s = s, .part = &s->part[0], .steps = &steps}};
    choose_rows(&p, given->mode);
    lay_out(job->space, s, given->k, &p);
    weft_status st = wfi_agree(job->ctx, job->space->status);
    return st ? st : wfi_rank_rounds_run(job, &p.r);
}
