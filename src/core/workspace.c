/* An arena (bump allocation). Measuring and carving are the same walk, without and with an address. */
#include "core/workspace.h"

enum { ALIGNMENT = 64, DEVICE_ALIGNMENT = 256 };

static uint64_t add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

static void note(wfi_workspace *w, const char *name, uint64_t at, uint64_t bytes, bool within) {
    if (w->note_count < w->note_capacity) w->notes[w->note_count] = (wfi_array_note){name, at, bytes, within};
    w->note_count++;
}

static _Alignas(ALIGNMENT) char none[ALIGNMENT]; /* address of arrays without elements */

void *wfi_carve(wfi_workspace *w, const char *name, uint64_t count, size_t each, bool within) {
    uint64_t alignment = w->on_device ? DEVICE_ALIGNMENT : ALIGNMENT, bytes;
    uint64_t at = add(w->at, alignment - 1) / alignment * alignment;
    if (__builtin_mul_overflow(count, (uint64_t)each, &bytes)) bytes = UINT64_MAX;
    w->at = add(at, bytes);
    w->peak = wfi_max_u64(w->peak, w->at);
    note(w, name, at, bytes, within);
    if (!w->ctx || w->status) return NULL;
    if (!bytes) return none;
    if (w->at <= w->arena_bytes) return w->arena + at;
    w->status = wfi_fail(w->ctx, WEFT_ENOMEM, "out of memory: %s is larger than planned", name);
    return NULL;
}

void wfi_growth(wfi_workspace *w, uint64_t most) {
    w->growth = add(w->growth, w->on_device ? most : wfi_taken_bytes(most));
}

void *wfi_grow(wfi_workspace *w, uint64_t count, size_t each) {
    void *block = NULL;
    if (w->grown_count == WFI_MOST_GROWN)
        wfi_fail(w->ctx, WEFT_ENOMEM, "out of memory: a run has at most %d blocks that grow", WFI_MOST_GROWN);
    else
        block = wfi_pool_take(w->ctx, w->pool, (size_t)count, each);
    if (block)
        w->grown[w->grown_count++] = block;
    else
        w->status = WEFT_ENOMEM;
    return block;
}

void wfi_grown_release(wfi_workspace *w, void *block) {
    for (size_t i = 0; i < w->grown_count; i++)
        if (w->grown[i] == block) w->grown[i] = NULL;
}

void wfi_give_grown(wfi_workspace *w) {
    for (size_t i = 0; i < w->grown_count; i++) wfi_pool_give(w->pool, w->grown[i]);
    w->grown_count = 0;
}

void wfi_keep_with_graph(wfi_workspace *w, uint64_t kept, uint64_t making) {
    w->making = wfi_max_u64(w->making, add(w->kept, making));
    w->kept = add(w->kept, kept);
}

weft_status wfi_workspace_take(weft_ctx *ctx, wfi_workspace *w) {
    uint64_t bytes = w->peak;
    *w = (wfi_workspace){.ctx = ctx, .arena_bytes = bytes};
    if (bytes && !(w->arena = wfi_take(ctx, (size_t)bytes, 1))) w->status = WEFT_ENOMEM;
    return w->status;
}

void wfi_workspace_give(wfi_workspace *w) {
    wfi_free(w->arena);
    w->arena = NULL;
}

/* The GPU's blocks have no header. */
uint64_t wfi_workspace_bytes(const wfi_workspace *w) {
    uint64_t arena = w->on_device || !w->peak ? w->peak : wfi_taken_bytes(w->peak);
    return wfi_max_u64(w->making, add(add(add(w->kept, arena), w->columns), w->growth));
}
