/* Writing to the file: see log.h. */
#include "dynamic/dynamic.h"
#include "stream/descriptors.h"
#include "stream/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A frame up to ONE_WRITE is put together and written at once. */
enum { ONE_WRITE = 1 << 16, PIECE = 64 << 20 };

wfi_log *wfi_log_new(weft_ctx *ctx) {
    wfi_log *log = wfi_take_zeroed(ctx, 1, sizeof *log);
    if (!log) return NULL;
    log->fd = -1;
    pthread_mutex_init(&log->lock, NULL);
    return log;
}

void wfi_log_set(wfi_log *log, const wfi_weft_page *page, wfi_log_place end) {
    pthread_mutex_lock(&log->lock);
    if (page) log->page = *page;
    log->end = end;
    pthread_mutex_unlock(&log->lock);
}

weft_status wfi_log_writable(weft_ctx *ctx, const wfi_log *log) {
    if (!log->writes) return wfi_fail(ctx, WEFT_EINVAL, "%s: was opened to be read only", log->name);
    if (log->broken)
        return wfi_fail(ctx, WEFT_EIO, "%s: a write to it failed before, and what it holds is not known: open it again",
                        log->name);
    return WEFT_OK;
}

bool wfi_log_has_name(const wfi_log *log) {
    struct stat open, named;
    return !fstat(log->fd, &open) && !stat(log->path, &named) && open.st_dev == named.st_dev &&
           open.st_ino == named.st_ino;
}

/* Nobody would find there what is written to a file that has lost its name. */
static weft_status check_name(weft_ctx *ctx, const wfi_log *log) {
    if (wfi_log_has_name(log)) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EIO,
                    "%s: was removed, renamed or replaced since it was opened; nothing was written, and the graph is "
                    "as of batch %llu: open it again",
                    log->name, (unsigned long long)log->end.batch);
}

/* --- down to the disk ------------------------------------------------------------ */

/* 0, or errno. */
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
    wfi_weft_root root = {
        .turn = log->turn + 1, .batch = log->safe.batch, .end = log->safe.offset, .chain = log->safe.chain};
    memcpy(root.magic, WEFT_ROOT_MAGIC, sizeof root.magic);
    root.digest = wfi_weft_root_digest(ctx, &log->page, &root);
    int error = write_all(log->fd, &root, sizeof root, log->page.changes.root_offset[root.turn % 2]);
    if (error) return error;
    log->turn = root.turn;
    log->told = root.batch;
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

/* The header last: a frame that is cut short has none. */
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

/* What was written of the batch goes; where that fails, or a sync did, nothing is known any more. */
static weft_status take_back(weft_ctx *ctx, wfi_log *log, const char *what, int error) {
    bool cut = !ftruncate(log->fd, (off_t)log->end.offset);
    if (!cut || !strcmp(what, "sync")) log->broken = true;
    return wfi_fail(ctx, error == ENOMEM ? WEFT_ENOMEM : WEFT_EIO,
                    "%s: cannot %s batch %llu: %s; the graph is as it was after batch %llu%s", log->name, what,
                    (unsigned long long)log->end.batch + 1, strerror(error), (unsigned long long)log->end.batch,
                    log->broken ? ", and takes no more batches until it is opened again" : "");
}

static weft_status write_frame(weft_ctx *ctx, wfi_log *log, const wfi_frame_out *frame) {
    bool tells = log->syncs && log->told < log->safe.batch;
    int error = tells ? write_root(ctx, log) : 0;
    if (!error && frame->head.bytes <= ONE_WRITE)
        error = write_together(ctx, log, frame);
    else if (!error)
        error = write_parts(log, frame);
    if (error) return take_back(ctx, log, "write", error);
    if (log->syncs) error = sync_data(log->fd);
    if (error) return take_back(ctx, log, "sync", error);
    wfi_log_set(log, NULL, (wfi_log_place){frame->head.batch, log->end.offset + frame->head.bytes, frame->head.digest});
    if (log->syncs) log->safe = log->end;
    return WEFT_OK;
}

weft_status wfi_log_append(weft_ctx *ctx, weft_dynamic *d, const weft_batch *batch) {
    wfi_log *log = d->log;
    wfi_frame_out frame;
    weft_status st = check_name(ctx, log);
    if (!st && !wfi_weft_has_log(&log->page)) st = wfi_log_rewrite(ctx, d);
    if (st) return st;
    st = wfi_frame_make(ctx, batch, d->store->weight, d->vertices.ids->names, d->loops == WEFT_LOOPS_DROP, &log->end,
                        &frame);
    if (!st) st = write_frame(ctx, log, &frame);
    wfi_frame_out_free(&frame);
    return st;
}

weft_status weft_dynamic_sync(weft_ctx *ctx, weft_dynamic *d) {
    WFI_BEGIN(ctx);
    WFI_NEED(ctx, d);
    wfi_log *log = d->log;
    if (!log || !log->writes || !wfi_weft_has_log(&log->page)) return WEFT_OK;
    weft_status st = wfi_log_writable(ctx, log);
    if (st) return st;
    int error = sync_data(log->fd);
    if (!error) log->safe = log->end;
    if (!error && log->told < log->safe.batch) error = write_root(ctx, log);
    if (!error) return WEFT_OK;
    log->broken = true;
    return wfi_fail(ctx, WEFT_EIO, "%s: cannot sync: %s; which of the batches after %llu are on the disk is not known",
                    log->name, strerror(error), (unsigned long long)log->safe.batch);
}

void wfi_log_close(wfi_log *log) {
    if (!log) return;
    weft_ctx *none = NULL; /* digests of 64 bytes ask for nothing */
    if (log->writes && !log->broken && log->told < log->safe.batch && !write_root(none, log)) (void)sync_data(log->fd);
    if (log->fd >= 0) close(log->fd);
    wfi_frame_in_free(&log->shown);
    pthread_mutex_destroy(&log->lock);
    wfi_free(log->name);
    wfi_free(log->path);
    wfi_free(log);
}

void wfi_log_describe(wfi_log *log, weft_dynamic_info *info) {
    pthread_mutex_lock(&log->lock);
    info->logged_after = log->page.changes.batches;
    info->log_bytes = log->end.offset - log->page.changes.log_offset;
    pthread_mutex_unlock(&log->lock);
    info->bytes_left_out = log->bytes_left_out;
}

/* --- anew ------------------------------------------------------------------------ */

/* The owner and the group of the old file, as far as this program may give them; then its mode. */
static bool dress(weft_ctx *ctx, const wfi_log *log, int fd) {
    struct stat old, now;
    if (fstat(log->fd, &old) || fstat(fd, &now)) return false;
    bool same = old.st_uid == now.st_uid && old.st_gid == now.st_gid;
    if (!same && fchown(fd, old.st_uid, old.st_gid))
        wfi_warn(ctx, "%s: is written anew, and will have another owner or group", log->name);
    return !fchmod(fd, old.st_mode & 07777);
}

/* The new file, on the disk, as the old one was, and locked before it has the name; -1: *error says why. */
static int settle(weft_ctx *ctx, const wfi_log *log, const char *path, int *error) {
    int fd = wfi_open(path, O_RDWR, 0);
    bool good = fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) && dress(ctx, log, fd) && !fsync(fd);
    *error = good ? 0 : errno;
    if (good || fd < 0) return fd;
    close(fd);
    return -1;
}

static weft_status take_place(weft_ctx *ctx, wfi_log *log, const char *path, const wfi_weft_page *page) {
    int error, fd = settle(ctx, log, path, &error);
    weft_status st = error ? WEFT_OK : check_name(ctx, log);
    if (!error && !st && rename(path, log->path)) error = errno;
    if (error || st) {
        if (fd >= 0) close(fd);
        unlink(path);
        return st ? st
                  : wfi_fail(ctx, WEFT_EIO, "%s: cannot be written anew: %s; it is as it was", log->name,
                             strerror(error));
    }
    close(log->fd);
    log->fd = fd;
    wfi_log_set(log, page, wfi_log_begin(page));
    log->safe = log->end;
    log->told = log->end.batch;
    log->turn = 1;
    log->cursor = log->end;
    error = wfi_sync_folder(log->path);
    if (!error) return WEFT_OK;
    log->broken = true;
    return wfi_fail(ctx, WEFT_EIO, "%s: was written anew, but its folder cannot be synced: %s; open it again",
                    log->name, strerror(error));
}

/* Before what the writer of the new file says. */
static void fail_rewrite(weft_ctx *ctx, const wfi_log *log) {
    char place[64];
    snprintf(place, sizeof place, "is as of batch %llu, and cannot be written anew",
             (unsigned long long)log->end.batch);
    wfi_fail_prefixed(ctx, place);
    wfi_fail_prefixed(ctx, log->name);
}

weft_status wfi_log_rewrite(weft_ctx *ctx, weft_dynamic *d) {
    wfi_log *log = d->log;
    wfi_weft_page page;
    weft_graph *g = NULL;
    size_t room = strlen(log->path) + 32;
    char *path = wfi_take(ctx, room, 1);
    weft_status st = path ? wfi_dynamic_snapshot(ctx, d, &g) : WEFT_ENOMEM;
    if (!st) st = wfi_graph_ready(ctx, g);
    if (!st) {
        unsigned taken = 0; /* files of others keep their names */
        snprintf(path, room, "%s.rewritten", log->path);
        while (access(path, F_OK) == 0) snprintf(path, room, "%s.rewritten-%u", log->path, ++taken);
        st = wfi_weft_write_base(ctx, g, path, wfi_batches_of(d, d->store->newest), &page);
        if (st) fail_rewrite(ctx, log);
    }
    if (!st) st = take_place(ctx, log, path, &page);
    weft_graph_free(g);
    wfi_free(path);
    return st;
}

weft_status weft_dynamic_compact(weft_ctx *ctx, weft_dynamic *d) {
    WFI_BEGIN(ctx);
    WFI_NEED(ctx, d);
    if (!d->log)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_compact: this graph is in memory, and no file keeps it");
    weft_status st = wfi_log_writable(ctx, d->log);
    return st ? st : wfi_log_rewrite(ctx, d);
}
