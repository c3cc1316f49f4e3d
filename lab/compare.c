/* Rows of a table beside each other: speed-ups, and the rates that make rungs comparable. */
#include "lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *lab_kind_name(lab_kind kind) {
    static const char *const names[] = {
        [LAB_WHOLE_RUN] = "whole runs", [LAB_KERNELS_ONLY] = "kernels", [LAB_NOT_SAID] = "not said"};
    return names[kind];
}

double lab_kernels_ms(const lab_row *row) { return row->event_ms > 0 ? row->event_ms : row->part_ms[LAB_KERNELS]; }

double lab_ms_of(const lab_row *row, lab_kind kind) {
    return kind == LAB_KERNELS_ONLY ? lab_kernels_ms(row) : row->median_ms;
}

double lab_gbs(const lab_row *row) {
    double ms = lab_kernels_ms(row);
    return ms > 0 ? row->bytes / ms / 1e6 : 0;
}

double lab_edges_per_second(const lab_row *row) {
    double ms = lab_kernels_ms(row);
    return ms > 0 ? row->edges / ms * 1e3 : 0;
}

void lab_difference_words(char room[32], const lab_row *row) {
    const char *instead = row->nan_apart ? "NaN" : row->inf_apart ? "overflow" : isnan(row->difference) ? "" : NULL;
    if (instead)
        snprintf(room, 32, "%s", instead);
    else
        snprintf(room, 32, "%.2g", row->difference);
}

void lab_scalar_words(char room[32], const lab_row *row) {
    *room = 0;
    if (!isnan(row->scalar)) snprintf(room, 32, "%.4g", row->scalar);
}

static const lab_row *verified_row(const lab_table *t, const char *name) {
    for (size_t i = 0; name && i < t->row_count; i++)
        if (t->rows[i].status == LAB_VERIFIED && strcmp(t->rows[i].rung->name, name) == 0) return &t->rows[i];
    return NULL;
}

/* With the rung it names: what changed is in the kernels, but two devices can only be compared by all that a run takes. */
static void compare_with_named(const lab_table *t, lab_row *row) {
    row->against = verified_row(t, row->rung->against);
    if (!row->against) return;
    row->against_by = row->against->rung->device == row->rung->device ? LAB_KERNELS_ONLY : LAB_WHOLE_RUN;
    double mine = lab_ms_of(row, row->against_by), other = lab_ms_of(row->against, row->against_by);
    row->on_against = mine > 0 && other > 0 ? other / mine : 0;
}

void lab_compare(lab_table *t) {
    const lab_row *first = NULL, *previous = NULL;
    for (size_t i = 0; i < t->row_count; i++) {
        lab_row *row = &t->rows[i];
        if (row->status != LAB_VERIFIED) continue;
        if (first) row->on_first = first->median_ms / row->median_ms;
        if (previous) row->on_previous = previous->median_ms / row->median_ms;
        row->first = first;
        row->previous = previous;
        compare_with_named(t, row);
        if (!first) first = row;
        previous = row;
    }
}
