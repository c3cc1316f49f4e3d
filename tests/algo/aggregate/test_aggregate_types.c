/* aggregate with features of 2 bytes: the types themselves, over all their numbers; the result held against the rounded
 * result of the same features as f32, bit for bit; what is at the ends of the range; older programs. */
#include "aggregate_support.h"

#include <float.h>

enum { VERTICES = 300 };

static const struct type {
    const char *name;
    weft_type matrix;
    weft_type column;
    float (*value)(uint16_t bits);
    uint16_t (*of)(float x);
    uint16_t infinity, nan;
    int digits, least; /* bits of the fraction with the leading one; exponent of the smallest number */
} types[] = {
    {"f16", WEFT_F16, WEFT_F16, weft_f16_value, weft_f16_of, 0x7c00, 0x7e00, 11, -24},
    {"bf16", WEFT_BF16, WEFT_BF16, weft_bf16_value, weft_bf16_of, 0x7f80, 0x7fc0, 8, -133},
};

/* --- the types ------------------------------------------------------------------------- */

/* From the definition: exponent and fraction. */
static double defined_value(const struct type *t, uint16_t bits) {
    int exponent = (bits & 0x7fff) >> (t->digits - 1), fraction = bits & ((1 << (t->digits - 1)) - 1);
    double size =
        exponent ? ldexp(fraction + (1 << (t->digits - 1)), t->least + exponent - 1) : ldexp(fraction, t->least);
    return bits & 0x8000 ? -size : size;
}

TEST(every_number_is_what_its_bits_say_and_comes_back) {
    for (size_t i = 0; i < LENGTH(types); i++) {
        const struct type *t = &types[i];
        size_t wrong = 0;
        for (uint32_t bits = 0; bits < 1 << 16; bits++) {
            uint16_t half = (uint16_t)bits, size = half & 0x7fff;
            float x = t->value(half);
            if (size > t->infinity)
                wrong += !isnan(x) || t->of(x) != t->nan;
            else if (size == t->infinity)
                wrong += x != (half & 0x8000 ? -INFINITY : INFINITY) || t->of(x) != half;
            else
                wrong += (double)x != defined_value(t, half) || !!signbit(x) != half >> 15 || t->of(x) != half;
        }
        if (wrong) HARNESS_FAIL("%s: %zu numbers are wrong", t->name, wrong);
    }
}

TEST(the_nearest_is_taken_and_of_two_the_even_one) {
    for (size_t i = 0; i < LENGTH(types); i++) {
        const struct type *t = &types[i];
        size_t wrong = 0;
        for (uint16_t low = 0; low + 1 < t->infinity; low++) {
            uint16_t high = (uint16_t)(low + 1), even = low & 1 ? high : low;
            float middle = (float)((defined_value(t, low) + defined_value(t, high)) / 2); /* exact */
            wrong += t->of(middle) != even || t->of(-middle) != (even | 0x8000);
            wrong += t->of(nextafterf(middle, 0)) != low || t->of(nextafterf(middle, INFINITY)) != high;
        }
        if (wrong) HARNESS_FAIL("%s: %zu roundings are wrong", t->name, wrong);
    }
    CHECK_U64(weft_f16_of(65519.99F), 0x7bff);
    CHECK_U64(weft_f16_of(65520), 0x7c00);
    CHECK_U64(weft_f16_of(-1e30F), 0xfc00);
    CHECK_U64(weft_f16_of(0x1p-26F), 0);
    CHECK_U64(weft_bf16_of(FLT_MAX), 0x7f80);
    CHECK_U64(weft_bf16_of(-FLT_MAX), 0xff80);
}

/* --- results ------------------------------------------------------------------------------ */

static uint16_t *narrowed(const struct type *t, const float *x, size_t count) {
    uint16_t *half = malloc((count + 1) * sizeof *half);
    if (!half) exit(1);
    for (size_t i = 0; i < count; i++) half[i] = t->of(x[i]);
    return half;
}

TEST(small_answers) {
    static const float x[] = {1, 10, 2, 20, 4, 40, 8, 80};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 4, "0>3 1>3 2>3 3>0 2>0");
    for (size_t i = 0; i < LENGTH(types); i++) {
        uint16_t *half = narrowed(&types[i], x, LENGTH(x));
        params_t p = params_of(WEFT_AGGREGATE_SUM, half, 4, 2);
        p.features = matrix_at(p.features->data, p.features->rows, p.features->width, types[i].matrix);
        EXPECT(p, "12 120; 0 0; 0 0; 7 70");
        p.op = WEFT_AGGREGATE_MAX;
        EXPECT(p, "8 80; 0 0; 0 0; 4 40");
        p.op = WEFT_AGGREGATE_MEAN; /* 7/3 and 70/3, to 11 and to 8 bits */
        EXPECT(p, i ? "6 60; 0 0; 0 0; 2.328125 23.375" : "6 60; 0 0; 0 0; 2.33398438 23.328125");
        weft_result *r = verified_run(ctx, "aggregate", g, &p);
        REQUIRE(r);
        CHECK(weft_result_column(r, "f")->type == types[i].column);
        CHECK(weft_result_u16(r, "f") && !weft_result_f32(r, "f") && !weft_result_u32(r, "f"));
        weft_result_free(r);
        free(half);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* What the page says: as f32, and rounded in the end. */
static void compare_with_f32(weft_ctx *ctx, const weft_graph *g, const struct type *t, const float *x, params_t p,
                             uint64_t width, const char *what) {
    size_t count = VERTICES * (size_t)width, differ = 0;
    uint16_t *half = narrowed(t, x, count);
    float *wide = malloc(count * sizeof *wide);
    if (!wide) exit(1);
    for (size_t i = 0; i < count; i++) wide[i] = t->value(half[i]);
    p.features = matrix_at(wide, VERTICES, width, WEFT_F32);
    if (p.backward && p.op == WEFT_AGGREGATE_MAX) p.forward = p.features;
    weft_result *plain = verified_run(ctx, "aggregate", g, &p);
    p.features = matrix_at(half, VERTICES, width, t->matrix);
    if (p.forward) p.forward = p.features;
    weft_result *narrow = verified_run(ctx, "aggregate", g, &p);
    REQUIRE(plain && narrow && weft_result_u16(narrow, "f"));
    for (size_t i = 0; i < count; i++)
        differ += weft_result_u16(narrow, "f")[i] != t->of(weft_result_f32(plain, "f")[i]);
    if (differ) HARNESS_FAIL("%s, %s, width %" PRIu64 ": %zu values differ", t->name, what, width, differ);
    weft_result_free(plain);
    weft_result_free(narrow);
    free(wide);
    free(half);
}

TEST(the_result_is_that_of_f32_rounded_once) {
    static const uint64_t widths[] = {1, 3, 64, 257};
    for (int undirected = 0; undirected < 2; undirected++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = graph_with_hubs(ctx, VERTICES, undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED);
        for (size_t w = 0; w < LENGTH(widths); w++)
            for (int way = 0; way < 16; way++) {
                char what[32];
                float *x = random_features(VERTICES, widths[w], 5);
                params_t p = WEFT_AGGREGATE_DEFAULTS;
                p.op = way % 4 < 3 ? way % 4 : WEFT_AGGREGATE_MEAN;
                p.normalize = way % 4 == 3;
                p.self_loop = way / 4 & 1;
                p.backward = way / 8;
                snprintf(what, sizeof what, "way %d", way);
                for (size_t t = 0; t < LENGTH(types); t++) compare_with_f32(ctx, g, &types[t], x, p, widths[w], what);
                free(x);
            }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(the_ends_of_the_range) {
    static const uint16_t x[] = {0x7bff, 0x7bff, 0x8000,
                                 0x0001, 0x7c00, 0xfe01}; /* the largest, -0, the least, inf, nan */
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 6, "0>1 1>0 0>2 1>2 2>3 3>4 4>5 5>5");
    params_t p = params_of(WEFT_AGGREGATE_SUM, x, 6, 1);
    p.features = matrix_at(p.features->data, p.features->rows, p.features->width, WEFT_F16);
    static const uint16_t sums[] = {0x7bff, 0x7bff, 0x7c00, 0, 1, 0x7e00},
                          maxima[] = {0x7bff, 0x7bff, 0x7bff, 0, 1, 0x7e00};
    weft_result *r = verified_run(ctx, "aggregate", g, &p);
    REQUIRE(r);
    CHECK(!memcmp(weft_result_u16(r, "f"), sums, sizeof sums));
    weft_result_free(r);
    p.op = WEFT_AGGREGATE_MEAN; /* the sum is held in f32, so it has room */
    r = verified_run(ctx, "aggregate", g, &p);
    CHECK(r && weft_result_u16(r, "f")[2] == 0x7bff);
    weft_result_free(r);
    p.op = WEFT_AGGREGATE_MAX;
    r = verified_run(ctx, "aggregate", g, &p);
    CHECK(r && !memcmp(weft_result_u16(r, "f"), maxima, sizeof maxima));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_sees_the_last_bit) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 4, "0>3 1>3 2>3 3>0 2>0");
    static const float x[] = {1, 2, 4, 8};
    for (size_t i = 0; i < LENGTH(types); i++)
        for (int op = WEFT_AGGREGATE_SUM; op <= WEFT_AGGREGATE_MAX; op++) {
            uint16_t *half = narrowed(&types[i], x, LENGTH(x));
            params_t p = params_of(op, half, 4, 1), other = p;
            p.features = matrix_at(p.features->data, p.features->rows, p.features->width, types[i].matrix);
            other.features =
                matrix_at(other.features->data, other.features->rows, other.features->width, types[!i].matrix);
            weft_result *r = verified_run(ctx, "aggregate", g, &p);
            REQUIRE(r);
            uint16_t *f = (uint16_t *)(uintptr_t)weft_result_u16(r, "f");
            for (int step = -1; step <= 1; step += 2) {
                f[3] = (uint16_t)(f[3] + step);
                CHECK(refused(ctx, "aggregate", g, &p, r));
                f[3] = (uint16_t)(f[3] - step);
            }
            CHECK(!refused(ctx, "aggregate", g, &p, r));
            CHECK(refused(ctx, "aggregate", g, &other, r));
            weft_result_free(r);
            free(half);
        }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- who calls ------------------------------------------------------------------------------- */

/* Structs as a header without types, and without what follows the features, would have them; what lies beyond is not
 * looked at. */
TEST(programs_from_before_there_were_types_go_on) {
    static const float x[] = {1, 2, 4, 8};
    struct {
        size_t size;
        const float *data;
        uint64_t rows, width;
        char beyond[64];
    } matrix = {offsetof(weft_matrix, type), x, 4, 1, ""};
    struct {
        size_t size;
        int op, normalize, self_loop;
        const void *features;
        char beyond[64];
    } old = {WEFT_SIZE_UP_TO(params_t, features), WEFT_AGGREGATE_SUM, 0, 0, &matrix, ""};
    memset(matrix.beyond, 0x55, sizeof matrix.beyond);
    memset(old.beyond, 0x55, sizeof old.beyond);
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 4, "0>3 1>3 2>3 3>0 2>0");
    weft_result *r = NULL;
    char text[64];
    CHECK(weft_aggregate(ctx, g, (const void *)&old, &r) == WEFT_OK);
    CHECK(r && !strcmp(matrix_text(r, text, sizeof text), "12; 0; 0; 7"));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_type_that_there_is_not_is_refused) {
    static const float x[4];
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 4, "0>3");
    params_t p = params_of(WEFT_AGGREGATE_SUM, x, 4, 1);
    p.features = matrix_at(p.features->data, p.features->rows, p.features->width, WEFT_BF16 + 1);
    expect_refusal(ctx, g, &p, "unknown type of the features");
    p.features = matrix_at(p.features->data, p.features->rows, p.features->width, -1);
    expect_refusal(ctx, g, &p, "type");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
