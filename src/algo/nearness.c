/* See nearness.h. */
#include "algo/nearness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE_BY_SIDE = 0, TOGETHER, BY_WEIGHTS, BY_BALLS };
const char *const wfi_nearness_methods[WFI_NEARNESS_METHODS] = {"512 searches at once, each core its own",
                                                                "512 searches at once, cores share them",
                                                                "a search by weights from each vertex", "HyperBall"};
const char *const wfi_nearness_on_request[2] = {"standard_error", NULL};

static const weft_closeness_params standard = WEFT_CLOSENESS_DEFAULTS;

typedef struct arrays {
    double *value;
    uint8_t *valued, *counted;
    wfi_near_hops hops;
    wfi_near_lengths lengths;
    wfi_near_balls balls;
} arrays;

static wfi_near near_of(const weft_graph *g, const wfi_nearness *q) {
    wfi_near t = q->near;
    const wfi_view *in = g->directed ? &g->in : &g->out;
    t.g = g;
    t.along = q->direction == WEFT_SIDE_OUT ? in : &g->out;
    t.back = q->direction == WEFT_SIDE_OUT ? &g->out : in;
    return t;
}

/* By hops, searches look ahead and back; else rows lead from the vertices that are asked for. */
static bool needs_in(const wfi_nearness *q) { return q->direction != WEFT_SIDE_OUT || !(q->weights || q->estimate); }

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_near *t, const wfi_nearness *q, int variant,
                    arrays *a) {
    wfi_column(w, t->name, WEFT_F64, t->g->n, &a->value);
    a->valued = a->counted = NULL;
    if (t->of) wfi_array(w, &a->valued, t->g->n);
    if (t->sources) wfi_array(w, &a->counted, t->g->n);
    if (variant == BY_WEIGHTS)
        wfi_near_lengths_lay_out(w, ctx, t, &a->lengths);
    else if (variant == BY_BALLS)
        wfi_near_balls_lay_out(w, t, q->registers, &a->balls);
    else
        wfi_near_hops_lay_out(w, ctx, t, variant == SIDE_BY_SIDE ? wfi_near_hops_at_once(ctx, t) : 1, &a->hops);
}

static int variant_of(const weft_ctx *ctx, const wfi_near *t, const wfi_nearness *q) {
    if (q->estimate) return BY_BALLS;
    if (q->weights) return BY_WEIGHTS;
    return wfi_near_hops_at_once(ctx, t) > 1 ? SIDE_BY_SIDE : TOGETHER;
}

void wfi_nearness_plan(const weft_ctx *ctx, const weft_graph *g, const wfi_nearness *q, wfi_choice *choice) {
    wfi_near t = near_of(g, q);
    wfi_workspace *w = &choice->space, before = *w;
    arrays a;
    choice->variant = variant_of(ctx, &t, q);
    for (bool again = true; again;) {
        *w = before;
        if (needs_in(q)) wfi_need_in(w, ctx, g);
        lay_out(w, ctx, &t, q, choice->variant, &a);
        again = choice->variant == SIDE_BY_SIDE && !wfi_workspace_fits(w, ctx);
        if (again) choice->variant = TOGETHER;
    }
    choice->method = wfi_nearness_methods[choice->variant];
    if (choice->variant == BY_WEIGHTS)
        snprintf(choice->reason, sizeof choice->reason, "weights count");
    else if (choice->variant == BY_BALLS)
        snprintf(choice->reason, sizeof choice->reason, "an estimate is asked for");
    else
        snprintf(choice->reason, sizeof choice->reason, "%llu search%s; %s", (unsigned long long)wfi_near_hops_most(&t),
                 wfi_near_hops_most(&t) == 1 ? "" : "es",
                 choice->variant == SIDE_BY_SIDE ? "there is memory for 512 on each core"
                                                 : "512 at a time suffice, or are all that there is memory for");
}

/* Marks what is in the lists; vertices outside of `of` have no value. */
static uint64_t mark(const wfi_near *t) {
    uint64_t vertices = t->valued ? 0 : t->g->n;
    for (weft_vid v = 0; v < t->g->n; v++) t->value[v] = t->valued ? (double)NAN : 0;
    if (t->valued) memset(t->valued, 0, t->g->n);
    if (t->counted) memset(t->counted, 0, t->g->n);
    for (uint64_t i = 0; i < t->of_count; i++) {
        vertices += !t->valued[t->of[i]];
        t->valued[t->of[i]] = 1;
        t->value[t->of[i]] = 0;
    }
    for (uint64_t i = 0; i < t->source_count; i++) t->counted[t->sources[i]] = 1;
    return vertices;
}

weft_status wfi_nearness_run(wfi_job *job, const wfi_nearness *q) {
    wfi_near t = near_of(job->g, q);
    int variant = job->choice->variant;
    arrays a;
    lay_out(job->space, job->ctx, &t, q, variant, &a);
    weft_status st = job->space->status;
    if (st) return st;
    t.value = a.value;
    t.valued = a.valued;
    t.counted = a.counted;
    uint64_t vertices = mark(&t);
    if (variant == BY_WEIGHTS)
        st = wfi_near_by_lengths(job->ctx, &t, &a.lengths);
    else if (variant == BY_BALLS)
        st = wfi_near_by_balls(job->ctx, &t, &a.balls);
    else
        st = wfi_near_by_hops(job->ctx, &t, &a.hops);
    if (!st) st = wfi_result_scalar_u64(job->ctx, job->result, "vertices", vertices);
    if (st || variant != BY_BALLS) return st;
    return wfi_result_scalar_f64(job->ctx, job->result, "standard_error", 1.04 / sqrt((double)q->registers));
}

/* --- checks ----------------------------------------------------------------------------- */

static weft_status check_weights(weft_ctx *ctx, const weft_graph *g, const wfi_nearness *q) {
    weft_status st = wfi_check_weights(ctx, g, q->near.name, q->weights);
    if (!q->weights) wfi_note_weights_unused(ctx, g, q->near.name);
    return st || !q->weights ? st : wfi_check_not_negative(ctx, g, q->near.name);
}

static weft_status check_estimate(weft_ctx *ctx, const wfi_nearness *q) {
    const char *name = q->near.name;
    if (q->registers & (q->registers - 1))
        return wfi_fail(ctx, WEFT_EINVAL, "%s: `registers` is %llu, and must be a power of two", name,
                        (unsigned long long)q->registers);
    if (!q->estimate && q->registers != standard.registers)
        return wfi_fail(ctx, WEFT_EINVAL, "%s: `registers` is about sketches, which are made with `estimate`", name);
    if (!q->estimate) return WEFT_OK;
    if (q->weights) return wfi_fail(ctx, WEFT_EINVAL, "%s: `estimate` is by hops, and excludes `weights`", name);
    if (q->near.of || q->near.sources)
        return wfi_fail(ctx, WEFT_EINVAL, "%s: `estimate` is of all vertices, and excludes `%s`", name,
                        q->near.of ? "of" : "sources");
    return WEFT_OK;
}

weft_status wfi_nearness_validate(weft_ctx *ctx, const weft_graph *g, const wfi_nearness *q) {
    if ((unsigned)q->direction > WEFT_SIDE_IN)
        return wfi_fail(ctx, WEFT_EINVAL, "%s: there is no such direction", q->near.name);
    weft_status st = check_estimate(ctx, q);
    if (!st) st = wfi_check_vertices(ctx, g, q->near.name, "of", q->near.of, q->near.of_count);
    if (!st) st = wfi_check_vertices(ctx, g, q->near.name, "sources", q->near.sources, q->near.source_count);
    return st ? st : check_weights(ctx, g, q);
}

/* 512 searches look at an arc some eight times; by weights each does once, and a heap is dear; sketches are lines. */
void wfi_nearness_work(const weft_graph *g, const wfi_nearness *q, wfi_work *w) {
    wfi_near t = q->near;
    weft_graph like = {.n = g ? g->n : 1000000};
    t.g = &like;
    double searches = (double)(q->weights && !t.of ? like.n : wfi_near_hops_most(&t));
    w->passes = q->estimate  ? 8 * (double)q->registers / 64
                : q->weights ? 20 * searches
                             : 8 * (searches / WFI_MANY + 1);
    w->levels = 1;
}
