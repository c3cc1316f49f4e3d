/* weft_partition_agreement: figures that were computed with fractions and 50 digits (tests/agreement/reference.py does
 * it for random ones); labels that mean the same; the same bytes on any number of threads; memory that is not there;
 * stopping. */
#include "support.h"

enum { MOST = 2000 };
static const char *const names[] = {"nmi",          "ami",       "ari", "homogeneity",
                                    "completeness", "v_measure", "vi",  "mutual_information"};

static double scalar(const weft_result *r, const char *name) { return weft_result_scalar(r, name)->value.f64; }

static uint32_t third(uint32_t i) { return i / 3; }
static uint32_t half(uint32_t i) { return i / 2; }
static uint32_t quarter(uint32_t i) { return i / 4; }
static uint32_t parity(uint32_t i) { return i % 2; }
static uint32_t tens(uint32_t i) { return i / 10; }
static uint32_t squares(uint32_t i) { return i * i % 7; }
static uint32_t each(uint32_t i) { return i; }
static uint32_t three(uint32_t i) { return i % 3; }
static uint32_t one(uint32_t i) { return i * 0; }
static uint32_t last_digit(uint32_t i) { return i % 10; }
static uint32_t nearly(uint32_t i) { return i % 11 ? i % 10 : 3; }
static uint32_t many(uint32_t i) { return i * i % 97; }
static uint32_t forties(uint32_t i) { return i / 40; }

TEST(figures_are_those_of_the_definitions) {
    static const struct {
        uint32_t n, (*a)(uint32_t), (*b)(uint32_t);
        double want[LENGTH(names)];
    } rows[] = {
        {6,
         third,
         half,
         {0.515803742979388782, 0.298792458170890036, 0.242424242424242424, 0.666666666666666667, 0.420619835714304958,
          0.515803742979388782, 0.867563228481461255, 0.462098120373296873}},
        {8, quarter, parity, {0, -0.129744726425105791, -0.166666666666666667, 0, 0, 0, 1.38629436111989062, 0}},
        {100,
         tens,
         squares,
         {0.0182595387638824773, -0.0733377713131202651, -0.0338775759799425182, 0.014507955787942718,
          0.0246280587075806481, 0.0182595387638824773, 3.5921858269683467, 0.0334058027271335865}},
        {500,
         each,
         half,
         {0.940938726621480697, 0, 0, 0.888464860602243547, 1, 0.940938726621480697, 0.693147180559945309,
          5.52146091786224643}},
        {1000, three, one, {0, 0, 0, 0, 1, 0, 1.09861128900094352, 0}},
        {1000,
         last_digit,
         nearly,
         {0.873221722851234198, 0.870881624038143594, 0.797797293800227198, 0.867372468066347778, 0.8791504038918757,
          0.873221722851234198, 0.579924733768162657, 1.99719891504302632}},
        {2000,
         many,
         forties,
         {0.124470650225619225, -0.0564478449526018818, -0.0095224052599751122, 0.124842484085452261,
          0.124101024746130978, 0.124470650225619225, 6.82983975734731286, 0.485486063804072037}},
    };
    weft_ctx *ctx = new_ctx(2, NULL);
    static uint32_t a[MOST], b[MOST];
    for (size_t row = 0; row < LENGTH(rows); row++) {
        weft_result *r = NULL;
        for (uint32_t i = 0; i < rows[row].n; i++) {
            a[i] = rows[row].a(i);
            b[i] = UINT32_MAX - rows[row].b(i);
        }
        REQUIRE(weft_partition_agreement(ctx, a, b, rows[row].n, &r) == WEFT_OK);
        for (size_t i = 0; i < LENGTH(names); i++) CHECK_NEAR(scalar(r, names[i]), rows[row].want[i], 1e-13);
        weft_result_free(r);
    }
    weft_ctx_free(ctx);
}

/* Also where measures have no room: everything in one community, each vertex alone, nothing at all. */
TEST(the_same_partition_agrees_wholly) {
    static uint32_t (*const partitions[])(uint32_t) = {half, one, each, squares};
    static const uint64_t counts[] = {0, 1, 2, 1000};
    weft_ctx *ctx = new_ctx(1, NULL);
    static uint32_t a[MOST], b[MOST];
    for (size_t k = 0; k < LENGTH(partitions) * LENGTH(counts); k++) {
        weft_result *r = NULL;
        uint64_t count = counts[k % LENGTH(counts)];
        for (uint32_t i = 0; i < count; i++) {
            a[i] = partitions[k / LENGTH(counts)](i);
            b[i] = a[i] * 2654435761u; /* other names for the same */
        }
        REQUIRE(weft_partition_agreement(ctx, a, b, count, &r) == WEFT_OK);
        for (size_t i = 0; i < 6; i++) CHECK(scalar(r, names[i]) == 1);
        CHECK(scalar(r, "vi") == 0 && scalar(r, "mutual_information") == scalar(r, "entropy_a"));
        CHECK(weft_result_scalar(r, "communities_a")->value.u64 == weft_result_scalar(r, "communities_b")->value.u64);
        weft_result_free(r);
    }
    weft_ctx_free(ctx);
}

TEST(any_number_of_threads_gives_the_same_bytes) {
    static const int threads[] = {1, 2, 3, 7};
    enum { N = 200000 };
    uint64_t digest[4] = {0};
    uint32_t *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b);
    REQUIRE(a && b);
    for (uint32_t i = 0; i < N; i++) {
        uint64_t x = random_at(1, i) % 1000; /* sizes of every kind */
        a[i] = (uint32_t)(x * x / 1000);
        b[i] = random_at(2, i) % 3 ? a[i] : (uint32_t)(random_at(3, i) % 500);
    }
    for (int i = 0; i < 4; i++) {
        weft_ctx *ctx = new_ctx(threads[i], NULL);
        weft_result *r = NULL;
        REQUIRE(weft_partition_agreement(ctx, a, b, N, &r) == WEFT_OK);
        CHECK(weft_result_digest(ctx, r, &digest[i]) == WEFT_OK);
        CHECK_U64(digest[i], digest[0]);
        weft_result_free(r);
        weft_ctx_free(ctx);
    }
    free(a);
    free(b);
}

TEST(too_many_are_refused_and_a_request_to_stop_is_heard) {
    weft_ctx *ctx = new_ctx(1, NULL);
    uint32_t a[] = {0, 1, 1}, b[] = {0, 0, 1};
    weft_result *r;
    CHECK(weft_partition_agreement(ctx, a, b, UINT32_MAX, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "`count` is 4294967295");
    _Atomic int calls = 0;
    weft_ctx_set_cancel(ctx, stop_after, (void *)&calls);
    CHECK(weft_partition_agreement(ctx, a, b, 3, &r) == WEFT_ECANCELLED && !r);
    weft_ctx_free(ctx);
}

TEST(memory_that_is_not_there_is_said) {
    weft_ctx *ctx = new_ctx(1, NULL);
    counting heap = {.allowed = COUNT_ONLY};
    weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
    uint32_t a[] = {0, 0, 1, 1, 2}, b[] = {0, 1, 1, 0, 0};
    uint64_t failed = 0;
    for (weft_status st = WEFT_ENOMEM; st == WEFT_ENOMEM; failed++) {
        weft_result *r;
        heap.allowed = atomic_load(&heap.calls) + failed;
        st = weft_partition_agreement(ctx, a, b, 5, &r);
        heap.allowed = COUNT_ONLY;
        CHECK(st == WEFT_ENOMEM ? !r && heap.live_blocks == 0 : st == WEFT_OK);
        weft_result_free(r);
    }
    CHECK(failed > 10);
    weft_ctx_free(ctx);
}

TEST_MAIN()
