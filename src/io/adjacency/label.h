/* The last line of a csr or dense file may say whether the graph has a cycle: ciclica or aciclica.
 * Read in Italian and English and in any case; written in Italian, as the programs that made these formats do. */
#ifndef WFI_LABEL_H
#define WFI_LABEL_H

#include "graph/graph.h"
#include "io/stream/sink.h"

/* The words, ended by NULL; word i means wfi_label_of_word(i). */
extern const char *const wfi_label_words[];
static inline weft_label wfi_label_of_word(int i) { return i % 2 ? WEFT_LABEL_ACYCLIC : WEFT_LABEL_CYCLIC; }

/* The line, if g has a label. */
void wfi_write_label(const weft_graph *g, wfi_sink *sink);

/* What these formats cannot hold goes to the warning callback: weights, ids other than 0, 1, 2, ... */
void wfi_warn_plain(weft_ctx *ctx, const weft_graph *g, const char *format);

#endif
