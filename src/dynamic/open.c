/* weft_dynamic_open with recovery, and calls that read the file of an open graph; replay of the log into a graph, for
 * these, for weft_read, and for readers that follow a writer. There is a single writer: it holds a lock (flock) on
 * the file that has the name. */
#include "dynamic/batch.h"
#include "stream/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TRIES = 20, WAIT_NS = 20000000 };

/* --- replaying the log ----------------------------------------------------------- */

static weft_status look_at_size(weft_ctx *ctx, wfi_weft_log *log) {
    struct stat facts;
    if (fstat(log->fd, &facts)) return wfi_fail(ctx, WEFT_EIO, "%s: cannot read: %s", log->name, strerror(errno));
    log->bytes = (uint64_t)facts.st_size;
    return WEFT_OK;
}

/* The file as a reader sees it now, without its root (wfi_weft_look). */
static weft_status look(weft_ctx *ctx, const wfi_log *log, wfi_weft_log *seen) {
    *seen = (wfi_weft_log){.name = log->name, .page = &log->page, .fd = log->fd};
    return look_at_size(ctx, seen);
}

weft_status wfi_weft_look(weft_ctx *ctx, wfi_weft_log *log) {
    weft_status st = wfi_log_root(ctx, log, &log->root);
    return st || log->fd < 0 ? st : look_at_size(ctx, log);
}

/* Applies the next batch, if there is one. */
static weft_status take_batch(weft_ctx *ctx, const wfi_weft_log *log, weft_dynamic *d, wfi_log_position *at,
                              bool *whole) {
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
        return wfi_fail(ctx, WEFT_EINPUT, "%s: damaged: the log does not match its root pages", log->name);
    if (ended && at->batch < root->batch)
        return wfi_fail(ctx, WEFT_EINPUT,
                        "%s: damaged: batches up to %" PRIu64 " were on the disk, but the log ends after batch %" PRIu64
                        "; a snapshot `at` batch %" PRIu64 " can still be made",
                        log->name, root->batch, at->batch, at->batch);
    return WEFT_OK;
}

/* Called when there is no whole batch after *at. A batch that was damaged after it was acknowledged is an error if it
 * can be told from an unfinished one (frame.c). */
static weft_status check_tail(weft_ctx *ctx, const wfi_weft_log *log, size_t weight, const wfi_log_position *at) {
    wfi_tail tail;
    uint64_t left = log->bytes > at->offset ? log->bytes - at->offset : 0;
    weft_status st = wfi_frame_tail(ctx, log, weight, at, &tail);
    if (st || tail == WFI_TAIL_TORN) return st;
    if (tail == WFI_TAIL_DAMAGED)
        return wfi_fail(ctx, WEFT_EINPUT,
                        "%s: damaged: the last batch: the %" PRIu64 " bytes after batch %" PRIu64
                        " are not what was written; a snapshot `at` batch %" PRIu64 " can still be made",
                        log->name, left, at->batch, at->batch);
    wfi_warn(ctx,
             "%s: the %" PRIu64 " bytes after batch %" PRIu64 " are left out: a batch that was never finished, or one "
             "that was damaged later",
             log->name, left, at->batch);
    return WEFT_OK;
}

/* Applies the batches after *at, up to batch `last`, to d; advances *at. Fails if a batch that was on the disk is not
 * whole. */
static weft_status replay(weft_ctx *ctx, const wfi_weft_log *log, weft_dynamic *d, uint64_t last,
                          wfi_log_position *at) {
    bool whole = true;
    weft_status st = WEFT_OK;
    while (!st && at->batch < last) {
        wfi_progress(ctx, "replaying the log", at->offset - log->page->changes.log_offset,
                     log->bytes - log->page->changes.log_offset);
        st = take_batch(ctx, log, d, at, &whole);
        if (!whole) break;
        if (!st) st = check_floor(ctx, log, at, false);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    if (!st) st = check_floor(ctx, log, at, !whole);
    return st || whole ? st : check_tail(ctx, log, wfi_frame_kind_of(d).weight, at);
}

/* *has: there is at least one whole batch. Without one, the sections are the graph and need not be copied. */
static weft_status has_batches(weft_ctx *ctx, const wfi_weft_log *log, bool *has) {
    wfi_log_position at = wfi_log_begin(log->page);
    weft_status st = wfi_frame_skip(ctx, log, &at, has);
    if (!st && !*has) st = check_floor(ctx, log, &at, true);
    return st || *has ? st : check_tail(ctx, log, 0, &at);
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
    if (!st) st = replay(ctx, log, d, WEFT_LAST_BATCH, &at);
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

/* --- opening --------------------------------------------------------------------- */

static weft_status fail_open(weft_ctx *ctx, const wfi_log *log) {
    return wfi_fail(ctx, wfi_status_of_error(errno), "%s: cannot open: %s", log->name, strerror(errno));
}

/* The path is resolved once, so that a rewritten file replaces the target of a link. */
static weft_status set_names(weft_ctx *ctx, wfi_log *log, const char *path) {
    log->name = wfi_copy_text(ctx, path);
    if (!log->name) return WEFT_ENOMEM;
    char *real = realpath(path, NULL);
    if (!real) return fail_open(ctx, log);
    log->path = wfi_copy_text(ctx, real);
    free(real);
    return log->path ? WEFT_OK : WEFT_ENOMEM;
}

/* Tries again if another writer's rewritten file took the name meanwhile, and for `wait` seconds while another
 * program writes. */
static weft_status lock(weft_ctx *ctx, wfi_log *log, double wait) {
    struct stat facts;
    double end = wfi_now_ms() + wait * 1e3;
    for (int tries = 0; tries < MOST_TRIES;) {
        log->fd = wfi_open(log->path, O_RDWR, 0);
        if (log->fd < 0) return fail_open(ctx, log);
        if (fstat(log->fd, &facts) || !S_ISREG(facts.st_mode))
            return wfi_fail(ctx, WEFT_EIO, "%s: is not a regular file, to which batches could be appended", log->name);
        if (flock(log->fd, LOCK_EX | LOCK_NB)) {
            if (errno != EWOULDBLOCK)
                return wfi_fail(ctx, WEFT_EIO, "%s: cannot be locked: %s", log->name, strerror(errno));
            if (!(wfi_now_ms() < end))
                return wfi_fail(
                    ctx, WEFT_EIO,
                    "%s: another program is writing to it; it can be opened `read_only`, or `wait` for its end",
                    log->name);
            if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
            nanosleep(&(struct timespec){.tv_nsec = WAIT_NS}, NULL);
        } else {
            if (wfi_log_has_name(log)) return WEFT_OK;
            tries++;
        }
        close(log->fd);
        log->fd = -1;
    }
    return wfi_fail(ctx, WEFT_EIO, "%s: is replaced again and again", log->name);
}

static weft_status read_base(weft_ctx *ctx, wfi_log *log, weft_graph **base) {
    weft_status st = wfi_weft_read_base(ctx, log->path, &log->page, base);
    if (st) return st;
    int fd = (*base)->mapping_file;
    if (!log->writes) log->fd = fd < 0 ? -1 : wfi_duplicate(fd);
    if (log->fd < 0) return fail_open(ctx, log);
    if (log->writes && !wfi_log_has_name(log))
        return wfi_fail(ctx, WEFT_EIO, "%s: was replaced while it was opened", log->name);
    return WEFT_OK;
}

/* --- recovery --------------------------------------------------------------------- */

/* Cuts off an unfinished batch, which was never acknowledged. */
static weft_status cut_off(weft_ctx *ctx, wfi_log *log) {
    wfi_warn(ctx,
             "%s: recovered to batch %" PRIu64 ": the %" PRIu64 " byte%s after it, an incomplete batch, %s cut off",
             log->name, log->end.batch, log->bytes_left_out, wfi_plural(log->bytes_left_out),
             log->bytes_left_out == 1 ? "was" : "were");
    if (ftruncate(log->fd, (off_t)log->end.offset) || (log->syncs && fdatasync(log->fd)))
        return wfi_fail(ctx, WEFT_EIO, "%s: cannot cut off an incomplete batch: %s", log->name, strerror(errno));
    return WEFT_OK;
}

static weft_status fail_range(weft_ctx *ctx, const wfi_log *log, uint64_t batch) {
    uint64_t first = log->page.changes.batches;
    if (batch <= first)
        return wfi_fail(ctx, WEFT_ENOTFOUND,
                        "%s: batch %" PRIu64 " is no longer in the log, which begins after batch %" PRIu64, log->name,
                        batch, first);
    return wfi_fail(ctx, WEFT_ENOTFOUND, "%s: there is no batch %" PRIu64 "; the last is %" PRIu64, log->name, batch,
                    log->end.batch);
}

static weft_status recover(weft_ctx *ctx, weft_dynamic *d, uint64_t last) {
    wfi_log *log = d->log;
    wfi_weft_log seen;
    if (!wfi_weft_has_log(&log->page)) return last && last != WEFT_LAST_BATCH ? fail_range(ctx, log, last) : WEFT_OK;
    log->end = log->cursor = wfi_log_begin(&log->page);
    if (last < log->end.batch) return fail_range(ctx, log, last);
    weft_status st = look(ctx, log, &seen);
    if (!st) st = wfi_weft_look(ctx, &seen);
    if (!st) st = replay(ctx, &seen, d, last, &log->end);
    if (st) return st;
    if (last != WEFT_LAST_BATCH) return log->end.batch < last ? fail_range(ctx, log, last) : WEFT_OK;
    /* Batches that their writer did not sync are not known to be on the disk. */
    log->safe = (wfi_log_position){.batch = seen.root.batch, .offset = seen.root.end, .chain = seen.root.chain};
    log->root = seen.root;
    log->bytes_left_out = seen.bytes - log->end.offset;
    return log->writes && log->bytes_left_out ? cut_off(ctx, log) : WEFT_OK;
}

weft_status weft_dynamic_open(weft_ctx *ctx, const char *path, const weft_dynamic_params *params, weft_dynamic **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, path, out);
    weft_dynamic_params p;
    weft_graph *base = NULL;
    weft_dynamic *d = NULL;
    weft_status st = wfi_dynamic_params_in(ctx, params, &p);
    if (st) return st;
    if (p.at != WEFT_LAST_BATCH && !p.read_only)
        return wfi_fail(ctx, WEFT_EINVAL,
                        "weft_dynamic_open: an earlier state (`at`) can be read only: set `read_only`");
    wfi_log *log = wfi_log_new(ctx);
    if (!log) return WEFT_ENOMEM;
    log->writes = !p.read_only;
    log->syncs = p.durable == WEFT_DURABLE_BATCH;
    st = set_names(ctx, log, path);
    if (!st && log->writes) st = lock(ctx, log, p.wait);
    if (!st) st = read_base(ctx, log, &base);
    if (!st) st = wfi_dynamic_make(ctx, base, &p, &d);
    weft_graph_free(base);
    if (st) {
        wfi_log_close(log);
        return st;
    }
    d->log = log;
    d->batches = log->page.changes.batches;
    st = recover(ctx, d, p.at);
    if (!st && log->writes) st = wfi_rewrite_clean(ctx, log);
    if (st)
        weft_dynamic_free(d);
    else
        *out = d;
    return st;
}

/* --- reading the log of an open graph ---------------------------------------------------- */

weft_status weft_dynamic_logged(weft_ctx *ctx, weft_dynamic *d, uint64_t number, weft_batch *batch) {
    WFI_BEGIN_WITH_OR_RETURN(ctx, d, batch);
    wfi_log *log = d->log;
    wfi_weft_log seen;
    if (!log) return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_logged: this graph is in memory, and has no log");
    weft_status st = wfi_sized_check(ctx, "weft_batch", batch);
    if (st) return st;
    if (!number) return wfi_fail(ctx, WEFT_ENOTFOUND, "%s: there is no batch 0; the first is 1", log->name);
    if (number <= log->page.changes.batches || number > log->end.batch) return fail_range(ctx, log, number);
    if (log->cursor.batch >= number) log->cursor = wfi_log_begin(&log->page);
    bool whole = true;
    st = look(ctx, log, &seen);
    while (!st && whole && log->cursor.batch + 1 < number) st = wfi_frame_skip(ctx, &seen, &log->cursor, &whole);
    wfi_frame_in_free(&log->shown);
    if (!st && whole) st = wfi_frame_read(ctx, &seen, wfi_frame_kind_of(d), &log->cursor, &log->shown, &whole);
    if (!st && !whole) st = wfi_fail(ctx, WEFT_EINPUT, "%s: batch %" PRIu64 " is no longer whole", log->name, number);
    if (st) return st;
    return wfi_sized_out(ctx, "weft_batch", &log->shown.batch, sizeof log->shown.batch, batch);
}

/* Continues with a rewritten file, which contains everything before it, in place of the followed one. */
static weft_status follow_rewritten(weft_ctx *ctx, weft_dynamic *d) {
    wfi_log *log = d->log;
    wfi_weft_page page;
    weft_graph *base = NULL;
    weft_status st = wfi_weft_read_base(ctx, log->path, &page, &base);
    if (st) return st;
    int fd = base->mapping_file < 0 ? -1 : wfi_duplicate(base->mapping_file);
    weft_graph_free(base);
    if (fd < 0) return fail_open(ctx, log);
    if (!wfi_weft_has_log(&page) || page.changes.batches != wfi_batches_of(d, d->store->newest)) {
        close(fd);
        return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                        "%s: was replaced by a file that does not follow on batch %" PRIu64 ": open it again",
                        log->name, wfi_batches_of(d, d->store->newest));
    }
    close(log->fd);
    log->fd = fd;
    wfi_log_set(log, &page, wfi_log_begin(&page));
    log->cursor = log->end;
    return WEFT_OK;
}

weft_status weft_dynamic_follow(weft_ctx *ctx, weft_dynamic *d, int *more) {
    if (more) *more = 0;
    WFI_BEGIN_WITH_OR_RETURN(ctx, d, more);
    wfi_log *log = d->log;
    wfi_weft_log seen;
    bool whole = false;
    if (!log || log->writes)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_follow: this graph was not opened from a file to be read only");
    for (int tries = 0; tries < 2; tries++) {
        bool replaced = !wfi_log_has_name(log); /* tested first: then the old file is complete */
        weft_status st = WEFT_OK;
        if (wfi_weft_has_log(&log->page)) {
            wfi_log_position end = log->end;
            st = look(ctx, log, &seen);
            if (!st) st = take_batch(ctx, &seen, d, &end, &whole);
            if (!st && whole) wfi_log_set(log, NULL, end);
        }
        *more = !st && whole;
        if (!st && !whole && !replaced) st = wfi_log_check_read(ctx, log); /* otherwise the caller would wait forever */
        if (st || whole || !replaced) return st;
        if (!tries) st = follow_rewritten(ctx, d);
        if (st) return st;
    }
    return WEFT_OK;
}
