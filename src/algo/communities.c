/* See communities.h. */
#include "algo/communities.h"
#include "community/community.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELD(name) offsetof(weft_leiden_params, name)
const weft_param_info wfi_community_params[WFI_COMMUNITY_PARAMS] = {
    {"resolution", WEFT_PARAM_F64, FIELD(resolution), "1", 0, 1e9, NULL,
     "above 0; more makes communities smaller, less makes them larger"},
    {"objective", WEFT_PARAM_CHOICE, FIELD(objective), "modularity", 0, 0, "modularity|cpm",
     "what communities are good by: modularity, or the constant Potts model"},
    {"iterations", WEFT_PARAM_U64, FIELD(iterations), "2", 0, 100, NULL,
     "how often to begin again from what was found; 0 = until nothing improves"},
    {"seed", WEFT_PARAM_U64, FIELD(seed), "0", 0, 1.8446744073709552e19, NULL,
     "another order of moves: another answer of about the same quality"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, "an arc counts by its weight"},
    {"levels", WEFT_PARAM_BOOL, FIELD(levels), "no", 0, 1, NULL,
     "columns level_1, level_2, ... as well: groups within communities, from small to large"},
    {"initial", WEFT_PARAM_LABELS, FIELD(initial), "", 0, 0, NULL, "communities to begin with"},
};

const weft_result_info wfi_community_results[WFI_COMMUNITY_RESULTS] = {
    {"community", WEFT_VERTEX, WEFT_SHAPE_VERTICES, "the community, named after its smallest vertex"},
    {"level_1", WEFT_VERTEX, WEFT_SHAPE_VERTICES,
     "with `levels`, and level_2 and so on: the group within the community, named likewise"},
    {"modularity", WEFT_F64, WEFT_SHAPE_SCALAR, "weight within communities, less what random edges would bring"},
    {"quality", WEFT_F64, WEFT_SHAPE_SCALAR, "of the objective: the same, or that of the constant Potts model"},
    {"count", WEFT_U64, WEFT_SHAPE_SCALAR, "number of communities"},
    {"largest", WEFT_U64, WEFT_SHAPE_SCALAR, "vertices of the largest one"},
    {"levels", WEFT_U64, WEFT_SHAPE_SCALAR, "graphs of groups that were made in the last iteration"},
    {"iterations", WEFT_U64, WEFT_SHAPE_SCALAR, "how often the search began again"},
};
const char *const wfi_community_methods[1] = {"moving in classes"};
const char *const wfi_community_on_request[2] = {"level_1", NULL};

weft_status wfi_community_validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_leiden_params *p = params;
    if (!(p->resolution > 0)) return wfi_fail(ctx, WEFT_EINVAL, "resolution must be above 0");
    if ((unsigned)p->objective > WEFT_OBJECTIVE_CPM) return wfi_fail(ctx, WEFT_EINVAL, "there is no such objective");
    for (weft_vid v = 0; p->initial && v < g->n; v++)
        if (p->initial[v] >= g->n)
            return wfi_fail(ctx, WEFT_EINVAL, "initial: the label of vertex %u is %u, not below %u", v, p->initial[v],
                            g->n);
    return WEFT_OK;
}

wfi_community_task wfi_community_task_of(const char *algorithm, const weft_graph *g, const weft_leiden_params *p) {
    return (wfi_community_task){.algorithm = algorithm,
                                .g = g,
                                .refine = strcmp(algorithm, "leiden") == 0,
                                .cpm = p->objective == WEFT_OBJECTIVE_CPM,
                                .weights = p->weights,
                                .levels = p->levels,
                                .resolution = p->resolution,
                                .iterations = p->iterations,
                                .seed = p->seed,
                                .initial = p->initial};
}

void wfi_community_lay_columns(wfi_workspace *w, const wfi_community_task *t, wfi_community_columns *c) {
    wfi_column(w, "community", WEFT_VERTEX, t->g->n, &c->label);
}

weft_status wfi_community_scalars(wfi_job *job, const wfi_community_found *f) {
    weft_ctx *ctx = job->ctx;
    weft_status st = wfi_result_scalar_f64(ctx, job->result, "modularity", f->modularity);
    if (!st) st = wfi_result_scalar_f64(ctx, job->result, "quality", f->quality);
    if (!st) st = wfi_result_scalar_u64(ctx, job->result, "count", f->sums.count);
    if (!st) st = wfi_result_scalar_u64(ctx, job->result, "largest", f->sums.largest);
    if (!st) st = wfi_result_scalar_u64(ctx, job->result, "levels", f->levels);
    return st ? st : wfi_result_scalar_u64(ctx, job->result, "iterations", f->iterations);
}

void wfi_community_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_community_task t = wfi_community_task_of(choice->algorithm->info.name, g, params);
    wfi_community_columns c;
    bool make = wfi_need_in(&choice->space, ctx, g);
    choice->method = wfi_community_methods[0];
    snprintf(choice->reason, sizeof choice->reason, "%s",
             !g->directed ? "undirected: one row a vertex"
             : make       ? "directed: the transpose is made first, because both directions count"
                          : "directed, with its transpose at hand");
    wfi_community_lay_columns(&choice->space, &t, &c);
    wfi_community_space_cpu(&choice->space, ctx, &t);
}

weft_status wfi_community_run_cpu(wfi_job *job) {
    wfi_community_task t = wfi_community_task_of(job->choice->algorithm->info.name, job->g, job->params);
    wfi_community_columns c;
    wfi_community_found found;
    wfi_community_lay_columns(job->space, &t, &c);
    weft_status st = job->space->status;
    if (!st) st = wfi_community_cpu(job->ctx, &t, job->space, &c, &found);
    return st ? st : wfi_community_scalars(job, &found);
}

/* Ten to thirty passes, in some hundred rounds. */
void wfi_community_work(const weft_graph *g, const void *params, wfi_work *work) {
    const weft_leiden_params *p = params;
    double iterations = p->iterations ? (double)p->iterations : 5;
    (void)g;
    *work = (wfi_work){.passes = 8 * iterations, .levels = 150 * iterations};
}
