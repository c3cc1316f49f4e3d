/* Rows of cells: the writers' view of an algorithm's columns, a table or a list of neighbours. The cell of row r in
 * column c is c.data[i], where i = order ? order[r] : r; that of column c of a matrix is c.data[i * c.width + c.part].
 * A cell may be empty: no vertex, a vertex that was not reached.  It is written as -1 in text and .npy (texts: empty),
 * null in JSON. */
#ifndef WEFT_CLI_ROWS_H
#define WEFT_CLI_ROWS_H

#include "cli.h"
#include "pack.h"
#include "place.h"
#include "result/json.h"

typedef enum cell_type {
    CELL_U32 = WEFT_U32,
    CELL_U64 = WEFT_U64,
    CELL_I64 = WEFT_I64,
    CELL_F32 = WEFT_F32,
    CELL_F64 = WEFT_F64,
    CELL_VERTEX = WEFT_VERTEX, /* weft_vid, printed as the file's id; data NULL: vertex first + i itself */
    CELL_F16 = WEFT_F16,
    CELL_BF16 = WEFT_BF16,
    CELL_LEVEL,    /* uint32_t; WEFT_UNREACHED is an empty cell */
    CELL_TEXT,     /* const char *; NULL is an empty cell */
    CELL_ATTRIBUTE /* data is a weft_attribute, the cell of vertex v its value */
} cell_type;

typedef struct rows_column {
    const char *name;
    cell_type type;
    const void *data;
    size_t length;      /* cells beyond it are empty */
    const char *matrix; /* the name of the matrix that it is a column of, or NULL */
    size_t width, part; /* of the matrix, in which it is the column `part` */
    weft_vid first;     /* for vertices without data: the vertex of cell 0 */
    const char *result; /* the algorithm's name of it, for a column of a result that is no matrix */
    bool groups;        /* its values name groups */
} rows_column;

/* Rows that are streamed: now first ... end-1 are there.  next() brings the following rows, at most `most`, into the
 * columns; the index of a row then counts from `first`.  They are walked once. */
typedef struct rows_pass {
    size_t first, end, most;
    int (*next)(struct rows_pass *pass);
    void *of;
} rows_pass;

typedef struct rows {
    const weft_graph *g;
    bool names; /* the graph's ids are names: cli_ids_are_names */
    const rows_column *columns;
    size_t column_count;
    const weft_vid *order; /* NULL: 0, 1, 2, ... */
    size_t count;
    rows_pass *pass; /* NULL: all rows are there */
} rows;

/* A cell as text in a growing buffer; one for each writer. */
typedef struct cell_text {
    char *text;
    size_t length, capacity;
} cell_text;
/* false: out of memory, after an error message. */
bool cell_print(const rows *r, const rows_column *column, size_t row, cell_text *to);
/* The type of a column that is an attribute; else 0. */
static inline weft_attribute_type cell_attribute_type(const rows_column *column) {
    return column->type == CELL_ATTRIBUTE ? ((const weft_attribute *)column->data)->type : (weft_attribute_type)0;
}
/* Is a cell a text, a time or a name, rather than a number? */
static inline bool cell_is_text(const rows *r, const rows_column *column) {
    weft_attribute_type type = cell_attribute_type(column);
    return column->type == CELL_TEXT || (column->type == CELL_VERTEX && r->names) || type == WEFT_ATTRIBUTE_TEXT ||
           type == WEFT_ATTRIBUTE_TIME;
}

/* The number of the column with this name, or -1. */
int rows_find(const rows *r, const char *name, size_t length);

/* Place of a row's cells in the columns. */
static inline size_t rows_index(const rows *r, size_t row) {
    return r->order ? r->order[row] : r->pass ? row - r->pass->first : row;
}
/* Called before a row is read: brings it if it is not there. */
static inline int rows_reach(const rows *r, size_t row) {
    return r->pass && row >= r->pass->end ? r->pass->next(r->pass) : EXIT_DONE;
}
/* Place of a cell in the data. */
static inline size_t cell_place(const rows_column *column, size_t index) {
    return column->matrix ? index * column->width + column->part : index;
}
/* The value of a cell with 16 bits. */
static inline float cell_real16(const rows_column *column, size_t place) {
    uint16_t bits = ((const uint16_t *)column->data)[place];
    return column->type == CELL_F16 ? weft_f16_value(bits) : weft_bf16_value(bits);
}
/* The value of an attribute of this type. */
static inline int64_t cell_attribute_i64(const rows_column *column, size_t index) {
    return ((const int64_t *)((const weft_attribute *)column->data)->values)[index];
}
static inline double cell_attribute_f64(const rows_column *column, size_t index) {
    return ((const double *)((const weft_attribute *)column->data)->values)[index];
}
static inline bool cell_attribute_bool(const rows_column *column, size_t index) {
    return ((const uint8_t *)((const weft_attribute *)column->data)->values)[index];
}
/* A text, without a final NUL. */
static inline const char *cell_attribute_text(const rows_column *column, size_t index, size_t *length) {
    const weft_attribute *a = (const weft_attribute *)column->data;
    uint32_t text = ((const uint32_t *)a->values)[index];
    *length = (size_t)(a->text_starts[text + 1] - a->text_starts[text]);
    return a->text + a->text_starts[text];
}
static inline weft_vid cell_vertex(const rows_column *column, size_t index) {
    return column->data ? ((const weft_vid *)column->data)[index] : column->first + (weft_vid)index;
}

/* Columns of reals, and of whole numbers: integers, vertices by their ids, times and truth values. */
bool cell_is_real(const rows_column *column);
double cell_real(const rows_column *column, size_t index);
__int128 cell_whole(const weft_graph *g, const rows_column *column, size_t index);

/* Is the cell empty: beyond the column's end, no vertex, not reached? */
static inline bool cell_is_none(const rows_column *column, size_t index) {
    if (column->type == CELL_VERTEX && !column->data) return false;
    if (index >= column->length) return true;
    if (column->type == CELL_VERTEX) return cell_vertex(column, index) == WEFT_NO_VERTEX;
    if (column->type == CELL_TEXT) return !((const char *const *)column->data)[index];
    if (column->type == CELL_ATTRIBUTE) {
        const uint8_t *valid = ((const weft_attribute *)column->data)->valid;
        return valid && !(valid[index >> 3] >> (index & 7) & 1);
    }
    return column->type == CELL_LEVEL && ((const uint32_t *)column->data)[index] == WEFT_UNREACHED;
}

/* The column of a result as a column of cells; of a matrix, its first column. */
rows_column rows_column_of(const weft_column *column);

/* The first k rows by `by`, ties by vertex; empty cells (not reached, infinitely far) come last.  *order is
 * malloc'ed. */
int rows_top(weft_ctx *ctx, const rows_column *by, weft_order first, size_t k, weft_vid **order, size_t *count);

/* table.c: aligned columns for people; of more than head + tail rows the middle is left out, and so are columns for
 * which there is no space on a screen. */
int rows_print(const rows *r, size_t head, size_t tail);
/* Adds "key": [{...}, ...] to the JSON. */
int rows_json(json *j, const char *key, const rows *r);
/* Adds "name": [...] with all values of one column. */
int rows_json_column(json *j, const rows *r, const rows_column *column);

/* Rows as lines, an object each. */
int rows_write_jsonl(FILE *to, const rows *r);

/* output.c: one file, whole or not at all.  The extension of the path chooses the writer; .gz or .zst after it packs
 * text. */
typedef enum rows_format {
    ROWS_TSV,
    ROWS_CSV,
    ROWS_JSON,
    ROWS_JSONL,
    ROWS_NPY,
    ROWS_GRAPH /* not rows: the graph, with them as attributes (graph_out.h) */
} rows_format;
/* pictures: the command also writes pictures, which the message then mentions. */
int rows_format_of_path(const char *path, bool pictures, rows_format *format);

typedef struct out_file {
    FILE *to;
    FILE *packed;   /* where `to` packs into, or NULL */
    char *path;     /* for messages */
    wfi_place file; /* its `fd` is written to, also in place */
    bool in_place;  /* a device, a pipe, an open descriptor */
    int error;      /* errno of the first failure, of writing or compressing */
    bool to_stdout; /* standard output, whose reader may leave early */
} out_file;
/* `out` must not move until it is closed. */
int out_open(out_file *out, const char *path);
/* Flushes everything to the system, so that closing cannot fail on a full disk. */
int out_flush(out_file *out);
/* Closes; moves the file to its name when `code` is EXIT_DONE, removes it otherwise.  Returns the final code. */
int out_close(out_file *out, int code);

/* plain: a text that a spreadsheet would run as a formula (it begins with = + - @, a tab or a line end) gets a leading
 * '. */
int rows_write_text(FILE *to, const rows *r, char separator, bool plain);
/* pack.c: a stream that compresses to `to`, as the extension of `path` says; everything is written once it is closed;
 * `to` stays open.  *error: errno of the first failed write.  NULL: no memory. */
FILE *pack_stream(FILE *to, const char *path, int *error);
/* npy.c */
int rows_write_npy(FILE *to, const rows *r, const cli_options *options);
/* Writes rows in one of these formats; .json has more than rows, and its writer gets `what`. */
typedef int (*rows_json_writer)(const void *what, FILE *to);
int rows_write(const cli_options *options, FILE *to, rows_format format, const rows *r, rows_json_writer write_json,
               const void *what);
int rows_save(const cli_options *options, const char *path, rows_format format, const rows *r,
              rows_json_writer write_json, const void *what);

#endif
