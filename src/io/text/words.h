/* Words of text: where they begin and end, ids and weights among them, how messages quote them; and looking at a text
 * a second time to name a place in it. */
#ifndef WFI_WORDS_H
#define WFI_WORDS_H

#include "io/stream/source.h"
#include "io/text/collect.h"
#include "io/text/numbers.h"

static inline bool wfi_is_space(char c) { return wfi_is_blank(c) || c == '\n'; }

/* Behind the word that begins at p. */
static inline const char *wfi_word_end(const char *p, const char *end) {
    while (p < end && !wfi_is_space(*p)) p++;
    return p;
}

/* At the next word, or at `end`. */
static inline const char *wfi_next_word(const char *p, const char *end) {
    while (p < end && wfi_is_space(*p)) p++;
    return p;
}

/* The same, but a word that begins with # is a comment and goes to the end of its line. */
static inline const char *wfi_next_data(const char *p, const char *end) {
    while ((p = wfi_next_word(p, end)) < end && *p == '#')
        while (p < end && *p != '\n') p++;
    return p;
}

/* The number before `p` must not run into letters: 12x is not a number. */
static inline bool wfi_word_ends(const char *p, const char *end) { return p >= end || wfi_is_space(*p); }

/* What stands at `at`, for a message: 'abc', "the end of the line", "the end of the file". */
typedef struct wfi_quote {
    char text[48];
} wfi_quote;
wfi_quote wfi_quote_word(const char *at, const char *end);

/* The id of a vertex at *at, any whole number with a space behind it; fails at its place if there is none. */
weft_status wfi_take_id(const wfi_block *block, const char **at, int64_t *id, wfi_parse_error *error);

/* A finite number at *at with a space behind it: the weight of the edge that c took last.  `expected` is for messages:
 * "a weight". */
weft_status wfi_take_weight(const wfi_block *block, const char **at, wfi_collector *c, const char *expected,
                            wfi_parse_error *error);

/* Which of the words, ended by NULL, [at, stop) is in any case of letters; or -1. */
int wfi_word_among(const char *const *words, const char *at, const char *stop);

/* All of the text once more, for the sake of a place in it.  *text is NULL when it was a long pipe
 * that has gone by. */
weft_status wfi_text_again(weft_ctx *ctx, wfi_source *source, const char **text, size_t *bytes);

/* Does the file have weights for a caller that insists on them?  WEFT_EINPUT if not. */
weft_status wfi_check_weights_wish(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                                   bool file_has_weights, const char *why_not);

#endif
