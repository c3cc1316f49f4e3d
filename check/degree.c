/* degree: counts every arc at both of its ends and compares; the distribution must count every vertex once. */
#include "checks.h"
#include "watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong(const weft_graph *g, weft_vid v, const char *column, uint64_t got, uint64_t want,
                 weft_check_report *report) {
    char id[128];
    weft_graph_id_text(g, v, id, sizeof id);
    snprintf(report->message, sizeof report->message, "vertex %s: %s is %" PRIu64 ", but %" PRIu64 " arcs were counted",
             id, column, got, want);
    return 0;
}

static int columns_right(const weft_graph *g, const weft_result *result, const uint64_t *in, const uint64_t *out,
                         weft_check_report *report) {
    const uint64_t *got_in = weft_result_u64(result, "in"), *got_out = weft_result_u64(result, "out"),
                   *got_total = weft_result_u64(result, "total");
    if (!got_in || !got_out || !got_total) {
        snprintf(report->message, sizeof report->message, "a column is missing");
        return 0;
    }
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
        uint64_t total = weft_graph_directed(g) ? in[v] + out[v] : out[v];
        if (got_in[v] != in[v]) return wrong(g, v, "in", got_in[v], in[v], report);
        if (got_out[v] != out[v]) return wrong(g, v, "out", got_out[v], out[v], report);
        if (got_total[v] != total) return wrong(g, v, "total", got_total[v], total, report);
    }
    return 1;
}

/* Each row of the table is recounted by a pass over all vertices. */
static int distribution_right(const weft_graph *g, const weft_result *result, weft_check_report *report) {
    const weft_column *degree = weft_result_column(result, "degree"), *count = weft_result_column(result, "count");
    const uint64_t *total = weft_result_u64(result, "total");
    uint64_t vertices = 0, arcs = 0, ends = 0;
    for (size_t i = 0; degree && count && i < count->length; i++) {
        vertices += ((const uint64_t *)count->data)[i];
        ends += ((const uint64_t *)count->data)[i] * ((const uint64_t *)degree->data)[i];
        if (i && ((const uint64_t *)degree->data)[i] <= ((const uint64_t *)degree->data)[i - 1]) vertices = UINT64_MAX;
    }
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) arcs += total[v];
    if (vertices == weft_graph_vertices(g) && ends == arcs) return 1;
    snprintf(report->message, sizeof report->message,
             "the distribution counts %" PRIu64 " vertices and %" PRIu64 " arc ends; the columns have %u and %" PRIu64,
             vertices, ends, weft_graph_vertices(g), arcs);
    return 0;
}

weft_status weft_check_degree(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                              weft_check_report *report) {
    (void)params;
    check_watch watch = {.ctx = ctx};
    report->passed = 0;
    weft_vid n = weft_graph_vertices(g);
    uint64_t *in = calloc((size_t)n + 1, sizeof *in), *out = calloc((size_t)n + 1, sizeof *out);
    weft_status st = in && out ? WEFT_OK : WEFT_ENOMEM;
    weft_csr rows = check_out(&watch, g);
    for (weft_vid u = 0; !st && u < n && !check_stops(&watch, u); u++)
        for (weft_eid e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            out[u]++;
            in[rows.targets[e]]++;
        }
    if (!st && columns_right(g, result, in, out, report) && distribution_right(g, result, report)) {
        report->passed = 1;
        snprintf(report->message, sizeof report->message, "all %u vertices and the distribution recounted", n);
    }
    free(in);
    free(out);
    return check_ended(&watch, st, &report->passed);
}
