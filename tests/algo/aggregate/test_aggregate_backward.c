/* aggregate backward: gradients seen by eye, ties of a maximum; <A x, y> = <x, A' y> in whole numbers, where it is exact;
 * the order of the sums written down a second time and held against every bit; refusals and the verifier. */
#include "aggregate_support.h"

enum { VERTICES = 300 };

static params_t backward_of(int op, const float *gradient, const float *forward, uint64_t rows, uint64_t width) {
    params_t p = params_of(op, gradient, rows, width);
    p.backward = 1;
    if (forward) p.forward = matrix_at(forward, rows, width, WEFT_F32);
    return p;
}

/* --- by eye ----------------------------------------------------------------------------- */

TEST(a_gradient_goes_to_those_that_its_row_came_from) {
    static const float y[] = {4, 100, 200, 6};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 4, "0>3 1>3 2>3 3>0 2>0");
    params_t p = backward_of(WEFT_AGGREGATE_SUM, y, NULL, 4, 1);
    EXPECT(p, "6; 6; 10; 4");
    p.op = WEFT_AGGREGATE_MEAN; /* 3 has three in-neighbours, 0 has two */
    EXPECT(p, "2; 2; 4; 2");
    p.self_loop = 1; /* four and three; 1 and 2 have themselves */
    EXPECT(p, "2.83333349; 101.5; 202.833328; 2.83333349");
    p.op = WEFT_AGGREGATE_SUM;
    EXPECT(p, "10; 106; 210; 10");
    weft_graph_free(g);
    g = arcs_of(ctx, 4, "0>1 1>2", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    p.self_loop = 0;
    EXPECT(p, "100; 204; 100; 0");
    p.op = WEFT_AGGREGATE_MEAN;
    EXPECT(p, "50; 204; 50; 0");
    weft_graph_free(g);
    g = arcs_of(ctx, 4, "0>0 0>1 0>1 2>1", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP); /* parallel arcs count each */
    p = backward_of(WEFT_AGGREGATE_SUM, y, NULL, 4, 1);
    EXPECT(p, "204; 0; 100; 0");
    p.self_loop = 1;
    EXPECT(p, "204; 100; 300; 6");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(gcn_goes_back_with_the_roots_of_the_in_degrees) {
    static const float y[] = {1, 2, 4, 8};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 4, "0>1 1>2 3>2 2>1");
    params_t p = backward_of(WEFT_AGGREGATE_MEAN, y, NULL, 4, 1);
    p.normalize = WEFT_NORMALIZE_GCN;
    weft_result *r = verified_run(ctx, "aggregate", g, &p);
    REQUIRE(r);
    CHECK(value_at(r, 0) == 0 && value_at(r, 3) == 0); /* no in-neighbours, no share */
    CHECK_NEAR(value_at(r, 1), 4 / 2.0, 1e-6);
    CHECK_NEAR(value_at(r, 2), 2 / 2.0, 1e-6);
    weft_result_free(r);
    p.self_loop = 1; /* in-degrees 1, 3, 3, 1 */
    r = verified_run(ctx, "aggregate", g, &p);
    REQUIRE(r);
    CHECK_NEAR(value_at(r, 0), 1 + 2 / sqrt(3), 1e-6);
    CHECK_NEAR(value_at(r, 1), 2 / 3.0 + 4 / 3.0, 1e-6);
    CHECK_NEAR(value_at(r, 3), 8 + 4 / sqrt(3), 1e-6);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(of_a_maximum_the_first_that_has_it_gets_all) {
    static const float y[] = {1, 10, 100, 1000, 10000};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 5, "0>4 1>4 2>4 3>4 2>0 1>0 4>1");
    static const struct {
        float x[5];
        const char *want, *joined;
    } cases[] = {
        {{1, 2, 3, 4, 5}, "0; 0; 1; 10000; 10", "0; 0; 101; 1000; 10010"},
        {{7, 7, 7, 7, 7}, "10000; 1; 0; 0; 10", "10000; 1; 100; 1000; 10"}, /* whoever joins comes last */
        {{-0.0F, 0, -0.0F, 0, 0}, "10000; 1; 0; 0; 10", "10000; 1; 100; 1000; 10"},
        {{1, 1, NAN, NAN, 1}, "0; 0; 10001; 0; 10", "0; 0; 10101; 1000; 10"},
        {{-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY}, "10000; 1; 0; 0; 10", "10000; 1; 100; 1000; 10"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        params_t p = backward_of(WEFT_AGGREGATE_MAX, y, cases[i].x, 5, 1);
        EXPECT(p, cases[i].want);
        p.self_loop = 1;
        EXPECT(p, cases[i].joined);
    }
    weft_graph_free(g);
    g = directed_of(ctx, 3, "0>1 2>2");
    static const float x[] = {1, NAN, 3};
    params_t p = backward_of(WEFT_AGGREGATE_MAX, y, x, 3, 1);
    EXPECT(p, "10; 0; 100");
    p.self_loop = 1; /* a NaN of its own wins, though it comes last */
    EXPECT(p, "1; 10; 100");
    weft_graph_free(g);
    g = arcs_of(ctx, 3, "0>2 0>2 1>2 1>1 1>1", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP);
    static const float equal[] = {1, 1, 1};
    p = backward_of(WEFT_AGGREGATE_MAX, y, equal, 3, 1); /* one of the parallel arcs has it */
    EXPECT(p, "100; 10; 0");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(nothing_gives_nothing) {
    static const float y[] = {-3, 5};
    weft_ctx *ctx = new_ctx(0, NULL);
    for (int op = WEFT_AGGREGATE_SUM; op <= WEFT_AGGREGATE_MAX; op++) {
        weft_graph *g = directed_of(ctx, 0, "");
        params_t p = params_of(op, NULL, 0, 3);
        p.backward = 1;
        if (op == WEFT_AGGREGATE_MAX) p.forward = p.features;
        EXPECT(p, "");
        weft_graph_free(g);
        g = directed_of(ctx, 2, "");
        p = backward_of(op, y, op == WEFT_AGGREGATE_MAX ? y : NULL, 2, 1);
        EXPECT(p, "0; 0");
        p.self_loop = 1;
        EXPECT(p, "-3; 5");
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* --- against the way forth ------------------------------------------------------------------ */

static float *whole_numbers(size_t count, uint64_t seed) {
    float *x = malloc((count + 1) * sizeof *x);
    if (!x) exit(1);
    for (size_t i = 0; i < count; i++) x[i] = (float)(random_at(seed, i) % 17) - 8;
    return x;
}

static double product(const float *x, const weft_result *r, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += (double)x[i] * (double)value_at(r, i);
    return sum;
}

/* A sum is linear; a maximum is where the winners stay the same, and they do here: both sides are with the same x. */
TEST(the_product_with_a_gradient_is_the_same_on_both_sides) {
    static const uint64_t widths[] = {1, 3, 64, 257};
    for (int undirected = 0; undirected < 2; undirected++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = graph_with_hubs(ctx, VERTICES, undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED);
        for (size_t w = 0; w < LENGTH(widths); w++)
            for (int way = 0; way < 8; way++) {
                size_t count = VERTICES * (size_t)widths[w];
                float *x = whole_numbers(count, 1), *y = whole_numbers(count, 2);
                int op = way % 4 < 3 ? way % 4 : WEFT_AGGREGATE_SUM;
                params_t forth = params_of(op, x, VERTICES, widths[w]);
                params_t back = backward_of(op, y, op == WEFT_AGGREGATE_MAX ? x : NULL, VERTICES, widths[w]);
                forth.normalize = back.normalize = way % 4 == 3;
                forth.self_loop = back.self_loop = way / 4;
                weft_result *a = verified_run(ctx, "aggregate", g, &forth),
                            *b = verified_run(ctx, "aggregate", g, &back);
                REQUIRE(a && b);
                double there = product(y, a, count), here = product(x, b, count);
                bool exact = op != WEFT_AGGREGATE_MEAN && !forth.normalize;
                if (!(fabs(there - here) <= (exact ? 0 : 1e-2)))
                    HARNESS_FAIL("width %" PRIu64 ", way %d: %.17g and %.17g", widths[w], way, there, here);
                CHECK(fabs(there) > 1); /* it says something */
                weft_result_free(a);
                weft_result_free(b);
                free(x);
                free(y);
            }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* --- every bit ---------------------------------------------------------------------------------- */

typedef struct book {
    weft_csr in, out;
    const params_t *p;
} book;

static bool has_loop(const book *b, weft_vid v) {
    for (weft_eid e = b->out.offsets[v]; e < b->out.offsets[v + 1]; e++)
        if (b->out.targets[e] == v) return true;
    return false;
}

static bool joins(const book *b, weft_vid v) { return b->p->self_loop && !has_loop(b, v); }

static float factor(const book *b, weft_vid v) {
    double d = (double)(b->in.offsets[v + 1] - b->in.offsets[v] + joins(b, v));
    if (b->p->normalize) return d > 0 ? (float)(1 / sqrt(d)) : 0;
    return b->p->op == WEFT_AGGREGATE_MEAN && d > 0 ? (float)(1 / d) : 1;
}

/* Whose is the maximum of v in column c? */
static weft_vid winner(const book *b, weft_vid v, size_t c) {
    const float *x = b->p->forward->data;
    uint64_t width = b->p->forward->width;
    weft_vid best = WEFT_NO_VERTEX;
    for (weft_eid e = b->in.offsets[v]; e < b->in.offsets[v + 1]; e++) {
        weft_vid u = b->in.targets[e];
        if (best == WEFT_NO_VERTEX || x[u * width + c] > x[best * width + c]) best = u;
    }
    if (joins(b, v) && (best == WEFT_NO_VERTEX || x[v * width + c] > x[best * width + c])) best = v;
    return best;
}

static float term(const book *b, weft_vid u, weft_vid v, size_t c) {
    float y = ((const float *)b->p->features->data)[v * b->p->features->width + c];
    if (b->p->op == WEFT_AGGREGATE_MAX) return winner(b, v, c) == u ? y : 0;
    return b->p->op == WEFT_AGGREGATE_SUM && !b->p->normalize ? y : y * factor(b, v);
}

/* One value as docs/algo/aggregate.md says that it is computed. */
static float by_the_book(const book *b, weft_vid u, size_t c) {
    weft_eid from = b->out.offsets[u], count = b->out.offsets[u + 1] - from;
    float total = 0, sum = 0;
    for (weft_eid i = 0; i < count; i++) {
        weft_vid v = b->out.targets[from + i];
        bool again = b->p->op == WEFT_AGGREGATE_MAX && i && b->out.targets[from + i - 1] == v;
        if (!again) sum = sum + term(b, u, v, c);
        if ((i + 1) % 256 == 0 || i + 1 == count) total = total + sum, sum = 0;
    }
    if (joins(b, u)) total = total + term(b, u, u, c);
    return b->p->normalize ? total * factor(b, u) : total;
}

/* g without rows of incoming arcs, which the maximum needs, or with them; `in` comes from a graph of the same arcs. */
static void compare_with_book(weft_ctx *ctx, const weft_graph *g, weft_csr in, uint64_t width, int way) {
    static const int ops[] = {WEFT_AGGREGATE_SUM, WEFT_AGGREGATE_MEAN, WEFT_AGGREGATE_MEAN, WEFT_AGGREGATE_MAX};
    float *y = random_features(VERTICES, width, 5), *x = whole_numbers(VERTICES * (size_t)width, 6);
    params_t p = backward_of(ops[way / 2], y, way / 2 == 3 ? x : NULL, VERTICES, width);
    p.normalize = way / 2 == 2;
    p.self_loop = way & 1;
    weft_result *r = verified_run(ctx, "aggregate", g, &p);
    book b = {in, out_rows(g), &p};
    size_t differ = 0;
    REQUIRE(r);
    for (weft_vid u = 0; u < VERTICES; u++)
        for (size_t c = 0; c < width; c++) differ += !same_bits(by_the_book(&b, u, c), value_at(r, u * width + c));
    if (differ) HARNESS_FAIL("width %" PRIu64 ", way %d: %zu values differ", width, way, differ);
    weft_result_free(r);
    free(x);
    free(y);
}

TEST(every_bit_is_as_the_book_says) {
    static const uint64_t widths[] = {1, 3, 70};
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_graph *bare = graph_with_hubs(ctx, VERTICES, WEFT_DIRECTED);
    weft_graph *whole = graph_with_hubs(ctx, VERTICES, WEFT_DIRECTED);
    weft_csr in = {.size = sizeof in};
    REQUIRE(weft_graph_in(ctx, whole, &in) == WEFT_OK);
    CHECK(in.offsets[1] > 2 * 256 && out_rows(bare).offsets[1] > 2 * 256);
    for (size_t w = 0; w < LENGTH(widths); w++)
        for (int way = 0; way < 8; way++) {
            if (way < 6) compare_with_book(ctx, bare, in, widths[w], way);
            compare_with_book(ctx, whole, in, widths[w], way);
        }
    weft_graph_free(bare);
    weft_graph_free(whole);
    weft_ctx_free(ctx);
}

/* --- refusals -------------------------------------------------------------------------------------- */

TEST(what_makes_no_sense_is_refused) {
    static const float x[12];
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 4, "0>3");
    params_t p = backward_of(WEFT_AGGREGATE_MAX, x, NULL, 4, 3);
    expect_refusal(ctx, g, &p, "needs forward");
    p = backward_of(WEFT_AGGREGATE_SUM, x, x, 4, 3);
    expect_refusal(ctx, g, &p, "only for the gradient of a maximum");
    p = backward_of(WEFT_AGGREGATE_MAX, x, x, 4, 3);
    p.backward = 0;
    expect_refusal(ctx, g, &p, "only for the gradient of a maximum");
    p = backward_of(WEFT_AGGREGATE_MAX, x, x, 4, 3);
    p.forward = matrix_at(p.forward->data, 3, p.forward->width, p.forward->type);
    expect_refusal(ctx, g, &p, "the forward features have 3 rows, but the graph has 4 vertices");
    p.forward = matrix_at(x, 4, 2, WEFT_F32);
    expect_refusal(ctx, g, &p, "the forward features have 2 columns, but their gradient has 3");
    p.forward = matrix_at(x, 4, 3, WEFT_BF16 + 1);
    expect_refusal(ctx, g, &p, "unknown type of the forward features");
    p.forward = matrix_at(NULL, 4, 3, WEFT_F32);
    expect_refusal(ctx, g, &p, "too many for memory");
    p = backward_of(WEFT_AGGREGATE_MAX, x, x, 4, 3);
    p.normalize = WEFT_NORMALIZE_GCN;
    expect_refusal(ctx, g, &p, "maximum");
    p = backward_of(WEFT_AGGREGATE_MEAN, x, NULL, 3, 4);
    expect_refusal(ctx, g, &p, "the features have 3 rows");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = graph_with_hubs(ctx, VERTICES, WEFT_DIRECTED);
    float *x = whole_numbers(VERTICES * 3, 6), *y = random_features(VERTICES, 3, 3);
    for (int way = 0; way < 4; way++) {
        int op = way < 3 ? way : WEFT_AGGREGATE_MEAN;
        params_t p = backward_of(op, y, op == WEFT_AGGREGATE_MAX ? x : NULL, VERTICES, 3);
        p.normalize = way == 3;
        weft_result *r = verified_run(ctx, "aggregate", g, &p);
        REQUIRE(r);
        float *f = (float *)(uintptr_t)weft_result_f32(r, "f"), kept = f[3 * 7 + 1];
        f[3 * 7 + 1] = kept + fabsf(kept) * 1e-2f + 1e-2f;
        CHECK(refused(ctx, "aggregate", g, &p, r));
        f[3 * 7 + 1] = NAN;
        CHECK(refused(ctx, "aggregate", g, &p, r));
        f[3 * 7 + 1] = kept;
        CHECK(!refused(ctx, "aggregate", g, &p, r));
        params_t other = p;
        other.backward = 0;
        CHECK(refused(ctx, "aggregate", g, &other, r));
        other = p;
        other.self_loop = 1;
        if (op != WEFT_AGGREGATE_MAX) CHECK(refused(ctx, "aggregate", g, &other, r));
        other = p;
        other.forward = matrix_at(y, p.features->rows, p.features->width, WEFT_F32); /* others would have won */
        if (op == WEFT_AGGREGATE_MAX) CHECK(refused(ctx, "aggregate", g, &other, r));
        weft_result_free(r);
    }
    free(x);
    free(y);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* The winners of a long row, and the sums that follow, may be given up at any time. */
TEST(a_run_can_be_stopped_anywhere) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params star = WEFT_GENERATE_DEFAULTS;
    star.n = 30001;
    weft_graph *g = NULL;
    REQUIRE(weft_generate(ctx, "star", &star, NULL, &g) == WEFT_OK);
    float *x = random_features(star.n, 70, 2);
    params_t p = backward_of(WEFT_AGGREGATE_MAX, x, x, star.n, 70);
    weft_result *r = verified_run(ctx, "aggregate", g, &p);
    weft_result_free(r);
    stop_everywhere(ctx, g, &p);
    free(x);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
