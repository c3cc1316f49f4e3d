/* Graphs from arrays: rows and lists, copied and kept, of every type; and entries that must be refused by their number. */
#include "cuda/device.h"
#include "tiny.h"

static weft_arrays list_of(uint64_t vertices, uint64_t edges, const void *sources, const void *targets,
                           weft_type type) {
    weft_arrays a = WEFT_ARRAYS_DEFAULTS;
    a.vertices = vertices;
    a.edges = edges;
    a.sources = sources;
    a.targets = targets;
    a.id_type = type;
    return a;
}

static weft_arrays rows_of(uint64_t vertices, const int64_t *offsets, const void *targets, weft_type type) {
    weft_arrays a = list_of(vertices, (uint64_t)offsets[vertices], NULL, targets, type);
    a.offsets = offsets;
    a.offset_type = WEFT_I64;
    return a;
}

static weft_graph *made(weft_ctx *ctx, const weft_arrays *a, const weft_build_params *p) {
    weft_graph *g = NULL;
    weft_status st = weft_graph_from_arrays(ctx, a, p, &g);
    if (st) HARNESS_FAIL("status %d: %s", (int)st, weft_ctx_message(ctx));
    return g;
}

static void refused(weft_ctx *ctx, const weft_arrays *a, const weft_build_params *p, const char *message) {
    weft_graph *g = (weft_graph *)(uintptr_t)1;
    CHECK_U64(weft_graph_from_arrays(ctx, a, p, &g), WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), message);
    CHECK(g == NULL);
}

static void count_release(void *user) { ++*(int *)user; }

TEST(ids_of_every_type_give_the_same_graph) {
    weft_ctx *ctx = new_ctx(2, NULL);
    const char *want = "directed none [0 1 2 3] 0>1 0>2 2>0 2>1";
    uint8_t u8[] = {2, 0, 2, 0}, v8[] = {1, 2, 0, 1};
    int8_t s8[] = {2, 0, 2, 0}, t8[] = {1, 2, 0, 1};
    uint16_t u16[] = {2, 0, 2, 0}, v16[] = {1, 2, 0, 1};
    int16_t s16[] = {2, 0, 2, 0}, t16[] = {1, 2, 0, 1};
    uint32_t u32[] = {2, 0, 2, 0}, v32[] = {1, 2, 0, 1};
    int32_t s32[] = {2, 0, 2, 0}, t32[] = {1, 2, 0, 1};
    uint64_t u64[] = {2, 0, 2, 0}, v64[] = {1, 2, 0, 1};
    int64_t s64[] = {2, 0, 2, 0}, t64[] = {1, 2, 0, 1};
    struct {
        const void *u, *v;
        weft_type type;
    } all[] = {{u8, v8, WEFT_U8},    {s8, t8, WEFT_I8},    {u16, v16, WEFT_U16}, {s16, t16, WEFT_I16},
               {u32, v32, WEFT_U32}, {s32, t32, WEFT_I32}, {u64, v64, WEFT_U64}, {s64, t64, WEFT_I64}};
    for (size_t i = 0; i < LENGTH(all); i++) {
        weft_arrays a = list_of(4, 4, all[i].u, all[i].v, all[i].type);
        CHECK_GRAPH(made(ctx, &a, NULL), want);
        int64_t offsets[] = {0, 2, 2, 4, 4};
        uint64_t targets[] = {1, 2, 0, 1};
        uint32_t narrow[] = {1, 2, 0, 1};
        a = rows_of(4, offsets, targets, WEFT_U64);
        CHECK_GRAPH(made(ctx, &a, NULL), want);
        a = rows_of(4, offsets, narrow, WEFT_U32);
        CHECK_GRAPH(made(ctx, &a, NULL), want);
    }
    weft_ctx_free(ctx);
}

TEST(weights_of_every_type) {
    weft_ctx *ctx = new_ctx(1, NULL);
    uint32_t u[] = {0, 1}, v[] = {1, 0};
    weft_arrays a = list_of(2, 2, u, v, WEFT_U32);
    uint8_t bytes[] = {1, 0};
    a.weights = bytes, a.weight_type = WEFT_U8;
    CHECK_GRAPH(made(ctx, &a, NULL), "directed u32 [0 1] 0>1:1 1>0:0");
    int64_t whole[] = {4194304, 7};
    a.weights = whole, a.weight_type = WEFT_I64;
    CHECK_GRAPH(made(ctx, &a, NULL), "directed u32 [0 1] 0>1:4194304 1>0:7");
    int64_t large[] = {4294967296, -7};
    a.weights = large;
    weft_graph *g = made(ctx, &a, NULL);
    REQUIRE(g != NULL);
    CHECK_U64(weft_graph_weight_type(g), WEFT_WEIGHT_F64);
    CHECK_NEAR(((const double *)out_rows(g).weights)[0], 4294967296, 0);
    weft_graph_free(g);
    float reals[] = {0.5f, -1};
    a.weights = reals, a.weight_type = WEFT_F32;
    CHECK_GRAPH(made(ctx, &a, NULL), "directed f32 [0 1] 0>1:0.5 1>0:-1");
    double doubles[] = {0.25, 1e300};
    a.weights = doubles, a.weight_type = WEFT_F64;
    g = made(ctx, &a, NULL);
    REQUIRE(g != NULL);
    CHECK_U64(weft_graph_weight_type(g), WEFT_WEIGHT_F64);
    weft_csr out = out_rows(g);
    CHECK_NEAR(((const double *)out.weights)[1], 1e300, 0);
    weft_graph_free(g);
    doubles[1] = NAN;
    refused(ctx, &a, NULL, "edge 1: the weight is not finite");
    weft_ctx_free(ctx);
}

static void keep_warning(void *user, const char *message) { snprintf(user, 200, "%s", message); }

TEST(integers_that_a_double_rounds_are_told_of) {
    char warning[200] = "";
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_ctx_set_warning(ctx, keep_warning, warning);
    uint32_t u[] = {0, 1, 0}, v[] = {1, 0, 0};
    uint64_t huge[] = {UINT64_MAX, (uint64_t)1 << 60, 3};
    weft_arrays a = list_of(2, 3, u, v, WEFT_U32);
    a.weights = huge, a.weight_type = WEFT_U64;
    weft_graph_free(made(ctx, &a, NULL));
    CHECK_TEXT(warning, "1 integer weight above 2^53 was rounded to 64-bit floats");
    weft_ctx_free(ctx);
}

TEST(the_first_wrong_entry_is_named) {
    for (int threads = 1; threads <= 3; threads++) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        enum { MANY = 1 << 20 };
        int64_t *u = calloc(MANY, sizeof *u), *v = calloc(MANY, sizeof *v);
        REQUIRE(u && v);
        weft_arrays a = list_of(3, MANY, u, v, WEFT_I64);
        u[700001] = -5, u[MANY - 1] = 9;
        refused(ctx, &a, NULL, "edge 700001: source -5 is negative");
        u[700001] = 0;
        refused(ctx, &a, NULL, "edge 1048575: source 9 is not below the number of vertices, 3");
        u[MANY - 1] = 2;
        v[5] = 3, v[1000] = 4;
        refused(ctx, &a, NULL, "edge 5: target 3 is not below the number of vertices, 3");
        double *w = calloc(MANY, sizeof *w);
        REQUIRE(w != NULL);
        v[5] = v[1000] = 0;
        w[99999] = INFINITY, w[900000] = NAN;
        a.weights = w, a.weight_type = WEFT_F64;
        refused(ctx, &a, NULL, "edge 99999: the weight is not finite");
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        free(u), free(v), free(w);
        weft_ctx_free(ctx);
    }
}

TEST(offsets_that_are_no_rows_are_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    uint32_t targets[] = {0, 1, 2};
    int64_t from_one[] = {1, 2, 3}, falls[] = {0, 2, 1}, beyond[] = {0, 9, 3}, few[] = {0, 1, 2},
            negative[] = {0, -1, 3};
    weft_arrays a = rows_of(2, few, targets, WEFT_U32);
    a.edges = 3;
    refused(ctx, &a, NULL, "the last of the offsets is 2, but there are 3 edges");
    a.offsets = from_one;
    refused(ctx, &a, NULL, "offsets[0] is 1, but must be 0");
    a.offsets = falls;
    refused(ctx, &a, NULL, "offsets[2] is 1, but must be from 2 to the number of edges, 3");
    a.offsets = beyond;
    refused(ctx, &a, NULL, "offsets[1] is 9, but must be from 0 to the number of edges, 3");
    a.offsets = negative;
    refused(ctx, &a, NULL, "offsets[1] is -1, but must be from 0 to the number of edges, 3");
    weft_ctx_free(ctx);
}

TEST(what_does_not_go_together_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    uint32_t ends[] = {0, 1};
    int64_t offsets[] = {0, 1, 2};
    weft_arrays a = list_of(2, 2, ends, NULL, WEFT_U32);
    refused(ctx, &a, NULL, "weft_arrays: targets is NULL");
    a.targets = ends, a.id_type = WEFT_F64;
    refused(ctx, &a, NULL, "weft_arrays: targets need an integer type");
    a.id_type = WEFT_U32, a.offsets = offsets, a.offset_type = WEFT_I64;
    refused(ctx, &a, NULL, "weft_arrays: offsets go with neither sources nor any_ids");
    a.sources = NULL, a.weights = ends;
    refused(ctx, &a, NULL, "weft_arrays: weights need a numeric type");
    a.weights = NULL, a.more_ids = ends, a.more_count = 1;
    refused(ctx, &a, NULL, "weft_arrays: more_ids go with any_ids only");
    weft_graph *g = NULL;
    a.size = 0;
    CHECK_U64(weft_graph_from_arrays(ctx, &a, NULL, &g), WEFT_EINVAL);
    weft_ctx_free(ctx);
}

TEST(any_ids_become_vertices_in_ascending_order) {
    weft_ctx *ctx = new_ctx(2, NULL);
    int64_t u[] = {-7, 5000000000, 12}, v[] = {12, -7, 12}, more[] = {3, 12};
    weft_arrays a = list_of(0, 3, u, v, WEFT_I64);
    a.any_ids = 1;
    CHECK_GRAPH(made(ctx, &a, NULL), "directed none [-7 12 5000000000] -7>12 12>12 5000000000>-7");
    a.more_ids = more, a.more_count = 2;
    CHECK_GRAPH(made(ctx, &a, NULL), "directed none [-7 3 12 5000000000] -7>12 12>12 5000000000>-7");
    uint64_t far[] = {1, 2, (uint64_t)1 << 63};
    a = list_of(0, 3, far, far, WEFT_U64);
    a.any_ids = 1;
    refused(ctx, &a, NULL, "edge 2 does not fit in 64 bits with sign");
    weft_ctx_free(ctx);
}

TEST(names_give_string_ids) {
    weft_ctx *ctx = new_ctx(1, NULL);
    int32_t u[] = {0, 2}, v[] = {2, 1};
    uint64_t starts[] = {0, 3, 6, 8};
    weft_arrays a = list_of(3, 2, u, v, WEFT_I32);
    a.names = "zoebobal", a.name_starts = starts;
    weft_graph *g = made(ctx, &a, NULL);
    REQUIRE(g != NULL);
    weft_ids ids = {.size = sizeof ids};
    CHECK_U64(weft_graph_ids(ctx, g, &ids), WEFT_OK);
    CHECK_U64(ids.kind, WEFT_IDS_STRING);
    CHECK(ids.starts[3] == 8 && !memcmp(ids.text, "albobzoe", 8));
    CHECK_GRAPH(g, "directed none [al bob zoe] al>bob zoe>al");
    a.names = "bobbobal";
    refused(ctx, &a, NULL, "names 0 and 1 are the same: 'bob'");
    starts[2] = 2;
    refused(ctx, &a, NULL, "name_starts[2] is less than the one before");
    weft_ctx_free(ctx);
}

TEST(rows_that_can_serve_are_kept_and_released_once) {
    weft_ctx *ctx = new_ctx(2, NULL);
    int released = 0;
    int64_t offsets[] = {0, 2, 2, 3};
    int32_t targets[] = {0, 2, 1};
    float weights[] = {1, 2, 3};
    weft_arrays a = rows_of(3, offsets, targets, WEFT_I32);
    a.weights = weights, a.weight_type = WEFT_F32;
    a.release = count_release, a.user = &released;
    weft_graph *g = made(ctx, &a, NULL), *kept = g;
    REQUIRE(g != NULL);
    weft_csr out = out_rows(g);
    CHECK((const void *)out.offsets == offsets && (const void *)out.targets == targets && out.weights == weights);
    weft_graph_info info = info_of(ctx, g);
    CHECK(info.self_loops == 1 && info.edges == 3 && info.records == 3);
    CHECK_U64(released, 0);
    CHECK_GRAPH(kept, "directed f32 [0 1 2] 0>0:1 0>2:2 2>1:3");
    CHECK_U64(released, 1);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(rows_that_cannot_serve_are_copied_and_released_at_once) {
    weft_ctx *ctx = new_ctx(2, NULL);
    int64_t offsets[] = {0, 3, 3, 4};
    int32_t falling[] = {2, 0, 2, 1};
    int64_t wide[] = {0, 1, 2, 1};
    int released = 0;
    weft_arrays a = rows_of(3, offsets, falling, WEFT_I32);
    a.release = count_release, a.user = &released;
    weft_graph *g = made(ctx, &a, NULL);
    REQUIRE(g != NULL);
    CHECK_U64(released, 1);
    CHECK((const void *)out_rows(g).targets != falling);
    CHECK_U64(info_of(ctx, g).duplicates_dropped, 1);
    CHECK_GRAPH(g, "directed none [0 1 2] 0>0 0>2 2>1");
    a.targets = wide, a.id_type = WEFT_I64; /* the offsets can stay */
    g = made(ctx, &a, NULL);
    REQUIRE(g != NULL);
    CHECK((const void *)out_rows(g).offsets == offsets && (const void *)out_rows(g).targets != wide);
    CHECK_U64(released, 1);
    CHECK_GRAPH(g, "directed none [0 1 2] 0>0 0>1 0>2 2>1");
    CHECK_U64(released, 2);
    weft_build_params no_loops = rules(WEFT_DIRECTED, WEFT_DUPLICATES_DROP, WEFT_LOOPS_DROP);
    CHECK_GRAPH(made(ctx, &a, &no_loops), "directed none [0 1 2] 0>1 0>2 2>1");
    CHECK_U64(released, 3);
    wide[3] = 7;
    refused(ctx, &a, NULL, "edge 3: target 7 is not below the number of vertices, 3");
    CHECK_U64(released, 3); /* still the caller's */
    weft_ctx_free(ctx);
}

TEST(symmetric_rows_are_an_undirected_graph) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_build_params both = rules(WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP);
    int64_t offsets[] = {0, 1, 3, 5};
    uint32_t targets[] = {1, 0, 2, 1, 2}, weights[] = {4, 4, 5, 5, 6};
    uint32_t sources[] = {0, 1, 1, 2, 2};
    weft_arrays a = rows_of(3, offsets, targets, WEFT_U32);
    a.weights = weights, a.weight_type = WEFT_U32, a.symmetric = 1;
    const char *want = "undirected u32 [0 1 2] 0-1:4 1-2:5 2-2:6";
    weft_graph *g = made(ctx, &a, &both);
    REQUIRE(g != NULL);
    CHECK_U64(weft_graph_edges(g), 3);
    CHECK_U64(info_of(ctx, g).duplicates_dropped, 0);
    CHECK_GRAPH(g, want);
    weft_arrays l = list_of(3, 5, sources, targets, WEFT_U32);
    l.weights = weights, l.weight_type = WEFT_U32, l.symmetric = 1;
    CHECK_GRAPH(made(ctx, &l, &both), want);
    weights[3] = 9;
    const char *message = "not symmetric: the edge from 1 to 2 has no reverse edge with the same weight";
    refused(ctx, &a, &both, message);
    refused(ctx, &l, &both, message);
    l.symmetric = a.symmetric = 0; /* then each entry is an edge, and the smaller weight stays */
    CHECK_GRAPH(made(ctx, &a, &both), want);
    CHECK_GRAPH(made(ctx, &l, &both), want);
    weft_ctx_free(ctx);
}

TEST(parallel_edges_are_symmetric_if_each_is) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_build_params keep = rules(WEFT_UNDIRECTED, WEFT_DUPLICATES_KEEP, WEFT_LOOPS_KEEP);
    int64_t offsets[] = {0, 2, 4};
    uint32_t targets[] = {1, 1, 0, 0}, fewer[] = {1, 1, 0, 1};
    weft_arrays a = rows_of(2, offsets, targets, WEFT_U32);
    a.symmetric = 1;
    CHECK_GRAPH(made(ctx, &a, &keep), "undirected none [0 1] 0-1 0-1");
    a.targets = fewer;
    refused(ctx, &a, &keep, "not symmetric: the edge from 0 to 1 has no reverse edge with the same weight");
    weft_ctx_free(ctx);
}

TEST(arrays_on_a_gpu_need_a_gpu) {
    char none[256];
    if (wfi_cuda_devices(none, sizeof none)) SKIP("there is a GPU here");
    weft_ctx *ctx = new_ctx(1, NULL);
    uint32_t ends[] = {0, 1};
    weft_graph *g = NULL;
    weft_arrays a = list_of(2, 2, ends, ends, WEFT_U32);
    a.on_device = 1;
    CHECK_U64(weft_graph_from_arrays(ctx, &a, NULL, &g), WEFT_EDEVICE);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(vertices_by_their_ids) {
    weft_ctx *ctx = new_ctx(2, NULL);
    int64_t u[] = {10, 30}, v[] = {20, 10}, asked[] = {30, 10, 20, 25};
    weft_vid found[4];
    weft_arrays a = list_of(0, 2, u, v, WEFT_I64);
    a.any_ids = 1;
    weft_graph *g = made(ctx, &a, NULL);
    REQUIRE(g != NULL);
    CHECK_U64(weft_graph_find_ids(ctx, g, 3, asked, found), WEFT_OK);
    CHECK(found[0] == 2 && found[1] == 0 && found[2] == 1);
    CHECK_U64(weft_graph_find_ids(ctx, g, 4, asked, found), WEFT_ENOTFOUND);
    CHECK_TEXT(weft_ctx_message(ctx), "ids[3]: no vertex '25' in this graph");
    weft_ids ids = {.size = sizeof ids};
    CHECK_U64(weft_graph_ids(ctx, g, &ids), WEFT_OK);
    CHECK(ids.kind == WEFT_IDS_SPARSE && ids.numbers[2] == 30 && !ids.text);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
