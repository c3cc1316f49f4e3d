/* BV-compressed graphs of the WebGraph framework: x.graph has the bits, x.properties the parameters of the codes.
 *
 * Rules: named by x.graph, x.properties or x; each may be .gz or .zst.  Vertices are 0 ... nodes-1, arcs are directed
 * and without weights.  The rows must hold as many arcs as the properties say and end where the file does.  x.offsets
 * is ignored, since all rows are read.
 * Positions in messages are file:1:byte, the byte counted from 1; messages name the node and the bit, counted from
 * 0. */
#include "io/adjacency/webgraph.h"
#include "io/io.h"
#include "io/stream/part_files.h"
#include "io/text/words.h"

#include <string.h>
#include <unistd.h>

enum { PIECE_ARCS = 1 << 20, POLL_ARCS = 1 << 18 };

/* --- names of files -------------------------------------------------------------------- */

/* Accepts the basename or the .properties of a graph, if its .graph (perhaps packed) exists. */
weft_status wfi_find_webgraph(weft_ctx *ctx, const char *path, char **out) {
    size_t length = strlen(path);
    *out = NULL;
    if (!strcmp(path, "-")) return WEFT_OK;
    char *properties = NULL;
    weft_status st = WEFT_OK;
    if (wfi_name_has_extension(path, "properties"))
        length -= strlen(".properties");
    else if (access(path, F_OK))
        st = wfi_beside_find(ctx, path, length, ".properties", &properties);
    else
        return WEFT_OK;
    if (!st && (properties || length < strlen(path))) st = wfi_beside_find(ctx, path, length, ".graph", out);
    wfi_free(properties);
    return st;
}

static weft_status open_properties(weft_ctx *ctx, const wfi_source *graph, wfi_source **out) {
    return wfi_beside_open(ctx, graph, "graph", ".properties", out);
}

/* Does the .properties file beside this .graph describe a WebGraph?  METIS files have the same extension. */
weft_status wfi_claims_webgraph(weft_ctx *ctx, const wfi_source *source, bool *yes) {
    wfi_source *properties;
    const char *text;
    size_t bytes;
    *yes = false;
    if (!wfi_name_has_extension(wfi_source_plain_name(source), "graph")) return WEFT_OK;
    weft_status st = open_properties(ctx, source, &properties);
    if (st || !properties) return st;
    text = wfi_source_head(properties, &bytes);
    *yes = wfi_webgraph_has_class(text, bytes);
    wfi_source_close(properties);
    return WEFT_OK;
}

/* --- reading ------------------------------------------------------------------------------ */

/* Edges being collected in pieces; all but the last are full. */
typedef struct filling {
    weft_ctx *ctx;
    wfi_edges *edges;
    uint64_t room; /* free in the last piece */
    uint64_t left; /* arcs still promised by the properties */
} filling;

static weft_status add_row(filling *f, uint32_t node, const uint32_t *targets, uint64_t count) {
    for (uint64_t done = 0; done < count;) {
        wfi_piece *piece;
        if (!f->room) {
            f->room = wfi_min_u64(f->left - done, PIECE_ARCS);
            if (wfi_edges_add(f->ctx, f->edges, f->room, WEFT_WEIGHT_NONE, &piece)) return WEFT_ENOMEM;
            piece->count = 0;
        }
        piece = &f->edges->pieces[f->edges->count - 1];
        uint64_t some = wfi_min_u64(count - done, f->room);
        uint32_t *ends = piece->narrow + 2 * piece->count;
        for (uint64_t i = 0; i < some; i++) {
            ends[2 * i] = node;
            ends[2 * i + 1] = targets[done + i];
        }
        piece->count += some;
        f->room -= some;
        done += some;
        if (wfi_cancelled(f->ctx)) return wfi_fail_cancelled(f->ctx);
    }
    f->left -= count;
    return WEFT_OK;
}

static weft_status read_rows(weft_ctx *ctx, wfi_webgraph_rows *r, wfi_edges *edges) {
    filling f = {ctx, edges, 0, r->facts->arcs};
    uint64_t unpolled = 0;
    for (uint64_t v = 0; v < r->facts->nodes; v++) {
        const uint32_t *targets;
        uint64_t count;
        weft_status st = wfi_webgraph_next(r, &targets, &count);
        if (!st && count > f.left)
            st = wfi_fail_at(ctx, r->name, 1, r->bits.at / 8 + 1,
                             "the rows of nodes 0 to %llu hold more than the %llu arcs that the properties promise",
                             (wfi_ull)v, (wfi_ull)r->facts->arcs);
        if (!st) st = add_row(&f, (uint32_t)v, targets, count);
        if (st) return st;
        unpolled += count + 1;
        if (unpolled < POLL_ARCS) continue;
        unpolled = 0;
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "reading", r->bits.at / 8, r->bits.bytes);
    }
    if (f.left)
        return wfi_fail_at(ctx, r->name, 1, r->bits.bytes + 1,
                           "the rows hold %llu arcs, but the properties promise %llu",
                           (wfi_ull)(r->facts->arcs - f.left), (wfi_ull)r->facts->arcs);
    return wfi_webgraph_end(r);
}

weft_status wfi_webgraph_build(weft_ctx *ctx, const char *name, const wfi_webgraph_facts *facts,
                               const wfi_content *bits, const weft_read_params *params, weft_graph **out) {
    wfi_webgraph_rows rows;
    wfi_edges edges = {0};
    wfi_build build = {.numbering = WFI_VERTICES, .vertices = facts->nodes, .params = wfi_read_rules(params)};
    build.format = "webgraph";
    build.directed = wfi_resolve_directed(params->direction, true);
    build.direction_open = true;
    weft_status st = wfi_webgraph_rows_open(&rows, ctx, name, facts, bits->data, bits->bytes);
    if (!st) st = read_rows(ctx, &rows, &edges);
    wfi_webgraph_rows_close(&rows);
    if (!st) st = wfi_graph_build(ctx, &edges, &build, out);
    wfi_edges_free(&edges);
    return st;
}

static weft_status read_facts(weft_ctx *ctx, const wfi_source *graph, wfi_webgraph_facts *facts) {
    wfi_source *source = NULL;
    const char *text, *name = wfi_source_plain_name(graph);
    size_t bytes;
    if (!wfi_source_is_file(graph))
        return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                        "%s: a compressed WebGraph is two files: name x.graph, with x.properties next to it",
                        wfi_source_name(graph));
    if (wfi_name_has_extension(name, "properties"))
        return wfi_fail(ctx, WEFT_EIO, "%s: there is no .graph file next to it", wfi_source_name(graph));
    weft_status st = open_properties(ctx, graph, &source);
    if (!st && !source)
        st = wfi_fail(ctx, WEFT_EIO,
                      "%s: there is no .properties file next to it, which says how a WebGraph is compressed",
                      wfi_source_name(graph));
    if (!st) st = wfi_source_whole(ctx, source, &text, &bytes);
    if (!st) st = wfi_webgraph_facts_read(ctx, source, text, bytes, facts);
    wfi_source_close(source);
    return st;
}

weft_status wfi_read_webgraph(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    wfi_webgraph_facts facts;
    wfi_content content = {0};
    *out = NULL;
    weft_status st = wfi_check_weights_wish(ctx, source, params, false, "this format has none");
    if (!st) st = read_facts(ctx, source, &facts);
    if (!st) st = wfi_content_open(ctx, source, &content);
    if (!st) st = wfi_webgraph_build(ctx, wfi_source_name(source), &facts, &content, params, out);
    wfi_content_close(&content);
    return st;
}

/* METIS files have the extension too, and are text: a byte that is not text decides. */
int wfi_sniff_webgraph(const char *head, size_t bytes, const char *name) {
    if (wfi_name_has_extension(name, "properties")) return wfi_webgraph_has_class(head, bytes) ? 2 : 0;
    if (!wfi_name_has_extension(name, "graph")) return 0;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)head[i];
        if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f') || c == 0x7f) return 3;
    }
    return 0;
}
