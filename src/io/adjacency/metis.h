/* Reading a METIS file, in the order of the work: the header, the rows, their interpretation (metis.c). */
#ifndef WFI_METIS_H
#define WFI_METIS_H

#include "io/adjacency/idcomments.h"
#include "io/text/collect.h"

typedef struct wfi_metis_header {
    uint64_t n, m;
    const char *m_at; /* position in the text, for messages */
    bool edge_weights;
    uint64_t vertex_weights; /* numbers before the neighbours of each row */
    bool hundreds;           /* perhaps one more number before the vertex weights */
    const char *end;         /* begin of the rows */
} wfi_metis_header;

typedef struct wfi_metis {
    wfi_source *source;
    const char *text; /* begin of the file, at least up to the end of the header */
    size_t bytes;
    wfi_metis_header head;
    wfi_id_comments comments;

    bool skip_weights;
    weft_weight_type weight_type; /* while weights are read; WEFT_WEIGHT_NONE: absent, or not wanted */
    /* Hundreds digit but no edge weights: keep every word until their number decides about the first word. */
    bool all_words;
    _Atomic bool extra_word;   /* a word before the vertex weights was skipped */
    wfi_collector *collectors; /* one for each thread */
    wfi_slots blocks;          /* of block_rows, private to metis_rows.c */
    wfi_edges edges;           /* (row, neighbour), both from 0; with all_words (row, word) */
} wfi_metis;

/* A line with one of these as its first character is no row. */
static inline bool wfi_metis_comment(const char *p) { return *p == '%' || *p == '#'; }

weft_status wfi_metis_read_header(weft_ctx *ctx, wfi_metis *r);

/* Fills r->edges; the caller frees the members of r even on failure. */
weft_status wfi_metis_read_rows(weft_ctx *ctx, wfi_metis *r);

/* Fails at a word of row `row` (from 0), the `back`-th from the row's end (1: the last); or, with back = 0, at the
 * begin of the first non-blank row from `row` on. */
weft_status wfi_metis_fail_at(weft_ctx *ctx, wfi_metis *r, uint64_t row, uint64_t back, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
