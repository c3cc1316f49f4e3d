/* What the beginning of an edge list says: comments (SNAP, KONECT, our own), a header row, the separator, whether ids
 * are names, whether there are weights, and the direction. */
#include "io/edgelist.h"
#include "io/numbers.h"

#include <stdlib.h>
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

/* The number behind `word ` in a comment of ours. */
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

/* Comments that tell the direction.  KONECT: "% sym weighted"; SNAP: "# Undirected graph: ...". */
static void look_at_comment(weft_ctx *ctx, const char *line, const char *end, wfi_edgelist_style *style) {
    const char *p = line + 1;
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    if (line_starts(line, end, "# weft edge list")) {
        look_at_ours(line, end, style);
    } else if (*line == '%' && (line_starts(p, end, "sym ") || line_starts(p, end, "asym "))) {
        style->says_direction = true;
        style->directed = *p == 'a';
    } else if (*line == '%' && line_starts(p, end, "bip ")) {
        wfi_warn(ctx, "the header says bipartite: left and right ids are taken as one set of vertices");
    } else if (*line == '#' && line_starts(p, end, "undirected graph")) {
        style->says_direction = true;
        style->directed = false;
    } else if (*line == '#' && line_starts(p, end, "directed graph")) {
        style->says_direction = true;
        style->directed = true;
    }
}

/* The separator of a data line: ',' or ';' before '\t' before blanks; quoted fields do not count. */
static char separator_of(const char *line, const char *end) {
    bool quoted = false, comma = false, semicolon = false, tab = false;
    for (const char *p = line; p < end; p++) {
        if (*p == '"') quoted = !quoted;
        if (quoted) continue;
        comma = comma || *p == ',';
        semicolon = semicolon || *p == ';';
        tab = tab || *p == '\t';
    }
    return comma ? ',' : semicolon ? ';' : tab ? '\t' : ' ';
}

bool wfi_edgelist_field(const wfi_edgelist_style *style, const char **at, const char **field, size_t *length,
                        bool *quoted) {
    const char *p = *at;
    char separator = style->separator;
    while (wfi_is_blank(*p)) p++; /* runs of blanks, tabs too, are one separator */
    if (*p == '\n') {
        *at = p;
        return false;
    }
    *quoted = *p == '"';
    if (*quoted) {
        const char *start = ++p;
        while (*p != '\n' && !(*p == '"' && p[1] != '"')) p += *p == '"' ? 2 : 1;
        *field = start;
        *length = (size_t)(p - start);
        if (*p == '"') p++;
        const char *after = wfi_skip_blanks(p);
        /* Blanks that are the separator are left for the next field, which skips them. */
        *at = *after == separator ? after + 1 : *after == '\n' ? after : p;
        return true;
    }
    const char *start = p, *last = p;
    while (*p != '\n' && *p != separator && !(separator == ' ' && *p == '\t')) {
        if (*p != ' ' && *p != '\r') last = p + 1;
        p++;
    }
    *field = start;
    *length = (size_t)(last - start);
    if (*p != '\n' && *p != '\r') p++; /* the separator */
    *at = p;
    return true;
}

static bool is_integer(const char *field, size_t length, bool quoted) {
    const char *p = field;
    const char *end = field + length;
    if (quoted || !length) return false;
    if (*p == '-' || *p == '+') p++;
    if (p == end) return false;
    for (; p < end; p++)
        if (*p < '0' || *p > '9') return false;
    return true;
}

static bool is_header_word(const char *field, size_t length) {
    static const char *const words[] = {"source", "target", "src", "dst", "from", "to", "u", "v", "node1", "node2",
                                        "id1", "id2", "head", "tail", "start", "end", "fromnode", "tonode",
                                        "fromnodeid", "tonodeid", "sourceid", "targetid", "src_id", "dst_id",
                                        "source_id", "target_id", "node_1", "node_2", "vertex1", "vertex2", "dest",
                                        "destination"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && !strncasecmp(field, words[i], length)) return true;
    return false;
}

/* The first fields of a data line. */
typedef struct fields {
    const char *text[3];
    size_t length[3];
    bool quoted[3];
    int count; /* up to 3 */
} fields;

static fields fields_of(const wfi_edgelist_style *style, const char *line) {
    fields f = {0};
    while (f.count < 3 && wfi_edgelist_field(style, &line, &f.text[f.count], &f.length[f.count], &f.quoted[f.count]))
        f.count++;
    return f;
}

static bool ids_are_integers(const fields *f) {
    return f->count >= 2 && is_integer(f->text[0], f->length[0], f->quoted[0]) &&
           is_integer(f->text[1], f->length[1], f->quoted[1]);
}

/* "34546,421578,d,graph,..." : vertices, edges, direction. */
static bool is_lightgraphs_header(const fields *f) {
    return ids_are_integers(f) && f->count == 3 && f->length[2] == 1 && (*f->text[2] == 'd' || *f->text[2] == 'u');
}

static bool is_header_row(const fields *first, const fields *second, bool has_second) {
    if (first->count < 2 || is_integer(first->text[0], first->length[0], first->quoted[0]) ||
        is_integer(first->text[1], first->length[1], first->quoted[1]))
        return false;
    if (is_header_word(first->text[0], first->length[0]) && is_header_word(first->text[1], first->length[1]))
        return true;
    return has_second && ids_are_integers(second);
}

static bool is_weight(const fields *f) {
    if (f->count < 3 || f->quoted[2]) return false;
    const char *p = f->text[2];
    float value;
    bool whole;
    uint32_t integer;
    wfi_number st = wfi_scan_weight(&p, &value, &whole, &integer);
    return st != WFI_NUMBER_NONE && p == f->text[2] + f->length[2];
}

/* The next line that is neither blank nor a comment; NULL at the end.  Lines cut off by the end of the head do not
 * count, unless the head is the whole file. */
static const char *next_data_line(const char **at, const char *end) {
    while (*at < end) {
        const char *line = *at, *stop = line_end(line, end), *p = line;
        *at = stop + 1;
        while (p < stop && wfi_is_blank(*p)) p++;
        if (p < stop && *p != '#' && *p != '%') return line;
    }
    return NULL;
}

static weft_status look_at_weights(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                                   const fields *f, wfi_edgelist_style *style) {
    bool there = is_weight(f);
    style->weights = params->weights != WEFT_WEIGHTS_IGNORE && there;
    if (params->weights == WEFT_WEIGHTS_REQUIRE && !there)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: weights were asked for, but the third column is %s",
                        wfi_source_name(source), f->count < 3 ? "missing" : "no number");
    return WEFT_OK;
}

/* A carriage return belongs before a newline.  Alone it is a line end of another age, and would be misread. */
static weft_status refuse_lone_returns(weft_ctx *ctx, const wfi_source *source) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes);
    for (const char *p = head; (p = memchr(p, '\r', (size_t)(head + bytes - p))); p++)
        if (p + 1 < head + bytes && p[1] != '\n')
            return wfi_fail_in_text(ctx, source, head, p,
                                    "a carriage return without a newline (if lines end so: tr '\\r' '\\n')");
    return WEFT_OK;
}

/* "1 -> 2" has three fields, and the arrow would pass for the name of a vertex. */
static weft_status refuse_arrow(weft_ctx *ctx, const wfi_source *source, const char *copy, const fields *f) {
    static const char *const arrows[] = {"->", "--", "<-", "=>", "<->"};
    for (size_t i = 0; f->count >= 3 && !f->quoted[1] && i < sizeof arrows / sizeof *arrows; i++)
        if (f->length[1] == strlen(arrows[i]) && !memcmp(f->text[1], arrows[i], f->length[1]))
            return wfi_fail_in_text(ctx, source, copy, f->text[1],
                                    "an arrow between the ids, where a blank, tab, comma or semicolon was expected "
                                    "(sed 's/%s/ /' takes it out)",
                                    arrows[i]);
    return WEFT_OK;
}

/* Are ids names?  Any line of the head may tell.  A weight that only later lines have is not read: say so. */
static void look_at_lines(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params, const char *at,
                          const char *stop, bool cut_off, wfi_edgelist_style *style) {
    const char *line;
    bool weight = false;
    while ((line = next_data_line(&at, stop)) && !(cut_off && at > stop)) {
        fields f = fields_of(style, line);
        weight = weight || is_weight(&f);
        style->names = style->names || (f.count >= 2 && !ids_are_integers(&f));
    }
    if (weight && !style->weights && params->weights == WEFT_WEIGHTS_AUTO)
        wfi_warn(ctx, "%s: the first line has no weight, so the weights of later lines are not read",
                 wfi_source_name(source));
    if (params->ids != WEFT_READ_IDS_AUTO)
        style->names = params->ids == WEFT_READ_IDS_STRING;
    else if (params->vertices)
        style->names = false; /* vertices 0 ... N-1 have no names */
}

weft_status wfi_edgelist_look(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                              wfi_edgelist_style *style) {
    *style = (wfi_edgelist_style){.directed = true, .separator = ' '};
    weft_status st = refuse_lone_returns(ctx, source);
    if (st) return st;
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes), *end = head + bytes;
    /* A copy that ends with a newline, so that the last line may lack its own. */
    char *copy = wfi_take(ctx, (size_t)(end - head) + 1, 1);
    if (!copy) return WEFT_ENOMEM;
    bytes = (size_t)(end - head);
    memcpy(copy, head, bytes);
    copy[bytes] = '\n';
    const char *at = copy, *stop = copy + bytes;
    for (const char *p = copy; p < stop && (*p == '#' || *p == '%'); p = line_end(p, stop) + 1)
        look_at_comment(ctx, p, line_end(p, stop), style);

    const char *line = next_data_line(&at, stop);
    if (!line) goto done;
    style->separator = separator_of(line, line_end(line, stop));
    const char *after_first = at;
    fields first = fields_of(style, line);
    const char *second_line = next_data_line(&at, stop);
    fields second = second_line ? fields_of(style, second_line) : (fields){0};
    if (is_lightgraphs_header(&first) || is_header_row(&first, &second, second_line != NULL)) {
        if (is_lightgraphs_header(&first)) {
            style->says_direction = true;
            style->directed = *first.text[2] == 'd';
        }
        style->from += (uint64_t)(after_first - copy);
        line = second_line;
        first = second;
        if (!line) goto done;
        style->separator = separator_of(line, line_end(line, stop));
        first = fields_of(style, line);
    }
    st = refuse_arrow(ctx, source, copy, &first);
    if (!st) st = look_at_weights(ctx, source, params, &first, style);
    if (!st) look_at_lines(ctx, source, params, line, stop, bytes >= WFI_HEAD_BYTES, style);
done:
    wfi_free(copy);
    return st;
}
