/* The report's charts, each with its table.  A chart that has nothing to show writes nothing. */
#ifndef WEFT_LAB_CHARTS_H
#define WEFT_LAB_CHARTS_H

#include "report.h"

void chart_times(FILE *to, const lab_table *t);
void chart_sizes(FILE *to, const lab_page *pages, size_t count);
void chart_sizes_table(FILE *to, const lab_page *pages, size_t count); /* its numbers; the end of the figure */
void chart_roofline(FILE *to, const lab_table *t, const weft_machine *m);
void chart_parts(FILE *to, const lab_table *t);
void chart_blocks(FILE *to, const lab_table *t);
void chart_degrees(FILE *to, const lab_page *page);

extern const char *const chart_part_names[LAB_PARTS];

/* What charts share (charts.c). */
enum { CHART_LINE = 26, CHART_MOST_LABELS = 64 }; /* from one rung's bar to the next; beside one chart */
bool chart_measured(const lab_row *row);          /* only such a row has a time */
const char *chart_device(const lab_row *row);     /* "cpu", "gpu": a class of the style */
const char *chart_id(char room[96], const lab_table *t, const char *chart);
const char *chart_color(size_t i);                                     /* of line i: a class of the style */
void chart_label(char room[80], size_t number, const lab_rung *rung);  /* svg_label.text: "9 gpu-transposed" */
const lab_row *chart_row_of(const lab_table *t, const lab_rung *rung); /* NULL = it was not reached there */
double chart_name_room(const lab_table *t); /* width for the numbers and names of the table's rungs */
/* A table below a chart: begun as a whole, with a head that ends with NULL, or opened, given its columns one by one, then rows.
 * It is ended together with the figure, or closed alone. */
void chart_table_begin(FILE *to, const char *caption, const char *const *head);
void chart_table_open(FILE *to, const char *caption);
void chart_table_column(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void chart_table_rows(FILE *to);
void chart_table_close(FILE *to);
void chart_table_end(FILE *to);
void chart_cell_ms(FILE *to, double ms);

/* Who takes part where the best are compared: rungs on the CPU; on the GPU those that bring the graph along in each run; and the
 * library's rung, for which it is already there. */
typedef enum chart_side { CHART_CPU, CHART_BROUGHT, CHART_THERE } chart_side;
const char *chart_side_words(chart_side side);

/* The fastest verified rung of a side that does the work that was asked for (lab_row.other_work).  One that ran fewer times than it
 * should takes part only where no other is there.  NULL = there is none. */
const lab_row *chart_best(const lab_table *t, chart_side side);

/* Is the GPU ahead, as the size grows?  From `vertices` on, by log-log interpolation between two sizes of a sweep; at all sizes; at
 * none; at some, but not at the largest. */
typedef enum chart_outcome {
    CHART_NOT_MEASURED,
    CHART_CROSSES,
    CHART_ALWAYS,
    CHART_NEVER,
    CHART_NOT_AT_LAST
} chart_outcome;
typedef struct chart_even {
    chart_outcome outcome;
    double vertices; /* CHART_CROSSES only */
    bool fewer_runs; /* a best rung of some size ran fewer times than it should */
} chart_even;
chart_even chart_break_even(const lab_page *pages, size_t count, chart_side gpu);
const char *chart_outcome_name(chart_outcome outcome); /* for JSON: "crosses" */
void chart_even_words(char room[160], const chart_even *even);

/* The best rung on the GPU beside the best on the CPU, by Amdahl: of the CPU's time, `rest` is what the GPU takes for everything but
 * kernels (allocate, copy, launch, free), and the kernels are `kernels` times faster: speed-up = 1 / (rest + 1 / kernels), and no
 * kernel, however fast, gets above limit = 1 / rest. */
typedef struct chart_amdahl_point {
    const lab_row *cpu, *gpu;
    double speedup, kernels, rest, limit;
} chart_amdahl_point;
/* False = there is no such pair. */
bool chart_amdahl_of(const lab_table *t, chart_side gpu, chart_amdahl_point *point);
/* A chart for each of the two sides of the GPU. */
void chart_amdahl(FILE *to, const lab_page *pages, size_t count);

#endif
