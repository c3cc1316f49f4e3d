/* Version 3 of .weft: columns of vertices as the page specifies them; damage, hostile sizes and entries. */
#include "attribute_text.h"
#include "attributes/attributes.h"
#include "binary_refused.h"
#include "weft/subgraph.h"

enum { N = 200 };

/* The graph of small_named with a column of each type, some values missing. */
static weft_graph *made(void) {
    static int64_t whole[N], time[N];
    static double real[N];
    static uint8_t truth[N], valid[(N + 7) / 8];
    static uint32_t text[N];
    static const uint64_t starts[] = {0, 0, 3, 8};
    static const char pool[] = "AnnBobby";
    for (int v = 0; v < N; v++) {
        whole[v] = v - 100;
        real[v] = v * 0.5;
        truth[v] = v % 3 == 0;
        text[v] = (uint32_t)v % 3;
        time[v] = (int64_t)v * 86400000000;
        if (v % 7) valid[v / 8] |= (uint8_t)(1u << v % 8);
    }
    weft_attribute a[5] = {WEFT_ATTRIBUTE_DEFAULTS, WEFT_ATTRIBUTE_DEFAULTS, WEFT_ATTRIBUTE_DEFAULTS,
                           WEFT_ATTRIBUTE_DEFAULTS, WEFT_ATTRIBUTE_DEFAULTS};
    static const char *const names[] = {"whole", "real", "truth", "text", "time"};
    const void *values[] = {whole, real, truth, text, time};
    const weft_attribute *list[5];
    for (int i = 0; i < 5; i++) {
        a[i].name = names[i];
        a[i].type = (weft_attribute_type)(i + 1);
        a[i].count = N;
        a[i].values = values[i];
        a[i].valid = i == 0 || i == 3 ? valid : NULL;
        list[i] = &a[i];
    }
    a[3].text_count = 3, a[3].text_starts = starts, a[3].text = pool;
    if (!ctx) weft_ctx_new(&ctx);
    weft_graph *bare = make_graph(ctx, &small_named), *g = NULL;
    if (bare && weft_graph_with_attributes(ctx, bare, list, 5, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    weft_graph_free(bare); /* the other keeps it */
    return g;
}

static bytes file_with_columns(void) {
    const char *path = file_path("columns.weft");
    weft_graph *g = made();
    bytes b = {NULL, 0};
    if (g && weft_write(ctx, g, path, NULL) == WEFT_OK) b = load_file(path);
    unlink(path);
    weft_graph_free(g);
    return b;
}

/* Values at the places that the page gives. */
TEST(sections_are_as_specified) {
    bytes b = file_with_columns();
    REQUIRE(b.count);
    wfi_weft_page page = page_of(&b);
    CHECK_U64(page.header.version, 3);
    CHECK_U64(page.header.flags & 32, 32);
    const wfi_weft_section *entries = section_of(&page, 11), *values = section_of(&page, 12),
                           *starts = section_of(&page, 13), *texts = section_of(&page, 14);
    REQUIRE(entries && values && starts && texts);
    CHECK_U64(entries->bytes, 5 * 32);
    const char *at = b.data + values->offset;
    uint32_t word[4];
    uint64_t place[2];
    memcpy(word, b.data + entries->offset, sizeof word); /* whole: i64 of vertices, named by text 0 */
    CHECK_U64(word[0], 0);
    CHECK_U64(word[1], 1);
    CHECK_U64(word[3], 0);
    memcpy(place, b.data + entries->offset + 16, sizeof place);
    CHECK_U64(place[0], 0);
    CHECK_U64(place[1], (N + 6) / 7);
    memcpy(place, b.data + entries->offset + 32 + 16, sizeof place);
    CHECK_U64(place[0], 1664); /* 1600 bytes of numbers, 25 of bits from 1600 on, then the next multiple of 64 */
    CHECK_U64(place[1], 0);
    CHECK_U64((unsigned char)at[1600], 0x7e); /* vertices 0 and 7 have none */
    int64_t first[2];
    memcpy(first, at, sizeof first);
    CHECK_I64(first[0], 0); /* missing: zero */
    CHECK_I64(first[1], -99);
    CHECK_U64(texts->bytes, strlen("wholerealtruthtexttimeAnnBobby")); /* names, then values; the empty text is one */
    CHECK(!memcmp(b.data + texts->offset, "wholerealtruthtexttime", 22));
    CHECK_U64(starts->bytes, 9 * 8);
    free(b.data);
}

TEST(columns_come_back_mapped_copied_and_rebuilt) {
    weft_graph *g = made(), *again = NULL, *third = NULL;
    char path[512], third_path[512];
    snprintf(path, sizeof path, "%s", file_path("back.weft"));
    snprintf(third_path, sizeof third_path, "%s", file_path("third.weft"));
    char want[16384], got[16384];
    REQUIRE(g != NULL);
    attribute_text(ctx, g, want, sizeof want);
    CHECK(strstr(want, "whole:i64[-|-99|-98") == want);
    CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_OK);
    for (int kind = 0; kind < 3; kind++) {
        weft_read_params p = WEFT_READ_DEFAULTS;
        bytes b = load_file(path);
        p.verify_checksums = 1;
        if (kind == 2) p.direction = WEFT_UNDIRECTED;
        weft_status st = kind == 1 ? read_bytes(ctx, b.data, b.count, &again) : weft_read(ctx, path, &p, &again);
        CHECK_U64(st, WEFT_OK);
        CHECK_TEXT(attribute_text(ctx, again, got, sizeof got), want);
        bytes c = {NULL, 0};
        if (kind < 2) { /* same graph, same bytes */
            CHECK_U64(weft_write(ctx, again, third_path, NULL), WEFT_OK);
            c = load_file(third_path);
            CHECK(c.count == b.count && !memcmp(b.data, c.data, b.count));
        }
        unlink(third_path);
        free(b.data);
        free(c.data);
        weft_graph_free(again);
    }
    /* Without them it is the file of before. */
    CHECK_U64(weft_graph_without_attributes(ctx, g, &third), WEFT_OK);
    CHECK_U64(weft_write(ctx, third, third_path, NULL), WEFT_OK);
    bytes bare = load_file(third_path), b = make_file(&small_named);
    CHECK_U64(page_of(&bare).header.version, 1);
    weft_graph *plain = make_graph(ctx, &small_named);
    CHECK_U64(weft_write(ctx, plain, path, NULL), WEFT_OK);
    bytes before = load_file(path);
    CHECK(bare.count == before.count && !memcmp(bare.data, before.data, bare.count));
    int equal = 0;
    uint64_t one = 0, two = 1;
    CHECK(!weft_graph_compare(ctx, plain, g, &equal) && equal);
    CHECK(!weft_graph_fingerprint(ctx, plain, &one) && !weft_graph_fingerprint(ctx, g, &two) && one == two);
    unlink(path);
    unlink(third_path);
    free(bare.data);
    free(before.data);
    free(b.data);
    weft_graph_free(plain);
    weft_graph_free(third);
    weft_graph_free(g);
}

TEST(values_follow_their_vertices) {
    weft_graph *g = made(), *turned = NULL, *part = NULL;
    REQUIRE(g != NULL);
    weft_vid order[N], some[] = {3, 7, 8};
    for (weft_vid v = 0; v < N; v++) order[v] = N - 1 - v;
    weft_subgraph_params p = WEFT_SUBGRAPH_DEFAULTS;
    p.vertices = some, p.vertex_count = 3;
    CHECK_U64(weft_graph_relabel(ctx, g, order, &turned), WEFT_OK);
    weft_attribute a = WEFT_ATTRIBUTE_DEFAULTS;
    CHECK_U64(weft_graph_attribute(ctx, turned, "real", &a), WEFT_OK);
    CHECK(((const double *)a.values)[0] == (N - 1) * 0.5);
    CHECK_U64(weft_subgraph(ctx, g, &p, &part, NULL), WEFT_OK);
    check_attributes(ctx, part,
                     "whole:i64[-97|-|-92] real:f64[1.5|3.5|4] truth:bool[true|false|false] text:text[|-|Bobby] "
                     "time:time[1970-01-04|1970-01-08|1970-01-09]");
    weft_graph_free(part);
    weft_graph_free(turned);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
}

/* --- refused -------------------------------------------------------------------------------------------- */

static void check_wrong(wfi_weft_kind kind, size_t at, uint64_t value, size_t bytes_of_it, weft_status status,
                        const char *part) {
    bytes b = file_with_columns();
    REQUIRE(b.count);
    wfi_weft_page page = page_of(&b);
    memcpy(b.data + section_of(&page, kind)->offset + at, &value, bytes_of_it);
    reseal(ctx, &b);
    check_refused(&b, b.count, status, part);
    free(b.data);
}

TEST(entries_that_are_wrong) {
    const char *entries = "section \"columns\"";
    check_wrong(WFI_COLUMN_ENTRIES, 0, 2, 4, WEFT_EINPUT, entries);
    check_wrong(WFI_COLUMN_ENTRIES, 0, 1, 4, WEFT_EINPUT, entries); /* a column of edges now */
    check_wrong(WFI_COLUMN_ENTRIES, 4, 0, 4, WEFT_EINPUT, entries);
    check_wrong(WFI_COLUMN_ENTRIES, 4, 6, 4, WEFT_EINPUT, entries);
    check_wrong(WFI_COLUMN_ENTRIES, 8, 1, 4, WEFT_EINPUT, entries); /* a form, but no time */
    check_wrong(WFI_COLUMN_ENTRIES, 4 * 32 + 8, 3, 4, WEFT_EINPUT, entries);
    check_wrong(WFI_COLUMN_ENTRIES, 12, 8, 4, WEFT_EINPUT, entries);
    check_wrong(WFI_COLUMN_ENTRIES, 12, UINT32_MAX, 4, WEFT_EINPUT, entries);
    check_wrong(WFI_COLUMN_ENTRIES, 12, 1, 4, WEFT_EINPUT, "two columns have the same name");
    check_wrong(WFI_COLUMN_ENTRIES, 12, 7, 4, WEFT_EINPUT, entries); /* the empty text */
    check_wrong(WFI_COLUMN_ENTRIES, 16, 64, 8, WEFT_EINPUT, "columns follow one another");
    check_wrong(WFI_COLUMN_ENTRIES, 16, UINT64_MAX, 8, WEFT_EINPUT, "columns follow one another");
    check_wrong(WFI_COLUMN_ENTRIES, 24, N + 1, 8, WEFT_EINPUT, "more values are missing");
    check_wrong(WFI_COLUMN_ENTRIES, 24, UINT64_MAX, 8, WEFT_EINPUT, "more values are missing");
    check_wrong(WFI_COLUMN_ENTRIES, 24, 0, 8, WEFT_EINPUT, "columns follow one another"); /* no bits, then */
    check_wrong(WFI_COLUMN_ENTRIES, 24, 1, 8, WEFT_EINPUT, "as many values are missing as their column says");
}

TEST(values_that_are_wrong) {
    const char *values = "section \"column values\"";
    check_wrong(WFI_COLUMN_VALUES, 0, 1, 8, WEFT_EINPUT, "a value that is missing is zero");
    check_wrong(WFI_COLUMN_VALUES, 1600, 0x7f, 1, WEFT_EINPUT, "as many values are missing as their column says");
    check_wrong(WFI_COLUMN_VALUES, 1664 + 1600, 2, 1, WEFT_EINPUT, "a truth value is 0 or 1");
    check_wrong(WFI_COLUMN_VALUES, 1664 + 1600 + 256 + 4, 8, 4, WEFT_EINPUT, "a text is one of those that are stored");
    check_wrong(WFI_COLUMN_VALUES, 1664 + 1600 + 256 + 4, UINT32_MAX, 4, WEFT_EINPUT, values);
    check_wrong(WFI_TEXT_STARTS, 0, 1, 8, WEFT_EINPUT, "\"text starts\"");
    check_wrong(WFI_TEXT_STARTS, 8 * 8, 1, 8, WEFT_EINPUT, "\"text starts\"");
    check_wrong(WFI_TEXT_STARTS, 6 * 8, UINT64_MAX, 8, WEFT_EINPUT, "texts must follow one another");
    check_wrong(WFI_TEXT_STARTS, 1 * 8, UINT64_MAX, 8, WEFT_EINPUT, "\"columns\""); /* the first name */
}

TEST(headers_and_sizes_that_are_wrong) {
    bytes b = file_with_columns();
    REQUIRE(b.count);
    const wfi_weft_page good = page_of(&b);
    wfi_weft_page p;
#define REFUSED_WITH(field, value, status, message)  \
    do {                                             \
        p = good;                                    \
        p.field = value;                             \
        put_page(ctx, &b, &p);                       \
        check_refused(&b, b.count, status, message); \
    } while (0)
    REFUSED_WITH(header.version, 2, WEFT_EUNSUPPORTED, "flags 20, which this program does not know");
    REFUSED_WITH(header.version, 1, WEFT_EINPUT, "header");
    REFUSED_WITH(header.flags, good.header.flags | 64, WEFT_EINPUT, "section table");
    REFUSED_WITH(header.flags, good.header.flags | 256, WEFT_EUNSUPPORTED, "flags 100, which this program");
    REFUSED_WITH(header.flags, good.header.flags ^ 32, WEFT_EINPUT, "section table");
    REFUSED_WITH(header.direction_from, 3, WEFT_EINPUT, "header");
    REFUSED_WITH(header.vertices, N + 1, WEFT_EINPUT, "section table");
    for (uint32_t i = 0; i < good.header.sections; i++)
        if (good.section[i].kind >= WFI_COLUMN_ENTRIES) {
            REFUSED_WITH(section[i].bytes, UINT64_MAX, WEFT_EINPUT, "section table");
            REFUSED_WITH(section[i].bytes, (uint64_t)1 << 57, WEFT_EINPUT, "section table");
            REFUSED_WITH(section[i].bytes, 0, WEFT_EINPUT, "section table");
        }
    /* A table and a header that agree on terabytes: refused before any allocation. */
    for (int kind = WFI_COLUMN_ENTRIES; kind <= WFI_TEXTS; kind++) {
        wfi_weft_sizes sizes = {{0}};
        p = good;
        for (int k = 0; k < WFI_WEFT_KINDS; k++) sizes.of[k] = wfi_weft_bytes_of(&good, (wfi_weft_kind)k);
        sizes.of[kind] = (uint64_t)1 << 50;
        CHECK(wfi_weft_layout(&p, &sizes));
        put_page(ctx, &b, &p);
        check_refused(&b, b.count, WEFT_EINPUT, "cut short");
    }
#undef REFUSED_WITH
    memcpy(b.data, &good, sizeof good);
    for (size_t at = sizeof good; at < b.count; at += 97) { /* a byte of any section or gap */
        b.data[at] ^= 0x20;
        check_refused(&b, b.count, WEFT_EINPUT, "x.weft: ");
        b.data[at] ^= 0x20;
    }
    free(b.data);
}

/* Sections of columns that are too short for one. */
TEST(sections_without_a_column) {
    bytes b = file_with_columns();
    REQUIRE(b.count);
    static const struct {
        wfi_weft_kind kind;
        uint64_t bytes;
    } cuts[] = {{WFI_COLUMN_ENTRIES, 0},
                {WFI_COLUMN_ENTRIES, 31},
                {WFI_TEXT_STARTS, 0},
                {WFI_TEXT_STARTS, 8},
                {WFI_TEXT_STARTS, 71}};
    for (size_t i = 0; i < LENGTH(cuts); i++) {
        wfi_weft_page p = page_of(&b);
        wfi_weft_sizes sizes = {{0}};
        for (int k = 0; k < WFI_WEFT_KINDS; k++) sizes.of[k] = wfi_weft_bytes_of(&p, (wfi_weft_kind)k);
        sizes.of[cuts[i].kind] = cuts[i].bytes;
        CHECK(wfi_weft_layout(&p, &sizes));
        bytes c = {calloc(p.header.file_bytes, 1), p.header.file_bytes};
        REQUIRE(c.data != NULL);
        memcpy(c.data, b.data, (size_t)section_of(&p, WFI_COLUMN_ENTRIES)->offset);
        put_page(ctx, &c, &p);
        reseal(ctx, &c);
        check_refused(&c, c.count, WEFT_EINPUT, "wrong section");
        free(c.data);
    }
    free(b.data);
}

/* What the library is given is checked as well. */
TEST(attributes_that_are_none) {
    static const int64_t values[N];
    static const uint8_t truth[N] = {2};
    weft_graph *g = made(), *more = NULL;
    REQUIRE(g != NULL);
    static const struct {
        weft_attribute a;
        const char *message;
    } wrong[] = {
#define ONE(...) {.size = sizeof(weft_attribute), __VA_ARGS__}
        {ONE(.name = "", .type = WEFT_ATTRIBUTE_WHOLE, .count = N, .values = values), "without a name"},
        {ONE(.name = "x", .type = WEFT_ATTRIBUTE_WHOLE, .count = N - 1, .values = values), "199 values, the graph 200"},
        {ONE(.name = "x", .type = WEFT_ATTRIBUTE_WHOLE, .count = N), "values is NULL"},
        {ONE(.name = "x", .type = 6, .count = N, .values = values), "invalid type"},
        {ONE(.name = "x", .type = WEFT_ATTRIBUTE_WHOLE, .form = WEFT_TIME_UTC, .count = N, .values = values), "form"},
        {ONE(.name = "x", .type = WEFT_ATTRIBUTE_BOOL, .count = N, .values = truth), "neither 0 nor 1"},
        {ONE(.name = "x", .type = WEFT_ATTRIBUTE_TEXT, .count = N, .values = values), "is text 0 of 0"},
#undef ONE
    };
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        const weft_attribute *list[] = {&wrong[i].a};
        CHECK_U64(weft_graph_with_attributes(ctx, g, list, 1, &more), WEFT_EINVAL);
        CHECK_HAS(weft_ctx_message(ctx), wrong[i].message);
        CHECK(more == NULL);
    }
    weft_attribute a = {.size = sizeof a};
    CHECK_U64(weft_graph_attribute(ctx, g, "none", &a), WEFT_ENOTFOUND);
    CHECK_U64(weft_graph_attribute_at(ctx, g, 5, &a), WEFT_ENOTFOUND);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
}

TEST_MAIN()
