/* Attributes of a dynamic graph: its snapshots have those of the base's vertices, new vertices and those that came back
 * have none; in a file as in memory. */
#include "../io/attribute_text.h"

#define VERTICES "id,name,born\n1,Ann,1990-01-02\n2,Bob,\n3,Cid,2001-12-31\n9,Dora,\n"
#define WHOLE    "name:text[Ann|Bob|Cid|Dora] born:time[1990-01-02|-|2001-12-31|-]"

static weft_graph *read_base(weft_ctx *ctx, const char *folder) {
    char path[512];
    static const char edges[] = "source,target\n1,2\n2,3\n";
    weft_read_params p = reading("csv");
    weft_graph *g = NULL;
    snprintf(path, sizeof path, "%s/vertices.csv", folder);
    write_file(path, VERTICES, strlen(VERTICES));
    p.nodes = path;
    if (weft_read_memory(ctx, edges, sizeof edges - 1, "edges", &p, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

static void change(weft_ctx *ctx, weft_dynamic *d, weft_change what, int64_t u, int64_t v) {
    uint8_t kind = (uint8_t)what;
    weft_batch b = WEFT_BATCH_DEFAULTS;
    b.count = 1;
    b.changes = &kind;
    b.sources = &u;
    b.targets = &v;
    if (weft_dynamic_apply(ctx, d, &b, NULL)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
}

static void check_now(weft_ctx *ctx, weft_dynamic *d, const char *want) {
    weft_graph *g = NULL;
    REQUIRE(!weft_dynamic_snapshot(ctx, d, &g));
    check_attributes(ctx, g, want);
    weft_graph_free(g);
}

static void tell_saga(weft_ctx *ctx, weft_dynamic *d) {
    weft_graph *before = NULL, *without = NULL;
    check_now(ctx, d, WHOLE);
    REQUIRE(!weft_dynamic_snapshot(ctx, d, &before));
    change(ctx, d, WEFT_CHANGE_INSERT, 2, 5); /* a new id between others */
    check_now(ctx, d, "name:text[Ann|Bob|Cid|-|Dora] born:time[1990-01-02|-|2001-12-31|-|-]");
    change(ctx, d, WEFT_CHANGE_REMOVE_VERTEX, 3, 0);
    check_now(ctx, d, "name:text[Ann|Bob|-|Dora] born:time[1990-01-02|-|-|-]");
    REQUIRE(!weft_dynamic_snapshot(ctx, d, &without));
    change(ctx, d, WEFT_CHANGE_ADD_VERTEX, 3, 0);
    check_now(ctx, d, "name:text[Ann|Bob|-|-|Dora] born:time[1990-01-02|-|-|-|-]");
    check_attributes(ctx, before, WHOLE); /* packed only now */
    check_attributes(ctx, without, "name:text[Ann|Bob|-|Dora] born:time[1990-01-02|-|-|-]");
    weft_graph_free(before);
    weft_graph_free(without);
}

TEST(snapshots_have_the_attributes_of_the_base) {
    char folder[256];
    REQUIRE(make_temp(folder, sizeof folder));
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *base = read_base(ctx, folder);
    weft_dynamic *d = NULL;
    REQUIRE(!weft_dynamic_new(ctx, base, NULL, &d));
    weft_graph_free(base);
    tell_saga(ctx, d);
    weft_dynamic_free(d);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(a_file_keeps_them) {
    char folder[256], path[512];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/base.weft", folder);
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_base(ctx, folder);
    weft_dynamic *d = NULL;
    const char *last = "name:text[Ann|Bob|-|-|Dora] born:time[1990-01-02|-|-|-|-]";
    REQUIRE(g && !weft_write(ctx, g, path, NULL));
    weft_graph_free(g);
    REQUIRE(!weft_dynamic_open(ctx, path, NULL, &d));
    tell_saga(ctx, d);
    weft_dynamic_free(d);
    for (int compacted = 0; compacted < 2; compacted++) {
        weft_read_params p = WEFT_READ_DEFAULTS;
        p.verify_checksums = 1;
        if (weft_read(ctx, path, &p, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
        if (g) check_attributes(ctx, g, last);
        weft_graph_free(g);
        REQUIRE(!weft_dynamic_open(ctx, path, NULL, &d));
        check_now(ctx, d, last);
        if (!compacted) CHECK(!weft_dynamic_compact(ctx, d));
        check_now(ctx, d, last);
        weft_dynamic_free(d);
    }
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(columns_of_edges_are_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    static const char edges[] = "source,target,amount\n1,2,5\n";
    weft_read_params p = reading("csv");
    weft_graph *g = NULL;
    weft_dynamic *d = NULL;
    p.keep = "amount";
    REQUIRE(!weft_read_memory(ctx, edges, sizeof edges - 1, "edges", &p, &g));
    CHECK(weft_dynamic_new(ctx, g, NULL, &d) == WEFT_EUNSUPPORTED && !d);
    CHECK_HAS(weft_ctx_message(ctx), "columns of edges");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
