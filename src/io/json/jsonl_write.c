/* JSON lines out: {"source":1,"target":2,"weight":0.5}, an undirected edge once.  Names are strings, ids that are
 * numbers numbers, so that reading back gives the same ids. */
#include "io/json/json_write.h"
#include "io/json/jsonl.h"
#include "io/losses.h"
#include "io/unfit.h"

weft_status wfi_write_jsonl(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params) {
    (void)params;
    weft_status st = wfi_check_names(ctx, g, "jsonl", wfi_unfit_utf8);
    if (!st) st = wfi_warn_losses(ctx, g, "jsonl");
    for (weft_vid u = 0; u < g->n && !st && !wfi_sink_failed(sink); u++) {
        for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++) {
            weft_vid v = g->out.targets[e];
            if (!g->directed && v < u) continue;
            wfi_sink_char(sink, '{');
            wfi_json_write_edge(g, u, e, sink);
            wfi_sink_text(sink, "}\n");
        }
        if ((u & 0xfff) == 0) wfi_progress(ctx, "writing", u, g->n);
    }
    return st;
}
