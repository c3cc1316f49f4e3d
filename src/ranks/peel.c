/* See peel.h.
 * Method: Kahn's algorithm without synchronised levels.  A vertex is peeled when its in-degree falls to 0, and its
 * level is one more than the highest of its predecessors.  Each rank peels all it can, then sends one message to each
 * target of another rank: its decrement and the level that it leads to.  A path inside a rank costs no collective call.
 * The cycle: each vertex of the leftover points to its smallest predecessor there; the first rank walks back along
 * these pointers, and fetches rows of other ranks. */
#include "ranks/peel.h"

#include <string.h>

enum { POLL = 1 << 16, WANTS = 1 << 12, ROOM = 1 << 20, SMALL = 1 << 22 };

typedef struct message {
    weft_vid vertex;
    uint32_t decrement, level;
} message;

void wfi_rank_peel_lay_out(wfi_workspace *w, const wfi_spread *s, wfi_rank_peel *p) {
    weft_vid n = s->g->n, mine = s->vertices;
    wfi_array(w, &p->waiting, mine);
    wfi_array(w, &p->queue, mine);
    wfi_array(w, &p->decrement, n);
    wfi_array(w, &p->tops, n);
    wfi_array(w, &p->left, wfi_leftover_words(n));
    wfi_array_within(w, &p->at, n);
    p->small = wfi_min_u64(SMALL, n + s->g->arcs);
    wfi_array_within(w, &p->words, p->small);
    wfi_messages_lay_out(w, s, sizeof(message), &p->messages);
    p->fetch.wants = wfi_min_u64(WANTS, n);
    p->fetch.capacity = wfi_max_u64(wfi_min_u64(ROOM, s->g->arcs), s->longest);
    p->fetch.with_beside = p->fetch.all_ask = false;
    wfi_fetch_lay_out(w, s, &p->fetch);
    wfi_growth(w, sizeof(weft_vid) * (uint64_t)n); /* the cycle */
}

/* Each arc is sent at most once while peeling.  A leftover's rows go to the first rank: once, if it takes them whole;
 * else for the largest number of searches and arcs of wfi_cycle_by_pointers. */
uint64_t wfi_rank_peel_sends(const wfi_spread *s, const wfi_rank_peel *p) {
    uint64_t n = s->g->n, arcs = s->g->arcs, away = n - s->vertices, turns = 1;
    uint64_t sent = s->arcs + wfi_min_u64(s->arcs, away), rows = n, seen = arcs;
    if (s->comm->link.size == 1) return 0;
    if (p->small < n + arcs) {
        turns += WFI_CYCLE_SEARCHES;
        rows = n + wfi_max_u64(arcs, WFI_LEAST_SEEN);
        seen = rows + turns * p->fetch.capacity;
    }
    uint64_t questions = wfi_fetch_questions(&p->fetch, rows, seen, turns), ask = WFI_FETCH_ASK * questions;
    uint64_t answer = WFI_FETCH_ANSWER * questions + sizeof(weft_vid) * seen;
    return sizeof(message) * sent + sizeof(weft_vid) * wfi_spread_copies(s) + (s->comm->link.rank ? answer : ask);
}

typedef struct peeling {
    weft_ctx *ctx;
    const wfi_spread *s;
    const wfi_part *part;
    wfi_rank_peel *p;
    uint64_t head, tail; /* ends of the queue, in which each vertex is once */
    uint64_t unpolled;
    bool stop;
} peeling;

/* Removes `by` arcs into row k, from vertices up to the level before `level`. */
static void decrement(peeling *l, weft_vid k, uint32_t by, uint32_t level) {
    wfi_rank_peel *p = l->p;
    if (level > p->level[k]) p->level[k] = level;
    p->waiting[k] -= by;
    if (!p->waiting[k]) p->queue[l->tail++] = k;
}

static void decrement_targets(peeling *l, weft_vid k) {
    wfi_rank_peel *p = l->p;
    const wfi_view *rows = &l->part->out;
    uint32_t next = p->level[k] + 1;
    for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
        weft_vid v = rows->targets[e];
        if (wfi_part_has(l->part, v)) {
            decrement(l, v - l->part->first, 1, next);
            continue;
        }
        wfi_address(&p->messages, v);
        p->decrement[v]++;
        if (next > p->tops[v]) p->tops[v] = next;
    }
    l->unpolled += wfi_degree(rows, k) + 1;
    if (l->unpolled < POLL) return;
    l->unpolled = 0;
    if (wfi_cancelled(l->ctx)) l->stop = true;
}

static weft_status exchange(peeling *l) {
    wfi_rank_peel *p = l->p;
    for (uint64_t i = 0; i < p->messages.send_count; i++) {
        message *it = wfi_to_send(&p->messages, i);
        it->decrement = p->decrement[it->vertex];
        it->level = p->tops[it->vertex];
        p->decrement[it->vertex] = p->tops[it->vertex] = 0;
    }
    weft_status st = wfi_messages_deliver(l->ctx, l->s, &p->messages);
    for (uint64_t i = 0; i < p->messages.received_count; i++) {
        const message *it = wfi_received(&p->messages, i);
        decrement(l, it->vertex - l->part->first, it->decrement, it->level);
    }
    return st;
}

/* Fails if a vertex has so many incoming arcs that its counter would overflow. */
static weft_status begin(peeling *l) {
    wfi_rank_peel *p = l->p;
    uint64_t most = 0;
    weft_status st = wfi_spread_in_degrees(l->ctx, l->s, p->waiting);
    for (weft_vid k = 0; k < l->s->vertices && !st; k++) most = wfi_max_u64(most, p->waiting[k]);
    if (!st) st = wfi_allreduce(l->ctx, &most, 1, WFI_MAX);
    if (!st && most > UINT32_MAX)
        st = wfi_fail(l->ctx, WEFT_EUNSUPPORTED, "a vertex has 2^32 or more incoming arcs; remove parallel arcs");
    if (st) return st;
    if (l->s->g->n) {
        memset(p->decrement, 0, (size_t)l->s->g->n * sizeof *p->decrement);
        memset(p->tops, 0, (size_t)l->s->g->n * sizeof *p->tops);
    }
    wfi_messages_begin(l->s, &p->messages);
    if (p->gpu) return p->gpu->begin(p->gpu, l->ctx, l->s, p);
    for (weft_vid k = 0; k < l->s->vertices; k++) {
        p->level[k] = 0;
        if (!p->waiting[k]) p->queue[l->tail++] = k;
    }
    return WEFT_OK;
}

/* Each rank peels all it can, then sends decrements; *queued: the rows that it can peel next. */
static weft_status round_of(peeling *l, uint64_t *queued) {
    wfi_rank_peel *p = l->p;
    if (p->gpu) return p->gpu->round(p->gpu, l->ctx, l->s, queued, &l->stop);
    while (l->head < l->tail && !l->stop) decrement_targets(l, p->queue[l->head++]);
    weft_status st = exchange(l);
    *queued = l->tail - l->head;
    return st;
}

weft_status wfi_rank_peel_run(weft_ctx *ctx, const wfi_spread *s, wfi_rank_peel *p) {
    peeling l = {.ctx = ctx, .s = s, .part = &s->part[0], .p = p};
    weft_status st = begin(&l);
    for (uint64_t all[2] = {1, 0}; !st && all[0];) {
        st = round_of(&l, &all[0]);
        all[1] = l.stop;
        if (!st) st = wfi_allreduce(ctx, all, 2, WFI_SUM);
        if (!st && all[1]) st = wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "peel", l.tail, s->vertices);
    }
    uint64_t levels = 0;
    if (!st && p->gpu) st = p->gpu->end(p->gpu, ctx, s, p);
    p->peeled = 0;
    for (weft_vid k = 0; k < s->vertices && !st; k++) {
        if (p->waiting[k]) {
            p->level[k] = WEFT_UNREACHED;
            continue;
        }
        p->peeled++;
        levels = wfi_max_u64(levels, (uint64_t)p->level[k] + 1);
    }
    if (!st) st = wfi_allreduce(ctx, &p->peeled, 1, WFI_SUM);
    if (!st) st = wfi_allreduce(ctx, &levels, 1, WFI_MAX);
    p->levels = (uint32_t)levels;
    return st;
}

/* --- a cycle ------------------------------------------------------------------------------- */

/* Distributes the cycle that the first rank has found to all; it is set only there. */
static weft_status share_cycle(weft_ctx *ctx, wfi_workspace *w, const wfi_spread *s, wfi_cycle *cycle) {
    uint64_t length = cycle->length;
    weft_status st = wfi_allreduce(ctx, &length, 1, WFI_MAX);
    if (st || !length) return st;
    if (!cycle->vertex) cycle->vertex = wfi_grow(w, length, sizeof *cycle->vertex);
    st = wfi_agree(ctx, cycle->vertex ? WEFT_OK : WEFT_ENOMEM);
    if (st) return st;
    cycle->length = (size_t)length;
    s->start[0] = 0;
    for (int r = 1; r <= s->comm->link.size; r++) s->start[r] = length * sizeof *cycle->vertex;
    return wfi_allgather_figures(ctx, cycle->vertex, s->start);
}

weft_status wfi_rank_loop(weft_ctx *ctx, wfi_workspace *w, const wfi_spread *s, wfi_cycle *cycle) {
    const wfi_part *part = &s->part[0];
    uint64_t found = UINT64_MAX;
    *cycle = (wfi_cycle){NULL, 0};
    if (!s->g->self_loops) return WEFT_OK;
    for (weft_vid v = part->first; v < part->end && found == UINT64_MAX; v++)
        if (weft_graph_has_arc(s->g, v, v, NULL)) found = v;
    weft_status st = wfi_allreduce(ctx, &found, 1, WFI_MIN);
    if (st || found == UINT64_MAX) return st;
    cycle->vertex = wfi_grow(w, 1, sizeof *cycle->vertex);
    if (cycle->vertex) *cycle->vertex = (weft_vid)found;
    cycle->length = cycle->vertex != NULL;
    return wfi_agree(ctx, cycle->vertex ? WEFT_OK : WEFT_ENOMEM);
}

/* The smallest predecessor in the leftover of each vertex there, of all vertices on all ranks. */
static weft_status point_back_here(weft_ctx *ctx, const wfi_spread *s, wfi_rank_peel *p, weft_vid *before) {
    const wfi_part *part = &s->part[0];
    const wfi_view *rows = &part->out;
    for (weft_vid v = 0; v < s->g->n; v++) before[v] = WEFT_NO_VERTEX;
    for (weft_vid k = 0; k < s->vertices; k++) {
        if (!p->waiting[k]) continue;
        for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
            weft_vid v = rows->targets[e];
            if (before[v] != WEFT_NO_VERTEX) continue;
            before[v] = part->first + k;
            if (!wfi_part_has(part, v)) wfi_address(&p->messages, v);
        }
    }
    for (uint64_t i = 0; i < p->messages.send_count; i++) {
        message *it = wfi_to_send(&p->messages, i);
        it->decrement = before[it->vertex];
        it->level = 0;
    }
    weft_status st = wfi_messages_deliver(ctx, s, &p->messages);
    for (uint64_t i = 0; i < p->messages.received_count; i++) {
        const message *it = wfi_received(&p->messages, i);
        if (it->decrement < before[it->vertex]) before[it->vertex] = it->decrement;
    }
    return st ? st : wfi_spread_allgather(ctx, s, part, before, sizeof *before);
}

/* The same in p->decrement; *words: of the leftover's rows, with their lengths. */
static weft_status point_back(weft_ctx *ctx, const wfi_spread *s, wfi_rank_peel *p, uint64_t *words) {
    weft_status st =
        p->gpu ? p->gpu->point_back(p->gpu, ctx, s, p->decrement) : point_back_here(ctx, s, p, p->decrement);
    *words = 0;
    for (weft_vid k = 0; k < s->vertices; k++)
        if (p->waiting[k]) *words += wfi_degree(&s->part[0].out, k) + 1;
    return st ? st : wfi_allreduce(ctx, words, 1, WFI_SUM);
}

/* The rows in which the first rank searches. */
typedef struct feed {
    weft_ctx *ctx;
    const wfi_spread *s;
    wfi_rank_peel *p;
    bool whole; /* all rows are in p->words */
} feed;

static weft_status fetch_rows(void *user, const weft_vid *want, size_t count, size_t *fetched) {
    feed *f = user;
    bool idle;
    *fetched = count;
    if (f->whole) return WEFT_OK;
    weft_status st = wfi_fetch_round(f->ctx, f->s, &f->p->fetch, want, count, &idle);
    *fetched = (size_t)f->p->fetch.fetched;
    return st;
}

static const weft_vid *row(void *user, size_t i, weft_vid v, uint64_t *length) {
    const feed *f = user;
    const wfi_rank_peel *p = f->p;
    *length = f->whole ? p->words[p->at[v]] : p->fetch.length[i];
    return f->whole ? p->words + p->at[v] + 1 : p->fetch.rows + p->fetch.at[i];
}

/* Fetches a small leftover whole: a search in it may go deep, and would wait for a row at each step. */
static weft_status fetch_whole(feed *f) {
    wfi_rank_peel *p = f->p;
    const weft_vid *before = p->decrement;
    weft_vid n = f->s->g->n, next = 0, *want = p->tops;
    uint64_t count = 0, end = 0;
    weft_status st = WEFT_OK;
    for (weft_vid v = 0; v < n; v++)
        if (before[v] != WEFT_NO_VERTEX) want[count++] = v;
    while (!st && next < count) {
        bool idle;
        st = wfi_fetch_round(f->ctx, f->s, &p->fetch, want + next, count - next, &idle);
        for (uint64_t i = 0; i < p->fetch.fetched && !st; i++) {
            uint64_t length = p->fetch.length[i];
            p->at[want[next]] = (weft_vid)end;
            p->words[end++] = (weft_vid)length;
            memcpy(p->words + end, p->fetch.rows + p->fetch.at[i], length * sizeof *p->words);
            end += length;
            next++;
        }
    }
    return st;
}

weft_status wfi_rank_cycle(weft_ctx *ctx, wfi_workspace *w, const wfi_spread *s, wfi_rank_peel *p, wfi_cycle *cycle) {
    const wfi_view *out = &s->part[0].out;
    uint64_t words = 0;
    bool idle = false;
    *cycle = (wfi_cycle){NULL, 0};
    if (p->peeled == s->g->n) return WEFT_OK;
    weft_status st = wfi_rank_loop(ctx, w, s, cycle), talk;
    if (st || cycle->length) return st;
    p->fetch.offsets = out->offsets;
    p->fetch.targets = out->targets;
    talk = st = point_back(ctx, s, p, &words);
    if (!st && !s->comm->link.rank) {
        feed f = {ctx, s, p, words <= p->small};
        const wfi_row_feed rows = {fetch_rows, row, &f};
        if (f.whole) st = fetch_whole(&f);
        if (!st)
            st = wfi_cycle_by_pointers(ctx, w, s->g, &rows, &(wfi_leftover){p->decrement, p->tops, p->left}, cycle);
        talk = wfi_fetch_round(ctx, s, &p->fetch, NULL, 0, &idle);
    }
    while (!talk && !idle) talk = wfi_fetch_round(ctx, s, &p->fetch, NULL, 0, &idle);
    if (talk) return talk;
    st = wfi_agree(ctx, st);
    return st ? st : share_cycle(ctx, w, s, cycle);
}
