/* Batches in a .weft file: what was written is there again, whoever reads it and wherever the file was cut. */
#include "saga.h"

/* weft_read sees it as it is. */
static void check_read(weft_ctx *ctx, const saga *s, const char *path, uint64_t version) {
    weft_graph *g = NULL;
    if (weft_read(ctx, path, NULL, &g) || fingerprint_of(ctx, g) != s->print[version])
        HARNESS_FAIL("weft_read after batch %" PRIu64 ": %s", version, weft_ctx_message(ctx));
    weft_graph_free(g);
}

static void all_batches(weft_ctx *ctx, const saga *s, const char *path, weft_durable durable) {
    weft_dynamic *d = NULL;
    REQUIRE(saga_file(ctx, s, path) && !saga_open(ctx, path, durable, &d));
    for (unsigned b = 0; b < SAGA_BATCHES; b++)
        if (saga_batch(ctx, s, d, b)) HARNESS_FAIL("batch %u: %s", b, weft_ctx_message(ctx));
    CHECK(saga_holds(ctx, s, d, SAGA_BATCHES));
    weft_dynamic_free(d);
}

static void tell(bool directed, weft_weight_type type, id_style style) {
    place p;
    static saga s;
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_dynamic *d = NULL;
    saga_write(ctx, &s, directed, type, style, SAGA_LARGEST);
    REQUIRE(place_open(&p));
    all_batches(ctx, &s, p.path, WEFT_DURABLE_BATCH);
    check_read(ctx, &s, p.path, SAGA_BATCHES);
    for (uint64_t at = 0; at <= SAGA_BATCHES; at++) {
        if (saga_read(ctx, p.path, at, &d) || !saga_holds(ctx, &s, d, at))
            HARNESS_FAIL("at %" PRIu64 ": %s", at, weft_ctx_message(ctx));
        weft_dynamic_free(d);
    }
    CHECK(saga_read(ctx, p.path, SAGA_BATCHES + 1, &d) == WEFT_ENOTFOUND && !d);
    CHECK_HAS(weft_ctx_message(ctx), "there is no batch 13; the last is 12");
    /* reopened, it goes on, also with a log that has been emptied */
    REQUIRE(!saga_open(ctx, p.path, WEFT_DURABLE_NEVER, &d));
    CHECK(saga_holds(ctx, &s, d, SAGA_BATCHES));
    CHECK(!weft_dynamic_compact(ctx, d));
    CHECK_U64(dynamic_info(ctx, d).log_bytes, 0);
    CHECK_U64(dynamic_info(ctx, d).logged_after, SAGA_BATCHES);
    CHECK(!give(ctx, d, &s.m, s.changes[0], s.count[0], NULL));
    uint64_t after = dynamic_print(ctx, d);
    weft_dynamic_free(d);
    REQUIRE(!saga_read(ctx, p.path, WEFT_LAST_BATCH, &d));
    CHECK_U64(dynamic_info(ctx, d).version, SAGA_BATCHES + 1);
    CHECK_U64(dynamic_print(ctx, d), after);
    weft_dynamic_free(d);
    CHECK(saga_read(ctx, p.path, SAGA_BATCHES - 1, &d) == WEFT_ENOTFOUND);
    CHECK_HAS(weft_ctx_message(ctx), "batch 11 is no longer in the log, which begins after batch 12");
    CHECK_U64(count_entries(p.folder), 1);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    remove_temp(p.folder);
    model_free(&s.m);
    weft_ctx_free(ctx);
}

TEST(directed_with_numbers) { tell(true, WEFT_WEIGHT_NONE, DENSE_IDS); }
TEST(undirected_with_weights) { tell(false, WEFT_WEIGHT_F32, SPARSE_IDS); }
TEST(names_and_double_weights) { tell(true, WEFT_WEIGHT_F64, NAME_IDS); }

TEST(the_log_gives_batches_back_as_they_were) {
    place p;
    static saga s;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = NULL;
    saga_write(ctx, &s, true, WEFT_WEIGHT_U32, NAME_IDS, SAGA_LARGEST);
    REQUIRE(place_open(&p));
    all_batches(ctx, &s, p.path, WEFT_DURABLE_NEVER);
    REQUIRE(!saga_read(ctx, p.path, WEFT_LAST_BATCH, &d));
    static const unsigned order[] = {0, 1, 2, 3, 11, 4, 4, 10};
    for (size_t k = 0; k < LENGTH(order); k++) {
        unsigned b = order[k];
        weft_batch batch = WEFT_BATCH_DEFAULTS;
        char name[24];
        REQUIRE(!weft_dynamic_logged(ctx, d, b + 1, &batch));
        CHECK_U64(batch.count, s.count[b]);
        for (size_t i = 0; i < s.count[b] && i < batch.count; i++) {
            const change *c = &s.changes[b][i];
            CHECK_U64(batch.changes[i], c->what);
            model_name(c->u, name);
            CHECK_TEXT(batch.source_names[i], name);
            model_name(c->v, name);
            CHECK_TEXT(batch.target_names[i], c->what <= WEFT_CHANGE_WEIGHT ? name : "");
            CHECK_U64(((const uint32_t *)batch.weights)[i], (uint32_t)c->w);
        }
    }
    weft_batch batch = WEFT_BATCH_DEFAULTS;
    CHECK(weft_dynamic_logged(ctx, d, 0, &batch) == WEFT_ENOTFOUND);
    CHECK(weft_dynamic_logged(ctx, d, SAGA_BATCHES + 1, &batch) == WEFT_ENOTFOUND);
    CHECK(give(ctx, d, &s.m, s.changes[0], 1, NULL) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "read-only");
    weft_dynamic_free(d);
    remove_temp(p.folder);
    model_free(&s.m);
    weft_ctx_free(ctx);
}

/* --- cut and damaged -------------------------------------------------------------- */

typedef struct image {
    char *bytes;
    size_t count, log;
} image;

static image take_image(weft_ctx *ctx, const char *path) {
    image im;
    weft_dynamic *d = NULL;
    im.bytes = read_file(path, &im.count);
    if (!im.bytes || saga_read(ctx, path, WEFT_LAST_BATCH, &d)) exit(1);
    im.log = im.count - (size_t)dynamic_info(ctx, d).log_bytes;
    weft_dynamic_free(d);
    return im;
}

/* Where each batch ends: the frame's length is at byte 16. */
static unsigned whole_batches(const image *im, size_t cut) {
    unsigned whole = 0;
    for (size_t at = im->log; at < im->count; whole++) {
        uint64_t bytes;
        memcpy(&bytes, im->bytes + at + 16, 8);
        if (at + bytes > cut) return whole;
        at += (size_t)bytes;
    }
    return whole;
}

/* Under sanitizers every fifth byte will do. */
static size_t next_byte(void) { return under_a_microscope() ? 5 : 1; }

TEST(a_log_cut_at_any_byte_is_recovered_to_its_last_whole_batch) {
    place p;
    static saga s;
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    saga_write(ctx, &s, true, WEFT_WEIGHT_U32, SPARSE_IDS, 30);
    REQUIRE(place_open(&p));
    all_batches(ctx, &s, p.path, WEFT_DURABLE_NEVER); /* so that no root page says how much there was */
    image im = take_image(ctx, p.path);
    CHECK(im.count - im.log > 3000 && whole_batches(&im, im.count) == SAGA_BATCHES);
    for (size_t cut = im.log; cut <= im.count && harness_failures < 5; cut += next_byte()) {
        weft_dynamic *d = NULL;
        unsigned want = whole_batches(&im, cut);
        w = (warnings){0, ""};
        REQUIRE(write_file(p.path, im.bytes, cut));
        check_read(ctx, &s, p.path, want);
        if (saga_open(ctx, p.path, WEFT_DURABLE_NEVER, &d) || !saga_holds(ctx, &s, d, want))
            HARNESS_FAIL("cut at %zu: %s", cut, weft_ctx_message(ctx));
        bool between = d && dynamic_info(ctx, d).bytes_left_out == 0;
        if (between != !strstr(w.text, "incomplete batch")) HARNESS_FAIL("cut at %zu: said: %s", cut, w.text);
        /* and goes on from there, so that nothing of the old bytes is taken for a batch */
        if (d && want < SAGA_BATCHES && (saga_batch(ctx, &s, d, want) || !saga_holds(ctx, &s, d, want + 1)))
            HARNESS_FAIL("cut at %zu: cannot go on: %s", cut, weft_ctx_message(ctx));
        weft_dynamic_free(d);
        check_read(ctx, &s, p.path, want < SAGA_BATCHES ? want + 1 : want);
    }
    for (size_t cut = im.log - 2 * 4096; cut < im.log; cut += 512) {
        weft_graph *g = NULL;
        REQUIRE(write_file(p.path, im.bytes, cut));
        CHECK(weft_read(ctx, p.path, NULL, &g) == WEFT_EINPUT);
        CHECK_HAS(weft_ctx_message(ctx), "cut short");
    }
    free(im.bytes);
    remove_temp(p.folder);
    model_free(&s.m);
    weft_ctx_free(ctx);
}

/* Of a file that was synced, root pages say what there was: what is missing was acknowledged, and is not passed over. */
TEST(a_log_that_lost_what_was_on_the_disk_is_refused_but_for_what_is_whole) {
    place p;
    static saga s;
    weft_ctx *ctx = new_ctx(1, NULL);
    saga_write(ctx, &s, true, WEFT_WEIGHT_NONE, DENSE_IDS, 10);
    REQUIRE(place_open(&p));
    all_batches(ctx, &s, p.path, WEFT_DURABLE_BATCH);
    image im = take_image(ctx, p.path);
    for (size_t cut = im.log; cut < im.count && harness_failures < 5; cut += 8) {
        weft_dynamic *d = NULL;
        weft_graph *g = NULL;
        unsigned whole = whole_batches(&im, cut);
        REQUIRE(write_file(p.path, im.bytes, cut));
        if (weft_read(ctx, p.path, NULL, &g) != WEFT_EINPUT ||
            saga_open(ctx, p.path, WEFT_DURABLE_BATCH, &d) != WEFT_EINPUT)
            HARNESS_FAIL("cut at %zu: not refused", cut);
        CHECK_HAS(weft_ctx_message(ctx), "batches up to 12 were on the disk");
        if (saga_read(ctx, p.path, whole, &d) || !saga_holds(ctx, &s, d, whole))
            HARNESS_FAIL("cut at %zu: batch %u: %s", cut, whole, weft_ctx_message(ctx));
        weft_dynamic_free(d);
    }
    free(im.bytes);
    remove_temp(p.folder);
    model_free(&s.m);
    weft_ctx_free(ctx);
}

TEST(a_damaged_byte_never_makes_another_graph) {
    place p;
    static saga s;
    weft_ctx *ctx = new_ctx(1, NULL);
    saga_write(ctx, &s, true, WEFT_WEIGHT_U32, NAME_IDS, 20);
    REQUIRE(place_open(&p));
    all_batches(ctx, &s, p.path, WEFT_DURABLE_NEVER);
    image im = take_image(ctx, p.path);
    unsigned refused = 0, shorter = 0;
    for (size_t at = 4096; at < im.count && harness_failures < 5; at += at < im.log ? 61 : next_byte()) {
        weft_graph *g = NULL;
        im.bytes[at] ^= (char)(1 << at % 8);
        weft_status st = weft_read_memory(ctx, im.bytes, im.count, "g.weft", NULL, &g);
        unsigned found = 0;
        uint64_t print = g ? fingerprint_of(ctx, g) : 0;
        while (g && found <= SAGA_BATCHES && s.print[found] != print) found++;
        if (!st && found > SAGA_BATCHES) HARNESS_FAIL("byte %zu: a graph that never was", at);
        if (!st && at >= im.log && found > whole_batches(&im, at)) HARNESS_FAIL("byte %zu was passed over", at);
        refused += st != WEFT_OK;
        shorter += !st && found < SAGA_BATCHES;
        weft_graph_free(g);
        im.bytes[at] ^= (char)(1 << at % 8);
    }
    CHECK(refused > 1000 / next_byte() && shorter > 0);
    free(im.bytes);
    remove_temp(p.folder);
    model_free(&s.m);
    weft_ctx_free(ctx);
}

/* What the end of a writer leaves is dropped; a byte of the last batch that was changed after it was written is told,
 * though no root page speaks of it yet. */
TEST(a_last_batch_that_was_damaged_is_not_taken_for_one_that_was_not_finished) {
    place p;
    static saga s;
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    saga_write(ctx, &s, true, WEFT_WEIGHT_F64, NAME_IDS, SAGA_LARGEST);
    REQUIRE(place_open(&p));
    all_batches(ctx, &s, p.path, WEFT_DURABLE_NEVER); /* so that no root page says how much there was */
    image im = take_image(ctx, p.path);
    size_t last = 0, refused = 0, told = 0, warned = 0, length = 0;
    unsigned before = 0, batch = 0;
    for (uint64_t at = im.log, bytes; at < im.count; at += bytes, batch++) { /* the largest becomes the last */
        memcpy(&bytes, im.bytes + at + 16, 8);
        if (bytes > length) length = (size_t)bytes, last = (size_t)at, before = batch;
    }
    im.count = last + length;
    size_t sector = (last + 511) / 512 * 512, next = sector + 512 < im.count ? sector + 512 : im.count;
    CHECK(length > 600 && sector < im.count);
    for (size_t at = last; at < im.count && harness_failures < 5; at++) {
        weft_dynamic *d = NULL;
        weft_graph *g = NULL;
        im.bytes[at] ^= (char)(1 << at % 8);
        w = (warnings){0, ""};
        weft_status st = weft_read_memory(ctx, im.bytes, im.count, "g.weft", NULL, &g);
        refused += st == WEFT_EINPUT;
        told += st && strstr(weft_ctx_message(ctx), "damaged: the last batch");
        warned += !st && strstr(w.text, "never finished");
        if (at % 64 == 0) { /* nor is it cut off */
            REQUIRE(write_file(p.path, im.bytes, im.count));
            CHECK_U64(saga_open(ctx, p.path, WEFT_DURABLE_BATCH, &d), st);
            if (d) weft_dynamic_free(d);
            d = NULL;
            CHECK(!saga_read(ctx, p.path, before, &d) && saga_holds(ctx, &s, d, before));
            weft_dynamic_free(d);
        }
        weft_graph_free(g);
        im.bytes[at] ^= (char)(1 << at % 8);
    }
    CHECK_U64(refused + warned, length);
    CHECK(told > length / 10 * 9);
    /* no header yet; a sector that was not written; a part of the header only */
    const size_t torn[][2] = {{last, 64}, {sector, next - sector}, {last, sector - last}, {last, length}};
    for (size_t i = 0; i < LENGTH(torn); i++) {
        weft_graph *g = NULL;
        char *copy = malloc(im.count);
        REQUIRE(copy && torn[i][0] + torn[i][1] <= im.count);
        memcpy(copy, im.bytes, im.count);
        memset(copy + torn[i][0], 0, torn[i][1]);
        if (weft_read_memory(ctx, copy, im.count, "g.weft", NULL, &g) || fingerprint_of(ctx, g) != s.print[before])
            HARNESS_FAIL("torn %zu: %s", i, weft_ctx_message(ctx));
        weft_graph_free(g);
        free(copy);
    }
    free(im.bytes);
    remove_temp(p.folder);
    model_free(&s.m);
    weft_ctx_free(ctx);
}

/* --- others ------------------------------------------------------------------------- */

TEST(one_writes_and_others_read_and_follow) {
    place p;
    static saga s;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = NULL, *other = NULL, *reader = NULL;
    int more = 1;
    saga_write(ctx, &s, false, WEFT_WEIGHT_U32, NAME_IDS, SAGA_LARGEST);
    REQUIRE(place_open(&p) && saga_file(ctx, &s, p.path));
    REQUIRE(!saga_open(ctx, p.path, WEFT_DURABLE_NEVER, &d) && !saga_read(ctx, p.path, WEFT_LAST_BATCH, &reader));
    CHECK(!weft_dynamic_follow(ctx, reader, &more) && !more);
    for (unsigned b = 0; b < SAGA_BATCHES; b++) {
        REQUIRE(!saga_batch(ctx, &s, d, b));
        CHECK(saga_open(ctx, p.path, WEFT_DURABLE_NEVER, &other) == WEFT_EIO && !other);
        CHECK_HAS(weft_ctx_message(ctx), "another program is writing to it");
        check_read(ctx, &s, p.path, b + 1);
        if (b == 5) CHECK(!weft_dynamic_compact(ctx, d));
        CHECK(!weft_dynamic_follow(ctx, reader, &more) && more);
        CHECK(saga_holds(ctx, &s, reader, b + 1));
        if (b == 8) CHECK(!weft_dynamic_compact(ctx, d));
        CHECK(!weft_dynamic_follow(ctx, reader, &more) && !more);
    }
    CHECK(weft_dynamic_follow(ctx, d, &more) == WEFT_EINVAL);
    weft_dynamic_free(d);
    CHECK(!saga_open(ctx, p.path, WEFT_DURABLE_NEVER, &other));
    weft_dynamic_free(other);
    weft_dynamic_free(reader);
    remove_temp(p.folder);
    model_free(&s.m);
    weft_ctx_free(ctx);
}

TEST(a_file_that_lost_its_name_takes_no_batch_and_no_place) {
    place p;
    static saga s;
    char aside[600];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = NULL, *other = NULL;
    saga_write(ctx, &s, true, WEFT_WEIGHT_NONE, SPARSE_IDS, 10);
    REQUIRE(place_open(&p) && saga_file(ctx, &s, p.path) && !saga_open(ctx, p.path, WEFT_DURABLE_NEVER, &d));
    REQUIRE(!saga_batch(ctx, &s, d, 0));
    snprintf(aside, sizeof aside, "%s/aside.weft", p.folder);
    REQUIRE(!rename(p.path, aside));
    CHECK(saga_batch(ctx, &s, d, 1) == WEFT_EIO);
    CHECK_HAS(weft_ctx_message(ctx), "nothing was written, and the graph is as of batch 1");
    CHECK(saga_holds(ctx, &s, d, 1));
    REQUIRE(saga_file(ctx, &s, p.path) && !saga_open(ctx, p.path, WEFT_DURABLE_NEVER, &other));
    REQUIRE(!saga_batch(ctx, &s, other, 0));
    CHECK(saga_batch(ctx, &s, d, 1) == WEFT_EIO);
    CHECK(weft_dynamic_compact(ctx, d) == WEFT_EIO);
    CHECK_U64(count_entries(p.folder), 2);
    CHECK(!saga_batch(ctx, &s, other, 1));
    weft_dynamic_free(other);
    check_read(ctx, &s, p.path, 2);
    REQUIRE(!unlink(p.path) && !rename(aside, p.path));
    CHECK(!saga_batch(ctx, &s, d, 1)); /* it has its name again */
    weft_dynamic_free(d);
    check_read(ctx, &s, p.path, 2);
    remove_temp(p.folder);
    model_free(&s.m);
    weft_ctx_free(ctx);
}

TEST(a_file_keeps_its_mode_and_a_link_its_target) {
    place p;
    static saga s;
    char link[600];
    struct stat facts;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = NULL;
    saga_write(ctx, &s, true, WEFT_WEIGHT_NONE, SPARSE_IDS, 10);
    REQUIRE(place_open(&p) && saga_file(ctx, &s, p.path));
    snprintf(link, sizeof link, "%s/link.weft", p.folder);
    REQUIRE(!chmod(p.path, 0640) && !symlink("g.weft", link) && !saga_open(ctx, link, WEFT_DURABLE_NEVER, &d));
    CHECK(!saga_batch(ctx, &s, d, 0) && !weft_dynamic_compact(ctx, d) && !saga_batch(ctx, &s, d, 1));
    weft_dynamic_free(d);
    CHECK(!lstat(link, &facts) && S_ISLNK(facts.st_mode));
    CHECK(!stat(p.path, &facts) && (facts.st_mode & 07777) == 0640);
    check_read(ctx, &s, p.path, 2);
    remove_temp(p.folder);
    model_free(&s.m);
    weft_ctx_free(ctx);
}

TEST(loops_are_dropped_again_where_they_were) {
    place p;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = NULL;
    weft_graph *g = NULL;
    weft_dynamic_params params = WEFT_DYNAMIC_DEFAULTS;
    int64_t u[] = {1, 2}, v[] = {1, 3};
    weft_batch b = WEFT_BATCH_DEFAULTS;
    char text[256];
    b.count = 2;
    b.sources = u;
    b.targets = v;
    REQUIRE(place_open(&p));
    REQUIRE(!weft_dynamic_new(ctx, NULL, NULL, &d) && !weft_dynamic_snapshot(ctx, d, &g) &&
            !weft_write(ctx, g, p.path, NULL));
    weft_graph_free(g);
    weft_dynamic_free(d);
    params.loops = WEFT_LOOPS_DROP;
    REQUIRE(!weft_dynamic_open(ctx, p.path, &params, &d) && !weft_dynamic_apply(ctx, d, &b, NULL));
    weft_dynamic_free(d);
    u[0] = v[0] = 2;
    params.loops = WEFT_LOOPS_KEEP;
    REQUIRE(!weft_dynamic_open(ctx, p.path, &params, &d) && !weft_dynamic_apply(ctx, d, &b, NULL));
    weft_dynamic_free(d);
    REQUIRE(!weft_read(ctx, p.path, NULL, &g));
    CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [1 2 3] 2>2 2>3");
    weft_graph_free(g);
    remove_temp(p.folder);
    weft_ctx_free(ctx);
}

TEST(what_is_no_plain_weft_file_is_refused) {
    place p;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_dynamic *d = NULL;
    weft_graph *g = NULL;
    weft_dynamic_params params = WEFT_DYNAMIC_DEFAULTS;
    static const weft_vid u[] = {0, 0}, v[] = {1, 1};
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    REQUIRE(place_open(&p));
    CHECK(weft_dynamic_open(ctx, p.path, NULL, &d) == WEFT_EIO);
    CHECK_HAS(weft_ctx_message(ctx), "g.weft: cannot open");
    REQUIRE(!mkfifo(p.path, 0600)); /* nobody waits for it */
    CHECK(weft_dynamic_open(ctx, p.path, NULL, &d) == WEFT_EIO);
    CHECK_HAS(weft_ctx_message(ctx), "g.weft: is not a regular file");
    REQUIRE(!unlink(p.path));
    REQUIRE(write_file(p.path, "1 2\n", 4));
    CHECK(weft_dynamic_open(ctx, p.path, NULL, &d) == WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "not a .weft file");
    build.duplicates = WEFT_DUPLICATES_KEEP;
    REQUIRE(!weft_graph_from_edges(ctx, 2, 2, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g) &&
            !weft_write(ctx, g, p.path, NULL));
    CHECK(weft_dynamic_open(ctx, p.path, NULL, &d) == WEFT_EUNSUPPORTED);
    CHECK_HAS(weft_ctx_message(ctx), "parallel edges");
    params.at = 3;
    CHECK(weft_dynamic_open(ctx, p.path, &params, &d) == WEFT_EINVAL);
    weft_graph_free(g);
    remove_temp(p.folder);
    weft_ctx_free(ctx);
}

/* Every allocation fails once: the call says so, and neither the file nor the graph has changed. */
TEST(allocations_that_fail_lose_nothing) {
    place p;
    static saga s;
    weft_ctx *plain = new_ctx(1, NULL);
    saga_write(plain, &s, true, WEFT_WEIGHT_U32, NAME_IDS, SAGA_LARGEST);
    REQUIRE(place_open(&p));
    uint64_t at = 0;
    for (int failed = 1; failed && harness_failures < 5; at++) {
        counting heap = {.allowed = at, .once = true};
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_dynamic *d = NULL;
        weft_graph *g = NULL;
        failed = 0;
        REQUIRE(saga_file(plain, &s, p.path));
        weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
#define AGAIN(call)                                                                                \
    do {                                                                                           \
        weft_status st_ = (call);                                                                  \
        if (st_ == WEFT_ENOMEM) failed++, st_ = (call);                                            \
        if (st_) HARNESS_FAIL("allocation %" PRIu64 ": %s: %s", at, #call, weft_ctx_message(ctx)); \
    } while (0)
        AGAIN(saga_open(ctx, p.path, WEFT_DURABLE_NEVER, &d));
        for (unsigned b = 0; b < 3; b++) {
            AGAIN(saga_batch(ctx, &s, d, b));
            check_read(plain, &s, p.path, b + 1);
        }
        weft_dynamic_free(d);
        AGAIN(saga_open(ctx, p.path, WEFT_DURABLE_NEVER, &d));
        AGAIN(weft_dynamic_compact(ctx, d));
        AGAIN(saga_batch(ctx, &s, d, 3));
        weft_dynamic_free(d);
        AGAIN(weft_read(ctx, p.path, NULL, &g));
        check_read(plain, &s, p.path, 4);
        weft_graph_free(g);
        CHECK_U64(heap.live_blocks, 0);
        CHECK_U64(count_entries(p.folder), 1);
        weft_ctx_free(ctx);
    }
    CHECK(at > 100);
    remove_temp(p.folder);
    model_free(&s.m);
    weft_ctx_free(plain);
}

TEST_MAIN()
