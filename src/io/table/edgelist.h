/* Edge lists: what is learnt from the beginning of the file, and how its lines become edges.
 *
 *   edgelist_facts.c   what the first 64 KiB show: columns, comments, forms
 *   edgelist_detect.c  what that means: the direction, notations, the table of hypotheses
 *   edgelist_columns.c header or data, and which columns are meant
 *   edgelist.c         lists: ids first, weight third; the fast path; the whole
 *   edgelist_record.c  tables: fields by column
 *   edgelist_notation.c  other notations: u v {'weight': 3}, (u, v), u -> v
 *   edgelist_rows.c    adjacency lists and SIF: a vertex and its neighbours
 *   edgelist_hash.c    lines that begin with # or %: comments, or names
 *   edgelist_size.c    a first line "n m" */
#ifndef WFI_EDGELIST_H
#define WFI_EDGELIST_H

#include "io/stream/sink.h"
#include "io/table/edge_binder.h"
#include "io/table/fields.h"
#include "io/table/table.h"
#include "stream/short_text.h"

#include <pthread.h>

/* How a line writes its edge. */
typedef enum wfi_notation {
    WFI_NOTATION_PLAIN,
    WFI_NOTATION_DICT,  /* u v {'weight': 3}, as NetworkX writes it */
    WFI_NOTATION_TUPLE, /* (u, v), [u, v] or (u, v, w), as Python and Spark print them */
    WFI_NOTATION_ARROW  /* u -> v */
} wfi_notation;

/* What a line lists. */
typedef enum wfi_listing_kind {
    WFI_LISTS_EDGES,
    WFI_LISTS_NEIGHBOURS, /* v n1 n2 ..., of an adjacency list */
    WFI_LISTS_SIF         /* v relation n1 n2 ... */
} wfi_listing_kind;

/* How this file writes its edges, from its first 64 KiB. */
typedef struct wfi_edgelist_style {
    uint64_t from;       /* where the edges begin: after a header row */
    char separator;      /* ' ' (any blanks), '\t', ',', ';', '|', or what the caller said */
    bool runs;           /* a run of tabs is one separator */
    bool tabs;           /* a list of numbers with single tabs between them: two are around an empty field */
    bool loose;          /* a list that ends with words, as many as there are */
    bool names;          /* ids are names */
    bool wholes;         /* ids may be written 1.0 */
    bool doubts;         /* nobody said so, and the first ids are numbers: other names had better look like some */
    char heading[2][32]; /* the names of the columns of both ends; "": there are none, or long ones */
    bool weights;        /* there is a weight, and it is wanted */
    bool says_direction, directed;
    bool bipartite; /* the header says so (KONECT's bip) */
    bool ours;      /* written by Weft: "#v id" lines name vertices without edges */
    bool dense;     /* ours: vertices base ... base+vertices-1 */
    uint64_t vertices;
    int64_t base;

    wfi_notation notation;
    bool records; /* a quoted field may hold newlines */
    bool table;   /* fields by column; otherwise a list: ids first, then the weight */
    bool plain;   /* a table whose usual line looks like a list of numbers: the fast path may be tried */
    int source, target, weight, direction; /* columns of a table; direction and weight may be -1 */
    /* Fields of a record; a record with more is refused, one with fewer if a wanted one is missing */
    int columns;
    bool comments;                /* a line that begins with # or % is none of the table */
    bool asks;                    /* unless it turns out that it has the name of an end, or the form of an edge */
    bool hash_rows;               /* below a header, where nobody said so: such a line may be a row */
    uint64_t data_at, comment_at; /* the first line of data; the last comment above it, which may name the columns */
    char decimal;                 /* of weights: '.' or ',' */
    bool decimal_known;           /* said, or seen: the other sign is between thousands */
    wfi_listing_kind lists;
    bool colon;         /* v: n1 n2 ... */
    bool matrix;        /* it is none of these: wfi_matrix_gather */
    bool may_be_matrix; /* or it may be */
    bool networkx;      /* has NetworkX's comment above an adjacency list */
    bool konect;        /* has a comment of KONECT's */
    bool may_be_sized;  /* nothing speaks against a first line "n m" so far */
    bool sized;         /* the first line looks like one; if size_skipped, it is not among the edges */
    bool size_skipped;
    uint64_t size_vertices, size_edges;
    uint64_t size_line;      /* for messages */
    wfi_table_columns *kept; /* the names of the columns, for the graph; NULL: none */
    wfi_edge_fields *fields; /* what else is wanted of an edge; NULL: nothing */
} wfi_edgelist_style;

/* What an earlier attempt at the same file found out. */
typedef struct wfi_edgelist_known {
    bool records;           /* a quote was not closed on its line */
    bool unsized;           /* the first line is not "n m" */
    bool padded;            /* an id has a zero at its front: all are names */
    wfi_listing_kind lists; /* what the format says */
    wfi_edge_fields *fields;
} wfi_edgelist_known;

/* `aloud`: notes are made.  style->kept belongs to the caller. */
weft_status wfi_edgelist_look(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                              const wfi_edgelist_known *known, bool aloud, wfi_edgelist_style *style);

/* The first 64 KiB of a text, or all of it if it is shorter. */
typedef struct wfi_head {
    const wfi_source *source;
    const char *text, *end; /* *end is a newline */
    const char *line;       /* the first line of data */
    const char *comment;    /* the last one above the data, which may name the columns; NULL: none */
    bool cut_off;           /* the file goes on */
    bool comments;          /* lines that begin with # or % are none of the data */
} wfi_head;

/* That codes such as 007 stay what they are. */
void wfi_edgelist_note_padded(weft_ctx *ctx, const wfi_source *source);

/* Ids and separator of rows of neighbours. */
void wfi_edgelist_look_at_rows(const weft_read_params *params, const wfi_head *h, wfi_edgelist_style *style);

/* A record, as the style has it. */
static inline wfi_record wfi_edge_record_at(const wfi_edgelist_style *style, const char *line, const char *end) {
    wfi_record r = wfi_record_at(line, end, style->separator);
    r.runs = r.runs || style->runs;
    return r;
}

/* The first separator or byte below a blank, eight bytes at a time; NULL: there is none before the last bytes. */
static inline const char *wfi_field_end(const char *p, const char *last, char separator) {
    for (; p <= last; p += 8) {
        uint64_t bytes = wfi_load_8(p), found = wfi_bytes_equal(bytes, separator) | wfi_bytes_below(bytes, ' ');
        if (found) return p + wfi_first_byte(found);
    }
    return NULL;
}

/* --- lines ------------------------------------------------------------------------------ */

/* One file on its way into a table. */
typedef struct wfi_edgelist_job {
    weft_ctx *ctx;
    wfi_edgelist_style style;
    uint64_t limit;               /* ids at or above it do not take the fast path */
    uint64_t vertices;            /* params->vertices: ids must lie below it; 0 = any */
    weft_weight_type weight_type; /* of weights while they are read */
    bool check_direction;         /* the column of directions decides, so it must not change its mind */
    wfi_edge_binder *binders;     /* per thread */
    wfi_table *table;
    size_t first_piece; /* of this file */
    struct wfi_singles {
        int64_t *id;
        size_t count, capacity;
    } * singles; /* per thread: "#v id" */
    int threads;
    _Atomic bool open_quote; /* a quoted field was not closed where its block ends */
    bool refuses_padded;     /* an id with a zero at its front is no number */
    _Atomic bool padded;     /* and there is one */
    pthread_mutex_t lock;
    struct wfi_hash_lines { /* lines that begin with # or %; under the lock */
        wfi_names *words;   /* names of ends, with the sign, that lines taken for comments would have */
        uint64_t *at;       /* of each, the first line that begins with it and looks like the edges around it */
        size_t capacity;
        uint64_t count, first;  /* of such lines, how many there are and where the first is */
        uint64_t rows;          /* lines below a header that are none of its rows */
        _Atomic uint64_t total; /* of lines that were taken for comments; without the lock */
    } hashes;
} wfi_edgelist_job;

/* Where a block is being read. */
typedef struct wfi_edge_cursor {
    wfi_edgelist_job *j;
    const wfi_text_block *block;
    wfi_parse_error *error;
    const char *p;
} wfi_edge_cursor;

/* Fails at c->p: what is there, and what was expected. */
weft_status wfi_edge_unexpected(wfi_edge_cursor *c, const char *expected);

/* --- fields that are wanted beside ends and weight (edgelist_wanted.c) --------------------------- */

/* A field of a record, by its column; after all of them: does the edge stay? */
weft_status wfi_edge_wanted_take(wfi_edge_cursor *c, int column, const wfi_field *f);
weft_status wfi_edge_wanted_decide(wfi_edge_cursor *c, bool *stays);
/* A record without surprises: the start of the next, or NULL if it is not that simple. */
weft_status wfi_edge_wanted_fast(wfi_edgelist_job *j, const wfi_text_block *block, const char *line, const char **next);

/* One line or record at `line` into the collector of the block's thread; *next = the start of the next. */
typedef weft_status (*wfi_edge_line_fn)(wfi_edgelist_job *j, const wfi_text_block *block, const char *line,
                                        const char **next, wfi_parse_error *error);
weft_status wfi_edge_record(wfi_edgelist_job *j, const wfi_text_block *block, const char *line, const char **next,
                            wfi_parse_error *error);
weft_status wfi_edge_notation(wfi_edgelist_job *j, const wfi_text_block *block, const char *line, const char **next,
                              wfi_parse_error *error);
weft_status wfi_edge_row(wfi_edgelist_job *j, const wfi_text_block *block, const char *line, const char **next,
                         wfi_parse_error *error);
/* A vertex that needs no edge. */
weft_status wfi_edge_single(wfi_edgelist_job *j, int thread, int64_t id);
/* The line at p, which begins with # or %, is passed over; if it could be an edge its names are kept. */
weft_status wfi_edge_passed_over(wfi_edgelist_job *j, const wfi_text_block *block, const char *p, const char *end);
/* The line at c->p, below a header, begins with # or %: *passed if it cannot be a row; fails where it may be none. */
weft_status wfi_edge_hash_row(wfi_edge_cursor *c, bool *passed);

/* A field as the collector knows a vertex: its id, or the number of its name; `name` and `id`: what a message calls it.
 * wfi_edge_quotes fails for a quoted field that is open or has junk after it. */
weft_status wfi_edge_vertex(wfi_edge_cursor *c, const wfi_field *f, const char *name, const char *id, int64_t *vertex);
weft_status wfi_edge_quotes(wfi_edge_cursor *c, const wfi_field *field);

/* An edge of two fields, and a weight if the style has one (weight->text may be NULL: it is missing). */
weft_status wfi_edge_of_fields(wfi_edge_cursor *c, const wfi_field *source, const wfi_field *target,
                               const wfi_field *weight);

/* The fields of a line in some notation: two ids, and the weight or a field with text = NULL.  False: it does not have
 * that form; `wrong` is where. */
typedef struct wfi_edge_parts {
    wfi_field source, target, weight;
    const char *wrong;
} wfi_edge_parts;
bool wfi_notation_fields(wfi_notation notation, const char *line, const char *end, wfi_edge_parts *e);

/* After all edges: was the first line "n m"?  Takes it out if so, and says it; WEFT_EINPUT when that cannot be told.
 * *again: it was skipped, but is none: the file has to be read with it. */
weft_status wfi_edgelist_take_size_away(weft_ctx *ctx, const wfi_source *source, wfi_edgelist_job *j, bool *again);

/* After all edges: does one have an end whose name stands at the front of a line that was passed over?  WEFT_EINPUT if
 * so. */
weft_status wfi_edgelist_check_hashes(weft_ctx *ctx, wfi_source *source, const wfi_edgelist_job *j);
/* The same of a text in which every line begins so. */
weft_status wfi_edgelist_ask_of_hashes(weft_ctx *ctx, const wfi_source *source, const char *text, const char *end);

/* --- the whole ------------------------------------------------------------------------------ */

/* table->format: as the caller or the name has it, adjlist and sif are read as such; NULL: an edge list. */
weft_status wfi_edgelist_gather(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table);

/* Adjacency matrices as tables: a row of numbers for each vertex, with names above the columns, before the rows, both
 * or neither.  The number in row u, column v is the weight of the edge u -> v; 0 and an empty cell are no edge, and
 * where all others are 1 the graph has no weights.  Without names the vertices are 0, 1, 2, ... */
typedef struct wfi_matrix {
    char separator, decimal;
    int columns;
    bool above, before; /* names */
    uint64_t rows;      /* that were seen */
    bool named;         /* those before are those above, in their order */
    bool counted;       /* those above are 0, 1, 2, ..., as programs call columns that have no names */
    bool worded;        /* those before are words */
    bool marks;         /* all cells are 0 or 1 */
    bool hollow,
        mirrored; /* all of it was seen, and the diagonal is empty; and row u, column v is as row v, column u */
    bool full[2], bare[2]; /* all cells below the diagonal are there, all above it; none is */
    bool half;             /* all of it was seen, one side of the diagonal is full, and the other bare */
} wfi_matrix;

/* What the records of the view from its line on are as a matrix: false if not all have as many fields, or one is no
 * number. */
weft_status wfi_matrix_look(weft_ctx *ctx, const wfi_head *h, char separator, wfi_matrix *m, bool *fits);

/* The file is one.  WEFT_EINPUT at the first cell that is no number, or row that is too short or long. */
weft_status wfi_matrix_gather(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table);

#endif
