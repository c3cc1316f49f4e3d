/* weft_ctx_error: a failure as data; and weft_interrupt: the end of one call, and of no other. */
#include "support.h"

#include "weft/pagerank.h"

#include <pthread.h>

static weft_error_info error_of(const weft_ctx *ctx) {
    weft_error_info e = WEFT_ERROR_INFO_DEFAULTS;
    CHECK(weft_ctx_error(ctx, &e) == WEFT_OK);
    return e;
}

TEST(an_input_has_file_line_and_column) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 7\n", NULL);
    REQUIRE(!g);
    weft_error_info e = error_of(ctx);
    CHECK(e.code == WEFT_EINPUT && e.file && !strcmp(e.file, "text"));
    CHECK_U64(e.line, 3);
    CHECK_U64(e.column, 3);
    char want[64];
    snprintf(want, sizeof want, "%s:%d:%d: ", e.file, (int)e.line, (int)e.column);
    CHECK(!strncmp(weft_ctx_message(ctx), want, strlen(want)));
    weft_ctx_free(ctx);
}

TEST(a_parameter_is_named) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    REQUIRE(!weft_generate(ctx, "karate", NULL, NULL, &g));
    CHECK(error_of(ctx).code == WEFT_OK && !error_of(ctx).parameter);
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    p.damping = 2;
    CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK(error_of(ctx).code == WEFT_EINVAL && !strcmp(error_of(ctx).parameter, "damping") && !error_of(ctx).file);
    CHECK(weft_pagerank(ctx, NULL, &p, &r) == WEFT_EINVAL);
    CHECK(!strcmp(error_of(ctx).parameter, "g"));
    weft_read_params reading_weights = reading(NULL);
    reading_weights.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK(!read_text(ctx, "0 1\n1 2\n", &reading_weights));
    CHECK(error_of(ctx).code == WEFT_EINPUT);
    CHECK(weft_graph_describe(ctx, g, &(weft_graph_info){.size = sizeof(weft_graph_info)}) == WEFT_OK);
    CHECK(error_of(ctx).code == WEFT_OK && !error_of(ctx).parameter && !error_of(ctx).line);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(memory_has_its_bytes) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    REQUIRE(!weft_ctx_set_memory_limit(ctx, 1 << 16));
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.scale = 16;
    CHECK(weft_generate(ctx, "rmat", &p, NULL, &g) == WEFT_ENOMEM);
    CHECK(error_of(ctx).code == WEFT_ENOMEM);
    CHECK(weft_read_memory(ctx, "0 1\n", 4, "text", NULL, &g) == WEFT_ENOMEM ? error_of(ctx).bytes > 0 : !!g);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_shorter_struct_gets_what_fits) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_error_info e = WEFT_ERROR_INFO_DEFAULTS;
    e.size = offsetof(weft_error_info, file);
    e.file = "mine";
    CHECK(weft_ctx_error(ctx, &e) == WEFT_OK && !strcmp(e.file, "mine"));
    e.size = 0;
    CHECK(weft_ctx_error(ctx, &e) == WEFT_EINVAL && weft_ctx_error(ctx, NULL) == WEFT_EINVAL);
    weft_ctx_free(ctx);
}

/* --- weft_interrupt ------------------------------------------------------------------ */

typedef struct long_call {
    weft_ctx *ctx;
    _Atomic int polls;
} long_call;

static int interrupt_at_third_poll(void *user) {
    long_call *c = user;
    if (++c->polls == 3) weft_interrupt(c->ctx);
    return 0;
}

static weft_status run_long(weft_ctx *ctx, const weft_graph *g) {
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    p.iterations = 50;
    weft_result *r = NULL;
    weft_status st = weft_pagerank(ctx, g, &p, &r);
    CHECK(!st == !!r);
    weft_result_free(r);
    return st;
}

TEST(an_interrupt_ends_the_call_in_flight_and_no_other) {
    long_call c = {.ctx = new_ctx(1, NULL)};
    weft_graph *g = NULL;
    REQUIRE(!weft_generate(c.ctx, "grid", NULL, NULL, &g));
    weft_interrupt(NULL);
    weft_interrupt(c.ctx); /* no call is in flight */
    CHECK(run_long(c.ctx, g) == WEFT_OK);
    weft_ctx_set_cancel(c.ctx, interrupt_at_third_poll, &c);
    CHECK(run_long(c.ctx, g) == WEFT_ECANCELLED);
    CHECK(error_of(c.ctx).code == WEFT_ECANCELLED);
    CHECK(!weft_ctx_cancelled(c.ctx));
    CHECK(run_long(c.ctx, g) == WEFT_OK); /* forgotten */
    weft_graph_free(g);
    weft_ctx_free(c.ctx);
}

TEST_MAIN()
