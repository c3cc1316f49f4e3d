/* Multilevel layout of one component, from its coarsest level to the finest [1].  The host's arithmetic between the
 * steps of two levels has a fixed order, so that it does not depend on the engine that moves the vertices.
 * Method: the vertices of a level start at the position of their pair, and the level is scaled before it is relaxed.
 * Let A be the sum over all arcs of weight * distance^3, and P the sum over all ordered pairs of vertices of REPULSION
 * * mass * mass: the layout as a whole neither grows nor shrinks when A = P (its virial is 0).  A factor s on all
 * distances makes A s^3 times as large, so that s = cbrt(P / A) is the right scale before any step is made; cbrt(P /
 * sum of the arcs' weights) is a typical length of an edge.
 * [1] Hu, "Efficient, high-quality force-directed graph drawing", The Mathematica Journal 10, 2005. */
#include "algo/layout/layout.h"
#include "gen/random.h"

#include <math.h>

enum { CHUNK = 1 << 12, LONGER = 8 /* factor of steps for the coarsest level, which starts at random positions */ };
static const float JITTER = 0.1f; /* fraction of an edge's length by which the vertices of a pair start apart */

void wfi_levels_lay_out(wfi_workspace *w, const weft_ctx *ctx, weft_vid n, uint64_t arcs, wfi_levels *l) {
    wfi_coarse_lay_out(w, ctx, n, arcs, &l->coarse);
    wfi_steps_lay_out(w, ctx, n, &l->steps);
    wfi_array_within(w, &l->at, n);
    wfi_array_within(w, &l->sums, n / CHUNK + 1);
}

static double cube_root(double x) {
    int exponent;
    (void)frexp(x, &exponent);
    double y = ldexp(1, exponent / 3);
    for (int i = 0; i < 12; i++) y = (2 * y + x / (y * y)) / 3;
    return y;
}

static wfi_arc_sums add_row(const wfi_level *l, const wfi_point *at, weft_vid v) {
    wfi_arc_sums sum = {0, 0};
    for (weft_eid e = l->offsets[v]; e < l->offsets[v + 1]; e++) {
        weft_vid u = l->targets[e];
        double w = l->weights ? (double)l->weights[e] : 1, dx = (double)at[u].x - (double)at[v].x,
               dy = (double)at[u].y - (double)at[v].y, square = dx * dx + dy * dy;
        sum.cubes += w * square * sqrt(square);
        sum.weights += w;
    }
    return sum;
}

/* Sums of chunks, added in the order of the chunks. */
static wfi_arc_sums add_arcs(weft_ctx *ctx, const wfi_levels *r, const wfi_level *l, const wfi_point *at) {
    uint64_t chunks = ((uint64_t)l->n + CHUNK - 1) / CHUNK;
    wfi_arc_sums all = {0, 0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, l->n, CHUNK))
    for (uint64_t c = 0; c < chunks; c++) {
        weft_vid end = (c + 1) * CHUNK < l->n ? (weft_vid)((c + 1) * CHUNK) : l->n;
        double cubes = 0, weights = 0;
        for (weft_vid v = (weft_vid)(c * CHUNK); v < end; v++) {
            wfi_arc_sums row = add_row(l, at, v);
            cubes += row.cubes;
            weights += row.weights;
        }
        r->sums[c] = (wfi_arc_sums){cubes, weights};
    }
    for (uint64_t c = 0; c < chunks; c++) {
        all.cubes += r->sums[c].cubes;
        all.weights += r->sums[c].weights;
    }
    return all;
}

/* Scales the level; returns the length of an edge. */
static float scale_level(weft_ctx *ctx, const wfi_levels *r, const wfi_level *l, wfi_point *at) {
    double mass = 0, squares = 0;
    for (weft_vid v = 0; v < l->n; v++) {
        double m = l->mass ? (double)l->mass[v] : 1;
        mass += m;
        squares += m * m;
    }
    wfi_arc_sums arcs = add_arcs(ctx, r, l, at);
    double pushes = (double)WFI_REPULSION * (mass * mass - squares);
    float by = arcs.cubes > 0 ? (float)cube_root(pushes / arcs.cubes) : 1;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, l->n, CHUNK))
    for (weft_vid v = 0; v < l->n; v++) at[v] = (wfi_point){at[v].x * by, at[v].y * by};
    return (float)cube_root(pushes / arcs.weights);
}

/* Uniform in a square around 0. */
static wfi_point random_point(uint64_t seed, uint32_t lane, weft_vid v, float side) {
    wfi_random bits = wfi_draw(seed, WFI_FOR_LAYOUT, lane, v);
    float x = (float)(bits.first >> 40) * 0x1p-24f - 0.5f, y = (float)(bits.second >> 40) * 0x1p-24f - 0.5f;
    return (wfi_point){x * side, y * side};
}

/* Initial position of each vertex: that of its pair, moved half way to the mean of its neighbours. */
static void begin_level(weft_ctx *ctx, const wfi_levels *r, const wfi_level *l, uint64_t seed, uint32_t lane,
                        float edge) {
    const wfi_point *coarse = r->at;
    wfi_point *at = r->steps.other;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, l->n, CHUNK))
    for (weft_vid v = 0; v < l->n; v++) {
        wfi_point from = coarse[l->parent[v]], aside = random_point(seed, lane, v, JITTER * edge);
        float x = 0, y = 0, count = 0;
        for (weft_eid e = l->offsets[v]; e < l->offsets[v + 1]; e++) {
            wfi_point there = coarse[l->parent[l->targets[e]]];
            float w = l->weights ? l->weights[e] : 1;
            x += w * there.x;
            y += w * there.y;
            count += w;
        }
        at[v] = (wfi_point){0.5f * from.x + 0.5f * (x / count) + aside.x, 0.5f * from.y + 0.5f * (y / count) + aside.y};
    }
}

static void exchange(wfi_point **a, wfi_point **b) {
    wfi_point *swap = *a;
    *a = *b;
    *b = swap;
}

weft_status wfi_lay_out_component(weft_ctx *ctx, wfi_levels *r, const wfi_level *finest, const weft_layout_params *p) {
    wfi_level level[WFI_MOST_LEVELS];
    int count;
    float edge = 1;
    if (finest->n == 2) { /* special case, since a graph may have many components of two vertices */
        r->at[0] = (wfi_point){0, 0};
        r->at[1] = (wfi_point){1, 0};
        return WEFT_OK;
    }
    level[0] = *finest;
    weft_status st = wfi_coarsen(ctx, &r->coarse, level, &count);
    for (int k = count - 1; k >= 0 && !st; k--) {
        const wfi_level *l = &level[k];
        bool coarsest = k == count - 1;
        if (coarsest) {
            for (weft_vid v = 0; v < l->n; v++) r->at[v] = random_point(p->seed, (uint32_t)k, v, 1);
        } else {
            begin_level(ctx, r, l, p->seed, (uint32_t)k, edge);
            exchange(&r->at, &r->steps.other);
        }
        edge = scale_level(ctx, r, l, r->at);
        st = r->relax(ctx, r, l, &(wfi_cooling){(unsigned)p->steps * (coarsest ? LONGER : 1), edge});
    }
    return st;
}
