/* Times of single runs, and what a row shows of them. */
#ifndef WEFT_LAB_TIMES_H
#define WEFT_LAB_TIMES_H

#include "lab.h"

/* What is kept of one run. */
typedef struct lab_times {
    double part_ms[LAB_PARTS], whole_ms, event_ms, network_ms, occupancy;
} lab_times;

/* The row's times, of at least one run; scratch has room for a number a run. */
void lab_summarize(lab_row *row, const lab_times *all, size_t runs, double *scratch);

#endif
