/* Strong components on the GPUs of ranks: the colouring rounds of rank_colours.h, with the names of strong_ranks.c.
 * What a thread reads while others better it is passed on as it is: whoever is bettered is queued again.
 * Memory on each GPU: the rows of its vertices, both ways; for each vertex of the graph 33 bytes and a bit, 20 for each
 * of its own, and 12 for each of these and each rank. */
#include "algo/components/components_cuda.h"
#include "algo/components/rank_colours.h"
#include "cuda/launch.cuh"
#include "ranks/device.h"

enum { QUEUED, FOUND, MOST, COUNTS };

/* Colours as the kernels see them: all of it on the GPU. */
struct wfi_colours_gpu {
    wfi_view out, in;
    weft_vid n, first;         /* of the graph; of this rank's vertices: row k is that of first + k */
    weft_vid *colour;          /* of each vertex of the graph: the best name that reaches it, in this round, ... */
    weft_vid *kind;            /* ... and in the last; WEFT_NO_VERTEX: its component is known */
    uint8_t *marked;           /* likewise: it reaches its root */
    weft_vid *label;           /* of this rank's vertices: the root */
    uint32_t *waits;           /* likewise: is it in `queue`, or in `next`? */
    weft_vid *queue;           /* rows that have something to pass on, ... */
    weft_vid *next;            /* ... and those that come to it */
    uint64_t *counts;          /* COUNTS */
    uint32_t *is_addressed;    /* a bit for each vertex of the graph: it is in `addressed` */
    weft_vid *addressed;       /* vertices of other ranks that get a message, ... */
    uint64_t *addressed_count; /* ... so many */
    uint64_t *family;  /* of each vertex, as a root: members on this rank, and in the lower half the smallest of them */
    uint32_t *members; /* of this rank's vertices, as roots: of all ranks */
};

namespace {

struct colouring {
    wfi_rank_colours c; /* first */
    wfi_colours_gpu g;
    wfi_view out[WFI_MOST_BLOCKS], in[WFI_MOST_BLOCKS];
    wfi_device_messages messages;
    weft_vid *label; /* the column */
    weft_vid *here;  /* n, on the host: for what travels */
    uint64_t queued;
};

} // namespace

static colouring *of(wfi_rank_colours *c) { return (colouring *)c; }

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
    wfi_array(device, &t->g.is_addressed, wfi_device_words(n));
    wfi_array(device, &t->g.label, mine);
    wfi_array(device, &t->g.waits, mine);
    wfi_array(device, &t->g.queue, mine);
    wfi_array(device, &t->g.next, mine);
    wfi_array(device, &t->g.members, mine);
    wfi_array(device, &t->g.counts, COUNTS);
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

/* A counter, after the kernels before it, if all went well with them. */
static weft_status count(const colouring *t, weft_status mine, int which, uint64_t *value) {
    return mine ? mine : wfi_device_count(t->c.ctx, t->g.counts + which, 0, value);
}

/* --- on the GPU ------------------------------------------------------------------------------- */

__device__ static inline bool owns(const wfi_colours_gpu &c, weft_vid v) {
    return v >= c.first && v - c.first < c.out.count;
}

__device__ static inline void put(const wfi_colours_gpu &c, weft_vid k, weft_vid *list) {
    if (!atomicExch(c.waits + k, 1u)) list[wfi_claim(c.counts + QUEUED)] = k;
}

__device__ static inline void mention(const wfi_colours_gpu &c, weft_vid v) {
    uint32_t bit = 1u << v % 32;
    if (!(atomicOr(c.is_addressed + v / 32, bit) & bit)) c.addressed[wfi_claim(c.addressed_count)] = v;
}

/* True: this thread has given v a better name. */
__device__ static inline bool rename_to(const wfi_colours_gpu &c, weft_vid v, weft_vid name) {
    weft_vid old = *(volatile weft_vid *)(c.colour + v);
    while (wfi_name_better(name, old)) {
        weft_vid was = atomicCAS(c.colour + v, old, name);
        if (was == old) return true;
        old = was;
    }
    return false;
}

/* Two threads may both find it without: it waits once. */
__device__ static inline void put_mark(const wfi_colours_gpu &c, weft_vid v, weft_vid *list) {
    if (*(volatile uint8_t *)(c.marked + v)) return;
    c.marked[v] = 1;
    put(c, v - c.first, list);
}

/* --- a step of all that is queued --------------------------------------------------------------- */

typedef weft_status pass_fn(weft_ctx *ctx, wfi_colours_gpu c, uint64_t queued);
typedef weft_status hear_fn(weft_ctx *ctx, wfi_colours_gpu c, const uint32_t *received, uint64_t count);

/* As far as this rank can by itself.  The first of the queue wait no more before what they pass on brings some of them
 * back. */
static weft_status go_on(colouring *t, pass_fn *pass) {
    weft_status st = WEFT_OK;
    while (!st && t->queued && !t->c.stop) {
        wfi_colours_gpu c = t->g;
        st = wfi_each(t->c.ctx, t->queued, [=] __device__(uint64_t i) { c.waits[c.queue[i]] = 0; });
        if (!st) st = pass(t->c.ctx, c, t->queued);
        st = count(t, st, QUEUED, &t->queued);
        t->g.queue = c.next;
        t->g.next = c.queue;
        if (wfi_cancelled(t->c.ctx)) t->c.stop = true;
    }
    return st;
}

/* Then ranks tell each other. */
static weft_status spread(colouring *t, pass_fn *pass, hear_fn *hear, uint64_t *queued) {
    weft_ctx *ctx = t->c.ctx;
    weft_status st = go_on(t, pass);
    wfi_colours_gpu c = t->g;
    st = wfi_device_messages_deliver(ctx, t->c.s, st, &t->messages, wfi_message_values{c.colour, 0, true});
    if (st) return st;
    st = wfi_each(ctx, t->messages.delivered, [=] __device__(uint64_t i) { c.is_addressed[c.addressed[i] / 32] = 0; });
    if (!st) st = hear(ctx, c, t->messages.received, t->messages.received_count);
    st = count(t, st, QUEUED, &t->queued);
    *queued = t->queued;
    return agree(&t->c, st);
}

/* --- forward: names ----------------------------------------------------------------------------- */

/* Whoever is left has its own name, of this rank's, and is queued. */
static weft_status name(wfi_rank_colours *base) {
    colouring *t = of(base);
    wfi_colours_gpu c = t->g;
    weft_status st = wfi_device_fill(base->ctx, c.colour, 0xff, base->s->g->n * sizeof *c.colour);
    if (!st)
        st = wfi_each(base->ctx, c.out.count, [=] __device__(uint64_t k) {
            weft_vid v = c.first + (weft_vid)k;
            if (c.kind[v] == WEFT_NO_VERTEX) return;
            c.colour[v] = v;
            put(c, (weft_vid)k, c.queue);
        });
    return agree(base, count(t, st, QUEUED, &t->queued));
}

/* Whoever gets a better name is put into next, or addressed. */
static weft_status pass_on(weft_ctx *ctx, wfi_colours_gpu c, uint64_t queued) {
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = c.queue[i], name = *(volatile weft_vid *)(c.colour + c.first + k), kind = c.kind[c.first + k];
        wfi_each_arc(c.out, k, lane, lanes, [&](weft_eid, weft_vid v) {
            if (c.kind[v] != kind || !rename_to(c, v, name)) return;
            if (owns(c, v))
                put(c, v - c.first, c.next);
            else
                mention(c, v);
        });
    });
}

/* Pairs (vertex, name) of this rank's vertices. */
static weft_status receive_names(weft_ctx *ctx, wfi_colours_gpu c, const uint32_t *received, uint64_t count) {
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        if (rename_to(c, received[2 * i], received[2 * i + 1])) put(c, received[2 * i] - c.first, c.queue);
    });
}

static weft_status spread_names(wfi_rank_colours *c, uint64_t *queued) {
    return spread(of(c), pass_on, receive_names, queued);
}

/* --- backward: marks ---------------------------------------------------------------------------- */

static weft_status mark(wfi_rank_colours *base) {
    colouring *t = of(base);
    wfi_colours_gpu c = t->g;
    weft_status st = wfi_device_allgather_part(base->ctx, base->s, WEFT_OK, base->part, wfi_staged{c.colour, t->here},
                                               sizeof *c.colour);
    if (st) return st;
    st = wfi_device_fill(base->ctx, c.marked, 0, base->s->g->n);
    if (!st)
        st = wfi_each(base->ctx, c.out.count, [=] __device__(uint64_t k) {
            weft_vid v = c.first + (weft_vid)k;
            if (c.colour[v] == v) put_mark(c, v, c.queue);
        });
    return agree(base, count(t, st, QUEUED, &t->queued));
}

/* Along incoming arcs, inside a colour: who is marked by that is put into next, or addressed. */
static weft_status look_back(weft_ctx *ctx, wfi_colours_gpu c, uint64_t queued) {
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = c.queue[i], colour = c.colour[c.first + k];
        wfi_each_arc(c.in, k, lane, lanes, [&](weft_eid, weft_vid u) {
            if (c.colour[u] != colour) return;
            if (owns(c, u)) {
                put_mark(c, u, c.next);
            } else if (!*(volatile uint8_t *)(c.marked + u)) {
                c.marked[u] = 1; /* its owner gets a message */
                mention(c, u);
            }
        });
    });
}

/* Pairs that begin with one of this rank's vertices. */
static weft_status receive_marks(weft_ctx *ctx, wfi_colours_gpu c, const uint32_t *received, uint64_t count) {
    return wfi_each(ctx, count, [=] __device__(uint64_t i) { put_mark(c, received[2 * i], c.queue); });
}

static weft_status spread_marks(wfi_rank_colours *c, uint64_t *queued) {
    return spread(of(c), look_back, receive_marks, queued);
}

static weft_status end_round(wfi_rank_colours *base, uint64_t *left) {
    colouring *t = of(base);
    wfi_colours_gpu c = t->g;
    weft_status st =
        wfi_device_allgather_part(base->ctx, base->s, WEFT_OK, base->part, wfi_staged{c.marked, t->here}, 1);
    if (st) return st;
    st = wfi_each(base->ctx, c.n, [=] __device__(uint64_t i) {
        weft_vid v = (weft_vid)i;
        if (c.marked[v] && owns(c, v)) c.label[v - c.first] = c.colour[v];
        c.kind[v] = c.marked[v] ? WEFT_NO_VERTEX : c.colour[v];
        if (c.kind[v] != WEFT_NO_VERTEX) wfi_claim(c.counts + FOUND);
    });
    return agree(base, count(t, st, FOUND, left));
}

/* --- labels ----------------------------------------------------------------------------------- */

/* family, of the roots of this rank's vertices, which are addressed. */
static weft_status gather_family(weft_ctx *ctx, wfi_colours_gpu c) {
    weft_status st = wfi_each(ctx, c.n, [=] __device__(uint64_t v) { c.family[v] = (uint32_t)WEFT_NO_VERTEX; });
    if (st) return st;
    return wfi_each(ctx, c.out.count, [=] __device__(uint64_t k) {
        uint32_t *half = (uint32_t *)(c.family + c.label[k]);
        atomicMin(half, c.first + (weft_vid)k);
        if (!atomicAdd(half + 1, 1u)) c.addressed[wfi_claim(c.addressed_count)] = c.label[k];
    });
}

/* Triples (root, smallest, members) of this rank's vertices: members, and the smallest in kind, which is WEFT_NO_VERTEX
 * before. */
static weft_status receive_family(weft_ctx *ctx, wfi_colours_gpu c, const uint32_t *received, uint64_t count) {
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        const uint32_t *it = received + 3 * i;
        atomicMin(c.kind + it[0], it[1]);
        atomicAdd(c.members + (it[0] - c.first), it[2]);
    });
}

/* Labels become what kind has for them; counts[FOUND] grows by this rank's roots, counts[MOST] to the members of the
 * largest. */
static weft_status relabel(weft_ctx *ctx, wfi_colours_gpu c) {
    volatile uint64_t *most = c.counts + MOST;
    return wfi_each(ctx, c.out.count, [=] __device__(uint64_t k) {
        c.label[k] = c.kind[c.label[k]];
        if (c.members[k]) wfi_claim(c.counts + FOUND);
        if (c.members[k] > *most) atomicMax((unsigned long long *)c.counts + MOST, (unsigned long long)c.members[k]);
    });
}

static weft_status end(wfi_rank_colours *c, uint64_t *found, uint64_t *most) {
    colouring *t = of(c);
    weft_status st = wfi_device_fill(c->ctx, t->g.kind, 0xff, c->s->g->n * sizeof *t->g.kind);
    if (!st) st = gather_family(c->ctx, t->g);
    t->messages.each = 3 * sizeof(uint32_t);
    st = wfi_device_messages_deliver(c->ctx, c->s, st, &t->messages, wfi_message_values{t->g.family, 0, true});
    if (st) return st;
    st = receive_family(c->ctx, t->g, t->messages.received, t->messages.received_count);
    st = wfi_device_allgather_part(c->ctx, c->s, st, c->part, wfi_staged{t->g.kind, t->here}, sizeof *t->g.kind);
    if (st) return st;
    st = count(t, relabel(c->ctx, t->g), FOUND, found);
    st = count(t, st, MOST, most);
    if (!st) st = wfi_download(c->ctx, t->label, t->g.label, c->s->vertices * sizeof *t->label);
    return agree(c, st);
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
    if (!st) st = wfi_device_fill(ctx, t->g.is_addressed, 0, wfi_device_words(t->g.n) * sizeof *t->g.is_addressed);
    if (!st) st = wfi_device_fill(ctx, t->g.waits, 0, mine * sizeof *t->g.waits);
    if (!st) st = wfi_device_fill(ctx, t->g.members, 0, mine * sizeof *t->g.members);
    if (!st) st = wfi_device_fill(ctx, t->g.counts, 0, COUNTS * sizeof *t->g.counts);
    if (!st) st = wfi_device_messages_begin(ctx, c->s, &t->messages);
    return agree(c, st);
}

weft_status wfi_components_strong_ranks_cuda(wfi_job *job, uint64_t *found, uint64_t *largest) {
    static const wfi_rank_colour_steps steps = {begin, name, spread_names, mark, spread_marks, end_round, end};
    colouring t = {};
    t.c.ctx = job->ctx;
    t.c.s = job->spread;
    t.c.part = &job->spread->part[0];
    t.c.steps = &steps;
    weft_status st = wfi_open_device(job);
    if (!st) lay_out(job->space, job->device, job->spread, &t);
    st = wfi_agree(job->ctx, st ? st : job->space->status);
    return st ? st : wfi_rank_colours_run(&t.c, found, largest);
}
