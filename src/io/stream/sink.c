/* Buffered writes to a file that appears under its name only when it is complete (stream/place.h), compressed if its
 * name asks for it (stream/pack.h). */
#include "io/stream/sink.h"
#include "io/stream/packing.h"
#include "stream/descriptors.h"
#include "stream/numbers.h"
#include "stream/place.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 18 };

struct wfi_sink {
    weft_ctx *ctx;
    char *path;    /* for messages */
    bool in_place; /* a pipe, a device, an open descriptor, standard output */
    wfi_packer packer;
    char *buffer;
    size_t used;
    weft_status status; /* the first failure */
    /* Its `fd` is written to, also in place.  Last, since it is large and the members above are used all the time. */
    wfi_place file;
};

/* --- down to the file -------------------------------------------------------- */

static void fail(wfi_sink *s, const char *what) {
    if (!s->status) s->status = wfi_fail(s->ctx, WEFT_EIO, "%s: cannot write: %s", s->path, what);
}

static void write_out(wfi_sink *s, const char *data, size_t bytes) {
    while (bytes && !s->status) {
        ssize_t n = write(s->file.fd, data, bytes);
        if (n < 0 && errno != EINTR) {
            fail(s, strerror(errno));
            return;
        }
        data += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
        /* After a signal in the middle of a write a part is written; the rest could block for ever. */
        if (bytes && wfi_cancelled(s->ctx)) s->status = wfi_fail_cancelled(s->ctx);
    }
}

static bool write_packed(void *sink, const char *data, size_t bytes) {
    wfi_sink *s = sink;
    write_out(s, data, bytes);
    return !s->status;
}

static void drain(wfi_sink *s, const char *data, size_t bytes, bool last) {
    if (s->status) return;
    if (wfi_cancelled(s->ctx)) {
        s->status = wfi_fail_cancelled(s->ctx);
        return;
    }
    if (s->packer.packing == WFI_PLAIN)
        write_out(s, data, bytes);
    else if (!wfi_packer_write(&s->packer, data, bytes, last) && s->packer.why)
        fail(s, s->packer.why);
    else if (s->packer.no_memory)
        s->status = WEFT_ENOMEM; /* the context's message is set */
}

static void flush(wfi_sink *s) {
    drain(s, s->buffer, s->used, false);
    s->used = 0;
}

/* --- opening and closing ------------------------------------------------------- */

static weft_status open_in_place(wfi_sink *s, const char *path) {
    for (;;) { /* opening a named pipe waits for its reader */
        s->file.fd = wfi_open_in_place(path);
        if (s->file.fd >= 0) return WEFT_OK;
        int why = errno;
        if (why != EINTR)
            return wfi_fail(s->ctx, wfi_status_of_error(why), "%s: cannot write: %s", s->path, strerror(why));
        if (wfi_cancelled(s->ctx)) return wfi_fail_cancelled(s->ctx);
    }
}

static weft_status open_target(wfi_sink *s, const char *path) {
    if (!strcmp(path, "-") || wfi_is_in_place(path)) return open_in_place(s, path);
    int why = wfi_place_open(&s->file, path, NULL);
    if (why)
        return wfi_fail(s->ctx, wfi_status_of_error(why), "%s: cannot create a file there: %s", s->path, strerror(why));
    s->in_place = false;
    return WEFT_OK;
}

static weft_status start_packing(wfi_sink *s, int level) {
    wfi_packing packing = wfi_packing_named(s->path);
    int most = packing == WFI_GZIP ? 9 : ZSTD_maxCLevel();
    if (packing == WFI_PLAIN) return WEFT_OK;
    if (level < 0 || level > most)
        return wfi_fail(s->ctx, WEFT_EINVAL, "compression level %d: %s has 1 to %d (0: its default)", level,
                        packing == WFI_GZIP ? "gzip" : "zstd", most);
    s->packer = (wfi_packer){
        .packing = packing, .memory = wfi_zstd_memory(s->ctx), .capacity = BUFFER, .put = write_packed, .to = s};
    wfi_zlib_memory(s->ctx, &s->packer.gzip);
    if (!wfi_alloc(s->ctx, &s->packer.piece, BUFFER) && wfi_packer_open(&s->packer, level)) return WEFT_OK;
    return wfi_fail(s->ctx, WEFT_ENOMEM, "out of memory for compressing %s", s->path);
}

/* A sink with its buffers, without a file; NULL: out of memory. */
static wfi_sink *new_sink(weft_ctx *ctx, const char *name) {
    wfi_sink *s = wfi_take_zeroed(ctx, 1, sizeof *s);
    if (!s) return NULL;
    s->ctx = ctx;
    s->in_place = true;
    s->file.fd = -1;
    s->path = wfi_copy_text(ctx, name);
    if (s->path && !wfi_alloc(ctx, &s->buffer, BUFFER)) return s;
    wfi_sink_abandon(s);
    return NULL;
}

weft_status wfi_sink_open(weft_ctx *ctx, const char *path, int level, wfi_sink **out) {
    bool standard = !strcmp(path, "-");
    wfi_sink *s = *out = new_sink(ctx, standard ? "(standard output)" : path);
    if (!s) return WEFT_ENOMEM;
    weft_status st = standard ? WEFT_OK : start_packing(s, level);
    if (!st) st = open_target(s, path);
    if (!st) return WEFT_OK;
    wfi_sink_abandon(s);
    *out = NULL;
    return st;
}

weft_status wfi_sink_onto(weft_ctx *ctx, const char *name, int fd, wfi_sink **out) {
    wfi_sink *s = *out = new_sink(ctx, name);
    if (!s) return WEFT_ENOMEM;
    s->file.fd = wfi_duplicate(fd);
    if (s->file.fd >= 0) return WEFT_OK;
    weft_status st = wfi_fail(ctx, wfi_status_of_error(errno), "%s: cannot write: %s", name, strerror(errno));
    wfi_sink_abandon(s);
    *out = NULL;
    return st;
}

static int close_in_place(wfi_sink *s) {
    int why = close(s->file.fd) ? errno : 0;
    s->file.fd = -1;
    return why;
}

weft_status wfi_sink_finish(weft_ctx *ctx, wfi_sink *s) {
    (void)ctx;
    drain(s, s->buffer, s->used, true);
    int why = s->status ? 0 : s->in_place ? close_in_place(s) : wfi_place_end(&s->file);
    if (why) fail(s, strerror(why));
    weft_status st = s->status;
    wfi_sink_abandon(s);
    return st;
}

void wfi_sink_abandon(wfi_sink *s) {
    if (!s) return;
    wfi_packer_close(&s->packer);
    wfi_place_drop(&s->file);
    WFI_FREE(s->path, s->buffer, s->packer.piece, s);
}

/* --- for writers ------------------------------------------------------------------ */

bool wfi_sink_way(const wfi_sink *s, char *path, size_t room) {
    if (s->packer.packing != WFI_PLAIN || s->in_place) return false;
    int length = s->file.nameless ? snprintf(path, room, "/proc/%ld/fd/%d", (long)getpid(), s->file.fd)
                                  : snprintf(path, room, "%s", s->file.temporary);
    return length >= 0 && (size_t)length < room;
}

bool wfi_sink_nameless(const wfi_sink *s) { return s->file.nameless; }

weft_status wfi_sink_name(wfi_sink *s) {
    int why = wfi_place_name(&s->file);
    if (why) fail(s, strerror(why));
    return s->status;
}

bool wfi_sink_replaces(const wfi_sink *s) { return s->file.replaces; }

bool wfi_sink_failed(const wfi_sink *s) { return s->status != WEFT_OK; }

/* Reserves `bytes` (few) in the buffer. */
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

void wfi_sink_put(void *sink, const char *data, size_t bytes) { wfi_sink_bytes(sink, data, bytes); }
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
    /* 3 would be read back as an integer */
    if (!memchr(text, '.', length) && !memchr(text, 'e', length)) wfi_sink_text(s, ".0");
}
