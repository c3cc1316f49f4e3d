/* .weft files that must be refused though their checksums are right: what they hold is no graph. */
#include "binary_refused.h"

static void check_wrong_u32(const recipe *r, wfi_weft_kind kind, size_t at, uint32_t value, const char *section) {
    bytes b = make_file(r);
    REQUIRE(b.count);
    wfi_weft_page page = page_of(&b);
    memcpy(b.data + section_of(&page, kind)->offset + at * 4, &value, 4);
    reseal(ctx, &b);
    check_refused(&b, b.count, WEFT_EINPUT, section);
    free(b.data);
}

static void check_wrong_u64(const recipe *r, wfi_weft_kind kind, size_t at, uint64_t value, const char *section) {
    bytes b = make_file(r);
    REQUIRE(b.count);
    wfi_weft_page page = page_of(&b);
    memcpy(b.data + section_of(&page, kind)->offset + at * 8, &value, 8);
    reseal(ctx, &b);
    check_refused(&b, b.count, WEFT_EINPUT, section);
    free(b.data);
}

TEST(rows_that_are_no_rows) {
    recipe r = small_numbered;
    check_wrong_u32(&r, WFI_OUT_TARGETS, 5, 200, "\"out targets\"");
    check_wrong_u32(&r, WFI_OUT_TARGETS, 5, UINT32_MAX, "\"out targets\"");
    check_wrong_u32(&r, WFI_IN_TARGETS, 17, 200, "\"in targets\"");
    check_wrong_u64(&r, WFI_OUT_OFFSETS, 0, 1, "\"out offsets\"");
    check_wrong_u64(&r, WFI_OUT_OFFSETS, 200, 1, "\"out offsets\"");
    check_wrong_u64(&r, WFI_IN_OFFSETS, 200, 1, "\"in offsets\"");
    check_wrong_u64(&r, WFI_OUT_OFFSETS, 100, 0, "\"out targets\"");
    check_wrong_u64(&r, WFI_OUT_OFFSETS, 100, UINT64_MAX, "\"out targets\"");
    check_wrong_u64(&r, WFI_IN_OFFSETS, 199, (uint64_t)1 << 40, "\"in targets\"");
}

TEST(targets_out_of_order_and_unannounced_parallel_arcs) {
    recipe r = {.n = 2, .count = 0, .direction = WEFT_DIRECTED};
    weft_vid from[] = {0, 0}, to[] = {0, 1};
    weft_graph *g = NULL;
    const char *path = file_path("order.weft");
    if (!ctx) weft_ctx_new(&ctx);
    REQUIRE(weft_graph_from_edges(ctx, r.n, 2, from, to, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
    REQUIRE(weft_write(ctx, g, path, NULL) == WEFT_OK);
    weft_graph_free(g);
    bytes b = load_file(path);
    unlink(path);
    wfi_weft_page page = page_of(&b);
    char *targets = b.data + section_of(&page, WFI_OUT_TARGETS)->offset;
    static const uint32_t backwards[] = {1, 0}, twice[] = {1, 1};
    memcpy(targets, backwards, 8);
    reseal(ctx, &b);
    check_refused(&b, b.count, WEFT_EINPUT, "\"out targets\"");
    memcpy(targets, twice, 8);
    reseal(ctx, &b);
    check_refused(&b, b.count, WEFT_EINPUT, "\"out targets\"");
    page = page_of(&b);
    page.header.flags |= WFI_WEFT_HAS_PARALLEL;
    put_page(ctx, &b, &page);
    CHECK_U64(read_bytes(ctx, b.data, b.count, &g), WEFT_OK); /* announced, it is a graph */
    weft_graph_free(g);
    free(b.data);
}

TEST(ids_that_do_not_ascend) {
    recipe r = small_numbered;
    check_wrong_u64(&r, WFI_ID_NUMBERS, 50, 1u << 30, "\"id numbers\"");
    check_wrong_u32(&r, WFI_ID_ORDER, 50, 200, "\"id numbers\"");
    check_wrong_u32(&r, WFI_ID_ORDER, 50, 0, "\"id numbers\"");
    r = small_named;
    check_wrong_u32(&r, WFI_ID_ORDER, 199, UINT32_MAX, "\"id names\"");
    check_wrong_u32(&r, WFI_ID_ORDER, 7, 7, "\"id names\"");
    check_wrong_u64(&r, WFI_ID_NAME_STARTS, 100, 0, "\"id name starts\"");
    check_wrong_u64(&r, WFI_ID_NAME_STARTS, 100, UINT64_MAX, "\"id name starts\"");
    check_wrong_u64(&r, WFI_ID_NAME_STARTS, 200, 1, "\"id name starts\"");
    r.ids = IDS_NAMES;
    check_wrong_u32(&r, WFI_ID_NAME_TEXT, 60, 0, "\"id names\"");
}

static size_t unsound_rows(const weft_csr *rows) {
    size_t wrong = rows->offsets[0] != 0 || rows->offsets[rows->vertices] != rows->arcs;
    for (weft_vid v = 0; v < rows->vertices && !wrong; v++) {
        wrong += rows->offsets[v] > rows->offsets[v + 1] || rows->offsets[v + 1] > rows->arcs;
        for (weft_eid i = rows->offsets[v]; i < rows->offsets[v + 1] && !wrong; i++)
            wrong += rows->targets[i] >= rows->vertices;
    }
    return wrong;
}

/* Noise in sections and header fields, with all checksums made to fit: refused, or a sound graph. */
static void check_noise(const recipe *r, uint64_t seed) {
    bytes b = make_file(r);
    REQUIRE(b.count);
    const wfi_weft_page good = page_of(&b);
    bytes changed = {malloc(b.count), b.count};
    size_t unsound = 0, opened = 0;
    for (uint64_t round = 0; round < 1500; round++) {
        memcpy(changed.data, b.data, b.count);
        uint64_t x = wfi_mix(seed + round);
        for (uint64_t k = 0; k < 1 + x % 3; k++) {
            uint64_t y = wfi_mix(x + k);
            const wfi_weft_section *s = &good.section[y % good.header.sections];
            if (s->bytes) changed.data[s->offset + (y >> 8) % s->bytes] ^= (char)(1 << (y >> 40) % 8);
        }
        reseal(ctx, &changed);
        if (x % 5 == 0) {
            changed.data[24 + (x >> 8) % 96] ^= (char)(1 << (x >> 20) % 8);
            wfi_weft_page page = page_of(&changed);
            put_page(ctx, &changed, &page);
        }
        weft_graph *g = NULL;
        weft_csr in = {.size = sizeof in}, out = in;
        if (read_bytes(ctx, changed.data, changed.count, &g)) continue;
        opened++;
        out = out_rows(g);
        unsound += unsound_rows(&out);
        CHECK_U64(weft_graph_in(ctx, g, &in), WEFT_OK);
        unsound += unsound_rows(&in);
        for (weft_vid v = 0; v < g->n; v += 7) {
            char id[64];
            weft_vid found = WEFT_NO_VERTEX;
            if (weft_graph_id_text(g, v, id, sizeof id) >= sizeof id || memchr(id, 0, 3)) continue;
            unsound += weft_graph_find(ctx, g, id, &found) != WEFT_OK || found != v;
        }
        weft_graph_free(g);
    }
    CHECK_U64(unsound, 0);
    CHECK(opened > 0);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    free(b.data);
    free(changed.data);
}

TEST(noise_behind_correct_checksums_is_refused_or_harmless) {
    check_noise(&small_named, 1);
    check_noise(&small_numbered, 2);
    check_noise(&small_doubles, 4);
    recipe dense = {.n = 30, .count = 60, .weights = WEFT_WEIGHT_F32, .direction = WEFT_UNDIRECTED};
    check_noise(&dense, 3);
    weft_ctx_free(ctx);
    ctx = NULL;
}

TEST_MAIN()
