/* Ligra's AdjacencyGraph and WeightedAdjacencyGraph: the word, then n, m, n offsets, m targets and, if weighted, m
 * weights, separated by any white space.  Vertices count from 0; the graph is directed.
 * The counts are believed only when the file has exactly so many words.
 * [1] Shun and Blelloch, "Ligra: a lightweight graph processing framework for shared memory", PPoPP 2013. */
#include "io/adjacency/rows.h"
#include "io/io.h"
#include "io/text/words.h"

#include <string.h>

typedef unsigned long long ull;

static const char plain_word[] = "AdjacencyGraph", weighted_word[] = "WeightedAdjacencyGraph";

static bool begins_with(const char *text, size_t bytes, const char *word) {
    size_t length = strlen(word);
    return bytes >= length && !memcmp(text, word, length) && (bytes == length || wfi_is_space(text[length]));
}

static weft_status read_word(weft_ctx *ctx, wfi_source *source, bool *weighted, uint64_t *from) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes), *end = head + bytes, *at = wfi_next_word(head, end);
    size_t left = (size_t)(end - at);
    *weighted = begins_with(at, left, weighted_word);
    if (!*weighted && !begins_with(at, left, plain_word))
        return wfi_fail_in_text(ctx, source, head, at, "expected %s or %s, found %s", plain_word, weighted_word,
                                wfi_quote_word(at, end).text);
    *from = (uint64_t)(wfi_word_end(at, end) - head);
    return WEFT_OK;
}

static weft_status check_words(weft_ctx *ctx, const wfi_token_rows *r, bool weighted) {
    uint64_t words = wfi_token_rows_words(r, weighted ? 2 : 1);
    if (words == r->tokens.total) return WEFT_OK;
    return wfi_tokens_fail(ctx, &r->tokens, wfi_min_u64(words, r->tokens.total),
                           "%llu vertices and %llu edges take %llu numbers, but the file has %llu", (ull)r->n,
                           (ull)r->m, (ull)words, (ull)r->tokens.total);
}

weft_status wfi_read_ligra(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    wfi_token_rows r = {.tokens = {.source = source, .expected = "a number"}};
    wfi_edges edges = {0};
    bool weighted;
    uint64_t from = 0;
    *out = NULL;
    weft_status st = read_word(ctx, source, &weighted, &from);
    if (!st) st = wfi_check_weights_wish(ctx, source, params, weighted, "the file begins with AdjacencyGraph");
    if (st) goto done;
    r.tokens.reals = weighted;
    r.tokens.as_double = wfi_reads_doubles(params);
    r.tokens.lenient = weighted && params->weights == WEFT_WEIGHTS_IGNORE;
    st = wfi_tokens_read(ctx, &r.tokens, from);
    if (!st) st = wfi_token_rows_counts(ctx, &r);
    if (!st) st = check_words(ctx, &r, weighted);
    if (st) goto done;
    if (weighted && !r.tokens.lenient) r.weights = wfi_token_rows_weight_type(&r);
    st = wfi_token_rows_edges(ctx, &r, &edges);
    wfi_tokens_free(&r.tokens);
    if (st) goto done;
    wfi_build build = {.numbering = WFI_VERTICES, .vertices = r.n, .params = wfi_read_rules(params)};
    build.format = "ligra";
    build.directed = wfi_resolve_directed(params->direction, true);
    build.direction_open = true;
    st = wfi_graph_build(ctx, &edges, &build, out);
done:
    wfi_tokens_free(&r.tokens);
    wfi_edges_free(&edges);
    return st;
}

int wfi_sniff_ligra(const char *head, size_t bytes, const char *name) {
    (void)name;
    const char *at = wfi_next_word(head, head + bytes);
    size_t left = bytes - (size_t)(at - head);
    return begins_with(at, left, plain_word) || begins_with(at, left, weighted_word) ? 3 : 0;
}
