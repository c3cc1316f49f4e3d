/* Words of text: where they begin and end, ids and weights among them, how messages quote them; and looking at a text
 * a second time to name a place in it. */
#ifndef WFI_WORDS_H
#define WFI_WORDS_H

#include "io/stream/source.h"
#include "io/text/collect.h"

#include <string.h>

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
weft_status wfi_take_id(const wfi_text_block *block, const char **at, int64_t *id, wfi_parse_error *error);

/* A finite number at *at with a space behind it: the weight of the edge that c took last.  `expected` is for messages:
 * "a weight". */
weft_status wfi_take_weight(const wfi_text_block *block, const char **at, wfi_collector *c, const char *expected,
                            wfi_parse_error *error);

/* Which of the words, ended by NULL, [at, stop) is in any case of letters; or -1. */
int wfi_word_among(const char *const *words, const char *at, const char *stop);

/* All of the text once more, for the sake of a place in it.  *text is NULL when it was a long pipe
 * that has gone by. */
weft_status wfi_text_again(weft_ctx *ctx, wfi_source *source, const char **text, size_t *bytes);

/* Does the file have weights for a caller that insists on them?  WEFT_EINPUT if not. */
weft_status wfi_check_weights_wish(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                                   bool file_has_weights, const char *why_not);

/* Reading a line of a block field by field, with an error at the field that is wrong; and what else the formats with a
 * header of counts and 1-based ids (Matrix Market, DIMACS) share. */
/* Where a block is being read, and where to say what is wrong. */
typedef struct wfi_cursor {
    const char *p;
    const wfi_text_block *block;
    wfi_parse_error *error;
    bool as_double; /* weights */
} wfi_cursor;

static inline const char *wfi_line_end(const wfi_cursor *k) {
    return memchr(k->p, '\n', (size_t)(k->block->text + k->block->bytes + 1 - k->p));
}

/* An id of 1 ... most, called `what` in messages.  Skips blanks before it; one must follow, or the line's end. */
weft_status wfi_read_index(wfi_cursor *k, const char *what, uint64_t most, uint64_t *index);

/* A finite number. */
weft_status wfi_read_weight(wfi_cursor *k, wfi_weight *weight);

/* Nothing but blanks; leaves k->p at the '\n'. */
weft_status wfi_read_line_end(wfi_cursor *k, const char *after_what);

/* Has the number between these places a fraction or an exponent? */
static inline bool wfi_has_fraction(const char *from, const char *to) {
    for (; from < to; from++)
        if (*from == '.' || *from == 'e' || *from == 'E') return true;
    return false;
}

/* Adds an edge between vertices, which always fit in 32 bits; `weighted` if the collector takes weights. */
static inline void wfi_collect_vertices(wfi_collector *c, uint64_t u, uint64_t v, bool weighted, wfi_weight w) {
    c->narrow[2 * c->count] = (uint32_t)u;
    c->narrow[2 * c->count + 1] = (uint32_t)v;
    c->count++;
    if (weighted) wfi_collect_weight(c, w);
}

/* Could a header that claims this many vertices be telling the truth about a graph of this many edges?  The arrays over
 * the vertices are made on the header's word alone, so a few bytes of input must not ask for tens of gigabytes: beyond
 * 2^24 vertices there has to be an edge for every 1024 of them. */
static inline bool wfi_vertices_plausible(uint64_t vertices, uint64_t edges) {
    return vertices <= (uint64_t)1 << 24 || vertices / 1024 <= edges;
}

#endif
