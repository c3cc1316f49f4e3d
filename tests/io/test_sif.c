/* SIF: golden and bad files; the relation is none of the vertices. */
#include "format_support.h"

static const golden_file golden[] = {
    {"tabs.sif", "directed none [New York a b c] a>b a>c", 2, NULL},
    {"blanks.sif", "directed none [a b c d] a>b a>c b>c", 3, NULL},
    {"numbers.sif", "directed none [1 2 3] 1>2 2>1 2>3", 3, NULL},
    {"empty.sif", "directed none []", 0, "no edges"},
};

static const bad_file bad[] = {
    {"no_target.sif", "2:5", "the target of the edge was expected", 0},
    {"open_quote.sif", "1:6", "the quote is not closed", 0},
    {"decimal.sif", "2:5", "'3.5'", 0},
};

TEST(golden_files) { check_golden_files("sif", golden, LENGTH(golden)); }

TEST(bad_files_are_refused_with_their_place) { check_bad_files("sif", bad, LENGTH(bad)); }

TEST(weights_are_not_there_to_insist_on) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_read_params p = reading("sif");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    CHECK(!read_text(ctx, "a pp b\n", &p));
    CHECK_HAS(weft_ctx_message(ctx), "SIF cannot store them");
    weft_ctx_free(ctx);
}

TEST_MAIN()
