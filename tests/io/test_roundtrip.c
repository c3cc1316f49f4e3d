/* Every format that can be written and read: random graphs of every shape go out and come back as the same graph, ids
 * and weights included.  What a format cannot carry it must refuse or warn about: nothing is lost in silence. */
#include "support.h"

enum { IDS_FROM_0, IDS_FROM_1, IDS_WITH_GAPS, IDS_NAMES, ID_STYLES };
static const char *const id_style_names[] = {"ids from 0", "ids from 1", "ids with gaps", "names"};
static const char *const weight_names[] = {"unweighted", "whole weights", "decimal weights", "double weights"};

typedef struct shape {
    bool directed;
    weft_weight_type weights;
    int ids;
    bool isolated; /* some vertices have no edge */
    bool loops, parallel;
    weft_vid vertices;
    size_t edges;
} shape;

static const char *shape_text(const shape *s) {
    static char text[256];
    snprintf(text, sizeof text, "%s, %s, %s%s%s%s, n=%u", s->directed ? "directed" : "undirected",
             weight_names[s->weights], id_style_names[s->ids], s->isolated ? ", isolated vertices" : "",
             s->loops ? ", loops" : "", s->parallel ? ", parallel edges" : "", s->vertices);
    return text;
}

static void print_id(char *to, size_t room, int style, uint64_t v) {
    static const char *const words[] = {"Zoë", "x-ray", "a.b", "node", "42nd"};
    if (style == IDS_NAMES)
        snprintf(to, room, "%s%" PRIu64, words[v % 5], v);
    else if (style == IDS_WITH_GAPS)
        snprintf(to, room, "%" PRId64, (int64_t)(v * v * 7919) - 1000000);
    else
        snprintf(to, room, "%" PRIu64, v + (style == IDS_FROM_1));
}

static float random_float(dice *d) {
    uint32_t bits = (uint32_t)roll(d, UINT32_MAX);
    float f;
    memcpy(&f, &bits, sizeof f);
    return isfinite(f) ? f : 0.1f;
}

static double random_double(dice *d) {
    uint64_t bits = roll(d, UINT32_MAX) << 32 | roll(d, UINT32_MAX);
    double x;
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : 0.1;
}

/* A random graph of that shape, by way of an edge list in memory (the only way to give it ids). */
static weft_graph *random_graph(weft_ctx *ctx, const shape *s, uint64_t seed) {
    dice d = {seed, 0};
    char *text = malloc(64 + (s->edges + s->vertices) * 128), u[64], v[64];
    if (!text) exit(1);
    size_t used = 0;
    weft_vid reach = s->isolated ? s->vertices - s->vertices / 3 : s->vertices; /* the others stay alone */
    for (size_t i = 0; i < s->edges; i++) {
        uint64_t a = i < reach ? i : roll(&d, reach), b = roll(&d, reach);
        if (a == b && !s->loops) b = (a + 1) % reach;
        print_id(u, sizeof u, s->ids, a);
        print_id(v, sizeof v, s->ids, b);
        used += (size_t)sprintf(text + used, "%s\t%s", u, v);
        if (s->weights == WEFT_WEIGHT_U32) used += (size_t)sprintf(text + used, "\t%u", (uint32_t)roll(&d, UINT32_MAX));
        if (s->weights == WEFT_WEIGHT_F32) used += (size_t)sprintf(text + used, "\t%.9e", (double)random_float(&d));
        if (s->weights == WEFT_WEIGHT_F64) used += (size_t)sprintf(text + used, "\t%.17g", random_double(&d));
        used += (size_t)sprintf(text + used, "\n");
    }
    text[used] = 0;
    weft_read_params p = reading("edgelist");
    p.direction = s->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    p.duplicates = s->parallel ? WEFT_DUPLICATES_KEEP : WEFT_DUPLICATES_MIN;
    p.ids = s->ids == IDS_NAMES ? WEFT_READ_IDS_STRING : WEFT_READ_IDS_INTEGER;
    p.header = WEFT_HEADER_NO;
    if (s->weights) p.weight_col = "3"; /* large numbers alone could be times */
    if (s->isolated) p.vertices = s->vertices;
    if (s->weights == WEFT_WEIGHT_F64) p.weight_type = WEFT_WEIGHT_F64;
    weft_graph *g = NULL;
    if (weft_read_memory(ctx, text, used, "made", &p, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    free(text);
    return g;
}

/* The first extension of a format, without dot. */
static void first_extension(const weft_format_info *f, char *to, size_t room) {
    snprintf(to, room, "%.*s", (int)strcspn(f->extensions, " "), f->extensions);
}

typedef enum outcome { SAME, REFUSED, WARNED, WRONG } outcome;

/* Writes g as `format` and reads it back, `compress` being "", ".gz" or ".zst". */
static outcome round_trip(weft_ctx *ctx, warnings *w, const char *folder, const weft_format_info *format,
                          const char *compress, bool sniffed, const weft_graph *g, const shape *s) {
    char extension[64], path[600];
    first_extension(format, extension, sizeof extension);
    snprintf(path, sizeof path, "%s/graph.%s%s", folder, extension, compress);
    *w = (warnings){0, ""};
    weft_write_params out = WEFT_WRITE_DEFAULTS;
    out.format = format->name;
    weft_status st = weft_write(ctx, g, path, &out);
    if (st) {
        CHECK(st == WEFT_EUNSUPPORTED || st == WEFT_EINVAL);
        CHECK(weft_ctx_message(ctx)[0] != 0);
        if (access(path, F_OK) == 0) HARNESS_FAIL("%s: refused, yet there is a file", format->name);
        return REFUSED;
    }
    weft_read_params in = reading(sniffed ? NULL : format->name);
    in.duplicates = s->parallel ? WEFT_DUPLICATES_KEEP : WEFT_DUPLICATES_DROP;
    if (s->weights == WEFT_WEIGHT_F64) in.weight_type = WEFT_WEIGHT_F64;
    weft_graph *back = NULL;
    int equal = 0;
    st = weft_read(ctx, path, &in, &back);
    if (!st && info_of(ctx, back).direction_doubt != WEFT_DOUBT_NONE)
        w->count--; /* said of the format, not of a loss */
    if (!st) weft_graph_compare(ctx, g, back, &equal);
    if (back && s->weights && weft_graph_edges(g))
        CHECK(!format->keeps_weights == (weft_graph_weight_type(back) == WEFT_WEIGHT_NONE));
    if (back && !equal && !w->count)
        HARNESS_FAIL("%s%s, %s: lost in silence: %s", format->name, compress, shape_text(s), weft_ctx_message(ctx));
    if (st) HARNESS_FAIL("%s%s, %s: not read back: %s", format->name, compress, shape_text(s), weft_ctx_message(ctx));
    weft_graph_free(back);
    unlink(path);
    return st || (!equal && !w->count) ? WRONG : equal ? SAME : WARNED;
}

static const weft_format_info *both_ways(size_t i) {
    const weft_format_info *f = weft_format_at(i);
    return f->can_read && f->can_write ? f : NULL;
}

/* What must come back as it was, whatever else a format may refuse. */
static bool must_carry(const weft_format_info *f, const shape *s) {
    static const char *const all[] = {"weft", "graphml", "gml", "gexf", "json", "cyjs", "pajek"};
    for (size_t i = 0; i < LENGTH(all); i++)
        if (!strcmp(f->name, all[i])) return true;
    if (!strcmp(f->name, "edgelist")) return !s->isolated && s->vertices > 0;
    if (!strcmp(f->name, "mtx")) return s->ids == IDS_FROM_1 && s->vertices > 0;
    if (!strcmp(f->name, "dimacs")) return s->ids == IDS_FROM_1 && s->directed && s->weights == WEFT_WEIGHT_U32;
    if (!strcmp(f->name, "metis"))
        return s->ids == IDS_FROM_1 && !s->directed && !s->weights && !s->loops && !s->parallel && s->vertices > 0;
    if (!strcmp(f->name, "sg")) return s->ids == IDS_FROM_0 && !s->weights && !s->parallel;
    if (!strcmp(f->name, "npz")) return s->ids == IDS_FROM_0 && s->directed && !s->parallel;
    if (!strcmp(f->name, "csr")) return s->ids == IDS_FROM_0 && s->directed && !s->weights && s->vertices > 0;
    if (!strcmp(f->name, "dense"))
        return s->ids == IDS_FROM_0 && s->directed && !s->weights && !s->parallel && s->vertices > 0;
    return false;
}

static void check_shape(const char *folder, const shape *s, uint64_t seed, const char *compress, bool sniffed) {
    warnings w;
    weft_ctx *ctx = new_ctx(1 + (int)(seed % 3), &w);
    weft_graph *g = random_graph(ctx, s, seed);
    for (size_t i = 0; g && i < weft_format_count(); i++) {
        const weft_format_info *f = both_ways(i);
        if (!f) continue;
        outcome o = round_trip(ctx, &w, folder, f, compress, sniffed, g, s);
        if (must_carry(f, s) && (o == REFUSED || o == WARNED))
            HARNESS_FAIL("%s must carry %s: %s", f->name, shape_text(s), o == REFUSED ? weft_ctx_message(ctx) : w.text);
        if (o == SAME && w.count && must_carry(f, s)) HARNESS_FAIL("%s: needless warning: %s", f->name, w.text);
    }
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* Every `step`-th shape of n vertices. */
static void check_shapes(int step, weft_vid n, size_t edges, uint64_t seed, const char *compress, bool sniffed) {
    char folder[256];
    REQUIRE(make_temp(folder, sizeof folder));
    for (int which = 0; which < 2 * 4 * ID_STYLES * 2 * 2; which += step) {
        shape s = {.directed = which % 2,
                   .weights = (weft_weight_type)(which / 2 % 4),
                   .ids = which / 8 % ID_STYLES,
                   .loops = which / 32 % 2,
                   .parallel = which / 64 % 2,
                   .vertices = n,
                   .edges = edges};
        check_shape(folder, &s, seed + (uint64_t)which, compress, sniffed);
        if (s.ids != IDS_FROM_0 || n < 3) continue;
        s.isolated = true;
        check_shape(folder, &s, seed + (uint64_t)which, compress, sniffed);
    }
    CHECK_U64(count_entries(folder), 0);
    remove_temp(folder);
}

TEST(there_are_formats_to_test) {
    size_t found = 0;
    for (size_t i = 0; i < weft_format_count(); i++) found += both_ways(i) != NULL;
    CHECK(found >= 7);
}

TEST(tiny_graphs_come_back) {
    check_shapes(5, 2, 2, 10, "", false);
    check_shapes(1, 5, 7, 20, "", false);
}

TEST(random_graphs_come_back) { check_shapes(1, 60, 400, 30, "", false); }

TEST(random_graphs_come_back_when_the_format_is_not_named) { check_shapes(5, 40, 200, 40, "", true); }

TEST(compressed_graphs_come_back) {
    check_shapes(5, 30, 150, 50, ".gz", true);
    check_shapes(7, 30, 150, 60, ".zst", true);
}

TEST(graphs_without_edges_come_back) {
    char folder[256];
    REQUIRE(make_temp(folder, sizeof folder));
    for (weft_vid n = 0; n <= 3; n += 3)
        for (int directed = 0; directed < 2; directed++) {
            warnings w;
            weft_ctx *ctx = new_ctx(1, &w);
            weft_build_params p = WEFT_BUILD_DEFAULTS;
            p.direction = directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
            weft_graph *g = NULL;
            REQUIRE(weft_graph_from_edges(ctx, n, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, &p, &g) == WEFT_OK);
            shape s = {.directed = directed, .isolated = n > 0, .vertices = n};
            for (size_t i = 0; i < weft_format_count(); i++)
                if (both_ways(i)) round_trip(ctx, &w, folder, both_ways(i), "", false, g, &s);
            weft_graph_free(g);
            weft_ctx_free(ctx);
        }
    remove_temp(folder);
}

/* Decimal weights that happen to be whole are still decimal weights. */
TEST(whole_floats_stay_floats) {
    char folder[256];
    REQUIRE(make_temp(folder, sizeof folder));
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_vid u[] = {0, 1, 2}, v[] = {1, 2, 0};
    float weight[] = {1, 2, 3};
    weft_graph *g = NULL;
    REQUIRE(weft_graph_from_edges(ctx, 3, 3, u, v, weight, WEFT_WEIGHT_F32, NULL, &g) == WEFT_OK);
    shape s = {.directed = true, .weights = WEFT_WEIGHT_F32, .vertices = 3};
    for (size_t i = 0; i < weft_format_count(); i++)
        if (both_ways(i)) round_trip(ctx, &w, folder, both_ways(i), "", false, g, &s);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

/* Hubs relabelled first: ids no longer ascend with the vertices, and must still be told apart after a round trip. */
TEST(relabelled_graphs_keep_their_ids) {
    char folder[256], path[300];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/relabelled.weft", folder);
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    for (int ids = 0; ids < ID_STYLES; ids++) {
        shape s = {.directed = true, .ids = ids, .vertices = 20, .edges = 60};
        weft_graph *g = random_graph(ctx, &s, 5), *h = NULL;
        const weft_vid *order;
        REQUIRE(g && weft_graph_degree_order(ctx, g, &order) == WEFT_OK);
        REQUIRE(weft_graph_relabel(ctx, g, order, &h) == WEFT_OK);
        for (size_t i = 0; i < weft_format_count(); i++) {
            const weft_format_info *f = both_ways(i);
            if (!f) continue;
            if (!strcmp(f->name, "weft")) {
                CHECK_U64(round_trip(ctx, &w, folder, f, "", false, h, &s), SAME);
            } else if (!strcmp(f->name, "edgelist")) {
                weft_write_params p = WEFT_WRITE_DEFAULTS;
                p.format = f->name;
                weft_graph *back = NULL;
                CHECK_U64(weft_write(ctx, h, path, &p), WEFT_OK);
                weft_read_params in = reading(f->name);
                CHECK_U64(weft_read(ctx, path, &in, &back), WEFT_OK);
                int equal = 0;
                if (back) CHECK_U64(weft_graph_compare(ctx, g, back, &equal), WEFT_OK);
                if (!equal) HARNESS_FAIL("%s: %s", id_style_names[ids], weft_ctx_message(ctx));
                weft_graph_free(back);
            }
        }
        weft_graph_free(g);
        weft_graph_free(h);
    }
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(what_cannot_be_written_is_said_and_leaves_nothing) {
    char folder[256], path[300];
    REQUIRE(make_temp(folder, sizeof folder));
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "0 1\n", NULL);
    REQUIRE(g != NULL);
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.format = "no-such-format";
    snprintf(path, sizeof path, "%s/graph.txt", folder);
    CHECK_U64(weft_write(ctx, g, path, &p), WEFT_ENOTFOUND);
    CHECK_HAS(weft_ctx_message(ctx), "no-such-format");
    snprintf(path, sizeof path, "%s/graph.unheard-of", folder);
    CHECK(weft_write(ctx, g, path, NULL) != WEFT_OK);
    CHECK_HAS(weft_ctx_message(ctx), "unheard-of");
    snprintf(path, sizeof path, "%s/missing/graph.txt", folder);
    CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_EIO);
    CHECK_HAS(weft_ctx_message(ctx), path);
    CHECK_U64(count_entries(folder), 0);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

/* A failed write leaves what was there; a good one replaces it, whole. */
TEST(a_refused_write_leaves_the_old_file) {
    char folder[256], path[300];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/graph.txt", folder);
    REQUIRE(write_file(path, "7 8\n", 4));
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "0 1\n1 2\n", NULL), *back = NULL;
    REQUIRE(g != NULL);
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.format = "metis"; /* undirected only */
    CHECK(weft_write(ctx, g, path, &p) != WEFT_OK);
    size_t bytes;
    char *content = read_file(path, &bytes);
    REQUIRE(content != NULL);
    CHECK_TEXT(content, "7 8\n");
    free(content);
    CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_OK);
    CHECK_U64(weft_read(ctx, path, NULL, &back), WEFT_OK);
    if (back) CHECK_U64(weft_graph_arcs(back), 2);
    CHECK_U64(count_entries(folder), 1);
    weft_graph_free(back);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST_MAIN()
