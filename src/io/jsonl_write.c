/* JSON lines out: {"source":1,"target":2,"weight":0.5}, an undirected edge once.  Names are strings, ids that are numbers
 * numbers, so that reading back gives the same ids. */
#include "io/io.h"
#include "io/jsonl.h"
#include "io/losses.h"
#include "io/unfit.h"

static bool is_plain(char c) { return (unsigned char)c >= 0x20 && c != '"' && c != '\\'; }

static void write_string(wfi_sink *sink, const char *text, const char *end) {
    wfi_sink_char(sink, '"');
    while (text < end) {
        const char *p = text;
        while (p < end && is_plain(*p)) p++;
        wfi_sink_bytes(sink, text, (size_t)(p - text));
        if (p < end && (*p == '"' || *p == '\\')) {
            wfi_sink_char(sink, '\\');
            wfi_sink_char(sink, *p++);
        } else if (p < end) {
            wfi_sink_print(sink, "\\u%04x", (unsigned char)*p++);
        }
        text = p;
    }
    wfi_sink_char(sink, '"');
}

static void write_id(const weft_graph *g, weft_vid v, wfi_sink *sink) {
    if (g->ids.kind == WEFT_IDS_STRING)
        write_string(sink, g->ids.text + g->ids.start[v], g->ids.text + g->ids.start[v + 1]);
    else
        wfi_sink_i64(sink, weft_graph_id(g, v));
}

weft_status wfi_write_jsonl(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params) {
    (void)params;
    weft_status st = wfi_check_names(ctx, g, "jsonl", wfi_unfit_utf8);
    if (!st) st = wfi_warn_losses(ctx, g, "jsonl");
    for (weft_vid u = 0; u < g->n && !st && !wfi_sink_failed(sink); u++) {
        for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++) {
            weft_vid v = g->out.targets[e];
            if (!g->directed && v < u) continue;
            wfi_sink_text(sink, "{\"source\":");
            write_id(g, u, sink);
            wfi_sink_text(sink, ",\"target\":");
            write_id(g, v, sink);
            if (g->weight_type) {
                wfi_sink_text(sink, ",\"weight\":");
                wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
            }
            wfi_sink_text(sink, "}\n");
        }
        if ((u & 0xfff) == 0) wfi_progress(ctx, "writing", u, g->n);
    }
    return st;
}
