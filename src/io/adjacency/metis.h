/* Reading a METIS file, in the order of the work: the header, the rows, what they mean (metis.c). */
#ifndef WFI_METIS_H
#define WFI_METIS_H

#include "io/adjacency/idcomments.h"
#include "io/text/collect.h"

typedef struct wfi_metis_header {
    uint64_t n, m;
    const char *m_at; /* in the text, for messages */
    bool edge_weights;
    uint64_t vertex_weights; /* numbers in front of the neighbours of each row */
    bool hundreds;           /* perhaps one more number before those */
    const char *end;         /* where the rows begin */
} wfi_metis_header;

typedef struct wfi_metis {
    wfi_source *source;
    const char *text; /* the file from its start, at least to the end of the header */
    size_t bytes;
    wfi_metis_header head;
    wfi_id_comments comments;

    bool skip_weights;
    weft_weight_type weight_type; /* while they are read; none: not there, or not wanted */
    bool all_words; /* hundreds digit but no edge weights: keep every word until their number tells what the first is */
    _Atomic bool extra_word;   /* a word before the vertex weights was skipped */
    wfi_collector *collectors; /* one per thread */
    wfi_slots blocks;          /* of block_rows, private to metis_rows.c */
    wfi_edges edges;           /* (row, neighbour), both from 0; with all_words (row, word) */
} wfi_metis;

/* A line whose first mark is one of these is no row. */
static inline bool wfi_metis_comment(const char *p) { return *p == '%' || *p == '#'; }

weft_status wfi_metis_read_header(weft_ctx *ctx, wfi_metis *r);

/* Fills r->edges; the caller frees what r holds even on failure. */
weft_status wfi_metis_read_rows(weft_ctx *ctx, wfi_metis *r);

/* Fails at the word of row `row` (from 0) that has `back` - 1 words of its row behind it, or, back = 0, at the start of
 * the first row from `row` on that is not blank. */
weft_status wfi_metis_fail_at(weft_ctx *ctx, wfi_metis *r, uint64_t row, uint64_t back, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
