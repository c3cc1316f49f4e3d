/* Quoting what was found, and looking at a text again. */
#include "io/words.h"

#include <stdio.h>
#include <string.h>

enum {
    SHOWN = 24,           /* bytes of a word that a message shows */
    HEAD_MOST = 64 << 10, /* of wfi_source_head */
};

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

weft_status wfi_text_again(weft_ctx *ctx, wfi_source *source, const char **text, size_t *bytes) {
    weft_status st = wfi_source_whole(ctx, source, text, bytes);
    if (st != WEFT_EUNSUPPORTED) return st;
    *text = wfi_source_head(source, bytes);
    if (*bytes == HEAD_MOST) *text = NULL; /* it went on behind the head */
    return WEFT_OK;
}

weft_status wfi_check_weights_wish(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                                   bool file_has_weights, const char *why_not) {
    if (file_has_weights || params->weights != WEFT_WEIGHTS_REQUIRE) return WEFT_OK;
    return wfi_fail_at(ctx, wfi_source_name(source), 1, 1, "no weights here, but they were asked for: %s", why_not);
}
