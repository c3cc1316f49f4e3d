/* Sums of lengths by weights (near.h): a search (lengths.h) from each vertex that is asked for, against the arcs that
 * lead to it; threads take vertices.  Distances, or reciprocals, are added in the order of the vertices.
 * What has no double is refused. */
#include "algo/closeness/near.h"

#include <math.h>
#include <omp.h>

void wfi_closeness_lengths_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_closeness *t,
                                   wfi_closeness_lengths *l) {
    uint64_t searches = t->of ? wfi_min_u64(t->of_count, t->g->n) : t->g->n;
    l->threads = (int)wfi_max_u64(1, wfi_min_u64((uint64_t)wfi_threads(ctx), searches));
    wfi_lengths_lay_out(w, t->g->n, l->threads, &l->first);
}

/* Infinite: it has no double. */
static double value_of(const wfi_closeness *t, const wfi_lengths *s, weft_vid source) {
    double sum = 0, reached = 0;
    if (s->beyond) return (double)INFINITY;
    for (weft_vid v = 0; v < t->g->n; v++) {
        double d = s->distance[v];
        if (v == source || isinf(d) || !wfi_closeness_counts(t, v)) continue;
        reached++;
        sum += !t->harmonic ? d : d > 0 ? 1 / d : 0;
    }
    return isinf(sum) ? sum : wfi_closeness_value(wfi_closeness_scale_of(t), reached, sum);
}

weft_status wfi_closeness_by_lengths(weft_ctx *ctx, const wfi_closeness *t, wfi_closeness_lengths *l) {
    _Atomic bool stop = false, beyond = false;
    _Atomic uint64_t done = 0;
    weft_vid n = t->g->n;
    uint64_t all = 0;
    for (weft_vid v = 0; v < n; v++) all += wfi_closeness_asked(t, v);
    l->first.rows = t->back;
    l->first.also = NULL;
    wfi_progress(ctx, t->name, 0, all);
#pragma omp parallel num_threads(l->threads)
    {
        wfi_lengths s = wfi_lengths_at(&l->first, omp_get_thread_num());
#pragma omp for schedule(dynamic, 1)
        for (weft_vid v = 0; v < n; v++) {
            if (!wfi_closeness_asked(t, v) || atomic_load_explicit(&stop, memory_order_relaxed)) continue;
            bool searched = wfi_lengths_from(ctx, &s, v);
            if (searched) t->value[v] = value_of(t, &s, v);
            if (searched && isinf(t->value[v])) atomic_store(&beyond, true);
            if (!searched || isinf(t->value[v])) atomic_store(&stop, true);
            uint64_t now = atomic_fetch_add_explicit(&done, 1, memory_order_relaxed) + 1;
            if (omp_get_thread_num() == 0) wfi_progress(ctx, t->name, now, all);
        }
    }
    if (atomic_load(&beyond)) return wfi_refuse_beyond(ctx, t->name);
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
