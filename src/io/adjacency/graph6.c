/* graph6, sparse6 and digraph6, reading: one graph a line, in printable characters of six bits each (63 ... 126).
 * A line is N(n) and then the upper triangle of the adjacency matrix, column by column (graph6); or ':', N(n) and a
 * walk over the vertices with k+1 bits a step (sparse6); or '&', N(n) and the whole matrix by rows (digraph6).
 * Vertices are 0 ... n-1.  The first graph of the file is read.
 * Method: the walk runs twice, to count the edges and to keep them; the length of the line and the padding bits of its
 * last character are checked first, so a damaged line is refused.
 * [1] McKay, "Description of graph6, sparse6 and digraph6 encodings" (formats.txt of nauty). */
#include "io/io.h"
#include "io/text/words.h"

#include <string.h>

typedef enum code { GRAPH6, SPARSE6, DIGRAPH6 } code;

static const struct {
    const char *header;
    code code;
} headers[] = {{">>graph6<<", GRAPH6}, {">>sparse6<<", SPARSE6}, {">>digraph6<<", DIGRAPH6}};
enum { HEADERS = sizeof headers / sizeof *headers };

typedef struct reader {
    weft_ctx *ctx;
    const wfi_source *source;
    const char *text;    /* of the file */
    const char *p, *end; /* the data of the graph, after N(n) */
    const char *size_at;
    code code;
    uint64_t n;
} reader;

#define FAIL(r, place, ...) wfi_fail_in_text((r)->ctx, (r)->source, (r)->text, (place), __VA_ARGS__)

static unsigned six_bits(char c) { return (unsigned)(unsigned char)c - 63; }

/* --- the line ------------------------------------------------------------------------ */

static int header_at(const char *p, const char *end) {
    for (int i = 0; i < HEADERS; i++) {
        size_t length = strlen(headers[i].header);
        if ((size_t)(end - p) >= length && !memcmp(p, headers[i].header, length)) return i;
    }
    return -1;
}

static weft_status check_characters(reader *r) {
    for (const char *p = r->p; p < r->end; p++) {
        if (six_bits(*p) > 63)
            return FAIL(r, p, "a byte of value %u, where graph6 has characters of 63 to 126",
                        (unsigned)(unsigned char)*p);
        if ((uint64_t)(p - r->p) % WFI_POLL_EVERY == 0 && wfi_cancelled(r->ctx)) return wfi_fail_cancelled(r->ctx);
    }
    return WEFT_OK;
}

/* Finds the first graph and its code; *rest = after its line. */
static weft_status find_line(reader *r, const char *end, const char **rest) {
    const char *start = wfi_next_word(r->text, end);
    int header = header_at(start, end);
    if (header >= 0) start = wfi_next_word(start + strlen(headers[header].header), end);
    const char *newline = start < end ? memchr(start, '\n', (size_t)(end - start)) : NULL;
    const char *stop = newline ? newline : end;
    *rest = stop;
    while (stop > start && wfi_is_blank(stop[-1])) stop--;
    if (start == stop) return FAIL(r, start, "there is no graph in this file");
    if (*start == ';')
        return FAIL(r, start, "incremental sparse6, which says how a graph differs from the one before, is not read");
    r->code = *start == ':' ? SPARSE6 : *start == '&' ? DIGRAPH6 : GRAPH6;
    if (header >= 0 && headers[header].code != r->code)
        return FAIL(r, start, "the header says %s, but the graph is coded otherwise", headers[header].header);
    r->p = start + (r->code != GRAPH6);
    r->end = stop;
    return check_characters(r);
}

/* Reads N(n): one character, or ~ and three, or ~~ and six. */
static weft_status read_size(reader *r) {
    r->size_at = r->p;
    int tildes = 0, length = 1;
    while (tildes < 2 && r->p < r->end && *r->p == '~') tildes++, r->p++;
    if (tildes) length = 3 * tildes;
    if (r->end - r->p < length) return FAIL(r, r->end, "the line ends within the number of vertices");
    for (r->n = 0; length > 0; length--) r->n = r->n << 6 | six_bits(*r->p++);
    if (r->n >= WEFT_NO_VERTEX) return FAIL(r, r->size_at, "%llu vertices are more than 2^32-2", (wfi_ull)r->n);
    return WEFT_OK;
}

/* Checks that a matrix of that many bits fills the line, and that the padding bits of the last character are 0. */
static weft_status check_matrix(reader *r) {
    uint64_t bits = r->code == DIGRAPH6 ? r->n * r->n : r->n ? r->n * (r->n - 1) / 2 : 0;
    uint64_t need = bits / 6 + (bits % 6 != 0), have = (uint64_t)(r->end - r->p);
    if (need != have)
        return FAIL(r, r->size_at, "a graph of %llu vertices needs %llu more characters, but there are %llu",
                    (wfi_ull)r->n, (wfi_ull)need, (wfi_ull)have);
    unsigned spare = need ? (unsigned)(6 * need - bits) : 0;
    if (spare && six_bits(r->end[-1]) & ((1u << spare) - 1))
        return FAIL(r, r->end - 1, "bits are set after the last pair of vertices: the line is damaged");
    return WEFT_OK;
}

/* --- walks: count the edges, or (if ends is not NULL) keep them ------------------------ */

/* Walks a matrix bit by bit: the part above the diagonal by columns (graph6), or all of it by rows (digraph6). */
static weft_status walk_matrix(reader *r, uint32_t *ends, uint64_t *count) {
    bool square = r->code == DIGRAPH6;
    uint64_t outer = square ? 0 : 1, inner = 0, length = square ? r->n : 1, found = 0;
    for (const char *p = r->p; p < r->end; p++) {
        if ((uint64_t)(p - r->p) % WFI_POLL_EVERY == 0 && wfi_cancelled(r->ctx)) return wfi_fail_cancelled(r->ctx);
        unsigned bits = six_bits(*p);
        if (!ends) {
            found += (unsigned)__builtin_popcount(bits);
            continue;
        }
        for (int bit = 5; bit >= 0; bit--) {
            if (bits >> bit & 1) {
                ends[2 * found + square] = (uint32_t)inner;
                ends[2 * found++ + !square] = (uint32_t)outer;
            }
            if (++inner == length) inner = 0, outer++, length += !square;
        }
    }
    *count = found;
    return WEFT_OK;
}

/* Walks steps (b, x) of 1 + k bits: b advances v by one; then an x greater than v sets v = x, any other x is the edge
 * {x, v}.  Up to five padding bits fill the last character; as steps they lead beyond the last vertex or to no edge. */
static weft_status walk_sparse(reader *r, uint32_t *ends, uint64_t *count) {
    unsigned k = r->n ? wfi_bits(r->n - 1) : 0, have = 0;
    uint64_t v = 0, held = 0, found = 0;
    for (const char *p = r->p; p < r->end; p++) {
        if ((uint64_t)(p - r->p) % WFI_POLL_EVERY == 0 && wfi_cancelled(r->ctx)) return wfi_fail_cancelled(r->ctx);
        held = held << 6 | six_bits(*p);
        for (have += 6; have > k; have -= k + 1) {
            uint64_t step = held >> (have - k - 1);
            uint64_t x = step & (((uint64_t)1 << k) - 1);
            v += step >> k & 1;
            if (v < r->n && x > v) {
                v = x;
            } else if (v < r->n) {
                if (ends) {
                    ends[2 * found] = (uint32_t)x;
                    ends[2 * found + 1] = (uint32_t)v;
                }
                found++;
            }
            if (v < r->n) continue;
            if (p + 1 < r->end || have > 5) return FAIL(r, p, "the edges run beyond vertex %lld", (long long)r->n - 1);
            *count = found;
            return WEFT_OK;
        }
        held &= ((uint64_t)1 << have) - 1;
    }
    *count = found;
    return WEFT_OK;
}

static weft_status walk(reader *r, uint32_t *ends, uint64_t *count) {
    return r->code == SPARSE6 ? walk_sparse(r, ends, count) : walk_matrix(r, ends, count);
}

/* --- the graph ----------------------------------------------------------------------- */

/* both: the graph becomes directed, and an undirected edge becomes two arcs. */
static weft_status collect(reader *r, bool both, wfi_edges *edges, uint64_t *count) {
    wfi_piece *piece;
    weft_status st = walk(r, NULL, count);
    if (st) return st;
    if (!wfi_vertices_plausible(r->n, *count))
        return FAIL(r, r->size_at, "%llu vertices, but %llu edges follow: too sparse to be read as a graph",
                    (wfi_ull)r->n, (wfi_ull)*count);
    if (!*count) return WEFT_OK;
    st = wfi_edges_add(r->ctx, edges, both ? 2 * *count : *count, WEFT_WEIGHT_NONE, &piece);
    if (!st) st = walk(r, piece->narrow, count);
    if (st || !both) return st;
    const uint32_t *ends = piece->narrow;
    piece->count = *count;
    for (uint64_t i = 0; i < *count; i++) {
        if (ends[2 * i] == ends[2 * i + 1]) continue;
        piece->narrow[2 * piece->count] = ends[2 * i + 1];
        piece->narrow[2 * piece->count++ + 1] = ends[2 * i];
    }
    return WEFT_OK;
}

weft_status wfi_read_graph6(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    reader r = {.ctx = ctx, .source = source};
    wfi_edges edges = {0};
    const char *rest = NULL;
    uint64_t count = 0;
    size_t bytes;
    weft_status st = wfi_check_weights_wish(ctx, source, params, false, "graph6 cannot store them");
    if (!st) st = wfi_source_whole(ctx, source, &r.text, &bytes);
    if (st) return st;
    const char *end = r.text + bytes;
    st = find_line(&r, end, &rest);
    if (!st) st = read_size(&r);
    if (!st && r.code != SPARSE6) st = check_matrix(&r);
    bool directed = wfi_resolve_directed(params->direction, r.code == DIGRAPH6);
    if (!st) st = collect(&r, directed && r.code != DIGRAPH6, &edges, &count);
    if (st) goto done;
    if (wfi_next_word(rest, end) < end)
        wfi_warn(ctx, "%s: there is more than one graph; the first was read", wfi_source_name(source));
    wfi_build build = {
        .numbering = WFI_VERTICES, .vertices = r.n, .params = wfi_read_rules(params), .format = "graph6"};
    build.directed = directed;
    build.records = count;
    st = wfi_graph_build(ctx, &edges, &build, out);
done:
    wfi_edges_free(&edges);
    return st;
}

/* Nearly any word could be graph6, so without its header the name must decide. */
int wfi_sniff_graph6(const char *head, size_t bytes) {
    const char *end = head + bytes;
    return header_at(wfi_next_word(head, end), end) >= 0 ? 3 : 0;
}
