/* The report's charts, each with its table.  A chart that has nothing to show writes nothing. */
#ifndef WEFT_LAB_CHARTS_H
#define WEFT_LAB_CHARTS_H

#include "report.h"

void chart_times(FILE *to, const lab_table *t);
void chart_sizes(FILE *to, const lab_page *pages, size_t count);
void chart_roofline(FILE *to, const lab_table *t, const weft_machine *m);
void chart_parts(FILE *to, const lab_table *t);
void chart_blocks(FILE *to, const lab_table *t);
void chart_degrees(FILE *to, const lab_page *page);

extern const char *const chart_part_names[LAB_PARTS];

/* What charts share (charts.c). */
enum { CHART_LINE = 26 };                     /* from one rung's bar to the next */
bool chart_measured(const lab_row *row);      /* only such a row has a time */
const char *chart_device(const lab_row *row); /* "cpu", "gpu": a class of the style */
const char *chart_id(char room[96], const lab_table *t, const char *chart);
double chart_name_room(const lab_table *t); /* width for the numbers and names of the table's rungs */
void chart_table_begin(FILE *to, const char *caption, const char *const *head); /* head ends with NULL */
void chart_table_end(FILE *to);                                                 /* and the figure */
void chart_cell_ms(FILE *to, double ms);

/* By log-log interpolation between sizes of a sweep: the number of vertices from which on the best rung on the GPU is faster
 * than the best on the CPU.  0 = there is no rung on the GPU, or the lines do not cross. */
double chart_break_even(const lab_page *pages, size_t count);

/* The fastest verified rung on a device; NULL = there is none. */
const lab_row *chart_best(const lab_table *t, lab_device device);

/* The best rung on the GPU beside the best on the CPU, by Amdahl: of the CPU's time, `rest` is what the GPU takes for everything but
 * kernels (allocate, copy, free), and the kernels are `kernels` times faster: speed-up = 1 / (rest + 1 / kernels), and no kernel,
 * however fast, gets above limit = 1 / rest. */
typedef struct chart_amdahl_point {
    const lab_row *cpu, *gpu;
    double speedup, kernels, rest, limit;
} chart_amdahl_point;
/* False = there is no such pair. */
bool chart_amdahl_of(const lab_table *t, chart_amdahl_point *point);
void chart_amdahl(FILE *to, const lab_page *pages, size_t count);

#endif
