/* Strong components on ranks, on CPU cores or GPUs: the arrays, and the driver of the kernels in strong_bodies.h.
 * Needs: incoming rows.  Each rank propagates as far as it can by itself before it sends messages.  The label of a
 * component is its smallest vertex. */
#include "algo/components/components.h"
#include "algo/components/strong_bodies.h"
#include "ranks/spread.h"
#include "run/method.h"

WFI_KERNELS(strong_state, STRONG_KERNELS)

enum { PAIRS = 2 * sizeof(uint32_t), TRIPLES = 3 * sizeof(uint32_t) };

/* Propagates until no rank has anything to pass on. */
static weft_status spread_all(wfi_ops *o, strong_state *s, const wfi_kernel *pass, const wfi_kernel *hear) {
    wfi_push *p = &s->p;
    uint64_t queued = wfi_ops_count(o, p->counts + WFI_PUSH_QUEUED, 0);
    for (;;) {
        while (queued && !wfi_ops_stops(o)) {
            if (o->gpu) wfi_ops_each(o, &strong_wake_kernel, s, queued);
            wfi_ops_each(o, pass, s, queued);
            wfi_push_swap(p);
            queued = wfi_ops_count(o, p->counts + WFI_PUSH_QUEUED, 0);
        }
        weft_status st = wfi_ops_deliver(o, p, (wfi_message_values){s->colour, 0, true});
        if (st) return st;
        wfi_ops_each(o, &strong_forget_kernel, s, p->m.delivered);
        wfi_ops_each(o, hear, s, p->m.received_count);
        queued = wfi_ops_count(o, p->counts + WFI_PUSH_QUEUED, 0);
        uint64_t all = queued;
        st = wfi_ops_sum(o, &all, 1);
        if (st || !all) return st;
    }
}

/* *left: vertices of the whole graph whose component is unknown; on a rank that failed a positive number, so that it
 * enters the next round, which reports the failure to the others. */
static weft_status round_of(wfi_ops *o, strong_state *s, uint64_t *left) {
    wfi_ops_fill(o, s->colour, 0xff, o->n * sizeof *s->colour);
    wfi_ops_each(o, &strong_name_kernel, s, o->mine);
    weft_status st = spread_all(o, s, &strong_pass_on_kernel, &strong_hear_name_kernel);
    if (!st) st = wfi_ops_gather(o, s->colour, sizeof *s->colour);
    wfi_ops_fill(o, s->marked, 0, o->n);
    if (!st) wfi_ops_each(o, &strong_mark_kernel, s, o->mine);
    if (!st) st = spread_all(o, s, &strong_look_back_kernel, &strong_hear_mark_kernel);
    if (!st) st = wfi_ops_gather(o, s->marked, sizeof *s->marked);
    if (st) return st;
    wfi_ops_each(o, &strong_end_round_kernel, s, o->n);
    *left = wfi_ops_count(o, s->p.counts + STRONG_FOUND, 0);
    if (o->status) *left = 1;
    return WEFT_OK;
}

/* Counts roots and the largest component, of all ranks. */
static weft_status label(wfi_ops *o, strong_state *s, uint64_t *found, uint64_t *most) {
    wfi_ops_fill(o, s->kind, 0xff, o->n * sizeof *s->kind);
    wfi_ops_each(o, &strong_no_family_kernel, s, o->n);
    wfi_ops_each(o, &strong_gather_family_kernel, s, o->mine);
    s->p.m.each = TRIPLES;
    weft_status st = wfi_ops_deliver(o, &s->p, (wfi_message_values){s->family, 0, true});
    if (st) return st;
    wfi_ops_each(o, &strong_hear_family_kernel, s, s->p.m.received_count);
    st = wfi_ops_gather(o, s->kind, sizeof *s->kind);
    if (st) return st;
    wfi_ops_each(o, &strong_relabel_kernel, s, o->mine);
    *found = wfi_ops_count(o, s->p.counts + STRONG_FOUND, 0);
    *most = wfi_ops_count(o, s->p.counts + STRONG_MOST, 0);
    st = wfi_ops_sum(o, found, 1);
    return st ? st : wfi_allreduce(o->ctx, most, 1, WFI_MAX);
}

static weft_status drive(wfi_ops *o, void *state, wfi_job *job) {
    strong_state *s = state;
    uint64_t count = 0, largest = 0;
    weft_status st = WEFT_OK;
    s->out = *o->out;
    s->in = *o->in;
    s->p.m.each = PAIRS;
    wfi_ops_fill(o, s->kind, 0, o->n * sizeof *s->kind);
    wfi_ops_fill(o, s->is_addressed, 0, wfi_device_words(o->n) * sizeof *s->is_addressed);
    wfi_ops_fill(o, s->waits, 0, o->mine * sizeof *s->waits);
    wfi_ops_fill(o, s->members, 0, o->mine * sizeof *s->members);
    wfi_ops_push_begin(o, &s->p);
    for (uint64_t left = o->n; left && !st;) {
        st = round_of(o, s, &left);
        wfi_progress(o->ctx, "components", o->n - left, o->n);
    }
    if (!st) st = label(o, s, &count, &largest);
    return st ? st : wfi_components_scalars(job, count, largest);
}

static void choose(const wfi_spread *spread, const void *params, bool gpu, wfi_choice *choice) {
    (void)spread, (void)params, (void)gpu;
    choice->method = WFI_COMPONENTS_COLOURS;
    choice->space.needs_in = true;
}

#define AT(field) offsetof(strong_state, field)
static const wfi_array_info arrays[] = {
    {"component", WFI_COLUMN, WEFT_VERTEX, WFI_OF_MINE, AT(label), NULL, false},
    {"colour", WFI_ARRAY, WEFT_U32, WFI_OF_ALL, AT(colour), NULL, false},
    {"kind", WFI_ARRAY, WEFT_U32, WFI_OF_ALL, AT(kind), NULL, false},
    {"marked", WFI_ARRAY, WEFT_U8, WFI_OF_ALL, AT(marked), NULL, false},
    {"family", WFI_ARRAY, WEFT_U64, WFI_OF_ALL, AT(family), NULL, false},
    {"is_addressed", WFI_ARRAY, WEFT_U32, WFI_OF_ALL_BITS, AT(is_addressed), NULL, false},
    {"waits", WFI_ARRAY, WEFT_U32, WFI_OF_MINE, AT(waits), NULL, false},
    {"members", WFI_ARRAY, WEFT_U32, WFI_OF_MINE, AT(members), NULL, false},
};
const wfi_method wfi_components_strong_on_ranks = {.arrays = arrays,
                                                   .array_count = WFI_LENGTH(arrays),
                                                   .state_size = sizeof(strong_state),
                                                   .sides = WFI_OUT_ROWS | WFI_IN_ROWS,
                                                   .drive = drive,
                                                   .gathered = sizeof(weft_vid),
                                                   .push = AT(p),
                                                   .message = TRIPLES,
                                                   .choose = choose};
