/* The new file of a compaction, and removal of leftovers of killed ones: see log.h. */
#include "dynamic/log.h"
#include "stream/descriptors.h"
#include "stream/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* UNFINISHED: mode of a named file until it is complete; no other program makes files that their owner cannot read. */
enum { SUFFIX = 32, MOST_NAMES = 1000, MOST_GAPS = 8, UNFINISHED = S_IWUSR };

static void set_name(char *path, const char *target, unsigned number) {
    size_t length = strlen(target);
    memcpy(path, target, length);
    if (number)
        snprintf(path + length, SUFFIX, ".rewritten-%u", number);
    else
        snprintf(path + length, SUFFIX, ".rewritten");
}

static int create_named(wfi_rewrite *b) {
    for (unsigned number = 0; number < MOST_NAMES; number++) {
        set_name(b->path, b->target, number);
        int fd = wfi_open(b->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, UNFINISHED);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

weft_status wfi_rewrite_open(weft_ctx *ctx, const char *target, bool named, wfi_rewrite *b) {
    *b = (wfi_rewrite){.fd = -1, .target = target, .path = wfi_take(ctx, strlen(target) + SUFFIX, 1)};
    if (!b->path) return WEFT_ENOMEM;
    set_name(b->path, target, 0);
    if (!named) b->fd = wfi_open_nameless(target, S_IRUSR | S_IWUSR);
    b->named = b->fd < 0;
    if (b->named) b->fd = create_named(b);
    if (b->fd >= 0 && !flock(b->fd, LOCK_EX | LOCK_NB)) return WEFT_OK;
    weft_status st = wfi_fail(ctx, WEFT_EIO, "%s: cannot create a file there: %s", b->path, strerror(errno));
    b->named = b->named && b->fd >= 0;
    wfi_rewrite_close(b, false);
    return st;
}

int wfi_rewrite_link(wfi_rewrite *b) {
    int why = b->named ? 0 : EEXIST;
    for (unsigned number = 0; number < MOST_NAMES && why == EEXIST; number++) {
        set_name(b->path, b->target, number);
        why = wfi_link_nameless(b->fd, b->path);
    }
    b->named = !why;
    return why;
}

void wfi_rewrite_close(wfi_rewrite *b, bool keeps_file) {
    if (b->named && !keeps_file) unlink(b->path);
    if (b->fd >= 0 && !keeps_file) close(b->fd);
    wfi_free(b->path);
}

/* --- leftovers ---------------------------------------------------------------------------- */

/* True if the file is as compaction makes it: complete, with an empty log, of a graph of this kind, and without
 * anything that the file of `log` lacks. */
static bool is_rewritten(weft_ctx *ctx, const wfi_log *log, int fd, uint64_t bytes) {
    wfi_weft_page page;
    if (pread(fd, &page, sizeof page, 0) != sizeof page) return false;
    const wfi_weft_header *h = &page.header, *mine = &log->page.header;
    return !memcmp(h->magic, WEFT_FILE_MAGIC, sizeof h->magic) && h->byte_order == WEFT_FILE_BYTE_ORDER &&
           h->version >= 2 && h->digest == wfi_weft_page_digest(ctx, &page) && wfi_weft_has_log(&page) &&
           bytes == page.changes.log_offset && page.changes.batches <= log->end.batch &&
           h->weight_type == mine->weight_type && (h->flags & WFI_WEFT_DIRECTED) == (mine->flags & WFI_WEFT_DIRECTED) &&
           (h->id_kind == WEFT_IDS_STRING) == (mine->id_kind == WEFT_IDS_STRING);
}

/* Removes the file if it is certain that a program made it here and has ended. Does not follow links or block on
 * pipes. */
static bool remove_leftover(weft_ctx *ctx, const wfi_log *log, const char *path) {
    struct stat named, facts;
    if (lstat(path, &named) || !S_ISREG(named.st_mode) || named.st_nlink != 1) return false;
    bool unfinished = (named.st_mode & 07777) == UNFINISHED;
    int fd = wfi_open(path, (unfinished ? O_WRONLY : O_RDWR) | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd < 0) return false;
    bool mine = !flock(fd, LOCK_EX | LOCK_NB) && !fstat(fd, &facts) && facts.st_ino == named.st_ino &&
                facts.st_dev == named.st_dev && facts.st_mode == named.st_mode && facts.st_nlink == 1 &&
                (unfinished || is_rewritten(ctx, log, fd, (uint64_t)facts.st_size));
    bool gone = mine && !unlink(path);
    close(fd);
    return gone;
}

weft_status wfi_rewrite_clean(weft_ctx *ctx, const wfi_log *log) {
    char *path = wfi_take(ctx, strlen(log->path) + SUFFIX, 1);
    struct stat any;
    unsigned removed = 0, gaps = 0;
    if (!path) return WEFT_ENOMEM;
    for (unsigned number = 0; gaps < MOST_GAPS; number++) {
        set_name(path, log->path, number);
        if (lstat(path, &any))
            gaps++;
        else
            gaps = 0, removed += remove_leftover(ctx, log, path);
    }
    if (removed)
        wfi_warn(ctx, "%s: %u file%s beside it, left by programs that ended while they rewrote it, %s removed",
                 log->name, removed, wfi_plural(removed), removed == 1 ? "was" : "were");
    wfi_free(path);
    return WEFT_OK;
}
