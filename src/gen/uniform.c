/* Uniform random edges: n * degree edges, both ends of each drawn independently and uniformly from all vertices, so
 * that loops and repeats occur and are treated by the build rules.  With degree 5 and seed 42 this is the shape of
 * graph on which small PageRank studies are run.
 * Edge i is a function of (seed, i). */
#include "gen/gen.h"
#include "gen/random.h"

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
