/* See place.h. */
#include "stream/place.h"
#include "stream/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_STEM = 200, MOST_LINKS = 40, MOST_TRIES = 100, NAME_XS = 6, OWN_LINK = 64, PIECE = 1 << 15 };

/* --- the target ---------------------------------------------------------------------- */

/* Bytes of a path up to and including its last slash. */
static size_t folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

int wfi_real_target(const char *path, char target[PATH_MAX]) {
    char link[PATH_MAX];
    if (strlen(path) >= PATH_MAX) return ENAMETOOLONG;
    strcpy(target, path);
    for (int links = 0; links < MOST_LINKS; links++) {
        ssize_t length = wfi_names_descriptor(target) ? -1 : readlink(target, link, sizeof link - 1);
        if (length < 0) return 0; /* a file, nothing yet, or an open descriptor */
        link[length] = 0;
        size_t folder = *link == '/' ? 0 : folder_of(target);
        if (folder + (size_t)length >= PATH_MAX) return ENAMETOOLONG;
        strcpy(target + folder, link);
    }
    return ELOOP;
}

int wfi_own_descriptor(const char *path) {
    char target[PATH_MAX];
    struct stat named, own;
    if (wfi_real_target(path, target) || !wfi_names_descriptor(target)) return -1;
    const char *digits = target + folder_of(target);
    if (!*digits || digits[strspn(digits, "0123456789")]) return -1;
    long number = strtol(digits, NULL, 10);
    bool ours = number <= INT_MAX && !stat(target, &named) && !fstat((int)number, &own) && named.st_dev == own.st_dev &&
                named.st_ino == own.st_ino;
    return ours ? (int)number : -1;
}

bool wfi_is_in_place(const char *path) {
    char target[PATH_MAX];
    struct stat there;
    if (stat(path, &there)) return false;
    return !S_ISREG(there.st_mode) || (!wfi_real_target(path, target) && wfi_names_descriptor(target));
}

int wfi_open_in_place(const char *path) {
    int own = strcmp(path, "-") ? wfi_own_descriptor(path) : STDOUT_FILENO;
    return own >= 0 ? wfi_duplicate(own) : wfi_open(path, O_WRONLY | O_TRUNC, 0);
}

/* --- the disk ---------------------------------------------------------------------- */

int wfi_sync_file(int fd) {
    while (fsync(fd))
        if (errno != EINTR) return errno == EINVAL ? 0 : errno;
    return 0;
}

/* Opens the folder of `path` itself (O_DIRECTORY), or a nameless file in it (O_TMPFILE). */
static int open_folder(const char *path, int flags, mode_t mode) {
    char folder[PATH_MAX];
    size_t length = folder_of(path);
    if (length >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(folder, length ? path : ".", length ? length : 1);
    folder[length ? length : 1] = 0;
    return wfi_open(folder, flags, mode);
}

int wfi_sync_folder(const char *path) {
    int fd = open_folder(path, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) return errno;
    int why = wfi_sync_file(fd);
    close(fd);
    return why;
}

/* On NFS a failed write may be reported only by close. */
static int close_file(wfi_place *p) {
    int why = close(p->fd) && errno != EINTR ? errno : 0;
    p->fd = -1;
    return why;
}

/* --- the temporary ----------------------------------------------------------------- */

static void has_name(wfi_place *p) {
    p->nameless = false;
    if (p->guard) p->guard(p->temporary);
}

static void has_no_name(wfi_place *p) {
    *p->temporary = 0;
    if (p->guard) p->guard(NULL);
}

/* Replaces the X at the end of the temporary name with random letters. */
static void pick_name(wfi_place *p) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t x = (uint64_t)now.tv_nsec << 16 ^ (uint64_t)getpid();
    (void)!getrandom(&x, sizeof x, GRND_NONBLOCK);
    char *at = p->temporary + strlen(p->temporary) - NAME_XS;
    for (int i = 0; i < NAME_XS; i++, x /= 32) at[i] = "abcdefghijklmnopqrstuvwxyz234567"[x % 32];
}

/* mkstemp would give mode 0600, and the umask that should apply to 0666 can be read only by changing it, which would
 * race with other threads. */
static int create(const char *name, mode_t mode) {
    int fd;
    do fd = wfi_open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* Creates a file under an unused name. */
static int create_named(wfi_place *p, mode_t mode) {
    int fd = -1;
    for (int tries = 0; fd < 0 && tries < MOST_TRIES; tries++) {
        pick_name(p);
        fd = create(p->temporary, mode);
        if (fd < 0 && errno != EEXIST) break;
    }
    return fd;
}

static void own_link(int fd, char to[OWN_LINK]) { snprintf(to, OWN_LINK, "/proc/self/fd/%d", fd); }

int wfi_open_nameless(const char *path, mode_t mode) {
    char link[OWN_LINK];
    struct stat facts, linked;
    int fd = open_folder(path, O_TMPFILE | O_RDWR, mode); /* readable, because copy_to_name may have to copy it */
    if (fd < 0) return -1;
    own_link(fd, link);
    if (!fstat(fd, &facts) && !stat(link, &linked) && facts.st_dev == linked.st_dev && facts.st_ino == linked.st_ino)
        return fd;
    close(fd);
    return -1;
}

int wfi_place_open(wfi_place *p, const char *path, void (*guard)(const char *named)) {
    struct stat old;
    *p = (wfi_place){.fd = -1, .guard = guard};
    int why = wfi_real_target(path, p->target);
    if (why) return why;
    p->replaces = p->syncs = !stat(p->target, &old);
    if (p->replaces && S_ISDIR(old.st_mode)) return EISDIR;
    size_t folder = folder_of(p->target);
    /* A long file name is truncated, so that the suffix fits. */
    int length = snprintf(p->temporary, sizeof p->temporary, "%.*s%.*s.weft-XXXXXX", (int)folder, p->target,
                          LONGEST_STEM, p->target + folder);
    mode_t mode = p->replaces ? 0600 : 0666;
    if (length < 0 || (size_t)length >= sizeof p->temporary) {
        why = ENAMETOOLONG;
    } else {
        p->fd = wfi_open_nameless(p->temporary, mode);
        p->nameless = p->fd >= 0;
        if (!p->nameless) {
            p->fd = create_named(p, mode);
            why = p->fd < 0 ? errno : 0;
            if (!why) has_name(p);
        }
    }
    if (why) *p->temporary = 0;
    /* the new file keeps the mode of the replaced one */
    if (!why && p->replaces) (void)!fchmod(p->fd, old.st_mode & 07777);
    return why;
}

int wfi_place_open_as(wfi_place *p, const char *path, const char *temporary) {
    struct stat old;
    *p = (wfi_place){.fd = -1};
    if (strlen(path) >= sizeof p->target || strlen(temporary) >= sizeof p->temporary) return ENAMETOOLONG;
    strcpy(p->target, path);
    p->replaces = p->syncs = !stat(path, &old);
    unlink(temporary);
    p->fd = create(temporary, 0666);
    if (p->fd < 0) return errno;
    strcpy(p->temporary, temporary);
    return 0;
}

/* --- the name ----------------------------------------------------------------------- */

/* On NFS a call may have succeeded although it reported an error: the reply was lost. */
static bool is_ours(const char *path, const struct stat *own) {
    struct stat there;
    return !lstat(path, &there) && there.st_dev == own->st_dev && there.st_ino == own->st_ino;
}

int wfi_link_nameless(int fd, const char *name) {
    char link[OWN_LINK];
    struct stat own;
    own_link(fd, link);
    if (!linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW)) return 0;
    int why = errno;
    return !fstat(fd, &own) && is_ours(name, &own) ? 0 : why;
}

static int write_piece(int fd, const char *data, size_t bytes) {
    while (bytes) {
        ssize_t n = write(fd, data, bytes);
        if (n < 0 && errno != EINTR) return errno;
        data += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static int copy_bytes(int from, int to) {
    char piece[PIECE];
    for (off_t at = 0;;) {
        ssize_t n = pread(from, piece, sizeof piece, at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (!n) return 0;
        int why = write_piece(to, piece, (size_t)n);
        if (why) return why;
        at += n;
    }
}

/* For file systems that have nameless files but cannot link them (EPERM, EXDEV): copies all bytes to a named file. */
static int copy_to_name(wfi_place *p) {
    struct stat facts;
    int fd = fstat(p->fd, &facts) ? -1 : create_named(p, 0600);
    if (fd < 0) return errno;
    has_name(p);
    int why = copy_bytes(p->fd, fd);
    if (!why && fchmod(fd, facts.st_mode & 07777)) why = errno;
    if (!why && p->syncs) why = wfi_sync_file(fd);
    close(p->fd);
    p->fd = fd;
    return why;
}

int wfi_place_name(wfi_place *p) {
    if (!p->nameless) return 0;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        pick_name(p);
        int why = wfi_link_nameless(p->fd, p->temporary);
        if (why == EEXIST) continue;
        if (why) break;
        has_name(p);
        return 0;
    }
    return copy_to_name(p);
}

static int rename_to_target(wfi_place *p) {
    struct stat own;
    int why = wfi_place_name(p);
    if (!why && fstat(p->fd, &own)) why = errno;
    if (!why) why = close_file(p);
    if (why || !rename(p->temporary, p->target)) return why;
    why = errno;
    return is_ours(p->target, &own) ? 0 : why;
}

/* Links a new file to its name directly. If another file has taken the name meanwhile, that file is replaced. */
static int link_to_target(wfi_place *p) {
    int why = wfi_link_nameless(p->fd, p->target);
    if (why) {
        bool taken = why == EEXIST && !p->syncs;
        p->syncs |= taken;
        why = taken ? wfi_sync_file(p->fd) : 0;
        return why ? why : rename_to_target(p);
    }
    why = close_file(p);
    if (why) unlink(p->target);
    return why;
}

int wfi_place_end(wfi_place *p) {
    int why = p->syncs ? wfi_sync_file(p->fd) : 0;
    if (!why) why = p->nameless && !p->replaces ? link_to_target(p) : rename_to_target(p);
    if (why) {
        wfi_place_drop(p);
        return why;
    }
    has_no_name(p);
    why = p->syncs ? wfi_sync_folder(p->target) : 0;
    return why == EACCES ? 0 : why; /* a folder that is writable but not readable cannot be synced */
}

/* Closes before unlinking: NFS keeps a file that is removed while open under another name. */
void wfi_place_drop(wfi_place *p) {
    if (p->fd >= 0) close_file(p);
    if (*p->temporary && !p->nameless) unlink(p->temporary);
    has_no_name(p);
}
