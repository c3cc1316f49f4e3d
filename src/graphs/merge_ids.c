/* The vertices of merged graphs.
 * Method: the lists of ids ascend. They are merged into one list, graph after graph; then each graph's list is merged
 * with that list, which gives the places of its vertices.
 * Encoding: an id is a reference to its first occurrence, graph << 32 | vertex. */
#include "graphs/merge.h"

static uint64_t standing(size_t graph, weft_vid v) { return (uint64_t)graph << 32 | v; }
static const weft_graph *graph_of(const wfi_merging *m, uint64_t id) { return m->graphs[id >> 32]; }

static int order_of(const wfi_merging *m, uint64_t id, size_t graph, weft_vid v) {
    return wfi_id_order(graph_of(m, id), (weft_vid)id, m->graphs[graph], v);
}

/* Merges the ids of another graph into the list: the union or, for an intersection, common ids. */
static weft_status add_graph(const wfi_merging *m, size_t graph, uint64_t **ids, uint64_t *count) {
    weft_vid n = m->graphs[graph]->n, v = 0;
    uint64_t i = 0, used = 0, *merged;
    bool all = m->mode == WEFT_MERGE_UNION;
    if (wfi_alloc(m->ctx, &merged, (size_t)(all ? *count + n : wfi_min_u64(*count, n)))) return WEFT_ENOMEM;
    for (uint64_t step = 1; i < *count || v < n; step++) {
        if (step % WFI_POLL_EVERY == 0 && wfi_cancelled(m->ctx)) break;
        int order = i == *count ? 1 : v == n ? -1 : order_of(m, (*ids)[i], graph, v);
        if (all || !order) merged[used++] = order <= 0 ? (*ids)[i] : standing(graph, v);
        i += order <= 0;
        v += order >= 0;
    }
    bool stopped = i < *count || v < n;
    wfi_free(*ids);
    *ids = merged;
    *count = used;
    if (stopped) return wfi_fail_cancelled(m->ctx);
    if (used >= WEFT_NO_VERTEX)
        return wfi_fail(m->ctx, WEFT_EINPUT, "merge: %llu vertices; at most 2^32-2 are possible",
                        (unsigned long long)used);
    return WEFT_OK;
}

static weft_status list_ids(const wfi_merging *m, uint64_t **ids, uint64_t *count) {
    *count = m->graphs[0]->n;
    weft_status st = wfi_alloc(m->ctx, ids, (size_t)*count);
    for (weft_vid v = 0; v < *count && !st; v++) (*ids)[v] = standing(0, v);
    for (size_t g = 1; g < m->count && m->mode != WEFT_MERGE_DIFFERENCE && !st; g++) {
        wfi_progress(m->ctx, "matching vertices", g, m->count);
        st = add_graph(m, g, ids, count);
    }
    return st;
}

static weft_status place_vertices(wfi_merging *m, const uint64_t *ids) {
    weft_status st = wfi_alloc_zeroed(m->ctx, &m->place, m->count);
    for (size_t g = 0; g < m->count && !st; g++) {
        weft_vid n = m->graphs[g]->n, i = 0;
        st = wfi_alloc(m->ctx, &m->place[g], n);
        for (weft_vid v = 0; v < n && !st; v++) {
            if (v % WFI_POLL_EVERY == 0 && wfi_cancelled(m->ctx)) st = wfi_fail_cancelled(m->ctx);
            int order = 1;
            while (i < m->n && (order = order_of(m, ids[i], g, v)) < 0) i++;
            m->place[g][v] = order ? WEFT_NO_VERTEX : i;
        }
    }
    return st;
}

static weft_status copy_names(wfi_merging *m, const uint64_t *ids) {
    uint64_t bytes = 0, length;
    for (weft_vid i = 0; i < m->n; i++) {
        const wfi_ids *of = &graph_of(m, ids[i])->ids;
        bytes += of->start[(weft_vid)ids[i] + 1] - of->start[(weft_vid)ids[i]];
    }
    m->ids.kind = WEFT_IDS_STRING;
    if (wfi_alloc(m->ctx, &m->ids.start, (size_t)m->n + 1) || wfi_alloc(m->ctx, &m->ids.text, (size_t)bytes))
        return WEFT_ENOMEM;
    m->ids.start[0] = 0;
    for (weft_vid i = 0; i < m->n; i++) {
        const wfi_ids *of = &graph_of(m, ids[i])->ids;
        uint64_t from = of->start[(weft_vid)ids[i]];
        length = of->start[(weft_vid)ids[i] + 1] - from;
        memcpy(m->ids.text + m->ids.start[i], of->text + from, (size_t)length);
        m->ids.start[i + 1] = m->ids.start[i] + length;
    }
    return WEFT_OK;
}

/* Consecutive numbers need no list. */
static weft_status copy_numbers(wfi_merging *m, const uint64_t *ids) {
    int64_t first = wfi_id_number(graph_of(m, ids[0]), (weft_vid)ids[0]);
    int64_t last = wfi_id_number(graph_of(m, ids[m->n - 1]), (weft_vid)ids[m->n - 1]);
    m->ids.base = first;
    if ((uint64_t)last - (uint64_t)first == m->n - 1) return WEFT_OK;
    m->ids.base = 0;
    m->ids.kind = WEFT_IDS_SPARSE;
    if (wfi_alloc(m->ctx, &m->ids.number, m->n)) return WEFT_ENOMEM;
    for (weft_vid i = 0; i < m->n; i++) m->ids.number[i] = wfi_id_number(graph_of(m, ids[i]), (weft_vid)ids[i]);
    return WEFT_OK;
}

weft_status wfi_merge_ids(wfi_merging *m) {
    uint64_t *ids = NULL, count = 0;
    weft_status st = list_ids(m, &ids, &count);
    m->n = st ? 0 : (weft_vid)count;
    if (!st) st = place_vertices(m, ids);
    if (!st && m->n) st = graph_of(m, ids[0])->ids.kind == WEFT_IDS_STRING ? copy_names(m, ids) : copy_numbers(m, ids);
    wfi_free(ids);
    return st;
}

void wfi_merge_free(wfi_merging *m) {
    for (size_t g = 0; m->place && g < m->count; g++) wfi_free(m->place[g]);
    wfi_free(m->place);
    wfi_ids_free(&m->ids);
}
