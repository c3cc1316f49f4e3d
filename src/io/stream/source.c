/* Opening, the head, and all bytes at once: the same text for every kind of source (source_stream.c, decode.c). */
#include "io/io.h"
#include "io/stream/source_private.h"
#include "stream/descriptors.h"
#include "stream/short_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 4 << 20 }; /* bytes of one read of a large file: some milliseconds */

weft_status wfi_source_pread(weft_ctx *ctx, const wfi_source *s, uint64_t offset, char *to, size_t bytes) {
    const char *here = s->whole ? s->whole : s->memory ? s->memory + s->skipped : NULL;
    if (here) {
        if (bytes) memcpy(to, here + offset, bytes);
        return WEFT_OK;
    }
    offset += s->skipped;
    while (bytes) {
        ssize_t n = pread(s->fd, to, bytes, (off_t)offset);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return wfi_fail(ctx, wfi_status_of_error(errno), "%s: cannot read: %s", s->name, strerror(errno));
        if (n == 0) return wfi_fail(ctx, WEFT_EIO, "%s: the file became shorter while it was read", s->name);
        to += n;
        offset += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return WEFT_OK;
}

/* --- opening -------------------------------------------------------------------- */

/* Reads the head of a stream, of UTF-16 or of a compressed file, which are read as streams. */
static weft_status read_stream_head(weft_ctx *ctx, wfi_source *s) {
    s->seekable = false;
    while (s->head_bytes < WFI_HEAD_BYTES) {
        size_t got;
        weft_status st = wfi_stream_read(ctx, s, s->head + s->head_bytes, WFI_HEAD_BYTES - s->head_bytes, &got);
        if (st) return st;
        if (!got) break;
        s->head_bytes += got;
    }
    if (s->encoding == WFI_UTF32)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                        "%s: this is UTF-32, which Weft does not read: iconv -f UTF-32 -t UTF-8 FILE | weft info -",
                        s->name);
    if (s->encoding != WFI_UTF8)
        wfi_note(ctx, "%s: UTF-16, %s-endian, is read as UTF-8", s->name,
                 s->encoding == WFI_UTF16LE ? "little" : "big");
    return WEFT_OK;
}

static weft_status read_head(weft_ctx *ctx, wfi_source *s) {
    if (wfi_alloc(ctx, &s->head, WFI_HEAD_BYTES + 1)) return WEFT_ENOMEM;
    weft_status st;
    wfi_mark mark = {WFI_UTF8, 0};
    if (s->packing == WFI_PLAIN) mark = wfi_mark_of(s->raw, s->raw_used);
    if (s->packing == WFI_PLAIN && s->seekable && mark.encoding == WFI_UTF8) {
        s->skipped = mark.bytes;
        s->head_bytes = (size_t)wfi_min_u64(wfi_source_content(s), WFI_HEAD_BYTES);
        st = wfi_source_pread(ctx, s, 0, s->head, s->head_bytes);
    } else {
        st = read_stream_head(ctx, s);
    }
    s->head[s->head_bytes] = '\0';
    return st;
}

static weft_status prepare(weft_ctx *ctx, wfi_source *s, const char *name) {
    s->name = wfi_copy_text(ctx, name);
    s->plain_name = wfi_copy_text(ctx, name);
    if (!s->name || !s->plain_name) return WEFT_ENOMEM;
    s->plain_name[wfi_packed_end(name) - name] = '\0';
    weft_status st = wfi_unpack_open(ctx, s);
    return st ? st : read_head(ctx, s);
}

static weft_status open_file(weft_ctx *ctx, const char *path, wfi_source *s) {
    struct stat facts;
    if (!strcmp(path, "-")) {
        s->fd = STDIN_FILENO;
        s->waits = fstat(s->fd, &facts) || !S_ISREG(facts.st_mode);
        return WEFT_OK;
    }
    s->fd = wfi_open(path, O_RDONLY, 0);
    if (s->fd < 0) return wfi_fail(ctx, wfi_status_of_error(errno), "%s: cannot open: %s", path, strerror(errno));
    s->own_fd = true;
    if (fstat(s->fd, &facts)) return wfi_fail(ctx, wfi_status_of_error(errno), "%s: %s", path, strerror(errno));
    if (S_ISDIR(facts.st_mode)) return wfi_fail(ctx, WEFT_EIO, "%s: is a directory, not a file", path);
    s->waits = !S_ISREG(facts.st_mode);
    if (S_ISREG(facts.st_mode)) {
        s->size = (uint64_t)facts.st_size;
        s->seekable = s->size > 0; /* kernel files have content, but no size */
    }
    return WEFT_OK;
}

/* A source of the file at `path`, or of these bytes if path is NULL. */
static weft_status open_source(weft_ctx *ctx, const char *path, const void *data, size_t bytes, const char *name,
                               wfi_source **out) {
    *out = NULL;
    wfi_source *s = wfi_take_zeroed(ctx, 1, sizeof *s);
    if (!s) return WEFT_ENOMEM;
    s->fd = -1;
    s->memory = data;
    s->size = bytes;
    s->seekable = !path;
    weft_status st = path ? open_file(ctx, path, s) : WEFT_OK;
    if (!st) st = prepare(ctx, s, name);
    if (!st) *out = s;
    if (st) wfi_source_close(s);
    return st;
}

weft_status wfi_source_open(weft_ctx *ctx, const char *path, wfi_source **out) {
    return open_source(ctx, path, NULL, 0, strcmp(path, "-") ? path : "(standard input)", out);
}

weft_status wfi_source_memory(weft_ctx *ctx, const void *data, size_t bytes, const char *name, wfi_source **out) {
    return open_source(ctx, NULL, data, bytes, name ? name : "(memory)", out);
}

void wfi_source_close(wfi_source *s) {
    if (!s) return;
    wfi_stream_close(s);
    if (s->own_fd) close(s->fd);
    WFI_FREE(s->head, s->whole, s->name, s->plain_name, s);
}

/* --- properties --------------------------------------------------------------------- */

bool wfi_source_is_file(const wfi_source *s) { return s->own_fd; }
bool wfi_source_rereadable(const wfi_source *s) { return s->own_fd && !s->waits; }
const char *wfi_source_name(const wfi_source *s) { return s->name; }
const char *wfi_source_plain_name(const wfi_source *s) { return s->plain_name; }
uint64_t wfi_source_plain_bytes(const wfi_source *s) { return s->seekable ? wfi_source_content(s) : 0; }

const char *wfi_source_head(const wfi_source *s, size_t *bytes) {
    *bytes = s->head_bytes;
    return s->head;
}

/* Rewinds a stream to its first byte; false for standard input and pipes. */
static bool rewind_stream(wfi_source *s) {
    if (s->fd >= 0 && (!s->own_fd || lseek(s->fd, 0, SEEK_SET) != 0)) return false;
    wfi_stream_again(s);
    return true;
}

const char *wfi_source_uncuttable(const wfi_source *s) {
    if (!s->own_fd) return s->memory ? "memory" : "standard input";
    if (s->waits) return "a pipe";
    if (s->packing != WFI_PLAIN) return "packed";
    if (s->encoding != WFI_UTF8) return "UTF-16";
    return s->size || !s->head_bytes ? NULL : "of no known size";
}

void wfi_source_set_sliced(wfi_source *s) {
    s->seekable = true; /* an empty one, too */
    s->sliced = true;
}

bool wfi_source_sliced(const wfi_source *s) { return s->sliced; }

weft_status wfi_source_rewind(weft_ctx *ctx, wfi_source *s) {
    if (s->whole || s->seekable || !s->gone) return WEFT_OK;
    if (!rewind_stream(s))
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "%s: cannot be read a second time: save it to a file", s->name);
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

static weft_status whole_of_file(weft_ctx *ctx, wfi_source *s) {
    size_t bytes = (size_t)wfi_source_content(s), used = 0;
    char *whole;
    weft_status st = wfi_alloc(ctx, &whole, bytes + 1);
    while (!st && used < bytes) {
        size_t piece = bytes - used < PIECE ? bytes - used : PIECE;
        st = wfi_source_pread(ctx, s, used, whole + used, piece);
        used += piece;
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "reading", used, bytes);
    }
    s->whole = whole;
    s->whole_bytes = bytes;
    return st;
}

weft_status wfi_source_whole(weft_ctx *ctx, wfi_source *s, const char **text, size_t *bytes) {
    weft_status st = WEFT_OK;
    if (!s->whole) st = s->seekable ? whole_of_file(ctx, s) : whole_of_stream(ctx, s);
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
    if (s->fd < 0 || !s->seekable || s->skipped) return WEFT_OK;
    void *map = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, s->fd, 0);
    if (map == MAP_FAILED && errno == ENOMEM)
        return wfi_fail(ctx, WEFT_ENOMEM, "%s: no memory to map its %zu bytes", s->name, *bytes);
    if (map == MAP_FAILED)
        return wfi_fail(ctx, wfi_status_of_error(errno), "%s: cannot map: %s", s->name, strerror(errno));
    *mapping = map;
    return WEFT_OK;
}

weft_status wfi_content_open(weft_ctx *ctx, wfi_source *s, wfi_content *c) {
    *c = (wfi_content){0};
    weft_status st = wfi_source_map(ctx, s, &c->mapping, &c->bytes);
    c->data = c->mapping;
    return st || c->mapping ? st : wfi_source_whole(ctx, s, &c->data, &c->bytes);
}

void wfi_content_close(wfi_content *c) {
    if (c->mapping) munmap(c->mapping, c->bytes);
}

int wfi_source_duplicate(const wfi_source *s) { return s->fd < 0 ? -1 : wfi_duplicate(s->fd); }

uint64_t wfi_count_lines(const char *text, size_t bytes) {
    uint64_t lines = 0;
    for (; bytes >= 64; text += 64, bytes -= 64) { /* each byte lane counts up to 8 */
        uint64_t found = 0;
        for (size_t i = 0; i < 64; i += 8) {
            uint64_t x = wfi_load_8(text + i) ^ WFI_EACH_BYTE('\n'), low = WFI_EACH_BYTE(0x7f);
            found += ~(((x & low) + low) | x | low) >> 7;
        }
        lines += found * WFI_EACH_BYTE(1) >> 56;
    }
    for (size_t i = 0; i < bytes; i++) lines += text[i] == '\n';
    return lines;
}

weft_status wfi_fail_in_text(weft_ctx *ctx, const wfi_source *source, const char *text, const char *at,
                             const char *format, ...) {
    char message[512];
    WFI_FORMAT(message, sizeof message, format);
    size_t before = (size_t)(at - text);
    const char *newline = before ? memrchr(text, '\n', before) : NULL;
    uint64_t column = (uint64_t)(at - (newline ? newline + 1 : text)) + 1;
    return wfi_fail_at(ctx, source->name, wfi_count_lines(text, before) + 1, column, "%s", message);
}
