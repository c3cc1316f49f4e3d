/* NumPy's .npy, format version 1.0: magic, a Python dict as text padded to 64 bytes, then the bare array.  One column
 * becomes a 1-D array of its type, a matrix a 2-D one; several columns become a structured array with the id first.
 * Vertices are int64 ids, levels int64, and -1 is nothing there.  bf16 is V2.  Names have no fixed size: in their place
 * stands the vertex's number, its row in the whole result, and the id is left out where it would only count the rows
 * (both said on standard error). */
#include "result/rows.h"

#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ORDER "<"
#else
#define ORDER ">"
#endif

enum { HEADER_ROOM = 4096, MOST_FIELDS = 32 };

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
        type = ORDER "u4";
        f.bytes = 4;
        break;
    case CELL_U64: type = ORDER "u8"; break;
    case CELL_I64: type = ORDER "i8"; break;
    case CELL_F32:
        type = ORDER "f4";
        f.bytes = 4;
        break;
    case CELL_F16:
        type = ORDER "f2";
        f.bytes = 2;
        break;
    case CELL_BF16: /* of which NumPy knows nothing but the size */
        type = "|V2";
        f.bytes = 2;
        break;
    case CELL_F64: type = ORDER "f8"; break;
    case CELL_LEVEL:
    case CELL_VERTEX: type = ORDER "i8"; break;
    case CELL_TEXT: f.bytes = longest_text(r, column); break;
    }
    if (column->type == CELL_TEXT)
        snprintf(f.type, sizeof f.type, "|S%zu", f.bytes);
    else
        snprintf(f.type, sizeof f.type, "%s", type);
    if (column->matrix) f.bytes *= column->width; /* a whole row of it */
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
    char header[HEADER_ROOM];
    FILE *text = fmemopen(header, sizeof header, "w");
    if (!text) return cli_fail(EXIT_MEMORY, "out of memory");
    fputs("{'descr': ", text);
    const rows_column *only = count == 1 ? fields[0].column : NULL;
    if (only) {
        fprintf(text, "'%s'", fields[0].type);
    } else {
        fputc('[', text);
        for (size_t i = 0; i < count; i++) {
            const rows_column *column = fields[i].column;
            fprintf(text, "%s('%s', '%s'", i ? ", " : "", column->matrix ? column->matrix : column->name,
                    fields[i].type);
            if (column->matrix) fprintf(text, ", (%zu,)", column->width);
            fputc(')', text);
        }
        fputc(']', text);
    }
    fprintf(text, ", 'fortran_order': False, 'shape': (%zu,", rows_total);
    if (only && only->matrix) fprintf(text, " %zu", only->width);
    fputs("), }", text);
    long used = ftell(text);
    fclose(text);
    enum { FIXED = 10 }; /* magic, version, length */
    size_t padded = (FIXED + (size_t)used + 1 + 63) / 64 * 64 - FIXED;
    fwrite("\x93NUMPY\x01\x00", 1, 8, to);
    fputc((int)(padded & 255), to);
    fputc((int)(padded >> 8), to);
    fwrite(header, 1, (size_t)used, to);
    for (size_t i = (size_t)used; i + 1 < padded; i++) fputc(' ', to);
    fputc('\n', to);
    return EXIT_DONE;
}

int rows_write_npy(FILE *to, const rows *r, const cli_options *options) {
    field fields[MOST_FIELDS];
    size_t count = 0;
    for (size_t c = 0; c < r->column_count; c++) {
        const rows_column *column = &r->columns[c];
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
        if (row % 4096 == 0 && ferror(to)) break; /* said when the file is closed */
        code = row % 4096 == 0 && cli_interrupted() ? cli_fail(EXIT_INTERRUPTED, "interrupted") : rows_reach(r, row);
        for (size_t i = first; i < count && !code; i++) put_cell(to, r, &fields[i], row);
    }
    return code;
}
