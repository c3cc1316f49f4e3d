/* rank FILE: the ten vertices with the highest PageRank.  cc rank.c $(pkg-config --cflags --libs weft) -o rank */
#include <weft.h>

#include <stdio.h>

int main(int argc, char **argv) {
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_vid top[10];
    size_t count = 0;
    weft_status st = weft_ctx_new(&ctx);
    if (!st) st = weft_read(ctx, argc > 1 ? argv[1] : "web.txt.gz", NULL, &g);
    if (!st) st = weft_pagerank(ctx, g, NULL, &r);
    if (!st) st = weft_top_k(ctx, weft_result_column(r, "rank"), 0, WEFT_LARGEST_FIRST, 10, top, &count);
    const float *rank = weft_result_f32(r, "rank");
    for (size_t i = 0; !st && i < count; i++) {
        char id[64];
        weft_graph_id_text(g, top[i], id, sizeof id);
        printf("%s\t%.6f\n", id, rank[top[i]]);
    }
    if (st) fprintf(stderr, "rank: %s\n", ctx ? weft_ctx_message(ctx) : weft_status_text(st));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return st ? 1 : 0;
}
