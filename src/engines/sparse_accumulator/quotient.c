/* See quotient.h, on CPU cores.  Method: members are listed by part, by a counting sort; then a sparse accumulator adds
 * up the rows of each part's members.  Threads may change the order of members, and of arcs in a row: sums do not
 * depend on it. */
#include "engines/sparse_accumulator/quotient.h"
#include "core/scan.h"
#include "graph/rows.h"

#include <omp.h>

enum { SPAN = 1 << 14, EACH = 1 << 14, AT_ONCE = 32 };

static void list_members(const weft_ctx *ctx, const wfi_sum_rows *from, const weft_vid *part, weft_vid parts,
                         weft_vid *first, weft_vid *members, weft_eid *arcs_before) {
    int threads = wfi_threads_for(ctx, from->n, EACH);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid p = 0; p <= parts; p++) first[p] = 0, arcs_before[p] = 0;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < from->n; v++) {
        if (part[v] == WEFT_NO_VERTEX) continue;
        __atomic_fetch_add(&first[part[v]], 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&arcs_before[part[v]], from->end[v] - from->begin[v], __ATOMIC_RELAXED);
    }
    wfi_exclusive_scan(ctx, arcs_before, parts);
    weft_vid sum = 0;
    for (weft_vid p = 0; p <= parts; p++) {
        sum += first[p];
        first[p] = sum; /* the end, from which positions are taken downwards */
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < from->n; v++)
        if (part[v] != WEFT_NO_VERTEX) members[__atomic_sub_fetch(&first[part[v]], 1, __ATOMIC_RELAXED)] = v;
}

/* plain: into an array of 32 bits, compiled on its own. */
static inline __attribute__((always_inline)) void contract_row_by(wfi_sum_rows from, const weft_vid *part, weft_vid p,
                                                                  const weft_vid *member, weft_vid count,
                                                                  wfi_accumulator t, wfi_sum_rows *to,
                                                                  const bool plain) {
    if (plain) wfi_accumulator_plain(&t);
    for (weft_vid i = 0; i < count; i++) {
        weft_eid e = from.begin[member[i]], end = from.end[member[i]];
        for (; end - e > AT_ONCE; e += AT_ONCE) {
            weft_vid key[AT_ONCE];
            for (unsigned k = 0; k < AT_ONCE; k++) key[k] = part[from.targets[e + k]];
            wfi_accumulator_expect(&t, key, AT_ONCE);
            for (unsigned k = 0; k < AT_ONCE; k++)
                if (key[k] != WEFT_NO_VERTEX) wfi_accumulator_add(&t, key[k], wfi_sum_weight(&from, e + k));
        }
        for (; e < end; e++)
            if (part[from.targets[e]] != WEFT_NO_VERTEX)
                wfi_accumulator_add(&t, part[from.targets[e]], wfi_sum_weight(&from, e));
    }
    weft_eid at = to->begin[p];
    for (uint32_t i = 0; i < t.count; i++) {
        weft_vid key;
        uint64_t sum = wfi_accumulator_take(&t, i, &key);
        if (key == p) continue; /* within the part */
        to->targets[at] = key;
        if (to->light)
            to->light[at] = (uint32_t)sum;
        else
            to->heavy[at] = sum;
        at++;
    }
    to->end[p] = at;
}

static void contract_row(const wfi_sum_rows *from, const weft_vid *part, weft_vid p, const weft_vid *member,
                         weft_vid count, const wfi_accumulator *t, wfi_sum_rows *to) {
    if (t->narrow)
        contract_row_by(*from, part, p, member, count, *t, to, true);
    else
        contract_row_by(*from, part, p, member, count, *t, to, false);
}

weft_status wfi_contract(weft_ctx *ctx, const wfi_sum_rows *from, const weft_vid *part, weft_vid parts,
                         const wfi_accumulators *tallies, weft_vid *first, weft_vid *members, wfi_sum_rows *to,
                         weft_vid *open) {
    weft_vid with_arcs = 0;
    bool stop = false;
    list_members(ctx, from, part, parts, first, members, to->begin);
    to->n = parts;
    to->room = to->begin[parts];
    uint64_t spans = wfi_cost_before(to->begin, parts) / SPAN + 1;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : with_arcs) \
    num_threads(wfi_threads_for(ctx, from->room, EACH))
    for (uint64_t span = 0; span < spans; span++) {
        weft_vid end = wfi_chunk_of_rows(to->begin, 0, parts, spans, span + 1);
        if (wfi_cancelled(ctx)) __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
        if (__atomic_load_n(&stop, __ATOMIC_RELAXED)) continue;
        for (weft_vid p = wfi_chunk_of_rows(to->begin, 0, parts, spans, span); p < end; p++) {
            uint64_t arcs = to->begin[p + 1] - to->begin[p];
            const weft_vid *member = members + first[p];
            weft_vid count = first[p + 1] - first[p];
            wfi_accumulator t = wfi_accumulator_for(tallies, omp_get_thread_num(), parts, arcs);
            if (wfi_accumulator_is_long(tallies, parts, arcs)) {
#pragma omp critical(wfi_long_tally)
                contract_row(from, part, p, member, count, &t, to);
            } else {
                contract_row(from, part, p, member, count, &t, to);
            }
            with_arcs += to->end[p] > to->begin[p];
        }
    }
    *open = with_arcs;
    return stop ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
