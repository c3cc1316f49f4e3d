/* The write-ahead log of a dynamic graph: a .weft file to which batches are appended (docs/formats/weft.md).
 * Method: a batch is written and synced before its version is published (log.c); a failure truncates what was written
 * of it and leaves the graph as it was.  A root page says up to which batch the log is known to be on the disk; it goes
 * along with the next batch, so that a batch costs one sync.  Before each write the file is checked to be as this
 * program left it.  After a failed sync nobody knows what is on the disk, and the file is not written to until it is
 * opened again.  Opening replays the log and cuts off a torn tail (open.c).  Compaction writes the newest
 * version to a new file, which replaces the old one by rename (rewrite.c). */
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
    struct stat self;      /* which file that is, once it was asked; its length may be another since */
    wfi_weft_page page;    /* without room for changes until the first batch */
    wfi_log_position end;  /* after the last whole batch */
    pthread_mutex_t lock;  /* for these two, which any thread may ask about while one writes */
    wfi_log_position safe; /* known to be on the disk */
    wfi_weft_root root;    /* the last one, as it is in the file */
    uint64_t bytes_left_out;
    wfi_log_position cursor; /* before the batch that wfi_log_batch expects next */
    wfi_frame_in shown;      /* the one that it gave last */
} wfi_log;

wfi_log *wfi_log_new(weft_ctx *ctx); /* no file yet; NULL when out of memory */
/* The page, if it is another, and the end of the log are now these. */
void wfi_log_set(wfi_log *log, const wfi_weft_page *page, wfi_log_position end);

weft_status wfi_log_writable(weft_ctx *ctx, const wfi_log *log);
/* Is the file that is open still the one that has the name? */
bool wfi_log_has_name(const wfi_log *log);
/* Does the file still have what was read of it? */
weft_status wfi_log_check_read(weft_ctx *ctx, const wfi_log *log);
/* The batch that is about to be published. */
weft_status wfi_log_append(weft_ctx *ctx, weft_dynamic *d, const weft_batch *batch);
void wfi_log_describe(wfi_log *log, weft_dynamic_info *info);
void wfi_log_close(wfi_log *log); /* NULL is nothing */

/* The new file of a compaction, beside the old one: locked from the beginning, and without a name where the system has
 * such files (O_TMPFILE).  Its name is FILE.rewritten, or FILE.rewritten-1, ...: one that nothing has, not even a
 * symbolic link that leads nowhere.  A program that is killed may leave it behind; the next writer removes it, if it
 * can tell that it is one. */
typedef struct wfi_rewrite {
    int fd;
    const char *target;
    char *path; /* the name that it has, or will have */
    bool named;
} wfi_rewrite;

/* named: with its name from the beginning, as it is anyway where there are no nameless files. */
weft_status wfi_rewrite_open(weft_ctx *ctx, const char *target, bool named, wfi_rewrite *b);
/* Gives it its name.  0, or errno. */
int wfi_rewrite_link(wfi_rewrite *b);
/* Removes the file and its name, unless `keeps_file`. */
void wfi_rewrite_close(wfi_rewrite *b, bool keeps_file);
/* Removes what killed writers of log->path left behind, and nothing that is not certain to be that. */
weft_status wfi_rewrite_clean(weft_ctx *ctx, const wfi_log *log);

static inline wfi_log_position wfi_log_begin(const wfi_weft_page *page) {
    return (wfi_log_position){page->changes.batches, page->changes.log_offset, page->header.digest,
                              offsetof(wfi_weft_page, header.digest)};
}

#endif
