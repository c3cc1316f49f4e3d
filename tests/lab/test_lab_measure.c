/* The lab's runner and charts, on the crooked ladder of tests/lab/crooked.c: what is wrong has no time. */
#include "support.h"

#include "afford.h"
#include "answer.h"
#include "charts.h"
#include "lab.h"
#include "svg.h"
#include "weft/pagerank.h"
#include "weft/triangles.h"

#include <time.h>

typedef struct bench {
    weft_ctx *ctx;
    weft_graph *g;
    weft_machine machine;
    lab_setup setup;
    lab_table table;
} bench;

static void measure_blocks(bench *b, size_t runs, size_t block_count) {
    static const weft_triangles_params params = WEFT_TRIANGLES_DEFAULTS;
    weft_generate_params karate = WEFT_GENERATE_DEFAULTS;
    *b = (bench){.ctx = new_ctx(2, NULL), .machine = {.size = sizeof b->machine, .gpu_reason = "made up: none"}};
    REQUIRE(!weft_generate(b->ctx, "karate", &karate, NULL, &b->g));
    b->setup = (lab_setup){.ctx = b->ctx,
                           .machine = &b->machine,
                           .runs = runs,
                           .patience_s = 0.1,
                           .blocks = {128, 256, 1024},
                           .block_count = block_count};
    REQUIRE(!lab_measure(&b->setup, lab_ladders[0], b->g, "karate", &params, &b->table));
}

static void measure(bench *b, size_t runs) { measure_blocks(b, runs, 0); }

static void leave(bench *b) {
    lab_table_free(&b->table);
    weft_graph_free(b->g);
    weft_ctx_free(b->ctx);
}

static const lab_row *row_called(const bench *b, const char *name) {
    for (size_t i = 0; i < b->table.row_count; i++)
        if (!strcmp(b->table.rows[i].rung->name, name)) return &b->table.rows[i];
    return NULL;
}

TEST(every_way_of_going_wrong_is_seen) {
    static const struct {
        const char *name;
        lab_status status;
        const char *says;
    } wanted[] = {
        {"right", LAB_VERIFIED, ""},
        {"wrong", LAB_WRONG, ""},
        {"drifts", LAB_WRONG, ""},
        {"silent", LAB_WRONG, ""},
        {"fails", LAB_FAILED, "memory"},
        {"refuses", LAB_SKIPPED, "nobody"},
        {"gpu", LAB_SKIPPED, "made up: none"},
        {"endless", LAB_SKIPPED, "its first run was not done after the 0.1 s that --patience allows"},
        {"deaf", LAB_VERIFIED, "run 1 time and not 5"},
        {"swept", LAB_VERIFIED, ""},
        {"narrow", LAB_VERIFIED, ""},
    };
    bench b;
    measure(&b, 5);
    CHECK_U64(b.table.row_count, LENGTH(wanted));
    for (size_t i = 0; i < LENGTH(wanted); i++) {
        const lab_row *row = row_called(&b, wanted[i].name);
        REQUIRE(row);
        if (row->status != wanted[i].status || !strstr(row->message, wanted[i].says))
            HARNESS_FAIL("%s is %s: %s", wanted[i].name, lab_status_name(row->status), row->message);
        if (row->status != LAB_VERIFIED && row->median_ms != 0) HARNESS_FAIL("%s has a time", wanted[i].name);
    }
    CHECK_U64(lab_table_bad(&b.table), 4);
    CHECK(row_called(&b, "endless")->impatient && row_called(&b, "deaf")->impatient);
    CHECK(!row_called(&b, "right")->impatient && !row_called(&b, "refuses")->impatient);
    CHECK_U64(row_called(&b, "deaf")->runs, 1);
    CHECK_U64(row_called(&b, "right")->runs, 5);
    CHECK(b.table.complete);
    leave(&b);
}

TEST(a_rung_that_names_its_kernel_is_run_with_every_block_size_and_must_be_right_with_each) {
    bench b;
    measure_blocks(&b, 2, 3);
    const lab_row *right = row_called(&b, "right"), *swept = row_called(&b, "swept"),
                  *narrow = row_called(&b, "narrow");
    REQUIRE(right && swept && narrow);
    CHECK_U64(right->block_count, 0);
    CHECK_U64(swept->block_count, 3);
    CHECK(swept->event_ms == LAB_BLOCK && swept->occupancy == LAB_BLOCK / 1024.0);
    for (size_t i = 0; i < swept->block_count; i++) {
        const lab_block *point = &swept->blocks[i];
        CHECK_U64((uint64_t)point->threads, (uint64_t)b.setup.blocks[i]);
        CHECK(point->occupancy == point->threads / 1024.0 && point->kernels_ms == point->threads);
        CHECK(point->median_ms > 0);
    }
    CHECK(narrow->status == LAB_WRONG && narrow->median_ms == 0 && narrow->block_count == 0);
    CHECK_U64(lab_table_bad(&b.table), 5);
    leave(&b);
}

TEST(a_verified_rung_has_times_that_add_up_and_one_check_for_equal_answers) {
    bench b;
    measure(&b, 3);
    const lab_row *row = row_called(&b, "right");
    REQUIRE(row);
    CHECK_U64(row->runs, 3);
    CHECK_U64(row->checked, 1);
    CHECK(row->min_ms > 0 && row->min_ms <= row->median_ms && row->median_ms <= row->max_ms);
    CHECK(row->part_ms[LAB_KERNELS] > 0);
    CHECK(row->part_ms[LAB_COPY_IN] == 0 && row->part_ms[LAB_COPY_OUT] == 0);
    CHECK(row->difference == 0);
    CHECK(row->on_first == 0 && row->on_previous == 0);
    CHECK(row->held.known && row->held.host == 34 * sizeof(uint64_t) && row->held.gpu == 0 && row->held.graph == 0);
    leave(&b);
}

TEST(what_the_gpus_clock_does_not_count_is_the_hosts) {
    bench b;
    double all = 0;
    measure(&b, 1);
    const lab_row *row = row_called(&b, "narrow"), *right = row_called(&b, "right");
    REQUIRE(row && right);
    for (size_t p = 0; p < LAB_PARTS; p++) all += row->part_ms[p];
    CHECK(row->part_ms[LAB_KERNELS] == 1e-6 && lab_kernels_ms(row) == 1e-6 && row->part_ms[LAB_HOST] > 0);
    CHECK(fabs(all - row->median_ms) < 1e-9);
    CHECK(right->part_ms[LAB_HOST] == 0);
    leave(&b);
}

TEST(a_reason_has_so_many_digits_that_one_sees_it) {
    lab_run r = {.patience_s = 0.3};
    CHECK(!lab_too_slow(&r, 0.3));
    CHECK_TEXT(lab_too_slow(&r, 0.302), "about 0.302 s for one run (--patience allows 0.3 s)");
    CHECK_TEXT(lab_too_slow(&r, 4.26), "about 4.3 s for one run (--patience allows 0.3 s)");
    CHECK_TEXT(lab_too_slow(&r, (double)INFINITY), "about inf s for one run (--patience allows 0.3 s)");
    r.patience_s = 60;
    CHECK_TEXT(lab_too_slow(&r, 81.4), "about 81 s for one run (--patience allows 60 s)");
    r.patience_s = 300;
    CHECK_TEXT(lab_too_slow(&r, 300.3), "about 300.3 s for one run (--patience allows 300 s)");
    r.patience_s = 0;
    CHECK_TEXT(lab_too_slow(&r, 4.1e-6), "about 4.1 us for one run (--patience allows 0 s)");
    r.patience_s = 0.005;
    CHECK_TEXT(lab_too_slow_for(&r, 0.00502, "all of it"),
               "all of it: about 5.02 ms for one run (--patience allows 5 ms)");
}

TEST(memory_is_told_in_a_unit_that_shows_it) {
    weft_machine machine = {.size = sizeof machine, .memory_free_bytes = 50000000};
    lab_setup setup = {.machine = &machine};
    lab_run r = {.setup = &setup};
    CHECK(!lab_too_large(&r, 40e6));
    CHECK_TEXT(lab_too_large(&r, 67.1e6), "needs 67.1 MB, and 50 MB of memory are free");
    r.memory_limit = 1000;
    CHECK_TEXT(lab_too_large(&r, 2000), "needs 2 kB, which is over the limit");
}

TEST(a_documents_figure_is_found_by_the_graph) {
    bench b;
    measure(&b, 1);
    const lab_row *row = row_called(&b, "right");
    REQUIRE(row && row->said);
    CHECK(row->said->ms == 12.5 && row->said->kind == LAB_KERNELS_ONLY);
    CHECK(!row_called(&b, "wrong")->said);
    leave(&b);
}

static int at_once(void *user) {
    (void)user;
    return 1;
}

TEST(an_interruption_ends_the_ladder_and_leaves_no_half_row) {
    static const weft_triangles_params params = WEFT_TRIANGLES_DEFAULTS;
    bench b;
    measure(&b, 1);
    lab_table_free(&b.table);
    b.setup.stop = at_once;
    CHECK(lab_measure(&b.setup, lab_ladders[0], b.g, "karate", &params, &b.table) == WEFT_ECANCELLED);
    CHECK_U64(b.table.row_count, 0);
    CHECK(!b.table.complete);
    leave(&b);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

static lab_apart apart_of(weft_ctx *ctx, const double *x, const double *y, size_t count) {
    const double *const data[] = {x, y};
    weft_result *r[2] = {NULL, NULL};
    for (size_t i = 0; i < 2; i++) {
        weft_column column = {.size = sizeof column, .name = "x", .type = WEFT_F64, .length = count, .data = data[i]};
        if (weft_result_new(ctx, &r[i]) || weft_result_add_column(ctx, r[i], &column)) exit(1);
    }
    lab_apart apart = lab_difference("x", r[0], r[1]);
    CHECK(!lab_difference("y", r[0], r[1]).known && !lab_difference("x", NULL, r[1]).known);
    weft_result_free(r[0]);
    weft_result_free(r[1]);
    return apart;
}

TEST(a_nan_or_an_infinity_beside_a_number_is_seen_and_hides_nothing) {
    const double nan = (double)NAN, inf = (double)INFINITY;
    weft_ctx *ctx = new_ctx(1, NULL);
    lab_apart same = apart_of(ctx, (double[]){nan, inf, -inf, 1}, (double[]){nan, inf, -inf, 1}, 4);
    CHECK(same.known && !same.nan && same.most == 0);
    lab_apart before = apart_of(ctx, (double[]){1, 2, 3}, (double[]){9, nan, 4}, 3);
    CHECK(before.known && before.nan && before.most == 8);
    lab_apart over = apart_of(ctx, (double[]){1, inf, 2}, (double[]){1, 7, 5}, 3);
    CHECK(over.known && over.inf && !over.nan && over.most == 3);
    CHECK(apart_of(ctx, (double[]){inf}, (double[]){-inf}, 1).inf);
    CHECK(apart_of(ctx, (double[]){1.5e308}, (double[]){-1.5e308}, 1).inf);
    CHECK(!same.inf && !before.inf);
    weft_ctx_free(ctx);
}

/* --- patience and parameters --------------------------------------------------------------------------------------- */

typedef struct told {
    int reference, verifying;
} told;

static void note_doing(void *user, const char *rung, const char *what) {
    told *t = user;
    t->reference += !rung && !strcmp(what, "reference");
    t->verifying += rung && !strcmp(what, "verifying");
}

TEST(what_takes_too_long_ends_the_reference_and_the_librarys_rung) {
    static const lab_rung library = {.name = "library", .run = lab_engine};
    static const lab_rung *const rungs[] = {&library};
    static const lab_ladder ladder = {
        .name = "long", .title = "Long", .algorithm = "pagerank", .column = "rank", .rungs = rungs, .rung_count = 1};
    weft_pagerank_params params = WEFT_PAGERANK_DEFAULTS;
    char name[600];
    bench b;
    told t = {0};
    measure(&b, 1);
    lab_table_free(&b.table);
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = 0;
    b.setup.reference_s = 0.05;
    b.setup.doing = note_doing;
    b.setup.user = &t;
    params.iterations = 1000000000;
    REQUIRE(!lab_measure(&b.setup, &ladder, b.g, name, &params, &b.table));
    CHECK_TEXT(b.table.input, name);
    CHECK(lab_table_name(&b.table, "it", ", again") && !strcmp(b.table.input, "it, again"));
    CHECK(b.table.reference_s < 0 && b.table.reference_limit_s == 0.05);
    CHECK(b.table.rows[0].status == LAB_SKIPPED && b.table.rows[0].impatient);
    CHECK(t.reference == 1 && t.verifying == 0);
    lab_table_free(&b.table);
    params.iterations = 5;
    params.damping = 0.5;
    REQUIRE(!lab_measure(&b.setup, &ladder, b.g, name, &params, &b.table));
    CHECK(b.table.reference_s >= 0 && b.table.rows[0].status == LAB_VERIFIED && b.table.rows[0].difference == 0);
    CHECK(t.reference == 2 && t.verifying == 1);
    char words[64];
    lab_settings_words(&b.table, words, sizeof words);
    CHECK_TEXT(words, "damping 0.5, iterations 5");
    lab_settings_words(&b.table, words, 16);
    CHECK_TEXT(words, "damping 0.5,...");
    for (size_t i = 0; i < b.table.setting_count; i++)
        if (!strcmp(b.table.settings[i].param->name, "damping")) memcpy(b.table.settings[i].text, "\xC3\xBC!", 3);
    lab_settings_words(&b.table, words, 13); /* the dots would begin within the character */
    CHECK_TEXT(words, "damping ...");
    lab_settings_words(&b.table, words, 14);
    CHECK_TEXT(words, "damping \xC3\xBC...");
    leave(&b);
}

/* Slow with many threads per block: longer than the patience, whatever the machine. */
static weft_status run_slow_when_wide(lab_run *r) {
    const struct timespec pause = {0, r->block > 512 ? 150000000 : 0};
    weft_status st = lab_engine(r);
    lab_turn(r, LAB_KERNELS);
    nanosleep(&pause, NULL);
    lab_turn(r, LAB_UNTIMED);
    r->occupancy = 0.5;
    return st;
}

TEST(a_block_size_tells_how_often_it_was_run) {
    static const lab_rung wide = {.name = "wide", .run = run_slow_when_wide};
    static const lab_rung *const rungs[] = {&wide};
    static const lab_ladder ladder = {
        .name = "wide", .title = "Wide", .algorithm = "pagerank", .column = "rank", .rungs = rungs, .rung_count = 1};
    weft_pagerank_params params = WEFT_PAGERANK_DEFAULTS;
    bench b;
    measure(&b, 3);
    lab_table_free(&b.table);
    b.setup.blocks[0] = 1024;
    b.setup.blocks[1] = 128;
    b.setup.blocks[2] = LAB_BLOCK;
    b.setup.block_count = 3;
    params.iterations = 2;
    REQUIRE(!lab_measure(&b.setup, &ladder, b.g, "karate", &params, &b.table));
    const lab_row *row = &b.table.rows[0];
    REQUIRE(row->status == LAB_VERIFIED && row->block_count == 3);
    CHECK(row->blocks[0].impatient && row->blocks[0].runs == 1);
    for (size_t i = 1; i < 3; i++) CHECK(!row->blocks[i].impatient && row->blocks[i].runs == 3);
    CHECK(!row->impatient && row->runs == 3);
    leave(&b);
}

/* --- charts ------------------------------------------------------------------------------------------------------- */

enum { SIDES = 3 };

/* A rung on the CPU, one that brings the graph along, and the library's; 0 ms: it has no time. */
static lab_page page_of(uint64_t n, lab_row rows[SIDES], double cpu_ms, double brought_ms, double there_ms) {
    static const lab_rung rung[SIDES] = {{.name = "cpu", .device = LAB_CPU},
                                         {.name = "gpu", .device = LAB_CUDA},
                                         {.name = "engine-gpu", .device = LAB_CUDA}};
    const double ms[SIDES] = {cpu_ms, brought_ms, there_ms};
    for (size_t i = 0; i < SIDES; i++)
        rows[i] = (lab_row){.rung = &rung[i],
                            .number = i + 1,
                            .status = ms[i] > 0 ? LAB_VERIFIED : LAB_SKIPPED,
                            .median_ms = ms[i],
                            .resident = i == 2};
    lab_page page = {.sized = true};
    page.table = (lab_table){.rows = rows, .row_count = SIDES, .info = {.vertices = n}};
    return page;
}

static void check_even(const lab_page *pages, size_t count, chart_side side, chart_outcome outcome, double vertices) {
    chart_even even = chart_break_even(pages, count, side);
    CHECK_TEXT(chart_outcome_name(even.outcome), chart_outcome_name(outcome));
    CHECK(fabs(even.vertices - vertices) < 1e-6);
}

TEST(the_break_even_lies_where_the_lines_cross_for_good) {
    lab_row rows[3][SIDES];
    lab_page two[] = {page_of(100, rows[0], 1, 10, 0.1), page_of(10000, rows[1], 100, 10, 1)};
    check_even(two, 2, CHART_BROUGHT, CHART_CROSSES, 1000);
    check_even(two, 2, CHART_THERE, CHART_ALWAYS, 0);
    lab_page never[] = {page_of(100, rows[0], 1, 10, 0.5), page_of(10000, rows[1], 10, 20, 11)};
    check_even(never, 2, CHART_BROUGHT, CHART_NEVER, 0);
    check_even(never, 2, CHART_THERE, CHART_NOT_AT_LAST, 0);
    lab_page no_gpu[] = {page_of(100, rows[0], 1, 0, 0), page_of(10000, rows[1], 100, 0, 0)};
    check_even(no_gpu, 2, CHART_BROUGHT, CHART_NOT_MEASURED, 0);
    lab_page with_a_gap[] = {page_of(100, rows[0], 1, 10, 1), page_of(1000, rows[1], 5, 0, 50),
                             page_of(10000, rows[2], 100, 10, 10)};
    check_even(with_a_gap, 3, CHART_BROUGHT, CHART_CROSSES, 1000);
    check_even(with_a_gap, 3, CHART_THERE, CHART_CROSSES, sqrt(1000.0 * 10000.0)); /* level, behind, ahead again */
}

TEST(the_best_rung_does_the_work_and_ran_as_often_as_it_should) {
    lab_row rows[SIDES];
    lab_page page = page_of(100, rows, 5, 2, 1);
    CHECK(chart_best(&page.table, CHART_CPU) == &rows[0]);
    CHECK(chart_best(&page.table, CHART_BROUGHT) == &rows[1]);
    CHECK(chart_best(&page.table, CHART_THERE) == &rows[2]);
    rows[2].resident = false; /* now both bring the graph along, and the third is faster */
    CHECK(chart_best(&page.table, CHART_BROUGHT) == &rows[2]);
    rows[2].impatient = true;
    CHECK(chart_best(&page.table, CHART_BROUGHT) == &rows[1]);
    CHECK(!chart_break_even(&page, 1, CHART_BROUGHT).fewer_runs);
    rows[1].other_work = true; /* a poor sample is better than another question's answer */
    CHECK(chart_best(&page.table, CHART_BROUGHT) == &rows[2]);
    CHECK(chart_break_even(&page, 1, CHART_BROUGHT).fewer_runs);
}

TEST(amdahl_bounds_the_speed_up_by_what_is_not_kernels) {
    lab_row rows[SIDES];
    lab_page page = page_of(1000, rows, 100, 10, 0);
    chart_amdahl_point p;
    rows[1].event_ms = 5;
    REQUIRE(chart_amdahl_of(&page.table, CHART_BROUGHT, &p));
    CHECK(fabs(p.speedup - 10) < 1e-12 && fabs(p.kernels - 20) < 1e-12);
    CHECK(fabs(p.rest - 0.05) < 1e-12 && fabs(p.limit - 20) < 1e-12);
    CHECK(fabs(p.speedup - 1 / (p.rest + 1 / p.kernels)) < 1e-12);
    CHECK(!chart_amdahl_of(&page.table, CHART_THERE, &p));
}

TEST(a_rung_is_compared_with_the_one_it_names) {
    static const lab_rung rung[] = {{.name = "start", .device = LAB_CPU},
                                    {.name = "skipped", .device = LAB_CPU, .against = "start"},
                                    {.name = "on-gpu", .device = LAB_CUDA, .against = "start"},
                                    {.name = "lost", .device = LAB_CUDA, .against = "skipped"},
                                    {.name = "changed", .device = LAB_CUDA, .against = "on-gpu"}};
    lab_row rows[LENGTH(rung)];
    for (size_t i = 0; i < LENGTH(rung); i++)
        rows[i] = (lab_row){.rung = &rung[i], .number = i + 1, .status = i == 1 ? LAB_SKIPPED : LAB_VERIFIED};
    rows[0].median_ms = 80;
    rows[2].median_ms = 20, rows[2].event_ms = 8;
    rows[3].median_ms = 40, rows[3].event_ms = 30;
    rows[4].median_ms = 10, rows[4].event_ms = 2;
    lab_table table = {.rows = rows, .row_count = LENGTH(rung)};
    lab_compare(&table);
    CHECK(!rows[0].first && !rows[0].against && rows[0].on_against == 0);
    CHECK(rows[2].against == &rows[0] && rows[2].against_by == LAB_WHOLE_RUN && rows[2].on_against == 4);
    CHECK(!rows[3].against && rows[3].on_against == 0); /* the one it names has no time */
    CHECK(rows[4].against == &rows[2] && rows[4].against_by == LAB_KERNELS_ONLY && rows[4].on_against == 4);
    CHECK(rows[4].previous == &rows[3] && rows[4].on_previous == 4);
    CHECK(rows[4].first == &rows[0] && rows[4].on_first == 8);
}

TEST(a_scale_holds_what_it_has_seen) {
    svg_range seen = {0};
    svg_see(&seen, 0);
    CHECK(!seen.any);
    svg_see(&seen, 3e-3);
    svg_see(&seen, 700);
    svg_scale s = svg_log_scale(seen, 10, 110);
    CHECK(s.low <= 3e-3 && s.high >= 700);
    CHECK(svg_at(&s, 3e-3) > 10 && svg_at(&s, 700) < 110);
    CHECK(fabs(svg_at(&s, sqrt(s.low * s.high)) - 60) < 1e-9);
}

TEST(values_are_written_for_people) {
    char room[32];
    unit_ms(room, 0.0125);
    CHECK_TEXT(room, "12.5 µs");
    unit_ms(room, 2840000);
    CHECK_TEXT(room, "2840 s");
    unit_count(room, 25600);
    CHECK_TEXT(room, "25.6 k");
    unit_times(room, 2283.4);
    CHECK_TEXT(room, "2283×");
}

TEST_MAIN()
