/* The write-ahead log of a dynamic graph: a .weft file to which batches are appended (docs/formats/weft.md).
 * Method: a batch is written and synced before its version is published (log.c); after a failure the partly written
 * batch is truncated and the graph is as before. A root page records up to which batch the log is known to be on the
 * disk; it is written with the next batch, so that a batch costs one sync. Before each write, the file is checked to
 * be as this program left it. After a failed sync the content of the disk is unknown, and the file is not written to
 * until it is opened again. Opening replays the log and cuts off a torn tail (open.c). Compaction writes the newest
 * version to a new file, which replaces the old one by rename (rewrite.c). */
#ifndef WFI_DYNAMIC_LOG_H
#define WFI_DYNAMIC_LOG_H

#include "dynamic/frame.h"

#include <pthread.h>
#include <sys/stat.h>

typedef struct wfi_log {
    char *name; /* as given, for messages */
    char *path; /* without symbolic links */
    int fd;     /* locked if `writes` */
    bool writes, syncs, broken;
    struct stat self;      /* identity of the file once known; its length may be outdated */
    wfi_weft_page page;    /* without a log until the first batch */
    wfi_log_position end;  /* after the last whole batch */
    pthread_mutex_t lock;  /* guards page and end, which any thread may query while another one writes */
    wfi_log_position safe; /* end of the batches known to be on the disk */
    wfi_weft_root root;    /* the last root page in the file */
    uint64_t bytes_left_out;
    wfi_log_position cursor; /* before the batch that weft_dynamic_logged expects next */
    wfi_frame_in shown;      /* the batch that it returned last */
} wfi_log;

wfi_log *wfi_log_new(weft_ctx *ctx); /* without a file; NULL if memory runs out */
/* Sets the end of the log and, unless it is NULL, the page. */
void wfi_log_set(wfi_log *log, const wfi_weft_page *page, wfi_log_position end);

weft_status wfi_log_writable(weft_ctx *ctx, const wfi_log *log);
/* True if the open file still has the name. */
bool wfi_log_has_name(const wfi_log *log);
/* Fails unless the file still contains what was read of it. */
weft_status wfi_log_check_read(weft_ctx *ctx, const wfi_log *log);
/* Appends the batch that is about to be published. */
weft_status wfi_log_append(weft_ctx *ctx, weft_dynamic *d, const weft_batch *batch);
void wfi_log_describe(wfi_log *log, weft_dynamic_info *info);
void wfi_log_close(wfi_log *log); /* log may be NULL */

/* The new file of a compaction, beside the old one: locked from the beginning, and nameless where the system supports
 * that (O_TMPFILE). Its name is FILE.rewritten or FILE.rewritten-1, ..., unused even by a dangling symbolic link. A
 * killed program may leave it behind; the next writer removes it if it certainly is such a file. */
typedef struct wfi_rewrite {
    int fd;
    const char *target;
    char *path; /* present or future name */
    bool named;
} wfi_rewrite;

/* named: create the file with its name; implied where there are no nameless files. */
weft_status wfi_rewrite_open(weft_ctx *ctx, const char *target, bool named, wfi_rewrite *b);
/* Gives the file its name. Returns 0 or an errno. */
int wfi_rewrite_link(wfi_rewrite *b);
/* Removes the file and its name, unless `keeps_file`. */
void wfi_rewrite_close(wfi_rewrite *b, bool keeps_file);
/* Removes files that killed writers of log->path left behind, and only those that are certain to be such files. */
weft_status wfi_rewrite_clean(weft_ctx *ctx, const wfi_log *log);

static inline wfi_log_position wfi_log_begin(const wfi_weft_page *page) {
    return (wfi_log_position){page->changes.batches, page->changes.log_offset, page->header.digest,
                              offsetof(wfi_weft_page, header.digest)};
}

#endif
