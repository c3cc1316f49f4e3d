/* The schema of an Arrow file: the columns, and how many nodes and buffers of a batch come before each.  What is nested
 * is walked for that count with a list of open fields, not by recursion; fields may share their children in a damaged
 * file, so the walk ends when it has seen more fields than the schema has room for.
 * [1] github.com/apache/arrow, format/Schema.fbs and Message.fbs; "Arrow columnar format", buffer listing. */
#include "io/columnar/arrow.h"

#include <stdio.h>

enum { /* fields of Field */
       NAME = 0,
       TYPE_KIND = 2,
       TYPE = 3,
       DICTIONARY = 4,
       CHILDREN = 5
};
enum { DEEPEST = 64, VERSION_4 = 3 };

enum { INT = 2, REAL = 3, DATE = 8, TIMESTAMP = 10, UNION = 14 }; /* whose details matter */

/* By the number that Schema.fbs has for them. */
static const struct {
    const char *name;
    wfi_arrow_layout layout;
    wfi_type kind;
    unsigned width;
    unsigned buffers; /* in a batch; of a union that is not all */
} types[] = {
    {"values of an unknown type", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 0}, /* no number */
    {"nothing but nulls", WFI_ARROW_OPAQUE, WFI_TYPE_NOTHING, 0, 0},
    {"integers", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 2},
    {"half-precision floats", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 2}, /* or more */
    {"bytes", WFI_ARROW_TEXTS, WFI_TYPE_BYTES, 4, 3},
    {"text", WFI_ARROW_TEXTS, WFI_TYPE_TEXT, 4, 3},
    {"booleans", WFI_ARROW_BITS, WFI_TYPE_BOOL, 1, 2},
    {"decimals", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 2},
    {"dates", WFI_ARROW_OPAQUE, WFI_TYPE_TIME, 0, 2},
    {"times", WFI_ARROW_OPAQUE, WFI_TYPE_TIME, 0, 2}, /* of the day */
    {"times", WFI_ARROW_OPAQUE, WFI_TYPE_TIME, 0, 2}, /* with the date */
    {"intervals", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 2},
    {"lists", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 2},
    {"structs", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 1},
    {"unions", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 1},
    {"bytes", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 2}, /* of fixed size, as are the next */
    {"lists", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 1},
    {"maps", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 2},
    {"durations", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 2},
    {"bytes", WFI_ARROW_TEXTS, WFI_TYPE_BYTES, 8, 3}, /* large, as are the next two */
    {"text", WFI_ARROW_TEXTS, WFI_TYPE_TEXT, 8, 3},
    {"lists", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 2},
    {"run-end encoded values", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 0},
    {"bytes", WFI_ARROW_VIEWS, WFI_TYPE_BYTES, 16, 2},
    {"text", WFI_ARROW_VIEWS, WFI_TYPE_TEXT, 16, 2},
    {"lists", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 3}, /* views */
    {"lists", WFI_ARROW_OPAQUE, WFI_TYPE_OTHER, 0, 3}, /* large views */
};

/* Its number; 0: it is not known. */
static unsigned number_of(wfi_fb_table field) {
    unsigned number = wfi_fb_byte(field, TYPE_KIND);
    return number < sizeof types / sizeof *types ? number : 0;
}

static wfi_arrow_type integer_type(wfi_fb_table type, int64_t absent_width) {
    int64_t bits = wfi_fb_int(type, 0, 4, absent_width);
    bool has_sign = wfi_fb_byte(type, 1) || !type.at;
    bool known = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    return (wfi_arrow_type){known ? WFI_ARROW_INTEGERS : WFI_ARROW_OPAQUE,
                            !known     ? WFI_TYPE_OTHER
                            : has_sign ? WFI_TYPE_INT
                                       : WFI_TYPE_UINT,
                            known ? (unsigned)bits / 8 : 0, has_sign};
}

static wfi_arrow_type type_of(wfi_fb_table field, char name[32]) {
    unsigned number = number_of(field);
    wfi_fb_table details = wfi_fb_child(field, TYPE);
    wfi_arrow_type type = {types[number].layout, types[number].kind, types[number].width, true};
    snprintf(name, 32, "%s", types[number].name);
    if (number == INT) {
        type = integer_type(details, 0);
        snprintf(name, 32, "%sint%u", type.has_sign ? "" : "u", 8 * type.width);
    }
    int64_t precision = number == REAL ? wfi_fb_int(details, 0, 2, 0) : 0;
    if (precision == 1 || precision == 2) {
        type = (wfi_arrow_type){WFI_ARROW_REALS, WFI_TYPE_REAL, precision == 2 ? 8 : 4, true};
        snprintf(name, 32, "decimals (%s)", precision == 2 ? "double" : "float");
    }
    return type;
}

typedef struct counts {
    size_t nodes, buffers, variadics;
} counts;

/* What one field, without its children, has in a batch.  False for a type that is not known: nothing after it can be
 * found. */
static bool count_field(wfi_fb_table field, int64_t version, counts *c) {
    c->nodes++;
    if (wfi_fb_child(field, DICTIONARY).at) {
        c->buffers += 2;
        return true;
    }
    unsigned number = number_of(field);
    c->buffers += types[number].buffers;
    c->variadics += types[number].layout == WFI_ARROW_VIEWS;
    if (number == UNION) /* kinds, offsets if dense; before version 5 a bitmap as well */
        c->buffers += (size_t)(wfi_fb_int(wfi_fb_child(field, TYPE), 0, 2, 0) == 1) + (size_t)(version <= VERSION_4);
    return number != 0;
}

/* A field with all below it.  `allowed`: fields that there may be yet. */
static bool count_tree(wfi_fb_table top, int64_t version, size_t *allowed, counts *c) {
    struct {
        wfi_fb_vector children;
        size_t next;
    } open[DEEPEST];
    int depth = 0;
    for (wfi_fb_table field = top;;) {
        if (!*allowed || top.buffer->bad || !count_field(field, version, c)) return false;
        --*allowed;
        if (!wfi_fb_child(field, DICTIONARY).at) { /* the children of one that has belong to the dictionary */
            wfi_fb_vector children = wfi_fb_list(field, CHILDREN, 4);
            if (children.count && depth == DEEPEST) return false;
            if (children.count) {
                open[depth].children = children;
                open[depth++].next = 0;
            }
        }
        while (depth && open[depth - 1].next == open[depth - 1].children.count) depth--;
        if (!depth) return !top.buffer->bad;
        field = wfi_fb_item(open[depth - 1].children, open[depth - 1].next++);
    }
}

/* Dates and points in time become readable. */
static void take_unit(wfi_fb_table field, wfi_typed_column *column, wfi_arrow_type *type) {
    static const wfi_time_unit dates[] = {WFI_DAYS, WFI_DAYS_IN_MILLIS},
                               times[] = {WFI_SECONDS, WFI_MILLIS, WFI_MICROS, WFI_NANOS};
    unsigned number = number_of(field);
    wfi_fb_table details = wfi_fb_child(field, TYPE);
    int64_t unit = wfi_fb_int(details, 0, 2, number == DATE);
    size_t length;
    if (unit < 0 || unit >= (number == DATE ? 2 : 4) || (number != DATE && number != TIMESTAMP)) return;
    *type = (wfi_arrow_type){WFI_ARROW_INTEGERS, WFI_TYPE_TIME, number == DATE && !unit ? 4 : 8, true};
    column->unit = number == DATE ? dates[unit] : times[unit];
    wfi_fb_text(details, 1, &length);
    column->utc = number == TIMESTAMP && length;
}

static void describe(wfi_fb_table field, wfi_typed_column *column, wfi_arrow_column *stored) {
    column->name = wfi_fb_text(field, NAME, &column->name_length);
    stored->type = type_of(field, column->type_name);
    take_unit(field, column, &stored->type);
    wfi_fb_table dictionary = wfi_fb_child(field, DICTIONARY);
    if (dictionary.at) {
        stored->has_dictionary = true;
        stored->dictionary = wfi_fb_int(dictionary, 0, 8, 0);
        stored->index = integer_type(wfi_fb_child(dictionary, 1), 32);
        if (stored->index.layout == WFI_ARROW_OPAQUE) stored->type = stored->index;
    }
    column->type = stored->type.kind;
    column->single = stored->type.layout == WFI_ARROW_REALS && stored->type.width == 4;
}

weft_status wfi_arrow_schema(wfi_arrow_file *f, wfi_fb_table schema, int64_t version, uint64_t place,
                             wfi_fault *fault) {
    wfi_fb_vector fields = wfi_fb_list(schema, 1, 4);
    counts before = {0};
    size_t allowed = schema.buffer->bytes / 8;
    if (!schema.at || schema.buffer->bad)
        return wfi_fault_at(fault, WEFT_EINPUT, 1, place + 1, "the schema that begins here is damaged");
    if (wfi_fb_int(schema, 0, 2, 0))
        return wfi_fault_at(fault, WEFT_EUNSUPPORTED, 1, place + 1,
                            "the numbers are big-endian, which Weft does not read: write the file on another machine");
    if (version < VERSION_4 || version > VERSION_4 + 1)
        return wfi_fault_at(fault, WEFT_EUNSUPPORTED, 1, place + 1,
                            "the file is of a version of Arrow before 0.8 or after 1.0: write it again");
    f->column_count = fields.count;
    if (wfi_alloc_zeroed(f->ctx, &f->columns, fields.count + 1) ||
        wfi_alloc_zeroed(f->ctx, &f->stored, fields.count + 1))
        return WEFT_ENOMEM;
    bool sound = !schema.buffer->bad, countable = true;
    for (size_t i = 0; i < fields.count && sound; i++) {
        wfi_fb_table field = wfi_fb_item(fields, i);
        wfi_arrow_column *c = &f->stored[i];
        if (!schema.buffer->bad) describe(field, &f->columns[i], c);
        c->node = before.nodes;
        c->buffer = before.buffers;
        c->variadic = before.variadics;
        if (!countable) f->columns[i].type = c->type.kind = WFI_TYPE_OTHER;
        if (countable && !schema.buffer->bad) countable = count_tree(field, version, &allowed, &before);
        if (!countable && !c->has_dictionary) f->columns[i].type = c->type.kind = WFI_TYPE_OTHER;
        sound = !schema.buffer->bad;
    }
    return sound ? WEFT_OK : wfi_fault_at(fault, WEFT_EINPUT, 1, place + 1, "the schema that begins here is damaged");
}
