/* kcore: core numbers by the bucket algorithm (Batagelj and Zaversnik 2003), on lists built here from the arcs: for
 * each vertex, the vertices that lose a neighbour when it is removed. Members of the k-core are recounted from the
 * column. */
#include "weft/kcore.h"
#include "checks.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct lists {
    size_t n;
    uint64_t *start;     /* n + 2 */
    uint64_t *neighbour; /* vertex * 2, plus 1 for an incoming arc; later the vertices that lose a neighbour */
    uint32_t *degree, *length;
    weft_vid *order, *place, *bin; /* order by buckets; bin has 2 n + 2 elements */
    check_watch *watch;
} lists;

/* Reduces the sorted row of v: counts v's degree, and keeps the vertices for which v counts. */
static void reduce_row(lists *l, weft_vid v, weft_core_mode mode) {
    uint64_t *row = l->neighbour + l->start[v];
    size_t length = (size_t)(l->start[(size_t)v + 1] - l->start[v]), kept = 0;
    for (size_t i = 0; i < length; i++) {
        uint64_t other = row[i] >> 1, before = i ? row[i - 1] : UINT64_MAX;
        bool comes = row[i] & 1, first = i == 0 || before >> 1 != other;
        if (other == v || row[i] == before) continue;
        bool counts = mode == WEFT_CORE_ALL || (mode == WEFT_CORE_NEIGHBOURS ? first : comes == (mode == WEFT_CORE_IN));
        bool loses = mode == WEFT_CORE_ALL || (mode == WEFT_CORE_NEIGHBOURS ? first : comes == (mode == WEFT_CORE_OUT));
        l->degree[v] += counts;
        if (loses) row[kept++] = row[i];
    }
    for (size_t i = 0; i < kept; i++) row[i] >>= 1;
    l->length[v] = (uint32_t)kept;
}

/* Lists both ends of every arc, sorted, without loops. */
static int make_lists(const weft_graph *g, weft_core_mode mode, lists *l) {
    weft_csr out = check_out(l->watch, g);
    l->n = out.vertices;
    l->start = check_take(l->watch, l->n + 1, sizeof *l->start);
    l->neighbour = check_take(l->watch, 2 * (size_t)out.arcs, sizeof *l->neighbour);
    l->degree = check_take(l->watch, l->n, sizeof *l->degree);
    l->length = check_take(l->watch, l->n, sizeof *l->length);
    l->order = check_take(l->watch, l->n, sizeof *l->order);
    l->place = check_take(l->watch, l->n, sizeof *l->place);
    l->bin = check_take(l->watch, 2 * l->n + 1, sizeof *l->bin);
    if (l->watch->status) return 0;
    for (weft_vid u = 0; u < l->n && !check_stops(l->watch, u); u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            l->start[u + 2]++;
            l->start[(size_t)out.targets[e] + 2]++;
        }
    for (size_t v = 2; v < l->n + 2; v++) l->start[v] += l->start[v - 1];
    for (weft_vid u = 0; u < l->n && !check_stops(l->watch, u); u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            weft_vid v = out.targets[e];
            l->neighbour[l->start[(size_t)u + 1]++] = (uint64_t)v << 1;
            l->neighbour[l->start[(size_t)v + 1]++] = (uint64_t)u << 1 | 1;
        }
    for (weft_vid v = 0; v < l->n && !check_stops(l->watch, v); v++) {
        qsort(l->neighbour + l->start[v], (size_t)(l->start[(size_t)v + 1] - l->start[v]), sizeof *l->neighbour,
              check_by_u64);
        reduce_row(l, v, mode);
    }
    return !l->watch->stopped;
}

/* Removes vertices by ascending degree. A vertex that loses a neighbour moves to the front of its bucket, whose begin
 * advances. Afterwards degree[] holds core numbers. */
static void peel(lists *l) {
    for (size_t v = 0; v < l->n; v++) l->bin[l->degree[v] + 1]++;
    for (size_t d = 1; d < 2 * l->n + 2; d++) l->bin[d] += l->bin[d - 1];
    for (weft_vid v = 0; v < l->n; v++) {
        l->place[v] = l->bin[l->degree[v]]++;
        l->order[l->place[v]] = v;
    }
    for (size_t d = 2 * l->n; d > 0; d--) l->bin[d] = l->bin[d - 1];
    l->bin[0] = 0;
    for (size_t i = 0; i < l->n && !check_stops(l->watch, i); i++) {
        weft_vid v = l->order[i];
        for (size_t k = 0; k < l->length[v]; k++) {
            weft_vid u = (weft_vid)l->neighbour[l->start[v] + k];
            if (l->degree[u] <= l->degree[v]) continue;
            weft_vid front = l->bin[l->degree[u]]++, other = l->order[front];
            l->order[l->place[u]] = other;
            l->place[other] = l->place[u];
            l->order[front] = u;
            l->place[u] = front;
            l->degree[u]--;
        }
    }
}

static int compare(const weft_graph *g, const lists *l, const weft_result *result, uint64_t k) {
    const uint32_t *core = weft_result_u32(result, "core"), *members = weft_result_u32(result, "members");
    const weft_scalar *degeneracy = weft_result_scalar(result, "degeneracy");
    uint32_t most = 0;
    size_t in_core = 0;
    if (!core || !members || !degeneracy) return check_wrong(l->watch, "a column or the degeneracy is missing");
    size_t given = weft_result_column(result, "members")->length;
    for (weft_vid v = 0; v < l->n; v++) {
        if (core[v] != l->degree[v])
            return check_wrong(l->watch, "vertex %s: core is %u, but %u was found", check_id(g, v).text, core[v],
                               l->degree[v]);
        if (core[v] > most) most = core[v];
        if (!k || core[v] < k) continue;
        if (in_core >= given || members[in_core] != v) in_core = SIZE_MAX - l->n;
        in_core++;
    }
    if (in_core != given || degeneracy->value.u64 != most)
        return check_wrong(
            l->watch, "degeneracy %" PRIu64 " or the %zu members of the %" PRIu64 "-core do not fit the core numbers",
            degeneracy->value.u64, given, k);
    return 1;
}

int weft_check_kcore(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    const weft_kcore_params *p = params;
    lists l = {.watch = w};
    if (!make_lists(g, weft_graph_directed(g) ? p->mode : WEFT_CORE_NEIGHBOURS, &l)) return 0;
    peel(&l);
    return compare(g, &l, result, p->k) && check_right(w, "all %zu core numbers recomputed with buckets", l.n);
}
