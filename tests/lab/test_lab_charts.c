/* The lab's charts on made-up rows: values as people write them, labels that do not overlap, and rows for what has no time. */
#include "support.h"

#include "charts.h"
#include "lab.h"
#include "svg.h"

typedef struct written {
    double value;
    const char *text;
} written;

static void check_unit(svg_unit unit, const written *cases, size_t count) {
    char room[32];
    for (size_t i = 0; i < count; i++) {
        unit(room, cases[i].value);
        CHECK_TEXT(room, cases[i].text);
    }
}
#define CHECK_UNIT(unit, ...) \
    check_unit(unit, (written[]){__VA_ARGS__}, sizeof((written[]){__VA_ARGS__}) / sizeof(written))

TEST(what_rounds_up_to_a_thousand_is_one_of_the_next_unit) {
    CHECK_UNIT(unit_ms, {999.4, "999 ms"}, {999.7, "1 s"}, {0.9997, "1 ms"}, {0.9997e-3, "1 µs"}, {999.7e-6, "1 µs"},
               {999.4e-6, "999 ns"}, {999700, "1000 s"}, {6285000, "6285 s"}, {0, "0 ns"});
    CHECK_UNIT(unit_times, {999.7, "1000×"}, {999.4, "999×"}, {1.745, "1.75×"}, {0.00123, "0.00123×"},
               {0.0000349, "0.00003×"});
    CHECK_UNIT(unit_faster, {0.0297, "33.7× slower"}, {3.4, "3.4× as fast"}, {1.02, "as fast"}, {0.98, "as fast"});
    CHECK_UNIT(unit_gbs, {999.7, "1000"}, {4371.3, "4371"}, {12.34, "12.3"}, {0.00123, "0.00123"});
    CHECK_UNIT(unit_count, {999.7, "1 k"}, {999.4, "999"}, {999.7e9, "1 T"});
    CHECK_UNIT(unit_bytes, {9.92, "9.92 B"}, {999.7, "1 kB"}, {28634.3, "28.6 kB"});
}

TEST(a_small_share_is_not_nothing) {
    CHECK_UNIT(unit_share, {0, "0 %"}, {0.000054, "under 0.01 %"}, {0.000345, "0.03 %"}, {0.00404, "0.4 %"},
               {0.0537, "5.4 %"}, {0.09996, "10 %"}, {2.094, "209 %"});
}

/* --- charts ------------------------------------------------------------------------------------------------------------- */

static const lab_rung rungs[] = {
    {.name = "slow", .device = LAB_CPU},        {.name = "quick", .device = LAB_CPU},
    {.name = "gpu-far", .device = LAB_CUDA},    {.name = "gpu-a", .device = LAB_CUDA},
    {.name = "engine-gpu", .device = LAB_CUDA},
};
enum { RUNGS = sizeof rungs / sizeof *rungs };
static const lab_rung *const rung_list[RUNGS] = {&rungs[0], &rungs[1], &rungs[2], &rungs[3], &rungs[4]};
static const lab_ladder ladder = {.name = "made-up", .title = "Made up", .rungs = rung_list, .rung_count = RUNGS};

/* A rung of a millisecond and a thousand edges; gpu-far moves ten thousand times the bytes, faster than its memory can. */
static lab_table new_table(lab_row rows[RUNGS]) {
    for (size_t i = 0; i < RUNGS; i++)
        rows[i] = (lab_row){.rung = &rungs[i],
                            .number = i + 1,
                            .status = LAB_VERIFIED,
                            .runs = 3,
                            .median_ms = 1 + 0.01 * (double)i,
                            .min_ms = 1,
                            .max_ms = 20,
                            .part_ms = {[LAB_KERNELS] = 1},
                            .event_ms = i == 2 ? 0.01 : 0,
                            .edges = 1000,
                            .bytes = i == 2 ? 1e8 : 1e4,
                            .ceiling_gbs = rungs[i].device == LAB_CUDA ? 4000 : 100};
    return (lab_table){.ladder = &ladder, .input = "made up", .rows = rows, .row_count = RUNGS, .complete = true};
}

/* What a chart writes; the caller frees it. */
static char *drawn(void (*chart)(FILE *, const lab_table *), const lab_table *t) {
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to) return NULL;
    chart(to, t);
    fclose(to);
    return text;
}

static char *drawn_roofline(const lab_table *t) {
    static const weft_machine machine = {.size = sizeof machine, .read_gbs = 100, .gpu_read_gbs = 4000};
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to) return NULL;
    chart_roofline(to, t, &machine);
    fclose(to);
    return text;
}

static char *written_report(const weft_machine *machine) {
    const lab_book book = {.machine = machine, .threads = 1, .load = -1, .runs = 1};
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to) return NULL;
    lab_report(&book, to);
    fclose(to);
    return text;
}

/* The number after `name` in what follows; NaN = there is none. */
static double attribute(const char *from, const char *name) {
    const char *at = strstr(from, name);
    return at ? strtod(at + strlen(name), NULL) : NAN;
}

TEST(the_median_stands_beside_its_dot) {
    lab_row rows[RUNGS];
    lab_table t = new_table(rows);
    char *text = drawn(chart_times, &t);
    REQUIRE(text);
    const char *dot = strstr(text, "class=\"dot cpu\"");
    REQUIRE(dot);
    double end = attribute(dot, "cx=\"") + attribute(dot, "r=\"");
    const char *value = strstr(text, ">1 ms</text>\n<text"); /* not the axis's: a name follows */
    REQUIRE(value);
    while (strncmp(value, "<text", 5) != 0) value--;
    CHECK(attribute(value, "x=\"") > end);
    CHECK(strstr(text, ">CPU</text>") && strstr(text, ">GPU</text>"));
    free(text);
}

TEST(rungs_without_a_time_are_counted) {
    lab_row rows[RUNGS];
    lab_table t = new_table(rows);
    rows[0].status = LAB_SKIPPED;
    snprintf(rows[0].message, sizeof rows[0].message,
             "every arc for every node, every iteration: about 0.7 s (a limit)");
    rows[1].status = LAB_WRONG;
    snprintf(rows[1].message, sizeof rows[1].message, "vertex 3 <is> off");
    char *text = drawn(chart_times, &t);
    REQUIRE(text);
    CHECK(!strstr(text, "about 0.7 s") && !strstr(text, "vertex 3"));
    CHECK(strstr(text, "2 of 5 rungs have no time"));
    free(text);
}

TEST(parts_are_shown_where_a_rung_has_more_than_one) {
    lab_row rows[RUNGS];
    lab_table t = new_table(rows);
    for (size_t i = 0; i < RUNGS; i++)
        for (size_t p = 0; p < LAB_PARTS; p++) rows[i].part_ms[p] = p == LAB_KERNELS ? 1 : 0.001;
    char *text = drawn(chart_parts, &t);
    REQUIRE(text);
    CHECK(!*text);
    free(text);
    rows[2].part_ms[LAB_COPY_IN] = 0.5;
    text = drawn(chart_parts, &t);
    REQUIRE(text);
    CHECK(strstr(text, "Where the time goes"));
    free(text);
}

TEST(the_roofline_has_one_axis_from_few_bytes_to_many) {
    lab_row rows[RUNGS];
    lab_table t = new_table(rows);
    char *text = drawn_roofline(&t);
    REQUIRE(text);
    CHECK(strstr(text, ">GPU memory: 4000 GB/s</text>") && strstr(text, ">CPU memory: 100 GB/s</text>"));
    const char *few = strstr(text, ">10 B</text>"), *some = strstr(text, ">1 kB</text>"),
               *many = strstr(text, ">100 kB</text>");
    CHECK(few && some && many && few < some && some < many);
    CHECK(strstr(text, "<circle class=\"dot cpu\"") && strstr(text, "<path class=\"dot gpu\""));
    CHECK(strstr(text, "<td>250 %<br><span class=\"said\">from a cache</span></td>"));
    free(text);
}

TEST(a_block_size_that_was_run_fewer_times_says_so) {
    lab_row rows[RUNGS];
    lab_table t = new_table(rows);
    rows[3].blocks[0] = (lab_block){.threads = 128, .occupancy = 0.03125, .kernels_ms = 2, .runs = 3};
    rows[3].blocks[1] =
        (lab_block){.threads = 1024, .occupancy = 0.75, .kernels_ms = 900, .runs = 1, .impatient = true};
    rows[3].block_count = 2;
    char *text = drawn(chart_blocks, &t);
    REQUIRE(text);
    CHECK(strstr(text, "<svg") && strstr(text, "id=\"made-up-blocks\""));
    CHECK(strstr(text, "<td>2 ms<br><span class=\"said\">3.1 %</span></td>"));
    CHECK(strstr(text, "<td>900 ms<br><span class=\"said\">75 %, only 1 run</span></td>"));
    free(text);
}

TEST(a_speed_that_was_not_measured_is_not_told) {
    weft_machine machine = {.size = sizeof machine, .read_gbs = 12.34, .gpus = 1, .gpu = "a GPU"};
    char *text = written_report(&machine);
    REQUIRE(text);
    CHECK(strstr(text, "memory reads 12.3 GB/s; a GPU."));
    free(text);
    machine.gpu_read_gbs = 4371.3;
    text = written_report(&machine);
    REQUIRE(text);
    CHECK(strstr(text, "; a GPU, reads 4371 GB/s."));
    free(text);
}

TEST(labels_stand_apart_within_their_column) {
    enum { COUNT = 12 };
    const double heights[] = {100, 100, 100.5, 40, 300, 299, 298, 297, 41, 100, 280, 300};
    svg_label labels[COUNT];
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    REQUIRE(to);
    for (size_t i = 0; i < COUNT; i++) labels[i] = (svg_label){.x = 50, .y = heights[i], .style = "s0", .text = "name"};
    svg_labels(to, labels, COUNT, 400, 40, 300);
    fclose(to);
    free(text);
    for (size_t i = 0; i < COUNT; i++) {
        CHECK(labels[i].at >= 40 && labels[i].at <= 300);
        if (i) CHECK(labels[i].y >= labels[i - 1].y && labels[i].at - labels[i - 1].at >= SVG_PITCH - 1e-9);
    }
}

TEST(an_axis_of_two_and_a_half_decades_has_numbers_between_them) {
    svg_scale x = {0.2, 50, 200, 516};
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    REQUIRE(to);
    svg_axis_x(to, &x, 0, 100, unit_ms, "time");
    fclose(to);
    CHECK(strstr(text, ">200 µs<") && strstr(text, ">1 ms<") && strstr(text, ">10 ms<") && strstr(text, ">50 ms<"));
    free(text);
}

/* --- Amdahl ------------------------------------------------------------------------------------------------------------- */

/* A size of a sweep: quick takes 100 ms, gpu-a 10 ms of which 5 are kernels, the library's rung 2 ms of which all are. */
static lab_page new_page(lab_row rows[RUNGS], uint64_t vertices) {
    lab_page page = {.table = new_table(rows), .sized = true};
    page.table.info.vertices = vertices;
    rows[0].status = rows[2].status = LAB_SKIPPED;
    rows[1].median_ms = 100;
    rows[3].median_ms = 10, rows[3].event_ms = 5, rows[3].bytes = 1e9, rows[3].ceiling_gbs = 400;
    rows[4].median_ms = 2, rows[4].event_ms = 2, rows[4].bytes = 0, rows[4].resident = true;
    return page;
}

static char *drawn_amdahl(const lab_page *pages, size_t count) {
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to) return NULL;
    chart_amdahl(to, pages, count);
    fclose(to);
    return text;
}

static size_t times_in(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

TEST(amdahl_has_a_chart_and_a_table_for_each_side_of_the_gpu) {
    lab_row rows[3][RUNGS];
    lab_page pages[] = {new_page(rows[0], 1000), new_page(rows[1], 10000), new_page(rows[2], 77777)};
    pages[2].sized = false; /* the graph itself, beside the sweep */
    rows[1][3].impatient = true, rows[1][3].runs = 1;
    char *text = drawn_amdahl(pages, LENGTH(pages));
    REQUIRE(text);
    CHECK(times_in(text, "<svg") == 2 && strstr(text, "amdahl-brought\""));
    /* Two sizes, three lines; that of the limit is missing where nothing but kernels takes time. */
    CHECK_U64(times_in(text, "<circle"), 2 * 3 + 2 * 2);
    CHECK_U64(times_in(text, "<title>limit: 20</title>"), 2);
    CHECK(!strstr(text, "77777"));
    const char *brought = strstr(text, "<th scope=\"row\">1000</th>");
    REQUIRE(brought);
    CHECK_HAS(text, "<th scope=\"row\">1000</th><td>100 ms<br><span class=\"said\">quick</span></td>"
                    "<td>10 ms<br><span class=\"said\">gpu-a</span></td>"
                    "<td>50 %</td><td>10×</td><td>20×</td><td>20×</td><td>50 %</td></tr>");
    const char *there = strstr(brought + 1, "<th scope=\"row\">1000</th>");
    REQUIRE(there);
    CHECK(strstr(there,
                 "engine-gpu</span></td><td>0 %</td><td>50×</td><td>50×</td><td>none</td><td>not known</td></tr>"));
    CHECK_U64(times_in(text, "gpu-a, only 1 run</span>"), 1);
    free(text);
}

TEST(amdahl_draws_nothing_where_a_side_has_no_time) {
    lab_row rows[RUNGS];
    lab_page page = new_page(rows, 1000);
    rows[4].status = LAB_SKIPPED;
    char *text = drawn_amdahl(&page, 1);
    REQUIRE(text);
    CHECK(times_in(text, "<svg") == 1 && strstr(text, "amdahl-brought\""));
    free(text);
    rows[3].status = LAB_SKIPPED;
    text = drawn_amdahl(&page, 1);
    REQUIRE(text);
    CHECK_TEXT(text, "");
    free(text);
}

TEST_MAIN()
