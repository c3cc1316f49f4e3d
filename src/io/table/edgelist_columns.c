/* The columns of an edge list: is the first record a header, which columns are meant, are ids names, is there a weight.
 *
 * Method: the first record is scored as a header or as data against what edgelist_facts.c found in the records below it;
 * a comment above the data may have the names.  columns.c chooses the ends and the weight, by name or by position; what
 * speaks against the choice is asked about, and the rest of the style follows from it. */
#include "io/table/edgelist_facts.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- header or data -------------------------------------------------------------------------------- */

/* Is the first record a header?  Method: it is held against all records of the head.  A known word, or words above
 * numbers, is a header; unknown words above names are asked about unless they tell: one that occurs again below, or has
 * the form of the values below, is data.  A list that blanks separate has no header of unknown words. */
static wfi_score score_of_header(const wfi_table_facts *t, const wfi_edgelist_style *style, bool ends_are_named) {
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
    if (!t->rows) return ends_are_named ? WFI_YES : WFI_NO;
    if (!blanks && t->fields > 2 && !t->columns[0].first.length && !t->columns[0].first.quoted && t->columns[0].any)
        return WFI_YES; /* the nameless column of row numbers that data frames have */
    if (known >= 2 || (known && !number_above_numbers)) {
        if (t->repeats && !id_numbers && !text_above_numbers) return blanks ? WFI_NO : WFI_ASK;
        return blanks && !ends_are_named && !text_above_numbers ? WFI_NO : WFI_YES;
    }
    if (number_above_numbers) return WFI_NO;
    if (text_above_numbers) return WFI_YES;
    if (blanks || t->repeats || formed) return WFI_NO;
    for (int i = 0; i < t->fields && i < 2; i++)
        if (!wfi_field_is_text(&t->columns[i].first)) return WFI_NO; /* a number among names */
    return WFI_ASK;
}

/* --- names of columns ------------------------------------------------------------------------------ */

typedef enum named_by { NOBODY, COMMENT, HEADER } named_by;

/* The comment above the data names the columns, if it has as many fields as the data have.  *tabs: these separate them,
 * and the data as well.  *words: all are words. */
static bool take_names_of_comment(wfi_detection *d, bool *tabs, bool *words) {
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

static bool flags_name_columns(const wfi_detection *d) {
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
    static const char *const names[] = {
        "three columns of names, and no header says which are the ends (`format=adjlist` if a line is a vertex and its "
        "neighbours)",
        "three columns of names, and no header says which are the ends (`format=sif` if the second is a relation, "
        "`format=adjlist` if a line is a vertex and its neighbours)"};
    static const char *const word[] = {
        "a word between two whole numbers, and no header says whether it is a vertex or a relation",
        "a word between two whole numbers, and no header says whether it is a vertex or a relation (`format=sif` if it "
        "is a relation)"};
    bool listed = separator == ' ' || separator == '\t';
    const wfi_column_facts *c = t->columns;
    if (wfi_column_kind_of(&c[2]) == WFI_COLUMN_TEXT) return names[listed];
    bool numbers = wfi_all(&c[0], WFI_FACT_INTEGER) && wfi_all(&c[2], WFI_FACT_INTEGER);
    return numbers && c[1].any && !(c[1].any & WFI_FACT_SPELT) ? word[listed] : NULL;
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
static weft_status decide_decimal(const wfi_detection *d, const wfi_columns *c) {
    wfi_edgelist_style *style = d->style;
    const char *why;
    style->decimal = d->params.decimal ? d->params.decimal : '.';
    style->decimal_known = d->params.decimal;
    if (d->params.decimal || c->weight < 0) return WEFT_OK;
    const wfi_spelling *s = &d->table.columns[c->weight].spelling;
    style->decimal = wfi_spelling_decide(s, style->separator, &style->decimal_known, &why);
    if (!why) return WEFT_OK;
    return WFI_REFUSE(d, s->place,
                      "%s%s `decimal=comma` or `decimal=point` says which sign is the decimal one (to do without: "
                      "`weights=ignore`)",
                      why, why[strlen(why) - 1] == '?' ? "" : ":");
}

/* Where a column has decimal commas, the numbers of others that have a point may have one for thousands. */
static weft_status doubt_decimals(const wfi_detection *d) {
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
static void take_choice(const wfi_detection *d, const wfi_columns *c, bool header_row) {
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
static void note_ids(const wfi_detection *d, const wfi_column_facts *u, const wfi_column_facts *v) {
    if (!d->aloud || d->params.ids != WEFT_READ_IDS_AUTO || d->params.vertices) return;
    if (d->style->wholes) WFI_NOTE(d, "ids such as 1.0 are read as 1 (`ids=string` keeps them as they are)");
    if (d->style->names && (u->any | v->any) & WFI_FACT_PADDED && wfi_all(u, WFI_FACT_NUMBER) &&
        wfi_all(v, WFI_FACT_NUMBER))
        wfi_edgelist_note_padded(d->ctx, d->head.source);
}

static uint64_t line_of(const wfi_head *h) { return wfi_count_lines(h->text, (size_t)(h->line - h->text)) + 1; }

static weft_status choose(const wfi_detection *d, named_by by) {
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
static bool take_size(wfi_detection *d) {
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

static weft_status read_data(wfi_detection *d) {
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
        WFI_NOTE(d, "the first line, %.*s %.*s, is read as an edge (`header=yes` if it names the columns)",
                 (int)wfi_min_u64(a->length, 40), a->text, (int)wfi_min_u64(b->length, 40), b->text);
    return WEFT_OK;
}

static bool has_comments(const wfi_head *h) {
    size_t bytes = (size_t)(h->end - h->line);
    return h->comments && (memmem(h->line, bytes, "\n#", 2) || memmem(h->line, bytes, "\n%", 2));
}

/* Below a header a line that begins with # is a row, unless the caller says that it is a comment. */
static weft_status read_table(wfi_detection *d) {
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
static weft_status refuse_word(const wfi_detection *d) {
    const wfi_field *word = &d->table.columns[0].first;
    const char *colons = memmem(word->text, word->length, "::", 2), *hive = memchr(word->text, '\x01', word->length);
    if (colons && colons > word->text)
        return WFI_REFUSE(d, colons,
                          "fields that :: separates, which is no one character: sed 's/::/\\t/g' FILE | weft info -");
    if (hive)
        return WFI_REFUSE(d, hive,
                          "fields that byte 0x01 separates, as Hive writes them: say it with `separator`, or tr "
                          "'\\001' '\\t' < FILE | weft info -");
    return WFI_REFUSE(
        d, d->head.line,
        "one word, '%.*s', where an edge has two ids: this is not a list of edges, nor another format that "
        "Weft knows (if it is, say which with `format`)",
        (int)wfi_min_u64(word->length, 40), word->text);
}

static weft_status ask_for_header(const wfi_detection *d) {
    const wfi_field *a = &d->table.columns[0].first, *b = &d->table.columns[1].first;
    return WFI_REFUSE(
        d, d->head.line,
        "is the first line a header, or is it an edge from '%.*s' to '%.*s'?  Its words are above names%s: "
        "`header=yes` if it names the columns, `header=no` if it is data",
        (int)wfi_min_u64(a->length, 40), a->text, (int)wfi_min_u64(b->length, 40), b->text,
        d->table.repeats ? " and occur among them" : " and do not occur again");
}

/* *again: the first line is "n m", and the others are to be looked at without it. */
static weft_status look_at_columns(wfi_detection *d, bool *again) {
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
    wfi_score header = p->header == WEFT_HEADER_YES         ? WFI_YES
                       : p->header == WEFT_HEADER_NO        ? WFI_NO
                       : flags_name_columns(d)              ? WFI_YES
                       : d->style->ours || d->style->konect ? WFI_NO
                                                            : score_of_header(t, d->style, telling);
    if (header == WFI_ASK) return ask_for_header(d);
    if (header == WFI_YES) return read_table(d);
    *again = take_size(d);
    return *again ? WEFT_OK : read_data(d);
}

weft_status wfi_detect_columns(wfi_detection *d) {
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
