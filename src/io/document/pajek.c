/* Pajek .net, reading: *Vertices n, then sections *Arcs, *Edges, *Arcslist, *Edgeslist and *Matrix, in any case of
 * letters.  A line of vertices is a number from 1, a label, and what else the drawing needs; a line of arcs or edges is
 * two numbers, a value (the weight) and what else; a list is a number and its neighbours; a matrix has a row a line,
 * and what is not zero in it is an arc.  Lines that begin with % are comments.
 * Needs: the whole text in memory; sequential.  What is read is checked line by line; labels wait for pajek_build.c.
 * [1] Batagelj, Mrvar, "Pajek: Reference Manual". */
#include "io/document/pajek.h"
#include "attributes/sides.h"
#include "io/io.h"
#include "io/text/words.h"

#include <ctype.h>
#include <string.h>

typedef enum section { VERTICES, ARCS, EDGES, ARCSLIST, EDGESLIST, MATRIX, NETWORK, OTHER, NONE = -1 } section;

/* The last ones are of Pajek's project files, and no part of a network. */
static const char *const section_names[] = {"*vertices", "*arcs",      "*edges",     "*arcslist", "*edgeslist",
                                            "*matrix",   "*network",   "*partition", "*vector",   "*permutation",
                                            "*cluster",  "*hierarchy", NULL};

typedef struct reader {
    wfi_pajek net;
    const char *p, *stop; /* the rest of the line */
    const char *next, *end;
    section section;
    uint64_t work; /* fields read: for looking up now and then */
    bool weights_wanted, as_double, arcs_section, done;
    bool relations, times; /* there were some */
    uint64_t first_mode;   /* vertices of the first kind of a two-mode network, or 0 */
} reader;

#define FAIL(r, place, ...) wfi_fail_in_text((r)->net.ctx, (r)->net.source, (r)->net.text, (place), __VA_ARGS__)

/* Every few thousand fields. */
static weft_status tick(reader *r) {
    if (r->work++ % 65536) return WEFT_OK;
    if (wfi_cancelled(r->net.ctx)) return wfi_fail_cancelled(r->net.ctx);
    wfi_progress(r->net.ctx, "reading", (uint64_t)(r->p - r->net.text), (uint64_t)(r->end - r->net.text));
    return WEFT_OK;
}

/* --- fields --------------------------------------------------------------------------- */

/* The next line that has something on it; false at the end of the file. */
static bool next_line(reader *r) {
    while (r->next < r->end) {
        const char *newline = memchr(r->next, '\n', (size_t)(r->end - r->next));
        r->stop = newline ? newline : r->end;
        r->p = wfi_next_word(r->next, r->stop);
        r->next = newline ? newline + 1 : r->end;
        if (r->p < r->stop && *r->p != '%') return true;
        size_t names = strlen(WFI_PAJEK_NAMES);
        r->net.names |= (size_t)(r->stop - r->p) >= names && !memcmp(r->p, WFI_PAJEK_NAMES, names);
    }
    r->p = r->stop = r->end;
    return false;
}

/* At the next field of the line: false when there is none. */
static bool next_field(reader *r) {
    r->p = wfi_next_word(r->p, r->stop);
    return r->p < r->stop;
}

/* The number of a vertex at r->p. */
static weft_status read_number(reader *r, uint64_t *number) {
    const char *at = r->p;
    wfi_number st = wfi_scan_u64(&r->p, number);
    if (st == WFI_NUMBER_NONE || !wfi_word_ends(r->p, r->stop))
        return FAIL(r, at, "expected the number of a vertex, found %s", wfi_quote_word(at, r->stop).text);
    if (st || *number < 1 || *number > r->net.n)
        return FAIL(r, at, "there is no vertex %s: they are numbered 1 to %llu", wfi_quote_word(at, r->stop).text,
                    (wfi_ull)r->net.n);
    return tick(r);
}

/* At r->p, of the last line. */
static weft_status read_value(reader *r, wfi_weight *weight) {
    const char *at = r->p;
    wfi_number st = wfi_scan_weight(&r->p, r->as_double, weight);
    if (st >= WFI_NUMBER_TOO_LARGE && wfi_word_ends(r->p, r->stop))
        return FAIL(r, at, "value %s is %s (`weights=ignore` reads without weights)", wfi_quote_word(at, r->stop).text,
                    wfi_weight_fault(st, r->as_double));
    if (st || !wfi_word_ends(r->p, r->stop))
        return FAIL(r, at, "expected a number for the value, found %s", wfi_quote_word(at, r->stop).text);
    return WEFT_OK;
}

/* An arc, or an edge, between vertices by their numbers from 1. */
static weft_status add_line(reader *r, uint64_t u, uint64_t v, bool edge) {
    wfi_listing *l = &r->net.listing;
    weft_status st = wfi_listing_numbered(l, (uint32_t)u - 1, (uint32_t)v - 1, r->p);
    if (!st && edge) wfi_listing_both_ways(l);
    return st;
}

static void set_weight(reader *r, wfi_weight weight) {
    wfi_listed_edge *e = &r->net.listing.edges[r->net.listing.edge_count - 1];
    e->weighted = r->weights_wanted;
    e->weight = weight;
}

/* --- lines ------------------------------------------------------------------------------ */

static weft_status read_vertex(reader *r) {
    wfi_pajek *n = &r->net;
    wfi_pajek_vertex v = {.at = r->p};
    weft_status st = read_number(r, &v.number);
    if (st) return st;
    if (next_field(r)) {
        bool quoted = *r->p == '"';
        v.label = quoted ? r->p + 1 : r->p;
        const char *close = quoted ? memchr(v.label, '"', (size_t)(r->stop - v.label)) : wfi_word_end(r->p, r->stop);
        if (!close) return FAIL(r, r->p, "a label whose quotes do not end on its line");
        if (quoted && !wfi_word_ends(close + 1, r->stop)) return FAIL(r, close, "a quote within a label");
        v.length = (size_t)(close - v.label);
        const char *nul = memchr(v.label, '\0', v.length);
        if (nul) return FAIL(r, nul, "a NUL byte in a label");
        if (!v.length) v.label = NULL;
    }
    n->ascending = n->ascending && v.number == n->vertex_count + 1;
    if (WFI_ROOM(n->ctx, n->vertices, n->vertex_count, n->vertex_room, 256)) return WEFT_ENOMEM;
    n->vertices[n->vertex_count++] = v;
    return WEFT_OK;
}

/* After the value come names with values (l "label" c Blue) and times ([7-9]), which a graph has no place for. */
static weft_status read_rest(reader *r) {
    if (!next_field(r)) return WEFT_OK;
    const char *at = r->p;
    bool number = isdigit((unsigned char)*at) || *at == '-' || *at == '+' || *at == '.';
    if (!number && *at != '[') {
        static const char *const not_finite[] = {"nan", "inf", "infinity", NULL};
        const char *stop = wfi_word_end(at, r->stop);
        if (wfi_word_among(not_finite, at, stop) >= 0 || wfi_next_word(stop, r->stop) == r->stop) number = true;
    }
    if (number && r->weights_wanted) {
        wfi_weight weight;
        weft_status st = read_value(r, &weight);
        if (st) return st;
        set_weight(r, weight);
    }
    r->times = r->times || memchr(r->p, '[', (size_t)(r->stop - r->p));
    return WEFT_OK;
}

/* "3: 1 2" is a line of relation 3. */
static void pass_relation(reader *r) {
    const char *p = r->p;
    while (p < r->stop && isdigit((unsigned char)*p)) p++;
    if (p == r->p || p == r->stop || *p != ':') return;
    r->relations = true;
    r->p = wfi_next_word(p + 1, r->stop);
}

static weft_status read_pair(reader *r) {
    uint64_t u, v;
    pass_relation(r);
    weft_status st = read_number(r, &u);
    if (st) return st;
    if (!next_field(r)) return FAIL(r, r->p, "the second vertex is missing");
    st = read_number(r, &v);
    if (!st) st = add_line(r, u, v, r->section == EDGES);
    return st ? st : read_rest(r);
}

static weft_status read_list(reader *r) {
    uint64_t u, v;
    pass_relation(r);
    weft_status st = read_number(r, &u);
    while (!st && next_field(r)) {
        st = read_number(r, &v);
        if (!st) st = add_line(r, u, v, r->section == EDGESLIST);
    }
    return st;
}

static weft_status read_row(reader *r, uint64_t row, uint64_t columns) {
    for (uint64_t i = 0; i < columns; i++) {
        wfi_weight weight;
        if (!next_field(r))
            return FAIL(r, r->p, "this row of the matrix ends after %llu of %llu values", (wfi_ull)i, (wfi_ull)columns);
        weft_status st = read_value(r, &weight);
        if (!st) st = tick(r);
        bool arc = !st && weight.value != 0;
        if (arc) st = add_line(r, row + 1, r->first_mode + i + 1, false);
        if (st) return st;
        if (arc) set_weight(r, weight);
    }
    if (next_field(r)) return FAIL(r, r->p, "this row of the matrix has more than %llu values", (wfi_ull)columns);
    return WEFT_OK;
}

static weft_status read_matrix(reader *r) {
    uint64_t rows = r->first_mode ? r->first_mode : r->net.n, columns = r->net.n - r->first_mode;
    weft_status st = WEFT_OK;
    for (uint64_t row = 0; row < rows && columns && !st; row++) {
        if (!next_line(r) || *r->p == '*')
            return FAIL(r, r->p, "the matrix ends after %llu of %llu rows", (wfi_ull)row, (wfi_ull)rows);
        st = read_row(r, row, columns);
    }
    return st;
}

/* --- sections ------------------------------------------------------------------------------ */

/* *Vertices n, or n and how many of them are of the first kind. */
static weft_status read_size(reader *r) {
    wfi_pajek *n = &r->net;
    if (!next_field(r) || wfi_scan_u64(&r->p, &n->n) || !wfi_word_ends(r->p, r->stop))
        return FAIL(r, r->p, "expected the number of vertices after *Vertices");
    if (n->n >= WEFT_NO_VERTEX) return FAIL(r, n->vertices_at, "more than 2^32-2 vertices");
    if (!next_field(r)) return WEFT_OK;
    const char *at = r->p;
    if (wfi_scan_u64(&r->p, &r->first_mode) || !wfi_word_ends(r->p, r->stop) || r->first_mode > n->n || next_field(r))
        return FAIL(r, at, "expected the number of vertices of the first kind, or the end of the line");
    if (r->first_mode)
        wfi_note(n->ctx, "%s: a two-mode network: vertices 1 to %llu and %llu to %llu make one graph",
                 wfi_source_name(n->source), (wfi_ull)r->first_mode, (wfi_ull)r->first_mode + 1, (wfi_ull)n->n);
    return WEFT_OK;
}

static weft_status read_section(reader *r) {
    wfi_pajek *n = &r->net;
    const char *at = r->p, *stop = at + 1;
    while (stop < r->stop && isalpha((unsigned char)*stop)) stop++;
    int word = wfi_word_among(section_names, at, stop);
    if (word < 0)
        return FAIL(r, at, "expected *Vertices, *Arcs, *Edges, *Arcslist, *Edgeslist or *Matrix, found %s",
                    wfi_quote_word(at, r->stop).text);
    section s = word < OTHER ? (section)word : OTHER;
    if (n->vertices_at && (s == VERTICES || s == NETWORK || s == OTHER)) {
        wfi_warn(n->ctx,
                 s == OTHER ? "%s: what follows %.*s was not read"
                            : "%s: there is more than one network; the first was read",
                 wfi_source_name(n->source), (int)(stop - at), at);
        r->done = true;
        return WEFT_OK;
    }
    if (s == NETWORK) return WEFT_OK; /* its name follows */
    if (s != VERTICES && !n->vertices_at) return FAIL(r, at, "expected *Vertices before %.*s", (int)(stop - at), at);
    r->section = s;
    r->p = stop;
    if (s == VERTICES) {
        n->vertices_at = at;
        return read_size(r);
    }
    r->arcs_section = r->arcs_section || s == ARCS || s == ARCSLIST || s == MATRIX;
    n->edges_only = !r->arcs_section;
    if (next_field(r) && *r->p == ':') r->relations = true;
    return s == MATRIX ? read_matrix(r) : WEFT_OK;
}

static weft_status read_data(reader *r) {
    switch (r->section) {
    case VERTICES: return read_vertex(r);
    case ARCS:
    case EDGES: return read_pair(r);
    case ARCSLIST:
    case EDGESLIST: return read_list(r);
    case MATRIX: return FAIL(r, r->p, "expected the end of the matrix: it has as many rows as there are vertices");
    default: return FAIL(r, r->p, "expected *Vertices");
    }
}

static weft_status read_file(reader *r) {
    weft_status st = WEFT_OK;
    while (!st && !r->done && next_line(r)) st = *r->p == '*' ? read_section(r) : read_data(r);
    if (st) return st;
    if (!r->net.vertices_at) return FAIL(r, r->end, "expected *Vertices");
    const char *file = wfi_source_name(r->net.source);
    if (r->relations) wfi_note(r->net.ctx, "%s: several relations: the arcs and edges of all were read", file);
    if (r->times) wfi_note(r->net.ctx, "%s: arcs and edges have times: all were read", file);
    return WEFT_OK;
}

weft_status wfi_read_pajek(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    reader r = {.net = {.ctx = ctx, .source = source, .ascending = true, .params = *params}, .section = NONE};
    r.weights_wanted = params->weights != WEFT_WEIGHTS_IGNORE;
    r.as_double = wfi_reads_doubles(params);
    r.net.params.sides = WFI_SIDES_ONE;
    size_t bytes;
    weft_status st = wfi_source_whole(ctx, source, &r.net.text, &bytes);
    if (st) return st;
    r.next = r.p = r.net.text;
    r.end = r.net.text + bytes;
    st = wfi_listing_open(&r.net.listing, ctx, source, r.net.text, &r.net.params);
    if (!st) st = read_file(&r);
    if (!st) st = wfi_pajek_build(&r.net, out);
    wfi_listing_close(&r.net.listing);
    wfi_free(r.net.vertices);
    return st;
}

/* After comments, the first line tells.  A .net file that begins otherwise is an edge list. */
int wfi_sniff_pajek(const char *head, size_t bytes) {
    static const char *const first[] = {"*vertices", "*network", NULL};
    const char *p = head, *end = head + bytes;
    while ((p = wfi_next_word(p, end)) < end && *p == '%')
        while (p < end && *p != '\n') p++;
    if (p == end || *p != '*') return 0;
    const char *stop = p + 1;
    while (stop < end && isalpha((unsigned char)*stop)) stop++;
    return wfi_word_among(first, p, stop) >= 0 ? 3 : 0;
}
