/* NumPy's .npy, format version 1.0: magic, a Python dict as text padded to 64 bytes, then the bare array.  One column
 * becomes a 1-D array of its type, a matrix a 2-D one; several columns become a structured array with the id first.
 * Vertices are int64 ids, levels int64, and -1 is nothing there.  bf16 is V2.  Names have no fixed size: in their place
 * stands the vertex's number, its row in the whole result, and the id is left out where it would only count the rows
 * (both said on standard error).  Attributes are left out. */
#include "npy.h"
#include "result/rows.h"

#include <stdlib.h>
#include <string.h>

enum { DESCR_ROOM = 4096, MOST_FIELDS = 32 };

typedef struct field {
    const rows_column *column;
    char type[24];
    size_t bytes;
} field;

static const char *text_in(const rows_column *column, size_t i) {
    const char *text = ((const char *const *)column->data)[i];
    return text ? text : "";
}

static size_t longest_text(const rows *r, const rows_column *column) {
    size_t longest = 1;
    for (size_t row = 0; row < r->count; row++) {
        size_t length = strlen(text_in(column, rows_index(r, row)));
        if (length > longest) longest = length;
    }
    return longest;
}

static field field_of(const rows *r, const rows_column *column) {
    field f = {column, "", 8};
    const char *type = "";
    switch (column->type) {
    case CELL_U32:
        type = "<u4";
        f.bytes = 4;
        break;
    case CELL_U64: type = "<u8"; break;
    case CELL_I64: type = "<i8"; break;
    case CELL_F32:
        type = "<f4";
        f.bytes = 4;
        break;
    case CELL_F16:
        type = "<f2";
        f.bytes = 2;
        break;
    case CELL_BF16: /* NumPy knows only its size */
        type = "|V2";
        f.bytes = 2;
        break;
    case CELL_F64: type = "<f8"; break;
    case CELL_LEVEL:
    case CELL_ATTRIBUTE: /* left out */
    case CELL_VERTEX: type = "<i8"; break;
    case CELL_TEXT: f.bytes = longest_text(r, column); break;
    }
    if (column->type == CELL_TEXT)
        snprintf(f.type, sizeof f.type, "|S%zu", f.bytes);
    else
        snprintf(f.type, sizeof f.type, "%s", type);
    if (column->matrix) f.bytes *= column->width; /* a whole row of the matrix */
    return f;
}

static int64_t number_in(const rows *r, const rows_column *column, size_t i) {
    if (cell_is_none(column, i)) return -1;
    if (column->type == CELL_LEVEL) return ((const uint32_t *)column->data)[i];
    weft_vid v = cell_vertex(column, i);
    return r->names ? (int64_t)v : weft_graph_id(r->g, v);
}

static void put_cell(FILE *to, const rows *r, const field *f, size_t row) {
    size_t i = rows_index(r, row);
    if (f->column->type == CELL_VERTEX || f->column->type == CELL_LEVEL) {
        int64_t number = number_in(r, f->column, i);
        fwrite(&number, sizeof number, 1, to);
    } else if (f->column->type == CELL_TEXT) {
        const char *text = text_in(f->column, i);
        size_t length = strlen(text);
        fwrite(text, 1, length, to);
        for (; length < f->bytes; length++) fputc(0, to);
    } else {
        fwrite((const char *)f->column->data + i * f->bytes, f->bytes, 1, to);
    }
}

static int put_header(FILE *to, const field *fields, size_t count, size_t rows_total) {
    char descr[DESCR_ROOM], header[DESCR_ROOM + 256], shape[64];
    const rows_column *only = count == 1 ? fields[0].column : NULL;
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof descr; i++) {
        const rows_column *column = fields[i].column;
        char width[32] = "";
        if (column->matrix) snprintf(width, sizeof width, ", (%zu,)", column->width);
        if (only)
            snprintf(descr, sizeof descr, "'%s'", fields[i].type);
        else
            used += (size_t)snprintf(descr + used, sizeof descr - used, "%s('%s', '%s'%s)%s", i ? ", " : "[",
                                     column->matrix ? column->matrix : column->name, fields[i].type, width,
                                     i + 1 == count ? "]" : "");
    }
    if (only && only->matrix)
        snprintf(shape, sizeof shape, "(%zu, %zu)", rows_total, only->width);
    else
        snprintf(shape, sizeof shape, "(%zu,)", rows_total);
    size_t bytes = used < sizeof descr ? wfi_npy_header(header, sizeof header, descr, shape) : 0;
    if (!bytes) return cli_fail(EXIT_USAGE, "names of columns too long for .npy");
    fwrite(header, 1, bytes, to);
    return EXIT_DONE;
}

int rows_write_npy(FILE *to, const rows *r, const cli_options *options) {
    field fields[MOST_FIELDS];
    size_t count = 0;
    for (size_t c = 0; c < r->column_count; c++) {
        const rows_column *column = &r->columns[c];
        if (column->type == CELL_ATTRIBUTE) continue;
        if (column->matrix && column->part) continue; /* it is in the field of the first part */
        bool counts_rows = column->type == CELL_VERTEX && !column->data && !r->order;
        if (column->type == CELL_VERTEX && r->names) {
            if (counts_rows)
                cli_note(options, ".npy cannot store names: column '%s' is left out", column->name);
            else
                cli_note(options,
                         ".npy cannot store names: column '%s' has vertex numbers from 0, in the byte "
                         "order of the names",
                         column->name);
            if (counts_rows) continue;
        }
        if (column->data && column->length < r->count)
            return cli_fail(EXIT_USAGE, ".npy needs columns of equal length; use .tsv, .csv or .json");
        if (count == MOST_FIELDS) return cli_fail(EXIT_USAGE, "too many columns for .npy");
        fields[count++] = field_of(r, column);
    }
    /* Ids beside a single column of values add nothing when the rows are in vertex order. */
    size_t first = count == 2 && !r->order && fields[0].column->type == CELL_VERTEX && !fields[0].column->data ? 1 : 0;
    if (count == 0) return cli_fail(EXIT_USAGE, "there is nothing left to write as .npy; use .tsv, .csv or .json");
    int code = put_header(to, fields + first, count - first, r->count);
    for (size_t row = 0; row < r->count && !code; row++) {
        if (row % 4096 == 0 && ferror(to)) break; /* the failure is reported when the file is closed */
        code = row % 4096 == 0 && cli_interrupted() ? cli_fail(EXIT_INTERRUPTED, "interrupted") : rows_reach(r, row);
        for (size_t i = first; i < count && !code; i++) put_cell(to, r, &fields[i], row);
    }
    return code;
}
