/* See thrift.h.
 * [1] "Thrift Compact protocol encoding", github.com/apache/thrift, doc/specs/thrift-compact-protocol.md. */
#include "io/columnar/thrift.h"

enum { DEEPEST = 16 }; /* structs in lists in structs ...: the footer of Parquet has 7 */

static uint8_t byte(wfi_thrift *t) {
    if (t->bad || t->at == t->end) {
        t->bad = true;
        return 0;
    }
    return *t->at++;
}

static void pass(wfi_thrift *t, uint64_t bytes) {
    if (t->bad || bytes > (uint64_t)(t->end - t->at))
        t->bad = true;
    else
        t->at += bytes;
}

uint64_t wfi_thrift_varint(wfi_thrift *t) {
    uint64_t x = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint8_t b = byte(t);
        if (t->bad || (shift == 63 && b > 1)) break;
        x |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80)) return x;
    }
    t->bad = true;
    return 0;
}

int64_t wfi_thrift_zigzag(wfi_thrift *t) {
    uint64_t x = wfi_thrift_varint(t);
    return (int64_t)(x >> 1 ^ (0 - (x & 1)));
}

bool wfi_thrift_next(wfi_thrift *t, wfi_thrift_field *field) {
    uint8_t head = byte(t);
    if (t->bad || !head) return false;
    field->type = head & 15;
    int64_t id = head >> 4 ? field->id + (head >> 4) : wfi_thrift_zigzag(t);
    if (id < 0 || id > INT16_MAX) t->bad = true;
    field->id = t->bad ? 0 : (int)id;
    return !t->bad;
}

int64_t wfi_thrift_int(wfi_thrift *t, int type) {
    if (type == WFI_THRIFT_BYTE) {
        int64_t x = byte(t);
        return x > 127 ? x - 256 : x;
    }
    if (type == WFI_THRIFT_I16 || type == WFI_THRIFT_I32 || type == WFI_THRIFT_I64) return wfi_thrift_zigzag(t);
    t->bad = true;
    return 0;
}

bool wfi_thrift_bool(wfi_thrift *t, int type) {
    if (type != WFI_THRIFT_TRUE && type != WFI_THRIFT_FALSE) t->bad = true;
    return !t->bad && type == WFI_THRIFT_TRUE;
}

const char *wfi_thrift_text(wfi_thrift *t, int type, size_t *length) {
    if (type != WFI_THRIFT_BINARY) t->bad = true;
    uint64_t bytes = wfi_thrift_varint(t);
    const char *text = (const char *)t->at;
    pass(t, bytes);
    *length = t->bad ? 0 : (size_t)bytes;
    return t->bad ? "" : text;
}

/* The number of elements of a list or set and their type; each takes a byte at least. */
static uint64_t list_head(wfi_thrift *t, int *of) {
    uint8_t head = byte(t);
    uint64_t count = head >> 4 == 15 ? wfi_thrift_varint(t) : head >> 4;
    *of = head & 15;
    if (count > (uint64_t)(t->end - t->at)) t->bad = true;
    return t->bad ? 0 : count;
}

size_t wfi_thrift_list(wfi_thrift *t, int type, int of) {
    int found = 0;
    if (type != WFI_THRIFT_LIST) t->bad = true;
    uint64_t count = list_head(t, &found);
    if (count && found != of) t->bad = true;
    return t->bad ? 0 : (size_t)count;
}

bool wfi_thrift_struct(wfi_thrift *t, int type) {
    if (type != WFI_THRIFT_STRUCT) t->bad = true;
    return !t->bad;
}

static void skip(wfi_thrift *t, int type, bool in_list, int depth);

static void skip_list(wfi_thrift *t, int depth) {
    int of;
    for (uint64_t left = list_head(t, &of); left && !t->bad; left--) skip(t, of, true, depth + 1);
}

static void skip_map(wfi_thrift *t, int depth) {
    uint64_t count = wfi_thrift_varint(t);
    if (!count) return;
    uint8_t types = byte(t);
    if (count > (uint64_t)(t->end - t->at)) t->bad = true;
    for (; count && !t->bad; count--) {
        skip(t, types >> 4, true, depth + 1);
        skip(t, types & 15, true, depth + 1);
    }
}

static void skip(wfi_thrift *t, int type, bool in_list, int depth) {
    wfi_thrift_field field = {0};
    if (depth > DEEPEST) t->bad = true;
    if (t->bad) return;
    switch (type) {
    case WFI_THRIFT_TRUE:
    case WFI_THRIFT_FALSE: pass(t, in_list); break; /* of a field the type is the value */
    case WFI_THRIFT_BYTE: pass(t, 1); break;
    case WFI_THRIFT_I16:
    case WFI_THRIFT_I32:
    case WFI_THRIFT_I64: wfi_thrift_varint(t); break;
    case WFI_THRIFT_DOUBLE: pass(t, 8); break;
    case WFI_THRIFT_BINARY: pass(t, wfi_thrift_varint(t)); break;
    case WFI_THRIFT_LIST:
    case WFI_THRIFT_SET: skip_list(t, depth); break;
    case WFI_THRIFT_MAP: skip_map(t, depth); break;
    case WFI_THRIFT_STRUCT:
        while (wfi_thrift_next(t, &field)) skip(t, field.type, false, depth + 1);
        break;
    case WFI_THRIFT_UUID: pass(t, 16); break;
    default: t->bad = true;
    }
}

void wfi_thrift_skip(wfi_thrift *t, int type) { skip(t, type, false, 0); }
