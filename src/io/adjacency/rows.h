/* Conversion of rows (offsets, then targets) in a file to edges. */
#ifndef WFI_IO_ROWS_H
#define WFI_IO_ROWS_H

#include "graph/edges.h"
#include "io/stream/sink.h"

/* Writes the targets of arcs first ... first+count-1 to ends[1], ends[3], ..., and their weights, if wanted, to
 * weights, an array of the rows' weight type.  Returns the number of arcs before the first invalid one; `count` if all
 * are valid.  Called by several threads at once. */
typedef uint64_t (*wfi_take_arcs)(void *user, uint64_t first, uint64_t count, uint32_t *ends, void *weights);

/* n rows; offsets[0] = 0, ascending (checked by the caller).  type: of the weights, WEFT_WEIGHT_NONE for none. */
typedef struct wfi_arc_rows {
    uint64_t n;
    const uint64_t *offsets;
    weft_weight_type type;
    wfi_take_arcs take;
    void *user; /* for take */
} wfi_arc_rows;

/* Adds offsets[n] arcs to `edges` in pieces of moderate size.  *bad = the first arc that `take` refused, or
 * offsets[n]. */
weft_status wfi_edges_from_rows(weft_ctx *ctx, wfi_edges *edges, const wfi_arc_rows *rows, uint64_t *bad);

/* The last line of a csr or dense file may say whether the graph has a cycle: ciclica or aciclica.  Read in Italian and
 * English, in any case; written in Italian, as by the programs that made these formats. */
/* The words, ended by NULL; word i means wfi_label_of_word(i). */
extern const char *const wfi_label_words[];
static inline weft_label wfi_label_of_word(int i) { return i % 2 ? WEFT_LABEL_ACYCLIC : WEFT_LABEL_CYCLIC; }

/* Writes the label's line, if g has a label. */
void wfi_write_label(const weft_graph *g, wfi_sink *sink);

/* Warns of what these formats cannot store: weights, and ids other than 0, 1, 2, ... */
void wfi_warn_plain(weft_ctx *ctx, const weft_graph *g, const char *format);

#endif
