/* Kahn's ladder: what the rungs allocate, the answer they leave, and when they do not serve. */
#include "afford.h"
#include "kahn.h"

static void fill_cells(kahn *k) {
    for (weft_vid u = 0; u < k->n && !(u % 256 == 255 && lab_stopped(k->r)); u++)
        for (weft_eid e = k->out.offsets[u]; e < k->out.offsets[u + 1]; e++)
            k->cells[(size_t)u * k->n + k->out.targets[e]]++;
}

static void fill_bits(kahn *k) {
    for (weft_vid u = 0; u < k->n && !(u % 256 == 255 && lab_stopped(k->r)); u++)
        for (weft_eid e = k->out.offsets[u]; e < k->out.offsets[u + 1]; e++)
            k->bits[(size_t)u * k->words + k->out.targets[e] / 64] |= (uint64_t)1 << k->out.targets[e] % 64;
}

weft_status kahn_open(lab_run *r, kahn_store store, size_t extra_bytes, kahn *k) {
    *k = (kahn){.r = r, .out = r->out, .in = r->in, .n = r->out.vertices};
    size_t n = k->n, cells = n * n;
    k->words = (n + 63) / 64;
    k->degree = lab_take(r, (n + 1) * sizeof *k->degree);
    k->flags = lab_take(r, (n + 1) * sizeof *k->flags);
    k->places = lab_take(r, (n + 1) * sizeof *k->places);
    k->active = lab_take(r, (n + 1) * sizeof *k->active);
    k->level = lab_take(r, (n + 1) * sizeof *k->level);
    k->extra = lab_take(r, extra_bytes);
    if (store == KAHN_CELLS) k->cells = lab_take(r, (cells + 1) * sizeof *k->cells);
    if (store == KAHN_BITS) k->bits = lab_take(r, (n * k->words + 1) * sizeof *k->bits);
    if (!k->degree || !k->flags || !k->places || !k->active || !k->level || !k->extra ||
        (store == KAHN_CELLS && !k->cells) || (store == KAHN_BITS && !k->bits))
        return WEFT_ENOMEM;
    if (store == KAHN_CSR) lab_reads(r, &r->out);
    lab_turn(r, LAB_COPY_IN);
    if (k->cells) fill_cells(k);
    if (k->bits) fill_bits(k);
    lab_turn(r, LAB_KERNELS);
    return lab_stopped(r) ? WEFT_ECANCELLED : WEFT_OK;
}

/* What is left when Kahn's algorithm stops has a predecessor that is left too: a walk backwards comes round.  before[v] is one
 * such predecessor; the walk writes its steps over `cycle` from the back, so that they stand in the direction of the arcs. */
static size_t find_cycle(const kahn *k, weft_vid *before, weft_vid *cycle) {
    weft_vid v = WEFT_NO_VERTEX;
    for (weft_vid u = 0; u < k->n; u++) {
        if (k->level[u] != WEFT_UNREACHED) continue;
        v = u;
        for (weft_eid e = k->out.offsets[u]; e < k->out.offsets[u + 1]; e++) before[k->out.targets[e]] = u;
    }
    if (v == WEFT_NO_VERTEX) return 0;
    for (weft_vid step = 0; step < k->n; step++) v = before[v]; /* n steps back: surely on a cycle */
    size_t length = 0;
    for (weft_vid u = v; !length || u != v; u = before[u]) length++;
    for (size_t i = length; i-- > 0; v = before[v]) cycle[i] = v;
    return length;
}

weft_status kahn_close(kahn *k, double bytes) {
    lab_run *r = k->r;
    lab_turn(r, LAB_UNTIMED);
    if (lab_stopped(r)) return WEFT_ECANCELLED;
    weft_vid *before = lab_take(r, ((size_t)k->n + 1) * sizeof *before);
    weft_vid *cycle = lab_take(r, ((size_t)k->n + 1) * sizeof *cycle);
    if (!before || !cycle) return WEFT_ENOMEM;
    size_t length = find_cycle(k, before, cycle);
    uint64_t levels = 0;
    for (weft_vid v = 0; v < k->n; v++)
        if (k->level[v] != WEFT_UNREACHED && k->level[v] >= levels) levels = (uint64_t)k->level[v] + 1;
    lab_column(r, "level", WEFT_U32, k->level, k->n);
    lab_column(r, "cycle", WEFT_VERTEX, cycle, length);
    lab_u64(r, "acyclic", !length);
    lab_u64(r, "levels", levels);
    r->edges = bfs_arcs_out(&k->out, k->level);
    r->bytes = bytes;
    return WEFT_OK;
}

double kahn_bytes_of_rounds(const kahn *k, uint32_t rounds) { return 20.0 * k->n * rounds; }

double kahn_bytes_of_cells(const kahn *k) {
    double removed = 0;
    for (weft_vid v = 0; v < k->n; v++) removed += k->level[v] != WEFT_UNREACHED;
    return 12.0 * k->n * removed;
}

double kahn_bytes_of_rows(const kahn *k) { return 12 * bfs_arcs_out(&k->out, k->level); }

const char *kahn_serves_directed(lab_run *r) {
    return weft_graph_directed(r->g) ? NULL : "Kahn's algorithm is for directed graphs";
}

/* The number of rounds decides, and nothing short of the answer tells it. */
static double rounds_of(const lab_run *r) { return lab_known(r, "levels"); }

const char *kahn_serves(lab_run *r, kahn_store store, double ns_a_cell, double ns_a_vertex) {
    double n = r->out.vertices, cell = store == KAHN_CELLS ? 4 : store == KAHN_BITS ? 0.125 : 0;
    if (kahn_serves_directed(r)) return kahn_serves_directed(r);
    const char *too_large = lab_too_large(r, cell * n * n);
    if (too_large) return too_large;
    double rounds = rounds_of(r);
    return lab_too_slow(r, (ns_a_cell * n * n + ns_a_vertex * n * rounds + 3 * (double)r->out.arcs) / 1e9);
}

const char *kahn_serves_csr(lab_run *r) { return kahn_serves(r, KAHN_CSR, 0, 3); }

const char *kahn_serves_gpu(lab_run *r, double bytes, double us_a_round) {
    if (kahn_serves_directed(r)) return kahn_serves_directed(r);
    const char *too_large = lab_too_large_for_gpu(r, bytes);
    return too_large ? too_large : lab_too_slow(r, us_a_round * rounds_of(r) / 1e6);
}
