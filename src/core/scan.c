/* Exclusive prefix sum: each thread sums its share, shares are scanned, each thread writes its share. */
#include "core/scan.h"

#include <omp.h>

/* More threads than MOST would wait for memory, and their sums for a block of it. */
enum { SERIAL_BELOW = 1 << 15, MOST = 256 };

static uint64_t scan_range(uint64_t *a, size_t from, size_t to, uint64_t sum) {
    for (size_t i = from; i < to; i++) {
        uint64_t x = a[i];
        a[i] = sum;
        sum += x;
    }
    return sum;
}

void wfi_exclusive_scan(const weft_ctx *ctx, uint64_t *a, size_t count) {
    int threads = count < SERIAL_BELOW ? 1 : (int)wfi_min_u64((uint64_t)wfi_threads(ctx), MOST);
    if (threads == 1) {
        a[count] = scan_range(a, 0, count, 0);
        return;
    }
    uint64_t share[MOST], total = 0;
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
}
