/* All-pairs hop distances of a component.
 * Method: multi-source breadth-first search (engines/msbfs); threads take groups of sources.  Sources of a group lie
 * near each other, so that a vertex is met at few different levels. */
#include "algo/distances/distances.h"

#include <omp.h>
#include <string.h>

void wfi_all_pairs_lay_out(wfi_workspace *w, const weft_ctx *ctx, weft_vid most, wfi_all_pairs *a) {
    uint64_t groups = ((uint64_t)most + WFI_MSBFS - 1) / WFI_MSBFS;
    a->most = most;
    a->threads = (int)wfi_max_u64(1, wfi_min_u64((uint64_t)wfi_threads(ctx), groups));
    wfi_array_within(w, &a->batch, most);
    wfi_array_within(w, &a->count, (uint64_t)most + 1);
    wfi_msbfs_lay_out(w, most, a->threads, &a->searches);
}

/* The results of a group. */
typedef struct listener {
    uint64_t *count;
    const weft_vid *source;
    unsigned sources;
    uint32_t *eccentricity;
} listener;

static void came(void *user, uint32_t distance, const weft_vid *vertex, uint64_t count, const wfi_msbfs_bits *fresh) {
    const listener *l = user;
    wfi_msbfs_bits any = {0};
    uint64_t pairs = 0;
    for (uint64_t i = 0; i < count; i++)
        for (int k = 0; k < WFI_MSBFS_WORDS; k++) {
            any[k] |= fresh[vertex[i]][k];
            pairs += (uint64_t)__builtin_popcountll(fresh[vertex[i]][k]);
        }
    __atomic_fetch_add(&l->count[distance], pairs, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < l->sources; i++)
        if (any[i / 64] >> i % 64 & 1) l->eccentricity[l->source[i]] = distance;
}

weft_status wfi_all_pairs_run(weft_ctx *ctx, const wfi_component *c, const wfi_all_pairs *a, uint32_t *eccentricity) {
    _Atomic bool stop = false;
    _Atomic uint64_t done = 0;
    wfi_msbfs searches = a->searches;
    searches.ctx = ctx;
    searches.along = &c->along;
    searches.back = c->back.offsets ? &c->back : &c->along;
    searches.n = c->n;
    searches.threads = 1;
    searches.came = came;
    memset(a->searches.mark, 1, c->n);
    if (wfi_msbfs_order(ctx, &c->along, WFI_MSBFS, a->searches.mark, a->batch) < c->n) return wfi_fail_cancelled(ctx);
    memset(a->count, 0, ((size_t)c->n + 1) * sizeof *a->count);
    memset(eccentricity, 0, c->n * sizeof *eccentricity);
#pragma omp parallel num_threads(a->threads)
    {
        listener l = {a->count, NULL, 0, eccentricity};
        wfi_msbfs mine = wfi_msbfs_ready(&searches, a->most, omp_get_thread_num());
        mine.user = &l;
#pragma omp for schedule(dynamic, 1)
        for (weft_vid first = 0; first < c->n; first += WFI_MSBFS) {
            if (atomic_load(&stop)) continue;
            l.source = a->batch + first;
            l.sources = (unsigned)wfi_min_u64(c->n - first, WFI_MSBFS);
            if (!wfi_msbfs_run(&mine, l.source, l.sources)) atomic_store(&stop, true);
            uint64_t now = atomic_fetch_add(&done, WFI_MSBFS) + WFI_MSBFS;
            if (omp_get_thread_num() == 0) wfi_progress(ctx, "distances", wfi_min_u64(now, c->n), c->n);
        }
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
