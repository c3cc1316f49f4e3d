/* arrays: rows that lie in the program's own memory become a graph without a copy.
 * cc arrays.c $(pkg-config --cflags --libs weft) -o arrays */
#include <weft.h>

#include <stdio.h>

static void release(void *user) { printf("%s are the program's again\n", (const char *)user); }

int main(void) {
    static const uint64_t offsets[] = {0, 2, 3, 4, 4};
    static const uint32_t targets[] = {1, 2, 3, 3};
    static const double miles[] = {2.5, 1.0, 1.5, 4.0};
    static char name[] = "the rows";
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_vid source[] = {0}, target[] = {3};
    weft_arrays a = WEFT_ARRAYS_DEFAULTS;
    a.vertices = 4;
    a.edges = 4;
    a.offsets = offsets, a.offset_type = WEFT_U64;
    a.targets = targets, a.id_type = WEFT_U32;
    a.weights = miles, a.weight_type = WEFT_F64;
    a.release = release, a.user = name;
    weft_sssp_params p = WEFT_SSSP_DEFAULTS;
    p.sources = source, p.source_count = 1;
    p.targets = target, p.target_count = 1;
    weft_status st = weft_ctx_new(&ctx);
    if (!st) st = weft_graph_from_arrays(ctx, &a, NULL, &g);
    if (!st) st = weft_sssp(ctx, g, &p, &r);
    if (!st) printf("%g miles\n", weft_result_f64(r, "distance")[3]);
    if (st) fprintf(stderr, "arrays: %s\n", ctx ? weft_ctx_message(ctx) : weft_status_text(st));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return st ? 1 : 0;
}
