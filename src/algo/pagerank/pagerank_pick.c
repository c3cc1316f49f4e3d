/* The method of PageRank on CPU cores, pull or tiles, by a cost model.
 * Method: pulling reads a random share for each arc, which is cheap while the shares fit a core's own cache and
 * expensive when they exceed the last level cache; tiles read in order, but the arcs must be sorted into them first,
 * which takes some iterations to pay off.  Their number depends on the machine: a large last level cache behind many
 * cores serves random reads nearly as fast as the memory delivers tiles.
 * Encoding: femtoseconds of a thread for an arc, with few threads and with many; bench/bench_costs.c measures them. */
#include "algo/pagerank/pagerank.h"
#include "weft/pagerank.h"

#include <math.h>

enum { MANY_THREADS = 8 };

/* Measured on kron and urand graphs of 2^20 and 2^22 vertices, with 2 threads and with all (bench/NOTES.md): Sapphire
 * Rapids with 2 MiB of L2, Neoverse-V1 with 1 MiB. */
wfi_sweep_costs wfi_sweep_costs_of(int threads) {
#if defined __x86_64__
    bool many = threads >= MANY_THREADS;
    return many ? (wfi_sweep_costs){4100000, 3300000, 8500000} : (wfi_sweep_costs){2700000, 1750000, 4800000};
#else
    (void)threads;
    return (wfi_sweep_costs){2600000, 1100000, 2200000};
#endif
}

enum { USUAL_L2 = 1 << 20, USUAL_L3 = 32 << 20, BEYOND_L3 = 3 /* factor of the cost of a pulled arc */ };

/* With sweeping in parts, an undirected graph, which begins near its final ranks, takes a third of the iterations of a
 * directed graph. */
static double expected_passes(const weft_graph *g, const weft_pagerank_params *p) {
    if (p->iterations) return (double)p->iterations;
    if (!(p->tolerance > 0 && p->tolerance < 1 && p->damping > 0 && p->damping < 1)) return (double)p->max_iterations;
    double passes = 1 + log(p->tolerance) / log(p->damping) / (g->directed ? 4 : 12);
    return fmin(passes, (double)p->max_iterations);
}

static bool sorting_pays(const wfi_pagerank_machine *m, const weft_graph *g, const weft_pagerank_params *p) {
    if (!wfi_in_at_hand(g)) return true; /* pulling would first need the transpose, which costs more */
    double pull = (double)m->costs.pull_fs;
    uint64_t last = wfi_max_u64(m->caches->l3 ? m->caches->l3 : USUAL_L3, m->caches->l2);
    if (g->n > last / sizeof(float)) pull *= BEYOND_L3;
    return expected_passes(g, p) * (pull - (double)m->costs.tile_fs) > (double)m->costs.sort_fs;
}

wfi_pagerank_method wfi_pagerank_pick(const wfi_pagerank_machine *m, const weft_graph *g, const weft_pagerank_params *p,
                                      const char **why) {
    if (p->weights || p->precision != WEFT_PRECISION_F32) {
        *why = "8-byte contributions are pulled";
        return WFI_PULL;
    }
    if (g->n <= (m->caches->l2 ? m->caches->l2 : USUAL_L2) / 2 / sizeof(float)) {
        *why = "the contributions fit in a core's cache";
        return WFI_PULL;
    }
    if (g->arcs / 4 < g->n) {
        *why = "fewer than 4 arcs a vertex";
        return WFI_PULL;
    }
    if (!sorting_pays(m, g, p)) {
        *why = "too few iterations to pay for sorting the arcs into tiles";
        return WFI_PULL;
    }
    wfi_workspace tiled = {0};
    wfi_pagerank_space(&tiled, g, p, m->threads, WFI_TILED);
    if (wfi_workspace_bytes(&tiled) > m->bytes_left) {
        *why = "tiles would be over the memory limit";
        return WFI_PULL;
    }
    *why = "the contributions are larger than a core's cache: arcs sorted into tiles, 4 bytes an arc";
    return WFI_TILED;
}
