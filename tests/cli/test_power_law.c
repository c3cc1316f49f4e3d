/* The fit of a power law: zeta by its values, the fit by its definition, and data whose law is known. */
#include "report/power_law.h"

#include "harness.h"

#include <math.h>

#define PI 3.14159265358979323846

static void give_back(power_law_data *d) {
    free(d->value);
    free(d->count);
}

TEST(zeta_has_its_known_values) {
    CHECK_NEAR(power_law_zeta(2, 1), PI * PI / 6, 1e-14);
    CHECK_NEAR(power_law_zeta(4, 1), pow(PI, 4) / 90, 1e-14);
    CHECK_NEAR(power_law_zeta(3, 1), 1.2020569031595942854, 1e-14);
    CHECK_NEAR(power_law_zeta(1.5, 1), 2.6123753486854883433, 1e-13);
    double rest = PI * PI / 6;
    for (int k = 1; k < 100; k++) rest -= 1.0 / (k * k);
    CHECK_NEAR(power_law_zeta(2, 100), rest, 1e-14);
    for (double q = 1; q < 1e6; q *= 3)
        CHECK_NEAR((power_law_zeta(2.7, q) - power_law_zeta(2.7, q + 1)) * pow(q, 2.7), 1, 1e-8);
}

/* The data of the tests that go by the definition. */
static uint64_t values[] = {0, 1, 2, 3, 4, 5, 7, 9, 12, 20, 41}, counts[] = {9, 80, 31, 12, 9, 6, 5, 2, 2, 1, 1};
static const power_law_data small = {values, counts, 11, 11};

static double likelihood(const power_law_data *d, uint64_t xmin, double alpha) {
    double sum = 0, zeta = power_law_zeta(alpha, (double)xmin);
    for (size_t i = 0; i < d->length; i++)
        if (d->value[i] >= xmin) sum -= (double)d->count[i] * (alpha * log((double)d->value[i]) + log(zeta));
    return sum;
}

static double apart(const power_law_data *d, uint64_t xmin, uint64_t tail, double alpha) {
    double farthest = 0, law = 0;
    uint64_t seen = 0;
    size_t i = 0;
    for (uint64_t x = xmin; x <= d->value[d->length - 1]; x++) {
        law += pow((double)x, -alpha) / power_law_zeta(alpha, (double)xmin);
        for (; i < d->length && d->value[i] <= x; i++)
            if (d->value[i] >= xmin) seen += d->count[i];
        farthest = fmax(farthest, fabs((double)seen / (double)tail - law));
    }
    return farthest;
}

TEST(alpha_is_the_likeliest_and_the_distance_that_of_the_definition) {
    power_law fit;
    power_law_fit(&small, &fit);
    REQUIRE(fit.found);
    double best = likelihood(&small, fit.xmin, fit.alpha);
    CHECK(best > likelihood(&small, fit.xmin, fit.alpha - 1e-4));
    CHECK(best > likelihood(&small, fit.xmin, fit.alpha + 1e-4));
    CHECK_NEAR(fit.distance, apart(&small, fit.xmin, fit.tail, fit.alpha), 1e-9);
    CHECK(isnan(fit.p) && fit.replicates == 0);
}

TEST(no_other_start_of_the_tail_is_nearer) {
    power_law fit;
    power_law_fit(&small, &fit);
    REQUIRE(fit.found);
    for (size_t first = 1; first < small.length; first++) {
        power_law_data part = {values + first, counts + first, small.length - first, 0};
        power_law other;
        power_law_fit(&part, &other);
        if (other.found) CHECK(other.distance >= fit.distance);
    }
}

TEST(draws_have_the_shares_of_the_law) {
    const uint64_t n = 1000000;
    power_law_data d;
    REQUIRE(power_law_draw(2.2, 3, n, 7, &d));
    uint64_t sum = 0;
    for (size_t i = 0; i < d.length; i++) {
        double share = pow((double)d.value[i], -2.2) / power_law_zeta(2.2, 3);
        if (d.value[i] < 200) CHECK_NEAR(d.count[i], share * (double)n, 5 * sqrt(share * (double)n) + 1);
        CHECK(d.value[i] >= 3 && (!i || d.value[i] > d.value[i - 1]));
        sum += d.count[i];
    }
    CHECK_U64(sum, n);
    give_back(&d);
}

TEST(a_power_law_is_found_and_not_ruled_out) {
    const double alphas[] = {1.8, 2.5, 3.3};
    for (size_t i = 0; i < 3; i++) {
        power_law_data d;
        power_law fit;
        REQUIRE(power_law_draw(alphas[i], 1, 20000, 11 + i, &d));
        power_law_fit(&d, &fit);
        CHECK(fit.found);
        CHECK_NEAR(fit.alpha, alphas[i], 4 * fit.error);
        CHECK(power_law_test(&d, 50, 1, NULL, &fit));
        CHECK(fit.p > 0.1);
        CHECK_U64(fit.replicates, 50);
        give_back(&d);
    }
}

TEST(the_tail_begins_where_the_law_does) {
    power_law_data tail, d = {NULL, NULL, 0, 0};
    power_law fit;
    REQUIRE(power_law_draw(2.5, 8, 20000, 3, &tail));
    d.value = calloc(tail.length + 7, 8);
    d.count = calloc(tail.length + 7, 8);
    REQUIRE(d.value && d.count);
    for (uint64_t x = 1; x < 8; x++, d.length++) {
        d.value[d.length] = x;
        d.count[d.length] = 4000;
    }
    for (size_t i = 0; i < tail.length; i++, d.length++) {
        d.value[d.length] = tail.value[i];
        d.count[d.length] = tail.count[i];
    }
    power_law_fit(&d, &fit);
    CHECK(fit.xmin >= 8 && fit.xmin < 16);
    CHECK_NEAR(fit.alpha, 2.5, 4 * fit.error);
    give_back(&tail);
    give_back(&d);
}

TEST(a_geometric_distribution_is_ruled_out) {
    uint64_t value[60], count[60];
    power_law_data d = {value, count, 60, 60};
    power_law fit;
    for (size_t i = 0; i < 60; i++) {
        value[i] = i + 1;
        count[i] = (uint64_t)(100000 * pow(0.85, (double)i)) + 1;
    }
    power_law_fit(&d, &fit);
    REQUIRE(fit.found);
    CHECK(power_law_test(&d, 50, 1, NULL, &fit));
    CHECK(fit.p <= 0.1);
}

static bool stop_now(void) { return true; }

TEST(the_same_seed_gives_the_same_p_and_a_stop_is_heard) {
    power_law a, b;
    power_law_fit(&small, &a);
    b = a;
    CHECK(power_law_test(&small, 40, 5, NULL, &a) && power_law_test(&small, 40, 5, NULL, &b));
    CHECK_NEAR(a.p, b.p, 0);
    CHECK(!power_law_test(&small, 40, 5, stop_now, &a));
}

TEST(what_has_no_tail_has_no_fit) {
    uint64_t value[] = {0, 4}, count[] = {3, 100};
    power_law_data one = {value, count, 2, 2}, none = {NULL, NULL, 0, 0};
    power_law fit;
    power_law_fit(&one, &fit);
    CHECK(!fit.found);
    power_law_fit(&none, &fit);
    CHECK(!fit.found && power_law_test(&none, 10, 1, NULL, &fit) && isnan(fit.p));
}

TEST_MAIN()
