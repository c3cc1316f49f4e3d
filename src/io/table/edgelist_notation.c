/* Edges in the notations of other programs, one a line:
 *     1 2 {'weight': 3}     NetworkX's write_edgelist; of the attributes the weight is read
 *     (1, 2)  [1, 2]        Python's and Spark's way to print a pair; a third value is the weight
 *     1 -> 2                an arrow between the ids
 * Ids may be quoted ('a' or "a").  A form that could mean two things is refused. */
#include "io/table/edgelist.h"

#include <string.h>

static const char *skip_left(const char *p, const char *end) {
    while (p < end && wfi_is_blank(*p)) p++;
    return p;
}

static const char *skip_right(const char *p, const char *start) {
    while (p > start && wfi_is_blank(p[-1])) p--;
    return p;
}

/* [p, end) without blanks and quotes around it. */
static wfi_field trimmed(const char *p, const char *end) {
    p = skip_left(p, end);
    end = skip_right(end, p);
    bool quoted = end - p >= 2 && (*p == '"' || *p == '\'') && end[-1] == *p;
    return quoted ? (wfi_field){.text = p + 1, .length = (size_t)(end - p - 2), .quoted = true}
                  : (wfi_field){.text = p, .length = (size_t)(end - p)};
}

static bool is_one_word(const wfi_field *f) {
    if (f->quoted) return !memchr(f->text, '"', f->length); /* a quote inside would be taken for a doubled one */
    for (size_t i = 0; i < f->length; i++)
        if (wfi_is_blank(f->text[i]) || strchr("\"'()[]{}", f->text[i])) return false;
    return f->length > 0;
}

/* The words before and after the first `between`; if there is one, but not between two words, `wrong` is where. */
static bool split(const char *p, const char *end, const char *between, const char *wrong, wfi_edge_parts *e) {
    const char *gap = memmem(p, (size_t)(end - p), between, strlen(between));
    if (!gap) return false;
    e->wrong = wrong ? wrong : gap;
    e->source = trimmed(p, gap);
    e->target = trimmed(gap + strlen(between), end);
    return is_one_word(&e->source) && is_one_word(&e->target);
}

/* --- u v {...} ---------------------------------------------------------------------------- */

/* 'weight': 3 among the attributes; keys within strings and within values do not count. */
static bool find_weight(const char *p, const char *end, wfi_field *weight) {
    int depth = 0;
    while (p < end) {
        if (*p != '\'' && *p != '"') {
            depth += *p == '{' || *p == '[' || *p == '(';
            depth -= *p == '}' || *p == ']' || *p == ')';
            p++;
            continue;
        }
        const char *start = p + 1, *close = start;
        while (close < end && *close != *p) close += *close == '\\' ? 2 : 1;
        if (close >= end) return false;
        p = skip_left(close + 1, end);
        if (depth || p >= end || *p != ':' || close - start != 6 || memcmp(start, "weight", 6)) continue;
        const char *value = skip_left(p + 1, end), *stop = value;
        while (stop < end && *stop != ',' && *stop != '}') stop++;
        *weight = trimmed(value, stop);
        return true;
    }
    return true;
}

static bool fields_of_dict(const char *line, const char *end, wfi_edge_parts *e) {
    const char *brace = memchr(line, '{', (size_t)(end - line));
    e->wrong = end;
    if (!brace || end[-1] != '}') return false;
    e->wrong = line;
    const char *stop = skip_right(brace, line);
    if (stop == brace && (brace == line || !strchr(",;|", brace[-1]))) return false; /* part of a name */
    char separator[2] = " ";
    if (stop > line && strchr(",;|", stop[-1]))
        *separator = *--stop;
    else if (memchr(line, '\t', (size_t)(brace - line)))
        *separator = '\t';
    return split(line, stop, separator, brace, e) && find_weight(brace + 1, end - 1, &e->weight);
}

/* --- (u, v) ------------------------------------------------------------------------------- */

static bool fields_of_tuple(const char *line, const char *end, wfi_edge_parts *e) {
    if (end[-1] == ',') end = skip_right(end - 1, line);
    e->wrong = line;
    if (end - line < 2 || (*line == '(' ? end[-1] != ')' : *line != '[' || end[-1] != ']')) return false;
    const char *p = line + 1, *stop = end - 1;
    wfi_field *part[] = {&e->source, &e->target, &e->weight};
    for (int i = 0; i < 3; i++) {
        char quote = *(p = skip_left(p, stop));
        const char *from = p;
        if (p < stop && (quote == '\'' || quote == '"')) { /* a comma in quotes does not separate */
            from = memchr(p + 1, quote, (size_t)(stop - p - 1));
            if (!from) return false;
        }
        const char *comma = memchr(from, ',', (size_t)(stop - from));
        *part[i] = trimmed(p, comma ? comma : stop);
        e->wrong = p;
        if (!is_one_word(part[i])) return false;
        if (!comma) return i >= 1;
        p = comma + 1;
    }
    return false;
}

/* --- u -> v ------------------------------------------------------------------------------- */

static bool fields_of_arrow(const char *line, const char *end, wfi_edge_parts *e) {
    if (end[-1] == ';') end--;
    return split(line, end, "->", NULL, e) && !memmem(e->target.text, e->target.length, "->", 2);
}

bool wfi_notation_fields(wfi_notation notation, const char *line, const char *end, wfi_edge_parts *e) {
    const char *stop = memchr(line, '\n', (size_t)(end - line) + 1);
    line = skip_left(line, stop);
    stop = skip_right(stop, line);
    *e = (wfi_edge_parts){.wrong = line};
    if (stop <= line) return false;
    if (notation == WFI_NOTATION_DICT) return fields_of_dict(line, stop, e);
    return notation == WFI_NOTATION_TUPLE ? fields_of_tuple(line, stop, e) : fields_of_arrow(line, stop, e);
}

/* --- lines -------------------------------------------------------------------------------------- */

weft_status wfi_edge_notation(wfi_edgelist_job *j, const wfi_text_block *block, const char *line, const char **next,
                              wfi_parse_error *error) {
    const char *end = block->text + block->bytes, *p = wfi_skip_blanks(line);
    wfi_edge_cursor c = {j, block, error, p};
    wfi_edge_parts e;
    if (wfi_is_mark(line)) return wfi_block_error(error, block, line, WFI_MARK_IN_TEXT);
    *next = (const char *)memchr(p, '\n', (size_t)(end - p) + 1) + 1;
    bool comment = j->style.comments && (*p == '#' || *p == '%');
    if (comment && j->style.asks) return wfi_edge_passed_over(j, block, p, end);
    if (*p == '\n' || comment) return WEFT_OK;
    if (wfi_notation_fields(j->style.notation, line, end, &e)) {
        if (e.weight.text && j->style.columns == 2)
            return wfi_block_error(error, block, e.weight.text,
                                   "a weight, but the first line has none (to do without: `weights=ignore`)");
        return wfi_edge_of_fields(&c, &e.source, &e.target, &e.weight);
    }
    static const char *const forms[] = {[WFI_NOTATION_DICT] = "u v {...}, as the first line has it",
                                        [WFI_NOTATION_TUPLE] = "(u, v), as the first line has it",
                                        [WFI_NOTATION_ARROW] = "u -> v, as the first line has it"};
    c.p = e.wrong;
    return wfi_edge_unexpected(&c, forms[j->style.notation]);
}
