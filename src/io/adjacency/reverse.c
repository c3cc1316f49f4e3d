/* Multiset equality by a commutative hash (reverse.h); only if the sums differ are the hashes sorted, to find an arc
 * without its mirror. */
#include "io/adjacency/reverse.h"
#include "core/scan.h"
#include "core/search.h"

#include <string.h>

/* Integer and real weights of the same value have the same hash, since blocks of one file may differ in type. */
static uint64_t weight_bits(const wfi_piece *p, uint64_t i) {
    if (!p->weights) return 0;
    double value = wfi_weight_at(p->weight_type, p->weights, i);
    float real = (float)value;
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    if (p->weight_type != WEFT_WEIGHT_F64) return bits;
    uint64_t wide;
    memcpy(&wide, &value, sizeof wide);
    return wide;
}

static uint64_t pair_of(const wfi_piece *p, uint64_t i) {
    uint64_t u = p->narrow[2 * i], v = p->narrow[2 * i + 1];
    return u < v ? u << 32 | v : v << 32 | u;
}

static uint64_t hash_of(const wfi_piece *p, uint64_t i) {
    return wfi_mix(wfi_mix(pair_of(p, i)) + 0x9e3779b97f4a7c15u * (weight_bits(p, i) + 1));
}

wfi_reverses wfi_reverses_count(weft_ctx *ctx, const wfi_edges *edges) {
    uint64_t below = 0, above = 0, loops = 0, balance = 0;
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(dynamic) reduction(+ : below, above, loops, balance)
    for (size_t k = 0; k < edges->count; k++) {
        const wfi_piece *p = &edges->pieces[k];
        for (uint64_t i = 0; i < p->count; i++) {
            uint32_t u = p->narrow[2 * i], v = p->narrow[2 * i + 1];
            uint64_t hash = hash_of(p, i);
            below += u < v;
            above += u > v;
            loops += u == v;
            balance += u < v ? hash : u > v ? 0 - hash : 0;
        }
    }
    return (wfi_reverses){below, above, loops, balance};
}

/* Writes the hashes that one list holds more often than the other to rest[], ascending; returns their number. */
static size_t difference(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count, uint64_t *rest) {
    size_t i = 0, j = 0, found = 0;
    while (i < a_count || j < b_count) {
        if (i < a_count && j < b_count && a[i] == b[j]) {
            i++;
            j++;
        } else if (j == b_count || (i < a_count && a[i] < b[j])) {
            rest[found++] = a[i++];
        } else {
            rest[found++] = b[j++];
        }
    }
    return found;
}

static bool holds(const uint64_t *a, size_t count, uint64_t x) {
    size_t at = wfi_lower_bound_u64(a, 0, count, x);
    return at < count && a[at] == x;
}

static bool reverse_is_listed(const wfi_edges *edges, uint32_t u, uint32_t v) {
    for (size_t k = 0; k < edges->count; k++)
        for (uint64_t i = 0; i < edges->pieces[k].count; i++)
            if (edges->pieces[k].narrow[2 * i] == v && edges->pieces[k].narrow[2 * i + 1] == u) return true;
    return false;
}

static void split_hashes(const wfi_edges *edges, uint64_t *below, uint64_t *above) {
    for (size_t k = 0; k < edges->count; k++) {
        const wfi_piece *p = &edges->pieces[k];
        for (uint64_t i = 0; i < p->count; i++) {
            if (p->narrow[2 * i] < p->narrow[2 * i + 1]) *below++ = hash_of(p, i);
            if (p->narrow[2 * i] > p->narrow[2 * i + 1]) *above++ = hash_of(p, i);
        }
    }
}

static void find_first(const wfi_edges *edges, const uint64_t *rest, size_t count, wfi_unreversed *out) {
    for (size_t k = 0; k < edges->count; k++) {
        const wfi_piece *p = &edges->pieces[k];
        for (uint64_t i = 0; i < p->count; i++) {
            if (p->narrow[2 * i] == p->narrow[2 * i + 1] || !holds(rest, count, hash_of(p, i))) continue;
            *out = (wfi_unreversed){k, i, reverse_is_listed(edges, p->narrow[2 * i], p->narrow[2 * i + 1])};
            return;
        }
    }
}

weft_status wfi_reverses_missing(weft_ctx *ctx, const wfi_edges *edges, const wfi_reverses *counts,
                                 wfi_unreversed *out) {
    *out = (wfi_unreversed){0};
    uint64_t *below = NULL, *above = NULL, *rest = NULL;
    weft_status st = wfi_alloc(ctx, &below, counts->below);
    if (!st) st = wfi_alloc(ctx, &above, counts->above);
    if (!st) st = wfi_alloc(ctx, &rest, counts->below + counts->above);
    if (st) goto done;
    split_hashes(edges, below, above);
    st = wfi_sort_u64(ctx, below, counts->below);
    if (!st) st = wfi_sort_u64(ctx, above, counts->above);
    if (st) goto done;
    find_first(edges, rest, difference(below, counts->below, above, counts->above, rest), out);
done:
    WFI_FREE(below, above, rest);
    return st;
}
