/* The ladder of degrees: the columns, the distribution, the answer. */
#include "degree.h"

weft_status degree_open(lab_run *r, size_t extra_bytes, degrees *d) {
    size_t n = r->out.vertices;
    *d = (degrees){.r = r, .n = r->out.vertices};
    d->in = lab_take(r, n * sizeof *d->in);
    d->out = lab_take(r, n * sizeof *d->out);
    d->total = lab_take(r, n * sizeof *d->total);
    d->degree = lab_take(r, (n + 1) * sizeof *d->degree);
    d->count = lab_take(r, (n + 1) * sizeof *d->count);
    d->extra = lab_take(r, extra_bytes);
    return d->in && d->out && d->total && d->degree && d->count && d->extra ? WEFT_OK : WEFT_ENOMEM;
}

size_t degree_occurring(const degrees *d, const uint64_t *of_degree, uint64_t most) {
    size_t length = 0;
    for (uint64_t k = 0; k <= most && d->n; k++) {
        if (!of_degree[k]) continue;
        d->degree[length] = k;
        d->count[length++] = of_degree[k];
    }
    return length;
}

weft_status degree_close(degrees *d, double bytes) {
    lab_run *r = d->r;
    uint64_t most = 0;
    int directed = weft_graph_directed(r->g);
    for (weft_vid v = 0; v < d->n; v++) {
        d->total[v] = directed ? d->in[v] + d->out[v] : d->out[v];
        if (d->total[v] > most) most = d->total[v];
    }
    lab_turn(r, LAB_ALLOCATE);
    uint64_t *of_degree = lab_take(r, (most + 1) * sizeof *of_degree);
    if (!of_degree) return WEFT_ENOMEM;
    lab_turn(r, LAB_KERNELS);
    for (weft_vid v = 0; v < d->n; v++) of_degree[d->total[v]]++;
    size_t length = degree_occurring(d, of_degree, most);
    lab_turn(r, LAB_UNTIMED);
    if (lab_stopped(r)) return WEFT_ECANCELLED;
    degree_answer(d, length, bytes);
    return WEFT_OK;
}

void degree_answer(degrees *d, size_t length, double bytes) {
    lab_run *r = d->r;
    lab_column(r, "in", WEFT_U64, d->in, d->n);
    lab_column(r, "out", WEFT_U64, d->out, d->n);
    lab_column(r, "total", WEFT_U64, d->total, d->n);
    lab_column(r, "degree", WEFT_U64, d->degree, length);
    lab_column(r, "count", WEFT_U64, d->count, length);
    r->edges = (double)r->out.arcs;
    r->bytes = bytes + 48.0 * d->n; /* totals made and read again, the distribution's counters */
}
