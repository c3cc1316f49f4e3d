/* Erdős–Rényi graphs and their kin: pairs chosen independently of each other.
 *   er      G(n,p), or G(n,m) when m is given; undirected: pairs u < v, directed: ordered pairs u != v
 *   cyclic  a random 0/1 matrix of density p, the diagonal included; nothing is promised about cycles
 * [1] Gilbert, "Random graphs", Ann. Math. Stat. 30, 1959.  [2] Erdős, Rényi, "On random graphs I", 1959. */
#include "gen/pairs.h"

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
