/* Dependency graphs replayed edge by edge, with a tracker that refuses what closes a cycle.
 *
 *   bench_cycle [FILE ...]     directed edge lists; without any, those of Debian and CRAN in WEFT_SHARED_DATA, if there is such a folder
 *
 * Each edge is a batch of its own, in the order of the rows.  No rate without a verified answer: for each refused edge a search through the
 * accepted ones finds the way back from its target; the cycle that the message shows begins there; and in the end the graph has exactly the
 * accepted edges, and a topological order. */
#include "bench.h"
#include "weft/toposort.h"

typedef struct lists {
    weft_vid n, *head, *next, *to; /* accepted arcs: head[v] and next[e] are 1 + e */
    weft_vid *stack, *seen, round;
    size_t arcs;
} lists;

static weft_ctx *ctx;

static void must(int good, const char *what) {
    if (good) return;
    fprintf(stderr, "bench_cycle: %s: %s\n", what, weft_ctx_message(ctx));
    exit(1);
}

static void *zeros(size_t count, size_t each) {
    void *block = calloc(count + 1, each);
    if (!block) exit(1);
    return block;
}

static void accept(lists *l, weft_vid u, weft_vid v) {
    l->to[++l->arcs] = v;
    l->next[l->arcs] = l->head[u];
    l->head[u] = (weft_vid)l->arcs;
}

static int leads_to(lists *l, weft_vid from, weft_vid to) {
    size_t top = 0;
    l->round++;
    l->stack[top++] = from;
    l->seen[from] = l->round;
    while (top) {
        weft_vid v = l->stack[--top];
        if (v == to) return 1;
        for (weft_vid e = l->head[v]; e; e = l->next[e]) {
            if (l->seen[l->to[e]] == l->round) continue;
            l->seen[l->to[e]] = l->round;
            l->stack[top++] = l->to[e];
        }
    }
    return 0;
}

static weft_tracker *guard(weft_dynamic *d) {
    weft_track_params how = WEFT_TRACK_DEFAULTS;
    weft_tracker *t = NULL;
    how.refuse = 1;
    must(!weft_dynamic_track(ctx, d, "cycle", NULL, &how, &t), "track");
    return t;
}

static void check_message(int64_t u, int64_t v) {
    char begin[128], first[64];
    const char *message = weft_ctx_message(ctx), *shown = strstr(message, ": ");
    snprintf(begin, sizeof begin, "the edge %lld -> %lld closes a cycle of ", (long long)u, (long long)v);
    snprintf(first, sizeof first, ": %lld -> ", (long long)v);
    must(!strncmp(message, begin, strlen(begin)) && shown && !strncmp(shown, first, strlen(first)), "wrong message");
}

static void replay(const char *path) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_graph *g = NULL, *last = NULL;
    weft_csr out = {.size = sizeof out};
    weft_dynamic *d = NULL;
    p.direction = WEFT_DIRECTED;
    must(!weft_read(ctx, path, &p, &g) && !weft_graph_out(ctx, g, &out), path);
    must(!weft_dynamic_new(ctx, NULL, NULL, &d), "new");
    weft_tracker *t = guard(d);
    lists l = {.n = out.vertices};
    l.head = zeros(l.n, 4), l.stack = zeros(l.n, 4), l.seen = zeros(l.n, 4);
    l.next = zeros(out.arcs + 1, 4), l.to = zeros(out.arcs + 1, 4);
    double spent = 0, longest = 0;
    uint64_t refused = 0;
    for (weft_vid u = 0; u < l.n; u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            weft_vid v = out.targets[e];
            int64_t from = u, to = v;
            weft_batch b = WEFT_BATCH_DEFAULTS;
            b.count = 1;
            b.sources = &from;
            b.targets = &to;
            double begin = bench_now_ms();
            weft_status st = weft_dynamic_apply(ctx, d, &b, NULL);
            double took = bench_now_ms() - begin;
            spent += took;
            longest = took > longest ? took : longest;
            must(!st || st == WEFT_EINVAL, "apply");
            if (!st) {
                accept(&l, u, v);
                continue;
            }
            refused++;
            check_message(from, to);
            must(leads_to(&l, v, u), "an edge was refused that closes no cycle");
        }
    weft_result *r = NULL;
    must(!weft_dynamic_snapshot(ctx, d, &last) && !weft_toposort(ctx, last, NULL, &r), "toposort");
    must(weft_result_scalar(r, "acyclic")->value.u64 == 1 && weft_graph_edges(last) == l.arcs, "a cycle was accepted");
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    printf("| %s | %u | %" PRIu64 " | %" PRIu64 " | %.0f | %.1f |\n", name, l.n, (uint64_t)out.arcs, refused,
           (double)out.arcs / spent, longest);
    fflush(stdout);
    weft_result_free(r);
    weft_graph_free(last);
    weft_tracker_free(t);
    weft_dynamic_free(d);
    weft_graph_free(g);
    free(l.head), free(l.stack), free(l.seen), free(l.next), free(l.to);
}

int main(int argc, char **argv) {
    static const char *const known[] = {
        "cran-deps/cran-2020-05-imports-depends-linkingto.el.zst", "cran-deps/cran-2020-05-with-suggests.el.zst",
        "debian-deps/debian-bookworm-depends.el.zst", "debian-deps/debian-bookworm-depends-recommends.el.zst",
        "debian-deps/debian-bookworm-depends-recommends-suggests.el.zst"};
    const char *folder = getenv("WEFT_SHARED_DATA");
    if (argc < 2 && !folder) {
        puts("bench_cycle: skipped: no FILE was given, and WEFT_SHARED_DATA names no folder");
        return 77;
    }
    if (weft_ctx_new(&ctx)) return 1;
    puts("| graph | vertices | edges | refused | thousand edges/s | longest, ms |\n|---|--:|--:|--:|--:|--:|");
    for (int i = 1; i < argc; i++) replay(argv[i]);
    for (size_t i = 0; argc < 2 && i < sizeof known / sizeof *known; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, known[i]);
        if (access(path, R_OK))
            printf("skipped: %s is not there\n", known[i]);
        else
            replay(path);
    }
    weft_ctx_free(ctx);
    return 0;
}
