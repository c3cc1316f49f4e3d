/* Tables of vertices (table.h).  The table is text: csv, tsv or with semicolons, packed or not; Parquet and Arrow are
 * left to io/columnar.
 *
 * Which column: the one that COLUMN says, by its name or its number from 1; else the one whose name tells; else the
 * only one.  Otherwise the columns are shown and nothing is read.
 * Whether there is a header: COLUMN is a name, some column has a name that is known, or words stand above numbers.  A
 * lone column of names with an unknown word on top could be either; it is data if an edge has that word, else the
 * question is put to the user, who answers by FILE:WORD (a header) or FILE:1 (data).
 * The other columns are attributes, called as the header calls them; without a header, or when ranks share the graph,
 * they are passed over. */
#include "io/table/nodes.h"
#include "core/comm.h"
#include "core/scan.h"
#include "io/columnar/typed.h"
#include "io/io.h"
#include "io/table/nodes_table.h"
#include "io/text/words.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef wfi_nodes_table nodes;

enum { POLL_ROWS = 1 << 14, SHOWN = 10, NAME_ROOM = 24 };

/* --- the file -------------------------------------------------------------------------------- */

/* FILE or FILE:COLUMN; a file that has the whole name comes first. */
static weft_status open_table(nodes *n, const char *spec) {
    const char *colon = strrchr(spec, ':');
    char *path = wfi_copy_text(n->ctx, spec);
    if (!path) return WEFT_ENOMEM;
    if (colon && colon > spec && access(spec, F_OK)) {
        path[colon - spec] = '\0';
        n->column = colon + 1;
    }
    weft_status st = wfi_source_open(n->ctx, path, &n->source);
    wfi_free(path);
    if (!st && n->column && !*n->column)
        return wfi_fail(n->ctx, WEFT_EINVAL, "`nodes=%s`: the column after the colon is empty", spec);
    return st;
}

/* All of the text, with a newline at its end that does not count. */
static weft_status take_text(nodes *n) {
    size_t bytes;
    const char *head = wfi_source_head(n->source, &bytes), *foreign = wfi_foreign(head, bytes);
    if (foreign || memchr(head, '\0', bytes)) {
        wfi_fail_at(n->ctx, wfi_source_name(n->source), 1, 1, "a table of vertices is text (csv, tsv), but this is %s",
                    foreign ? foreign : "not");
        return WEFT_EUNSUPPORTED;
    }
    weft_status st = wfi_source_whole(n->ctx, n->source, &n->text, &bytes);
    if (st) return st;
    if (bytes && n->text[bytes - 1] == '\n') {
        n->end = n->text + bytes - 1;
    } else {
        if (wfi_alloc(n->ctx, &n->copy, bytes + 1)) return WEFT_ENOMEM;
        memcpy(n->copy, n->text, bytes);
        n->copy[bytes] = '\n';
        n->text = n->copy;
        n->end = n->copy + bytes;
    }
    return WEFT_OK;
}

/* The fields of the record at `line`; returns where the next begins. */
static const char *take_fields(const nodes *n, const char *line, wfi_field *field, size_t *count) {
    wfi_record r = wfi_record_at(line, n->end, n->separator);
    *count = 0;
    while (*count < WFI_NODES_COLUMNS && wfi_next_field(&r, &field[*count])) ++*count;
    return wfi_next_record(&r);
}

static weft_status look(nodes *n) {
    const char *at = n->text, *name = wfi_source_plain_name(n->source);
    bool comments = n->use != WEFT_COMMENTS_NO;
    if (wfi_is_mark(at)) return FAIL(n, at, WFI_MARK_IN_TEXT);
    n->separator = wfi_find_separator(at, n->end, comments, true);
    if (n->separator == ' ' && wfi_name_has_extension(name, "csv")) n->separator = ',';
    if (n->separator == ' ' && wfi_name_has_extension(name, "tsv")) n->separator = '\t';
    n->first = wfi_next_data_line(&at, n->end, comments);
    if (!n->first) return WEFT_OK;
    at = take_fields(n, n->first, n->top, &n->columns);
    n->second = wfi_next_data_line(&at, n->end, comments);
    if (n->second) take_fields(n, n->second, n->below, &n->columns_below);
    return WEFT_OK;
}

/* --- messages ----------------------------------------------------------------------------------- */

static void add_text(char *room, size_t size, const wfi_field *f) {
    size_t used = strlen(room);
    for (size_t i = 0; i < f->length && i < NAME_ROOM && used + 2 < size; i++) {
        unsigned char c = (unsigned char)f->text[i];
        room[used++] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    room[used] = '\0';
}

weft_status wfi_nodes_refuse(const nodes *n, const char *reason) {
    char list[1024] = "";
    for (size_t i = 0; i < n->columns && i < SHOWN; i++) {
        char row[96];
        snprintf(row, sizeof row, "%s%zu ", i ? ", " : "", i + 1);
        add_text(row, sizeof row, &n->top[i]);
        if (i < n->columns_below) {
            strcat(row, ": ");
            add_text(row, sizeof row, &n->below[i]);
        }
        strcat(list, row);
    }
    if (n->columns > SHOWN) strcat(list, ", ...");
    return FAIL(n, n->first, "%s (`nodes=%.200s:COLUMN` says which it is, by number or name).  The columns%s: %s",
                reason, wfi_source_name(n->source), n->typed ? "" : ", by their first two rows", list);
}

/* --- the choice ----------------------------------------------------------------------------------- */

/* A word above a whole number. */
static bool word_above_number(const nodes *n, size_t column) {
    return column < n->columns && column < n->columns_below && !wfi_field_is_integer(&n->top[column]) &&
           wfi_field_is_integer(&n->below[column]);
}

/* A number counts as such unless a title is spelt so. */
static weft_status choose_by_flag(nodes *n) {
    const char *p = n->column;
    uint64_t number = 0;
    bool is_number = !wfi_scan_u64(&p, &number) && !*p && number && number <= n->columns;
    int named = wfi_nodes_by_wish(n->top, n->columns, n->column);
    n->header = n->typed || wfi_nodes_by_name(n->top, n->columns) != -1 ||
                (is_number && word_above_number(n, (size_t)number - 1));
    if (named >= 0 && (n->header || !is_number)) {
        n->header = true;
        n->at = (size_t)named;
    } else if (is_number) {
        n->at = (size_t)number - 1;
    } else {
        char reason[128];
        snprintf(reason, sizeof reason, "there is no column %.60s", n->column);
        return wfi_nodes_refuse(n, reason);
    }
    return WEFT_OK;
}

weft_status wfi_nodes_choose(nodes *n) {
    const wfi_table *t = n->edges;
    if (n->column) return choose_by_flag(n);
    int named = wfi_nodes_by_name(n->top, n->columns);
    n->header = n->typed || named != -1;
    if (named >= 0) {
        n->at = (size_t)named;
        return WEFT_OK;
    }
    if (named == -2) return wfi_nodes_refuse(n, "several columns could be the ids of the vertices");
    if (n->columns > 1) return wfi_nodes_refuse(n, "no column name identifies the ids of the vertices");
    n->at = 0;
    n->header = n->typed || word_above_number(n, 0);
    bool asks =
        t->names && !n->header && n->second && !wfi_field_is_integer(&n->top[0]) && !wfi_nodes_known(t, &n->top[0]);
    if (!asks) return WEFT_OK;
    char word[64] = "";
    add_text(word, sizeof word, &n->top[0]);
    return FAIL(n, n->first,
                "is '%s' the name of the column, or a vertex?  `nodes=%.200s:%s` says the one, `nodes=%.200s:1` "
                "the other",
                word, wfi_source_name(n->source), word, wfi_source_name(n->source));
}

/* --- the ids ----------------------------------------------------------------------------------------- */

/* The field in the chosen column of the record at `line`. */
static weft_status take_id_field(const nodes *n, const char *line, const char **next, wfi_field *f) {
    wfi_record r = wfi_record_at(line, n->end, n->separator);
    size_t seen = 0;
    bool there = false;
    while (seen <= n->at && (there = wfi_next_field(&r, f))) {
        if (f->open || f->junk)
            return FAIL(n, f->open ? f->text - 1 : f->junk,
                        f->open ? "the quote is not closed" : "expected a separator after the closing quote");
        seen++;
    }
    if (!there || !f->length)
        return FAIL(n, there ? f->text : r.p, "there is no id in column %zu of this row", n->at + 1);
    *next = wfi_next_record(&r);
    return WEFT_OK;
}

static weft_status take_integer(const nodes *n, const wfi_field *f, int64_t *id) {
    const char *p = f->text;
    bool number = wfi_field_is_whole(f) || (n->params->ids == WEFT_READ_IDS_INTEGER && wfi_field_is_padded(f));
    wfi_number st = number ? wfi_scan_i64(&p, id) : WFI_NUMBER_NONE;
    if (st == WFI_NUMBER_TOO_BIG)
        return FAIL(n, f->text, "the id does not fit in 64 bits with sign (for ids of any length: `ids=string`)");
    if (st)
        return FAIL(n, f->text, "the ids of the edges are whole numbers, but this is %s (for names: `ids=string`)",
                    wfi_quote_word(f->text, f->text + f->length).text);
    return WEFT_OK;
}

/* Until a name comes again, the number of each is that of its row. */
static weft_status add_name(nodes *n, const char *text, size_t length) {
    uint32_t number;
    if (memchr(text, '\0', length)) {
        snprintf(n->why, sizeof n->why, "byte 0x00 (NUL) in a name");
        return WEFT_EINPUT;
    }
    weft_status st = wfi_names_number(n->ctx, n->names, text, length, &number);
    if (!st && n->names->count == n->rows && !n->twice[1]) n->twice[0] = number, n->twice[1] = n->rows;
    return st;
}

weft_status wfi_nodes_vertex(nodes *n, const char *name, size_t length, int64_t number) {
    uint64_t vertices = n->params->vertices, count = vertices ? vertices : n->edges->vertices;
    int64_t low = vertices ? 0 : n->edges->base;
    if (n->names) return add_name(n, name, length);
    if ((!vertices && !n->edges->dense) || (number >= low && (uint64_t)number - (uint64_t)low < count))
        return wfi_table_extra(n->ctx, n->edges, number);
    snprintf(n->why, sizeof n->why, "id %lld: %s, there are %llu ids from %lld on", (long long)number,
             vertices ? "with `vertices`" : "by the header of the edges", (wfi_ull)count, (long long)low);
    return WEFT_EINPUT;
}

/* The text of a field without its quotes. */
static weft_status plain_of(nodes *n, const wfi_field *f, const char **text, size_t *length) {
    *text = f->text;
    *length = f->length;
    if (!f->quoted || !memchr(f->text, '"', f->length)) return WEFT_OK;
    if (WFI_ROOM(n->ctx, n->plain, f->length, n->plain_room, 64)) return WEFT_ENOMEM;
    *length = wfi_unquote(f, n->plain);
    *text = n->plain;
    return WEFT_OK;
}

/* --- attributes --------------------------------------------------------------------------------------- */

weft_status wfi_nodes_take_column(nodes *n, size_t i, const char *title, size_t length, int type) {
    if (WFI_ROOM(n->ctx, n->cell, i, n->field_room, 16)) return WEFT_ENOMEM;
    size_t *column = &n->cell[i];
    weft_status st = WEFT_OK;
    *column = WFI_NO_COLUMN;
    n->fields = i + 1;
    if (i == n->at) return WEFT_OK;
    if (type >= 0) st = wfi_cells_column(n->cells, title, length, column);
    if (*column != WFI_NO_COLUMN && !wfi_cells_claim(n->cells, *column)) *column = WFI_NO_COLUMN;
    if (*column != WFI_NO_COLUMN) {
        wfi_cells_declare(n->cells, *column, type);
    } else if (n->left_count++ < SHOWN) {
        size_t used = strlen(n->left);
        snprintf(n->left + used, sizeof n->left - used, "%s%zu ", used ? ", " : "", i + 1);
        add_text(n->left, sizeof n->left, &(wfi_field){.text = title, .length = length});
        used = strlen(n->left);
        if (n->typed)
            snprintf(n->left + used, sizeof n->left - used, " (%.*s)", (int)n->below[i].length, n->below[i].text);
    }
    return st;
}

void wfi_nodes_note_left(const nodes *n) {
    if (n->left_count)
        wfi_note(n->ctx, "%s: passed over, without a name of its own%s: column %s%s", wfi_source_name(n->source),
                 n->typed ? " or of a type that attributes do not have" : "", n->left,
                 n->left_count > SHOWN ? ", ..." : "");
}

/* The columns of the header but that of the ids; a title that comes twice, or is none, is passed over. */
static weft_status make_columns(nodes *n) {
    wfi_record r = wfi_record_at(n->first, n->end, n->separator);
    wfi_field f;
    weft_status st = WEFT_OK;
    for (size_t i = 0; !st && wfi_next_field(&r, &f); i++) {
        const char *title;
        size_t length;
        st = plain_of(n, &f, &title, &length);
        if (!st) st = wfi_nodes_take_column(n, i, title, length, WFI_CELL_BY_CONTENT);
    }
    if (!st) wfi_nodes_note_left(n);
    return st;
}

/* The cells of the row at `line`, whose vertex has this id. */
static weft_status take_cells(nodes *n, const char *line, const char *id, size_t length) {
    wfi_record r = wfi_record_at(line, n->end, n->separator);
    wfi_field f;
    weft_status st = wfi_cells_row(n->cells, id, length);
    for (size_t i = 0; !st && wfi_next_field(&r, &f); i++) {
        n->long_rows += i == n->fields;
        if (i >= n->fields || n->cell[i] == WFI_NO_COLUMN || wfi_field_is_null(&f)) continue;
        if (f.open || f.junk)
            return FAIL(n, f.open ? f.text - 1 : f.junk,
                        f.open ? "the quote is not closed" : "expected a separator after the closing quote");
        const char *text;
        wfi_nodes_look_at(n, i, &f);
        st = plain_of(n, &f, &text, &length);
        if (!st) st = wfi_cells_put(n->cells, n->cell[i], WFI_CELL_BY_CONTENT, text, length);
    }
    return st;
}

/* A row whose id is that field. */
static weft_status take_row(nodes *n, const char *line, const wfi_field *f) {
    int64_t number = 0;
    char digits[24];
    const char *id = digits;
    size_t length = 0;
    weft_status st = n->names ? plain_of(n, f, &id, &length) : take_integer(n, f, &number);
    if (!st && !n->names) length = wfi_print_i64(digits, number);
    if (!st) st = wfi_nodes_vertex(n, id, length, number);
    if (st == WEFT_EINPUT && *n->why) {
        const char *nul = memchr(f->text, '\0', f->length);
        return FAIL(n, nul ? nul : f->text, "%s", n->why);
    }
    return st || !n->cells ? st : take_cells(n, line, id, length);
}

static weft_status read_rows(nodes *n) {
    const char *at = n->header ? n->first : n->text, *before = n->first, *line;
    bool skip = n->header;
    for (;; before = at) {
        wfi_field f;
        weft_status st = wfi_nodes_next(n, &at, &line);
        const char *here = line ? line : n->end + 1;
        if (!st && here > before) n->comments += wfi_nodes_comments(before, here);
        if (st || !line) return st;
        if (skip) {
            wfi_record r = wfi_record_at(line, n->end, n->separator);
            at = wfi_next_record(&r);
            skip = false;
            continue;
        }
        st = take_id_field(n, line, &at, &f);
        if (!st) st = wfi_nodes_check_id(n, line, &f);
        if (!st) st = take_row(n, line, &f);
        if (st) return st;
        if (++n->rows % POLL_ROWS) continue;
        if (wfi_cancelled(n->ctx)) return wfi_fail_cancelled(n->ctx);
        wfi_progress(n->ctx, "reading vertices", (uint64_t)(line - n->text), (uint64_t)(n->end - n->text));
    }
}

weft_status wfi_nodes_distinct(weft_ctx *ctx, const wfi_table *t, uint64_t count, uint64_t twice[2],
                               uint64_t *distinct) {
    uint64_t *sorted, at = 0, i = 1;
    *distinct = 0;
    if (!count) return WEFT_OK;
    const int64_t *ids = t->extra + t->extra_count - count;
    if (wfi_alloc(ctx, &sorted, count)) return WEFT_ENOMEM;
    for (uint64_t k = 0; k < count; k++) sorted[k] = (uint64_t)ids[k];
    weft_status st = wfi_sort_u64(ctx, sorted, count);
    while (!st && i < count && sorted[i] != sorted[i - 1]) i++;
    for (uint64_t k = 0; !st && i < count && at < 2; k++)
        if ((uint64_t)ids[k] == sorted[i]) twice[at++] = k;
    if (!st) *distinct = wfi_unique_u64(sorted, count);
    wfi_free(sorted);
    return st;
}

/* Where n->twice is: ", the first in lines 2 and 4" of text. */
static void add_places(nodes *n, char *to, size_t room) {
    const char *at = n->first, *line;
    uint64_t found[2] = {0, 0};
    for (uint64_t i = 0; n->first && !n->typed && i <= n->twice[1] + n->header; i++) {
        if (wfi_nodes_next(n, &at, &line) || !line) break;
        wfi_record r = wfi_record_at(line, n->end, n->separator);
        at = wfi_next_record(&r);
        for (int k = 0; k < 2; k++)
            if (i == n->twice[k] + n->header) found[k] = 1 + wfi_count_lines(n->text, (size_t)(line - n->text));
    }
    const char *what = found[1] ? "line" : "row";
    for (int k = 0; k < 2 && !found[1]; k++) found[k] = n->twice[k] + 1;
    snprintf(to, room, ", the first in %ss %llu and %llu", what, (wfi_ull)found[0], (wfi_ull)found[1]);
}

/* A table of names of its own, so that they can be counted; none where ids are numbers. */
static weft_status open_names(nodes *n) {
    size_t tables = n->edges->edges.name_tables;
    if (!n->edges->names) return WEFT_OK;
    weft_status st = wfi_table_use_names(n->ctx, n->edges, tables + 1);
    return st || (n->names = wfi_table_names(n->ctx, n->edges, tables)) ? st : WEFT_ENOMEM;
}

/* Counts the distinct vertices and warns of duplicates. */
static weft_status count_rows(nodes *n, uint64_t *distinct) {
    weft_status st = n->names ? WEFT_OK : wfi_nodes_distinct(n->ctx, n->edges, n->rows, n->twice, distinct);
    uint64_t again;
    char places[96] = "";
    if (st) return st;
    if (n->names) *distinct = n->names->count;
    if (!n->rows) wfi_warn(n->ctx, "%s: no vertices", wfi_source_name(n->source));
    again = n->rows - *distinct;
    if (!again) return WEFT_OK;
    if (n->twice[1]) add_places(n, places, sizeof places);
    wfi_warn(n->ctx, "%s: %llu row%s an id that a row before has%s%s", wfi_source_name(n->source), (wfi_ull)again,
             again == 1 ? " has" : "s have", places,
             n->columns > 1 ? "; of the other columns the first value of a vertex counts" : "");
    return WEFT_OK;
}

/* Parquet and Arrow.  False: it is neither. */
static bool is_typed(const nodes *n, bool *arrow) {
    size_t bytes;
    const char *head = wfi_source_head(n->source, &bytes);
    *arrow = wfi_sniff_arrow(head, bytes) > 2;
    return *arrow || wfi_sniff_parquet(head, bytes) > 2;
}

static void tell(const nodes *n) {
    weft_ctx *ctx = n->ctx;
    if (n->comments)
        wfi_note(ctx, "%s: passed over %llu line%s with # or %% at the start", wfi_source_name(n->source),
                 (wfi_ull)n->comments, n->comments == 1 ? "" : "s");
    if (n->long_rows)
        wfi_warn(ctx, "%s: passed over what %llu row%s beyond the header's columns", wfi_source_name(n->source),
                 (wfi_ull)n->long_rows, n->long_rows == 1 ? " has" : "s have");
    if (n->header && n->columns > 1) {
        char word[64] = "";
        add_text(word, sizeof word, &n->top[n->at]);
        wfi_note(ctx, "%s: vertices by column %s; the others are %s", wfi_source_name(n->source), word,
                 n->cells ? "attributes" : "passed over");
    } else if (n->columns > 1) {
        wfi_note(ctx, "%s: vertices by column %zu; the others have no names, and are passed over",
                 wfi_source_name(n->source), n->at + 1);
    }
}

/* The text of the table. */
static weft_status read_text(nodes *n) {
    weft_status st = take_text(n);
    if (st) return st;
    n->facts.bytes = (uint64_t)(n->end - n->text);
    n->facts.digest = wfi_digest(n->ctx, n->text, (size_t)n->facts.bytes, 0);
    if (wfi_alloc_zeroed(n->ctx, &n->top, WFI_NODES_COLUMNS) || wfi_alloc_zeroed(n->ctx, &n->below, WFI_NODES_COLUMNS))
        return WEFT_ENOMEM;
    st = look(n);
    if (!st && n->first) st = wfi_nodes_choose(n);
    if (!st) st = open_names(n);
    if (!st && n->first && n->header && n->columns > 1 && !wfi_has_ranks(n->ctx)) {
        st = wfi_nodes_open_cells(n->ctx, n->source, n->params, n->edges);
        n->cells = n->edges->cells;
        if (!st) st = make_columns(n);
        if (!st && n->params->decimal) wfi_cells_decimal(n->cells, n->params->decimal);
        if (!st && !n->params->decimal) st = wfi_alloc_zeroed(n->ctx, &n->looks, n->fields);
    }
    if (!st && n->first) st = read_rows(n);
    return st ? st : wfi_nodes_check_decimals(n);
}

static weft_status read_typed(nodes *n, bool arrow) {
    n->typed = true;
    n->text = n->first = "";
    weft_status st = open_names(n);
    return st ? st : (arrow ? wfi_read_arrow : wfi_read_parquet)(n->ctx, n->source, n->params, n->edges, n);
}

weft_status wfi_nodes_add_one(weft_ctx *ctx, const weft_read_params *params, const char *spec, wfi_table *t,
                              wfi_nodes_facts *facts) {
    nodes *n = wfi_take_zeroed(ctx, 1, sizeof *n);
    bool arrow;
    *facts = (wfi_nodes_facts){.rows = 0};
    if (!n) return WEFT_ENOMEM;
    n->ctx = ctx;
    n->edges = t;
    n->params = params;
    n->use = params->comments;
    weft_status st = open_table(n, spec);
    if (!st) st = is_typed(n, &arrow) ? read_typed(n, arrow) : read_text(n);
    if (!st) st = count_rows(n, &facts->distinct);
    if (!st && !n->typed) tell(n);
    facts->rows = n->rows;
    facts->file = n->facts;
    wfi_source_close(n->source);
    WFI_FREE(n->top, n->below, n->copy, n->cell, n->plain, n->looks, n);
    return st;
}
