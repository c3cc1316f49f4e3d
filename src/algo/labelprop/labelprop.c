/* labelprop: communities by synchronous label propagation, as defined by LDBC's CDLP.
 * Initially every vertex is its own label.  In each step all vertices at once take the most frequent label among their
 * neighbours, the smallest of equally frequent labels.  In a directed graph both directions count, so a neighbour in
 * both directions counts twice; parallel arcs and loops count once per arc.  A vertex without arcs keeps its label.
 * [1] Raghavan, Albert, Kumara, "Near linear time algorithm to detect community structures", Phys. Rev. E 76 (2007).
 * [2] Iosup et al., "The LDBC Graphalytics benchmark", arXiv 2011.15028. */
#include "weft/labelprop.h"
#include "algo/labelprop/labelprop_bodies.h"
#include "ranks/spread.h"
#include "run/method.h"

WFI_STEPS(labels_state, LABELS_STEPS)
WFI_OP_GROUP(vote)
WFI_OP_PUSH(labels_wake)

/* Runs a step over all n vertices of the graph on every rank; every rank computes the same. */
static void everywhere(wfi_ops *o, const wfi_op *op, labels_state *s, wfi_op_totals *to) {
    wfi_ops all = *o;
    all.mine = o->n;
    wfi_ops_vertices(&all, op, s, to);
    o->status = all.status;
    o->stop = all.stop;
}

/* *none: no arc repeats another, so that the first step may take the smallest neighbour (labels_smallest). */
static weft_status look_for_repeats(wfi_ops *o, labels_state *s, bool directed, bool *none) {
    wfi_op_totals found = {.most = {0}};
    *none = false;
    if (directed || s->group.wide) return WEFT_OK;
    wfi_ops_repeats(o, o->out, s->total);
    weft_status st = wfi_ops_total(o, s->total, &found);
    *none = !found.count[0];
    return st;
}

/* Marks the vertices with a changed neighbour as active, where marking costs a fraction of counting all rows.  Several
 * ranks would have to exchange the marks; they count all rows instead. */
static void wake(wfi_ops *o, labels_state *s, uint64_t volume) {
    const wfi_view *in = wfi_group_in(o);
    s->sparse = wfi_spread_is_whole(o->spread) && volume < (in ? 2 : 1) * o->spread->g->arcs / 4;
    if (!s->sparse) return;
    wfi_ops_vertices(o, &labels_sleep_op, s, NULL);
    wfi_ops_rows(o, &labels_wake_op, o->out, s, NULL);
    if (in) wfi_ops_rows(o, &labels_wake_op, in, s, NULL);
}

/* State of a checkpoint: the labels one and two steps ago, and whether they repeat. */
static wfi_state kept(const labels_state *s, bool repeats) {
    weft_vid *now = s->next == s->label ? s->other : s->label;
    return (wfi_state){.column = {{now, sizeof *now, true}, {s->next, sizeof *now, true}}, .number = {repeats}};
}

/* One step from s->now to s->next; the two pointers are exchanged at the end. */
static weft_status step(wfi_ops *o, labels_state *s, bool smallest, wfi_op_totals *t) {
    if (smallest)
        wfi_ops_vertices(o, &labels_smallest_op, s, s->total);
    else
        wfi_ops_group(o, &vote_op, &s->group, s, s->total);
    weft_status st = wfi_ops_gather(o, s->next, sizeof *s->next);
    if (!st) st = wfi_ops_total(o, s->total, t);
    s->now = s->next;
    s->next = s->now == s->label ? s->other : s->label;
    return st;
}

/* *done: number of steps computed.  On return s->now has the labels after `steps` steps. */
static weft_status spread_labels(wfi_ops *o, labels_state *s, wfi_job *job, uint64_t steps, uint64_t *done) {
    wfi_state state = kept(s, false);
    bool smallest = false;
    uint64_t i;
    weft_status st = wfi_checkpoint_resume(job->checkpoint, &state, &i);
    bool repeats = state.number[0] != 0;
    if (!st && !i && steps) st = look_for_repeats(o, s, job->g->directed, &smallest);
    while (!st && i < steps && !repeats) {
        wfi_op_totals t = {.most = {0}};
        wfi_progress(o->ctx, "spreading labels", i, steps);
        st = step(o, s, smallest && !i, &t);
        if (st) return st;
        i++;
        repeats = !t.count[LABELS_CHANGED] || (i > 1 && !t.count[LABELS_DIFFER]);
        state = kept(s, repeats);
        st = wfi_checkpoint_reached(job->checkpoint, &state, i);
        if (!st && i < steps && !repeats) wake(o, s, t.count[LABELS_VOLUME]);
    }
    /* s->now has step i, s->next step i - 1.  Repeating labels alternate between the two: the parity selects. */
    if (repeats && (steps - i) % 2) s->now = s->next;
    *done = i;
    return st;
}

static weft_status drive(wfi_ops *o, void *state, wfi_job *job) {
    labels_state *s = state;
    wfi_op_totals t = {.most = {0}};
    uint64_t done = 0;
    s->now = s->label;
    s->next = s->other;
    s->first = o->first;
    s->out = *o->out;
    if (wfi_group_in(o)) s->in = *o->in;
    everywhere(o, &labels_begin_op, s, NULL);
    weft_status st = wfi_group_begin(o, "labelprop", job->g, &s->group);
    if (!st) st = spread_labels(o, s, job, ((const weft_labelprop_params *)job->params)->max_iterations, &done);
    if (st) return st;
    if (s->now != s->label) everywhere(o, &labels_keep_op, s, NULL);
    everywhere(o, &labels_clear_op, s, NULL);
    everywhere(o, &labels_occur_op, s, NULL);
    everywhere(o, &labels_count_op, s, s->total);
    st = wfi_ops_read(o, s->total, 1, &t);
    if (!st) st = wfi_result_scalar_u64(o->ctx, job->result, "communities", t.count[LABELS_COMMUNITIES]);
    return st ? st : wfi_result_scalar_u64(o->ctx, job->result, "iterations", done);
}

/* --- descriptor ------------------------------------------------------------------------------------------ */

static bool weighted(const void *params) { return ((const weft_labelprop_params *)params)->weights; }
static uint64_t iterations(const void *params) { return ((const weft_labelprop_params *)params)->max_iterations; }

#define AT(field) offsetof(labels_state, field)
static const wfi_array_info arrays[] = {
    {"label", WFI_COLUMN, WEFT_VERTEX, WFI_OF_ALL, AT(label), NULL, false},
    {"other", WFI_ARRAY, WEFT_VERTEX, WFI_OF_ALL, AT(other), NULL, false},
    {"active", WFI_ARRAY, WEFT_U8, WFI_OF_MINE, AT(active), NULL, false},
    {"total", WFI_TOTALS, WEFT_U64, WFI_OF_ONE, AT(total), NULL, false},
};
static const wfi_method method = {.arrays = arrays,
                                  .array_count = WFI_LENGTH(arrays),
                                  .state_size = sizeof(labels_state),
                                  .sides = WFI_OUT_ROWS | WFI_IN_ROWS,
                                  .drive = drive,
                                  .weighted = weighted,
                                  .gathered = sizeof(weft_vid),
                                  .iterations = iterations,
                                  .group = AT(group)};

/* A step is a pass over the arcs; most graphs are stable after a few steps. */
static void work(const weft_graph *g, const void *params, wfi_work *to) {
    (void)g;
    double steps = (double)wfi_min_u64(((const weft_labelprop_params *)params)->max_iterations, 8);
    *to = (wfi_work){.passes = steps, .levels = steps};
}

static double model_bytes(const weft_graph *g, const void *params, const weft_result *result) {
    if (((const weft_labelprop_params *)params)->weights) return 0;
    double sides = g->directed ? 2 : 1;
    return wfi_iterations_of(result) * (8.0 * sides * (double)g->arcs + (8.0 + 8.0 * sides) * g->n);
}

static const weft_param_info params_info[] = {
    {"max-iterations", WEFT_PARAM_U64, offsetof(weft_labelprop_params, max_iterations), "10", 0, 1e9, NULL,
     "number of steps; the result is that of exactly this number, even if fewer have to be computed"},
    {"weights", WEFT_PARAM_BOOL, offsetof(weft_labelprop_params, weights), "no", 0, 1, NULL,
     "an arc votes with its weight: the label with the largest sum wins"},
};
static const weft_result_info results[] = {
    {"label", WEFT_VERTEX, WEFT_SHAPE_VERTICES, "the community, named after one of the graph's vertices"},
    {"communities", WEFT_U64, WEFT_SHAPE_SCALAR, "number of distinct labels"},
    {"iterations", WEFT_U64, WEFT_SHAPE_SCALAR, "number of steps computed: fewer than asked for if labels repeat"},
};

static const char *const methods[] = {
    "synchronous counting",
};

const wfi_algorithm wfi_algorithm_labelprop = {
    WFI_DESCRIBE(labelprop, (const weft_labelprop_params)WEFT_LABELPROP_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "communities by label propagation (LDBC's CDLP)",
    .info.top_by = "label",
    .info.weights = "weights",
    .info.model = "in an iteration 8 an arc and side (target, label), 8 a vertex and side (offset), 8 (labels)",
    .info.checkpoints = 1,
    .info.groups = "label",
    .model_bytes = model_bytes,
    WFI_ON_OPERATORS(method),
    .work = work,
    .sends_exactly = true,
};
