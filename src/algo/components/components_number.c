/* Results from the labels of components, CPU: statistics, and a topological order of the condensation.
 * Statistics: the most frequent label, the number of components, the size of the largest.  Most graphs have one giant
 * component.  Its label is guessed from a sample and counted by each thread for itself; only if another component might
 * be larger are all sizes counted, by atomics.
 * The order (of the graph of components): numbers 0, 1, ..., so that an arc from one component to another goes from a
 * larger number to a smaller one.
 * The rule.  The level of a component is the largest number of arcs between components on a path that ends in it;
 * components are numbered by descending level, those of one level by their smallest vertices.  So the numbers are
 * unique.  Weak components, which no arc joins, are all of level 0.
 * Method: Kahn's algorithm on the components, O(n + m), one thread.  Encoding: the data of a component is stored at its
 * label.  number[] has levels first, then numbers. */
#include "algo/components/components.h"
#include "core/scan.h"

#include <string.h>

enum { SAMPLES = 1024, SLOTS = 2 * SAMPLES, CHUNK = 1 << 14 };

weft_vid wfi_components_frequent(const weft_vid *value, uint64_t count, const weft_eid *rows) {
    weft_vid key[SLOTS], best = value[0];
    uint64_t seen[SLOTS], most = 0;
    memset(seen, 0, sizeof seen);
    for (uint64_t i = 0; i < SAMPLES; i++) {
        weft_vid v = value[wfi_mix(i + 1) % count];
        size_t at = (size_t)wfi_mix(v) % SLOTS;
        while (seen[at] && key[at] != v) at = (at + 1) % SLOTS;
        key[at] = v;
        seen[at]++;
        uint64_t score = rows ? seen[at] * (rows[v + 1] - rows[v]) : seen[at];
        if (score < most || (score == most && v >= best)) continue;
        most = score;
        best = v;
    }
    return best;
}

/* Sizes without the smallest vertex, which is not counted: singletons cost no atomic addition. */
static uint64_t largest_of_all(weft_ctx *ctx, const weft_vid *label, weft_vid n, uint32_t *size) {
    uint32_t most = 0;
#pragma omp parallel num_threads(wfi_threads_for(ctx, n, CHUNK)) reduction(max : most)
    {
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < n; v++) size[v] = 0;
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < n; v++)
            if (label[v] != v) __atomic_fetch_add(&size[label[v]], 1, __ATOMIC_RELAXED);
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < n; v++)
            if (size[v] > most) most = size[v];
    }
    return (uint64_t)most + 1;
}

void wfi_components_measure(weft_ctx *ctx, const weft_vid *label, weft_vid n, uint32_t *size, uint64_t *count,
                            uint64_t *largest) {
    weft_vid giant = wfi_components_frequent(label, n, NULL);
    uint64_t components = 0, in_giant = 0;
    int threads = wfi_threads_for(ctx, n, CHUNK);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : components, in_giant)
    for (weft_vid v = 0; v < n; v++) {
        components += label[v] == v;
        in_giant += label[v] == giant;
    }
    *count = components;
    /* each other component has at least one vertex */
    uint64_t others = components - 1, outside = n - in_giant;
    uint64_t rival = others ? outside - (others - 1) : 0;
    *largest = in_giant >= rival ? in_giant : largest_of_all(ctx, label, n, size);
}

/* --- the order ----------------------------------------------------------------------- */

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

/* Chains the vertices of each component, and counts the arcs into it. */
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

/* Removes the vertex v; components without remaining incoming arcs join the queue. */
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

/* Turns levels into numbers: counts them, then numbers from the deepest level on. */
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
