/* aggregate on CPU cores: a product of the adjacency matrix and dense features (SpMM), as in graph convolution [1].
 * Needs: rows of arcs, each ascending (incoming arcs, or outgoing ones for a gradient); features that do not change
 * during the run.
 * Method: row by row, in strips of 64 columns or fewer, whose sums stay in registers; neighbours' features are
 * prefetched a few arcs ahead, since each is a cache miss.  Distribution of rows and columns: aggregate_cpu.h.
 * Order of a sum, the same for every backend: from +0, neighbours in ascending order, in blocks of WFI_AGGREGATE_BLOCK;
 * from +0, the blocks' sums in their order; then the vertex itself, if it is its own neighbour by --self-loop alone.
 * All in f32, each product and each sum rounded by itself; features of 2 bytes are widened before and the result is
 * rounded after.  The mean divides by the number as f32.  gcn: a term is x[u] * s[u] and the sum is multiplied by s[v],
 * with s = 1/sqrt(d) computed in f64 and rounded to f32, 0 if d is 0.  Gradient of a mean: a term is x[v] * r[v], r =
 * 1/d rounded in the same way.  Gradients of a sum and of gcn are the same operations along the outgoing arcs.  A
 * maximum needs no order: -0 counts as 0 and is given as 0.  NaN always has the same bits.
 * [1] Kipf, Welling, "Semi-Supervised Classification with Graph Convolutional Networks", ICLR 2017. */
#include "algo/aggregate/aggregate_cpu.h"
#include "ranks/spread.h"

enum { STRIP = WFI_AGGREGATE_STRIP, AHEAD = 16, LINE = 64 /* bytes */ };

typedef enum kind { SUM, SCALED_SUM, MAX } kind;
typedef wfi_aggregate_job job;
/* Kind, type and number of columns are constants inside. */
#define CONSTANTS_INSIDE static inline __attribute__((always_inline))

/* --- factors of vertices -------------------------------------------------------- */

static weft_status make_scale(job *j) {
    const wfi_view *in = j->counts ? NULL : &j->spread->part[0].in;
    weft_status st = in ? WEFT_OK : wfi_spread_in_degrees(j->ctx, j->spread, j->count);
    if (st) return st;
#pragma omp parallel for schedule(dynamic, 4096) num_threads(wfi_threads_for(j->ctx, j->n, 1 << 14))
    for (weft_vid v = 0; v < j->n; v++) {
        double d = (double)((in ? wfi_degree(in, v) : j->count[v]) + wfi_aggregate_joins(j, j->rows, v));
        j->scale[j->first + v] = d > 0 ? (float)(1 / (j->p->normalize ? sqrt(d) : d)) : 0;
    }
    return wfi_spread_allgather(j->ctx, j->spread, &j->spread->part[0], j->scale, sizeof *j->scale);
}

/* --- a piece of a row --------------------------------------------------------- */

static inline float larger(float a, float b) { return b > a || b != b ? b : a; }

/* Columns at ... at+count-1 of features of a type: all but `at` is known to the compiler. */
typedef struct strip {
    kind k;
    weft_type type;
    size_t at, count;
} strip;

/* Prefetches features, whose rows lie anywhere in memory.  Beyond the row's end follow the arcs of the next row. */
CONSTANTS_INSIDE void ask_for(const job *j, strip s, weft_vid u) {
    size_t each = wfi_matrix_bytes(s.type);
    const char *x = (const char *)j->p->features->data + ((size_t)u * j->width + s.at) * each;
    for (size_t c = 0; c < s.count * each; c += LINE) __builtin_prefetch(x + c);
}

/* Adds up to a block of arcs to `values`, one for each column, held in registers. */
CONSTANTS_INSIDE void take_block(const job *j, strip s, weft_eid from, weft_eid to, float *restrict values) {
    const weft_vid *source = j->rows->targets;
    weft_eid arcs = j->rows->offsets[j->n];
    for (weft_eid e = from; e < to; e++) {
        if (e + AHEAD < arcs) ask_for(j, s, source[e + AHEAD]);
        size_t at = (size_t)source[e] * j->width + s.at;
        float by = s.k == SCALED_SUM ? j->scale[source[e]] : 1;
        for (size_t c = 0; c < s.count; c++) {
            float x = wfi_aggregate_load(s.type, j->p->features->data, at + c);
            values[c] = s.k == MAX ? larger(values[c], x) : s.k == SCALED_SUM ? values[c] + x * by : values[c] + x;
        }
    }
}

/* Makes the result from the sums over the neighbours. */
CONSTANTS_INSIDE void store_result(const job *j, strip s, weft_vid v, const float *values) {
    size_t at = (size_t)v * j->width + s.at, own_at = at + (size_t)j->first * j->width;
    bool joins = wfi_aggregate_joins(j, j->rows, v);
    uint64_t count = wfi_degree(j->rows, v) + joins;
    float by = s.k == SCALED_SUM ? j->scale[j->first + v] : 1, divisor = (float)count;
    bool mean = s.k == SUM && j->p->op == WEFT_AGGREGATE_MEAN && count;
    for (size_t c = 0; c < s.count; c++) {
        float value = values[c], own = joins ? wfi_aggregate_load(s.type, j->p->features->data, own_at + c) : 0;
        if (s.k == MAX) {
            if (joins) value = larger(value, own);
            value = count ? value + 0.0f : 0;
        } else {
            if (joins) value += s.k == SCALED_SUM ? own * by : own;
            if (s.k == SCALED_SUM && j->p->normalize) value *= by;
            if (mean) value /= divisor;
        }
        wfi_aggregate_store(s.type, j->out, at + c, value);
    }
}

CONSTANTS_INSIDE void piece(job *j, strip s, weft_vid v) {
    weft_eid end = j->rows->offsets[v + 1];
    float total[STRIP], sum[STRIP];
    unsigned blocks = 0;
    for (size_t c = 0; c < s.count; c++) total[c] = s.k == MAX ? -INFINITY : 0;
    for (weft_eid e = j->rows->offsets[v]; e < end;) {
        weft_eid stop = wfi_min_u64(end, e + WFI_AGGREGATE_BLOCK);
        for (size_t c = 0; c < s.count; c++) sum[c] = s.k == MAX ? -INFINITY : 0;
        take_block(j, s, e, stop, sum);
        for (size_t c = 0; c < s.count; c++) total[c] = s.k == MAX ? larger(total[c], sum[c]) : total[c] + sum[c];
        e = stop;
        if (wfi_aggregate_poll(j, ++blocks)) return;
    }
    store_result(j, s, v, total);
}

/* Columns from ... to-1 of one row, in pieces of 64, 32, ..., 1. */
CONSTANTS_INSIDE void do_row(job *j, kind k, weft_type type, weft_vid v, size_t from, size_t to) {
    for (; to - from >= 64; from += 64) piece(j, (strip){k, type, from, 64}, v);
    if (to - from >= 32) piece(j, (strip){k, type, from, 32}, v), from += 32;
    if (to - from >= 16) piece(j, (strip){k, type, from, 16}, v), from += 16;
    if (to - from >= 8) piece(j, (strip){k, type, from, 8}, v), from += 8;
    if (to - from >= 4) piece(j, (strip){k, type, from, 4}, v), from += 4;
    for (; from < to; from++) piece(j, (strip){k, type, from, 1}, v);
}

/* --- the run -------------------------------------------------------------------- */

#define UNIT(name, k, type)                                                                                   \
    static void name(job *j, weft_vid from, weft_vid to, size_t first, size_t last) {                         \
        for (weft_vid v = from; v < to && !wfi_aggregate_stopped(j); v++) do_row(j, k, type, v, first, last); \
    }
UNIT(sum_f32, SUM, WEFT_F32)
UNIT(sum_f16, SUM, WEFT_F16)
UNIT(sum_bf16, SUM, WEFT_BF16)
UNIT(scaled_f32, SCALED_SUM, WEFT_F32)
UNIT(scaled_f16, SCALED_SUM, WEFT_F16)
UNIT(scaled_bf16, SCALED_SUM, WEFT_BF16)
UNIT(max_f32, MAX, WEFT_F32)
UNIT(max_f16, MAX, WEFT_F16)
UNIT(max_bf16, MAX, WEFT_BF16)
static const wfi_aggregate_unit units[][WEFT_BF16 + 1] = {
    [SUM] = {[WEFT_F32] = sum_f32, [WEFT_F16] = sum_f16, [WEFT_BF16] = sum_bf16},
    [SCALED_SUM] = {[WEFT_F32] = scaled_f32, [WEFT_F16] = scaled_f16, [WEFT_BF16] = scaled_bf16},
    [MAX] = {[WEFT_F32] = max_f32, [WEFT_F16] = max_f16, [WEFT_BF16] = max_bf16},
};

static weft_status sum_or_maximum(job *j) {
    kind k = wfi_aggregate_scales(j->p) ? SCALED_SUM : j->p->op == WEFT_AGGREGATE_MAX ? MAX : SUM;
    j->total = wfi_aggregate_steps(j, j->rows, j->width);
    return wfi_aggregate_sweep(j, j->rows, 0, j->width, units[k][j->p->features->type]);
}

/* The column has this rank's rows, or all; arrays that neighbours read have all vertices. */
static void lay_out(wfi_workspace *w, weft_vid n, weft_vid rows, const weft_aggregate_params *p, bool count, job *j) {
    wfi_aggregate_column(w, rows, p, &j->out);
    if (wfi_aggregate_scales(p)) wfi_array(w, &j->scale, n);
    if (count) wfi_array(w, &j->count, rows);
    if (wfi_aggregate_is_back_max(p)) wfi_array(w, &j->winner, n * wfi_min_u64(p->features->width, STRIP));
}

void wfi_aggregate_space(wfi_workspace *w, weft_vid n, weft_vid rows, const weft_aggregate_params *p, bool count) {
    lay_out(w, n, rows, p, count, &(job){0});
}

weft_status wfi_aggregate_with(wfi_job *run, wfi_aggregate_gpu gpu, void *state) {
    weft_ctx *ctx = run->ctx;
    const weft_graph *g = run->g;
    const weft_aggregate_params *p = run->params;
    wfi_spread *s = run->spread;
    const wfi_part *part = &s->part[0];
    job j = {.ctx = ctx,
             .p = p,
             .spread = s,
             .rows = p->backward ? &part->out : &part->in,
             .n = s->vertices,
             .first = part->first,
             .width = (size_t)p->features->width,
             .counts = *WFI_DECIDED(bool, run->choice)};
    lay_out(run->space, g->n, j.n, p, j.counts, &j);
    weft_status st = wfi_agree(ctx, run->space->status);
    if (!st && wfi_aggregate_scales(p)) st = make_scale(&j);
    if (!st && gpu)
        st = gpu(&j, state);
    else if (!st)
        st = wfi_aggregate_is_back_max(p) ? wfi_aggregate_back_max(&j, &part->in) : sum_or_maximum(&j);
    return st ? st : wfi_aggregate_scalars(run);
}

weft_status wfi_aggregate_cpu(wfi_job *run) { return wfi_aggregate_with(run, NULL, NULL); }
