/* Zip archives, reading.  Method: from the end record to the central directory, which lists the members; local headers
 * only give the begin of the data.  Positions in messages are file:1:byte.
 * [1] PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", 6.3.10. */
#include "io/array/zip.h"
#include "io/stream/packing.h"

#include <string.h>

typedef unsigned long long ull;

enum {
    END_BYTES = 22,
    END64_BYTES = 56,
    LOCATOR_BYTES = 20,
    ENTRY_BYTES = 46,
    LOCAL_BYTES = 30,
    STORED = 0,
    DEFLATED = 8
};
enum { CHUNK = 1 << 24 }; /* bytes between two polls for a request to stop */

#define FAIL(z, place, ...) wfi_fail_at((z)->ctx, (z)->file, 1, (place) + 1, __VA_ARGS__)

/* Numbers are little-endian and unaligned. */
static uint16_t u16_at(const char *p) {
    const unsigned char *b = (const unsigned char *)p;
    return (uint16_t)(b[0] | b[1] << 8);
}
static uint32_t u32_at(const char *p) { return u16_at(p) | (uint32_t)u16_at(p + 2) << 16; }
static uint64_t u64_at(const char *p) { return u32_at(p) | (uint64_t)u32_at(p + 4) << 32; }

static bool fits(const wfi_zip *z, uint64_t at, uint64_t bytes) { return at <= z->bytes && bytes <= z->bytes - at; }

/* --- the directory ----------------------------------------------------------------------- */

typedef struct directory {
    uint64_t entries, bytes, at;
} directory;

/* Finds the end record, after which only a comment follows, of the length that the record states. */
static bool find_end(const wfi_zip *z, uint64_t *at) {
    if (z->bytes < END_BYTES) return false;
    for (uint64_t comment = 0; comment <= UINT16_MAX && comment <= z->bytes - END_BYTES; comment++) {
        const char *p = z->data + z->bytes - END_BYTES - comment;
        if (memcmp(p, "PK\5\6", 4) || u16_at(p + 20) != comment) continue;
        *at = (uint64_t)(p - z->data);
        return true;
    }
    return false;
}

static weft_status find_directory(const wfi_zip *z, directory *d) {
    uint64_t end;
    if (!find_end(z, &end)) return FAIL(z, z->bytes, "not a zip archive, or one whose end is missing");
    const char *p = z->data + end;
    if (u16_at(p + 4) || u16_at(p + 6)) return FAIL(z, end, "a zip archive in several parts");
    *d = (directory){u16_at(p + 10), u32_at(p + 12), u32_at(p + 16)};
    const char *locator = end >= LOCATOR_BYTES ? p - LOCATOR_BYTES : NULL;
    if (locator && !memcmp(locator, "PK\6\7", 4)) {
        uint64_t at = u64_at(locator + 8);
        if (!fits(z, at, END64_BYTES) || memcmp(z->data + at, "PK\6\6", 4))
            return FAIL(z, end, "the zip64 end record is not where it should be");
        p = z->data + at;
        *d = (directory){u64_at(p + 32), u64_at(p + 40), u64_at(p + 48)};
    }
    if (!fits(z, d->at, d->bytes) || d->entries > d->bytes / ENTRY_BYTES)
        return FAIL(z, end, "the zip directory lies outside the file");
    return WEFT_OK;
}

/* Sizes that do not fit 32 bits are in an extra field, in this order. */
static bool take_zip64(wfi_zip_member *m, const char *extra, size_t length) {
    uint64_t *wanted[] = {&m->bytes, &m->packed, &m->at};
    while (length >= 4) {
        uint16_t id = u16_at(extra), bytes = u16_at(extra + 2);
        extra += 4;
        length -= 4;
        if (bytes > length) return false;
        for (size_t i = 0, used = 0; id == 1 && i < 3; i++) {
            if (*wanted[i] != UINT32_MAX) continue;
            if (used + 8 > bytes) return false;
            *wanted[i] = u64_at(extra + used);
            used += 8;
        }
        if (id == 1) return true;
        extra += bytes;
        length -= bytes;
    }
    return true;
}

static weft_status read_entries(wfi_zip *z, const directory *d) {
    const char *p = z->data + d->at, *end = p + d->bytes;
    if (wfi_alloc(z->ctx, &z->members, d->entries)) return WEFT_ENOMEM;
    for (uint64_t i = 0; i < d->entries; i++) {
        uint64_t at = (uint64_t)(p - z->data);
        if (end - p < ENTRY_BYTES || memcmp(p, "PK\1\2", 4)) return FAIL(z, at, "the zip directory is damaged");
        size_t name = u16_at(p + 28), extra = u16_at(p + 30), comment = u16_at(p + 32);
        if ((size_t)(end - p) - ENTRY_BYTES < name + extra + comment)
            return FAIL(z, at, "the zip directory is damaged");
        wfi_zip_member m = {.name = p + ENTRY_BYTES,
                            .name_length = (uint16_t)name,
                            .flags = u16_at(p + 8),
                            .method = u16_at(p + 10),
                            .crc = u32_at(p + 16),
                            .packed = u32_at(p + 20),
                            .bytes = u32_at(p + 24),
                            .at = u32_at(p + 42)};
        if (!take_zip64(&m, m.name + name, extra)) return FAIL(z, at, "the zip directory is damaged");
        z->members[z->count++] = m;
        p += ENTRY_BYTES + name + extra + comment;
        if (i % 65536 == 0 && wfi_cancelled(z->ctx)) return wfi_fail_cancelled(z->ctx);
    }
    return WEFT_OK;
}

weft_status wfi_zip_open(weft_ctx *ctx, const char *file, const char *data, uint64_t bytes, wfi_zip *z) {
    directory d = {0};
    *z = (wfi_zip){.ctx = ctx, .file = file, .data = data, .bytes = bytes};
    weft_status st = find_directory(z, &d);
    return st ? st : read_entries(z, &d);
}

void wfi_zip_close(wfi_zip *z) {
    wfi_free(z->members);
    *z = (wfi_zip){0};
}

weft_status wfi_zip_find(const wfi_zip *z, const char *name, const wfi_zip_member **member) {
    size_t length = strlen(name);
    *member = NULL;
    for (size_t i = 0; i < z->count; i++) {
        const wfi_zip_member *m = &z->members[i];
        if (m->name_length != length || memcmp(m->name, name, length)) continue;
        if (*member) return FAIL(z, (uint64_t)(m->name - z->data), "there are two members called %s", name);
        *member = m;
    }
    return WEFT_OK;
}

/* --- members --------------------------------------------------------------------------------- */

static int shown(const wfi_zip_member *m) { return m->name_length < 60 ? m->name_length : 60; }

static weft_status check_crc(const wfi_zip *z, const wfi_zip_member *m, const char *content) {
    uLong crc = crc32(0, NULL, 0);
    for (uint64_t done = 0; done < m->bytes; done += CHUNK) {
        if (wfi_cancelled(z->ctx)) return wfi_fail_cancelled(z->ctx);
        crc = crc32(crc, (const Bytef *)content + done, (uInt)wfi_min_u64(CHUNK, m->bytes - done));
    }
    if (crc == m->crc) return WEFT_OK;
    return FAIL(z, m->at, "%.*s is damaged: its CRC-32 is %08lx, expected %08lx", shown(m), m->name, (unsigned long)crc,
                (unsigned long)m->crc);
}

static weft_status inflate_all(const wfi_zip *z, const wfi_zip_member *m, const char *packed, char *to) {
    z_stream s = {0};
    uint64_t in = 0, out = 0;
    int r = Z_OK;
    weft_status st = WEFT_OK;
    wfi_zlib_memory(z->ctx, &s);
    if (inflateInit2(&s, -15) != Z_OK)
        return wfi_fail(z->ctx, WEFT_ENOMEM, "out of memory for decompressing %s", z->file);
    while (r == Z_OK && !st) {
        s.next_in = (Bytef *)(uintptr_t)(packed + in);
        s.avail_in = (uInt)wfi_min_u64(CHUNK, m->packed - in);
        s.next_out = (Bytef *)to + out;
        s.avail_out = (uInt)wfi_min_u64(CHUNK, m->bytes - out);
        uInt had = s.avail_in, room = s.avail_out;
        r = inflate(&s, Z_NO_FLUSH);
        in += had - s.avail_in;
        out += room - s.avail_out;
        if (wfi_cancelled(z->ctx)) st = wfi_fail_cancelled(z->ctx);
        wfi_progress(z->ctx, "unpacking", out, m->bytes);
    }
    inflateEnd(&s);
    if (st) return st;
    if (r == Z_MEM_ERROR) return wfi_fail(z->ctx, WEFT_ENOMEM, "out of memory while decompressing %s", z->file);
    if (r == Z_STREAM_END && in == m->packed && out == m->bytes) return WEFT_OK;
    return FAIL(z, m->at, "%.*s is damaged: its deflated data does not decompress to %llu bytes", shown(m), m->name,
                (ull)m->bytes);
}

/* The begin of the data, if it lies in the file and its size is plausible: deflate compresses at most 1032 to 1. */
static weft_status find_data(const wfi_zip *z, const wfi_zip_member *m, const char **data) {
    bool there = fits(z, m->at, LOCAL_BYTES) && !memcmp(z->data + m->at, "PK\3\4", 4);
    if (!there)
        return FAIL(z, wfi_min_u64(m->at, z->bytes), "%.*s is not where the zip directory says", shown(m), m->name);
    const char *local = z->data + m->at;
    uint64_t at = m->at + LOCAL_BYTES + u16_at(local + 26) + u16_at(local + 28);
    if (!fits(z, at, m->packed)) return FAIL(z, m->at, "%.*s extends beyond the end of the file", shown(m), m->name);
    if (m->flags & 1) return FAIL(z, m->at, "%.*s is encrypted", shown(m), m->name);
    if (m->method != STORED && m->method != DEFLATED)
        return FAIL(z, m->at, "%.*s is compressed by method %u, expected stored or deflated", shown(m), m->name,
                    m->method);
    bool possible = m->method == STORED ? m->bytes == m->packed : m->bytes / 1032 <= m->packed;
    if (!possible)
        return FAIL(z, m->at, "%.*s cannot have %llu bytes: %llu are there", shown(m), m->name, (ull)m->bytes,
                    (ull)m->packed);
    *data = z->data + at;
    return WEFT_OK;
}

weft_status wfi_zip_content(const wfi_zip *z, const wfi_zip_member *m, const char **content, char **block) {
    *block = NULL;
    weft_status st = find_data(z, m, content);
    if (!st && m->method == DEFLATED) {
        const char *packed = *content;
        st = wfi_alloc(z->ctx, block, m->bytes);
        if (!st) st = inflate_all(z, m, packed, *block);
        *content = *block;
    }
    if (!st) st = check_crc(z, m, *content);
    if (!st) return WEFT_OK;
    wfi_free(*block);
    *block = NULL;
    return st;
}
