/* Neighbour lists: count both ends of every arc, sort each row, drop repeats. */
#include "checks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Limit of the pairs of neighbours visited, and number of sampled wedges. */
enum { MOST_PAIRS = 20000000, DRAWS = 200000 };
/* If one row is this many times longer than the other, it is searched by bisection instead of merged. */
enum { UNEQUAL = 32 };

int check_by_vertex(const void *a, const void *b) {
    weft_vid x = *(const weft_vid *)a, y = *(const weft_vid *)b;
    return (x > y) - (x < y);
}

int check_by_u64(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_and_shrink(check_simple *s, const uint64_t *end) {
    uint64_t kept = 0;
    for (weft_vid v = 0; v < s->n && !check_stops(s->watch, v); v++) {
        uint64_t from = s->offsets[v], first = kept;
        qsort(s->targets + from, (size_t)(end[v] - from), sizeof *s->targets, check_by_vertex);
        s->offsets[v] = first;
        for (uint64_t i = from; i < end[v]; i++) {
            weft_vid t = s->targets[i];
            if (kept == first || s->targets[kept - 1] != t) s->targets[kept++] = t;
        }
        uint64_t d = kept - first;
        s->wedges[v + 1] = s->wedges[v] + (d ? d * (d - 1) / 2 : 0);
    }
    s->offsets[s->n] = kept;
}

int check_simple_make(const weft_graph *g, check_watch *watch, check_simple *s) {
    weft_csr out = check_out(watch, g);
    *s = (check_simple){.n = out.vertices, .watch = watch};
    uint64_t *end = check_take(watch, s->n, sizeof *end);
    s->offsets = check_take(watch, (size_t)s->n + 1, sizeof *s->offsets);
    s->wedges = check_take(watch, s->n, sizeof *s->wedges);
    s->targets = check_take(watch, 2 * (size_t)out.arcs, sizeof *s->targets);
    if (watch->status) return 0;
    for (weft_vid u = 0; u < s->n && !check_stops(watch, u); u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            if (out.targets[e] == u) continue;
            s->offsets[u + 1]++;
            s->offsets[out.targets[e] + 1]++;
        }
    for (weft_vid v = 0; v < s->n; v++) end[v] = s->offsets[v + 1] += s->offsets[v];
    for (weft_vid v = s->n; v > 0; v--) end[v - 1] = s->offsets[v - 1];
    for (weft_vid u = 0; u < s->n && !check_stops(watch, u); u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            if (out.targets[e] == u) continue;
            s->targets[end[u]++] = out.targets[e];
            s->targets[end[out.targets[e]]++] = u;
        }
    sort_and_shrink(s, end);
    return !watch->stopped;
}

uint64_t check_simple_degree(const check_simple *s, weft_vid v) { return s->offsets[v + 1] - s->offsets[v]; }

/* True if u and v are neighbours. */
static int joined(const check_simple *s, weft_vid u, weft_vid v) {
    return bsearch(&v, s->targets + s->offsets[u], (size_t)check_simple_degree(s, u), sizeof v, check_by_vertex) !=
           NULL;
}

uint64_t check_simple_common(const check_simple *s, weft_vid u, weft_vid v, weft_vid *list) {
    uint64_t i = s->offsets[u], k = s->offsets[v], common = 0;
    if (u == v) return 0;
    if (check_simple_degree(s, u) > check_simple_degree(s, v)) return check_simple_common(s, v, u, list);
    bool search = check_simple_degree(s, v) > UNEQUAL * check_simple_degree(s, u);
    for (; i < s->offsets[u + 1]; i++) {
        weft_vid x = s->targets[i];
        while (!search && k < s->offsets[v + 1] && s->targets[k] < x) k++;
        if (search ? !joined(s, v, x) : k == s->offsets[v + 1] || s->targets[k] != x) continue;
        if (list) list[common] = x;
        common++;
    }
    return common;
}

/* Element `counter` of a fixed pseudorandom sequence. */
static uint64_t random_at(uint64_t counter) {
    uint64_t x = (counter + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

int check_simple_exact(const check_simple *s) { return s->wedges[s->n] + s->n <= MOST_PAIRS; }

int check_simple_pick(const check_simple *s, uint64_t k, uint64_t *spent, weft_vid *v) {
    int exact = check_simple_exact(s);
    if (check_stops(s->watch, 0)) return 0;
    if (exact ? k >= s->n : *spent >= MOST_PAIRS) return 0;
    *v = exact ? (weft_vid)k : (weft_vid)(random_at(k) % s->n);
    *spent += 64 + s->wedges[*v + 1] - s->wedges[*v];
    return 1;
}

/* The centre of wedge number `at`. */
static weft_vid centre_of(const check_simple *s, uint64_t at) {
    weft_vid low = 0, high = s->n - 1;
    while (low < high) {
        weft_vid mid = low + (high - low) / 2;
        if (s->wedges[mid + 1] > at)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

int check_simple_closed(const check_simple *s, double share) {
    uint64_t all = s->wedges[s->n], closed = 0;
    if (!all) return share == 0;
    if (!(share >= 0 && share <= 1)) return 0;
    for (uint64_t i = 0; i < DRAWS && !check_stops(s->watch, i); i++) {
        weft_vid v = centre_of(s, random_at(3 * i) % all);
        uint64_t d = check_simple_degree(s, v), a = random_at(3 * i + 1) % d, b = random_at(3 * i + 2) % (d - 1);
        if (b >= a) b++;
        closed += (uint64_t)joined(s, s->targets[s->offsets[v] + a], s->targets[s->offsets[v] + b]);
    }
    double expected = share * DRAWS, spread = sqrt(DRAWS * share * (1 - share)) + 1;
    return fabs((double)closed - expected) <= 6 * spread;
}
