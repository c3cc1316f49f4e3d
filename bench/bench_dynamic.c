/* Updates a second into a dynamic graph: R-MAT arcs, directed, without weights, on top of an R-MAT base.
 *
 *   bench_dynamic [SCALE] [MOST]     base of 2^SCALE vertices and degree 16 (20); batches up to MOST changes (1000000)
 *
 * Arcs of a second R-MAT graph, shuffled, are inserted in batches of 1, 1 k, 100 k, ..., with and without a snapshot that is held
 * across each batch, for about two seconds a row.  No rate without a verified answer: in the end the snapshot must equal the graph that is built from all
 * arcs.  Then: what a snapshot takes, what packing takes, and what the store holds. */
#include "bench.h"

typedef struct arcs {
    weft_vid *u, *v;
    size_t count;
} arcs;

static weft_ctx *ctx;

static void must(weft_status st, const char *what) {
    if (!st) return;
    fprintf(stderr, "bench_dynamic: %s: %s\n", what, weft_ctx_message(ctx));
    exit(1);
}

static weft_graph *rmat(uint64_t scale, uint64_t seed) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.scale = scale;
    p.seed = seed;
    must(weft_generate(ctx, "rmat", &p, NULL, &g), "generate");
    return g;
}

static arcs arcs_of(const weft_graph *g) {
    weft_csr out = {.size = sizeof out};
    must(weft_graph_out(ctx, g, &out), "rows");
    arcs a = {malloc(4 * (size_t)out.arcs), malloc(4 * (size_t)out.arcs), (size_t)out.arcs};
    if (!a.u || !a.v) exit(1);
    for (weft_vid v = 0; v < out.vertices; v++)
        for (weft_eid e = out.offsets[v]; e < out.offsets[v + 1]; e++) a.u[e] = v, a.v[e] = out.targets[e];
    return a;
}

static void shuffle(arcs *a) {
    uint64_t x = 88172645463325252u;
    for (size_t i = a->count; i > 1; i--) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        size_t k = (size_t)(x % i);
        weft_vid u = a->u[i - 1], v = a->v[i - 1];
        a->u[i - 1] = a->u[k], a->v[i - 1] = a->v[k];
        a->u[k] = u, a->v[k] = v;
    }
}

/* The graph of the base's arcs and the first `more` of the others. */
static void verify(const weft_graph *base, const arcs *others, size_t more, const weft_graph *got) {
    arcs a = arcs_of(base);
    a.u = realloc(a.u, 4 * (a.count + more + 1));
    a.v = realloc(a.v, 4 * (a.count + more + 1));
    if (!a.u || !a.v) exit(1);
    memcpy(a.u + a.count, others->u, 4 * more);
    memcpy(a.v + a.count, others->v, 4 * more);
    weft_graph *want = NULL;
    int equal = 0;
    must(weft_graph_from_edges(ctx, weft_graph_vertices(base), a.count + more, a.u, a.v, NULL, WEFT_WEIGHT_NONE, NULL,
                               &want),
         "build");
    must(weft_graph_compare(ctx, want, got, &equal), "compare");
    if (!equal) {
        fprintf(stderr, "bench_dynamic: wrong graph: %s\n", weft_ctx_message(ctx));
        exit(1);
    }
    weft_graph_free(want);
    free(a.u);
    free(a.v);
}

static void row(const weft_graph *base, const arcs *others, size_t size, bool snapshots) {
    enum { MS = 2000 };
    weft_dynamic *d = NULL;
    weft_graph *held = NULL, *last = NULL;
    int64_t *u = malloc(8 * size), *v = malloc(8 * size);
    if (!u || !v) exit(1);
    must(weft_dynamic_new(ctx, base, NULL, &d), "new");
    double spent = 0;
    size_t done = 0;
    while (done + size <= others->count && spent < MS) {
        for (size_t i = 0; i < size; i++) u[i] = others->u[done + i], v[i] = others->v[done + i];
        weft_batch b = WEFT_BATCH_DEFAULTS;
        b.count = size;
        b.sources = u;
        b.targets = v;
        double begin = bench_now_ms();
        if (snapshots) {
            weft_graph_free(held);
            must(weft_dynamic_snapshot(ctx, d, &held), "snapshot");
        }
        must(weft_dynamic_apply(ctx, d, &b, NULL), "apply");
        spent += bench_now_ms() - begin;
        done += size;
    }
    double begin = bench_now_ms();
    must(weft_dynamic_snapshot(ctx, d, &last), "snapshot");
    double taken = bench_now_ms();
    weft_csr out = {.size = sizeof out};
    must(weft_graph_out(ctx, last, &out), "pack");
    double packed = bench_now_ms();
    verify(base, others, done, last);
    weft_dynamic_info info = {.size = sizeof info};
    weft_graph_free(held);
    must(weft_dynamic_describe(ctx, d, &info), "describe");
    printf("| %zu | %s | %.2f | %.2f | %.1f | %.1f | %.2f |\n", size, snapshots ? "yes" : "no",
           (double)done / spent / 1e3, spent * 1e3 * (double)size / (double)done, 1e3 * (taken - begin), packed - taken,
           (double)info.bytes / (4.0 * (double)info.arcs + 8.0 * (double)info.vertices));
    fflush(stdout);
    weft_graph_free(last);
    weft_dynamic_free(d);
    free(u);
    free(v);
}

int main(int argc, char **argv) {
    uint64_t scale = argc > 1 ? strtoull(argv[1], NULL, 10) : 20,
             most = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000000;
    if (weft_ctx_new(&ctx)) return 1;
    weft_graph *base = rmat(scale, 1), *second = rmat(scale, 2);
    arcs others = arcs_of(second);
    weft_graph_free(second);
    shuffle(&others);
    printf("R-MAT %llu: %u vertices, %llu arcs; %d threads\n\n", (unsigned long long)scale, weft_graph_vertices(base),
           (unsigned long long)weft_graph_arcs(base), weft_ctx_threads(ctx));
    puts("| batch | a snapshot held | M arcs/s | a batch, us | snapshot, us | packing, ms | store / CSR "
         "|\n|--:|---|--:|--:|--:|--:|--:|");
    for (size_t size = 1; size <= most; size *= size == 1 ? 1000 : size == 1000 ? 100 : 10) {
        if (size > others.count) break;
        row(base, &others, size, false);
        row(base, &others, size, true);
    }
    weft_graph_free(base);
    free(others.u);
    free(others.v);
    weft_ctx_free(ctx);
    return 0;
}
