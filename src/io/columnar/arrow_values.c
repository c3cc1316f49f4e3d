/* The values of a column of a batch: its buffers are found, unpacked if the batch is compressed, and held against the
 * number of rows once; after that, rows are read without further checks, except for texts, each of which says where it
 * lies. */
#include "io/columnar/arrow.h"

#include <string.h>

enum { LENGTH = 0, NODES = 1, BUFFERS = 2, COMPRESSION = 3, VARIADICS = 4 }; /* fields of RecordBatch */
enum { LZ4_FRAME = 0, ZSTD = 1 };

typedef struct batch {
    const wfi_arrow_file *file;
    const wfi_arrow_message *message;
    wfi_fault *fault;
    const char *column; /* for messages */
    wfi_flatbuffer b;
    wfi_fb_vector nodes, buffers, variadics;
    bool is_packed;
    wfi_codec codec;
} batch;

static weft_status damaged(const batch *h, const char *what) {
    return wfi_fault_at(h->fault, WEFT_EINPUT, 1, h->message->metadata + 1,
                        "column '%s' in the batch that begins here: %s", h->column, what);
}

static weft_status open_batch(batch *h, bool is_dictionary, uint64_t *rows) {
    h->b = (wfi_flatbuffer){h->file->data + h->message->metadata, (size_t)h->message->metadata_bytes, false};
    wfi_fb_table header = wfi_fb_child(wfi_fb_root(&h->b), 2);
    if (is_dictionary) header = wfi_fb_child(header, 1);
    h->nodes = wfi_fb_list(header, NODES, 16);
    h->buffers = wfi_fb_list(header, BUFFERS, 16);
    h->variadics = wfi_fb_list(header, VARIADICS, 8);
    wfi_fb_table compression = wfi_fb_child(header, COMPRESSION);
    int64_t length = wfi_fb_int(header, LENGTH, 8, 0);
    unsigned codec = wfi_fb_byte(compression, 0), method = wfi_fb_byte(compression, 1);
    if (h->b.bad || !header.at || length < 0) return damaged(h, "its description is damaged");
    *rows = (uint64_t)length;
    h->is_packed = compression.at != 0;
    h->codec = codec == ZSTD ? WFI_CODEC_ZSTD : WFI_CODEC_LZ4_FRAME;
    if (h->is_packed && (codec > ZSTD || method))
        return wfi_fault_at(
            h->fault, WEFT_EUNSUPPORTED, 1, h->message->metadata + 1,
            "the batch that begins here is compressed in a way that Weft does not support: write it with lz4 or zstd");
    return WEFT_OK;
}

/* --- buffers --------------------------------------------------------------------------------- */

static weft_status need_slot(wfi_arrow_values *v, weft_ctx *ctx, size_t slot, size_t bytes) {
    if (slot >= v->slot_count) {
        size_t count = slot + 1 < 4 ? 4 : 2 * (slot + 1);
        wfi_arrow_slot *more = wfi_resize(ctx, v->slots, count, sizeof *more);
        if (!more) return WEFT_ENOMEM;
        memset(more + v->slot_count, 0, (count - v->slot_count) * sizeof *more);
        v->slots = more;
        v->slot_count = count;
    }
    wfi_arrow_slot *s = &v->slots[slot];
    if (s->memory && s->room >= bytes) return WEFT_OK;
    wfi_free(s->memory);
    s->room = 0;
    if (wfi_alloc(ctx, &s->memory, bytes + 1)) return WEFT_ENOMEM;
    s->room = bytes;
    return WEFT_OK;
}

/* Buffer `number` of the batch, unpacked. */
static weft_status take_buffer(wfi_arrow_values *v, batch *h, size_t number, size_t slot, wfi_arrow_bytes *to) {
    static const uint8_t nothing[1];
    if (number >= h->buffers.count) return damaged(h, "it has too few buffers");
    uint64_t offset = wfi_fb_raw(&h->b, h->buffers.at + 16 * number, 8),
             bytes = wfi_fb_raw(&h->b, h->buffers.at + 16 * number + 8, 8);
    if (offset > h->message->body_bytes || bytes > h->message->body_bytes - offset)
        return damaged(h, "a buffer lies outside of the batch");
    *to = (wfi_arrow_bytes){h->file->data + h->message->body + offset, (size_t)bytes};
    if (!bytes) to->at = nothing;
    if (!bytes || !h->is_packed) return WEFT_OK;
    int64_t unpacked;
    if (bytes < 8) return damaged(h, "a compressed buffer lacks its length");
    memcpy(&unpacked, to->at, 8);
    to->at += 8;
    to->bytes -= 8;
    if (unpacked == -1) return WEFT_OK; /* this one would not have become smaller */
    if (unpacked < 0 || (uint64_t)unpacked > wfi_unpacked_most(h->codec, to->bytes))
        return damaged(h, "a buffer claims an impossible decompressed size");
    weft_status st = need_slot(v, h->file->ctx, slot, (size_t)unpacked);
    if (st) return st;
    wfi_packed_block b = {to->at, to->bytes, v->slots[slot].memory, (size_t)unpacked, NULL};
    st = wfi_unpack(h->file->ctx, &v->unpacker, h->codec, &b);
    *to = (wfi_arrow_bytes){v->slots[slot].memory, (size_t)unpacked};
    return st == WEFT_EINPUT ? damaged(h, b.fault) : st;
}

/* The buffers of long texts, which follow those that every column of views has. */
static weft_status take_more(wfi_arrow_values *v, batch *h, size_t variadic, size_t number) {
    if (variadic >= h->variadics.count) return damaged(h, "the number of its buffers is missing");
    uint64_t count = wfi_fb_raw(&h->b, h->variadics.at + 8 * variadic, 8);
    if (count > h->buffers.count) return damaged(h, "it has too few buffers");
    if (count > v->more_room) {
        wfi_free(v->more);
        v->more_room = 0;
        if (wfi_alloc(h->file->ctx, &v->more, count)) return WEFT_ENOMEM;
        v->more_room = (size_t)count;
    }
    v->more_count = (size_t)count;
    for (size_t i = 0; i < count; i++) {
        weft_status st = take_buffer(v, h, number + i, 3 + i, &v->more[i]);
        if (st) return st;
    }
    return WEFT_OK;
}

/* Buffers that columns before this one have beyond those of the schema. */
static weft_status count_more_before(batch *h, size_t variadic, size_t *extra) {
    uint64_t sum = 0;
    for (size_t i = 0; i < variadic; i++) {
        uint64_t count = i < h->variadics.count ? wfi_fb_raw(&h->b, h->variadics.at + 8 * i, 8) : UINT64_MAX;
        if (count > h->buffers.count - sum) return damaged(h, "it has too few buffers");
        sum += count;
    }
    *extra = (size_t)sum;
    return WEFT_OK;
}

static weft_status check_sizes(const wfi_arrow_values *v, const batch *h, uint64_t nulls) {
    uint64_t rows = v->rows, entries = v->type.layout == WFI_ARROW_TEXTS ? rows + 1 : rows;
    if (!rows) return WEFT_OK;
    if (v->valid.bytes ? v->valid.bytes < rows / 8 + (rows % 8 > 0) : nulls > 0)
        return damaged(h, "the bitmap of its nulls is too short");
    if (v->type.layout == WFI_ARROW_BITS) entries = rows / 8 + (rows % 8 > 0);
    if (v->values.bytes / v->type.width < entries) return damaged(h, "it has fewer values than the batch has rows");
    return WEFT_OK;
}

weft_status wfi_arrow_values_open(wfi_arrow_values *v, const wfi_arrow_file *file, const wfi_arrow_message *m,
                                  bool is_dictionary, size_t number, wfi_fault *fault) {
    const wfi_arrow_column *c = &file->stored[number];
    char name[WFI_SAMPLE];
    wfi_show_text(name, file->columns[number].name, file->columns[number].name_length);
    batch h = {.file = file, .message = m, .fault = fault, .column = name};
    size_t extra = 0, node = is_dictionary ? 0 : c->node, first = is_dictionary ? 0 : c->buffer;
    v->rows = 0;
    v->type = !is_dictionary && c->has_dictionary ? c->index : c->type;
    v->text = (wfi_arrow_bytes){0};
    v->more_count = 0;
    uint64_t rows = 0;
    weft_status st = open_batch(&h, is_dictionary, &rows);
    if (!st && node >= h.nodes.count) st = damaged(&h, "it is missing");
    if (!st && !is_dictionary) st = count_more_before(&h, c->variadic, &extra);
    if (st) return st;
    uint64_t length = wfi_fb_raw(&h.b, h.nodes.at + 16 * node, 8),
             nulls = wfi_fb_raw(&h.b, h.nodes.at + 16 * node + 8, 8);
    if (length != rows) return damaged(&h, "it has a different number of values than the batch has rows");
    first += extra;
    st = take_buffer(v, &h, first, 0, &v->valid);
    if (!st) st = take_buffer(v, &h, first + 1, 1, &v->values);
    if (!st && v->type.layout == WFI_ARROW_TEXTS) st = take_buffer(v, &h, first + 2, 2, &v->text);
    if (!st && v->type.layout == WFI_ARROW_VIEWS) st = take_more(v, &h, is_dictionary ? 0 : c->variadic, first + 2);
    if (!st && h.b.bad) st = damaged(&h, "its description is damaged");
    v->rows = st ? 0 : rows;
    if (!st) st = check_sizes(v, &h, nulls);
    if (st) v->rows = 0;
    return st;
}

void wfi_arrow_values_close(wfi_arrow_values *v) {
    for (size_t i = 0; i < v->slot_count; i++) wfi_free(v->slots[i].memory);
    WFI_FREE(v->slots, v->more);
    wfi_unpacker_close(&v->unpacker);
    *v = (wfi_arrow_values){0};
}

/* --- rows --------------------------------------------------------------------------------------- */

bool wfi_arrow_is_null(const wfi_arrow_values *v, uint64_t row) {
    return v->valid.bytes && !(v->valid.at[row / 8] >> row % 8 & 1);
}

uint64_t wfi_arrow_first_null(const wfi_arrow_values *v, uint64_t from, uint64_t rows) {
    uint64_t end = from + rows;
    if (!v->valid.bytes) return end;
    for (uint64_t row = from; row < end;) {
        if (row % 8 == 0 && end - row >= 8 && v->valid.at[row / 8] == 0xff)
            row += 8;
        else if (wfi_arrow_is_null(v, row))
            return row;
        else
            row++;
    }
    return end;
}

#define TAKE(type, field)                        \
    for (size_t i = 0; i < rows; i++) {          \
        type x;                                  \
        memcpy(&x, at + i * sizeof x, sizeof x); \
        to[i] = (wfi_cell){.field = x};          \
    }                                            \
    break

void wfi_arrow_numbers(const wfi_arrow_values *v, uint64_t from, size_t rows, wfi_cell *to) {
    if (v->type.layout == WFI_ARROW_BITS) {
        for (size_t i = 0; i < rows; i++) to[i].i = v->values.at[(from + i) / 8] >> (from + i) % 8 & 1;
        return;
    }
    const uint8_t *at = v->values.at + from * v->type.width;
    if (v->type.width == 8) {
        memcpy(to, at, 8 * rows);
        return;
    }
    if (v->type.layout == WFI_ARROW_REALS) {
        for (size_t i = 0; i < rows; i++) {
            float x;
            memcpy(&x, at + 4 * i, 4);
            to[i].d = (double)x;
        }
        return;
    }
    switch (v->type.has_sign ? v->type.width : 16 + v->type.width) {
    case 1: TAKE(int8_t, i);
    case 2: TAKE(int16_t, i);
    case 4: TAKE(int32_t, i);
    case 16 + 1: TAKE(uint8_t, i);
    case 16 + 2: TAKE(uint16_t, i);
    default: TAKE(uint32_t, i);
    }
}

static bool view_text(const wfi_arrow_values *v, uint64_t row, const char **text, size_t *length) {
    enum { SHORT = 12 };
    const uint8_t *at = v->values.at + 16 * row;
    uint32_t bytes, buffer, offset;
    memcpy(&bytes, at, 4);
    *length = bytes;
    *text = (const char *)at + 4;
    if (bytes <= SHORT) return true;
    memcpy(&buffer, at + 8, 4);
    memcpy(&offset, at + 12, 4);
    if (buffer >= v->more_count || offset > v->more[buffer].bytes || bytes > v->more[buffer].bytes - offset)
        return false;
    *text = (const char *)v->more[buffer].at + offset;
    return true;
}

bool wfi_arrow_text(const wfi_arrow_values *v, uint64_t row, const char **text, size_t *length) {
    if (v->type.layout == WFI_ARROW_VIEWS) return view_text(v, row, text, length);
    uint64_t start, end;
    if (v->type.width == 4) { /* copies of fixed size stay in registers: three times as fast as one of `width` bytes */
        uint32_t offset[2];
        memcpy(offset, v->values.at + 4 * row, sizeof offset);
        start = offset[0];
        end = offset[1];
    } else {
        memcpy(&start, v->values.at + 8 * row, 8);
        memcpy(&end, v->values.at + 8 * row + 8, 8);
    }
    if (start > end || end > v->text.bytes) return false;
    *text = (const char *)v->text.at + start;
    *length = (size_t)(end - start);
    return true;
}
