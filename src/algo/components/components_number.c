/* A topological order of the condensation (the graph of components), CPU: numbers 0, 1, ..., so that an arc from one
 * component to another goes from a larger number to a smaller one.
 * The rule.  The level of a component is the largest number of arcs between components on a path that ends in it;
 * components are numbered by descending level, those of one level by their smallest vertices.  So the numbers are
 * unique.  Weak components, which no arc joins, are all of level 0.
 * Method: Kahn's algorithm on the components, O(n + m), one thread.  Encoding: what belongs to a component is stored at
 * its label.  number[] has levels first, then numbers. */
#include "algo/components/components.h"

#include <string.h>

enum { POLL = 1 << 14 };

typedef struct peel {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_vid *label;
    const wfi_components_number_arrays *a;
    uint32_t *level;
    uint64_t looked;
    bool stop;
} peel;

static bool stopped(peel *p, uint64_t work) {
    p->looked += work;
    if (p->looked < POLL) return p->stop;
    p->looked = 0;
    p->stop = p->stop || wfi_cancelled(p->ctx);
    return p->stop;
}

/* Chains the vertices of each component, and counts the arcs that enter it. */
static void prepare(peel *p) {
    const weft_eid *offsets = p->g->out.offsets;
    const weft_vid *targets = p->g->out.targets, *label = p->label;
    for (weft_vid v = 0; v < p->g->n; v++) {
        p->a->head[v] = WEFT_NO_VERTEX;
        p->a->waiting[v] = 0;
        p->level[v] = 0;
    }
    for (weft_vid v = 0; v < p->g->n && !stopped(p, 1 + offsets[v + 1] - offsets[v]); v++) {
        p->a->next[v] = p->a->head[label[v]];
        p->a->head[label[v]] = v;
        for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++)
            p->a->waiting[label[targets[e]]] += label[targets[e]] != label[v];
    }
}

/* The vertex v is taken away; components that nothing leads to any more join the queue. */
static size_t leave(peel *p, weft_vid v, size_t tail) {
    weft_vid mine = p->label[v];
    for (weft_eid e = p->g->out.offsets[v]; e < p->g->out.offsets[v + 1]; e++) {
        weft_vid to = p->label[p->g->out.targets[e]];
        if (to == mine) continue;
        if (p->level[to] <= p->level[mine]) p->level[to] = p->level[mine] + 1;
        if (!--p->a->waiting[to]) p->a->queue[tail++] = to;
    }
    return tail;
}

static void find_levels(peel *p) {
    size_t head = 0, tail = 0;
    for (weft_vid v = 0; v < p->g->n; v++)
        if (p->label[v] == v && !p->a->waiting[v]) p->a->queue[tail++] = v;
    while (head < tail && !p->stop) {
        weft_vid label = p->a->queue[head++];
        for (weft_vid v = p->a->head[label]; v != WEFT_NO_VERTEX; v = p->a->next[v]) {
            tail = leave(p, v, tail);
            if (stopped(p, 1 + wfi_degree(&p->g->out, v))) break;
        }
    }
}

/* Levels become numbers: counted, then given out from the deepest level on. */
static void number_by_level(peel *p) {
    weft_vid n = p->g->n, *first = p->a->queue, sum = 0;
    memset(first, 0, (size_t)n * sizeof *first);
    for (weft_vid v = 0; v < n; v++)
        if (p->label[v] == v) first[p->level[v]]++;
    for (weft_vid level = n; level-- > 0;) {
        weft_vid here = first[level];
        first[level] = sum;
        sum += here;
    }
    for (weft_vid v = 0; v < n; v++)
        if (p->label[v] == v) p->level[v] = first[p->level[v]]++;
}

weft_status wfi_components_number(weft_ctx *ctx, const weft_graph *g, const weft_vid *label,
                                  const wfi_components_number_arrays *a) {
    peel p = {.ctx = ctx, .g = g, .label = label, .a = a, .level = a->number};
    wfi_progress(ctx, "numbering components", 0, 0);
    prepare(&p);
    if (!p.stop) find_levels(&p);
    if (p.stop) return wfi_fail_cancelled(ctx);
    number_by_level(&p);
    return WEFT_OK;
}
