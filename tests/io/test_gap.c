/* GAP .sg and .wsg: golden files made byte by byte, bad files with the byte of their fault, round trips. */
#include "format_support.h"

static const golden_file plain[] = {
    {"directed.sg", "directed none [0 1 2 3] 0>1 0>2 1>2 2>0", 4, NULL},
    {"undirected.sg", "undirected none [0 1 2 3] 0-1 0-2", 2, NULL},
    {"unsorted_with_loop.sg", "directed none [0 1 2] 0>0 0>1 0>2 2>1", 4, NULL},
    {"undirected_loop.sg", "undirected none [0 1] 0-0 0-1", 2, NULL},
    {"no_arcs.sg", "directed none [0 1]", 0, NULL},
    {"empty.sg", "undirected none []", 0, NULL},
};

static const golden_file weighted[] = {
    {"directed.wsg", "directed u32 [0 1 2 3] 0>1:5 0>2:6 1>2:7 2>0:2.14748365e+09", 4, NULL},
    {"undirected.wsg", "undirected u32 [0 1 2 3] 0-1:5 0-2:6", 2, NULL},
    {"negative.wsg", "directed f32 [0 1] 0>1:-5 1>0:3", 2, NULL},
};

static const bad_file bad_plain[] = {
    {"nothing.sg", "1:1", "ends within its header", 0},
    {"header_cut.sg", "1:17", "ends within its header", 0},
    {"first_byte.sg", "1:1", "is 2", 0},
    {"arcs_negative.sg", "1:2", "the number of arcs is -4", 0},
    {"vertices_negative.sg", "1:10", "the number of vertices is -1", 0},
    {"vertices_2_31.sg", "1:10", "the number of vertices is 2147483648", 0},
    {"lying_arcs.sg", "1:2", "more than any file can hold", 0},
    {"cut.sg", "1:2", "takes 129 bytes, but the file has 128", 0},
    {"longer.sg", "1:2", "takes 129 bytes, but the file has 130", 0},
    {"weighted.sg", "1:2", "that is a .wsg file", 0},
    {"offset_first.sg", "1:18", "the first row begins at 1, expected 0", 0},
    {"offset_falls.sg", "1:34", "row 1 ends at 1, expected 2 to 4", 0},
    {"offset_beyond.sg", "1:34", "row 1 ends at 1099511627776", 0},
    {"offset_last.sg", "1:34", "the rows hold 1 arcs, but the header says 2", 0},
    {"target_beyond.sg", "1:70", "4 is not one of the vertices 0 to 3", 0},
    {"target_negative.sg", "1:66", "-1 is not one of the vertices 0 to 3", 0},
    {"not_symmetric.sg", "1:58", "row 0 lists 1, but row 1 does not list 0", 0},
    {"in_target_beyond.sg", "1:126", "9 is not one of the vertices", 0},
    {"in_not_reversed.sg", "1:114", "not the out-edges reversed", 0},
};

static const bad_file bad_weighted[] = {
    {"unweighted.wsg", "1:2", "that is a .sg file", 0},
    {"cut.wsg", "1:2", "but the file has 86", 0},
    {"weights_differ.wsg", "1:66", "row 2 lists 0 with a different weight", 0},
    {"in_weights_differ.wsg", "1:130", "not the out-edges reversed", 0},
};

TEST(golden_files) {
    check_golden_files("sg", plain, LENGTH(plain));
    check_golden_files("wsg", weighted, LENGTH(weighted));
}

TEST(bad_files_are_refused_with_their_byte) {
    check_bad_files("sg", bad_plain, LENGTH(bad_plain));
    check_bad_files("wsg", bad_weighted, LENGTH(bad_weighted));
}

/* What Weft writes is, byte for byte, what the benchmark suite would have written. */
TEST(the_bytes_are_those_of_the_benchmark_suite) {
    static const char *const files[] = {"golden/sg/directed.sg", "golden/sg/undirected.sg", "golden/sg/empty.sg",
                                        "golden/wsg/directed.wsg", "golden/wsg/undirected.wsg"};
    weft_ctx *ctx = new_ctx(2, NULL);
    for (size_t i = 0; i < LENGTH(files); i++) {
        char folder[256], path[512], original[1024];
        size_t want_bytes, got_bytes;
        weft_graph *g = NULL;
        REQUIRE(make_temp(folder, sizeof folder));
        snprintf(path, sizeof path, "%s/g%s", folder, strrchr(files[i], '.'));
        data_path(files[i], original, sizeof original);
        REQUIRE(!weft_read(ctx, original, NULL, &g) && !weft_write(ctx, g, path, NULL));
        char *want = read_file(original, &want_bytes), *got = read_file(path, &got_bytes);
        CHECK_U64(got_bytes, want_bytes);
        CHECK(want && got && got_bytes == want_bytes && !memcmp(want, got, want_bytes));
        free(want);
        free(got);
        weft_graph_free(g);
        remove_temp(folder);
    }
    weft_ctx_free(ctx);
}

TEST(graphs_without_weights_come_back) {
    weft_ctx *ctx = new_ctx(2, NULL);
    int tried = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        char what[256];
        weft_graph *g = small_random_graph(ctx, seed, what, sizeof what);
        if (g && !weft_graph_weight_type(g)) {
            check_round_trip(ctx, g, "g.sg", what);
            check_round_trip(ctx, g, "g.sg.zst", what);
            tried++;
        }
        weft_graph_free(g);
    }
    CHECK(tried > 20);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(weights_come_back_as_far_as_they_fit) {
    warnings w;
    weft_ctx *ctx = new_ctx(2, &w);
    weft_vid from[] = {0, 1, 2}, to[] = {1, 2, 2};
    uint32_t small[] = {0, 7, INT32_MAX}, large[] = {0, 7, (uint32_t)INT32_MAX + 1};
    float negative[] = {-1, 0, -0x1p31f}, beyond[] = {-1, 0, 0x1p31f}, broken[] = {0.5f, 1, 2};
    struct {
        const void *weights;
        weft_weight_type type;
        bool fits;
    } cases[] = {{small, WEFT_WEIGHT_U32, true},   {large, WEFT_WEIGHT_U32, false},  {negative, WEFT_WEIGHT_F32, true},
                 {beyond, WEFT_WEIGHT_F32, false}, {broken, WEFT_WEIGHT_F32, false}, {NULL, WEFT_WEIGHT_NONE, false}};
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.format = "wsg";
    for (size_t i = 0; i < LENGTH(cases); i++)
        for (int undirected = 0; undirected < 2; undirected++) {
            weft_build_params build = WEFT_BUILD_DEFAULTS;
            if (undirected) build.direction = WEFT_UNDIRECTED;
            weft_graph *g = NULL;
            REQUIRE(!weft_graph_from_edges(ctx, 3, 3, from, to, cases[i].weights, cases[i].type, &build, &g));
            if (cases[i].fits)
                check_round_trip(ctx, g, "g.wsg", "weights");
            else
                CHECK_U64(weft_write(ctx, g, "/dev/null", &p), WEFT_EUNSUPPORTED);
            weft_graph_free(g);
        }
    weft_ctx_free(ctx);
}

TEST(what_is_lost_is_said) {
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_graph *g = read_text(ctx, "10 20 5\n20 30 6\n", &(weft_read_params)WEFT_READ_DEFAULTS);
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.format = "sg";
    REQUIRE(g);
    CHECK(!weft_write(ctx, g, "/dev/null", &p));
    CHECK_I64(w.count, 2);
    CHECK_HAS(w.text, "weights are not stored");
    CHECK_HAS(w.text, "cannot store ids");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* More arcs than one piece of the reader holds. */
TEST(a_larger_graph_comes_back) {
    enum { N = 3000, M = 2200000 };
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_vid *ends = malloc(2 * sizeof *ends * M);
    REQUIRE(ends);
    for (uint64_t i = 0; i < 2 * (uint64_t)M; i++) ends[i] = (weft_vid)(random_at(1, i) % N);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    weft_graph *g = NULL;
    REQUIRE(!weft_graph_from_edges(ctx, N, M, ends, ends + M, NULL, WEFT_WEIGHT_NONE, &build, &g));
    check_round_trip(ctx, g, "g.sg", "large");
    weft_graph_free(g);
    free(ends);
    weft_ctx_free(ctx);
}

TEST_MAIN()
