/* See strong_ranks_cuda.h.  What a thread reads while others better it is passed on as it is: whoever is bettered is
 * queued again. */
#include "algo/components/names.h"
#include "algo/components/strong_ranks_cuda.h"
#include "cuda/launch.cuh"

__device__ static inline bool owns(const wfi_colours_gpu &c, weft_vid v) {
    return v >= c.first && v - c.first < c.out.count;
}

__device__ static inline void put(const wfi_colours_gpu &c, weft_vid k, weft_vid *list) {
    if (!atomicExch(c.waits + k, 1u)) list[wfi_claim(c.counts + WFI_COLOURS_QUEUED)] = k;
}

__device__ static inline void mention(const wfi_colours_gpu &c, weft_vid v) {
    uint32_t bit = 1u << v % 32;
    if (!(atomicOr(c.is_addressed + v / 32, bit) & bit)) c.addressed[wfi_claim(c.addressed_count)] = v;
}

/* True: this thread has given v a better name. */
__device__ static inline bool rename_to(const wfi_colours_gpu &c, weft_vid v, weft_vid name) {
    weft_vid old = *(volatile weft_vid *)(c.colour + v);
    while (wfi_name_better(name, old)) {
        weft_vid was = atomicCAS(c.colour + v, old, name);
        if (was == old) return true;
        old = was;
    }
    return false;
}

/* f(target) for the arcs of row k, by the lanes of a warp. */
template <class F>
__device__ static inline void each_target(const wfi_view &rows, weft_vid k, unsigned lane, unsigned lanes, F f) {
    weft_eid e = rows.offsets[k] - rows.base + lane, end = rows.offsets[k + (uint64_t)1] - rows.base;
    for (; e < end; e += lanes) f(rows.targets[e]);
}

/* The first of the queue wait no more: before what they pass on brings some of them back. */
static weft_status wait_no_more(weft_ctx *ctx, const wfi_colours_gpu *given, uint64_t queued) {
    wfi_colours_gpu c = *given;
    return wfi_each(ctx, queued, [=] __device__(uint64_t i) { c.waits[c.queue[i]] = 0; });
}

weft_status wfi_colours_name(weft_ctx *ctx, const wfi_colours_gpu *given) {
    wfi_colours_gpu c = *given;
    return wfi_each(ctx, c.out.count, [=] __device__(uint64_t k) {
        weft_vid v = c.first + (weft_vid)k;
        if (c.kind[v] == WEFT_NO_VERTEX) return;
        c.colour[v] = v;
        put(c, (weft_vid)k, c.queue);
    });
}

weft_status wfi_colours_pass_on(weft_ctx *ctx, const wfi_colours_gpu *given, uint64_t queued) {
    wfi_colours_gpu c = *given;
    weft_status st = wait_no_more(ctx, given, queued);
    if (st) return st;
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = c.queue[i], name = *(volatile weft_vid *)(c.colour + c.first + k), kind = c.kind[c.first + k];
        each_target(c.out, k, lane, lanes, [&](weft_vid v) {
            if (c.kind[v] != kind || !rename_to(c, v, name)) return;
            if (owns(c, v))
                put(c, v - c.first, c.next);
            else
                mention(c, v);
        });
    });
}

weft_status wfi_colours_receive_names(weft_ctx *ctx, const wfi_colours_gpu *given, const uint32_t *received,
                                      uint64_t count) {
    wfi_colours_gpu c = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        if (rename_to(c, received[2 * i], received[2 * i + 1])) put(c, received[2 * i] - c.first, c.queue);
    });
}

weft_status wfi_colours_clear_addressed(weft_ctx *ctx, const wfi_colours_gpu *given, uint64_t count) {
    wfi_colours_gpu c = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) { c.is_addressed[c.addressed[i] / 32] = 0; });
}

/* --- marks ------------------------------------------------------------------------------------ */

/* Two threads may both find it without: it waits once. */
__device__ static inline void mark(const wfi_colours_gpu &c, weft_vid v, weft_vid *list) {
    if (*(volatile uint8_t *)(c.marked + v)) return;
    c.marked[v] = 1;
    put(c, v - c.first, list);
}

weft_status wfi_colours_mark_roots(weft_ctx *ctx, const wfi_colours_gpu *given) {
    wfi_colours_gpu c = *given;
    return wfi_each(ctx, c.out.count, [=] __device__(uint64_t k) {
        weft_vid v = c.first + (weft_vid)k;
        if (c.colour[v] == v) mark(c, v, c.queue);
    });
}

weft_status wfi_colours_look_back(weft_ctx *ctx, const wfi_colours_gpu *given, uint64_t queued) {
    wfi_colours_gpu c = *given;
    weft_status st = wait_no_more(ctx, given, queued);
    if (st) return st;
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = c.queue[i], colour = c.colour[c.first + k];
        each_target(c.in, k, lane, lanes, [&](weft_vid u) {
            if (c.colour[u] != colour) return;
            if (owns(c, u)) {
                mark(c, u, c.next);
            } else if (!*(volatile uint8_t *)(c.marked + u)) {
                c.marked[u] = 1; /* its owner gets a message */
                mention(c, u);
            }
        });
    });
}

weft_status wfi_colours_receive_marks(weft_ctx *ctx, const wfi_colours_gpu *given, const uint32_t *received,
                                      uint64_t count) {
    wfi_colours_gpu c = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) { mark(c, received[2 * i], c.queue); });
}

weft_status wfi_colours_end_round(weft_ctx *ctx, const wfi_colours_gpu *given) {
    wfi_colours_gpu c = *given;
    return wfi_each(ctx, c.n, [=] __device__(uint64_t i) {
        weft_vid v = (weft_vid)i;
        if (c.marked[v] && owns(c, v)) c.label[v - c.first] = c.colour[v];
        c.kind[v] = c.marked[v] ? WEFT_NO_VERTEX : c.colour[v];
        if (c.kind[v] != WEFT_NO_VERTEX) wfi_claim(c.counts + WFI_COLOURS_FOUND);
    });
}

/* --- labels ----------------------------------------------------------------------------------- */

weft_status wfi_colours_gather_family(weft_ctx *ctx, const wfi_colours_gpu *given) {
    wfi_colours_gpu c = *given;
    weft_status st = wfi_each(ctx, c.n, [=] __device__(uint64_t v) { c.family[v] = (uint32_t)WEFT_NO_VERTEX; });
    if (st) return st;
    return wfi_each(ctx, c.out.count, [=] __device__(uint64_t k) {
        uint32_t *half = (uint32_t *)(c.family + c.label[k]);
        atomicMin(half, c.first + (weft_vid)k);
        if (!atomicAdd(half + 1, 1u)) c.addressed[wfi_claim(c.addressed_count)] = c.label[k];
    });
}

weft_status wfi_colours_receive_family(weft_ctx *ctx, const wfi_colours_gpu *given, const uint32_t *received,
                                       uint64_t count) {
    wfi_colours_gpu c = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        const uint32_t *it = received + 3 * i;
        atomicMin(c.kind + it[0], it[1]);
        atomicAdd(c.members + (it[0] - c.first), it[2]);
    });
}

weft_status wfi_colours_relabel(weft_ctx *ctx, const wfi_colours_gpu *given) {
    wfi_colours_gpu c = *given;
    volatile uint64_t *most = c.counts + WFI_COLOURS_MOST;
    return wfi_each(ctx, c.out.count, [=] __device__(uint64_t k) {
        c.label[k] = c.kind[c.label[k]];
        if (c.members[k]) wfi_claim(c.counts + WFI_COLOURS_FOUND);
        if (c.members[k] > *most)
            atomicMax((unsigned long long *)c.counts + WFI_COLOURS_MOST, (unsigned long long)c.members[k]);
    });
}
