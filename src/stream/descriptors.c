/* See descriptors.h. */
#include "stream/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int wfi_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); }

int wfi_move_above_stderr(int fd) {
    if (fd < 0 || fd > STDERR_FILENO) return fd;
    int raised = wfi_duplicate(fd), why = errno;
    close(fd);
    errno = why;
    return raised;
}

int wfi_open(const char *path, int flags, mode_t mode) {
    return wfi_move_above_stderr(open(path, flags | O_CLOEXEC, mode));
}

FILE *wfi_open_stream(const char *path) {
    int fd = wfi_open(path, O_RDONLY, 0);
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "r");
    if (!stream && fd >= 0) close(fd);
    return stream;
}

/* O_PATH: reading, writing and reopening as /dev/stdout fail with EBADF, as with a closed descriptor. */
bool wfi_occupy_standard(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/", O_PATH) != fd) return false;
    return true;
}

bool wfi_names_descriptor(const char *path) {
    struct stat about, proc;
    return !lstat(path, &about) && S_ISLNK(about.st_mode) && !stat("/proc/self/", &proc) && about.st_dev == proc.st_dev;
}
