/* Tables of edges in JSON: rows that are objects ({"source": 1, "target": 2}) or arrays ([1, 2]), and the ids in them.
 *
 * A reader shows the first rows to wfi_json_rows_look, lets wfi_json_rows_choose decide which columns are what
 * (columns.h), and then takes each row with wfi_json_rows_read.  Keys come in any order, and a row need not have all of
 * them. */
#ifndef WFI_JSONROWS_H
#define WFI_JSONROWS_H

#include "io/stream/sink.h"
#include "io/table/edge_binder.h"
#include "io/text/cells.h"
#include "stream/json_text.h"

/* The text of a string without its escapes, in the text itself or in `room`; refuses what cannot be a name. */
weft_status wfi_json_text(wfi_json *j, const wfi_json_value *v, wfi_text_room *room, const char **text, size_t *length);

/* For wfi_json.poll: checks for cancellation. */
weft_status wfi_json_poll(wfi_json *j);

typedef enum wfi_json_role {
    WFI_JSON_SOURCE,
    WFI_JSON_TARGET,
    WFI_JSON_WEIGHT,
    WFI_JSON_DIRECTION,
    WFI_JSON_ROLES,
    WFI_JSON_NO_ROLE = WFI_JSON_ROLES
} wfi_json_role;

typedef struct wfi_json_rows {
    wfi_json_kind shape; /* of the rows, OBJECT or ARRAY; NONE before the first */
    wfi_column *column;
    char **owned;        /* by column: its name without escapes, if it has any */
    wfi_json_role *role; /* by column */
    size_t count, room;
    wfi_edge_fields *fields; /* further wanted columns; NULL: none */
    wfi_columns choice;
    bool keys_may_come; /* flags decided: a new key means nothing */
    wfi_text_room scratch;
} wfi_json_rows;

void wfi_json_rows_free(wfi_json_rows *r);

/* Learns from the row that `open`, its bracket, begins; j stands behind it afterwards. */
weft_status wfi_json_rows_look(wfi_json_rows *r, wfi_json *j, const wfi_json_value *open);
/* A column with this name (NULL: none), for tables that name them apart from the rows. */
weft_status wfi_json_rows_column(wfi_json_rows *r, wfi_json *j, const wfi_json_value *name);
/* A value of column i, for messages and for the choice of columns. */
void wfi_json_rows_sample(wfi_json_rows *r, size_t i, const wfi_json_value *v);

/* Decides the roles of the columns, with a note if `aloud`.  *kept is for the graph. */
weft_status wfi_json_rows_choose(wfi_json_rows *r, const wfi_columns_from *from, bool aloud, wfi_table_columns **kept);

/* The values of one row by role; the kind is NONE for roles without a column and for missing values.  more: the
 * values of the wanted fields, NULL if there are none. */
weft_status wfi_json_rows_read(const wfi_json_rows *r, wfi_json *j, const wfi_json_value *open,
                               wfi_json_value values[WFI_JSON_ROLES], wfi_json_value *more);

/* The notation of an id: 7, "7" or "seven". */
typedef enum wfi_json_form { WFI_JSON_BARE = 1, WFI_JSON_QUOTED = 2, WFI_JSON_NAME = 4 } wfi_json_form;

/* The text of an id; of a number as integers are printed (7.0 is 7), so that equal ids have equal texts.  `what` is
 * its name in messages. */
typedef struct wfi_json_name {
    const char *text;
    size_t length;
    wfi_json_form form;
} wfi_json_name;
weft_status wfi_json_id(wfi_json *j, const wfi_json_value *v, const char *what, wfi_text_room *room,
                        wfi_json_name *name);

/* The message for a file with ids in both notations. */
#define WFI_JSON_TWO_FORMS                                                                                   \
    "ids that are numbers stand bare in one place and in quotes in another: is 1 the same vertex as \"1\"? " \
    "(`ids=string`: yes)"

/* Refuses a weight that is no number. */
weft_status wfi_json_check_weight(wfi_json *j, const wfi_json_value *v);

/* A value of an edge as a cell of the type that its notation declares (cells.h).  Strings are times or texts; a column
 * of both strings and other values is one of texts. */
weft_status wfi_json_cell(wfi_json *j, const wfi_json_value *v, wfi_text_room *room, wfi_cell_text *cell, int *type);

/* "Directed" or "Undirected". */
weft_status wfi_json_direction(wfi_json *j, const wfi_json_value *v, bool *directed);

/* Does the text begin with objects, each on a line of its own, and at least two of them? */
bool wfi_is_json_lines(const char *head, size_t bytes);

#endif
