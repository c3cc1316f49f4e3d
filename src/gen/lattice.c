/* Deterministic graphs: path, cycle, star, complete, tree, grid. Edge i is a function of i.
 * Directed: arcs lead from the lower to the higher id; the closing arcs of a cycle or torus lead from the last vertex
 * to the first. So all but these two are acyclic, and a directed cycle is labelled cyclic. */
#include "gen/gen.h"

#include <inttypes.h>

static void make_path(const wfi_run *run, const void *plan, uint64_t first, uint64_t count, uint32_t *ends) {
    (void)plan;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t u = first + i, v = u + 1 < run->vertices ? u + 1 : 0;
        ends[2 * i] = (uint32_t)u;
        ends[2 * i + 1] = (uint32_t)v;
    }
}

static weft_status make_acyclic(wfi_run *run, uint64_t edges, wfi_make_edges make, const void *plan) {
    if (run->directed) run->label = WEFT_LABEL_ACYCLIC;
    return wfi_run_edges(run, edges, make, plan);
}

weft_status wfi_make_path(wfi_run *run) {
    run->vertices = run->p.n;
    return make_acyclic(run, run->p.n - 1, make_path, NULL);
}

weft_status wfi_make_cycle(wfi_run *run) {
    run->vertices = run->p.n;
    if (!run->directed && run->p.n < 3)
        return wfi_fail(run->ctx, WEFT_EINVAL, "`n` is %" PRIu64 ", but an undirected cycle has at least 3 vertices",
                        run->p.n);
    if (run->directed) run->label = WEFT_LABEL_CYCLIC;
    return wfi_run_edges(run, run->p.n, make_path, NULL);
}

static void make_star(const wfi_run *run, const void *plan, uint64_t first, uint64_t count, uint32_t *ends) {
    (void)run, (void)plan;
    for (uint64_t i = 0; i < count; i++) {
        ends[2 * i] = 0;
        ends[2 * i + 1] = (uint32_t)(first + i + 1);
    }
}

weft_status wfi_make_star(wfi_run *run) {
    run->vertices = run->p.n;
    return make_acyclic(run, run->p.n - 1, make_star, NULL);
}

static void make_complete(const wfi_run *run, const void *plan, uint64_t first, uint64_t count, uint32_t *ends) {
    (void)plan;
    wfi_pair pair = wfi_space_pair(WFI_TRIANGLE, run->vertices, first);
    for (uint64_t i = 0; i < count; i++) {
        ends[2 * i] = pair.u;
        ends[2 * i + 1] = pair.v;
        if (++pair.u == pair.v) pair = (wfi_pair){0, pair.v + 1};
    }
}

weft_status wfi_make_complete(wfi_run *run) {
    run->vertices = run->p.n;
    return make_acyclic(run, wfi_space_count(WFI_TRIANGLE, run->p.n), make_complete, NULL);
}

/* The parent of vertex v > 0 is (v-1)/k: level by level from the root 0. */
static void make_tree(const wfi_run *run, const void *plan, uint64_t first, uint64_t count, uint32_t *ends) {
    (void)plan;
    for (uint64_t i = 0; i < count; i++) {
        ends[2 * i] = (uint32_t)((first + i) / run->p.k);
        ends[2 * i + 1] = (uint32_t)(first + i + 1);
    }
}

weft_status wfi_make_tree(wfi_run *run) {
    run->vertices = run->p.n;
    return make_acyclic(run, run->p.n - 1, make_tree, NULL);
}

/* --- grid ---------------------------------------------------------------- */

/* The edges along one axis: total / extent lines of `steps` edges each. */
typedef struct axis {
    uint64_t extent, stride, steps, edges;
} axis;

typedef struct grid {
    axis axes[3]; /* columns (neighbouring ids), rows, layers */
} grid;

static wfi_pair edge_along(const axis *a, uint64_t number) {
    uint64_t line = number / a->steps, step = number % a->steps;
    uint64_t start = line / a->stride * a->stride * a->extent + line % a->stride;
    uint64_t u = start + step * a->stride;
    return (wfi_pair){(uint32_t)u, (uint32_t)(step + 1 < a->extent ? u + a->stride : start)};
}

static void make_grid(const wfi_run *run, const void *plan, uint64_t first, uint64_t count, uint32_t *ends) {
    (void)run;
    const grid *g = plan;
    const axis *a = g->axes;
    while (first >= a->edges) first -= a++->edges;
    for (uint64_t i = 0; i < count; i++, first++) {
        while (first == a->edges) {
            first = 0;
            a++;
        }
        wfi_pair pair = edge_along(a, first);
        ends[2 * i] = pair.u;
        ends[2 * i + 1] = pair.v;
    }
}

weft_status wfi_make_grid(wfi_run *run) {
    const weft_generate_params *p = &run->p;
    uint64_t extent[3] = {p->columns ? p->columns : p->rows, p->rows, p->layers}, edges = 0, total = 1;
    /* Each extent is below 2^32, so the product of two cannot overflow. */
    for (int i = 0; i < 3; i++) {
        total *= extent[i];
        if (total > UINT32_MAX - 1)
            return wfi_fail(run->ctx, WEFT_EINVAL,
                            "`rows` %" PRIu64 " `columns` %" PRIu64 " `layers` %" PRIu64
                            " have more than 4294967294 vertices",
                            extent[1], extent[0], extent[2]);
    }
    grid g;
    uint64_t stride = 1;
    for (int i = 0; i < 3; i++) {
        /* The closing edge of a line of two vertices repeats the existing one, unless the graph is directed. */
        bool closed = p->torus && extent[i] > (run->directed ? 1 : 2);
        uint64_t steps = extent[i] - !closed;
        g.axes[i] = (axis){extent[i], stride, steps, steps ? total / extent[i] * steps : 0};
        edges += g.axes[i].edges;
        stride *= extent[i];
    }
    run->vertices = total;
    return p->torus ? wfi_run_edges(run, edges, make_grid, &g) : make_acyclic(run, edges, make_grid, &g);
}
