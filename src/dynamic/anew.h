/* The new file that will take the place of one that is written to, while it is made: beside it, locked from the
 * beginning, and without a name where the system has such files.  Its name is FILE.rewritten, or FILE.rewritten-1, ...:
 * one that nothing has, not even a symbolic link that leads nowhere.  A program that is killed may leave it behind.
 * The next writer removes what it can tell to be such a file. */
#ifndef WFI_DYNAMIC_ANEW_H
#define WFI_DYNAMIC_ANEW_H

#include "dynamic/log.h"

typedef struct wfi_anew {
    int fd;
    const char *target;
    char *path; /* the name that it has, or is meant to have */
    bool named;
} wfi_anew;

/* named: with its name from the beginning, as it is anyway where there are no nameless files. */
weft_status wfi_anew_open(weft_ctx *ctx, const char *target, bool named, wfi_anew *b);
/* It has its name then.  0, or why not. */
int wfi_anew_name(wfi_anew *b);
/* Without its file, if `keeps_file` is false: that and the name are gone. */
void wfi_anew_close(wfi_anew *b, bool keeps_file);

/* What killed writers of log->path left behind goes; what is not certain to be that stays. */
weft_status wfi_anew_clear(weft_ctx *ctx, const wfi_log *log);

#endif
