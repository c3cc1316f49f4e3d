/* The context: messages, settings and their limits, memory accounting, callbacks. */
#include "support.h"
#include "weft/degree.h"

#include <pthread.h>

enum { MANY = 2000000 };

/* MANY edges of a random graph over 2^17 vertices, made once. */
static const weft_vid *many_ends(int side) {
    static weft_vid *ends[2];
    for (int s = 0; s < 2 && !ends[s]; s++) {
        ends[s] = malloc(MANY * sizeof *ends[s]);
        if (!ends[s]) exit(1);
        for (uint64_t i = 0; i < MANY; i++) ends[s][i] = (weft_vid)(random_at(7 + (uint64_t)s, i) >> 47);
    }
    return ends[side];
}

static weft_status build_many(weft_ctx *ctx, weft_graph **g) {
    return weft_graph_from_edges(ctx, 1u << 17, MANY, many_ends(0), many_ends(1), NULL, WEFT_WEIGHT_NONE, NULL, g);
}

/* The same edges as text. */
static const char *many_text(size_t *bytes) {
    static char *text;
    static size_t used;
    if (!text) {
        text = malloc((size_t)MANY * 16);
        if (!text) exit(1);
        for (size_t i = 0; i < MANY; i++)
            used += (size_t)sprintf(text + used, "%u %u\n", many_ends(0)[i], many_ends(1)[i]);
    }
    *bytes = used;
    return text;
}

TEST(every_status_has_a_text_of_its_own) {
    for (int a = WEFT_OK; a <= WEFT_ENOTFOUND; a++) {
        const char *text = weft_status_text((weft_status)a);
        REQUIRE(text && *text);
        for (int b = WEFT_OK; b < a; b++) CHECK(strcmp(text, weft_status_text((weft_status)b)) != 0);
    }
    CHECK(weft_status_text((weft_status)1000) != NULL);
    CHECK(weft_status_text((weft_status)-1) != NULL);
}

TEST(the_version_is_that_of_the_header) {
    char want[32];
    snprintf(want, sizeof want, "%d.%d.%d", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
    CHECK_TEXT(weft_version(), want);
    CHECK(weft_build_info()[0] != 0);
    CHECK(strchr(weft_build_info(), '\n') == NULL);
}

TEST(a_new_context_has_no_message_and_holds_nothing) {
    weft_ctx *ctx = new_ctx(0, NULL);
    CHECK_TEXT(weft_ctx_message(ctx), "");
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    CHECK_U64(weft_ctx_memory_peak(ctx), 0);
    CHECK(weft_ctx_threads(ctx) >= 1);
    weft_ctx_free(ctx);
    CHECK_U64(weft_ctx_new(NULL), WEFT_EINVAL);
}

TEST(everything_may_be_freed_when_it_is_null) {
    weft_ctx_free(NULL);
    weft_graph_free(NULL);
    weft_result_free(NULL);
    weft_plan_free(NULL);
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_free(ctx, NULL);
    weft_ctx_free(ctx);
}

TEST(thread_counts_have_limits) {
    weft_ctx *ctx = new_ctx(3, NULL);
    CHECK_U64(weft_ctx_threads(ctx), 3);
    CHECK_U64(weft_ctx_set_threads(ctx, -1), WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "-1");
    CHECK_U64(weft_ctx_set_threads(ctx, 1 << 20), WEFT_EINVAL);
    CHECK_U64(weft_ctx_threads(ctx), 3);
    CHECK_U64(weft_ctx_set_threads(ctx, 0), WEFT_OK);
    CHECK(weft_ctx_threads(ctx) >= 1);
    weft_ctx_free(ctx);
}

TEST(a_failure_leaves_a_sentence_and_no_graph) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = (weft_graph *)ctx;
    CHECK_U64(weft_read(ctx, "/nowhere/at/all.txt", NULL, &g), WEFT_EIO);
    CHECK(g == NULL);
    CHECK_HAS(weft_ctx_message(ctx), "/nowhere/at/all.txt");
    weft_read_params p = reading("no-such-format");
    g = (weft_graph *)ctx;
    CHECK_U64(weft_read_memory(ctx, "0 1\n", 4, "x", &p, &g), WEFT_ENOTFOUND);
    CHECK(g == NULL);
    CHECK_HAS(weft_ctx_message(ctx), "no-such-format");
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(a_device_that_does_not_exist_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    CHECK_U64(weft_ctx_set_device(ctx, (weft_device)99), WEFT_EINVAL);
    CHECK_U64(weft_ctx_set_device(ctx, WEFT_DEVICE_CPU), WEFT_OK);
    weft_ctx_free(ctx);
}

/* Before anything is used there, none of this touches a driver. */
TEST(what_is_wanted_of_the_gpu_can_be_said_anywhere) {
    weft_ctx *ctx = new_ctx(1, NULL);
    int mine = 0;
    CHECK_U64(weft_ctx_set_gpu(ctx, -1), WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "-1");
    CHECK_U64(weft_ctx_set_gpu(ctx, 3), WEFT_OK);
    CHECK_U64(weft_ctx_set_stream(ctx, &mine), WEFT_OK);
    CHECK_U64(weft_ctx_set_stream(ctx, NULL), WEFT_OK);
    CHECK_U64(weft_ctx_trim_device(ctx), WEFT_OK);
    CHECK_U64(weft_ctx_set_gpu(NULL, 0), WEFT_EINVAL);
    CHECK_U64(weft_ctx_set_stream(NULL, NULL), WEFT_EINVAL);
    CHECK_U64(weft_ctx_trim_device(NULL), WEFT_EINVAL);
    weft_graph *g = read_text(ctx, "0 1\n1 2\n", NULL);
    weft_result *r = NULL;
    CHECK(g && weft_degree(ctx, g, NULL, &r) == WEFT_OK); /* the CPU does not care */
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(memory_is_counted_and_given_back) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    REQUIRE(build_many(ctx, &g) == WEFT_OK);
    uint64_t held = weft_ctx_memory_in_use(ctx);
    CHECK(held >= weft_graph_arcs(g) * sizeof(weft_vid));
    CHECK(weft_ctx_memory_peak(ctx) >= held);
    weft_graph_info info = info_of(ctx, g);
    CHECK(info.bytes >= weft_graph_arcs(g) * sizeof(weft_vid));
    CHECK(info.bytes <= held + 4096);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    CHECK(weft_ctx_memory_peak(ctx) >= held);
    weft_ctx_restart_memory_peak(ctx);
    CHECK_U64(weft_ctx_memory_peak(ctx), weft_ctx_memory_in_use(ctx));
    weft_ctx_free(ctx);
}

TEST(over_the_limit_is_enomem_and_leaks_nothing) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    size_t bytes;
    const char *text = many_text(&bytes);
    for (uint64_t limit = 4096; limit <= 16u << 20; limit *= 16) {
        REQUIRE(weft_ctx_set_memory_limit(ctx, limit) == WEFT_OK);
        CHECK_U64(build_many(ctx, &g), WEFT_ENOMEM);
        CHECK_HAS(weft_ctx_message(ctx), "limit");
        CHECK_U64(weft_read_memory(ctx, text, bytes, "many", NULL, &g), WEFT_ENOMEM);
        CHECK_HAS(weft_ctx_message(ctx), "limit");
        CHECK(g == NULL);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        CHECK(weft_ctx_memory_peak(ctx) <= limit);
    }
    REQUIRE(weft_ctx_set_memory_limit(ctx, 0) == WEFT_OK);
    CHECK_U64(build_many(ctx, &g), WEFT_OK);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(all_memory_goes_through_the_hooks) {
    counting heap = {.allowed = COUNT_ONLY};
    weft_ctx *ctx = new_ctx(2, NULL);
    CHECK_U64(weft_ctx_set_allocator(ctx, counting_alloc, NULL, &heap), WEFT_EINVAL);
    CHECK_U64(weft_ctx_set_allocator(ctx, NULL, counting_free, &heap), WEFT_EINVAL);
    REQUIRE(weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap) == WEFT_OK);
    weft_graph *g = NULL;
    REQUIRE(build_many(ctx, &g) == WEFT_OK);
    CHECK(heap.live_blocks > 0);
    CHECK_U64(heap.live_bytes, weft_ctx_memory_in_use(ctx));
    CHECK_U64(weft_ctx_set_allocator(ctx, NULL, NULL, NULL), WEFT_EINVAL);
    weft_graph_free(g);
    CHECK_U64(heap.live_blocks, 0);
    CHECK_U64(heap.live_bytes, 0);
    CHECK_U64(weft_ctx_set_allocator(ctx, NULL, NULL, NULL), WEFT_OK);
    weft_ctx_free(ctx);
}

TEST(graphs_and_results_outlive_their_context) {
    counting heap = {.allowed = COUNT_ONLY};
    weft_ctx *ctx = new_ctx(1, NULL);
    REQUIRE(weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap) == WEFT_OK);
    weft_graph *g = read_text(ctx, "1 2\n2 3\n2 2\n", NULL);
    weft_result *r = NULL;
    REQUIRE(g && weft_degree(ctx, g, NULL, &r) == WEFT_OK);
    weft_ctx_free(ctx);
    char text[256];
    CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [1 2 3] 1>2 2>2 2>3");
    REQUIRE(weft_result_u64(r, "out") != NULL);
    CHECK_U64(weft_result_u64(r, "out")[1], 2);
    weft_ctx *other = new_ctx(1, NULL);
    weft_csr in = {.size = sizeof in};
    CHECK_U64(weft_graph_in(other, g, &in), WEFT_OK);
    weft_ctx_free(other);
    weft_graph_free(g);
    weft_result_free(r);
    CHECK_U64(heap.live_blocks, 0);
}

typedef struct witness {
    pthread_t caller;
    int calls, wrong_thread, wrong_content;
} witness;

static void watch(void *user, const char *stage, uint64_t done, uint64_t total) {
    witness *w = user;
    w->calls++;
    w->wrong_thread += !pthread_equal(w->caller, pthread_self());
    w->wrong_content += !stage || !*stage || (total && done > total);
}

TEST(progress_is_told_to_the_calling_thread) {
    witness w = {.caller = pthread_self()};
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_ctx_set_progress(ctx, watch, &w);
    size_t bytes;
    const char *text = many_text(&bytes);
    weft_graph *g = NULL;
    CHECK_U64(weft_read_memory(ctx, text, bytes, "many", NULL, &g), WEFT_OK);
    CHECK(w.calls > 0);
    CHECK_U64(w.wrong_thread, 0);
    CHECK_U64(w.wrong_content, 0);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Cancels at the first, second, ... question; every stop must be clean. */
static void cancel_everywhere(weft_status (*work)(weft_ctx *ctx), int threads, bool must_stop) {
    bool all = asked_for_all("WEFT_CANCEL"); /* make slow */
    for (int k = 0; k < (all ? 100000 : 40); k++) {
        counting heap = {.allowed = COUNT_ONLY};
        _Atomic int left = k;
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
        weft_ctx_set_cancel(ctx, stop_after, &left);
        weft_status st = work(ctx);
        if (k == 0 && must_stop) CHECK_U64(st, WEFT_ECANCELLED);
        CHECK(st == WEFT_OK || st == WEFT_ECANCELLED);
        if (st == WEFT_ECANCELLED) CHECK(weft_ctx_message(ctx)[0] != 0);
        if (left < 0) CHECK_U64(st, WEFT_ECANCELLED); /* it was told to stop */
        CHECK_U64(heap.live_blocks, 0);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
        if (st == WEFT_OK) break;
        if (k >= 4 && !all) k += 6; /* the first ones and a sample of the rest */
    }
}

static weft_status work_build(weft_ctx *ctx) {
    weft_graph *g = NULL;
    weft_status st = build_many(ctx, &g);
    if (st) CHECK(g == NULL);
    weft_graph_free(g);
    return st;
}

static weft_status work_read(weft_ctx *ctx) {
    size_t bytes;
    const char *text = many_text(&bytes);
    weft_graph *g = NULL;
    weft_status st = weft_read_memory(ctx, text, bytes, "many", NULL, &g);
    if (st) CHECK(g == NULL);
    weft_graph_free(g);
    return st;
}

TEST(cancelling_a_build_is_clean) {
    cancel_everywhere(work_build, 1, true);
    cancel_everywhere(work_build, 2, true);
}

TEST(cancelling_a_read_is_clean) {
    cancel_everywhere(work_read, 1, true);
    cancel_everywhere(work_read, 2, true);
}

TEST(cancelling_a_write_leaves_no_file) {
    char folder[256], path[300];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/many.txt", folder);
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    REQUIRE(build_many(ctx, &g) == WEFT_OK);
    _Atomic int left = 0;
    weft_ctx_set_cancel(ctx, stop_after, &left);
    CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_ECANCELLED);
    CHECK_U64(count_entries(folder), 0);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(a_program_can_ask_its_own_callback) {
    weft_ctx *ctx = new_ctx(1, NULL);
    CHECK(!weft_ctx_cancelled(ctx));
    _Atomic int left = 1;
    weft_ctx_set_cancel(ctx, stop_after, &left);
    CHECK(!weft_ctx_cancelled(ctx) && weft_ctx_cancelled(ctx));
    weft_ctx_free(ctx);
}

TEST(warnings_reach_the_callback) {
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_graph *g = read_text(ctx, "# nothing but a comment\n", NULL);
    REQUIRE(g != NULL);
    CHECK_U64(weft_graph_vertices(g), 0);
    CHECK(w.count >= 1);
    CHECK_HAS(w.text, "text"); /* the name of the input */
    weft_graph_free(g);
    weft_ctx_set_warning(ctx, NULL, NULL);
    g = read_text(ctx, "# nothing but a comment\n", NULL);
    CHECK(g != NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
