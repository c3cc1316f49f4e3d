/* Weak components on ranks: Afforest [1] on a disjoint-set forest of which each rank has a copy.
 * Method: first every vertex links to its first neighbour, if that is smaller, then its owner links its first two arcs;
 * both samples are gathered on all ranks.  Nearly all vertices are then in one tree, whose inner arcs are skipped, and
 * each rank links the rest of its arcs.  These few links are merged by a binary tree of ranks into the first one, which
 * sends every rank the labels of its vertices.
 * Encoding: former roots travel as pairs (vertex, label), or as labels of all vertices if that is shorter.  Memory: 8
 * bytes and a bit for each vertex of the graph on each rank, two bits if it is directed.
 * [1] Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph sampling", IPDPS
 * 2018. */
#include "algo/components/components.h"
#include "ranks/spread.h"

enum { CHUNK = 1 << 12 };

typedef struct merging {
    weft_ctx *ctx;
    wfi_spread *s;
    weft_vid *parent;
    weft_vid *buffer; /* n: the buffer of messages */
    uint64_t *root;   /* a bit for each vertex: roots of the common forest, which all ranks know */
    uint64_t *giant;  /* a bit for each vertex: in the largest tree of that forest; for directed graphs */
    uint64_t *send_start, *receive_start;
    weft_vid *label; /* the column */
} merging;

static void lay_out(wfi_workspace *w, const wfi_spread *s, merging *m) {
    size_t ranks = (size_t)s->comm->link.size;
    wfi_column(w, "component", WEFT_VERTEX, s->vertices, &m->label);
    wfi_array(w, &m->parent, s->g->n);
    wfi_array(w, &m->buffer, s->g->n);
    wfi_array(w, &m->root, wfi_components_giant_words(s->g->n));
    wfi_array(w, &m->giant, s->g->directed ? wfi_components_giant_words(s->g->n) : 0);
    wfi_array(w, &m->send_start, ranks + 1);
    wfi_array(w, &m->receive_start, ranks + 1);
}

/* To all others the parents of its vertices, and at most a pair for each of their first arcs; then the changes that it
 * merges, or the first rank's labels. */
uint64_t wfi_components_weak_sends(const wfi_spread *s) {
    uint64_t others = s->comm->link.size > 1 ? s->g->n - s->vertices : 0;
    uint64_t each = sizeof(weft_vid) * (1 + 2 * WFI_FIRST_ARCS), last = s->comm->link.rank ? s->g->n : others;
    return each * wfi_spread_copies(s) + sizeof(weft_vid) * last;
}

void wfi_components_plan_weak_ranks(const wfi_spread *spread, wfi_choice *choice) {
    choice->method = WFI_COMPONENTS_MERGED;
    choice->sends = wfi_components_weak_sends(spread);
    lay_out(&choice->space, spread, &(merging){.label = NULL});
}

/* --- the common forest ------------------------------------------------------------------- */

static size_t words_of(const merging *m) { return wfi_components_giant_words(m->s->g->n); }

/* The roots among 64 vertices. */
static uint64_t roots_among(const merging *m, size_t word) {
    uint64_t bits = 0, first = 64 * (uint64_t)word, count = wfi_min_u64(64, m->s->g->n - first);
    for (uint64_t b = 0; b < count; b++) bits |= (uint64_t)(m->parent[first + b] == first + b) << b;
    return bits;
}

/* Turns parents into labels. */
static void flatten(const merging *m) {
    weft_vid n = m->s->g->n, *parent = m->parent;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(m->ctx, n, 4 * CHUNK))
    for (weft_vid first = 0; first < n; first += CHUNK)
        for (weft_vid v = first; v < n && v - first < CHUNK; v++) wfi_compress_path(parent, v);
}

/* The current forest becomes the common one. */
static void note_roots(const merging *m) {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(m->ctx, words_of(m), CHUNK))
    for (size_t w = 0; w < words_of(m); w++) m->root[w] = roots_among(m, w);
}

static weft_status link_first_neighbours(const merging *m) {
    const wfi_part *p = &m->s->part[0];
    weft_vid mine = p->end - p->first;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(m->ctx, mine, CHUNK))
    for (weft_vid k = 0; k < mine; k++) {
        weft_eid e = p->out.offsets[k];
        weft_vid v = p->first + k, first = e < p->out.offsets[k + 1] ? p->out.targets[e] : v;
        m->parent[v] = first < v ? first : v;
    }
    weft_status st = wfi_spread_allgather(m->ctx, m->s, p, m->parent, sizeof *m->parent);
    if (!st) note_roots(m);
    return st;
}

/* Lists the roots of the common forest that hang now as pairs, unless `pairs` is NULL; returns their number. */
static uint64_t list_former_roots(const merging *m, weft_vid *pairs) {
    uint64_t former_roots = 0;
    for (size_t w = 0; w < words_of(m); w++)
        for (uint64_t left = m->root[w] & ~roots_among(m, w); left; left &= left - 1, former_roots++) {
            weft_vid v = (weft_vid)(64 * w + (uint64_t)__builtin_ctzll(left));
            if (!pairs) continue;
            pairs[2 * former_roots] = v;
            pairs[2 * former_roots + 1] = wfi_root_of(m->parent, v);
        }
    return former_roots;
}

static void join_pairs(const merging *m, uint64_t pairs) {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(m->ctx, pairs, CHUNK))
    for (uint64_t i = 0; i < pairs; i++) wfi_join(m->parent, m->buffer[2 * i], m->buffer[2 * i + 1]);
}

/* Makes each rank's changes common, if they fit the buffer; else they are merged later. */
static weft_status share_changes(const merging *m) {
    wfi_comm *comm = m->s->comm;
    int ranks = comm->link.size, me = comm->link.rank;
    weft_status st = wfi_allgather_u64(m->ctx, list_former_roots(m, NULL), m->receive_start);
    if (st) return st;
    m->send_start[0] = 0;
    for (int r = 0; r < ranks; r++)
        m->send_start[r + 1] = m->send_start[r] + m->receive_start[r] * 2 * sizeof *m->buffer;
    if (m->send_start[ranks] > (uint64_t)m->s->g->n * sizeof *m->buffer) return WEFT_OK;
    list_former_roots(m, m->buffer + m->send_start[me] / sizeof *m->buffer);
    st = wfi_allgather(m->ctx, m->buffer, m->send_start);
    if (st) return st;
    join_pairs(m, m->send_start[ranks] / (2 * sizeof *m->buffer));
    note_roots(m);
    return WEFT_OK;
}

/* --- own arcs -------------------------------------------------------------------------------- */

/* Joins a row.  If every arc has its reverse, an arc skipped at one end is met at the other, maybe by another rank,
 * unless both owners know that their end is in the tree of `giant`.  Otherwise all arcs are read. */
static void join_row(const merging *m, weft_vid k, weft_vid giant) {
    const wfi_part *p = &m->s->part[0];
    weft_vid v = p->first + k, *parent = m->parent;
    bool directed = m->s->g->directed, inside = directed && wfi_in_giant(m->giant, v);
    if (!directed && wfi_load_relaxed(&parent[v]) == giant) return;
    for (weft_eid e = p->out.offsets[k]; e < p->out.offsets[k + 1]; e++)
        if (!inside || !wfi_in_giant(m->giant, p->out.targets[e])) wfi_join(parent, v, p->out.targets[e]);
}

static void join_first_arcs(const merging *m, weft_vid k) {
    const wfi_part *p = &m->s->part[0];
    weft_eid begin = p->out.offsets[k], end = wfi_min_u64(p->out.offsets[k + 1], begin + WFI_FIRST_ARCS);
    for (weft_eid e = begin; e < end; e++) wfi_join(m->parent, p->first + k, p->out.targets[e]);
}

/* Joins all arcs of this rank's vertices, or only the first arcs of each. */
static weft_status join_own_arcs(const merging *m, bool first_ones) {
    const wfi_part *p = &m->s->part[0];
    weft_vid n = m->s->g->n, mine = p->end - p->first, giant = 0;
    _Atomic int stop = 0;
    if (!first_ones && n) giant = wfi_components_frequent(m->parent, n, NULL);
    if (!first_ones && m->s->g->directed) wfi_components_collect(m->ctx, m->parent, n, giant, m->giant);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(m->ctx, m->s->arcs, CHUNK))
    for (weft_vid first = 0; first < mine; first += CHUNK) {
        weft_vid end = mine - first < CHUNK ? mine : first + CHUNK;
        if (wfi_cancelled(m->ctx)) atomic_store(&stop, 1);
        for (weft_vid k = first; k < end && !atomic_load_explicit(&stop, memory_order_relaxed); k++)
            if (first_ones)
                join_first_arcs(m, k);
            else
                join_row(m, k, giant);
    }
    return wfi_agree(m->ctx, atomic_load(&stop) ? wfi_fail_cancelled(m->ctx) : WEFT_OK);
}

/* --- merging -------------------------------------------------------------------------------- */

/* Merges the changes of ranks step, 3 step, 5 step, ... into the ranks `step` before them, all at once. */
static weft_status merge(const merging *m, int step) {
    weft_vid n = m->s->g->n, *parent = m->parent, *buffer = m->buffer;
    wfi_comm *comm = m->s->comm;
    int ranks = comm->link.size, me = comm->link.rank;
    bool sends = me % (2 * step) == step;
    uint64_t count = sends ? 2 * list_former_roots(m, NULL) : 0;
    bool pairs = count < n;
    if (sends && pairs) list_former_roots(m, buffer);
    if (sends && !pairs) {
        flatten(m);
        count = n;
    }
    for (int r = 0; r <= ranks; r++) m->send_start[r] = sends && r > me - step ? count * sizeof *buffer : 0;
    weft_status st = wfi_receive_starts(m->ctx, m->send_start, m->receive_start);
    if (!st) st = wfi_alltoall(m->ctx, pairs ? buffer : parent, m->send_start, buffer, m->receive_start);
    if (st) return st;
    count = m->receive_start[ranks] / sizeof *buffer;
    if (count == n && n)
        for (weft_vid v = 0; v < n; v++) wfi_join(parent, v, buffer[v]);
    else
        join_pairs(m, count / 2);
    return WEFT_OK;
}

/* Sends the first rank's labels to the owners of the vertices. */
static weft_status send_labels(const merging *m) {
    const wfi_part *p = &m->s->part[0];
    int me = m->s->comm->link.rank, ranks = m->s->comm->link.size;
    for (int r = 0; r <= ranks; r++) {
        m->send_start[r] = me ? 0 : (uint64_t)p->cut[r] * sizeof *m->label;
        m->receive_start[r] = r ? (uint64_t)(p->end - p->first) * sizeof *m->label : 0;
    }
    return wfi_alltoall(m->ctx, m->parent, m->send_start, m->label, m->receive_start);
}

weft_status wfi_components_weak_ranks(wfi_job *job) {
    wfi_spread *s = job->spread;
    merging m = {.ctx = job->ctx, .s = s};
    int ranks = s->comm->link.size, me = s->comm->link.rank;
    uint64_t found[2] = {0, 0};
    lay_out(job->space, s, &m);
    weft_status st = wfi_agree(m.ctx, job->space->status);
    if (!st) st = link_first_neighbours(&m);
    if (!st) st = join_own_arcs(&m, true);
    if (!st) st = share_changes(&m);
    if (!st) flatten(&m);
    if (!st) st = join_own_arcs(&m, false);
    for (int step = 1; step < ranks && !st; step *= 2) st = merge(&m, step);
    if (!st && !me) flatten(&m);
    if (!st) st = send_labels(&m);
    if (!st && !me && s->g->n) wfi_components_measure(m.ctx, m.parent, s->g->n, m.buffer, &found[0], &found[1]);
    if (!st) st = wfi_allreduce(m.ctx, found, 2, WFI_SUM);
    return st ? st : wfi_components_scalars(job, found[0], found[1]);
}
