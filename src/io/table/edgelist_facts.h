/* What the beginning of an edge list shows (edgelist_facts.c), for the file that decides what it means
 * (edgelist_detect.c). */
#ifndef WFI_EDGELIST_FACTS_H
#define WFI_EDGELIST_FACTS_H

#include "io/table/edgelist.h"

/* The next data line that is there as a whole; NULL at the end. */
static inline const char *wfi_next_whole_line(const wfi_head *h, const char **at) {
    const char *line = wfi_next_data_line(at, h->end, h->comments);
    return h->cut_off && *at > h->end ? NULL : line;
}

static inline const char *wfi_head_line_end(const char *p, const char *end) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline ? newline : end;
}

/* --- columns -------------------------------------------------------------------------------------- */

/* What can be said of one value. */
enum {
    WFI_FACT_SEEN = 1,
    WFI_FACT_INTEGER = 2,
    WFI_FACT_WHOLE = 4, /* be it 1.0 */
    WFI_FACT_NUMBER = 8,
    WFI_FACT_SPELT = 16, /* a number in some spelling, such as 1,000.5 */
    WFI_FACT_FRACTION = 32,
    WFI_FACT_PADDED = 64, /* a zero at its front */
    WFI_FACT_TIME = 128,
    WFI_FACT_DIRECTION = 256, /* Directed or Undirected */
    WFI_FACT_FORMED = 512,    /* has digits, or marks that identifiers have and words for columns have not */
    WFI_FACT_QUOTED = 1024
};

/* One column, the first record apart until it is known to be data. */
typedef struct wfi_column_facts {
    wfi_field first, sample; /* of the first record; the first value after it */
    unsigned all, any;       /* what is true of all values, and of one; 0: there is no value */
    bool numbers;            /* the first value is a number */
    wfi_spelling spelling;
} wfi_column_facts;

typedef struct wfi_table_facts {
    wfi_column_facts *columns; /* one more than the first record has fields */
    wfi_column *named;         /* by the first record, until a comment above it is found to name them; one more */
    char *plain;               /* behind these: room for names in quotes */
    int fields, rows;
    int least, most;    /* fields of the other records */
    bool last_empty;    /* the last field of every other record is empty */
    bool repeats;       /* a word of the first record occurs again */
    const char *second; /* the second record, or NULL */
} wfi_table_facts;

/* Looks at all records of the head.  The arrays are the caller's to free, also after a failure. */
weft_status wfi_table_look(weft_ctx *ctx, const wfi_head *h, const wfi_edgelist_style *style, wfi_table_facts *t);
/* The fields of the record name the columns.  False: one of them is no word. */
bool wfi_table_name(wfi_table_facts *t, wfi_record r);
/* The first record is data after all: its values count like the others. */
void wfi_table_join(wfi_table_facts *t);
wfi_column_kind wfi_column_kind_of(const wfi_column_facts *c);
int wfi_count_fields(wfi_record r); /* 4096 at most */
bool wfi_field_has_form(const wfi_field *f);

static inline bool wfi_all(const wfi_column_facts *c, unsigned what) { return (c->all & what) == what; }
static inline bool wfi_field_is_text(const wfi_field *f) {
    return f->length && !wfi_field_is_any_number(f) && !wfi_field_is_missing(f);
}

/* --- forms ---------------------------------------------------------------------------------------- */

/* Forms that are known but not read: where in the head the form shows, or NULL. */
typedef const char *wfi_find_form(const wfi_head *h);
wfi_find_form wfi_find_lgl, wfi_find_tgf, wfi_find_multiline, wfi_find_smat, wfi_find_weighed_rows, wfi_find_giraph,
    wfi_find_double_bars, wfi_find_slashes, wfi_find_scipy, wfi_find_hard_space, wfi_find_arrow;

/* Does the record name both ends of the edges? */
bool wfi_names_both_ends(wfi_record r);
int wfi_filled_fields(wfi_record r);
/* v: n1 n2 ... on all lines, and no other colon?  one_tells: on the first. */
bool wfi_has_colons(const wfi_head *h, bool one_tells);
/* 1 2 0,5: commas between the digits of the last of several words, and nowhere else. */
bool wfi_has_decimals_between_blanks(const wfi_head *h);
/* A bracket that opens in one field of the first record and closes in another. */
bool wfi_brackets_span(const wfi_table_facts *t);
/* Rows of three ids: the first in none other, the third at the front of another, no two the same. */
weft_status wfi_look_for_threes(weft_ctx *ctx, const wfi_head *h, const wfi_edgelist_style *style, bool *yes);
/* Of the first line: tabs between its fields and no blanks; a field between two tabs that is empty. */
bool wfi_has_tabs_alone(const wfi_head *h);
bool wfi_has_empty_field(const wfi_head *h);
/* Does a quoted field hold a newline? */
bool wfi_has_long_records(const wfi_head *h, char separator);

/* --- the decision ---------------------------------------------------------------------------------- */

/* How well a reading fits. */
typedef enum wfi_score { WFI_NO, WFI_PERHAPS, WFI_ASK, WFI_YES } wfi_score;

/* One file, while it is decided about. */
typedef struct wfi_detection {
    weft_ctx *ctx;
    weft_read_params params; /* with the separator that the file itself names */
    wfi_head head;
    bool aloud; /* notes are made */
    wfi_edgelist_style *style;
    wfi_table_facts table;
} wfi_detection;

#define WFI_REFUSE(d, place, ...) wfi_fail_in_text((d)->ctx, (d)->head.source, (d)->head.text, (place), __VA_ARGS__)
#define WFI_NOTE(d, format, ...) \
    ((d)->aloud ? wfi_note((d)->ctx, "%s: " format, wfi_source_name((d)->head.source), ##__VA_ARGS__) : (void)0)

/* A list or a table: its columns (edgelist_columns.c).  WEFT_EINPUT with the flags that decide where they are not
 * clear. */
weft_status wfi_detect_columns(wfi_detection *d);

#endif
