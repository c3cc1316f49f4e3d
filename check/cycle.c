/* cycle: the arcs of a claimed cycle exist and close it; a claimed absence is confirmed by a depth-first search,
 * which meets an arc back to its path exactly if there is a cycle. */
#include "checks.h"

#include <inttypes.h>
#include <stdlib.h>

static int arc_is_there(check_watch *w, const weft_graph *g, weft_vid u, weft_vid v) {
    weft_vid n = weft_graph_vertices(g);
    if (u >= n || v >= n) return check_wrong(w, "the cycle names a vertex that does not exist");
    if (weft_graph_has_arc(g, u, v, NULL)) return 1;
    return check_wrong(w, "the cycle goes from %s to %s, but there is no such arc", check_id(g, u).text,
                       check_id(g, v).text);
}

int check_cycle(check_watch *w, const weft_graph *g, const weft_column *cycle) {
    const weft_vid *vertex = cycle->data;
    for (size_t i = 0; i < cycle->length; i++)
        if (!arc_is_there(w, g, vertex[i], vertex[(i + 1) % cycle->length])) return 0;
    weft_vid *sorted = check_take(w, cycle->length, sizeof *sorted);
    int distinct = sorted != NULL && cycle->length > 0;
    for (size_t i = 0; distinct && i < cycle->length; i++) sorted[i] = vertex[i];
    if (distinct) qsort(sorted, cycle->length, sizeof *sorted, check_by_vertex);
    for (size_t i = 1; distinct && i < cycle->length; i++) distinct = sorted[i] != sorted[i - 1];
    return distinct || check_wrong(w, "the cycle is empty or passes a vertex twice");
}

/* Depth-first search from every vertex. state: 0 new, 1 on the path, 2 done. Returns 1 if an arc leads back to the
 * path. */
static int search_finds_cycle(const weft_graph *g, char *state, weft_vid *path, weft_eid *next, check_watch *watch) {
    weft_csr out = check_out(watch, g);
    uint64_t steps = 0;
    for (weft_vid start = 0; start < out.vertices; start++) {
        if (state[start]) continue;
        size_t depth = 1;
        path[0] = start;
        next[0] = out.offsets[start];
        state[start] = 1;
        while (depth && !check_stops(watch, steps++)) {
            weft_vid v = path[depth - 1];
            if (next[depth - 1] == out.offsets[v + 1]) {
                state[v] = 2;
                depth--;
                continue;
            }
            weft_vid u = out.targets[next[depth - 1]++];
            if (state[u] == 1) return 1;
            if (state[u]) continue;
            state[u] = 1;
            path[depth] = u;
            next[depth++] = out.offsets[u];
        }
    }
    return 0;
}

static int confirm_acyclic(check_watch *w, const weft_graph *g) {
    size_t n = weft_graph_vertices(g);
    char *state = check_take(w, n, 1);
    weft_vid *path = check_take(w, n, sizeof *path);
    weft_eid *next = check_take(w, n, sizeof *next);
    if (w->status) return 0;
    return search_finds_cycle(g, state, path, next, w)
               ? check_wrong(w, "called acyclic, but a depth-first search found a cycle")
               : check_right(w, "a depth-first search found no cycle either");
}

int weft_check_cycle(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    (void)params;
    const weft_column *cycle = weft_result_column(result, "cycle");
    const weft_scalar *acyclic = weft_result_scalar(result, "acyclic"), *length = weft_result_scalar(result, "length");
    if (!cycle || !acyclic || !length || acyclic->value.u64 > 1)
        return check_wrong(w, "the cycle, its length or the answer is missing");
    if (length->value.u64 != cycle->length || (acyclic->value.u64 == 1) != (cycle->length == 0))
        return check_wrong(w,
                           "acyclic %" PRIu64 ", length %" PRIu64 " and a cycle of %zu vertices contradict each other",
                           acyclic->value.u64, length->value.u64, cycle->length);
    if (!cycle->length) return confirm_acyclic(w, g);
    return check_cycle(w, g, cycle) && check_right(w, "all %zu arcs of the cycle are there", cycle->length);
}
