/* PageRank on CPU cores: pull or tiles.
 * Pulling reads a share at random for each arc, which is cheap while the shares stay in a core's own cache and dear
 * once they have left the last one; tiles read in order, but the arcs must be sorted into them first, which pays after
 * some iterations.  After how many depends on the machine: a large last cache behind many cores answers random reads
 * nearly as fast as the memory delivers tiles. */
#include "algo/pagerank/pagerank.h"

#include <math.h>

/* Measured on kron and urand graphs of 2^20 and 2^22 vertices, 2 threads and all (bench/NOTES.md): Sapphire Rapids with
 * 2 MiB of L2, Neoverse-V1 with 1. */
#if defined __x86_64__
static const wfi_sweep_costs few_threads = {2700000, 1750000, 4800000}, many_threads = {4100000, 3300000, 8500000};
#else
static const wfi_sweep_costs few_threads = {2600000, 1100000, 2200000}, many_threads = {2600000, 1100000, 2200000};
#endif

enum { USUAL_L2 = 1 << 20, USUAL_L3 = 32 << 20, BEYOND_L3 = 3 /* times what a pulled arc costs */ };

wfi_sweep_costs wfi_sweep_costs_usual(int threads) { return threads < WFI_MANY_THREADS ? few_threads : many_threads; }

wfi_sweep_costs wfi_sweep_costs_here(int threads) {
    wfi_figures figures;
    char source[WFI_FIGURES_SOURCE];
    wfi_figures_now(&figures, source, sizeof source);
    wfi_sweep_costs measured = threads < WFI_MANY_THREADS ? figures.few : figures.many;
    return measured.pull_fs ? measured : wfi_sweep_costs_usual(threads);
}

/* Sweeping in parts settles an undirected graph, which begins near its ranks, in a third of the iterations that a
 * directed one takes. */
static double expected_passes(const weft_graph *g, const weft_pagerank_params *p) {
    if (p->iterations) return (double)p->iterations;
    if (!(p->tolerance > 0 && p->tolerance < 1 && p->damping > 0 && p->damping < 1)) return (double)p->max_iterations;
    double passes = 1 + log(p->tolerance) / log(p->damping) / (g->directed ? 4 : 12);
    return fmin(passes, (double)p->max_iterations);
}

static bool sorting_pays(const wfi_caches *caches, const wfi_sweep_costs *cost, const weft_graph *g,
                         const weft_pagerank_params *p) {
    if (!wfi_in_at_hand(g)) return true; /* to pull, the rows of incoming arcs would be made, which costs more */
    double pull = (double)cost->pull_fs;
    uint64_t last = wfi_max_u64(caches->l3 ? caches->l3 : USUAL_L3, caches->l2);
    if (g->n > last / sizeof(float)) pull *= BEYOND_L3;
    return expected_passes(g, p) * (pull - (double)cost->tile_fs) > (double)cost->sort_fs;
}

wfi_pagerank_method wfi_pagerank_pick(const wfi_caches *caches, const wfi_sweep_costs *costs, const weft_graph *g,
                                      const weft_pagerank_params *p, int threads, uint64_t bytes_left,
                                      const char **why) {
    if (p->weights || p->precision != WEFT_PRECISION_F32) {
        *why = "8-byte contributions are pulled";
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
    if (!sorting_pays(caches, costs, g, p)) {
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
