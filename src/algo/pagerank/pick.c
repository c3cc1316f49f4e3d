/* PageRank on CPU cores: pull or tiles.
 * Pulling reads a share at random for each arc, which is cheap while the shares stay in a core's own cache and dear once they have left
 * the last one; tiles read in order, but the arcs must be sorted into them first, which pays after some iterations.  After how many depends
 * on the machine: a large last cache behind many cores answers random reads nearly as fast as the memory delivers tiles. */
#include "algo/pagerank/pagerank.h"

#include <math.h>

/* Nanoseconds an arc takes one thread: pulled while the shares are in the last cache, from tiles, and to be sorted into them.  Measured
 * on kron and urand graphs of 2^20 and 2^22 vertices, 2 threads and all (bench/NOTES.md): Sapphire Rapids with 2 MiB of L2, Neoverse-V1 with 1. */
typedef struct arc_costs {
    double pull, tile, sort;
} arc_costs;

#if defined __x86_64__
static const arc_costs few_threads = {2.7, 1.75, 4.8}, many_threads = {4.1, 3.3, 8.5};
#else
static const arc_costs few_threads = {2.6, 1.1, 2.2}, many_threads = {2.6, 1.1, 2.2};
#endif

enum { MANY_THREADS = 8, USUAL_L2 = 1 << 20, USUAL_L3 = 32 << 20, BEYOND_L3 = 3 /* times what a pulled arc costs */ };

/* Sweeping in parts settles an undirected graph, which begins near its ranks, in a third of the iterations that a directed one takes. */
static double expected_passes(const weft_graph *g, const weft_pagerank_params *p) {
    if (p->iterations) return (double)p->iterations;
    if (!(p->tolerance > 0 && p->tolerance < 1 && p->damping > 0 && p->damping < 1)) return (double)p->max_iterations;
    double passes = 1 + log(p->tolerance) / log(p->damping) / (g->directed ? 4 : 12);
    return fmin(passes, (double)p->max_iterations);
}

static bool sorting_pays(const wfi_caches *caches, const weft_graph *g, const weft_pagerank_params *p, int threads) {
    if (!wfi_in_at_hand(g)) return true; /* to pull, the rows of incoming arcs would be made, which costs more */
    arc_costs cost = threads < MANY_THREADS ? few_threads : many_threads;
    uint64_t last = wfi_max_u64(caches->l3 ? caches->l3 : USUAL_L3, caches->l2);
    if (g->n > last / sizeof(float)) cost.pull *= BEYOND_L3;
    return expected_passes(g, p) * (cost.pull - cost.tile) > cost.sort;
}

wfi_pagerank_method wfi_pagerank_pick(const wfi_caches *caches, const weft_graph *g, const weft_pagerank_params *p,
                                      int threads, uint64_t bytes_left, const char **why) {
    if (p->weights || p->precision != WEFT_PRECISION_F32) {
        *why =
            p->precision == WEFT_PRECISION_F16 ? "2-byte contributions are pulled" : "8-byte contributions are pulled";
        return WFI_PULL;
    }
    if (g->n <= (caches->l2 ? caches->l2 : USUAL_L2) / 2 / sizeof(float)) {
        *why = "the contributions fit in a core's cache";
        return WFI_PULL;
    }
    if (g->arcs / 4 < g->n) {
        *why = "fewer than 4 arcs a vertex";
        return WFI_PULL;
    }
    if (!sorting_pays(caches, g, p, threads)) {
        *why = "too few iterations to pay for sorting the arcs into tiles";
        return WFI_PULL;
    }
    wfi_workspace tiled = {0};
    wfi_pagerank_space(&tiled, g->n, g->arcs, p, threads, WFI_TILED);
    if (wfi_workspace_bytes(&tiled) > bytes_left) {
        *why = "tiles would be over the memory limit";
        return WFI_PULL;
    }
    *why = "the contributions are larger than a core's cache: arcs sorted into tiles, 4 bytes an arc";
    return WFI_TILED;
}
