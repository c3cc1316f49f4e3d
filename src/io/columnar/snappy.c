/* Snappy, decoding (LZ77 without entropy coding): blocks without the framing of .sz files, that is a length, then
 * literals and copies from what was written.
 * Needs: nothing of the input; every length is held against what is left of both sides before a byte moves.
 * [1] "Snappy compressed format description", github.com/google/snappy, format_description.txt. */
#include "io/columnar/unpack.h"

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
            wfi_copy_literal(out + done, out_bytes - done, p, (size_t)(end - p), length);
            p += length;
        } else {
            extra = (tag & 3) == 1 ? 1 : (tag & 3) == 2 ? 2 : 4;
            if ((size_t)(end - p) < extra) return "the snappy data ends within a copy";
            length = extra == 1 ? (size_t)(tag >> 2 & 7) + 4 : (size_t)(tag >> 2) + 1;
            distance = little_endian(p, extra) | (extra == 1 ? (size_t)(tag >> 5) << 8 : 0);
            p += extra;
            if (!distance || distance > done) return "the snappy data copies from before its start";
            if (length > out_bytes - done) return "the snappy data decompresses to more than its stated length";
            wfi_copy_back(out + done, out_bytes - done, distance, length);
        }
        done += length;
    }
    return done == out_bytes ? NULL : "the snappy data ends too early";
}
