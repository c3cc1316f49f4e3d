/* What a run of the lab found, as a whole, and the report made of it. */
#ifndef WEFT_LAB_REPORT_H
#define WEFT_LAB_REPORT_H

#include "lab.h"

#include <stdio.h>

/* A table with what the charts need of its input. */
typedef struct lab_page {
    lab_table table;
    bool sized;                   /* one of a sweep over sizes */
    uint64_t *degree, *of_degree; /* of the out-rows: so many vertices have this degree; malloc'ed */
    size_t degree_count;
} lab_page;

typedef struct lab_book {
    const weft_machine *machine;
    char date[32];
    int threads;
    double load; /* the machine's load average before; below 0 = not known */
    size_t runs;
    double patience_s;
    lab_page *pages; /* of one ladder together: its input first, then the sizes */
    size_t page_count;
    bool complete;
} lab_book;

extern const char lab_style[]; /* made of cli/page/base.css and lab/page.css by the build */

/* Were the processors in use by others before it began?  The words that say so. */
bool lab_was_busy(const lab_book *book);
extern const char lab_busy_words[];
/* A rung's part of the report (card.c). */
void lab_card(FILE *to, const lab_table *t, const lab_row *row);

/* One HTML file that loads nothing: story, code, numbers, charts. */
void lab_report(const lab_book *book, FILE *to);

#endif
