/* Texts that are not a list of edges, line by line: titles above a table, adjacency matrices, adjacency lists, and
 * forms that are known but not read.  What is certain is read as what it is; what could be a list as well is asked
 * about, with the flags that decide. */
#include "io/io.h"
#include "io/table/edgelist.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TITLES = 5, LEAST_WIDE = 16, MOST_ROWS = 4096 };

/* --- titles ----------------------------------------------------------------------------------- */

/* Does this line name both ends of the edges?  *fields: how many it has. */
static bool is_header(wfi_record r, int *fields) {
    wfi_column columns[64];
    wfi_field f;
    size_t count = 0;
    for (; wfi_next_field(&r, &f) && count < 64; count++)
        columns[count] = (wfi_column){.name = f.text, .name_length = f.length};
    *fields = (int)count;
    return count >= 2 && wfi_names_ends(columns, count);
}

static int filled_fields(wfi_record r) {
    wfi_field f;
    int count = 0;
    while (wfi_next_field(&r, &f)) count += f.length > 0;
    return count;
}

void wfi_edgelist_skip_title(weft_ctx *ctx, const wfi_source *source, wfi_edgelist_view *view, bool aloud,
                             wfi_edgelist_style *style) {
    const char *at = view->line, *line;
    for (int i = 0; i <= MOST_TITLES && (line = wfi_next_data_line(&at, view->end, view->comments)); i++) {
        char separator = wfi_find_separator(line, view->end, view->comments, true);
        int fields;
        if (!is_header(wfi_record_at(line, view->end, separator), &fields)) continue;
        if (!i) return;
        const char *above = view->line, *title;
        while ((title = wfi_next_data_line(&above, line, view->comments)) && title < line)
            if (separator == ' ' || filled_fields(wfi_record_at(title, view->end, separator)) > 1) return;
        if (aloud)
            wfi_note(ctx, "%s: what stands above the header is a title, and is passed over", wfi_source_name(source));
        view->line = line;
        style->from = (uint64_t)(line - view->text);
        style->may_be_sized = false;
        return;
    }
}

/* --- known forms that are not read --------------------------------------------------------------- */

/* 1 2, then two lines of 3 {...}: a vertex, how many neighbours, and these. */
static bool is_multiline(const wfi_edgelist_view *view) {
    const char *at = view->line, *line;
    wfi_field f[2];
    uint64_t left = 0;
    for (int lines = 0; lines < 64 && (line = wfi_next_data_line(&at, view->end, view->comments)); lines++) {
        wfi_record r = wfi_record_at(line, view->end, ' ');
        if (!wfi_next_field(&r, &f[0]) || !wfi_next_field(&r, &f[1])) return false;
        bool dict = *f[1].text == '{' && !f[1].quoted;
        if (lines && dict) return true;
        const char *p = f[1].text;
        if (dict != (left > 0) || wfi_scan_u64(&p, &left)) return false;
    }
    return false;
}

weft_status wfi_edgelist_refuse_multiline(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_view *view) {
    if (!is_multiline(view)) return WEFT_OK;
    return wfi_fail_in_text(
        ctx, source, view->text, view->line,
        "NetworkX's multi-line adjacency list, which Weft does not read: nx.write_adjlist(G, \"graph.adjlist\") or "
        "nx.write_edgelist(G, \"edges.txt\") writes one that it does");
}

/* // and a blank. */
static bool is_slashed(const wfi_edgelist_view *view) {
    const char *p = wfi_skip_blanks(view->line);
    return p[0] == '/' && p[1] == '/' && wfi_is_blank(p[2]);
}

/* (0, 1)  3, or the line that newer ones have above it. */
static bool is_scipy(const wfi_edgelist_view *view) {
    const char *p = wfi_skip_blanks(view->line), *close = memchr(p, ')', (size_t)(view->end - p));
    if (*p == '<')
        return memmem(p, (size_t)(view->end - p) < 200 ? (size_t)(view->end - p) : 200, "stored elements", 15);
    int64_t row, column;
    if (*p++ != '(' || wfi_scan_i64(&p, &row) || *p++ != ',') return false;
    p = wfi_skip_blanks(p);
    if (wfi_scan_i64(&p, &column) || p != close) return false;
    return wfi_is_blank(p[1]) && *wfi_skip_blanks(p + 1) != '\n';
}

/* Is the first word of the line among those of the lines before `stop`? */
static bool is_node_of(const wfi_edgelist_view *view, const char *stop, const wfi_field *word) {
    const char *at = view->line, *line;
    while ((line = wfi_next_data_line(&at, view->end, view->comments)) && line < stop) {
        wfi_record r = wfi_record_at(line, view->end, ' ');
        wfi_field f;
        if (wfi_next_field(&r, &f) && f.length == word->length && !memcmp(f.text, word->text, f.length)) return true;
    }
    return false;
}

/* Vertices, a line #, edges between these: the Trivial Graph Format.  NULL, or where that line is. */
static const char *tgf_line(const wfi_edgelist_view *view) {
    const char *hash = NULL, *at, *line;
    for (const char *p = view->line; p < view->end && !hash;) {
        const char *stop = memchr(p, '\n', (size_t)(view->end - p) + 1);
        if (*p == '#' && p > view->line && wfi_skip_blanks(p + 1) >= stop) hash = p;
        p = stop + 1;
    }
    int edges = 0;
    for (at = hash; hash && edges < 32 && (line = wfi_next_data_line(&at, view->end, view->comments)); edges++) {
        wfi_record r = wfi_record_at(line, view->end, ' ');
        wfi_field f;
        for (int i = 0; i < 2; i++)
            if (!wfi_next_field(&r, &f) || !is_node_of(view, hash, &f)) return NULL;
    }
    return edges ? hash : NULL;
}

/* A line of igraph's LGL: how many words, the first of them, and whether it begins with #; a weight follows a name. */
typedef struct lgl_row {
    int words;
    bool section, weighted;
    wfi_field word;
} lgl_row;

static lgl_row lgl_row_at(const char *line, const char *end) {
    const char *p = wfi_skip_blanks(line);
    lgl_row row = {.section = *p == '#' && wfi_is_blank(p[1])};
    wfi_record r = wfi_record_at(row.section ? p + 1 : p, end, ' ');
    wfi_field f;
    for (; wfi_next_field(&r, &f); row.words++) {
        if (!row.words) row.word = f;
        row.weighted = row.words == 1 && wfi_field_is_number(&f);
    }
    return row;
}

/* Is the word the first of a line below this one? */
static bool is_in_lgl(const wfi_edgelist_view *view, const wfi_field *word) {
    const char *at = view->text, *line;
    while ((line = wfi_next_data_line(&at, view->end, true))) {
        lgl_row row = lgl_row_at(line, view->end);
        if (row.word.length == word->length && !memcmp(row.word.text, word->text, word->length)) return true;
    }
    return false;
}

/* "# ann", then a neighbour a line, with a weight or without.  A vertex that has such a line is a neighbour as well, or the
 * name of the file tells. */
static bool is_lgl(const wfi_source *source, const wfi_edgelist_view *view) {
    const char *at = view->text, *line;
    int sections = 0, rows = 0;
    bool known = false;
    while ((line = wfi_next_data_line(&at, view->end, false)) && !(view->cut_off && at > view->end)) {
        lgl_row row = lgl_row_at(line, view->end);
        if (row.section ? row.words != 1 : !sections || *row.word.text == '#' || *row.word.text == '%') return false;
        if (!row.section && row.words != 1 && !(row.words == 2 && row.weighted)) return false;
        sections += row.section;
        rows += !row.section;
        if (row.section && !known && sections < 64) known = is_in_lgl(view, &row.word);
    }
    bool told = wfi_name_has_extension(wfi_source_plain_name(source), "lgl");
    return sections && rows && (told || (sections > 1 && known));
}

static weft_status refuse_known(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_view *view) {
    const char *hash = tgf_line(view);
    if (view->comments && is_lgl(source, view))
        return wfi_fail_in_text(
            ctx, source, view->text, view->text,
            "igraph's LGL, a line # with a vertex above the neighbours of each, which Weft does not read: "
            "awk '/^#/{v=$2;next}{print v,$0}' FILE | weft info `direction=undirected` - (`format=edgelist` if a "
            "line is an edge)");
    if (hash)
        return wfi_fail_in_text(
            ctx, source, view->text, hash,
            "vertices, a line #, then edges: the Trivial Graph Format, of which Weft reads the edges alone: "
            "sed '1,/^#/d' FILE | weft info -");
    weft_status st = wfi_edgelist_refuse_multiline(ctx, source, view);
    if (st) return st;
    if (is_slashed(view))
        return wfi_fail_in_text(ctx, source, view->text, view->line,
                                "a comment that begins with //, which no list of edges has: sed '/^ *\\/\\//d' FILE | "
                                "weft info - (`format=edgelist` if // is a vertex)");
    if (is_scipy(view))
        return wfi_fail_in_text(
            ctx, source, view->text, view->line,
            "a matrix as SciPy prints it, not all of which may be there: scipy.sparse.save_npz(\"graph.npz\", matrix) "
            "or scipy.io.mmwrite(\"graph.mtx\", matrix) saves it");
    const char *stop = memchr(view->line, '\n', (size_t)(view->end - view->line) + 1);
    const char *gap = memmem(view->line, (size_t)(stop - view->line), "\u00a0", 2);
    if (gap &&
        filled_fields(wfi_record_at(view->line, view->end, wfi_find_separator(view->line, view->end, true, true))) == 1)
        return wfi_fail_in_text(
            ctx, source, view->text, gap,
            "a no-break space (U+00A0), which is part of a name and separates nothing: sed 's/\\xc2\\xa0/ /g' FILE | "
            "weft info -");
    return WEFT_OK;
}

/* --- adjacency lists --------------------------------------------------------------------------- */

bool wfi_edgelist_has_colons(const wfi_edgelist_view *view, bool one_tells) {
    const char *at = view->line, *line;
    int rows = 0;
    for (; (line = wfi_next_data_line(&at, view->end, view->comments)) && !(view->cut_off && at > view->end); rows++) {
        wfi_record r = wfi_record_at(line, view->end, ' ');
        wfi_field f;
        if (!wfi_next_field(&r, &f) || f.quoted || f.length < 2 || f.text[f.length - 1] != ':') return false;
        while (wfi_next_field(&r, &f))
            if (f.length && f.text[f.length - 1] == ':') return false;
        if (one_tells) return true;
    }
    return rows > 1;
}

static int compare_ids(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Rows of three ids: the first in none other, the third at the front of another, no two the same.  Edges with such
 * weights are rare. */
static weft_status look_for_threes(weft_ctx *ctx, const wfi_edgelist_view *view, const wfi_edgelist_style *style,
                                   bool *yes) {
    const char *at = view->line, *line;
    int64_t(*row)[3] = NULL, *first = NULL;
    size_t rows = 0;
    *yes = false;
    if (view->cut_off) return WEFT_OK;
    weft_status st = wfi_alloc(ctx, &row, MOST_ROWS);
    if (!st) st = wfi_alloc(ctx, &first, MOST_ROWS);
    if (st) goto done;
    for (; (line = wfi_next_data_line(&at, view->end, view->comments)); rows++) {
        wfi_record r = wfi_edge_record_at(style, line, view->end);
        wfi_field f;
        int fields = 0;
        for (; wfi_next_field(&r, &f); fields++) {
            const char *p = f.text;
            if (fields == 3 || rows == MOST_ROWS || f.quoted || !wfi_field_is_integer(&f) ||
                wfi_scan_i64(&p, &row[rows][fields]))
                goto done;
        }
        if (fields != 3 || row[rows][0] == row[rows][1] || row[rows][1] == row[rows][2] || row[rows][0] == row[rows][2])
            goto done;
        first[rows] = row[rows][0];
    }
    qsort(first, rows, sizeof *first, compare_ids);
    bool fits = rows >= 3;
    for (size_t i = 1; i < rows; i++) fits = fits && first[i] != first[i - 1];
    for (size_t i = 0; i < rows && fits; i++)
        fits = bsearch(&row[i][2], first, rows, sizeof *first, compare_ids) != NULL;
    *yes = fits;
done:
    WFI_FREE(row, first);
    return st;
}

/* --- matrices ------------------------------------------------------------------------------------ */

typedef enum verdict { NO, PERHAPS, YES, ASK, TABLE } verdict;

static verdict judge(const wfi_matrix *m, const wfi_edgelist_view *view) {
    uint64_t n = (uint64_t)m->columns;
    bool bare = !m->above && !m->before, square = m->rows == n && !view->cut_off;
    if (m->above && m->before && m->named && m->rows > 1 && !m->counted) return YES;
    if (m->above && m->before && !m->named && m->worded && n > 2) return TABLE;
    bare = bare || (m->above && m->before && m->named); /* names that only count say nothing */
    if (bare && view->cut_off) return n < LEAST_WIDE ? NO : m->marks ? YES : PERHAPS;
    if (bare && square && n > 3) return m->marks || m->hollow || m->mirrored ? YES : PERHAPS;
    if (bare && square && n == 3) return m->marks || m->hollow ? ASK : NO;
    if (m->before && !m->above && square && n == 2 && m->marks) return ASK;
    if (bare || n < 2) return NO;
    return (m->above && m->before && n > 2) || (square && (n > 2 || m->marks)) ? PERHAPS : NO;
}

static weft_status look_for_matrix(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_view *view, bool aloud,
                                   wfi_edgelist_style *style) {
    wfi_matrix m;
    bool fits;
    int fields;
    if (is_header(wfi_edge_record_at(style, view->line, view->end), &fields)) return WEFT_OK;
    weft_status st = wfi_matrix_look(ctx, view, style->separator, &m, &fits);
    if (st || !fits) return st;
    verdict v = judge(&m, view);
    style->matrix = v == YES;
    style->may_be_matrix = v == PERHAPS;
    if (style->matrix && aloud)
        wfi_note(ctx, "%s: read as a matrix of %d columns%s (`format=edgelist` if each line is an edge)",
                 wfi_source_name(source), m.columns, m.above ? ", with names" : "");
    wfi_field corner = {0};
    wfi_record r = wfi_edge_record_at(style, view->line, view->end);
    if (v == TABLE && wfi_next_field(&r, &corner) && corner.length) style->may_be_matrix = true;
    if (v == TABLE && !corner.length)
        return wfi_fail_in_text(
            ctx, source, view->text, view->line,
            "numbers with names above and before them: a matrix from rows to columns?  `format=dense` if so, "
            "`source_col=N` `target_col=N` if each line is an edge");
    if (v != ASK) return WEFT_OK;
    return wfi_fail_in_text(ctx, source, view->text, view->line,
                            "edges with weights, or a matrix of %d rows?  `format=edgelist` or `format=dense`",
                            m.columns);
}

weft_status wfi_edgelist_shape(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_view *view, bool aloud,
                               wfi_edgelist_style *style) {
    weft_status st = refuse_known(ctx, source, view);
    if (st) return st;
    style->colon = wfi_edgelist_has_colons(view, false);
    if (style->colon || style->networkx) {
        style->lists = WFI_LISTS_NEIGHBOURS;
        if (aloud)
            wfi_note(ctx,
                     "%s: read as an adjacency list, a vertex and its neighbours a line (`format=edgelist` if each "
                     "line is an edge)",
                     wfi_source_name(source));
        return WEFT_OK;
    }
    st = look_for_matrix(ctx, source, view, aloud, style);
    bool threes = false;
    if (!st && !style->matrix) st = look_for_threes(ctx, view, style, &threes);
    if (!threes) return st;
    return wfi_fail_in_text(
        ctx, source, view->text, view->line,
        "edges with weights, or an adjacency list, a vertex and its neighbours a line?  `format=edgelist` or "
        "`format=adjlist`");
}
