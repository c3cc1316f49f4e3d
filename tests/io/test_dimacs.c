/* DIMACS: every rule of the format by a golden file, every fault at its line and column, round trips. */
#include "format_support.h"
#include "io/io.h"

static const char no_problem_line[] = "no problem line; there are as many vertices as the largest id";

static const golden_file golden[] = {
    {"sp.gr", "directed u32 [1 2 3 4] 1>2:7 2>1:9 3>3:0", 3, NULL},
    {"sp_negative.gr", "directed f32 [1 2] 1>2:-4 2>1:5", 2, NULL},
    {"sp_real.gr", "directed f32 [1 2] 1>2:2.5", 1, NULL},
    {"tw.gr", "undirected none [1 2 3 4] 1-2 1-3 2-3", 3, NULL},
    {"td.gr", "undirected none [1 2] 1-2", 1, NULL},
    {"edge.gr", "undirected none [1 2 3 4] 1-2 1-4 2-3", 3, NULL},
    {"col.gr", "undirected none [1 2 3] 1-2 2-3", 2, NULL},
    {"edge_both_directions.gr", "undirected none [1 2 3] 1-2 2-3", 4, NULL},
    {"edge_count_halved.gr", "undirected none [1 2 3] 1-2 2-3", 2, "promises 4 edges, but 2 follow"},
    {"no_problem_line.gr", "directed u32 [1 2 3 4 5] 2>3:77 5>2:535", 2, no_problem_line},
    {"no_problem_line_edges.gr", "undirected none [1 2 3 4] 1-2 2-4", 2, no_problem_line},
    {"blank_lines.gr", "directed u32 [1 2] 1>2:3", 1, NULL},
    {"crlf.gr", "directed u32 [1 2] 1>2:3 2>1:4", 2, NULL},
    {"blanks_and_tabs.gr", "directed u32 [1 2] 1>2:3", 1, NULL},
    {"no_final_newline.gr", "undirected none [1 2 3] 1-2 2-3", 2, NULL},
    {"no_edges.gr", "directed none [1 2 3]", 0, NULL},
    {"no_edges_no_newline.gr", "directed none [1 2 3]", 0, NULL},
    {"undirected.gr", "undirected u32 [1 2 3] 1-1:4 1-2:5 2-3:6", 3, NULL},
    {"unweighted.gr", "directed none [1 2 3] 1>2 2>3", 2, NULL},
    {"undirected_unweighted.gr", "undirected none [1 2 3] 1-2 2-3", 2, NULL},
    {"ids_base.gr", "undirected none [0 1] 0-1", 1, NULL},
    {"ids_string.gr", "directed u32 [b a b] b>a b:6", 1, NULL},
    {"ids_integer.gr", "directed u32 [100 200] 100>200:6", 1, NULL},
};

TEST(golden_files_are_read_as_they_say) { check_golden_files("dimacs", golden, LENGTH(golden)); }

static const bad_file bad[] = {
    {"empty.gr", "1:1", "before its problem line", 0},
    {"comments_only.gr", "3:1", "before its problem line", 0},
    {"no_header.gr", "1:1", "expected a problem line", 0},
    {"problem.gr", "1:3", "'max' is not a problem that Weft knows", WEFT_EUNSUPPORTED},
    {"problem_missing.gr", "1:1", "expected a problem line", 0},
    {"vertices_missing.gr", "2:5", "expected the number of vertices", 0},
    {"vertices_word.gr", "1:6", "expected the number of vertices", 0},
    {"vertices_negative.gr", "1:6", "expected the number of vertices", 0},
    {"vertices_too_many.gr", "1:6", "at most 4294967294 vertices", 0},
    {"edges_missing.gr", "1:7", "expected the number of edges", 0},
    {"edges_overflow.gr", "1:8", "at most 18446744073709551615 edges", 0},
    {"problem_junk.gr", "1:10", "expected the end of the line", 0},
    {"too_empty.gr", "1:1", "4000000000 vertices and only 1 edges", 0},
    {"too_few.gr", "2:8", "promises 3 edges, but 2 follow", 0},
    {"too_many.gr", "1:8", "promises 1 edge, but 2 follow", 0},
    {"second_problem.gr", "3:1", "a second problem line", 0},
    {"second_problem_pairs.gr", "2:1", "a second problem line", 0},
    {"problem_after_arcs.gr", "2:1", "a problem line after the edges", 0},
    {"id_zero.gr", "3:3", "source 0: ids start at 1", 0},
    {"id_beyond.gr", "3:3", "this target is beyond 3", 0},
    {"id_negative.gr", "2:5", "negative target", 0},
    {"id_overflow.gr", "2:5", "this target is beyond 4294967294", 0},
    {"id_over_32_bits.gr", "2:5", "this target is beyond 4294967294", 0},
    {"id_word.gr", "2:3", "expected a number for the target", 0},
    {"letter.gr", "2:1", "expected a line of \"a\", source, target, weight", 0},
    {"letter_edge.gr", "2:1", "expected a line of \"e\" and two ids", 0},
    {"letter_missing.gr", "2:1", "expected a line of \"a\"", 0},
    {"letter_glued.gr", "2:1", "expected a line of \"a\"", 0},
    {"weight_missing.gr", "2:6", "the value is missing", 0},
    {"weight_nan.gr", "2:7", "not a finite number (`weights=ignore`", 0},
    {"weight_word.gr", "2:7", "expected a number for the value", 0},
    {"target_missing.gr", "2:4", "the target is missing", 0},
    {"junk_after_arc.gr", "2:9", "expected the end of the line after the weight", 0},
    {"junk_after_pair.gr", "2:5", "expected the end of the line after the two ids", 0},
    {"junk_after_edge.gr", "2:7", "expected the end of the line after the two ids", 0},
    {"nul_byte.gr", "2:4", "expected a blank after the target", 0},
    {"not_mirrored.gr", "2:1", "not every arc has its mirror image", 0},
    {"mirror_has_other_weight.gr", "1:1", "not every arc has its mirror image", 0},
    {"ids_too_few.gr", "2:1", "ends after 1, but there are 2 vertices", 0},
};

TEST(bad_files_are_refused_at_their_fault) { check_bad_files("dimacs", bad, LENGTH(bad)); }

/* --- what the caller asks for ------------------------------------------------------- */

TEST(ignored_weights_are_not_looked_at) {
    weft_read_params p = reading("dimacs");
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_read("p sp 2 3\na 1 2 nan\na 2 1\na 2 2 x y\n", &p, "directed none [1 2] 1>2 2>1 2>2");
}

TEST(required_weights_must_be_there) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_read_params p = reading("dimacs");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK(!read_text(ctx, "c x\np tw 2 1\n1 2\n", &p));
    CHECK_HAS(weft_ctx_message(ctx), "text:2:1: weights are required");
    CHECK(!read_text(ctx, "c weft unweighted\np sp 2 1\na 1 2 1\n", &p));
    CHECK_HAS(weft_ctx_message(ctx), "text:2:1: weights are required");
    check_read("p sp 2 1\na 1 2 8\n", &p, "directed u32 [1 2] 1>2:8");
    weft_ctx_free(ctx);
}

TEST(direction_can_be_asked_for) {
    weft_read_params p = reading("dimacs");
    p.direction = WEFT_DIRECTED;
    check_read("p tw 3 2\n1 2\n3 3\n", &p, "directed none [1 2 3] 1>2 3>3");
    check_read("c weft undirected\np sp 2 2\na 1 2 5\na 2 1 5\n", &p, "directed u32 [1 2] 1>2:5 2>1:5");
    p.direction = WEFT_UNDIRECTED;
    check_read("p sp 3 3\na 1 2 5\na 2 1 4\na 3 1 7\n", &p, "undirected u32 [1 2 3] 1-2:4 1-3:7");
}

TEST(parallel_edges_of_an_undirected_file_can_be_kept) {
    weft_read_params p = reading("dimacs");
    p.duplicates = WEFT_DUPLICATES_KEEP;
    check_read("c weft undirected\np sp 2 4\na 1 2 5\na 1 2 6\na 2 1 6\na 2 1 5\n", &p,
               "undirected u32 [1 2] 1-2:5 1-2:6");
}

/* --- recognising -------------------------------------------------------------------- */

static int sniff(const char *text, const char *name) {
    return wfi_format_sure(wfi_format_named("dimacs"), text, strlen(text), name);
}

TEST(the_problem_line_says_what_it_is) {
    CHECK_I64(sniff("c x\nc\np sp 3 1\na 1 2 3\n", "x.txt"), 3);
    CHECK_I64(sniff("p tw 3 1\n1 2\n", "x"), 3);
    CHECK_I64(sniff("c x\n\np edge 3 1\n", "x"), 3);
    CHECK_I64(sniff("p col 3 1\n", "x"), 3);
    CHECK_I64(sniff("p cnf 3 1\n1 -3 0\n", "x.cnf"), 0);
    CHECK_I64(sniff("c weft ids string\nc id 1 x\n", "x"), 3);
}

TEST(arcs_without_a_problem_line_are_seen) {
    CHECK_I64(sniff("a 2958 2959 535\na 1494 1573 77\n", "rome99.txt"), 2);
    CHECK_I64(sniff("a 1 2 -2.5\n", "x"), 2);
    CHECK_I64(sniff("a 1 2\n", "x"), 0);
    CHECK_I64(sniff("a b\nb c\n", "x"), 0);
}

TEST(other_content_is_taken_by_its_name_at_most) {
    CHECK_I64(sniff("1 2\n2 3\n", "x.gr"), 1);
    CHECK_I64(sniff("1 2\n2 3\n", "x.txt"), 0);
    CHECK_I64(sniff("", "x.col"), 1);
    CHECK_I64(sniff("", "x"), 0);
    CHECK_I64(sniff("c d\nc e\n", "x"), 0);
}

/* --- round trips -------------------------------------------------------------------- */

TEST(random_graphs_come_back_as_they_were) {
    weft_ctx *ctx = new_ctx(0, NULL);
    char what[128];
    for (uint64_t seed = 0; seed < 150; seed++) {
        weft_graph *g = small_random_graph(ctx, seed + 1000, what, sizeof what);
        if (g) check_round_trip(ctx, g, "g.gr", what);
        weft_graph_free(g);
    }
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(golden_files_come_back_as_they_were) {
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < LENGTH(golden); i++) {
        char path[1024], relative[128];
        weft_graph *g = NULL;
        snprintf(relative, sizeof relative, "golden/dimacs/%s", golden[i].file);
        CHECK(!weft_read(ctx, data_path(relative, path, sizeof path), NULL, &g));
        if (g) check_round_trip(ctx, g, "g.gr", golden[i].file);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* --- large and real files ------------------------------------------------------------ */

TEST(any_number_of_threads_reads_the_same_graph) {
    enum { N = 20000, M = 150000 };
    char *text = malloc(M * 32 + 64);
    if (!text) exit(1);
    dice d = {77, 0};
    size_t used = (size_t)sprintf(text, "p sp %d %d\n", N, M);
    for (int i = 0; i < M; i++) {
        uint64_t u = roll(&d, N) + 1, v = roll(&d, N) + 1, w = roll(&d, 100);
        used += (size_t)sprintf(text + used, "a %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", u, v, w);
    }
    uint64_t first = 0;
    for (int threads = 1; threads <= 7; threads += 2) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = NULL;
        CHECK(!weft_read_memory(ctx, text, used, "large.gr", NULL, &g));
        if (g && threads == 1) first = fingerprint_of(ctx, g);
        if (g) CHECK_U64(fingerprint_of(ctx, g), first);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    free(text);
}

TEST(road_networks_of_others_are_read) {
    static const real_file files[] = {
        {"road-rome99/rome99.gr", 3353, 8870, 8859, 1, WEFT_WEIGHT_U32},
        {"road-usa/NY.gr.zst", 264346, 365050, 365050, 0, WEFT_WEIGHT_NONE},
        {"gapbs/graphs/4.gr", 14, 256, 58, 1, WEFT_WEIGHT_U32},
    };
    if (!shared_data()) SKIP("the shared data is not here");
    check_real_files("dimacs", files, LENGTH(files));
}

TEST_MAIN()
