/* Reading a .v file in parallel, and asking whether an id is in it: by range when there are no gaps, by a bitmap when
 * that costs no more than the ids themselves, by binary search otherwise. */
#include "io/table/ldbc_ids.h"
#include "core/scan.h"
#include "core/search.h"
#include "io/stream/source.h"
#include "io/text/numbers.h"
#include "io/text/words.h"

typedef struct block_ids {
    uint64_t *keys, count;
} block_ids;

typedef struct reading {
    wfi_slots slots;
    uint64_t properties; /* on each line */
} reading;

/* --- properties ---------------------------------------------------------------------------- */

uint64_t wfi_ldbc_words(const wfi_source *source) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes), *end = head + bytes, *p = wfi_next_data(head, end);
    uint64_t words = 0;
    for (; p < end && *p != '\n'; p = wfi_skip_blanks(wfi_word_end(p, end))) words++;
    return words;
}

weft_status wfi_ldbc_pass_over(const wfi_text_block *block, const char **at, uint64_t count, wfi_parse_error *error) {
    const char *end = block->text + block->bytes, *p = wfi_skip_blanks(*at);
    uint64_t seen = 0;
    for (; p < end && *p != '\n' && seen < count; seen++) p = wfi_skip_blanks(wfi_word_end(p, end));
    *at = p;
    if (seen == count && (p >= end || *p == '\n')) return WEFT_OK;
    if (!count)
        return wfi_block_error(error, block, p, "expected the end of the line, as in the first, found %s",
                               wfi_quote_word(p, end).text);
    return wfi_block_error(error, block, p, "expected %llu propert%s, as in the first line, found %s",
                           (unsigned long long)count, count == 1 ? "y" : "ies",
                           seen < count ? "fewer" : wfi_quote_word(p, end).text);
}

void wfi_ldbc_note(weft_ctx *ctx, const wfi_source *source, uint64_t count) {
    if (count)
        wfi_note(ctx, "%s: passed over %llu propert%s per line", wfi_source_name(source), (unsigned long long)count,
                 count == 1 ? "y" : "ies");
}

/* --- reading ------------------------------------------------------------------------------- */

static weft_status parse_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                               wfi_parse_error *error) {
    reading *r = user;
    const char *end = block->text + block->bytes;
    block_ids found = {0};
    *lines = wfi_count_lines(block->text, block->bytes);
    weft_status st = wfi_alloc(ctx, &found.keys, *lines + 1);
    for (const char *p = wfi_next_data(block->text, end); !st && p < end; p = wfi_next_data(p, end)) {
        int64_t id;
        st = wfi_take_id(block, &p, &id, error);
        if (!st) st = wfi_ldbc_pass_over(block, &p, r->properties, error);
        if (!st) found.keys[found.count++] = wfi_ldbc_key(id);
    }
    if (!st) st = wfi_slots_put(ctx, &r->slots, block->index, &found);
    if (st) wfi_free(found.keys);
    return st;
}

static weft_status join_blocks(weft_ctx *ctx, const wfi_slots *slots, wfi_ldbc_ids *ids) {
    for (size_t b = 0; b < slots->count; b++) ids->count += ((block_ids *)wfi_slots_at(slots, b))->count;
    if (wfi_alloc(ctx, &ids->sorted, ids->count)) return WEFT_ENOMEM;
    uint64_t at = 0;
    for (size_t b = 0; b < slots->count; b++) {
        const block_ids *here = wfi_slots_at(slots, b);
        for (uint64_t i = 0; i < here->count; i++) ids->sorted[at++] = here->keys[i];
    }
    return WEFT_OK;
}

static weft_status make_bits(weft_ctx *ctx, wfi_ldbc_ids *ids) {
    if (!ids->count) return WEFT_OK;
    ids->low = ids->sorted[0];
    ids->high = ids->sorted[ids->count - 1];
    uint64_t range = ids->high - ids->low;
    if (range == ids->count - 1 || range / 64 > ids->count) return WEFT_OK;
    if (wfi_alloc_zeroed(ctx, &ids->bits, range / 64 + 1)) return WEFT_ENOMEM;
    for (uint64_t i = 0; i < ids->count; i++) {
        uint64_t at = ids->sorted[i] - ids->low;
        ids->bits[at / 64] |= (uint64_t)1 << at % 64;
    }
    return WEFT_OK;
}

weft_status wfi_ldbc_ids_read(weft_ctx *ctx, wfi_source *source, wfi_ldbc_ids *ids) {
    uint64_t words = wfi_ldbc_words(source);
    reading r = {.properties = words ? words - 1 : 0};
    *ids = (wfi_ldbc_ids){0};
    wfi_slots_open(&r.slots, sizeof(block_ids));
    weft_status st = wfi_read_blocks(ctx, source, 0, WFI_CUT_LINES, parse_block, &r);
    if (!st) st = join_blocks(ctx, &r.slots, ids);
    for (size_t b = 0; b < r.slots.count; b++) wfi_free(((block_ids *)wfi_slots_at(&r.slots, b))->keys);
    wfi_slots_close(&r.slots);
    if (!st) wfi_ldbc_note(ctx, source, r.properties);
    if (!st) st = wfi_sort_u64(ctx, ids->sorted, ids->count);
    if (st) return st;
    uint64_t distinct = wfi_unique_u64(ids->sorted, ids->count);
    if (distinct < ids->count)
        wfi_warn(ctx, "%s: %llu ids are listed more than once", wfi_source_name(source),
                 (unsigned long long)(ids->count - distinct));
    ids->count = distinct;
    return make_bits(ctx, ids);
}

void wfi_ldbc_ids_free(wfi_ldbc_ids *ids) {
    wfi_free(ids->sorted);
    wfi_free(ids->bits);
    *ids = (wfi_ldbc_ids){0};
}

const int64_t *wfi_ldbc_ids_release(wfi_ldbc_ids *ids) {
    for (uint64_t i = 0; i < ids->count; i++) ids->sorted[i] ^= (uint64_t)1 << 63;
    return (const int64_t *)ids->sorted;
}

bool wfi_ldbc_has_far(const wfi_ldbc_ids *ids, uint64_t key) {
    uint64_t at = wfi_lower_bound_u64(ids->sorted, 0, ids->count, key);
    return at < ids->count && ids->sorted[at] == key;
}
