/* Rows written as one list of numbers: offsets, then targets, then perhaps weights (Ligra, the CSR text). */
#ifndef WFI_TOKENROWS_H
#define WFI_TOKENROWS_H

#include "graph/edges.h"
#include "io/text/tokens.h"

typedef struct wfi_token_rows {
    wfi_tokens tokens;
    uint64_t n, m;
    bool closed;              /* n + 1 offsets, the last of which is m; else n */
    weft_weight_type weights; /* WEFT_WEIGHT_NONE: there are none, or nobody wants them */
} wfi_token_rows;

/* The first two numbers, n and m. */
weft_status wfi_token_rows_counts(weft_ctx *ctx, wfi_token_rows *r);
/* The words that n and m promise, with `lists` lists of m numbers, are these: UINT64_MAX if beyond any file. */
uint64_t wfi_token_rows_words(const wfi_token_rows *r, unsigned lists);
/* Whole numbers if all of them are, and fit; doubles if the tokens were read as such. */
weft_weight_type wfi_token_rows_weight_type(const wfi_token_rows *r);
/* Checks offsets and targets, and adds the edges.  There must be as many words as promised. */
weft_status wfi_token_rows_edges(weft_ctx *ctx, wfi_token_rows *r, wfi_edges *edges);

#endif
