/* Rows of a vertex and its neighbours, each an edge: adjacency lists (`v n1 n2 ...`, `v: n1, n2`) as NetworkX and
 * textbooks write them, and SIF (`v relation n1 n2 ...`) as Cytoscape does.  A row of v alone is a vertex that needs no
 * edge.  Separators: tabs, semicolons, commas or bars if there are any, else blanks; a comma after a neighbour of `v:
 * n1, n2` is none of it. */
#include "io/table/edgelist_facts.h"
#include "io/text/words.h"

#include <string.h>

static char separator_of(const wfi_head *h, bool sif) {
    size_t bytes = (size_t)(h->end - h->line);
    for (const char *c = sif ? "\t" : "\t;|,"; *c; c++)
        if (memchr(h->line, *c, bytes)) return *c;
    return ' ';
}

/* Without the sign that follows it in `v: n1, n2`. */
static void strip(wfi_field *f, char sign) {
    if (!f->quoted && f->length && f->text[f->length - 1] == sign) f->length--;
}

static wfi_record row_at(const wfi_edgelist_style *s, const char *line, const char *end) {
    wfi_record r = wfi_record_at(line, end, s->separator);
    r.runs = true;
    return r;
}

/* A comment from here to the end of the line. */
static bool is_remark(const wfi_edgelist_style *s, const wfi_field *f) {
    return !f->quoted && *f->text == '#' && s->comments && s->separator == ' ';
}

void wfi_edgelist_look_at_rows(const weft_read_params *params, const wfi_head *h, wfi_edgelist_style *s) {
    const char *at = h->line, *line;
    bool sif = s->lists == WFI_LISTS_SIF;
    s->separator = params->separator ? params->separator : s->colon ? ' ' : separator_of(h, sif);
    while ((line = wfi_next_whole_line(h, &at))) {
        wfi_record r = row_at(s, line, h->end);
        wfi_field f;
        for (int i = 0; wfi_next_field(&r, &f) && !is_remark(s, &f); i++) {
            if (sif && i == 1) continue;
            strip(&f, s->colon ? (i ? ',' : ':') : '\0');
            s->names = s->names || (f.length && !wfi_field_is_integer(&f));
            if (!i && line == h->line) s->doubts = wfi_field_is_integer(&f);
        }
    }
    s->doubts = s->names && s->doubts;
}

static weft_status vertex_of(wfi_edge_cursor *c, const wfi_field *f, const char *expected, int64_t *vertex) {
    weft_status st = wfi_edge_quotes(c, f);
    return st ? st : wfi_edge_vertex(c, f, expected, expected, vertex);
}

static weft_status take_neighbours(wfi_edge_cursor *c, wfi_record *r, int64_t vertex, unsigned *taken) {
    const wfi_edgelist_style *s = &c->j->style;
    wfi_collector *collector = &c->j->binders[c->block->thread].collector;
    wfi_field f;
    weft_status st = WEFT_OK;
    while (!st && wfi_next_field(r, &f)) {
        int64_t neighbour;
        if (is_remark(s, &f)) {
            r->p = memchr(f.text, '\n', (size_t)(r->end - f.text) + 1);
            break;
        }
        if (s->colon) strip(&f, ',');
        if (!f.length && !f.quoted) continue;
        st = vertex_of(c, &f, "a neighbour", &neighbour);
        if (!st) st = wfi_collect(c->j->ctx, collector, vertex, neighbour);
        if (!st && ++*taken % WFI_POLL_WORDS == 0) st = wfi_block_poll(c->j->ctx, c->block);
    }
    return st;
}

weft_status wfi_edge_row(wfi_edgelist_job *j, const wfi_text_block *block, const char *line, const char **next,
                         wfi_parse_error *error) {
    const wfi_edgelist_style *s = &j->style;
    const char *end = block->text + block->bytes, *p = wfi_skip_blanks(line);
    wfi_edge_cursor c = {j, block, error, p};
    wfi_record r = row_at(s, line, end);
    wfi_field f, relation = {0};
    int64_t vertex;
    unsigned taken = 0;
    if (wfi_is_mark(line)) return wfi_block_error(error, block, line, WFI_MARK_IN_TEXT);
    if (*p == '\n' || (s->comments && (*p == '#' || *p == '%'))) {
        *next = (const char *)memchr(p, '\n', (size_t)(end - p) + 1) + 1;
        return *p != '\n' && s->asks ? wfi_edge_passed_over(j, block, p, end) : WEFT_OK;
    }
    if (!wfi_next_field(&r, &f)) { /* separators alone */
        *next = r.p + 1;
        return WEFT_OK;
    }
    if (s->colon && f.length && f.text[f.length - 1] != ':') {
        c.p = f.text + f.length;
        return wfi_edge_unexpected(&c, "a colon after the vertex, as on the first line");
    }
    strip(&f, s->colon ? ':' : '\0');
    weft_status st = vertex_of(&c, &f, "a vertex", &vertex);
    bool related = !st && s->lists == WFI_LISTS_SIF && wfi_next_field(&r, &relation);
    if (!st) st = take_neighbours(&c, &r, vertex, &taken);
    if (!st && related && !taken)
        st = wfi_block_error(error, block, r.p,
                             "the line ends after the relation, but the target of the edge was expected");
    if (!st && !taken && !s->names) st = wfi_edge_single(j, block->thread, vertex);
    *next = r.p + 1;
    return st;
}
