/* Texts that are not a list of edges, line by line: titles above a table, adjacency matrices and adjacency lists.  What
 * is certain is read as what it is; what could be a list as well is asked about, with the flags that decide. */
#include "io/table/edgelist.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TITLES = 5, LEAST_WIDE = 16, MOST_ROWS = 4096 };

/* --- titles ----------------------------------------------------------------------------------- */

bool wfi_edgelist_is_header(wfi_record r, int *fields) {
    wfi_column columns[64];
    wfi_field f;
    size_t count = 0;
    for (; wfi_next_field(&r, &f) && count < 64; count++)
        columns[count] = (wfi_column){.name = f.text, .name_length = f.length};
    *fields = (int)count;
    return count >= 2 && wfi_names_ends(columns, count);
}

int wfi_edgelist_filled_fields(wfi_record r) {
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
        if (!wfi_edgelist_is_header(wfi_record_at(line, view->end, separator), &fields)) continue;
        if (!i) return;
        const char *above = view->line, *title;
        while ((title = wfi_next_data_line(&above, line, view->comments)) && title < line)
            if (separator == ' ' || wfi_edgelist_filled_fields(wfi_record_at(title, view->end, separator)) > 1) return;
        if (aloud)
            wfi_note(ctx, "%s: what stands above the header is a title, and is passed over", wfi_source_name(source));
        view->line = line;
        style->from = (uint64_t)(line - view->text);
        style->may_be_sized = false;
        return;
    }
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
    if (wfi_edgelist_is_header(wfi_edge_record_at(style, view->line, view->end), &fields)) return WEFT_OK;
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
    weft_status st = wfi_edgelist_refuse_known(ctx, source, view);
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
