/* Truss numbers: edges and their triangles, and the whole run (truss.h). */
#include "truss.h"
#include "weft/truss.h"

const char *truss_serves(lab_run *r) {
    if (((const weft_truss_params *)r->params)->k) return "this rung finds all numbers; the library's takes a k";
    if (weft_graph_directed(r->g)) return "this rung is for undirected graphs; the library's takes any";
    for (weft_vid v = 0; v < r->out.vertices; v++)
        for (weft_eid e = r->out.offsets[v]; e < r->out.offsets[v + 1]; e++)
            if (e > r->out.offsets[v] && r->out.targets[e] == r->out.targets[e - 1])
                return "this rung is for graphs without parallel edges; the library's takes any";
    return NULL;
}

void truss_triangles(const trusses *t, uint64_t e, void (*each)(void *user, uint32_t a, uint32_t b), void *user) {
    const weft_eid *offsets = t->out->offsets;
    weft_eid a = offsets[t->source[e]], a_end = offsets[t->source[e] + 1];
    weft_eid b = offsets[t->target[e]], b_end = offsets[t->target[e] + 1];
    while (a < a_end && b < b_end) {
        weft_vid u = t->out->targets[a], v = t->out->targets[b];
        if (u == v && !t->number[t->edge[a]] && !t->number[t->edge[b]]) each(user, t->edge[a], t->edge[b]);
        a += u <= v;
        b += v <= u;
    }
}

/* Where the row of each vertex has come to: larger vertices bring their edges in order. */
static void name_edges(trusses *t, weft_eid *at) {
    for (weft_vid v = 0; v < t->n; v++) at[v] = t->out->offsets[v];
    for (weft_vid u = 0; u < t->n; u++)
        for (weft_eid e = t->out->offsets[u]; e < t->out->offsets[u + 1]; e++) {
            weft_vid v = t->out->targets[e];
            if (v < u) continue;
            t->source[t->edges] = u;
            t->target[t->edges] = v;
            if (u == v) t->number[t->edges] = TRUSS_LOOP, t->loops++;
            t->edge[e] = t->edge[at[v]++] = (uint32_t)t->edges++;
        }
}

weft_status truss_run(lab_run *r, weft_status (*peel)(trusses *t)) {
    trusses t = {.r = r, .out = &r->out, .n = r->out.vertices};
    size_t edges = (size_t)weft_graph_edges(r->g) + 1;
    weft_eid *at = lab_take(r, (t.n + (size_t)1) * sizeof *at);
    t.source = lab_take(r, edges * sizeof *t.source);
    t.target = lab_take(r, edges * sizeof *t.target);
    t.number = lab_take(r, edges * sizeof *t.number);
    t.edge = lab_take(r, ((size_t)r->out.arcs + 1) * sizeof *t.edge);
    if (!at || !t.source || !t.target || !t.number || !t.edge) return WEFT_ENOMEM;
    lab_reads(r, t.out);
    lab_turn(r, LAB_KERNELS);
    name_edges(&t, at);
    weft_status st = peel(&t);
    if (st) return st;
    lab_turn(r, LAB_UNTIMED);
    uint64_t count = 0;
    uint32_t most = 0;
    for (uint64_t e = 0; e < t.edges; e++) {
        if (t.number[e] == TRUSS_LOOP) t.number[e] = 0;
        count = t.number[e] > most ? 1 : count + (most && t.number[e] == most);
        most = t.number[e] > most ? t.number[e] : most;
    }
    lab_edges(r, "source", WEFT_VERTEX, t.source, t.edges);
    lab_edges(r, "target", WEFT_VERTEX, t.target, t.edges);
    lab_edges(r, "truss", WEFT_U32, t.number, t.edges);
    lab_u64(r, "max_truss", most);
    lab_u64(r, "edges", count);
    r->edges = (double)r->out.arcs;
    return WEFT_OK;
}
