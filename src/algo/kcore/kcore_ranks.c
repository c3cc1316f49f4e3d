/* k-cores on ranks, on CPU cores or GPUs: the arrays and the driver of the kernels in kcore_bodies.h.  Needs: incoming
 * rows of a directed graph. */
#include "algo/kcore/kcore.h"
#include "algo/kcore/kcore_bodies.h"
#include "ranks/spread.h"
#include "run/method.h"
#include "weft/kcore.h"

WFI_KERNELS(kcore_waves, KCORE_KERNELS)

/* Chooses the rows of the vertices that count for a vertex, and of the vertices for which it counts. */
static void choose_rows(const wfi_ops *o, const weft_graph *g, weft_core_mode mode, kcore_waves *s) {
    bool one = g->directed && (mode == WEFT_CORE_IN || mode == WEFT_CORE_OUT);
    s->counts[0] = one && mode == WEFT_CORE_IN ? *o->in : *o->out;
    s->counted_by[0] = one && mode == WEFT_CORE_OUT ? *o->in : *o->out;
    if (g->directed && !one) s->counts[1] = s->counted_by[1] = *o->in;
    s->merged = mode != WEFT_CORE_ALL;
}

/* Waves until no rank takes a vertex. */
static weft_status round_of(wfi_ops *o, kcore_waves *s) {
    wfi_ops_each(o, &kcore_take_kernel, s, o->mine);
    for (;;) {
        uint64_t queued = wfi_ops_count(o, s->p.counts + WFI_PUSH_QUEUED, 0), all = queued;
        weft_status st = wfi_ops_sum(o, &all, 1);
        if (st || !all) return st;
        wfi_ops_each(o, &kcore_decrement_kernel, s, queued);
        st = wfi_ops_deliver(o, &s->p, (wfi_message_values){s->decrement, 0, false});
        if (st) return st;
        wfi_ops_each(o, &kcore_receive_kernel, s, s->p.m.received_count);
    }
}

/* The smallest count left among all ranks; UINT64_MAX: no vertex is left, or it is unknown here. */
static weft_status next_round(wfi_ops *o, kcore_waves *s, uint64_t *k) {
    wfi_ops_each(o, &kcore_lowest_kernel, s, o->mine);
    *k = wfi_ops_count(o, s->p.counts + KCORE_LEAST, UINT64_MAX);
    if (o->status) *k = 0; /* all ranks continue to the next sum, which reports the failure */
    return wfi_allreduce(o->ctx, k, 1, WFI_MIN);
}

/* The members of the k-core, of all ranks on each. */
static weft_status add_members(wfi_ops *o, const wfi_job *job, const uint32_t *core, uint64_t k) {
    wfi_spread *s = job->spread;
    int ranks = s->comm->link.size;
    uint64_t mine = 0, sum = 0;
    for (weft_vid at = 0; k && at < s->vertices; at++) mine += core[at] >= k;
    weft_status st = wfi_allgather_u64(o->ctx, mine, s->start);
    for (int r = 0; r < ranks && !st; r++) {
        uint64_t here = s->start[r];
        s->start[r] = sum * sizeof(weft_vid);
        sum += here;
    }
    s->start[ranks] = sum * sizeof(weft_vid);
    weft_vid *members = st ? NULL : wfi_grow(job->space, (size_t)sum, sizeof *members);
    st = wfi_agree(o->ctx, members || st ? st : WEFT_ENOMEM);
    if (st) return st;
    weft_vid *to = members + s->start[s->comm->link.rank] / sizeof *members;
    for (weft_vid at = 0; k && at < s->vertices; at++)
        if (core[at] >= k) *to++ = o->first + at;
    st = wfi_allgather_figures(o->ctx, members, s->start);
    return st ? st : wfi_column_of_grown(job->space, "members", WEFT_VERTEX, (size_t)sum, members);
}

static weft_status drive(wfi_ops *o, void *state, wfi_job *job) {
    kcore_waves *s = state;
    const weft_kcore_params *p = job->params;
    uint64_t least = UINT64_MAX, degeneracy = 0;
    uint32_t *core = o->column[0];
    choose_rows(o, job->g, p->mode, s);
    wfi_ops_fill(o, s->core, 0, o->mine * sizeof *s->core);
    wfi_ops_fill(o, s->taken, 0, o->mine);
    wfi_ops_fill(o, s->decrement, 0, o->n * sizeof *s->decrement);
    wfi_ops_push_begin(o, &s->p);
    (void)wfi_ops_count(o, s->p.counts + KCORE_LEAST, UINT64_MAX);
    wfi_ops_each(o, &kcore_count_kernel, s, o->mine);
    weft_status st = next_round(o, s, &least);
    while (!st && least != UINT64_MAX) {
        degeneracy = least;
        s->k = (uint32_t)least;
        st = round_of(o, s);
        if (!st) st = next_round(o, s, &least);
    }
    if (!st && p->k && o->gpu) o->status = o->gpu->read(o->ctx, core, s->core, o->mine * sizeof *core);
    if (!st) st = wfi_agree(o->ctx, o->status);
    if (!st) st = add_members(o, job, core, p->k);
    return st ? st : wfi_result_scalar_u64(o->ctx, job->result, "degeneracy", degeneracy);
}

static void choose(const wfi_spread *s, const void *params, bool gpu, wfi_choice *choice) {
    (void)gpu;
    const weft_kcore_params *p = params;
    choice->method = WFI_KCORE_WAVES;
    choice->space.needs_in = true;
    /* a vertex decrements each neighbour at most once */
    if (!s->g->directed || p->mode != WEFT_CORE_OUT) choice->sends = 2 * sizeof(uint32_t) * s->arcs;
    if (s->g->directed && p->mode != WEFT_CORE_IN) choice->sends_in = 2 * sizeof(uint32_t);
    wfi_growth(&choice->space, p->k ? sizeof(weft_vid) * (uint64_t)s->g->n : 0); /* members */
}

#define AT(field) offsetof(kcore_waves, field)
static const wfi_array_info arrays[] = {
    {"core", WFI_COLUMN, WEFT_U32, WFI_OF_MINE, AT(core), NULL, false},
    {"taken", WFI_ARRAY, WEFT_U8, WFI_OF_MINE, AT(taken), NULL, false},
    {"decrement", WFI_ARRAY, WEFT_U32, WFI_OF_ALL, AT(decrement), NULL, false},
};
const wfi_method wfi_kcore_on_ranks = {.arrays = arrays,
                                       .array_count = WFI_LENGTH(arrays),
                                       .state_size = sizeof(kcore_waves),
                                       .sides = WFI_OUT_ROWS | WFI_IN_ROWS,
                                       .drive = drive,
                                       .push = AT(p),
                                       .message = 2 * sizeof(uint32_t),
                                       .choose = choose};
