/* Facts kept about the blocks of a text: the position of the first error, as line and column by a prefix sum over the
 * newlines of the blocks before it, and a small record for each block. */
#include "core/comm.h"
#include "io/stream/source_private.h"

#include <string.h>

typedef struct place {
    uint64_t line, column;
} place;

/* The position of the error; lines_before: lines in the slices of the ranks before this one. */
static place place_of(const wfi_first_error *e, uint64_t lines_before) {
    uint64_t line = 1 + lines_before, line_start = 0;
    const char *start = e->source->whole ? e->source->whole : e->source->head;
    for (uint64_t i = 0; i < e->from; i++)
        if (start[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    if (e->inside) line_start = e->block; /* the line before ends there; lines of this slice are counted below */
    for (uint64_t i = 0; i <= e->index; i++) {
        line += e->passed[i].lines;
        if (e->passed[i].line_start) line_start = e->passed[i].line_start;
    }
    return (place){line, e->offset - line_start + 1};
}

weft_status wfi_first_error_report(weft_ctx *ctx, const wfi_first_error *e) {
    place at = place_of(e, 0);
    return wfi_fail_at(ctx, e->source->name, at.line, at.column, "%s", e->error.message);
}

weft_status wfi_first_error_of_ranks(weft_ctx *ctx, const wfi_first_error *e) {
    struct {
        place at;
        char message[sizeof e->error.message];
    } first_report = {0};
    int ranks = wfi_ranks(ctx);
    uint64_t *lines = NULL, *start, first = e->index != UINT64_MAX ? (uint64_t)wfi_rank(ctx) : UINT64_MAX, mine = 0;
    weft_status st = wfi_agree(ctx, wfi_alloc(ctx, &lines, 2 * (size_t)ranks + 1));
    if (!st) st = wfi_allreduce(ctx, &first, 1, WFI_MIN);
    for (uint64_t i = 0; i < e->blocks; i++) mine += e->passed[i].lines;
    if (!st && first != UINT64_MAX) st = wfi_allgather_u64(ctx, mine, lines);
    if (st || first == UINT64_MAX) goto done;
    if (first == (uint64_t)wfi_rank(ctx)) {
        uint64_t before = 0;
        for (uint64_t k = 0; k < first; k++) before += lines[k];
        first_report.at = place_of(e, before);
        memcpy(first_report.message, e->error.message, sizeof first_report.message);
    }
    start = lines + ranks;
    for (int k = 0; k <= ranks; k++) start[k] = (uint64_t)k > first ? sizeof first_report : 0;
    st = wfi_allgather(ctx, &first_report, start);
    if (!st)
        st =
            wfi_fail_at(ctx, e->source->name, first_report.at.line, first_report.at.column, "%s", first_report.message);
done:
    wfi_free(lines);
    return st;
}

/* --- arrays that grow ------------------------------------------------------------------ */

weft_status wfi_make_room(weft_ctx *ctx, void *array, size_t at, size_t *room, size_t first, size_t each) {
    if (at < *room) return WEFT_OK;
    size_t more = *room ? 2 * *room : first;
    while (more <= at) more *= 2;
    void *block;
    memcpy(&block, array, sizeof block);
    block = wfi_resize(ctx, block, more, each);
    if (!block) return WEFT_ENOMEM;
    memcpy(array, &block, sizeof block);
    *room = more;
    return WEFT_OK;
}

/* --- slots ----------------------------------------------------------------------------- */

void wfi_slots_open(wfi_slots *slots, size_t each) {
    *slots = (wfi_slots){.each = each};
    pthread_mutex_init(&slots->lock, NULL);
}

void wfi_slots_close(wfi_slots *slots) {
    wfi_free(slots->records);
    slots->records = NULL;
    pthread_mutex_destroy(&slots->lock);
}

weft_status wfi_slots_put(weft_ctx *ctx, wfi_slots *slots, size_t at, const void *record) {
    pthread_mutex_lock(&slots->lock);
    size_t before = slots->room;
    weft_status st = wfi_make_room(ctx, &slots->records, at, &slots->room, 64, slots->each);
    if (st) goto done;
    memset(slots->records + before * slots->each, 0, (slots->room - before) * slots->each);
    memcpy(wfi_slots_at(slots, at), record, slots->each);
    if (at >= slots->count) slots->count = at + 1;
done:
    pthread_mutex_unlock(&slots->lock);
    return st;
}
