/* See cut.h. */
#include "cut.h"

/* What a vertex weighs, so that those without arcs are shared out too. */
static uint64_t weight(const lab_run *r, weft_vid v) {
    return 8 + r->out.offsets[v + 1] - r->out.offsets[v] + r->in.offsets[v + 1] - r->in.offsets[v];
}

void cut_vertices(const lab_run *r, crew_grid grid, int parts, cut *c) {
    weft_vid n = r->out.vertices, v = 0;
    int pieces = grid.rows * grid.columns * parts;
    double all = 8.0 * n + (double)r->out.arcs + (double)r->in.arcs, before = 0;
    *c = (cut){.grid = grid, .parts = parts};
    for (int k = 1; k < pieces; k++) {
        while (v < n && before * pieces < all * k) {
            weft_vid end = n - v > 8 ? v + 8 : n;
            for (; v < end; v++) before += (double)weight(r, v);
        }
        c->start[k] = v;
    }
    c->start[pieces] = n;
}

void cut_starts(const cut *c, uint64_t start[LAB_MOST_RANKS + 1]) {
    for (int k = 0; k <= c->grid.rows * c->grid.columns; k++) start[k] = cut_first(c, k);
}

/* --- blocks ---------------------------------------------------------------------------------- */

static const weft_vid OUTSIDE = WEFT_NO_VERTEX, INSIDE = 0, MET = 1;

typedef struct builder {
    const cut *c;
    const weft_csr *csr;
    block_order order;
    weft_vid *place; /* of each vertex: OUTSIDE, or INSIDE, or MET; then its place among the entries */
} builder;

/* The rank of an owner: sources belong to the ranks of a column, targets to those of a row. */
static int owner_rank(const cut *c, int rank, bool sources, int owner) {
    int row = rank / c->grid.columns, column = rank % c->grid.columns;
    return sources ? owner * c->grid.columns + column : row * c->grid.columns + owner;
}

/* The vertices of an owner's part. */
static void part_of(const cut *c, int rank, int parts, int part, weft_vid *first, weft_vid *end) {
    bool whole = parts == 1;
    *first = c->start[rank * c->parts + (whole ? 0 : part)];
    *end = c->start[rank * c->parts + (whole ? c->parts : part + 1)];
}

/* For each vertex of a side, in the order of its list; each() says whether it is listed. */
static void list_side(const builder *b, int rank, bool sources, block_side *side,
                      bool (*each)(const builder *, block *, weft_vid), block *k) {
    side->count = 0;
    for (int p = 0; p < side->parts; p++)
        for (int o = 0; o < side->owners; o++) {
            weft_vid v, end;
            side->start[p * side->owners + o] = side->count;
            part_of(b->c, owner_rank(b->c, rank, sources, o), side->parts, p, &v, &end);
            for (; v < end; v++)
                if (each(b, k, v)) side->id[side->count++] = v;
        }
    side->start[side->parts * side->owners] = side->count;
}

static bool open_entry(const builder *b, block *k, weft_vid u) {
    (void)k;
    b->place[u] = INSIDE;
    return false;
}

static bool meet_row(const builder *b, block *k, weft_vid v) {
    (void)k;
    for (weft_eid e = b->csr->offsets[v]; e < b->csr->offsets[v + 1]; e++)
        if (b->place[b->csr->targets[e]] != OUTSIDE) b->place[b->csr->targets[e]] = MET;
    return false;
}

static bool number_entry(const builder *b, block *k, weft_vid u) {
    bool listed = !b->order.needed_only || b->place[u] == MET;
    b->place[u] = listed ? k->entries.count : OUTSIDE;
    return listed;
}

static bool fill_row(const builder *b, block *k, weft_vid v) {
    weft_eid at = k->offsets[k->rows.count];
    for (weft_eid e = b->csr->offsets[v]; e < b->csr->offsets[v + 1]; e++)
        if (b->place[b->csr->targets[e]] != OUTSIDE) k->entry[at++] = b->place[b->csr->targets[e]];
    bool listed = !b->order.needed_only || at > k->offsets[k->rows.count];
    if (listed) k->offsets[k->rows.count + 1] = at;
    return listed;
}

static void build(const builder *b, int rank, block *k) {
    bool sources = b->order.sources;
    for (weft_vid v = 0; v < b->csr->vertices; v++) b->place[v] = OUTSIDE;
    list_side(b, rank, !sources, &k->entries, open_entry, k);
    list_side(b, rank, sources, &k->rows, meet_row, k);
    list_side(b, rank, !sources, &k->entries, number_entry, k);
    k->offsets[0] = 0;
    list_side(b, rank, sources, &k->rows, fill_row, k);
}

/* Vertices of a side, before it is known which of them are needed. */
static weft_vid side_size(const cut *c, int rank, bool sources, int owners) {
    weft_vid count = 0;
    for (int o = 0; o < owners; o++) count += cut_count(c, owner_rank(c, rank, sources, o));
    return count;
}

weft_status cut_blocks(lab_run *r, const cut *c, block_order order, block *blocks) {
    int ranks = c->grid.rows * c->grid.columns, by_source = c->grid.rows, by_target = c->grid.columns;
    int row_owners = order.sources ? by_source : by_target, entry_owners = order.sources ? by_target : by_source;
    builder b = {c, order.sources ? &r->out : &r->in, order, NULL};
    size_t n = b.csr->vertices, starts = (size_t)(order.row_parts * row_owners + order.entry_parts * entry_owners + 2);
    /* Each vertex is a row in the blocks of all that share its owner's row or column of the grid. */
    weft_vid *row = lab_take(r, n * (size_t)row_owners * sizeof *row);
    weft_vid *entry = lab_take(r, n * (size_t)entry_owners * sizeof *entry);
    weft_vid *arcs = lab_take(r, (size_t)b.csr->arcs * sizeof *arcs);
    weft_eid *offsets = lab_take(r, (n * (size_t)row_owners + (size_t)ranks) * sizeof *offsets);
    uint64_t *start = lab_take(r, (size_t)ranks * starts * sizeof *start);
    b.place = lab_take(r, n * sizeof *b.place);
    if (!row || !entry || !arcs || !offsets || !start || !b.place) return WEFT_ENOMEM;
    lab_turn(r, LAB_COPY_IN);
    for (int k = 0; k < ranks; k++) {
        uint64_t *second = start + order.row_parts * row_owners + 1;
        blocks[k] = (block){.rows = {0, row, start, order.row_parts, row_owners},
                            .entries = {0, entry, second, order.entry_parts, entry_owners},
                            .offsets = offsets,
                            .entry = arcs};
        build(&b, k, &blocks[k]);
        row += side_size(c, k, order.sources, row_owners);
        entry += side_size(c, k, !order.sources, entry_owners);
        offsets += side_size(c, k, order.sources, row_owners) + 1;
        arcs += blocks[k].offsets[blocks[k].rows.count];
        start += starts;
    }
    return WEFT_OK;
}
