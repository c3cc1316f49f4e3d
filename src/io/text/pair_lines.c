/* On which lines an edge stands, for a message about parallel edges with different weights.
 *
 * Edges forget their lines on the way into rows, so the text is read a second time, in the same blocks and by all
 * threads, but only when a graph has such a pair.  A line is split into fields when it contains the id of the first end
 * (memmem), and counts when the two columns hold the ids as Weft prints them.  Ids that the file writes otherwise (1.0
 * for 1, doubled quotes) are not found, and then the message has no lines. */
#include "core/comm.h"
#include "graph/build.h"
#include "io/table/fields.h"
#include "io/table/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct id_text {
    char text[256];
    size_t length;
} id_text;

enum { FORTH, BACK, WAYS };

/* Of a block, or of all of them: its lines, and the first two that hold the pair, from one end to the other and back
 * (from 1; 0: none). */
typedef struct found {
    uint64_t lines, at[WAYS][2];
} found;

typedef struct search {
    const wfi_edge_layout *layout;
    bool both; /* directions */
    id_text end[2];
    wfi_slots blocks; /* found */
} search;

static bool is(const id_text *id, const wfi_field *f) {
    return f->length == id->length && !memcmp(f->text, id->text, id->length);
}

/* Which way does the record at `line` hold the pair?  WAYS: it does not.  *next is behind it. */
static int way_of(const search *s, const char *line, const char *end, const char **next) {
    wfi_field f, u = {0}, v = {0};
    wfi_record r = wfi_record_at(line, end, s->layout->separator);
    const char *p = wfi_skip_blanks(line);
    r.runs = r.runs || s->layout->runs;
    if (s->layout->comments && (*p == '#' || *p == '%')) {
        *next = (const char *)memchr(p, '\n', (size_t)(end - p) + 1) + 1;
        return WAYS;
    }
    for (int i = 0; wfi_next_field(&r, &f); i++) {
        if (i == 0 && s->layout->tag && (f.length != 1 || *f.text != s->layout->tag)) break;
        if (i == s->layout->source) u = f;
        if (i == s->layout->target) v = f;
    }
    *next = wfi_next_record(&r);
    if (!u.text || !v.text) return WAYS;
    if (is(&s->end[0], &u) && is(&s->end[1], &v)) return FORTH;
    return s->both && is(&s->end[1], &u) && is(&s->end[0], &v) ? BACK : WAYS;
}

static void note(uint64_t at[2], uint64_t line) {
    if (!at[1]) at[at[0] != 0] = line;
}

static weft_status search_block(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                                wfi_parse_error *error) {
    search *s = user;
    found here = {0};
    (void)error;
    for (const char *p = block->text, *end = p + block->bytes, *next; p < end; p = next) {
        next = (const char *)memchr(p, '\n', (size_t)(end - p) + 1) + 1;
        bool may_hold = s->layout->records || memmem(p, (size_t)(next - p), s->end[0].text, s->end[0].length);
        int way = may_hold ? way_of(s, p, end, &next) : WAYS;
        if (way < WAYS) note(here.at[way], here.lines + 1);
        here.lines += wfi_count_lines(p, (size_t)(wfi_min_u64((uint64_t)(next - p), (uint64_t)(end - p))));
    }
    *lines = here.lines;
    return wfi_slots_put(ctx, &s->blocks, (size_t)block->index, &here);
}

/* What follows `to`. */
static void add(found *to, const found *more) {
    for (int k = 0; k < 2 * WAYS; k++)
        if (more->at[k / 2][k % 2]) note(to->at[k / 2], to->lines + more->at[k / 2][k % 2]);
    to->lines += more->lines;
}

/* Of ranks that searched slices of a file: all know what all found. */
static weft_status add_ranks(weft_ctx *ctx, found *f) {
    uint64_t *all = NULL, value[] = {f->lines, f->at[FORTH][0], f->at[FORTH][1], f->at[BACK][0], f->at[BACK][1]};
    size_t ranks = (size_t)wfi_ranks(ctx), values = sizeof value / sizeof *value;
    weft_status st = wfi_agree(ctx, wfi_alloc(ctx, &all, values * ranks));
    for (size_t k = 0; k < values && !st; k++) st = wfi_allgather_u64(ctx, value[k], all + k * ranks);
    *f = (found){0};
    for (size_t r = 0; r < ranks && !st; r++)
        add(f, &(found){all[r], {{all[ranks + r], all[2 * ranks + r]}, {all[3 * ranks + r], all[4 * ranks + r]}}});
    wfi_free(all);
    return st;
}

static id_text id_of(const weft_graph *g, const wfi_edge_layout *layout, weft_vid v) {
    id_text id;
    if (layout->numbered)
        id.length = (size_t)snprintf(id.text, sizeof id.text, "%" PRIu64, (uint64_t)v + 1);
    else
        id.length = weft_graph_id_text(g, v, id.text, sizeof id.text);
    return id;
}

/* The two lines to name: a line each way of an edge that stands there both ways, else two the same way. */
static void choose(const found *all, bool opposite, uint64_t line[2]) {
    uint64_t forth = all->at[FORTH][opposite ? 0 : 1], back = all->at[BACK][opposite ? 0 : 1];
    if (opposite && forth && back) {
        line[0] = wfi_min_u64(forth, back);
        line[1] = wfi_max_u64(forth, back);
    } else if (!opposite && (forth || back)) {
        int way = forth && (!back || forth < back) ? FORTH : BACK;
        line[0] = all->at[way][0];
        line[1] = all->at[way][1];
    }
}

static weft_status find_lines(weft_ctx *ctx, wfi_source *source, search *s, const weft_graph *g, bool opposite,
                              wfi_parallel_edges *m) {
    const wfi_edge_layout *layout = s->layout;
    size_t head_bytes;
    const char *head = wfi_source_head(source, &head_bytes);
    found all = {0};
    s->end[0] = id_of(g, layout, (weft_vid)(m->first >> 32)), s->end[1] = id_of(g, layout, (weft_vid)m->first);
    if (!m->pairs || s->end[0].length >= sizeof s->end->text || s->end[1].length >= sizeof s->end->text) return WEFT_OK;
    weft_status st = wfi_source_rewind(ctx, source);
    if (!st && layout->from > head_bytes) st = wfi_source_whole(ctx, source, &head, &head_bytes);
    if (wfi_source_sliced(source)) st = wfi_agree_input(ctx, st);
    if (st) return st;
    wfi_slots_open(&s->blocks, sizeof(found));
    st = wfi_read_blocks(ctx, source, layout->from, layout->records ? WFI_CUT_RECORDS : WFI_CUT_LINES, search_block, s);
    for (size_t i = 0; i < s->blocks.count; i++) add(&all, wfi_slots_at(&s->blocks, i));
    wfi_slots_close(&s->blocks);
    if (!st && wfi_source_sliced(source)) st = add_ranks(ctx, &all);
    uint64_t before = wfi_count_lines(head, (size_t)wfi_min_u64(layout->from, head_bytes));
    choose(&all, opposite, m->line);
    for (int k = 0; k < 2 && m->line[k]; k++) m->line[k] += before;
    return st;
}

weft_status wfi_name_lines(weft_ctx *ctx, wfi_source *source, const wfi_edge_layout *layout, weft_graph *g) {
    search s = {.layout = layout, .both = !g->directed || layout->both};
    wfi_ambiguous *old = g->ambiguous;
    if (!old || g->weight_type == WEFT_WEIGHT_NONE || !layout->separator || !wfi_source_rereadable(source))
        return WEFT_OK;
    wfi_row_counts counts = {.parallel = old->parallel, .opposite = old->opposite};
    weft_status st = find_lines(ctx, source, &s, g, false, &counts.parallel);
    if (!st) st = find_lines(ctx, source, &s, g, true, &counts.opposite);
    if (!st) st = wfi_graph_find_ambiguous(ctx, g, &counts);
    if (g->ambiguous != old) wfi_free(old);
    return wfi_source_sliced(source) ? wfi_agree(ctx, st) : st;
}
