/* A thread takes a huge page at a time: two of them in the same one would both clear it. */
#include "core/touch.h"

enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };

static uintptr_t first_of(const wfi_span *span) { return (uintptr_t)span->begin / HUGE_PAGE; }

static size_t huge_pages(const wfi_span *span) {
    return span->bytes ? ((uintptr_t)span->begin + span->bytes - 1) / HUGE_PAGE - first_of(span) + 1 : 0;
}

static void touch_one(const wfi_span *span, size_t number) {
    uintptr_t begin = (uintptr_t)span->begin, huge = (first_of(span) + number) * HUGE_PAGE;
    uintptr_t at = huge > begin ? huge : begin, end = wfi_min_u64(huge + HUGE_PAGE, begin + span->bytes);
    for (; at < end; at = (at / PAGE + 1) * PAGE) {
        volatile char *byte = (volatile char *)at;
        *byte = *byte;
    }
}

void wfi_touch(weft_ctx *ctx, const wfi_span *span, size_t spans) {
    size_t all = 0;
    for (size_t i = 0; i < spans; i++) all += huge_pages(&span[i]);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, all, 1))
    for (size_t k = 0; k < all; k++) {
        size_t i = 0, number = k;
        if (wfi_cancelled(ctx)) continue;
        for (; number >= huge_pages(&span[i]); i++) number -= huge_pages(&span[i]);
        touch_one(&span[i], number);
    }
}
