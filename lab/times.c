/* Medians of whole runs and of each part; the spread is the fastest and the slowest. */
#include "times.h"

#include <stdlib.h>
#include <string.h>

static int compare_times(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static double median(double *x, size_t count) {
    qsort(x, count, sizeof *x, compare_times);
    return (x[(count - 1) / 2] + x[count / 2]) / 2;
}

/* The median of one figure of all runs, which lies `at` bytes into each; scratch then holds them in order. */
static double median_at(const lab_times *all, size_t runs, size_t at, double *scratch) {
    for (size_t i = 0; i < runs; i++) memcpy(&scratch[i], (const char *)&all[i] + at, sizeof *scratch);
    return median(scratch, runs);
}

void lab_summarize(lab_row *row, const lab_times *all, size_t runs, double *scratch) {
    for (size_t p = 0; p < LAB_PARTS; p++)
        row->part_ms[p] = median_at(all, runs, offsetof(lab_times, part_ms) + p * sizeof(double), scratch);
    row->network_ms = median_at(all, runs, offsetof(lab_times, network_ms), scratch);
    row->event_ms = median_at(all, runs, offsetof(lab_times, event_ms), scratch);
    row->median_ms = median_at(all, runs, offsetof(lab_times, whole_ms), scratch);
    row->min_ms = scratch[0];
    row->max_ms = scratch[runs - 1];
    row->occupancy = all[0].occupancy;
    row->runs = runs;
}
