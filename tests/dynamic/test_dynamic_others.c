/* What other programs do to the file of a writer while it is open: overwrite it, cut it off, append to it. */
#include "saga.h"

typedef struct scene {
    place p;
    saga s;
    weft_ctx *ctx;
    weft_dynamic *d;
    char *left; /* the file as the writer left it */
    size_t left_bytes;
} scene;

/* A writer that has done so many batches, in a log that was emptied after the first `folded` of them. */
static void set_up(scene *c, weft_durable durable, unsigned batches, unsigned folded) {
    c->ctx = new_ctx(1, NULL);
    saga_write(c->ctx, &c->s, true, WEFT_WEIGHT_U32, SPARSE_IDS, 10);
    if (!place_open(&c->p) || !saga_file(c->ctx, &c->s, c->p.path)) exit(1);
    if (saga_open(c->ctx, c->p.path, durable, &c->d)) exit(1);
    for (unsigned b = 0; b < batches; b++) {
        if (b && b == folded && weft_dynamic_compact(c->ctx, c->d)) exit(1);
        if (saga_batch(c->ctx, &c->s, c->d, b)) exit(1);
    }
    if (batches && batches == folded && weft_dynamic_compact(c->ctx, c->d)) exit(1);
    c->left = read_file(c->p.path, &c->left_bytes);
}

static void tear_down(scene *c) {
    weft_dynamic_free(c->d);
    CHECK_U64(weft_ctx_memory_in_use(c->ctx), 0);
    free(c->left);
    model_free(&c->s.m);
    weft_ctx_free(c->ctx);
    remove_temp(c->p.folder);
}

/* Over the bytes of the same file, as cp does it. */
static bool overwrite(const scene *c, const void *data, size_t bytes) { return write_file(c->p.path, data, bytes); }

static bool holds(const scene *c, const void *data, size_t bytes) {
    size_t now;
    char *file = read_file(c->p.path, &now);
    bool same = file && now == bytes && !memcmp(file, data, bytes);
    free(file);
    return same;
}

/* Everything that would write is refused, and writes nothing; with its bytes back, the file takes the next batch. */
static void check_refused(scene *c, unsigned batches, const char *what, const void *data, size_t bytes) {
    char said[64];
    REQUIRE(overwrite(c, data, bytes));
    snprintf(said, sizeof said, "nothing was written, and the graph is as of batch %u", batches);
    weft_status batch = saga_batch(c->ctx, &c->s, c->d, batches);
    if (batch != WEFT_EIO || !strstr(weft_ctx_message(c->ctx), said))
        HARNESS_FAIL("%s after %u: %s", what, batches, weft_ctx_message(c->ctx));
    CHECK_HAS(weft_ctx_message(c->ctx), "overwritten or cut off");
    CHECK(weft_dynamic_compact(c->ctx, c->d) == WEFT_EIO);
    CHECK(weft_dynamic_sync(c->ctx, c->d) == (batches ? WEFT_EIO : WEFT_OK));
    if (!holds(c, data, bytes)) HARNESS_FAIL("%s after %u: it was written to", what, batches);
    CHECK(saga_holds(c->ctx, &c->s, c->d, batches));
    CHECK_U64(count_entries(c->p.folder), 1);
    weft_status st = overwrite(c, c->left, c->left_bytes) ? weft_dynamic_sync(c->ctx, c->d) : WEFT_EIO;
    if (st) HARNESS_FAIL("%s after %u: its bytes are back: %s", what, batches, weft_ctx_message(c->ctx));
    free(c->left);
    c->left = read_file(c->p.path, &c->left_bytes); /* its root page may be another now */
}

/* A file of the same length and the same root page, whose last batch is another. */
static char *sibling(scene *c, unsigned batches, size_t *bytes) {
    char path[600];
    saga other = c->s;
    weft_dynamic *d = NULL;
    snprintf(path, sizeof path, "%s/sibling.weft", c->p.folder);
    other.changes[batches - 1][0].u ^= 1;
    bool good = saga_file(c->ctx, &other, path) && !saga_open(c->ctx, path, WEFT_DURABLE_BATCH, &d);
    for (unsigned b = 0; b < batches && good; b++) good = !saga_batch(c->ctx, &other, d, b);
    char *data = read_file(path, bytes); /* before it is closed, which tells the root page of the last batch */
    weft_dynamic_free(d);
    unlink(path);
    if (!good) exit(1);
    return data;
}

static void tell(weft_durable durable, unsigned batches, unsigned folded) {
    static scene c;
    set_up(&c, durable, batches, folded);
    size_t bytes = c.left_bytes, size;
    char *other = calloc(1, bytes + 1);
    if (!other) exit(1);
    if (batches > folded && !folded && durable == WEFT_DURABLE_BATCH) {
        char *twin = sibling(&c, batches, &size);
        CHECK_U64(size, bytes);
        check_refused(&c, batches, "another last batch", twin, size);
        free(twin);
    }
    check_refused(&c, batches, "nothing in it", other, 0);
    check_refused(&c, batches, "zeros", other, bytes);
    memcpy(other, c.left, bytes);
    check_refused(&c, batches, "cut off by a byte", other, bytes - 1);
    check_refused(&c, batches, "cut off after the first page", other, 4096);
    check_refused(&c, batches, "longer by a byte", other, bytes + 1);
    if (batches) {
        uint64_t roots[2];
        memcpy(roots, other + 3968, sizeof roots); /* docs/formats/weft.md */
        memset(other + roots[0], 0, 64);
        memset(other + roots[1], 0, 64);
        if (durable == WEFT_DURABLE_BATCH) {
            check_refused(&c, batches, "without root pages", other, bytes);
        } else { /* nothing is told to them before the next sync, which is refused */
            REQUIRE(overwrite(&c, other, bytes));
            CHECK(weft_dynamic_sync(c.ctx, c.d) == WEFT_EIO && weft_dynamic_compact(c.ctx, c.d) == WEFT_EIO);
            CHECK(holds(&c, other, bytes) && overwrite(&c, c.left, bytes));
        }
    }
    if (batches > folded) {
        memcpy(other, c.left, bytes);
        for (size_t i = bytes / 4096 * 4096; i < bytes; i++) other[i] = 0;
        check_refused(&c, batches, "the last bytes gone", other, bytes);
    }
    /* and as it is when it is closed: nothing is told to a file that is another */
    REQUIRE(!saga_batch(c.ctx, &c.s, c.d, batches) && overwrite(&c, "1 2\n", 4));
    weft_dynamic_free(c.d);
    c.d = NULL;
    CHECK(holds(&c, "1 2\n", 4));
    free(other);
    tear_down(&c);
}

TEST(a_file_that_was_overwritten_is_refused_before_its_first_batch) { tell(WEFT_DURABLE_BATCH, 0, 0); }
TEST(a_file_that_was_overwritten_is_refused_with_batches_in_its_log) { tell(WEFT_DURABLE_BATCH, 4, 0); }
TEST(a_file_that_was_overwritten_is_refused_also_where_nothing_is_synced) { tell(WEFT_DURABLE_NEVER, 4, 0); }
TEST(a_file_that_was_overwritten_is_refused_with_an_empty_log) { tell(WEFT_DURABLE_BATCH, 4, 4); }
TEST(a_file_that_was_overwritten_is_refused_with_a_log_that_was_emptied) { tell(WEFT_DURABLE_NEVER, 4, 2); }

TEST(who_follows_a_file_that_was_overwritten_is_told) {
    static scene c;
    weft_dynamic *plain = NULL, *reader = NULL;
    int more;
    set_up(&c, WEFT_DURABLE_NEVER, 0, 0);
    REQUIRE(!saga_read(c.ctx, c.p.path, WEFT_LAST_BATCH, &plain));
    CHECK(overwrite(&c, "1 2\n", 4) && weft_dynamic_follow(c.ctx, plain, &more) == WEFT_EIO);
    CHECK(overwrite(&c, c.left, c.left_bytes) && !weft_dynamic_follow(c.ctx, plain, &more) && !more);
    weft_dynamic_free(plain);
    for (unsigned b = 0; b < 3; b++) REQUIRE(!saga_batch(c.ctx, &c.s, c.d, b));
    REQUIRE(!saga_read(c.ctx, c.p.path, WEFT_LAST_BATCH, &reader));
    CHECK(!weft_dynamic_follow(c.ctx, reader, &more) && !more);
    free(c.left);
    c.left = read_file(c.p.path, &c.left_bytes);
    for (size_t keep = 0; keep < c.left_bytes; keep += 1 + c.left_bytes / 5) {
        REQUIRE(overwrite(&c, c.left, keep));
        CHECK(weft_dynamic_follow(c.ctx, reader, &more) == WEFT_EIO && !more);
        CHECK_HAS(weft_ctx_message(c.ctx), "was overwritten or cut off in place: what was read up to batch 3");
    }
    REQUIRE(overwrite(&c, c.left, c.left_bytes) && !saga_batch(c.ctx, &c.s, c.d, 3));
    CHECK(!weft_dynamic_follow(c.ctx, reader, &more) && more && saga_holds(c.ctx, &c.s, reader, 4));
    weft_dynamic_free(reader);
    tear_down(&c);
}

TEST_MAIN()
