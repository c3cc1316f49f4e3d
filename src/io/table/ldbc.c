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
#include "io/io.h"
#include "io/stream/part_files.h"
#include "io/table/ldbc_ids.h"
#include "io/text/collect.h"
#include "io/text/numbers.h"
#include "io/text/words.h"

#include <string.h>
#include <unistd.h>

typedef struct reading {
    const wfi_ldbc_ids *ids; /* NULL: no .v file */
    bool weights_in_file, keep_weights;
    weft_weight_type weight_type; /* while they are read */
    uint64_t properties;          /* on each line */
    wfi_collector *collectors;
    wfi_edges edges;
} reading;

/* --- edges ------------------------------------------------------------------------- */

static weft_status take_end(const reading *r, const wfi_text_block *block, const char **at, int64_t *id,
                            wfi_parse_error *error) {
    const char *start = *at = wfi_skip_blanks(*at);
    weft_status st = wfi_take_id(block, at, id, error);
    if (!st && r->ids && !wfi_ldbc_has(r->ids, *id))
        return wfi_block_error(error, block, start, "vertex %lld is not listed in the .v file", (long long)*id);
    return st;
}

static weft_status take_weight(const reading *r, wfi_collector *c, const wfi_text_block *block, const char **at,
                               wfi_parse_error *error) {
    const char *end = block->text + block->bytes, *p = *at = wfi_skip_blanks(*at);
    if (p >= end || *p == '\n') return wfi_block_error(error, block, p, "expected a weight, as in the first line");
    if (r->keep_weights) return wfi_take_weight(block, at, c, "a weight", error);
    *at = wfi_word_end(p, end);
    return WEFT_OK;
}

static weft_status take_edge(weft_ctx *ctx, const reading *r, wfi_collector *c, const wfi_text_block *block,
                             const char **at, wfi_parse_error *error) {
    int64_t u, v;
    weft_status st = take_end(r, block, at, &u, error);
    if (!st) st = take_end(r, block, at, &v, error);
    if (!st) st = wfi_collect(ctx, c, u, v);
    if (!st && r->weights_in_file) st = take_weight(r, c, block, at, error);
    return st ? st : wfi_ldbc_pass_over(block, at, r->properties, error);
}

static weft_status parse_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                               wfi_parse_error *error) {
    reading *r = user;
    wfi_collector *c = &r->collectors[block->thread];
    const char *end = block->text + block->bytes;
    *lines = wfi_count_lines(block->text, block->bytes);
    weft_status st = wfi_collector_reset(ctx, c, *lines + 1, r->weight_type);
    for (const char *p = wfi_next_data(block->text, end); !st && p < end; p = wfi_next_data(p, end))
        st = take_edge(ctx, r, c, block, &p, error);
    return st ? st : wfi_collector_deliver(ctx, c, &r->edges, block->index, 0);
}

static weft_status read_edges(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, reading *r) {
    uint64_t words = wfi_ldbc_words(source);
    r->weights_in_file = words > 2;
    r->properties = words > 3 ? words - 3 : 0;
    r->keep_weights = r->weights_in_file && params->weights != WEFT_WEIGHTS_IGNORE;
    r->weight_type = wfi_first_weight_type(params, r->keep_weights);
    weft_status st = wfi_check_weights_wish(ctx, source, params, r->weights_in_file, "the first line has two columns");
    if (!st) st = wfi_collectors_new(ctx, &r->collectors);
    if (!st) st = wfi_read_blocks(ctx, source, 0, WFI_CUT_LINES, parse_block, r);
    wfi_collectors_free(ctx, r->collectors);
    if (!st) wfi_ldbc_note(ctx, source, r->properties);
    return st;
}

/* --- the other files ----------------------------------------------------------------- */

/* A graph may be named without an extension: if there is no such file, but one with .e or .v (perhaps .gz or .zst). */
static weft_status find(weft_ctx *ctx, const char *path, char **out) {
    *out = NULL;
    if (!access(path, F_OK) || !strcmp(path, "-")) return WEFT_OK;
    weft_status st = wfi_beside_find(ctx, path, strlen(path), ".e", out);
    if (!st && !*out) st = wfi_beside_find(ctx, path, strlen(path), ".v", out);
    return st;
}

static weft_status open_beside(weft_ctx *ctx, const wfi_source *source, const char *extension, wfi_source **out) {
    return wfi_beside_open(ctx, source, wfi_format_ldbc.info.extensions, extension, out);
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

static weft_status read_ldbc(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    wfi_source *vertices, *edges, *opened = NULL;
    wfi_ldbc_ids ids = {0};
    reading r = {0};
    bool directed, open;
    *out = NULL;
    weft_status st = open_both(ctx, source, &vertices, &edges, &opened);
    if (!st) st = read_properties(ctx, source, &directed, &open);
    if (st) goto done;
    if (vertices) {
        st = wfi_ldbc_ids_read(ctx, vertices, &ids);
        r.ids = &ids;
    }
    if (!st) st = read_edges(ctx, edges, params, &r);
    if (st) goto done;
    wfi_build build = {.numbering = WFI_COMPACT, .params = wfi_read_rules(params), .format = wfi_format_ldbc.info.name};
    build.extra_count = ids.count;
    build.extra_ids = wfi_ldbc_ids_release(&ids);
    build.directed = wfi_resolve_directed(params->direction, directed);
    build.direction_open = open;
    st = wfi_graph_build(ctx, &r.edges, &build, out);
done:
    wfi_ldbc_ids_free(&ids);
    wfi_edges_free(&r.edges);
    wfi_source_close(opened);
    return st;
}

static int sniff_ldbc(const char *head, size_t bytes, const char *name) {
    (void)head, (void)bytes;
    return wfi_name_has_extension(name, wfi_format_ldbc.info.extensions) ? 2 : 0;
}

const wfi_format wfi_format_ldbc = {
    .info = {"ldbc", "LDBC Graphalytics .v and .e", "e v", 1, 0, 0},
    .sniff = sniff_ldbc,
    .read = read_ldbc,
    .find = find,
};
