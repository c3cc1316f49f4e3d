/* Forms of text that are known but not read, by their first lines: each is refused by its name, with the command that
 * makes a list of edges of it. */
#include "io/io.h"
#include "io/table/edgelist.h"

#include <stdio.h>
#include <string.h>

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

/* "# ann", then a neighbour a line, with a weight or without.  A vertex that has such a line is a neighbour as well, or
 * the name of the file tells. */
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

/* Sparse matrices of MATLAB's tools: rows, columns and entries, then row, column and value of each from 0.  Another
 * extension says nothing. */
static bool is_smat(const wfi_source *source, const wfi_edgelist_view *view, uint64_t size[3]) {
    wfi_record r = wfi_record_at(view->line, view->end, ' ');
    wfi_field f;
    if (!wfi_name_has_extension(wfi_source_plain_name(source), "smat")) return false;
    for (int i = 0; i < 3; i++) {
        if (!wfi_next_field(&r, &f) || !wfi_field_is_integer(&f)) return false;
        const char *p = f.text;
        if (wfi_scan_u64(&p, &size[i])) return false;
    }
    return !wfi_next_field(&r, &f);
}

static weft_status refuse_smat(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_view *view,
                               const uint64_t size[3]) {
    char flag[64];
    snprintf(flag, sizeof flag, size[0] == size[1] ? "`vertices=%llu`" : "`sides=two`", (wfi_ull)size[0]);
    return wfi_fail_in_text(ctx, source, view->text, view->line,
                            "a sparse matrix (SMAT): the first line says rows, columns and entries, and is no edge.  "
                            "Without it: sed 1d FILE | weft info %s - (`format=edgelist` if it is an edge)",
                            flag);
}

/* 2:0.5 */
static bool is_weighed(const wfi_field *f) {
    const char *colon = f->quoted ? NULL : memchr(f->text, ':', f->length);
    if (!colon) return false;
    wfi_field id = {.text = f->text, .length = (size_t)(colon - f->text)};
    wfi_field weight = {.text = colon + 1, .length = f->length - id.length - 1};
    return id.length && weight.length && wfi_field_is_number(&id) && wfi_field_is_number(&weight);
}

/* 1 2:0.5 3:1.5 on all lines that are there to see: a vertex, then neighbours with weights, or features of SVMlight. */
static bool is_weighed_rows(const wfi_edgelist_view *view) {
    const char *at = view->line, *line;
    int rows = 0;
    for (; (line = wfi_next_data_line(&at, view->end, view->comments)) && !(view->cut_off && at > view->end); rows++) {
        wfi_record r = wfi_record_at(line, view->end, ' ');
        wfi_field f;
        int fields = 0;
        for (; wfi_next_field(&r, &f); fields++)
            if (fields ? !is_weighed(&f) : !wfi_field_is_integer(&f)) return false;
        if (fields < 2) return false;
    }
    return rows > 0;
}

/* [0,0,[[1,1],[3,3]]]: Giraph's JSON, a vertex, its value, and neighbours with weights. */
static bool is_giraph(const wfi_edgelist_view *view) {
    const char *p = view->line, *stop = memchr(p, '\n', (size_t)(view->end - p) + 1);
    size_t bytes = (size_t)(stop - p);
    return *p == '[' && (memmem(p, bytes, ",[[", 3) || memmem(p, bytes, ", [[", 4)) && memmem(p, bytes, "]]]", 3);
}

/* ann||bob||3 on all lines that are there to see. */
static bool has_double_bars(const wfi_edgelist_view *view) {
    const char *at = view->line, *line;
    int fields, rows = 0;
    if (wfi_edgelist_is_header(wfi_record_at(view->line, view->end, '|'), &fields)) return false;
    for (; (line = wfi_next_data_line(&at, view->end, view->comments)) && !(view->cut_off && at > view->end); rows++) {
        const char *p = line;
        int pairs = 0;
        for (; *p != '\n'; p++) {
            if (*p == '"') return false;
            if (*p != '|') continue;
            if (p == line || p[1] != '|' || p[2] == '|') return false;
            pairs++;
            p++;
        }
        if (!pairs) return false;
    }
    return rows > 0;
}

static weft_status refuse_numbers(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_view *view) {
    uint64_t size[3];
    if (is_smat(source, view, size)) return refuse_smat(ctx, source, view, size);
    if (!is_weighed_rows(view)) return WEFT_OK;
    return wfi_fail_in_text(ctx, source, view->text, view->line,
                            "neighbours with weights behind a colon, as in 1 2:0.5 3:1.5, which Weft does not read: "
                            "awk '{for(i=2;i<=NF;i++){split($i,a,\":\");print $1,a[1],a[2]}}' FILE | weft info - "
                            "(`format=edgelist` if 2:0.5 is a vertex)");
}

weft_status wfi_edgelist_refuse_known(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_view *view) {
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
    if (!st) st = refuse_numbers(ctx, source, view);
    if (st) return st;
    if (is_giraph(view))
        return wfi_fail_in_text(ctx, source, view->text, view->line,
                                "Giraph's JSON, [vertex, value, [[neighbour, weight], ...]], which Weft does not read: "
                                "jq -r '.[0] as $v|.[2][]|\"\\($v) \\(.[0]) \\(.[1])\"' FILE | weft info -");
    if (has_double_bars(view))
        return wfi_fail_in_text(
            ctx, source, view->text, view->line,
            "fields that || separates, which is no one character: sed 's/||/\\t/g' FILE | weft info -");
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
    if (gap && wfi_edgelist_filled_fields(
                   wfi_record_at(view->line, view->end, wfi_find_separator(view->line, view->end, true, true))) == 1)
        return wfi_fail_in_text(
            ctx, source, view->text, gap,
            "a no-break space (U+00A0), which is part of a name and separates nothing: sed 's/\\xc2\\xa0/ /g' FILE | "
            "weft info -");
    return WEFT_OK;
}
