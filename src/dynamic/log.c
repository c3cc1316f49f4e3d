/* Appending, syncing, compacting: see log.h. */
#include "dynamic/dynamic.h"
#include "stream/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 64 << 20 };

wfi_log *wfi_log_new(weft_ctx *ctx) {
    wfi_log *log = wfi_take_zeroed(ctx, 1, sizeof *log);
    if (!log) return NULL;
    log->fd = -1;
    pthread_mutex_init(&log->lock, NULL);
    return log;
}

void wfi_log_set(wfi_log *log, const wfi_weft_page *page, wfi_log_position end) {
    pthread_mutex_lock(&log->lock);
    if (page) log->page = *page;
    log->end = end;
    pthread_mutex_unlock(&log->lock);
}

weft_status wfi_log_writable(weft_ctx *ctx, const wfi_log *log) {
    if (!log->writes) return wfi_fail(ctx, WEFT_EINVAL, "%s: was opened read-only", log->name);
    if (log->broken)
        return wfi_fail(ctx, WEFT_EIO, "%s: a write to it failed before, and its content is unknown: open it again",
                        log->name);
    return WEFT_OK;
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool wfi_log_has_name(const wfi_log *log) {
    struct stat open, named;
    return !fstat(log->fd, &open) && !stat(log->path, &named) && same_file(&open, &named);
}

/* Gets the file's facts if it still has its name. An open file's inode number is not reused, so after the first call
 * one stat suffices. */
static bool find_named(wfi_log *log, struct stat *facts) {
    if (stat(log->path, facts)) return false;
    if (same_file(facts, &log->self)) return true;
    if (fstat(log->fd, &log->self)) return false;
    return same_file(facts, &log->self);
}

enum { AS_LEFT = 0, CHANGED = -1, LOST = -2 }; /* or a positive errno */

static int look_for(int fd, uint64_t offset, const void *want, size_t bytes) {
    char got[64];
    ssize_t n;
    do n = pread(fd, got, bytes, (off_t)offset);
    while (n < 0 && errno == EINTR);
    if (n < 0) return errno;
    return n == (ssize_t)bytes && !memcmp(got, want, bytes) ? AS_LEFT : CHANGED;
}

/* Checks that the file is as this program found or left it, by its length, the digest that the next batch builds on
 * and, if `root`, the root page that is about to be overwritten; if `name`, also that it has its name. */
static int look_at_file(wfi_log *log, bool name, bool root) {
    bool has_log = wfi_weft_has_log(&log->page);
    wfi_log_position end = has_log ? log->end : wfi_log_begin(&log->page);
    struct stat now;
    if (name && !find_named(log, &now)) return LOST;
    if (!name && fstat(log->fd, &now)) return errno;
    if ((uint64_t)now.st_size != (has_log ? end.offset : log->page.header.file_bytes)) return CHANGED;
    int found = look_for(log->fd, end.chain_at, &end.chain, sizeof end.chain);
    if (found || !has_log || !root) return found;
    return look_for(log->fd, log->page.changes.root_offset[log->root.turn % 2], &log->root, sizeof log->root);
}

weft_status wfi_log_check_read(weft_ctx *ctx, const wfi_log *log) {
    wfi_log_position end = wfi_weft_has_log(&log->page) ? log->end : wfi_log_begin(&log->page);
    struct stat now;
    if (!fstat(log->fd, &now) && (uint64_t)now.st_size >= end.offset &&
        look_for(log->fd, end.chain_at, &end.chain, sizeof end.chain) == AS_LEFT)
        return WEFT_OK;
    return wfi_fail(ctx, WEFT_EIO,
                    "%s: was overwritten or cut off in place: what was read up to batch %llu is no longer there; open "
                    "it again",
                    log->name, (unsigned long long)log->end.batch);
}

/* Fails if the file lost its name or was overwritten: nobody would find what is written to it. */
static weft_status check_file(weft_ctx *ctx, wfi_log *log, bool name, bool root) {
    int found = look_at_file(log, name, root);
    if (found == AS_LEFT) return WEFT_OK;
    unsigned long long batch = log->end.batch;
    if (found > 0)
        return wfi_fail(ctx, WEFT_EIO, "%s: cannot be read: %s; nothing was written, and the graph is as of batch %llu",
                        log->name, strerror(found), batch);
    return wfi_fail(ctx, WEFT_EIO,
                    "%s: was %s since it was opened; nothing was written, and the graph is as of batch %llu: open it "
                    "again",
                    log->name, found == LOST ? "removed, renamed or replaced" : "overwritten or cut off in place",
                    batch);
}

/* --- writing to the disk ----------------------------------------------------------- */

/* Returns 0 or an errno. */
static int write_all(int fd, const void *data, uint64_t bytes, uint64_t offset) {
    const char *from = data;
    while (bytes) {
        ssize_t n = pwrite(fd, from, (size_t)wfi_min_u64(bytes, PIECE), (off_t)offset);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (n == 0) return EIO;
        from += n;
        offset += (uint64_t)n;
        bytes -= (uint64_t)n;
    }
    return 0;
}

static int sync_data(int fd) {
    while (fdatasync(fd))
        if (errno != EINTR) return errno;
    return 0;
}

static int write_root(weft_ctx *ctx, wfi_log *log) {
    const wfi_log_position *safe = &log->safe;
    wfi_weft_root root =
        wfi_weft_make_root(ctx, &log->page, log->root.turn + 1, safe->batch, safe->offset, safe->chain);
    int error = write_all(log->fd, &root, sizeof root, log->page.changes.root_offset[root.turn % 2]);
    if (error) return error;
    log->root = root;
    return 0;
}

static int write_together(weft_ctx *ctx, const wfi_log *log, const wfi_frame_out *frame) {
    char *whole = wfi_take_zeroed(ctx, (size_t)frame->head.bytes, 1);
    if (!whole) return ENOMEM;
    memcpy(whole, &frame->head, sizeof frame->head);
    for (int i = 0; i < WFI_PARTS; i++)
        if (frame->bytes[i]) memcpy(whole + frame->offset[i], frame->data[i], (size_t)frame->bytes[i]);
    int error = write_all(log->fd, whole, frame->head.bytes, log->end.offset);
    wfi_free(whole);
    return error;
}

/* Writes the header last: an interrupted frame has none. */
static int write_parts(const wfi_log *log, const wfi_frame_out *frame) {
    static const char zeros[8];
    uint64_t at = log->end.offset;
    int error = 0;
    for (int i = 0; i < WFI_PARTS && !error; i++) {
        uint64_t end = frame->offset[i] + frame->bytes[i];
        error = write_all(log->fd, frame->data[i], frame->bytes[i], at + frame->offset[i]);
        if (!error) error = write_all(log->fd, zeros, (8 - end % 8) % 8, at + end);
    }
    return error ? error : write_all(log->fd, &frame->head, sizeof frame->head, at);
}

/* Truncates a partly written batch. If that fails, or a sync failed, the content of the disk is unknown. */
static weft_status roll_back(weft_ctx *ctx, wfi_log *log, const char *what, int error) {
    bool cut = !ftruncate(log->fd, (off_t)log->end.offset);
    if (cut && log->syncs && strcmp(what, "sync"))
        cut = !sync_data(log->fd); /* so that no remains lie below the next batch */
    if (!cut || !strcmp(what, "sync")) log->broken = true;
    return wfi_fail(ctx, error == ENOMEM ? WEFT_ENOMEM : WEFT_EIO,
                    "%s: cannot %s batch %llu: %s; the graph is as it was after batch %llu%s", log->name, what,
                    (unsigned long long)log->end.batch + 1, strerror(error), (unsigned long long)log->end.batch,
                    log->broken ? ", and takes no more batches until it is opened again" : "");
}

static weft_status write_frame(weft_ctx *ctx, wfi_log *log, const wfi_frame_out *frame) {
    bool root = log->syncs && log->root.batch < log->safe.batch;
    int error = root ? write_root(ctx, log) : 0;
    if (!error && frame->head.bytes <= WFI_ONE_WRITE)
        error = write_together(ctx, log, frame);
    else if (!error)
        error = write_parts(log, frame);
    if (error) return roll_back(ctx, log, "write", error);
    if (log->syncs) error = sync_data(log->fd);
    if (error) return roll_back(ctx, log, "sync", error);
    wfi_log_set(log, NULL,
                (wfi_log_position){frame->head.batch, log->end.offset + frame->head.bytes, frame->head.digest,
                                   log->end.offset});
    if (log->syncs) log->safe = log->end;
    return WEFT_OK;
}

/* Replaces the file by a new one with the newest version and an empty log. */
static weft_status compact(weft_ctx *ctx, weft_dynamic *d);

weft_status wfi_log_append(weft_ctx *ctx, weft_dynamic *d, const weft_batch *batch) {
    wfi_log *log = d->log;
    wfi_frame_out frame;
    weft_status st = check_file(ctx, log, true, log->syncs);
    if (!st && !wfi_weft_has_log(&log->page)) st = compact(ctx, d);
    if (st) return st;
    st = wfi_frame_make(ctx, batch, wfi_frame_kind_of(d), &log->end, &frame);
    if (!st) st = write_frame(ctx, log, &frame);
    wfi_frame_out_free(&frame);
    return st;
}

weft_status weft_dynamic_sync(weft_ctx *ctx, weft_dynamic *d) {
    WFI_BEGIN_WITH_OR_RETURN(ctx, d);
    wfi_log *log = d->log;
    if (!log || !log->writes || !wfi_weft_has_log(&log->page)) return WEFT_OK;
    weft_status st = wfi_log_writable(ctx, log);
    if (!st) st = check_file(ctx, log, false, true);
    if (st) return st;
    int error = sync_data(log->fd);
    if (!error) log->safe = log->end;
    if (!error && log->root.batch < log->safe.batch) error = write_root(ctx, log);
    if (!error) return WEFT_OK;
    log->broken = true;
    return wfi_fail(ctx, WEFT_EIO, "%s: cannot sync: %s; which of the batches after %llu are on the disk is not known",
                    log->name, strerror(error), (unsigned long long)log->safe.batch);
}

void wfi_log_close(wfi_log *log) {
    if (!log) return;
    weft_ctx *none = NULL; /* digests of 64 bytes do not use the context */
    bool behind = log->writes && !log->broken && log->root.batch < log->safe.batch;
    if (behind && look_at_file(log, false, true) == AS_LEFT && !write_root(none, log)) (void)sync_data(log->fd);
    if (log->fd >= 0) close(log->fd);
    wfi_frame_in_free(&log->shown);
    pthread_mutex_destroy(&log->lock);
    WFI_FREE(log->name, log->path, log);
}

void wfi_log_describe(wfi_log *log, weft_dynamic_info *info) {
    pthread_mutex_lock(&log->lock);
    info->logged_after = log->page.changes.batches;
    info->log_bytes = log->end.offset - log->page.changes.log_offset;
    pthread_mutex_unlock(&log->lock);
    info->bytes_left_out = log->bytes_left_out;
}

/* --- compaction ------------------------------------------------------------------------ */

/* Copies owner and group of the old file as far as permitted, then its mode. */
static bool copy_attributes(weft_ctx *ctx, const wfi_log *log, int fd) {
    struct stat old, now;
    if (fstat(log->fd, &old) || fstat(fd, &now)) return false;
    bool same = old.st_uid == now.st_uid && old.st_gid == now.st_gid;
    if (!same && fchown(fd, old.st_uid, old.st_gid))
        wfi_warn(ctx, "%s: is rewritten, and will have another owner or group", log->name);
    return !fchmod(fd, old.st_mode & 07777);
}

static weft_status fail_replace(weft_ctx *ctx, const wfi_log *log, int error) {
    return wfi_fail(ctx, WEFT_EIO, "%s: cannot be rewritten: %s; it is as it was", log->name, strerror(error));
}

/* Gives the new file, synced and with the old one's attributes, a name beside the old file. *refused: the system
 * cannot name a nameless file. */
static weft_status name_beside(weft_ctx *ctx, wfi_log *log, wfi_rewrite *b, bool *refused) {
    if (!copy_attributes(ctx, log, b->fd) || fsync(b->fd)) return fail_replace(ctx, log, errno);
    weft_status st = check_file(ctx, log, true, true);
    if (st) return st;
    int error = wfi_rewrite_link(b);
    *refused = error != 0;
    return error ? fail_replace(ctx, log, error) : WEFT_OK;
}

/* Switches to the new file, which has the name now. */
static weft_status take_place(weft_ctx *ctx, wfi_log *log, int fd, const wfi_weft_page *page) {
    close(log->fd);
    log->fd = fd;
    memset(&log->self, 0, sizeof log->self);
    wfi_log_set(log, page, wfi_log_begin(page));
    log->safe = log->end;
    log->root = wfi_weft_make_root(ctx, page, 1, log->end.batch, log->end.offset, log->end.chain);
    log->cursor = log->end;
    int error = wfi_sync_folder(log->path);
    if (!error) return WEFT_OK;
    log->broken = true;
    return wfi_fail(ctx, WEFT_EIO, "%s: was rewritten, but its folder cannot be synced: %s; open it again", log->name,
                    strerror(error));
}

/* Prefixes the message of the failed writer. */
static void fail_rewrite(weft_ctx *ctx, const wfi_log *log) {
    char place[64];
    snprintf(place, sizeof place, "is as of batch %llu, and cannot be rewritten", (unsigned long long)log->end.batch);
    wfi_fail_prefixed(ctx, place);
    wfi_fail_prefixed(ctx, log->name);
}

static weft_status rewrite(weft_ctx *ctx, weft_dynamic *d, const weft_graph *g, bool named, bool *refused) {
    wfi_log *log = d->log;
    wfi_rewrite b;
    wfi_weft_page page;
    weft_status st = wfi_rewrite_open(ctx, log->path, named, &b);
    if (st) {
        fail_rewrite(ctx, log);
        return st;
    }
    st = wfi_weft_write_base(ctx, g, b.path, b.fd, wfi_batches_of(d, d->store->newest), &page);
    if (st) fail_rewrite(ctx, log);
    if (!st) st = name_beside(ctx, log, &b, refused);
    if (!st && rename(b.path, log->path)) st = fail_replace(ctx, log, errno);
    int fd = b.fd;
    wfi_rewrite_close(&b, !st);
    return st ? st : take_place(ctx, log, fd, &page);
}

static weft_status compact(weft_ctx *ctx, weft_dynamic *d) {
    weft_graph *g = NULL;
    bool refused = false;
    weft_status st = wfi_dynamic_snapshot(ctx, d, &g);
    if (!st) st = wfi_graph_ready(ctx, g);
    if (!st) st = rewrite(ctx, d, g, false, &refused);
    if (refused) {
        wfi_message_clear(ctx);
        st = rewrite(ctx, d, g, true, &refused);
    }
    weft_graph_free(g);
    return st;
}

weft_status weft_dynamic_compact(weft_ctx *ctx, weft_dynamic *d) {
    WFI_BEGIN_WITH_OR_RETURN(ctx, d);
    if (!d->log)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_compact: this graph is in memory, and no file keeps it");
    weft_status st = wfi_log_writable(ctx, d->log);
    return st ? st : compact(ctx, d);
}
