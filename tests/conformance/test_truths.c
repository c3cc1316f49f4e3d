/* What others published and counted about the real graphs of the shared data: every row of TRUTHS.tsv that is marked as
 * verified, and every row of COUNTED.tsv.  A published figure that the file is known not to have (a later release, an
 * older definition) is replaced by the one counted from the file; those rows, and the few that cannot be checked, are
 * listed by name with the reason.  Skipped by name where the data is not. */
#include "facts.h"

/* --- what a quantity is ------------------------------------------------------------------ */

typedef struct truth {
    const char *name, *quantity, *value, *counted, *agrees, *note;
} truth;

static truth truth_of(const table *t, size_t row) {
    return (truth){field(t, row, "name"),         field(t, row, "quantity"), field(t, row, "value"),
                   field(t, row, "counted_here"), field(t, row, "agrees"),   field(t, row, "note")};
}

static double vertices(facts *f, const truth *t) { return (void)t, (double)f->info.vertices; }
static double arcs(facts *f, const truth *t) { return (void)t, (double)f->info.arcs; }
static double loops(facts *f, const truth *t) { return (void)t, (double)f->info.self_loops; }

/* SNAP counts the edges of most undirected graphs in both directions, and its table says where. */
static double edges(facts *f, const truth *t) {
    bool twice = strstr(t->note, "twice") || strstr(t->note, "both directions");
    return (double)(twice ? f->info.arcs : f->info.edges);
}

static double weak_count(facts *f, const truth *t) {
    return (void)t, (double)whole_scalar(components_of(f, 0), "count");
}
static double weak_largest(facts *f, const truth *t) {
    return (void)t, (double)whole_scalar(components_of(f, 0), "largest");
}
static double strong_count(facts *f, const truth *t) {
    return (void)t, (double)whole_scalar(components_of(f, 1), "count");
}
static double strong_largest(facts *f, const truth *t) {
    return (void)t, (double)whole_scalar(components_of(f, 1), "largest");
}

/* Empty rows of the matrix, for ids that no edge uses, are components of their own. */
static double strong_count_of_matrix(facts *f, const truth *t) {
    uint64_t rows = strtoull(strpbrk(t->quantity, "0123456789"), NULL, 10);
    return strong_count(f, t) + (double)(rows - f->info.vertices);
}

/* as20000102 is published with half of its 26467 lines, rounded down. */
static double half_if_published_so(const facts *f, uint64_t count) {
    return (double)(strcmp(f->name, "as20000102") ? count : count / 2);
}
static double weak_edges(facts *f, const truth *t) { return (void)t, half_if_published_so(f, arcs_in_largest(f, 0)); }
static double strong_edges(facts *f, const truth *t) { return (void)t, half_if_published_so(f, arcs_in_largest(f, 1)); }

static double triangles(facts *f, const truth *t) {
    return (void)t, (double)whole_scalar(triangles_of(f), "triangles");
}
static double transitivity(facts *f, const truth *t) { return (void)t, real_scalar(clustering_of(f), "transitivity"); }
static double average(facts *f, const truth *t) {
    bool older = begins(t->note, "older SNAP definition");
    return older ? average_of_two_or_more(f) : real_scalar(clustering_of(f), "average");
}
static double degeneracy(facts *f, const truth *t) { return (void)t, (double)whole_scalar(kcore_of(f), "degeneracy"); }

/* Where nobody has the exact value, the published one comes from a sample and can only be too small. */
static bool is_lower_bound(const truth *t) {
    return begins(t->quantity, "Diameter") && !strcmp(t->agrees, "not counted");
}
static double diameter(facts *f, const truth *t) {
    uint64_t enough = is_lower_bound(t) ? strtoull(t->value, NULL, 10) : UINT64_MAX;
    return (double)diameter_of(f, enough);
}

/* The first that begins the quantity's name. */
static const struct {
    const char *quantity;
    double (*measure)(facts *f, const truth *t);
} quantities[] = {
    {"Nodes in largest WCC", weak_largest},
    {"Nodes in largest SCC", strong_largest},
    {"Edges in largest WCC", weak_edges},
    {"Edges in largest SCC", strong_edges},
    {"Nodes", vertices},
    {"nodes", vertices}, /* and "nodes and undirected edges" */
    {"Edges", edges},
    {"arcs", arcs},
    {"Average clustering coefficient", average},
    {"Number of triangles", triangles},
    {"triangles", triangles},
    {"Fraction of closed triangles", transitivity},
    {"Diameter", diameter},
    {"strongly connected components of the", strong_count_of_matrix},
    {"strongly connected components", strong_count},
    {"SCC count", strong_count},
    {"largest SCC", strong_largest},
    {"connected components", weak_count},
    {"largest k of a non-empty k-core", degeneracy},
    {"Size n", vertices},
    {"Volume m", edges},
    {"Loop count", loops},
    {"Triangle count", triangles},
    {"Size of LCC", weak_largest},
    {"Size of LSCC", strong_largest},
    {"header line of the data file", edges}, /* edges, rows, columns */
};

/* Rows that nothing can be checked against, and why. */
static const struct {
    const char *name, *quantity, *reason;
} beyond[] = {
    {"", "90-percentile effective diameter", "an estimate from a sample of searches"},
    {"ego-Facebook", "Fraction of closed triangles", "not transitivity, and the definition is not published"},
    {"cit-DBLP", "Wedge count", "of a later release of the data, which is not the file"},
    {"cit-DBLP", "Maximum degree", "of a later release of the data, which is not the file"},
    {"law-dblp-2010", "nodes", "given to the reader: the last of them have no edge in the file"},
};

static const char *why_not(const truth *t) {
    for (size_t i = 0; i < LENGTH(beyond); i++)
        if (begins(t->name, beyond[i].name) && !strcmp(t->quantity, beyond[i].quantity)) return beyond[i].reason;
    return NULL;
}

/* --- the comparison ----------------------------------------------------------------------- */

/* Is it the figure, as far as its digits go? */
static bool agrees(double got, const char *figure) {
    const char *point = strchr(figure, '.');
    double want = strtod(figure, NULL);
    return point ? fabs(got - want) <= 0.5000001 * pow(10, -(double)strlen(point + 1)) : got == want;
}

static void compare(facts *f, const truth *t) {
    bool differs = !strcmp(t->agrees, "DIFFERS");
    const char *want = differs ? t->counted : t->value;
    char both[128];
    if (differs)
        printf("counted: %s: %s: published %s, the file has %s: %s\n", t->name, t->quantity, t->value, want, t->note);
    for (size_t i = 0; i < LENGTH(quantities); i++) {
        if (!begins(t->quantity, quantities[i].quantity)) continue;
        double got = quantities[i].measure(f, t);
        bool right = is_lower_bound(t) ? got >= strtod(want, NULL) : agrees(got, want);
        if (strchr(want, ' ')) { /* several whole numbers in one field */
            bool header = begins(t->quantity, "header");
            uint64_t n = f->info.vertices, m = f->info.edges;
            if (header) snprintf(both, sizeof both, "%" PRIu64 " %" PRIu64 " %" PRIu64, m, n, n);
            if (!header) snprintf(both, sizeof both, "%" PRIu64 " %" PRIu64, n, m);
            right = !strcmp(both, want);
        }
        if (!right) HARNESS_FAIL("%s: %s: %.9g, expected %s", t->name, t->quantity, got, want);
        return;
    }
    HARNESS_FAIL("%s: nothing here measures \"%s\"", t->name, t->quantity);
}

static size_t row_named(const table *t, const char *name) {
    for (size_t row = 1; row < t->rows; row++)
        if (!strcmp(field(t, row, "name"), name)) return row;
    return 0;
}

static weft_direction published_direction(const table *manifest, size_t row) {
    const char *text = field(manifest, row, "directed");
    return begins(text, "undirected") ? WEFT_UNDIRECTED : begins(text, "directed") ? WEFT_DIRECTED : WEFT_AS_FILE;
}

TEST(real_graphs_have_the_figures_that_were_published) {
    if (!shared_data()) SKIP("the shared data is not here");
    table truths, manifest;
    size_t checked = 0, listed = 0, verified = 0;
    REQUIRE(load_table("TRUTHS.tsv", &truths) && load_table("MANIFEST.tsv", &manifest));
    bool *done = calloc(truths.rows, sizeof *done);
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t first = 1; done && first < truths.rows; first++) {
        if (done[first]) continue;
        const char *name = field(&truths, first, "name");
        size_t at = row_named(&manifest, name);
        facts f;
        if (!at || !open_facts(&f, ctx, name, field(&manifest, at, "file"), number(&manifest, at, "nodes"),
                               published_direction(&manifest, at))) {
            HARNESS_FAIL("there is no graph %s", name);
            continue;
        }
        for (size_t row = first; row < truths.rows; row++) {
            truth t = truth_of(&truths, row);
            if (strcmp(t.name, name)) continue;
            done[row] = true;
            if (!begins(field(&truths, row, "status"), "verified")) continue;
            verified++;
            if (why_not(&t)) {
                printf("not checked: %s: %s %s: %s\n", t.name, t.quantity, t.value, why_not(&t));
                listed++;
            } else {
                compare(&f, &t);
                checked++;
            }
        }
        close_facts(&f);
    }
    printf("%zu verified rows: %zu checked, %zu listed above\n", verified, checked, listed);
    CHECK(checked >= 180);
    CHECK_U64(checked + listed, verified);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    free(done);
    free_table(&truths);
    free_table(&manifest);
}

TEST(real_graphs_have_the_figures_that_a_separate_program_counted) {
    if (!shared_data()) SKIP("the shared data is not here");
    table t;
    REQUIRE(load_table("COUNTED.tsv", &t));
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t row = 1; row < t.rows; row++) {
        facts f;
        if (!open_facts(&f, ctx, field(&t, row, "name"), field(&t, row, "file"), number(&t, row, "nodes"),
                        WEFT_DIRECTED))
            continue;
        const truth none = {"", "", "", "", "", ""};
        const struct {
            const char *column;
            double got;
        } figures[] = {
            {"nodes", vertices(&f, &none)},
            {"distinct_directed", edges(&f, &none)},
            {"loops", loops(&f, &none)},
            {"undirected_simple", (double)weft_graph_edges(f.simple)},
            {"wcc", weak_count(&f, &none)},
            {"largest_wcc", weak_largest(&f, &none)},
            {"scc", strong_count(&f, &none)},
            {"largest_scc", strong_largest(&f, &none)},
            {"triangles", triangles(&f, &none)},
            {"avg_clustering", average(&f, &none)},
            {"avg_clustering_deg_ge2", average_of_two_or_more(&f)},
            {"transitivity", transitivity(&f, &none)},
            {"max_undirected_degree", (double)info_of(ctx, f.simple).max_degree},
        };
        for (size_t i = 0; i < LENGTH(figures); i++)
            if (!agrees(figures[i].got, field(&t, row, figures[i].column)))
                HARNESS_FAIL("%s: %s: %.9g, expected %s", f.name, figures[i].column, figures[i].got,
                             field(&t, row, figures[i].column));
        close_facts(&f);
    }
    CHECK(t.rows > 29);
    weft_ctx_free(ctx);
    free_table(&t);
}

TEST_MAIN()
