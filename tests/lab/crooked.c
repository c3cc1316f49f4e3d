/* A ladder whose rungs go wrong in every way, in the place of lab/ladders.c: the lab must see each of them.
 *   right    the library's own answer
 *   wrong    one triangle too many
 *   drifts   right at first, wrong from the third run on
 *   silent   no answer at all
 *   fails    no memory
 *   refuses  does not serve any input
 *   gpu      a rung of a program without CUDA
 *   endless  runs until it is stopped
 *   deaf     right, but it takes half as long again as the patience allows, and never asks
 *   swept    names a kernel, so that it is run with several block sizes
 *   narrow   the same, but wrong with more than 512 threads per block */
#include "lab.h"
#include "weft/triangles.h"

#include <time.h>

static weft_status count(lab_run *r, uint64_t more) {
    const weft_triangles_params params = WEFT_TRIANGLES_DEFAULTS;
    weft_result *result = NULL;
    weft_vid n = weft_graph_vertices(r->g);
    uint64_t *corner = lab_take(r, n * sizeof *corner);
    if (!corner) return WEFT_ENOMEM;
    lab_turn(r, LAB_KERNELS);
    weft_status st = weft_triangles(r->ctx, r->g, &params, &result);
    if (st) return st;
    for (weft_vid v = 0; v < n; v++) corner[v] = weft_result_u64(result, "triangles")[v];
    lab_turn(r, LAB_UNTIMED);
    if (n) corner[0] += more;
    lab_column(r, "triangles", WEFT_U64, corner, n);
    lab_u64(r, "triangles", weft_result_scalar(result, "triangles")->value.u64);
    r->edges = (double)weft_graph_arcs(r->g);
    weft_result_free(result);
    return WEFT_OK;
}

static weft_status run_right(lab_run *r) { return count(r, 0); }
static weft_status run_wrong(lab_run *r) { return count(r, 1); }
static weft_status run_drifts(lab_run *r) {
    static int runs;
    return count(r, ++runs > 2);
}
static weft_status run_silent(lab_run *r) {
    (void)r;
    return WEFT_OK;
}
static weft_status run_fails(lab_run *r) {
    lab_take(r, 1000);
    return WEFT_ENOMEM;
}
static weft_status run_endless(lab_run *r) {
    lab_turn(r, LAB_KERNELS);
    while (!lab_stopped(r)) continue;
    return WEFT_ECANCELLED;
}
static weft_status run_deaf(lab_run *r) {
    double wait = 1.5 * r->patience_s;
    const struct timespec pause = {(time_t)wait, (long)((wait - (double)(time_t)wait) * 1e9)};
    nanosleep(&pause, NULL);
    return count(r, 0);
}
static weft_status run_swept(lab_run *r) {
    r->occupancy = r->block / 1024.0;
    r->event_ms = r->block;
    return count(r, 0);
}
static weft_status run_narrow(lab_run *r) {
    r->occupancy = 1;
    r->event_ms = 1e-6;
    return count(r, r->block > 512);
}
static const char *refuse(lab_run *r) {
    (void)r;
    return "it serves <nobody> & nothing";
}

#define WORDS .changed = "It is made up.", .wins = "Nothing.", .loses = "Everything.", .source = "tests/lab/crooked.c"
static const lab_rung right = {.name = "right", .title = "Right", WORDS, .run = run_right};
static const lab_rung wrong = {.name = "wrong", .title = "Wrong", .against = "right", WORDS, .run = run_wrong};
static const lab_rung drifts = {.name = "drifts", .title = "Drifts", .against = "right", WORDS, .run = run_drifts};
static const lab_rung silent = {.name = "silent", .title = "Silent", .against = "right", WORDS, .run = run_silent};
static const lab_rung fails = {.name = "fails", .title = "Fails", .against = "right", WORDS, .run = run_fails};
static const lab_rung refuses = {
    .name = "refuses", .title = "Refuses", .against = "right", WORDS, .serves = refuse, .run = run_right};
static const lab_rung gpu = {.name = "gpu", .title = "GPU", .against = "right", WORDS, .device = LAB_CUDA};
static const lab_rung endless = {.name = "endless", .title = "Endless", .against = "right", WORDS, .run = run_endless};
static const lab_rung deaf = {.name = "deaf", .title = "Deaf", .against = "right", WORDS, .run = run_deaf};
static const lab_rung swept = {.name = "swept", .title = "Swept", .against = "right", WORDS, .run = run_swept};
static const lab_rung narrow = {.name = "narrow", .title = "Narrow", .against = "swept", WORDS, .run = run_narrow};

static const lab_rung *const rungs[] = {&right, &wrong,   &drifts, &silent, &fails, &refuses,
                                        &gpu,   &endless, &deaf,   &swept,  &narrow};
static const lab_figure figures[] = {{"right", 34, 78, 0, 12.5, LAB_KERNELS_ONLY, "made up"},
                                     {"right", 7, 0, 3, 1, LAB_WHOLE_RUN, "another"},
                                     {"swept", 34, 78, 0, 7, LAB_NOT_SAID, "made up too"}};

static const lab_ladder crooked = {
    .name = "crooked",
    .title = "Crooked",
    .story = "It is <made> up.",
    .algorithm = "triangles",
    .column = "triangles",
    .graph = "karate",
    .sized = "er:n=%s,degree=4",
    .sizes = "10,20",
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
    .figures = figures,
    .figure_count = sizeof figures / sizeof *figures,
};

const lab_ladder *const lab_ladders[] = {&crooked};
const size_t lab_ladder_count = 1;
