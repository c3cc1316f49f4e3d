/* weft_graph_changes: small graphs by eye; ids of every kind, also of vertices in another order; parallel edges;
 * weights of other types; what cannot be compared; the same bytes on any number of threads; memory that is not
 * there; stopping. tests/cli/random_pairs.py compares with Python's sets. */
#include "support.h"

static weft_graph *read_as(weft_ctx *ctx, const char *text, weft_direction direction, weft_duplicates duplicates) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.direction = direction;
    p.duplicates = duplicates;
    return read_text(ctx, text, &p);
}

/* "-v4 +v7 -1,2:5 +2,7:1 ~2,3:6>60", in this order; then what was compared, if that is not all. */
static const char *changes_text(const weft_result *r, const weft_graph *a, const weft_graph *b, char *to, size_t room) {
    static const char *const lists[][4] = {{"removed_source", "removed_target", "removed_weight", NULL},
                                           {"added_source", "added_target", "added_weight", NULL},
                                           {"changed_source", "changed_target", "weight_before", "weight_after"}};
    char u[64], v[64];
    to[0] = 0;
    for (int k = 0; k < 2; k++) {
        const weft_column *list = weft_result_column(r, k ? "added_vertex" : "removed_vertex");
        for (size_t i = 0; i < list->length; i++) {
            weft_graph_id_text(k ? b : a, ((const weft_vid *)list->data)[i], u, sizeof u);
            append(to, room, "%s%cv%s", *to ? " " : "", "-+"[k], u);
        }
    }
    for (int k = 0; k < 3; k++) {
        const weft_graph *g = k == 1 ? b : a;
        const weft_vid *source = weft_result_u32(r, lists[k][0]), *target = weft_result_u32(r, lists[k][1]);
        for (size_t i = 0; i < weft_result_column(r, lists[k][0])->length; i++) {
            weft_graph_id_text(g, source[i], u, sizeof u);
            weft_graph_id_text(g, target[i], v, sizeof v);
            append(to, room, "%s%c%s,%s", *to ? " " : "", "-+~"[k], u, v);
            for (int w = 2; w < 4; w++) {
                const weft_column *weight = lists[k][w] ? weft_result_column(r, lists[k][w]) : NULL;
                if (!weight) continue;
                double x = weight->type == WEFT_U32   ? ((const uint32_t *)weight->data)[i]
                           : weight->type == WEFT_F32 ? (double)((const float *)weight->data)[i]
                                                      : ((const double *)weight->data)[i];
                append(to, room, "%c%.9g", ":>"[w - 2], x);
            }
        }
    }
    if (weft_result_scalar(r, "equal")->value.u64) append(to, room, "%sequal", *to ? " " : "");
    return to;
}

#define CHECK_CHANGES(a, b, want)                                              \
    do {                                                                       \
        char text_[2000];                                                      \
        weft_result *r_ = NULL;                                                \
        if (weft_graph_changes(ctx, (a), (b), NULL, &r_))                      \
            HARNESS_FAIL("%s", weft_ctx_message(ctx));                         \
        else                                                                   \
            CHECK_TEXT(changes_text(r_, (a), (b), text_, sizeof text_), want); \
        weft_result_free(r_);                                                  \
    } while (0)

TEST(what_was_removed_added_and_changed) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *a = read_as(ctx, "1 2 5\n2 3 6\n3 1 7\n4 5 1\n", WEFT_DIRECTED, WEFT_DUPLICATES_DROP);
    weft_graph *b = read_as(ctx, "1 2 5\n2 3 60\n3 7 7\n7 2 1\n", WEFT_DIRECTED, WEFT_DUPLICATES_DROP);
    REQUIRE(a && b);
    CHECK_CHANGES(a, b, "-v4 -v5 +v7 -3,1:7 -4,5:1 +3,7:7 +7,2:1 ~2,3:6>60");
    CHECK_CHANGES(b, a, "-v7 +v4 +v5 -3,7:7 -7,2:1 +3,1:7 +4,5:1 ~2,3:60>6");
    CHECK_CHANGES(a, a, "equal");
    weft_result *r = NULL;
    REQUIRE(weft_graph_changes(ctx, a, b, NULL, &r) == WEFT_OK);
    static const weft_vid match[] = {0, 1, 2, WEFT_NO_VERTEX, WEFT_NO_VERTEX};
    for (int v = 0; v < 5; v++) CHECK_U64(weft_result_u32(r, "match")[v], match[v]);
    static const struct {
        const char *name;
        uint64_t value;
    } want[] = {{"vertices_a", 5},      {"vertices_b", 4},      {"vertices_removed", 2}, {"vertices_added", 1},
                {"edges_a", 4},         {"edges_b", 4},         {"edges_removed", 2},    {"edges_added", 2},
                {"weights_changed", 1}, {"weights_compared", 1}};
    for (size_t i = 0; i < LENGTH(want); i++) CHECK_U64(weft_result_scalar(r, want[i].name)->value.u64, want[i].value);
    weft_result_free(r);
    weft_changes_params p = WEFT_CHANGES_DEFAULTS;
    p.weights = 0;
    REQUIRE(weft_graph_changes(ctx, a, b, &p, &r) == WEFT_OK);
    CHECK_U64(weft_result_scalar(r, "weights_changed")->value.u64, 0);
    CHECK_U64(weft_result_scalar(r, "weights_compared")->value.u64, 0);
    CHECK_U64(weft_result_scalar(r, "edges_removed")->value.u64, 2);
    weft_result_free(r);
    weft_graph_free(a);
    weft_graph_free(b);
    weft_ctx_free(ctx);
}

/* An undirected edge is there once, from the smaller id, however it is listed; loops count. */
TEST(undirected_edges_have_no_direction) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *a = read_as(ctx, "b a\nb c\nc c\n", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    weft_graph *b = read_as(ctx, "a b\nc b\n", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    REQUIRE(a && b);
    CHECK_CHANGES(a, b, "-c,c");
    CHECK_CHANGES(b, a, "+c,c");
    weft_graph_free(a);
    weft_graph_free(b);
    weft_ctx_free(ctx);
}

/* Equal weights are the same edge; the others are paired from the smallest on. */
TEST(parallel_edges_are_compared_by_how_many_there_are) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *a = read_as(ctx, "1 2\n1 2\n1 2\n2 2\n", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP);
    weft_graph *b = read_as(ctx, "1 2\n2 2\n2 2\n", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP);
    REQUIRE(a && b);
    CHECK_CHANGES(a, b, "-1,2 -1,2 +2,2");
    weft_graph_free(a);
    weft_graph_free(b);
    for (int k = 0; k < 2; k++) {
        weft_direction direction = k ? WEFT_UNDIRECTED : WEFT_DIRECTED;
        a = read_as(ctx, "1 2 9\n1 2 3\n1 2 5\n1 2 3\n", direction, WEFT_DUPLICATES_KEEP);
        b = read_as(ctx, "1 2 3\n1 2 4\n1 2 8\n1 2 7.5\n1 2 6\n", direction, WEFT_DUPLICATES_KEEP);
        REQUIRE(a && b);
        CHECK_CHANGES(a, b, "+1,2:8 ~1,2:3>4 ~1,2:5>6 ~1,2:9>7.5");
        CHECK_CHANGES(b, a, "-1,2:8 ~1,2:4>3 ~1,2:6>5 ~1,2:7.5>9");
        weft_graph_free(a);
        a = read_as(ctx, "1 2 8\n1 2 7.5\n1 2 6\n1 2 4\n1 2 3\n", direction, WEFT_DUPLICATES_KEEP);
        REQUIRE(a);
        CHECK_CHANGES(a, b, "equal");
        weft_graph_free(a);
        weft_graph_free(b);
    }
    weft_ctx_free(ctx);
}

/* Numbers with gaps and without, far below 0; vertices in another order than their ids. */
TEST(vertices_are_matched_by_their_ids) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *a = read_as(ctx, "-5 7\n7 1000000000000\n", WEFT_DIRECTED, WEFT_DUPLICATES_DROP), *other = NULL;
    weft_graph *b = read_as(ctx, "6 7\n7 8\n", WEFT_DIRECTED, WEFT_DUPLICATES_DROP);
    static const weft_vid order[] = {2, 0, 1};
    REQUIRE(a && b);
    CHECK_CHANGES(a, b, "-v-5 -v1000000000000 +v6 +v8 --5,7 -7,1000000000000 +6,7 +7,8");
    REQUIRE(weft_graph_relabel(ctx, a, order, &other) == WEFT_OK);
    CHECK_CHANGES(a, other, "equal");
    CHECK_CHANGES(other, a, "equal");
    CHECK_CHANGES(other, b, "-v-5 -v1000000000000 +v6 +v8 --5,7 -7,1000000000000 +6,7 +7,8");
    weft_result *r = NULL;
    REQUIRE(weft_graph_changes(ctx, other, a, NULL, &r) == WEFT_OK);
    for (int v = 0; v < 3; v++) CHECK_U64(weft_result_u32(r, "match")[v], order[v]);
    weft_result_free(r);
    weft_graph_free(a);
    weft_graph_free(b);
    weft_graph_free(other);
    a = read_as(ctx, "x xx\nxx y\n", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    b = read_as(ctx, "x xxx\ny xx\n", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    REQUIRE(a && b && weft_graph_relabel(ctx, b, (const weft_vid[]){3, 1, 0, 2}, &other) == WEFT_OK);
    CHECK_CHANGES(a, b, "+vxxx -x,xx +x,xxx");
    CHECK_CHANGES(a, other, "+vxxx -x,xx +x,xxx");
    weft_graph_free(a);
    weft_graph_free(b);
    weft_graph_free(other);
    weft_ctx_free(ctx);
}

TEST(empty_graphs_are_equal) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *none = NULL, *one = NULL, *names = read_as(ctx, "a b\n", WEFT_AS_FILE, WEFT_DUPLICATES_DROP);
    REQUIRE(!weft_graph_from_edges(ctx, 0, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &none) && names);
    REQUIRE(!weft_graph_from_edges(ctx, 1, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &one));
    CHECK_CHANGES(none, none, "equal");
    CHECK_CHANGES(none, one, "+v0");
    CHECK_CHANGES(one, none, "-v0");
    CHECK_CHANGES(none, names, "+va +vb +a,b");
    weft_graph_free(none);
    weft_graph_free(one);
    weft_graph_free(names);
    weft_ctx_free(ctx);
}

/* By value; that their types differ is said only where weights differ. */
TEST(weights_of_other_types_are_compared_by_value) {
    warnings notes;
    weft_ctx *ctx = new_ctx(1, NULL);
    notes = (warnings){0, ""};
    weft_ctx_set_note(ctx, note_warning, &notes);
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.direction = WEFT_DIRECTED;
    weft_graph *a = read_text(ctx, "1 2 5\n2 1 7\n", &p), *none = NULL;
    p.weight_type = WEFT_WEIGHT_F64;
    weft_graph *b = read_text(ctx, "1 2 5\n2 1 7\n", &p), *c = read_text(ctx, "1 2 5\n2 1 0.1\n", &p);
    p.weights = WEFT_WEIGHTS_IGNORE;
    none = read_text(ctx, "1 2 5\n2 1 7\n", &p);
    REQUIRE(a && b && c && none);
    notes = (warnings){0, ""};
    CHECK_CHANGES(a, b, "equal");
    CHECK_I64(notes.count, 0);
    CHECK_CHANGES(a, c, "~2,1:7>0.1");
    CHECK_HAS(notes.text, "the first graph has u32 weights, the second f64");
    notes = (warnings){0, ""};
    CHECK_CHANGES(a, none, ""); /* nothing is there or gone, but they are not equal */
    CHECK_HAS(notes.text, "the first graph has weights, the second has none: edges are compared without them");
    weft_result *r = NULL;
    weft_changes_params ends = WEFT_CHANGES_DEFAULTS;
    ends.weights = 0;
    REQUIRE(weft_graph_changes(ctx, a, none, &ends, &r) == WEFT_OK);
    CHECK_U64(weft_result_scalar(r, "equal")->value.u64, 1);
    weft_result_free(r);
    weft_graph_free(a);
    weft_graph_free(b);
    weft_graph_free(c);
    weft_graph_free(none);
    weft_ctx_free(ctx);
}

TEST(zero_has_no_sign) {
    weft_ctx *ctx = new_ctx(1, NULL);
    static const weft_vid u[] = {0, 0, 0}, v[] = {1, 2, 3};
    double x[] = {0, 2, -1}, y[] = {-0.0, 2, 1};
    weft_graph *a = NULL, *b = NULL;
    REQUIRE(!weft_graph_from_edges(ctx, 4, 3, u, v, x, WEFT_WEIGHT_F64, NULL, &a));
    REQUIRE(!weft_graph_from_edges(ctx, 4, 3, u, v, y, WEFT_WEIGHT_F64, NULL, &b));
    CHECK_CHANGES(a, b, "~0,3:-1>1");
    weft_graph_free(a);
    weft_graph_free(b);
    weft_ctx_free(ctx);
}

TEST(what_cannot_be_compared_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_result *r = NULL;
    weft_graph *a = read_as(ctx, "1 2\n", WEFT_DIRECTED, WEFT_DUPLICATES_DROP);
    weft_graph *b = read_as(ctx, "1 2\n", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    weft_graph *names = read_as(ctx, "1 x\n", WEFT_DIRECTED, WEFT_DUPLICATES_DROP);
    weft_graph *unsaid = read_as(ctx, "1 2 3\n1 2 4\n", WEFT_DIRECTED, WEFT_DUPLICATES_DROP);
    weft_graph *said = read_as(ctx, "1 2 3\n", WEFT_DIRECTED, WEFT_DUPLICATES_DROP);
    REQUIRE(a && b && names && unsaid && said);
    CHECK(weft_graph_changes(ctx, a, b, NULL, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "the first graph is directed, and the second graph is not");
    CHECK(weft_graph_changes(ctx, a, names, NULL, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "the ids of the first graph are numbers, those of the second graph names");
    CHECK(weft_graph_changes(ctx, said, unsaid, NULL, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "the second graph: 1 pair of vertices has parallel edges with different weights");
    CHECK(weft_graph_changes(ctx, a, unsaid, NULL, &r) == WEFT_OK); /* its weights are not compared */
    weft_result_free(r);
    weft_graph_free(a);
    weft_graph_free(b);
    weft_graph_free(names);
    weft_graph_free(unsaid);
    weft_graph_free(said);
    weft_ctx_free(ctx);
}

/* Two R-MAT graphs with hubs, many blocks of rows: the same digest whatever the number of threads, and every arc
 * accounted for. */
TEST(the_same_bytes_on_any_number_of_threads) {
    static const int threads[] = {1, 2, 3, 7};
    uint64_t digest[2][LENGTH(threads)];
    for (size_t i = 0; i < LENGTH(threads); i++) {
        weft_ctx *ctx = new_ctx(threads[i], NULL);
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        build.duplicates = WEFT_DUPLICATES_KEEP;
        p.scale = 13;
        p.degree = 16;
        p.max_weight = 3;
        for (int k = 0; k < 2; k++) {
            weft_graph *a = NULL, *b = NULL;
            weft_result *r = NULL;
            build.direction = k ? WEFT_UNDIRECTED : WEFT_DIRECTED;
            p.seed = 1;
            REQUIRE(!weft_generate(ctx, "rmat", &p, &build, &a));
            p.seed = 2;
            REQUIRE(!weft_generate(ctx, "rmat", &p, &build, &b));
            REQUIRE(weft_graph_changes(ctx, a, b, NULL, &r) == WEFT_OK);
            REQUIRE(weft_result_digest(ctx, r, &digest[k][i]) == WEFT_OK);
            CHECK_U64(digest[k][i], digest[k][0]);
            CHECK_U64(weft_graph_edges(a) - weft_result_scalar(r, "edges_removed")->value.u64,
                      weft_graph_edges(b) - weft_result_scalar(r, "edges_added")->value.u64);
            CHECK(weft_result_scalar(r, "weights_changed")->value.u64 > 0);
            weft_result_free(r);
            weft_graph_free(a);
            weft_graph_free(b);
        }
        weft_ctx_free(ctx);
    }
}

/* 4 bytes for each vertex of both graphs, and the columns. */
TEST(it_takes_the_memory_that_the_header_says) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *a = NULL, *b = NULL;
    weft_result *r = NULL;
    p.scale = 16;
    p.degree = 4;
    REQUIRE(!weft_generate(ctx, "rmat", &p, NULL, &a));
    p.seed = 2;
    REQUIRE(!weft_generate(ctx, "rmat", &p, NULL, &b));
    weft_ctx_restart_memory_peak(ctx);
    uint64_t before = weft_ctx_memory_in_use(ctx), columns = 0;
    REQUIRE(weft_graph_changes(ctx, a, b, NULL, &r) == WEFT_OK);
    for (size_t i = 0; i < weft_result_column_count(r); i++) {
        const weft_column *c = weft_result_column_at(r, i);
        columns += c->length * weft_type_size(c->type);
    }
    uint64_t said = 4 * ((uint64_t)weft_graph_vertices(a) + weft_graph_vertices(b)) + columns;
    CHECK(weft_ctx_memory_peak(ctx) - before <= said + (1 << 15)); /* blocks of rows, and the result itself */
    CHECK(columns > (1 << 20));
    weft_result_free(r);
    weft_graph_free(a);
    weft_graph_free(b);
    weft_ctx_free(ctx);
}

TEST(memory_that_is_not_there_is_said) {
    weft_ctx *ctx = new_ctx(1, NULL);
    counting heap = {.allowed = COUNT_ONLY};
    weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
    weft_graph *a = read_as(ctx, "1 2 3\n1 2 4\n2 3 1\n5 6 1\n", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP), *b = NULL;
    uint64_t failed = 0;
    REQUIRE(a && !weft_graph_relabel(ctx, a, (const weft_vid[]){4, 2, 1, 0, 3}, &b));
    for (weft_status st = WEFT_ENOMEM; st == WEFT_ENOMEM; failed++) {
        weft_result *r;
        uint64_t blocks = heap.live_blocks;
        heap.allowed = atomic_load(&heap.calls) + failed;
        st = weft_graph_changes(ctx, a, b, NULL, &r);
        heap.allowed = COUNT_ONLY;
        CHECK(st == WEFT_ENOMEM ? !r && heap.live_blocks == blocks : st == WEFT_OK);
        weft_result_free(r);
    }
    CHECK(failed > 15);
    weft_graph_free(a);
    weft_graph_free(b);
    weft_ctx_free(ctx);
}

/* Wherever it comes, until the answer is there first. */
TEST(a_request_to_stop_is_heard) {
    for (int threads = 1; threads <= 2; threads++) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        weft_graph *a = NULL, *b = NULL;
        p.scale = 12;
        p.degree = 16;
        REQUIRE(!weft_generate(ctx, "rmat", &p, NULL, &a));
        p.seed = 2;
        REQUIRE(!weft_generate(ctx, "rmat", &p, NULL, &b));
        int stopped = 0;
        for (int after = 0; after < 10000; after = after * 2 + 1) {
            weft_result *r = NULL;
            _Atomic int calls = after;
            weft_ctx_set_cancel(ctx, stop_after, (void *)&calls);
            weft_status st = weft_graph_changes(ctx, a, b, NULL, &r);
            CHECK(st == WEFT_OK ? r != NULL : st == WEFT_ECANCELLED && !r);
            stopped += st == WEFT_ECANCELLED;
            weft_result_free(r);
            if (!st) break;
        }
        CHECK(stopped > 2);
        weft_ctx_set_cancel(ctx, NULL, NULL);
        weft_graph_free(a);
        weft_graph_free(b);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
