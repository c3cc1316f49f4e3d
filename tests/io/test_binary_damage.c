/* .weft files that must be refused: cut short, damaged in any byte, from the future or from a machine of the other byte order. */
#include "binary_refused.h"

/* --- the header ------------------------------------------------------------ */

TEST(every_byte_of_the_first_page_matters) {
    bytes b = make_file(&small_named);
    size_t refused = 0;
    REQUIRE(b.count);
    for (size_t i = 0; i < WEFT_FILE_PAGE; i++) {
        weft_graph *g = NULL;
        b.data[i] ^= (char)(1 << i % 8);
        refused += read_bytes(ctx, b.data, b.count, &g) != WEFT_OK;
        b.data[i] ^= (char)(1 << i % 8);
        weft_graph_free(g);
    }
    CHECK_U64(refused, WEFT_FILE_PAGE);
    weft_graph *g = NULL;
    CHECK_U64(read_bytes(ctx, b.data, b.count, &g), WEFT_OK); /* the undamaged file is fine */
    weft_graph_free(g);
    free(b.data);
}

TEST(what_kind_of_damage_is_said) {
    bytes b = make_file(&small_named);
    REQUIRE(b.count);
    static const struct {
        size_t at;
        char with;
        const char *message;
    } damage[] = {
        {1, 'X', "not a .weft file"},         {0, '\t', "transferred as text"},
        {4, '\n', "transferred as text"},     {8, 9, "byte-order mark"},
        {40, 99, "the header has checksum"},  {16, 1, "the header has checksum"},
        {4000, 1, "the header has checksum"},
    };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        char was = b.data[damage[i].at];
        b.data[damage[i].at] = damage[i].with;
        check_refused(&b, b.count, WEFT_EINPUT, damage[i].message);
        b.data[damage[i].at] = was;
    }
    free(b.data);
}

TEST(files_from_the_future_and_from_big_endian_machines) {
    bytes b = make_file(&small_named);
    REQUIRE(b.count);
    wfi_weft_page page = page_of(&b);
    page.header.version = 7;
    put_page(ctx, &b, &page);
    check_refused(&b, b.count, WEFT_EUNSUPPORTED, "has .weft version 7, this program understands version 3 and older");
    page.header.version = 0;
    put_page(ctx, &b, &page);
    check_refused(&b, b.count, WEFT_EINPUT, "version 0");
    page.header.version = 1;
    page.header.byte_order = 0x04030201;
    put_page(ctx, &b, &page);
    check_refused(&b, b.count, WEFT_EUNSUPPORTED, "big-endian");
    free(b.data);
}

/* Every field of the header and of the table, changed behind a correct checksum. */
TEST(a_header_that_contradicts_itself_or_its_file) {
    bytes b = make_file(&small_named);
    REQUIRE(b.count);
    const wfi_weft_page good = page_of(&b);
    wfi_weft_page p;
#define REFUSED_WITH(field, value, message)               \
    do {                                                  \
        p = good;                                         \
        p.field = value;                                  \
        put_page(ctx, &b, &p);                            \
        check_refused(&b, b.count, WEFT_EINPUT, message); \
    } while (0)
    REFUSED_WITH(header.sections, good.header.sections - 1, "section table");
    REFUSED_WITH(header.sections, UINT32_MAX, "section table");
    REFUSED_WITH(header.flags, good.header.flags ^ WFI_WEFT_DIRECTED, "header");
    REFUSED_WITH(header.flags, good.header.flags ^ WFI_WEFT_HAS_IN, "section table");
    REFUSED_WITH(header.flags, good.header.flags ^ WFI_WEFT_HAS_ORDER, "section table");
    REFUSED_WITH(header.flags, good.header.flags | 16, "header");
    REFUSED_WITH(header.file_bytes, good.header.file_bytes + 1, "section table");
    REFUSED_WITH(header.file_bytes, 0, "section table");
    REFUSED_WITH(header.vertices, good.header.vertices + 1, "section table");
    REFUSED_WITH(header.vertices, 0, "section table");
    REFUSED_WITH(header.vertices, WEFT_NO_VERTEX, "header");
    REFUSED_WITH(header.vertices, UINT64_MAX, "header");
    REFUSED_WITH(header.arcs, good.header.arcs + 1, "header");
    REFUSED_WITH(header.arcs, UINT64_MAX, "header");
    REFUSED_WITH(header.edges, good.header.edges - 1, "header");
    REFUSED_WITH(header.weight_type, WEFT_WEIGHT_NONE, "section table");
    REFUSED_WITH(header.weight_type, 3, "header");
    REFUSED_WITH(header.id_kind, WEFT_IDS_SPARSE, "section table");
    REFUSED_WITH(header.id_kind, WEFT_IDS_DENSE, "header");
    REFUSED_WITH(header.id_kind, 3, "header");
    REFUSED_WITH(header.label, 3, "header");
    REFUSED_WITH(header.direction_from, 1, "header");
    REFUSED_WITH(header.id_base, 1, "header");
    REFUSED_WITH(header.self_loops, good.header.arcs + 1, "header");
    REFUSED_WITH(reserved, 1, "section table");
    REFUSED_WITH(zeros[0], 1, "section table");
    for (size_t i = 0; i < good.header.sections; i++) {
        REFUSED_WITH(section[i].kind, good.section[i].kind + 1, "section table");
        REFUSED_WITH(section[i].reserved, 1, "section table");
        REFUSED_WITH(section[i].offset, good.section[i].offset + 4096, "section table");
        REFUSED_WITH(section[i].offset, 0, "section table");
        REFUSED_WITH(section[i].digest, 1, "checksum");
        if (good.section[i].kind != WFI_ID_NAME_TEXT) {
            REFUSED_WITH(section[i].bytes, good.section[i].bytes + 4, "section table");
            REFUSED_WITH(section[i].bytes, UINT64_MAX, "section table");
        }
    }
#undef REFUSED_WITH
    free(b.data);
}

/* What a newer Weft may write, or one for many machines: refused by name, not as damage. */
TEST(what_only_others_read_is_said) {
    bytes b = make_file(&small_doubles);
    REQUIRE(b.count);
    const wfi_weft_page good = page_of(&b);
    CHECK_U64(good.header.version, 2);
    wfi_weft_page p;
#define UNSUPPORTED(field, value, message)                      \
    do {                                                        \
        p = good;                                               \
        p.field = value;                                        \
        put_page(ctx, &b, &p);                                  \
        check_refused(&b, b.count, WEFT_EUNSUPPORTED, message); \
    } while (0)
    UNSUPPORTED(header.flags, good.header.flags | 32, "flags 20, which this program does not know");
    UNSUPPORTED(header.flags, good.header.flags | (1u << 31), "flags 80000000");
    UNSUPPORTED(header.vertices, WEFT_NO_VERTEX, "4294967295 vertices: a file for a graph spread over ranks");
    UNSUPPORTED(header.vertices, (uint64_t)1 << 40, "on one machine a graph has at most 2^32-2");
    UNSUPPORTED(header.vertices, UINT64_MAX, "spread over ranks");
#undef UNSUPPORTED
    p = good;
    p.header.vertices = (uint64_t)1 << 40;
    p.header.flags |= WFI_WEFT_WIDE;
    put_page(ctx, &b, &p);
    check_refused(&b, b.count, WEFT_EUNSUPPORTED, "spread over ranks");
    free(b.data);
}

TEST(version_2_is_checked_as_closely_as_version_1) {
    bytes b = make_file(&small_doubles);
    REQUIRE(b.count);
    const wfi_weft_page good = page_of(&b);
    wfi_weft_page p;
#define REFUSED_WITH(field, value, message)               \
    do {                                                  \
        p = good;                                         \
        p.field = value;                                  \
        put_page(ctx, &b, &p);                            \
        check_refused(&b, b.count, WEFT_EINPUT, message); \
    } while (0)
    REFUSED_WITH(header.version, 1, "header"); /* which has no f64 */
    REFUSED_WITH(header.weight_type, 4, "header");
    REFUSED_WITH(header.weight_type, WEFT_WEIGHT_F32, "section table");
    REFUSED_WITH(header.weight_type, WEFT_WEIGHT_NONE, "section table");
    REFUSED_WITH(header.flags, good.header.flags | WFI_WEFT_WIDE, "header"); /* with few vertices */
    REFUSED_WITH(header.sections, good.header.sections - 1, "section table");
    REFUSED_WITH(header.vertices, good.header.vertices + 1, "section table");
    REFUSED_WITH(header.arcs, good.header.arcs + 1, "header");
    REFUSED_WITH(header.file_bytes, good.header.file_bytes + 1, "section table");
    REFUSED_WITH(header.direction_from, 1, "header");
    REFUSED_WITH(reserved, 1, "section table");
    REFUSED_WITH(zeros[0], 1, "section table");
    for (size_t i = 0; i < sizeof good.changes.reserved / 8; i++) REFUSED_WITH(changes.reserved[i], 1, "section table");
    REFUSED_WITH(changes.log_bytes, 100, "section table");
    REFUSED_WITH(changes.log_offset, 8192, "section table");
    REFUSED_WITH(changes.root_offset[0], 8192, "section table");
    REFUSED_WITH(changes.root_offset[1], 8192, "section table");
    REFUSED_WITH(changes.root_bytes, 4096, "section table");
    REFUSED_WITH(changes.batches, 1, "section table");
#undef REFUSED_WITH
    for (size_t cut = 4096; cut < b.count; cut += 4096) {
        memcpy(b.data, &good, sizeof good);
        check_refused(&b, cut, WEFT_EINPUT, "cut short");
    }
    free(b.data);
}

/* A reader does not insist that version 2 was needed. */
TEST(version_2_without_need_is_read) {
    bytes b = make_file(&small_named);
    REQUIRE(b.count);
    wfi_weft_page page = page_of(&b);
    page.header.version = 2;
    put_page(ctx, &b, &page);
    weft_graph *g = NULL;
    CHECK_U64(read_bytes(ctx, b.data, b.count, &g), WEFT_OK);
    weft_graph_free(g);
    free(b.data);
}

/* Header and table agree with each other, but not with the bytes that are there: refused before any allocation. */
TEST(sizes_that_would_need_terabytes) {
    bytes b = make_file(&small_named);
    REQUIRE(b.count);
    wfi_weft_page page = page_of(&b);
    page.header.arcs = page.header.edges = (uint64_t)1 << 55;
    page.header.vertices = WEFT_NO_VERTEX - 1;
    wfi_weft_sizes sizes = {{0}};
    sizes.of[WFI_ID_NAME_TEXT] = (uint64_t)1 << 57;
    CHECK(wfi_weft_layout(&page, &sizes));
    put_page(ctx, &b, &page);
    check_refused(&b, b.count, WEFT_EINPUT, "cut short");
    page.header.arcs = page.header.edges = (uint64_t)1 << 62;
    sizes.of[WFI_ID_NAME_TEXT] = 0;
    CHECK(!wfi_weft_layout(&page, &sizes));
    put_page(ctx, &b, &page);
    check_refused(&b, b.count, WEFT_EINPUT, "section table");
    free(b.data);
}

TEST(dense_ids_must_not_run_over) {
    recipe r = {.n = 10, .count = 20, .direction = WEFT_DIRECTED, .ids = IDS_FROM_5};
    bytes b = make_file(&r);
    REQUIRE(b.count);
    wfi_weft_page page = page_of(&b);
    page.header.id_base = INT64_MAX - 8;
    put_page(ctx, &b, &page);
    check_refused(&b, b.count, WEFT_EINPUT, "header");
    free(b.data);
}

/* --- length ---------------------------------------------------------------- */

TEST(a_file_cut_anywhere_is_refused) {
    bytes b = make_file(&small_named);
    REQUIRE(b.count);
    static const size_t odd[] = {0, 1, 3, 4, 7, 8, 15, 16, 100, 4095, 4097, 5000, 9001, 20011};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) check_refused(&b, odd[i], WEFT_EINPUT, "x.weft: ");
    for (size_t cut = 4096; cut < b.count; cut += 4096) check_refused(&b, cut, WEFT_EINPUT, "cut short");
    check_refused(&b, b.count - 1, WEFT_EINPUT, "cut short");
    b.data[b.count] = 0; /* load_file leaves room for it */
    check_refused(&b, b.count + 1, WEFT_EINPUT, "1 bytes too many");
    free(b.data);
}

TEST(a_mapped_file_cut_anywhere_is_refused) {
    bytes b = make_file(&small_numbered);
    const char *path = file_path("cut.weft");
    REQUIRE(b.count);
    for (size_t cut = 0; cut < b.count; cut += 2048) {
        weft_graph *g = NULL;
        REQUIRE(write_file(path, b.data, cut));
        CHECK(weft_read(ctx, path, NULL, &g) != WEFT_OK);
        CHECK(g == NULL);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    }
    unlink(path);
    free(b.data);
}

/* --- sections -------------------------------------------------------------- */

/* Flips one bit in the file, opens it, verifies it: one of the two must object. */
static void check_flip_is_found(const char *path, uint64_t at, const char *part) {
    FILE *f = fopen(path, "r+b");
    REQUIRE(f);
    fseek(f, (long)at, SEEK_SET);
    int c = fgetc(f);
    fseek(f, (long)at, SEEK_SET);
    fputc(c ^ 16, f);
    fflush(f);
    weft_graph *g = NULL;
    weft_status st = weft_read(ctx, path, NULL, &g);
    if (!st) st = weft_graph_verify(ctx, g);
    CHECK_U64(st, WEFT_EINPUT);
    if (st) CHECK_HAS(weft_ctx_message(ctx), part);
    weft_graph_free(g);
    fseek(f, (long)at, SEEK_SET);
    fputc(c, f);
    fclose(f);
}

static void check_flips(const recipe *r, bool opens) {
    bytes b = make_file(r);
    const char *path = file_path("flip.weft");
    REQUIRE(b.count && write_file(path, b.data, b.count));
    wfi_weft_page page = page_of(&b);
    uint64_t end = WEFT_FILE_PAGE;
    for (uint32_t i = 0; i < page.header.sections; i++) {
        const wfi_weft_section *s = &page.section[i];
        const char *name = wfi_weft_kind_name(s->kind);
        check_flip_is_found(path, s->offset, name);
        check_flip_is_found(path, s->offset + s->bytes / 2, name);
        check_flip_is_found(path, s->offset + s->bytes - 1, name);
        if (s->offset > end) check_flip_is_found(path, s->offset - 1, "gap");
        end = s->offset + s->bytes;
    }
    weft_graph *g = NULL;
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_OK);
    if (g) CHECK_U64(weft_graph_verify(ctx, g), WEFT_OK);
    weft_graph_free(g);

    /* Damage in the middle of a large file does not keep it from opening, unless every byte is asked for. */
    weft_read_params careful = WEFT_READ_DEFAULTS;
    careful.verify_checksums = 1;
    b.data[page.section[1].offset + page.section[1].bytes / 2] ^= 1;
    REQUIRE(write_file(path, b.data, b.count));
    CHECK_I64(weft_read(ctx, path, NULL, &g) == WEFT_OK, opens);
    weft_graph_free(g);
    CHECK_U64(weft_read(ctx, path, &careful, &g), WEFT_EINPUT);
    unlink(path);
    free(b.data);
}

TEST(a_flipped_bit_in_any_section_of_a_small_file_is_found) {
    check_flips(&small_named, false);
    check_flips(&small_numbered, false);
    check_flips(&small_doubles, false);
}

TEST(a_flipped_bit_in_any_section_of_a_large_file_is_found_by_verify) {
    recipe named = {
        .n = 60000, .count = 300000, .weights = WEFT_WEIGHT_F32, .direction = WEFT_DIRECTED, .ids = IDS_NAMES_SHUFFLED};
    recipe numbered = named;
    numbered.ids = IDS_NUMBERS_SHUFFLED;
    check_flips(&named, true);
    check_flips(&numbered, true);
}

/* --- the rest -------------------------------------------------------------- */

static int stop(void *user) {
    (void)user;
    return 1;
}

TEST(verify_stops_on_request_and_needs_no_file) {
    bytes b = make_file(&small_named);
    const char *path = file_path("stop.weft");
    weft_graph *g = NULL, *made = make_graph(ctx, &small_named);
    REQUIRE(b.count && write_file(path, b.data, b.count));
    CHECK_U64(weft_graph_verify(ctx, made), WEFT_OK);
    CHECK_U64(weft_graph_verify(ctx, NULL), WEFT_EINVAL);
    CHECK_U64(weft_graph_verify(NULL, made), WEFT_EINVAL);
    CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_OK);
    weft_ctx_set_cancel(ctx, stop, NULL);
    CHECK_U64(weft_graph_verify(ctx, g), WEFT_ECANCELLED);
    weft_ctx_set_cancel(ctx, NULL, NULL);
    CHECK_U64(weft_graph_verify(ctx, g), WEFT_OK);
    unlink(path);
    free(b.data);
    weft_graph_free(g);
    weft_graph_free(made);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    ctx = NULL;
}

TEST_MAIN()
