/* What an edge list means, decided from its first 64 KiB: the style in which its lines are read.
 *
 * Method: edgelist_facts.c says what the head shows.  Comments above the data may tell the direction, the writer and
 * the names of the columns.  Notations and the hypotheses below are then held against the first lines, in this order;
 * the first that is certain sets the style.  Where two readings fit, the file is refused with the flags that decide.
 * What nothing else claims is a list or a table of edges: its first record is scored as a header or as data, and
 * columns.c chooses the ends and the weight.  A second header or a mark further down is seen by the reader.
 *
 * To add a form that is refused: a function in edgelist_facts.c that finds it, and a row in `forms`.  To add one that is
 * read: a score and what it sets in the style, as a row in `hypotheses`. */
#include "io/table/edgelist_facts.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- comments ------------------------------------------------------------------------------------- */

/* The number after `word ` in a comment of Weft's own. */
static bool number_after(const char *line, const char *end, const char *word, int64_t *value) {
    const char *p = memmem(line, (size_t)(end - line), word, strlen(word));
    if (!p) return false;
    p += strlen(word);
    return wfi_scan_i64(&p, value) == WFI_NUMBER_OK;
}

static void look_at_ours(const char *line, const char *end, wfi_edgelist_style *style) {
    int64_t vertices, base;
    style->ours = true;
    style->says_direction = true;
    style->directed = !memmem(line, (size_t)(end - line), " undirected", 11);
    style->names = memmem(line, (size_t)(end - line), " names", 6) != NULL;
    if (!number_after(line, end, " vertices ", &vertices) || !number_after(line, end, " from ", &base) || vertices < 0)
        return;
    style->dense = true;
    style->vertices = (uint64_t)vertices;
    style->base = base;
}

/* Comments that tell the direction: KONECT's and SNAP's.  SNAP has "Directed graph" also above lists in which each edge
 * stands twice (email-Enron), with words that tell these from others. */
static const struct remark {
    const char *begins;
    char mark;
    bool says, directed, bipartite, networkx;
} remarks[] = {
    {"sym ", '%', .says = true},
    {"asym ", '%', .says = true, .directed = true},
    {"bip ", '%', .says = true, .bipartite = true},
    {"GMT ", '#', .networkx = true},
    {"undirected graph", '#', .says = true},
    {"directed graph (each unordered pair of nodes is saved once)", '#', .says = false},
    {"directed graph", '#', .says = true, .directed = true},
};

static bool begins_with(const char *p, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - p) >= length && !strncasecmp(p, word, length);
}

static void look_at_comment(const char *line, const char *end, wfi_edgelist_style *style) {
    const char *p = line + 1;
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    if (begins_with(line, end, "# weft edge list")) {
        look_at_ours(line, end, style);
        return;
    }
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        const struct remark *r = &remarks[i];
        if (*line != r->mark || !begins_with(p, end, r->begins)) continue;
        style->konect = style->konect || r->mark == '%';
        style->networkx = style->networkx || r->networkx;
        style->bipartite = style->bipartite || r->bipartite;
        style->says_direction = style->says_direction || r->says;
        if (r->says) style->directed = r->directed;
        return;
    }
}

/* --- titles and first lines ------------------------------------------------------------------------ */

enum { MOST_TITLES = 5 };

/* The header moves to the front if there are lines of one field above it, which are a title. */
static void skip_title(wfi_detection *d) {
    wfi_head *h = &d->head;
    const char *at = h->line, *line;
    for (int i = 0; i <= MOST_TITLES && (line = wfi_next_data_line(&at, h->end, h->comments)); i++) {
        char separator = wfi_find_separator(line, h->end, h->comments, true);
        if (!wfi_names_both_ends(wfi_record_at(line, h->end, separator))) continue;
        if (!i) return;
        const char *above = h->line, *title;
        while ((title = wfi_next_data_line(&above, line, h->comments)) && title < line)
            if (separator == ' ' || wfi_filled_fields(wfi_record_at(title, h->end, separator)) > 1) return;
        WFI_NOTE(d, "what stands above the header is a title, and is passed over");
        h->line = line;
        d->style->from = (uint64_t)(line - h->text);
        d->style->may_be_sized = false;
        return;
    }
}

/* The first line is none of the data. */
static void start_below(wfi_detection *d) {
    wfi_head *h = &d->head;
    const char *at = wfi_head_line_end(h->line, h->end) + 1;
    d->style->from = (uint64_t)(at - h->text);
    h->line = wfi_next_data_line(&at, h->end, h->comments);
}

/* "34546,421578,d,graph,..." of LightGraphs: vertices, edges, direction. */
static void skip_lightgraphs(wfi_detection *d) {
    wfi_head *h = &d->head;
    wfi_record r = wfi_record_at(h->line, h->end, ',');
    wfi_field f[3];
    for (int i = 0; i < 3; i++)
        if (!wfi_next_field(&r, &f[i]) || (i < 2 && !wfi_field_is_integer(&f[i]))) return;
    if (f[2].length != 1 || (*f[2].text != 'd' && *f[2].text != 'u')) return;
    d->style->says_direction = true;
    d->style->directed = *f[2].text == 'd';
    d->style->may_be_sized = false;
    start_below(d);
}

/* "sep=;" alone on the first line, as Excel reads and writes it. */
static void skip_separator_line(wfi_detection *d) {
    wfi_head *h = &d->head;
    const char *stop = wfi_head_line_end(h->line, h->end);
    if (stop > h->line && stop[-1] == '\r') stop--;
    if (stop - h->line != 5 || !begins_with(h->line, stop, "sep=")) return;
    if (!d->params.separator) d->params.separator = h->line[4];
    start_below(d);
}

/* A carriage return belongs before a newline, or in quotes.  Alone it is a line end of another age, and would be
 * misread. */
static weft_status refuse_lone_returns(weft_ctx *ctx, const wfi_source *source) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes), *from = head;
    bool quoted = false;
    for (const char *p = head; (p = memchr(p, '\r', (size_t)(head + bytes - p))); p++) {
        for (; from < p; from++) quoted ^= *from == '"';
        if (!quoted && p + 1 < head + bytes && p[1] != '\n')
            return wfi_fail_in_text(ctx, source, head, p,
                                    "a carriage return without a newline (if lines end so: tr '\\r' '\\n')");
    }
    return WEFT_OK;
}

/* --- notations ------------------------------------------------------------------------------------- */

/* The notation that the first line is an example of.  WEFT_EINPUT for one that is not understood. */
static weft_status find_notation(wfi_detection *d) {
    const wfi_head *h = &d->head;
    const char *p = wfi_skip_blanks(h->line), *last = wfi_head_line_end(h->line, h->end);
    while (last > p && wfi_is_blank(last[-1])) last--;
    size_t bytes = (size_t)(last - p);
    wfi_edge_parts e;
    if (bytes > 2 && *p == '[' && p[1] == '(')
        return WFI_REFUSE(d, p, "a Python list: write one edge per line, as in (u, v) or u v");
    bool fits[] = {[WFI_NOTATION_DICT] = last[-1] == '}' && memchr(p, '{', bytes),
                   [WFI_NOTATION_TUPLE] = (*p == '(' || *p == '[') && memchr(p, ',', bytes),
                   [WFI_NOTATION_ARROW] =
                       memmem(p, bytes, "->", 2) && !memchr(p, '"', bytes) && !memchr(p, ',', bytes)};
    for (int n = WFI_NOTATION_DICT; n <= WFI_NOTATION_ARROW; n++)
        if (fits[n] && wfi_notation_fields((wfi_notation)n, h->line, h->end, &e)) d->style->notation = (wfi_notation)n;
    const char *arrow = d->style->notation ? NULL : wfi_find_arrow(h);
    if (!arrow) return WEFT_OK;
    return WFI_REFUSE(d, arrow,
                      "an arrow between the ids, %.*s, of which only u -> v alone on its line is understood%s",
                      (int)strcspn(arrow, " \t\r\n"), arrow, *arrow == '<' ? "" : "; write it so, or leave it out");
}

/* Ids and weights in the notation, on all lines of the head. */
static void take_notation(wfi_detection *d) {
    static const char *const forms[] = {[WFI_NOTATION_DICT] = "u v {...}, as NetworkX writes edges",
                                        [WFI_NOTATION_TUPLE] = "(u, v)",
                                        [WFI_NOTATION_ARROW] = "u -> v"};
    wfi_edgelist_style *style = d->style;
    const char *at = d->head.line, *line;
    wfi_edge_parts e;
    const wfi_field *u = &e.source, *v = &e.target;
    bool first = true, padded = false, numbers = true, ignored = d->params.weights == WEFT_WEIGHTS_IGNORE;
    while ((line = wfi_next_whole_line(&d->head, &at))) {
        if (!wfi_notation_fields(style->notation, line, d->head.end, &e)) continue;
        style->names = style->names || !wfi_field_is_integer(u) || !wfi_field_is_integer(v);
        padded = padded || wfi_field_is_padded(u) || wfi_field_is_padded(v);
        numbers = numbers && wfi_field_is_number(u) && wfi_field_is_number(v);
        if (first) style->weights = e.weight.text && !ignored;
        if (first) style->columns = e.weight.text || ignored ? 3 : 2;
        first = false;
    }
    WFI_NOTE(d, "lines are read as %s%s", forms[style->notation], style->weights ? ", with weights" : "");
    if (d->aloud && padded && numbers && d->params.ids == WEFT_READ_IDS_AUTO)
        wfi_edgelist_note_padded(d->ctx, d->head.source);
}

/* --- hypotheses ------------------------------------------------------------------------------------ */

enum { MULTILINE = 2 };

/* Forms that are known but not read, each with the command that makes a list of edges of it. */
static const struct form {
    wfi_find_form *find;
    const char *sentence;
} forms[] = {
    {wfi_find_lgl, "igraph's LGL, a line # with a vertex above the neighbours of each, which Weft does not read: "
                   "awk '/^#/{v=$2;next}{print v,$0}' FILE | weft info `direction=undirected` - (`format=edgelist` if "
                   "a line is an edge)"},
    {wfi_find_tgf, "vertices, a line #, then edges: the Trivial Graph Format, of which Weft reads the edges alone: "
                   "sed '1,/^#/d' FILE | weft info -"},
    [MULTILINE] = {wfi_find_multiline,
                   "NetworkX's multi-line adjacency list, which Weft does not read: nx.write_adjlist(G, "
                   "\"graph.adjlist\") or nx.write_edgelist(G, \"edges.txt\") writes one that it does"},
    {wfi_find_smat, NULL}, /* its sentence has numbers */
    {wfi_find_weighed_rows, "neighbours with weights behind a colon, as in 1 2:0.5 3:1.5, which Weft does not read: "
                            "awk '{for(i=2;i<=NF;i++){split($i,a,\":\");print $1,a[1],a[2]}}' FILE | weft info - "
                            "(`format=edgelist` if 2:0.5 is a vertex)"},
    {wfi_find_giraph, "Giraph's JSON, [vertex, value, [[neighbour, weight], ...]], which Weft does not read: "
                      "jq -r '.[0] as $v|.[2][]|\"\\($v) \\(.[0]) \\(.[1])\"' FILE | weft info -"},
    {wfi_find_double_bars, "fields that || separates, which is no one character: sed 's/||/\\t/g' FILE | weft info -"},
    {wfi_find_slashes, "a comment that begins with //, which no list of edges has: sed '/^ *\\/\\//d' FILE | weft info "
                       "- (`format=edgelist` if // is a vertex)"},
    {wfi_find_scipy,
     "a matrix as SciPy prints it, not all of which may be there: scipy.sparse.save_npz(\"graph.npz\", matrix) or "
     "scipy.io.mmwrite(\"graph.mtx\", matrix) saves it"},
    {wfi_find_hard_space, "a no-break space (U+00A0), which is part of a name and separates nothing: sed "
                          "'s/\\xc2\\xa0/ /g' FILE | weft info -"},
};

static weft_status refuse_smat(const wfi_detection *d, const char *place) {
    char flag[64];
    uint64_t rows = 0, columns = 0;
    const char *p = wfi_skip_blanks(place);
    wfi_scan_u64(&p, &rows);
    p = wfi_skip_blanks(p);
    wfi_scan_u64(&p, &columns);
    snprintf(flag, sizeof flag, rows == columns ? "`vertices=%llu`" : "`sides=two`", (wfi_ull)rows);
    return WFI_REFUSE(
        d, place,
        "a sparse matrix (SMAT): the first line says rows, columns and entries, and is no edge.  Without it: "
        "sed 1d FILE | weft info %s - (`format=edgelist` if it is an edge)",
        flag);
}

static weft_status refuse_form(const wfi_detection *d, const struct form *form) {
    const char *place = form->find(&d->head);
    if (!place) return WEFT_OK;
    return form->sentence ? WFI_REFUSE(d, place, "%s", form->sentence) : refuse_smat(d, place);
}

static weft_status score_forms(wfi_detection *d, wfi_score *s) {
    weft_status st = WEFT_OK;
    *s = WFI_NO;
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !st; i++) st = refuse_form(d, &forms[i]);
    return st;
}

/* v: n1 n2 ..., or below NetworkX's comment. */
static weft_status score_rows(wfi_detection *d, wfi_score *s) {
    d->style->colon = wfi_has_colons(&d->head, false);
    *s = d->style->colon || d->style->networkx ? WFI_YES : WFI_NO;
    return WEFT_OK;
}

static weft_status look_at_rows(wfi_detection *d) {
    wfi_edgelist_style *style = d->style;
    if (style->lists == WFI_LISTS_NEIGHBOURS) style->colon = wfi_has_colons(&d->head, true);
    wfi_edgelist_look_at_rows(&d->params, &d->head, style);
    if (d->params.weights != WEFT_WEIGHTS_REQUIRE) return WEFT_OK;
    return wfi_fail_at(d->ctx, wfi_source_name(d->head.source), 1, 1,
                       "no weights here, but they were asked for: %s cannot store them",
                       style->lists == WFI_LISTS_SIF ? "SIF" : "an adjacency list");
}

static weft_status take_rows(wfi_detection *d) {
    d->style->lists = WFI_LISTS_NEIGHBOURS;
    WFI_NOTE(
        d, "read as an adjacency list, a vertex and its neighbours a line (`format=edgelist` if each line is an edge)");
    return look_at_rows(d);
}

enum { LEAST_WIDE = 16 };

/* table: numbers with names above and before them. */
static wfi_score score_of_matrix(const wfi_matrix *m, const wfi_head *h, bool *table) {
    uint64_t n = (uint64_t)m->columns;
    bool bare = !m->above && !m->before, square = m->rows == n && !h->cut_off, both = m->above && m->before;
    *table = false;
    if (both && m->named && m->rows > 1 && !m->counted) return WFI_YES;
    if (both && !m->named && m->worded && n > 2) {
        *table = true;
        return WFI_PERHAPS;
    }
    bare = bare || (both && m->named); /* names that only count say nothing */
    if (bare && h->cut_off) return n < LEAST_WIDE ? WFI_NO : m->marks ? WFI_YES : WFI_PERHAPS;
    if (bare && square && n > 3) return m->marks || m->hollow || m->mirrored ? WFI_YES : WFI_PERHAPS;
    if (bare && square && n == 3) return m->marks || m->hollow ? WFI_ASK : WFI_NO;
    if (m->before && !m->above && square && n == 2 && m->marks) return WFI_ASK;
    if (bare || n < 2) return WFI_NO;
    return (both && n > 2) || (square && (n > 2 || m->marks)) ? WFI_PERHAPS : WFI_NO;
}

static weft_status score_matrix(wfi_detection *d, wfi_score *s) {
    wfi_matrix m;
    wfi_field corner = {0};
    bool fits, table;
    wfi_record r = wfi_edge_record_at(d->style, d->head.line, d->head.end);
    *s = WFI_NO;
    if (wfi_names_both_ends(r)) return WEFT_OK;
    weft_status st = wfi_matrix_look(d->ctx, &d->head, d->style->separator, &m, &fits);
    if (st || !fits) return st;
    *s = score_of_matrix(&m, &d->head, &table);
    if (table) wfi_next_field(&r, &corner);
    if (table && !corner.length)
        return WFI_REFUSE(
            d, d->head.line,
            "numbers with names above and before them: a matrix from rows to columns?  `format=dense` if so, "
            "`source_col=N` `target_col=N` if each line is an edge");
    if (*s == WFI_ASK)
        return WFI_REFUSE(d, d->head.line,
                          "edges with weights, or a matrix of %d rows?  `format=edgelist` or `format=dense`",
                          m.columns);
    d->style->may_be_matrix = *s == WFI_PERHAPS;
    if (*s == WFI_YES)
        WFI_NOTE(d, "read as a matrix of %d columns%s (`format=edgelist` if each line is an edge)", m.columns,
                 m.above ? ", with names" : "");
    return WEFT_OK;
}

static weft_status take_matrix(wfi_detection *d) {
    d->style->matrix = true;
    return WEFT_OK;
}

/* Edges whose weights are vertices, each with a line of its own, are rare. */
static weft_status score_threes(wfi_detection *d, wfi_score *s) {
    bool threes;
    weft_status st = wfi_look_for_threes(d->ctx, &d->head, d->style, &threes);
    *s = WFI_NO;
    if (st || !threes) return st;
    return WFI_REFUSE(
        d, d->head.line,
        "edges with weights, or an adjacency list, a vertex and its neighbours a line?  `format=edgelist` or "
        "`format=adjlist`");
}

/* --- the whole ------------------------------------------------------------------------------------- */

static const struct hypothesis {
    weft_status (*score)(wfi_detection *d, wfi_score *s); /* refuses where it is to be asked */
    weft_status (*take)(wfi_detection *d);                /* if the score is WFI_YES */
} hypotheses[] = {{score_forms, NULL}, {score_rows, take_rows}, {score_matrix, take_matrix}, {score_threes, NULL}};

static weft_status look_at_list(wfi_detection *d, bool automatic) {
    wfi_edgelist_style *style = d->style;
    const weft_read_params *p = &d->params;
    const wfi_head *h = &d->head;
    style->separator =
        p->separator ? p->separator : wfi_find_separator(h->line, h->end, h->comments, p->decimal != ',');
    if (!p->separator && style->separator == ',' && wfi_has_decimals_between_blanks(h))
        return WFI_REFUSE(
            d, h->line,
            "weights with a decimal comma, or fields that commas separate?  `decimal=comma` or `separator=,`");
    for (size_t i = 0; automatic && i < sizeof hypotheses / sizeof *hypotheses; i++) {
        wfi_score s;
        weft_status st = hypotheses[i].score(d, &s);
        if (st) return st;
        if (s == WFI_YES) return hypotheses[i].take(d);
    }
    return wfi_detect_columns(d);
}

static void decide_ids(const wfi_detection *d, bool said_names) {
    wfi_edgelist_style *style = d->style;
    if (said_names && !style->lists) { /* a list, be they numbers in quotes */
        style->names = true;
        style->doubts = style->table = style->plain = false;
    }
    if (d->params.ids != WEFT_READ_IDS_AUTO)
        style->names = d->params.ids == WEFT_READ_IDS_STRING;
    else if (d->params.vertices)
        style->names = false; /* vertices 0 ... N-1 have no names */
    if (d->params.ids == WEFT_READ_IDS_STRING) style->doubts = false;
    if (style->names && style->table) style->plain = false;
}

static weft_status look_at_data(wfi_detection *d) {
    wfi_edgelist_style *style = d->style;
    const weft_read_params *p = &d->params;
    bool said_names = style->names; /* by Weft's own comment */
    bool automatic = !p->format && !style->ours && !style->konect && p->header == WEFT_HEADER_AUTO && !p->source_col &&
                     !p->target_col;
    weft_status st = WEFT_OK;
    if (automatic) skip_title(d);
    if (!p->separator && p->header == WEFT_HEADER_AUTO) skip_lightgraphs(d);
    if (!d->head.line) return WEFT_OK;
    bool listed = style->lists;
    if (listed) st = refuse_form(d, &forms[MULTILINE]);
    if (!st && !listed && !p->separator && !style->ours) st = find_notation(d);
    if (st) return st;
    if (listed)
        st = look_at_rows(d);
    else if (style->notation)
        take_notation(d);
    else
        st = look_at_list(d, automatic);
    if (st || style->matrix) return st;
    decide_ids(d, said_names);
    if (p->weights == WEFT_WEIGHTS_REQUIRE && !style->weights)
        return wfi_fail(d->ctx, WEFT_EINPUT, "%s: weights were asked for, but the third column is missing or no number",
                        wfi_source_name(d->head.source));
    return WEFT_OK;
}

/* Comments above the data, and the first line below them. */
static void find_data(wfi_detection *d, const char *text, size_t bytes) {
    wfi_edgelist_style *style = d->style;
    wfi_head *h = &d->head;
    h->text = text;
    h->end = text + bytes;
    for (const char *p = text, *stop; h->comments && p < h->end && (*p == '#' || *p == '%'); p = stop + 1) {
        stop = wfi_head_line_end(p, h->end);
        look_at_comment(p, stop, style);
        if (!style->ours) h->comment = p; /* Weft's own name vertices, and no columns */
    }
    style->asks = d->params.comments == WEFT_COMMENTS_AUTO && !style->ours && !style->konect;
    style->comment_at = h->comment ? (uint64_t)(h->comment - text) : UINT64_MAX;
    if (style->ours || style->konect || d->params.header != WEFT_HEADER_AUTO) style->may_be_sized = false;
    const char *at = text;
    h->line = wfi_next_data_line(&at, h->end, h->comments);
    if (!h->line && style->ours) style->separator = '\t';
    if (h->line) skip_separator_line(d);
    style->data_at = h->line ? (uint64_t)(h->line - text) : 0;
}

weft_status wfi_edgelist_look(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                              const wfi_edgelist_known *known, bool aloud, wfi_edgelist_style *style) {
    *style = (wfi_edgelist_style){.directed = true,
                                  .separator = ' ',
                                  .source = 0,
                                  .target = 1,
                                  .columns = 2,
                                  .weight = -1,
                                  .direction = -1,
                                  .comments = params->comments != WEFT_COMMENTS_NO,
                                  .decimal = '.',
                                  .lists = known->lists,
                                  .records = known->records,
                                  .fields = known->fields,
                                  .may_be_sized = !known->unsized};
    weft_status st = refuse_lone_returns(ctx, source);
    if (st) return st;
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes);
    wfi_detection d = {.ctx = ctx, .params = *params, .aloud = aloud, .style = style};
    d.head = (wfi_head){.source = source, .cut_off = bytes >= WFI_HEAD_BYTES, .comments = style->comments};
    if (bytes >= 3 && wfi_is_mark(head)) /* the second one */
        return wfi_fail_at(ctx, wfi_source_name(source), 1, 1, WFI_MARK_IN_TEXT);
    /* A copy that ends with a newline, so that the last line may lack its own. */
    char *copy = wfi_take(ctx, bytes + 1, 1);
    if (!copy) return WEFT_ENOMEM;
    memcpy(copy, head, bytes);
    copy[bytes] = '\n';
    find_data(&d, copy, bytes);
    if (d.head.line)
        st = look_at_data(&d);
    else if (style->asks)
        st = wfi_edgelist_ask_of_hashes(ctx, source, copy, d.head.end);
    if (known->padded || (!d.head.line && params->ids == WEFT_READ_IDS_STRING)) style->names = true;
    if (known->padded) style->plain = false;
    wfi_free(copy);
    return st;
}

void wfi_edgelist_note_padded(weft_ctx *ctx, const wfi_source *source) {
    wfi_note(ctx, "%s: ids with leading zeros are kept as text (`ids=integer` reads 007 as 7)",
             wfi_source_name(source));
}
