/* A parallel tokenizer for one long list of numbers: blocks are cut at any white space. */
#include "io/text/tokens.h"
#include "core/search.h"
#include "io/text/words.h"

#include <stdio.h>
#include <string.h>

/* One thread's space for the words of a block. */
typedef struct scratch {
    uint64_t *value;
    size_t room;
    wfi_odd_token *odd;
    size_t odd_room;
} scratch;

static weft_status add_odd(weft_ctx *ctx, scratch *s, wfi_token_block *b, int word, double real) {
    if (WFI_ROOM(ctx, s->odd, b->odd_count, s->odd_room, 64)) return WEFT_ENOMEM;
    s->odd[b->odd_count++] = (wfi_odd_token){b->count, word, real};
    return WEFT_OK;
}

/* A word that is no unsigned integer: known, a real number, or wrong. */
static weft_status take_odd(weft_ctx *ctx, const wfi_tokens *t, wfi_token_block *b, const wfi_text_block *block,
                            const char **at, wfi_parse_error *error) {
    scratch *s = (scratch *)t->scratch + block->thread;
    const char *end = block->text + block->bytes, *start = *at, *p = start;
    const char *stop = *at = wfi_word_end(start, end);
    wfi_weight weight = {0, 0, false};
    uint64_t large;
    int word = t->words ? wfi_word_among(t->words, start, stop) : -1;
    if (word >= 0 || t->lenient) return add_odd(ctx, s, b, word, 0);
    if (wfi_scan_u64(&p, &large) == WFI_NUMBER_TOO_BIG && p == stop && !t->reals)
        return wfi_block_error(error, block, start, "%s does not fit in 64 bits", wfi_quote_word(start, end).text);
    p = start;
    wfi_number st = t->reals ? wfi_scan_weight(&p, t->as_double, &weight) : WFI_NUMBER_NONE;
    if (st >= WFI_NUMBER_TOO_LARGE)
        return wfi_block_error(error, block, start, "%s is %s (`weights=ignore` skips weights)",
                               wfi_quote_word(start, end).text, wfi_weight_fault(st, t->as_double));
    if (st || p != stop)
        return wfi_block_error(error, block, start, "expected %s, found %s", t->expected,
                               wfi_quote_word(start, end).text);
    return add_odd(ctx, s, b, word, weight.value);
}

static weft_status keep_block(weft_ctx *ctx, const scratch *s, wfi_token_block *b, uint64_t largest) {
    weft_status st = largest > UINT32_MAX ? wfi_alloc(ctx, &b->wide, b->count) : wfi_alloc(ctx, &b->narrow, b->count);
    if (!st && b->odd_count) st = wfi_alloc(ctx, &b->odd, b->odd_count);
    if (st) return st;
    for (uint64_t i = 0; b->narrow && i < b->count; i++) b->narrow[i] = (uint32_t)s->value[i];
    if (b->wide) memcpy(b->wide, s->value, b->count * sizeof *b->wide);
    if (b->odd) memcpy(b->odd, s->odd, b->odd_count * sizeof *b->odd);
    return WEFT_OK;
}

static void free_block(wfi_token_block *b) { WFI_FREE(b->narrow, b->wide, b->odd); }

static weft_status parse_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                               wfi_parse_error *error) {
    wfi_tokens *t = user;
    scratch *s = (scratch *)t->scratch + block->thread;
    wfi_token_block b = {0};
    uint64_t largest = 0;
    weft_status st = WFI_ROOM(ctx, s->value, block->bytes / 2, s->room, block->bytes / 2 + 1);
    const char *end = block->text + block->bytes, *p = wfi_next_word(block->text, end);
    while (!st && p < end) {
        const char *start = p;
        uint64_t x = 0;
        wfi_number number = wfi_scan_u64(&p, &x);
        if (number || !wfi_word_ends(p, end)) {
            x = 0;
            p = start;
            st = take_odd(ctx, t, &b, block, &p, error);
        }
        s->value[b.count++] = x;
        if (x > largest) largest = x;
        p = wfi_next_word(p, end);
    }
    if (st) return st;
    *lines = wfi_count_lines(block->text, block->bytes);
    st = keep_block(ctx, s, &b, largest);
    if (!st) st = wfi_slots_put(ctx, &t->blocks, block->index, &b);
    if (st) free_block(&b);
    return st;
}

weft_status wfi_tokens_read(weft_ctx *ctx, wfi_tokens *t, uint64_t from) {
    size_t threads = (size_t)wfi_threads(ctx);
    scratch *space = NULL;
    t->from = from;
    wfi_slots_open(&t->blocks, sizeof(wfi_token_block));
    weft_status st = wfi_alloc_zeroed(ctx, &space, threads);
    t->scratch = space;
    if (!st) st = wfi_read_blocks(ctx, t->source, from, WFI_CUT_SPACES, parse_block, t);
    for (size_t i = 0; space && i < threads; i++) WFI_FREE(space[i].value, space[i].odd);
    wfi_free(space);
    for (size_t i = 0; i < t->blocks.count; i++) {
        wfi_token_block *b = wfi_slots_at(&t->blocks, i);
        b->before = t->total;
        t->total += b->count;
    }
    return st;
}

void wfi_tokens_free(wfi_tokens *t) {
    if (!t->blocks.each) return;
    for (size_t i = 0; i < t->blocks.count; i++) free_block(wfi_slots_at(&t->blocks, i));
    wfi_slots_close(&t->blocks);
    t->blocks.each = 0;
}

wfi_token_walk wfi_tokens_from(const wfi_tokens *t, uint64_t index) {
    size_t low = 1, high = t->blocks.count;
    WFI_BISECT(low, high, middle, ((wfi_token_block *)wfi_slots_at(&t->blocks, middle))->before <= index);
    low--;
    wfi_token_walk w = {.tokens = t, .block = low};
    if (low < t->blocks.count) {
        const wfi_token_block *b = wfi_slots_at(&t->blocks, low);
        w.at = index - b->before;
        while (w.odd < b->odd_count && b->odd[w.odd].index < w.at) w.odd++;
    }
    return w;
}

weft_status wfi_tokens_fail(weft_ctx *ctx, const wfi_tokens *t, uint64_t index, const char *format, ...) {
    char what[256];
    WFI_FORMAT(what, sizeof what, format);
    const char *text;
    size_t bytes;
    weft_status st = wfi_text_again(ctx, t->source, &text, &bytes);
    if (st) return st;
    if (!text)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: number %llu of the file: %s", wfi_source_name(t->source),
                        (wfi_ull)index + 1, what);
    const char *end = text + bytes, *p = wfi_next_word(text + t->from, end);
    for (uint64_t i = 0; i < index && p < end; i++) p = wfi_next_word(wfi_word_end(p, end), end);
    return wfi_fail_in_text(ctx, t->source, text, p, "%s", what);
}
