/* layout: descriptor, plan and run: multilevel force-directed layout of one component after the other, the largest
 * first, then packing.  The definition is in docs/algo, the method in layout.h. */
#include "algo/layout/layout.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 1 << 9 };

void wfi_layout_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const weft_layout_params *p,
                        wfi_layout_arrays *a) {
    uint64_t arcs = g->directed ? 2 * g->arcs : g->arcs;
    wfi_column(w, "x", WEFT_F32, g->n, &a->x);
    wfi_column(w, "y", WEFT_F32, g->n, &a->y);
    wfi_weak_parts_lay_out(w, g, &a->parts);
    wfi_array_within(w, &a->part, g->n);
    wfi_array_within(w, &a->frame, g->n / 2);
    wfi_array_within(w, &a->pull, p->groups ? arcs : 0);
    wfi_levels_lay_out(w, ctx, g->n, arcs, &a->levels);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_layout_arrays a;
    wfi_need_in(&choice->space, ctx, g);
    snprintf(choice->reason, sizeof choice->reason, "forces between %u vertices by a tree", g->n);
    wfi_layout_lay_out(&choice->space, ctx, g, params, &a);
}

/* Finds all components and sorts them by size, the largest first. */
static weft_status sort_parts(weft_ctx *ctx, const weft_graph *g, const wfi_layout_arrays *a, weft_vid *count) {
    weft_status st = wfi_weak_parts_find(ctx, g, &a->parts);
    if (!st) st = wfi_weak_parts_rows(ctx, g, &a->parts, WEFT_SIDE_BOTH, 0, g->n);
    if (st) return st;
    *count = 0;
    for (weft_vid at = 0, end; at < g->n; at = end) {
        end = wfi_part_end(&a->parts, g->n, at);
        a->part[(*count)++] = wfi_part_key(at, end - at);
    }
    return wfi_sort_bits_in(ctx, &a->levels.steps.sort, (wfi_sort_keys){a->part, NULL, *count, 0, 64});
}

/* Weights of a component's arcs from the groups of their ends; NULL without groups. */
static const float *weigh_arcs(weft_ctx *ctx, const wfi_layout_arrays *a, const weft_vid *groups, weft_vid first,
                               weft_vid n) {
    const weft_eid *offsets = a->parts.offsets + first;
    const weft_vid *vertex = a->parts.order + first;
    if (!groups) return NULL;
#pragma omp parallel for schedule(dynamic, ROWS) num_threads(wfi_threads_for(ctx, n, ROWS))
    for (weft_vid v = 0; v < n; v++)
        for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++)
            a->pull[e] = groups[vertex[v]] == groups[vertex[a->parts.targets[e]]] ? WFI_TOGETHER : 1;
    return a->pull;
}

/* Separates vertices that ended at the same position: each but the first is moved a little to the right of the one
 * before, until all positions differ. */
static weft_status spread_out(weft_ctx *ctx, const wfi_layout_arrays *a, weft_vid n) {
    const wfi_steps *s = &a->levels.steps;
    for (bool again = n > 0; again;) {
        again = false;
        for (weft_vid v = 0; v < n; v++) {
            float at[2] = {a->x[v] + 0.0f, a->y[v] + 0.0f};
            memcpy(&s->key[v], at, sizeof at);
            s->order[v] = v;
        }
        weft_status st = wfi_sort_pairs_in(ctx, &s->sort, s->key, s->order, n, 64);
        if (st) return st;
        for (weft_vid i = 1, count = 1; i < n; i++) {
            count = s->key[i] == s->key[i - 1] ? count + 1 : 1;
            if (count == 1) continue;
            a->x[s->order[i]] += 1e-3f * (float)count * fmaxf(1, fabsf(a->x[s->order[i]]));
            again = true;
        }
    }
    return WEFT_OK;
}

weft_status wfi_layout_run(wfi_job *job, wfi_layout_arrays *a) {
    const weft_graph *g = job->g;
    const weft_layout_params *p = job->params;
    weft_ctx *ctx = job->ctx;
    weft_vid count = 0;
    weft_status st = sort_parts(ctx, g, a, &count);
    for (weft_vid k = 0; k < count && !st && wfi_part_size(a->part[k]) > 1; k++) {
        weft_vid first = wfi_part_first(a->part[k]), n = wfi_part_size(a->part[k]);
        wfi_level l = {.n = n,
                       .offsets = a->parts.offsets + first,
                       .targets = a->parts.targets,
                       .weights = weigh_arcs(ctx, a, p->groups, first, n)};
        st = wfi_lay_out_component(ctx, &a->levels, &l, p);
        if (!st) a->frame[k] = wfi_frame_part(&l, a->levels.at, a->parts.order + first, a->x, a->y);
    }
    if (st) return st;
    wfi_pack_parts(&a->parts, a->part, count, a->frame, a->x, a->y);
    st = spread_out(ctx, a, g->n);
    return st ? st : wfi_result_scalar_u64(ctx, job->result, "components", count);
}

static weft_status run_cpu(wfi_job *job) {
    wfi_layout_arrays a;
    wfi_layout_lay_out(job->space, job->ctx, job->g, job->params, &a);
    a.levels.relax = wfi_relax_cpu;
    a.levels.done = a.levels.total = 0;
    return job->space->status ? job->space->status : wfi_layout_run(job, &a);
}

static const weft_param_info params_info[] = {
    {"steps", WEFT_PARAM_U64, offsetof(weft_layout_params, steps), "75", 1, 1e6, NULL,
     "number of moves of the vertices of each level"},
    {"seed", WEFT_PARAM_U64, offsetof(weft_layout_params, seed), "1", 0, 18446744073709551615.0, NULL, "random seed"},
    {"groups", WEFT_PARAM_LABELS, offsetof(weft_layout_params, groups), "", 0, 0, NULL,
     "groups to be drawn apart, such as communities"},
};
static const weft_result_info results[] = {
    {"x", WEFT_F32, WEFT_SHAPE_VERTICES, "to the right"},
    {"y", WEFT_F32, WEFT_SHAPE_VERTICES, "upwards"},
    {"components", WEFT_U64, WEFT_SHAPE_SCALAR, "weak components, each laid out by itself"},
};
static const char *const methods[] = {"levels of forces"};

static void work(const weft_graph *g, const void *params, wfi_work *w) {
    const weft_layout_params *p = params;
    (void)g;
    *w = (wfi_work){.passes = 1.4 * (double)p->steps, .levels = 10.0 * (double)p->steps};
}

const wfi_algorithm wfi_algorithm_layout = {
    WFI_DESCRIBE(layout, (const weft_layout_params)WEFT_LAYOUT_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "positions in the plane for a drawing, with neighbours near each other",
    .info.top_by = "x",
    .info.model = "none: what the forces read depends on where the vertices are",
    .work = work,
    WFI_ON_CPU(plan_cpu, run_cpu),
    WFI_ON_CUDA(wfi_layout_plan_cuda, wfi_layout_run_cuda),
};
