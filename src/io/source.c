/* Opening and unpacking: one stream of plain bytes whatever is behind it. */
#include "io/source_private.h"
#include "io/io.h"
#include "io/packing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RAW_ROOM = 256 << 10 };

/* --- stored bytes ---------------------------------------------------------- */

/* Up to `room` stored bytes in order; *got = 0 at the end. */
static weft_status raw_read(weft_ctx *ctx, wfi_source *s, void *to, size_t room, size_t *got) {
    *got = 0;
    if (s->fd < 0) {
        size_t left = (size_t)(s->size - s->raw_total);
        *got = left < room ? left : room;
        if (*got) memcpy(to, s->memory + s->raw_total, *got);
    } else {
        ssize_t n;
        do n = read(s->fd, to, room);
        while (n < 0 && errno == EINTR && !wfi_cancelled(ctx));
        if (n < 0 && errno == EINTR) return wfi_fail_cancelled(ctx);
        if (n < 0) return wfi_fail(ctx, WEFT_EIO, "%s: cannot read: %s", s->name, strerror(errno));
        *got = (size_t)n;
    }
    s->raw_total += *got;
    return WEFT_OK;
}

static weft_status raw_refill(weft_ctx *ctx, wfi_source *s) {
    if (s->raw_at < s->raw_used || s->raw_end) return WEFT_OK;
    s->raw_at = 0;
    weft_status st = raw_read(ctx, s, s->raw, RAW_ROOM, &s->raw_used);
    s->raw_end = !st && s->raw_used == 0;
    return st;
}

weft_status wfi_source_pread(weft_ctx *ctx, const wfi_source *s, uint64_t offset, char *to, size_t bytes) {
    const char *here = s->whole ? s->whole : s->memory;
    if (here) {
        if (bytes) memcpy(to, here + offset, bytes);
        return WEFT_OK;
    }
    while (bytes) {
        ssize_t n = pread(s->fd, to, bytes, (off_t)offset);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return wfi_fail(ctx, WEFT_EIO, "%s: cannot read: %s", s->name, strerror(errno));
        if (n == 0) return wfi_fail(ctx, WEFT_EIO, "%s: the file became shorter while it was read", s->name);
        to += n;
        offset += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return WEFT_OK;
}

/* --- unpacking --------------------------------------------------------------- */

static weft_status broken(weft_ctx *ctx, const wfi_source *s, const char *what) {
    return wfi_fail_at(ctx, s->name, s->lines + 1, s->unpacked - s->line_start + 1, "%s (after %llu unpacked bytes)", what,
                       (unsigned long long)s->unpacked);
}

/* Zeros may follow a gzip file (tapes); another member may too; anything else is damage. */
static weft_status gzip_next_member(weft_ctx *ctx, wfi_source *s, z_stream *z, bool *end) {
    *end = false;
    for (;;) {
        weft_status st = raw_refill(ctx, s);
        if (st) return st;
        if (s->raw_end) {
            *end = true;
            return WEFT_OK;
        }
        while (s->raw_at < s->raw_used && s->raw[s->raw_at] == 0) s->raw_at++;
        if (s->raw_at == s->raw_used) continue;
        if (s->raw[s->raw_at] != 0x1f) return broken(ctx, s, "what follows the end of the gzip data is not gzip");
        inflateReset(z);
        s->frame_open = true;
        return WEFT_OK;
    }
}

static weft_status gzip_read(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got) {
    z_stream *z = s->unpacker;
    z->next_out = (unsigned char *)to;
    z->avail_out = room > (1u << 30) ? 1u << 30 : (unsigned)room;
    size_t asked = z->avail_out;
    while (z->avail_out == asked) {
        weft_status st = raw_refill(ctx, s);
        if (st) return st;
        if (s->raw_end) {
            if (s->frame_open) return broken(ctx, s, "the gzip data ends too early");
            break;
        }
        z->next_in = s->raw + s->raw_at;
        z->avail_in = (unsigned)(s->raw_used - s->raw_at);
        int r = inflate(z, Z_NO_FLUSH);
        s->raw_at = s->raw_used - z->avail_in;
        if (r == Z_MEM_ERROR) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory while unpacking %s", s->name);
        if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
            return broken(ctx, s, z->msg ? z->msg : "the gzip data is damaged");
        if (r == Z_STREAM_END) {
            s->frame_open = false;
            if (z->avail_out != asked) break; /* hand out what is there before looking for another member */
        }
        if (!s->frame_open) {
            bool end;
            st = gzip_next_member(ctx, s, z, &end);
            if (st || end) {
                *got = 0;
                return st;
            }
        }
    }
    *got = asked - z->avail_out;
    return WEFT_OK;
}

static weft_status zstd_read(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got) {
    ZSTD_outBuffer out = {to, room, 0};
    while (out.pos == 0) {
        weft_status st = raw_refill(ctx, s);
        if (st) return st;
        if (s->raw_end) {
            if (s->frame_open) return broken(ctx, s, "the zstd data ends too early");
            break;
        }
        ZSTD_inBuffer in = {s->raw, s->raw_used, s->raw_at};
        size_t r = ZSTD_decompressStream(s->unpacker, &out, &in);
        s->raw_at = in.pos;
        if (wfi_zstd_no_memory(r)) return WEFT_ENOMEM;
        if (ZSTD_isError(r)) {
            char what[160];
            snprintf(what, sizeof what, "the zstd data is damaged: %s", ZSTD_getErrorName(r));
            return broken(ctx, s, what);
        }
        s->frame_open = r != 0;
    }
    *got = out.pos;
    return WEFT_OK;
}

weft_status wfi_stream_read(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got) {
    *got = 0;
    weft_status st;
    if (s->packing == WFI_GZIP) {
        /* A member may end exactly where the last call stopped: look for the next before reading on. */
        bool end = false;
        st = s->frame_open ? WEFT_OK : gzip_next_member(ctx, s, s->unpacker, &end);
        if (st || end) return st;
        st = gzip_read(ctx, s, to, room, got);
    } else if (s->packing == WFI_ZSTD) {
        st = zstd_read(ctx, s, to, room, got);
    } else {
        st = raw_refill(ctx, s);
        *got = s->raw_used - s->raw_at < room ? s->raw_used - s->raw_at : room;
        if (*got) memcpy(to, s->raw + s->raw_at, *got);
        s->raw_at += *got;
    }
    if (st) return st;
    const char *last = *got ? memrchr(to, '\n', *got) : NULL;
    if (last) {
        s->lines += wfi_count_lines(to, *got);
        s->line_start = s->unpacked + (uint64_t)(last - to) + 1;
    }
    s->unpacked += *got;
    return WEFT_OK;
}

/* --- opening -------------------------------------------------------------------- */

static weft_status start_unpacking(weft_ctx *ctx, wfi_source *s) {
    static const unsigned char gzip[] = {0x1f, 0x8b}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    if (s->raw_used >= 2 && !memcmp(s->raw, gzip, 2)) {
        z_stream *z = wfi_take_zeroed(ctx, 1, sizeof *z);
        if (!z) return WEFT_ENOMEM;
        wfi_zlib_memory(ctx, z);
        if (inflateInit2(z, 15 + 16) != Z_OK) {
            wfi_free(z);
            return wfi_fail(ctx, WEFT_ENOMEM, "out of memory for unpacking %s", s->name);
        }
        s->unpacker = z;
        s->packing = WFI_GZIP;
        s->frame_open = true;
    } else if (s->raw_used >= 4 && !memcmp(s->raw, zstd, 4)) {
        s->unpacker = ZSTD_createDStream_advanced(wfi_zstd_memory(ctx));
        if (!s->unpacker) return WEFT_ENOMEM;
        s->packing = WFI_ZSTD;
        s->frame_open = true;
    }
    return WEFT_OK;
}

static weft_status read_head(weft_ctx *ctx, wfi_source *s) {
    if (wfi_alloc(ctx, &s->head, WFI_HEAD_BYTES + 1)) return WEFT_ENOMEM;
    if (s->packing == WFI_PLAIN && s->seekable) {
        s->head_bytes = (size_t)wfi_min_u64(s->size, WFI_HEAD_BYTES);
        weft_status st = wfi_source_pread(ctx, s, 0, s->head, s->head_bytes);
        s->head[s->head_bytes] = '\0';
        return st;
    }
    s->seekable = false;
    while (s->head_bytes < WFI_HEAD_BYTES) {
        size_t got;
        weft_status st = wfi_stream_read(ctx, s, s->head + s->head_bytes, WFI_HEAD_BYTES - s->head_bytes, &got);
        if (st) return st;
        if (!got) break;
        s->head_bytes += got;
    }
    s->head[s->head_bytes] = '\0';
    return WEFT_OK;
}

static weft_status prepare(weft_ctx *ctx, wfi_source *s, const char *name) {
    s->name = wfi_copy_text(ctx, name);
    s->plain_name = wfi_copy_text(ctx, name);
    if (!s->name || !s->plain_name || wfi_alloc(ctx, &s->raw, RAW_ROOM)) return WEFT_ENOMEM;
    char *dot = strrchr(s->plain_name, '.');
    if (dot && (!strcmp(dot, ".gz") || !strcmp(dot, ".zst"))) *dot = '\0';
    weft_status st = raw_refill(ctx, s);
    if (!st) st = start_unpacking(ctx, s);
    if (!st) st = read_head(ctx, s);
    return st;
}

static weft_status open_file(weft_ctx *ctx, const char *path, wfi_source *s) {
    if (!strcmp(path, "-")) {
        s->fd = STDIN_FILENO;
        return WEFT_OK;
    }
    s->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0) return wfi_fail(ctx, WEFT_EIO, "%s: cannot open: %s", path, strerror(errno));
    s->own_fd = true;
    struct stat facts;
    if (fstat(s->fd, &facts)) return wfi_fail(ctx, WEFT_EIO, "%s: %s", path, strerror(errno));
    if (S_ISDIR(facts.st_mode)) return wfi_fail(ctx, WEFT_EIO, "%s: is a directory, not a file", path);
    if (S_ISREG(facts.st_mode)) {
        s->size = (uint64_t)facts.st_size;
        s->seekable = true;
    }
    return WEFT_OK;
}

weft_status wfi_source_open(weft_ctx *ctx, const char *path, wfi_source **out) {
    *out = NULL;
    wfi_source *s = wfi_take_zeroed(ctx, 1, sizeof *s);
    if (!s) return WEFT_ENOMEM;
    s->fd = -1;
    weft_status st = open_file(ctx, path, s);
    if (!st) st = prepare(ctx, s, strcmp(path, "-") ? path : "(standard input)");
    if (st) {
        wfi_source_close(s);
        return st;
    }
    *out = s;
    return WEFT_OK;
}

weft_status wfi_source_memory(weft_ctx *ctx, const void *data, size_t bytes, const char *name, wfi_source **out) {
    *out = NULL;
    wfi_source *s = wfi_take_zeroed(ctx, 1, sizeof *s);
    if (!s) return WEFT_ENOMEM;
    s->fd = -1;
    s->memory = data;
    s->size = bytes;
    s->seekable = true;
    weft_status st = prepare(ctx, s, name ? name : "(memory)");
    if (st) {
        wfi_source_close(s);
        return st;
    }
    *out = s;
    return WEFT_OK;
}

void wfi_source_close(wfi_source *s) {
    if (!s) return;
    if (s->packing == WFI_GZIP) {
        inflateEnd(s->unpacker);
        wfi_free(s->unpacker);
    }
    if (s->packing == WFI_ZSTD) ZSTD_freeDStream(s->unpacker);
    if (s->own_fd) close(s->fd);
    wfi_free(s->raw);
    wfi_free(s->head);
    wfi_free(s->whole);
    wfi_free(s->name);
    wfi_free(s->plain_name);
    wfi_free(s);
}

/* --- looking ---------------------------------------------------------------------- */

bool wfi_source_is_file(const wfi_source *s) { return s->own_fd; }
const char *wfi_source_name(const wfi_source *s) { return s->name; }
const char *wfi_source_plain_name(const wfi_source *s) { return s->plain_name; }
uint64_t wfi_source_plain_bytes(const wfi_source *s) { return s->packing == WFI_PLAIN && s->seekable ? s->size : 0; }

const char *wfi_source_head(const wfi_source *s, size_t *bytes) {
    *bytes = s->head_bytes;
    return s->head;
}

/* Back to the first byte of a stream.  Standard input and pipes cannot. */
static bool rewind_stream(wfi_source *s) {
    if (s->fd >= 0 && (!s->own_fd || lseek(s->fd, 0, SEEK_SET) != 0)) return false;
    s->raw_used = s->raw_at = 0;
    s->raw_end = s->gone = false;
    s->raw_total = s->unpacked = s->lines = s->line_start = 0;
    if (s->packing == WFI_GZIP) inflateReset(s->unpacker);
    if (s->packing == WFI_ZSTD) ZSTD_initDStream(s->unpacker);
    s->frame_open = s->packing != WFI_PLAIN;
    return true;
}

weft_status wfi_source_rewind(weft_ctx *ctx, wfi_source *s) {
    if (s->whole || s->seekable || !s->gone) return WEFT_OK;
    if (!rewind_stream(s)) return wfi_fail(ctx, WEFT_EUNSUPPORTED, "%s: cannot be read a second time: save it to a file", s->name);
    for (size_t passed = 0, got = 1; passed < s->head_bytes && got; passed += got) { /* the head is kept */
        weft_status st = wfi_stream_read(ctx, s, s->head + passed, s->head_bytes - passed, &got);
        if (st) return st;
    }
    return WEFT_OK;
}

static weft_status whole_of_stream(weft_ctx *ctx, wfi_source *s) {
    size_t room = WFI_HEAD_BYTES * 2, used = s->gone ? 0 : s->head_bytes;
    if (s->gone && !rewind_stream(s))
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "%s: cannot be read a second time", s->name);
    if (wfi_alloc(ctx, &s->whole, room + 1)) return WEFT_ENOMEM;
    memcpy(s->whole, s->head, used);
    for (;;) {
        size_t got;
        weft_status st = wfi_stream_read(ctx, s, s->whole + used, room - used, &got);
        if (st) return st;
        if (!got) break;
        used += got;
        if (used == room) {
            char *more = wfi_resize(ctx, s->whole, 2 * room + 1, 1);
            if (!more) return WEFT_ENOMEM;
            s->whole = more;
            room *= 2;
        }
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "reading", s->raw_total, s->size);
    }
    s->whole_bytes = used;
    return WEFT_OK;
}

weft_status wfi_source_whole(weft_ctx *ctx, wfi_source *s, const char **text, size_t *bytes) {
    weft_status st = WEFT_OK;
    if (!s->whole && s->seekable) {
        s->whole_bytes = (size_t)s->size;
        char *whole;
        st = wfi_alloc(ctx, &whole, s->whole_bytes + 1);
        if (!st) st = wfi_source_pread(ctx, s, 0, whole, s->whole_bytes);
        s->whole = whole;
    } else if (!s->whole) {
        st = whole_of_stream(ctx, s);
    }
    if (st) {
        wfi_free(s->whole);
        s->whole = NULL;
        return st;
    }
    s->whole[s->whole_bytes] = '\0';
    *text = s->whole;
    *bytes = s->whole_bytes;
    return WEFT_OK;
}

weft_status wfi_source_map(weft_ctx *ctx, wfi_source *s, void **mapping, size_t *bytes) {
    *mapping = NULL;
    *bytes = (size_t)s->size;
    if (s->fd < 0 || !s->seekable || s->packing != WFI_PLAIN || !s->size) return WEFT_OK;
    void *map = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, s->fd, 0);
    if (map == MAP_FAILED) return wfi_fail(ctx, WEFT_EIO, "%s: cannot map: %s", s->name, strerror(errno));
    *mapping = map;
    return WEFT_OK;
}

int wfi_source_duplicate(const wfi_source *s) { return s->fd < 0 ? -1 : fcntl(s->fd, F_DUPFD_CLOEXEC, 0); }

uint64_t wfi_count_lines(const char *text, size_t bytes) {
    uint64_t lines = 0;
    for (size_t i = 0; i < bytes; i++) lines += text[i] == '\n';
    return lines;
}

weft_status wfi_fail_in_text(weft_ctx *ctx, const wfi_source *source, const char *text, const char *at,
                             const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    size_t before = (size_t)(at - text);
    const char *newline = before ? memrchr(text, '\n', before) : NULL;
    uint64_t column = (uint64_t)(at - (newline ? newline + 1 : text)) + 1;
    return wfi_fail_at(ctx, source->name, wfi_count_lines(text, before) + 1, column, "%s", message);
}
