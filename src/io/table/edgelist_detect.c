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

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* How well a reading fits. */
typedef enum score { NO, PERHAPS, ASK, YES } score;

/* One file, while it is decided about. */
typedef struct detection {
    weft_ctx *ctx;
    weft_read_params params; /* with the separator that the file itself names */
    wfi_head head;
    bool aloud;
    wfi_edgelist_style *style;
    wfi_table_facts table;
} detection;

#define REFUSE(d, place, ...) wfi_fail_in_text((d)->ctx, (d)->head.source, (d)->head.text, (place), __VA_ARGS__)
#define NOTE(d, format, ...) \
    ((d)->aloud ? wfi_note((d)->ctx, "%s: " format, wfi_source_name((d)->head.source), ##__VA_ARGS__) : (void)0)

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
static void skip_title(detection *d) {
    wfi_head *h = &d->head;
    const char *at = h->line, *line;
    for (int i = 0; i <= MOST_TITLES && (line = wfi_next_data_line(&at, h->end, h->comments)); i++) {
        char separator = wfi_find_separator(line, h->end, h->comments, true);
        if (!wfi_names_both_ends(wfi_record_at(line, h->end, separator))) continue;
        if (!i) return;
        const char *above = h->line, *title;
        while ((title = wfi_next_data_line(&above, line, h->comments)) && title < line)
            if (separator == ' ' || wfi_filled_fields(wfi_record_at(title, h->end, separator)) > 1) return;
        NOTE(d, "what stands above the header is a title, and is passed over");
        h->line = line;
        d->style->from = (uint64_t)(line - h->text);
        d->style->may_be_sized = false;
        return;
    }
}

/* "34546,421578,d,graph,..." of LightGraphs: vertices, edges, direction. */
static void skip_lightgraphs(detection *d) {
    wfi_head *h = &d->head;
    wfi_record r = wfi_record_at(h->line, h->end, ',');
    wfi_field f[3];
    for (int i = 0; i < 3; i++)
        if (!wfi_next_field(&r, &f[i]) || (i < 2 && !wfi_field_is_integer(&f[i]))) return;
    if (f[2].length != 1 || (*f[2].text != 'd' && *f[2].text != 'u')) return;
    d->style->says_direction = true;
    d->style->directed = *f[2].text == 'd';
    const char *at = wfi_head_line_end(h->line, h->end) + 1;
    d->style->from = (uint64_t)(at - h->text);
    d->style->may_be_sized = false;
    h->line = wfi_next_data_line(&at, h->end, h->comments);
}

/* "sep=;" alone on the first line, as Excel reads and writes it. */
static void skip_separator_line(detection *d) {
    wfi_head *h = &d->head;
    const char *stop = wfi_head_line_end(h->line, h->end), *at = stop + 1;
    if (stop > h->line && stop[-1] == '\r') stop--;
    if (stop - h->line != 5 || !begins_with(h->line, stop, "sep=")) return;
    if (!d->params.separator) d->params.separator = h->line[4];
    d->style->from = (uint64_t)(at - h->text);
    h->line = wfi_next_data_line(&at, h->end, h->comments);
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
static weft_status find_notation(detection *d) {
    const wfi_head *h = &d->head;
    const char *p = wfi_skip_blanks(h->line), *last = wfi_head_line_end(h->line, h->end);
    while (last > p && wfi_is_blank(last[-1])) last--;
    size_t bytes = (size_t)(last - p);
    wfi_edge_parts e;
    if (bytes > 2 && *p == '[' && p[1] == '(')
        return REFUSE(d, p, "a Python list: write one edge per line, as in (u, v) or u v");
    bool fits[] = {[WFI_NOTATION_DICT] = last[-1] == '}' && memchr(p, '{', bytes),
                   [WFI_NOTATION_TUPLE] = (*p == '(' || *p == '[') && memchr(p, ',', bytes),
                   [WFI_NOTATION_ARROW] =
                       memmem(p, bytes, "->", 2) && !memchr(p, '"', bytes) && !memchr(p, ',', bytes)};
    for (int n = WFI_NOTATION_DICT; n <= WFI_NOTATION_ARROW; n++)
        if (fits[n] && wfi_notation_fields((wfi_notation)n, h->line, h->end, &e)) d->style->notation = (wfi_notation)n;
    const char *arrow = d->style->notation ? NULL : wfi_find_arrow(h);
    if (!arrow) return WEFT_OK;
    return REFUSE(d, arrow, "an arrow between the ids, %.*s, of which only u -> v alone on its line is understood%s",
                  (int)strcspn(arrow, " \t\r\n"), arrow, *arrow == '<' ? "" : "; write it so, or leave it out");
}

/* Ids and weights in the notation, on all lines of the head. */
static void take_notation(detection *d) {
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
    NOTE(d, "lines are read as %s%s", forms[style->notation], style->weights ? ", with weights" : "");
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

static weft_status refuse_smat(const detection *d, const char *place) {
    char flag[64];
    uint64_t rows = 0, columns = 0;
    const char *p = wfi_skip_blanks(place);
    wfi_scan_u64(&p, &rows);
    p = wfi_skip_blanks(p);
    wfi_scan_u64(&p, &columns);
    snprintf(flag, sizeof flag, rows == columns ? "`vertices=%llu`" : "`sides=two`", (wfi_ull)rows);
    return REFUSE(d, place,
                  "a sparse matrix (SMAT): the first line says rows, columns and entries, and is no edge.  Without it: "
                  "sed 1d FILE | weft info %s - (`format=edgelist` if it is an edge)",
                  flag);
}

static weft_status refuse_form(const detection *d, const struct form *form) {
    const char *place = form->find(&d->head);
    if (!place) return WEFT_OK;
    return form->sentence ? REFUSE(d, place, "%s", form->sentence) : refuse_smat(d, place);
}

static weft_status score_forms(detection *d, score *s) {
    weft_status st = WEFT_OK;
    *s = NO;
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !st; i++) st = refuse_form(d, &forms[i]);
    return st;
}

/* v: n1 n2 ..., or below NetworkX's comment. */
static weft_status score_rows(detection *d, score *s) {
    d->style->colon = wfi_has_colons(&d->head, false);
    *s = d->style->colon || d->style->networkx ? YES : NO;
    return WEFT_OK;
}

static weft_status look_at_rows(detection *d) {
    wfi_edgelist_style *style = d->style;
    if (style->lists == WFI_LISTS_NEIGHBOURS) style->colon = wfi_has_colons(&d->head, true);
    wfi_edgelist_look_at_rows(&d->params, &d->head, style);
    if (d->params.weights != WEFT_WEIGHTS_REQUIRE) return WEFT_OK;
    return wfi_fail_at(d->ctx, wfi_source_name(d->head.source), 1, 1,
                       "no weights here, but they were asked for: %s cannot store them",
                       style->lists == WFI_LISTS_SIF ? "SIF" : "an adjacency list");
}

static weft_status take_rows(detection *d) {
    d->style->lists = WFI_LISTS_NEIGHBOURS;
    NOTE(d,
         "read as an adjacency list, a vertex and its neighbours a line (`format=edgelist` if each line is an edge)");
    return look_at_rows(d);
}

enum { LEAST_WIDE = 16 };

/* table: numbers with names above and before them. */
static score judge_matrix(const wfi_matrix *m, const wfi_head *h, bool *table) {
    uint64_t n = (uint64_t)m->columns;
    bool bare = !m->above && !m->before, square = m->rows == n && !h->cut_off, both = m->above && m->before;
    *table = false;
    if (both && m->named && m->rows > 1 && !m->counted) return YES;
    if (both && !m->named && m->worded && n > 2) {
        *table = true;
        return PERHAPS;
    }
    bare = bare || (both && m->named); /* names that only count say nothing */
    if (bare && h->cut_off) return n < LEAST_WIDE ? NO : m->marks ? YES : PERHAPS;
    if (bare && square && n > 3) return m->marks || m->hollow || m->mirrored ? YES : PERHAPS;
    if (bare && square && n == 3) return m->marks || m->hollow ? ASK : NO;
    if (m->before && !m->above && square && n == 2 && m->marks) return ASK;
    if (bare || n < 2) return NO;
    return (both && n > 2) || (square && (n > 2 || m->marks)) ? PERHAPS : NO;
}

static weft_status score_matrix(detection *d, score *s) {
    wfi_matrix m;
    wfi_field corner = {0};
    bool fits, table;
    wfi_record r = wfi_edge_record_at(d->style, d->head.line, d->head.end);
    *s = NO;
    if (wfi_names_both_ends(r)) return WEFT_OK;
    weft_status st = wfi_matrix_look(d->ctx, &d->head, d->style->separator, &m, &fits);
    if (st || !fits) return st;
    *s = judge_matrix(&m, &d->head, &table);
    if (table) wfi_next_field(&r, &corner);
    if (table && !corner.length)
        return REFUSE(d, d->head.line,
                      "numbers with names above and before them: a matrix from rows to columns?  `format=dense` if so, "
                      "`source_col=N` `target_col=N` if each line is an edge");
    if (*s == ASK)
        return REFUSE(d, d->head.line,
                      "edges with weights, or a matrix of %d rows?  `format=edgelist` or `format=dense`", m.columns);
    d->style->may_be_matrix = *s == PERHAPS;
    if (*s == YES)
        NOTE(d, "read as a matrix of %d columns%s (`format=edgelist` if each line is an edge)", m.columns,
             m.above ? ", with names" : "");
    return WEFT_OK;
}

static weft_status take_matrix(detection *d) {
    d->style->matrix = true;
    return WEFT_OK;
}

/* Edges whose weights are vertices, each with a line of its own, are rare. */
static weft_status score_threes(detection *d, score *s) {
    bool threes;
    weft_status st = wfi_look_for_threes(d->ctx, &d->head, d->style, &threes);
    *s = NO;
    if (st || !threes) return st;
    return REFUSE(d, d->head.line,
                  "edges with weights, or an adjacency list, a vertex and its neighbours a line?  `format=edgelist` or "
                  "`format=adjlist`");
}

/* --- header or data -------------------------------------------------------------------------------- */

/* Is the first record a header?  Method: it is held against all records of the head.  A known word, or words above
 * numbers, is a header; unknown words above names are asked about unless they tell: one that occurs again below, or has
 * the form of the values below, is data.  A list that blanks separate has no header of unknown words. */
static score judge_header(const wfi_table_facts *t, const wfi_edgelist_style *style, bool ends_are_named) {
    int known = 0;
    bool number_above_numbers = false, text_above_numbers = false, formed = false, id_numbers = true;
    for (int i = 0; i < t->fields; i++) {
        const wfi_column_facts *c = &t->columns[i];
        bool text = wfi_field_is_text(&c->first);
        known += text && wfi_is_column_name(c->first.text, c->first.length);
        number_above_numbers |= c->numbers && c->first.length && !text;
        text_above_numbers |= c->numbers && text;
        formed |= text && wfi_all(c, WFI_FACT_FORMED) && wfi_field_has_form(&c->first);
        if (i < 2) id_numbers &= wfi_all(c, WFI_FACT_INTEGER);
    }
    bool blanks = style->separator == ' ';
    if (ends_are_named && known < 2) known = 2; /* by what vertices are: author, paper */
    if (!t->rows) return ends_are_named ? YES : NO;
    if (!blanks && t->fields > 2 && !t->columns[0].first.length && !t->columns[0].first.quoted && t->columns[0].any)
        return YES; /* the nameless column of row numbers that data frames have */
    if (known >= 2 || (known && !number_above_numbers)) {
        if (t->repeats && !id_numbers && !text_above_numbers) return blanks ? NO : ASK;
        return blanks && !ends_are_named && !text_above_numbers ? NO : YES;
    }
    if (number_above_numbers) return NO;
    if (text_above_numbers) return YES;
    if (blanks || t->repeats || formed) return NO;
    for (int i = 0; i < t->fields && i < 2; i++)
        if (!wfi_field_is_text(&t->columns[i].first)) return NO; /* a number among names */
    return ASK;
}

/* --- names of columns ------------------------------------------------------------------------------ */

typedef enum named_by { NOBODY, COMMENT, HEADER } named_by;

/* The comment above the data names the columns, if it has as many fields as the data have.  *tabs: these separate them,
 * and the data as well.  *words: all are words. */
static bool take_names_of_comment(detection *d, bool *tabs, bool *words) {
    const char *p = d->head.comment;
    char separator = d->style->separator;
    if (!p) return false;
    const char *end = wfi_head_line_end(p, d->head.end);
    while (p < end && (*p == '#' || *p == '%')) p++;
    *tabs = separator == '\t' && memchr(p, '\t', (size_t)(end - p));
    if (separator == '\t' && !*tabs) separator = ' '; /* "# FromNodeId    ToNodeId" stands above tabs as well */
    wfi_record r = wfi_record_at(p, end, separator);
    if (wfi_count_fields(r) != d->table.fields) return false;
    *words = wfi_table_name(&d->table, r);
    return true;
}

static bool wants_columns(const weft_read_params *p) { return p->source_col || p->target_col || p->weight_col; }

static bool says(const wfi_column *c, const char *wanted) {
    return wanted && *wanted && c->name_length == strlen(wanted) && !strncasecmp(c->name, wanted, c->name_length);
}

/* A flag that calls a column by a word of the first line makes that line a header. */
static bool is_named_in(const wfi_table_facts *t, const char *wanted) {
    for (int i = 0; i < t->fields; i++)
        if (wfi_field_is_text(&t->columns[i].first) && says(&t->named[i], wanted)) return true;
    return false;
}

static bool flags_name_columns(const detection *d) {
    const wfi_edge_fields *f = d->style->fields;
    const weft_read_params *p = &d->params;
    for (size_t i = 0; f && i < f->count; i++) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)wfi_min_u64(f->names->start[i + 1] - f->names->start[i], 255),
                 f->names->text + f->names->start[i]);
        if (is_named_in(&d->table, name)) return true;
    }
    return is_named_in(&d->table, p->source_col) || is_named_in(&d->table, p->target_col) ||
           is_named_in(&d->table, p->weight_col);
}

/* Do the words of the comment say the ends?  Those that a flag names do.  Otherwise of four columns or more, with words
 * in all but the first two and nothing that could be a weight: NCBI's and others' files begin with an id that is no
 * end, so that the order of the columns says nothing.  The names do, or it is asked. */
static bool comment_matters(const wfi_table_facts *t, const weft_read_params *p, bool words) {
    bool texts = false;
    for (int i = 0; i < t->fields && wants_columns(p); i++)
        if (says(&t->named[i], p->source_col) || says(&t->named[i], p->target_col)) return true;
    if (t->fields < 4 || wants_columns(p) || !words) return false;
    for (int i = 0; i < t->fields; i++) {
        wfi_column_kind kind = wfi_column_kind_of(&t->columns[i]);
        bool wordy = kind == WFI_COLUMN_TEXT || kind == WFI_COLUMN_EMPTY || kind == WFI_COLUMN_DIRECTION;
        if ((i >= 2 && !wordy) || wfi_is_column_name(t->named[i].name, t->named[i].name_length)) return false;
        texts = texts || (i >= 2 && kind == WFI_COLUMN_TEXT);
    }
    return texts;
}

/* --- doubts ---------------------------------------------------------------------------------------- */

/* "1" 7 8: the row names that R writes, without the header above them. */
static bool counts_rows(const wfi_table_facts *t) {
    const wfi_field *f = &t->columns[0].first;
    return t->fields > 2 && wfi_all(&t->columns[0], WFI_FACT_INTEGER) && f->quoted && f->length == 1 &&
           *f->text == '1' && !((t->columns[1].any | t->columns[2].any) & WFI_FACT_QUOTED);
}

/* Three columns without a header, names among them: the second may be a relation between the others.  SIF and adjacency
 * lists are offered where such files are separated so. */
static const char *doubt_of_three(const wfi_table_facts *t, char separator) {
    bool listed = separator == ' ' || separator == '\t';
    const wfi_column_facts *c = t->columns;
    if (wfi_column_kind_of(&c[2]) == WFI_COLUMN_TEXT)
        return listed ? "three columns of names, and no header says which are the ends (`format=sif` if the second is "
                        "a relation, `format=adjlist` if a line is a vertex and its neighbours)"
                      : "three columns of names, and no header says which are the ends (`format=adjlist` if a line is "
                        "a vertex and its neighbours)";
    if (!wfi_all(&c[0], WFI_FACT_INTEGER) || !wfi_all(&c[2], WFI_FACT_INTEGER) || !c[1].any ||
        c[1].any & WFI_FACT_SPELT)
        return NULL;
    return listed ? "a word between two whole numbers, and no header says whether it is a vertex or a relation "
                    "(`format=sif` if it is a relation)"
                  : "a word between two whole numbers, and no header says whether it is a vertex or a relation";
}

static bool is_decimal(const wfi_column_facts *c) { return wfi_all(c, WFI_FACT_NUMBER) && c->any & WFI_FACT_FRACTION; }

static bool is_odd_number(const wfi_column_facts *c) {
    return wfi_field_is_spelt_number(&c->first) && !wfi_all(c, WFI_FACT_WHOLE);
}

/* Why a table should not be read so, and if it has no header, not by position; NULL: nothing speaks against it. */
static const char *doubt(const wfi_table_facts *t, const wfi_columns *c, bool header, char separator,
                         wfi_columns_question *question) {
    const wfi_column_facts *u = &t->columns[c->source], *v = &t->columns[c->target];
    if (wfi_brackets_span(t) && !header) {
        *question = WFI_ASK_NOTHING;
        return "brackets around several fields: write one edge per line, as in u v";
    }
    bool both = wfi_all(u, WFI_FACT_NUMBER) && wfi_all(v, WFI_FACT_NUMBER);
    if ((is_decimal(u) || is_decimal(v)) && (both || !header)) /* under a header 1.5 may be a version among names */
        return "numbers with a fraction where ids should be (`ids=string` takes them as names)";
    if (header) return NULL;
    if (is_odd_number(u) || is_odd_number(v))
        return "numbers with other signs among their digits where ids should be: which sign separates the fields? "
               "(`separator` says it, `ids=string` takes them as names)";
    if (counts_rows(t)) return "the first column counts the rows";
    bool names = !wfi_all(u, WFI_FACT_INTEGER) || !wfi_all(v, WFI_FACT_INTEGER);
    return names && t->fields > 2 ? doubt_of_three(t, separator) : NULL;
}

/* The decimal sign of the weights: the caller's, or what all of them that were seen allow. */
static weft_status decide_decimal(const detection *d, const wfi_columns *c) {
    wfi_edgelist_style *style = d->style;
    const char *why;
    style->decimal = d->params.decimal ? d->params.decimal : '.';
    style->decimal_known = d->params.decimal;
    if (d->params.decimal || c->weight < 0) return WEFT_OK;
    const wfi_spelling *s = &d->table.columns[c->weight].spelling;
    style->decimal = wfi_spelling_decide(s, style->separator, &style->decimal_known, &why);
    if (!why) return WEFT_OK;
    return REFUSE(d, s->place,
                  "%s%s `decimal=comma` or `decimal=point` says which sign is the decimal one (to do without: "
                  "`weights=ignore`)",
                  why, why[strlen(why) - 1] == '?' ? "" : ":");
}

/* Where a column has decimal commas, the numbers of others that have a point may have one for thousands. */
static weft_status doubt_decimals(const detection *d) {
    wfi_edge_fields *fields = d->style->fields;
    bool commas = false;
    wfi_free(fields->asks);
    fields->asks = NULL;
    fields->decimal = d->params.decimal;
    for (int i = 0; i <= d->table.fields; i++) {
        const wfi_column_facts *c = &d->table.columns[i];
        commas = commas || (wfi_all(c, WFI_FACT_SPELT) && c->spelling.not_point && !c->spelling.not_comma);
    }
    if (!commas || fields->decimal) return WEFT_OK;
    if (wfi_alloc_zeroed(d->ctx, &fields->asks, fields->count)) return WEFT_ENOMEM;
    for (size_t i = 0; i < fields->count; i++) {
        const wfi_column_facts *c = &d->table.columns[fields->column[i]];
        fields->asks[i] = !c->any || (wfi_all(c, WFI_FACT_SPELT) && !c->spelling.not_comma);
    }
    return WEFT_OK;
}

/* --- lists and tables ------------------------------------------------------------------------------ */

static void keep_heading(const wfi_columns *c, wfi_edgelist_style *style) {
    const wfi_column *ends[] = {&c->column[c->source], &c->column[c->target]};
    for (int i = 0; i < 2; i++) {
        char *to = style->heading[i];
        size_t length = ends[i]->name_length < sizeof style->heading[i] ? ends[i]->name_length : 0;
        memcpy(to, ends[i]->name, length);
        to[length] = '\0';
    }
}

/* From a choice of columns to the style. */
static void take_choice(const detection *d, const wfi_columns *c, bool header_row) {
    const wfi_table_facts *t = &d->table;
    wfi_edgelist_style *style = d->style;
    style->source = c->source;
    style->target = c->target;
    style->weight = c->weight;
    style->direction = c->direction;
    style->columns = (int)c->count;
    style->comments = style->comments && !header_row;
    style->weights = c->weight >= 0;
    const wfi_column_facts *u = &t->columns[c->source], *v = &t->columns[c->target];
    style->names = (u->any && !wfi_all(u, WFI_FACT_WHOLE)) || (v->any && !wfi_all(v, WFI_FACT_WHOLE));
    style->wholes =
        !style->names && ((u->any && !wfi_all(u, WFI_FACT_INTEGER)) || (v->any && !wfi_all(v, WFI_FACT_INTEGER)));
    style->doubts = style->names && u->any && v->any && wfi_field_is_integer(header_row ? &u->sample : &u->first) &&
                    wfi_field_is_integer(header_row ? &v->sample : &v->first);
    if (header_row) keep_heading(c, style);
    bool quoted = (u->any | v->any | (c->weight >= 0 ? t->columns[c->weight].any : 0)) & WFI_FACT_QUOTED;
    bool in_front = c->source == 0 && c->target == 1 && (c->weight < 0 || c->weight == 2);
    bool usual = strchr(" \t,", style->separator) && in_front && c->direction < 0 && !quoted && !style->names;
    style->table = header_row || !in_front || (quoted && !style->names) || !strchr(" \t,;", style->separator) ||
                   style->decimal == ',' || style->fields || (style->names && strchr(",;", style->separator));
    int wanted = c->weight < 0 ? 2 : 3;
    /* Separators at the end of all lines: nothing may come there later either. */
    while (!style->table && style->columns > wanted && !t->columns[style->columns - 1].any) style->columns--;
    style->loose = !style->table && style->separator == ' ' && style->columns > wanted &&
                   wfi_field_is_text(&t->columns[style->columns - 1].first);
    /* Without a third column that is a number, weights are not read: they may be there, if nobody wants them. */
    if (d->params.weights == WEFT_WEIGHTS_IGNORE && !style->table && style->columns == 2) style->columns = 3;
    if (!style->table && style->separator == '\t' && style->columns == 2) style->runs = true;
    style->plain = style->table && !style->fields && usual && style->decimal == '.' && c->count == (size_t)wanted;
    if (c->direction < 0) return;
    style->says_direction = true;
    style->directed = t->columns[c->direction].sample.length == 8;
}

/* Ids that are not what they look like. */
static void note_ids(const detection *d, const wfi_column_facts *u, const wfi_column_facts *v) {
    if (!d->aloud || d->params.ids != WEFT_READ_IDS_AUTO || d->params.vertices) return;
    if (d->style->wholes) NOTE(d, "ids such as 1.0 are read as 1 (`ids=string` keeps them as they are)");
    if (d->style->names && (u->any | v->any) & WFI_FACT_PADDED && wfi_all(u, WFI_FACT_NUMBER) &&
        wfi_all(v, WFI_FACT_NUMBER))
        wfi_edgelist_note_padded(d->ctx, d->head.source);
}

static uint64_t line_of(const wfi_head *h) { return wfi_count_lines(h->text, (size_t)(h->line - h->text)) + 1; }

static weft_status choose(const detection *d, named_by by) {
    const wfi_table_facts *t = &d->table;
    const weft_read_params *params = &d->params;
    wfi_edgelist_style *style = d->style;
    wfi_column *list = t->named;
    bool named = by != NOBODY;
    int shift = by == HEADER && t->least == t->fields + 1 && t->most == t->least && !t->last_empty; /* R's row names */
    wfi_columns c = {.from = {d->ctx, d->head.source, params, line_of(&d->head)},
                     .column = list,
                     .count = (size_t)(t->fields + shift),
                     .matrix = style->may_be_matrix,
                     .fields = style->fields};
    if (shift) memmove(list + 1, list, (size_t)t->fields * sizeof *list);
    if (shift) list[0] = (wfi_column){.name = ""};
    for (size_t i = 0; i < c.count; i++) {
        if (!named) list[i] = (wfi_column){0};
        list[i].kind = wfi_column_kind_of(&t->columns[i]);
        list[i].sample = t->columns[i].any ? t->columns[i].sample.text : NULL;
        list[i].sample_length = t->columns[i].sample.length;
    }
    if (!named && (style->konect || style->ours) && !wants_columns(params)) { /* the format's rule: weight, then time */
        for (size_t i = 3; i < c.count; i++) list[i].kind = WFI_COLUMN_TEXT;
        if (c.count > 2 && list[2].kind == WFI_COLUMN_TIMES) list[2].kind = WFI_COLUMN_INTEGERS;
    }
    weft_status st = wfi_columns_choose(&c);
    bool sure = style->ours || style->konect || wants_columns(params) || params->ids != WEFT_READ_IDS_AUTO;
    wfi_columns_question question = WFI_ASK_ENDS;
    const char *why = st || sure ? NULL : doubt(t, &c, named, style->separator, &question);
    if (why) st = wfi_columns_refuse(&c, question, why);
    if (!st) st = decide_decimal(d, &c);
    if (!st && style->fields) st = doubt_decimals(d);
    if (!st) take_choice(d, &c, by == HEADER);
    if (!st && (named || c.count > 2 || wants_columns(params))) st = wfi_columns_say(&c, d->aloud, &style->kept);
    if (!st) note_ids(d, &t->columns[c.source], &t->columns[c.target]);
    return st;
}

/* "n m" above lines of two fields: the reader decides at the end whether all of it fits.  Above lines of three fields it
 * is not an edge like the others, and they are read without it: true. */
static bool take_size(detection *d) {
    const wfi_table_facts *t = &d->table;
    wfi_edgelist_style *style = d->style;
    const wfi_field *n = &t->columns[0].first, *m = &t->columns[1].first;
    const char *p = n->text, *q = m->text;
    if (!style->may_be_sized || t->fields != 2 || n->quoted || m->quoted) return false;
    if (wfi_scan_u64(&p, &style->size_vertices) || wfi_scan_u64(&q, &style->size_edges)) return false;
    style->sized = style->size_vertices > 0 && style->size_edges > 0;
    style->size_line = line_of(&d->head);
    if (!style->sized || !t->rows || t->least < 3 || !wfi_field_is_integer(n) || !wfi_field_is_integer(m)) return false;
    style->may_be_sized = false;
    style->size_skipped = true;
    style->from = (uint64_t)(t->second - d->head.text);
    d->head.line = t->second;
    d->head.comment = NULL;
    d->aloud = false;
    return true;
}

static weft_status read_data(detection *d) {
    wfi_table_facts *t = &d->table;
    wfi_edgelist_style *style = d->style;
    bool automatic = d->params.header == WEFT_HEADER_AUTO, tabs = false, listed = false;
    bool commented = automatic && take_names_of_comment(d, &tabs, &listed);
    bool telling = commented && wfi_names_ends(t->named, (size_t)t->fields);
    const wfi_field *a = &t->columns[0].first, *b = &t->columns[1].first;
    bool words = wfi_field_is_text(a) && t->fields >= 2 && wfi_field_is_text(b);
    wfi_table_join(t);
    if (commented && !telling && tabs && !style->ours && !style->konect)
        telling = comment_matters(t, &d->params, listed);
    if (telling) style->sized = false;
    weft_status st = choose(d, telling ? COMMENT : NOBODY);
    if (st) return st;
    if (!style->size_skipped) style->sized = style->sized && !style->names && !style->table;
    if (automatic && words && style->separator == ' ' && !style->ours && t->rows && !t->repeats)
        NOTE(d, "the first line, %.*s %.*s, is read as an edge (`header=yes` if it names the columns)",
             (int)wfi_min_u64(a->length, 40), a->text, (int)wfi_min_u64(b->length, 40), b->text);
    return WEFT_OK;
}

static bool has_comments(const wfi_head *h) {
    size_t bytes = (size_t)(h->end - h->line);
    return h->comments && (memmem(h->line, bytes, "\n#", 2) || memmem(h->line, bytes, "\n%", 2));
}

/* Below a header a line that begins with # is a row, unless the caller says that it is a comment. */
static weft_status read_table(detection *d) {
    wfi_edgelist_style *style = d->style;
    wfi_table_facts bare = d->table; /* without such lines */
    bool comments = d->params.comments == WEFT_COMMENTS_YES, marked = has_comments(&d->head) && !comments;
    weft_status st = WEFT_OK;
    d->head.comments = comments;
    style->hash_rows = d->params.comments == WEFT_COMMENTS_AUTO;
    if (marked) st = wfi_table_look(d->ctx, &d->head, style, &d->table);
    if (!st) st = choose(d, HEADER);
    if (!st) style->comments = comments;
    if (!st && marked && style->names) {
        const wfi_column_facts *u = &bare.columns[style->source], *v = &bare.columns[style->target];
        bool numbers = wfi_all(u, WFI_FACT_WHOLE) && wfi_all(v, WFI_FACT_WHOLE);
        style->doubts = style->doubts || numbers;
        /* Where nobody said what such lines are, they do not make names of numbers: as rows they are asked about. */
        style->names = style->names && !(numbers && style->hash_rows);
    }
    if (marked) WFI_FREE(bare.columns, bare.named);
    wfi_record r = wfi_edge_record_at(style, d->head.line, d->head.end);
    style->from = (uint64_t)(wfi_next_record(&r) - d->head.text);
    return st;
}

/* One field, where nothing else was recognised. */
static weft_status refuse_word(const detection *d) {
    const wfi_field *word = &d->table.columns[0].first;
    const char *colons = memmem(word->text, word->length, "::", 2), *hive = memchr(word->text, '\x01', word->length);
    if (colons && colons > word->text)
        return REFUSE(d, colons,
                      "fields that :: separates, which is no one character: sed 's/::/\\t/g' FILE | weft info -");
    if (hive)
        return REFUSE(d, hive,
                      "fields that byte 0x01 separates, as Hive writes them: say it with `separator`, or tr "
                      "'\\001' '\\t' < FILE | weft info -");
    return REFUSE(d, d->head.line,
                  "one word, '%.*s', where an edge has two ids: this is not a list of edges, nor another format that "
                  "Weft knows (if it is, say which with `format`)",
                  (int)wfi_min_u64(word->length, 40), word->text);
}

static weft_status ask_for_header(const detection *d) {
    const wfi_field *a = &d->table.columns[0].first, *b = &d->table.columns[1].first;
    return REFUSE(d, d->head.line,
                  "is the first line a header, or is it an edge from '%.*s' to '%.*s'?  Its words are above names%s: "
                  "`header=yes` if it names the columns, `header=no` if it is data",
                  (int)wfi_min_u64(a->length, 40), a->text, (int)wfi_min_u64(b->length, 40), b->text,
                  d->table.repeats ? " and occur among them" : " and do not occur again");
}

/* *again: the first line is "n m", and the others are to be looked at without it. */
static weft_status look_at_columns(detection *d, bool *again) {
    wfi_table_facts *t = &d->table;
    const weft_read_params *p = &d->params;
    bool whole;
    *again = false;
    weft_status st = wfi_table_look(d->ctx, &d->head, d->style, t);
    if (st) return st;
    d->style->columns = t->fields;
    if (t->fields < 2 && p->header == WEFT_HEADER_AUTO && !wants_columns(p)) {
        whole = t->rows || !d->head.cut_off; /* the line ends where it can be seen */
        bool word = t->fields && whole && wfi_field_is_text(&t->columns[0].first) && !p->separator && !p->format;
        return word ? refuse_word(d) : WEFT_OK; /* an error at its place */
    }
    bool telling = wfi_names_ends(t->named, (size_t)t->fields);
    score header = p->header == WEFT_HEADER_YES         ? YES
                   : p->header == WEFT_HEADER_NO        ? NO
                   : flags_name_columns(d)              ? YES
                   : d->style->ours || d->style->konect ? NO
                                                        : judge_header(t, d->style, telling);
    if (header == ASK) return ask_for_header(d);
    if (header == YES) return read_table(d);
    *again = take_size(d);
    return *again ? WEFT_OK : read_data(d);
}

static weft_status take_columns(detection *d) {
    wfi_edgelist_style *style = d->style;
    const wfi_head *h = &d->head;
    bool again = true, tabbed = style->separator == '\t', blanks = style->separator == ' ';
    style->runs = tabbed && d->params.header != WEFT_HEADER_YES && wfi_has_empty_field(h);
    style->tabs = blanks && *h->line != '\t' && wfi_has_tabs_alone(h) && !wfi_has_empty_field(h);
    style->records = style->records || (!blanks && wfi_has_long_records(h, style->separator));
    weft_status st = WEFT_OK;
    while (!st && again) {
        st = look_at_columns(d, &again);
        WFI_FREE(d->table.columns, d->table.named);
    }
    return st;
}

/* --- the whole ------------------------------------------------------------------------------------- */

static const struct hypothesis {
    weft_status (*score)(detection *d, score *s); /* refuses where it is to be asked */
    weft_status (*take)(detection *d);            /* if the score is YES */
} hypotheses[] = {{score_forms, NULL}, {score_rows, take_rows}, {score_matrix, take_matrix}, {score_threes, NULL}};

static weft_status look_at_list(detection *d, bool automatic) {
    wfi_edgelist_style *style = d->style;
    const weft_read_params *p = &d->params;
    const wfi_head *h = &d->head;
    style->separator =
        p->separator ? p->separator : wfi_find_separator(h->line, h->end, h->comments, p->decimal != ',');
    if (!p->separator && style->separator == ',' && wfi_has_decimals_between_blanks(h))
        return REFUSE(
            d, h->line,
            "weights with a decimal comma, or fields that commas separate?  `decimal=comma` or `separator=,`");
    for (size_t i = 0; automatic && i < sizeof hypotheses / sizeof *hypotheses; i++) {
        score s;
        weft_status st = hypotheses[i].score(d, &s);
        if (st) return st;
        if (s == YES) return hypotheses[i].take(d);
    }
    return take_columns(d);
}

static void decide_ids(const detection *d, bool said_names) {
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

static weft_status look_at_data(detection *d) {
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
static void find_data(detection *d, const char *text, size_t bytes) {
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
    detection d = {.ctx = ctx, .params = *params, .aloud = aloud, .style = style};
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
