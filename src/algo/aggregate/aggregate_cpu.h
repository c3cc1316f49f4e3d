/* aggregate on CPU cores: the state of a run, its parallel loop, and its number formats.  A unit of work is a chunk of
 * rows of about equal cost and a strip of columns, so that a hub holds up one thread for one strip only; no two threads
 * write one value.  Computation is in f32, whatever the format in memory. */
#ifndef WFI_AGGREGATE_CPU_H
#define WFI_AGGREGATE_CPU_H

#include "algo/aggregate/aggregate.h"
#include "core/narrow.h"

#include <math.h>

/* Columns of a unit of work; blocks between two polls. */
enum { WFI_AGGREGATE_STRIP = 64, WFI_AGGREGATE_POLL = 32 };

typedef struct wfi_aggregate_job {
    weft_ctx *ctx;
    const weft_aggregate_params *p;
    const wfi_view *rows; /* rows whose sums are the result: of incoming arcs, or of outgoing arcs for a gradient */
    weft_vid n;           /* rows */
    weft_vid first;       /* the vertex of row 0 */
    size_t width;
    float *scale; /* factor of a vertex's vector in the sums, for each vertex of the graph; or NULL */
    bool counts;  /* incoming arcs have no rows: they are counted */
    uint64_t *count;
    weft_vid *winner;   /* gradient of a maximum: the argmax, for a strip of columns */
    const wfi_view *in; /* and the rows in which it is found */
    struct wfi_spread *spread;
    void *out; /* result, of the features' type */
    uint64_t done, total;
    _Atomic bool stop;
} wfi_aggregate_job;

/* Rows from ... to-1 in the columns first ... last-1, at most a strip. */
typedef void (*wfi_aggregate_unit)(wfi_aggregate_job *j, weft_vid from, weft_vid to, size_t first, size_t last);

/* All rows, in these columns. */
weft_status wfi_aggregate_sweep(wfi_aggregate_job *j, const wfi_view *rows, size_t first, size_t last,
                                wfi_aggregate_unit unit);
/* The steps of a sweep, for j->total. */
uint64_t wfi_aggregate_steps(const wfi_aggregate_job *j, const wfi_view *rows, size_t columns);

/* On ranks whose GPUs compute (aggregate_ranks_cuda.c): aggregate_cpu.c makes the run's arrays and the factors of
 * vertices, the function the column. */
typedef weft_status (*wfi_aggregate_gpu)(wfi_aggregate_job *j, void *state);
weft_status wfi_aggregate_with(wfi_job *run, wfi_aggregate_gpu gpu, void *state); /* NULL: on CPU cores */
/* The host's part of the plan of a run on ranks. */
void wfi_aggregate_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                              wfi_choice *choice);

/* Gradient of a maximum, on ranks: bytes of the winners at a vertex, for all strips. */
static inline uint64_t wfi_aggregate_back_max_sends(const weft_aggregate_params *p) {
    uint64_t width = p->features->width, strip = wfi_min_u64(width, WFI_AGGREGATE_STRIP);
    return (width + WFI_AGGREGATE_STRIP - 1) / WFI_AGGREGATE_STRIP * strip * sizeof(weft_vid);
}

/* True if the vertex of row r is its own neighbour by --self-loop alone.  The rows may be those of either direction. */
bool wfi_aggregate_joins(const wfi_aggregate_job *j, const wfi_view *rows, weft_vid r);

static inline bool wfi_aggregate_stopped(wfi_aggregate_job *j) {
    return atomic_load_explicit(&j->stop, memory_order_relaxed);
}

/* Polls after a block of a long row; true if the run is to end. */
static inline bool wfi_aggregate_poll(wfi_aggregate_job *j, unsigned blocks) {
    if (blocks % WFI_AGGREGATE_POLL == 0 && wfi_cancelled(j->ctx)) atomic_store(&j->stop, true);
    return wfi_aggregate_stopped(j);
}

static inline float wfi_aggregate_load(weft_type type, const void *data, size_t i) {
    if (type == WEFT_F16) return wfi_f16_value(((const uint16_t *)data)[i]);
    if (type == WEFT_BF16) return wfi_bf16_value(((const uint16_t *)data)[i]);
    return ((const float *)data)[i];
}

static inline void wfi_aggregate_store(weft_type type, void *data, size_t i, float value) {
    if (type == WEFT_F16)
        ((uint16_t *)data)[i] = wfi_f16_of(value);
    else if (type == WEFT_BF16)
        ((uint16_t *)data)[i] = wfi_bf16_of(value);
    else
        ((float *)data)[i] = value != value ? NAN : value;
}

/* aggregate_back_max.c: the gradient of a maximum.  Fills j->out; j->rows are the rows of outgoing arcs, j->winner has
 * an entry for each vertex and column of a strip. */
weft_status wfi_aggregate_back_max(wfi_aggregate_job *j, const wfi_view *in);

#endif
