/* Text in blocks: where they begin, and what is said about their progress. */
#include "support.h"

/* Writes text to a pipe that is the standard input while `read` runs. */
static weft_status read_from_pipe(weft_ctx *ctx, const char *text, const weft_read_params *params, weft_graph **g) {
    int ends[2], old = dup(STDIN_FILENO);
    if (pipe(ends) || write(ends[1], text, strlen(text)) != (ssize_t)strlen(text)) exit(1);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    weft_status st = weft_read(ctx, "-", params, g);
    if (old < 0) {
        close(STDIN_FILENO);
    } else {
        dup2(old, STDIN_FILENO);
        close(old);
    }
    return st;
}

TEST(a_header_without_a_newline_ends_a_pipe) {
    static const char *const text[] = {"source target", "source,target", "3,0,d", "\xef\xbb\xbfsource\ttarget"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        alarm(20); /* it used to look for room for 2^64-1 bytes, without an end */
        weft_graph *g = NULL;
        weft_read_params p = reading("edgelist");
        CHECK_U64(read_from_pipe(ctx, text[i], &p, &g), WEFT_OK);
        alarm(0);
        if (g) CHECK_U64(weft_graph_vertices(g), 0);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST(a_header_without_a_newline_ends_a_file) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_text(ctx, "source target", NULL);
    REQUIRE(g);
    CHECK_U64(weft_graph_vertices(g), 0);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
