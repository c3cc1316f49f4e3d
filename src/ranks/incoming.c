/* The transpose of a graph that is spread over ranks: arcs go to the owners of their targets; in a grid to the rank in
 * the row of the target's owner and the column of the source, which is the sender's column.
 * Method: all-to-all in rounds.  A round is a window of each rank's targets and a block of sources: every rank sends
 * its arcs of the round, in the order of its rows, and received arcs are read in the order of ranks.  So sources ascend
 * in each row, as on one machine, and a round sends a small part of all arcs; each window costs a pass over all
 * targets. */
#include "ranks/spread.h"

#include <string.h>

/* Arcs that a rank sends in a round, approximately, and the bound on passes over the targets. */
enum { AT_ONCE = 1 << 22, MOST_WINDOWS = 16, DEAL = 1 << 16 /* arcs for a thread */ };

typedef struct exchange {
    weft_ctx *ctx;
    const wfi_spread *s;
    size_t weight;                        /* bytes of a weight that travels along */
    bool sources;                         /* whether sources travel */
    uint64_t *send_start, *receive_start; /* the first arc to each rank, and from each rank */
    weft_vid *bounds;                     /* two for each row of the grid: its window of targets */
    weft_vid *send, *receive;             /* targets; then sources */
    char *send_weights, *receive_weights;
    uint64_t capacity[2]; /* arcs, of send and of receive */
} exchange;

static weft_status open_exchange(exchange *x) {
    size_t ranks = (size_t)x->s->comm->link.size;
    weft_status st = wfi_alloc(x->ctx, &x->send_start, 2 * (ranks + 1));
    if (!st) st = wfi_alloc(x->ctx, &x->bounds, 2 * ranks);
    if (st) return st;
    x->receive_start = x->send_start + ranks + 1;
    return WEFT_OK;
}

static void close_exchange(exchange *x) {
    WFI_FREE(x->send_start, x->bounds, x->send, x->receive, x->send_weights, x->receive_weights);
}

static void set_window(exchange *x, const wfi_part *to, unsigned window, unsigned windows) {
    int columns = x->s->columns;
    for (int i = 0; i < x->s->comm->link.size / columns; i++) {
        weft_vid first = to->cut[i * columns];
        uint64_t rows = to->cut[(i + 1) * columns] - first;
        x->bounds[2 * i] = first + (weft_vid)(rows * window / windows);
        x->bounds[2 * i + 1] = first + (weft_vid)(rows * (window + 1) / windows);
    }
}

/* Walks the rows of `from`: counts the arcs to rank r in go[r + 1]; or writes them from go[r] on, and advances it. */
static void walk(exchange *x, const wfi_part *from, const wfi_part *to, bool put) {
    const wfi_view *rows = &from->out;
    weft_vid *sources = put && x->sources ? x->send + x->capacity[0] : NULL;
    int columns = x->s->columns, column = x->s->comm->link.rank % columns;
    for (weft_vid k = 0; k < from->end - from->first; k++) {
        int i = 0;
        for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
            weft_vid v = rows->targets[e];
            if (v < to->lo) continue;
            if (v >= to->hi) break;
            while (v >= to->cut[(i + 1) * columns]) i++;
            if (v < x->bounds[2 * i] || v >= x->bounds[2 * i + 1]) continue;
            int r = i * columns + column;
            if (!put) {
                x->send_start[r + 1]++;
                continue;
            }
            uint64_t at = x->send_start[r]++;
            x->send[at] = v;
            if (sources) sources[at] = from->seen + k;
            if (x->weight)
                memcpy(x->send_weights + at * x->weight, (const char *)rows->weights + e * x->weight, x->weight);
        }
    }
}

static weft_status reserve(exchange *x, int side, uint64_t arcs, weft_vid **targets, char **weights) {
    if (arcs <= x->capacity[side] && *targets) return WEFT_OK;
    WFI_FREE(*targets, *weights);
    *weights = NULL;
    x->capacity[side] = arcs;
    weft_status st = wfi_alloc(x->ctx, targets, (size_t)arcs * (x->sources ? 2 : 1));
    if (!st && x->weight) st = wfi_alloc(x->ctx, weights, (size_t)arcs * x->weight);
    return st;
}

static weft_status travel(exchange *x, const void *send, void *receive, size_t each) {
    return wfi_alltoall_items(x->ctx, each, send, x->send_start, receive, x->receive_start);
}

/* A round: afterwards `receive` has come[size] arcs. */
static weft_status send_round(exchange *x, const wfi_part *from, const wfi_part *to) {
    int ranks = x->s->comm->link.size;
    memset(x->send_start, 0, ((size_t)ranks + 1) * sizeof *x->send_start);
    walk(x, from, to, false);
    for (int r = 0; r < ranks; r++) x->send_start[r + 1] += x->send_start[r];
    weft_status st = wfi_receive_starts(x->ctx, x->send_start, x->receive_start);
    if (st) return st;
    st = reserve(x, 0, x->send_start[ranks], &x->send, &x->send_weights);
    if (!st) st = reserve(x, 1, x->receive_start[ranks], &x->receive, &x->receive_weights);
    if (!st && wfi_cancelled(x->ctx)) st = wfi_fail_cancelled(x->ctx);
    st = wfi_agree(x->ctx, st);
    if (st) return st;
    walk(x, from, to, true);
    memmove(x->send_start + 1, x->send_start,
            (size_t)ranks * sizeof *x->send_start); /* each entry is now the end of its rank: shift to starts */
    x->send_start[0] = 0;
    st = travel(x, x->send, x->receive, sizeof *x->send);
    if (!st && x->sources) st = travel(x, x->send + x->capacity[0], x->receive + x->capacity[1], sizeof *x->send);
    if (!st && x->weight) st = travel(x, x->send_weights, x->receive_weights, x->weight);
    return st;
}

typedef void (*take_fn)(const exchange *x, const wfi_part *to, void *user);

static unsigned windows_of(const wfi_spread *s) {
    uint64_t each = s->g->arcs / (uint64_t)s->comm->link.size / s->blocks / s->blocks;
    return (unsigned)wfi_min_u64(each / AT_ONCE + 1, MOST_WINDOWS);
}

/* Sends all arcs into this rank's vertices of `to`, round by round. */
static weft_status send_all(exchange *x, const wfi_part *to, take_fn take, void *user) {
    const wfi_spread *s = x->s;
    unsigned windows = windows_of(s);
    weft_status st = WEFT_OK;
    for (unsigned w = 0; w < windows && !st; w++) {
        set_window(x, to, w, windows);
        for (size_t from = 0; from < s->blocks && !st; from++) {
            st = send_round(x, &s->part[from], to);
            if (!st) take(x, to, user);
        }
    }
    return st;
}

/* --- degrees ----------------------------------------------------------------------- */

static void count(const exchange *x, const wfi_part *to, void *user) {
    uint64_t *in = user, all = x->receive_start[x->s->comm->link.size];
    for (uint64_t i = 0; i < all; i++) in[x->receive[i] - to->in_first]++;
}

static weft_vid rows_of(const wfi_part *p) { return p->in_end - p->in_first; }

static uint64_t all_rows(const wfi_spread *s) {
    uint64_t rows = 0;
    for (size_t b = 0; b < s->blocks; b++) rows += rows_of(&s->part[b]);
    return rows;
}

/* On one rank, without communication. */
static weft_status count_here(weft_ctx *ctx, const weft_graph *g, uint64_t *in) {
    weft_eid arcs = g->n ? g->out.offsets[g->n] : 0;
    size_t deals = (size_t)(arcs / DEAL) + 1;
    _Atomic bool stop = false;
    for (weft_vid v = 0; v < g->n; v++) in[v] = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, arcs, DEAL))
    for (size_t d = 0; d < deals; d++) {
        if (atomic_load_explicit(&stop, memory_order_relaxed)) continue;
        if (wfi_cancelled(ctx)) atomic_store(&stop, true);
        weft_eid end = wfi_min_u64(arcs, (weft_eid)(d + 1) * DEAL);
        for (weft_eid e = (weft_eid)d * DEAL; e < end; e++)
            __atomic_fetch_add(&in[g->out.targets[e]], 1, __ATOMIC_RELAXED);
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

weft_status wfi_spread_in_degrees(weft_ctx *ctx, const wfi_spread *s, uint64_t *in) {
    exchange x = {.ctx = ctx, .s = s};
    const wfi_view *rows = wfi_spread_in_at_hand(s);
    if (!rows && wfi_spread_is_whole(s)) return count_here(ctx, s->g, in);
    weft_status st = rows ? WEFT_OK : wfi_agree(ctx, open_exchange(&x));
    for (size_t b = 0; b < s->blocks && !st; b++) {
        const wfi_part *p = &s->part[b];
        for (weft_vid k = 0; k < rows_of(p); k++) in[k] = rows ? wfi_degree(rows, p->first + k) : 0;
        if (!rows) st = send_all(&x, p, count, in);
        in += rows_of(p);
    }
    close_exchange(&x);
    return st;
}

/* --- rows ------------------------------------------------------------------------- */

typedef struct placing {
    weft_vid *targets;
    char *weights;
    weft_eid *next; /* position of the next arc of each row */
} placing;

static void place(const exchange *x, const wfi_part *to, void *user) {
    placing *p = user;
    uint64_t all = x->receive_start[x->s->comm->link.size];
    const weft_vid *sources = x->receive + x->capacity[1];
    for (uint64_t i = 0; i < all; i++) {
        weft_eid at = p->next[x->receive[i] - to->in_first]++;
        p->targets[at] = sources[i];
        if (x->weight) memcpy(p->weights + at * x->weight, x->receive_weights + i * x->weight, x->weight);
    }
}

/* Makes the rows of one part; `in` has their lengths, and becomes scratch. */
static weft_status make_rows(exchange *x, wfi_part *p, uint64_t *in) {
    weft_ctx *ctx = x->ctx;
    weft_vid rows = rows_of(p);
    weft_eid *offsets;
    weft_status st = wfi_alloc(ctx, &offsets, (size_t)rows + 1);
    p->in = (wfi_view){
        .offsets = offsets, .first = p->in_first, .count = rows, .n = x->s->sees, .type = x->s->g->weight_type};
    if (!st) {
        offsets[0] = 0;
        for (weft_vid k = 0; k < rows; k++) offsets[k + 1] = offsets[k] + in[k];
        for (weft_vid k = 0; k < rows; k++) in[k] = offsets[k];
        st = wfi_alloc(ctx, &p->in.targets, (size_t)p->in.offsets[rows]);
    }
    if (!st && x->weight) {
        p->in.weights = wfi_take(ctx, (size_t)p->in.offsets[rows], x->weight);
        if (!p->in.weights) st = WEFT_ENOMEM;
    }
    st = wfi_agree(ctx, st);
    return st ? st : send_all(x, p, place, &(placing){wfi_own_targets(&p->in), wfi_own_weights(&p->in), in});
}

weft_status wfi_spread_need_in(weft_ctx *ctx, wfi_spread *s) {
    const wfi_view *rows = wfi_spread_in_at_hand(s);
    if (s->part[0].in.offsets) return WEFT_OK;
    for (size_t b = 0; rows && b < s->blocks; b++) s->part[b].in = wfi_part_rows(&s->part[b], rows);
    if (rows) return WEFT_OK;
    exchange x = {.ctx = ctx, .s = s, .weight = wfi_weight_bytes(s->g->weight_type), .sources = true};
    uint64_t *in = NULL, *next;
    s->in_made = true;
    weft_status st = wfi_alloc(ctx, &in, (size_t)all_rows(s));
    if (!st) st = open_exchange(&x);
    st = wfi_agree(ctx, st);
    if (!st) st = wfi_spread_in_degrees(ctx, s, in);
    next = in;
    for (size_t b = 0; b < s->blocks && !st; next += rows_of(&s->part[b++])) st = make_rows(&x, &s->part[b], next);
    close_exchange(&x);
    wfi_free(in);
    if (st) wfi_spread_drop_in(s);
    return st;
}

/* --- estimates ------------------------------------------------------------------------ */

/* go[r + 1]: this rank's arcs to rank r. */
static void count_by_rank(const wfi_spread *s, uint64_t *send_start) {
    int ranks = s->comm->link.size, columns = s->columns, column = s->comm->link.rank % columns;
    for (size_t b = 0; b < s->blocks; b++) {
        const wfi_part *from = &s->part[b];
        for (weft_vid k = 0; k < from->end - from->first; k++) {
            const wfi_part *to = s->part;
            int i = 0;
            for (weft_eid e = from->out.offsets[k]; e < from->out.offsets[k + 1]; e++) {
                weft_vid v = from->out.targets[e];
                if (v >= to->hi) i = 0;
                while (v >= to->hi) to++;
                while (v >= to->cut[(i + 1) * columns]) i++;
                send_start[i * columns + column + 1]++;
            }
        }
    }
    for (int r = 0; r < ranks; r++) send_start[r + 1] += send_start[r];
}

weft_status wfi_spread_expect_in(weft_ctx *ctx, wfi_spread *s) {
    int ranks = s->comm->link.size, me = s->comm->link.rank;
    uint64_t *send_start = NULL;
    if (s->expected) return WEFT_OK;
    weft_status st = wfi_agree(ctx, wfi_alloc_zeroed(ctx, &send_start, (size_t)ranks + 1));
    if (!st) count_by_rank(s, send_start);
    if (!st) st = wfi_receive_starts(ctx, send_start, s->start);
    if (!st) {
        s->away = send_start[ranks] - (send_start[me + 1] - send_start[me]);
        s->in_arcs = s->start[ranks];
        s->expected = true;
    }
    wfi_free(send_start);
    return st;
}

uint64_t wfi_spread_in_bytes(const wfi_spread *s) {
    uint64_t bytes = 0, weight = wfi_weight_bytes(s->g->weight_type);
    for (size_t b = 0; b < s->blocks; b++) {
        uint64_t rows = (uint64_t)rows_of(&s->part[b]) + 1, share = b ? 0 : s->in_arcs;
        bytes += wfi_taken_bytes(rows * sizeof(weft_eid)) + wfi_taken_bytes(share * sizeof(weft_vid));
        if (weight) bytes += wfi_taken_bytes(share * weight);
    }
    return bytes;
}

/* Bytes of an exchange of arcs with `ends` ends (targets, or targets and sources) and `weight` bytes of weight; exact
 * if there is one window. */
static uint64_t exchange_bytes(const wfi_spread *s, uint64_t ends, uint64_t weight) {
    uint64_t ranks = (uint64_t)s->comm->link.size, windows = windows_of(s);
    uint64_t bytes =
        wfi_taken_bytes(2 * (ranks + 1) * sizeof(uint64_t)) + wfi_taken_bytes(2 * ranks * sizeof(weft_vid));
    const uint64_t arcs[2] = {s->arcs / windows, s->in_arcs / windows};
    for (int side = 0; side < 2; side++) {
        bytes += wfi_taken_bytes(arcs[side] * ends * sizeof(weft_vid));
        if (weight) bytes += wfi_taken_bytes(arcs[side] * weight);
    }
    return bytes;
}

uint64_t wfi_spread_in_counting(const wfi_spread *s) { return wfi_spread_is_whole(s) ? 0 : exchange_bytes(s, 1, 0); }

/* Degrees are counted while the rows' exchange is open, and still empty. */
uint64_t wfi_spread_in_making(const wfi_spread *s) {
    uint64_t ranks = (uint64_t)s->comm->link.size;
    uint64_t open = wfi_taken_bytes(2 * (ranks + 1) * sizeof(uint64_t)) + wfi_taken_bytes(2 * ranks * sizeof(weft_vid));
    uint64_t rows = exchange_bytes(s, 2, wfi_weight_bytes(s->g->weight_type)),
             counting = open + wfi_spread_in_counting(s);
    return wfi_spread_in_bytes(s) + wfi_taken_bytes(all_rows(s) * sizeof(uint64_t)) + wfi_max_u64(rows, counting);
}

uint64_t wfi_spread_in_arcs(const wfi_spread *s) {
    const wfi_view *in = wfi_spread_in_at_hand(s);
    uint64_t arcs = s->expected ? s->in_arcs : 0;
    for (size_t b = 0; b < s->blocks && in && !s->expected; b++)
        if (s->part[b].first < s->part[b].end) arcs += in->offsets[s->part[b].end] - in->offsets[s->part[b].first];
    return arcs;
}

uint64_t wfi_spread_in_sends(const wfi_spread *s, bool rows) {
    uint64_t counted = sizeof(weft_vid), row = 2 * sizeof(weft_vid) + wfi_weight_bytes(s->g->weight_type);
    return s->away * (rows ? counted + row : counted);
}
