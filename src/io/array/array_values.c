/* Elements of an array as ids, weights and edges.  Method: a loop for each type over a chunk of elements, so that the
 * type is dispatched once a chunk; checks of a whole lane run in parallel and find the first invalid element. */
#include "core/narrow.h"
#include "io/array/array.h"
#include "stream/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef unsigned long long ull;

enum { PIECE = 1 << 20 /* edges */, STRETCH = 4096, POLL = 256 /* chunks */ };

/* --- the header ---------------------------------------------------------------------- */

weft_status wfi_array_fail(const wfi_array *a, const char *at, const char *format, ...) {
    const wfi_array_origin *o = &a->origin;
    char message[512];
    WFI_FORMAT(message, sizeof message, format);
    uint64_t byte = o->offset + (o->unpacked ? 0 : (uint64_t)(at - a->npy.start)) + 1;
    if (!o->member) return wfi_fail_at(o->ctx, o->file, 1, byte, "%s", message);
    int shown = o->member_length < 60 ? (int)o->member_length : 60;
    return wfi_fail_at(o->ctx, o->file, 1, byte, "%.*s: %s", shown, o->member, message);
}

weft_status wfi_array_read(const wfi_array_origin *origin, const char *start, uint64_t bytes, wfi_array *a) {
    a->origin = *origin;
    if (!wfi_npy_read(&a->npy, start, bytes)) return wfi_array_fail(a, a->npy.at, "%s", a->npy.why);
    uint64_t need, have = bytes - (uint64_t)(a->npy.data - start);
    if (__builtin_mul_overflow(a->npy.count, (uint64_t)a->npy.type.bytes, &need))
        return wfi_array_fail(a, start, "the header claims more elements than a file can hold");
    if (need == have) return WEFT_OK;
    return wfi_array_fail(a, a->npy.data, "%llu elements of %u bytes take %llu bytes, but %llu follow",
                          (ull)a->npy.count, a->npy.type.bytes, (ull)need, (ull)have);
}

/* --- lanes --------------------------------------------------------------------------- */

wfi_lane wfi_lane_of(const wfi_array *a) {
    return (wfi_lane){a, a->npy.data, a->npy.type.bytes, a->npy.count, a->npy.type};
}

/* A lane from element `first` on, with elements `apart` positions from each other. */
static wfi_lane lane(const wfi_array *a, uint64_t first, uint64_t apart, uint64_t count) {
    return (wfi_lane){a, count ? a->npy.data + first * a->npy.type.bytes : a->npy.data, apart * a->npy.type.bytes,
                      count, a->npy.type};
}

wfi_lane wfi_lane_row(const wfi_array *a, uint64_t i) {
    return a->npy.fortran ? lane(a, i, a->npy.shape[0], a->npy.shape[1])
                          : lane(a, i * a->npy.shape[1], 1, a->npy.shape[1]);
}

wfi_lane wfi_lane_column(const wfi_array *a, uint64_t i) {
    return a->npy.fortran ? lane(a, i * a->npy.shape[0], 1, a->npy.shape[0])
                          : lane(a, i, a->npy.shape[1], a->npy.shape[0]);
}

wfi_lane wfi_lane_field(const wfi_array *a, size_t i) {
    const wfi_npy_field *f = &a->npy.fields[i];
    return (wfi_lane){a, a->npy.data + f->offset, a->npy.type.bytes, a->npy.count, f->type};
}

/* --- values --------------------------------------------------------------------------- */

/* clang-format off */
#define EACH(bits, swap, number, result)                                  \
    for (uint64_t i = 0; i < count; i++, p += l->step) {                  \
        bits x;                                                           \
        memcpy(&x, p, sizeof x);                                          \
        if (l->type.swapped) x = swap(x);                                 \
        to[i] = (result)(number)x;                                        \
    }                                                                     \
    break
/* clang-format on */

#define AS_IT_IS(x) (x)

/* A lane of integers or bools, by the width and sign of its elements. */
#define ALL(result)                                               \
    switch (l->type.bytes * 2 + (l->type.kind == WFI_SIGNED)) {   \
    case 2: EACH(uint8_t, AS_IT_IS, uint8_t, result);             \
    case 3: EACH(uint8_t, AS_IT_IS, int8_t, result);              \
    case 4: EACH(uint16_t, __builtin_bswap16, uint16_t, result);  \
    case 5: EACH(uint16_t, __builtin_bswap16, int16_t, result);   \
    case 8: EACH(uint32_t, __builtin_bswap32, uint32_t, result);  \
    case 9: EACH(uint32_t, __builtin_bswap32, int32_t, result);   \
    case 16: EACH(uint64_t, __builtin_bswap64, uint64_t, result); \
    default: EACH(uint64_t, __builtin_bswap64, int64_t, result);  \
    }

uint64_t wfi_lane_integers(const wfi_lane *l, uint64_t first, uint64_t count, int64_t *to) {
    const char *p = l->at + first * l->step;
    ALL(int64_t)
    if (l->type.kind == WFI_UNSIGNED && l->type.bytes == 8)
        for (uint64_t i = 0; i < count; i++)
            if (to[i] < 0) return i;
    return count;
}

static void float_values(const wfi_lane *l, uint64_t first, uint64_t count, double *to) {
    const char *p = l->at + first * l->step;
    for (uint64_t i = 0; i < count; i++, p += l->step) {
        uint64_t bits = 0;
        memcpy(&bits, p, l->type.bytes);
        if (l->type.swapped) bits = __builtin_bswap64(bits) >> (64 - 8 * l->type.bytes);
        if (l->type.bytes == 8) {
            memcpy(&to[i], &bits, sizeof to[i]);
        } else if (l->type.bytes == 4) {
            float x;
            memcpy(&x, &bits, sizeof x);
            to[i] = (double)x;
        } else {
            to[i] = (double)wfi_f16_value((uint16_t)bits);
        }
    }
}

void wfi_lane_doubles(const wfi_lane *l, uint64_t first, uint64_t count, double *to) {
    const char *p = l->at + first * l->step;
    if (l->type.kind == WFI_FLOAT) {
        float_values(l, first, count, to);
        return;
    }
    ALL(double)
}

/* --- over a whole lane -------------------------------------------------------------------- */

static const char *element(const wfi_lane *l, uint64_t i) { return l->at + i * l->step; }

weft_status wfi_lane_range(weft_ctx *ctx, const wfi_lane *l, int64_t *least, int64_t *most) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    bool stopped = false;
    uint64_t bad = l->count, stretches = l->count / STRETCH + (l->count % STRETCH != 0);
#pragma omp parallel for num_threads(wfi_threads_for(ctx, l->count, WFI_POLL_EVERY)) schedule(static) \
    reduction(min                                                                                     \
              : low, bad) reduction(max                                                               \
                                    : high) reduction(||                                              \
                                                      : stopped)
    for (uint64_t k = 0; k < stretches; k++) {
        int64_t id[STRETCH];
        uint64_t count = wfi_min_u64(STRETCH, l->count - k * STRETCH);
        stopped = stopped || (k % POLL == 0 && wfi_cancelled(ctx));
        if (stopped) continue;
        uint64_t fit = wfi_lane_integers(l, k * STRETCH, count, id);
        if (fit < count) bad = wfi_min_u64(bad, k * STRETCH + fit);
        for (uint64_t i = 0; i < fit; i++) {
            low = id[i] < low ? id[i] : low;
            high = id[i] > high ? id[i] : high;
        }
    }
    if (stopped) return wfi_fail_cancelled(ctx);
    if (bad < l->count) return wfi_array_fail(l->array, element(l, bad), "an id beyond 2^63-1");
    *least = l->count ? low : 0;
    *most = l->count ? high : -1;
    return WEFT_OK;
}

static bool is_whole(double x) { return x >= 0 && x <= UINT32_MAX && trunc(x) == x && !(x == 0 && signbit(x)); }

weft_status wfi_lane_weight_type(weft_ctx *ctx, const wfi_lane *l, bool as_double, weft_weight_type *type,
                                 uint64_t *zeros) {
    bool whole = l->type.kind != WFI_FLOAT || l->type.bytes == 8, stopped = false;
    uint64_t bad = l->count, none = 0, stretches = l->count / STRETCH + (l->count % STRETCH != 0);
#pragma omp parallel for num_threads(wfi_threads_for(ctx, l->count, WFI_POLL_EVERY)) schedule(static) \
    reduction(min : bad) reduction(&& : whole) reduction(+ : none) reduction(|| : stopped)
    for (uint64_t k = 0; k < stretches; k++) {
        double value[STRETCH];
        uint64_t count = wfi_min_u64(STRETCH, l->count - k * STRETCH);
        stopped = stopped || (k % POLL == 0 && wfi_cancelled(ctx));
        if (stopped) continue;
        wfi_lane_doubles(l, k * STRETCH, count, value);
        for (uint64_t i = 0; i < count; i++) {
            if (!isfinite(value[i]) || (!as_double && wfi_lost_as_float(value[i])))
                bad = wfi_min_u64(bad, k * STRETCH + i);
            whole = whole && is_whole(value[i]);
            none += value[i] == 0;
        }
    }
    if (stopped) return wfi_fail_cancelled(ctx);
    if (bad < l->count) {
        double value;
        wfi_lane_doubles(l, bad, 1, &value);
        return wfi_array_fail(
            l->array, element(l, bad), "weight %g is %s (`weights=ignore` reads without weights)", value,
            isfinite(value) ? wfi_weight_fault(wfi_lost_as_float(value), false) : "not a finite number");
    }
    *type = as_double ? WEFT_WEIGHT_F64 : whole ? WEFT_WEIGHT_U32 : WEFT_WEIGHT_F32;
    *zeros = none;
    return WEFT_OK;
}

/* Counts the integers that were rounded in the conversion to a float or a double. */
static uint64_t rounded(const wfi_lane *l, uint64_t first, uint64_t count, weft_weight_type type, const void *weights) {
    uint64_t found = 0;
    for (uint64_t done = 0; done < count; done += STRETCH) {
        int64_t exact[STRETCH];
        uint64_t some = wfi_min_u64(STRETCH, count - done);
        wfi_lane_integers(l, first + done, some, exact);
        for (uint64_t i = 0; i < some; i++) {
            double x = wfi_weight_at(type, weights, done + i);
            bool large = l->type.kind == WFI_UNSIGNED && exact[i] < 0; /* read as unsigned */
            found += large ? x >= 0x1p64 || (uint64_t)x != (uint64_t)exact[i] : x >= 0x1p63 || (int64_t)x != exact[i];
        }
    }
    return found;
}

void wfi_lane_weights(const wfi_lane *l, uint64_t first, uint64_t count, weft_weight_type type, void *to,
                      uint64_t *inexact) {
    for (uint64_t done = 0; done < count; done += STRETCH) {
        double value[STRETCH];
        uint64_t some = wfi_min_u64(STRETCH, count - done);
        wfi_lane_doubles(l, first + done, some, value);
        for (uint64_t i = 0; i < some; i++) {
            float x = (float)value[i];
            switch (type) {
            case WEFT_WEIGHT_NONE: break;
            case WEFT_WEIGHT_U32: ((uint32_t *)to)[done + i] = (uint32_t)value[i]; break;
            case WEFT_WEIGHT_F64: ((double *)to)[done + i] = value[i]; break;
            case WEFT_WEIGHT_F32:
                ((float *)to)[done + i] = x;
                if (l->type.kind == WFI_FLOAT) *inexact += (double)x != value[i] && trunc(value[i]) == value[i];
                break;
            }
        }
    }
    if (wfi_weights_real(type) && l->type.kind != WFI_FLOAT) *inexact += rounded(l, first, count, type, to);
}

/* --- edges: in pieces and in parallel; ids take 32 bits when all of them fit ------------------ */

static void fill_end(const wfi_lane *lane, uint64_t first, wfi_piece *p, unsigned end) {
    for (uint64_t done = 0; done < p->count; done += STRETCH) {
        int64_t id[STRETCH];
        uint64_t some = wfi_min_u64(STRETCH, p->count - done);
        wfi_lane_integers(lane, first + done, some, id);
        wfi_piece_put_ends(p, done, some, end, id);
    }
}

weft_status wfi_edges_from_lanes(weft_ctx *ctx, wfi_edges *edges, const wfi_lane *source, const wfi_lane *target,
                                 const wfi_lane *weight, weft_weight_type type) {
    int64_t least[2], most[2];
    size_t before = edges->count;
    weft_status st = wfi_lane_range(ctx, source, &least[0], &most[0]);
    if (!st) st = wfi_lane_range(ctx, target, &least[1], &most[1]);
    if (st) return st;
    bool narrow = least[0] >= 0 && least[1] >= 0 && most[0] <= UINT32_MAX && most[1] <= UINT32_MAX;
    for (uint64_t first = 0; first < source->count && !st; first += PIECE)
        st = wfi_edges_reserve(ctx, edges, wfi_min_u64(PIECE, source->count - first), weight ? type : WEFT_WEIGHT_NONE,
                               !narrow);
    if (st) return st;
    bool stopped = false;
#pragma omp parallel for num_threads(wfi_threads_for(ctx, source->count, PIECE)) schedule(dynamic) \
    reduction(||                                                                                   \
              : stopped)
    for (size_t k = before; k < edges->count; k++) {
        wfi_piece *p = &edges->pieces[k];
        uint64_t first = (uint64_t)(k - before) * PIECE;
        stopped = stopped || wfi_cancelled(ctx);
        if (stopped) continue;
        fill_end(source, first, p, 0);
        fill_end(target, first, p, 1);
        if (weight) wfi_lane_weights(weight, first, p->count, type, p->weights, &p->inexact);
    }
    return stopped ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
