/* Dialect detection for edge lists, from the first 64 KiB: comments (SNAP, KONECT, our own), notation, separator; the
 * columns are edgelist_header.c's. */
#include "io/table/edgelist.h"

#include <string.h>
#include <strings.h>

static const char *line_end(const char *p, const char *end) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline ? newline : end;
}

static bool line_starts(const char *line, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - line) >= length && !strncasecmp(line, word, length);
}

/* --- comments ----------------------------------------------------------------------------- */

/* The number after `word ` in a comment of ours. */
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
    if (number_after(line, end, " vertices ", &vertices) && number_after(line, end, " from ", &base) && vertices >= 0) {
        style->dense = true;
        style->vertices = (uint64_t)vertices;
        style->base = base;
    }
}

/* Comments that tell the direction.  KONECT: "% sym weighted"; SNAP: "# Undirected graph: ...".  That of a directed
 * graph SNAP also has above lists in which each edge stands twice (email-Enron), and then with words that tell it from
 * others. */
static void look_at_comment(const char *line, const char *end, wfi_edgelist_style *style) {
    const char *p = line + 1;
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    if (line_starts(line, end, "# weft edge list")) {
        look_at_ours(line, end, style);
    } else if (*line == '%' && (line_starts(p, end, "sym ") || line_starts(p, end, "asym "))) {
        style->konect = true;
        style->says_direction = true;
        style->directed = *p == 'a';
    } else if (*line == '%' && line_starts(p, end, "bip ")) {
        style->konect = true;
        style->bipartite = true;
        style->says_direction = true;
        style->directed = false;
    } else if (*line == '#' && line_starts(p, end, "GMT ")) {
        style->networkx = true;
    } else if (*line == '#' && line_starts(p, end, "undirected graph")) {
        style->says_direction = true;
        style->directed = false;
    } else if (*line == '#' && line_starts(p, end, "directed graph") &&
               !line_starts(p, end, "directed graph (each unordered pair of nodes is saved once)")) {
        style->says_direction = true;
        style->directed = true;
    }
}

/* All comments before the first data line; returns the last one, which may name the columns. */
static const char *look_at_comments(const char *text, const char *end, wfi_edgelist_style *style) {
    const char *last = NULL;
    for (const char *p = text; p < end && (*p == '#' || *p == '%'); p = line_end(p, end) + 1) {
        look_at_comment(p, line_end(p, end), style);
        if (!style->ours) last = p; /* ours name vertices, and no columns */
    }
    return last;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* "34546,421578,d,graph,..." : vertices, edges, direction. */
static bool is_lightgraphs_header(const char *line, const char *end, wfi_edgelist_style *style) {
    wfi_record r = wfi_record_at(line, end, ',');
    wfi_field f[3];
    for (int i = 0; i < 3; i++)
        if (!wfi_next_field(&r, &f[i])) return false;
    if (!wfi_field_is_integer(&f[0]) || !wfi_field_is_integer(&f[1]) || f[2].length != 1) return false;
    if (*f[2].text != 'd' && *f[2].text != 'u') return false;
    style->says_direction = true;
    style->directed = *f[2].text == 'd';
    return true;
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

/* Fields that tabs part, and nothing else. */
static bool has_tabs_alone(const char *line, const char *end) {
    const char *stop = line_end(line, end);
    return memchr(line, '\t', (size_t)(stop - line)) && !memchr(line, ' ', (size_t)(stop - line));
}

/* Two tabs side by side on the first line: a list that is laid out with them, not a table. */
static bool has_empty_field(const char *line, const char *end) {
    wfi_record r = wfi_record_at(line, end, '\t');
    wfi_field f;
    for (bool first = true; wfi_next_field(&r, &f); first = false)
        if (!first && r.more && !f.length && !f.quoted) return true;
    return false;
}

static bool has_open_record(const char *line, const char *end, char separator) {
    const char *newline = line_end(line, end);
    wfi_record r = wfi_record_at(line, end, separator);
    wfi_next_record(&r);
    return r.p > newline; /* its end is not the line's */
}

/* Does a quoted field of the head hold a newline? */
static bool has_records(const wfi_edgelist_view *view, char separator) {
    const char *at = view->line, *line;
    if (!memchr(view->line, '"', (size_t)(view->end - view->line))) return false;
    while ((line = wfi_next_data_line(&at, view->end, view->comments))) {
        if (at > view->end) return false; /* the last line may be cut off */
        if (has_open_record(line, view->end, separator)) return true;
    }
    return false;
}

/* Ids and weights of lines that look like something else: as they say on all lines of the head.  True: all ids are
 * digits, some with a zero at the front. */
static bool look_at_notation(const weft_read_params *params, const wfi_edgelist_view *view, wfi_edgelist_style *style) {
    const char *at = view->line, *line;
    wfi_edge_parts e;
    const wfi_field *u = &e.source, *v = &e.target;
    bool first = true, padded = false, numbers = true;
    while ((line = wfi_next_data_line(&at, view->end, view->comments)) && !(view->cut_off && at > view->end)) {
        if (!wfi_notation_fields(style->notation, line, view->end, &e)) continue;
        style->names = style->names || !wfi_field_is_integer(u) || !wfi_field_is_integer(v);
        padded = padded || wfi_field_is_padded(u) || wfi_field_is_padded(v);
        numbers = numbers && wfi_field_is_number(u) && wfi_field_is_number(v);
        if (first) style->weights = e.weight.text && params->weights != WEFT_WEIGHTS_IGNORE;
        if (first) style->columns = e.weight.text || params->weights == WEFT_WEIGHTS_IGNORE ? 3 : 2;
        first = false;
    }
    return padded && numbers;
}

void wfi_edgelist_note_padded(weft_ctx *ctx, const wfi_source *source) {
    wfi_note(ctx, "%s: ids with leading zeros are kept as text (`ids=integer` reads 007 as 7)",
             wfi_source_name(source));
}

static void note_notation(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_style *style) {
    static const char *const forms[] = {[WFI_NOTATION_DICT] = "u v {...}, as NetworkX writes edges",
                                        [WFI_NOTATION_TUPLE] = "(u, v)",
                                        [WFI_NOTATION_ARROW] = "u -> v"};
    wfi_note(ctx, "%s: lines are read as %s%s", wfi_source_name(source), forms[style->notation],
             style->weights ? ", with weights" : "");
}

static void settle_ids(const weft_read_params *params, wfi_edgelist_style *style) {
    if (params->ids != WEFT_READ_IDS_AUTO)
        style->names = params->ids == WEFT_READ_IDS_STRING;
    else if (params->vertices)
        style->names = false; /* vertices 0 ... N-1 have no names */
    if (params->ids == WEFT_READ_IDS_STRING) style->doubts = false;
    if (style->names && style->table) style->plain = false;
}

/* 1 2 0,5: commas between the digits of the last of several words, and nowhere else. */
static bool has_decimals_between_blanks(const wfi_edgelist_view *view) {
    const char *at = view->line, *line;
    bool any = false;
    for (int lines = 0; lines < 50 && (line = wfi_next_data_line(&at, view->end, view->comments)) && at <= view->end;
         lines++) {
        wfi_record r = wfi_record_at(line, view->end, ' ');
        wfi_field f;
        wfi_spelling s = {0};
        int words = 0, with_comma = 0, last = 0;
        for (; wfi_next_field(&r, &f); words++) {
            bool comma = memchr(f.text, ',', f.length);
            with_comma += comma;
            last = comma && !f.quoted && wfi_spelling_look(&s, &f) ? words : -1;
        }
        if (words < 3 || with_comma > 1 || (with_comma && last != words - 1)) return false;
        any = any || with_comma;
    }
    return any;
}

static weft_status look_at_rows(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                                const wfi_edgelist_view *view, wfi_edgelist_style *style) {
    if (style->lists == WFI_LISTS_NEIGHBOURS) style->colon = wfi_edgelist_has_colons(view, true);
    wfi_edgelist_look_at_rows(params, view, style);
    settle_ids(params, style);
    if (params->weights != WEFT_WEIGHTS_REQUIRE) return WEFT_OK;
    return wfi_fail_at(ctx, wfi_source_name(source), 1, 1,
                       "no weights here, but they were asked for: %s cannot store them",
                       style->lists == WFI_LISTS_SIF ? "SIF" : "an adjacency list");
}

static weft_status look_at_data(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                                wfi_edgelist_view *view, bool aloud, wfi_edgelist_style *style) {
    bool said_names = style->names; /* by our own comment */
    bool automatic = !params->format && !style->ours && !style->konect && params->header == WEFT_HEADER_AUTO &&
                     !params->source_col && !params->target_col;
    if (automatic) wfi_edgelist_skip_title(ctx, source, view, aloud, style);
    if (!params->separator && params->header == WEFT_HEADER_AUTO &&
        is_lightgraphs_header(view->line, view->end, style)) {
        const char *at = line_end(view->line, view->end) + 1;
        style->from = (uint64_t)(at - view->text);
        style->may_be_sized = false;
        view->line = wfi_next_data_line(&at, view->end, view->comments);
        if (!view->line) return WEFT_OK;
    }
    weft_status st = WEFT_OK;
    if (style->lists) {
        st = wfi_edgelist_refuse_multiline(ctx, source, view);
        return st ? st : look_at_rows(ctx, source, params, view, style);
    }
    if (!params->separator && !style->ours)
        st = wfi_edgelist_notation(ctx, source, view->text, view->line, view->end, &style->notation);
    if (st) return st;
    if (style->notation) {
        bool padded = look_at_notation(params, view, style);
        if (aloud) note_notation(ctx, source, style);
        if (aloud && padded && params->ids == WEFT_READ_IDS_AUTO) wfi_edgelist_note_padded(ctx, source);
    } else {
        style->separator = params->separator
                               ? params->separator
                               : wfi_find_separator(view->line, view->end, view->comments, params->decimal != ',');
        if (!params->separator && style->separator == ',' && has_decimals_between_blanks(view))
            return wfi_fail_in_text(
                ctx, source, view->text, view->line,
                "weights with a decimal comma, or fields that commas separate?  `decimal=comma` or `separator=,`");
        if (automatic) st = wfi_edgelist_shape(ctx, source, view, aloud, style);
        if (st || style->matrix) return st;
        if (style->lists) return look_at_rows(ctx, source, params, view, style);
        style->runs =
            style->separator == '\t' && params->header != WEFT_HEADER_YES && has_empty_field(view->line, view->end);
        style->tabs = style->separator == ' ' && *view->line != '\t' && has_tabs_alone(view->line, view->end) &&
                      !has_empty_field(view->line, view->end);
        style->records = style->records || (style->separator != ' ' && has_records(view, style->separator));
        st = wfi_edgelist_columns(ctx, source, params, view, aloud, style);
    }
    if (said_names) { /* a list, be they numbers in quotes */
        style->names = true;
        style->doubts = style->table = style->plain = false;
    }
    settle_ids(params, style);
    if (!st && params->weights == WEFT_WEIGHTS_REQUIRE && !style->weights)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: weights were asked for, but the third column is missing or no number",
                        wfi_source_name(source));
    return st;
}

/* "sep=;" alone on the first line, as Excel reads and writes it. */
static bool names_separator(const char *line, const char *end, char *separator) {
    const char *stop = line_end(line, end);
    if (stop > line && stop[-1] == '\r') stop--;
    if (stop - line != 5 || !line_starts(line, stop, "sep=")) return false;
    *separator = line[4];
    return true;
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
    bool cut_off = bytes >= WFI_HEAD_BYTES;
    /* A copy that ends with a newline, so that the last line may lack its own. */
    char *copy = wfi_take(ctx, bytes + 1, 1);
    if (!copy) return WEFT_ENOMEM;
    memcpy(copy, head, bytes);
    copy[bytes] = '\n';
    if (wfi_is_mark(copy)) { /* the second one */
        wfi_free(copy);
        return wfi_fail_at(ctx, wfi_source_name(source), 1, 1, WFI_MARK_IN_TEXT);
    }
    wfi_edgelist_view view = {.text = copy, .end = copy + bytes, .cut_off = cut_off, .comments = style->comments};
    if (view.comments) view.comment = look_at_comments(copy, view.end, style);
    style->asks = params->comments == WEFT_COMMENTS_AUTO && !style->ours && !style->konect;
    style->comment_at = view.comment ? (uint64_t)(view.comment - copy) : UINT64_MAX;
    if (style->ours || style->konect || params->header != WEFT_HEADER_AUTO) style->may_be_sized = false;
    const char *at = copy;
    view.line = wfi_next_data_line(&at, view.end, view.comments);
    if (!view.line && style->ours) style->separator = '\t';
    weft_read_params read = *params;
    char separator;
    if (view.line && names_separator(view.line, view.end, &separator)) {
        if (!read.separator) read.separator = separator;
        style->from = (uint64_t)(at - copy);
        view.line = wfi_next_data_line(&at, view.end, view.comments);
    }
    style->data_at = view.line ? (uint64_t)(view.line - copy) : 0;
    if (view.line)
        st = look_at_data(ctx, source, &read, &view, aloud, style);
    else if (style->asks)
        st = wfi_edgelist_ask_of_hashes(ctx, source, copy, view.end);
    if (known->padded || (!view.line && params->ids == WEFT_READ_IDS_STRING)) style->names = true;
    if (known->padded) style->plain = false;
    wfi_free(copy);
    return st;
}
