/* Rows on a GPU, without one: what stands behind cuda/gpu_rows.h is here the same rules (cuda/arc_changes.h), change by
 * change and arc by arc, in the host's memory.  So all of a dynamic graph on a GPU is tested on every machine, but for
 * the kernels that walk through the rules.  A program with them is linked with --wrap (cmake/WeftTests.cmake). */
#ifndef WEFT_TESTS_DYNAMIC_FAKED_ROWS_H
#define WEFT_TESTS_DYNAMIC_FAKED_ROWS_H

#include "core/scan.h"
#include "core/search.h"
#include "cuda/gpu_rows.h"

#include "histories.h"
#include "sort_bits.h"

struct wfi_gpu_rows {
    unsigned users;
    weft_vid n;
    weft_eid arcs;
    unsigned words;
    weft_eid *offsets;
    weft_vid *targets;
    uint32_t *weights;
};

static unsigned long rows_there; /* none may be left */

static struct wfi_gpu_rows *room_for(weft_vid n, weft_eid arcs, unsigned words) {
    struct wfi_gpu_rows *r = malloc(sizeof *r);
    if (!r) exit(1);
    *r = (struct wfi_gpu_rows){1, n, arcs, words, malloc(((size_t)n + 1) * 8), malloc(arcs * 4 + 4), NULL};
    r->weights = malloc(arcs * words * 4 + 4);
    if (!r->offsets || !r->targets || !r->weights) exit(1);
    rows_there++;
    return r;
}

struct wfi_gpu_rows *__wrap_wfi_gpu_rows_keep(struct wfi_gpu_rows *r);
struct wfi_gpu_rows *__wrap_wfi_gpu_rows_keep(struct wfi_gpu_rows *r) {
    r->users++;
    return r;
}

void __wrap_wfi_gpu_rows_drop(struct wfi_gpu_rows *r);
void __wrap_wfi_gpu_rows_drop(struct wfi_gpu_rows *r) {
    if (!r || --r->users) return;
    rows_there--;
    free(r->offsets);
    free(r->targets);
    free(r->weights);
    free(r);
}

uint64_t __wrap_wfi_gpu_rows_bytes(const struct wfi_gpu_rows *r);
uint64_t __wrap_wfi_gpu_rows_bytes(const struct wfi_gpu_rows *r) {
    return 8 * ((uint64_t)r->n + 1) + (4 + 4 * r->words) * r->arcs;
}

weft_vid __wrap_wfi_gpu_rows_count(const struct wfi_gpu_rows *r);
weft_vid __wrap_wfi_gpu_rows_count(const struct wfi_gpu_rows *r) { return r->n; }

int __wrap_wfi_gpu_rows_index(const struct wfi_gpu_rows *r);
int __wrap_wfi_gpu_rows_index(const struct wfi_gpu_rows *r) {
    (void)r;
    return 0;
}

weft_status __wrap_wfi_mirror_adopt(weft_ctx *ctx, weft_graph *g, struct wfi_gpu_rows *r);
weft_status __wrap_wfi_mirror_adopt(weft_ctx *ctx, weft_graph *g, struct wfi_gpu_rows *r) {
    (void)ctx;
    CHECK(g->n == r->n && g->arcs == r->arcs && wfi_weight_bytes(g->weight_type) == 4 * r->words);
    return WEFT_OK;
}

weft_status __wrap_wfi_gpu_rows_new(weft_ctx *ctx, const weft_graph *g, struct wfi_gpu_rows **out);
weft_status __wrap_wfi_gpu_rows_new(weft_ctx *ctx, const weft_graph *g, struct wfi_gpu_rows **out) {
    (void)ctx;
    struct wfi_gpu_rows *r = room_for(g->n, g->arcs, (unsigned)wfi_weight_bytes(g->weight_type) / 4);
    memcpy(r->offsets, g->out.offsets, ((size_t)g->n + 1) * 8);
    if (g->arcs) memcpy(r->targets, g->out.targets, g->arcs * 4);
    if (g->arcs && r->words) memcpy(r->weights, g->out.weights, g->arcs * r->words * 4);
    *out = r;
    return WEFT_OK;
}

weft_status __wrap_wfi_gpu_rows_download(weft_ctx *ctx, struct wfi_gpu_rows *r, const wfi_view *to);
weft_status __wrap_wfi_gpu_rows_download(weft_ctx *ctx, struct wfi_gpu_rows *r, const wfi_view *to) {
    (void)ctx;
    memcpy(wfi_own_offsets(to), r->offsets, ((size_t)r->n + 1) * 8);
    if (r->arcs) memcpy(wfi_own_targets(to), r->targets, r->arcs * 4);
    if (r->arcs && r->words) memcpy(wfi_own_weights(to), r->weights, r->arcs * r->words * 4);
    return WEFT_OK;
}

/* --- merging ------------------------------------------------------------------------------- */

static bool goes(const uint64_t *removed, uint64_t v) { return removed[v / 64] >> v % 64 & 1; }

static struct wfi_gpu_rows *filtered(const struct wfi_gpu_rows *old, const wfi_arc_batch *b, uint64_t *counts) {
    struct wfi_gpu_rows *r = room_for(old->n, old->arcs, old->words);
    weft_eid to = 0;
    for (weft_vid v = 0; v < old->n; v++) {
        r->offsets[v] = to;
        for (weft_eid e = old->offsets[v]; e < old->offsets[v + 1]; e++) {
            weft_vid u = old->targets[e];
            if (goes(b->removed, v) || goes(b->removed, u)) {
                counts[WFI_DELETED] += b->directed || v <= u;
                counts[WFI_ARCS_OUT]++;
                counts[WFI_LOOPS_OUT] += u == v;
                continue;
            }
            r->targets[to] = u;
            memcpy(r->weights + to * r->words, old->weights + e * r->words, r->words * 4);
            to++;
        }
    }
    r->offsets[old->n] = r->arcs = to;
    return r;
}

/* Where old arc p goes, the edits from `low` to `high` being all that may stand before it or at it; false: it is
 * deleted. */
static bool new_place(const wfi_arc_edits *e, uint64_t low, uint64_t high, weft_eid p, weft_eid *to) {
    uint64_t k = wfi_lower_bound_u64(e->at, low, high, p + 1);
    *to = p + (uint64_t)e->shift[k];
    return !(k > low && e->at[k - 1] == p && e->shift[k] < e->shift[k - 1]);
}

/* Where row v begins after the batch; v = rows: the end of the last. */
static weft_eid new_offset(const wfi_arc_changes *c, const wfi_arc_edits *e, weft_vid v) {
    weft_eid before = v < c->old_rows ? c->offsets[v] : c->old_arcs;
    return before + (uint64_t)e->shift[wfi_lower_bound_u32(e->row, 0, e->count, v)];
}

/* As the kernels do it: each step for all before the next. */
static struct wfi_gpu_rows *merged(const wfi_arc_changes *c, uint64_t *counts) {
    uint64_t *at = calloc(c->count + 1, 8), *tally = calloc(c->count + 1, 8);
    wfi_outcome *outcome = calloc(c->count + 1, sizeof *outcome);
    wfi_arc_edits e = {calloc(c->count + 1, 8), calloc(c->count + 1, 4), calloc(c->count + 1, 8), 0};
    if (!at || !tally || !outcome || !e.at || !e.row || !e.shift) exit(1);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < c->count; i++) {
        outcome[i] = wfi_outcome_of(c, i, &at[i]);
        weft_vid row = wfi_key_row(c->bits, c->key[i]), target = wfi_key_target(c->bits, c->key[i]);
        counts[outcome[i]] += outcome[i] != WFI_NO_CHANGE && (c->directed || row <= target);
        counts[WFI_ARCS_IN] += outcome[i] == WFI_INSERTED;
        counts[WFI_ARCS_OUT] += outcome[i] == WFI_DELETED;
        counts[WFI_LOOPS_IN] += outcome[i] == WFI_INSERTED && row == target;
        counts[WFI_LOOPS_OUT] += outcome[i] == WFI_DELETED && row == target;
        tally[i] = sum;
        sum += wfi_edit_tally(outcome[i]);
    }
    tally[c->count] = sum;
    e.count = wfi_edit_tally_edits(sum);
    for (uint64_t i = 0; i <= c->count; i++) {
        uint64_t k = wfi_edit_tally_edits(tally[i]);
        if (i < c->count && !wfi_is_edit(outcome[i])) continue;
        e.shift[k] = wfi_edit_tally_shift(tally[i]);
        if (i == c->count) break;
        e.at[k] = at[i];
        e.row[k] = wfi_key_row(c->bits, c->key[i]);
        if (k) CHECK(e.at[k - 1] <= e.at[k]);
    }
    struct wfi_gpu_rows *r = room_for(c->rows, c->old_arcs + (uint64_t)e.shift[e.count], c->words);
    memset(r->targets, 0xff, r->arcs * 4);
    for (uint64_t v = 0; v <= c->rows; v++) r->offsets[v] = new_offset(c, &e, (weft_vid)v);
    /* Chunks of 5: edits lie before, in and behind each. */
    for (weft_eid p = 0, to; p < c->old_arcs; p++) {
        uint64_t low = wfi_lower_bound_u64(e.at, 0, e.count, p / 5 * 5);
        uint64_t high = wfi_lower_bound_u64(e.at, 0, e.count, p / 5 * 5 + 5);
        if (!new_place(&e, low, high, p, &to)) continue;
        r->targets[to] = c->targets[p];
        memcpy(r->weights + to * c->words, c->weights + p * c->words, c->words * 4);
    }
    for (uint64_t i = 0; i < c->count; i++) {
        if (outcome[i] != WFI_INSERTED && outcome[i] != WFI_WEIGHED) continue;
        weft_eid to = at[i] + (uint64_t)wfi_edit_tally_shift(tally[i]);
        if (outcome[i] == WFI_INSERTED) r->targets[to] = wfi_key_target(c->bits, c->key[i]);
        if (c->words) memcpy(r->weights + to * c->words, c->fresh + (size_t)c->place[i] * c->words, c->words * 4);
    }
    free(at);
    free(tally);
    free(outcome);
    free(e.at);
    free(e.row);
    free(e.shift);
    return r;
}

weft_status __wrap_wfi_gpu_rows_merge(weft_ctx *ctx, struct wfi_gpu_rows *old, const wfi_arc_batch *b, uint64_t *counts,
                                      double *ms, struct wfi_gpu_rows **out);
weft_status __wrap_wfi_gpu_rows_merge(weft_ctx *ctx, struct wfi_gpu_rows *old, const wfi_arc_batch *b, uint64_t *counts,
                                      double *ms, struct wfi_gpu_rows **out) {
    uint64_t count = b->directed ? b->count : 2 * b->count;
    uint64_t *key = malloc(count * 8 + 8);
    uint32_t *place = malloc(count * 4 + 4);
    unsigned bits = wfi_bits(b->rows ? b->rows : 1);
    if (!key || !place) exit(1);
    memset(counts, 0, WFI_COUNTS * sizeof *counts);
    old = b->removed ? filtered(old, b, counts) : __wrap_wfi_gpu_rows_keep(old);
    for (uint64_t k = 0; k < count; k++) {
        key[k] = wfi_key_of(&(wfi_edge_changes){bits, b->directed, b->source, b->target, b->changes}, k);
        place[k] = (uint32_t)(b->directed ? k : k / 2);
    }
    weft_status st = count > 1 ? sort_bits(ctx, (wfi_sort_keys){key, place, count, 2, 2 * bits}) : WEFT_OK;
    wfi_arc_changes c = {key,       place,        count,        bits,         b->rows,    b->directed, old->n,
                         old->arcs, old->offsets, old->targets, old->weights, b->weights, old->words};
    if (!st) *out = merged(&c, counts);
    *ms = 1;
    __wrap_wfi_gpu_rows_drop(old);
    free(key);
    free(place);
    return st;
}

#endif
