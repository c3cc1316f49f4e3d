/* Tables with typed columns (Parquet, Arrow), of edges or of vertices, read into a wfi_table.
 *
 * A format describes its columns and has them chosen (wfi_typed_choose); then it is called for each batch of rows, by
 * several threads at once, and fills cells, a few thousand rows at a time (wfi_typed_run).  The
 * meaning of the cells (ids, names, weights, direction, kept values) is decided here for both formats. */
#ifndef WFI_TYPED_H
#define WFI_TYPED_H

#include "io/table/edge_binder.h"
#include "io/table/table.h"

typedef enum wfi_type {
    WFI_TYPE_INT,     /* with sign, up to 64 bits: cell.i */
    WFI_TYPE_UINT,    /* without sign, up to 64 bits: the bits of cell.i */
    WFI_TYPE_REAL,    /* cell.d */
    WFI_TYPE_TEXT,    /* cell.i, from wfi_texts */
    WFI_TYPE_BYTES,   /* like text, but the file does not say that it is */
    WFI_TYPE_TIME,    /* a time or date: neither id nor weight; cell.i, by its unit */
    WFI_TYPE_BOOL,    /* cell.i is 0 or 1 */
    WFI_TYPE_NOTHING, /* nulls only */
    WFI_TYPE_OTHER    /* lists, structs, ... */
} wfi_type;

/* The unit of a time since 1970. */
typedef enum wfi_time_unit {
    WFI_NO_DATE, /* a time of day, or a time that is not read */
    WFI_DAYS,
    WFI_DAYS_IN_MILLIS, /* a date, in milliseconds */
    WFI_SECONDS,
    WFI_MILLIS,
    WFI_MICROS,
    WFI_NANOS
} wfi_time_unit;

typedef struct wfi_typed_column {
    const char *name; /* in the file */
    size_t name_length;
    wfi_type type;
    wfi_time_unit unit; /* of times */
    bool utc;           /* the times are points in time */
    bool single;        /* reals of 32 bits */
    char type_name[32]; /* as the format calls it, for messages */
} wfi_typed_column;

typedef union wfi_cell {
    int64_t i;
    double d;
} wfi_cell;

/* In a table of vertices the id is the source, the only role. */
typedef enum wfi_role { WFI_ROLE_SOURCE, WFI_ROLE_TARGET, WFI_ROLE_WEIGHT, WFI_ROLE_DIRECTION, WFI_ROLES } wfi_role;

/* The columns that are read: by role, then those whose cells are wanted beside.  -1: none.  A null is a fault in a
 * role, and no value beside. */
typedef struct wfi_picked {
    const int *of;
    size_t count;
} wfi_picked;
static inline bool wfi_slot_may_be_null(size_t slot) { return slot >= WFI_ROLES; }

enum { WFI_CHUNK = 4096 /* rows that are filled at a time, at most */, WFI_SAMPLE = 32 /* bytes of a first value */ };

/* A fault and its place: row and column of the table, or line 1 and byte + 1. */
typedef struct wfi_fault {
    weft_status status;
    uint64_t line, column;
    char text[400];
} wfi_fault;

/* Sets the fault and returns `status`. */
weft_status wfi_fault_at(wfi_fault *fault, weft_status status, uint64_t line, uint64_t column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
weft_status wfi_fault_report(weft_ctx *ctx, const wfi_source *source, const wfi_fault *fault);

enum { WFI_CELL_ROOM = 48 };

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
    struct wfi_nodes_table *nodes; /* a table of vertices (nodes_table.h); NULL: of edges */

    /* From wfi_typed_choose. */
    wfi_column *shown;
    wfi_columns choice;
    wfi_picked slots;
    int *of;      /* those of the slots */
    size_t chunk; /* rows that are filled at a time */
    bool names;   /* ids become names */
} wfi_typed;

/* The first value of a column as text, "" when there is none to be had.  Fails for want of memory only. */
typedef weft_status (*wfi_sample_fn)(void *user, size_t column, char sample[WFI_SAMPLE]);

weft_status wfi_typed_choose(wfi_typed *t, wfi_sample_fn sample, void *user);
void wfi_typed_close(wfi_typed *t);
/* Print a numeric cell, or a text, for wfi_sample_fn. */
void wfi_show_cell(char sample[WFI_SAMPLE], wfi_type type, wfi_cell cell);
void wfi_show_text(char sample[WFI_SAMPLE], const char *text, size_t length);

/* The buffer for the cells of one column. */
typedef struct wfi_slot {
    wfi_texts texts;
    wfi_cell *cell; /* capacity: one chunk; NULL: the column is not wanted, or holds nulls only */
    bool *null;     /* by cell, where cells may be null */

    /* Private. */
    struct wfi_fill *fill;
    size_t number;
    bool cut; /* a time was truncated to microseconds */
} wfi_slot;

/* One thread that turns cells into edges or vertices. */
typedef struct wfi_fill {
    const wfi_typed *t;
    int thread;
    wfi_slot *slot;
    wfi_fault fault;

    /* Private. */
    wfi_names *pool; /* texts other than names */
    char (*room)[WFI_CELL_ROOM];
    uint32_t *row_of; /* chunk row of each edge that meets the condition; NULL: there is no condition */
    wfi_edge_binder binder;
    wfi_edges *part;        /* receives the edges of this batch */
    uint64_t hashed;        /* bytes of names hashed since the last poll for cancellation */
    uint64_t first_seen[2]; /* row + 1 of the first undirected and the first directed edge; 0: none */
    _Atomic uint64_t *rows_done;
    uint64_t rows; /* in the file, for progress */
} wfi_fill;

/* Takes the first `rows` cells of each slot; the first is row `row` of the file, counted from 0.  Polls for cancel. */
weft_status wfi_fill_rows(wfi_fill *f, uint64_t row, size_t rows);
/* Sets a fault in a value: "row 17 of column 'x'" and the formatted text. */
weft_status wfi_fill_fault(wfi_fill *f, size_t slot, uint64_t row, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* For wfi_typed_run: begin of a thread, end of a batch (delivers the remaining edges), end of the thread. */
weft_status wfi_fill_open(wfi_fill *f, const wfi_typed *t, int thread);
weft_status wfi_fill_flush(wfi_fill *f);
void wfi_fill_close(wfi_fill *f);

/* --- typed_cells.c: values that are kept -------------------------------------------------- */

/* A value as text: its type in the graph depends on all values of the column (edge_cells.h, cells.h). */
weft_status wfi_fill_text(wfi_fill *f, size_t slot, size_t i, char room[WFI_CELL_ROOM], wfi_cell_text *to);
/* The weft_attribute_type that a column declares for its values; -1: the column cannot be kept. */
int wfi_typed_declares(const wfi_typed_column *c);
/* Evaluates the condition for the edges of a chunk, keeps the cells of the edges that meet it, and compacts their
 * ends to the first *rows. */
weft_status wfi_fill_fields(wfi_fill *f, uint64_t row, size_t *rows);
/* For slots whose texts are not names, or not yet. */
weft_status wfi_pooled_cell(wfi_texts *self, uint64_t row, const char *text, size_t length, int64_t *value);

/* --- the formats ---------------------------------------------------------------------------- */

/* nodes: NULL for a table of edges. */
weft_status wfi_read_parquet(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table,
                             struct wfi_nodes_table *nodes);
weft_status wfi_read_arrow(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table,
                           struct wfi_nodes_table *nodes);

/* --- typed_nodes.c: tables of vertices ------------------------------------------------------ */

weft_status wfi_typed_choose_nodes(wfi_typed *t);
weft_status wfi_fill_vertices(wfi_fill *f, uint64_t row, size_t rows);

/* --- batches ---------------------------------------------------------------------------------- */

/* Fills the rows of one batch, a chunk at a time.  Failures: a status whose message is set, or with fill->fault set. */
typedef weft_status (*wfi_batch_fn)(void *user, wfi_fill *fill, size_t batch);

/* The number of threads that wfi_typed_run will use. */
int wfi_typed_threads(const wfi_typed *t, size_t batches, uint64_t rows);
/* All batches, in parallel, then the notes and wfi_table_settle.  The edges stand in the order of the file, and of
 * several faults the first batch's is reported. */
weft_status wfi_typed_run(wfi_typed *t, size_t batches, uint64_t rows, wfi_batch_fn fill, void *user);

#endif
