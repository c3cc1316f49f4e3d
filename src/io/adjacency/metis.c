/* METIS and Chaco graphs: a header `n m [fmt [ncon]]`, then row v lists the neighbours of vertex v, counted from 1.
 *
 * Rules: a line whose first character is % or # is a comment and no row; any other line is the next row, a blank line
 * an isolated vertex.  m counts an edge once, and each edge is in two rows, so there are 2m entries; a loop may be
 * listed once or twice.  fmt is up to three digits: ones = edge weights, tens = ncon vertex weights at the begin of
 * each row (skipped).  The hundreds digit means in METIS 5 that the row begins with a vertex size, in Chaco with its
 * own number, and in DIMACS10 "may have loops and parallel edges", without another number: the number of entries
 * decides.  m entries that are not symmetric are what GAPBS calls a METIS file: a directed graph, with a warning.
 *
 * Method: blocks of lines give (row in block, neighbour) pairs; after the last block, the number of rows before each
 * block is added.  Then the pairs are checked to be symmetric (reverse.h), and those with row > neighbour are dropped,
 * since wfi_graph_build adds the reverse arcs itself.
 *
 * [1] Karypis, "METIS: a software package ...", version 5.1 manual, 2013, section 4.1.1.
 * [2] Hendrickson and Leland, "The Chaco user's guide", Sandia report 95-2344, 1995, section 6.1.
 * [3] Bader et al. (eds.), 10th DIMACS implementation challenge, 2012: data format. */
#include "io/adjacency/metis.h"
#include "io/adjacency/reverse.h"
#include "io/io.h"
#include "io/text/words.h"

#include <math.h>
#include <string.h>

/* --- interpretation -------------------------------------------------------------- */

/* Number of rows that are not blank; the entries of a row are adjacent. */
static uint64_t rows_in_use(const wfi_edges *edges) {
    uint64_t rows = 0;
    for (size_t k = 0; k < edges->count; k++) {
        const uint32_t *ends = edges->pieces[k].narrow;
        for (uint64_t i = 0; i < edges->pieces[k].count; i++) rows += i == 0 || ends[2 * i] != ends[2 * i - 2];
    }
    return rows;
}

/* Does each row begin with one more word than its vertex weights?  The number of entries must be 2m (or m, directed),
 * and a row with such a word is never blank. */
static bool has_extra_word(const wfi_metis *r) {
    uint64_t rows = rows_in_use(&r->edges), words = wfi_edges_total(&r->edges), m = r->head.m;
    uint64_t plain = words - rows * r->head.vertex_weights, less = plain - rows;
    if (rows < r->head.n || plain == 2 * m) return false;
    return less == 2 * m || (plain != m && less == m);
}

/* With all_words: drops the leading words and turns the others into vertices. */
static weft_status drop_front(weft_ctx *ctx, wfi_metis *r, uint64_t skip) {
    for (size_t k = 0; k < r->edges.count; k++) {
        wfi_piece *p = &r->edges.pieces[k];
        uint64_t kept = 0;
        for (uint64_t i = 0, next; i < p->count; i = next) {
            uint32_t row = p->narrow[2 * i];
            for (next = i; next < p->count && p->narrow[2 * next] == row; next++) continue;
            if (next - i < skip)
                return wfi_metis_fail_at(ctx, r, row, 1, "the row ends after %llu of its %llu vertex weights",
                                         (wfi_ull)(next - i), (wfi_ull)skip);
            for (uint64_t j = i + skip; j < next; j++) {
                uint32_t id = p->narrow[2 * j + 1];
                if (id == 0 || id > r->head.n)
                    return wfi_metis_fail_at(ctx, r, row, next - j, "this is not one of the vertices 1 to %llu",
                                             (wfi_ull)r->head.n);
                p->narrow[2 * kept] = row;
                p->narrow[2 * kept + 1] = id - 1;
                kept++;
            }
        }
        p->count = kept;
    }
    return WEFT_OK;
}

static weft_status fail_counts(weft_ctx *ctx, wfi_metis *r, uint64_t entries, bool symmetric) {
    bool counted_twice = symmetric && entries == r->head.m;
    return wfi_fail_in_text(ctx, r->source, r->text, r->head.m_at,
                            "the header promises %llu edge%s, that is %llu entries, but the rows hold %llu%s",
                            (wfi_ull)r->head.m, wfi_plural(r->head.m), (wfi_ull)(2 * r->head.m), (wfi_ull)entries,
                            counted_twice ? " (the header must count each edge once)" : "");
}

static weft_status fail_asymmetric(weft_ctx *ctx, wfi_metis *r, const wfi_reverses *counts) {
    wfi_unreversed found;
    weft_status st = wfi_reverses_missing(ctx, &r->edges, counts, &found);
    if (st) return st;
    const wfi_piece *p = &r->edges.pieces[found.piece];
    uint64_t last = found.at;
    uint32_t row = p->narrow[2 * found.at], other = p->narrow[2 * found.at + 1];
    while (last + 1 < p->count && p->narrow[2 * last + 2] == row) last++;
    uint64_t back = (last - found.at + 1) * (r->head.edge_weights ? 2 : 1);
    const char *how = !found.reverse_listed ? "" : p->weights ? " with another weight" : " another number of times";
    return wfi_metis_fail_at(ctx, r, row, back, "row %llu lists %llu, but row %llu %s %llu%s: it must be symmetric",
                             (wfi_ull)row + 1, (wfi_ull)other + 1, (wfi_ull)other + 1,
                             found.reverse_listed ? "lists" : "does not list", (wfi_ull)row + 1, how);
}

/* Drops the entries that the graph does not need: reverse arcs unless keep_reverse, and every second entry of a loop if
 * the file lists loops twice. */
static void drop_entries(weft_ctx *ctx, wfi_edges *edges, bool keep_reverse, bool loops_twice) {
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(dynamic)
    for (size_t k = 0; k < edges->count; k++) {
        wfi_piece *p = &edges->pieces[k];
        size_t each = wfi_weight_bytes(p->weight_type);
        uint64_t kept = 0, loops = 0;
        uint32_t row = WEFT_NO_VERTEX;
        for (uint64_t i = 0; i < p->count; i++) {
            uint32_t u = p->narrow[2 * i], v = p->narrow[2 * i + 1];
            if (u != row) loops = 0;
            row = u;
            bool keep = u < v || (u > v && keep_reverse) || (u == v && !(loops_twice && loops++ % 2));
            p->narrow[2 * kept] = u;
            p->narrow[2 * kept + 1] = v;
            if (p->weights) memmove((char *)p->weights + kept * each, (char *)p->weights + i * each, each);
            kept += keep;
        }
        p->count = kept;
    }
}

/* Symmetric rows are an undirected graph; m entries that are not symmetric are a directed graph. */
static weft_status choose_direction(weft_ctx *ctx, wfi_metis *r, wfi_build *build) {
    wfi_reverses found = wfi_reverses_count(ctx, &r->edges);
    uint64_t entries = found.below + found.above + found.loops, m = r->head.m;
    bool symmetric = wfi_reverses_hold(&found), loops_once = found.below + found.loops == m;
    if (!symmetric && entries == m) {
        wfi_warn(ctx, "%s: %llu entr%s for %llu edge%s, not symmetric: read as a directed graph",
                 wfi_source_name(r->source), (wfi_ull)entries, entries == 1 ? "y" : "ies", (wfi_ull)m, wfi_plural(m));
        build->directed = wfi_resolve_directed(build->params.direction, true);
        return WEFT_OK;
    }
    if (entries != 2 * m && !(symmetric && loops_once)) return fail_counts(ctx, r, entries, symmetric);
    if (!symmetric) return fail_asymmetric(ctx, r, &found);
    build->directed = wfi_resolve_directed(build->params.direction, false);
    if (!build->directed) build->records = m;
    drop_entries(ctx, &r->edges, build->directed, !loops_once);
    return WEFT_OK;
}

static weft_status settle_front(weft_ctx *ctx, wfi_metis *r) {
    bool weights = r->head.vertex_weights, extra = r->all_words ? has_extra_word(r) : r->extra_word;
    const char *what = weights && extra ? "vertex weights and the number before them are"
                       : weights        ? "vertex weights are"
                                        : "the number in front of each row is";
    if (weights || extra) wfi_warn(ctx, "%s: %s skipped", wfi_source_name(r->source), what);
    return r->all_words ? drop_front(ctx, r, r->head.vertex_weights + extra) : WEFT_OK;
}

weft_status wfi_read_metis(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    wfi_metis r = {.source = source};
    *out = NULL;
    weft_status st = wfi_metis_read_header(ctx, &r);
    if (st) goto done;
    st = wfi_check_weights_wish(ctx, source, params, r.head.edge_weights, "the format in the header does not end in 1");
    if (st) goto done;
    r.skip_weights = params->weights == WEFT_WEIGHTS_IGNORE;
    r.weight_type = wfi_first_weight_type(params, r.head.edge_weights && !r.skip_weights);
    st = wfi_metis_read_rows(ctx, &r);
    if (!st) st = settle_front(ctx, &r);
    if (st) goto done;
    wfi_build build = {.numbering = WFI_VERTICES, .vertices = r.head.n, .id_base = 1, .params = wfi_read_rules(params)};
    build.format = "metis";
    st = choose_direction(ctx, &r, &build);
    if (!st) st = wfi_graph_build(ctx, &r.edges, &build, out);
    if (!st) st = wfi_apply_id_comments(ctx, source, &r.comments, r.text, *out);
done:
    if (st) {
        weft_graph_free(*out);
        *out = NULL;
    }
    wfi_edges_free(&r.edges);
    wfi_id_comments_free(&r.comments);
    return st;
}

/* Two numbers on a line could be anything: only the name decides. */
int wfi_sniff_metis(const char *head, size_t bytes) {
    static const char ours[] = "%weft ids string"; /* any bytes may follow */
    return bytes >= strlen(ours) && !memcmp(head, ours, strlen(ours)) ? 3 : 0;
}

/* --- writing ---------------------------------------------------------------------- */

/* METIS requires integer weights above 0; other programs that read the format do not. */
static bool weights_suit_metis(const weft_graph *g) {
    for (weft_eid e = 0; e < g->arcs; e++) {
        double w = wfi_weight_at(g->weight_type, g->out.weights, e);
        if (!(w >= 1 && floor(w) == w)) return false;
    }
    return true;
}

static weft_status check_writable(weft_ctx *ctx, const weft_graph *g) {
    if (g->directed)
        return wfi_fail(
            ctx, WEFT_EUNSUPPORTED,
            "METIS files hold undirected graphs, this one is directed: read it with `direction=undirected`, or write "
            "another format (mtx, edgelist)");
    if (g->self_loops)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                        "METIS files hold no loops, this graph has %llu: read it with `loops=drop`",
                        (wfi_ull)g->self_loops);
    if (wfi_has_parallel_edges(g))
        return wfi_fail(
            ctx, WEFT_EUNSUPPORTED,
            "METIS files hold no parallel edges, this graph has some: read it with `duplicates=drop` or sum");
    if (g->weight_type && !weights_suit_metis(g))
        wfi_warn(ctx, "some weights are not whole numbers above 0: METIS itself will refuse the file");
    return WEFT_OK;
}

weft_status wfi_write_metis(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    weft_status st = check_writable(ctx, g);
    if (!st) st = wfi_write_id_comments(ctx, g, sink, format, "%", 1);
    if (st) return st;
    wfi_sink_print(sink, "%lu %llu%s\n", (unsigned long)g->n, (wfi_ull)g->edges, g->weight_type ? " 001" : "");
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        if (v % 65536 == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) {
            if (e > g->out.offsets[v]) wfi_sink_char(sink, ' ');
            wfi_sink_u64(sink, (uint64_t)g->out.targets[e] + 1);
            if (!g->weight_type) continue;
            wfi_sink_char(sink, ' ');
            wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
        }
        wfi_sink_char(sink, '\n');
    }
    return WEFT_OK;
}
