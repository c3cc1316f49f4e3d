/* Option sets of pagerank: see tests/support/variants.h. */
#include "algo/pagerank/pagerank.h"
#include "run_as.h"
#include "weft/pagerank.h"

static inline weft_status pagerank_in_tiles(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *r) {
    wfi_choice tiles = {.method = WFI_TILED};
    wfi_pagerank_space(&tiles.space, g, params, wfi_threads(ctx), WFI_TILED);
    return run_as(ctx, wfi_pagerank_cpu, g, params, &tiles, r);
}

static inline void pagerank_variants(variants *list, const weft_graph *g) {
    weft_vid n = weft_graph_vertices(g);
    double *restart = malloc((2 * (size_t)n + 1) * sizeof *restart);
    if (!restart) exit(1);
    for (weft_vid v = 0; v < n; v++) restart[v] = v % 7 == 0 ? 1 + v % 5 : 0, restart[n + v] = 1 + v % 3;
    list->input = restart;
    ((weft_pagerank_params *)add_variant(list, "defaults", 0))->max_iterations = list->brief ? 2 : 100;
    ((weft_pagerank_params *)add_variant(list, "personalised", 0))->restart = restart;
    ((weft_pagerank_params *)add_variant(list, "drop", 0))->dangling = WEFT_DANGLING_DROP;
    ((weft_pagerank_params *)add_variant(list, "f64", 0))->precision = WEFT_PRECISION_F64;
    ((weft_pagerank_params *)add_variant(list, "weights", NEEDS_WEIGHTS))->weights = 1;
    weft_pagerank_params *p = add_variant(list, "weights f64", NEEDS_WEIGHTS);
    p->weights = 1;
    p->precision = WEFT_PRECISION_F64;
    ((weft_pagerank_params *)add_variant(list, "tiles", 0))->max_iterations = list->brief ? 2 : 100;
    list->at[list->count - 1].run = pagerank_in_tiles;
    same_as(list, 0);
    ((weft_pagerank_params *)add_variant(list, "tiles, personalised", 0))->restart = restart;
    list->at[list->count - 1].run = pagerank_in_tiles;
    same_as(list, 1);
    p = add_variant(list, "personalised, drop", 0);
    p->restart = restart;
    p->dangling = WEFT_DANGLING_DROP;
    p->iterations = 7;
    p = add_variant(list, "nstart", CPU_ONLY);
    p->nstart = restart;
    p->iterations = 3;
    p = add_variant(list, "nstart, dangling_to, f64", CPU_ONLY);
    p->nstart = p->dangling_to = restart;
    p->precision = WEFT_PRECISION_F64;
    p = add_variant(list, "personalised, dangling_to", CPU_ONLY);
    p->restart = restart;
    p->dangling_to = restart + n;
    for (size_t i = 0; i < list->count; i++)
        if (list->brief || (i >= 2 && i <= 5)) ((weft_pagerank_params *)(void *)list->at[i].params)->iterations = 2 + i;
    if (list->brief) list->at[6].twin = list->at[7].twin = -1; /* another number of iterations */
}
