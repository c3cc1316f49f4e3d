/* Strong components on the GPUs of ranks: the colouring rounds of rank_colours.c, with the names of strong_ranks.c.
 * Memory on each GPU: the rows of its vertices, both ways; for each vertex of the graph 33 bytes and a bit, 20 for each
 * of its own, and 12 for each of these and each rank. */
#include "algo/components/strong_ranks_cuda.h"
#include "algo/components/rank_colours.h"
#include "ranks/device.h"

typedef struct colouring {
    wfi_rank_colours c; /* first */
    wfi_colours_gpu g;
    wfi_view out[WFI_MOST_BLOCKS], in[WFI_MOST_BLOCKS];
    wfi_device_messages messages;
    weft_vid *label; /* the column */
    weft_vid *here;  /* n, on the host: for what travels */
    uint64_t queued;
} colouring;

static colouring *of(wfi_rank_colours *c) { return (colouring *)c; }

static size_t words(weft_vid n) { return (size_t)n / 32 + 1; }

static void lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, colouring *t) {
    weft_vid n = s->g->n, mine = s->vertices;
    wfi_column(host, "component", WEFT_VERTEX, mine, &t->label);
    wfi_array(host, &t->here, n);
    wfi_device_rows_lay_out(device, s, false, true, false, t->out);
    wfi_device_rows_lay_out(device, s, true, true, false, t->in);
    wfi_array(device, &t->g.colour, n);
    wfi_array(device, &t->g.kind, n);
    wfi_array(device, &t->g.marked, n);
    wfi_array(device, &t->g.family, n);
    wfi_array(device, &t->g.is_addressed, words(n));
    wfi_array(device, &t->g.label, mine);
    wfi_array(device, &t->g.waits, mine);
    wfi_array(device, &t->g.queue, mine);
    wfi_array(device, &t->g.next, mine);
    wfi_array(device, &t->g.members, mine);
    wfi_array(device, &t->g.counts, WFI_COLOURS_COUNTS);
    wfi_device_messages_lay_out(host, device, s, 3 * sizeof(uint32_t), &t->messages);
    t->g.addressed = t->messages.addressed;
    t->g.addressed_count = t->messages.addressed_count;
}

void wfi_components_plan_strong_ranks_cuda(const wfi_spread *spread, wfi_choice *choice) {
    colouring t;
    choice->method = "colours, in rounds";
    choice->space.needs_in = true;
    lay_out(&choice->space, &choice->device, spread, &t);
}

static weft_status agree(const wfi_rank_colours *c, weft_status mine) { return wfi_device_agree(c->ctx, mine); }

static weft_status count(colouring *t, int which, uint64_t *value) {
    return wfi_device_count(t->c.ctx, t->g.counts + which, 0, value);
}

static weft_status begin(wfi_rank_colours *c) {
    colouring *t = of(c);
    weft_ctx *ctx = c->ctx;
    size_t n = c->s->g->n, mine = c->s->vertices;
    weft_status st = wfi_device_rows_send(ctx, c->s, false, t->out);
    if (!st) st = wfi_device_rows_send(ctx, c->s, true, t->in);
    t->g.out = t->out[0];
    t->g.in = t->in[0];
    t->g.n = c->s->g->n;
    t->g.first = c->part->first;
    t->messages.each = 2 * sizeof(uint32_t);
    if (!st) st = wfi_device_fill(ctx, t->g.kind, 0, n * sizeof *t->g.kind);
    if (!st) st = wfi_device_fill(ctx, t->g.is_addressed, 0, words(t->g.n) * sizeof *t->g.is_addressed);
    if (!st) st = wfi_device_fill(ctx, t->g.waits, 0, mine * sizeof *t->g.waits);
    if (!st) st = wfi_device_fill(ctx, t->g.members, 0, mine * sizeof *t->g.members);
    if (!st) st = wfi_device_fill(ctx, t->g.counts, 0, WFI_COLOURS_COUNTS * sizeof *t->g.counts);
    if (!st) st = wfi_device_messages_begin(ctx, c->s, &t->messages);
    return agree(c, st);
}

static weft_status name(wfi_rank_colours *c) {
    colouring *t = of(c);
    weft_status st = wfi_device_fill(c->ctx, t->g.colour, 0xff, c->s->g->n * sizeof *t->g.colour);
    if (!st) st = wfi_colours_name(c->ctx, &t->g);
    if (!st) st = count(t, WFI_COLOURS_QUEUED, &t->queued);
    return agree(c, st);
}

/* As far as this rank can by itself. */
static weft_status go_on(colouring *t, weft_status (*step)(weft_ctx *, const wfi_colours_gpu *, uint64_t)) {
    weft_status st = WEFT_OK;
    while (!st && t->queued && !t->c.stop) {
        weft_vid *done = t->g.queue;
        st = step(t->c.ctx, &t->g, t->queued);
        if (!st) st = count(t, WFI_COLOURS_QUEUED, &t->queued);
        t->g.queue = t->g.next;
        t->g.next = done;
        if (wfi_cancelled(t->c.ctx)) t->c.stop = true;
    }
    return st;
}

/* Then ranks tell each other. */
static weft_status spread(colouring *t, weft_status (*step)(weft_ctx *, const wfi_colours_gpu *, uint64_t),
                          weft_status (*hear)(weft_ctx *, const wfi_colours_gpu *, const uint32_t *, uint64_t),
                          uint64_t *queued) {
    weft_ctx *ctx = t->c.ctx;
    weft_status st = go_on(t, step);
    st = wfi_device_messages_deliver(ctx, t->c.s, st, &t->messages, (wfi_message_values){t->g.colour, 0, true});
    if (st) return st;
    st = wfi_colours_clear_addressed(ctx, &t->g, t->messages.delivered);
    if (!st) st = hear(ctx, &t->g, t->messages.received, t->messages.received_count);
    if (!st) st = count(t, WFI_COLOURS_QUEUED, &t->queued);
    *queued = t->queued;
    return agree(&t->c, st);
}

static weft_status spread_names(wfi_rank_colours *c, uint64_t *queued) {
    return spread(of(c), wfi_colours_pass_on, wfi_colours_receive_names, queued);
}

static weft_status mark(wfi_rank_colours *c) {
    colouring *t = of(c);
    weft_status st = wfi_device_allgather_part(c->ctx, c->s, WEFT_OK, c->part, (wfi_staged){t->g.colour, t->here},
                                               sizeof *t->g.colour);
    if (st) return st;
    st = wfi_device_fill(c->ctx, t->g.marked, 0, c->s->g->n);
    if (!st) st = wfi_colours_mark_roots(c->ctx, &t->g);
    if (!st) st = count(t, WFI_COLOURS_QUEUED, &t->queued);
    return agree(c, st);
}

static weft_status spread_marks(wfi_rank_colours *c, uint64_t *queued) {
    return spread(of(c), wfi_colours_look_back, wfi_colours_receive_marks, queued);
}

static weft_status end_round(wfi_rank_colours *c, uint64_t *left) {
    colouring *t = of(c);
    weft_status st = wfi_device_allgather_part(c->ctx, c->s, WEFT_OK, c->part, (wfi_staged){t->g.marked, t->here}, 1);
    if (st) return st;
    st = wfi_colours_end_round(c->ctx, &t->g);
    if (!st) st = count(t, WFI_COLOURS_FOUND, left);
    return agree(c, st);
}

static weft_status end(wfi_rank_colours *c, uint64_t *found, uint64_t *most) {
    colouring *t = of(c);
    weft_status st = wfi_device_fill(c->ctx, t->g.kind, 0xff, c->s->g->n * sizeof *t->g.kind);
    if (!st) st = wfi_colours_gather_family(c->ctx, &t->g);
    t->messages.each = 3 * sizeof(uint32_t);
    st = wfi_device_messages_deliver(c->ctx, c->s, st, &t->messages, (wfi_message_values){t->g.family, 0, true});
    if (st) return st;
    st = wfi_colours_receive_family(c->ctx, &t->g, t->messages.received, t->messages.received_count);
    st = wfi_device_allgather_part(c->ctx, c->s, st, c->part, (wfi_staged){t->g.kind, t->here}, sizeof *t->g.kind);
    if (st) return st;
    st = wfi_colours_relabel(c->ctx, &t->g);
    if (!st) st = count(t, WFI_COLOURS_FOUND, found);
    if (!st) st = count(t, WFI_COLOURS_MOST, most);
    if (!st) st = wfi_download(c->ctx, t->label, t->g.label, c->s->vertices * sizeof *t->label);
    return agree(c, st);
}

weft_status wfi_components_strong_ranks_cuda(wfi_job *job, uint64_t *found, uint64_t *largest) {
    static const wfi_rank_colour_steps steps = {begin, name, spread_names, mark, spread_marks, end_round, end};
    wfi_spread *s = job->spread;
    colouring t = {.c = {.ctx = job->ctx, .s = s, .part = &s->part[0], .steps = &steps}};
    weft_status st = wfi_open_device(job);
    if (!st) lay_out(job->space, job->device, s, &t);
    st = wfi_agree(job->ctx, st ? st : job->space->status);
    return st ? st : wfi_rank_colours_run(&t.c, found, largest);
}
