/* cycle: the arcs of the cycle that is claimed exist and close; that there is none is confirmed by a depth-first search
 * of its own, which meets an arc back to the path it stands on exactly when there is a cycle. */
#include "checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int arc_is_there(const weft_graph *g, weft_vid u, weft_vid v, weft_check_report *report) {
    weft_vid n = weft_graph_vertices(g);
    if (u >= n || v >= n) {
        snprintf(report->message, sizeof report->message, "the cycle names a vertex that does not exist");
        return 0;
    }
    if (weft_graph_has_arc(g, u, v, NULL)) return 1;
    char from[128], to[128];
    weft_graph_id_text(g, u, from, sizeof from);
    weft_graph_id_text(g, v, to, sizeof to);
    snprintf(report->message, sizeof report->message, "the cycle goes from %s to %s, but there is no such arc", from,
             to);
    return 0;
}

static int is_different(const void *a, const void *b) {
    weft_vid x = *(const weft_vid *)a, y = *(const weft_vid *)b;
    return (x > y) - (x < y);
}

int weft_check_is_cycle(const weft_graph *g, const weft_column *cycle, weft_check_report *report) {
    const weft_vid *vertex = cycle->data;
    for (size_t i = 0; i < cycle->length; i++)
        if (!arc_is_there(g, vertex[i], vertex[(i + 1) % cycle->length], report)) return 0;
    weft_vid *sorted = malloc((cycle->length + 1) * sizeof *sorted);
    int distinct = sorted != NULL && cycle->length > 0;
    for (size_t i = 0; distinct && i < cycle->length; i++) sorted[i] = vertex[i];
    if (distinct) qsort(sorted, cycle->length, sizeof *sorted, is_different);
    for (size_t i = 1; distinct && i < cycle->length; i++) distinct = sorted[i] != sorted[i - 1];
    if (!distinct) snprintf(report->message, sizeof report->message, "the cycle is empty or passes a vertex twice");
    free(sorted);
    return distinct;
}

/* Depth first from every vertex.  state: 0 new, 1 on the path, 2 done.  1 when an arc leads back to the path. */
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

static weft_status confirm_acyclic(weft_ctx *ctx, const weft_graph *g, weft_check_report *report) {
    check_watch watch = {.ctx = ctx};
    size_t n = weft_graph_vertices(g);
    char *state = calloc(n + 1, 1);
    weft_vid *path = malloc((n + 1) * sizeof *path);
    weft_eid *next = malloc((n + 1) * sizeof *next);
    weft_status st = state && path && next ? WEFT_OK : WEFT_ENOMEM;
    if (!st) {
        report->passed = !search_finds_cycle(g, state, path, next, &watch);
        snprintf(report->message, sizeof report->message, "%s",
                 report->passed ? "a depth-first search found no cycle either"
                                : "called acyclic, but a depth-first search found a cycle");
    }
    free(state);
    free(path);
    free(next);
    return check_ended(&watch, st, &report->passed);
}

weft_status weft_check_cycle(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                             weft_check_report *report) {
    (void)params;
    report->passed = 0;
    const weft_column *cycle = weft_result_column(result, "cycle");
    const weft_scalar *acyclic = weft_result_scalar(result, "acyclic"), *length = weft_result_scalar(result, "length");
    if (!cycle || !acyclic || !length || acyclic->value.u64 > 1) {
        snprintf(report->message, sizeof report->message, "the cycle, its length or the answer is missing");
        return WEFT_OK;
    }
    if (length->value.u64 != cycle->length || (acyclic->value.u64 == 1) != (cycle->length == 0)) {
        snprintf(report->message, sizeof report->message,
                 "acyclic %" PRIu64 ", length %" PRIu64 " and a cycle of %zu vertices contradict each other",
                 acyclic->value.u64, length->value.u64, cycle->length);
        return WEFT_OK;
    }
    if (!cycle->length) return confirm_acyclic(ctx, g, report);
    report->passed = weft_check_is_cycle(g, cycle, report);
    if (report->passed)
        snprintf(report->message, sizeof report->message, "all %zu arcs of the cycle are there", cycle->length);
    return WEFT_OK;
}
