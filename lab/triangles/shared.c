/* Triangles' ladder: the simple graph, the answer, and when a rung does not serve. */
#include "triangles.h"

#include "afford.h"

/* Row v: the union of its out- and in-neighbours, both sorted, without v.  Returns how many. */
static weft_eid merge_row(const lab_run *r, weft_vid v, weft_vid *to) {
    const weft_csr *out = &r->out, *in = &r->in;
    weft_eid i = out->offsets[v], k = in->offsets[v], written = 0;
    weft_vid last = WEFT_NO_VERTEX;
    while (i < out->offsets[v + 1] || k < in->offsets[v + 1]) {
        weft_vid a = i < out->offsets[v + 1] ? out->targets[i] : WEFT_NO_VERTEX;
        weft_vid b = k < in->offsets[v + 1] ? in->targets[k] : WEFT_NO_VERTEX;
        weft_vid next = a < b ? a : b;
        i += a == next;
        k += b == next;
        if (next == last || next == v) continue;
        to[written++] = next;
        last = next;
    }
    return written;
}

weft_status triangles_open(lab_run *r, size_t extra_bytes, simple *s) {
    weft_vid n = r->out.vertices;
    size_t most = weft_graph_directed(r->g) ? 2 * r->out.arcs : r->out.arcs;
    *s = (simple){.r = r, .n = n};
    s->offsets = lab_take(r, ((size_t)n + 1) * sizeof *s->offsets);
    s->targets = lab_take(r, (most + 1) * sizeof *s->targets);
    s->count = lab_take(r, ((size_t)n + 1) * sizeof *s->count);
    s->extra = lab_take(r, extra_bytes);
    if (!s->offsets || !s->targets || !s->count || !s->extra) return WEFT_ENOMEM;
    lab_turn(r, LAB_COPY_IN);
    weft_vid v = 0;
    for (; v < n && !(v % 4096 == 0 && lab_stopped(r)); v++)
        s->offsets[v + 1] = s->offsets[v] + merge_row(r, v, s->targets + s->offsets[v]);
    lab_turn(r, LAB_KERNELS);
    return v < n ? WEFT_ECANCELLED : WEFT_OK;
}

weft_status triangles_close(simple *s, double bytes) {
    lab_run *r = s->r;
    lab_turn(r, LAB_UNTIMED);
    if (lab_stopped(r)) return WEFT_ECANCELLED;
    uint64_t corners = 0;
    for (weft_vid v = 0; v < s->n; v++) corners += s->count[v];
    lab_column(r, "triangles", WEFT_U64, s->count, s->n);
    lab_u64(r, "triangles", corners / 3);
    r->edges = (double)weft_graph_edges(r->g);
    r->bytes = bytes;
    return WEFT_OK;
}

/* Degrees without the merging: repeats and loops are few, and this is for estimates. */
static double about_degree(const lab_run *r, weft_vid v) {
    double out = (double)(r->out.offsets[v + 1] - r->out.offsets[v]);
    return weft_graph_directed(r->g) ? out + (double)(r->in.offsets[v + 1] - r->in.offsets[v]) : out;
}

double triangles_pairs(const lab_run *r) {
    double pairs = 0;
    for (weft_vid v = 0; v < r->out.vertices; v++) pairs += about_degree(r, v) * about_degree(r, v) / 2;
    return pairs;
}

/* Vertex v asks about its k-th neighbour u once for every later neighbour: on average for half of the others. */
static double searched_by(const lab_run *r, const weft_csr *rows, weft_vid v, double others) {
    double sum = 0;
    for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) sum += about_degree(r, rows->targets[e]);
    return sum * others / 2;
}

double triangles_searched(const lab_run *r) {
    double sum = 0;
    for (weft_vid v = 0; v < r->out.vertices; v++) {
        sum += searched_by(r, &r->out, v, about_degree(r, v));
        if (weft_graph_directed(r->g)) sum += searched_by(r, &r->in, v, about_degree(r, v));
    }
    return sum;
}

const char *triangles_serves(lab_run *r, double bytes, double seconds) {
    const char *too_large = lab_too_large(r, bytes);
    return too_large ? too_large : lab_too_slow(r, seconds);
}
