/* Graphs of every kind for the tests of the .weft format, files in a temporary folder, and the means to damage them. */
#ifndef WEFT_TESTS_BINARY_FIXTURE_H
#define WEFT_TESTS_BINARY_FIXTURE_H

#include "support.h"

#include "core/scan.h"
#include "io/weft/binary.h"

typedef enum id_choice {
    IDS_FROM_0,
    IDS_FROM_5,
    IDS_NUMBERS,
    IDS_NUMBERS_SHUFFLED,
    IDS_NAMES,
    IDS_NAMES_SHUFFLED,
    ID_CHOICES
} id_choice;

typedef struct recipe {
    weft_vid n;
    uint64_t count; /* edges asked for; some are loops, some come twice */
    weft_weight_type weights;
    weft_direction direction;
    weft_duplicates duplicates;
    weft_loops loops;
    id_choice ids;
} recipe;

/* A path of a file that only this process uses. */
static inline const char *file_path(const char *name) {
    static char path[512];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/weft-test-%ld-%s", folder ? folder : "/tmp", (long)getpid(), name);
    return path;
}

static inline void put_numbers(weft_ctx *ctx, weft_graph *g) {
    g->ids.kind = WEFT_IDS_SPARSE;
    g->ids.base = 0;
    if (wfi_alloc(ctx, &g->ids.number, g->n)) return;
    for (weft_vid v = 0; v < g->n; v++) g->ids.number[v] = (int64_t)v * 1000003 - 17;
}

static inline void put_names(weft_ctx *ctx, weft_graph *g) {
    enum { ROOM = 24 };
    uint64_t used = 0;
    g->ids.kind = WEFT_IDS_STRING;
    g->ids.base = 0;
    if (wfi_alloc(ctx, &g->ids.start, (size_t)g->n + 1) || wfi_alloc(ctx, &g->ids.text, (size_t)g->n * ROOM)) return;
    for (weft_vid v = 0; v < g->n; v++) {
        g->ids.start[v] = used;
        used += (uint64_t)snprintf(g->ids.text + used, ROOM, "%09u%s", v, v % 3 ? "" : " \xc3\xbc");
    }
    g->ids.start[g->n] = used;
}

/* Vertices backwards, so that the id order has to be stored. */
static inline weft_graph *shuffled(weft_ctx *ctx, weft_graph *g) {
    weft_graph *other = NULL;
    weft_vid *order = malloc(((size_t)g->n + 1) * sizeof *order);
    for (weft_vid v = 0; v < g->n; v++) order[v] = g->n - 1 - v;
    weft_graph_relabel(ctx, g, order, &other);
    free(order);
    weft_graph_free(g);
    return other;
}

static inline weft_graph *make_graph(weft_ctx *ctx, const recipe *r) {
    weft_vid *from = malloc((r->count + 1) * sizeof *from), *to = malloc((r->count + 1) * sizeof *to);
    uint32_t *weight = malloc((r->count + 1) * sizeof *weight);
    double *wide = malloc((r->count + 1) * sizeof *wide);
    for (uint64_t i = 0; i < r->count; i++) {
        from[i] = (weft_vid)(wfi_mix(2 * i + 1) % r->n);
        to[i] = i % 10 == 3 ? from[i] : (weft_vid)(wfi_mix(2 * i + 2) % r->n);
        if (i % 7 == 6) from[i] = from[i - 1], to[i] = to[i - 1];
        float real = (float)(i % 1000) / 4;
        weight[i] = (uint32_t)i;
        wide[i] = (double)(i % 1000) / 3;
        if (r->weights == WEFT_WEIGHT_F32) memcpy(&weight[i], &real, sizeof real);
    }
    weft_build_params build = {sizeof build, r->direction, r->duplicates, r->loops};
    weft_graph *g = NULL;
    const void *weights = r->weights == WEFT_WEIGHT_F64 ? (void *)wide : r->weights ? weight : NULL;
    weft_graph_from_edges(ctx, r->n, r->count, from, to, weights, r->weights, &build, &g);
    free(from);
    free(to);
    free(weight);
    free(wide);
    if (!g) return NULL;
    if (r->ids == IDS_FROM_5) g->ids.base = 5;
    if (r->ids == IDS_NUMBERS || r->ids == IDS_NUMBERS_SHUFFLED) put_numbers(ctx, g);
    if (r->ids == IDS_NAMES || r->ids == IDS_NAMES_SHUFFLED) put_names(ctx, g);
    return r->ids == IDS_NUMBERS_SHUFFLED || r->ids == IDS_NAMES_SHUFFLED ? shuffled(ctx, g) : g;
}

/* --- files as bytes ------------------------------------------------------- */

typedef struct bytes {
    char *data;
    size_t count;
} bytes;

static inline bytes load_file(const char *path) {
    bytes b;
    b.data = read_file(path, &b.count);
    return b;
}

/* The .weft file of a graph made from a recipe. */
static inline bytes file_of(weft_ctx *ctx, const recipe *r, bool both_directions) {
    weft_write_params params = WEFT_WRITE_DEFAULTS;
    params.both_directions = both_directions;
    const char *path = file_path("made.weft");
    weft_graph *g = make_graph(ctx, r);
    bytes b = {NULL, 0};
    if (g && weft_write(ctx, g, path, &params) == WEFT_OK) b = load_file(path);
    unlink(path);
    weft_graph_free(g);
    return b;
}

static inline weft_status read_bytes(weft_ctx *ctx, const char *data, size_t count, weft_graph **g) {
    weft_read_params params = WEFT_READ_DEFAULTS;
    params.format = "weft";
    params.duplicates = WEFT_DUPLICATES_KEEP;
    *g = NULL;
    return weft_read_memory(ctx, data, count, "x.weft", &params, g);
}

/* --- damage ---------------------------------------------------------------- */

static inline wfi_weft_page page_of(const bytes *b) {
    wfi_weft_page page;
    memcpy(&page, b->data, sizeof page);
    return page;
}

static inline const wfi_weft_section *section_of(const wfi_weft_page *page, wfi_weft_kind kind) {
    for (uint32_t i = 0; i < page->header.sections; i++)
        if (page->section[i].kind == (uint32_t)kind) return &page->section[i];
    return NULL;
}

/* Puts a changed page back, with the checksum that makes it believable. */
static inline void put_page(weft_ctx *ctx, bytes *b, wfi_weft_page *page) {
    page->header.digest = wfi_weft_page_digest(ctx, page);
    memcpy(b->data, page, sizeof *page);
}

/* The same after sections were changed. */
static inline void reseal(weft_ctx *ctx, bytes *b) {
    wfi_weft_page page = page_of(b);
    for (uint32_t i = 0; i < page.header.sections; i++) {
        wfi_weft_section *s = &page.section[i];
        s->digest = wfi_digest(ctx, b->data + s->offset, (size_t)s->bytes, s->kind);
    }
    put_page(ctx, b, &page);
}

#endif
