/* A stopped call never says OK with a wrong graph or a part of a file: generating, reading, writing, transposing,
 * relabelling, subgraphs, projections, merging and comparing, stopped at each of their last polls in one thread, and at
 * random ones of the last tenth in several.  Of algorithms: test_stops.c. */
#include "stops.h"
#include "weft/path.h"
#include "weft/subgraph.h"

enum { LAST = 60, RANDOM = 60 };

/* Frees the graph. */
static weft_status print_graph(weft_ctx *ctx, weft_graph *g, weft_status st, uint64_t *print) {
    forget_stop(ctx);
    if (!st) st = weft_graph_fingerprint(ctx, g, print);
    weft_graph_free(g);
    return st;
}

static weft_status print_result(weft_ctx *ctx, weft_result *r, weft_status st, uint64_t *print) {
    forget_stop(ctx);
    if (!st) st = weft_result_digest(ctx, r, print);
    weft_result_free(r);
    return st;
}

/* In one thread, and in two to four. */
static void check_work(printed_work work, const void *input, const char *what) {
    static uint64_t turn;
    int times = under_a_microscope() ? RANDOM / 10 : RANDOM, threads = 2 + (int)(turn++ % 3);
    weft_ctx *alone = new_ctx(1, NULL), *several = new_ctx(threads, NULL);
    check_last_polls(alone, work, input, under_a_microscope() ? LAST / 6 : LAST, false, what);
    check_random_polls(several, work, input, times, turn, what);
    weft_ctx_free(several);
    weft_ctx_free(alone);
}

/* --- generating ---------------------------------------------------------------------------- */

typedef struct making {
    const weft_generator_info *kind;
    weft_generate_params p;
    weft_build_params build;
} making;

static weft_status work_generate(weft_ctx *ctx, const void *input, uint64_t *print) {
    const making *m = input;
    weft_graph *g = NULL;
    weft_status st = weft_generate(ctx, m->kind->name, &m->p, &m->build, &g);
    return print_graph(ctx, g, st, print);
}

TEST(generating) {
    for (size_t i = 0; i < weft_generator_count(); i++) {
        making m = {weft_generator_at(i), WEFT_GENERATE_DEFAULTS, WEFT_BUILD_DEFAULTS};
        for (size_t k = 0; k < m.kind->param_count; k++) {
            const char *name = weft_generator_param_at(m.kind, k)->name;
            if (!strcmp(name, "n")) m.p.n = 400;
            if (!strcmp(name, "scale")) m.p.scale = 10;
            if (!strcmp(name, "rows")) m.p.rows = 20;
        }
        check_work(work_generate, &m, m.kind->name);
    }
}

/* --- writing and reading ------------------------------------------------------------------- */

typedef struct filing {
    const weft_format_info *format;
    const weft_graph *g;
    char path[400];
} filing;

/* The file is there whole, or not at all. */
static weft_status work_write(weft_ctx *ctx, const void *input, uint64_t *print) {
    const filing *f = input;
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    size_t bytes = 0;
    p.format = f->format->name;
    unlink(f->path);
    weft_status st = weft_write(ctx, f->g, f->path, &p);
    unsigned char *data = read_file(f->path, &bytes);
    if (!st != (data != NULL)) HARNESS_FAIL("%s: status %d with%s a file", p.format, (int)st, data ? "" : "out");
    *print = 14695981039346656037u;
    for (size_t i = 0; i < bytes; i++) *print = (*print ^ data[i]) * 1099511628211u;
    free(data);
    return st;
}

static weft_status work_read(weft_ctx *ctx, const void *input, uint64_t *print) {
    const filing *f = input;
    weft_read_params p = reading(f->format->name);
    weft_graph *g = NULL;
    weft_status st = weft_read(ctx, f->path, &p, &g);
    return print_graph(ctx, g, st, print);
}

static weft_graph *random_weighted(weft_ctx *ctx, weft_direction direction, uint64_t n, double degree, uint64_t seed) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    p.n = n, p.degree = degree, p.max_weight = 9, p.seed = seed;
    build.direction = direction;
    build.loops = WEFT_LOOPS_DROP;
    if (weft_generate(ctx, "uniform", &p, &build, &g)) exit(1);
    return g;
}

TEST(writing_and_reading_every_format) {
    char folder[300];
    int files = 0;
    REQUIRE(make_temp(folder, sizeof folder));
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g[] = {random_weighted(ctx, WEFT_DIRECTED, 600, 3, 1),
                       random_weighted(ctx, WEFT_UNDIRECTED, 600, 3, 2)};
    for (size_t i = 0; i < weft_format_count(); i++) {
        const weft_format_info *format = weft_format_at(i);
        for (int directed = 0; directed < 2 && format->can_write; directed++) {
            filing f = {.format = format, .g = g[1 - directed]};
            char what[80];
            uint64_t print;
            snprintf(f.path, sizeof f.path, "%s/graph.%.*s", folder, (int)strcspn(format->extensions, " "),
                     format->extensions);
            if (work_write(ctx, &f, &print)) continue; /* it does not hold such graphs */
            snprintf(what, sizeof what, "writing %s, %s", format->name, directed ? "directed" : "undirected");
            check_work(work_write, &f, what);
            snprintf(what, sizeof what, "reading %s, %s", format->name, directed ? "directed" : "undirected");
            if (work_write(ctx, &f, &print) || !format->can_read) continue;
            check_work(work_read, &f, what);
            files++;
        }
    }
    CHECK(files > 20);
    for (int i = 0; i < 2; i++) weft_graph_free(g[i]);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

typedef struct text {
    char *data;
    size_t bytes;
} text;

static weft_status work_read_text(weft_ctx *ctx, const void *input, uint64_t *print) {
    const text *t = input;
    weft_graph *g = NULL;
    weft_status st = weft_read_memory(ctx, t->data, t->bytes, "text", NULL, &g);
    return print_graph(ctx, g, st, print);
}

/* Some blocks of the reader; ids that a bitmap numbers, that are sorted, and names. */
TEST(reading_ids_of_each_kind) {
    enum { LINES = 24000, ROOM = 48 };
    text t = {malloc((size_t)LINES * ROOM), 0};
    REQUIRE(t.data);
    for (int style = 0; style < 3; style++) {
        t.bytes = 0;
        for (uint64_t i = 0; i < LINES; i++) {
            const char *before = style == 2 ? "a" : "", *after = style == 1 ? "000000007" : "";
            uint64_t u = random_at(1, i) % 20000, v = random_at(2, i) % 20000;
            t.bytes += (size_t)snprintf(t.data + t.bytes, ROOM, "%s%" PRIu64 "%s %s%" PRIu64 "\n", before, u, after,
                                        before, v);
        }
        check_work(work_read_text, &t, style == 0 ? "dense ids" : style == 1 ? "wide ids" : "names");
    }
    free(t.data);
}

/* --- from graphs --------------------------------------------------------------------------- */

typedef struct deriving {
    const weft_graph *g, *other;
    const weft_subgraph_params *part;
    weft_merge_mode mode;
} deriving;

static weft_status work_relabel(weft_ctx *ctx, const void *input, uint64_t *print) {
    const deriving *d = input;
    weft_graph *h = NULL;
    weft_vid n = weft_graph_vertices(d->g), *order = malloc(n * sizeof *order);
    if (!order) exit(1);
    for (weft_vid v = 0; v < n; v++) order[v] = n - 1 - v;
    weft_status st = weft_graph_relabel(ctx, d->g, order, &h);
    free(order);
    return print_graph(ctx, h, st, print);
}

static weft_status work_subgraph(weft_ctx *ctx, const void *input, uint64_t *print) {
    const deriving *d = input;
    weft_graph *h = NULL;
    weft_status st = weft_subgraph(ctx, d->g, d->part, &h, NULL);
    return print_graph(ctx, h, st, print);
}

static weft_status work_merge(weft_ctx *ctx, const void *input, uint64_t *print) {
    const deriving *d = input;
    const weft_graph *both[] = {d->g, d->other};
    weft_merge_params p = WEFT_MERGE_DEFAULTS;
    weft_graph *h = NULL;
    p.mode = d->mode;
    p.duplicates = WEFT_DUPLICATES_SUM;
    weft_status st = weft_graph_merge(ctx, both, 2, &p, &h);
    return print_graph(ctx, h, st, print);
}

static weft_status work_changes(weft_ctx *ctx, const void *input, uint64_t *print) {
    const deriving *d = input;
    weft_result *r = NULL;
    weft_status st = weft_graph_changes(ctx, d->g, d->other, NULL, &r);
    return print_result(ctx, r, st, print);
}

static weft_status work_path(weft_ctx *ctx, const void *input, uint64_t *print) {
    const deriving *d = input;
    weft_result *r = NULL;
    weft_status st = weft_path(ctx, d->g, 0, weft_graph_vertices(d->g) - 1, NULL, &r);
    return print_result(ctx, r, st, print);
}

static weft_status work_transpose(weft_ctx *ctx, const void *input, uint64_t *print) {
    const deriving *d = input;
    weft_csr in = {.size = sizeof in};
    making m = {NULL, WEFT_GENERATE_DEFAULTS, WEFT_BUILD_DEFAULTS};
    weft_graph *g = NULL; /* a fresh one: a graph keeps its transpose */
    (void)d;
    m.p.n = 5000, m.p.degree = 3;
    m.build.direction = WEFT_DIRECTED;
    weft_status st = weft_generate(ctx, "uniform", &m.p, &m.build, &g);
    if (!st) st = weft_graph_in(ctx, g, &in);
    forget_stop(ctx);
    *print = 0;
    for (weft_eid e = 0; !st && e < in.arcs; e++) *print = (*print ^ in.targets[e]) * 1099511628211u;
    weft_graph_free(g);
    return st;
}

static void check_subgraphs(deriving *d, const char *direction) {
    static const weft_vid ego[] = {0, 7};
    weft_subgraph_params p[5];
    char what[80];
    for (int i = 0; i < 5; i++) p[i] = (weft_subgraph_params)WEFT_SUBGRAPH_DEFAULTS;
    p[0].sample_edges = 0.7, p[0].sample_vertices = 0.9;
    p[1].core = 3;
    p[2].largest_component = WEFT_COMPONENT_STRONG;
    p[3].ego = ego, p[3].ego_count = LENGTH(ego), p[3].radius = 2;
    p[4].truss = 3, p[4].min_degree = 2;
    for (int i = 0; i < 5; i++) {
        d->part = &p[i];
        snprintf(what, sizeof what, "subgraph %d, %s", i, direction);
        check_work(work_subgraph, d, what);
    }
}

TEST(graphs_from_graphs) {
    static const weft_direction directions[] = {WEFT_DIRECTED, WEFT_UNDIRECTED};
    weft_ctx *ctx = new_ctx(1, NULL);
    for (int i = 0; i < 2; i++) {
        weft_graph *g = random_weighted(ctx, directions[i], 3000, 4, 1);
        weft_graph *other = random_weighted(ctx, directions[i], 3000, 4, 2);
        deriving d = {.g = g, .other = other};
        const char *direction = i ? "undirected" : "directed";
        check_work(work_relabel, &d, "relabelling");
        check_subgraphs(&d, direction);
        for (d.mode = WEFT_MERGE_UNION; d.mode <= WEFT_MERGE_DIFFERENCE; d.mode++)
            check_work(work_merge, &d, "merging");
        check_work(work_changes, &d, "comparing");
        check_work(work_path, &d, "a path");
        if (!i) check_work(work_transpose, &d, "transposing");
        weft_graph_free(other);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
