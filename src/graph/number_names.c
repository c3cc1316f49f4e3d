/* Vertices from names: the names of all tables are sorted as bytes, and equal names become one vertex.
 * Method: radix sort by the first eight bytes, then comparison sort within runs of equal prefixes. */
#include "core/comm.h"
#include "core/scan.h"
#include "graph/build.h"

#include <stdlib.h>
#include <string.h>

/* Names, scattered in memory, between two polls. */
enum { POLL_EVERY = 1 << 16 };

static bool stop_at(weft_ctx *ctx, size_t i) { return i % POLL_EVERY == 0 && wfi_cancelled(ctx); }

/* A name in some table. */
typedef struct reference {
    const char *text;
    uint64_t length;
    uint32_t table, number;
} reference;

static uint64_t first_bytes(const reference *r) {
    unsigned char eight[8] = {0};
    memcpy(eight, r->text, r->length < 8 ? r->length : 8);
    uint64_t key = 0;
    for (int i = 0; i < 8; i++) key = key << 8 | eight[i];
    return key;
}

static int compare_names(const void *a, const void *b) {
    const reference *x = a, *y = b;
    int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
    if (order) return order;
    return (x->length > y->length) - (x->length < y->length);
}

static bool same_name(const reference *a, const reference *b) {
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static weft_status collect(weft_ctx *ctx, const wfi_edges *edges, reference **out, size_t *count) {
    size_t total = 0, at = 0;
    for (size_t t = 0; t < edges->name_tables; t++) total += edges->names[t] ? edges->names[t]->count : 0;
    if (total >= WEFT_NO_VERTEX) return wfi_fail(ctx, WEFT_EINPUT, "more than 2^32-2 names");
    if (wfi_alloc(ctx, out, total)) return WEFT_ENOMEM;
    for (size_t t = 0; t < edges->name_tables; t++) {
        const wfi_names *names = edges->names[t];
        for (size_t i = 0; names && i < names->count; i++) {
            if (stop_at(ctx, i)) return wfi_fail_cancelled(ctx);
            (*out)[at++] = (reference){names->text + names->start[i], names->start[i + 1] - names->start[i],
                                       (uint32_t)t, (uint32_t)i};
        }
    }
    *count = total;
    return WEFT_OK;
}

static weft_status sort_names(weft_ctx *ctx, reference **names, size_t count) {
    uint64_t *key = NULL;
    uint32_t *place = NULL;
    reference *sorted = NULL;
    weft_status st = WEFT_ENOMEM;
    if (wfi_alloc(ctx, &key, count) || wfi_alloc(ctx, &place, count) || wfi_alloc(ctx, &sorted, count)) goto done;
    st = WEFT_OK;
    for (size_t i = 0; i < count && !st; i++) {
        if (stop_at(ctx, i)) st = wfi_fail_cancelled(ctx);
        key[i] = first_bytes(&(*names)[i]);
        place[i] = (uint32_t)i;
    }
    if (!st) st = wfi_sort_pairs(ctx, key, place, count, 64);
    if (st) goto done;
    for (size_t i = 0; i < count && !st; i++) {
        if (stop_at(ctx, i)) st = wfi_fail_cancelled(ctx);
        sorted[i] = (*names)[place[i]];
    }
    size_t looked = 0;
    for (size_t i = 0, end; i < count && !st; i = end) {
        if (i >= looked) {
            if (wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
            looked = i + POLL_EVERY / 16;
        }
        for (end = i + 1; end < count && key[end] == key[i]; end++) continue;
        if (end - i > 1) qsort(sorted + i, end - i, sizeof *sorted, compare_names);
    }
    reference *old = *names;
    *names = sorted;
    sorted = old;
done:
    WFI_FREE(key, place, sorted);
    return st;
}

/* Assigns a vertex to each distinct name: vertex[table][number]. */
static weft_status assign(weft_ctx *ctx, const reference *names, size_t count, uint32_t **vertex, weft_vid *n,
                          uint64_t *bytes) {
    uint64_t text = 0;
    weft_vid next = 0;
    for (size_t i = 0; i < count; i++) {
        if (stop_at(ctx, i)) return wfi_fail_cancelled(ctx);
        if (i == 0 || !same_name(&names[i - 1], &names[i])) {
            next++;
            text += names[i].length;
        }
        vertex[names[i].table][names[i].number] = next - 1;
    }
    *n = next;
    *bytes = text;
    return WEFT_OK;
}

static weft_status keep_names(weft_ctx *ctx, const reference *names, size_t count, weft_vid n, uint64_t bytes,
                              wfi_ids *ids) {
    if (wfi_alloc(ctx, &ids->start, (size_t)n + 1) || wfi_alloc(ctx, &ids->text, (size_t)bytes)) return WEFT_ENOMEM;
    uint64_t used = 0;
    weft_vid v = 0;
    for (size_t i = 0; i < count; i++) {
        if (stop_at(ctx, i)) return wfi_fail_cancelled(ctx);
        if (i && same_name(&names[i - 1], &names[i])) continue;
        ids->start[v++] = used;
        memcpy(ids->text + used, names[i].text, names[i].length);
        used += names[i].length;
    }
    ids->start[n] = used;
    return WEFT_OK;
}

/* Replaces this rank's numbers by those in the union; both lists ascend. */
static weft_status renumber(weft_ctx *ctx, const wfi_edges *edges, uint32_t **vertex, const wfi_name_list *mine,
                            const wfi_name_list *all) {
    uint32_t *place = NULL;
    weft_status st = wfi_alloc(ctx, &place, (size_t)mine->count);
    uint64_t at = 0;
    for (uint64_t i = 0; !st && i < mine->count; i++) {
        uint64_t length = mine->start[i + 1] - mine->start[i];
        while (all->start[at + 1] - all->start[at] != length ||
               memcmp(all->text + all->start[at], mine->text + mine->start[i], (size_t)length) != 0)
            at++; /* mine is a subset of all */
        place[i] = (uint32_t)at;
    }
    for (size_t t = 0; !st && t < edges->name_tables; t++)
        for (size_t i = 0; edges->names[t] && i < edges->names[t]->count; i++) vertex[t][i] = place[vertex[t][i]];
    wfi_free(place);
    return st;
}

/* Replaces this rank's names in *ids by those of all ranks. */
static weft_status unite(weft_ctx *ctx, const wfi_edges *edges, uint32_t **vertex, weft_vid *n, wfi_ids *ids) {
    wfi_name_list mine = {*n, ids->start, ids->text}, all;
    weft_status st = wfi_union_names(ctx, &mine, &all);
    if (st) return st;
    st = renumber(ctx, edges, vertex, &mine, &all);
    WFI_FREE(mine.start, mine.text);
    ids->start = all.start;
    ids->text = all.text;
    *n = (weft_vid)all.count;
    return st;
}

weft_status wfi_number_names(weft_ctx *ctx, wfi_edges *edges, bool shared, weft_vid *n, wfi_ids *ids) {
    reference *names = NULL;
    uint32_t **vertex = NULL;
    size_t count = 0;
    uint64_t bytes = 0;
    ids->kind = WEFT_IDS_STRING;
    wfi_progress(ctx, "sorting names", 0, 0);
    weft_status st = collect(ctx, edges, &names, &count);
    if (!st) st = sort_names(ctx, &names, count);
    if (!st) st = wfi_alloc_zeroed(ctx, &vertex, edges->name_tables);
    for (size_t t = 0; t < edges->name_tables && !st; t++)
        if (edges->names[t]) st = wfi_alloc(ctx, &vertex[t], edges->names[t]->count);
    if (!st) st = assign(ctx, names, count, vertex, n, &bytes);
    if (!st) st = keep_names(ctx, names, count, *n, bytes, ids);
    if (shared) st = wfi_agree_input(ctx, st);
    if (shared && !st) st = unite(ctx, edges, vertex, n, ids);
    if (st) goto done;
    for (size_t i = 0; i < edges->count && !st; i++) {
        if (wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
        wfi_piece *p = &edges->pieces[i];
        for (uint64_t k = 0; k < 2 * p->count; k++) p->narrow[k] = vertex[p->names][p->narrow[k]];
    }
done:
    for (size_t t = 0; vertex && t < edges->name_tables; t++) wfi_free(vertex[t]);
    WFI_FREE(vertex, names);
    return st;
}
