/* Bytes to a file that appears only when it is complete. */
#include "io/sink.h"
#include "core/scan.h"
#include "io/numbers.h"
#include "io/packing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 1 << 18, LONGEST_STEM = 200, LONGEST_LINK = 4096, MOST_LINKS = 40, NAME_XS = 6, OWN_LINK = 64 };
typedef enum packing { PLAIN, GZIP, ZSTD } packing;

struct wfi_sink {
    weft_ctx *ctx;
    char *path, *temporary; /* the name until it has the target's; NULL for what is written in place */
    bool nameless;          /* it does not have that name yet */
    char *target;           /* where the temporary goes in the end; NULL: to path */
    bool replaces;          /* a file that is there */
    int fd;
    packing packing;
    z_stream gzip;
    ZSTD_CStream *zstd;
    char *buffer, *packed;
    size_t used;
    weft_status status; /* of the first failure */
};

/* --- down to the file -------------------------------------------------------- */

static void fail(wfi_sink *s, const char *what) {
    if (!s->status) s->status = wfi_fail(s->ctx, WEFT_EIO, "%s: cannot write: %s", s->path, what);
}

static void write_out(wfi_sink *s, const char *data, size_t bytes) {
    while (bytes && !s->status) {
        ssize_t n = write(s->fd, data, bytes);
        if (n < 0 && errno != EINTR) {
            fail(s, strerror(errno));
            return;
        }
        data += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
        /* A signal in the middle of a write leaves a part written; the rest may wait for ever. */
        if (bytes && wfi_cancelled(s->ctx)) s->status = wfi_fail_cancelled(s->ctx);
    }
}

static void gzip_out(wfi_sink *s, const char *data, size_t bytes, bool last) {
    s->gzip.next_in = (unsigned char *)(uintptr_t)data;
    s->gzip.avail_in = (unsigned)bytes;
    int r;
    do {
        s->gzip.next_out = (unsigned char *)s->packed;
        s->gzip.avail_out = BUFFER;
        r = deflate(&s->gzip, last ? Z_FINISH : Z_NO_FLUSH);
        write_out(s, s->packed, BUFFER - s->gzip.avail_out);
    } while (!s->status && (s->gzip.avail_out == 0 || (last && r != Z_STREAM_END)));
}

static void zstd_out(wfi_sink *s, const char *data, size_t bytes, bool last) {
    ZSTD_inBuffer in = {data, bytes, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {s->packed, BUFFER, 0};
        left = ZSTD_compressStream2(s->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (wfi_zstd_no_memory(left)) {
            s->status = WEFT_ENOMEM;
            return;
        }
        if (ZSTD_isError(left)) {
            fail(s, ZSTD_getErrorName(left));
            return;
        }
        write_out(s, s->packed, out.pos);
    } while (!s->status && (in.pos < in.size || (last && left)));
}

static void drain(wfi_sink *s, const char *data, size_t bytes, bool last) {
    if (s->status) return;
    if (wfi_cancelled(s->ctx)) {
        s->status = wfi_fail_cancelled(s->ctx);
        return;
    }
    if (s->packing == GZIP)
        gzip_out(s, data, bytes, last);
    else if (s->packing == ZSTD)
        zstd_out(s, data, bytes, last);
    else
        write_out(s, data, bytes);
}

static void flush(wfi_sink *s) {
    drain(s, s->buffer, s->used, false);
    s->used = 0;
}

/* --- opening and closing ------------------------------------------------------- */

/* Bytes of a path up to and with its last slash. */
static size_t folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* A name of an open descriptor (/proc/self/fd/3): what such a link says is for people and no path, as the file may have lost
 * its name or never had one. */
static bool is_descriptor(const char *link) {
    struct stat about, proc;
    return !lstat(link, &about) && S_ISLNK(about.st_mode) && !stat("/proc/self/", &proc) && about.st_dev == proc.st_dev;
}

/* A symbolic link stays one, and what it points to is replaced, or made where there is nothing yet.
 * cli/target.c does the same for files that are not graphs, as the program does not see src/: both must end at the same file. */
static weft_status follow_links(wfi_sink *s) {
    char to[LONGEST_LINK];
    for (int links = 0; links < MOST_LINKS; links++) {
        const char *at = s->target ? s->target : s->path;
        ssize_t length = is_descriptor(at) ? -1 : readlink(at, to, sizeof to - 1);
        if (length < 0)
            return WEFT_OK; /* no link, or an open descriptor; what else is wrong is said when the file is made */
        to[length] = 0;
        size_t folder = *to == '/' ? 0 : folder_of(at), room = folder + (size_t)length + 1;
        char *next = wfi_take(s->ctx, room, 1);
        if (!next) return WEFT_ENOMEM;
        snprintf(next, room, "%.*s%s", (int)folder, at, to);
        wfi_free(s->target);
        s->target = next;
    }
    return wfi_fail(s->ctx, WEFT_EIO, "%s: cannot write: %s", s->path, strerror(ELOOP));
}

/* Other letters for the X at the end of a name. */
static void pick_name(char *name) {
    static _Atomic uint64_t counter;
    char *end = name + strlen(name);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t x = wfi_mix((uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30) + wfi_mix((uint64_t)getpid());
    x = wfi_mix(x + atomic_fetch_add(&counter, 1));
    for (size_t i = 1; i <= NAME_XS; i++, x /= 32) end[-(ptrdiff_t)i] = "abcdefghijklmnopqrstuvwxyz234567"[x % 32];
}

/* Creates a file of a name that nobody has.  Not mkstemp, which gives 0600: what the process's mask leaves of 0666 could be found only by changing that mask,
 * under the feet of other threads. */
static int create_new(char *name, mode_t mode) {
    for (int tries = 0; tries < 100; tries++) {
        pick_name(name);
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

static void own_link(int fd, char to[OWN_LINK]) { snprintf(to, OWN_LINK, "/proc/self/fd/%d", fd); }

/* A file without a name, of which nothing is left if the process is killed.  -1 where there are none, or where it could not be given one in the end. */
static int create_nameless(char *name, size_t folder, mode_t mode) {
    char cut = name[folder], link[OWN_LINK];
    struct stat facts, linked;
    name[folder] = 0;
    int fd = open(folder ? name : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    name[folder] = cut;
    if (fd < 0) return -1;
    own_link(fd, link);
    if (!fstat(fd, &facts) && !stat(link, &linked) && facts.st_dev == linked.st_dev && facts.st_ino == linked.st_ino)
        return fd;
    close(fd);
    return -1;
}

/* What has been written so far, to another file.  0, or why not. */
static int copy_bytes(const char *from, int to, char *room, size_t size) {
    int fd = open(from, O_RDONLY | O_CLOEXEC), why = fd < 0 ? errno : 0;
    for (ssize_t got = 1; got > 0 && !why;) {
        got = read(fd, room, size);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got < 0)
            why = errno;
        else
            for (ssize_t put = 0, more; put < got && !why; put += more) {
                more = write(to, room + put, (size_t)(got - put));
                if (more < 0) why = errno == EINTR ? 0 : errno, more = 0;
            }
    }
    if (fd >= 0) close(fd);
    return why;
}

/* Where a file system has nameless files, but gives them no name: a new one that has all of its bytes. */
static int move_to_name(wfi_sink *s, const char *link) {
    struct stat facts;
    int why = 0, fd = fstat(s->fd, &facts) ? -1 : create_new(s->temporary, 0600);
    if (fd < 0) return errno;
    why = copy_bytes(link, fd, s->packed, BUFFER);
    if (!why && fchmod(fd, facts.st_mode & 07777)) why = errno;
    if (!why && s->replaces && fsync(fd) && errno != EINVAL) why = errno;
    if (why) {
        close(fd);
        unlink(s->temporary);
        return why;
    }
    close(s->fd);
    s->fd = fd;
    s->nameless = false;
    return 0;
}

/* 0, or why not. */
static int give_name(wfi_sink *s) {
    char link[OWN_LINK];
    if (!s->nameless) return 0;
    own_link(s->fd, link);
    for (int tries = 0; tries < 100; tries++) {
        pick_name(s->temporary);
        s->nameless = linkat(AT_FDCWD, link, AT_FDCWD, s->temporary, AT_SYMLINK_FOLLOW) != 0;
        if (!s->nameless) return 0;
        if (errno != EEXIST) break;
    }
    return move_to_name(s, link);
}

/* A descriptor of this process for the one that a path names, at its place in the file and with its O_APPEND; -1: none. */
static int same_descriptor(const char *target, const struct stat *facts) {
    const char *digits = target + folder_of(target);
    struct stat own;
    if (!is_descriptor(target) || !*digits || digits[strspn(digits, "0123456789")]) return -1;
    long number = strtol(digits, NULL, 10);
    if (number > INT_MAX || fstat((int)number, &own) || own.st_dev != facts->st_dev || own.st_ino != facts->st_ino)
        return -1;
    return fcntl((int)number, F_DUPFD_CLOEXEC, 0);
}

/* Devices, pipes and open descriptors, also of files that have no name: nothing can take their place. */
static weft_status open_in_place(wfi_sink *s, const char *target, const struct stat *facts) {
    s->fd = same_descriptor(target, facts);
    while (s->fd < 0) { /* a named pipe waits here for its reader */
        s->fd = open(s->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
        if (s->fd < 0 && errno != EINTR)
            return wfi_fail(s->ctx, WEFT_EIO, "%s: cannot write: %s", s->path, strerror(errno));
        if (s->fd < 0 && wfi_cancelled(s->ctx)) return wfi_fail_cancelled(s->ctx);
    }
    return WEFT_OK;
}

/* A new file beside the target, so that the rename stays within one file system; or what is there already. */
static weft_status open_target(wfi_sink *s) {
    struct stat facts;
    bool exists = !stat(s->path, &facts);
    weft_status st = follow_links(s);
    if (st) return st;
    const char *target = s->target ? s->target : s->path;
    if (exists && (!S_ISREG(facts.st_mode) || is_descriptor(target))) return open_in_place(s, target, &facts);
    s->replaces = exists;
    size_t folder = folder_of(target), room = strlen(target) + 32;
    s->temporary = wfi_take(s->ctx, room, 1);
    if (!s->temporary) return WEFT_ENOMEM;
    /* The longest names have no room for more: theirs is cut. */
    snprintf(s->temporary, room, "%.*s%.*s.weft-XXXXXX", (int)folder, target, LONGEST_STEM, target + folder);
    s->fd = create_nameless(s->temporary, folder, exists ? 0600 : 0666);
    s->nameless = s->fd >= 0;
    if (!s->nameless) s->fd = create_new(s->temporary, exists ? 0600 : 0666);
    if (s->fd < 0) {
        wfi_free(s->temporary);
        s->temporary = NULL;
        return wfi_fail(s->ctx, WEFT_EIO, "%s: cannot create a file there: %s", s->path, strerror(errno));
    }
    if (exists) (void)!fchmod(s->fd, facts.st_mode & 07777); /* what is replaced keeps its mode */
    return WEFT_OK;
}

static bool ends_with(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && !strcmp(text + a - b, end);
}

static weft_status start_packing(wfi_sink *s, int level) {
    bool gzip = ends_with(s->path, ".gz"), zstd = ends_with(s->path, ".zst");
    int most = gzip ? 9 : ZSTD_maxCLevel();
    if ((gzip || zstd) && (level < 0 || level > most))
        return wfi_fail(s->ctx, WEFT_EINVAL, "compression level %d: %s has 1 to %d (0: its default)", level,
                        gzip ? "gzip" : "zstd", most);
    if (gzip) {
        wfi_zlib_memory(s->ctx, &s->gzip);
        if (deflateInit2(&s->gzip, level ? level : Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
            Z_OK)
            return wfi_fail(s->ctx, WEFT_ENOMEM, "out of memory for compressing %s", s->path);
        s->packing = GZIP;
    } else if (zstd) {
        s->zstd = ZSTD_createCStream_advanced(wfi_zstd_memory(s->ctx));
        if (!s->zstd) return WEFT_ENOMEM;
        s->packing = ZSTD;
        ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, level ? level : ZSTD_CLEVEL_DEFAULT);
        ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_checksumFlag, 1);
    }
    return WEFT_OK;
}

/* With its buffers, and without a file; NULL: out of memory. */
static wfi_sink *new_sink(weft_ctx *ctx, const char *name) {
    wfi_sink *s = wfi_take_zeroed(ctx, 1, sizeof *s);
    if (!s) return NULL;
    s->ctx = ctx;
    s->fd = -1;
    s->path = wfi_copy_text(ctx, name);
    if (s->path && !wfi_alloc(ctx, &s->buffer, BUFFER) && !wfi_alloc(ctx, &s->packed, BUFFER)) return s;
    wfi_sink_abandon(s);
    return NULL;
}

weft_status wfi_sink_open(weft_ctx *ctx, const char *path, int level, wfi_sink **out) {
    bool standard = !strcmp(path, "-");
    wfi_sink *s = *out = new_sink(ctx, standard ? "(standard output)" : path);
    if (!s) return WEFT_ENOMEM;
    if (standard) s->fd = STDOUT_FILENO;
    weft_status st = standard ? WEFT_OK : start_packing(s, level);
    if (!st && !standard) st = open_target(s);
    if (!st) return WEFT_OK;
    wfi_sink_abandon(s);
    *out = NULL;
    return st;
}

weft_status wfi_sink_onto(weft_ctx *ctx, const char *name, int fd, wfi_sink **out) {
    wfi_sink *s = *out = new_sink(ctx, name);
    if (!s) return WEFT_ENOMEM;
    s->fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (s->fd >= 0) return WEFT_OK;
    weft_status st = wfi_fail(ctx, WEFT_EIO, "%s: cannot write: %s", name, strerror(errno));
    wfi_sink_abandon(s);
    *out = NULL;
    return st;
}

static void close_all(wfi_sink *s) {
    if (s->packing == GZIP) deflateEnd(&s->gzip);
    if (s->packing == ZSTD) ZSTD_freeCStream(s->zstd);
    if (s->fd >= 0 && s->fd != STDOUT_FILENO && close(s->fd)) fail(s, strerror(errno));
    s->fd = -1;
}

/* What replaces a file is on the disk before it has the name, so that a power failure leaves the one or the other whole.  Where there was
 * none there is none to lose, and nobody waits.  EINVAL: the file system has no such thing. */
static void settle(wfi_sink *s) {
    if (!s->status && s->replaces && fsync(s->fd) && errno != EINVAL) fail(s, strerror(errno));
}

weft_status wfi_sink_finish(weft_ctx *ctx, wfi_sink *s) {
    (void)ctx;
    drain(s, s->buffer, s->used, true);
    settle(s);
    int why = s->status ? 0 : give_name(s);
    if (why) fail(s, strerror(why));
    close_all(s);
    if (!s->status && s->temporary && rename(s->temporary, s->target ? s->target : s->path)) fail(s, strerror(errno));
    weft_status st = s->status;
    if (!st) {
        wfi_free(s->temporary);
        s->temporary = NULL;
    }
    s->packing = PLAIN;
    wfi_sink_abandon(s);
    return st;
}

void wfi_sink_abandon(wfi_sink *s) {
    if (!s) return;
    close_all(s);
    if (s->temporary && !s->nameless) unlink(s->temporary);
    wfi_free(s->temporary);
    wfi_free(s->target);
    wfi_free(s->path);
    wfi_free(s->buffer);
    wfi_free(s->packed);
    wfi_free(s);
}

/* --- what writers call ------------------------------------------------------------ */

bool wfi_sink_way(const wfi_sink *s, char *path, size_t room) {
    if (s->packing != PLAIN || !s->temporary) return false;
    int length = s->nameless ? snprintf(path, room, "/proc/%ld/fd/%d", (long)getpid(), s->fd)
                             : snprintf(path, room, "%s", s->temporary);
    return length >= 0 && (size_t)length < room;
}

bool wfi_sink_nameless(const wfi_sink *s) { return s->nameless; }

weft_status wfi_sink_name(wfi_sink *s) {
    int why = give_name(s);
    if (why) fail(s, strerror(why));
    return s->status;
}

bool wfi_sink_replaces(const wfi_sink *s) { return s->replaces; }

bool wfi_sink_failed(const wfi_sink *s) { return s->status != WEFT_OK; }

/* Place for `bytes` (few) in the buffer. */
static char *place(wfi_sink *s, size_t bytes) {
    if (s->used + bytes > BUFFER) flush(s);
    return s->buffer + s->used;
}

void wfi_sink_bytes(wfi_sink *s, const void *data, size_t bytes) {
    const char *from = data;
    while (bytes) {
        size_t here = bytes < BUFFER - s->used ? bytes : BUFFER - s->used;
        memcpy(s->buffer + s->used, from, here);
        s->used += here;
        from += here;
        bytes -= here;
        if (s->used == BUFFER) flush(s);
    }
}

void wfi_sink_text(wfi_sink *s, const char *text) { wfi_sink_bytes(s, text, strlen(text)); }

void wfi_sink_print(wfi_sink *s, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length > 0) wfi_sink_bytes(s, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void wfi_sink_u64(wfi_sink *s, uint64_t x) { s->used += wfi_print_u64(place(s, 20), x); }
void wfi_sink_i64(wfi_sink *s, int64_t x) { s->used += wfi_print_i64(place(s, 21), x); }

void wfi_sink_char(wfi_sink *s, char c) {
    *place(s, 1) = c;
    s->used += 1;
}

void wfi_sink_weight(wfi_sink *s, weft_weight_type type, const void *weights, uint64_t at) {
    char text[32] = "";
    unsigned length = 0;
    switch (type) {
    case WEFT_WEIGHT_NONE: return;
    case WEFT_WEIGHT_U32: wfi_sink_u64(s, ((const uint32_t *)weights)[at]); return;
    case WEFT_WEIGHT_F32: length = wfi_print_f32(text, ((const float *)weights)[at]); break;
    case WEFT_WEIGHT_F64: length = wfi_print_f64(text, ((const double *)weights)[at]); break;
    }
    wfi_sink_bytes(s, text, length);
    /* 3 would read back as a whole number */
    if (!memchr(text, '.', length) && !memchr(text, 'e', length)) wfi_sink_text(s, ".0");
}
