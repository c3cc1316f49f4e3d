/* The file that keeps a dynamic graph: a .weft file to which batches are appended (docs/formats/weft.md).  A batch is
 * written and synced before its version is published, so a failure leaves the graph as it was; what was written of it
 * is cut off again.  Before anything is written, the file is looked at: if it is not what this program left there, it
 * is another's.  A root page says up to which batch the log is known to be on the disk.  It goes along with the next
 * batch, so that a batch takes one sync.  If a sync fails, nobody knows what is on the disk: the file is not written to
 * again until it is opened anew. */
#ifndef WFI_DYNAMIC_LOG_H
#define WFI_DYNAMIC_LOG_H

#include "dynamic/frame.h"

#include <pthread.h>
#include <sys/stat.h>

typedef struct wfi_log {
    char *name; /* as given, for messages */
    char *path; /* without symbolic links */
    int fd;     /* locked, if it is written to */
    bool writes, syncs, broken;
    struct stat self;     /* which file that is, once it was asked; its length may be another since */
    wfi_weft_page page;   /* without room for changes until the first batch */
    wfi_log_place end;    /* after the last whole batch */
    pthread_mutex_t lock; /* for these two, which any thread may ask about while one writes */
    wfi_log_place safe;   /* known to be on the disk */
    wfi_weft_root root;   /* the last one, as it stands in the file */
    uint64_t bytes_left_out;
    wfi_log_place cursor; /* before the batch that wfi_log_batch expects next */
    wfi_frame_in shown;   /* the one that it gave last */
} wfi_log;

wfi_log *wfi_log_new(weft_ctx *ctx); /* no file yet; NULL when out of memory */
/* The page, if it is another, and the end of the log are now these. */
void wfi_log_set(wfi_log *log, const wfi_weft_page *page, wfi_log_place end);

weft_status wfi_log_writable(weft_ctx *ctx, const wfi_log *log);
/* Is the file that is open still the one that has the name? */
bool wfi_log_has_name(const wfi_log *log);
/* Does the file still have what was read of it? */
weft_status wfi_log_check_read(weft_ctx *ctx, const wfi_log *log);
/* The batch that is about to be published. */
weft_status wfi_log_append(weft_ctx *ctx, weft_dynamic *d, const weft_batch *batch);
void wfi_log_describe(wfi_log *log, weft_dynamic_info *info);
void wfi_log_close(wfi_log *log); /* NULL is nothing */

/* The file anew (anew.h), with the newest version and an empty log. */
weft_status wfi_log_rewrite(weft_ctx *ctx, weft_dynamic *d);

/* replay.c: the batches after *at, up to batch `last`, go to d; *at is then after the last of them.  Fails where a
 * batch that was on the disk is not whole. */
weft_status wfi_log_replay(weft_ctx *ctx, const wfi_weft_log *log, weft_dynamic *d, uint64_t last, wfi_log_place *at);
/* The next batch, if there is one. */
weft_status wfi_log_take(weft_ctx *ctx, const wfi_weft_log *log, weft_dynamic *d, wfi_log_place *at, bool *whole);
/* The file as a reader sees it now, its root apart (wfi_weft_look). */
weft_status wfi_log_look(weft_ctx *ctx, const wfi_log *log, wfi_weft_log *seen);

static inline wfi_log_place wfi_log_begin(const wfi_weft_page *page) {
    return (wfi_log_place){page->changes.batches, page->changes.log_offset, page->header.digest,
                           offsetof(wfi_weft_page, header.digest)};
}

#endif
