/* See zip.h.  The sink cannot seek back: a stored member is produced twice, first for its CRC-32 alone; the sizes and
 * CRC-32 of a deflated member follow it.  Times are the earliest of the format, so that the same graph gives the same
 * bytes. */
#include "io/array/zip.h"
#include "io/stream/packing.h"

#include <string.h>

enum { BUFFER = 256 << 10, FIRST_DAY = 0x21, SIZES_FOLLOW = 8, DEFLATED = 8 };

/* Sizes from here on are written in 64 bits; smaller data stays below 2^32 bytes when deflated. */
static const uint64_t large = UINT64_C(0xf0000000);

typedef struct member {
    const char *name;
    uint32_t crc;
    uint64_t packed, bytes, at;
} member;

struct wfi_zip_out {
    weft_ctx *ctx;
    wfi_sink *sink;
    uint64_t at; /* number of bytes written */
    int level;
    bool counting; /* only computes the CRC-32 */
    bool packing;  /* packer is initialised */
    z_stream packer;
    unsigned char *buffer;
    member members[WFI_ZIP_MEMBERS];
    size_t count;
};

weft_status wfi_zip_out_open(weft_ctx *ctx, wfi_sink *sink, int level, wfi_zip_out **out) {
    wfi_zip_out *z = wfi_take_zeroed(ctx, 1, sizeof *z);
    *out = z;
    if (!z) return WEFT_ENOMEM;
    z->ctx = ctx;
    z->sink = sink;
    z->level = level;
    if (!level) return WEFT_OK;
    if (wfi_alloc(ctx, &z->buffer, BUFFER)) return WEFT_ENOMEM;
    wfi_zlib_memory(ctx, &z->packer);
    if (deflateInit2(&z->packer, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return wfi_fail(ctx, WEFT_ENOMEM, "out of memory for compressing");
    z->packing = true;
    return WEFT_OK;
}

void wfi_zip_out_free(wfi_zip_out *z) {
    if (!z) return;
    if (z->packing) deflateEnd(&z->packer);
    WFI_FREE(z->buffer, z);
}

/* --- numbers ------------------------------------------------------------------------------ */

static void put(wfi_zip_out *z, const void *data, size_t bytes) {
    wfi_sink_bytes(z->sink, data, bytes);
    z->at += bytes;
}

/* A number and its width in bytes, little-endian. */
typedef struct number {
    uint64_t value;
    size_t bytes;
} number;

static void put_numbers(wfi_zip_out *z, const number *n, size_t count) {
    for (; count > 0; count--, n++) {
        unsigned char b[8];
        for (size_t i = 0; i < n->bytes; i++) b[i] = (unsigned char)(n->value >> 8 * i);
        put(z, b, n->bytes);
    }
}

#define NUMBERS(z, ...) \
    put_numbers((z), (const number[]){__VA_ARGS__}, sizeof((const number[]){__VA_ARGS__}) / sizeof(number))

static bool is_large(const member *m) { return m->bytes >= large || m->packed >= large; }

/* Version, flags, method, time, CRC-32 and sizes, in the order of local headers and directory entries. */
static void put_facts(wfi_zip_out *z, const member *m, bool sizes64) {
    NUMBERS(z, {sizes64 ? 45 : 20, 2}, {z->level ? SIZES_FOLLOW : 0, 2}, {z->level ? DEFLATED : 0, 2}, {0, 2},
            {FIRST_DAY, 2}, {m->crc, 4}, {sizes64 ? UINT32_MAX : m->packed, 4}, {sizes64 ? UINT32_MAX : m->bytes, 4},
            {strlen(m->name), 2});
}

/* --- members -------------------------------------------------------------------------------- */

static void pack(wfi_zip_out *z, const void *data, size_t bytes, int flush) {
    z->packer.next_in = (Bytef *)(uintptr_t)data;
    z->packer.avail_in = (uInt)bytes;
    do {
        z->packer.next_out = z->buffer;
        z->packer.avail_out = BUFFER;
        deflate(&z->packer, flush);
        put(z, z->buffer, BUFFER - z->packer.avail_out);
    } while (z->packer.avail_out == 0);
}

void wfi_zip_put(wfi_zip_out *z, const void *data, size_t bytes) {
    member *m = &z->members[z->count];
    const char *p = data;
    while (bytes) {
        size_t some = bytes < (1u << 30) ? bytes : 1u << 30;
        if (z->counting || z->level) m->crc = (uint32_t)crc32(m->crc, (const Bytef *)p, (uInt)some);
        if (!z->counting && z->level) pack(z, p, some, Z_NO_FLUSH);
        if (!z->counting && !z->level) put(z, p, some);
        p += some;
        bytes -= some;
    }
}

weft_status wfi_zip_add(wfi_zip_out *z, const char *name, uint64_t bytes, wfi_zip_produce produce, void *user) {
    member *m = &z->members[z->count];
    weft_status st = WEFT_OK;
    *m = (member){.name = name, .bytes = bytes, .packed = bytes, .at = z->at};
    bool sizes64 = is_large(m);
    z->counting = !z->level;
    if (z->counting) st = produce(user, z);
    z->counting = false;
    if (st) return st;
    put(z, "PK\3\4", 4);
    put_facts(z, z->level ? &(member){.name = name} : m, sizes64);
    NUMBERS(z, {sizes64 ? 20 : 0, 2});
    put(z, name, strlen(name));
    if (sizes64) {
        NUMBERS(z, {1, 2}, {16, 2}, {z->level ? 0 : m->bytes, 8}, {z->level ? 0 : m->packed, 8});
    }
    uint64_t start = z->at;
    st = produce(user, z);
    if (st) return st;
    if (z->level) {
        pack(z, NULL, 0, Z_FINISH);
        deflateReset(&z->packer);
        m->packed = z->at - start;
        put(z, "PK\7\10", 4);
        NUMBERS(z, {m->crc, 4}, {m->packed, sizes64 ? 8 : 4}, {m->bytes, sizes64 ? 8 : 4});
    }
    z->count++;
    return WEFT_OK;
}

/* --- the directory --------------------------------------------------------------------------- */

static void put_entry(wfi_zip_out *z, const member *m) {
    bool sizes64 = is_large(m), at64 = m->at >= UINT32_MAX;
    size_t extra = (sizes64 ? 16u : 0u) + (at64 ? 8u : 0u);
    put(z, "PK\1\2", 4);
    NUMBERS(z, {45, 2});
    put_facts(z, m, sizes64);
    /* no comment, disk 0, no internal and external attributes */
    NUMBERS(z, {extra ? extra + 4 : 0, 2}, {0, 8}, {0, 2}, {at64 ? UINT32_MAX : m->at, 4});
    put(z, m->name, strlen(m->name));
    if (!extra) return;
    NUMBERS(z, {1, 2}, {extra, 2});
    if (sizes64) {
        NUMBERS(z, {m->bytes, 8}, {m->packed, 8});
    }
    if (at64) NUMBERS(z, {m->at, 8});
}

void wfi_zip_out_finish(wfi_zip_out *z) {
    uint64_t start = z->at;
    for (size_t i = 0; i < z->count; i++) put_entry(z, &z->members[i]);
    uint64_t bytes = z->at - start, end = z->at;
    bool at64 = start >= UINT32_MAX;
    if (at64) {
        put(z, "PK\6\6", 4);
        NUMBERS(z, {44, 8}, {45, 2}, {45, 2}, {0, 8}, {z->count, 8}, {z->count, 8}, {bytes, 8}, {start, 8});
        put(z, "PK\6\7", 4);
        NUMBERS(z, {0, 4}, {end, 8}, {1, 4});
    }
    put(z, "PK\5\6", 4);
    NUMBERS(z, {0, 4}, {z->count, 2}, {z->count, 2}, {bytes, 4}, {at64 ? UINT32_MAX : start, 4}, {0, 2});
}
