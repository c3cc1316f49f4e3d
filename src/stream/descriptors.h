/* Everybody takes descriptors 0, 1 and 2 for standard input, output and error, even in a process that was started
 * with them closed: the next opened file would get such a number and receive the next message. So files of this
 * library never have one of these numbers, and programs keep all three occupied. */
#ifndef WFI_DESCRIPTORS_H
#define WFI_DESCRIPTORS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* open() with O_CLOEXEC that returns a descriptor above 2, or -1 with errno. `mode` applies to a new file. */
int wfi_open(const char *path, int flags, mode_t mode);
/* Opens a stream for reading; NULL with errno on failure. */
FILE *wfi_open_stream(const char *path);
/* Duplicates a descriptor to a number above 2. */
int wfi_duplicate(int fd);
/* Moves a descriptor above 2; passes -1 through. On failure fd is closed and -1 is returned. */
int wfi_move_above_stderr(int fd);

/* For the first line of main: occupies each of the descriptors 0, 1 and 2 that is closed, so that using it still
 * fails, in this program and in those it executes. False on failure. */
bool wfi_occupy_standard(void);

/* True if `path` is a link to an open descriptor (/proc/self/fd/3). The text of such a link is no usable path: the
 * file may have been unlinked or never had a name. */
bool wfi_names_descriptor(const char *path);

#endif
