/* weft_read_params.weight_type: what weights become, in every reader; what would be lost is refused. */
#include "support.h"

/* One edge each, of a weight that a float does not hold. */
static const struct {
    const char *format, *text;
} fine[] = {
    {"edgelist", "1 2 0.1\n"},
    {"edgelist", "1 2 0.1000000000000000055511151231257827\n"},
    {"edgelist", "a b 0.1\n"},
    {"edgelist", "a\tb c\t0.1\n"},
    {"edgelist", "source,target,weight\n1,2,0.1\n"},
    {"edgelist", "source;target;weight\n\"x\";y;0,1\n"},
    {"mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.1\n"},
    {"mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n 1  2  0.1 \n"},
    {"mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n0\n0.1\n0\n"},
    {"dimacs", "p sp 2 1\na 1 2 0.1\n"},
    {"dimacs", "p sp 2 1\na  1  2  0.1\n"},
    {"metis", "2 1 001\n2 0.1\n1 0.1\n"},
    {"ligra", "WeightedAdjacencyGraph\n2\n1\n0\n1\n1\n0.1\n"},
    {"gml", "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight 0.1 ] ]\n"},
    {"gml",
     "graph [ directed 1 node [ id 1 label \"a\" ] node [ id 2 label \"b\" ] edge [ source 1 target 2 value 0.1 ] ]\n"},
    {"graphml",
     "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/><graph edgedefault=\"directed\">"
     "<node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"><data key=\"w\">0.1</data></edge></graph>"
     "</graphml>"},
    {"gexf", "<gexf><graph defaultedgetype=\"directed\"><nodes><node id=\"a\"/><node id=\"b\"/></nodes>"
             "<edges><edge source=\"a\" target=\"b\" weight=\"0.1\"/></edges></graph></gexf>"},
    {"json", "{\"directed\": true, \"nodes\": [{\"id\": 1}, {\"id\": 2}], \"links\": [{\"source\": 1, \"target\": 2, "
             "\"weight\": 0.1}]}"},
    {"jsonl", "{\"source\": 1, \"target\": 2, \"weight\": 0.1}\n"},
    {"pajek", "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Arcs\n1 2 0.1\n"},
};

static weft_graph *read_as(weft_ctx *ctx, const char *format, const char *text, weft_weight_type as) {
    weft_read_params p = reading(format);
    p.weight_type = as;
    weft_graph *g = NULL;
    if (weft_read_memory(ctx, text, strlen(text), "x", &p, &g)) CHECK(g == NULL);
    return g;
}

static double first_weight(const weft_graph *g) {
    weft_csr out = out_rows(g);
    return out.arcs ? weight_at(g, &out, 0) : -1;
}

TEST(every_reader_gives_doubles_on_request) {
    for (size_t i = 0; i < LENGTH(fine); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *wide = read_as(ctx, fine[i].format, fine[i].text, WEFT_WEIGHT_F64);
        weft_graph *narrow = read_as(ctx, fine[i].format, fine[i].text, WEFT_WEIGHT_NONE);
        weft_graph *same = read_as(ctx, fine[i].format, fine[i].text, WEFT_WEIGHT_F32);
        int equal = 0;
        if (!wide || !narrow || !same) {
            HARNESS_FAIL("%s: %s: %s", fine[i].format, fine[i].text, weft_ctx_message(ctx));
        } else {
            if (weft_graph_weight_type(wide) != WEFT_WEIGHT_F64 || first_weight(wide) != 0.1)
                HARNESS_FAIL("%s: %s: the weight is %.17g", fine[i].format, fine[i].text, first_weight(wide));
            CHECK_U64(weft_graph_weight_type(narrow), WEFT_WEIGHT_F32);
            CHECK_NEAR(first_weight(narrow), (double)0.1f, 0);
            CHECK(!weft_graph_compare(ctx, narrow, same, &equal) && equal);
        }
        weft_graph_free(wide);
        weft_graph_free(narrow);
        weft_graph_free(same);
        CHECK(!read_as(ctx, fine[i].format, fine[i].text, WEFT_WEIGHT_U32));
        CHECK_HAS(weft_ctx_message(ctx), "x: the edge from ");
        CHECK_HAS(weft_ctx_message(ctx), "has weight 0.1, but with `weight_type=u32`");
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

static const struct {
    const char *weight;
    weft_weight_type as;
    weft_weight_type type; /* WEFT_WEIGHT_NONE: refused, with this message */
    double value;
    const char *message; /* or a warning; NULL = none */
} cases[] = {
    {"3", WEFT_WEIGHT_NONE, WEFT_WEIGHT_U32, 3, NULL},
    {"3", WEFT_WEIGHT_U32, WEFT_WEIGHT_U32, 3, NULL},
    {"3", WEFT_WEIGHT_F32, WEFT_WEIGHT_F32, 3, NULL},
    {"3", WEFT_WEIGHT_F64, WEFT_WEIGHT_F64, 3, NULL},
    {"3.0", WEFT_WEIGHT_NONE, WEFT_WEIGHT_F32, 3, NULL},
    {"3.0", WEFT_WEIGHT_U32, WEFT_WEIGHT_U32, 3, NULL},
    {"16777217.0", WEFT_WEIGHT_U32, WEFT_WEIGHT_U32, 16777217, NULL}, /* no float on the way */
    {"4294967295", WEFT_WEIGHT_U32, WEFT_WEIGHT_U32, 4294967295, NULL},
    {"4294967296", WEFT_WEIGHT_U32, WEFT_WEIGHT_NONE, 0, "has weight 4294967296, but"},
    {"-1", WEFT_WEIGHT_U32, WEFT_WEIGHT_NONE, 0, "integers from 0 to 2^32-1"},
    {"-0.0", WEFT_WEIGHT_U32, WEFT_WEIGHT_NONE, 0, "has weight -0, but"},
    {"1.00000000001", WEFT_WEIGHT_U32, WEFT_WEIGHT_NONE, 0, "has weight 1.00000000001"},
    {"16777217", WEFT_WEIGHT_F32, WEFT_WEIGHT_F32, 16777216, "1 integer weight above 2^24 was rounded"},
    {"9007199254740993", WEFT_WEIGHT_F64, WEFT_WEIGHT_F64, 9007199254740992, "1 integer weight above 2^53 was rounded"},
    {"1e39", WEFT_WEIGHT_F64, WEFT_WEIGHT_F64, 1e39, NULL},
    {"1e39", WEFT_WEIGHT_F32, WEFT_WEIGHT_NONE, 0, "too large for a 32-bit weight"},
    {"1e309", WEFT_WEIGHT_F64, WEFT_WEIGHT_NONE, 0, "too large for a 64-bit weight"},
    {"nan", WEFT_WEIGHT_F64, WEFT_WEIGHT_NONE, 0, "not a finite number"},
    {"5e-324", WEFT_WEIGHT_F64, WEFT_WEIGHT_F64, 5e-324, NULL},
    {"1e-45", WEFT_WEIGHT_NONE, WEFT_WEIGHT_F32, 1.401298464324817e-45, NULL},
    {"1e-50", WEFT_WEIGHT_NONE, WEFT_WEIGHT_NONE, 0, "too small for a 32-bit weight"},
    {"1e-50", WEFT_WEIGHT_F64, WEFT_WEIGHT_F64, 1e-50, NULL},
    {"-1e-400", WEFT_WEIGHT_F64, WEFT_WEIGHT_NONE, 0, "too small for a 64-bit weight"},
    {"0e-50", WEFT_WEIGHT_NONE, WEFT_WEIGHT_F32, 0, NULL},
};

TEST(weights_become_what_is_asked_for) {
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char text[64];
        warnings w;
        weft_ctx *ctx = new_ctx(1, &w);
        snprintf(text, sizeof text, "1 2 %s\n", cases[i].weight);
        weft_read_params p = reading("edgelist");
        p.weight_type = cases[i].as;
        p.weight_col = "3";
        weft_graph *g = NULL;
        weft_status st = weft_read_memory(ctx, text, strlen(text), "x", &p, &g);
        bool refused = cases[i].type == WEFT_WEIGHT_NONE;
        if ((st == WEFT_EINPUT) != refused)
            HARNESS_FAIL("%s: status %d: %s", cases[i].weight, (int)st, weft_ctx_message(ctx));
        if (refused) CHECK_HAS(weft_ctx_message(ctx), cases[i].message);
        if (g) {
            CHECK_U64(weft_graph_weight_type(g), cases[i].type);
            CHECK_NEAR(first_weight(g), cases[i].value, 0);
            CHECK_I64(w.count, cases[i].message ? 1 : 0);
            if (cases[i].message) CHECK_HAS(w.text, cases[i].message);
        }
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* A graph of doubles that has been saved: what a float cannot hold is refused, and what it rounds is not. */
TEST(doubles_of_a_file_are_narrowed_or_refused) {
    static const struct {
        double weight;
        const char *message; /* NULL = narrowed */
    } of[] = {{0.1, NULL},
              {0, NULL},
              {1e-45, NULL},
              {1e-50, "has weight 1e-50, but that is too large or too small for `weight_type=f32`"},
              {-1e-300, "has weight -1e-300, but that is too"},
              {1e39, "has weight 1e+39, but that is too"}};
    char folder[256], path[300];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/doubles.weft", folder);
    for (size_t i = 0; i < LENGTH(of); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_vid u[] = {0}, v[] = {1};
        weft_graph *g = NULL, *back = NULL;
        REQUIRE(weft_graph_from_edges(ctx, 2, 1, u, v, &of[i].weight, WEFT_WEIGHT_F64, NULL, &g) == WEFT_OK);
        REQUIRE(weft_write(ctx, g, path, NULL) == WEFT_OK);
        weft_read_params p = reading("weft");
        p.weight_type = WEFT_WEIGHT_F32;
        CHECK_U64(weft_read(ctx, path, &p, &back), of[i].message ? WEFT_EINPUT : WEFT_OK);
        CHECK(!back == !!of[i].message);
        if (back) CHECK_NEAR(first_weight(back), (double)(float)of[i].weight, 0);
        if (of[i].message) CHECK_HAS(weft_ctx_message(ctx), of[i].message);
        weft_graph_free(g);
        weft_graph_free(back);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
    remove_temp(folder);
}

/* Sums are made of what was read, not of what it was rounded to. */
TEST(parallel_doubles_are_added_up_as_doubles) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_read_params p = reading("edgelist");
    p.weight_type = WEFT_WEIGHT_F64;
    p.duplicates = WEFT_DUPLICATES_SUM;
    weft_graph *g = read_text(ctx, "1 2 0.1\n1 2 0.2\n", &p);
    REQUIRE(g);
    CHECK_NEAR(first_weight(g), 0.1 + 0.2, 0);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_graph_without_weights_stays_one) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_as(ctx, "edgelist", "1 2\n2 3\n", WEFT_WEIGHT_F64);
    REQUIRE(g);
    CHECK_U64(weft_graph_weight_type(g), WEFT_WEIGHT_NONE);
    weft_graph_free(g);
    CHECK(!read_as(ctx, "edgelist", "1 2\n", (weft_weight_type)9));
    CHECK_HAS(weft_ctx_message(ctx), "weft_read_params");
    weft_ctx_free(ctx);
}

TEST_MAIN()
