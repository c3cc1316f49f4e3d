/* Sides of a bipartite graph in a .weft file: the numbers of two texts, and a bit for each vertex
 * (docs/formats/weft.md).  Their names are the last two texts of the pool, which are no column's values, so that the
 * columns are those of the same graph without sides. */
#include "attributes/attributes.h"
#include "attributes/sides.h"
#include "io/weft/binary.h"

#include "core/scan.h"

#include <inttypes.h>
#include <string.h>

enum { POLL = 1 << 16, NUMBERS = 2 * sizeof(uint32_t) };

/* --- writing ------------------------------------------------------------------------------------------- */

weft_status wfi_weft_make_pool(weft_ctx *ctx, const weft_graph *g, wfi_weft_pool *pool) {
    const wfi_vertex_data *c = g->attributes;
    const wfi_sides *s = g->sides;
    if (!s) return WEFT_OK;
    uint64_t texts = c ? c->texts : 0, used = c ? c->starts[texts] : 0;
    size_t first = strlen(s->name[0]), second = strlen(s->name[1]);
    if (texts > UINT32_MAX - 2) return wfi_fail(ctx, WEFT_EUNSUPPORTED, "too many texts for a .weft file");
    pool->start_bytes = (size_t)(texts + 3) * sizeof *pool->starts;
    pool->side_bytes = NUMBERS + s->bytes;
    pool->text_bytes = (size_t)used + first + second;
    uint64_t *starts = wfi_take(ctx, pool->start_bytes + pool->side_bytes + pool->text_bytes, 1);
    if (!starts) return WEFT_ENOMEM;
    char *sides = (char *)starts + pool->start_bytes, *text = sides + pool->side_bytes;
    if (c) memcpy(starts, c->starts, (size_t)(texts + 1) * sizeof *starts);
    if (used) memcpy(text, c->text, (size_t)used);
    memcpy(text + used, s->name[0], first);
    memcpy(text + used + first, s->name[1], second);
    starts[texts] = used;
    starts[texts + 1] = used + first;
    starts[texts + 2] = used + first + second;
    const uint32_t numbers[] = {(uint32_t)texts, (uint32_t)texts + 1};
    memcpy(sides, numbers, NUMBERS);
    memcpy(sides + NUMBERS, s->second, s->bytes);
    pool->starts = starts;
    pool->text = text;
    pool->sides = sides;
    return WEFT_OK;
}

/* --- opening ------------------------------------------------------------------------------------------- */

static weft_status wrong(weft_ctx *ctx, const wfi_weft_file *file, const char *rule) {
    return wfi_fail(ctx, WEFT_EINPUT, "%s: wrong section \"sides\": %s", file->name, rule);
}

/* Sections may be unaligned in memory. */
static uint64_t start_at(const wfi_weft_file *file, uint64_t text) {
    uint64_t start;
    memcpy(&start, (const char *)file->data[WFI_TEXT_STARTS] + text * sizeof start, sizeof start);
    return start;
}

static weft_status name_of(weft_ctx *ctx, const wfi_weft_file *file, uint64_t text, char to[WFI_SIDE_NAME_MOST + 1]) {
    uint64_t from = start_at(file, text), end = start_at(file, text + 1),
             bytes = wfi_weft_bytes_of(&file->page, WFI_TEXTS);
    bool sound = from < end && end <= bytes && end - from <= WFI_SIDE_NAME_MOST;
    const char *at = (const char *)file->data[WFI_TEXTS] + (sound ? from : 0);
    if (!sound || memchr(at, '\0', (size_t)(end - from)))
        return wrong(ctx, file, "the sides are called by texts of 1 to 255 bytes without NUL");
    memcpy(to, at, (size_t)(end - from));
    to[end - from] = '\0';
    return WEFT_OK;
}

weft_status wfi_weft_open_sides(weft_ctx *ctx, const wfi_weft_file *file, weft_graph *g) {
    uint64_t starts = wfi_weft_bytes_of(&file->page, WFI_TEXT_STARTS), texts = starts / sizeof(uint64_t) - 1;
    uint32_t number[2];
    char name[2][WFI_SIDE_NAME_MOST + 1];
    if (wfi_weft_bytes_of(&file->page, WFI_SIDES) != NUMBERS + wfi_side_bytes(g->n))
        return wrong(ctx, file, "it has 8 bytes, and a bit for each vertex");
    if (starts < 3 * sizeof(uint64_t) || starts % sizeof(uint64_t))
        return wrong(ctx, file, "the names of the sides are the last two texts");
    memcpy(number, file->data[WFI_SIDES], NUMBERS);
    if (number[0] != texts - 2 || number[1] != texts - 1)
        return wrong(ctx, file, "the names of the sides are the last two texts");
    weft_status st = name_of(ctx, file, number[0], name[0]);
    if (!st) st = name_of(ctx, file, number[1], name[1]);
    if (!st && !strcmp(name[0], name[1])) st = wrong(ctx, file, "the sides have two names");
    if (!st) st = wfi_sides_new(ctx, g->n, name[0], name[1], &g->sides);
    if (st) return st;
    memcpy(g->sides->second, (const char *)file->data[WFI_SIDES] + NUMBERS, g->sides->bytes);
    if (g->n % 8 && g->sides->second[g->n / 8] >> g->n % 8)
        return wrong(ctx, file, "bits beyond the last vertex are zero");
    if (g->attributes) g->attributes->texts -= 2;
    return WEFT_OK;
}

/* --- verifying ----------------------------------------------------------------------------------------- */

/* Checks that no value is the name of a side. */
static weft_status check_texts(weft_ctx *ctx, const wfi_weft_file *file, uint64_t texts) {
    const wfi_column_entry *entries = file->data[WFI_COLUMN_ENTRIES];
    size_t count = entries ? (size_t)(wfi_weft_bytes_of(&file->page, WFI_COLUMN_ENTRIES) / sizeof *entries) : 0;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].name >= texts) return wrong(ctx, file, "no value is one of its texts");
        bool arcs = entries[i].owner == WFI_OF_ARCS;
        uint64_t rows = arcs ? file->page.header.arcs : file->page.header.vertices;
        const uint32_t *value = (const uint32_t *)((const char *)file->data[WFI_COLUMN_VALUES] + entries[i].at);
        for (uint64_t v = 0; v < rows && entries[i].type == WEFT_ATTRIBUTE_TEXT; v++) {
            if (v % POLL == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
            if (value[v] >= texts && value[v]) return wrong(ctx, file, "no value is one of its texts");
        }
    }
    return WEFT_OK;
}

weft_status wfi_weft_verify_sides(weft_ctx *ctx, const wfi_weft_file *file) {
    if (!file->data[WFI_SIDES]) return WEFT_OK;
    const uint64_t *offsets = file->data[WFI_OUT_OFFSETS];
    const uint32_t *targets = file->data[WFI_OUT_TARGETS];
    const uint8_t *second = (const uint8_t *)file->data[WFI_SIDES] + NUMBERS;
    uint64_t n = file->page.header.vertices, first = n;
    weft_status st = check_texts(ctx, file, wfi_weft_bytes_of(&file->page, WFI_TEXT_STARTS) / sizeof(uint64_t) - 3);
    if (st) return st;
#pragma omp parallel for num_threads(wfi_threads_for(ctx, n, 1 << 14)) schedule(dynamic, 4096) reduction(min : first)
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t e = offsets[v]; e < offsets[v + 1]; e++)
            if (wfi_has_bit(second, targets[e]) == wfi_has_bit(second, v) && v < first) first = v;
    if (first == n) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINPUT, "%s: wrong at vertex %" PRIu64 " of section \"sides\": an edge is within a side",
                    file->name, first);
}
