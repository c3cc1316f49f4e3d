/* Whitespace-separated numbers, read in parallel, whatever the lines: for formats that are one long list.
 *
 * Most words are unsigned integers, kept in 4 bytes each (8 in blocks that need them).  Other words are refused where
 * they stand, unless the format has a use for them: real or negative numbers (weights), or a few known words. */
#ifndef WFI_TOKENS_H
#define WFI_TOKENS_H

#include "io/stream/source.h"

/* A word that is no unsigned integer. */
typedef struct wfi_odd_token {
    uint64_t index; /* in the block */
    int word;       /* which of the known words, from 0; -1 = a number, in `real` */
    double real;
} wfi_odd_token;

typedef struct wfi_token_block {
    uint64_t before, count; /* words of earlier blocks, of this one */
    uint32_t *narrow;
    uint64_t *wide; /* one of the two; odd tokens are 0 there */
    wfi_odd_token *odd;
    uint64_t odd_count;
} wfi_token_block;

typedef struct wfi_tokens {
    wfi_source *source;
    uint64_t from;
    bool reals;               /* real and negative numbers are welcome ... */
    bool as_double;           /* ... rounded to doubles, not floats */
    bool lenient;             /* any word is welcome: the reader will not look at all of them */
    const char *const *words; /* known words, any case, ended by NULL; or NULL */
    const char *expected;     /* "a vertex number": for messages */
    wfi_slots blocks;         /* wfi_token_block */
    uint64_t total;
    void *scratch;
} wfi_tokens;

/* Reads all words from byte `from` (within the head) on.  The caller has set source, reals, words and expected, and
 * calls wfi_tokens_free even on failure. */
weft_status wfi_tokens_read(weft_ctx *ctx, wfi_tokens *t, uint64_t from);
void wfi_tokens_free(wfi_tokens *t);

/* Walking from one token on. */
typedef struct wfi_token_walk {
    const wfi_tokens *tokens;
    size_t block;
    uint64_t at, odd; /* in the block */
} wfi_token_walk;
wfi_token_walk wfi_tokens_from(const wfi_tokens *t, uint64_t index);

/* The next token; *odd points to it if it is odd, else is NULL. */
static inline uint64_t wfi_tokens_next(wfi_token_walk *w, const wfi_odd_token **odd) {
    const wfi_token_block *b = wfi_slots_at(&w->tokens->blocks, w->block);
    while (w->at == b->count) {
        b = wfi_slots_at(&w->tokens->blocks, ++w->block);
        w->at = w->odd = 0;
    }
    bool is_odd = w->odd < b->odd_count && b->odd[w->odd].index == w->at;
    *odd = is_odd ? &b->odd[w->odd++] : NULL;
    uint64_t at = w->at++;
    return b->narrow ? b->narrow[at] : b->wide[at];
}

/* Fails at the place of token `index`, or at the end of the file when there are not so many. */
weft_status wfi_tokens_fail(weft_ctx *ctx, const wfi_tokens *t, uint64_t index, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
