/* Exclusive prefix sum: each thread sums its share, shares are scanned, each thread writes its share. */
#include "core/scan.h"

#include <omp.h>

enum { SERIAL_BELOW = 1 << 15 };

static uint64_t scan_range(uint64_t *a, size_t from, size_t to, uint64_t sum) {
    for (size_t i = from; i < to; i++) {
        uint64_t x = a[i];
        a[i] = sum;
        sum += x;
    }
    return sum;
}

weft_status wfi_exclusive_scan(weft_ctx *ctx, uint64_t *a, size_t count) {
    int threads = count < SERIAL_BELOW ? 1 : wfi_threads(ctx);
    if (threads == 1) {
        a[count] = scan_range(a, 0, count, 0);
        return WEFT_OK;
    }
    uint64_t *share, total = 0;
    if (wfi_alloc(ctx, &share, (size_t)threads)) return WEFT_ENOMEM;
#pragma omp parallel num_threads(threads)
    {
        size_t team = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        size_t from = count * me / team, to = count * (me + 1) / team;
        uint64_t sum = 0;
        for (size_t i = from; i < to; i++) sum += a[i];
        share[me] = sum;
#pragma omp barrier
#pragma omp single
        total = scan_range(share, 0, team, 0);
        scan_range(a, from, to, share[me]);
    }
    a[count] = total;
    wfi_free(share);
    return WEFT_OK;
}
