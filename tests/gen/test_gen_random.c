/* What generators draw with: Philox against its published answers, the fixed-point logarithm and the skips against
 * their definitions, alias tables and permutations exactly. */
#include "gen/alias.h"
#include "gen/gen.h"
#include "gen/permute.h"
#include "gen/random.h"
#include "gen/skip.h"
#include "harness.h"

#include <math.h>

/* The three vectors that come with Random123 for philox4x32-10: zeros, ones, digits of pi. */
TEST(philox_gives_the_published_answers) {
    static const struct {
        uint32_t counter[4];
        uint64_t key;
        uint32_t answer[4];
    } known[] = {
        {{0, 0, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         0xffffffffffffffff,
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         0x299f31d0a4093822,
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t word[4];
        wfi_philox(known[i].counter, known[i].key, word);
        for (int w = 0; w < 4; w++) CHECK_U64(word[w], known[i].answer[w]);
    }
}

TEST(streams_of_one_seed_differ) {
    wfi_random r = wfi_draw(42, WFI_FOR_EDGES, 0, 0);
    CHECK(r.first != wfi_draw(43, WFI_FOR_EDGES, 0, 0).first);
    CHECK(r.first != wfi_draw(42, WFI_FOR_SKIPS, 0, 0).first);
    CHECK(r.first != wfi_draw(42, WFI_FOR_EDGES, 1, 0).first);
    CHECK(r.first != wfi_draw(42, WFI_FOR_EDGES, 0, (uint64_t)1 << 32).first);
}

TEST(below_stays_below_and_reaches_both_ends) {
    CHECK_U64(wfi_below(0, 10), 0);
    CHECK_U64(wfi_below(UINT64_MAX, 10), 9);
    CHECK_U64(wfi_below(UINT64_MAX, 1), 0);
    CHECK_U64(wfi_below((uint64_t)1 << 63, 4294967294u), 2147483647);
}

TEST(the_fixed_point_logarithm_is_a_logarithm) {
    wfi_skipper s;
    wfi_skipper_set(&s, 0.5);
    CHECK_NEAR(ldexp((double)s.logarithm[256], -62), 1, 1e-15);
    CHECK_U64(wfi_minus_log2(&s, UINT64_MAX), 0);
    CHECK_U64(wfi_minus_log2(&s, 0), (uint64_t)64 << 57);
    CHECK_U64(wfi_minus_log2(&s, ((uint64_t)1 << 63) - 1), (uint64_t)1 << 57);
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t bits = wfi_draw(1, WFI_FOR_SKIPS, 0, i).first >> i % 60;
        double want = 64 - log2((double)bits + 1);
        CHECK_NEAR(ldexp((double)wfi_minus_log2(&s, bits), -57), want, 1e-13);
    }
}

TEST(the_fixed_point_logarithm_never_falls_where_the_table_changes) {
    wfi_skipper s;
    wfi_skipper_set(&s, 0.5);
    for (uint64_t i = 1; i < 256; i++) {
        uint64_t border = ((uint64_t)256 + i) << 55; /* 1 + i/256 */
        CHECK(wfi_minus_log2(&s, border - 1) <= wfi_minus_log2(&s, border - ((uint64_t)1 << 20)));
    }
}

static void check_skips(double p) {
    enum { DRAWS = 200000 };
    wfi_skipper s;
    wfi_skipper_set(&s, p);
    double sum = 0, zeros = 0, expected = (1 - p) / p;
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t skip = wfi_skip(&s, wfi_draw(7, WFI_FOR_SKIPS, 0, i).second);
        sum += (double)skip;
        zeros += skip == 0;
    }
    /* Five standard deviations of the mean of DRAWS geometric variables, and of a binomial one. */
    CHECK_NEAR(sum / DRAWS, expected, 5 * sqrt((1 - p) / DRAWS) / p);
    CHECK_NEAR(zeros, p * DRAWS, 5 * sqrt(DRAWS * p * (1 - p)) + 1);
}

TEST(skips_are_geometric_for_large_and_for_small_probabilities) {
    static const double p[] = {0.999, 0.75, 0.5, 0.26, 0.25, 0.1, 1e-3, 1e-6, 1e-12};
    for (size_t i = 0; i < sizeof p / sizeof *p; i++) check_skips(p[i]);
}

TEST(a_hopeless_probability_skips_everything) {
    wfi_skipper s;
    wfi_skipper_set(&s, 1e-300);
    CHECK_U64(wfi_skip(&s, (uint64_t)1 << 62), UINT64_MAX);
}

TEST(an_alias_table_has_exactly_the_weights_it_was_given) {
    for (unsigned bits = 1; bits <= WFI_ALIAS_BITS; bits++) {
        uint64_t weight[WFI_ALIAS_ROOM], mass[WFI_ALIAS_ROOM] = {0}, left = (uint64_t)1 << 32, outcomes = 1u << bits;
        for (uint64_t i = 0; i + 1 < outcomes; i++) {
            weight[i] = i % 3 ? left / 7 : 0;
            left -= weight[i];
        }
        weight[outcomes - 1] = left;
        wfi_alias table;
        wfi_alias_set(&table, bits, weight);
        uint64_t share = ((uint64_t)1 << 32) >> bits;
        for (uint32_t i = 0; i < outcomes; i++) {
            uint32_t threshold = table.entry[i] >> bits, alias = table.entry[i] & (uint32_t)(outcomes - 1);
            uint32_t column = i << (31 - bits) << 1;
            if (threshold) CHECK_U64(wfi_alias_draw(&table, bits, column + threshold - 1), i);
            CHECK_U64(wfi_alias_draw(&table, bits, column + threshold), alias);
            mass[i] += threshold;
            mass[alias] += share - threshold;
        }
        for (uint64_t i = 0; i < outcomes; i++) CHECK_U64(mass[i], weight[i]);
    }
}

TEST(a_permutation_meets_every_number_once) {
    static const uint64_t counts[] = {1, 2, 3, 4, 5, 6, 7, 100, 1000, 4096, 4097};
    static uint8_t seen[5000];
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        wfi_permutation order;
        wfi_permutation_set(&order, counts[c], 42);
        memset(seen, 0, sizeof seen);
        for (uint64_t i = 0; i < counts[c]; i++) {
            uint64_t x = wfi_permute(&order, i);
            REQUIRE(x < counts[c]);
            CHECK_U64(seen[x]++, 0);
        }
    }
}

/* G(4,2) has 15 graphs; over 15000 seeds each should come about 1000 times (standard deviation 31). */
TEST(small_samples_are_uniform_over_seeds) {
    uint64_t times[6][6] = {{0}};
    for (uint64_t seed = 0; seed < 15000; seed++) {
        wfi_permutation order;
        wfi_permutation_set(&order, 6, seed);
        uint64_t a = wfi_permute(&order, 0), b = wfi_permute(&order, 1);
        times[a < b ? a : b][a < b ? b : a]++;
    }
    for (int a = 0; a < 6; a++)
        for (int b = a + 1; b < 6; b++) CHECK_NEAR(times[a][b], 1000, 160);
}

TEST(pairs_are_numbered_without_gaps) {
    for (uint64_t n = 1; n < 9; n++) {
        uint64_t triangle = 0, ordered = 0, square = 0;
        for (uint32_t v = 0; v < n; v++)
            for (uint32_t u = 0; u < v; u++, triangle++) {
                wfi_pair pair = wfi_space_pair(WFI_TRIANGLE, n, triangle);
                CHECK(pair.u == u && pair.v == v);
            }
        for (uint32_t u = 0; u < n; u++)
            for (uint32_t v = 0; v < n; v++, square++) {
                wfi_pair pair = wfi_space_pair(WFI_SQUARE, n, square);
                CHECK(pair.u == u && pair.v == v);
                if (u == v) continue;
                pair = wfi_space_pair(WFI_ORDERED, n, ordered++);
                CHECK(pair.u == u && pair.v == v);
            }
        CHECK_U64(wfi_space_count(WFI_TRIANGLE, n), triangle);
        CHECK_U64(wfi_space_count(WFI_ORDERED, n), ordered);
        CHECK_U64(wfi_space_count(WFI_SQUARE, n), square);
    }
}

TEST(the_last_pairs_of_the_largest_graph_are_right) {
    uint64_t n = 4294967294u;
    wfi_pair last = wfi_space_pair(WFI_TRIANGLE, n, wfi_space_count(WFI_TRIANGLE, n) - 1);
    CHECK(last.u == n - 2 && last.v == n - 1);
    wfi_pair first_of_row = wfi_space_pair(WFI_TRIANGLE, n, wfi_space_count(WFI_TRIANGLE, n - 1));
    CHECK(first_of_row.u == 0 && first_of_row.v == n - 1);
    last = wfi_space_pair(WFI_ORDERED, n, wfi_space_count(WFI_ORDERED, n) - 1);
    CHECK(last.u == n - 1 && last.v == n - 2);
    last = wfi_space_pair(WFI_SQUARE, n, wfi_space_count(WFI_SQUARE, n) - 1);
    CHECK(last.u == n - 1 && last.v == n - 1);
}

TEST_MAIN()
