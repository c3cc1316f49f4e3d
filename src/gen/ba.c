/* Barabási–Albert graphs [1]: every new vertex brings k edges to k different older vertices, each chosen with
 * probability proportional to its degree. The first k+1 vertices form a clique.
 *
 * Method: edge e of the list fills the places 2e (the new vertex) and 2e+1 (the older one) of a virtual array; a
 * uniformly drawn place of older vertices holds a vertex with probability proportional to its degree [2]. The array
 * is not stored: the place that place 2e+1 copies from is a hash of (seed, e), followed until it reaches an even
 * place or the clique, two steps on average, so that every edge can be made by any thread [3].
 * A repeated target is drawn again for the vertex's own list only; the virtual array, which decides about later
 * vertices, keeps the repeat. So the graph is simple and has k(k+1)/2 + (n-k-1)k edges.
 * [1] Barabási, Albert, "Emergence of scaling in random networks", Science 286, 1999.
 * [2] Batagelj, Brandes, "Efficient generation of large random networks", Phys. Rev. E 71, 2005.
 * [3] Sanders, Schulz, "Scalable generation of scale-free graphs", Inf. Proc. Letters 116, 2016. */
#include "gen/gen.h"
#include "gen/random.h"

#include <inttypes.h>

enum { ATTEMPTS = 64 }; /* for a new target, before the search becomes linear */

/* Number of edges of the vertices below v. Vertex v has v edges in the clique, k after it. */
static uint64_t first_edge(uint64_t k, uint64_t v) {
    return v <= k ? wfi_space_count(WFI_TRIANGLE, v) : wfi_space_count(WFI_TRIANGLE, k + 1) + (v - k - 1) * k;
}

/* The vertex at a place. Each step leads to an older vertex, so the loop ends. */
static uint32_t vertex_at(uint64_t seed, uint64_t k, uint64_t place) {
    uint64_t clique = wfi_space_count(WFI_TRIANGLE, k + 1);
    for (;;) {
        uint64_t edge = place / 2;
        if (edge < clique) {
            wfi_pair pair = wfi_space_pair(WFI_TRIANGLE, k + 1, edge);
            return place % 2 ? pair.u : pair.v;
        }
        uint64_t age = (edge - clique) / k;
        if (place % 2 == 0) return (uint32_t)(age + k + 1);
        place = wfi_below(wfi_draw(seed, WFI_FOR_ATTACHMENT, 0, edge).first, 2 * (clique + age * k));
    }
}

static bool has(const uint32_t *ends, uint64_t count, uint32_t target) {
    for (uint64_t i = 0; i < count; i++)
        if (ends[2 * i + 1] == target) return true;
    return false;
}

/* Makes the edges of vertex v > k. */
static void attach(uint64_t seed, uint64_t k, uint64_t v, uint32_t *ends) {
    uint64_t first = first_edge(k, v);
    for (uint64_t i = 0; i < k; i++) {
        uint32_t target = vertex_at(seed, k, 2 * (first + i) + 1);
        for (uint32_t attempt = 1; has(ends, i, target); attempt++) {
            /* There are at least k+1 older vertices and i < k are taken, so the linear search finds one. */
            if (attempt > ATTEMPTS)
                target = target + 1 < v ? target + 1 : 0;
            else
                target = vertex_at(seed, k,
                                   wfi_below(wfi_draw(seed, WFI_FOR_ATTACHMENT, attempt, first + i).first, 2 * first));
        }
        ends[2 * i] = (uint32_t)v;
        ends[2 * i + 1] = target;
    }
}

static uint64_t vertices_in_block(uint64_t k) { return wfi_max_u64(1, WFI_BLOCK_EDGES / k); }

static weft_status grow_block(wfi_run *run, const void *plan, uint64_t block, wfi_piece *piece) {
    (void)plan;
    uint64_t k = run->p.k, from = block * vertices_in_block(k);
    uint64_t to = wfi_min_u64(run->vertices, from + vertices_in_block(k)), base = first_edge(k, from);
    weft_status st = wfi_piece_take(run, piece, first_edge(k, to) - base);
    if (st) return st;
    for (uint64_t v = from; v < to; v++) {
        uint32_t *ends = piece->narrow + 2 * (first_edge(k, v) - base);
        if (v > k) attach(run->p.seed, k, v, ends);
        for (uint64_t u = 0; v <= k && u < v; u++) {
            ends[2 * u] = (uint32_t)v;
            ends[2 * u + 1] = (uint32_t)u;
        }
    }
    return WEFT_OK;
}

weft_status wfi_make_ba(wfi_run *run) {
    uint64_t n = run->p.n, k = run->p.k;
    if (k >= n)
        return wfi_fail(run->ctx, WEFT_EINVAL,
                        "`k` is %" PRIu64 " edges per new vertex, which must be less than `n` (%" PRIu64 ")", k, n);
    run->vertices = n;
    if (run->directed) run->label = WEFT_LABEL_ACYCLIC;
    uint64_t each = vertices_in_block(k);
    return wfi_run_blocks(run, (n - 1) / each + 1, first_edge(k, n), grow_block, NULL);
}
