/* Matrix Market, writing: a coordinate matrix, symmetric (lower triangle) for an undirected graph, general for a
 * directed one; pattern, integer or real by the type of the weights.  Ids other than 1 ... n go into comments. */
#include "io/adjacency/mtx.h"

weft_status wfi_mtx_write(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params) {
    (void)params;
    static const char *const field[] = {[WEFT_WEIGHT_NONE] = "pattern",
                                        [WEFT_WEIGHT_U32] = "integer",
                                        [WEFT_WEIGHT_F32] = "real",
                                        [WEFT_WEIGHT_F64] = "real"};
    wfi_sink_print(sink, "%%%%MatrixMarket matrix coordinate %s %s\n", field[g->weight_type],
                   g->directed ? "general" : "symmetric");
    weft_status st = wfi_write_id_comments(ctx, g, sink, "mtx", "%", 1);
    if (st) return st;
    wfi_sink_print(sink, "%llu %llu %llu\n", (unsigned long long)g->n, (unsigned long long)g->n,
                   (unsigned long long)g->edges);
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        if (v % 4096 == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) {
            weft_vid w = g->out.targets[e];
            if (!g->directed && w > v) break; /* the row ascends: the rest is the upper triangle */
            wfi_sink_u64(sink, (uint64_t)v + 1);
            wfi_sink_char(sink, ' ');
            wfi_sink_u64(sink, (uint64_t)w + 1);
            if (g->weight_type) {
                wfi_sink_char(sink, ' ');
                wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
            }
            wfi_sink_char(sink, '\n');
        }
    }
    return WEFT_OK;
}
