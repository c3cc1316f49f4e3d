/* LZ4, decoding (LZ77 without entropy coding): the block format (Parquet's LZ4_RAW) and frames of blocks (Arrow).
 * Needs: nothing of the input; every length is held against what is left of both sides before a byte moves.  The
 * checksums of a frame are passed over, not checked.
 * [1] "LZ4 Block Format Description", "LZ4 Frame Format Description", github.com/lz4/lz4, doc/. */
#include "io/columnar/unpack.h"

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
        wfi_copy_literal(out + *done, out_bytes - *done, p, (size_t)(end - p), length);
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
        wfi_copy_back(out + *done, out_bytes - *done, distance, length);
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
