/* Atomic placement of files: a file appears under its name only when it is complete. Every writer of graphs, results,
 * checkpoints and figures uses it.
 *
 * Method: bytes go to a temporary file beside the target. Where the system has nameless files (O_TMPFILE) the
 * temporary is one, of which nothing is left if the process is killed; it is linked to its name in the end, or copied
 * where the file system cannot link it. Elsewhere (NFS) it has an unused name and is renamed. A file that replaces
 * another is synced before it gets the name, and the folder after that: after a power failure either the old or the
 * new file is there, whole. New files are not synced. A failed call leaves the old file as it was and no temporary.
 *
 * Calls return 0 or an errno. Nothing is allocated: paths have at most PATH_MAX bytes. */
#ifndef WFI_PLACE_H
#define WFI_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct wfi_place {
    int fd;                           /* open for writing, or -1 */
    bool replaces;                    /* the target exists */
    bool syncs;                       /* sync to the disk; set if the target exists, callers may set it too */
    bool nameless;                    /* `temporary` has not been linked to its name yet */
    void (*guard)(const char *named); /* may be NULL; called with the name of the temporary once it has one, with NULL
                                       * when it has none any more */
    char target[PATH_MAX], temporary[PATH_MAX];
} wfi_place;

/* Resolves the symbolic links of `path`, also to a file that does not exist yet, but not names of open descriptors. */
int wfi_real_target(const char *path, char target[PATH_MAX]);

/* True if writing goes to the existing object instead of replacing it: a device, a pipe, an open descriptor. */
bool wfi_is_in_place(const char *path);
/* The descriptor of this process that `path` names (/dev/fd/3), or -1. */
int wfi_own_descriptor(const char *path);
/* Opens an object that is written in place; "-" is standard output. A descriptor of this process is duplicated and
 * keeps its offset and O_APPEND. Returns -1 with errno on failure; EINTR if a signal came while a pipe waited for its
 * reader. */
int wfi_open_in_place(const char *path);

/* Opens a temporary for the file that `path` leads to, with the mode of the replaced file or the default mode. */
int wfi_place_open(wfi_place *p, const char *path, void (*guard)(const char *named));
/* Opens a temporary of a given name in the folder of `path`, which must not be a link. Removes an older temporary of
 * this name, left by a killed process. */
int wfi_place_open_as(wfi_place *p, const char *path, const char *temporary);
/* Links the temporary to its name early, for other processes that open it. */
int wfi_place_name(wfi_place *p);
/* Gives the file its name and closes it. After a failure of the last step, the sync of the folder, the new file is in
 * place all the same. */
int wfi_place_end(wfi_place *p);
/* Removes the temporary, if there is one. */
void wfi_place_drop(wfi_place *p);

/* Opens a nameless file (O_TMPFILE) in the folder of `path`; -1 where nameless files do not exist or cannot be
 * linked. wfi_link_nameless links it to a name that must not exist. */
int wfi_open_nameless(const char *path, mode_t mode);
int wfi_link_nameless(int fd, const char *name);

/* fsync of a file, or of the folder of `path`. Success on file systems that do not support it. */
int wfi_sync_file(int fd);
int wfi_sync_folder(const char *path);

#endif
