/* A dynamic graph with rows on a GPU. Ids become slots on the host; the batch is then uploaded and merged there into
 * a new CSR (cuda/arc_changes.h). Rows of older versions are kept while a version needs them: a failed batch has
 * nothing to undo. */
#include "cuda/gpu_rows.h"
#include "dynamic/base_columns.h"
#include "dynamic/batch.h"

#include <string.h>

static bool has_parallel_arcs(weft_ctx *ctx, const weft_graph *g) {
    int found = 0;
#pragma omp parallel for schedule(dynamic, 4096) reduction(|        \
                                                           : found) \
    num_threads(wfi_threads_for(ctx, g->arcs, 1 << 16))
    for (weft_vid v = 0; v < g->n; v++)
        for (weft_eid e = g->out.offsets[v] + 1; e < g->out.offsets[v + 1]; e++)
            found |= g->out.targets[e - 1] == g->out.targets[e];
    return found;
}

static void show(wfi_version *draft, struct wfi_gpu_rows *rows) {
    draft->rows = rows;
    atomic_fetch_add(&draft->store->bytes, wfi_gpu_rows_bytes(rows));
}

weft_status wfi_gpu_first(weft_ctx *ctx, const weft_graph *base, wfi_version *draft) {
    weft_eid nowhere = 0;
    weft_graph none = {.weight_type = draft->store->weight_type, .out = {.offsets = &nowhere}};
    struct wfi_gpu_rows *rows = NULL;
    if (base && has_parallel_arcs(ctx, base)) return WEFT_EINVAL;
    weft_status st = wfi_gpu_rows_new(ctx, base ? base : &none, &rows);
    if (!st) show(draft, rows);
    return st;
}

/* Copies the bitmap of vertices if not all slots are vertices. */
static weft_status keep_alive(const wfi_batch *b, wfi_version *draft) {
    size_t words = ((size_t)draft->slots + 63) / 64;
    if (draft->live == draft->slots) return WEFT_OK;
    weft_status st = wfi_alloc(b->ctx, &draft->alive, words);
    if (!st) memcpy(draft->alive, b->d->vertices.alive, words * sizeof *draft->alive);
    return st;
}

static weft_status mark_removed(const wfi_batch *b, weft_vid slots, uint64_t **removed) {
    if (!b->changes.removed) return WEFT_OK;
    weft_status st = wfi_alloc_zeroed(b->ctx, removed, ((size_t)slots + 63) / 64);
    for (weft_vid slot = 0; slot < slots && !st; slot++)
        (*removed)[slot / 64] |= (uint64_t)(b->changes.removed[slot] != 0) << slot % 64;
    return st;
}

static void add_counts(wfi_batch *b, const uint64_t *counts, wfi_version *draft) {
    weft_batch_stats *to = &b->stats;
    to->inserted += counts[WFI_INSERTED];
    to->deleted += counts[WFI_DELETED];
    to->weights_changed += counts[WFI_WEIGHED];
    to->already_there += counts[WFI_ALREADY_THERE];
    to->absent += counts[WFI_ABSENT];
    to->superseded += counts[WFI_SUPERSEDED];
    to->version = wfi_batches_of(b->d, draft);
    draft->arcs += counts[WFI_ARCS_IN] - counts[WFI_ARCS_OUT];
    draft->loops += counts[WFI_LOOPS_IN] - counts[WFI_LOOPS_OUT];
}

static weft_status merge(wfi_batch *b, const wfi_version *now, wfi_version *draft) {
    uint64_t counts[WFI_COUNTS], *removed = NULL;
    struct wfi_gpu_rows *rows = NULL;
    if (draft->slots > WFI_GPU_MOST_ROWS)
        return wfi_fail(b->ctx, WEFT_EUNSUPPORTED, "on a GPU there are at most 2^31-1 vertices, removed ones included");
    weft_status st = mark_removed(b, draft->slots, &removed);
    wfi_arc_batch batch = {.rows = draft->slots,
                           .directed = b->d->store->directed,
                           .count = b->given->count,
                           .source = b->source,
                           .target = b->target,
                           .changes = b->given->changes,
                           .weights = b->given->weights,
                           .removed = removed,
                           .pinned = wfi_block_pinned(b->d->gpu_slots),
                           .more = true};
    if (!st) st = wfi_gpu_rows_merge(b->ctx, now->rows, &batch, counts, &b->stats.gpu_ms, &rows);
    wfi_free(removed);
    if (st) return st;
    show(draft, rows);
    add_counts(b, counts, draft);
    return WEFT_OK;
}

weft_status wfi_gpu_commit(wfi_batch *b) {
    wfi_version *now = b->d->store->newest; /* held by the dynamic graph, of which this is the only writer */
    wfi_version *draft = wfi_version_draft(b->ctx, b->d->store, now);
    if (!draft) return WEFT_ENOMEM;
    const wfi_vertices *v = &b->d->vertices;
    draft->slots = v->slots;
    draft->live = v->live;
    draft->ascending = v->ascending;
    weft_status st = keep_alive(b, draft);
    if (!st) st = merge(b, now, draft);
    if (!st && b->to_log) st = wfi_log_append(b->ctx, b->d, b->given); /* the last step that can fail */
    if (st) {
        wfi_version_discard(draft);
        return st;
    }
    draft->ids = wfi_slot_ids_keep(v->ids);
    wfi_base_columns_lose(draft->store->columns, v->flipped, v->flips, draft->number);
    wfi_version_publish(draft, NULL, 1);
    return WEFT_OK;
}
