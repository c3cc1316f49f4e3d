/* Words for cyclic and acyclic. */
#include "io/adjacency/label.h"

const char *const wfi_label_words[] = {"ciclica", "aciclica", "cyclic", "acyclic", NULL};

void wfi_write_label(const weft_graph *g, wfi_sink *sink) {
    if (g->label == WEFT_LABEL_CYCLIC) wfi_sink_print(sink, "%s\n", wfi_label_words[0]);
    if (g->label == WEFT_LABEL_ACYCLIC) wfi_sink_print(sink, "%s\n", wfi_label_words[1]);
}

void wfi_warn_plain(weft_ctx *ctx, const weft_graph *g, const char *format) {
    if (g->weight_type) wfi_warn(ctx, "weights are not stored in the %s format", format);
    if (g->ids.kind != WEFT_IDS_DENSE || (g->ids.base != 0 && g->n))
        wfi_warn(ctx, "the %s format cannot store ids: the vertices become 0 ... %ld", format, (long)g->n - 1);
    if (!g->directed) wfi_warn(ctx, "the %s format is directed: each edge is stored in both directions", format);
}
