/* See communities.h. */
#include "algo/leiden/communities.h"
#include "algo/leiden/community.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELD(name) offsetof(weft_leiden_params, name)
const weft_param_info wfi_community_params[WFI_COMMUNITY_PARAMS] = {
    {"resolution", WEFT_PARAM_F64, FIELD(resolution), "1", 0, 1e9, NULL,
     "above 0; larger values give smaller communities"},
    {"objective", WEFT_PARAM_CHOICE, FIELD(objective), "modularity", 0, 0, "modularity|cpm",
     "objective to maximise: modularity, or the constant Potts model"},
    {"iterations", WEFT_PARAM_U64, FIELD(iterations), "2", 0, 100, NULL,
     "iterations, each from the result of the one before; 0 = until nothing improves (at most 100)"},
    {"seed", WEFT_PARAM_U64, FIELD(seed), "0", 0, 1.8446744073709552e19, NULL,
     "random seed; other seeds give other answers of about the same quality"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, "an arc counts by its weight"},
    {"levels", WEFT_PARAM_BOOL, FIELD(levels), "no", 0, 1, NULL,
     "also the columns level_1, level_2, ...: groups within communities, from small to large"},
    {"initial", WEFT_PARAM_LABELS, FIELD(initial), "", 0, 0, NULL, "initial communities: a table of ids and labels"},
};

const weft_result_info wfi_community_results[WFI_COMMUNITY_RESULTS] = {
    {"community", WEFT_VERTEX, WEFT_SHAPE_VERTICES, "the community, named after its smallest vertex"},
    {"level_1", WEFT_VERTEX, WEFT_SHAPE_VERTICES,
     "with `levels`, and so on for level_2, ...: the group within the community, named likewise"},
    {"modularity", WEFT_F64, WEFT_SHAPE_SCALAR,
     "weight within communities less the weight expected of random edges, at resolution 1"},
    {"quality", WEFT_F64, WEFT_SHAPE_SCALAR,
     "the optimised objective: modularity at `resolution`, or the constant Potts model"},
    {"count", WEFT_U64, WEFT_SHAPE_SCALAR, "number of communities"},
    {"largest", WEFT_U64, WEFT_SHAPE_SCALAR, "vertices of the largest community"},
    {"levels", WEFT_U64, WEFT_SHAPE_SCALAR, "number of levels of the last iteration"},
    {"iterations", WEFT_U64, WEFT_SHAPE_SCALAR, "number of iterations, each from the result of the one before"},
};
const char *const wfi_community_methods[1] = {"moving in classes"};
const char *const wfi_community_on_request[2] = {"level_1", NULL};

weft_status wfi_community_validate(weft_ctx *ctx, const weft_graph *g, const void *params, const char *algorithm) {
    const weft_leiden_params *p = params;
    if (!(p->resolution > 0)) return wfi_fail(ctx, WEFT_EINVAL, "%s: `resolution` must be above 0", algorithm);
    if ((unsigned)p->objective > WEFT_OBJECTIVE_CPM) return wfi_fail(ctx, WEFT_EINVAL, "invalid `objective`");
    if (!p->weights) wfi_note_weights_unused(ctx, g, algorithm);
    return wfi_check_weights(ctx, g, algorithm, p->weights);
}

const wfi_community_task *wfi_community_plan_task(const weft_graph *g, const weft_leiden_params *p, wfi_choice *choice) {
    wfi_community_task *t = WFI_DECIDED(wfi_community_task, choice);
    *t = (wfi_community_task){.algorithm = choice->algorithm->info.name,
                              .g = g,
                              .refine = *(const bool *)choice->algorithm->kind,
                              .cpm = p->objective == WEFT_OBJECTIVE_CPM,
                              .weights = p->weights,
                              .levels = p->levels,
                              .resolution = p->resolution,
                              .iterations = p->iterations,
                              .seed = p->seed,
                              .initial = p->initial};
    return t;
}

/* --- columns --------------------------------------------------------------------------------------------- */

static const char *const level_names[WFI_COMMUNITY_LEVELS] = {
    "level_1",  "level_2",  "level_3",  "level_4",  "level_5",  "level_6",  "level_7",  "level_8",
    "level_9",  "level_10", "level_11", "level_12", "level_13", "level_14", "level_15", "level_16",
    "level_17", "level_18", "level_19", "level_20", "level_21", "level_22", "level_23", "level_24",
    "level_25", "level_26", "level_27", "level_28", "level_29", "level_30", "level_31", "level_32"};

void wfi_community_lay_out(wfi_workspace *w, const wfi_community_task *t, wfi_community_arrays *r) {
    const uint64_t n = t->g->n, some = t->levels ? n : 0;
    wfi_column(w, "community", WEFT_VERTEX, n, &r->columns.label);
    wfi_array_within(w, &r->kept, some * (WFI_COMMUNITY_LEVELS - 1));
    wfi_array(w, &r->first, t->levels ? n + 1 : 0);
    wfi_array(w, &r->list, some);
    wfi_array(w, &r->seen_in, some);
    wfi_array(w, &r->least, some);
    for (unsigned i = 0; t->levels && i < WFI_COMMUNITY_LEVELS; i++) {
        wfi_growth(w, n * sizeof(weft_vid));
        r->columns.level[i] = r->kept && i + 1 < WFI_COMMUNITY_LEVELS ? r->kept + i * n : NULL;
    }
}

uint64_t wfi_community_bytes_a_vertex(const void *params) {
    const weft_leiden_params *p = params;
    return sizeof(weft_vid) * (p->levels ? 1 + WFI_COMMUNITY_LEVELS : 1);
}

/* Names the groups of a level: at[v], the vertex of the level that contains v, becomes the smallest vertex that has the
 * same one and is in v's community.
 * Method: vertices are sorted by their vertex of the level; within such a run, communities are told apart by their
 * first occurrence. */
static void name_level(weft_vid n, const weft_vid *community, weft_vid *at, wfi_community_arrays *r) {
    memset(r->first, 0, ((size_t)n + 1) * sizeof *r->first);
    for (weft_vid v = 0; v < n; v++)
        if (at[v] != WEFT_NO_VERTEX) r->first[at[v]]++;
    weft_vid sum = 0;
    for (weft_vid x = 0; x <= n; x++) {
        sum += r->first[x];
        r->first[x] = sum; /* the end of the run; filling decrements it to the begin */
    }
    for (weft_vid v = n; v-- > 0;)
        if (at[v] != WEFT_NO_VERTEX) r->list[--r->first[at[v]]] = v;
    for (weft_vid c = 0; c < n; c++) r->seen_in[c] = WEFT_NO_VERTEX;
    for (weft_vid x = 0; x < n; x++)
        for (weft_vid i = r->first[x]; i < r->first[x + 1]; i++) {
            weft_vid v = r->list[i], c = community[v];
            if (r->seen_in[c] != x) r->least[c] = v;
            r->seen_in[c] = x;
            at[v] = r->least[c];
        }
    for (weft_vid v = 0; v < n; v++)
        if (at[v] == WEFT_NO_VERTEX) at[v] = v;
}

/* Adds a column for each level that differs from the next, the communities being the last level. */
static weft_status add_levels(wfi_job *job, wfi_community_arrays *r, uint64_t levels) {
    const weft_vid n = job->g->n, *community = r->columns.label;
    const size_t bytes = (size_t)n * sizeof *community;
    const unsigned kept = (unsigned)wfi_min_u64(levels, WFI_COMMUNITY_LEVELS - 1);
    unsigned made = 0;
    weft_status st = WEFT_OK;
    for (unsigned i = 0; i < kept && !st; i++) {
        if (wfi_cancelled(job->ctx)) return wfi_fail_cancelled(job->ctx);
        name_level(n, community, r->columns.level[i], r);
    }
    for (unsigned i = 0; i <= kept && !st; i++) {
        const weft_vid *level = i < kept ? r->columns.level[i] : community;
        const weft_vid *next = i + 1 < kept ? r->columns.level[i + 1] : community;
        weft_vid *column;
        if (i < kept && !memcmp(level, next, bytes)) continue;
        st = wfi_result_column(job->ctx, job->result,
                               wfi_new_column(level_names[made++], WEFT_VERTEX, WEFT_SHAPE_VERTICES, n), &column);
        if (!st) memcpy(column, level, bytes);
    }
    return st;
}

/* --- plans and runs -------------------------------------------------------------------------------------- */

weft_status wfi_community_finish(wfi_job *job, const wfi_community_task *t, wfi_community_arrays *r,
                                 const wfi_community_found *f) {
    weft_status st = t->levels ? add_levels(job, r, f->levels) : WEFT_OK;
    return st ? st
              : WFI_TELL(job->ctx, job->result, WFI_F64("modularity", f->modularity), WFI_F64("quality", f->quality),
                         WFI_U64("count", f->sums.count), WFI_U64("largest", f->sums.largest),
                         WFI_U64("levels", f->levels), WFI_U64("iterations", f->iterations));
}

void wfi_community_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const wfi_community_task *t = wfi_community_plan_task(g, params, choice);
    wfi_community_arrays r;
    bool make = wfi_need_in(&choice->space, ctx, g);
    snprintf(choice->reason, sizeof choice->reason, "%s",
             !g->directed ? "undirected: one row a vertex"
             : make       ? "directed: the transpose is made first, because both directions count"
                          : "directed, with its transpose at hand");
    wfi_community_lay_out(&choice->space, t, &r);
    wfi_community_space_cpu(&choice->space, ctx, t);
}

weft_status wfi_community_run_cpu(wfi_job *job) {
    const wfi_community_task *t = WFI_DECIDED(wfi_community_task, job->choice);
    wfi_community_arrays r;
    wfi_community_found found;
    wfi_community_lay_out(job->space, t, &r);
    weft_status st = job->space->status;
    if (!st) st = wfi_community_cpu(job->ctx, t, job->space, &r.columns, &found);
    return st ? st : wfi_community_finish(job, t, &r, &found);
}

/* 8 passes and 150 rounds for each iteration; 5 iterations if their number is open. */
void wfi_community_work(const weft_graph *g, const void *params, wfi_work *work) {
    const weft_leiden_params *p = params;
    double iterations = p->iterations ? (double)p->iterations : 5;
    (void)g;
    *work = (wfi_work){.passes = 8 * iterations, .levels = 150 * iterations};
}
