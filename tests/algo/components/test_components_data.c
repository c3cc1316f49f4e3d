/* components of a real graph against reference labels, up to renaming: how many there are, and how large, is in
 * test_truths.c; LDBC's examples are in test_ldbc_conformance.c.  Skipped by name where the data is not. */
#include "support.h"
#include "weft/components.h"

#include <zstd.h>

static uint64_t scalar(const weft_result *r, const char *name) { return weft_result_scalar(r, name)->value.u64; }

static char *shared_file(const char *name, size_t *bytes) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", shared_data(), name);
    return read_file(path, bytes);
}

/* Do two labellings make the same classes?  twin[] is scratch: their[l] for each of our labels, which must be one to
 * one; that every class of theirs has one label of ours follows from equal counts. */
static bool same_classes(size_t n, const weft_vid *ours, const uint32_t *theirs, uint32_t *twin) {
    for (size_t v = 0; v < n; v++) {
        if (ours[v] == v) twin[v] = theirs[v];
        if (twin[ours[v]] != theirs[v]) return false;
    }
    return true;
}

TEST(the_strong_components_of_cnr_2000_are_those_of_the_reference) {
    if (!shared_data()) SKIP("the shared data is not here");
    enum { N = 325557 };
    size_t bytes;
    char path[4096];
    char *packed = shared_file("web-cnr-2000/cnr-2000.scc.zst", &bytes);
    uint8_t *raw = malloc(4 * N);
    uint32_t *theirs = malloc(4 * N), *twin = malloc(4 * N);
    REQUIRE(packed && raw && theirs && twin);
    CHECK_U64(ZSTD_decompress(raw, 4 * N, packed, bytes), 4 * N);
    uint32_t classes = 0; /* their labels are 0 ... classes-1 */
    for (size_t v = 0; v < N; v++) {
        const uint8_t *b = raw + 4 * v;
        theirs[v] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
        if (theirs[v] >= classes) classes = theirs[v] + 1;
    }
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    snprintf(path, sizeof path, "%s/web-cnr-2000/cnr-2000.el.zst", shared_data());
    REQUIRE(!weft_read(ctx, path, NULL, &g) && weft_graph_vertices(g) == N);
    weft_components_params p = WEFT_COMPONENTS_DEFAULTS;
    p.strong = 1;
    weft_result *r = NULL;
    REQUIRE(weft_components(ctx, g, &p, &r) == WEFT_OK);
    CHECK_U64(scalar(r, "count"), classes);
    CHECK(same_classes(N, weft_result_u32(r, "component"), theirs, twin));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    free(packed);
    free(raw);
    free(theirs);
    free(twin);
}

TEST_MAIN()
