/* LZ77 without entropy coding, decoding.
 *   snappy  blocks without the framing of .sz files: a length, then literals and copies from what was written [1]
 *   LZ4     the block format (Parquet's LZ4_RAW) and frames of blocks (Arrow), whose checksums are passed over [2]
 * Needs: nothing of the input; every length is held against what is left of both sides before a byte moves.
 * [1] "Snappy compressed format description", github.com/google/snappy, format_description.txt.
 * [2] "LZ4 Block Format Description", "LZ4 Frame Format Description", github.com/lz4/lz4, doc/. */
#include "io/columnar/unpack.h"

#include <string.h>

/* --- literals and copies, quick for the few bytes that most of them move ------------------------ */

/* `length` bytes.  From `from` on `there` bytes may be read, from `to` on `room` bytes may be written: more than asked
 * for are copied if that is quicker, and written again later. */
static inline void copy_literal(uint8_t *to, size_t room, const uint8_t *from, size_t there, size_t length) {
    if (length <= 16 && there >= 16 && room >= 16)
        memcpy(to, from, 16);
    else if (length)
        memcpy(to, from, length);
}

/* `length` bytes from `distance` before `to`, which may reach into what is being written; `room` bytes may be written.
 * distance > 0 and length <= room were checked. */
static inline void copy_back(uint8_t *to, size_t room, size_t distance, size_t length) {
    const uint8_t *from = to - distance;
    if (distance >= 8 && length + 8 <= room) {
        size_t i = 0;
        do memcpy(to + i, from + i, 8);
        while ((i += 8) < length);
    } else if (distance == 1) {
        memset(to, *from, length);
    } else {
        for (size_t i = 0; i < length; i++) to[i] = from[i];
    }
}

/* --- snappy --------------------------------------------------------------------------------- */

static size_t little_endian(const uint8_t *p, size_t bytes) {
    size_t x = 0;
    for (size_t i = 0; i < bytes; i++) x |= (size_t)p[i] << 8 * i;
    return x;
}

/* The length at the start; NULL when it is none of at most 32 bits. */
static const uint8_t *read_length(const uint8_t *p, const uint8_t *end, uint64_t *length) {
    *length = 0;
    for (unsigned shift = 0; p < end && shift < 35; shift += 7) {
        *length |= (uint64_t)(*p & 0x7f) << shift;
        if (!(*p++ & 0x80)) return p;
    }
    return NULL;
}

const char *wfi_snappy(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes) {
    const uint8_t *end = in + in_bytes;
    uint64_t claimed;
    const uint8_t *p = read_length(in, end, &claimed);
    if (!p) return "the snappy data does not begin with a length";
    if (claimed != out_bytes) return "the snappy data gives a different length than the file";
    size_t done = 0;
    while (p < end) {
        uint8_t tag = *p++;
        size_t extra, length, distance; /* bytes after the tag */
        if ((tag & 3) == 0) {
            extra = tag >> 2 < 60 ? 0 : (size_t)(tag >> 2) - 59;
            if ((size_t)(end - p) < extra) return "the snappy data ends within a literal";
            length = (extra ? little_endian(p, extra) : (size_t)(tag >> 2)) + 1;
            p += extra;
            if (length > (size_t)(end - p)) return "the snappy data ends within a literal";
            if (length > out_bytes - done) return "the snappy data decompresses to more than its stated length";
            copy_literal(out + done, out_bytes - done, p, (size_t)(end - p), length);
            p += length;
        } else {
            extra = (tag & 3) == 1 ? 1 : (tag & 3) == 2 ? 2 : 4;
            if ((size_t)(end - p) < extra) return "the snappy data ends within a copy";
            length = extra == 1 ? (size_t)(tag >> 2 & 7) + 4 : (size_t)(tag >> 2) + 1;
            distance = little_endian(p, extra) | (extra == 1 ? (size_t)(tag >> 5) << 8 : 0);
            p += extra;
            if (!distance || distance > done) return "the snappy data copies from before its start";
            if (length > out_bytes - done) return "the snappy data decompresses to more than its stated length";
            copy_back(out + done, out_bytes - done, distance, length);
        }
        done += length;
    }
    return done == out_bytes ? NULL : "the snappy data ends too early";
}

/* --- LZ4 ------------------------------------------------------------------------------------ */

static uint32_t u32_at(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A length of 15 goes on in bytes as long as they are 255.  NULL when the data ends. */
static const uint8_t *longer(const uint8_t *p, const uint8_t *end, size_t *length) {
    if (*length != 15) return p;
    for (;;) {
        if (p == end) return NULL;
        *length += *p;
        if (*p++ != 255) return p;
    }
}

/* One block into out + *done; copies may reach back to `out` itself. */
static const char *decode(const uint8_t *p, const uint8_t *end, uint8_t *out, size_t *done, size_t out_bytes) {
    while (p < end) {
        uint8_t token = *p++;
        size_t length = token >> 4;
        p = longer(p, end, &length);
        if (!p || length > (size_t)(end - p)) return "the LZ4 data ends within a literal";
        if (length > out_bytes - *done) return "the LZ4 data decompresses to more than its stated length";
        copy_literal(out + *done, out_bytes - *done, p, (size_t)(end - p), length);
        *done += length;
        p += length;
        if (p == end) return NULL; /* the last sequence is a literal only */
        if (end - p < 2) return "the LZ4 data ends within a copy";
        size_t distance = (size_t)p[0] | (size_t)p[1] << 8;
        length = token & 15;
        p = longer(p + 2, end, &length);
        if (!p) return "the LZ4 data ends within a copy";
        length += 4;
        if (!distance || distance > *done) return "the LZ4 data copies from before its start";
        if (length > out_bytes - *done) return "the LZ4 data decompresses to more than its stated length";
        copy_back(out + *done, out_bytes - *done, distance, length);
        *done += length;
    }
    return NULL;
}

const char *wfi_lz4_block(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes) {
    size_t done = 0;
    const char *fault = decode(in, in + in_bytes, out, &done, out_bytes);
    return fault ? fault : done == out_bytes ? NULL : "the LZ4 data ends too early";
}

enum { BLOCK_CHECKSUM = 0x10, CONTENT_SIZE = 0x08, CONTENT_CHECKSUM = 0x04, DICTIONARY = 0x01 };

/* One frame; *at moves behind it. */
static const char *decode_frame(const uint8_t **at, const uint8_t *end, uint8_t *out, size_t *done, size_t out_bytes) {
    static const char cut[] = "the LZ4 frame ends too early";
    const uint8_t *p = *at;
    if (end - p < 7) return cut;
    if (u32_at(p) != 0x184d2204u) return "the LZ4 data does not begin with a frame";
    uint8_t flags = p[4];
    if (flags >> 6 != 1) return "the LZ4 frame has a version other than 1";
    if (flags & DICTIONARY) return "the LZ4 frame needs a dictionary";
    size_t header = flags & CONTENT_SIZE ? 15 : 7, start = *done;
    if ((size_t)(end - p) < header) return cut;
    p += header;
    for (;;) {
        if (end - p < 4) return cut;
        uint32_t size = u32_at(p);
        p += 4;
        if (!size) break;
        bool packed = !(size >> 31);
        size &= 0x7fffffffu;
        if (size > (size_t)(end - p)) return cut;
        if (packed) {
            size_t within = *done - start;
            const char *fault = decode(p, p + size, out + start, &within, out_bytes - start);
            if (fault) return fault;
            *done = start + within;
        } else {
            if (size > out_bytes - *done) return "the LZ4 data decompresses to more than its stated length";
            memcpy(out + *done, p, size);
            *done += size;
        }
        p += size;
        if (flags & BLOCK_CHECKSUM) {
            if (end - p < 4) return cut;
            p += 4;
        }
    }
    if (flags & CONTENT_CHECKSUM) {
        if (end - p < 4) return cut;
        p += 4;
    }
    *at = p;
    return NULL;
}

const char *wfi_lz4_frame(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes) {
    const uint8_t *end = in + in_bytes;
    size_t done = 0;
    while (in < end) {
        const char *fault = decode_frame(&in, end, out, &done, out_bytes);
        if (fault) return fault;
    }
    return done == out_bytes ? NULL : "the LZ4 data ends too early";
}
