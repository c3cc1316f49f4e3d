/* Weak components on the GPUs of ranks: Afforest as in weak_ranks.c, with each rank's copy of the forest on its GPU,
 * where all of its arcs are linked.  Memory on each GPU: its outgoing rows, and 12 bytes for each vertex of the graph;
 * on the host 8, for messages. */
#include "algo/components/components_cuda.cuh"
#include "algo/components/components_cuda.h"
#include "cuda/launch.cuh"
#include "ranks/device.h"

enum { FORMER_ROOTS, LISTED, ROOTS, LARGEST, COUNTS };

namespace {

struct merging {
    weft_ctx *ctx;
    wfi_spread *s;
    wfi_view rows[WFI_MOST_BLOCKS];
    weft_vid *parent, *buffer; /* arrays on the GPU, for all vertices */
    uint32_t *root;            /* 1 for roots of the common forest, which all ranks know; in the end sizes of trees */
    uint64_t *counts;
    weft_vid *label;                     /* the column */
    weft_vid *parent_here, *buffer_here; /* arrays on the host */
    uint64_t *send_start, *receive_start;
};

} // namespace

static void lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, merging *m) {
    uint64_t ranks = (uint64_t)s->comm->link.size, n = s->g->n;
    wfi_column(host, "component", WEFT_VERTEX, s->vertices, &m->label);
    wfi_array(host, &m->parent_here, n);
    wfi_array(host, &m->buffer_here, n);
    wfi_array(host, &m->send_start, ranks + 1);
    wfi_array(host, &m->receive_start, ranks + 1);
    wfi_device_rows_lay_out(device, s, false, true, false, m->rows);
    wfi_array(device, &m->parent, n);
    wfi_array(device, &m->buffer, n);
    wfi_array(device, &m->root, n);
    wfi_array(device, &m->counts, COUNTS);
}

void wfi_components_plan_weak_ranks_cuda(const wfi_spread *spread, wfi_choice *choice) {
    merging m;
    choice->method = WFI_COMPONENTS_MERGED;
    choice->sends = wfi_components_weak_sends(spread);
    lay_out(&choice->space, &choice->device, spread, &m);
}

/* --- the common forest -------------------------------------------------------------------- */

/* root[v] = 1 if v is a root. */
static weft_status note_roots(const merging *m) {
    const weft_vid *parent = m->parent;
    uint32_t *root = m->root;
    return wfi_each(m->ctx, m->s->g->n, [=] __device__(uint64_t v) { root[v] = parent[v] == v; });
}

/* Hangs each vertex below its root. */
static weft_status flatten(const merging *m) {
    weft_vid *parent = m->parent;
    return wfi_each(m->ctx, m->s->g->n, [=] __device__(uint64_t v) { wfi_compress_path(parent, (weft_vid)v); });
}

static weft_status join_pairs(const merging *m, uint64_t count) {
    const weft_vid *pairs = m->buffer;
    weft_vid *parent = m->parent;
    return wfi_each(m->ctx, count, [=] __device__(uint64_t i) { wfi_join(parent, pairs[2 * i], pairs[2 * i + 1]); });
}

/* Hangs vertices under their first neighbour, if that is smaller, and gathers this on all ranks.  Then joins the ends
 * of their first arcs. */
static weft_status link_first_neighbours(merging *m) {
    const wfi_part *p = &m->s->part[0];
    weft_status st = wfi_device_rows_send(m->ctx, m->s, false, m->rows);
    wfi_view rows = m->rows[0];
    weft_vid first = p->first, *parent = m->parent;
    if (!st)
        st = wfi_each(m->ctx, rows.count, [=] __device__(uint64_t k) {
            weft_eid e = rows.offsets[k] - rows.base, end = rows.offsets[k + 1] - rows.base;
            weft_vid v = first + (weft_vid)k, under = e < end ? rows.targets[e] : v;
            parent[v] = under < v ? under : v;
        });
    st = wfi_device_allgather_part(m->ctx, m->s, st, p, wfi_staged{m->parent, m->parent_here}, sizeof *m->parent);
    if (!st) st = note_roots(m);
    if (st) return st;
    return wfi_each(m->ctx, rows.count, [=] __device__(uint64_t k) {
        weft_eid e = rows.offsets[k] - rows.base, end = rows.offsets[k + 1] - rows.base;
        for (int i = 0; i < WFI_FIRST_ARCS && e < end; i++, e++) wfi_join(parent, first + (weft_vid)k, rows.targets[e]);
    });
}

/* Joins the ends of all arcs of this rank's rows. */
static weft_status join_rows(const merging *m) {
    wfi_view rows = m->rows[0];
    weft_vid first = m->s->part[0].first, *parent = m->parent;
    return wfi_each_warp(m->ctx, rows.count, [=] __device__(uint64_t k, unsigned lane, unsigned lanes) {
        wfi_each_arc(rows, k, lane, lanes, [&](weft_eid, weft_vid v) { wfi_join(parent, first + (weft_vid)k, v); });
    });
}

/* Lists pairs (vertex, root) for former roots of the common forest, counted from 0 by `counter`.  pairs NULL: only
 * counts them. */
static weft_status list_former_roots(const merging *m, weft_vid *pairs, int counter) {
    weft_vid *parent = m->parent;
    const uint32_t *root = m->root;
    uint64_t *listed = m->counts + counter;
    return wfi_each(m->ctx, m->s->g->n, [=] __device__(uint64_t v) {
        if (!root[v] || parent[v] == v) return;
        uint64_t at = wfi_claim(listed);
        if (!pairs) return;
        pairs[2 * at] = (weft_vid)v;
        pairs[2 * at + 1] = wfi_compress_path(parent, (weft_vid)v);
    });
}

/* Counts the former roots; clears both counters first. */
static weft_status count_former_roots(merging *m, uint64_t *former_roots) {
    uint64_t counts[COUNTS] = {0};
    weft_status st = wfi_device_fill(m->ctx, m->counts, 0, sizeof counts);
    if (!st) st = list_former_roots(m, NULL, FORMER_ROOTS);
    if (!st) st = wfi_download(m->ctx, counts, m->counts, sizeof counts);
    *former_roots = counts[FORMER_ROOTS];
    return st;
}

/* Makes each rank's changes common, if they fit the buffer; else they are merged later. */
static weft_status share_changes(merging *m, weft_status mine) {
    wfi_comm *comm = m->s->comm;
    int ranks = comm->link.size, me = comm->link.rank;
    uint64_t former_roots = 0;
    if (!mine) mine = count_former_roots(m, &former_roots);
    weft_status st = wfi_allgather_u64(m->ctx, mine ? 0 : former_roots, m->receive_start);
    if (st) return st;
    m->send_start[0] = 0;
    for (int r = 0; r < ranks; r++)
        m->send_start[r + 1] = m->send_start[r] + m->receive_start[r] * 2 * sizeof *m->buffer;
    if (m->send_start[ranks] > (uint64_t)m->s->g->n * sizeof *m->buffer) return mine;
    if (!mine) mine = list_former_roots(m, m->buffer + m->send_start[me] / sizeof *m->buffer, LISTED);
    st = wfi_device_allgather(m->ctx, mine, wfi_staged{m->buffer, m->buffer_here}, m->send_start);
    if (!st) st = join_pairs(m, m->send_start[ranks] / (2 * sizeof *m->buffer));
    return st ? st : note_roots(m);
}

/* --- merging -------------------------------------------------------------------------------- */

/* Prepares this rank's changes, or its labels if these are shorter; *words: their length. */
static weft_status prepare_changes(merging *m, uint64_t *words, bool *pairs) {
    weft_vid n = m->s->g->n;
    uint64_t former_roots = 0;
    weft_status st = count_former_roots(m, &former_roots);
    if (st) return st;
    *pairs = 2 * former_roots < n;
    *words = *pairs ? 2 * former_roots : n;
    return *pairs ? list_former_roots(m, m->buffer, LISTED) : flatten(m);
}

/* Merges the changes of ranks step, 3 step, 5 step, ... into the ranks `step` before them, all at once. */
static weft_status merge(merging *m, weft_status mine, int step) {
    wfi_comm *comm = m->s->comm;
    weft_vid n = m->s->g->n;
    int ranks = comm->link.size, me = comm->link.rank;
    bool sends = me % (2 * step) == step, pairs = false;
    uint64_t words = 0;
    if (sends && !mine) mine = prepare_changes(m, &words, &pairs);
    if (mine) words = 0;
    for (int r = 0; r <= ranks; r++) m->send_start[r] = sends && r > me - step ? words * sizeof *m->buffer : 0;
    weft_status st = wfi_receive_starts(m->ctx, m->send_start, m->receive_start);
    /* no rank sends and receives in the same step, so one array serves both */
    if (!st)
        st = wfi_device_alltoall(m->ctx, mine, wfi_staged{pairs ? m->buffer : m->parent, m->parent_here}, m->send_start,
                                 wfi_staged{m->buffer, m->buffer_here}, m->receive_start);
    if (st) return st;
    words = m->receive_start[ranks] / sizeof *m->buffer;
    if (words != n || !n) return join_pairs(m, words / 2);
    const weft_vid *other = m->buffer;
    weft_vid *parent = m->parent;
    return wfi_each(m->ctx, n, [=] __device__(uint64_t v) { wfi_join(parent, (weft_vid)v, other[v]); });
}

/* Sends the first rank's labels to the owners of the vertices. */
static weft_status send_labels(merging *m, weft_status mine) {
    const wfi_part *p = &m->s->part[0];
    int me = m->s->comm->link.rank, ranks = m->s->comm->link.size;
    size_t bytes = (size_t)(p->end - p->first) * sizeof *m->label;
    for (int r = 0; r <= ranks; r++) {
        m->send_start[r] = me ? 0 : (uint64_t)p->cut[r] * sizeof *m->label;
        m->receive_start[r] = r ? bytes : 0;
    }
    weft_status st = wfi_device_alltoall(m->ctx, mine, wfi_staged{m->parent, m->parent_here}, m->send_start,
                                         wfi_staged{m->buffer, m->buffer_here}, m->receive_start);
    if (!st) st = wfi_device_agree(m->ctx, wfi_download(m->ctx, m->label, m->buffer, bytes));
    return st;
}

/* In a flat forest counts the roots, and the vertices of the largest tree; both counters are 0 before, and so are
 * root[0] ... root[n-1], which become sizes. */
static weft_status measure(const merging *m) {
    const weft_vid *parent = m->parent;
    uint32_t *size = m->root;
    uint64_t *roots = m->counts + ROOTS;
    weft_status st = wfi_each(m->ctx, m->s->g->n, [=] __device__(uint64_t v) {
        if (parent[v] == v) wfi_claim(roots);
        atomicAdd(size + parent[v], 1u);
    });
    if (st) return st;
    unsigned long long *most = (unsigned long long *)m->counts + LARGEST;
    return wfi_each(m->ctx, m->s->g->n, [=] __device__(uint64_t v) {
        if (size[v] > 1 || v == 0) atomicMax(most, (unsigned long long)(size[v] ? size[v] : 1u));
    });
}

weft_status wfi_components_weak_ranks_cuda(wfi_job *job) {
    wfi_spread *s = job->spread;
    merging m = {};
    m.ctx = job->ctx;
    m.s = s;
    int ranks = s->comm->link.size;
    weft_vid n = s->g->n;
    uint64_t found[COUNTS] = {0};
    bool first = !s->comm->link.rank;
    weft_status st = wfi_open_device(job);
    if (!st) lay_out(job->space, job->device, s, &m);
    st = wfi_agree(m.ctx, st ? st : job->space->status);
    if (st) return st;
    st = share_changes(&m, link_first_neighbours(&m));
    if (!st) st = join_rows(&m);
    for (int step = 1; step < ranks; step *= 2) st = merge(&m, st, step);
    if (!st && first) st = wfi_device_fill(m.ctx, m.counts, 0, sizeof found);
    if (!st && first) st = wfi_device_fill(m.ctx, m.root, 0, n * sizeof *m.root);
    if (!st && first) st = flatten(&m);
    if (!st && first) st = measure(&m);
    if (!st && first) st = wfi_download(m.ctx, found, m.counts, sizeof found);
    st = send_labels(&m, st);
    if (!st) st = wfi_allreduce(m.ctx, found + ROOTS, 2, WFI_SUM);
    return st ? st : wfi_components_scalars(job, found[ROOTS], found[LARGEST]);
}
