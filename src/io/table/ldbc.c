/* LDBC Graphalytics graphs: X.v lists the vertices, `id [property ...]`, X.e the edges, `source target [weight
 * [property ...]]`.
 *
 * Rules: named by X.e, X.v or X; each may be .gz or .zst.  A vertex without edges is a vertex because .v lists it; an
 * edge with an id that .v does not list is an error.  Without a .v the ids that occur are the vertices, with a warning.
 * Directed unless X.properties says `... .directed = false`, or the caller does.
 * Either every line has a weight or none: the first tells; it also tells how many properties each line has, which are
 * passed over.  Lines that begin with # are comments.
 *
 * [1] Iosup et al., "The LDBC Graphalytics Benchmark", arXiv:2011.15028, section 2.2. */
#include "core/scan.h"
#include "core/search.h"
#include "io/io.h"
#include "io/stream/part_files.h"
#include "io/text/words.h"

#include <string.h>
#include <unistd.h>

/* The ids that a .v file lists. */
typedef struct vertex_ids {
    uint64_t *sorted; /* ascending and distinct, each with its sign bit turned so that unsigned order is theirs */
    uint64_t count;
    uint64_t low, high;
    uint64_t *bits; /* bit i = low + i is there; NULL when the ids are too far apart, or without gaps */
} vertex_ids;

/* How the lines of a file are read, and what they hold. */
typedef struct reading {
    const vertex_ids *ids; /* every end is one of these; NULL: no .v file, or this is one */
    int ends;              /* on each line: 1 in .v, 2 in .e */
    bool weights_in_file, keep_weights;
    weft_weight_type weight_type; /* while they are read */
    uint64_t properties;          /* on each line */
    wfi_collector *collectors;
    wfi_edges edges; /* of a .v file: from each vertex to itself */
} reading;

/* --- properties ---------------------------------------------------------------------------- */

/* Words in the first line of a .v or .e file that is no comment. */
static uint64_t words_of_first_line(const wfi_source *source) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes), *end = head + bytes, *p = wfi_next_data(head, end);
    uint64_t words = 0;
    for (; p < end && *p != '\n'; p = wfi_skip_blanks(wfi_word_end(p, end))) words++;
    return words;
}

/* Passes over `count` properties, as many as the first line has, to the end of the line. */
static weft_status pass_over(const wfi_text_block *block, const char **at, uint64_t count, wfi_parse_error *error) {
    const char *end = block->text + block->bytes, *p = wfi_skip_blanks(*at);
    uint64_t seen = 0;
    for (; p < end && *p != '\n' && seen < count; seen++) p = wfi_skip_blanks(wfi_word_end(p, end));
    *at = p;
    if (seen == count && (p >= end || *p == '\n')) return WEFT_OK;
    if (!count)
        return wfi_block_error(error, block, p, "expected the end of the line, as in the first, found %s",
                               wfi_quote_word(p, end).text);
    return wfi_block_error(error, block, p, "expected %llu propert%s, as in the first line, found %s", (wfi_ull)count,
                           count == 1 ? "y" : "ies", seen < count ? "fewer" : wfi_quote_word(p, end).text);
}

/* --- vertices ------------------------------------------------------------------------------ */

static uint64_t key_of(int64_t id) { return (uint64_t)id ^ (uint64_t)1 << 63; }

static weft_status make_bits(weft_ctx *ctx, vertex_ids *ids) {
    if (!ids->count) return WEFT_OK;
    ids->low = ids->sorted[0];
    ids->high = ids->sorted[ids->count - 1];
    uint64_t range = ids->high - ids->low;
    if (range == ids->count - 1 || range / 64 > ids->count) return WEFT_OK;
    if (wfi_alloc_zeroed(ctx, &ids->bits, range / 64 + 1)) return WEFT_ENOMEM;
    for (uint64_t i = 0; i < ids->count; i++) {
        uint64_t at = ids->sorted[i] - ids->low;
        ids->bits[at / 64] |= (uint64_t)1 << at % 64;
    }
    return WEFT_OK;
}

static void free_ids(vertex_ids *ids) {
    WFI_FREE(ids->sorted, ids->bits);
    *ids = (vertex_ids){0};
}

/* Turns the sorted ids into plain numbers, in place.  is_listed must not be called after it. */
static const int64_t *release_ids(vertex_ids *ids) {
    for (uint64_t i = 0; i < ids->count; i++) ids->sorted[i] ^= (uint64_t)1 << 63;
    return (const int64_t *)ids->sorted;
}

/* By range when there are no gaps, by the bitmap if there is one, by binary search otherwise. */
static inline bool is_listed(const vertex_ids *ids, int64_t id) {
    uint64_t key = key_of(id), at = key - ids->low;
    if (!ids->count || key < ids->low || key > ids->high) return false;
    if (ids->bits) return ids->bits[at / 64] >> at % 64 & 1;
    if (ids->high - ids->low == ids->count - 1) return true;
    at = wfi_lower_bound_u64(ids->sorted, 0, ids->count, key);
    return at < ids->count && ids->sorted[at] == key;
}

/* --- lines ------------------------------------------------------------------------- */

static weft_status take_weight(const reading *r, wfi_collector *c, const wfi_text_block *block, const char **at,
                               wfi_parse_error *error) {
    const char *end = block->text + block->bytes, *p = *at = wfi_skip_blanks(*at);
    if (p >= end || *p == '\n') return wfi_block_error(error, block, p, "expected a weight, as in the first line");
    if (r->keep_weights) return wfi_take_weight(block, at, c, "a weight", error);
    *at = wfi_word_end(p, end);
    return WEFT_OK;
}

static weft_status take_line(weft_ctx *ctx, const reading *r, wfi_collector *c, const wfi_text_block *block,
                             const char **at, wfi_parse_error *error) {
    int64_t id[2];
    weft_status st = WEFT_OK;
    for (int k = 0; k < r->ends && !st; k++) {
        const char *start = *at = wfi_skip_blanks(*at);
        st = wfi_take_id(block, at, &id[k], error);
        if (!st && r->ids && !is_listed(r->ids, id[k]))
            st = wfi_block_error(error, block, start, "vertex %lld is not listed in the .v file", (long long)id[k]);
    }
    if (!st) st = wfi_collect(ctx, c, id[0], id[r->ends - 1]);
    if (!st && r->weights_in_file) st = take_weight(r, c, block, at, error);
    return st ? st : pass_over(block, at, r->properties, error);
}

static weft_status parse_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                               wfi_parse_error *error) {
    reading *r = user;
    wfi_collector *c = &r->collectors[block->thread];
    const char *end = block->text + block->bytes;
    *lines = wfi_count_lines(block->text, block->bytes);
    weft_status st = wfi_collector_reset(ctx, c, *lines + 1, r->weight_type);
    for (const char *p = wfi_next_data(block->text, end); !st && p < end; p = wfi_next_data(p, end))
        st = take_line(ctx, r, c, block, &p, error);
    return st ? st : wfi_collector_deliver(ctx, c, &r->edges, block->index, 0);
}

static weft_status read_lines(weft_ctx *ctx, wfi_source *source, reading *r) {
    weft_status st = wfi_collectors_new(ctx, &r->collectors);
    if (!st) st = wfi_read_blocks(ctx, source, 0, WFI_CUT_LINES, parse_block, r);
    wfi_collectors_free(ctx, r->collectors);
    if (!st && r->properties)
        wfi_note(ctx, "%s: passed over %llu propert%s per line", wfi_source_name(source), (wfi_ull)r->properties,
                 r->properties == 1 ? "y" : "ies");
    return st;
}

static weft_status sort_ids(weft_ctx *ctx, const wfi_edges *edges, vertex_ids *ids) {
    if (wfi_alloc(ctx, &ids->sorted, wfi_edges_total(edges))) return WEFT_ENOMEM;
    for (size_t k = 0; k < edges->count; k++) {
        const wfi_piece *p = &edges->pieces[k];
        for (uint64_t i = 0; i < p->count; i++)
            ids->sorted[ids->count++] = key_of(p->wide ? p->wide[2 * i] : p->narrow[2 * i]);
    }
    return wfi_sort_u64(ctx, ids->sorted, ids->count);
}

/* All ids, one a line, each with as many properties after it as the first. */
static weft_status read_ids(weft_ctx *ctx, wfi_source *source, vertex_ids *ids) {
    uint64_t words = words_of_first_line(source);
    reading r = {.ends = 1, .properties = words ? words - 1 : 0};
    weft_status st = read_lines(ctx, source, &r);
    if (!st) st = sort_ids(ctx, &r.edges, ids);
    wfi_edges_free(&r.edges);
    if (st) return st;
    uint64_t distinct = wfi_unique_u64(ids->sorted, ids->count);
    if (distinct < ids->count)
        wfi_warn(ctx, "%s: %llu id%s listed more than once", wfi_source_name(source), (wfi_ull)(ids->count - distinct),
                 ids->count - distinct == 1 ? " is" : "s are");
    ids->count = distinct;
    return make_bits(ctx, ids);
}

static weft_status read_edges(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, reading *r) {
    uint64_t words = words_of_first_line(source);
    r->ends = 2;
    r->weights_in_file = words > 2;
    r->properties = words > 3 ? words - 3 : 0;
    r->keep_weights = r->weights_in_file && params->weights != WEFT_WEIGHTS_IGNORE;
    r->weight_type = wfi_first_weight_type(params, r->keep_weights);
    weft_status st = wfi_check_weights_wish(ctx, source, params, r->weights_in_file, "the first line has two columns");
    return st ? st : read_lines(ctx, source, r);
}

/* --- the other files ----------------------------------------------------------------- */

/* A graph may be named without an extension: if there is no such file, but one with .e or .v (perhaps .gz or .zst). */
weft_status wfi_find_ldbc(weft_ctx *ctx, const char *path, char **out) {
    *out = NULL;
    if (!access(path, F_OK) || !strcmp(path, "-")) return WEFT_OK;
    weft_status st = wfi_beside_find(ctx, path, strlen(path), ".e", out);
    if (!st && !*out) st = wfi_beside_find(ctx, path, strlen(path), ".v", out);
    return st;
}

static weft_status open_beside(weft_ctx *ctx, const wfi_source *source, const char *extension, wfi_source **out) {
    return wfi_beside_open(ctx, source, "e v", extension, out);
}

/* The value behind `key =` in the line, if its key is `directed` or ends in `.directed`; else NULL. */
static const char *directed_value(const char *line, const char *end) {
    static const char key[] = "directed";
    const char *equals = memchr(line, '=', (size_t)(end - line));
    if (!equals || *line == '#') return NULL;
    const char *stop = equals;
    while (stop > line && wfi_is_space(stop[-1])) stop--;
    size_t length = sizeof key - 1;
    if ((size_t)(stop - line) < length || memcmp(stop - length, key, length)) return NULL;
    if (stop - length > line && stop[-(ptrdiff_t)length - 1] != '.') return NULL;
    return wfi_skip_blanks(equals + 1);
}

static weft_status read_properties(weft_ctx *ctx, const wfi_source *graph, bool *directed, bool *open) {
    wfi_source *source;
    const char *text, *value;
    size_t bytes;
    *directed = *open = true;
    weft_status st = open_beside(ctx, graph, ".properties", &source);
    if (st || !source) return st;
    st = wfi_source_whole(ctx, source, &text, &bytes);
    const char *end = st ? NULL : text + bytes;
    for (const char *line = st ? NULL : text, *stop; !st && line < end; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) stop = end;
        line = wfi_next_word(line, stop);
        value = directed_value(line, stop);
        if (!value) continue;
        size_t length = (size_t)(wfi_word_end(value, stop) - value);
        bool yes = length == 4 && !memcmp(value, "true", 4), no = length == 5 && !memcmp(value, "false", 5);
        if (!yes && !no)
            st = wfi_fail_in_text(ctx, source, text, value, "expected true or false, found %s",
                                  wfi_quote_word(value, stop).text);
        *directed = yes;
        *open = false;
        break;
    }
    wfi_source_close(source);
    return st;
}

/* --- all together ---------------------------------------------------------------------- */

/* Which of the two files was named, and the other; they are NULL when not there.  *opened is to be closed. */
static weft_status open_both(weft_ctx *ctx, wfi_source *named, wfi_source **vertices, wfi_source **edges,
                             wfi_source **opened) {
    bool named_vertices = wfi_name_has_extension(wfi_source_plain_name(named), "v");
    weft_status st = open_beside(ctx, named, named_vertices ? ".e" : ".v", opened);
    if (st) return st;
    *vertices = named_vertices ? named : *opened;
    *edges = named_vertices ? *opened : named;
    if (!*edges)
        return wfi_fail(ctx, WEFT_EIO, "%s: there is no .e file with the edges next to it", wfi_source_name(named));
    if (!*vertices)
        wfi_warn(ctx, "%s: there is no .v file next to it: the ids that occur are the vertices",
                 wfi_source_name(named));
    return WEFT_OK;
}

weft_status wfi_read_ldbc(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    wfi_source *vertices, *edges, *opened = NULL;
    vertex_ids ids = {0};
    reading r = {0};
    bool directed, open;
    *out = NULL;
    weft_status st = open_both(ctx, source, &vertices, &edges, &opened);
    if (!st) st = read_properties(ctx, source, &directed, &open);
    if (st) goto done;
    if (vertices) {
        st = read_ids(ctx, vertices, &ids);
        r.ids = &ids;
    }
    if (!st) st = read_edges(ctx, edges, params, &r);
    if (st) goto done;
    wfi_build build = {.numbering = WFI_COMPACT, .params = wfi_read_rules(params), .format = "ldbc"};
    build.extra_count = ids.count;
    build.extra_ids = release_ids(&ids);
    build.directed = wfi_resolve_directed(params->direction, directed);
    build.direction_open = open;
    st = wfi_graph_build(ctx, &r.edges, &build, out);
done:
    free_ids(&ids);
    wfi_edges_free(&r.edges);
    wfi_source_close(opened);
    return st;
}
