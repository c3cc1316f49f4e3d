/* The ladder of graphs that change: the stream, merging rows, reading them in the end. */
#include "dynamic.h"

#include <stdlib.h>
#include <string.h>

/* Some fixed half of all arcs. */
static bool is_base(weft_eid e) { return e * 0x9e3779b97f4a7c15u >> 63; }

static void shuffle(changing_stream *s) {
    uint64_t x = 88172645463325252u;
    for (size_t i = s->count; i > 1; i--) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        size_t k = (size_t)(x % i);
        weft_vid u = s->u[i - 1], v = s->v[i - 1];
        s->u[i - 1] = s->u[k], s->v[i - 1] = s->v[k];
        s->u[k] = u, s->v[k] = v;
    }
}

weft_status changing_open(lab_run *r, changing_stream *s) {
    const weft_csr *all = &r->out;
    size_t n = all->vertices, arcs = (size_t)all->arcs;
    lab_turn(r, LAB_UNTIMED);
    *s = (changing_stream){.r = r, .n = all->vertices};
    s->base.offsets = lab_take(r, (n + 1) * sizeof *s->base.offsets);
    s->base.targets = lab_take(r, arcs * sizeof *s->base.targets);
    s->u = lab_take(r, arcs * sizeof *s->u);
    s->v = lab_take(r, arcs * sizeof *s->v);
    s->key = lab_take(r, arcs * sizeof *s->key);
    if (!s->base.offsets || !s->base.targets || !s->u || !s->v || !s->key) return WEFT_ENOMEM;
    for (weft_vid u = 0; u < s->n; u++) {
        for (weft_eid e = all->offsets[u]; e < all->offsets[u + 1]; e++) {
            if (is_base(e)) {
                s->base.targets[s->base_arcs++] = all->targets[e];
            } else {
                s->u[s->count] = u;
                s->v[s->count++] = all->targets[e];
            }
        }
        s->base.offsets[u + 1] = s->base_arcs;
    }
    shuffle(s);
    lab_turn(r, LAB_ALLOCATE);
    return WEFT_OK;
}

size_t changing_batch_end(const changing_stream *s, size_t first) {
    return s->count - first < CHANGING_BATCH ? s->count : first + CHANGING_BATCH;
}

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void changing_sort(const changing_stream *s, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) s->key[i - first] = (uint64_t)s->u[i] << 32 | s->v[i];
    qsort(s->key, end - first, sizeof *s->key, by_key);
}

void changing_merge(const changing_rows *from, const uint64_t *key, size_t count, weft_vid n, const changing_rows *to) {
    weft_eid at = 0;
    size_t i = 0;
    for (weft_vid u = 0; u < n; u++) {
        weft_eid e = from->offsets[u], end = from->offsets[u + 1];
        to->offsets[u] = at;
        for (; i < count && key[i] >> 32 == u; i++) {
            while (e < end && from->targets[e] < (weft_vid)key[i]) to->targets[at++] = from->targets[e++];
            to->targets[at++] = (weft_vid)key[i];
        }
        if (e == end) continue;
        memcpy(to->targets + at, from->targets + e, (size_t)(end - e) * sizeof *to->targets);
        at += end - e;
    }
    to->offsets[n] = at;
}

const weft_vid *changing_row_of(const void *store, weft_vid u, size_t *count, weft_vid *room) {
    const changing_rows *rows = store;
    (void)room;
    *count = (size_t)(rows->offsets[u + 1] - rows->offsets[u]);
    return rows->targets + rows->offsets[u];
}

static int by_target(const void *a, const void *b) {
    weft_vid x = *(const weft_vid *)a, y = *(const weft_vid *)b;
    return (x > y) - (x < y);
}

static bool is_row(const weft_csr *all, weft_vid u, const weft_vid *row, size_t count, weft_vid *room) {
    if (count != all->offsets[u + 1] - all->offsets[u]) return false;
    if (!count) return true;
    memmove(room, row, count * sizeof *room);
    qsort(room, count, sizeof *room, by_target);
    return !memcmp(room, all->targets + all->offsets[u], count * sizeof *room);
}

typedef struct columns {
    uint64_t *in, *out, *total, *degree, *count;
} columns;

static weft_status take_columns(lab_run *r, columns *c) {
    size_t n = r->out.vertices, bytes = (n + 1) * sizeof(uint64_t);
    *c = (columns){lab_take(r, bytes), lab_take(r, bytes), lab_take(r, bytes), lab_take(r, bytes), lab_take(r, bytes)};
    return c->in && c->out && c->total && c->degree && c->count ? WEFT_OK : WEFT_ENOMEM;
}

/* Totals and their distribution; what is in no part's time. */
static weft_status answer(const changing_stream *s, const columns *c) {
    lab_run *r = s->r;
    uint64_t most = 0;
    size_t length = 0;
    for (weft_vid v = 0; v < s->n; v++) {
        c->total[v] = weft_graph_directed(r->g) ? c->in[v] + c->out[v] : c->out[v];
        if (c->total[v] > most) most = c->total[v];
    }
    uint64_t *of_degree = lab_take(r, (size_t)(most + 1) * sizeof *of_degree);
    if (!of_degree) return WEFT_ENOMEM;
    for (weft_vid v = 0; v < s->n; v++) of_degree[c->total[v]]++;
    for (uint64_t k = 0; k <= most && s->n; k++) {
        if (!of_degree[k]) continue;
        c->degree[length] = k;
        c->count[length++] = of_degree[k];
    }
    lab_column(r, "in", WEFT_U64, c->in, s->n);
    lab_column(r, "out", WEFT_U64, c->out, s->n);
    lab_column(r, "total", WEFT_U64, c->total, s->n);
    lab_column(r, "degree", WEFT_U64, c->degree, length);
    lab_column(r, "count", WEFT_U64, c->count, length);
    r->edges = (double)s->count;
    return WEFT_OK;
}

weft_status changing_close(const changing_stream *s, changing_row *row, const void *store) {
    lab_run *r = s->r;
    columns c;
    size_t count;
    lab_turn(r, LAB_UNTIMED);
    if (lab_stopped(r)) return WEFT_ECANCELLED;
    weft_vid *room = lab_take(r, (size_t)r->out.arcs * sizeof *room);
    if (take_columns(r, &c) || !room) return WEFT_ENOMEM;
    lab_turn(r, LAB_COPY_OUT);
    for (weft_vid u = 0; u < s->n; u++) {
        const weft_vid *targets = row(store, u, &count, room);
        c.out[u] = count;
        for (size_t i = 0; i < count; i++) c.in[targets[i]]++;
    }
    lab_turn(r, LAB_UNTIMED);
    for (weft_vid u = 0; u < s->n; u++) {
        const weft_vid *targets = row(store, u, &count, room);
        if (!is_row(&r->out, u, targets, count, room)) return WEFT_EINVAL;
    }
    return answer(s, &c);
}

const char *changing_serves(lab_run *r) {
    for (weft_vid u = 0; u < r->out.vertices; u++)
        for (weft_eid e = r->out.offsets[u] + 1; e < r->out.offsets[u + 1]; e++)
            if (r->out.targets[e] == r->out.targets[e - 1]) return "the graph has parallel arcs";
    return NULL;
}
