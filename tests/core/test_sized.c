/* Structs that begin with their size, from older and newer headers than the library's. */

#include "core/core.h"
#include "support.h"
#include "weft/degree.h"

typedef struct ours {
    size_t size;
    uint64_t first, second;
} ours;
typedef struct newer {
    size_t size;
    uint64_t first, second, third;
} newer;

TEST(an_older_struct_has_the_defaults_of_what_it_does_not_know) {
    weft_ctx *ctx = new_ctx(1, NULL);
    struct {
        size_t size;
        uint64_t first;
    } old = {sizeof old, 7};
    ours o = {sizeof o, 1, 2};
    CHECK_U64(wfi_sized_in(ctx, "ours", &old, &o, sizeof o), WEFT_OK);
    CHECK_U64(o.size, sizeof o);
    CHECK_U64(o.first, 7);
    CHECK_U64(o.second, 2);
    CHECK_U64(wfi_sized_in(ctx, "ours", NULL, &o, sizeof o), WEFT_OK);
    CHECK_U64(o.first, 7);
    weft_ctx_free(ctx);
}

TEST(a_newer_struct_is_understood_until_it_uses_what_is_new) {
    weft_ctx *ctx = new_ctx(1, NULL);
    newer n = {sizeof n, 7, 8, 0};
    ours o = {sizeof o, 1, 2};
    CHECK_U64(wfi_sized_in(ctx, "ours", &n, &o, sizeof o), WEFT_OK);
    CHECK_U64(o.size, sizeof o);
    CHECK_U64(o.second, 8);
    n.third = 1;
    CHECK_U64(wfi_sized_in(ctx, "ours", &n, &o, sizeof o), WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "ours comes from a newer Weft");
    weft_ctx_free(ctx);
}

TEST(a_struct_without_a_size_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    static const size_t wrong[] = {0, 3, SIZE_MAX};
    for (int i = 0; i < 3; i++) {
        ours given = {wrong[i], 7, 8}, o = {sizeof o, 1, 2};
        CHECK_U64(wfi_sized_in(ctx, "ours", &given, &o, sizeof o), WEFT_EINVAL);
        CHECK_HAS(weft_ctx_message(ctx), "ours has no size");
        CHECK_U64(wfi_sized_out(ctx, "ours", &o, sizeof o, &given), WEFT_EINVAL);
        CHECK_U64(given.first, 7);
    }
    weft_ctx_free(ctx);
}

TEST(answers_fill_what_the_caller_has) {
    weft_ctx *ctx = new_ctx(1, NULL);
    ours o = {sizeof o, 1, 2}, room = {offsetof(ours, second), 7, 8};
    CHECK_U64(wfi_sized_out(ctx, "ours", &o, sizeof o, &room), WEFT_OK);
    CHECK_U64(room.size, offsetof(ours, second));
    CHECK_U64(room.first, 1);
    CHECK_U64(room.second, 8);
    newer n = {sizeof n, 7, 8, 9};
    CHECK_U64(wfi_sized_out(ctx, "ours", &o, sizeof o, &n), WEFT_OK);
    CHECK_U64(n.size, sizeof n);
    CHECK_U64(n.second, 2);
    CHECK_U64(n.third, 0);
    weft_ctx_free(ctx);
}

/* Every struct of the API, as a program would pass it that was built when only its first field was there. */
TEST(the_api_takes_older_structs) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    char folder[256], path[300];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/g", folder);

    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.size = offsetof(weft_build_params, duplicates);
    build.direction = WEFT_UNDIRECTED;
    build.loops = (weft_loops)99; /* behind its end */
    weft_vid u[] = {0, 1}, v[] = {1, 0};
    CHECK_U64(weft_graph_from_edges(ctx, 2, 2, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g), WEFT_OK);
    if (g) CHECK_U64(weft_graph_edges(g), 1);
    weft_graph_free(g);
    g = NULL;

    weft_read_params read = WEFT_READ_DEFAULTS;
    read.size = offsetof(weft_read_params, weights);
    read.format = "edgelist";
    read.weights = (weft_weights_use)99;
    CHECK_U64(weft_read_memory(ctx, "0 1 5\n", 6, "text", &read, &g), WEFT_OK);
    REQUIRE(g);
    CHECK_U64(weft_graph_weight_type(g), WEFT_WEIGHT_U32);

    weft_write_params write = WEFT_WRITE_DEFAULTS;
    write.size = offsetof(weft_write_params, both_directions);
    write.format = "csv";
    write.level = 99;
    CHECK_U64(weft_write(ctx, g, path, &write), WEFT_OK);

    struct {
        weft_graph_info info;
        uint64_t behind;
    } room = {.behind = 42};
    room.info.size = offsetof(weft_graph_info, records);
    room.info.records = 77;
    CHECK_U64(weft_graph_describe(ctx, g, &room.info), WEFT_OK);
    CHECK_U64(room.info.vertices, 2);
    CHECK_U64(room.info.records, 77);
    CHECK_U64(room.behind, 42);

    weft_degree_params degree = WEFT_DEGREE_DEFAULTS;
    CHECK_U64(weft_degree(ctx, g, &degree, &r), WEFT_OK);
    weft_result_free(r);
    degree.size = 1;
    CHECK_U64(weft_degree(ctx, g, &degree, &r), WEFT_EINVAL);

    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(rules_that_do_not_exist_are_refused_by_generators_too) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 3;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.duplicates = (weft_duplicates)99;
    CHECK_U64(weft_generate(ctx, "path", &p, &build, &g), WEFT_EINVAL);
    build = (weft_build_params)WEFT_BUILD_DEFAULTS;
    build.size = 0;
    CHECK_U64(weft_generate(ctx, "path", &p, &build, &g), WEFT_EINVAL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
