/* aggregate on CPU cores: the parallel loop over rows and columns (aggregate_cpu.h).
 * Method: units of (chunk of rows of equal cost, strip of columns), taken dynamically.  An arc costs 1, a row ROW_COST;
 * a chunk is rows of about CHUNK together, found by binary search in the offsets. */
#include "algo/aggregate/aggregate_cpu.h"
#include "core/search.h"

#include <omp.h>

enum { CHUNK = 1 << 13, ROW_COST = 4 };

static uint64_t cost_before(const wfi_view *rows, weft_vid r) {
    return rows->offsets[r] - rows->offsets[0] + (uint64_t)ROW_COST * r;
}

static size_t chunk_count(const wfi_view *rows, weft_vid n) { return (size_t)(cost_before(rows, n) / CHUNK) + 1; }

/* The first row of chunk c. */
static weft_vid chunk_start(const wfi_view *rows, weft_vid n, size_t c) {
    weft_vid low = 0, high = n;
    WFI_BISECT(low, high, middle, cost_before(rows, middle) < (uint64_t)c * CHUNK);
    return low;
}

static size_t strip_count(size_t columns) { return (columns + WFI_AGGREGATE_STRIP - 1) / WFI_AGGREGATE_STRIP; }

uint64_t wfi_aggregate_steps(const wfi_aggregate_job *j, const wfi_view *rows, size_t columns) {
    return (uint64_t)chunk_count(rows, j->n) * strip_count(columns);
}

weft_status wfi_aggregate_sweep(wfi_aggregate_job *j, const wfi_view *rows, size_t first, size_t last,
                                wfi_aggregate_unit unit) {
    size_t strips = strip_count(last - first), units = chunk_count(rows, j->n) * strips;
    _Atomic uint64_t done = j->done;
#pragma omp parallel num_threads(wfi_threads_for(j->ctx, cost_before(rows, j->n) * (last - first), 1 << 16))
    {
        bool calling = omp_get_thread_num() == 0;
#pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < units; i++) {
            size_t chunk = i / strips, column = first + i % strips * WFI_AGGREGATE_STRIP;
            if (wfi_aggregate_stopped(j)) continue;
            if (wfi_cancelled(j->ctx)) atomic_store(&j->stop, true);
            unit(j, chunk_start(rows, j->n, chunk), chunk_start(rows, j->n, chunk + 1), column,
                 wfi_min_u64(last, column + WFI_AGGREGATE_STRIP));
            uint64_t so_far = atomic_fetch_add(&done, 1) + 1;
            if (calling) wfi_progress(j->ctx, "aggregating", so_far, j->total);
        }
    }
    j->done += units;
    return atomic_load(&j->stop) ? wfi_fail_cancelled(j->ctx) : WEFT_OK;
}

static bool has_target(const wfi_view *rows, weft_vid r, weft_vid v) {
    weft_eid end = rows->offsets[r + 1], at = wfi_lower_bound_u32(rows->targets, rows->offsets[r], end, v);
    return at < end && rows->targets[at] == v;
}

bool wfi_aggregate_joins(const wfi_aggregate_job *j, const wfi_view *rows, weft_vid r) {
    return j->p->self_loop && !has_target(rows, r, j->first + r);
}
