/* Contraction: the sums of arcs between parts are those of the definition, whichever form the tallies have: an array, a
 * hash table, the one array for the longest rows; of 32 bits and of 64; on any number of threads. */
#include "support.h"

#include "engines/sparse_accumulator/quotient.h"

#include <string.h>

typedef struct scene {
    wfi_sum_rows from, to;
    wfi_accumulators tallies;
    weft_vid *part, *first, *members;
    uint64_t *sum; /* of the definition: what a row has for each part, ... */
    uint8_t *came; /* ... and whether it has any arc there */
} scene;

static void lay_out(wfi_workspace *w, scene *s, weft_vid n, uint64_t arcs) {
    wfi_sum_rows_lay_out(w, n, arcs, s->tallies.wide, &s->from);
    wfi_sum_rows_lay_out(w, n, arcs, s->tallies.wide, &s->to);
    wfi_array(w, &s->part, n);
    wfi_array(w, &s->first, (uint64_t)n + 1);
    wfi_array(w, &s->members, n);
    wfi_array(w, &s->sum, n);
    wfi_array(w, &s->came, n);
    wfi_accumulators_lay_out(w, n, arcs, &s->tallies);
}

static void put_weight(wfi_sum_rows *r, weft_eid e, uint64_t weight) {
    if (r->light)
        r->light[e] = (uint32_t)weight;
    else
        r->heavy[e] = weight << 33;
}

/* Row 0 is the hub's; all others have three arcs.  Some weigh nothing; those of vertex 1 all do, and it is left out. */
static void fill(scene *s, weft_vid n, weft_vid parts, uint64_t hub) {
    weft_eid e = 0;
    for (weft_vid v = 0; v < n; v++) {
        s->from.begin[v] = e;
        for (uint64_t i = 0; i < (v ? 3 : hub); i++, e++) {
            s->from.targets[e] = (weft_vid)(random_at(1, e) % n);
            put_weight(&s->from, e, v == 1 || s->from.targets[e] == 1 ? 0 : random_at(2, e) % 4);
        }
        s->from.end[v] = e;
        s->part[v] = v == 1 ? WEFT_NO_VERTEX : (weft_vid)(random_at(3, v) % parts);
    }
    for (weft_vid p = 0; p < parts; p++) s->part[n - 1 - p] = p; /* none is empty */
    s->from.begin[n] = s->from.room = e;
    s->from.n = n;
}

/* Every part's row has each neighbouring part once, with the definition's sum. */
static void compare(scene *s, weft_vid parts, weft_vid open) {
    weft_vid with_arcs = 0;
    size_t wrong = 0, missing = 0;
    for (weft_vid p = 0; p < parts; p++) {
        for (weft_vid i = s->first[p]; i < s->first[p + 1]; i++)
            for (weft_eid e = s->from.begin[s->members[i]]; e < s->from.end[s->members[i]]; e++) {
                weft_vid q = s->part[s->from.targets[e]];
                if (q == WEFT_NO_VERTEX || q == p) continue;
                s->sum[q] += wfi_sum_weight(&s->from, e);
                missing += !s->came[q];
                s->came[q] = 1;
            }
        for (weft_eid e = s->to.begin[p]; e < s->to.end[p]; e++) {
            weft_vid q = s->to.targets[e];
            REQUIRE(q < parts);
            wrong += !s->came[q] || s->sum[q] != wfi_sum_weight(&s->to, e);
            missing -= s->came[q];
            s->came[q] = 0;
            s->sum[q] = 0;
        }
        with_arcs += s->to.end[p] > s->to.begin[p];
    }
    CHECK(!wrong);
    CHECK(!missing);
    CHECK(with_arcs == open);
}

static void check_form(bool wide, int threads, weft_vid n, weft_vid parts, uint64_t hub) {
    weft_ctx *ctx = new_ctx(threads, NULL);
    scene s = {.tallies = {.threads = threads, .wide = wide}};
    wfi_workspace w = {0};
    weft_vid open = 0;
    uint64_t arcs = hub + 3 * ((uint64_t)n - 1);
    lay_out(&w, &s, n, arcs);
    REQUIRE(!wfi_workspace_take(ctx, &w));
    lay_out(&w, &s, n, arcs);
    fill(&s, n, parts, hub);
    memset(s.sum, 0, n * sizeof *s.sum);
    memset(s.came, 0, n);
    wfi_accumulators_begin(&s.tallies, n);
    for (int again = 0; again < 2; again++) /* tables are free afterwards */
        CHECK(wfi_contract(ctx, &s.from, s.part, parts, &s.tallies, s.first, s.members, &s.to, &open) == WEFT_OK);
    compare(&s, parts, open);
    wfi_workspace_give(&w);
    weft_ctx_free(ctx);
}

TEST(few_parts_are_summed_in_an_array) {
    for (int wide = 0; wide < 2; wide++)
        for (int threads = 1; threads <= 3; threads++) check_form(wide, threads, 3000, 200, 5000);
}

TEST(many_parts_are_summed_in_a_hash_table) {
    for (int wide = 0; wide < 2; wide++) check_form(wide, 7, 120000, 90000, 20000);
}

TEST(a_row_too_long_for_a_hash_table_waits_for_the_one_array) {
    for (int wide = 0; wide < 2; wide++) check_form(wide, 7, 220000, 180000, 150000);
}

TEST_MAIN()
