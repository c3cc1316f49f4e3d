/* weft lab: what its parts share.  lab.c decides what is run, lab_table.c and lab_json.c show; running and the report are the
 * lab's own (lab/). */
#ifndef WEFT_CLI_LAB_H
#define WEFT_CLI_LAB_H

#include "bench.h"
#include "report.h"

/* One ladder, with the parameters and rungs that were asked for. */
typedef struct lab_asked {
    const lab_ladder *ladder;
    const char *words; /* its parameters, as given */
    bench_spec spec;
    bool *chosen;
} lab_asked;

void lab_list(void);
void lab_list_json(const lab_book *none, FILE *to);
void lab_print(const lab_book *book);
void lab_json(const lab_book *book, FILE *to);

#endif
