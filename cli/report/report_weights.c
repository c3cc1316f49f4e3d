/* The weights of the edges: the count of each value, where there are few values, else of each bin.  Bins have equal
 * widths, or, where all weights are above 0 and span two powers of ten or more, each bin is a third wider than the one
 * before. An undirected edge counts once.  One thread, in the order of the arcs. */
#include "report/graph_report.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_VALUES = 40, EVEN_BINS = 30, MOST_BINS = 4000 };

typedef struct histogram {
    double first[MOST_BINS + 1]; /* start of each bin, and the end of the last */
    uint64_t count[MOST_BINS];
    size_t bins;
    bool by_value; /* each bin is one value */
} histogram;

typedef struct weights {
    const report *r;
    weft_csr rows; /* and of the edges: */
    uint64_t edges, negative, zero;
    double sum;
} weights;

static double weight_at(const weights *w, weft_eid e) {
    switch (w->r->info.weight_type) {
    case WEFT_WEIGHT_U32: return ((const uint32_t *)w->rows.weights)[e];
    case WEFT_WEIGHT_F32: return (double)((const float *)w->rows.weights)[e];
    default: return ((const double *)w->rows.weights)[e];
    }
}

/* The bin of x, or the place where its value would be inserted. */
static size_t find(const histogram *h, double x) {
    size_t low = 0, high = h->bins;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (h->first[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Counts each value while there are few; false: there are too many. */
static bool add_value(histogram *h, double x) {
    size_t at = find(h, x);
    if (at == h->bins || h->first[at] != x) {
        if (h->bins == MOST_VALUES) return false;
        for (size_t i = h->bins; i > at; i--) h->first[i] = h->first[i - 1], h->count[i] = h->count[i - 1];
        h->first[at] = x;
        h->count[at] = 0;
        h->bins++;
    }
    h->count[at]++;
    return true;
}

/* Bins of whole numbers begin at whole numbers. */
static void set_bins(histogram *h, double least, double most, bool whole) {
    bool widening = least > 0 && most / least >= 100;
    double even = (most - least) / EVEN_BINS;
    if (whole) even = ceil((most - least + 1) / EVEN_BINS);
    h->bins = 0;
    for (double x = least; h->bins < (widening ? MOST_BINS : EVEN_BINS) && x <= most;) {
        h->first[h->bins] = x;
        h->count[h->bins++] = 0;
        x = !widening ? least + even * (double)h->bins : whole ? (double)report_bin_end((uint64_t)x) : x * 4 / 3;
    }
    h->first[h->bins] = whole ? most + 1 : most;
}

static void add_to_bin(histogram *h, double x) {
    size_t at = find(h, x);
    h->count[at == h->bins || h->first[at] > x ? at - 1 : at]++;
}

/* Counts each edge once; in bins if bins are set, else by value, while there are few values. */
static void count_weights(weights *w, histogram *h) {
    bool binned = h->bins;
    h->by_value = !binned;
    for (weft_vid u = 0; u < w->rows.vertices; u++)
        for (weft_eid e = w->rows.offsets[u]; e < w->rows.offsets[u + 1]; e++) {
            if (!w->r->info.directed && w->rows.targets[e] < u) continue;
            double x = weight_at(w, e);
            if (binned)
                add_to_bin(h, x);
            else if (h->by_value)
                h->by_value = add_value(h, x);
            w->edges++;
            w->sum += x;
            w->negative += x < 0;
            w->zero += x == 0;
        }
}

static void put_histogram(report *r, const histogram *h) {
    double whole = r->info.weight_type == WEFT_WEIGHT_U32 ? 1 : 0;
    report_table(r, "weights", (const char *const[]){"from", "to", "edges", NULL});
    for (size_t i = 0; i < h->bins; i++) {
        report_row(r);
        json_f64(r->j, NULL, h->first[i]);
        json_f64(r->j, NULL, h->by_value ? h->first[i] : h->first[i + 1] - whole);
        json_u64(r->j, NULL, h->count[i]);
        report_row_end(r);
    }
    report_table_end(r);
}

int report_weights(report *r) {
    weights w = {.r = r, .rows = {.size = sizeof w.rows}};
    double began = cli_now_ms();
    if (r->info.weight_type == WEFT_WEIGHT_NONE) return EXIT_DONE;
    histogram *h = cli_take(1, sizeof *h);
    if (!h) return EXIT_MEMORY;
    report_section(r, "weights");
    weft_status st = weft_graph_out(r->ctx, r->g, &w.rows);
    if (!st) {
        count_weights(&w, h);
        if (!h->by_value) {
            w = (weights){.r = r, .rows = w.rows};
            set_bins(h, r->info.min_weight, r->info.max_weight, r->info.weight_type == WEFT_WEIGHT_U32);
            count_weights(&w, h);
        }
        r->found.negative = w.negative;
        report_counted(r, "weights of the edges, by value or in bins", "each edge once", cli_now_ms() - began);
        report_values(r);
        json_f64(r->j, "mean", w.edges ? w.sum / (double)w.edges : (double)NAN);
        json_f64(r->j, "sum", w.sum);
        json_u64(r->j, "negative", w.negative);
        json_u64(r->j, "zero", w.zero);
        report_tables(r);
        put_histogram(r, h);
        report_section_end(r);
    }
    free(h);
    return st ? cli_fail_status(r->ctx, st) : EXIT_DONE;
}
