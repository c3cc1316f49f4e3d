/* .weft round trips: every kind of graph comes back as it was, from a file, from memory and through compressors; the
 * same graph gives the same bytes; build rules apply to a stored graph; an allocation that fails leaks nothing. */
#include "binary_fixture.h"

#include <errno.h>
#include <sys/mman.h>

static void check_same_facts(weft_ctx *ctx, const weft_graph *a, const weft_graph *b) {
    weft_graph_info x = {.size = sizeof x}, y = {.size = sizeof y};
    CHECK_U64(weft_graph_describe(ctx, a, &x), WEFT_OK);
    CHECK_U64(weft_graph_describe(ctx, b, &y), WEFT_OK);
    CHECK_U64(y.records, x.records);
    CHECK_U64(y.edges, x.edges);
    CHECK_U64(y.self_loops, x.self_loops);
    CHECK_U64(y.self_loops_dropped, x.self_loops_dropped);
    CHECK_U64(y.duplicates_dropped, x.duplicates_dropped);
    CHECK_U64(y.isolated, x.isolated);
    CHECK_U64(y.id_kind, x.id_kind);
    CHECK_I64(y.id_base, x.id_base);
    CHECK_U64(y.label, x.label);
    CHECK_NEAR(y.max_weight, x.max_weight, 0);
    CHECK_TEXT(y.format, "weft");
}

static void check_same(weft_ctx *ctx, const weft_graph *a, const weft_graph *b) {
    int equal = 0;
    CHECK_U64(weft_graph_compare(ctx, a, b, &equal), WEFT_OK);
    if (!equal) HARNESS_FAIL("the graphs differ: %s", weft_ctx_message(ctx));
}

/* An id that only the search through the stored id order finds. */
static void check_ids_are_found(weft_ctx *ctx, const weft_graph *g) {
    for (weft_vid v = 0; v < g->n; v += 1 + g->n / 5) {
        char id[64];
        weft_vid found = WEFT_NO_VERTEX;
        weft_graph_id_text(g, v, id, sizeof id);
        CHECK_U64(weft_graph_find(ctx, g, id, &found), WEFT_OK);
        CHECK_U64(found, v);
    }
}

static void check_round_trip(weft_ctx *ctx, const recipe *r, const char *name, bool both) {
    weft_write_params out = WEFT_WRITE_DEFAULTS;
    weft_read_params in = WEFT_READ_DEFAULTS;
    in.duplicates = WEFT_DUPLICATES_KEEP;
    in.verify_checksums = r->ids % 2;
    out.both_directions = both;
    const char *path = file_path(name);
    weft_graph *g = make_graph(ctx, r), *back = NULL;
    REQUIRE(g);
    g->label = WEFT_LABEL_ACYCLIC;
    weft_status st = weft_write(ctx, g, path, &out);
    if (!st) st = weft_read(ctx, path, &in, &back);
    if (st) HARNESS_FAIL("%s: %s", name, weft_ctx_message(ctx));
    if (back) {
        check_same(ctx, g, back);
        check_same_facts(ctx, g, back);
        check_ids_are_found(ctx, back);
        CHECK_U64(weft_graph_verify(ctx, back), WEFT_OK);
        CHECK((back->in.offsets != NULL) == (both && back->directed));
        size_t each = r->weights == WEFT_WEIGHT_F64 ? 8 : 4;
        weft_csr x = {.size = sizeof x}, y = x;
        CHECK_U64(weft_graph_in(ctx, g, &x), WEFT_OK);
        CHECK_U64(weft_graph_in(ctx, back, &y), WEFT_OK);
        CHECK(memcmp(x.offsets, y.offsets, ((size_t)g->n + 1) * 8) == 0);
        CHECK(memcmp(x.targets, y.targets, (size_t)g->arcs * 4) == 0);
        CHECK(!x.weights == !y.weights && (!x.weights || memcmp(x.weights, y.weights, (size_t)g->arcs * each) == 0));
    }
    unlink(path);
    weft_graph_free(g);
    weft_graph_free(back);
}

TEST(graphs_of_every_kind_come_back) {
    weft_ctx *ctx = new_ctx(0, NULL);
    for (unsigned ids = 0; ids < ID_CHOICES; ids++) {
        for (unsigned kind = 0; kind < 24; kind++) {
            recipe r = {.n = 300, .count = 900, .ids = (id_choice)ids};
            r.weights = (weft_weight_type)(kind % 4);
            r.direction = kind / 4 % 2 ? WEFT_UNDIRECTED : WEFT_DIRECTED;
            r.duplicates = kind / 8 ? WEFT_DUPLICATES_KEEP : WEFT_DUPLICATES_DROP;
            r.loops = kind % 3 ? WEFT_LOOPS_DROP : WEFT_LOOPS_KEEP;
            check_round_trip(ctx, &r, "g.weft", kind / 16);
        }
    }
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(the_smallest_graphs_come_back) {
    weft_ctx *ctx = new_ctx(0, NULL);
    for (unsigned i = 0; i < 2u * ID_CHOICES; i++) {
        recipe r = {.n = 1, .count = i / ID_CHOICES, .direction = WEFT_DIRECTED, .ids = (id_choice)(i % ID_CHOICES)};
        check_round_trip(ctx, &r, "one.weft", true);
        r.direction = WEFT_UNDIRECTED;
        check_round_trip(ctx, &r, "one.weft", true);
    }
    for (unsigned ids = 0; ids < ID_CHOICES; ids++) {
        recipe r = {.n = 0, .direction = WEFT_DIRECTED, .ids = (id_choice)ids};
        check_round_trip(ctx, &r, "none.weft", ids % 2);
    }
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(compressed_files_come_back) {
    weft_ctx *ctx = new_ctx(0, NULL);
    recipe r = {
        .n = 3000, .count = 20000, .weights = WEFT_WEIGHT_F32, .direction = WEFT_DIRECTED, .ids = IDS_NAMES_SHUFFLED};
    check_round_trip(ctx, &r, "g.weft.gz", true);
    check_round_trip(ctx, &r, "g.weft.zst", false);
    weft_ctx_free(ctx);
}

/* Version 1 stays what it was, byte for byte, and is written wherever it suffices. */
TEST(the_oldest_version_that_suffices_is_written) {
    static const uint32_t version[] = {
        [WEFT_WEIGHT_NONE] = 1, [WEFT_WEIGHT_U32] = 1, [WEFT_WEIGHT_F32] = 1, [WEFT_WEIGHT_F64] = 2};
    static const uint64_t digest[] = {18040393333982356012u, 7096604523033644908u, 2240978826392073527u,
                                      5828256103278500989u};
    weft_ctx *ctx = new_ctx(0, NULL);
    for (unsigned type = 0; type < 4; type++) {
        recipe r = {.n = 50, .count = 200, .weights = (weft_weight_type)type, .ids = IDS_NAMES_SHUFFLED};
        r.direction = WEFT_DIRECTED;
        bytes b = file_of(ctx, &r, true);
        REQUIRE(b.count);
        wfi_weft_page page = page_of(&b);
        CHECK_U64(page.header.version, version[type]);
        CHECK_U64(wfi_digest(ctx, b.data, b.count, 0), digest[type]);
        free(b.data);
    }
    weft_ctx_free(ctx);
}

/* What is stored as one type is read as another. */
TEST(stored_weights_become_what_is_asked_for) {
    weft_ctx *ctx = new_ctx(0, NULL);
    const char *path = file_path("types.weft");
    for (unsigned type = WEFT_WEIGHT_U32; type <= WEFT_WEIGHT_F64; type++)
        for (unsigned as = WEFT_WEIGHT_U32; as <= WEFT_WEIGHT_F64; as++) {
            recipe r = {.n = 50, .count = 200, .weights = (weft_weight_type)type, .direction = WEFT_DIRECTED};
            weft_graph *g = make_graph(ctx, &r), *back = NULL;
            weft_write_params out = WEFT_WRITE_DEFAULTS;
            weft_read_params in = WEFT_READ_DEFAULTS;
            out.both_directions = 1;
            in.weight_type = (weft_weight_type)as;
            REQUIRE(g && weft_write(ctx, g, path, &out) == WEFT_OK);
            weft_status st = weft_read(ctx, path, &in, &back);
            bool loses = as == WEFT_WEIGHT_U32 && type != WEFT_WEIGHT_U32; /* some have a fraction */
            CHECK_U64(st, loses ? WEFT_EINPUT : WEFT_OK);
            if (loses) CHECK_HAS(weft_ctx_message(ctx), "with `weight_type=u32` weights are integers");
            if (back) {
                weft_csr x = {.size = sizeof x}, y = x, in_rows = x;
                CHECK_U64(weft_graph_weight_type(back), as);
                CHECK_U64(weft_graph_out(ctx, g, &x), WEFT_OK);
                CHECK_U64(weft_graph_out(ctx, back, &y), WEFT_OK);
                for (weft_eid e = 0; e < x.arcs; e++) {
                    double was = weight_at(g, &x, e), is = weight_at(back, &y, e);
                    CHECK_NEAR(is, as == WEFT_WEIGHT_F32 ? (double)(float)was : was, 0);
                }
                CHECK_U64(weft_graph_in(ctx, back, &in_rows), WEFT_OK);
                for (weft_vid v = 0; v < back->n; v++)
                    for (weft_eid e = in_rows.offsets[v]; e < in_rows.offsets[v + 1]; e++) {
                        weft_eid at = 0;
                        CHECK(weft_graph_has_arc(back, in_rows.targets[e], v, &at));
                        CHECK_NEAR(weight_at(back, &in_rows, e), weight_at(back, &y, at), 0);
                    }
                CHECK_U64(weft_graph_verify(ctx, back), WEFT_OK);
            }
            weft_graph_free(g);
            weft_graph_free(back);
        }
    unlink(path);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(memory_is_read_however_it_is_aligned) {
    weft_ctx *ctx = new_ctx(0, NULL);
    recipe r = {.n = 100, .count = 400, .weights = WEFT_WEIGHT_U32, .direction = WEFT_DIRECTED, .ids = IDS_NUMBERS};
    bytes b = file_of(ctx, &r, true);
    REQUIRE(b.count);
    weft_graph *g = make_graph(ctx, &r), *back;
    char *room = malloc(b.count + 8);
    for (size_t shift = 0; shift < 8; shift++) {
        memcpy(room + shift, b.data, b.count);
        CHECK_U64(read_bytes(ctx, room + shift, b.count, &back), WEFT_OK);
        memset(room, 0, b.count + 8); /* the graph must not need them any more */
        if (back) check_same(ctx, g, back);
        weft_graph_free(back);
    }
    free(room);
    free(b.data);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* In place of the system's, and out of memory on request. */
static bool no_addresses;
void *__real_mmap(void *at, size_t length, int access, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t length, int access, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t length, int access, int flags, int fd, off_t offset) {
    errno = ENOMEM;
    return no_addresses && fd >= 0 ? MAP_FAILED : __real_mmap(at, length, access, flags, fd, offset);
}

TEST(no_memory_for_a_mapping_is_out_of_memory) {
    weft_ctx *ctx = new_ctx(0, NULL);
    recipe r = {.n = 100, .count = 400, .direction = WEFT_DIRECTED};
    bytes b = file_of(ctx, &r, false);
    weft_graph *g = NULL;
    const char *path = file_path("mapped.weft");
    REQUIRE(write_file(path, b.data, b.count));
    no_addresses = true;
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_ENOMEM);
    CHECK_HAS(weft_ctx_message(ctx), "mapped.weft: no memory to map its");
    no_addresses = false;
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_OK);
    weft_graph_free(g);
    unlink(path);
    free(b.data);
    weft_ctx_free(ctx);
}

TEST(a_graph_outlives_its_file_and_its_context) {
    weft_ctx *ctx = new_ctx(0, NULL), *other = new_ctx(0, NULL);
    recipe r = {.n = 100, .count = 400, .direction = WEFT_DIRECTED, .ids = IDS_NAMES};
    bytes b = file_of(ctx, &r, false);
    const char *path = file_path("gone.weft");
    weft_graph *g = make_graph(other, &r), *back = NULL;
    REQUIRE(b.count && write_file(path, b.data, b.count));
    CHECK_U64(weft_read(ctx, path, NULL, &back), WEFT_OK);
    unlink(path);
    weft_ctx_free(ctx);
    if (back) check_same(other, g, back);
    CHECK_U64(weft_graph_verify(other, back), WEFT_OK);
    weft_graph_free(back);
    weft_graph_free(g);
    weft_ctx_free(other);
    free(b.data);
}

TEST(the_same_graph_gives_the_same_bytes) {
    weft_ctx *ctx = new_ctx(0, NULL);
    recipe r = {
        .n = 50000, .count = 200000, .weights = WEFT_WEIGHT_U32, .direction = WEFT_DIRECTED, .ids = IDS_NAMES_SHUFFLED};
    weft_ctx_set_threads(ctx, 1);
    bytes first = file_of(ctx, &r, true);
    REQUIRE(first.count);
    for (int threads = 2; threads <= 7; threads += 5) {
        weft_ctx_set_threads(ctx, threads);
        bytes again = file_of(ctx, &r, true);
        CHECK(again.count == first.count && memcmp(again.data, first.data, first.count) == 0);
        free(again.data);
    }
    free(first.data);
    weft_ctx_free(ctx);
}

TEST(what_was_made_on_first_use_is_not_stored_unasked) {
    weft_ctx *ctx = new_ctx(0, NULL);
    recipe r = {.n = 50, .count = 200, .direction = WEFT_DIRECTED};
    bytes before = file_of(ctx, &r, false);
    weft_graph *g = make_graph(ctx, &r);
    weft_csr in = {.size = sizeof in};
    REQUIRE(g && weft_graph_in(ctx, g, &in) == WEFT_OK);
    const char *path = file_path("in.weft");
    CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_OK);
    bytes after = load_file(path);
    CHECK(after.count == before.count && memcmp(after.data, before.data, before.count) == 0);
    unlink(path);
    free(before.data);
    free(after.data);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* A file of version 1 that must stay readable, and that the writer must still make bit by bit: names, weights, both
 * directions, the id order, a loop, parallel arcs. */
TEST(the_golden_file_is_read_and_written_as_ever) {
    weft_ctx *ctx = new_ctx(0, NULL);
    const char *source = getenv("WEFT_SOURCE_DIR");
    char golden[512];
    snprintf(golden, sizeof golden, "%s/tests/data/golden/weft/all.weft", source ? source : ".");
    recipe r = {.n = 6,
                .count = 14,
                .weights = WEFT_WEIGHT_F32,
                .direction = WEFT_DIRECTED,
                .duplicates = WEFT_DUPLICATES_KEEP,
                .ids = IDS_NAMES_SHUFFLED};
    bytes old = load_file(golden), now = file_of(ctx, &r, true);
    if (!old.count) HARNESS_FAIL("%s is missing", golden);
    CHECK(now.count == old.count && memcmp(now.data, old.data, old.count) == 0);
    weft_graph *g = make_graph(ctx, &r), *back = NULL;
    CHECK_U64(read_bytes(ctx, old.data, old.count, &back), WEFT_OK);
    if (back) {
        check_same(ctx, g, back);
        CHECK_U64(weft_graph_edges(back), 14);
    }
    free(old.data);
    free(now.data);
    weft_graph_free(g);
    weft_graph_free(back);
    weft_ctx_free(ctx);
}

TEST(writing_both_directions_does_not_make_the_graph_larger) {
    weft_ctx *ctx = new_ctx(0, NULL);
    recipe r = {.n = 50, .count = 200, .direction = WEFT_DIRECTED};
    weft_write_params both = WEFT_WRITE_DEFAULTS;
    both.both_directions = 1;
    const char *path = file_path("larger.weft");
    weft_graph *g = make_graph(ctx, &r);
    REQUIRE(g);
    uint64_t before = weft_ctx_memory_in_use(ctx);
    CHECK_U64(weft_write(ctx, g, path, &both), WEFT_OK);
    CHECK_U64(weft_ctx_memory_in_use(ctx), before);
    unlink(path);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- build rules on a stored graph ----------------------------------------- */

/* Stores the graph of `stored`, reads it under the rules of `wanted`, and expects what `wanted` builds directly. */
static void check_rules(weft_ctx *ctx, recipe stored, recipe wanted) {
    weft_read_params params = WEFT_READ_DEFAULTS;
    params.direction = wanted.direction;
    params.duplicates = wanted.duplicates;
    params.loops = wanted.loops;
    const char *path = file_path("rules.weft");
    bytes b = file_of(ctx, &stored, stored.direction == WEFT_DIRECTED);
    weft_graph *expected = make_graph(ctx, &wanted), *back = NULL;
    REQUIRE(b.count && expected && write_file(path, b.data, b.count));
    weft_status st = weft_read(ctx, path, &params, &back);
    if (st) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    if (back) {
        check_same(ctx, expected, back);
        CHECK_U64(back->records, expected->records);
        CHECK_U64(back->edges, expected->edges);
        CHECK_U64(back->self_loops, expected->self_loops);
        /* Every record is an edge or was dropped, at the first building or at the second. */
        CHECK_U64(back->edges + back->self_loops_dropped + back->duplicates_dropped, back->records);
        check_ids_are_found(ctx, back);
    }
    unlink(path);
    free(b.data);
    weft_graph_free(back);
    weft_graph_free(expected);
}

TEST(build_rules_apply_to_a_stored_graph) {
    weft_ctx *ctx = new_ctx(0, NULL);
    for (unsigned ids = 0; ids < ID_CHOICES; ids++) {
        for (unsigned undirected = 0; undirected < 2; undirected++) {
            recipe all = {.n = 80, .count = 500, .weights = WEFT_WEIGHT_U32, .ids = (id_choice)ids};
            all.direction = undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED;
            all.duplicates = WEFT_DUPLICATES_KEEP;
            recipe dropped = all, summed = all, loopless = all, symmetric = all, simple = all;
            dropped.duplicates = simple.duplicates = WEFT_DUPLICATES_DROP;
            simple.loops = WEFT_LOOPS_DROP;
            summed.duplicates = WEFT_DUPLICATES_SUM;
            loopless.loops = WEFT_LOOPS_DROP;
            symmetric.direction = WEFT_UNDIRECTED;
            symmetric.duplicates = WEFT_DUPLICATES_DROP;
            check_rules(ctx, all, all);
            check_rules(ctx, all, dropped);
            check_rules(ctx, all, summed);
            check_rules(ctx, all, loopless);
            check_rules(ctx, all, symmetric);
            check_rules(ctx, all, simple);
            check_rules(ctx, dropped, simple);
            check_rules(ctx, loopless, simple);
            check_rules(ctx, dropped, symmetric);
        }
    }
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(an_undirected_graph_can_be_read_as_directed) {
    weft_ctx *ctx = new_ctx(0, NULL);
    recipe r = {.n = 60, .count = 200, .direction = WEFT_UNDIRECTED, .ids = IDS_NUMBERS};
    bytes b = file_of(ctx, &r, true);
    weft_read_params params = WEFT_READ_DEFAULTS;
    params.direction = WEFT_DIRECTED;
    weft_graph *g = make_graph(ctx, &r), *back = NULL;
    REQUIRE(g && weft_read_memory(ctx, b.data, b.count, "x.weft", &params, &back) == WEFT_OK);
    CHECK(weft_graph_directed(back));
    CHECK_U64(weft_graph_edges(back), weft_graph_arcs(g));
    CHECK(memcmp(back->out.targets, g->out.targets, (size_t)g->arcs * 4) == 0);
    weft_graph_free(back);
    weft_graph_free(g);
    free(b.data);
    weft_ctx_free(ctx);
}

TEST(weights_are_ignored_or_required) {
    weft_ctx *ctx = new_ctx(0, NULL);
    recipe r = {.n = 60, .count = 200, .weights = WEFT_WEIGHT_F32, .direction = WEFT_DIRECTED};
    bytes weighted = file_of(ctx, &r, true);
    r.weights = WEFT_WEIGHT_NONE;
    bytes plain = file_of(ctx, &r, true);
    weft_graph *expected = make_graph(ctx, &r), *back = NULL;
    weft_read_params params = WEFT_READ_DEFAULTS;
    const char *path = file_path("weights.weft");
    params.weights = WEFT_WEIGHTS_IGNORE;
    CHECK_U64(weft_read_memory(ctx, weighted.data, weighted.count, "x.weft", &params, &back), WEFT_OK);
    if (back) check_same(ctx, expected, back);
    weft_graph_free(back);
    REQUIRE(write_file(path, weighted.data, weighted.count));
    CHECK_U64(weft_read(ctx, path, &params, &back), WEFT_OK);
    if (back) check_same(ctx, expected, back);
    CHECK_U64(weft_graph_verify(ctx, back), WEFT_OK); /* the weights are still in the file, and still checked */
    weft_graph_free(back);
    unlink(path);
    params.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK_U64(weft_read_memory(ctx, plain.data, plain.count, "x.weft", &params, &back), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "has no weights");
    CHECK_U64(weft_read_memory(ctx, weighted.data, weighted.count, "x.weft", &params, &back), WEFT_OK);
    weft_graph_free(back);
    weft_graph_free(expected);
    free(weighted.data);
    free(plain.data);
    weft_ctx_free(ctx);
}

/* --- allocation failure ---------------------------------------------------- */

/* Opens with 0, 1, 2, ... allocations allowed until it works. */
static void check_every_allocation(const char *path, const weft_read_params *params) {
    counting heap = {0};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_status st = WEFT_ENOMEM;
    REQUIRE(weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap) == WEFT_OK);
    for (uint64_t allowed = 0; allowed < 1000 && st == WEFT_ENOMEM; allowed++) {
        weft_graph *g = NULL;
        heap.calls = 0;
        heap.allowed = allowed;
        st = weft_read(ctx, path, params, &g);
        CHECK((st == WEFT_OK) == (g != NULL));
        weft_graph_free(g);
        CHECK_U64(heap.live_blocks, 0);
    }
    CHECK_U64(st, WEFT_OK);
    weft_ctx_free(ctx);
}

TEST(every_allocation_may_fail) {
    weft_ctx *ctx = new_ctx(0, NULL);
    recipe r = {
        .n = 100, .count = 400, .weights = WEFT_WEIGHT_U32, .direction = WEFT_DIRECTED, .ids = IDS_NAMES_SHUFFLED};
    weft_read_params rebuild = WEFT_READ_DEFAULTS;
    rebuild.direction = WEFT_UNDIRECTED;
    static const char *const names[] = {"fail.weft", "fail.weft.gz", "fail.weft.zst"};
    for (size_t i = 0; i < 3; i++) {
        weft_write_params both = WEFT_WRITE_DEFAULTS;
        both.both_directions = 1;
        weft_graph *g = make_graph(ctx, &r);
        const char *path = file_path(names[i]);
        REQUIRE(g && weft_write(ctx, g, path, &both) == WEFT_OK);
        check_every_allocation(path, NULL);
        check_every_allocation(path, &rebuild);
        unlink(path);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
