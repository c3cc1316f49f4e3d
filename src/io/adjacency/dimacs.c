/* DIMACS graphs (shortest paths .gr, PACE .gr, colouring .col), reading.  Ids start at 1; a line that begins with 'c'
 * is a comment anywhere in the file; the form of the other lines depends on the problem line.
 * Method: header first, then lines in parallel blocks.  A file written by Weft that declares itself undirected lists
 * both arcs of each edge; the arcs with source <= target are kept, and sums of hashes over the two halves must agree.
 * Forgiven: no problem line at all, if the first line is an arc or an edge. */
#include "core/scan.h"
#include "io/adjacency/idcomments.h"
#include "io/io.h"
#include "io/text/words.h"

#include <string.h>

typedef enum problem_kind {
    ARCS,  /* p sp: lines "a source target weight", a directed graph */
    PAIRS, /* p tw (PACE): lines "u v", an undirected graph */
    EDGES  /* p edge, p col: lines "e u v", an undirected graph */
} problem_kind;

typedef struct dimacs_header {
    problem_kind problem;
    bool has_problem_line;
    uint64_t vertices, edges; /* promised by the problem line */
    bool unweighted;          /* declared by a comment in files of Weft */
    const char *undirected; /* declared likewise: position of the comment, or NULL; both arcs of each edge are listed */
    const char *line;       /* the problem line, or the first line that is not a comment */
    const char *edges_at;   /* its last number */
    const char *body;       /* begin of the edges */
} dimacs_header;

typedef struct job {
    weft_ctx *ctx;
    wfi_source *source;
    const char *text, *end; /* the memory that positions in the header and in `ids` point into */
    bool whole;             /* the text is the entire file */
    wfi_id_comments ids;
    dimacs_header header;
    uint64_t most;                /* the largest valid id */
    bool weighted;                /* the file has weights, and they are wanted */
    weft_weight_type weight_type; /* while weights are read */
    bool valued;                  /* lines have a weight */
    bool halved;                  /* keep the arcs with source <= target; the others mirror them */
    wfi_edges edges;
    wfi_collector *collectors; /* one for each thread */
    _Atomic uint64_t listed;   /* lines with an edge */
    _Atomic uint64_t records;  /* edges: as `listed`, but with `halved` the two arcs of an edge count once */
    _Atomic uint64_t balance;  /* halved: hashes of arcs up minus hashes of arcs down */
    _Atomic uint64_t largest;  /* largest id */
    bool directed;             /* of the graph */
} job;

#define FAIL(j, place, ...) wfi_fail_in_text((j)->ctx, (j)->source, (j)->text, (place), __VA_ARGS__)

/* --- the header ---------------------------------------------------------------------- */

static bool is_comment(const char *line, const char *stop) {
    return *line == 'c' && (line + 1 == stop || wfi_is_blank(line[1]));
}

static bool word_is(const char *at, const char *stop, const char *word) {
    size_t length = strlen(word);
    return (size_t)(stop - at) >= length && !memcmp(at, word, length) &&
           (at + length == stop || wfi_is_blank(at[length]));
}

static bool known_problem(const char *at, const char *stop, problem_kind *problem) {
    /* PACE challenges on other problems use the line format of its tree-width files. */
    static const struct {
        const char *word;
        problem_kind problem;
    } known[] = {{"sp", ARCS},  {"tw", PAIRS},   {"td", PAIRS},    {"cep", PAIRS},
                 {"ds", PAIRS}, {"edge", EDGES}, {"edges", EDGES}, {"col", EDGES}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (word_is(at, stop, known[i].word)) {
            *problem = known[i].problem;
            return true;
        }
    return false;
}

static weft_status read_count(const job *j, const char **at, const char *what, uint64_t most, uint64_t *count) {
    const char *place = *at = wfi_skip_blanks(*at);
    wfi_number st = wfi_scan_u64(at, count);
    if (st == WFI_NUMBER_NONE || !(wfi_is_blank(**at) || **at == '\n' || *at == j->end))
        return FAIL(j, place, "expected the number of %s: the line is \"p\", a problem, vertices, edges", what);
    if (st == WFI_NUMBER_TOO_BIG || *count > most)
        return FAIL(j, place, "at most %llu %s can be read", (wfi_ull)most, what);
    return WEFT_OK;
}

static weft_status read_problem_line(job *j, const char *line, const char *stop) {
    dimacs_header *h = &j->header;
    const char *at = wfi_skip_blanks(line + 1);
    if (!known_problem(at, stop, &h->problem)) {
        int length = 0;
        while (length < 16 && at + length < stop && !wfi_is_blank(at[length])) length++;
        FAIL(j, at, "'%.*s' is not a problem that Weft knows: sp, tw, edge or col", length, at);
        return WEFT_EUNSUPPORTED;
    }
    while (at < stop && !wfi_is_blank(*at)) at++;
    weft_status st = read_count(j, &at, "vertices", WEFT_NO_VERTEX - 1, &h->vertices);
    if (st) return st;
    h->edges_at = wfi_skip_blanks(at);
    st = read_count(j, &at, "edges", UINT64_MAX, &h->edges);
    if (st) return st;
    at = wfi_skip_blanks(at);
    if (at < stop) return FAIL(j, at, "expected the end of the line");
    h->has_problem_line = true;
    h->body = stop < j->end ? stop + 1 : stop;
    return WEFT_OK;
}

static weft_status without_problem_line(job *j, const char *line) {
    if ((*line != 'a' && *line != 'e') || !wfi_is_blank(line[1]))
        return FAIL(j, line, "expected a problem line: p sp, p tw, p edge or p col");
    j->header.problem = *line == 'a' ? ARCS : EDGES;
    j->header.body = line;
    wfi_warn(j->ctx, "%s: no problem line; there are as many vertices as the largest id", wfi_source_name(j->source));
    return WEFT_OK;
}

static weft_status take_comment(job *j, const char *line, const char *stop) {
    const char *last = stop > line && stop[-1] == '\r' ? stop - 1 : stop;
    if (word_is(line, last, "c weft undirected")) j->header.undirected = line;
    if (word_is(line, last, "c weft unweighted")) j->header.unweighted = true;
    return wfi_id_comments_line(j->ctx, j->source, &j->ids, j->text, line, stop);
}

/* Parses the header; *cut: the text ends inside the header. */
static weft_status scan_header(job *j, bool *cut) {
    *cut = false;
    for (const char *line = j->text;;) {
        const char *stop = memchr(line, '\n', (size_t)(j->end - line));
        if (!stop && !j->whole) {
            *cut = true;
            return WEFT_OK;
        }
        if (line == j->end) return FAIL(j, line, "the file ends before its problem line");
        if (!stop) stop = j->end;
        if (is_comment(line, stop)) {
            weft_status st = take_comment(j, line, stop);
            if (st) return st;
        } else if (wfi_skip_blanks(line) < stop) {
            j->header.line = line;
            bool problem = *line == 'p' && wfi_is_blank(line[1]);
            return problem ? read_problem_line(j, line, stop) : without_problem_line(j, line);
        }
        line = stop < j->end ? stop + 1 : stop;
    }
}

/* Reads the header, with the ids in its comments. */
static weft_status read_header(job *j) {
    size_t bytes;
    bool cut;
    j->text = wfi_source_head(j->source, &bytes);
    j->end = j->text + bytes;
    weft_status st = scan_header(j, &cut);
    if (st || !cut) return st;
    st = wfi_source_whole(j->ctx, j->source, &j->text, &bytes);
    if (st) return st;
    wfi_id_comments_free(&j->ids);
    j->ids = wfi_id_comments_of("c ", 1);
    j->header = (dimacs_header){0};
    j->end = j->text + bytes;
    j->whole = true;
    return scan_header(j, &cut);
}

/* --- lines --------------------------------------------------------------------------- */

/* Contribution of one block to the job. */
typedef struct tally {
    uint64_t listed, records, balance, largest;
} tally;

static uint64_t hash_arc(uint64_t u, uint64_t v, wfi_weight w) {
    uint32_t bits;
    memcpy(&bits, &w.value, sizeof bits);
    return wfi_mix(wfi_mix(u << 32 | v) + (w.whole ? w.integer : bits));
}

static void collect(const job *j, wfi_collector *c, uint64_t u, uint64_t v, wfi_weight w, tally *t) {
    t->listed++;
    t->largest = wfi_max_u64(t->largest, wfi_max_u64(u, v));
    if (j->halved && u != v) t->balance += u < v ? hash_arc(u, v, w) : 0 - hash_arc(v, u, w);
    if (j->halved && u > v) return;
    t->records++;
    wfi_collect_vertices(c, u - 1, v - 1, j->weighted, w);
}

/* Skips the letter that begins the line, if the format has one. */
static weft_status read_letter(const job *j, wfi_cursor *k) {
    static const char letters[] = {'a', 0, 'e'};
    static const char *const shape[] = {"\"a\", source, target, weight", "two ids", "\"e\" and two ids"};
    char letter = letters[j->header.problem], first = *k->p;
    bool alone = wfi_is_blank(k->p[1]) || k->p[1] == '\n';
    if (letter && first == letter && alone) {
        k->p++;
        return WEFT_OK;
    }
    if (!letter && first != 'p') return WEFT_OK;
    if (first == 'p' && alone)
        return wfi_block_error(k->error, k->block, k->p, "%s",
                               j->header.has_problem_line ? "a second problem line" : "a problem line after the edges");
    return wfi_block_error(k->error, k->block, k->p, "expected a line of %s", shape[j->header.problem]);
}

/* Comments; in colouring files also the descriptors of vertices and of the generator. */
static bool to_be_skipped(const job *j, const char *line) {
    if (*line == '\n') return true;
    bool descriptor = *line == 'c' || (j->header.problem == EDGES && *line && strchr("ndvx", *line));
    return descriptor && (wfi_is_blank(line[1]) || line[1] == '\n');
}

/* Reads any line, and reports its errors.  Leaves k->p at the end of the line. */
static weft_status read_line(const job *j, wfi_collector *c, wfi_cursor *k, tally *t) {
    uint64_t u = 0, v = 0;
    wfi_weight w = {0};
    k->p = wfi_skip_blanks(k->p);
    if (to_be_skipped(j, k->p)) {
        k->p = wfi_line_end(k);
        return WEFT_OK;
    }
    weft_status st = read_letter(j, k);
    if (!st) st = wfi_read_index(k, "source", j->most, &u);
    if (!st) st = wfi_read_index(k, "target", j->most, &v);
    if (st) return st;
    if (j->valued && !j->weighted) {
        k->p = wfi_line_end(k);
    } else {
        if (j->valued) st = wfi_read_weight(k, &w);
        if (!st) st = wfi_read_line_end(k, j->valued ? "the weight" : "the two ids");
        if (st) return st;
    }
    collect(j, c, u, v, w, t);
    return WEFT_OK;
}

/* Reads the usual line with single blanks; false for every other form. */
static inline bool read_line_fast(const job *j, const char **at, uint64_t *u, uint64_t *v, wfi_weight *w) {
    const char *p = *at;
    if (j->header.problem != PAIRS) {
        if (*p != (j->header.problem == ARCS ? 'a' : 'e') || p[1] != ' ') return false;
        p += 2;
    }
    if (wfi_scan_u64(&p, u) || *p++ != ' ' || wfi_scan_u64(&p, v)) return false;
    if (*u - 1 >= j->most || *v - 1 >= j->most) return false;
    if (j->valued) {
        if (*p++ != ' ' || !j->weighted || wfi_scan_weight(&p, j->weight_type == WEFT_WEIGHT_F64, w)) return false;
    }
    if (*p != '\n') return false;
    *at = p;
    return true;
}

static weft_status read_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                              wfi_parse_error *error) {
    job *j = user;
    wfi_collector *c = &j->collectors[block->thread];
    tally t = {0};
    uint64_t line_count = 0;
    /* The shortest line, "1 1" and its end, takes four bytes. */
    weft_status st = wfi_collector_reset(ctx, c, block->bytes / 4 + 1, j->weight_type);
    const char *end = block->text + block->bytes;
    wfi_cursor k = {block->text, block, error, j->weight_type == WEFT_WEIGHT_F64};
    while (!st && k.p < end) {
        uint64_t u, v;
        wfi_weight w = {0};
        if (read_line_fast(j, &k.p, &u, &v, &w))
            collect(j, c, u, v, w, &t);
        else
            st = read_line(j, c, &k, &t);
        line_count += k.p < end;
        k.p++;
    }
    *lines = line_count;
    if (st) return st;
    atomic_fetch_add(&j->listed, t.listed);
    atomic_fetch_add(&j->records, t.records);
    atomic_fetch_add(&j->balance, t.balance);
    uint64_t largest = j->largest;
    while (t.largest > largest && !atomic_compare_exchange_weak(&j->largest, &largest, t.largest)) continue;
    return wfi_collector_deliver(ctx, c, &j->edges, block->index, 0);
}

/* --- the file -------------------------------------------------------------------------- */

static weft_status check_promise(const job *j) {
    const dimacs_header *h = &j->header;
    if (h->has_problem_line && j->listed != h->edges) {
        wfi_ull promised = h->edges, found = j->listed;
        if (h->problem != EDGES)
            return FAIL(j, h->edges_at, "the problem line promises %llu edge%s, but %llu follow%s", promised,
                        wfi_plural(promised), found, found == 1 ? "s" : "");
        wfi_warn(j->ctx, "%s: the problem line promises %llu edge%s, but %llu follow%s", wfi_source_name(j->source),
                 promised, wfi_plural(promised), found, found == 1 ? "s" : "");
    }
    if (j->halved && j->balance)
        return FAIL(j, h->undirected, "the file claims to be undirected, but not every arc has its mirror image");
    return WEFT_OK;
}

static weft_status check_weights(const job *j, weft_weights_use use) {
    if (use != WEFT_WEIGHTS_REQUIRE || j->weighted) return WEFT_OK;
    return FAIL(j, j->header.line, "weights are required, but %s",
                j->header.unweighted ? "a comment says that those of this file mean nothing"
                                     : "this kind of file has none");
}

static weft_status read_lines(job *j) {
    if (wfi_collectors_new(j->ctx, &j->collectors)) return WEFT_ENOMEM;
    weft_status st =
        wfi_read_blocks(j->ctx, j->source, (uint64_t)(j->header.body - j->text), WFI_CUT_LINES, read_block, j);
    wfi_collectors_free(j->ctx, j->collectors);
    return st ? st : check_promise(j);
}

static weft_status build(job *j, const weft_read_params *params, weft_graph **out) {
    const dimacs_header *h = &j->header;
    wfi_build b = {.numbering = WFI_VERTICES, .id_base = 1, .format = "dimacs"};
    b.vertices = h->has_problem_line ? h->vertices : j->largest;
    if (!wfi_vertices_plausible(b.vertices, j->records))
        return FAIL(j, h->line, "%llu vertices and only %llu edges: too sparse to be read as a graph",
                    (wfi_ull)b.vertices, (wfi_ull)j->records);
    b.directed = j->directed;
    b.records = j->records;
    b.params = wfi_read_rules(params);
    return wfi_graph_build(j->ctx, &j->edges, &b, out);
}

weft_status wfi_read_dimacs(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    job j = {.ctx = ctx, .source = source, .ids = wfi_id_comments_of("c ", 1)};
    weft_graph *g = NULL;
    weft_status st = read_header(&j);
    if (st) goto done;

    const dimacs_header *h = &j.header;
    bool arcs = h->problem == ARCS;
    j.directed = wfi_resolve_directed(params->direction, arcs && !h->undirected);
    j.most = h->has_problem_line ? h->vertices : WEFT_NO_VERTEX - 1;
    j.valued = arcs;
    j.weighted = arcs && !h->unweighted && params->weights != WEFT_WEIGHTS_IGNORE;
    j.weight_type = wfi_first_weight_type(params, j.weighted);
    j.halved = arcs && h->undirected && !j.directed;
    st = check_weights(&j, params->weights);
    if (!st) st = read_lines(&j);
    if (!st) st = build(&j, params, &g);
    if (!st) st = wfi_apply_id_comments(ctx, source, &j.ids, j.text, g);
    wfi_edge_layout layout = {.separator = j.halved ? 0 : ' ',
                              .tag = 'a',
                              .numbered = true,
                              .source = 1,
                              .target = 2,
                              .from = (uint64_t)(h->body - j.text)};
    if (!st) st = wfi_name_lines(ctx, source, &layout, g);
    if (st) goto done;
    *out = g;
    g = NULL;
done:
    weft_graph_free(g);
    wfi_edges_free(&j.edges);
    wfi_id_comments_free(&j.ids);
    return st;
}

/* --- sniffing ---------------------------------------------------------------------- */

static bool is_arc_line(const char *at, const char *stop) {
    uint64_t number;
    for (unsigned i = 0; i < 2; i++) {
        at = wfi_skip_blanks(at + (i == 0));
        if (wfi_scan_u64(&at, &number) || !wfi_is_blank(*at)) return false;
    }
    wfi_weight unused;
    at = wfi_skip_blanks(at);
    return !wfi_scan_weight(&at, false, &unused) && wfi_skip_blanks(at) >= stop;
}

int wfi_sniff_dimacs(const char *head, size_t bytes) {
    const char *end = head + bytes;
    for (const char *line = head; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) stop = end;
        problem_kind problem;
        if (is_comment(line, stop)) {
            if (word_is(line, stop, "c weft")) return 3;
        } else if (wfi_skip_blanks(line) < stop) {
            if (*line == 'p' && wfi_is_blank(line[1]))
                return known_problem(wfi_skip_blanks(line + 1), stop, &problem) ? 3 : 0;
            return *line == 'a' && wfi_is_blank(line[1]) && is_arc_line(line, stop) ? 2 : 0;
        }
        line = stop + 1;
    }
    return 0;
}

/* --- writing ------------------------------------------------------------------------- */

/* DIMACS, writing: "p sp" and one line for each arc, the form that most programs read.  The format has neither
 * undirected nor unweighted graphs: for an undirected graph both arcs of each edge are listed, for an unweighted graph
 * all weights are 1, and a comment tells Weft's own reader.  Ids other than 1 ... n go into comments. */
weft_status wfi_write_dimacs(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    if (!g->directed) wfi_sink_text(sink, "c weft undirected\n");
    if (!g->weight_type) wfi_sink_text(sink, "c weft unweighted\n");
    weft_status st = wfi_write_id_comments(ctx, g, sink, format, "c ", 1);
    if (st) return st;
    wfi_sink_print(sink, "p sp %llu %llu\n", (wfi_ull)g->n, (wfi_ull)g->arcs);
    for (weft_vid v = 0; v < g->n && !wfi_sink_failed(sink); v++) {
        if (v % 4096 == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) {
            wfi_sink_bytes(sink, "a ", 2);
            wfi_sink_u64(sink, (uint64_t)v + 1);
            wfi_sink_char(sink, ' ');
            wfi_sink_u64(sink, (uint64_t)g->out.targets[e] + 1);
            wfi_sink_char(sink, ' ');
            if (g->weight_type)
                wfi_sink_weight(sink, g->weight_type, g->out.weights, e);
            else
                wfi_sink_char(sink, '1');
            wfi_sink_char(sink, '\n');
        }
    }
    return WEFT_OK;
}
