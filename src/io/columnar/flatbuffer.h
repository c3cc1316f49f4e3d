/* FlatBuffers, reading: what the metadata of Arrow is written in.
 * Every offset is held against the end of the buffer; one that leads outside sets `bad`, and what it led to reads as
 * absent, so that callers look at `bad` once, at the end.
 * [1] "FlatBuffers internals", flatbuffers.dev. */
#ifndef WFI_FLATBUFFER_H
#define WFI_FLATBUFFER_H

#include "core/core.h"

#include <string.h>

typedef struct wfi_flatbuffer {
    const uint8_t *data;
    size_t bytes;
    bool bad;
} wfi_flatbuffer;

/* A table or a vector by the place of its first byte or element; 0 = absent, since the buffer begins with an offset. */
typedef struct wfi_fb_table {
    wfi_flatbuffer *buffer;
    size_t at;
} wfi_fb_table;

typedef struct wfi_fb_vector {
    wfi_flatbuffer *buffer;
    size_t at, count;
} wfi_fb_vector;

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the numbers of a FlatBuffer are little-endian");

/* `bytes` (up to 8) at `at` as a number without sign; 0 and bad when they lie outside. */
static inline uint64_t wfi_fb_raw(wfi_flatbuffer *b, size_t at, size_t bytes) {
    uint64_t x = 0;
    if (at > b->bytes || bytes > b->bytes - at) {
        b->bad = true;
        return 0;
    }
    memcpy(&x, b->data + at, bytes);
    return x;
}

/* Where the offset at `at` leads to. */
static inline size_t wfi_fb_follow(wfi_flatbuffer *b, size_t at) {
    uint64_t offset = wfi_fb_raw(b, at, 4);
    if (!offset || offset >= b->bytes - at) { /* at < bytes, or the offset is 0 */
        b->bad = true;
        return 0;
    }
    return at + (size_t)offset;
}

static inline wfi_fb_table wfi_fb_root(wfi_flatbuffer *b) { return (wfi_fb_table){b, wfi_fb_follow(b, 0)}; }

/* Where field `index` of a table lies; 0 = it is absent. */
static inline size_t wfi_fb_field(wfi_fb_table t, unsigned index) {
    if (!t.at) return 0;
    int64_t vtable = (int64_t)t.at - (int32_t)(uint32_t)wfi_fb_raw(t.buffer, t.at, 4);
    if (vtable < 0 || (uint64_t)vtable >= t.buffer->bytes) {
        t.buffer->bad = true;
        return 0;
    }
    uint64_t length = wfi_fb_raw(t.buffer, (size_t)vtable, 2), slot = 4 + 2 * (uint64_t)index;
    if (slot + 2 > length) return 0;
    uint64_t offset = wfi_fb_raw(t.buffer, (size_t)(vtable + (int64_t)slot), 2);
    return offset ? t.at + (size_t)offset : 0;
}

/* A number of `bytes` bytes, with and without sign. */
static inline int64_t wfi_fb_int(wfi_fb_table t, unsigned index, size_t bytes, int64_t absent) {
    size_t at = wfi_fb_field(t, index);
    if (!at) return absent;
    uint64_t x = wfi_fb_raw(t.buffer, at, bytes), sign = (uint64_t)1 << (8 * bytes - 1);
    return (int64_t)((x ^ sign) - sign);
}

static inline unsigned wfi_fb_byte(wfi_fb_table t, unsigned index) {
    size_t at = wfi_fb_field(t, index);
    return at ? (unsigned)wfi_fb_raw(t.buffer, at, 1) : 0;
}

static inline wfi_fb_table wfi_fb_child(wfi_fb_table t, unsigned index) {
    size_t at = wfi_fb_field(t, index);
    return (wfi_fb_table){t.buffer, at ? wfi_fb_follow(t.buffer, at) : 0};
}

/* A vector of elements of `each` bytes. */
static inline wfi_fb_vector wfi_fb_list(wfi_fb_table t, unsigned index, size_t each) {
    size_t at = wfi_fb_child(t, index).at;
    uint64_t count = at ? wfi_fb_raw(t.buffer, at, 4) : 0;
    if (!at || t.buffer->bad) return (wfi_fb_vector){t.buffer, 0, 0};
    if (count > (t.buffer->bytes - at - 4) / each) {
        t.buffer->bad = true;
        return (wfi_fb_vector){t.buffer, 0, 0};
    }
    return (wfi_fb_vector){t.buffer, at + 4, (size_t)count};
}

/* Element i of a vector of tables. */
static inline wfi_fb_table wfi_fb_item(wfi_fb_vector v, size_t i) {
    return (wfi_fb_table){v.buffer, wfi_fb_follow(v.buffer, v.at + 4 * i)};
}

static inline const char *wfi_fb_text(wfi_fb_table t, unsigned index, size_t *length) {
    wfi_fb_vector v = wfi_fb_list(t, index, 1);
    *length = v.count;
    return v.count ? (const char *)t.buffer->data + v.at : "";
}

#endif
