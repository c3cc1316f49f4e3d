/* See nearness.h. */
#include "algo/closeness/nearness.h"
#include "weft/closeness.h"
#include "weft/harmonic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const wfi_nearness_methods[WFI_NEARNESS_METHODS] = {"512 searches at once, each core its own",
                                                                "512 searches at once, cores share them",
                                                                "a search by weights from each vertex",
                                                                "HyperBall",
                                                                "1,024 searches at once, one kernel",
                                                                "HyperBall, one kernel",
                                                                "pruned searches"};
const char *const wfi_nearness_on_request[2] = {"standard_error", NULL};

static const weft_closeness_params standard = WEFT_CLOSENESS_DEFAULTS;

typedef struct arrays {
    wfi_closeness_hops hops;
    wfi_closeness_lengths lengths;
    wfi_closeness_balls balls;
    wfi_closeness_first first;
    wfi_closeness_best best;
} arrays;

wfi_nearness *wfi_nearness_decide(const weft_graph *g, const void *params, wfi_choice *choice) {
    const wfi_nearness_kind *kind = choice->algorithm->kind;
    wfi_nearness *q = WFI_DECIDED(wfi_nearness, choice);
    const wfi_view *in = g->directed ? &g->in : &g->out;
    *q = kind->asked(params);
    q->near.g = g;
    q->near.along = q->direction == WEFT_SIDE_OUT ? in : &g->out;
    q->near.back = q->direction == WEFT_SIDE_OUT ? &g->out : in;
    return q;
}

void wfi_nearness_lay_out(wfi_workspace *w, wfi_closeness *t) {
    wfi_column(w, t->name, WEFT_F64, t->g->n, &t->value);
    wfi_array(w, &t->valued, t->of ? t->g->n : 0);
    wfi_array(w, &t->counted, t->sources ? t->g->n : 0);
    if (!t->of) t->valued = NULL;
    if (!t->sources) t->counted = NULL;
}

/* By hops, searches look ahead and back; else rows lead from the vertices that are asked for. */
static bool needs_in(const wfi_nearness *q) { return q->direction != WEFT_SIDE_OUT || !(q->weights || q->estimate); }

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, wfi_closeness *t, const wfi_nearness *q, int method,
                    arrays *a) {
    wfi_nearness_lay_out(w, t);
    wfi_closeness_best_lay_out(w, t, &a->best);
    uint64_t phase = wfi_mark(w);
    if (method == WFI_CLOSENESS_PRUNED) wfi_closeness_first_lay_out(w, ctx, t, &a->first);
    wfi_rewind(w, phase);
    if (method == WFI_CLOSENESS_WEIGHTS)
        wfi_closeness_lengths_lay_out(w, ctx, t, &a->lengths);
    else if (method == WFI_CLOSENESS_BALLS)
        wfi_closeness_balls_lay_out(w, t, q->registers, &a->balls);
    else
        wfi_closeness_hops_lay_out(w, ctx, t, method == WFI_CLOSENESS_SIDE_BY_SIDE ? q->at_once : 1, &a->hops);
}

/* Of few vertices of many: of more, too many searches would go on to the end. */
static bool prunes(const wfi_closeness *t) { return t->first && !t->of && !t->sources && t->first <= t->g->n / 8; }

static int method_of(const wfi_closeness *t, const wfi_nearness *q) {
    if (q->estimate) return WFI_CLOSENESS_BALLS;
    if (q->weights) return WFI_CLOSENESS_WEIGHTS;
    if (prunes(t)) return WFI_CLOSENESS_PRUNED;
    return q->at_once > 1 ? WFI_CLOSENESS_SIDE_BY_SIDE : WFI_CLOSENESS_TOGETHER;
}

void wfi_nearness_plan(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_nearness *q = wfi_nearness_decide(g, params, choice);
    wfi_closeness t = q->near;
    wfi_workspace *w = &choice->space, before = *w;
    arrays a;
    q->at_once = wfi_closeness_hops_at_once(ctx, &t);
    choice->method = method_of(&t, q);
    for (bool again = true; again;) {
        *w = before;
        if (needs_in(q)) wfi_need_in(w, ctx, g);
        lay_out(w, ctx, &t, q, choice->method, &a);
        again = (choice->method == WFI_CLOSENESS_SIDE_BY_SIDE || choice->method == WFI_CLOSENESS_PRUNED) &&
                !wfi_workspace_fits(w, ctx);
        if (again) choice->method = WFI_CLOSENESS_TOGETHER;
    }
    if (choice->method == WFI_CLOSENESS_WEIGHTS)
        snprintf(choice->reason, sizeof choice->reason, "weights count");
    else if (choice->method == WFI_CLOSENESS_BALLS)
        snprintf(choice->reason, sizeof choice->reason, "an estimate is asked for");
    else if (choice->method == WFI_CLOSENESS_PRUNED)
        snprintf(choice->reason, sizeof choice->reason,
                 "only the first %llu have a value; 512 searches at once if pruned ones look at more arcs",
                 (unsigned long long)q->near.first);
    else
        snprintf(choice->reason, sizeof choice->reason, "%llu search%s; %s",
                 (unsigned long long)wfi_closeness_hops_most(&t), wfi_closeness_hops_most(&t) == 1 ? "" : "es",
                 choice->method == WFI_CLOSENESS_SIDE_BY_SIDE
                     ? "there is memory for 512 on each core"
                     : "512 at a time suffice, or are all that there is memory for");
}

uint64_t wfi_nearness_mark(wfi_closeness *t) {
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

weft_status wfi_nearness_finish(wfi_job *job, const wfi_nearness *q, const wfi_closeness *t, wfi_closeness_best *best,
                                uint64_t vertices) {
    if (t->first) vertices = wfi_closeness_keep_first(t, best);
    weft_status st = wfi_result_scalar_u64(job->ctx, job->result, "vertices", vertices);
    if (st || !q->estimate) return st;
    return wfi_result_scalar_f64(job->ctx, job->result, "standard_error", 1.04 / sqrt((double)q->registers));
}

weft_status wfi_nearness_run(wfi_job *job) {
    const wfi_nearness *q = WFI_DECIDED(wfi_nearness, job->choice);
    wfi_closeness t = q->near;
    int method = job->choice->method;
    arrays a;
    bool found = false;
    lay_out(job->space, job->ctx, &t, q, method, &a);
    weft_status st = job->space->status;
    if (st) return st;
    uint64_t vertices = wfi_nearness_mark(&t);
    if (method == WFI_CLOSENESS_PRUNED) {
        st = wfi_closeness_by_pruning(job->ctx, &t, &a.first, &a.best, &found);
        if (st || found) return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "vertices", a.best.count);
    }
    if (method == WFI_CLOSENESS_WEIGHTS)
        st = wfi_closeness_by_lengths(job->ctx, &t, &a.lengths);
    else if (method == WFI_CLOSENESS_BALLS)
        st = wfi_closeness_by_balls(job->ctx, &t, &a.balls);
    else
        st = wfi_closeness_by_hops(job->ctx, &t, &a.hops);
    return st ? st : wfi_nearness_finish(job, q, &t, &a.best, vertices);
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

const char *wfi_nearness_serves_cuda(bool weights) {
    return weights ? "distances by weights are searched for on the CPU" : NULL;
}

/* 512 searches look at an arc some eight times; by weights each does once, and a heap is dear; sketches are lines. */
void wfi_nearness_work(const weft_graph *g, const wfi_nearness *q, wfi_work *w) {
    wfi_closeness t = q->near;
    t.g = g;
    double searches = (double)(q->weights && !t.of ? g->n : wfi_closeness_hops_most(&t));
    w->passes = q->estimate  ? 8 * (double)q->registers / 64
                : q->weights ? 20 * searches
                             : 8 * (searches / WFI_MSBFS + 1);
    w->levels = 1;
}
