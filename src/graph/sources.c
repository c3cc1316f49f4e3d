/* Random sources: a property of the graph and the seed. */
#include "core/scan.h"
#include "graph/graph.h"

weft_status weft_random_sources(weft_ctx *ctx, const weft_graph *g, size_t count, uint64_t seed, weft_vid *out) {
    WFI_BEGIN(ctx);
    WFI_NEED_ROWS(ctx, g);
    if (count) WFI_NEED(ctx, out);
    weft_vid *able = NULL, c = 0;
    if (count && !g->n) return wfi_fail(ctx, WEFT_EINVAL, "weft_random_sources: the graph has no vertex");
    weft_status st = wfi_alloc(ctx, &able, g->n);
    if (st) return st;
    for (weft_vid v = 0; v < g->n; v++)
        if (wfi_degree(&g->out, v)) able[c++] = v;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = wfi_mix(wfi_mix(seed) + i);
        out[i] = c ? able[hash % c] : (weft_vid)(hash % g->n);
    }
    wfi_free(able);
    return WEFT_OK;
}
