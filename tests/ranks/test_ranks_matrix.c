/* Every algorithm that ranks can share, with each of its option sets, on every graph of the matrix: the bytes of one machine on 1, 2, 3, 5, 8 and 16
 * virtual ranks, with equal parts, unequal ones, and ranks that have none, whether or not incoming rows are at hand.  What ranks hold and send is what the
 * plan said, or no more.  In one column, or as the plan chooses: of grids, test_ranks_grid.c.  The same as one rank of those that a launcher started (test_ranks_mpi_matrix.sh), on some graphs.
 * A third of these cells: each option set has each graph with some shapes, and each shape with some graphs.  With WEFT_RANKS_MATRIX=all (make slow) every cell, and
 * launched ranks have every graph. */
#include "graph_matrix.h"
#include "launched_ranks.h"
#include "rank_cells.h"
#include "weft/pagerank.h"

/* A bound is of use if it is not far from what could be sent: bytes for each vertex, arc and rank of a graph. */
enum { LOOSEST = 300 };

typedef struct shape {
    const char *name;
    int ranks;
    uint64_t weights[MOST_RANKS]; /* all 0: equal parts */
    bool transpose;
} shape;

static const shape shapes[] = {
    {"1 rank", 1, {0}, false},
    {"2 ranks", 2, {0}, false},
    {"2 ranks, uneven", 2, {1, 9}, true},
    {"3 ranks", 3, {0}, false},
    {"3 ranks, the second without any", 3, {1, 0, 1}, false},
    {"3 ranks, the first without any", 3, {0, 3, 1}, true},
    {"5 ranks, uneven", 5, {9, 1, 4, 1, 2}, false},
    {"8 ranks", 8, {0}, true},
    {"16 ranks", 16, {0}, false},
    {"16 ranks, one has nearly all", 16, {0, 0, 1, 0, 1, 99, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0}, false},
};

/* A search in it has thousands of levels, at each of which all ranks meet: one shape must do. */
static bool is_deep(const weft_algorithm_info *a, const char *graph) {
    return (!strcmp(a->name, "bfs") || !strcmp(a->name, "kcore")) &&
           (!strncmp(graph, "path", 4) || !strcmp(graph, "ring"));
}

static bool all_cells(void) { return asked_for_all("WEFT_RANKS_MATRIX"); }

/* Every option set with every shape would take minutes: later sets of long lists have some shapes each. */
static bool is_left_out(const weft_algorithm_info *a, const char *graph, size_t set, const shape *s, size_t shape_at) {
    if (is_deep(a, graph)) return set > 0 || strcmp(s->name, "3 ranks") != 0;
    if (s->ranks == MOST_RANKS && set > 0) return true; /* many more than cores: each meeting takes its time */
    return set > 1 && (set + shape_at) % 3;
}

/* Where cells run: virtual ranks, in every shape; or this process is a rank, and the shapes are those of the launch. */
typedef struct place {
    const shape *shapes;
    size_t count;
    size_t graph;       /* its number in the matrix */
    weft_ctx *launched; /* NULL: virtual ranks */
    wfi_comm *comm;
} place;

/* Shapes next to each other are left out already, of later sets (above). */
static bool is_of_another_third(const place *at, size_t set, size_t shape_at) {
    size_t turn = at->count > 3 ? shape_at / 3 : shape_at;
    return at->count > 1 && !all_cells() && (turn + at->graph + set) % 3;
}

static int cells(const place *at, weft_ctx *ctx, const weft_algorithm_info *a, weft_graph *g, const char *graph,
                 int *bounds, double *loose) {
    int done = 0;
    variants list = variants_of(a, g, true);
    for (size_t i = 0; i < list.count; i++) {
        const variant *v = &list.at[i];
        weft_result *expected = NULL;
        if (v->run || !variant_fits(v, g)) continue;
        bool compares = !at->launched || at->comm->link.rank == 0; /* the others need not know the answer */
        weft_status st = compares ? run_variant(ctx, a, v, g, &expected) : WEFT_OK;
        if (descriptor_of(a)->directed_only && !weft_graph_directed(g)) {
            CHECK(!compares || refused_as_undirected(a, g, st));
            continue;
        }
        for (size_t k = 0; k < at->count; k++) {
            const shape *s = &at->shapes[k];
            weft_csr in = {.size = sizeof in};
            bool even = true;
            if (is_left_out(a, graph, i, s, k) || is_of_another_third(at, i, k)) continue;
            for (int r = 0; r < s->ranks; r++) even = even && !s->weights[r];
            cell c = {a, v, g, expected, even ? NULL : s->weights, WEFT_DEVICE_CPU, "", false, 0};
            if (s->transpose && weft_graph_directed(g)) CHECK(weft_graph_in(ctx, g, &in) == WEFT_OK);
            if (!s->transpose) forget_transpose(g);
            if (at->launched)
                run_cell(at->launched, at->comm, &c);
            else
                on_ranks(s->ranks, run_cell, &c);
            *bounds += c.bound;
            *loose = fmax(*loose, c.loose);
            if (*c.trouble) HARNESS_FAIL("%s, %s, of %s, %s: %s", a->name, v->name, graph, s->name, c.trouble);
        }
        weft_result_free(expected);
        done++;
    }
    variants_free(&list);
    return done;
}

TEST(virtual_ranks_give_the_bytes_of_one_machine) {
    place at = {shapes, LENGTH(shapes), 0, NULL, NULL};
    int done[64] = {0}, bounds[64] = {0};
    double loose[64] = {0};
    for (size_t i = 0; i < LENGTH(matrix_graphs); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = make_matrix_graph(ctx, &matrix_graphs[i]);
        at.graph = i;
        for (size_t a = 0; g && a < weft_algorithm_count(); a++)
            if (weft_algorithm_at(a)->on_ranks)
                done[a] += cells(&at, ctx, weft_algorithm_at(a), g, matrix_graphs[i].name, &bounds[a], &loose[a]);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        const char *name = weft_algorithm_at(a)->name;
        bool bounded = weft_algorithm_at(a)->on_ranks && !descriptor_of(weft_algorithm_at(a))->sends_exactly;
        if (weft_algorithm_at(a)->on_ranks && done[a] < 10) HARNESS_FAIL("%s ran on %d cells only", name, done[a]);
        if (bounded && bounds[a] < 10) HARNESS_FAIL("%s had %d plans with a bound only", name, bounds[a]);
        if (loose[a] > LOOSEST)
            HARNESS_FAIL("%s: a plan says %.0f bytes for each vertex, arc and rank", name, loose[a]);
    }
}

/* Graphs of each kind, small enough for more ranks than cores. */
static bool is_for_all_launches(const char *graph) {
    static const char *const some[] = {"empty",
                                       "one vertex with loops",
                                       "star",
                                       "rmat-12",
                                       "rmat-12, undirected",
                                       "dense dag",
                                       "dense with a cycle",
                                       "loops and repeats",
                                       "loops and repeats, undirected"};
    bool wanted = all_cells();
    for (size_t i = 0; i < LENGTH(some); i++) wanted = wanted || !strcmp(graph, some[i]);
    return wanted;
}

/* About as many as rows. */
static int columns_for(int ranks) {
    int columns = 1;
    while (ranks % columns || columns * columns < ranks) columns++;
    return columns;
}

TEST(launched_ranks_give_the_bytes_of_one_machine) {
    wfi_link link;
    if (!open_launched(&link)) {
        if (!harness_failures) SKIP("not under a launcher");
        return;
    }
    char even[32];
    snprintf(even, sizeof even, "%d rank%s", link.size, link.size == 1 ? "" : "s");
    shape three[] = {
        {even, link.size, {0}, false}, {"uneven", link.size, {0}, true}, {"a rank without any", link.size, {0}, false}};
    for (int r = 0; r < link.size; r++) {
        three[1].weights[r] = (uint64_t)(1 + r * r % 7);
        three[2].weights[r] = r != link.size / 2;
    }
    weft_ctx *launched = new_ctx(1, NULL);
    wfi_comm *comm = wfi_comm_new(&link);
    REQUIRE(comm && link.size <= MOST_RANKS);
    wfi_ctx_set_comm(launched, comm);
    place at = {three, link.size == 1 ? 1 : LENGTH(three), 0, launched, comm};
    int done[64] = {0}, bounds = 0, grids = 0;
    double loose = 0;
    for (size_t i = 0; i < LENGTH(matrix_graphs); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = is_for_all_launches(matrix_graphs[i].name) ? make_matrix_graph(ctx, &matrix_graphs[i]) : NULL;
        at.graph = i;
        for (size_t a = 0; g && a < weft_algorithm_count(); a++)
            if (weft_algorithm_at(a)->on_ranks)
                done[a] += cells(&at, ctx, weft_algorithm_at(a), g, matrix_graphs[i].name, &bounds, &loose);
        comm->columns = columns_for(link.size);
        if (g && comm->columns > 1)
            grids += cells(&at, ctx, weft_algorithm_find("pagerank"), g, matrix_graphs[i].name, &bounds, &loose);
        comm->columns = 0;
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    for (size_t a = 0; a < weft_algorithm_count(); a++)
        if (weft_algorithm_at(a)->on_ranks && done[a] < 2)
            HARNESS_FAIL("%s ran on %d cells only", weft_algorithm_at(a)->name, done[a]);
    if (link.size > 1) CHECK(grids > 1);
    weft_ctx_free(launched);
}

/* Iterating to a tolerance sweeps parts of 2^16 vertices in turn, of which each rank has a part. */
TEST(parts_that_are_swept_in_turn_are_cut_one_by_one) {
    weft_ctx *ctx = new_ctx(1, NULL);
    for (int directed = 0; directed < 2; directed++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        weft_graph *g = NULL;
        p.n = 200000, p.degree = 3, p.max_weight = 9;
        build.direction = directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
        REQUIRE(weft_generate(ctx, "uniform", &p, &build, &g) == WEFT_OK);
        weft_pagerank_params rank = WEFT_PAGERANK_DEFAULTS;
        variant v = {.name = "to a tolerance"};
        rank.max_iterations = 3;
        rank.weights = directed;
        memcpy(v.params, &rank, sizeof rank);
        weft_result *expected = NULL;
        REQUIRE(weft_pagerank(ctx, g, &rank, &expected) == WEFT_OK);
        static const uint64_t uneven[] = {2, 0, 7};
        forget_transpose(g);
        for (int way = 0; way < 2; way++) {
            cell c = {
                weft_algorithm_find("pagerank"), &v, g, expected, way ? uneven : NULL, WEFT_DEVICE_CPU, "", false, 0};
            on_ranks(3, run_cell, &c);
            CHECK_TEXT(c.trouble, "");
        }
        weft_result_free(expected);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
