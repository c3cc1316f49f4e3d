/* Replaying the log into a graph: for opening (recovery), for weft_read, and for readers that follow a writer. */
#include "dynamic/batch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static weft_status look_at_size(weft_ctx *ctx, wfi_weft_log *log) {
    struct stat facts;
    if (fstat(log->fd, &facts)) return wfi_fail(ctx, WEFT_EIO, "%s: cannot read: %s", log->name, strerror(errno));
    log->bytes = (uint64_t)facts.st_size;
    return WEFT_OK;
}

weft_status wfi_log_look(weft_ctx *ctx, const wfi_log *log, wfi_weft_log *seen) {
    *seen = (wfi_weft_log){.name = log->name, .page = &log->page, .fd = log->fd};
    return look_at_size(ctx, seen);
}

weft_status wfi_weft_look(weft_ctx *ctx, wfi_weft_log *log) {
    weft_status st = wfi_log_root(ctx, log, &log->root);
    return st || log->fd < 0 ? st : look_at_size(ctx, log);
}

weft_status wfi_log_take(weft_ctx *ctx, const wfi_weft_log *log, weft_dynamic *d, wfi_log_position *at, bool *whole) {
    wfi_frame_in in;
    weft_batch_stats stats;
    wfi_log_position after = *at;
    weft_status st = wfi_frame_read(ctx, log, wfi_frame_kind_of(d), &after, &in, whole);
    if (st || !*whole) return st;
    weft_loops loops = d->loops;
    d->loops = in.head.flags & WFI_FRAME_DROPS_LOOPS ? WEFT_LOOPS_DROP : WEFT_LOOPS_KEEP;
    st = wfi_batch_check(ctx, d, &in.batch);
    if (!st) st = wfi_dynamic_apply(ctx, d, &in.batch, false, &stats);
    d->loops = loops;
    wfi_frame_in_free(&in);
    if (st == WEFT_EINVAL) {
        char place[64];
        snprintf(place, sizeof place, "batch %" PRIu64 " of the log", after.batch);
        wfi_fail_prefixed(ctx, place);
        wfi_fail_prefixed(ctx, log->name);
        st = WEFT_EINPUT;
    }
    if (!st) *at = after;
    return st;
}

static weft_status check_floor(weft_ctx *ctx, const wfi_weft_log *log, const wfi_log_position *at, bool ended) {
    const wfi_weft_root *root = &log->root;
    if (at->batch == root->batch && (at->offset != root->end || at->chain != root->chain))
        return wfi_fail(ctx, WEFT_EINPUT, "%s: damaged: the log is not the one that its root pages speak of",
                        log->name);
    if (ended && at->batch < root->batch)
        return wfi_fail(ctx, WEFT_EINPUT,
                        "%s: damaged: batches up to %" PRIu64 " were on the disk, but the log ends after batch %" PRIu64
                        "; a snapshot `at` batch %" PRIu64 " can still be made",
                        log->name, root->batch, at->batch, at->batch);
    return WEFT_OK;
}

weft_status wfi_log_replay(weft_ctx *ctx, const wfi_weft_log *log, weft_dynamic *d, uint64_t last,
                           wfi_log_position *at) {
    bool whole = true;
    weft_status st = WEFT_OK;
    while (!st && at->batch < last) {
        wfi_progress(ctx, "replaying the log", at->offset - log->page->changes.log_offset,
                     log->bytes - log->page->changes.log_offset);
        st = wfi_log_take(ctx, log, d, at, &whole);
        if (!whole) break;
        if (!st) st = check_floor(ctx, log, at, false);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    return st ? st : check_floor(ctx, log, at, !whole);
}

/* Is there a whole batch at all?  If not, the sections are the graph, and need not be copied. */
static weft_status has_batches(weft_ctx *ctx, const wfi_weft_log *log, bool *has) {
    wfi_log_position at = wfi_log_begin(log->page);
    weft_status st = wfi_frame_skip(ctx, log, &at, has);
    return st || *has ? st : check_floor(ctx, log, &at, true);
}

weft_status wfi_weft_replay(weft_ctx *ctx, const wfi_weft_log *log, weft_graph **g) {
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    weft_dynamic *d = NULL;
    weft_graph *now = NULL;
    wfi_log_position at = wfi_log_begin(log->page);
    bool has = false;
    weft_status st = has_batches(ctx, log, &has);
    if (st || !has) return st;
    st = wfi_dynamic_make(ctx, *g, &p, &d);
    if (!st) st = wfi_log_replay(ctx, log, d, WEFT_LAST_BATCH, &at);
    if (!st) st = wfi_dynamic_snapshot(ctx, d, &now);
    if (!st) st = wfi_graph_ready(ctx, now);
    weft_dynamic_free(d);
    if (st) {
        weft_graph_free(now);
        return st;
    }
    wfi_note(ctx, "%s: the graph as of batch %" PRIu64 ", %" PRIu64 " of which %s in its log", log->name, at.batch,
             at.batch - log->page->changes.batches, at.batch - log->page->changes.batches == 1 ? "is" : "are");
    now->format = "weft";
    weft_graph_free(*g);
    *g = now;
    return WEFT_OK;
}
