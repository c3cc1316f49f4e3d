/* External ids: vertex to id by index, id to vertex by binary search over the ids in ascending order. */
#include "core/search.h"
#include "graph/graph.h"

#include <stdio.h>
#include <string.h>

void wfi_ids_free(wfi_ids *ids) {
    wfi_free(ids->number);
    wfi_free(ids->start);
    wfi_free(ids->text);
    wfi_free(ids->by_id);
    *ids = (wfi_ids){0};
}

weft_id_kind weft_graph_id_kind(const weft_graph *g) {
    return g && !wfi_graph_ready(NULL, g) ? g->ids.kind : WEFT_IDS_DENSE;
}

int64_t weft_graph_id(const weft_graph *g, weft_vid v) {
    if (!g || v >= g->n || wfi_graph_ready(NULL, g)) return 0;
    switch (g->ids.kind) {
    case WEFT_IDS_DENSE: return g->ids.base + (int64_t)v;
    case WEFT_IDS_SPARSE: return g->ids.number[v];
    case WEFT_IDS_STRING: break;
    }
    return 0;
}

size_t weft_graph_id_text(const weft_graph *g, weft_vid v, char *buffer, size_t size) {
    if (!buffer) size = 0;
    if (!g || v >= g->n || wfi_graph_ready(NULL, g)) {
        if (size) buffer[0] = '\0';
        return 0;
    }
    if (g->ids.kind != WEFT_IDS_STRING) return (size_t)snprintf(buffer, size, "%lld", (long long)weft_graph_id(g, v));
    size_t length = (size_t)(g->ids.start[v + 1] - g->ids.start[v]);
    if (size) {
        size_t fits = length < size ? length : size - 1;
        memcpy(buffer, g->ids.text + g->ids.start[v], fits);
        buffer[fits] = '\0';
    }
    return length;
}

static weft_vid vertex_at(const weft_graph *g, weft_vid place) { return g->ids.by_id ? g->ids.by_id[place] : place; }

static weft_vid find_number(const weft_graph *g, int64_t id) {
    if (g->ids.kind == WEFT_IDS_DENSE) {
        uint64_t v = (uint64_t)id - (uint64_t)g->ids.base;
        return v < g->n ? (weft_vid)v : WEFT_NO_VERTEX;
    }
    if (g->ids.kind != WEFT_IDS_SPARSE) return WEFT_NO_VERTEX;
    weft_vid low = 0, high = g->n;
    WFI_BISECT(low, high, middle, g->ids.number[vertex_at(g, middle)] < id);
    if (low == g->n || g->ids.number[vertex_at(g, low)] != id) return WEFT_NO_VERTEX;
    return vertex_at(g, low);
}

static int compare_to(const weft_graph *g, weft_vid v, const char *text, size_t length) {
    uint64_t have = g->ids.start[v + 1] - g->ids.start[v];
    int order = memcmp(g->ids.text + g->ids.start[v], text, have < length ? have : length);
    return order ? order : (have > length) - (have < length);
}

static weft_vid find_text(const weft_graph *g, const char *text, size_t length) {
    weft_vid low = 0, high = g->n;
    WFI_BISECT(low, high, middle, compare_to(g, vertex_at(g, middle), text, length) < 0);
    if (low == g->n || compare_to(g, vertex_at(g, low), text, length)) return WEFT_NO_VERTEX;
    return vertex_at(g, low);
}

/* Parses all of `text` as a decimal number. */
static bool parse_id(const char *text, size_t length, int64_t *id) {
    const char *p = text, *end = text + length;
    bool negative = length && *text == '-';
    if (length && (*text == '-' || *text == '+')) p++;
    if (p == end) return false;
    int64_t x = 0;
    for (; p < end; p++) {
        if (*p < '0' || *p > '9') return false;
        int digit = *p - '0';
        if (__builtin_mul_overflow(x, (int64_t)10, &x) ||
            __builtin_add_overflow(x, (int64_t)(negative ? -digit : digit), &x))
            return false;
    }
    *id = x;
    return true;
}

weft_vid wfi_graph_find_id(const weft_graph *g, const char *text, size_t length) {
    int64_t id;
    if (g->ids.kind == WEFT_IDS_STRING) return find_text(g, text, length);
    return parse_id(text, length, &id) ? find_number(g, id) : WEFT_NO_VERTEX;
}

weft_status weft_graph_find(weft_ctx *ctx, const weft_graph *g, const char *text, weft_vid *out) {
    if (out) *out = WEFT_NO_VERTEX;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_GRAPH_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, text);
    WFI_NEED_OR_RETURN(ctx, out);
    int64_t id;
    if (g->ids.kind == WEFT_IDS_STRING) {
        *out = find_text(g, text, strlen(text));
    } else {
        if (!parse_id(text, strlen(text), &id))
            return wfi_fail(ctx, WEFT_ENOTFOUND, "no vertex '%s': the ids of this graph are whole numbers", text);
        *out = find_number(g, id);
    }
    if (*out != WEFT_NO_VERTEX) return WEFT_OK;
    if (g->ids.kind == WEFT_IDS_DENSE && g->n)
        return wfi_fail(ctx, WEFT_ENOTFOUND, "no vertex '%s': the ids of this graph are %lld to %lld", text,
                        (long long)g->ids.base, (long long)(g->ids.base + (int64_t)g->n - 1));
    return wfi_fail(ctx, WEFT_ENOTFOUND, "no vertex '%s' in this graph", text);
}

weft_status weft_graph_find_ids(weft_ctx *ctx, const weft_graph *g, size_t count, const int64_t *ids, weft_vid *out) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_GRAPH_OR_RETURN(ctx, g);
    if (count) WFI_NEED_OR_RETURN(ctx, ids);
    if (count) WFI_NEED_OR_RETURN(ctx, out);
    if (g->ids.kind == WEFT_IDS_STRING && count)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_graph_find_ids: the ids of this graph are names");
    size_t missing = count;
#pragma omp parallel for schedule(static) reduction(min : missing) num_threads(wfi_threads_for(ctx, count, 1 << 14))
    for (size_t i = 0; i < count; i++) {
        out[i] = find_number(g, ids[i]);
        if (out[i] == WEFT_NO_VERTEX && i < missing) missing = i;
    }
    if (missing == count) return WEFT_OK;
    return wfi_fail(ctx, WEFT_ENOTFOUND, "ids[%zu]: no vertex '%lld' in this graph", missing, (long long)ids[missing]);
}

weft_status weft_graph_ids(weft_ctx *ctx, const weft_graph *g, weft_ids *ids) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_GRAPH_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, ids);
    weft_ids view = {sizeof view, g->ids.kind, g->ids.base, g->ids.number, g->ids.start, g->ids.text};
    return wfi_sized_out(ctx, "weft_ids", &view, sizeof view, ids);
}
