/* Every algorithm with each of its option sets on every graph of the matrix: the bytes of the answer are the same with
 * 1, 2, 3 and 7 threads, of which 1 and 7 with the transpose at hand too, by every method there is, and on the GPU; the
 * verifier accepts them.  Of the ways a cell has the first and a third of the others, in turn: each option set meets
 * each way on a third of the graphs.  With WEFT_MATRIX=all (make slow) it has every one. */
#include "cuda/device.h"
#include "graph_matrix.h"
#include "variants.h"

/* A way to the same bytes. */
typedef struct way {
    const char *name;
    weft_device device;
    int threads;
    bool transpose; /* at hand before the run; for directed graphs */
} way;

static const way ways[] = {
    {"1 thread", WEFT_DEVICE_CPU, 1, false},
    {"2 threads", WEFT_DEVICE_CPU, 2, false},
    {"3 threads", WEFT_DEVICE_CPU, 3, false},
    {"7 threads", WEFT_DEVICE_CPU, 7, false},
    {"1 thread, transpose at hand", WEFT_DEVICE_CPU, 1, true},
    {"7 threads, transpose at hand", WEFT_DEVICE_CPU, 7, true},
};

/* The graph as the way wants it; false when this way is the same as another. */
static bool prepare(weft_ctx *ctx, weft_graph *g, const way *w) {
    weft_csr in = {.size = sizeof in};
    weft_ctx_set_threads(ctx, w->threads);
    weft_ctx_set_device(ctx, w->device);
    if (!w->transpose) forget_transpose(g);
    if (w->transpose && weft_graph_directed(g)) CHECK(weft_graph_in(ctx, g, &in) == WEFT_OK);
    return !w->transpose || weft_graph_directed(g);
}

static void verify(weft_ctx *ctx, const weft_algorithm_info *a, const variant *v, const weft_graph *g,
                   const weft_result *r, const char *graph) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    weft_status st = weft_check(ctx, a->name, g, v->params, r, &report);
    if (st || !report.passed) HARNESS_FAIL("%s, %s, of %s: %s", a->name, v->name, graph, report.message);
}

/* Has the cell this way?  Graphs come in pairs, directed and not, which have the same turn; the next option set has the
 * next. */
static bool has_way(size_t w, size_t turn) { return w == 0 || (w + turn) % 3 == 0 || asked_for_all("WEFT_MATRIX"); }

/* The verifier takes longer than most runs.  Each option set meets it on every third pair of graphs, and one whose
 * bytes must be those of a twin needs none. */
static bool is_verified(const variant *v, const weft_graph *g, size_t turn) {
    if (asked_for_all("WEFT_MATRIX")) return true;
    return v->twin < 0 && turn % 3 == 0 && (!(v->needs & SLOW_VERIFIER) || weft_graph_vertices(g) <= 5000);
}

/* The ways of one variant; the answer, or NULL when the algorithm does not take this graph. */
static weft_result *same_all_ways(weft_ctx *ctx, const weft_algorithm_info *a, const variant *v, weft_graph *g,
                                  const char *graph, size_t turn) {
    weft_result *first = NULL;
    for (size_t w = 0; w < LENGTH(ways); w++) {
        if (!has_way(w, turn) || !prepare(ctx, g, &ways[w])) continue;
        weft_result *r = NULL;
        weft_status st = run_variant(ctx, a, v, g, &r);
        if (refused_as_undirected(a, g, st)) return NULL;
        if (st) {
            HARNESS_FAIL("%s, %s, of %s, %s: %s", a->name, v->name, graph, ways[w].name, weft_ctx_message(ctx));
            break;
        }
        const char *where = first ? difference(first, r) : NULL;
        if (where) HARNESS_FAIL("%s, %s, of %s: %s differs with %s", a->name, v->name, graph, where, ways[w].name);
        if (!first && is_verified(v, g, turn)) verify(ctx, a, v, g, r, graph);
        if (first)
            weft_result_free(r);
        else
            first = r;
    }
    return first;
}

static int cells(weft_ctx *ctx, const weft_algorithm_info *a, weft_graph *g, const char *graph, size_t turn) {
    int done = 0;
    variants list = variants_of(a, g, false);
    weft_result *answer[MOST_VARIANTS] = {NULL};
    for (size_t i = 0; i < list.count; i++) {
        const variant *v = &list.at[i];
        if (!variant_fits(v, g)) continue;
        answer[i] = same_all_ways(ctx, a, v, g, graph, turn + i);
        done += answer[i] != NULL;
        const weft_result *twin = v->twin >= 0 ? answer[v->twin] : NULL;
        const char *where = answer[i] && twin ? difference(twin, answer[i]) : NULL;
        if (where)
            HARNESS_FAIL("%s of %s: %s differs between %s and %s", a->name, graph, where, list.at[v->twin].name,
                         v->name);
    }
    for (size_t i = 0; i < list.count; i++) weft_result_free(answer[i]);
    variants_free(&list);
    return done;
}

/* Pairs of graphs are dealt out. */
static bool is_of_this_part(size_t graph) { return graph / 2 % part_of_test().of == part_of_test().at; }

TEST(the_same_bytes_for_all_graphs_options_threads_and_methods) {
    CHECK(weft_algorithm_count() <= 64);
    int done[64] = {0}, enough = 10 / (int)part_of_test().of;
    for (size_t i = 0; i < LENGTH(matrix_graphs); i++) {
        if (!is_of_this_part(i)) continue;
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = make_matrix_graph(ctx, &matrix_graphs[i]);
        for (size_t a = 0; g && a < weft_algorithm_count(); a++)
            done[a] += cells(ctx, weft_algorithm_at(a), g, matrix_graphs[i].name, i / 2);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
    for (size_t a = 0; a < weft_algorithm_count(); a++)
        if (done[a] < enough) HARNESS_FAIL("%s ran on %d cells only", weft_algorithm_at(a)->name, done[a]);
}

/* What became of the cells of an algorithm on the GPU. */
typedef struct tally {
    int compared, refused;
} tally;

/* One variant on the CPU and twice on the GPU, which makes its copy of the graph in the first run. */
static void same_on_gpu(weft_ctx *ctx, const weft_algorithm_info *a, const variant *v, weft_graph *g, const char *graph,
                        tally *t) {
    weft_result *cpu = NULL;
    bool refused = false;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    if (run_variant(ctx, a, v, g, &cpu)) return; /* the other test sees to that */
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (int i = 0; i < 2; i++) {
        weft_result *gpu = NULL;
        weft_status st = run_variant(ctx, a, v, g, &gpu);
        refused = refused_by_gpu(a, v, g, st);
        if (refused && i) HARNESS_FAIL("%s, %s, of %s: the GPU refuses the second run", a->name, v->name, graph);
        if (refused) break;
        const char *where = st ? weft_ctx_message(ctx) : difference(cpu, gpu);
        if (where) HARNESS_FAIL("%s, %s, of %s on the GPU, run %d: %s", a->name, v->name, graph, i + 1, where);
        weft_result_free(gpu);
    }
    weft_result_free(cpu);
    t->compared += !refused;
    t->refused += refused;
}

TEST(the_gpu_gives_the_same_bytes) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    tally done[64] = {{0, 0}};
    int enough = 10 / (int)part_of_test().of;
    CHECK(weft_algorithm_count() <= LENGTH(done));
    for (size_t i = 0; i < LENGTH(matrix_graphs); i++) {
        if (!is_of_this_part(i)) continue;
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = make_matrix_graph(ctx, &matrix_graphs[i]);
        for (size_t a = 0; g && a < weft_algorithm_count(); a++) {
            const weft_algorithm_info *info = weft_algorithm_at(a);
            variants list = variants_of(info, g, false);
            for (size_t k = 0; info->on_cuda && k < list.count; k++)
                if (!list.at[k].run && variant_fits(&list.at[k], g))
                    same_on_gpu(ctx, info, &list.at[k], g, matrix_graphs[i].name, &done[a]);
            variants_free(&list);
        }
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
    int compared = 0;
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        compared += done[a].compared;
        if (weft_algorithm_at(a)->on_cuda && done[a].compared < enough)
            HARNESS_FAIL("%s was compared on %d cells only, and refused on %d", weft_algorithm_at(a)->name,
                         done[a].compared, done[a].refused);
    }
    if (!compared) HARNESS_FAIL("there is a GPU, and nothing was compared on it");
}

TEST_MAIN()
