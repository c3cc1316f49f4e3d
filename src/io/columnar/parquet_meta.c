/* The footer of a Parquet file.  Columns are what lies directly under the root of the schema; one with children, or one
 * that repeats, is shown as a column that cannot be chosen.  The row groups are read in a second pass, when the columns
 * are chosen, so that only their places are kept.
 * [1] "Apache Parquet format", github.com/apache/parquet-format, README.md and parquet.thrift. */
#include "io/columnar/parquet.h"
#include "io/columnar/thrift.h"

#include <stdio.h>
#include <string.h>

enum { TAIL = 8 /* length of the footer, "PAR1" */ };

static weft_status fault_in_footer(const wfi_pq_file *f, wfi_fault *fault, const uint8_t *at, const char *what) {
    return wfi_fault_at(fault, WEFT_EINPUT, 1, (uint64_t)(at - f->data) + 1, "the footer %s", what);
}

/* --- the schema ------------------------------------------------------------------------------ */

enum { /* ConvertedType */
       TEXT = 0,
       ENUM = 4,
       DECIMAL = 5,
       DATE = 6,
       FIRST_TIME = 7,
       LAST_TIME = 10,
       FIRST_UINT = 11,
       LAST_UINT = 14,
       JSON = 19
};
enum { /* LogicalType */
       IS_TEXT = 1,
       IS_ENUM = 4,
       IS_DECIMAL = 5,
       IS_DATE = 6,
       IS_TIME = 7,
       IS_TIMESTAMP = 8,
       IS_INTEGER = 10,
       IS_NOTHING = 11,
       IS_JSON = 12
};

typedef struct element {
    int64_t type, length, repetition, children, converted, scale, logical, unit;
    bool is_unsigned, utc;
    const char *name;
    size_t name_length;
} element;

/* A union of empty structs. */
static int64_t read_unit(wfi_thrift *t) {
    int64_t unit = 0;
    for (wfi_thrift_field f = {0}; wfi_thrift_next(t, &f); wfi_thrift_skip(t, f.type)) unit = f.id;
    return unit;
}

/* Of an integer, whether it has a sign; of a decimal, its scale; of a time, its unit and whether it is of UTC. */
static void read_logical_facts(wfi_thrift *t, element *e) {
    for (wfi_thrift_field f = {0}; wfi_thrift_next(t, &f);) {
        if (e->logical == IS_INTEGER && f.id == 2)
            e->is_unsigned = !wfi_thrift_bool(t, f.type);
        else if (e->logical == IS_TIMESTAMP && f.id == 1)
            e->utc = wfi_thrift_bool(t, f.type);
        else if (e->logical == IS_TIMESTAMP && f.id == 2 && wfi_thrift_struct(t, f.type))
            e->unit = read_unit(t);
        else if (e->logical == IS_DECIMAL && f.id == 1)
            e->scale = wfi_thrift_int(t, f.type);
        else
            wfi_thrift_skip(t, f.type);
    }
}

static void read_logical_type(wfi_thrift *t, element *e) {
    for (wfi_thrift_field f = {0}; wfi_thrift_next(t, &f);) {
        e->logical = f.id;
        if ((f.id == IS_INTEGER || f.id == IS_DECIMAL || f.id == IS_TIMESTAMP) && wfi_thrift_struct(t, f.type))
            read_logical_facts(t, e);
        else
            wfi_thrift_skip(t, f.type);
    }
}

static void read_element(wfi_thrift *t, element *e) {
    *e = (element){.type = -1, .converted = -1, .logical = -1, .name = ""};
    for (wfi_thrift_field f = {0}; wfi_thrift_next(t, &f);) {
        switch (f.id) {
        case 1: e->type = wfi_thrift_int(t, f.type); break;
        case 2: e->length = wfi_thrift_int(t, f.type); break;
        case 3: e->repetition = wfi_thrift_int(t, f.type); break;
        case 4: e->name = wfi_thrift_text(t, f.type, &e->name_length); break;
        case 5: e->children = wfi_thrift_int(t, f.type); break;
        case 6: e->converted = wfi_thrift_int(t, f.type); break;
        case 7: e->scale = wfi_thrift_int(t, f.type); break;
        case 10:
            if (wfi_thrift_struct(t, f.type)) read_logical_type(t, e);
            break;
        default: wfi_thrift_skip(t, f.type);
        }
    }
    if (e->children < 0 || e->children > INT32_MAX || e->length < 0 || e->length > INT32_MAX ||
        e->type > WFI_PQ_FIXED || (e->type < 0 && !e->children) || e->repetition < 0 || e->repetition > 2)
        t->bad = true;
    if (e->converted >= FIRST_UINT && e->converted <= LAST_UINT) e->is_unsigned = true;
}

static wfi_type kind_of_integer(const element *e) {
    if (e->logical == IS_TIME || e->logical == IS_TIMESTAMP || e->logical == IS_DATE || e->converted == DATE ||
        (e->converted >= FIRST_TIME && e->converted <= LAST_TIME))
        return WFI_TYPE_TIME;
    if (e->logical == IS_NOTHING) return WFI_TYPE_NOTHING;
    if ((e->logical == IS_DECIMAL || e->converted == DECIMAL) && e->scale) return WFI_TYPE_OTHER;
    return e->is_unsigned ? WFI_TYPE_UINT : WFI_TYPE_INT;
}

enum { TIMESTAMP_MILLIS = 9, TIMESTAMP_MICROS = 10 }; /* ConvertedType: of UTC */

static wfi_time_unit unit_of(const element *e) {
    static const wfi_time_unit units[] = {WFI_NO_DATE, WFI_MILLIS, WFI_MICROS, WFI_NANOS}; /* of TimeUnit */
    if (e->type == WFI_PQ_INT96) return WFI_MICROS; /* what cells are made of them */
    if (e->logical == IS_DATE || (e->logical < 0 && e->converted == DATE))
        return e->type == WFI_PQ_INT32 ? WFI_DAYS : 0;
    if (e->type != WFI_PQ_INT64) return WFI_NO_DATE;
    if (e->logical == IS_TIMESTAMP) return e->unit >= 1 && e->unit <= 3 ? units[e->unit] : WFI_NO_DATE;
    if (e->logical >= 0) return WFI_NO_DATE;
    return e->converted == TIMESTAMP_MILLIS ? WFI_MILLIS : e->converted == TIMESTAMP_MICROS ? WFI_MICROS : WFI_NO_DATE;
}

static wfi_type kind_of_bytes(const element *e) {
    if (e->logical == IS_TEXT || e->logical == IS_ENUM || e->logical == IS_JSON || e->converted == TEXT ||
        e->converted == ENUM || e->converted == JSON)
        return WFI_TYPE_TEXT;
    bool plain = e->logical < 0 && e->converted < 0;
    return plain && e->type == WFI_PQ_BYTES ? WFI_TYPE_BYTES : WFI_TYPE_OTHER;
}

static void describe(const element *e, size_t leaf, wfi_typed_column *column, wfi_pq_column *stored) {
    static const char *const names[] = {"booleans",          "int32", "int64", "times (int96)", "decimals (float)",
                                        "decimals (double)", "bytes", "bytes"};
    static const uint32_t widths[] = {1, 4, 8, 12, 4, 8, 0, 0};
    const char *name = e->children ? "nested values" : e->repetition == 2 ? "lists" : names[e->type];
    wfi_type kind = WFI_TYPE_OTHER;
    *column = (wfi_typed_column){.name = e->name, .name_length = e->name_length, .type = WFI_TYPE_OTHER};
    if (!e->children && e->repetition != 2) {
        if (e->type == WFI_PQ_INT32 || e->type == WFI_PQ_INT64) kind = kind_of_integer(e);
        if (e->type == WFI_PQ_INT96) kind = WFI_TYPE_TIME;
        if (e->type == WFI_PQ_BOOLEAN) kind = WFI_TYPE_BOOL;
        if (e->type == WFI_PQ_FLOAT || e->type == WFI_PQ_DOUBLE) kind = WFI_TYPE_REAL;
        if (e->type == WFI_PQ_BYTES || e->type == WFI_PQ_FIXED) kind = kind_of_bytes(e);
        if (kind == WFI_TYPE_TIME) name = "times";
        if (kind == WFI_TYPE_TEXT) name = "text";
        if (kind == WFI_TYPE_NOTHING) name = "nothing but nulls";
        if (kind == WFI_TYPE_OTHER && (e->logical == IS_DECIMAL || e->converted == DECIMAL)) name = "decimals";
        *stored = (wfi_pq_column){.type = (wfi_pq_type)e->type,
                                  .kind = kind,
                                  .leaf = leaf,
                                  .optional = e->repetition == 1,
                                  .narrow = e->is_unsigned && e->type == WFI_PQ_INT32,
                                  .width = e->type == WFI_PQ_FIXED ? (uint32_t)e->length : widths[e->type]};
    }
    column->type = kind;
    if (kind == WFI_TYPE_TIME) column->unit = unit_of(e);
    column->single = kind == WFI_TYPE_REAL && e->type == WFI_PQ_FLOAT;
    column->utc = e->logical == IS_TIMESTAMP ? e->utc : e->type == WFI_PQ_INT64;
    snprintf(column->type_name, sizeof column->type_name, "%s%s", e->is_unsigned ? "u" : "", name);
}

/* Passes over all that lies below an element; counts what has values. */
static void pass_children(wfi_thrift *t, const element *top, size_t *elements, size_t *leaves) {
    uint64_t pending = (uint64_t)top->children;
    while (pending && !t->bad) {
        element e;
        if (!*elements) t->bad = true;
        if (t->bad) return;
        read_element(t, &e);
        --*elements;
        *leaves += !e.children;
        pending += (uint64_t)e.children;
        pending--;
    }
}

static weft_status read_schema(wfi_pq_file *f, wfi_thrift *t, int type) {
    size_t elements = wfi_thrift_list(t, type, WFI_THRIFT_STRUCT);
    element root = {0};
    if (!elements || f->columns) t->bad = true;
    if (!t->bad) read_element(t, &root);
    if (t->bad || (uint64_t)root.children > --elements) {
        t->bad = true;
        return WEFT_OK;
    }
    f->column_count = (size_t)root.children;
    if (wfi_alloc_zeroed(f->ctx, &f->columns, f->column_count + 1) ||
        wfi_alloc_zeroed(f->ctx, &f->stored, f->column_count + 1))
        return WEFT_ENOMEM;
    for (size_t i = 0; i < f->column_count && !t->bad; i++) {
        element e;
        if (!elements--) t->bad = true;
        if (t->bad) break;
        read_element(t, &e);
        if (t->bad) break;
        describe(&e, f->leaf_count, &f->columns[i], &f->stored[i]);
        f->leaf_count += !e.children;
        pass_children(t, &e, &elements, &f->leaf_count);
    }
    if (elements) t->bad = true;
    return WEFT_OK;
}

/* --- the footer ------------------------------------------------------------------------------- */

static weft_status find_footer(wfi_pq_file *f, wfi_fault *fault) {
    const uint8_t *end = f->data + f->bytes;
    if (f->bytes >= 4 && !memcmp(f->data, "PARE", 4))
        return wfi_fault_at(fault, WEFT_EUNSUPPORTED, 1, 1, "the file is encrypted: write it without encryption");
    if (f->bytes < 4 || memcmp(f->data, "PAR1", 4))
        return wfi_fault_at(fault, WEFT_EINPUT, 1, 1, "a Parquet file begins with PAR1, this one does not");
    if (f->bytes < 12 || memcmp(end - 4, "PAR1", 4))
        return wfi_fault_at(fault, WEFT_EINPUT, 1, f->bytes + 1,
                            "the file does not end with PAR1: it was cut short, or was not written completely");
    f->footer_bytes = (uint64_t)end[-8] | (uint64_t)end[-7] << 8 | (uint64_t)end[-6] << 16 | (uint64_t)end[-5] << 24;
    if (f->footer_bytes > f->bytes - 4 - TAIL)
        return wfi_fault_at(fault, WEFT_EINPUT, 1, f->bytes - TAIL + 1,
                            "the footer claims %llu bytes, but the file has %llu", (wfi_ull)f->footer_bytes,
                            (wfi_ull)f->bytes);
    f->footer = f->bytes - TAIL - f->footer_bytes;
    return WEFT_OK;
}

weft_status wfi_pq_open(wfi_pq_file *f, wfi_fault *fault) {
    weft_status st = find_footer(f, fault);
    if (st) return st;
    wfi_thrift t = {f->data + f->footer, f->data + f->footer + f->footer_bytes, false};
    bool encrypted = false;
    int64_t rows = -1;
    for (wfi_thrift_field field = {0}; !st && wfi_thrift_next(&t, &field);) {
        if (field.id == 2) {
            st = read_schema(f, &t, field.type);
        } else if (field.id == 3) {
            rows = wfi_thrift_int(&t, field.type);
        } else if (field.id == 4) {
            f->group_count = wfi_thrift_list(&t, field.type, WFI_THRIFT_STRUCT);
            f->groups_at = t.at;
            for (size_t i = 0; i < f->group_count && !t.bad; i++) wfi_thrift_skip(&t, WFI_THRIFT_STRUCT);
        } else {
            encrypted |= field.id == 8;
            wfi_thrift_skip(&t, field.type);
        }
    }
    if (st) return st;
    if (t.bad) return fault_in_footer(f, fault, t.at, "is damaged here");
    if (encrypted)
        return wfi_fault_at(fault, WEFT_EUNSUPPORTED, 1, 1, "the file is encrypted: write it without encryption");
    if (!f->columns || !f->groups_at || rows < 0)
        return fault_in_footer(f, fault, f->data + f->footer, "lacks the schema, the row groups or the number of rows");
    f->rows = (uint64_t)rows;
    return WEFT_OK;
}

void wfi_pq_close(wfi_pq_file *f) {
    WFI_FREE(f->columns, f->stored);
    f->columns = NULL;
    f->stored = NULL;
}

/* --- row groups --------------------------------------------------------------------------------- */

/* A ColumnChunk and its ColumnMetaData. */
typedef struct chunk {
    int64_t type, codec, values, bytes, data_page, dictionary_page;
    bool has_metadata, encrypted, elsewhere, other_name;
} chunk;

static void read_path(wfi_thrift *t, int type, const wfi_typed_column *column, chunk *c) {
    size_t parts = wfi_thrift_list(t, type, WFI_THRIFT_BINARY), length;
    c->other_name = parts != 1;
    for (size_t i = 0; i < parts && !t->bad; i++) {
        const char *name = wfi_thrift_text(t, WFI_THRIFT_BINARY, &length);
        if (length != column->name_length || memcmp(name, column->name, length)) c->other_name = true;
    }
}

static void read_chunk_metadata(wfi_thrift *t, const wfi_typed_column *column, chunk *c) {
    c->has_metadata = true;
    for (wfi_thrift_field f = {0}; wfi_thrift_next(t, &f);) {
        switch (f.id) {
        case 1: c->type = wfi_thrift_int(t, f.type); break;
        case 3: read_path(t, f.type, column, c); break;
        case 4: c->codec = wfi_thrift_int(t, f.type); break;
        case 5: c->values = wfi_thrift_int(t, f.type); break;
        case 7: c->bytes = wfi_thrift_int(t, f.type); break;
        case 9: c->data_page = wfi_thrift_int(t, f.type); break;
        case 11: c->dictionary_page = wfi_thrift_int(t, f.type); break;
        default: wfi_thrift_skip(t, f.type);
        }
    }
}

static void read_chunk(wfi_thrift *t, const wfi_typed_column *column, chunk *c) {
    size_t length;
    *c = (chunk){.type = -1, .codec = -1, .values = -1, .bytes = -1, .data_page = -1};
    for (wfi_thrift_field f = {0}; wfi_thrift_next(t, &f);) {
        if (f.id == 1) {
            wfi_thrift_text(t, f.type, &length);
            c->elsewhere |= length > 0;
        } else if (f.id == 3) {
            if (wfi_thrift_struct(t, f.type)) read_chunk_metadata(t, column, c);
        } else {
            c->encrypted |= f.id == 8 || f.id == 9;
            wfi_thrift_skip(t, f.type);
        }
    }
}

static weft_status take_codec(const chunk *c, uint64_t column, wfi_codec *codec, wfi_fault *fault) {
    static const char *const names[] = {[3] = "LZO", [4] = "BROTLI", [5] = "LZ4 in Hadoop's framing"};
    switch (c->codec) {
    case 0: *codec = WFI_CODEC_NONE; return WEFT_OK;
    case 1: *codec = WFI_CODEC_SNAPPY; return WEFT_OK;
    case 2: *codec = WFI_CODEC_GZIP; return WEFT_OK;
    case 6: *codec = WFI_CODEC_ZSTD; return WEFT_OK;
    case 7: *codec = WFI_CODEC_LZ4_BLOCK; return WEFT_OK;
    default:
        return wfi_fault_at(
            fault, WEFT_EUNSUPPORTED, 1, column + 1,
            "the column is compressed with %s, which Weft does not support: write the file with zstd or snappy "
            "(pandas: compression='zstd')",
            c->codec >= 3 && c->codec <= 5 ? names[c->codec] : "an unknown codec");
    }
}

/* place->values is how many there must be; the rest of it is found here.  `at`: of the row group, for messages. */
static weft_status take_chunk(const wfi_pq_file *f, const chunk *c, size_t column, wfi_pq_place *place,
                              const uint8_t *at, wfi_fault *fault) {
    uint64_t rows = place->values;
    if (c->elsewhere)
        return wfi_fault_at(fault, WEFT_EUNSUPPORTED, 1, column + 1,
                            "the column lies in another file: name that file, or the folder it is in");
    if (c->encrypted)
        return wfi_fault_at(fault, WEFT_EUNSUPPORTED, 1, column + 1,
                            "the column is encrypted: write it without encryption");
    if (!c->has_metadata || c->type != (int64_t)f->stored[column].type || c->other_name)
        return fault_in_footer(f, fault, at, "describes a different column here than in the schema");
    if (c->values < 0 || (uint64_t)c->values != rows)
        return fault_in_footer(f, fault, at, "gives the column a different number of values than there are rows");
    *place = (wfi_pq_place){0};
    if (!rows) return WEFT_OK;
    uint64_t start = (uint64_t)c->data_page, first = (uint64_t)c->dictionary_page, bytes = (uint64_t)c->bytes;
    if (c->dictionary_page > 0 && first < start) start = first;
    if (c->data_page < 0 || c->dictionary_page < 0 || c->bytes < 0 || start < 4 || start > f->footer ||
        bytes > f->footer - start)
        return fault_in_footer(f, fault, at, "puts the column outside of the file");
    *place = (wfi_pq_place){.start = start, .bytes = bytes, .values = rows};
    return take_codec(c, column, &place->codec, fault);
}

/* What is read of a row group: of each slot its chunk.  Slots of one column hang together. */
typedef struct row_group {
    int64_t rows;
    size_t leaves;
    chunk *chunks;
    int *first, *next; /* the first slot of a leaf, and the one after a slot; -1: none */
} row_group;

static weft_status open_row_group(const wfi_pq_file *f, const wfi_picked *slots, row_group *g) {
    *g = (row_group){0};
    if (wfi_alloc(f->ctx, &g->chunks, slots->count) || wfi_alloc(f->ctx, &g->first, f->leaf_count + 1) ||
        wfi_alloc(f->ctx, &g->next, slots->count))
        return WEFT_ENOMEM;
    for (size_t i = 0; i <= f->leaf_count; i++) g->first[i] = -1;
    for (size_t i = slots->count; i-- > 0;) {
        if (slots->of[i] < 0) continue;
        size_t leaf = f->stored[slots->of[i]].leaf;
        g->next[i] = g->first[leaf];
        g->first[leaf] = (int)i;
    }
    return WEFT_OK;
}

static void read_chunks(const wfi_pq_file *f, wfi_thrift *t, const wfi_picked *slots, row_group *g, size_t leaf) {
    int slot = leaf < f->leaf_count ? g->first[leaf] : -1;
    if (slot < 0) {
        wfi_thrift_skip(t, WFI_THRIFT_STRUCT);
        return;
    }
    read_chunk(t, &f->columns[slots->of[slot]], &g->chunks[slot]);
    for (int same = g->next[slot]; same >= 0; same = g->next[same]) g->chunks[same] = g->chunks[slot];
}

static void read_group(const wfi_pq_file *f, wfi_thrift *t, const wfi_picked *slots, row_group *g) {
    g->rows = -1;
    g->leaves = 0;
    memset(g->chunks, 0, slots->count * sizeof *g->chunks);
    for (wfi_thrift_field field = {0}; wfi_thrift_next(t, &field);) {
        if (field.id == 3) g->rows = wfi_thrift_int(t, field.type);
        if (field.id != 1) {
            if (field.id != 3) wfi_thrift_skip(t, field.type);
            continue;
        }
        g->leaves = wfi_thrift_list(t, field.type, WFI_THRIFT_STRUCT);
        for (size_t i = 0; i < g->leaves && !t->bad; i++) read_chunks(f, t, slots, g, i);
    }
}

/* The next row group, which begins with row to->first_row. */
static weft_status take_group(const wfi_pq_file *f, wfi_thrift *t, const wfi_picked *slots, row_group *g,
                              wfi_pq_group *to, wfi_fault *fault) {
    uint64_t before = to->first_row;
    const uint8_t *at = t->at;
    read_group(f, t, slots, g);
    if (t->bad) return fault_in_footer(f, fault, t->at, "is damaged here");
    if (g->rows < 0 || g->leaves != f->leaf_count || (uint64_t)g->rows > f->rows - before)
        return fault_in_footer(f, fault, at, "has a row group with other columns or more rows than the file");
    to->rows = (uint64_t)g->rows;
    for (size_t i = 0; i < slots->count; i++) {
        if (slots->of[i] < 0) continue;
        to->place[i].values = to->rows;
        weft_status st = take_chunk(f, &g->chunks[i], (size_t)slots->of[i], &to->place[i], at, fault);
        if (st) return st;
    }
    return WEFT_OK;
}

weft_status wfi_pq_groups(const wfi_pq_file *f, const wfi_picked *slots, wfi_pq_group *groups, size_t count,
                          wfi_fault *fault) {
    wfi_thrift t = {f->groups_at, f->data + f->footer + f->footer_bytes, false};
    uint64_t before = 0;
    row_group g;
    weft_status st = open_row_group(f, slots, &g);
    for (size_t i = 0; i < count && !st; i++) {
        if (i % 1024 == 0 && wfi_cancelled(f->ctx)) st = wfi_fail_cancelled(f->ctx);
        groups[i].first_row = before;
        if (!st) st = take_group(f, &t, slots, &g, &groups[i], fault);
        if (!st) before += groups[i].rows;
    }
    if (!st && count == f->group_count && before != f->rows)
        st = fault_in_footer(f, fault, f->data + f->footer, "counts more rows than its row groups have");
    WFI_FREE(g.chunks, g.first, g.next);
    return st;
}
