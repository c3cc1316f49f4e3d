/* aggregate on CPU cores, the gradient of max pooling.  Needs: rows of incoming and of outgoing arcs, each ascending.
 * The gradient goes to the argmax: of equal values (-0 and 0 are) the first in the row, and the vertex itself, if it is
 * its own neighbour by --self-loop alone, after the row; if there is a NaN, the first NaN.  Along parallel arcs it goes
 * once.
 * Method: a strip of columns at a time: its argmax ("winner") is found along the incoming arcs and kept; then each
 * vertex adds up the gradients that it has won along its outgoing arcs.  The order of that sum is the order of
 * aggregate_cpu.c, with 0 for gradients that others have won.  Ranks find the winners at their own vertices, and gather
 * all winners. */
#include "algo/aggregate/aggregate_cpu.h"
#include "ranks/spread.h"

enum { STRIP = WFI_AGGREGATE_STRIP, AHEAD = 8, LINE = 64 };

typedef wfi_aggregate_job job;

static weft_vid *winners_of(const job *j, weft_vid v) { return j->winner + (size_t)v * wfi_min_u64(j->width, STRIP); }

/* The numbers of row v from column `first` on, as f32: in place, or widened into `widened`. */
static const float *numbers(const job *j, const weft_matrix *m, weft_vid v, size_t first, size_t columns,
                            float widened[STRIP]) {
    size_t at = (size_t)v * j->width + first;
    if (m->type == WEFT_F32) return (const float *)m->data + at;
    if (m->type == WEFT_F16)
        for (size_t c = 0; c < columns; c++) widened[c] = wfi_aggregate_load(WEFT_F16, m->data, at + c);
    else
        for (size_t c = 0; c < columns; c++) widened[c] = wfi_aggregate_load(WEFT_BF16, m->data, at + c);
    return widened;
}

/* Rows lie anywhere in memory: prefetched a few arcs ahead, their cache misses overlap. */
static inline void ask_for(const void *data, size_t bytes) {
    for (size_t b = 0; b < bytes; b += LINE) __builtin_prefetch((const char *)data + b);
}

static void ask_for_numbers(const job *j, const weft_matrix *m, weft_vid v, size_t first, size_t columns) {
    size_t each = wfi_matrix_bytes(m->type);
    ask_for((const char *)m->data + ((size_t)v * j->width + first) * each, columns * each);
}

/* --- argmax ------------------------------------------------------------------------ */

/* Compares u's values with the best so far. */
static void compare(const job *j, weft_vid u, size_t first, size_t columns, float *restrict best,
                    weft_vid *restrict winner) {
    float widened[STRIP];
    const float *restrict x = numbers(j, j->p->forward, u, first, columns, widened);
    for (size_t c = 0; c < columns; c++) {
        bool better = (x[c] > best[c]) | ((x[c] != x[c]) & (best[c] == best[c])) | (winner[c] == WEFT_NO_VERTEX);
        best[c] = better ? x[c] : best[c];
        winner[c] = better ? u : winner[c];
    }
}

static void find_winners(job *j, weft_vid r, size_t first, size_t columns) {
    const wfi_view *in = j->in;
    weft_vid v = j->first + r, *winner = winners_of(j, v);
    float best[STRIP];
    for (size_t c = 0; c < columns; c++) best[c] = -INFINITY, winner[c] = WEFT_NO_VERTEX;
    weft_eid from = in->offsets[r], end = in->offsets[r + 1];
    for (weft_eid e = from; e < end; e++) {
        if (e + AHEAD < in->offsets[j->n]) ask_for_numbers(j, j->p->forward, in->targets[e + AHEAD], first, columns);
        compare(j, in->targets[e], first, columns, best, winner);
        weft_eid taken = e + 1 - from;
        if (taken % WFI_AGGREGATE_BLOCK == 0 && wfi_aggregate_poll(j, (unsigned)(taken / WFI_AGGREGATE_BLOCK))) return;
    }
    if (wfi_aggregate_joins(j, in, r)) compare(j, v, first, columns, best, winner);
}

/* --- gradients ------------------------------------------------------------------------ */

/* Adds the gradients that u has won at v. */
static void collect(const job *j, weft_vid u, weft_vid v, size_t first, size_t columns, float *restrict sum) {
    float widened[STRIP];
    const weft_vid *restrict winner = winners_of(j, v);
    const float *restrict y = numbers(j, j->p->features, v, first, columns, widened);
    for (size_t c = 0; c < columns; c++) {
        float all = y[c]; /* read in any case, so that no branch is needed */
        sum[c] += winner[c] == u ? all : 0;
    }
}

static void add_up(job *j, weft_vid r, size_t first, size_t columns) {
    weft_vid u = j->first + r;
    weft_eid from = j->rows->offsets[r], end = j->rows->offsets[r + 1];
    float total[STRIP] = {0};
    unsigned blocks = 0;
    for (weft_eid block = from; block < end; block += WFI_AGGREGATE_BLOCK) {
        weft_eid stop = wfi_min_u64(end, block + WFI_AGGREGATE_BLOCK);
        float sum[STRIP] = {0};
        for (weft_eid e = block; e < stop; e++) {
            if (e + AHEAD < j->rows->offsets[j->n]) {
                weft_vid later = j->rows->targets[e + AHEAD];
                ask_for(winners_of(j, later), columns * sizeof *j->winner);
                ask_for_numbers(j, j->p->features, later, first, columns);
            }
            bool parallel = e > from && j->rows->targets[e - 1] == j->rows->targets[e];
            if (!parallel) collect(j, u, j->rows->targets[e], first, columns, sum);
        }
        for (size_t c = 0; c < columns; c++) total[c] += sum[c];
        if (wfi_aggregate_poll(j, ++blocks)) return;
    }
    if (wfi_aggregate_joins(j, j->rows, r)) collect(j, u, u, first, columns, total);
    size_t at = (size_t)r * j->width + first;
    for (size_t c = 0; c < columns; c++) wfi_aggregate_store(j->p->features->type, j->out, at + c, total[c]);
}

/* --- the run ---------------------------------------------------------------------------------- */

static void winners_unit(job *j, weft_vid from, weft_vid to, size_t first, size_t last) {
    for (weft_vid r = from; r < to && !wfi_aggregate_stopped(j); r++) find_winners(j, r, first, last - first);
}

static void sums_unit(job *j, weft_vid from, weft_vid to, size_t first, size_t last) {
    for (weft_vid r = from; r < to && !wfi_aggregate_stopped(j); r++) add_up(j, r, first, last - first);
}

static weft_status gather_winners(job *j, weft_status mine) {
    size_t each = (size_t)wfi_min_u64(j->width, STRIP) * sizeof *j->winner;
    weft_status st = wfi_agree(j->ctx, mine);
    return st ? st : wfi_spread_allgather(j->ctx, j->spread, &j->spread->part[0], j->winner, each);
}

weft_status wfi_aggregate_back_max(job *j, const wfi_view *in) {
    weft_status st = WEFT_OK;
    j->in = in;
    j->total = wfi_aggregate_steps(j, in, j->width) + wfi_aggregate_steps(j, j->rows, j->width);
    for (size_t first = 0; first < j->width && !st; first += STRIP) {
        size_t last = wfi_min_u64(j->width, first + STRIP);
        st = gather_winners(j, wfi_aggregate_sweep(j, in, first, last, winners_unit));
        if (!st) st = wfi_aggregate_sweep(j, j->rows, first, last, sums_unit);
        st = wfi_agree(j->ctx, st);
    }
    return st;
}
