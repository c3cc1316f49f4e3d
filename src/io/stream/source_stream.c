/* Streaming decompression: the content of a file, pipe or memory, gzip and zstd decompressed, which are recognised by
 * magic number, not by name.  A pipe is waited for in steps, so that a request to stop is noticed in any waiting
 * thread. */
#include "io/stream/packing.h"
#include "io/stream/source_private.h"

#include <errno.h>
#include <omp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RAW_ROOM = 256 << 10, WAIT_MS = 50 };

/* --- stored bytes ---------------------------------------------------------- */

/* Waits for input or its end, in short steps, since a signal may interrupt another thread instead of this one. */
static weft_status wait_for_bytes(weft_ctx *ctx, const wfi_source *s) {
    struct pollfd in = {s->fd, POLLIN, 0};
    for (;;) {
        int ready = poll(&in, 1, WAIT_MS);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (ready > 0 || (ready < 0 && errno != EINTR)) return WEFT_OK; /* read() reports errors */
        if (omp_get_thread_num() == 0) wfi_progress(ctx, "reading", s->raw_total, s->size);
    }
}

/* Reads up to `room` stored bytes in order; *got = 0 at the end. */
static weft_status raw_read(weft_ctx *ctx, wfi_source *s, void *to, size_t room, size_t *got) {
    *got = 0;
    if (s->fd < 0) {
        size_t left = (size_t)(s->size - s->raw_total);
        *got = left < room ? left : room;
        if (*got) memcpy(to, s->memory + s->raw_total, *got);
    } else {
        weft_status st = s->waits ? wait_for_bytes(ctx, s) : WEFT_OK;
        if (st) return st;
        ssize_t n;
        do n = read(s->fd, to, room);
        while (n < 0 && errno == EINTR && !wfi_cancelled(ctx));
        if (n < 0 && errno == EINTR) return wfi_fail_cancelled(ctx);
        if (n < 0) return wfi_fail(ctx, wfi_status_of_error(errno), "%s: cannot read: %s", s->name, strerror(errno));
        *got = (size_t)n;
    }
    s->raw_total += *got;
    return WEFT_OK;
}

static weft_status raw_refill(weft_ctx *ctx, wfi_source *s) {
    if (!s->raw && wfi_alloc(ctx, &s->raw, RAW_ROOM)) return WEFT_ENOMEM;
    if (s->raw_at < s->raw_used || s->raw_end) return WEFT_OK;
    s->raw_at = 0;
    weft_status st = raw_read(ctx, s, s->raw, RAW_ROOM, &s->raw_used);
    s->raw_end = !st && s->raw_used == 0;
    return st;
}

/* --- unpacking --------------------------------------------------------------- */

static weft_status broken(weft_ctx *ctx, const wfi_source *s, const char *what) {
    return wfi_fail_at(ctx, s->name, s->lines + 1, s->decoded - s->line_start + 1, "%s (after %llu decompressed bytes)",
                       what, (wfi_ull)s->unpacked);
}

/* After a gzip member zeros (from tapes) or another member may follow; anything else is damage. */
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
        if (r == Z_MEM_ERROR) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory while decompressing %s", s->name);
        if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
            return broken(ctx, s, z->msg ? z->msg : "the gzip data is damaged");
        if (r == Z_STREAM_END) {
            s->frame_open = false;
            if (z->avail_out != asked) break; /* return the available bytes before looking for another member */
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

weft_status wfi_unpack_read(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got) {
    *got = 0;
    weft_status st;
    if (s->packing == WFI_GZIP) {
        /* A member may end exactly at the end of the last call: look for the next before reading on. */
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
    if (!st) s->unpacked += *got;
    return st;
}

weft_status wfi_unpack_open(weft_ctx *ctx, wfi_source *s) {
    static const unsigned char gzip[] = {0x1f, 0x8b}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    weft_status st = raw_refill(ctx, s);
    while (!st && !s->raw_end && s->raw_used < sizeof zstd) { /* the first read of a pipe may be shorter */
        size_t more;
        st = raw_read(ctx, s, s->raw + s->raw_used, RAW_ROOM - s->raw_used, &more);
        s->raw_used += more;
        if (!more) break;
    }
    if (st) return st;
    if (s->raw_used >= 2 && !memcmp(s->raw, gzip, 2)) {
        z_stream *z = wfi_take_zeroed(ctx, 1, sizeof *z);
        if (!z) return WEFT_ENOMEM;
        wfi_zlib_memory(ctx, z);
        if (inflateInit2(z, 15 + 16) != Z_OK) {
            wfi_free(z);
            return wfi_fail(ctx, WEFT_ENOMEM, "out of memory for decompressing %s", s->name);
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

void wfi_unpack_again(wfi_source *s) {
    s->raw_used = s->raw_at = 0;
    s->raw_end = false;
    s->raw_total = s->unpacked = 0;
    if (s->packing == WFI_GZIP) inflateReset(s->unpacker);
    if (s->packing == WFI_ZSTD) ZSTD_initDStream(s->unpacker);
    s->frame_open = s->packing != WFI_PLAIN;
}

void wfi_unpack_close(wfi_source *s) {
    if (s->packing == WFI_GZIP) {
        inflateEnd(s->unpacker);
        wfi_free(s->unpacker);
    }
    if (s->packing == WFI_ZSTD) ZSTD_freeDStream(s->unpacker);
    wfi_free(s->raw);
}
