/* aggregate, CPU.  Needs: rows of incoming arcs, each ascending; features that nobody changes during the run.
 * Method: a row is walked once for each piece of 64 columns or fewer, whose sums stay in registers; its neighbours' pieces
 * are asked for a few arcs ahead, since each is a miss.  Work is dealt out as (chunk of rows of about equal cost, strip of
 * columns), so a hub holds up one thread for one strip and no more.
 * Order of a sum, the same for every backend: from +0, neighbours in ascending order, blocks of WFI_AGGREGATE_BLOCK of
 * them; from +0, the blocks' sums in their order; then the vertex itself, if it is its own neighbour by --self-loop alone.
 * All in f32, each product and each sum rounded by itself.  The mean divides by the number as f32.  gcn: a term is
 * x[u] * s[u] and the sum is multiplied by s[v], where s = 1/sqrt(d) computed in f64 and rounded to f32, 0 where d is 0.
 * A maximum needs no order: -0 counts and is given as 0.  NaN is always given as 0x7fc00000.
 * [1] Kipf, Welling, "Semi-Supervised Classification with Graph Convolutional Networks", ICLR 2017. */
#include "algo/aggregate/aggregate.h"

#include <math.h>
#include <omp.h>

/* An arc costs 1, a row ROW_COST.  A strip is columns that one thread does of a chunk. */
enum { CHUNK = 1 << 13, ROW_COST = 4, STRIP = 64, AHEAD = 16, LINE = 16 /* floats */, POLL_BLOCKS = 32 };

typedef enum kind { SUM, SCALED_SUM, MAX } kind;

typedef struct job {
    weft_ctx *ctx;
    weft_vid n;
    weft_eid arcs;
    const wfi_rows *in;
    const weft_aggregate_params *p;
    const float *x;
    float *scale; /* per vertex, for gcn; else NULL */
    float *out;
    size_t width;
    _Atomic bool stop;
} job;

/* --- chunks of rows -------------------------------------------------------- */

static uint64_t cost_before(const job *j, weft_vid v) { return j->in->offsets[v] + (uint64_t)ROW_COST * v; }

static size_t chunk_count(const job *j) { return (size_t)(cost_before(j, j->n) / CHUNK) + 1; }

/* The first row that chunk c does not leave to those before it. */
static weft_vid chunk_start(const job *j, size_t c) {
    weft_vid low = 0, high = j->n;
    while (low < high) {
        weft_vid middle = low + (high - low) / 2;
        if (cost_before(j, middle) < (uint64_t)c * CHUNK)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- who is a neighbour ------------------------------------------------------ */

static bool has_loop(const wfi_rows *in, weft_vid v) {
    weft_eid low = in->offsets[v], high = in->offsets[v + 1], end = high;
    while (low < high) {
        weft_eid middle = low + (high - low) / 2;
        if (in->targets[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && in->targets[low] == v;
}

/* Is the vertex its own neighbour only because --self-loop says so? */
static bool joins_itself(const job *j, weft_vid v) { return j->p->self_loop && !has_loop(j->in, v); }

static uint64_t neighbours(const job *j, weft_vid v) { return wfi_degree(j->in, v) + joins_itself(j, v); }

static void fill_scale(job *j) {
#pragma omp parallel for schedule(dynamic, 4096) num_threads(wfi_threads_for(j->ctx, j->n, 1 << 14))
    for (weft_vid v = 0; v < j->n; v++) {
        uint64_t d = neighbours(j, v);
        j->scale[v] = d ? (float)(1 / sqrt((double)d)) : 0;
    }
}

/* --- a piece of a row --------------------------------------------------------- */

static inline float larger(float a, float b) { return b > a || b != b ? b : a; }

/* The rows of the features come from anywhere in memory.  Beyond the row's end lie the arcs of the next one. */
static inline void ask_for(const job *j, weft_vid u, size_t column, size_t columns) {
    const float *x = j->x + (size_t)u * j->width + column;
    for (size_t c = 0; c < columns; c += LINE) __builtin_prefetch(x + c);
}

/* Takes up to a block of arcs into `values`, of which there are `columns`.  `columns` and `k` are constants wherever this is
 * inlined, so the values are held in registers. */
static inline __attribute__((always_inline)) void take_block(const job *j, kind k, weft_eid from, weft_eid to,
                                                             size_t column, size_t columns, float *restrict values) {
    const weft_vid *source = j->in->targets;
    for (weft_eid e = from; e < to; e++) {
        if (e + AHEAD < j->arcs) ask_for(j, source[e + AHEAD], column, columns);
        const float *restrict x = j->x + (size_t)source[e] * j->width + column;
        float s = k == SCALED_SUM ? j->scale[source[e]] : 1;
        for (size_t c = 0; c < columns; c++)
            values[c] = k == MAX ? larger(values[c], x[c]) : k == SCALED_SUM ? values[c] + x[c] * s : values[c] + x[c];
    }
}

static inline float finished(float value) { return value != value ? NAN : value; }

/* What the neighbours gave becomes the result. */
static inline __attribute__((always_inline)) void settle(const job *j, kind k, weft_vid v, size_t column,
                                                         size_t columns, const float *values) {
    float *out = j->out + (size_t)v * j->width + column;
    const float *own = j->x + (size_t)v * j->width + column;
    bool joins = joins_itself(j, v);
    uint64_t count = wfi_degree(j->in, v) + joins;
    float s = k == SCALED_SUM ? j->scale[v] : 1, divisor = (float)count;
    bool mean = k == SUM && j->p->op == WEFT_AGGREGATE_MEAN && count;
    for (size_t c = 0; c < columns; c++) {
        float value = values[c];
        if (k == MAX) {
            if (joins) value = larger(value, own[c]);
            value = count ? value + 0.0f : 0;
        } else {
            if (joins) value += k == SCALED_SUM ? own[c] * s : own[c];
            if (k == SCALED_SUM) value *= s;
            if (mean) value /= divisor;
        }
        out[c] = finished(value);
    }
}

static inline __attribute__((always_inline)) void piece(job *j, kind k, weft_vid v, size_t column, size_t columns) {
    weft_eid end = j->in->offsets[v + 1];
    float total[STRIP], sum[STRIP];
    unsigned blocks = 0;
    for (size_t c = 0; c < columns; c++) total[c] = k == MAX ? -INFINITY : 0;
    for (weft_eid e = j->in->offsets[v]; e < end;) {
        weft_eid stop = wfi_min_u64(end, e + WFI_AGGREGATE_BLOCK);
        for (size_t c = 0; c < columns; c++) sum[c] = k == MAX ? -INFINITY : 0;
        take_block(j, k, e, stop, column, columns, sum);
        for (size_t c = 0; c < columns; c++) total[c] = k == MAX ? larger(total[c], sum[c]) : total[c] + sum[c];
        e = stop;
        if (++blocks % POLL_BLOCKS == 0 && wfi_cancelled(j->ctx)) {
            atomic_store(&j->stop, true);
            return;
        }
    }
    settle(j, k, v, column, columns, total);
}

/* Columns from ... to-1 of one row, in pieces of 64, 32, ..., 1. */
static inline __attribute__((always_inline)) void do_row(job *j, kind k, weft_vid v, size_t from, size_t to) {
    for (; to - from >= 64; from += 64) piece(j, k, v, from, 64);
    if (to - from >= 32) piece(j, k, v, from, 32), from += 32;
    if (to - from >= 16) piece(j, k, v, from, 16), from += 16;
    if (to - from >= 8) piece(j, k, v, from, 8), from += 8;
    if (to - from >= 4) piece(j, k, v, from, 4), from += 4;
    for (; from < to; from++) piece(j, k, v, from, 1);
}

/* --- all of it ------------------------------------------------------------------ */

static void do_unit(job *j, kind k, size_t chunk, size_t strip) {
    size_t from = strip * STRIP, to = wfi_min_u64(j->width, from + STRIP);
    weft_vid end = chunk_start(j, chunk + 1);
    for (weft_vid v = chunk_start(j, chunk); v < end && !atomic_load_explicit(&j->stop, memory_order_relaxed); v++) {
        if (k == SUM)
            do_row(j, SUM, v, from, to);
        else if (k == SCALED_SUM)
            do_row(j, SCALED_SUM, v, from, to);
        else
            do_row(j, MAX, v, from, to);
    }
}

static weft_status do_all(job *j, kind k) {
    size_t strips = (j->width + STRIP - 1) / STRIP, units = chunk_count(j) * strips;
    _Atomic size_t done = 0;
#pragma omp parallel num_threads(wfi_threads_for(j->ctx, (j->in->offsets[j->n] + j->n) * j->width, 1 << 16))
    {
        bool calling = omp_get_thread_num() == 0;
#pragma omp for schedule(dynamic, 1)
        for (size_t unit = 0; unit < units; unit++) {
            if (atomic_load_explicit(&j->stop, memory_order_relaxed)) continue;
            if (wfi_cancelled(j->ctx)) atomic_store(&j->stop, true);
            do_unit(j, k, unit / strips, unit % strips);
            size_t so_far = atomic_fetch_add(&done, 1) + 1;
            if (calling) wfi_progress(j->ctx, "aggregating", so_far, units);
        }
    }
    return atomic_load(&j->stop) ? wfi_fail_cancelled(j->ctx) : WEFT_OK;
}

weft_status wfi_aggregate_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result) {
    const weft_aggregate_params *p = params;
    job j = {.ctx = ctx, .n = g->n, .arcs = g->arcs, .p = p, .x = p->features.data, .width = (size_t)p->features.width};
    kind k = p->normalize ? SCALED_SUM : p->op == WEFT_AGGREGATE_MAX ? MAX : SUM;
    weft_status st = wfi_graph_need_in(ctx, g);
    if (st) return st;
    j.in = wfi_in_at_hand(g);
    st = wfi_result_matrix(ctx, result, "f", WEFT_F32, g->n, j.width, &j.out);
    if (!st && k == SCALED_SUM) st = wfi_alloc(ctx, &j.scale, g->n);
    if (!st && k == SCALED_SUM) fill_scale(&j);
    if (!st) st = do_all(&j, k);
    if (!st) st = wfi_result_scalar_u64(ctx, result, "rows", g->n);
    if (!st) st = wfi_result_scalar_u64(ctx, result, "width", j.width);
    wfi_free(j.scale);
    return st;
}
