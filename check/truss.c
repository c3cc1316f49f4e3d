/* truss: edges are peeled again, one by one, by the numbers of the result. Once all edges of smaller numbers are
 * removed, an edge of number k is in at least k - 2 triangles; and repeatedly removing edges of number k in fewer
 * than k - 1 triangles removes all of them. Edges of larger numbers stay, as their own turn shows.
 * With k there are two numbers: members of the k-truss, and all other edges, for which only the second condition
 * holds. */
#include "weft/truss.h"
#include "checks.h"

#include <inttypes.h>

/* Arrays by position in the simple view; an edge has its position in the row of its smaller end. */
typedef struct peeling {
    check_simple s;
    uint32_t *number, *support; /* number 0: removed */
    uint64_t *pair;             /* for positions in either row: the edge's position */
    uint64_t *queue, *order;    /* edges to remove; all edges by their numbers */
    uint64_t queued;
    uint32_t most;
} peeling;

static uint64_t first_from(const weft_vid *targets, uint64_t low, uint64_t high, weft_vid to) {
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (targets[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t place_of(const check_simple *s, weft_vid u, weft_vid v) {
    weft_vid from = u < v ? u : v;
    return first_from(s->targets, s->offsets[from], s->offsets[from + 1], u < v ? v : u);
}

static int wrong(const peeling *p, const char *what, uint64_t a, uint64_t b, uint32_t number) {
    return check_wrong(p->s.watch, what, a, b, number);
}

/* Reads the numbers of pairs, which parallel edges and arcs in both directions share. */
static int read_numbers(peeling *p, const weft_graph *g, const weft_result *result, uint64_t k) {
    const weft_vid *source = weft_result_u32(result, "source"), *target = weft_result_u32(result, "target");
    const uint32_t *truss = weft_result_u32(result, "truss");
    uint64_t with_most = 0, edges = weft_graph_edges(g);
    uint32_t most = 0;
    for (uint64_t i = 0; i < edges && !check_stops(p->s.watch, i); i++) {
        uint32_t number = truss[i];
        with_most = number > most ? 1 : with_most + (most && number == most);
        most = number > most ? number : most;
        if (source[i] == target[i]) {
            if (number) return wrong(p, "row %" PRIu64 " of %" PRIu64 " is a loop, of number %u", i, edges, number);
            continue;
        }
        if (k ? number && number != k : number < 2)
            return wrong(p, "row %" PRIu64 " of %" PRIu64 " cannot have the number %u", i, edges, number);
        uint32_t *place = &p->number[place_of(&p->s, source[i], target[i])];
        if (k && !number) number = (uint32_t)k - 1;
        if (*place && *place != number)
            return wrong(p, "edges between %" PRIu64 " and %" PRIu64 " differ in their numbers, one is %u", source[i],
                         target[i], number);
        *place = number;
        p->most = number > p->most ? number : p->most;
    }
    if (weft_result_scalar(result, "max_truss")->value.u64 == most &&
        weft_result_scalar(result, "edges")->value.u64 == with_most)
        return 1;
    return wrong(p, "%" PRIu64 " edges have the largest number, of %" PRIu64 ", which is %u", with_most, edges, most);
}

/* Called for each triangle of an edge, if its other edges still exist. */
typedef void (*triangle_fn)(peeling *p, uint64_t edge, uint64_t one, uint64_t other, uint32_t number);

/* The third corner is a neighbour of the end with fewer neighbours, searched in the row of the other end. */
static void each_triangle(peeling *p, weft_vid u, weft_vid v, uint64_t edge, uint32_t number, triangle_fn f) {
    const check_simple *s = &p->s;
    if (check_simple_degree(s, u) > check_simple_degree(s, v)) {
        weft_vid other = u;
        u = v;
        v = other;
    }
    uint64_t end = s->offsets[v + 1];
    for (uint64_t i = s->offsets[u], at = s->offsets[v]; i < s->offsets[u + 1] && at < end; i++) {
        if (p->pair[i] == edge || !p->number[p->pair[i]]) continue;
        at = first_from(s->targets, at, end, s->targets[i]);
        if (at < end && s->targets[at] == s->targets[i] && p->number[p->pair[at]])
            f(p, edge, p->pair[i], p->pair[at], number);
    }
}

static void count(peeling *p, uint64_t edge, uint64_t one, uint64_t other, uint32_t number) {
    (void)one, (void)other, (void)number;
    p->support[edge]++;
}

static weft_vid row_of(const check_simple *s, uint64_t place) {
    weft_vid low = 0, high = s->n - 1;
    while (low < high) {
        weft_vid middle = low + (high - low) / 2;
        if (s->offsets[middle + 1] <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void lower(peeling *p, uint64_t edge, uint32_t number) {
    /* at number - 2 the edge is in fewer than number - 1 triangles */
    if (--p->support[edge] == number - 2 && p->number[edge] == number) p->queue[p->queued++] = edge;
}

static void lose(peeling *p, uint64_t edge, uint64_t one, uint64_t other, uint32_t number) {
    (void)edge;
    lower(p, one, number);
    lower(p, other, number);
}

/* Edges order[begin ... end-1] have the number. held: check their triangles first; go: remove them. */
static int peel_number(peeling *p, uint32_t number, uint64_t begin, uint64_t end, int held, int go) {
    p->queued = 0;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t edge = p->order[i];
        if (held && p->support[edge] + 2 < number)
            return wrong(p, "an edge has %" PRIu64 " triangles in its truss of %" PRIu64 " edges, its number is %u",
                         p->support[edge], end - begin, number);
        if (p->support[edge] + 1 < number) p->queue[p->queued++] = edge;
    }
    if (!go) return 1;
    for (uint64_t i = 0; i < p->queued && !check_stops(p->s.watch, i); i++) {
        uint64_t edge = p->queue[i];
        p->number[edge] = 0;
        each_triangle(p, row_of(&p->s, edge), p->s.targets[edge], edge, number, lose);
    }
    if (p->queued == end - begin) return 1;
    return wrong(p, "%" PRIu64 " of %" PRIu64 " edges of number %u are in a higher truss", end - begin - p->queued,
                 end - begin, number);
}

static int peel_all(peeling *p, uint64_t *start, uint64_t k) {
    const check_simple *s = &p->s;
    for (weft_vid u = 0; u < s->n && !check_stops(s->watch, u); u++)
        for (uint64_t i = s->offsets[u]; i < s->offsets[u + 1]; i++)
            p->pair[i] = s->targets[i] > u ? i : place_of(s, u, s->targets[i]);
    for (weft_vid u = 0; u < s->n && !check_stops(s->watch, u); u++)
        for (uint64_t i = s->offsets[u]; i < s->offsets[u + 1]; i++) {
            if (s->targets[i] < u) continue;
            start[p->number[i] + 1]++;
            each_triangle(p, u, s->targets[i], i, 0, count);
        }
    for (uint64_t number = 0; number <= p->most; number++) start[number + 1] += start[number];
    for (weft_vid u = 0; u < s->n; u++)
        for (uint64_t i = s->offsets[u]; i < s->offsets[u + 1]; i++)
            if (s->targets[i] > u) p->order[start[p->number[i]]++] = i;
    for (uint32_t number = 1; number <= p->most; number++)
        if (!peel_number(p, number, start[number - 1], start[number], !k || number == k, number != k)) return 0;
    return 1;
}

int weft_check_truss(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    uint64_t k = ((const weft_truss_params *)params)->k;
    peeling p = {.most = 0};
    if (!check_edges(w, g, result, "truss", WEFT_U32)) return 0;
    if (!weft_result_scalar(result, "max_truss") || !weft_result_scalar(result, "edges"))
        return check_wrong(w, "a scalar is missing");
    if (!check_simple_make(g, w, &p.s)) return 0;
    size_t entries = (size_t)p.s.offsets[p.s.n];
    p.number = check_take(w, entries, sizeof *p.number);
    p.support = check_take(w, entries, sizeof *p.support);
    p.pair = check_take(w, entries, sizeof *p.pair);
    p.queue = check_take(w, entries, sizeof *p.queue);
    p.order = check_take(w, entries, sizeof *p.order);
    if (w->status || !read_numbers(&p, g, result, k)) return 0;
    uint64_t *start = check_take(w, (size_t)p.most + 1, sizeof *start);
    return start && peel_all(&p, start, k) &&
           check_right(w, "all %" PRIu64 " edges peeled again, up to the %u-truss", start[p.most], p.most);
}
