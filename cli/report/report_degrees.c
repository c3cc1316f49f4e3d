/* The degree distribution: the number of vertices of each degree, the same in bins, and a power law fitted to the
 * tail. */
#include "report/graph_report.h"
#include "report/power_law.h"

#include <math.h>

enum {
    SEED = 1,
    LEAST_LARGEST = 50
}; /* below that there is no tail: any few falling numbers are near some power law */

typedef struct side {
    const char *name, *bins;
    weft_side side;
    power_law_data data; /* of weft_graph_degree_distribution */
    power_law fit;
} side;

static uint64_t replicates(const report *r) { return r->call->options.quick ? 0 : r->call->options.replicates; }

uint64_t report_bin_end(uint64_t first) { return first < 8 ? first + 1 : first + first / 3; }

/* The share of vertices with at least a degree, a straight line for a power law on logarithmic axes. */
static void put_table(report *r, const side *s) {
    uint64_t left = r->info.vertices;
    report_table(r, s->name, (const char *const[]){"degree", "vertices", "share_at_or_above", NULL});
    for (size_t i = 0; i < s->data.length; i++) {
        report_row(r);
        json_u64(r->j, NULL, s->data.value[i]);
        json_u64(r->j, NULL, s->data.count[i]);
        json_f64(r->j, NULL, (double)left / (double)r->info.vertices);
        report_row_end(r);
        left -= s->data.count[i];
    }
    report_table_end(r);
}

/* density: the share of vertices for each degree in the bin. */
static void put_bins(report *r, const side *s) {
    size_t i = 0;
    report_table(r, s->bins, (const char *const[]){"from", "to", "vertices", "density", NULL});
    for (uint64_t first = 0, end; i < s->data.length; first = end) {
        uint64_t count = 0;
        end = report_bin_end(first);
        for (; i < s->data.length && s->data.value[i] < end; i++) count += s->data.count[i];
        if (!count) continue;
        report_row(r);
        json_u64(r->j, NULL, first);
        json_u64(r->j, NULL, end - 1);
        json_u64(r->j, NULL, count);
        json_f64(r->j, NULL, (double)count / (double)(end - first) / (double)r->info.vertices);
        report_row_end(r);
    }
    report_table_end(r);
}

static void put_fit(report *r, const side *s) {
    const power_law *f = &s->fit;
    json_open_object(r->j, s->name, false);
    json_bool(r->j, "found", f->found);
    if (f->found) {
        json_f64(r->j, "alpha", f->alpha);
        json_f64(r->j, "alpha_error", f->error);
        json_u64(r->j, "xmin", f->xmin);
        json_u64(r->j, "tail", f->tail);
        json_f64(r->j, "ks", f->distance);
        json_u64(r->j, "replicates", f->replicates);
        json_f64(r->j, "p", f->p);
        if (f->replicates) json_bool(r->j, "plausible", f->p > 0.1);
    }
    json_close(r->j);
}

static int measure(report *r, side *s) {
    weft_status st =
        weft_graph_degree_distribution(r->ctx, r->g, s->side, &s->data.value, &s->data.count, &s->data.length);
    if (st) return cli_fail_status(r->ctx, st);
    if (!s->data.length || s->data.value[s->data.length - 1] < LEAST_LARGEST) return EXIT_DONE;
    power_law_fit(&s->data, &s->fit);
    if (power_law_test(&s->data, replicates(r), SEED, cli_interrupted, &s->fit)) return EXIT_DONE;
    return cli_interrupted() ? cli_fail(EXIT_INTERRUPTED, "interrupted") : cli_fail(EXIT_MEMORY, "out of memory");
}

static void put_how(report *r, double fit_ms) {
    json_open_object(r->j, NULL, false);
    json_text(r->j, "gives", "alpha, its standard error, xmin and p");
    json_text(r->j, "algorithm", "power law fit (Clauset, Shalizi, Newman 2009)");
    json_open_object(r->j, "parameters", true);
    json_u64(r->j, "replicates", replicates(r));
    json_u64(r->j, "seed", SEED);
    json_close(r->j);
    json_text(
        r->j, "method",
        "discrete maximum likelihood; xmin by the smallest Kolmogorov-Smirnov distance, every degree up to 20 and then "
        "in steps of 8 %; p by synthetic data. Vertices of degree 0 are left out");
    json_text(r->j, "backend", "cpu");
    json_text(r->j, "exact", "estimate");
    json_rounded(r->j, "ms", fit_ms);
    json_close(r->j);
}

int report_degrees(report *r) {
    bool directed = r->info.directed;
    side sides[] = {{directed ? "in" : "degree",
                     directed ? "in_bins" : "degree_bins",
                     directed ? WEFT_SIDE_IN : WEFT_SIDE_OUT,
                     {NULL, NULL, 0, 0},
                     {0}},
                    {"out", "out_bins", WEFT_SIDE_OUT, {NULL, NULL, 0, 0}, {0}}};
    size_t count = directed ? 2 : 1;
    report_section(r, "degrees");
    int code = report_run(r, "degree", NULL, "degrees and their distributions", "exact", &r->degree);
    double began = cli_now_ms();
    for (size_t i = 0; i < count && !code; i++) code = measure(r, &sides[i]);
    if (!code) {
        if (sides[0].fit.found || sides[1].fit.found) put_how(r, cli_now_ms() - began);
        report_values(r);
        for (size_t i = 0; i < count; i++) put_fit(r, &sides[i]);
        report_tables(r);
        for (size_t i = 0; i < count; i++) {
            put_table(r, &sides[i]);
            put_bins(r, &sides[i]);
        }
        report_section_end(r);
    }
    for (size_t i = 0; i < count; i++) {
        weft_free(r->ctx, sides[i].data.value);
        weft_free(r->ctx, sides[i].data.count);
    }
    return code;
}
