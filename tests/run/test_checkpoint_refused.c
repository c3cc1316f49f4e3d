/* Checkpoints that are refused: damaged ones, and those of another run; and runs that have none. */
#include "checkpoint_support.h"
#include "weft/pagerank.h"

#include <fcntl.h>

static void check_refused(stage *s, int ranks, const char *words, const char *what) {
    try_on(&s->a, ranks);
    if (s->a.st != WEFT_EINPUT || !strstr(s->a.message, words) || !strstr(s->a.message, s->folder))
        HARNESS_FAIL("%s: status %d: %s", what, (int)s->a.st, s->a.message);
}

/* In place: making the file anew each time takes the disk some milliseconds. */
static bool flip(int fd, size_t at) {
    unsigned char byte;
    if (pread(fd, &byte, 1, (off_t)at) != 1) return false;
    byte ^= 0x10;
    return pwrite(fd, &byte, 1, (off_t)at) == 1;
}

TEST(a_byte_that_is_not_as_it_was_is_noticed_wherever_it_is) {
    stage s;
    struct stat facts;
    REQUIRE(set_up(&s));
    leave_one(&s, 3);
    int fd = open(s.path, O_RDWR);
    REQUIRE(fd >= 0 && !fstat(fd, &facts) && facts.st_size == 4096 + 16 * 203);
    size_t bytes = (size_t)facts.st_size;
    for (size_t at = 0; at < bytes;
         at += at < 128 || (at > 3900 && at < 4200) ? 1 : 13) { /* fields; and here and there */
        char what[32];
        snprintf(what, sizeof what, "byte %zu", at);
        REQUIRE(flip(fd, at));
        check_refused(&s, at % 97 ? 0 : 3,
                      at < 16   ? "is no checkpoint of Weft's"
                      : at < 24 ? "another order of bytes"
                                : "is damaged: ",
                      what);
        REQUIRE(flip(fd, at));
    }
    close(fd);
    try_on(&s.a, 2);
    CHECK(!s.a.st && !*s.a.trouble && s.a.info.resumed_from == 5);
    tear_down(&s);
}

TEST(a_file_of_another_length_is_refused) {
    static const size_t lengths[] = {
        0, 1, 15, 4095, 4096, 4097, 4096 + 8 * 203, 4096 + 16 * 203 - 1, 4096 + 16 * 203 + 1};
    stage s;
    size_t bytes;
    REQUIRE(set_up(&s));
    leave_one(&s, 0);
    char *file = read_file(s.path, &bytes);
    REQUIRE(file && bytes == 4096 + 16 * 203);
    for (size_t i = 0; i < LENGTH(lengths); i++) { /* the byte more is the 0 that read_file adds */
        REQUIRE(write_file(s.path, file, lengths[i]));
        check_refused(&s, i % 2 ? 2 : 0, lengths[i] < 4096 ? "is no checkpoint of Weft's" : "is damaged: it has",
                      "length");
    }
    free(file);
    tear_down(&s);
}

TEST(what_belongs_to_another_run_is_refused_and_stays) {
    stage s;
    size_t before, after;
    REQUIRE(set_up(&s));
    leave_one(&s, 3);
    char *file = read_file(s.path, &before);
    s.params.iterations = 13;
    check_refused(&s, 0, "is of a run with iterations=12, and this one has iterations=13", "iterations");
    check_refused(&s, 3, "is of a run with iterations=12, and this one has iterations=13", "iterations");
    s.params.iterations = 12;
    s.params.tolerance = 0.5;
    check_refused(&s, 2, "is of a run with tolerance=1e-08, and this one has tolerance=0.5", "tolerance");
    s.params = (weft_hits_params)WEFT_HITS_DEFAULTS;
    s.params.iterations = 12;
    s.other = small_graph(s.ctx, 2);
    REQUIRE(s.other && weft_graph_arcs(s.other) == weft_graph_arcs(s.g));
    s.a.g = s.other;
    check_refused(&s, 0, "is of another graph, with as many vertices and arcs", "graph");
    check_refused(&s, 3, "is of another graph, with as many vertices and arcs", "graph");
    weft_graph *smaller = read_text(s.ctx, "0 1\n1 2\n", NULL);
    s.a.g = smaller;
    check_refused(&s, 0, "is of a graph with 203 vertices and 1015 arcs, and this one has 3 and 2", "size");
    weft_graph_free(smaller);
    s.a.g = s.g;
    char *still = read_file(s.path, &after);
    CHECK(before == after && file && still && !memcmp(file, still, before));
    free(file), free(still);
    try_on(&s.a, 5);
    CHECK(!s.a.st && !*s.a.trouble);
    tear_down(&s);
}

/* Weights count where they are used, and only there; a vector of the caller's counts. */
TEST(weights_and_vectors_tell_runs_apart) {
    char folder[300];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "0 1 5\n1 2 7\n2 0 1\n2 1 1\n", NULL),
               *h = read_text(ctx, "0 1 5\n1 2 7\n2 0 1\n2 1 2\n", NULL);
    double restart[] = {1, 0, 2};
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    REQUIRE(g && h && make_temp(folder, sizeof folder));
    attempt a = {"pagerank", &p, g, folder, .seconds = 1e6, .stop_after = 2};
    try_on(&a, 0);
    a.g = h;
    try_on(&a, 0); /* weights do not count: it goes on */
    CHECK(a.info.resumed_from == 2 && a.info.iteration == 4);
    p.restart = restart;
    try_on(&a, 0);
    CHECK(a.st == WEFT_EINPUT && strstr(a.message, "is of a run with personalize=none"));
    p.restart = NULL;
    remove_temp(folder);
    p.weights = 1;
    a.g = g;
    try_on(&a, 0);
    CHECK(a.info.stopped);
    a.g = h;
    try_on(&a, 0);
    CHECK(a.st == WEFT_EINPUT && strstr(a.message, "is of another graph"));
    weft_graph_free(g);
    weft_graph_free(h);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(algorithms_without_checkpoints_and_the_gpu_are_refused_by_name) {
    stage s;
    weft_plan *plan = NULL;
    REQUIRE(set_up(&s));
    REQUIRE(weft_ctx_set_checkpoint(s.ctx, s.folder, 1, NULL, NULL) == WEFT_OK);
    CHECK(weft_plan_new(s.ctx, "bfs", s.g, NULL, &plan) == WEFT_EUNSUPPORTED && !plan);
    CHECK_TEXT(weft_ctx_message(s.ctx), "bfs does not support checkpoints");
    weft_ctx_set_device(s.ctx, WEFT_DEVICE_CUDA);
    CHECK(weft_plan_new(s.ctx, "hits", s.g, NULL, &plan) == WEFT_EDEVICE && !plan);
    weft_ctx_set_device(s.ctx, WEFT_DEVICE_AUTO);
    REQUIRE(weft_plan_new(s.ctx, "hits", s.g, NULL, &plan) == WEFT_OK);
    CHECK(weft_plan_device(plan) == WEFT_DEVICE_CPU);
    weft_plan_free(plan);
    CHECK(weft_ctx_set_checkpoint(s.ctx, "", 1, NULL, NULL) == WEFT_EINVAL);
    CHECK(weft_ctx_set_checkpoint(s.ctx, s.folder, -1, NULL, NULL) == WEFT_EINVAL);
    CHECK(weft_ctx_set_checkpoint(s.ctx, NULL, 0, NULL, NULL) == WEFT_OK);
    CHECK(weft_plan_new(s.ctx, "bfs", s.g, NULL, &plan) == WEFT_OK);
    weft_plan_free(plan);
    tear_down(&s);
}

TEST_MAIN()
