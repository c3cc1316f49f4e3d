/* The best rung of each side, and from which size on the GPU is ahead.
 * Like with like: rungs that do less than was asked for take no part, and on the GPU a graph that is brought along in each run and
 * one that is already there are two questions, each with its own answer. */
#include "charts.h"

#include <math.h>

const char *chart_side_words(chart_side side) {
    static const char *const words[] = {[CHART_CPU] = "on the CPU",
                                        [CHART_BROUGHT] = "graph brought along in each run",
                                        [CHART_THERE] = "graph already there"};
    return words[side];
}

static bool on_side(const lab_row *row, chart_side side) {
    if (row->rung->device == LAB_CPU) return side == CHART_CPU;
    return side == (row->resident ? CHART_THERE : CHART_BROUGHT);
}

/* Runs as many as were asked for come first, then the time. */
static bool better(const lab_row *row, const lab_row *best) {
    if (!best || row->impatient != best->impatient) return !best || best->impatient;
    return row->median_ms < best->median_ms;
}

const lab_row *chart_best(const lab_table *t, chart_side side) {
    const lab_row *best = NULL;
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (row->status != LAB_VERIFIED || row->other_work || !on_side(row, side)) continue;
        if (better(row, best)) best = row;
    }
    return best;
}

chart_even chart_break_even(const lab_page *pages, size_t count, chart_side gpu_side) {
    chart_even even = {CHART_NOT_MEASURED, 0, false};
    double before = 0, size_before = 0;
    for (size_t i = 0; i < count; i++) {
        const lab_table *t = &pages[i].table;
        const lab_row *cpu = chart_best(t, CHART_CPU), *gpu = chart_best(t, gpu_side);
        if (!pages[i].sized || !cpu || !gpu || !(cpu->median_ms > 0) || !(gpu->median_ms > 0)) continue;
        double ahead = log(cpu->median_ms / gpu->median_ms), size = (double)t->info.vertices; /* below 0: behind */
        bool crosses = size_before > 0 && before < 0 && ahead >= 0;
        if (crosses) even.vertices = exp(log(size_before) + log(size / size_before) * before / (before - ahead));
        if (ahead < 0)
            even.outcome =
                even.outcome == CHART_NOT_MEASURED || even.outcome == CHART_NEVER ? CHART_NEVER : CHART_NOT_AT_LAST;
        else if (crosses)
            even.outcome = CHART_CROSSES;
        else if (even.outcome == CHART_NOT_MEASURED)
            even.outcome = CHART_ALWAYS;
        even.fewer_runs = even.fewer_runs || cpu->impatient || gpu->impatient;
        before = ahead;
        size_before = size;
    }
    if (even.outcome != CHART_CROSSES) even.vertices = 0;
    return even;
}

const char *chart_outcome_name(chart_outcome outcome) {
    static const char *const names[] = {[CHART_NOT_MEASURED] = "not measured",
                                        [CHART_CROSSES] = "crosses",
                                        [CHART_ALWAYS] = "always ahead",
                                        [CHART_NEVER] = "never ahead",
                                        [CHART_NOT_AT_LAST] = "not ahead at the largest"};
    return names[outcome];
}

void chart_even_words(char room[160], const chart_even *even) {
    static const char *const words[] = {[CHART_NOT_MEASURED] = "not measured here",
                                        [CHART_CROSSES] = "the GPU is ahead from about ",
                                        [CHART_ALWAYS] = "the GPU is ahead at every size measured",
                                        [CHART_NEVER] = "the GPU is ahead at no size measured",
                                        [CHART_NOT_AT_LAST] = "the GPU is ahead at some sizes, not at the largest"};
    char size[48] = "";
    if (even->outcome == CHART_CROSSES) snprintf(size, sizeof size, "%.0f vertices on", even->vertices);
    snprintf(room, 160, "%s%s%s", words[even->outcome], size,
             even->fewer_runs ? " (some of it from fewer runs than asked for)" : "");
}
