/* Sums of hops, estimated (near.h): HyperBall [1].
 * Method: the ball of a vertex, those that reach it within t hops, is the union of its neighbours' balls of t - 1 hops
 * and its own.  A ball is a sketch (sketch.h), whose size is estimated.  Rows of which no vertex changed in the last
 * step are passed over.
 * Registers are integers; a vertex adds up its distances step after step.  So bits depend on nothing but the graph.
 * [1] Boldi, Vigna, "In-Core Computation of Geometric Centralities with HyperBall", ICDM Workshops 2013. */
#include "algo/closeness/near.h"

#include <string.h>

enum { UNIT = 64 };

void wfi_closeness_balls_lay_out(wfi_workspace *w, const wfi_closeness *t, uint64_t registers, wfi_closeness_balls *b) {
    b->registers = registers;
    wfi_array(w, &b->now, t->g->n * registers);
    wfi_array(w, &b->next, t->g->n * registers);
    wfi_array(w, &b->changed, t->g->n);
    wfi_array(w, &b->changing, t->g->n);
    wfi_array(w, &b->size, t->g->n);
    wfi_array(w, &b->sum, t->g->n);
    wfi_array(w, &b->empty, registers + 1);
}

static double size_of(const wfi_closeness_balls *b, const uint8_t *sketch) {
    wfi_sketch_sum s = {0, 0};
    for (uint64_t i = 0; i < b->registers; i++) wfi_sketch_add(&s, sketch[i]);
    return wfi_sketch_size(b->registers, b->empty, s);
}

static void begin(const wfi_closeness_balls *b, weft_vid v) {
    uint64_t hash = wfi_splitmix(v);
    uint8_t *sketch = b->now + v * b->registers;
    memset(sketch, 0, b->registers);
    sketch[hash & (b->registers - 1)] = wfi_sketch_says(hash);
    memcpy(b->next + v * b->registers, sketch, b->registers);
    b->changed[v] = 1;
    b->size[v] = size_of(b, sketch);
    b->sum[v] = 0;
}

/* Sketches are some 16 registers long. */
static void take_greater(uint8_t *restrict sketch, const uint8_t *restrict other, uint64_t registers) {
    for (uint64_t i = 0; i < registers; i += WFI_SKETCH_LEAST)
        for (uint64_t k = i; k < i + WFI_SKETCH_LEAST; k++) sketch[k] = sketch[k] < other[k] ? other[k] : sketch[k];
}

/* One more hop around v.  What did not change now and did not in the step before is in both places. */
static bool grow(const wfi_closeness *t, const wfi_closeness_balls *b, weft_vid v) {
    const uint8_t *own = b->now + v * b->registers;
    uint8_t *sketch = b->next + v * b->registers;
    if (b->changed[v]) memcpy(sketch, own, b->registers);
    uint8_t any = 0;
    for (weft_eid e = t->back->offsets[v]; e < t->back->offsets[v + 1]; e++) {
        weft_vid u = t->back->targets[e];
        if (!b->changed[u]) continue;
        take_greater(sketch, b->now + u * b->registers, b->registers);
        any = 1;
    }
    return any && memcmp(sketch, own, b->registers) != 0;
}

static void add(const wfi_closeness *t, const wfi_closeness_balls *b, weft_vid v, double hops) {
    double size = size_of(b, b->next + v * b->registers), fresh = size - b->size[v];
    b->size[v] = size;
    b->sum[v] += t->harmonic ? fresh / hops : fresh * hops;
}

/* Returns how many vertices changed. */
static uint64_t step(weft_ctx *ctx, const wfi_closeness *t, const wfi_closeness_balls *b, double hops) {
    uint64_t changes = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : changes) num_threads(wfi_threads_for(ctx, t->g->n, UNIT))
    for (uint64_t from = 0; from < t->g->n; from += UNIT) {
        if (wfi_cancelled(ctx)) continue;
        for (weft_vid v = (weft_vid)from; v < wfi_min_u64(from + UNIT, t->g->n); v++) {
            b->changing[v] = grow(t, b, v);
            if (!b->changing[v]) continue;
            add(t, b, v, hops);
            changes++;
        }
    }
    return changes;
}

weft_status wfi_closeness_by_balls(weft_ctx *ctx, const wfi_closeness *t, wfi_closeness_balls *b) {
    weft_vid n = t->g->n;
    uint64_t hops = 1;
    wfi_sketch_weigh(b->registers, b->empty);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, n, UNIT))
    for (weft_vid v = 0; v < n; v++) {
        begin(b, v);
        t->value[v] = b->size[v]; /* until the end: of the first ball, the vertex itself */
    }
    for (uint64_t changes = n; changes && !wfi_cancelled(ctx); hops++) {
        changes = step(ctx, t, b, (double)hops);
        wfi_progress(ctx, t->name, n - changes, n);
        uint8_t *sketches = b->now, *marks = b->changed;
        b->now = b->next;
        b->next = sketches;
        b->changed = b->changing;
        b->changing = marks;
    }
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, n, UNIT))
    for (weft_vid v = 0; v < n; v++)
        t->value[v] = wfi_closeness_value(wfi_closeness_scale_of(t), b->size[v] - t->value[v], b->sum[v]);
    return WEFT_OK;
}
