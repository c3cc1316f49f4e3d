/* bipartite on the GPU: the CPU's bytes, sides and odd cycle, on graphs that are deep, flat, in many parts. */
#include "gpu_shapes.h"
#include "weft/bipartite.h"

static void nothing(arc_list *a) { a->n = 1000; }
static void loops(arc_list *a) {
    a->n = 300;
    for (uint64_t v = 100; v < a->n; v += 7) add(a, v, v);
}
static void star(arc_list *a) {
    a->n = 100000;
    for (uint64_t v = 1; v < a->n; v++) add(a, v, 0);
}
static void cycle(arc_list *a, uint64_t length) {
    for (uint64_t i = 0; i < length; i++) add(a, a->n + i, a->n + (i + 1) % length);
    a->n += length;
}
static void even_cycle(arc_list *a) { cycle(a, 200000); }
static void odd_cycle(arc_list *a) { cycle(a, 200001); }
static void cycles(arc_list *a) {
    for (uint64_t length = 100; length > 3; length -= 2) cycle(a, length);
    cycle(a, 33);
    cycle(a, 7);
    cycle(a, 40);
}

/* The columns joined in turn, and one edge that has no business there. */
static void grid(arc_list *a) {
    const uint64_t side = 300;
    a->n = side * side;
    for (uint64_t v = 0; v < a->n; v++) {
        if ((v + 1) % side) add(a, v + 1, v);
        if (v + side < a->n) add(a, v, v + side);
    }
}
static void grid_with_one_more(arc_list *a) {
    grid(a);
    add(a, 70000, 70301);
}
static void random_arcs(arc_list *a, uint64_t n, uint64_t m, uint64_t step) {
    a->n = n;
    for (uint64_t i = 0; i < m; i++)
        add(a, random_at(7, 2 * i) % (n / step) * step, random_at(7, 2 * i + 1) % (n / step) * step + step / 2);
}
static void two_sides(arc_list *a) { random_arcs(a, 100000, 300000, 2); }
static void sparse(arc_list *a) { random_arcs(a, 100000, 60000, 1); }
static void dense(arc_list *a) { random_arcs(a, 500, 60000, 1); }

static const shape shapes[] = {
    {"no arcs at all", nothing},
    {"loops", loops},
    {"a star", star},
    {"an even cycle", even_cycle},
    {"an odd cycle", odd_cycle},
    {"many cycles", cycles},
    {"a grid", grid},
    {"a grid and one edge more", grid_with_one_more},
    {"random, two sides", two_sides},
    {"random, sparse", sparse},
    {"random, dense", dense},
};

static void try(weft_ctx *ctx, const weft_graph *g, const char *name) {
    weft_bipartite_params p = WEFT_BIPARTITE_DEFAULTS;
    same_on_both(ctx, "bipartite", g, &p, name);
}

TEST(the_gpu_gives_the_cpus_sides_and_cycles) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    each_shape(shapes, LENGTH(shapes), try);
}

TEST_MAIN()
