/* Erdős–Rényi graphs and their kin: pairs chosen independently of each other.
 *   er      G(n,p), or G(n,m) when m is given; undirected: pairs u < v, directed: ordered pairs u != v
 *   cyclic  a random 0/1 matrix of density p, the diagonal included; nothing is promised about cycles
 *   uniform n * degree edges, both ends of each drawn independently and uniformly, so that loops and repeats occur and
 *           are treated by the build rules; edge i is a function of (seed, i)
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
