/* The columns of an edge list: is the first line a header, which columns are meant, are ids names, is there a weight.
 *
 * Method: the first record is held against all records of the head.  A known word, or words above numbers, is a header;
 * unknown words above names are asked about unless they tell: one that occurs again below, or has the form of the
 * values below, is data.  A list that blanks separate has no header of unknown words: it stays what it is. */
#include "io/table/edgelist_first.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef enum verdict { DATA, HEADER, ASK } verdict;

/* --- header or data --------------------------------------------------------------------------- */

static verdict judge(const wfi_first_lines *g, const wfi_edgelist_style *style, bool ends_are_named) {
    int known = 0;
    bool number_above_numbers = false, text_above_numbers = false, formed = false, id_numbers = true;
    for (int i = 0; i < g->fields; i++) {
        const wfi_first_column *c = &g->columns[i];
        bool text = wfi_field_is_text(&c->first);
        known += text && wfi_is_column_name(c->first.text, c->first.length);
        number_above_numbers |= c->seen && c->numbers && c->first.length && !text;
        text_above_numbers |= c->seen && c->numbers && text;
        formed |= text && c->seen && c->formed && wfi_field_has_form(&c->first);
        if (i < 2) id_numbers &= c->seen && c->integers;
    }
    bool blanks = style->separator == ' ';
    if (ends_are_named && known < 2) known = 2; /* by what vertices are: author, paper */
    if (!g->rows) return ends_are_named ? HEADER : DATA;
    if (!blanks && g->fields > 2 && !g->columns[0].first.length && !g->columns[0].first.quoted && g->columns[0].seen)
        return HEADER; /* the nameless column of row numbers that data frames have */
    if (known >= 2 || (known && !number_above_numbers)) {
        if (g->repeats && !id_numbers && !text_above_numbers) return blanks ? DATA : ASK;
        return blanks && !ends_are_named && !text_above_numbers ? DATA : HEADER;
    }
    if (number_above_numbers) return DATA;
    if (text_above_numbers) return HEADER;
    if (blanks || g->repeats || formed) return DATA;
    for (int i = 0; i < g->fields && i < 2; i++)
        if (!wfi_field_is_text(&g->columns[i].first)) return DATA; /* a number among names */
    return ASK;
}

/* --- columns ------------------------------------------------------------------------------------ */

/* The columns, and behind them, in the same block, the names of those in quotes.  `shift`: the records have a field
 * before the first that the header names (row names, as R writes them). */
static weft_status describe_columns(weft_ctx *ctx, const wfi_first_lines *g, bool header, int shift,
                                    const wfi_field *names, wfi_column **list) {
    size_t count = (size_t)(g->fields + shift) + 1, bytes = count * sizeof **list;
    for (int i = 0; i < g->fields; i++) bytes += (names ? names[i] : g->columns[i].first).length;
    wfi_column *out = *list = wfi_take(ctx, bytes, 1);
    if (!out) return WEFT_ENOMEM;
    char *plain = (char *)(out + count);
    for (int i = 0; i < g->fields + shift; i++) {
        const wfi_first_column *c = &g->columns[i];
        out[i] = (wfi_column){.kind = wfi_first_column_kind(c),
                              .sample = c->seen ? c->sample.text : NULL,
                              .sample_length = c->sample.length};
        if (!header) continue;
        const wfi_field *name = names ? &names[i] : i < shift ? NULL : &g->columns[i - shift].first;
        out[i].name = name ? name->text : "";
        out[i].name_length = name ? name->length : 0;
        if (!name || !name->quoted) continue;
        out[i].name = plain;
        out[i].name_length = wfi_unquote(name, plain);
        plain += out[i].name_length;
    }
    return WEFT_OK;
}

/* A header that is being decided about. */
typedef struct heading {
    weft_ctx *ctx;
    const wfi_source *source;
    const weft_read_params *params;
    const wfi_edgelist_view *view;
    bool aloud;
    wfi_first_lines *lines;
    wfi_edgelist_style *style;
} heading;

static uint64_t line_of(const wfi_edgelist_view *view) {
    return wfi_count_lines(view->text, (size_t)(view->line - view->text)) + 1;
}

/* The fields of the comment before the data, when there are as many as the data have.  *tabs: these separate them, and
 * the data as well. */
static weft_status fields_of_comment(weft_ctx *ctx, const wfi_edgelist_view *view, const wfi_first_lines *g,
                                     char separator, wfi_field **names, bool *tabs) {
    *names = NULL;
    *tabs = false;
    if (!view->comment) return WEFT_OK;
    const char *p = view->comment, *end = memchr(p, '\n', (size_t)(view->end - p) + 1);
    while (p < end && (*p == '#' || *p == '%')) p++;
    if (separator == '\t') { /* "# FromNodeId    ToNodeId" stands above tabs as well */
        *tabs = memchr(p, '\t', (size_t)(end - p));
        if (!*tabs) separator = ' ';
    }
    if (wfi_count_fields(wfi_record_at(p, end, separator)) != g->fields) return WEFT_OK;
    if (wfi_alloc(ctx, names, (size_t)g->fields)) return WEFT_ENOMEM;
    wfi_record r = wfi_record_at(p, end, separator);
    for (int i = 0; i < g->fields; i++) wfi_next_field(&r, &(*names)[i]);
    return WEFT_OK;
}

static bool can_be_row_names(const wfi_first_lines *g) {
    return g->least == g->fields + 1 && g->most == g->least && !g->last_empty;
}

static bool wants_columns(const weft_read_params *p) { return p->source_col || p->target_col || p->weight_col; }

/* In any case of letters; in quotes two quotes are one. */
static bool says(const wfi_field *f, const char *wanted) {
    for (size_t i = 0; i < f->length; i++, wanted++) {
        i += f->quoted && f->text[i] == '"';
        if (!*wanted || tolower((unsigned char)f->text[i]) != tolower((unsigned char)*wanted)) return false;
    }
    return !*wanted;
}

/* A flag that calls a column by a word of the first line makes that line a header. */
static bool is_named_in(const wfi_first_lines *g, const char *wanted) {
    for (int i = 0; i < g->fields && wanted && *wanted; i++)
        if (wfi_field_is_text(&g->columns[i].first) && says(&g->columns[i].first, wanted)) return true;
    return false;
}

/* The same of the words of a comment above the data, for source and target. */
static bool calls_ends_by(const wfi_first_lines *g, const wfi_field *names, const weft_read_params *p) {
    for (int i = 0; i < g->fields; i++)
        if ((p->source_col && says(&names[i], p->source_col)) || (p->target_col && says(&names[i], p->target_col)))
            return true;
    return false;
}

/* Four columns or more, words in all but the first two, and nothing that could be a weight: NCBI's and others' files
 * begin with an id that is no end, so that the order of the columns says nothing.  The names do, or it is asked. */
static bool needs_names(const wfi_first_lines *g, const wfi_field *names) {
    bool words = false;
    if (g->fields < 4) return false;
    for (int i = 0; i < g->fields; i++) {
        const wfi_first_column *c = &g->columns[i];
        wfi_column_kind kind = wfi_first_column_kind(c);
        if (wfi_is_column_name(names[i].text, names[i].length) || !wfi_field_is_text(&names[i])) return false;
        if (i < 2) continue;
        if (kind != WFI_COLUMN_TEXT && kind != WFI_COLUMN_EMPTY && kind != WFI_COLUMN_DIRECTION) return false;
        words = words || kind == WFI_COLUMN_TEXT;
    }
    return words;
}

/* The same of any column that is wanted beside. */
static bool names_fields(const wfi_first_lines *g, const wfi_edge_fields *f) {
    for (size_t i = 0; f && i < f->count; i++) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)wfi_min_u64(f->names->start[i + 1] - f->names->start[i], 255),
                 f->names->text + f->names->start[i]);
        if (is_named_in(g, name)) return true;
    }
    return false;
}

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
static void take_choice(const wfi_first_lines *g, const wfi_columns *c, bool header_row, bool ignores_weights,
                        wfi_edgelist_style *style) {
    style->source = c->source;
    style->target = c->target;
    style->weight = c->weight;
    style->direction = c->direction;
    style->columns = (int)c->count;
    style->comments = style->comments && !header_row;
    style->weights = c->weight >= 0;
    const wfi_first_column *u = &g->columns[c->source], *v = &g->columns[c->target];
    style->names = (u->seen && !u->wholes) || (v->seen && !v->wholes);
    style->wholes = !style->names && ((u->seen && !u->integers) || (v->seen && !v->integers));
    style->doubts = style->names && u->seen && v->seen && wfi_field_is_integer(header_row ? &u->sample : &u->first) &&
                    wfi_field_is_integer(header_row ? &v->sample : &v->first);
    if (header_row) keep_heading(c, style);
    bool quoted = u->quoted || v->quoted || (c->weight >= 0 && g->columns[c->weight].quoted);
    bool in_front = c->source == 0 && c->target == 1 && (c->weight < 0 || c->weight == 2);
    bool usual = strchr(" \t,", style->separator) && in_front && c->direction < 0 && !quoted && !style->names;
    style->table = header_row || !in_front || (quoted && !style->names) || !strchr(" \t,;", style->separator) ||
                   style->decimal == ',' || style->fields || (style->names && strchr(",;", style->separator));
    int wanted = c->weight < 0 ? 2 : 3;
    /* Separators at the end of all lines: nothing may come there later either. */
    while (!style->table && style->columns > wanted && !g->columns[style->columns - 1].seen) style->columns--;
    style->loose = !style->table && style->separator == ' ' && style->columns > wanted &&
                   wfi_field_is_text(&g->columns[style->columns - 1].first);
    /* Without a third column that is a number, weights are not read: they may be there, if nobody wants them. */
    if (ignores_weights && !style->table && style->columns == 2) style->columns = 3;
    if (!style->table && style->separator == '\t' && style->columns == 2) style->runs = true;
    style->plain =
        style->table && !style->fields && usual && style->decimal == '.' && c->count == (c->weight < 0 ? 2u : 3u);
    if (c->direction >= 0) {
        style->says_direction = true;
        style->directed = g->columns[c->direction].sample.length == 8;
    }
}

/* A bracket that opens in one field and closes in another: the separator is not what it seems. */
static bool brackets_span(const wfi_first_lines *g) {
    static const char open[] = "([{", close[] = ")]}";
    for (int kind = 0; kind < 3; kind++) {
        bool pending = false;
        for (int i = 0; i < g->fields; i++) {
            const wfi_field *f = &g->columns[i].first;
            if (f->quoted || !f->length) continue;
            bool opens = memchr(f->text, open[kind], f->length), closes = memchr(f->text, close[kind], f->length);
            if (pending && closes && !opens) return true;
            pending = pending || (opens && !closes);
        }
    }
    return false;
}

/* "1" 7 8: the row names that R writes, without the header above them. */
static bool counts_rows(const wfi_first_lines *g) {
    const wfi_field *f = &g->columns[0].first;
    return g->fields > 2 && g->columns[0].integers && f->quoted && f->length == 1 && *f->text == '1' &&
           !g->columns[1].quoted && !g->columns[2].quoted;
}

static bool is_decimal(const wfi_first_column *c) { return c->seen && c->decimals && c->fractions; }

/* Three columns without a header, names among them: the second may be a relation between the others.  SIF and adjacency
 * lists are offered where such files are separated so. */
static const char *doubt_of_three(const wfi_first_lines *g, char separator) {
    bool listed = separator == ' ' || separator == '\t';
    const wfi_first_column *second = &g->columns[1];
    if (wfi_first_column_kind(&g->columns[2]) == WFI_COLUMN_TEXT)
        return listed ? "three columns of names, and no header says which are the ends (`format=sif` if the second is "
                        "a relation, `format=adjlist` if a line is a vertex and its neighbours)"
                      : "three columns of names, and no header says which are the ends (`format=adjlist` if a line is "
                        "a vertex and its neighbours)";
    if (!g->columns[0].integers || !g->columns[2].integers || !second->seen || !second->words) return NULL;
    return listed ? "a word between two whole numbers, and no header says whether it is a vertex or a relation "
                    "(`format=sif` if it is a relation)"
                  : "a word between two whole numbers, and no header says whether it is a vertex or a relation";
}

/* Why a table should not be read so, and if it has no header, not by position; NULL: nothing speaks against it. */
static const char *doubt(const wfi_first_lines *g, const wfi_columns *c, bool header, char separator,
                         wfi_columns_question *question) {
    const wfi_first_column *u = &g->columns[c->source], *v = &g->columns[c->target];
    bool names = !u->integers || !v->integers;
    if (brackets_span(g) && !header) {
        *question = WFI_ASK_NOTHING;
        return "brackets around several fields: write one edge per line, as in u v";
    }
    bool both = u->seen && u->decimals && v->seen && v->decimals; /* under a header 1.5 may be a version among names */
    if ((is_decimal(u) || is_decimal(v)) && (both || !header))
        return "numbers with a fraction where ids should be (`ids=string` takes them as names)";
    if (header) return NULL;
    if ((wfi_field_is_spelt_number(&u->first) && !u->wholes) || (wfi_field_is_spelt_number(&v->first) && !v->wholes))
        return "numbers with other signs among their digits where ids should be: which sign separates the fields? "
               "(`separator` says it, `ids=string` takes them as names)";
    if (counts_rows(g)) return "the first column counts the rows";
    return names && g->fields > 2 ? doubt_of_three(g, separator) : NULL;
}

/* The decimal sign of the weights: the caller's, or what all of them that were seen allow. */
static weft_status settle_decimal(const heading *h, const wfi_columns *c) {
    wfi_edgelist_style *style = h->style;
    const char *why;
    style->decimal = h->params->decimal ? h->params->decimal : '.';
    style->decimal_known = h->params->decimal;
    if (h->params->decimal || c->weight < 0) return WEFT_OK;
    const wfi_spelling *s = &h->lines->columns[c->weight].spelling;
    style->decimal = wfi_spelling_decide(s, style->separator, &style->decimal_known, &why);
    if (!why) return WEFT_OK;
    return wfi_fail_in_text(
        h->ctx, h->source, h->view->text, s->place,
        "%s%s `decimal=comma` or `decimal=point` says which sign is the decimal one (to do without: "
        "`weights=ignore`)",
        why, why[strlen(why) - 1] == '?' ? "" : ":");
}

/* Where a column has decimal commas, the numbers of others that have a point may have one for thousands. */
static weft_status doubt_decimals(const heading *h) {
    const wfi_first_lines *g = h->lines;
    wfi_edge_fields *fields = h->style->fields;
    bool commas = false;
    wfi_free(fields->asks);
    fields->asks = NULL;
    fields->decimal = h->params->decimal;
    for (int i = 0; i <= g->fields; i++) {
        const wfi_first_column *c = &g->columns[i];
        commas = commas || (c->seen && c->spelt && c->spelling.not_point && !c->spelling.not_comma);
    }
    if (!commas || fields->decimal) return WEFT_OK;
    if (wfi_alloc_zeroed(h->ctx, &fields->asks, fields->count)) return WEFT_ENOMEM;
    for (size_t i = 0; i < fields->count; i++) {
        const wfi_first_column *c = &g->columns[fields->column[i]];
        fields->asks[i] = !c->seen || (c->spelt && !c->spelling.not_comma);
    }
    return WEFT_OK;
}

/* Ids that are not what they look like. */
static void note_ids(weft_ctx *ctx, const wfi_source *source, const wfi_first_column *u, const wfi_first_column *v,
                     const wfi_edgelist_style *style) {
    if (style->wholes)
        wfi_note(ctx, "%s: ids such as 1.0 are read as 1 (`ids=string` keeps them as they are)",
                 wfi_source_name(source));
    if (style->names && (u->padded || v->padded) && u->decimals && v->decimals) wfi_edgelist_note_padded(ctx, source);
}

/* header: the first line is one, or `names`, the fields of a comment above it, are. */
static weft_status choose(const heading *h, bool header, const wfi_field *names) {
    const wfi_first_lines *g = h->lines;
    const weft_read_params *params = h->params;
    wfi_edgelist_style *style = h->style;
    wfi_column *list = NULL;
    int shift = header && !names && can_be_row_names(g);
    size_t count = (size_t)(g->fields + shift);
    if (describe_columns(h->ctx, g, header, shift, names, &list)) return WEFT_ENOMEM;
    wfi_columns c = {.column = list, .count = count, .fields = style->fields};
    if (!header && (style->konect || style->ours) &&
        !wants_columns(params)) { /* the format's rule: weight, then time */
        for (size_t i = 3; i < count; i++) list[i].kind = WFI_COLUMN_TEXT;
        if (count > 2 && list[2].kind == WFI_COLUMN_TIMES) list[2].kind = WFI_COLUMN_INTEGERS;
    }
    c.matrix = style->may_be_matrix;
    weft_status st = wfi_columns_choose(h->ctx, h->source, params, line_of(h->view), &c);
    bool sure = style->ours || style->konect || wants_columns(params) || params->ids != WEFT_READ_IDS_AUTO;
    wfi_columns_question question = WFI_ASK_ENDS;
    const char *why = st || sure ? NULL : doubt(g, &c, header, style->separator, &question);
    if (why) st = wfi_columns_refuse(h->ctx, h->source, &c, line_of(h->view), question, why);
    if (!st) st = settle_decimal(h, &c);
    if (!st && style->fields) st = doubt_decimals(h);
    if (!st) take_choice(g, &c, header && !names, params->weights == WEFT_WEIGHTS_IGNORE, style);
    if (!st && (header || count > 2 || wants_columns(params)))
        st = wfi_columns_say(h->ctx, h->source, &c, h->aloud, &style->kept);
    if (!st && h->aloud && params->ids == WEFT_READ_IDS_AUTO && !params->vertices)
        note_ids(h->ctx, h->source, &g->columns[c.source], &g->columns[c.target], style);
    wfi_free(list);
    return st;
}

static weft_status ends_named(weft_ctx *ctx, const wfi_first_lines *g, const wfi_field *names, bool *yes) {
    wfi_column *list;
    if (describe_columns(ctx, g, true, 0, names, &list)) return WEFT_ENOMEM;
    *yes = wfi_names_ends(list, (size_t)g->fields);
    wfi_free(list);
    return WEFT_OK;
}

static weft_status ask(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_view *view,
                       const wfi_first_lines *g) {
    const wfi_field *a = &g->columns[0].first, *b = &g->columns[1].first;
    return wfi_fail_in_text(
        ctx, source, view->text, view->line,
        "is the first line a header, or is it an edge from '%.*s' to '%.*s'?  Its words are above names%s: "
        "`header=yes` if it names the columns, `header=no` if it is data",
        (int)(a->length < 40 ? a->length : 40), a->text, (int)(b->length < 40 ? b->length : 40), b->text,
        g->repeats ? " and occur among them" : " and do not occur again");
}

/* "n m" above lines of three fields: not an edge like the others. */
static bool is_size_above_weights(const wfi_first_lines *g) {
    return g->fields == 2 && g->rows && g->least >= 3 && wfi_field_is_integer(&g->columns[0].first) &&
           wfi_field_is_integer(&g->columns[1].first);
}

static void take_size(const wfi_first_lines *g, const wfi_edgelist_view *view, wfi_edgelist_style *style) {
    const char *p = g->columns[0].first.text, *q = g->columns[1].first.text;
    if (g->columns[0].first.quoted || g->columns[1].first.quoted) return;
    if (wfi_scan_u64(&p, &style->size_vertices) || wfi_scan_u64(&q, &style->size_edges)) return;
    style->sized = style->size_vertices > 0 && style->size_edges > 0;
    style->size_line = line_of(view);
}

static void note_first_line(weft_ctx *ctx, const wfi_source *source, const wfi_first_lines *g) {
    const wfi_field *a = &g->columns[0].first, *b = &g->columns[1].first;
    if (g->rows && g->fields >= 2 && !g->repeats)
        wfi_note(ctx, "%s: the first line, %.*s %.*s, is read as an edge (`header=yes` if it names the columns)",
                 wfi_source_name(source), (int)(a->length < 40 ? a->length : 40), a->text,
                 (int)(b->length < 40 ? b->length : 40), b->text);
}

static weft_status read_data(const heading *h) {
    wfi_first_lines *g = h->lines;
    wfi_edgelist_style *style = h->style;
    wfi_field *names = NULL;
    bool automatic = h->params->header == WEFT_HEADER_AUTO, tabs = false;
    weft_status st = automatic ? fields_of_comment(h->ctx, h->view, g, style->separator, &names, &tabs) : WEFT_OK;
    bool telling = false;
    if (!st && names) st = ends_named(h->ctx, g, names, &telling);
    bool words = wfi_field_is_text(&g->columns[0].first) && g->fields >= 2 && wfi_field_is_text(&g->columns[1].first);
    wfi_first_lines_join(g);
    if (names && !telling && tabs && !style->ours && !style->konect)
        telling = wants_columns(h->params) ? calls_ends_by(g, names, h->params) : needs_names(g, names);
    if (!telling) {
        wfi_free(names);
        names = NULL;
    }
    if (st) return st;
    if (names) style->sized = false;
    st = choose(h, names != NULL, names);
    wfi_free(names);
    if (st) return st;
    if (!style->size_skipped) style->sized = style->sized && !style->names && !style->table;
    if (h->aloud && automatic && words && style->separator == ' ' && !style->ours)
        note_first_line(h->ctx, h->source, g);
    return WEFT_OK;
}

static bool has_comments(const wfi_edgelist_view *view) {
    size_t bytes = (size_t)(view->end - view->line);
    return view->comments && (memmem(view->line, bytes, "\n#", 2) || memmem(view->line, bytes, "\n%", 2));
}

/* Below a header what begins with # is a name, unless the caller says that it is a comment. */
static weft_status read_table(const heading *h) {
    wfi_first_lines *g = h->lines, bare = *g; /* without such lines */
    wfi_edgelist_view names = *h->view;
    heading all = *h;
    wfi_edgelist_style *style = h->style;
    weft_status st = WEFT_OK;
    names.comments = h->params->comments == WEFT_COMMENTS_YES;
    style->hash_rows = h->params->comments == WEFT_COMMENTS_AUTO;
    bool marked = has_comments(h->view) && !names.comments;
    if (marked) st = wfi_first_lines_look(h->ctx, &names, style, g);
    all.view = &names;
    if (!st) st = choose(&all, true, NULL);
    if (!st) style->comments = names.comments;
    if (!st && marked && style->names) {
        const wfi_first_column *u = &bare.columns[style->source], *v = &bare.columns[style->target];
        bool numbers = u->seen && u->wholes && v->seen && v->wholes;
        style->doubts = style->doubts || numbers;
        /* Where nobody said what such lines are, they do not make names of numbers: as rows they are asked about. */
        style->names = style->names && !(numbers && style->hash_rows);
    }
    if (marked) wfi_free(bare.columns);
    return st;
}

/* What nobody recognised, and is no list either. */
static weft_status refuse_word(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_view *view,
                               const wfi_field *word) {
    const char *colons = memmem(word->text, word->length, "::", 2), *hive = memchr(word->text, '\x01', word->length);
    if (colons && colons > word->text)
        return wfi_fail_in_text(
            ctx, source, view->text, colons,
            "fields that :: separates, which is no one character: sed 's/::/\\t/g' FILE | weft info -");
    if (hive)
        return wfi_fail_in_text(ctx, source, view->text, hive,
                                "fields that byte 0x01 separates, as Hive writes them: say it with `separator`, or tr "
                                "'\\001' '\\t' < FILE | weft info -");
    return wfi_fail_in_text(
        ctx, source, view->text, view->line,
        "one word, '%.*s', where an edge has two ids: this is not a list of edges, nor another format that Weft "
        "knows (if it is, say which with `format`)",
        (int)wfi_min_u64(word->length, 40), word->text);
}

weft_status wfi_edgelist_columns(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                                 const wfi_edgelist_view *view, bool aloud, wfi_edgelist_style *style) {
    wfi_first_lines g;
    const char *skipped = NULL;
    heading h = {ctx, source, params, view, aloud, &g, style};
    weft_status st = wfi_first_lines_look(ctx, view, style, &g);
    if (st) goto done;
    style->columns = g.fields;
    if (g.fields < 2 && params->header == WEFT_HEADER_AUTO && !wants_columns(params)) {
        bool whole = g.rows || !view->cut_off; /* the line ends where it can be seen */
        if (g.fields && whole && wfi_field_is_text(&g.columns[0].first) && !params->separator && !params->format)
            st = refuse_word(ctx, source, view, &g.columns[0].first);
        goto done; /* an error at its place */
    }
    bool telling;
    st = ends_named(ctx, &g, NULL, &telling);
    if (st) goto done;
    bool called = is_named_in(&g, params->source_col) || is_named_in(&g, params->target_col) ||
                  is_named_in(&g, params->weight_col) || names_fields(&g, style->fields);
    verdict v = params->header == WEFT_HEADER_YES  ? HEADER
                : params->header == WEFT_HEADER_NO ? DATA
                : called                           ? HEADER
                : style->ours || style->konect     ? DATA
                                                   : judge(&g, style, telling);
    if (v == ASK) {
        st = ask(ctx, source, view, &g);
    } else if (v == HEADER) {
        st = read_table(&h);
        wfi_record r = wfi_edge_record_at(style, view->line, view->end);
        style->from = (uint64_t)(wfi_next_record(&r) - view->text);
    } else {
        if (style->may_be_sized && g.fields == 2) take_size(&g, view, style);
        if (style->sized && is_size_above_weights(&g)) {
            skipped = g.second;
        } else {
            st = read_data(&h);
        }
    }
done:
    wfi_free(g.columns);
    if (!skipped) return st;
    /* Read without the first line; whether it is what it seems is seen at the end. */
    wfi_edgelist_view rest = *view;
    rest.line = skipped;
    rest.comment = NULL;
    style->may_be_sized = false;
    style->size_skipped = true;
    style->from = (uint64_t)(skipped - view->text);
    return wfi_edgelist_columns(ctx, source, params, &rest, false, style);
}
