/* File ids in comment lines: written, read back, and checked to be one id for each vertex, all different.
 * Encoding: idcomments.h.  The lines come in vertex order, so the vertex number of a line is checked, never looked
 * up. */
#include "io/adjacency/idcomments.h"
#include "io/io.h"
#include "stream/numbers.h"

#include <stdlib.h>
#include <string.h>

/* --- writing ---------------------------------------------------------------- */

static weft_status write_list(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format,
                              const char *prefix, int64_t natural_base) {
    bool names = g->ids.kind == WEFT_IDS_STRING;
    weft_status st = names ? wfi_check_names(ctx, g, format, wfi_unfit_line) : WEFT_OK;
    if (st) return st;
    wfi_sink_print(sink, "%sweft ids %s\n", prefix, names ? "string" : "integer");
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        wfi_sink_print(sink, "%sid ", prefix);
        wfi_sink_i64(sink, natural_base + (int64_t)v);
        wfi_sink_char(sink, ' ');
        if (names)
            wfi_sink_bytes(sink, g->ids.text + g->ids.start[v], (size_t)(g->ids.start[v + 1] - g->ids.start[v]));
        else
            wfi_sink_i64(sink, g->ids.number[v]);
        wfi_sink_char(sink, '\n');
    }
    return WEFT_OK;
}

weft_status wfi_write_id_comments(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format,
                                  const char *prefix, int64_t natural_base) {
    if (g->ids.kind != WEFT_IDS_DENSE) return write_list(ctx, g, sink, format, prefix, natural_base);
    if (g->ids.base != natural_base) wfi_sink_print(sink, "%sweft base %lld\n", prefix, (long long)g->ids.base);
    return WEFT_OK;
}

/* --- reading lines ------------------------------------------------------------ */

/* The text after `word` and a blank, or NULL if the line does not begin with them. */
static const char *after(const char *line, const char *end, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(end - line) <= length || memcmp(line, word, length) || line[length] != ' ') return NULL;
    return line + length + 1;
}

static bool is_word(const char *from, const char *end, const char *word) {
    return (size_t)(end - from) == strlen(word) && !memcmp(from, word, strlen(word));
}

typedef struct place {
    weft_ctx *ctx;
    const wfi_source *source;
    const char *text;
} place;

#define FAIL(p, at, ...) wfi_fail_in_text((p).ctx, (p).source, (p).text, (at), __VA_ARGS__)

/* Reads a number that fills [at, end); fails at `at` otherwise. */
static weft_status whole_number(place p, const char *at, const char *end, const char *what, int64_t *value) {
    const char *q = at;
    wfi_number st = at < end ? wfi_scan_i64(&q, value) : WFI_NUMBER_NONE;
    if (st == WFI_NUMBER_OK && q == end) return WEFT_OK;
    if (st == WFI_NUMBER_TOO_BIG) return FAIL(p, at, "this %s does not fit in 64 bits", what);
    return FAIL(p, at, "expected %s, a whole number, and nothing after it", what);
}

static weft_status take_statement(place p, wfi_id_comments *c, const char *at, const char *end) {
    const char *value = after(at, end, "base");
    if (!value) value = after(at, end, "ids");
    if (!value) return WEFT_OK; /* another declaration of Weft's, not about ids */
    if (c->kind != WFI_ID_COMMENTS_NONE) return FAIL(p, at, "the ids are declared a second time");
    c->first = at - strlen("weft ") - strlen(c->prefix);
    if (*at == 'b') {
        c->kind = WFI_ID_COMMENTS_BASE;
        return whole_number(p, value, end, "the first id", &c->base);
    }
    if (is_word(value, end, "integer"))
        c->kind = WFI_ID_COMMENTS_INTEGER;
    else if (is_word(value, end, "string"))
        c->kind = WFI_ID_COMMENTS_STRING;
    else
        return FAIL(p, value, "ids are \"integer\" or \"string\", nothing else");
    return WEFT_OK;
}

static weft_status grow(weft_ctx *ctx, wfi_id_comments *c, size_t text_more) {
    bool integers = c->kind == WFI_ID_COMMENTS_INTEGER;
    weft_status st = integers ? WFI_ROOM(ctx, c->number, c->count + 1, c->room, 64)
                              : WFI_ROOM(ctx, c->start, c->count + 1, c->room, 64);
    if (st || integers) return st;
    if (c->count == 0) c->start[0] = 0;
    return WFI_ROOM(ctx, c->text, c->start[c->count] + text_more, c->text_room, 64);
}

static weft_status take_id(place p, wfi_id_comments *c, const char *at, const char *end) {
    int64_t number, expected = c->natural_base + (int64_t)c->count;
    const char *q = at;
    if (wfi_scan_i64(&q, &number) || q >= end || *q != ' ')
        return FAIL(p, at, "expected a vertex number, a blank and the vertex's id");
    if (number != expected)
        return FAIL(p, at, "the ids must come in order: expected that of vertex %lld", (long long)expected);
    const char *id = q + 1;
    if (grow(p.ctx, c, (size_t)(end - id))) return WEFT_ENOMEM;
    if (c->kind == WFI_ID_COMMENTS_INTEGER) {
        weft_status st = whole_number(p, id, end, "an id", &c->number[c->count]);
        if (st) return st;
    } else {
        const char *nul = memchr(id, '\0', (size_t)(end - id));
        if (nul) return FAIL(p, nul, "a NUL byte in a name");
        memcpy(c->text + c->start[c->count], id, (size_t)(end - id));
        c->start[c->count + 1] = c->start[c->count] + (uint64_t)(end - id);
    }
    c->count++;
    return WEFT_OK;
}

weft_status wfi_id_comments_line(weft_ctx *ctx, const wfi_source *source, wfi_id_comments *c, const char *text,
                                 const char *line, const char *end) {
    if (end > line && end[-1] == '\r') end--;
    size_t length = strlen(c->prefix);
    if ((size_t)(end - line) < length || memcmp(line, c->prefix, length)) return WEFT_OK;
    line += length;
    place p = {ctx, source, text};
    const char *statement = after(line, end, "weft");
    if (statement) return take_statement(p, c, statement, end);
    bool listing = c->kind == WFI_ID_COMMENTS_INTEGER || c->kind == WFI_ID_COMMENTS_STRING;
    const char *id = listing ? after(line, end, "id") : NULL;
    return id ? take_id(p, c, id, end) : WEFT_OK;
}

/* --- applying ------------------------------------------------------------------ */

/* The line of id number `index`, or of the declaration (index = -1).  index < count, so the line exists and the scans
 * end. */
static const char *line_of(const wfi_id_comments *c, int64_t index) {
    size_t length = strlen(c->prefix);
    const char *line = c->first;
    while (index >= 0) {
        while (*line++ != '\n') continue;
        if (!memcmp(line, c->prefix, length) && !memcmp(line + length, "id ", 3)) index--;
    }
    return line;
}

static int compare_numbers(const void *a, const void *b, void *ids) {
    const int64_t *number = ((const wfi_id_comments *)ids)->number;
    int64_t x = number[*(const weft_vid *)a], y = number[*(const weft_vid *)b];
    return (x > y) - (x < y);
}

static int compare_names(const void *a, const void *b, void *ids) {
    const wfi_id_comments *c = ids;
    weft_vid v = *(const weft_vid *)a, w = *(const weft_vid *)b;
    uint64_t v_length = c->start[v + 1] - c->start[v], w_length = c->start[w + 1] - c->start[w];
    int order = memcmp(c->text + c->start[v], c->text + c->start[w], wfi_min_u64(v_length, w_length));
    return order ? order : (v_length > w_length) - (v_length < w_length);
}

/* *by_id: the vertices by ascending id, or NULL if that is their own order; fails if two ids are equal. */
static weft_status order_ids(place p, wfi_id_comments *c, weft_vid n, weft_vid **by_id) {
    int (*compare)(const void *, const void *, void *) =
        c->kind == WFI_ID_COMMENTS_INTEGER ? compare_numbers : compare_names;
    bool ascending = true;
    for (weft_vid v = 1; v < n && ascending; v++) ascending = compare(&(weft_vid){v - 1}, &v, c) < 0;
    *by_id = NULL;
    if (ascending) return WEFT_OK;
    if (wfi_alloc(p.ctx, by_id, n)) return WEFT_ENOMEM;
    for (weft_vid v = 0; v < n; v++) (*by_id)[v] = v;
    qsort_r(*by_id, n, sizeof **by_id, compare, c);
    for (weft_vid k = 1; k < n; k++) {
        if (compare(&(*by_id)[k - 1], &(*by_id)[k], c)) continue;
        weft_vid a = (*by_id)[k - 1], b = (*by_id)[k];
        weft_vid first = a < b ? a : b, second = a < b ? b : a;
        return FAIL(p, line_of(c, (int64_t)second), "this id was given to vertex %lld already",
                    (long long)(c->natural_base + (int64_t)first));
    }
    return WEFT_OK;
}

static weft_status apply_list(place p, wfi_id_comments *c, weft_graph *g) {
    if (c->count != g->n)
        return FAIL(p, line_of(c, (int64_t)c->count - 1), "the list of ids ends after %llu, but there are %lu vertices",
                    (wfi_ull)c->count, (unsigned long)g->n);
    if (g->n == 0) return WEFT_OK;
    weft_vid *by_id;
    weft_status st = order_ids(p, c, g->n, &by_id);
    if (st) {
        wfi_free(by_id);
        return st;
    }
    g->ids = (wfi_ids){.number = c->number, .start = c->start, .text = c->text, .by_id = by_id};
    g->ids.kind = c->kind == WFI_ID_COMMENTS_INTEGER ? WEFT_IDS_SPARSE : WEFT_IDS_STRING;
    c->number = NULL;
    c->start = NULL;
    c->text = NULL;
    return WEFT_OK;
}

weft_status wfi_apply_id_comments(weft_ctx *ctx, const wfi_source *source, wfi_id_comments *c, const char *text,
                                  weft_graph *g) {
    if (c->kind == WFI_ID_COMMENTS_NONE) return WEFT_OK;
    if (c->kind != WFI_ID_COMMENTS_BASE) return apply_list((place){ctx, source, text}, c, g);
    int64_t last;
    if (__builtin_add_overflow(c->base, (int64_t)g->n, &last))
        return wfi_fail_in_text(ctx, source, text, c->first, "ids of %lu vertices from %lld on do not fit in 64 bits",
                                (unsigned long)g->n, (long long)c->base);
    g->ids.base = c->base;
    return WEFT_OK;
}

void wfi_id_comments_free(wfi_id_comments *c) {
    WFI_FREE(c->number, c->start, c->text);
    c->number = NULL;
    c->start = NULL;
    c->text = NULL;
}
