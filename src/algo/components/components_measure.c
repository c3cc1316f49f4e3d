/* Statistics of component labels, CPU: the most frequent label, the number of components, the size of the largest.
 * Method: most graphs have one giant component.  Its label is guessed from a sample and counted by each thread for
 * itself; only if another component might be larger are all sizes counted, by atomics. */
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

/* Sizes less the smallest vertex, which is not counted: singletons cost no atomic addition. */
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
    /* Of the others each but one has at least one vertex. */
    uint64_t others = components - 1, room = n - in_giant;
    uint64_t rival = others ? room - (others - 1) : 0;
    *largest = in_giant >= rival ? in_giant : largest_of_all(ctx, label, n, size);
}
