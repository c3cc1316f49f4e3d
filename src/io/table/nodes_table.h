/* A table of vertices while it is read (nodes.c), and which of its lines are rows (nodes_lines.c). */
#ifndef WFI_NODES_TABLE_H
#define WFI_NODES_TABLE_H

#include "io/stream/source.h"
#include "io/table/fields.h"
#include "io/table/table.h"

enum { WFI_NODES_COLUMNS = 256 };

typedef struct wfi_nodes_table {
    weft_ctx *ctx;
    wfi_source *source;
    const char *column; /* as the user names it; NULL = not given */
    char *copy;         /* of the text, if it needed a newline at its end */
    const char *text, *end;
    char separator;

    const char *first, *second; /* data lines; NULL: there is none */
    bool typed;                 /* Parquet or Arrow: `below` names the types of the columns, and `first` is "" */
    wfi_field *top, *below;     /* of the first two rows; the first may be titles */
    size_t columns, columns_below;
    bool header;
    size_t at;    /* the chosen column */
    size_t *cell; /* of each field: its column among the cells */
    size_t fields, field_room;
    wfi_cells *cells; /* the table's; NULL: other columns are passed over */
    wfi_names *names; /* NULL: ids are whole numbers */
    uint64_t rows;
    char left[512];    /* columns that become no attributes, for a note */
    size_t left_count; /* their number */
    char why[160];     /* after WEFT_EINPUT of wfi_nodes_vertex */
    wfi_file_facts facts;
    char *plain; /* a field without its quotes */
    size_t plain_room;
    uint64_t long_rows; /* with more fields than the header */
    uint64_t comments;  /* comment lines among the rows */
    wfi_table *edges;
    const weft_read_params *params;
    weft_comment_use use; /* of lines that begin with # or % */
    int asked;            /* comment lines that were compared with the edges */
    struct wfi_nodes_look {
        wfi_spelling spelling;
        bool seen, text; /* one is no number */
    } * looks;           /* of each field; NULL: the caller said the decimal sign */
    uint64_t twice[2];   /* the first two rows with the same id; both 0: there are none, or it is not known */
} wfi_nodes_table;

/* The column of ids, which n->column says or a title tells. */
weft_status wfi_nodes_choose(wfi_nodes_table *n);
/* Shows the columns. */
weft_status wfi_nodes_refuse(const wfi_nodes_table *n, const char *reason);
/* Column i becomes an attribute of this title, with cells of that type (cells.h; -1: of none that attributes have),
 * unless it cannot; after all of them, a note with those that could not. */
weft_status wfi_nodes_take_column(wfi_nodes_table *n, size_t i, const char *title, size_t length, int type);
void wfi_nodes_note_left(const wfi_nodes_table *n);
/* The vertex of the next row, by its name, or by its number if ids are whole numbers. */
weft_status wfi_nodes_vertex(wfi_nodes_table *n, const char *name, size_t length, int64_t number);

/* Fails at `place` in the text. */
#define FAIL(n, place, ...) wfi_fail_in_text((n)->ctx, (n)->source, (n)->text, (place), __VA_ARGS__)

/* The next line from *at on that is a row, or the header; NULL at the end.  *at moves behind its first line. */
weft_status wfi_nodes_next(wfi_nodes_table *n, const char **at, const char **line);
/* Lines from p to `line`, but for blank ones: comments, where no row is between. */
uint64_t wfi_nodes_comments(const char *p, const char *line);
/* WEFT_EINPUT if the field in the column of ids is none: it stands for a missing value, or for the header. */
weft_status wfi_nodes_check_id(const wfi_nodes_table *n, const char *line, const wfi_field *f);
/* Looks at a cell for the decimal sign of its column; after all rows, WEFT_EINPUT if one column has decimal commas and
 * another has numbers such as 1.234. */
void wfi_nodes_look_at(wfi_nodes_table *n, size_t field, const wfi_field *f);
weft_status wfi_nodes_check_decimals(const wfi_nodes_table *n);
/* Is it the name of an end of an edge? */
bool wfi_nodes_known(const wfi_table *edges, const wfi_field *f);

#endif
