/* A file that appears under its name only when it is complete: every writer uses it, of graphs, results, checkpoints
 * and figures.
 *
 * Until then its bytes are in a temporary beside the target.  Where the system has files without a name (O_TMPFILE)
 * it is one, of which nothing is left when the process is killed; it is linked to its name in the end, or copied where
 * the file system links none.  Elsewhere (NFS) it has a name that nobody had, and is renamed.  What replaces a file is
 * on the disk before it has the name, and then the name is: after a power failure the old file is there or the new one,
 * whole.  For a new file nobody waits for the disk.  When a call fails the old file is as it was, and no temporary is
 * left.
 *
 * Calls return 0 or an errno.  Nothing is allocated: no path has more than PATH_MAX bytes. */
#ifndef WFI_PLACE_H
#define WFI_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct wfi_place {
    int fd;                           /* to be written to; -1: nothing is open */
    bool replaces;                    /* a file that is there */
    bool syncs;                       /* waits for the disk: set where it replaces, callers may ask for it always */
    bool nameless;                    /* `temporary` is not its name yet */
    void (*guard)(const char *named); /* if set: told the name that the temporary has got, NULL when it is gone */
    char target[PATH_MAX], temporary[PATH_MAX];
} wfi_place;

/* Where writing to `path` ends up: symbolic links are followed, also to what does not exist yet, except for names of
 * open descriptors. */
int wfi_real_target(const char *path, char target[PATH_MAX]);

/* Is what is there written to, rather than replaced: a device, a pipe, an open descriptor? */
bool wfi_is_in_place(const char *path);
/* The descriptor of this process that `path` names (/dev/fd/3), -1: none. */
int wfi_own_descriptor(const char *path);
/* Opens what is written in place, "-" is standard output; a descriptor of this process as it stands, at its place in
 * the file and with its O_APPEND.  -1: errno says why; EINTR, where a signal came while a pipe waited for its
 * reader. */
int wfi_open_in_place(const char *path);

/* Opens a temporary for the file that `path` leads to, with the mode of what is replaced or of any new file.  `guard`
 * may be NULL. */
int wfi_place_open(wfi_place *p, const char *path, void (*guard)(const char *named));
/* The same with a temporary of a name that others know, in the folder of `path`, which is no link; what a process that
 * was killed has left there goes. */
int wfi_place_open_as(wfi_place *p, const char *path, const char *temporary);
/* Lets the temporary have its name already, for processes that open it too. */
int wfi_place_name(wfi_place *p);
/* Gives the file its name and closes it.  Only if the last step fails, the wait for the folder, is the new file there
 * all the same. */
int wfi_place_end(wfi_place *p);
/* Throws the temporary away, if there is one. */
void wfi_place_drop(wfi_place *p);

/* A file without a name (O_TMPFILE) in the folder of `path`; -1 where there are none, or none that could be linked.
 * Links it to a name that nothing has. */
int wfi_open_nameless(const char *path, mode_t mode);
int wfi_link_nameless(int fd, const char *name);

/* All that was written to a file, or the names in the folder of `path`, are on the disk.  A file system that has no
 * such thing is no failure. */
int wfi_sync_file(int fd);
int wfi_sync_folder(const char *path);

#endif
