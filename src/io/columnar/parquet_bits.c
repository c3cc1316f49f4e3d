/* Parquet's integer encodings: the hybrid of run-length encoding and bit-packing, and DELTA_BINARY_PACKED.  Decoded as
 * streams, a few thousand numbers at a time, so that a page that claims a thousand million of them in ten bytes costs
 * no memory.
 * [1] parquet-format, Encodings.md: "RLE / bit-packing hybrid" and "Delta encoding". */
#include "io/columnar/parquet.h"

#include <string.h>

/* The bytes at p, as a number; as many as there are, up to 8. */
static inline uint64_t load(const uint8_t *p, const uint8_t *end) {
    uint64_t x = 0;
    size_t there = (size_t)(end - p);
    if (there >= 8) {
        memcpy(&x, p, 8);
    } else {
        for (size_t i = 0; i < there; i++) x |= (uint64_t)p[i] << 8 * i;
    }
    return x;
}

/* `width` bits (1 to 64) from bit `bit` on; they lie before `end`. */
static inline uint64_t bits_at(const uint8_t *from, uint64_t bit, unsigned width, const uint8_t *end) {
    const uint8_t *p = from + bit / 8;
    unsigned shift = bit % 8;
    uint64_t x = load(p, end) >> shift;
    if (shift + width > 64) x |= (uint64_t)p[8] << (64 - shift);
    return width == 64 ? x : x & (((uint64_t)1 << width) - 1);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the numbers of a Parquet file are little-endian");

static bool read_varint(const uint8_t **at, const uint8_t *end, uint64_t *x) {
    *x = 0;
    for (unsigned shift = 0; shift < 70 && *at < end; shift += 7) {
        uint8_t b = *(*at)++;
        if (shift == 63 && b > 1) return false;
        *x |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80)) return true;
    }
    return false;
}

static bool read_zigzag(const uint8_t **at, const uint8_t *end, uint64_t *x) {
    uint64_t raw;
    if (!read_varint(at, end, &raw)) return false;
    *x = raw >> 1 ^ (0 - (raw & 1));
    return true;
}

/* --- runs ----------------------------------------------------------------------------------- */

wfi_pq_runs wfi_pq_runs_of(const uint8_t *at, const uint8_t *end, unsigned width) {
    return (wfi_pq_runs){.at = at, .end = end, .width = width};
}

static bool next_run(wfi_pq_runs *r) {
    uint64_t head;
    if (!read_varint(&r->at, r->end, &head)) return false;
    size_t there = (size_t)(r->end - r->at);
    if (head & 1) {
        uint64_t groups = head >> 1, bytes;
        /* Of the last group the bytes that hold no value may be missing. */
        if (__builtin_mul_overflow(groups, (uint64_t)r->width, &bytes) || bytes > there) bytes = there;
        if (groups > UINT64_MAX / 8) return false;
        r->packed = r->width ? wfi_min_u64(groups * 8, bytes * 8 / r->width) : groups * 8;
        r->bits = r->at;
        r->bit = 0;
        r->at += bytes;
        return r->packed || !groups;
    }
    size_t bytes = (r->width + 7) / 8;
    if (there < bytes) return false;
    r->equal = head >> 1;
    r->value = 0;
    for (size_t i = 0; i < bytes; i++) r->value |= (uint32_t)r->at[i] << 8 * i;
    r->at += bytes;
    return r->width == 32 || r->value >> r->width == 0;
}

static void unpack(wfi_pq_runs *r, uint32_t *to, size_t count) {
    unsigned width = r->width;
    if (!width) {
        memset(to, 0, count * sizeof *to);
        return;
    }
    uint64_t bit = r->bit;
    size_t i = 0;
    uint32_t mask = (uint32_t)(((uint64_t)1 << width) - 1);
    uint64_t there = (uint64_t)(r->end - r->bits), limit = there < 8 ? 0 : (there - 7) * 8;
    for (; i < count && bit < limit; i++, bit += width) { /* eight bytes can be loaded */
        uint64_t x;
        memcpy(&x, r->bits + bit / 8, 8);
        to[i] = (uint32_t)(x >> bit % 8) & mask;
    }
    for (; i < count; i++, bit += width) to[i] = (uint32_t)bits_at(r->bits, bit, width, r->end);
    r->bit = bit;
}

bool wfi_pq_runs_next(wfi_pq_runs *r, uint32_t *to, size_t count, size_t *got) {
    *got = 0;
    while (*got < count) {
        size_t room = count - *got;
        if (r->equal) {
            size_t n = (size_t)wfi_min_u64(r->equal, room);
            for (size_t i = 0; i < n; i++) to[*got + i] = r->value;
            r->equal -= n;
            *got += n;
        } else if (r->packed) {
            size_t n = (size_t)wfi_min_u64(r->packed, room);
            unpack(r, to + *got, n);
            r->packed -= n;
            *got += n;
        } else if (r->at == r->end) {
            return true;
        } else if (!next_run(r)) {
            return false;
        }
    }
    return true;
}

/* --- differences ------------------------------------------------------------------------------- */

bool wfi_pq_delta_open(wfi_pq_delta *d, const uint8_t *at, const uint8_t *end) {
    *d = (wfi_pq_delta){.at = at, .end = end, .first = true};
    if (!read_varint(&d->at, end, &d->block) || !read_varint(&d->at, end, &d->minis) ||
        !read_varint(&d->at, end, &d->left) || !read_zigzag(&d->at, end, &d->value))
        return false;
    if (!d->block || d->block > UINT32_MAX || d->block % 8 || !d->minis || d->minis > d->block || d->block % d->minis)
        return false;
    d->mini = d->block / d->minis;
    return d->mini % 8 == 0; /* so that a miniblock is whole bytes */
}

/* The next miniblock.  Those of the last block that have no values have a width, but no bytes. */
static bool next_mini(wfi_pq_delta *d) {
    if (!d->minis_left) {
        if (!read_zigzag(&d->at, d->end, &d->smallest) || (uint64_t)(d->end - d->at) < d->minis) return false;
        d->widths = d->at;
        d->at += d->minis;
        d->minis_left = d->minis;
    }
    d->width = d->widths[d->minis - d->minis_left--];
    uint64_t bytes = d->mini / 8 * d->width; /* block < 2^32 */
    if (d->width > 64) return false;
    uint64_t there = (uint64_t)(d->end - d->at), needed = d->left >= d->mini ? bytes : (d->left * d->width + 7) / 8;
    if (needed > there) return false; /* what pads the last miniblock may be missing */
    d->bits = d->at;
    d->bit = 0;
    d->at += wfi_min_u64(bytes, there);
    d->in_mini = d->mini;
    return true;
}

bool wfi_pq_delta_next(wfi_pq_delta *d, int64_t *to, size_t count) {
    if (count > d->left) return false;
    for (size_t i = 0; i < count; i++) {
        if (d->first) {
            d->first = false;
        } else {
            if (!d->in_mini && !next_mini(d)) return false;
            d->value += d->smallest + (d->width ? bits_at(d->bits, d->bit, d->width, d->end) : 0);
            d->bit += d->width;
            d->in_mini--;
        }
        d->left--;
        to[i] = (int64_t)d->value;
    }
    return true;
}

const uint8_t *wfi_pq_delta_end(const wfi_pq_delta *from) {
    wfi_pq_delta d = *from;
    if (d.left) d.left--; /* the first stands in the head */
    while (d.left) {
        if (!next_mini(&d)) return NULL;
        d.left -= wfi_min_u64(d.left, d.mini);
    }
    return d.at;
}
