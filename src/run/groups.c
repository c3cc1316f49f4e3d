/* Group sizes: a histogram of a column of vertices that names the group of each, such as components.
 * Method: counting by a counter for each vertex up to the largest named; groups are sorted by (size, vertex), packed in
 * one word. */
#include "core/scan.h"
#include "run/algorithm.h"

enum { POLL = 1 << 20 };

/* Rows are fewer than 2^32, so a size fits in the upper half; its complement puts the largest first. */
static uint64_t key_of(weft_vid group, uint32_t size) { return (uint64_t)(UINT32_MAX - size) << 32 | group; }

static weft_status count_rows(weft_ctx *ctx, const weft_column *c, uint32_t *size, size_t *groups) {
    const weft_vid *of = c->data;
    *groups = 0;
    for (size_t i = 0; i < c->length; i++) {
        if (i % POLL == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (of[i] != WEFT_NO_VERTEX) *groups += size[of[i]]++ == 0;
    }
    return WEFT_OK;
}

static weft_status list(weft_ctx *ctx, const weft_column *c, weft_vid **group, uint64_t **size, size_t *count) {
    uint32_t *rows = NULL;
    uint64_t *key = NULL;
    size_t places = 0, groups = 0, at = 0;
    for (size_t i = 0; i < c->length; i++) {
        weft_vid v = ((const weft_vid *)c->data)[i];
        if (v != WEFT_NO_VERTEX && v >= places) places = (size_t)v + 1;
    }
    weft_status st = wfi_alloc_zeroed(ctx, &rows, places);
    if (!st) st = count_rows(ctx, c, rows, &groups);
    if (!st) st = wfi_alloc(ctx, &key, groups);
    for (size_t v = 0; v < places && !st; v++)
        if (rows[v]) key[at++] = key_of((weft_vid)v, rows[v]);
    wfi_free(rows);
    if (!st) st = wfi_sort_u64(ctx, key, groups);
    if (!st) st = wfi_alloc(ctx, group, groups);
    if (!st) st = wfi_alloc(ctx, size, groups);
    for (size_t i = 0; i < groups && !st; i++) {
        (*group)[i] = (weft_vid)key[i];
        (*size)[i] = UINT32_MAX - (key[i] >> 32);
    }
    wfi_free(key);
    if (!st) *count = groups;
    return st;
}

weft_status weft_group_sizes(weft_ctx *ctx, const weft_column *column, weft_vid **group, uint64_t **size,
                             size_t *count) {
    if (group) *group = NULL;
    if (size) *size = NULL;
    if (count) *count = 0;
    WFI_BEGIN_WITH_OR_RETURN(ctx, column, group, size, count);
    weft_column full = WEFT_COLUMN_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_column", column, &full, sizeof full);
    if (st) return st;
    if (full.type != WEFT_VERTEX || full.width || full.length >= WEFT_NO_VERTEX || (full.length && !full.data))
        return wfi_fail(ctx, WEFT_EINVAL, "weft_group_sizes: a column of vertices is needed");
    st = list(ctx, &full, group, size, count);
    if (st) {
        WFI_FREE(*group, *size);
        *group = NULL;
        *size = NULL;
    }
    return st;
}
