/* The first lines of an edge list, column by column (edgelist_first.c), for whoever decides what they mean
 * (edgelist_header.c). */
#ifndef WFI_EDGELIST_FIRST_H
#define WFI_EDGELIST_FIRST_H

#include "io/table/edgelist.h"

/* What the values of one column have in common, the first record apart. */
typedef struct wfi_first_column {
    wfi_field first, sample; /* of the first record; the first value after it */
    bool seen, integers, numbers, decimals, times, directions, formed, quoted; /* numbers: the first; the others: all */
    bool wholes, padded, fractions; /* all are whole, be it 1.0; one has a zero at its front; one is 1.5 */
    bool words, spelt;              /* none is a number in any spelling; all are */
    wfi_spelling spelling;
} wfi_first_column;

typedef struct wfi_first_lines {
    wfi_first_column *columns; /* one more than the first record has fields */
    int fields, rows;
    int least, most;    /* fields of the other records */
    bool last_empty;    /* the last field of every other record is empty */
    bool repeats;       /* a word of the first record occurs again */
    const char *second; /* the second record, or NULL */
} wfi_first_lines;

/* Looks at all records of the head.  The columns are the caller's to free, also after a failure. */
weft_status wfi_first_lines_look(weft_ctx *ctx, const wfi_edgelist_view *view, const wfi_edgelist_style *style,
                                 wfi_first_lines *g);
/* The first record is data after all: its values count like the others. */
void wfi_first_lines_join(wfi_first_lines *g);
wfi_column_kind wfi_first_column_kind(const wfi_first_column *c);

int wfi_count_fields(wfi_record r); /* 4096 at most */
/* Digits, or the marks that identifiers have and words for columns have not. */
bool wfi_field_has_form(const wfi_field *f);
static inline bool wfi_field_is_text(const wfi_field *f) {
    return f->length && !wfi_field_is_any_number(f) && !wfi_field_is_missing(f);
}

#endif
