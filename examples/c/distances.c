/* distances FILE ID...: breadth-first searches from several vertices; how far each reaches, and a check of the answer. */
#include <weft.h>
#include <weft_check.h>

#include <stdio.h>
#include <stdlib.h>

static void print_rows(const weft_graph *g, const weft_result *r) {
    const weft_column *source = weft_result_column(r, "source");
    const weft_vid *vertex = weft_result_u32(r, "source");
    const uint64_t *reached = weft_result_u64(r, "source_reached"), *depth = weft_result_u64(r, "source_depth"),
                   *sum = weft_result_u64(r, "source_distances");
    for (size_t i = 0; i < source->length; i++) {
        char id[64];
        weft_graph_id_text(g, vertex[i], id, sizeof id);
        printf("%s reaches %llu vertices within %llu steps, %.3f on average\n", id, (unsigned long long)reached[i],
               (unsigned long long)depth[i], reached[i] > 1 ? (double)sum[i] / (double)(reached[i] - 1) : 0.0);
    }
}

int main(int argc, char **argv) {
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_read_params reading = WEFT_READ_DEFAULTS;
    weft_bfs_params params = WEFT_BFS_DEFAULTS;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    size_t count = argc > 2 ? (size_t)argc - 2 : 0;
    weft_vid *sources = malloc((count + 1) * sizeof *sources);
    if (!count || !sources) return fprintf(stderr, "usage: distances FILE ID...\n"), 2;
    reading.direction = WEFT_UNDIRECTED;
    weft_status st = weft_ctx_new(&ctx);
    if (!st) st = weft_read(ctx, argv[1], &reading, &g);
    for (size_t i = 0; !st && i < count; i++) st = weft_graph_find(ctx, g, argv[2 + i], &sources[i]);
    params.sources = sources;
    params.source_count = count;
    params.each = 1;
    if (!st) st = weft_bfs(ctx, g, &params, &r);
    if (!st) print_rows(g, r);
    if (!st) st = weft_check(ctx, "bfs", g, &params, r, &report);
    if (!st) printf("%s: %s\n", report.passed ? "verified" : "WRONG", report.message);
    if (st) fprintf(stderr, "distances: %s\n", ctx ? weft_ctx_message(ctx) : weft_status_text(st));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    free(sources);
    return st || !report.passed ? 1 : 0;
}
