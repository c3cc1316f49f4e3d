/* Top-k rows of a result by a column, and a digest of all bytes.
 * Method: each thread selects k of its share of the rows with a bounded heap; these are merged in a heap of k, and
 * sorted. */
#include "core/scan.h"
#include "run/algorithm.h"

#include <math.h>
#include <string.h>

/* --- the first k ------------------------------------------------------------------------ */

typedef struct sorting {
    const weft_column *column;
    size_t width, at;
    weft_order order;
} sorting;

/* Above 0: a comes first.  Rows without a value come last. */
static int by_value(int there_a, int there_b, int larger, weft_order order) {
    if (!there_a || !there_b) return there_a - there_b;
    return order == WEFT_LARGEST_FIRST ? larger : -larger;
}

static int compare_reals(double a, double b, weft_order order) {
    return by_value(!!isfinite(a), !!isfinite(b), (a > b) - (a < b), order);
}

/* All bits set is "not reached" or "no vertex". */
static int compare_u32(uint32_t a, uint32_t b, weft_order order) {
    return by_value(a != UINT32_MAX, b != UINT32_MAX, (a > b) - (a < b), order);
}

static double half_at(const weft_column *c, size_t i) {
    uint16_t bits = ((const uint16_t *)c->data)[i];
    return (double)(c->type == WEFT_F16 ? weft_f16_value(bits) : weft_bf16_value(bits));
}

static int compare_rows(const sorting *s, weft_vid row_a, weft_vid row_b) {
    const weft_column *c = s->column;
    const void *data = c->data;
    size_t a = row_a * s->width + s->at, b = row_b * s->width + s->at;
#define AT(T, i) (((const T *)data)[i])
#define WHOLE(T) by_value(1, 1, (AT(T, a) > AT(T, b)) - (AT(T, a) < AT(T, b)), s->order)
    switch (c->type) {
    case WEFT_U32:
    case WEFT_VERTEX: return compare_u32(AT(uint32_t, a), AT(uint32_t, b), s->order);
    case WEFT_U64: return WHOLE(uint64_t);
    case WEFT_I64: return WHOLE(int64_t);
    case WEFT_F32: return compare_reals((double)AT(float, a), (double)AT(float, b), s->order);
    case WEFT_F64: return compare_reals(AT(double, a), AT(double, b), s->order);
    case WEFT_F16:
    case WEFT_BF16: return compare_reals(half_at(c, a), half_at(c, b), s->order);
    default: break;
    }
    return 0;
#undef AT
#undef WHOLE
}

static bool comes_first(const sorting *s, weft_vid a, weft_vid b) {
    int order = compare_rows(s, a, b);
    return order ? order > 0 : a < b;
}

/* heap[0] is the last chosen row, which a better one replaces. */
static void sift_down(const sorting *s, weft_vid *heap, size_t count, size_t at) {
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count) return;
        if (child + 1 < count && comes_first(s, heap[child], heap[child + 1])) child++;
        if (comes_first(s, heap[child], heap[at])) return;
        weft_vid moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
        at = child;
    }
}

static void offer(const sorting *s, weft_vid *heap, size_t k, weft_vid row) {
    if (!comes_first(s, row, heap[0])) return;
    heap[0] = row;
    sift_down(s, heap, k, 0);
}

/* Makes a heap of the first k of the rows begin ... end-1, which are at least k. */
static void choose(const sorting *s, size_t begin, size_t end, size_t k, weft_vid *heap) {
    for (size_t i = 0; i < k; i++) heap[i] = (weft_vid)(begin + i);
    for (size_t i = k / 2; i-- > 0;) sift_down(s, heap, k, i);
    for (size_t v = begin + k; v < end; v++) offer(s, heap, k, (weft_vid)v);
}

/* Each thread selects k of its share of the rows; the first k of all these are the answer. */
static weft_status choose_by_all(weft_ctx *ctx, const sorting *s, size_t n, size_t k, size_t threads, weft_vid *heap) {
    weft_vid *chosen;
    weft_status st = wfi_alloc(ctx, &chosen, threads * k);
    if (st) return st;
#pragma omp parallel for schedule(static, 1) num_threads((int)threads)
    for (size_t t = 0; t < threads; t++) choose(s, n * t / threads, n * (t + 1) / threads, k, chosen + t * k);
    memcpy(heap, chosen, k * sizeof *heap);
    for (size_t i = k; i < threads * k; i++) offer(s, heap, k, chosen[i]);
    wfi_free(chosen);
    return WEFT_OK;
}

/* Heap sort: the last remaining row goes to the end. */
static void sort_heap(const sorting *s, weft_vid *heap, size_t k) {
    for (size_t last = k - 1; last > 0; last--) {
        weft_vid moved = heap[0];
        heap[0] = heap[last];
        heap[last] = moved;
        sift_down(s, heap, last, 0);
    }
}

weft_status weft_top_k(weft_ctx *ctx, const weft_column *column, size_t at, weft_order order, size_t k, weft_vid *out,
                       size_t *count) {
    if (count) *count = 0;
    WFI_BEGIN_WITH_OR_RETURN(ctx, column);
    if (k) WFI_NEED_OR_RETURN(ctx, out);
    WFI_NEED_OR_RETURN(ctx, count);
    weft_column full = WEFT_COLUMN_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_column", column, &full, sizeof full);
    if (st) return st;
    sorting s = {&full, full.width ? full.width : 1, at, order};
    if (full.length >= WEFT_NO_VERTEX)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "weft_top_k: more than %u rows are not sorted", WEFT_NO_VERTEX - 1);
    if (at >= s.width || (unsigned)order > WEFT_SMALLEST_FIRST)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_top_k: invalid order, or the column has no value number %zu in a row",
                        at);
    if (full.length && !full.data) return wfi_fail(ctx, WEFT_EINVAL, "weft_top_k: column has no data");
    size_t n = full.length, chosen = k < n ? k : n, threads = (size_t)wfi_threads_for(ctx, n, 1 << 16);
    if (!chosen) return WEFT_OK;
    if (threads > 1 && chosen < n / threads / 4) /* else choosing from what the threads chose takes as long */
        st = choose_by_all(ctx, &s, n, chosen, threads, out);
    else
        choose(&s, 0, n, chosen, out);
    if (st) return st;
    sort_heap(&s, out, chosen);
    *count = chosen;
    return WEFT_OK;
}

/* --- the digest ------------------------------------------------------------------------------ */

static uint64_t digest_bytes(uint64_t digest, const void *data, size_t bytes) {
    const char *at = data;
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        digest = wfi_mix(digest + word);
    }
    uint64_t rest = bytes;
    if (bytes) memcpy(&rest, at, bytes);
    return wfi_mix(digest + rest);
}

weft_status weft_result_digest(weft_ctx *ctx, const weft_result *r, uint64_t *digest) {
    if (digest) *digest = 0;
    WFI_BEGIN_WITH_OR_RETURN(ctx, r, digest);
    uint64_t h = 0;
    for (size_t i = 0; i < weft_result_column_count(r); i++) {
        const weft_column *c = weft_result_column_at(r, i);
        if (!c) return wfi_fail(ctx, WEFT_EDEVICE, "a column of the result could not be copied from the GPU");
        size_t values = c->length * (c->width ? c->width : 1);
        h = digest_bytes(wfi_mix(h + c->length), c->data, values * weft_type_size(c->type));
    }
    for (size_t i = 0; i < weft_result_scalar_count(r); i++)
        h = digest_bytes(h, &weft_result_scalar_at(r, i)->value, 8);
    *digest = h;
    return WEFT_OK;
}
