/* Two kinds of vertices in a dynamic graph: a new vertex gets its side by its name, by its edge or as the source; an
 * edge within a side is refused with its batch; files, compacted ones too, and snapshots packed late have the sides. */
#include "../io/attribute_text.h"

static weft_graph *read_two(weft_ctx *ctx, const char *edges) {
    weft_read_params p = reading("csv");
    weft_graph *g = NULL;
    p.sides = 1;
    p.header = WEFT_HEADER_YES;
    if (weft_read_memory(ctx, edges, strlen(edges), "edges", &p, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

/* Changes as "+a b -a b ^a _a": an edge there, gone, a vertex there, gone.  What the library says of them. */
static weft_status change(weft_ctx *ctx, weft_dynamic *d, const char *what) {
    char copy[256], *rest = NULL;
    uint8_t kind[16];
    const char *u[16], *v[16];
    uint64_t count = 0;
    snprintf(copy, sizeof copy, "%s", what);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest), count++) {
        bool edge = *word == '+' || *word == '-';
        kind[count] = (uint8_t)(*word == '+'   ? WEFT_CHANGE_INSERT
                                : *word == '-' ? WEFT_CHANGE_DELETE
                                : *word == '^' ? WEFT_CHANGE_ADD_VERTEX
                                               : WEFT_CHANGE_REMOVE_VERTEX);
        u[count] = word + 1;
        v[count] = edge ? strtok_r(NULL, " ", &rest) : "";
    }
    weft_batch b = WEFT_BATCH_DEFAULTS;
    b.count = count;
    b.changes = kind;
    b.source_names = u;
    b.target_names = v;
    return weft_dynamic_apply(ctx, d, &b, NULL);
}

static void check_sides(const weft_graph *g, const char *want) {
    char text[512] = "", id[64];
    size_t used = 0;
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
        weft_graph_id_text(g, v, id, sizeof id);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%d", v ? " " : "", id, weft_graph_side(g, v));
    }
    CHECK_TEXT(text, want);
}

static void check_now(weft_ctx *ctx, weft_dynamic *d, const char *want) {
    weft_graph *g = NULL;
    REQUIRE(!weft_dynamic_snapshot(ctx, d, &g));
    check_sides(g, want);
    weft_graph_free(g);
}

static void refused(weft_ctx *ctx, weft_dynamic *d, const char *what, const char *why, const char *still) {
    CHECK_U64(change(ctx, d, what), WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), why);
    check_now(ctx, d, still);
}

#define FILMS "person,film\nann,up\nbob,up\n"

static void tell_saga(weft_ctx *ctx, weft_dynamic *d) {
    weft_graph *before = NULL;
    const char *first = "ann=0 bob=0 up=1", *then = "ann=0 bob=0 cyd=0 dan=0 eve=0 jaws=1 up=1";
    check_now(ctx, d, first);
    REQUIRE(!weft_dynamic_snapshot(ctx, d, &before));
    REQUIRE(!change(ctx, d, "+cyd up +dan jaws +up eve"));
    check_now(ctx, d, then);
    refused(ctx, d, "+zoe up +ann bob", "from 'ann' to 'bob' would be within the side person", then);
    refused(ctx, d, "+up jaws", "within the side film", then);
    refused(ctx, d, "+up up", "within the side film", then);
    refused(ctx, d, "+zoe zoe", "'zoe' to 'zoe' would be within", then);
    refused(ctx, d, "^zoe", "no edge determines whether it is on the side person or film", then);
    REQUIRE(!change(ctx, d, "+up zoe"));
    REQUIRE(!change(ctx, d, "_jaws _zoe -ann bob"));
    check_now(ctx, d, "ann=0 bob=0 cyd=0 dan=0 eve=0 up=1");
    refused(ctx, d, "+jaws new", "'jaws' was on the side film when it was removed, and would come back on person",
            "ann=0 bob=0 cyd=0 dan=0 eve=0 up=1");
    REQUIRE(!change(ctx, d, "+ann jaws ^ann"));
    check_now(ctx, d, then);
    check_sides(before, first); /* packed only now */
    weft_graph_free(before);
}

TEST(new_vertices_get_the_other_side) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_two(ctx, FILMS);
    weft_dynamic *d = NULL;
    REQUIRE(g && !weft_dynamic_new(ctx, g, NULL, &d));
    weft_graph_free(g);
    tell_saga(ctx, d);
    weft_dynamic_free(d);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(a_file_keeps_them) {
    char folder[256], path[512];
    const char *last = "ann=0 bob=0 cyd=0 dan=0 eve=0 jaws=1 up=1";
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/films.weft", folder);
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_two(ctx, FILMS);
    weft_dynamic *d = NULL;
    REQUIRE(g && !weft_write(ctx, g, path, NULL));
    weft_graph_free(g);
    REQUIRE(!weft_dynamic_open(ctx, path, NULL, &d));
    tell_saga(ctx, d);
    weft_dynamic_free(d);
    for (int compacted = 0; compacted < 2; compacted++) {
        weft_read_params p = WEFT_READ_DEFAULTS;
        const char *name[2];
        p.verify_checksums = 1;
        REQUIRE(!weft_read(ctx, path, &p, &g));
        CHECK(weft_graph_sides(g, &name[0], &name[1]) && !strcmp(name[0], "person") && !strcmp(name[1], "film"));
        check_sides(g, last);
        weft_graph_free(g);
        REQUIRE(!weft_dynamic_open(ctx, path, NULL, &d));
        if (!compacted) CHECK(!weft_dynamic_compact(ctx, d));
        check_now(ctx, d, last);
        weft_dynamic_free(d);
    }
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(names_say_the_side_where_ids_are_shared) {
    const char *first = "item:1=1 item:2=1 user:1=0 user:2=0",
               *then = "item:1=1 item:2=1 item:7=1 item:8=1 user:1=0 user:2=0 user:7=0";
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_two(ctx, "user,item\n1,1\n1,2\n2,2\n");
    weft_dynamic *d = NULL;
    REQUIRE(g && !weft_dynamic_new(ctx, g, NULL, &d));
    check_now(ctx, d, first);
    refused(ctx, d, "+7 item:1", "vertex '7' is new: is it user:7 or item:7?", first);
    refused(ctx, d, "+user:1 7", "vertex '7' is new", first);
    refused(ctx, d, "^user:", "vertex 'user:' is new", first);
    refused(ctx, d, "+user:7 user:1", "within the side user", first);
    REQUIRE(!change(ctx, d, "+item:7 user:7 ^item:8"));
    check_now(ctx, d, then);
    weft_graph_free(g);
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
}

TEST(each_allocation_may_fail) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_two(ctx, FILMS);
    weft_status st = WEFT_ENOMEM;
    REQUIRE(g);
    for (uint64_t at = 0; st && at < 500; at++) {
        counting heap = {.allowed = at, .once = true};
        weft_ctx *small = new_ctx(1, NULL);
        weft_ctx_set_allocator(small, counting_alloc, counting_free, &heap);
        weft_dynamic *d = NULL;
        weft_graph *packed = NULL;
        const char *name;
        st = weft_dynamic_new(small, g, NULL, &d);
        if (!st) st = change(small, d, "+cyd up +dan jaws");
        if (!st) st = weft_dynamic_snapshot(small, d, &packed);
        if (!st && !weft_graph_sides(packed, &name, NULL)) st = WEFT_ENOMEM;
        CHECK(!st || st == WEFT_ENOMEM);
        weft_graph_free(packed);
        weft_dynamic_free(d);
        weft_ctx_free(small);
        CHECK_U64(heap.live_blocks, 0);
        if (!st && heap.calls > at) st = WEFT_ENOMEM; /* it failed where that does not matter */
    }
    CHECK_U64(st, WEFT_OK);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
