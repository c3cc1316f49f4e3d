/* Rung 2: the adjacency list: a chain of arcs for each vertex. */
#include "degree.h"

typedef struct link {
    const struct link *next;
    weft_vid target;
} link;

/* --- excerpt --- */
static void walk_lists(const degrees *d, const link *const *first) {
    for (weft_vid u = 0; u < d->n && !(u % 4096 == 4095 && lab_stopped(d->r)); u++)
        for (const link *at = first[u]; at; at = at->next) {
            d->out[u]++;
            d->in[at->target]++;
        }
}
/* --- end --- */

/* Arcs come in the order of a file that knows nothing of rows: here, of their place modulo a large prime step, so that the links of
 * one vertex lie apart, as they do when a list grows arc by arc. */
static void build_lists(const degrees *d, const weft_csr *out, const link **first, link *links, weft_vid *source) {
    for (weft_vid u = 0; u < d->n; u++)
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) source[e] = u;
    const weft_eid step = 1000003;
    weft_eid stride = out->arcs % step ? step : 1, e = 0;
    for (weft_eid i = 0; i < out->arcs && !(i % 65536 == 65535 && lab_stopped(d->r)); i++) {
        links[i] = (link){first[source[e]], out->targets[e]};
        first[source[e]] = &links[i];
        e = (e + stride) % out->arcs;
    }
}

static weft_status run(lab_run *r) {
    degrees d;
    size_t n = r->out.vertices, arcs = r->out.arcs;
    weft_status st = degree_open(r, n * sizeof(link *) + arcs * sizeof(link) + arcs * sizeof(weft_vid), &d);
    if (st) return st;
    const link **first = d.extra;
    link *links = (link *)(first + n);
    lab_turn(r, LAB_COPY_IN);
    build_lists(&d, &r->out, first, links, (weft_vid *)(links + arcs));
    lab_turn(r, LAB_KERNELS);
    if (lab_stopped(r)) return WEFT_ECANCELLED;
    walk_lists(&d, first);
    return degree_close(&d, 8.0 * (double)n + 32.0 * (double)arcs);
}

const lab_rung degree_list = {
    .name = "list",
    .title = "adjacency list: a chain for each vertex",
    .against = "matrix",
    .changed = "Only arcs are kept, each in a link of its own: a target and the address of the next, 16 bytes, and 8 "
               "bytes a vertex for the first. They "
               "lie where they were when they came, in no order.",
    .wins = "Growing: an arc is added in one step, anywhere. Memory: 8 n + 16 m bytes, not 4 n^2.",
    .loses = "Walking: where the next link lies is known only when this one has arrived, so that every arc of a large "
             "graph waits for memory, and nothing "
             "can be fetched ahead. Three quarters of a link is address and padding.",
    .model = "8 n (first links) + 16 m (links) + 16 m (counters there and back) + 48 n",
    .source = "lab/degree/list.c",
    .device = LAB_CPU,
    .run = run,
};
