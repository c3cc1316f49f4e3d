/* A column of a row group, page by page.  A page is unpacked into memory of its own (one page at a time, some MiB at
 * most as programs write them); its definition levels are looked through for nulls, which are a fault unless the caller
 * takes them; its values wait until they are asked for.  The checksum of a page, where there is one, is checked. */
#include "io/columnar/parquet.h"
#include "io/columnar/thrift.h"

#include <string.h>
#include <zlib.h>

enum { DATA_PAGE = 0, INDEX_PAGE = 1, DICTIONARY_PAGE = 2, DATA_PAGE_V2 = 3 };

typedef struct header {
    int64_t type, unpacked, packed, checksum, values, encoding, levels_encoding, definition, repetition;
    bool has_checksum, is_packed;
} header;

static weft_status damaged(wfi_pq_cursor *c, const uint8_t *at, const char *what) {
    char name[WFI_SAMPLE];
    wfi_show_text(name, c->file->columns[c->number].name, c->file->columns[c->number].name_length);
    return wfi_fault_at(c->fault, WEFT_EINPUT, 1, (uint64_t)(at - c->file->data) + 1,
                        "column '%s', the page that begins here: %s", name, what);
}

/* --- headers ---------------------------------------------------------------------------------- */

/* The fields of the three kinds of pages that have values.  Encodings: v1 has them as 2 and 3, v2 as 4. */
static void read_kind(wfi_thrift *t, header *h, int kind) {
    for (wfi_thrift_field f = {0}; wfi_thrift_next(t, &f);) {
        if (f.id == 1) {
            h->values = wfi_thrift_int(t, f.type);
        } else if (f.id == (kind == DATA_PAGE_V2 ? 4 : 2)) {
            h->encoding = wfi_thrift_int(t, f.type);
        } else if (f.id == 3 && kind == DATA_PAGE) {
            h->levels_encoding = wfi_thrift_int(t, f.type);
        } else if (f.id == 5 && kind == DATA_PAGE_V2) {
            h->definition = wfi_thrift_int(t, f.type);
        } else if (f.id == 6 && kind == DATA_PAGE_V2) {
            h->repetition = wfi_thrift_int(t, f.type);
        } else if (f.id == 7 && kind == DATA_PAGE_V2) {
            h->is_packed = wfi_thrift_bool(t, f.type);
        } else {
            wfi_thrift_skip(t, f.type);
        }
    }
}

static void read_header(wfi_thrift *t, header *h) {
    *h = (header){.type = -1,
                  .unpacked = -1,
                  .packed = -1,
                  .values = -1,
                  .encoding = -1,
                  .is_packed = true,
                  .levels_encoding = WFI_PQ_RLE};
    for (wfi_thrift_field f = {0}; wfi_thrift_next(t, &f);) {
        switch (f.id) {
        case 1: h->type = wfi_thrift_int(t, f.type); break;
        case 2: h->unpacked = wfi_thrift_int(t, f.type); break;
        case 3: h->packed = wfi_thrift_int(t, f.type); break;
        case 4:
            h->checksum = wfi_thrift_int(t, f.type);
            h->has_checksum = true;
            break;
        case 5:
            if (wfi_thrift_struct(t, f.type)) read_kind(t, h, DATA_PAGE);
            break;
        case 7:
            if (wfi_thrift_struct(t, f.type)) read_kind(t, h, DICTIONARY_PAGE);
            break;
        case 8:
            if (wfi_thrift_struct(t, f.type)) read_kind(t, h, DATA_PAGE_V2);
            break;
        default: wfi_thrift_skip(t, f.type);
        }
    }
    if (h->type < DATA_PAGE || h->type > DATA_PAGE_V2 || h->packed < 0 || h->packed > INT32_MAX || h->unpacked < 0 ||
        h->unpacked > INT32_MAX || (h->type != INDEX_PAGE && (h->values < 0 || h->values > INT32_MAX)))
        t->bad = true;
}

/* --- unpacking ----------------------------------------------------------------------------------- */

/* The values of a page as they are stored. */
typedef struct stored {
    const uint8_t *start; /* of the page, for messages */
    bool packed;
    const uint8_t *in;
    size_t in_bytes, bytes; /* stored, and unpacked */
} stored;

/* Unpacked into *to; or, if they are not packed, just found: *body. */
static weft_status unpack(wfi_pq_cursor *c, const stored *s, wfi_pq_room *to, const uint8_t **body) {
    if (!s->packed || c->codec == WFI_CODEC_NONE) {
        *body = s->in;
        if (s->in_bytes == s->bytes) return WEFT_OK;
        return damaged(c, s->start, "its two sizes differ though it is not compressed");
    }
    if (s->bytes > wfi_unpacked_most(c->codec, s->in_bytes))
        return damaged(c, s->start, "it claims an impossible decompressed size");
    if (s->bytes > to->room || !to->bytes) {
        wfi_free(to->bytes);
        to->room = 0;
        if (wfi_alloc(c->file->ctx, &to->bytes, s->bytes + 1)) return WEFT_ENOMEM;
        to->room = s->bytes;
    }
    *body = to->bytes;
    wfi_packed_block b = {.in = s->in, .in_bytes = s->in_bytes, .out = to->bytes, .out_bytes = s->bytes};
    weft_status st = wfi_unpack(c->file->ctx, &c->unpacker, c->codec, &b);
    return st == WEFT_EINPUT ? damaged(c, s->start, b.fault) : st;
}

/* --- levels ----------------------------------------------------------------------------------------- */

/* Levels of a column that may have nulls: 1 for a value, 0 for a null. */
static weft_status look_for_nulls(wfi_pq_cursor *c, const uint8_t *start, const uint8_t *at, const uint8_t *end,
                                  uint64_t values) {
    wfi_pq_runs runs = wfi_pq_runs_of(at, end, 1);
    uint32_t level[1024];
    for (uint64_t done = 0; done < values;) {
        size_t n = (size_t)wfi_min_u64(values - done, 1024), got;
        if (runs.equal > n && runs.value) { /* the usual page is one run */
            uint64_t run = wfi_min_u64(runs.equal, values - done);
            runs.equal -= run;
            done += run;
            continue;
        }
        if (!wfi_pq_runs_next(&runs, level, n, &got) || got < n) return damaged(c, start, "its levels end too early");
        for (size_t i = 0; i < n; i++) {
            if (level[i]) continue;
            char name[WFI_SAMPLE];
            uint64_t row = c->row + done + i + 1;
            wfi_show_text(name, c->file->columns[c->number].name, c->file->columns[c->number].name_length);
            return wfi_fault_at(c->fault, WEFT_EINPUT, row, c->number + 1,
                                "row %llu of column '%s' is null: remove such rows, or fill them in", (wfi_ull)row,
                                name);
        }
        done += n;
    }
    return WEFT_OK;
}

/* The same where a null is no fault: they are counted, and read with the values. */
static weft_status count_nulls(wfi_pq_cursor *c, const uint8_t *start, wfi_pq_runs runs, uint64_t values) {
    uint32_t level[1024];
    c->levels = runs;
    c->page_nulls = 0;
    for (uint64_t done = 0; done < values;) {
        size_t n = (size_t)wfi_min_u64(values - done, 1024), got;
        if (!wfi_pq_runs_next(&runs, level, n, &got) || got < n) return damaged(c, start, "its levels end too early");
        for (size_t i = 0; i < n; i++) c->page_nulls += !level[i];
        done += n;
    }
    return WEFT_OK;
}

static weft_status look_at_levels(wfi_pq_cursor *c, const uint8_t *start, const uint8_t *at, const uint8_t *end,
                                  uint64_t values) {
    return c->may_be_null ? count_nulls(c, start, wfi_pq_runs_of(at, end, 1), values)
                          : look_for_nulls(c, start, at, end, values);
}

/* v1: the levels, if any, stand before the values, with their length. */
static weft_status pass_levels(wfi_pq_cursor *c, const header *h, const uint8_t *start, const uint8_t **at,
                               const uint8_t *end) {
    if (!c->values.column->optional) return WEFT_OK;
    if (h->levels_encoding != WFI_PQ_RLE)
        return damaged(c, start,
                       "its levels are in the old bit-packed encoding, which Weft does not read: write the file again");
    uint32_t bytes;
    if (end - *at < 4) return damaged(c, start, "its levels end too early");
    memcpy(&bytes, *at, 4);
    *at += 4;
    if (bytes > (size_t)(end - *at)) return damaged(c, start, "its levels end too early");
    weft_status st = look_at_levels(c, start, *at, *at + bytes, (uint64_t)h->values);
    *at += bytes;
    return st;
}

/* --- pages -------------------------------------------------------------------------------------------- */

static weft_status begin_values(wfi_pq_cursor *c, const header *h, const uint8_t *start, const uint8_t *at,
                                const uint8_t *end) {
    if ((uint64_t)h->values > c->left) return damaged(c, start, "it has more values than the row group has rows");
    c->left -= (uint64_t)h->values;
    c->page_left = c->may_be_null ? (uint64_t)h->values : 0;
    uint64_t there = (uint64_t)h->values - (c->may_be_null && c->values.column->optional ? c->page_nulls : 0);
    if (c->may_be_null && !there) return WEFT_OK;
    int encoding = h->encoding < 0 || h->encoding > WFI_PQ_STREAM_SPLIT ? WFI_PQ_BIT_PACKED : (int)h->encoding;
    c->values.dictionary = &c->dictionary;
    if ((encoding == WFI_PQ_PLAIN_DICTIONARY || encoding == WFI_PQ_RLE_DICTIONARY) && !c->has_dictionary)
        return damaged(c, start, "its dictionary is missing");
    weft_status st = wfi_pq_values_open(&c->values, encoding, at, end, there);
    return st == WEFT_EINPUT ? damaged(c, start, c->values.fault) : st;
}

static weft_status open_page_v1(wfi_pq_cursor *c, const header *h, const uint8_t *start, const uint8_t *in) {
    const uint8_t *body;
    size_t bytes = (size_t)h->unpacked;
    weft_status st = unpack(c, &(stored){start, true, in, (size_t)h->packed, bytes}, &c->page, &body);
    const uint8_t *at = body;
    if (!st) st = pass_levels(c, h, start, &at, body + bytes);
    return st ? st : begin_values(c, h, start, at, body + bytes);
}

/* v2: the levels stand before the values, and are not packed with them. */
static weft_status open_page_v2(wfi_pq_cursor *c, const header *h, const uint8_t *start, const uint8_t *in) {
    int64_t levels = h->definition + h->repetition;
    if (h->definition < 0 || h->repetition < 0 || h->definition > INT32_MAX || h->repetition > INT32_MAX ||
        levels > h->packed || levels > h->unpacked)
        return damaged(c, start, "its levels end too early");
    const uint8_t *definition = in + h->repetition, *body;
    weft_status st = WEFT_OK;
    if (c->values.column->optional)
        st = look_at_levels(c, start, definition, definition + h->definition, (uint64_t)h->values);
    size_t bytes = (size_t)(h->unpacked - levels);
    if (!st)
        st = unpack(c, &(stored){start, h->is_packed, in + levels, (size_t)(h->packed - levels), bytes}, &c->page,
                    &body);
    return st ? st : begin_values(c, h, start, body, body + bytes);
}

static weft_status take_dictionary(wfi_pq_cursor *c, const header *h, const uint8_t *start, const uint8_t *in) {
    const uint8_t *body;
    size_t bytes = (size_t)h->unpacked;
    if (c->has_dictionary) return damaged(c, start, "it is a second dictionary");
    if (h->encoding != WFI_PQ_PLAIN && h->encoding != WFI_PQ_PLAIN_DICTIONARY)
        return damaged(c, start, "it is a dictionary in an encoding that dictionaries cannot have");
    weft_status st = unpack(c, &(stored){start, true, in, (size_t)h->packed, bytes}, &c->dictionary_page, &body);
    if (st) return st;
    c->values.dictionary = &c->dictionary;
    st = wfi_pq_dictionary_fill(&c->values, body, body + bytes, (uint64_t)h->values);
    c->has_dictionary = !st;
    return st == WEFT_EINPUT ? damaged(c, start, c->values.fault) : st;
}

static weft_status next_page(wfi_pq_cursor *c) {
    const uint8_t *start = c->at;
    wfi_thrift t = {c->at, c->end, false};
    header h;
    if (c->at == c->end)
        return damaged(c, start, "it is missing: the column has fewer values than the row group has rows");
    read_header(&t, &h);
    if (t.bad) return damaged(c, start, "its header is damaged");
    if (h.packed > c->end - t.at) return damaged(c, start, "it is longer than the column");
    if (h.has_checksum && (uint32_t)h.checksum != crc32(0, t.at, (unsigned)h.packed))
        return damaged(c, start, "its checksum is wrong");
    c->at = t.at + h.packed;
    c->page_start = start;
    switch (h.type) {
    case DATA_PAGE: return open_page_v1(c, &h, start, t.at);
    case DATA_PAGE_V2: return open_page_v2(c, &h, start, t.at);
    case DICTIONARY_PAGE: return take_dictionary(c, &h, start, t.at);
    default: return WEFT_OK; /* an index */
    }
}

void wfi_pq_cursor_open(wfi_pq_cursor *c, const wfi_pq_file *file, size_t column, const wfi_pq_place *place,
                        uint64_t first_row) {
    c->file = file;
    c->number = column;
    c->codec = place->codec;
    c->at = file->data + place->start;
    c->end = c->at + place->bytes;
    c->left = place->values;
    c->row = first_row;
    c->has_dictionary = false;
    c->values.ctx = file->ctx;
    c->values.column = &file->stored[column];
    c->values.left = 0;
    c->values.fault = NULL;
    c->page_left = 0;
}

weft_status wfi_pq_cursor_next(wfi_pq_cursor *c, size_t rows, wfi_cell *to) {
    for (size_t done = 0; done < rows;) {
        weft_status st;
        if (!c->values.left) {
            st = next_page(c);
        } else {
            size_t n = (size_t)wfi_min_u64(rows - done, c->values.left);
            st = wfi_pq_values_next(&c->values, c->row, n, to + done);
            if (st == WEFT_EINPUT && c->values.fault) st = damaged(c, c->page_start, c->values.fault);
            c->row += n;
            done += n;
        }
        if (st) return st;
    }
    return WEFT_OK;
}

/* Which of the next n values are null, and how many are not. */
static weft_status take_levels(wfi_pq_cursor *c, size_t n, bool *null, size_t *there) {
    uint32_t level[1024];
    *there = n;
    memset(null, 0, n * sizeof *null);
    for (size_t done = 0; done < n && c->values.column->optional;) {
        size_t some = n - done < 1024 ? n - done : 1024, got;
        if (!wfi_pq_runs_next(&c->levels, level, some, &got) || got < some)
            return damaged(c, c->page_start, "its levels end too early");
        for (size_t i = 0; i < some; i++) null[done + i] = !level[i];
        for (size_t i = 0; i < some; i++) *there -= !level[i];
        done += some;
    }
    return WEFT_OK;
}

weft_status wfi_pq_cursor_next_or_null(wfi_pq_cursor *c, size_t rows, wfi_cell *to, bool *null) {
    for (size_t done = 0; done < rows;) {
        weft_status st = c->page_left ? WEFT_OK : next_page(c);
        if (st) return st;
        size_t n = (size_t)wfi_min_u64(rows - done, c->page_left), there = 0;
        st = n ? take_levels(c, n, null + done, &there) : WEFT_OK;
        if (!st && there) st = wfi_pq_values_next(&c->values, c->row, there, to + done);
        if (st == WEFT_EINPUT && c->values.fault) st = damaged(c, c->page_start, c->values.fault);
        if (st) return st;
        for (size_t i = n; i-- > 0;) to[done + i] = null[done + i] ? (wfi_cell){0} : to[done + --there];
        c->page_left -= n;
        c->row += n;
        done += n;
    }
    return WEFT_OK;
}

weft_status wfi_pq_cursor_finish(wfi_pq_cursor *c) {
    return c->values.left || c->left || c->page_left
               ? damaged(c, c->at, "the pages before it have more values than the row group has rows")
               : WEFT_OK;
}

void wfi_pq_cursor_close(wfi_pq_cursor *c) {
    wfi_unpacker_close(&c->unpacker);
    WFI_FREE(c->page.bytes, c->dictionary_page.bytes, c->dictionary.cells, c->dictionary.entries, c->values.previous);
}
