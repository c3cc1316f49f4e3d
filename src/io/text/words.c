/* See words.h. */
#include "io/text/words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { SHOWN = 24 }; /* bytes of a word that a message shows */

wfi_quote wfi_quote_word(const char *at, const char *end) {
    wfi_quote q;
    if (at >= end || *at == '\n' || *at == '\r') {
        snprintf(q.text, sizeof q.text, "the end of the %s", at >= end ? "file" : "line");
        return q;
    }
    size_t used = 0;
    q.text[used++] = '\'';
    for (const char *p = at; p < end && !wfi_is_space(*p) && p < at + SHOWN; p++) {
        unsigned char c = (unsigned char)*p;
        bool plain = c >= 0x20 && c != 0x7f;
        if (used + 4 + sizeof "...'" > sizeof q.text) break;
        used += (size_t)snprintf(q.text + used, sizeof q.text - used, plain ? "%c" : "\\x%02x", c);
    }
    bool cut = at + SHOWN < end && !memchr(at, ' ', SHOWN) && !memchr(at, '\n', SHOWN) && !memchr(at, '\t', SHOWN) &&
               !memchr(at, '\r', SHOWN);
    snprintf(q.text + used, sizeof q.text - used, cut ? "...'" : "'");
    return q;
}

weft_status wfi_take_id(const wfi_text_block *block, const char **at, int64_t *id, wfi_parse_error *error) {
    const char *end = block->text + block->bytes, *start = *at;
    wfi_number st = wfi_scan_i64(at, id);
    if (st == WFI_NUMBER_TOO_BIG)
        return wfi_block_error(error, block, start, "id %s does not fit in 64 bits", wfi_quote_word(start, end).text);
    if (st || !wfi_word_ends(*at, end))
        return wfi_block_error(error, block, start, "expected the id of a vertex, a whole number, found %s",
                               wfi_quote_word(start, end).text);
    return WEFT_OK;
}

weft_status wfi_take_weight(const wfi_text_block *block, const char **at, wfi_collector *c, const char *expected,
                            wfi_parse_error *error) {
    const char *end = block->text + block->bytes, *start = *at;
    wfi_weight weight;
    wfi_number st = wfi_scan_weight(at, wfi_collects_doubles(c), &weight);
    if (st >= WFI_NUMBER_TOO_LARGE)
        return wfi_block_error(error, block, start, "weight %s is %s (`weights=ignore` skips weights)",
                               wfi_quote_word(start, end).text, wfi_weight_fault(st, wfi_collects_doubles(c)));
    if (st || !wfi_word_ends(*at, end))
        return wfi_block_error(error, block, start, "expected %s, found %s", expected, wfi_quote_word(start, end).text);
    wfi_collect_weight(c, weight);
    return WEFT_OK;
}

int wfi_word_among(const char *const *words, const char *at, const char *stop) {
    size_t length = (size_t)(stop - at);
    for (int i = 0; words[i]; i++)
        if (strlen(words[i]) == length && !strncasecmp(at, words[i], length)) return i;
    return -1;
}

weft_status wfi_text_again(weft_ctx *ctx, wfi_source *source, const char **text, size_t *bytes) {
    weft_status st = wfi_source_whole(ctx, source, text, bytes);
    if (st != WEFT_EUNSUPPORTED) return st;
    *text = wfi_source_head(source, bytes);
    if (*bytes == WFI_HEAD_BYTES) *text = NULL; /* it went on behind the head */
    return WEFT_OK;
}

weft_status wfi_check_weights_wish(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                                   bool file_has_weights, const char *why_not) {
    if (file_has_weights || params->weights != WEFT_WEIGHTS_REQUIRE) return WEFT_OK;
    return wfi_fail_at(ctx, wfi_source_name(source), 1, 1, "no weights here, but they were asked for: %s", why_not);
}

/* --- fields of a line, the slow and talkative way; readers have a fast path for lines without surprises ------- */

weft_status wfi_read_index(wfi_cursor *k, const char *what, uint64_t most, uint64_t *index) {
    const char *at = k->p = wfi_skip_blanks(k->p);
    wfi_number st = wfi_scan_u64(&k->p, index);
    if (*at == '\n') return wfi_block_error(k->error, k->block, at, "the %s is missing", what);
    if (*at == '-') return wfi_block_error(k->error, k->block, at, "negative %s: ids start at 1 in this format", what);
    if (st == WFI_NUMBER_NONE) return wfi_block_error(k->error, k->block, at, "expected a number for the %s", what);
    if (st == WFI_NUMBER_OK && *index == 0)
        return wfi_block_error(k->error, k->block, at, "%s 0: ids start at 1 in this format", what);
    if (st == WFI_NUMBER_TOO_BIG || *index > most)
        return wfi_block_error(k->error, k->block, at, "this %s is beyond %llu, the largest possible", what,
                               (wfi_ull)most);
    if (!wfi_is_blank(*k->p) && *k->p != '\n')
        return wfi_block_error(k->error, k->block, k->p, "expected a blank after the %s", what);
    return WEFT_OK;
}

weft_status wfi_read_weight(wfi_cursor *k, wfi_weight *weight) {
    const char *at = k->p = wfi_skip_blanks(k->p);
    wfi_number st = wfi_scan_weight(&k->p, k->as_double, weight);
    if (*at == '\n') return wfi_block_error(k->error, k->block, at, "the value is missing");
    if (st == WFI_NUMBER_NONE) return wfi_block_error(k->error, k->block, at, "expected a number for the value");
    if (st != WFI_NUMBER_OK)
        return wfi_block_error(k->error, k->block, at, "this value is %s (`weights=ignore` reads without the values)",
                               wfi_weight_fault(st, k->as_double));
    return WEFT_OK;
}

weft_status wfi_read_line_end(wfi_cursor *k, const char *after_what) {
    k->p = wfi_skip_blanks(k->p);
    if (*k->p == '\n') return WEFT_OK;
    return wfi_block_error(k->error, k->block, k->p, "expected the end of the line after %s", after_what);
}
