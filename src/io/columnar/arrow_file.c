/* Files and streams of Arrow.  A file has a footer that lists its batches; a stream is one message after the other
 * until its end.  All batches are found, and the dictionaries that are needed are read, before the first row is.
 * A dictionary may be replaced in the middle of a stream: each batch remembers the one it is read with.
 * [1] "Arrow columnar format", serialization and interprocess communication (IPC). */
#include "io/columnar/arrow.h"

#include <string.h>

enum { SCHEMA = 1, DICTIONARY_BATCH = 2, RECORD_BATCH = 3 };
enum { VERSION = 0, HEADER_KIND = 1, HEADER = 2, BODY_BYTES = 3 }; /* fields of Message */
enum { MAGIC = 6, TAIL = 10 /* length of the footer, "ARROW1" */ };

static uint32_t u32_at(const uint8_t *p) {
    uint32_t x;
    memcpy(&x, p, 4);
    return x;
}

static weft_status damaged(wfi_fault *fault, uint64_t at, const char *what) {
    return wfi_fault_at(fault, WEFT_EINPUT, 1, at + 1, "%s", what);
}

static wfi_flatbuffer metadata_of(const wfi_arrow_file *f, const wfi_arrow_message *m) {
    return (wfi_flatbuffer){f->data + m->metadata, (size_t)m->metadata_bytes, false};
}

/* The message at `at`: where its metadata and body lie, and of which kind it is.  *kind = 0 at the end of a stream. */
static weft_status read_message(const wfi_arrow_file *f, uint64_t at, wfi_arrow_message *m, unsigned *kind,
                                wfi_fault *fault) {
    uint64_t there = f->bytes - at, prefix = 4, start = at;
    *kind = 0;
    if (!there) return WEFT_OK;
    if (there < 4) return damaged(fault, at, "the file ends within a message");
    uint32_t length = u32_at(f->data + at);
    if (length == UINT32_MAX) { /* since Arrow 0.15 */
        prefix = 8;
        if (there < 8) return damaged(fault, at, "the file ends within a message");
        length = u32_at(f->data + at + 4);
    }
    if (!length) return WEFT_OK;
    at += prefix;
    if (length > f->bytes - at || length < 8)
        return damaged(fault, start, "the message that begins here is longer than the file");
    *m = (wfi_arrow_message){.metadata = at, .metadata_bytes = length, .body = at + length};
    wfi_flatbuffer b = metadata_of(f, m);
    wfi_fb_table message = wfi_fb_root(&b);
    int64_t body = wfi_fb_int(message, BODY_BYTES, 8, 0);
    *kind = wfi_fb_byte(message, HEADER_KIND);
    if (b.bad) return damaged(fault, start, "the message that begins here is damaged");
    if (body < 0 || (uint64_t)body > f->bytes - m->body)
        return damaged(fault, start, "the message that begins here is longer than the file");
    m->body_bytes = (uint64_t)body;
    return WEFT_OK;
}

/* A message with a schema, whose length stands at `at`. */
static bool is_schema(const uint8_t *data, size_t bytes, size_t at) {
    if (bytes < at + 16) return false;
    uint32_t length = u32_at(data + at);
    at += 4;
    if (length < 16 || length > INT32_MAX || length % 4) return false;
    if (length > bytes - at) length = (uint32_t)(bytes - at); /* only its beginning is here */
    wfi_flatbuffer b = {data + at, length, false};
    unsigned kind = wfi_fb_byte(wfi_fb_root(&b), HEADER_KIND);
    return !b.bad && kind == SCHEMA;
}

bool wfi_arrow_is_stream(const uint8_t *data, size_t bytes) {
    return bytes >= 8 && u32_at(data) == UINT32_MAX && is_schema(data, bytes, 4);
}

/* --- the schema ---------------------------------------------------------------------------- */

static weft_status open_stream(wfi_arrow_file *f, wfi_fault *fault) {
    wfi_arrow_message m;
    unsigned kind;
    f->is_stream = true;
    weft_status st = read_message(f, 0, &m, &kind, fault);
    if (st) return st;
    if (kind != SCHEMA) return damaged(fault, 0, "an Arrow stream begins with a schema, this one does not");
    f->first_message = m.body + m.body_bytes;
    wfi_flatbuffer b = metadata_of(f, &m);
    wfi_fb_table message = wfi_fb_root(&b);
    return wfi_arrow_schema(f, wfi_fb_child(message, HEADER), wfi_fb_int(message, VERSION, 2, 0), m.metadata, fault);
}

static weft_status open_file(wfi_arrow_file *f, wfi_fault *fault) {
    const uint8_t *end = f->data + f->bytes;
    if (f->bytes < 8 + TAIL || memcmp(end - MAGIC, "ARROW1", MAGIC))
        return damaged(fault, f->bytes,
                       "the file does not end with ARROW1: it was cut short, or was not written completely");
    uint64_t bytes = u32_at(end - TAIL);
    if (bytes > f->bytes - 8 - TAIL || bytes < 8)
        return damaged(fault, f->bytes - TAIL, "the footer claims a size that the file has no room for");
    f->footer = (wfi_arrow_message){.metadata = f->bytes - TAIL - bytes, .metadata_bytes = bytes};
    wfi_flatbuffer b = metadata_of(f, &f->footer);
    wfi_fb_table footer = wfi_fb_root(&b);
    return wfi_arrow_schema(f, wfi_fb_child(footer, 1), wfi_fb_int(footer, VERSION, 2, 0), f->footer.metadata, fault);
}

weft_status wfi_arrow_open(wfi_arrow_file *f, wfi_fault *fault) {
    if (f->bytes >= 4 && !memcmp(f->data, "FEA1", 4))
        return wfi_fault_at(fault, WEFT_EUNSUPPORTED, 1, 1,
                            "this is Feather of version 1, which Weft does not read: write it as version 2 "
                            "(pandas: df.to_feather(FILE), with pyarrow 1.0 or later)");
    if (f->bytes >= MAGIC && !memcmp(f->data, "ARROW1", MAGIC)) return open_file(f, fault);
    if (f->bytes >= 8 && u32_at(f->data) == UINT32_MAX) return open_stream(f, fault);
    if (is_schema(f->data, (size_t)f->bytes, 0))
        return open_stream(f, fault); /* before Arrow 0.15; told by the name only */
    return damaged(fault, 0,
                   "an Arrow file begins with ARROW1, a stream with the bytes ff ff ff ff; this one with neither");
}

/* --- dictionaries ----------------------------------------------------------------------------- */

static const wfi_arrow_column *column_with(const wfi_arrow_file *f, const wfi_picked *slots, int64_t id,
                                           size_t *number) {
    for (size_t i = 0; i < slots->count; i++) {
        if (slots->of[i] < 0) continue;
        const wfi_arrow_column *c = &f->stored[slots->of[i]];
        *number = (size_t)slots->of[i];
        if (c->has_dictionary && c->dictionary == id) return c;
    }
    return NULL;
}

/* The newest of this id among the first `count`; NULL: none. */
static wfi_arrow_dictionary *find_among(const wfi_arrow_file *f, int64_t id, size_t count) {
    for (size_t i = count; i > 0; i--)
        if (f->dictionaries[i - 1].id == id) return &f->dictionaries[i - 1];
    return NULL;
}

static wfi_arrow_dictionary *find_dictionary(const wfi_arrow_file *f, int64_t id) {
    return find_among(f, id, f->dictionary_count);
}

size_t wfi_arrow_dictionary_of(const wfi_arrow_file *f, const wfi_arrow_batch *batch, size_t column) {
    return (size_t)(find_among(f, f->stored[column].dictionary, batch->dictionaries) - f->dictionaries);
}

static weft_status new_dictionary(wfi_arrow_file *f, int64_t id, wfi_arrow_dictionary **d) {
    if (WFI_ROOM(f->ctx, f->dictionaries, f->dictionary_count, f->dictionary_room, 4)) return WEFT_ENOMEM;
    *d = &f->dictionaries[f->dictionary_count++];
    **d = (wfi_arrow_dictionary){.id = id};
    return WEFT_OK;
}

/* Room for the values of one more part. */
static weft_status grow(weft_ctx *ctx, wfi_arrow_dictionary *d, bool texts, uint64_t rows) {
    size_t count = d->count + (size_t)rows + 1;
    if (count <= d->room) return WEFT_OK;
    if (count < 2 * d->room) count = 2 * d->room; /* many small parts do not copy all each time */
    if (texts) {
        wfi_arrow_bytes *more = wfi_resize(ctx, d->texts, count, sizeof *more);
        if (!more) return WEFT_ENOMEM;
        d->texts = more;
    } else {
        wfi_cell *cells = wfi_resize(ctx, d->cells, count, sizeof *cells);
        if (cells) d->cells = cells;
        bool *null = cells ? wfi_resize(ctx, d->null, count, sizeof *null) : NULL;
        if (!null) return WEFT_ENOMEM;
        d->null = null;
    }
    d->room = count;
    return WEFT_OK;
}

static weft_status add_part(wfi_arrow_file *f, wfi_arrow_dictionary *d, const wfi_arrow_message *m, size_t column,
                            wfi_fault *fault) {
    if (WFI_ROOM(f->ctx, d->parts, d->part_count, d->part_room, 1)) return WEFT_ENOMEM;
    wfi_arrow_values *v = &d->parts[d->part_count++];
    *v = (wfi_arrow_values){0};
    weft_status st = wfi_arrow_values_open(v, f, m, true, column, fault);
    bool texts = v->type.layout == WFI_ARROW_TEXTS || v->type.layout == WFI_ARROW_VIEWS;
    if (!st) st = grow(f->ctx, d, texts, v->rows);
    for (uint64_t i = 0; i < v->rows && !st; i++) {
        bool null = wfi_arrow_is_null(v, i);
        if (texts) {
            const char *text = NULL;
            size_t length = 0;
            if (!null && !wfi_arrow_text(v, i, &text, &length))
                st = damaged(fault, m->metadata, "a text of the dictionary that begins here lies outside of it");
            d->texts[d->count + i] = (wfi_arrow_bytes){(const uint8_t *)text, length};
        } else {
            d->null[d->count + i] = null;
            wfi_arrow_numbers(v, i, 1, &d->cells[d->count + i]);
        }
        if (i % WFI_POLL_EVERY == 0 && wfi_cancelled(f->ctx)) st = wfi_fail_cancelled(f->ctx);
    }
    if (!st) d->count += (size_t)v->rows;
    return st;
}

static weft_status take_dictionary(wfi_arrow_file *f, const wfi_picked *slots, const wfi_arrow_message *m,
                                   wfi_fault *fault) {
    wfi_flatbuffer b = metadata_of(f, m);
    wfi_fb_table header = wfi_fb_child(wfi_fb_root(&b), HEADER);
    int64_t id = wfi_fb_int(header, 0, 8, 0);
    bool adds = wfi_fb_byte(header, 2);
    size_t column = 0;
    if (b.bad) return damaged(fault, m->metadata, "the dictionary that begins here is damaged");
    if (!column_with(f, slots, id, &column)) return WEFT_OK;
    wfi_arrow_dictionary *d = find_dictionary(f, id);
    if (d && !adds && !f->is_stream)
        return damaged(fault, m->metadata, "a second dictionary of the same id, which a file cannot have");
    weft_status st = d && adds ? WEFT_OK : new_dictionary(f, id, &d);
    if (st) return st;
    d->type = f->stored[column].type;
    return add_part(f, d, m, column, fault);
}

/* --- batches ------------------------------------------------------------------------------------- */

static weft_status take_batch(wfi_arrow_file *f, const wfi_picked *slots, const wfi_arrow_message *m,
                              wfi_fault *fault) {
    wfi_flatbuffer b = metadata_of(f, m);
    int64_t rows = wfi_fb_int(wfi_fb_child(wfi_fb_root(&b), HEADER), 0, 8, 0);
    if (b.bad || rows < 0 || (uint64_t)rows > INT64_MAX - f->rows)
        return damaged(fault, m->metadata, "the batch that begins here is damaged");
    if (WFI_ROOM(f->ctx, f->batches, f->batch_count, f->batch_room, 64)) return WEFT_ENOMEM;
    wfi_arrow_batch *batch = &f->batches[f->batch_count++];
    *batch = (wfi_arrow_batch){*m, f->rows, (uint64_t)rows, f->dictionary_count};
    f->rows += (uint64_t)rows;
    for (size_t i = 0; i < slots->count && rows; i++) {
        if (slots->of[i] < 0 || !f->stored[slots->of[i]].has_dictionary) continue;
        const wfi_arrow_column *c = &f->stored[slots->of[i]];
        const wfi_arrow_dictionary *d = find_dictionary(f, c->dictionary);
        if (d && (d->type.layout != c->type.layout || d->type.width != c->type.width || d->type.kind != c->type.kind))
            return damaged(fault, m->metadata, "two columns of different types share one dictionary");
        if (!d) return damaged(fault, m->metadata, "the dictionary of the batch that begins here is missing");
    }
    return WEFT_OK;
}

/* A stream may end without saying so, as one does that was cut off between two batches.  After its end only zeros may
 * come. */
static weft_status end_stream(wfi_arrow_file *f, uint64_t at, wfi_fault *fault) {
    f->open_end = at == f->bytes;
    if (at < f->bytes) at += u32_at(f->data + at) == UINT32_MAX ? 8 : 4;
    for (; at < f->bytes; at++)
        if (f->data[at])
            return damaged(fault, at, "the stream ended before here: are there several streams in one file?");
    return WEFT_OK;
}

static weft_status walk_stream(wfi_arrow_file *f, const wfi_picked *slots, wfi_fault *fault) {
    for (uint64_t at = f->first_message;;) {
        wfi_arrow_message m;
        unsigned kind;
        weft_status st = read_message(f, at, &m, &kind, fault);
        if (!st && !kind) st = end_stream(f, at, fault);
        if (st || !kind) return st;
        if (kind == DICTIONARY_BATCH) st = take_dictionary(f, slots, &m, fault);
        if (kind == RECORD_BATCH) st = take_batch(f, slots, &m, fault);
        if (!st && wfi_cancelled(f->ctx)) st = wfi_fail_cancelled(f->ctx);
        if (st) return st;
        at = m.body + m.body_bytes;
    }
}

/* The blocks of one list of the footer. */
static weft_status walk_blocks(wfi_arrow_file *f, const wfi_picked *slots, unsigned field, unsigned wanted,
                               wfi_fault *fault) {
    wfi_flatbuffer b = metadata_of(f, &f->footer);
    wfi_fb_vector blocks = wfi_fb_list(wfi_fb_root(&b), field, 24);
    for (size_t i = 0; i < blocks.count; i++) {
        wfi_arrow_message m;
        unsigned kind;
        uint64_t at = wfi_fb_raw(&b, blocks.at + 24 * i, 8);
        if (at < 8 || at >= f->footer.metadata)
            return damaged(fault, f->footer.metadata, "the footer puts a batch outside of the file");
        weft_status st = read_message(f, at, &m, &kind, fault);
        if (!st && kind != wanted) st = damaged(fault, at, "the footer says that a batch begins here, but none does");
        if (!st) st = kind == RECORD_BATCH ? take_batch(f, slots, &m, fault) : take_dictionary(f, slots, &m, fault);
        if (!st && wfi_cancelled(f->ctx)) st = wfi_fail_cancelled(f->ctx);
        if (st) return st;
    }
    return b.bad ? damaged(fault, f->footer.metadata, "the footer that begins here is damaged") : WEFT_OK;
}

weft_status wfi_arrow_find_batches(wfi_arrow_file *f, const wfi_picked *slots, wfi_fault *fault) {
    if (f->is_stream) return walk_stream(f, slots, fault);
    weft_status st = walk_blocks(f, slots, 2, DICTIONARY_BATCH, fault);
    return st ? st : walk_blocks(f, slots, 3, RECORD_BATCH, fault);
}

static void free_dictionary(wfi_arrow_dictionary *d) {
    for (size_t i = 0; i < d->part_count; i++) wfi_arrow_values_close(&d->parts[i]);
    WFI_FREE(d->parts, d->texts, d->cells, d->null);
}

void wfi_arrow_forget_batches(wfi_arrow_file *f) {
    for (size_t i = 0; i < f->dictionary_count; i++) free_dictionary(&f->dictionaries[i]);
    WFI_FREE(f->dictionaries, f->batches);
    f->dictionaries = NULL;
    f->batches = NULL;
    f->dictionary_count = f->dictionary_room = f->batch_count = f->batch_room = 0;
    f->rows = 0;
}

void wfi_arrow_close(wfi_arrow_file *f) {
    wfi_arrow_forget_batches(f);
    WFI_FREE(f->columns, f->stored);
    f->columns = NULL;
    f->stored = NULL;
}
