/* Erdős–Rényi graphs and relatives: pairs chosen independently of each other.
 *   er      G(n,p), or G(n,m) if m is given; undirected: pairs u < v, directed: ordered pairs u != v
 *   cyclic  a random 0/1 matrix of density p with its diagonal; nothing is promised about cycles
 *   uniform n * degree edges, both ends of each drawn independently and uniformly, with loops and repeats, which are
 *           left to the build rules; edge i is a function of (seed, i)
 *   dag     by density: every pair u < v is an arc u -> v with probability p, an upper-triangular 0/1 matrix; or
 *           layered: n vertices in `depth` layers of equal size (the remainder spread evenly), arcs only from a layer to
 *           the next; n * degree arcs, the first of which give every vertex beyond the first layer one arc from the
 *           previous layer, so that the longest path has exactly `depth` vertices and Kahn's algorithm `depth` rounds;
 *           layered arcs may repeat, which is left to the build rules
 * [1] Gilbert, "Random graphs", Ann. Math. Stat. 30, 1959.  [2] Erdős, Rényi, "On random graphs I", 1959. */
#include "gen/gen.h"
#include "gen/random.h"

#include <inttypes.h>
#include <math.h>

weft_status wfi_make_er(wfi_run *run) {
    const weft_generate_params *p = &run->p;
    wfi_space space = run->directed ? WFI_ORDERED : WFI_TRIANGLE;
    run->vertices = p->n;
    uint64_t pairs = wfi_space_count(space, p->n);
    if (p->m && !isnan(p->p)) return wfi_fail(run->ctx, WEFT_EINVAL, "er takes `p` or `m`, not both");
    if (p->m > pairs)
        return wfi_fail(run->ctx, WEFT_EINVAL,
                        "`m` is %" PRIu64 ", but %" PRIu64 " vertices have only %" PRIu64 " possible edges", p->m, p->n,
                        pairs);
    if (p->m) return wfi_choose_exactly(run, space, p->m);
    double mean = p->n > 1 ? fmin(1, p->degree / (double)(p->n - 1)) : 0;
    return wfi_choose_by_probability(run, space, isnan(p->p) ? mean : p->p);
}

weft_status wfi_make_cyclic(wfi_run *run) {
    const weft_generate_params *p = &run->p;
    run->vertices = p->n;
    double mean = fmin(1, p->degree / (double)p->n);
    return wfi_choose_by_probability(run, WFI_SQUARE, isnan(p->p) ? mean : p->p);
}

static void draw_ends(const wfi_run *run, const void *plan, uint64_t first, uint64_t count, uint32_t *ends) {
    (void)plan;
    for (uint64_t i = 0; i < count; i++) {
        wfi_random r = wfi_draw(run->p.seed, WFI_FOR_EDGES, 0, first + i);
        ends[2 * i] = (uint32_t)wfi_below(r.first, run->vertices);
        ends[2 * i + 1] = (uint32_t)wfi_below(r.second, run->vertices);
    }
}

weft_status wfi_make_uniform(wfi_run *run) {
    run->vertices = run->p.n;
    return wfi_run_edges(run, wfi_round_product(run->p.n, run->p.degree), draw_ends, NULL);
}

/* --- acyclic ------------------------------------------------------------------- */

/* Layer l holds the vertices layer_start(l) ... layer_start(l+1) - 1. depth <= n < 2^32, so no product overflows. */
static uint64_t layer_start(const weft_generate_params *p, uint64_t layer) { return layer * p->n / p->depth; }

static uint64_t layer_of(const weft_generate_params *p, uint64_t v) { return ((v + 1) * p->depth - 1) / p->n; }

static void make_layered(const wfi_run *run, const void *plan, uint64_t first, uint64_t count, uint32_t *ends) {
    (void)plan;
    const weft_generate_params *p = &run->p;
    uint64_t roots = layer_start(p, 1), others = p->n - roots;
    for (uint64_t i = 0; i < count; i++) {
        wfi_random r = wfi_draw(p->seed, WFI_FOR_EDGES, 0, first + i);
        uint64_t v = roots + (first + i < others ? first + i : wfi_below(r.second, others));
        uint64_t before = layer_of(p, v) - 1, from = layer_start(p, before), to = layer_start(p, before + 1);
        ends[2 * i] = (uint32_t)(from + wfi_below(r.first, to - from));
        ends[2 * i + 1] = (uint32_t)v;
    }
}

static weft_status layered(wfi_run *run) {
    const weft_generate_params *p = &run->p;
    if (p->depth > p->n)
        return wfi_fail(run->ctx, WEFT_EINVAL, "`depth` is %" PRIu64 " layers, which must be at most `n` (%" PRIu64 ")",
                        p->depth, p->n);
    uint64_t others = p->n - layer_start(p, 1);
    uint64_t edges = others ? wfi_max_u64(others, wfi_round_product(p->n, p->degree)) : 0;
    return wfi_run_edges(run, edges, make_layered, NULL);
}

weft_status wfi_make_dag(wfi_run *run) {
    const weft_generate_params *p = &run->p;
    if (p->depth && !isnan(p->p))
        return wfi_fail(run->ctx, WEFT_EINVAL, "dag takes `p` (by density) or `depth` (layered), not both");
    run->vertices = p->n;
    if (run->directed) run->label = WEFT_LABEL_ACYCLIC;
    if (p->depth) return layered(run);
    double mean = p->n > 1 ? fmin(1, p->degree / ((double)(p->n - 1) / 2)) : 0;
    return wfi_choose_by_probability(run, WFI_TRIANGLE, isnan(p->p) ? mean : p->p);
}
