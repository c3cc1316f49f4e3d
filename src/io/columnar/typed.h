/* Tables whose columns have types (Parquet, Arrow), on their way to a wfi_table.
 *
 * A format describes its columns and has them chosen (wfi_typed_choose); then it is called for each batch of rows, by
 * several threads at once, and fills cells, a few thousand rows at a time (wfi_typed_run).  What the cells mean, that
 * is ids, names, weights, the direction, is decided here for both formats. */
#ifndef WFI_TYPED_H
#define WFI_TYPED_H

#include "io/table/table.h"
#include "io/text/collect.h"

typedef enum wfi_type {
    WFI_TYPE_INT,     /* with sign, up to 64 bits: cell.i */
    WFI_TYPE_UINT,    /* without sign, up to 64 bits: the bits of cell.i */
    WFI_TYPE_REAL,    /* cell.d */
    WFI_TYPE_TEXT,    /* cell.i, from wfi_texts */
    WFI_TYPE_BYTES,   /* like text, but the file does not say that it is */
    WFI_TYPE_TIME,    /* a time or date: neither id nor weight */
    WFI_TYPE_NOTHING, /* only nulls */
    WFI_TYPE_OTHER    /* lists, structs, booleans, ... */
} wfi_type;

typedef struct wfi_typed_column {
    const char *name; /* in the file */
    size_t name_length;
    wfi_type type;
    char type_name[32]; /* as the format calls it, for messages */
} wfi_typed_column;

typedef union wfi_cell {
    int64_t i;
    double d;
} wfi_cell;

typedef enum wfi_role { WFI_ROLE_SOURCE, WFI_ROLE_TARGET, WFI_ROLE_WEIGHT, WFI_ROLE_DIRECTION, WFI_ROLES } wfi_role;

enum { WFI_CHUNK = 4096 /* rows that are filled at a time */, WFI_SAMPLE = 32 /* bytes of a first value */ };

/* What is wrong, and where: row and column of the table, or line 1 and the byte + 1. */
typedef struct wfi_fault {
    weft_status status;
    uint64_t line, column;
    char text[320];
} wfi_fault;

/* Sets the fault and returns `status`. */
weft_status wfi_fault_at(wfi_fault *fault, weft_status status, uint64_t line, uint64_t column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
weft_status wfi_fault_report(weft_ctx *ctx, const wfi_source *source, const wfi_fault *fault);

/* The cell of a text.  `row` counts from 0 in the file. */
typedef struct wfi_texts {
    weft_status (*cell)(struct wfi_texts *self, uint64_t row, const char *text, size_t length, int64_t *value);
} wfi_texts;

typedef struct wfi_typed {
    weft_ctx *ctx;
    const wfi_source *source;
    const weft_read_params *params;
    wfi_table *table;
    const wfi_typed_column *column;
    size_t count;

    /* From wfi_typed_choose. */
    wfi_column *shown;
    wfi_columns choice;
    int of[WFI_ROLES]; /* the column of each role; -1: none */
    bool names;        /* ids become names */
} wfi_typed;

/* The first value of a column as text, "" when there is none to be had.  Fails for want of memory only. */
typedef weft_status (*wfi_sample_fn)(void *user, size_t column, char sample[WFI_SAMPLE]);

weft_status wfi_typed_choose(wfi_typed *t, wfi_sample_fn sample, void *user);
void wfi_typed_close(wfi_typed *t);
/* Prints a cell of numbers for wfi_sample_fn; and a text. */
void wfi_show_cell(char sample[WFI_SAMPLE], wfi_type type, wfi_cell cell);
void wfi_show_text(char sample[WFI_SAMPLE], const char *text, size_t length);

/* One thread's way from cells to edges. */
typedef struct wfi_fill {
    const wfi_typed *t;
    int thread;
    wfi_cell *cell[WFI_ROLES]; /* WFI_CHUNK each; NULL: not wanted */
    wfi_texts *texts[WFI_ROLES];
    wfi_fault fault;

    /* Inside. */
    struct wfi_role_texts {
        wfi_texts base;
        struct wfi_fill *fill;
        wfi_role role;
    } role_texts[WFI_ROLES];
    wfi_collector collector;
    wfi_edges *part;        /* where the edges of this batch go */
    uint64_t hashed;        /* bytes of names since the last look for Ctrl-C */
    uint64_t first_seen[2]; /* row + 1 of the first undirected and the first directed edge; 0: none */
    _Atomic uint64_t *rows_done;
    uint64_t rows; /* of the whole file, for progress */
} wfi_fill;

/* Takes the first `rows` cells of each role as edges; the first is row `row` of the file, counted from 0.  Polls for
 * cancel. */
weft_status wfi_fill_rows(wfi_fill *f, uint64_t row, size_t rows);
/* Fails in a value: "row 17 of column 'x' " and the rest. */
weft_status wfi_fill_fault(wfi_fill *f, wfi_role role, uint64_t row, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* For wfi_typed_run: begins with a thread, ends with a batch (hands over what is left), ends with the thread. */
weft_status wfi_fill_open(wfi_fill *f, const wfi_typed *t, int thread);
weft_status wfi_fill_flush(wfi_fill *f);
void wfi_fill_close(wfi_fill *f);

/* Fills the rows of one batch, in WFI_CHUNKs.  Failures: a status whose message is set, or with fill->fault set. */
typedef weft_status (*wfi_batch_fn)(void *user, wfi_fill *fill, size_t batch);

/* The number of threads that wfi_typed_run will use. */
int wfi_typed_threads(const wfi_typed *t, size_t batches, uint64_t rows);
/* All batches, in parallel, then the notes and wfi_table_settle.  The edges stand in the order of the file, and of
 * several faults the first batch's is reported. */
weft_status wfi_typed_run(wfi_typed *t, size_t batches, uint64_t rows, wfi_batch_fn fill, void *user);

#endif
