/* DIMACS, writing: "p sp" and one line for each arc, which is the form that most programs read.  The format has neither
 * undirected nor unweighted graphs: an undirected one lists both arcs of each edge, an unweighted one has weights 1,
 * and a comment says so to Weft's own reader.  Ids other than 1 ... n go into comments. */
#include "io/adjacency/dimacs.h"

weft_status wfi_dimacs_write(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params) {
    (void)params;
    if (!g->directed) wfi_sink_text(sink, "c weft undirected\n");
    if (!g->weight_type) wfi_sink_text(sink, "c weft unweighted\n");
    weft_status st = wfi_write_id_comments(ctx, g, sink, "dimacs", "c ", 1);
    if (st) return st;
    wfi_sink_print(sink, "p sp %llu %llu\n", (unsigned long long)g->n, (unsigned long long)g->arcs);
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        if (v % 4096 == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) {
            wfi_sink_bytes(sink, "a ", 2);
            wfi_sink_u64(sink, (uint64_t)v + 1);
            wfi_sink_char(sink, ' ');
            wfi_sink_u64(sink, (uint64_t)g->out.targets[e] + 1);
            wfi_sink_char(sink, ' ');
            if (g->weight_type)
                wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
            else
                wfi_sink_char(sink, '1');
            wfi_sink_char(sink, '\n');
        }
    }
    return WEFT_OK;
}
