/* From decompressed bytes to the text that readers get: a byte-order mark is skipped, UTF-16 becomes UTF-8.  Only
 * content that begins with a mark is changed; all other bytes pass unchanged, binary formats included (none begins with
 * a mark).  Method: a stream; a character that does not fit waits for the next call. */
#include "io/stream/source_private.h"
#include "stream/utf8.h"

#include <string.h>

enum { WIDE_ROOM = 64 << 10 };

wfi_mark wfi_mark_of(const void *text, size_t bytes) {
    if (bytes >= 4 && !memcmp(text, "\xff\xfe\0\0", 4)) return (wfi_mark){WFI_UTF32, 4};
    if (bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) return (wfi_mark){WFI_UTF8, 3};
    if (bytes >= 2 && !memcmp(text, "\xff\xfe", 2)) return (wfi_mark){WFI_UTF16LE, 2};
    if (bytes >= 2 && !memcmp(text, "\xfe\xff", 2)) return (wfi_mark){WFI_UTF16BE, 2};
    return (wfi_mark){WFI_UTF8, 0};
}

/* Looks for the mark in the first bytes of the stream. */
static weft_status begin(weft_ctx *ctx, wfi_source *s) {
    while (s->first_used < sizeof s->first) {
        size_t got;
        weft_status st =
            wfi_unpack_read(ctx, s, (char *)s->first + s->first_used, sizeof s->first - s->first_used, &got);
        if (st) return st;
        if (!got) break;
        s->first_used += got;
    }
    wfi_mark mark = wfi_mark_of(s->first, s->first_used);
    s->encoding = mark.encoding;
    s->first_at = mark.bytes;
    s->begun = true;
    return WEFT_OK;
}

/* Reads the decompressed bytes after the mark. */
static weft_status read_bytes(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got) {
    *got = s->first_used - s->first_at < room ? s->first_used - s->first_at : room;
    if (!*got) return wfi_unpack_read(ctx, s, to, room, got);
    memcpy(to, s->first + s->first_at, *got);
    s->first_at += *got;
    return WEFT_OK;
}

/* --- UTF-16 ---------------------------------------------------------------------- */

static weft_status refill(weft_ctx *ctx, wfi_source *s) {
    wfi_wide *w = &s->wide;
    if (!w->raw && wfi_alloc(ctx, &w->raw, WIDE_ROOM)) return WEFT_ENOMEM;
    memmove(w->raw, w->raw + w->at, w->used - w->at);
    w->used -= w->at;
    w->at = 0;
    while (w->used < 4 && !w->end) {
        size_t got;
        weft_status st = read_bytes(ctx, s, (char *)w->raw + w->used, WIDE_ROOM - w->used, &got);
        if (st) return st;
        w->used += got;
        w->end = got == 0;
    }
    return WEFT_OK;
}

static unsigned unit_at(const unsigned char *p, wfi_encoding encoding) {
    return encoding == WFI_UTF16LE ? p[0] | (unsigned)p[1] << 8 : p[1] | (unsigned)p[0] << 8;
}

static bool is_high(unsigned unit) { return (unit & 0xfc00) == 0xd800; }
static bool is_low(unsigned unit) { return (unit & 0xfc00) == 0xdc00; }

/* Decodes the character at p, of which `left` bytes are available; returns its length, or 0 if it is invalid or
 * incomplete. */
static size_t take_character(const unsigned char *p, size_t left, wfi_encoding encoding, uint32_t *character) {
    if (left < 2) return 0;
    unsigned unit = unit_at(p, encoding);
    *character = unit;
    if (!is_high(unit)) return is_low(unit) ? 0 : 2;
    if (left < 4 || !is_low(unit_at(p + 2, encoding))) return 0;
    *character = 0x10000 + ((unit & 0x3ff) << 10) + (unit_at(p + 2, encoding) & 0x3ff);
    return 4;
}

static weft_status broken(weft_ctx *ctx, const wfi_source *s) {
    const wfi_wide *w = &s->wide;
    return wfi_fail_at(ctx, s->name, s->lines + 1, s->decoded - s->line_start + 1, "%s",
                       w->used - w->at < 2 ? "the UTF-16 text ends with half a character (was the file cut off?)"
                                           : "half of a surrogate pair, which is not a character of UTF-16");
}

/* Converts the available characters that fit.  Stops at an invalid character, so that the error is reported at its
 * position when it is next. */
static size_t convert(wfi_source *s, char *to, size_t room) {
    wfi_wide *w = &s->wide;
    size_t used = 0;
    uint32_t c;
    while (used < room) {
        if (w->held_at < w->held_used) {
            to[used++] = w->held[w->held_at++];
            continue;
        }
        size_t bytes = take_character(w->raw + w->at, w->used - w->at, s->encoding, &c);
        if (!bytes) break;
        w->at += bytes;
        if (room - used >= sizeof w->held) {
            used = (size_t)(wfi_utf8_put(to + used, c) - to);
        } else {
            w->held_used = (size_t)(wfi_utf8_put(w->held, c) - w->held);
            w->held_at = 0;
        }
    }
    return used;
}

static weft_status read_utf16(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got) {
    wfi_wide *w = &s->wide;
    *got = w->raw ? convert(s, to, room) : 0;
    if (*got || !room) return WEFT_OK;
    weft_status st = refill(ctx, s);
    if (st) return st;
    *got = convert(s, to, room);
    return *got || w->at == w->used ? WEFT_OK : broken(ctx, s);
}

/* --- UTF-8 and UTF-16 ------------------------------------------------------------------ */

weft_status wfi_stream_read(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got) {
    *got = 0;
    weft_status st = s->begun ? WEFT_OK : begin(ctx, s);
    if (!st && s->encoding == WFI_UTF8) st = read_bytes(ctx, s, to, room, got);
    if (!st && (s->encoding == WFI_UTF16LE || s->encoding == WFI_UTF16BE)) st = read_utf16(ctx, s, to, room, got);
    if (st) return st;
    const char *last = *got ? memrchr(to, '\n', *got) : NULL;
    if (last) {
        s->lines += wfi_count_lines(to, *got);
        s->line_start = s->decoded + (uint64_t)(last - to) + 1;
    }
    s->decoded += *got;
    return WEFT_OK;
}

void wfi_stream_again(wfi_source *s) {
    wfi_unpack_again(s);
    s->begun = s->gone = false;
    s->first_used = s->first_at = 0;
    s->decoded = s->lines = s->line_start = 0;
    s->wide = (wfi_wide){.raw = s->wide.raw};
}

void wfi_stream_close(wfi_source *s) {
    wfi_unpack_close(s);
    wfi_free(s->wide.raw);
}
