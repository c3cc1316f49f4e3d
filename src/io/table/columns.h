/* Which columns of a table are the source, the target and the weight of an edge.
 *
 * Whoever reads a table (text, JSON lines, Parquet, Arrow) describes its columns, lets wfi_columns_choose decide, and
 * calls wfi_columns_say with the graph.  The choice goes by the caller's flags first, by the names in the header next,
 * by position only where there are no names.  Where two readings are possible there is none: the message shows the
 * columns with their first values and the flags that decide. */
#ifndef WFI_COLUMNS_H
#define WFI_COLUMNS_H

#include "graph/graph.h"
#include "io/stream/source.h"

/* The kind of the values of a column, as far as they were seen. */
typedef enum wfi_column_kind {
    WFI_COLUMN_EMPTY,    /* no value seen */
    WFI_COLUMN_INTEGERS, /* whole numbers */
    WFI_COLUMN_TIMES,    /* numbers that all look like Unix times (10^8 and more) */
    WFI_COLUMN_NUMBERS,  /* other numbers, and whole ones among them */
    WFI_COLUMN_TEXT,
    WFI_COLUMN_DIRECTION /* text that is always "Directed" or "Undirected", as Gephi writes it */
} wfi_column_kind;

typedef struct wfi_column {
    const char *name; /* NULL: the table has no header.  Not terminated by a NUL */
    size_t name_length;
    const char *sample; /* the first value, for messages; NULL: none */
    size_t sample_length;
    wfi_column_kind kind;
} wfi_column;

/* The context of a choice, and the line that a failure names. */
typedef struct wfi_columns_from {
    weft_ctx *ctx;
    const wfi_source *source;
    const weft_read_params *params;
    uint64_t line;
} wfi_columns_from;

typedef struct wfi_columns {
    wfi_columns_from from;
    const wfi_column *column; /* in the order of the table; columns count from 0 here, from 1 for people */
    size_t count;
    bool matrix;                           /* it may be no list of edges, but a matrix */
    int source, target, weight, direction; /* chosen; -1 = none */
    struct wfi_edge_fields *fields;        /* what else is wanted (edge_fields.h), to be found; NULL: nothing */
    int measure;                           /* not chosen, but numbers by a name that may mean weights; -1 = none */
} wfi_columns;

/* Fills the choice.  direction is a column that says "Directed" or "Undirected" of each edge.  weight is -1 when the
 * parameters ignore weights. */
weft_status wfi_columns_choose(wfi_columns *columns);

/* The column that a flag names, by its name or by its number from 1. */
weft_status wfi_columns_find(const wfi_columns *columns, const char *flag, const char *wanted, int *column);

/* The names of the chosen columns, for weft_graph_info (a block of wfi_take), and a note with the choice if `aloud`.
 * The note is left out when there is nothing to say: no header, no flag, and no column passed over. */
weft_status wfi_columns_say(const wfi_columns *columns, bool aloud, wfi_table_columns **kept);

/* The question about the columns that a flag can answer. */
typedef enum wfi_columns_question { WFI_ASK_NOTHING, WFI_ASK_ENDS, WFI_ASK_WEIGHT } wfi_columns_question;

/* Fails at the line with `reason`, then the columns, their first values and the flags to type. */
weft_status wfi_columns_refuse(const wfi_columns *columns, wfi_columns_question question, const char *reason);

/* Does this word name a source, a target, a weight or anything else that tells a header? */
bool wfi_is_column_name(const char *name, size_t length);

/* Would a column of this name be taken for an end or the weight, beside those called source, target and, of a table
 * with weights, weight? */
bool wfi_names_end_or_weight(const char *name, size_t length, bool weighted);

/* Do the names tell two kinds of vertices, such as user_id and item_id? */
bool wfi_names_kinds(const wfi_column *columns, size_t count);

/* Do the names tell source and target? */
bool wfi_names_ends(const wfi_column *columns, size_t count);

#endif
