/* Descriptors 0, 1 and 2 are standard input, output and error to everybody, also where a process was started with them
 * closed: the next file that is opened would get their number, and the next message would go into it.  So no file of
 * ours has one of these numbers, and programs keep all three taken. */
#ifndef WFI_DESCRIPTORS_H
#define WFI_DESCRIPTORS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* open(), with O_CLOEXEC, for a number above 2; -1: errno says why.  The mode counts where a file is made. */
int wfi_open(const char *path, int flags, mode_t mode);
/* The same as a stream to read from; NULL: errno says why. */
FILE *wfi_open_stream(const char *path);
/* The same file under another number above 2. */
int wfi_duplicate(int fd);
/* What another call has opened, moved above 2; -1 stays -1, and where it cannot be moved it is closed. */
int wfi_raise(int fd);

/* For the first line of main: those of 0, 1 and 2 that are closed are taken by something that can be neither read nor
 * written, so that using them fails as it did, in this program and in those it becomes.  False: that cannot be had. */
bool wfi_hold_standard(void);

/* Is `path` a name of an open descriptor (/proc/self/fd/3)?  What such a link says is for people and no path: the file
 * may have lost its name or never had one. */
bool wfi_names_descriptor(const char *path);

#endif
