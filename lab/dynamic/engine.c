/* Rung 5: the library's dynamic graph: groups of 64 rows, copied when they are written.  Should win: all of it at once, with snapshots.  Should
 * lose: to gaps, arc by arc, by what it takes to keep old states whole. */
#include "dynamic.h"

typedef struct library {
    weft_graph *base, *now;
    weft_dynamic *d;
    weft_csr rows;
} library;

static const weft_vid *row_at(const void *store, weft_vid u, size_t *count, weft_vid *room) {
    const weft_csr *rows = store;
    (void)room;
    *count = (size_t)(rows->offsets[u + 1] - rows->offsets[u]);
    return rows->targets + rows->offsets[u];
}

/* The sources of the base's arcs, which it has as rows. */
static weft_status load(const changing_stream *s, weft_vid *sources, library *l) {
    weft_build_params rules = WEFT_BUILD_DEFAULTS;
    rules.direction = WEFT_DIRECTED;
    for (weft_vid u = 0; u < s->n; u++)
        for (weft_eid e = s->base.offsets[u]; e < s->base.offsets[u + 1]; e++) sources[e] = u;
    weft_status st = weft_graph_from_edges(s->r->ctx, s->n, s->base_arcs, sources, s->base.targets, NULL,
                                           WEFT_WEIGHT_NONE, &rules, &l->base);
    return st ? st : weft_dynamic_new(s->r->ctx, l->base, NULL, &l->d);
}

/* --- excerpt --- */
static weft_status apply_all(const changing_stream *s, const int64_t *u, const int64_t *v, weft_dynamic *d) {
    weft_batch batch = WEFT_BATCH_DEFAULTS;
    weft_status st = WEFT_OK;
    for (size_t first = 0, end; first < s->count && !st && !lab_stopped(s->r); first = end) {
        end = changing_batch_end(s, first);
        batch.count = end - first;
        batch.sources = u + first;
        batch.targets = v + first;
        st = weft_dynamic_apply(s->r->ctx, d, &batch, NULL);
    }
    return st;
}
/* --- end --- */

static weft_status read_all(lab_run *r, const changing_stream *s, library *l) {
    weft_dynamic_info info = {.size = sizeof info};
    weft_status st = weft_dynamic_describe(r->ctx, l->d, &info);
    r->library_bytes = info.bytes;
    lab_turn(r, LAB_COPY_OUT); /* a snapshot, and its rows side by side, as every algorithm gets them */
    if (!st) st = weft_dynamic_snapshot(r->ctx, l->d, &l->now);
    if (!st) st = weft_graph_out(r->ctx, l->now, &l->rows);
    return st ? st : changing_close(s, row_at, &l->rows);
}

static weft_status run(lab_run *r) {
    changing_stream s;
    library l = {.rows = {.size = sizeof l.rows}};
    weft_status st = changing_open(r, &s);
    if (st) return st;
    lab_turn(r, LAB_UNTIMED);
    weft_vid *sources = lab_take(r, (size_t)s.base_arcs * sizeof *sources);
    int64_t *u = lab_take(r, s.count * sizeof *u), *v = lab_take(r, s.count * sizeof *v);
    if (!sources || !u || !v) return WEFT_ENOMEM;
    for (size_t i = 0; i < s.count; i++) u[i] = s.u[i], v[i] = s.v[i];
    lab_turn(r, LAB_COPY_IN);
    st = load(&s, sources, &l);
    lab_turn(r, LAB_KERNELS);
    if (!st) st = apply_all(&s, u, v, l.d);
    lab_turn(r, LAB_UNTIMED);
    if (!st) st = read_all(r, &s, &l);
    lab_turn(r, LAB_FREE);
    weft_graph_free(l.now);
    weft_dynamic_free(l.d);
    weft_graph_free(l.base);
    lab_turn(r, LAB_UNTIMED);
    return st;
}

const lab_rung changing_engine = {
    .name = "engine",
    .title = "the library: groups of 64 rows, copied when written",
    .against = "gaps",
    .changed =
        "64 rows are a block under a tree. A few arcs are appended to the block's delta buffer, which readers of "
        "older states skip; when the buffer is full, the block is copied with the deltas merged in. All "
        "threads, where a batch is large.",
    .wins = "Snapshots that cost microseconds and hold while batches come; 1.1 times the bytes of the CSR; batches of "
            "any size. Hubs, whose "
            "rows are cut into leaves.",
    .loses =
        "To gaps and hash on one arc at a time, which promise less. Reading: the rows of a snapshot are packed first.",
    .source = "lab/dynamic/engine.c",
    .device = LAB_CPU,
    .serves = changing_serves,
    .run = run,
};
