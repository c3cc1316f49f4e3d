/* Numbers mean the same where people write 0,5: what is read, written and generated does not depend on the locale. */
#include "support.h"

#include <locale.h>

static bool with_decimal_comma(const char *folder) {
    char command[600];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1", folder);
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        if (system(command) || setenv("LOCPATH", folder, 1)) return false;
        if (!setlocale(LC_ALL, "de_DE.UTF-8")) return false;
    }
    return !strcmp(localeconv()->decimal_point, ",");
}

static uint64_t generated(weft_ctx *ctx) {
    weft_graph *g = NULL;
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.scale = 8;
    if (weft_generate(ctx, "rmat", &p, NULL, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    uint64_t print = g ? fingerprint_of(ctx, g) : 0;
    weft_graph_free(g);
    return print;
}

static uint64_t read_and_written(weft_ctx *ctx, const char *path) {
    static const char text[] = "0 1 0.5\n1 2 1e-7\n2 0 1234567.125\n2 1 0.1234567890123456789\n";
    weft_graph *g = read_text(ctx, text, NULL), *again = NULL;
    if (!g || weft_write(ctx, g, path, NULL) || weft_read(ctx, path, NULL, &again))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    uint64_t print = again ? fingerprint_of(ctx, again) : 0;
    if (g) CHECK_U64(print, fingerprint_of(ctx, g));
    weft_graph_free(g);
    weft_graph_free(again);
    return print;
}

TEST(a_decimal_comma_changes_nothing) {
    char folder[256], path[300];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/g.txt", folder);
    weft_ctx *ctx = new_ctx(1, NULL);
    uint64_t made = generated(ctx), kept = read_and_written(ctx, path);
    bool comma = with_decimal_comma(folder);
    if (comma) CHECK_U64(generated(ctx), made);
    if (comma) CHECK_U64(read_and_written(ctx, path), kept);
    setlocale(LC_ALL, "C");
    weft_ctx_free(ctx);
    remove_temp(folder);
    if (!comma) SKIP("no locale with a decimal comma here");
}

TEST_MAIN()
