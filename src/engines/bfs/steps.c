/* The steps of a breadth-first search on CPU cores.  Needs: rows that ascend.
 * Method: threads take chunks of the frontier (top-down) or of the vertices (bottom-up) from a shared cursor; rows of
 * hubs are cut into chunks of their own.
 * The parent is the smallest in-neighbour one level above.  Top-down it is an atomic minimum; bottom-up the first hit
 * is the smallest, because rows ascend, so the early exit stays.  Neither depends on the order of the threads.
 * [1] Beamer, Asanović, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. */
#include "engines/bfs/search.h"

#include <string.h>

enum {
    LOCAL_ROOM = 1024, /* new vertices that a thread buffers before it appends them to the shared queue */
    ARCS_PER_THREAD = 1 << 14,
    VERTICES_PER_THREAD = 1 << 15,
    HUB_PIECE = 1 << 14, /* arcs */
    LEAST_PIECE = 16,    /* words of 64 vertices in a chunk of a pull */
    MOST_PIECE = 256,
    PIECES = 16,         /* chunks of a pull for each thread, if there are enough words */
    MANY = 16,           /* a step that found this part of the vertices finishes them by a pass over all */
    POLL_ARCS = 1 << 20, /* arcs between two polls */
    GATHER = 64,         /* targets of a row gathered at once */
    AHEAD = 8            /* vertices between a prefetch and its use */
};

static inline bool has_bit(const uint64_t *bitmap, weft_vid v) { return bitmap[v >> 6] >> (v & 63) & 1; }

typedef struct finds {
    wfi_search *s;
    size_t count;
    weft_vid vertex[LOCAL_ROOM];
} finds;

static inline uint64_t take(wfi_search *s) { return __atomic_fetch_add(&s->cursor, s->grain, __ATOMIC_RELAXED); }

static inline bool stopped(wfi_search *s) {
    if (__atomic_load_n(&s->stop, __ATOMIC_RELAXED)) return true;
    if (!wfi_cancelled(s->ctx)) return false;
    __atomic_store_n(&s->stop, 1, __ATOMIC_RELAXED);
    return true;
}

/* One thread needs no parallel region, which matters in deep graphs: they consist of a million small steps. */
static void work(wfi_search *s, int threads, uint64_t grain, void (*body)(wfi_search *)) {
    s->cursor = 0;
    s->grain = grain;
    if (threads == 1) {
        body(s);
        return;
    }
#pragma omp parallel num_threads(threads)
    body(s);
}

/* Does not clear the buffer, which would cost more than a small step. */
static inline void open_finds(finds *f, wfi_search *s) {
    f->s = s;
    f->count = 0;
}

static void flush(finds *f) {
    uint64_t at = __atomic_fetch_add(&f->s->tail, f->count, __ATOMIC_RELAXED);
    memcpy(f->s->queue + at, f->vertex, f->count * sizeof *f->vertex);
    f->count = 0;
}

static inline void add(finds *f, weft_vid v) {
    if (f->count == LOCAL_ROOM) flush(f);
    f->vertex[f->count++] = v;
}

/* --- top-down -------------------------------------------------------------- */

/* u offers itself as parent to the targets [e, end) of its row.  No vertex is above every u.  Unvisited targets are
 * gathered first, so that their parents are loaded in parallel and not one after the other. */
static inline void offer(wfi_search *s, finds *f, weft_vid u, weft_eid e, weft_eid end) {
    weft_vid fresh[GATHER];
    while (e < end) {
        size_t count = 0;
        for (weft_eid stop = wfi_min_u64(e + GATHER, end); e < stop; e++) {
            weft_vid v = s->out->targets[e];
            fresh[count] = v;
            if (has_bit(s->visited, v)) continue;
            __builtin_prefetch(&s->parent[v], 1);
            count++;
        }
        for (size_t i = 0; i < count; i++) {
            weft_vid v = fresh[i], seen = __atomic_load_n(&s->parent[v], __ATOMIC_RELAXED);
            while (u < seen) {
                if (!__atomic_compare_exchange_n(&s->parent[v], &seen, u, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                    continue;
                if (seen == WEFT_NO_VERTEX) add(f, v);
                break;
            }
        }
    }
}

static void push_rows(wfi_search *s) {
    finds f;
    open_finds(&f, s);
    const weft_eid *offsets = s->out->offsets;
    uint64_t count = s->to - s->from, looked = 0;
    const weft_vid *frontier = s->queue + s->from;
    for (uint64_t i; (i = take(s)) < count && !stopped(s);) {
        for (uint64_t end = wfi_min_u64(i + s->grain, count); i < end; i++) {
            if (i + 2 * AHEAD < count) __builtin_prefetch(&offsets[frontier[i + 2 * AHEAD]]);
            if (i + AHEAD < count) __builtin_prefetch(&s->out->targets[offsets[frontier[i + AHEAD]]]);
            weft_vid u = frontier[i];
            uint64_t row = offsets[u + 1] - offsets[u];
            if (row > s->hub_arcs) {
                s->hubs[__atomic_fetch_add(&s->hub_count, 1, __ATOMIC_RELAXED)] = u;
                continue;
            }
            offer(s, &f, u, offsets[u], offsets[u + 1]);
            if ((looked += row) < POLL_ARCS) continue;
            looked = 0;
            if (stopped(s)) break;
        }
    }
    flush(&f);
}

static void push_hub(wfi_search *s) {
    finds f;
    open_finds(&f, s);
    weft_eid first = s->out->offsets[s->hub], row = s->out->offsets[s->hub + 1] - first;
    for (uint64_t i; (i = take(s)) < row && !stopped(s);)
        offer(s, &f, s->hub, first + i, first + wfi_min_u64(i + s->grain, row));
    flush(&f);
}

/* Makes the new vertices final: sets level and visited bit, and counts their arcs. */
static void finish_found(wfi_search *s) {
    uint64_t count = s->tail - s->to, arcs = 0;
    const weft_vid *found = s->queue + s->to;
    const weft_eid *offsets = s->out->offsets;
    for (uint64_t i; (i = take(s)) < count;)
        for (uint64_t end = wfi_min_u64(i + s->grain, count); i < end; i++) {
            if (i + 2 * AHEAD < count) __builtin_prefetch(&offsets[found[i + 2 * AHEAD]]);
            if (i + AHEAD < count) __builtin_prefetch(&s->level[found[i + AHEAD]], 1);
            weft_vid v = found[i];
            s->level[v] = s->depth;
            __atomic_fetch_or(&s->visited[v >> 6], (uint64_t)1 << (v & 63), __ATOMIC_RELAXED);
            arcs += offsets[v + 1] - offsets[v];
        }
    __atomic_fetch_add(&s->found_arcs, arcs, __ATOMIC_RELAXED);
}

/* The same by a pass over all vertices: in order, without an atomic for each, and it also makes the bitmap of the
 * frontier. */
static void finish_by_scan(wfi_search *s) {
    uint64_t arcs = 0;
    const weft_eid *offsets = s->out->offsets;
    for (size_t w; (w = take(s)) < s->words;)
        for (size_t end = wfi_min_u64(w + s->grain, s->words); w < end; w++) {
            weft_vid first = (weft_vid)(w << 6), count = (weft_vid)wfi_min_u64(64, s->n - first);
            uint64_t found = 0;
            if (~s->visited[w])
                for (weft_vid i = 0; i < count; i++) found |= (uint64_t)(s->parent[first + i] != WEFT_NO_VERTEX) << i;
            found &= ~s->visited[w];
            s->visited[w] |= found;
            if (s->in) s->front[w] = found;
            for (; found; found &= found - 1) {
                weft_vid v = first + (weft_vid)__builtin_ctzll(found);
                s->level[v] = s->depth;
                arcs += offsets[v + 1] - offsets[v];
            }
        }
    __atomic_fetch_add(&s->found_arcs, arcs, __ATOMIC_RELAXED);
}

/* A small step by one thread, which makes new vertices final at once.  Deep graphs consist of these. */
static void push_alone(wfi_search *s) {
    const weft_eid *offsets = s->out->offsets;
    const weft_vid *targets = s->out->targets;
    weft_vid *queue = s->queue;
    uint64_t tail = s->to, arcs = 0;
    for (uint64_t i = s->from; i < s->to; i++) {
        if (i + AHEAD < s->to) __builtin_prefetch(&targets[offsets[queue[i + AHEAD]]]);
        weft_vid u = queue[i];
        for (weft_eid e = offsets[u]; e < offsets[u + 1]; e++) {
            weft_vid v = targets[e];
            if (s->level[v] == WEFT_UNREACHED) {
                s->level[v] = s->depth;
                s->parent[v] = u;
                s->visited[v >> 6] |= (uint64_t)1 << (v & 63);
                arcs += offsets[v + 1] - offsets[v];
                queue[tail++] = v;
            } else if (s->level[v] == s->depth && u < s->parent[v]) {
                s->parent[v] = u;
            }
        }
    }
    s->front_made = false;
    s->tail = tail;
    s->found = tail - s->to;
    s->found_arcs = arcs;
    s->from = s->to;
    s->to = tail;
}

static uint64_t pull_piece(const wfi_search *s) {
    uint64_t piece = s->words / ((uint64_t)wfi_threads(s->ctx) * PIECES);
    return piece < LEAST_PIECE ? LEAST_PIECE : wfi_min_u64(piece, MOST_PIECE);
}

void wfi_search_push(wfi_search *s, uint64_t frontier_arcs) {
    uint64_t count = s->to - s->from;
    if (frontier_arcs + count < ARCS_PER_THREAD && !stopped(s)) {
        push_alone(s);
        return;
    }
    int threads = wfi_threads_for(s->ctx, frontier_arcs + count, ARCS_PER_THREAD);
    uint64_t grain = count / ((uint64_t)threads * 16) + 1;
    s->tail = s->to;
    s->hub_count = 0;
    work(s, threads, wfi_min_u64(grain, 64), push_rows);
    for (uint64_t i = 0; i < s->hub_count; i++) {
        s->hub = s->hubs[i];
        work(s, wfi_threads_for(s->ctx, wfi_degree(s->out, s->hub), ARCS_PER_THREAD), HUB_PIECE, push_hub);
    }
    s->found = s->tail - s->to;
    s->found_arcs = 0;
    s->front_made = s->found > s->n / MANY;
    if (s->front_made)
        work(s, wfi_threads_for(s->ctx, s->n, VERTICES_PER_THREAD), pull_piece(s), finish_by_scan);
    else
        work(s, wfi_threads_for(s->ctx, s->found, ARCS_PER_THREAD / 4), 1024, finish_found);
    s->from = s->to;
    s->to = s->tail;
}

/* --- bottom-up ------------------------------------------------------------- */

/* The vertices of one word.  The early exit leaves gaps in the stream of targets that hide the next row from the
 * processor's own prefetcher, so rows are prefetched here.  A vertex without in-arcs is marked visited, so that no
 * later step looks at it again. */
static inline uint64_t pull_word(wfi_search *s, size_t w, uint64_t *looked) {
    const weft_eid *offsets = s->in->offsets;
    const weft_vid *targets = s->in->targets;
    uint64_t found = 0, hopeless = 0;
    for (uint64_t todo = ~s->visited[w]; todo; todo &= todo - 1) {
        weft_vid v = (weft_vid)(w << 6 | (unsigned)__builtin_ctzll(todo));
        weft_eid start = offsets[v], end = offsets[v + 1], e = start;
        if (v + 2 * AHEAD < s->n) __builtin_prefetch(&targets[offsets[v + 2 * AHEAD]]);
        while (e < end && !has_bit(s->front, targets[e])) e++;
        *looked += e - start;
        if (start == end) hopeless |= todo & -todo;
        if (e == end) continue;
        s->parent[v] = targets[e];
        s->level[v] = s->depth;
        found |= todo & -todo;
    }
    s->visited[w] |= found | hopeless;
    return found;
}

static void pull(wfi_search *s) {
    uint64_t awake = 0, looked = 0;
    for (size_t w; (w = take(s)) < s->words && !stopped(s);)
        for (size_t end = wfi_min_u64(w + s->grain, s->words); w < end; w++) {
            uint64_t found = pull_word(s, w, &looked);
            s->next[w] = found;
            awake += (uint64_t)__builtin_popcountll(found);
            if (looked < POLL_ARCS) continue;
            looked = 0;
            if (stopped(s)) break;
        }
    __atomic_fetch_add(&s->found, awake, __ATOMIC_RELAXED);
}

void wfi_search_pull(wfi_search *s) {
    s->found = 0;
    work(s, wfi_threads_for(s->ctx, s->n, VERTICES_PER_THREAD / 8), pull_piece(s), pull);
    uint64_t *front = s->front;
    s->front = s->next;
    s->next = front;
}

/* --- from queue to bitmap and back ----------------------------------------- */

static void set_bits(wfi_search *s) {
    uint64_t count = s->to - s->from;
    for (uint64_t i; (i = take(s)) < count;)
        for (uint64_t end = wfi_min_u64(i + s->grain, count); i < end; i++) {
            weft_vid v = s->queue[s->from + i];
            __atomic_fetch_or(&s->front[v >> 6], (uint64_t)1 << (v & 63), __ATOMIC_RELAXED);
        }
}

void wfi_search_queue_to_front(wfi_search *s) {
    if (s->front_made) return;
    memset(s->front, 0, s->words * sizeof *s->front);
    work(s, wfi_threads_for(s->ctx, s->to - s->from, VERTICES_PER_THREAD), 4096, set_bits);
}

static void list_bits(wfi_search *s) {
    finds f;
    open_finds(&f, s);
    uint64_t arcs = 0;
    for (size_t w; (w = take(s)) < s->words;)
        for (size_t end = wfi_min_u64(w + s->grain, s->words); w < end; w++)
            for (uint64_t bits = s->front[w]; bits; bits &= bits - 1) {
                weft_vid v = (weft_vid)(w << 6 | (unsigned)__builtin_ctzll(bits));
                arcs += s->out->offsets[v + 1] - s->out->offsets[v];
                add(&f, v);
            }
    flush(&f);
    __atomic_fetch_add(&s->found_arcs, arcs, __ATOMIC_RELAXED);
}

/* The queue starts anew: its earlier vertices are final. */
void wfi_search_front_to_queue(wfi_search *s) {
    s->from = s->tail = 0;
    s->found_arcs = 0;
    work(s, wfi_threads_for(s->ctx, s->n, VERTICES_PER_THREAD), 256, list_bits);
    s->to = s->tail;
    s->front_made = true;
}

/* --- the beginning --------------------------------------------------------- */

static void clear(wfi_search *s) {
    for (uint64_t w; (w = take(s)) < s->words;) {
        uint64_t end = wfi_min_u64(w + s->grain, s->words), last = wfi_min_u64(end << 6, s->n);
        memset(s->visited + w, 0, (end - w) * sizeof *s->visited);
        memset(s->level + (w << 6), 0xff, (last - (w << 6)) * sizeof *s->level);
        memset(s->parent + (w << 6), 0xff, (last - (w << 6)) * sizeof *s->parent);
    }
}

void wfi_search_begin(wfi_search *s, const weft_vid *sources, size_t count) {
    work(s, wfi_threads_for(s->ctx, s->n, VERTICES_PER_THREAD), 256, clear);
    if (s->n & 63) s->visited[s->words - 1] = ~(uint64_t)0 << (s->n & 63); /* bits beyond the last vertex */
    s->from = s->to = s->found_arcs = 0;
    for (size_t i = 0; i < count; i++) {
        weft_vid source = sources[i];
        if (has_bit(s->visited, source)) continue;
        s->visited[source >> 6] |= (uint64_t)1 << (source & 63);
        s->level[source] = 0;
        s->parent[source] = source;
        s->queue[s->to++] = source;
        s->found_arcs += wfi_degree(s->out, source);
    }
    s->found = s->tail = s->to;
    s->front_made = false;
}
