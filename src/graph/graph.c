/* Reference counting, parts made on first use (once, under the lock) and simple queries of a graph. */
#include "graph/graph.h"
#include "attributes/attributes.h"
#include "core/search.h"
#include "core/stages.h"
#include "graph/ranks/share.h"

#include <float.h>
#include <sys/mman.h>
#include <unistd.h>

weft_graph *wfi_graph_new(weft_ctx *ctx) {
    weft_graph *g = wfi_take_zeroed(ctx, 1, sizeof *g);
    if (g) {
        pthread_mutex_init(&g->lock, NULL);
        g->owners = 1;
        g->format = "memory";
        g->mapping_file = -1;
    }
    return g;
}

void wfi_graph_copy_facts(const weft_graph *g, weft_graph *fresh) {
    fresh->n = g->n;
    fresh->arcs = g->arcs;
    fresh->edges = g->edges;
    fresh->directed = g->directed;
    fresh->direction_from = g->direction_from;
    fresh->direction_doubt = g->direction_doubt;
    fresh->weight_type = g->weight_type;
    fresh->records = g->records;
    fresh->self_loops = g->self_loops;
    fresh->self_loops_dropped = g->self_loops_dropped;
    fresh->duplicates_dropped = g->duplicates_dropped;
    fresh->label = g->label;
    fresh->format = g->format;
}

weft_graph *wfi_graph_shell(weft_ctx *ctx, const weft_graph *g) {
    weft_graph *fresh = wfi_graph_new(ctx);
    if (!fresh) return NULL;
    /* A shell differs from its base by attributes and sides only, unless it has weights of its own. */
    const weft_graph *base = g->base && g->out.weights == g->base->out.weights ? g->base : g;
    wfi_graph_copy_facts(g, fresh);
    fresh->load_ms = g->load_ms;
    fresh->out = g->out;
    fresh->in = wfi_view_of(g->n, g->weight_type);
    const wfi_view *in = g->directed ? wfi_in_at_hand(base) : NULL;
    if (in) fresh->in = *in;
    fresh->ids = g->ids;
    fresh->base = wfi_graph_keep(base);
    return fresh;
}

static bool is_of_base(const weft_graph *base, const void *p) {
    const wfi_view *in = wfi_in_at_hand(base);
    const void *arrays[] = {base->out.offsets,       base->out.targets,      base->out.weights, base->ids.number,
                            base->ids.start,         base->ids.text,         base->ids.by_id,   in ? in->offsets : NULL,
                            in ? in->targets : NULL, in ? in->weights : NULL};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (p == arrays[i]) return true;
    return false;
}

bool wfi_graph_lent(const weft_graph *g, const void *block) {
    const char *p = block, *map = g->mapping;
    if (map && p >= map && p < map + g->mapping_bytes) return true;
    if (p && (p == g->lent.offsets || p == g->lent.targets || p == g->lent.weights)) return true;
    return p && g->base && is_of_base(g->base, p);
}

void wfi_graph_free_array(const weft_graph *g, const void *block) {
    if (!wfi_graph_lent(g, block)) wfi_free(block);
}

static void free_rows(const weft_graph *g, const wfi_view *rows) {
    if (g->share) return; /* owned by the share; ranks make incoming rows per run */
    wfi_graph_free_array(g, rows->offsets);
    wfi_graph_free_array(g, rows->targets);
    wfi_graph_free_array(g, rows->weights);
}

const weft_graph *wfi_graph_keep(const weft_graph *g) {
    __atomic_fetch_add(&((weft_graph *)(uintptr_t)g)->owners, 1, __ATOMIC_RELAXED);
    return g;
}

void wfi_graph_drop(const weft_graph *g) { weft_graph_free((weft_graph *)(uintptr_t)g); }

void weft_graph_free(weft_graph *g) {
    if (!g || __atomic_sub_fetch(&g->owners, 1, __ATOMIC_ACQ_REL)) return;
    if (g->unpacked) g->unpacked_drop(g->unpacked);
    if (g->mirror) g->mirror_free(g->mirror);
    if (g->trail) g->trail_drop(g->trail);
    free_rows(g, &g->out);
    free_rows(g, &g->in);
    wfi_graph_free_array(g, g->ids.number);
    wfi_graph_free_array(g, g->ids.start);
    wfi_graph_free_array(g, g->ids.text);
    wfi_graph_free_array(g, g->ids.by_id);
    wfi_vertex_data_free(g, g->attributes);
    wfi_free(g->sides);
    wfi_free(g->degree_order);
    wfi_free(g->binary);
    wfi_free(g->columns);
    wfi_free(g->ambiguous);
    if (g->mapping) munmap(g->mapping, g->mapping_bytes);
    if (g->mapping_file >= 0) close(g->mapping_file);
    if (g->lent.release) g->lent.release(g->lent.user);
    wfi_share_free(g->share);
    if (g->base) wfi_graph_drop(g->base);
    pthread_mutex_destroy(&g->lock);
    wfi_free(g);
}

weft_status wfi_graph_unpack(weft_ctx *ctx, const weft_graph *g) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    weft_status st = WEFT_OK;
    pthread_mutex_lock(&mine->lock);
    void *unpacked = g->unpacked;
    if (unpacked) st = g->pack(ctx, mine, unpacked);
    if (unpacked && !st) __atomic_store_n(&mine->unpacked, NULL, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mine->lock);
    if (unpacked && !st) g->unpacked_drop(unpacked);
    return st;
}

weft_status wfi_graph_whole(weft_ctx *ctx, const weft_graph *g) {
    if (!g->share) return WEFT_OK;
    if (!ctx) return WEFT_EUNSUPPORTED;
    return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                    "this graph is distributed over ranks, but all of it is needed on one; convert it to .weft first");
}

weft_vid weft_graph_vertices(const weft_graph *g) { return g ? g->n : 0; }
weft_eid weft_graph_arcs(const weft_graph *g) { return g ? g->arcs : 0; }
uint64_t weft_graph_edges(const weft_graph *g) { return g ? g->edges : 0; }
int weft_graph_directed(const weft_graph *g) { return g ? g->directed : 0; }
weft_direction_from weft_graph_direction_from(const weft_graph *g) {
    return g ? g->direction_from : WEFT_DIRECTION_FROM_FILE;
}
weft_weight_type weft_graph_weight_type(const weft_graph *g) { return g ? g->weight_type : WEFT_WEIGHT_NONE; }

static weft_status view(weft_ctx *ctx, const weft_graph *g, const wfi_view *rows, weft_csr *to) {
    weft_csr csr = {sizeof csr, g->n, g->arcs, rows->offsets, rows->targets, rows->weights};
    return wfi_sized_out(ctx, "weft_csr", &csr, sizeof csr, to);
}

weft_status weft_graph_out(weft_ctx *ctx, const weft_graph *g, weft_csr *rows) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, rows);
    return view(ctx, g, &g->out, rows);
}

weft_status weft_graph_in(weft_ctx *ctx, const weft_graph *g, weft_csr *rows) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, rows);
    weft_status st = wfi_sized_check(ctx, "weft_csr", rows);
    if (!st) st = wfi_graph_need_in(ctx, g);
    return st ? st : view(ctx, g, g->directed ? &g->in : &g->out, rows);
}

weft_status wfi_graph_need_in(weft_ctx *ctx, const weft_graph *g) {
    if (!g->directed) return WEFT_OK;              /* rows equal their transpose */
    weft_graph *mine = (weft_graph *)(uintptr_t)g; /* a cache: the graph's value does not change */
    weft_status st = WEFT_OK;
    pthread_mutex_lock(&mine->lock);
    if (!g->in.offsets) {
        wfi_view in;
        wfi_stage_enter(ctx, "transpose");
        st = wfi_transpose(ctx, g->n, g->arcs, g->weight_type, &g->out, &in);
        wfi_stage_leave(ctx, 0, 0);
        const weft_eid *offsets = in.offsets;
        in.offsets = NULL;
        mine->in = in;
        __atomic_store_n(&mine->in.offsets, offsets, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&mine->lock);
    return st;
}

int weft_graph_has_arc(const weft_graph *g, weft_vid u, weft_vid v, weft_eid *position) {
    if (!g || u >= g->n || v >= g->n || wfi_graph_ready(NULL, g) || wfi_graph_whole(NULL, g)) return 0;
    weft_eid end = g->out.offsets[u + 1], at = wfi_lower_bound_u32(g->out.targets, g->out.offsets[u], end, v);
    if (at == end || g->out.targets[at] != v) return 0;
    if (position) *position = at;
    return 1;
}

static weft_vid find_max_out_degree_vertex(weft_ctx *ctx, const weft_graph *g) {
    uint64_t best = 0;
    weft_vid at = 0;
#pragma omp parallel num_threads(wfi_threads_for(ctx, g->n, 1 << 16))
    {
        uint64_t most = 0;
        weft_vid mine = 0;
#pragma omp for schedule(static) nowait
        for (weft_vid v = 0; v < g->n; v++)
            if (wfi_degree(&g->out, v) > most) {
                most = wfi_degree(&g->out, v);
                mine = v;
            }
#pragma omp critical(wfi_max_out_degree)
        if (most > best || (most == best && mine < at)) {
            best = most;
            at = mine;
        }
    }
    return at;
}

/* Cached: on a GPU a whole search takes less time than finding its source. */
weft_vid wfi_max_out_degree_vertex(weft_ctx *ctx, const weft_graph *g) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    weft_vid known = __atomic_load_n(&mine->max_out_degree_vertex, __ATOMIC_RELAXED);
    if (!known) {
        known = find_max_out_degree_vertex(ctx, g) + 1;
        __atomic_store_n(&mine->max_out_degree_vertex, known, __ATOMIC_RELAXED);
    }
    return known - 1;
}

weft_status wfi_fail_weight(weft_ctx *ctx, const char *where, const weft_graph *g, weft_eid arc, const char *rule) {
    wfi_range rows = g->share ? wfi_share_range_of(g, arc) : (wfi_range){0, g->n};
    weft_vid u = rows.first + 1, high = rows.end; /* `high` - 1 is the last row that may contain the arc */
    WFI_BISECT(u, high, middle, g->out.offsets[middle] <= arc);
    u--;
    char from[128], to[128];
    weft_graph_id_text(g, u, from, sizeof from);
    weft_graph_id_text(g, g->out.targets[arc], to, sizeof to);
    return wfi_fail(ctx, WEFT_EINPUT, "%s: the edge from %s to %s has weight %s, but %s", where, from, to,
                    wfi_weight_as_text(g, arc).text, rule);
}

weft_status wfi_refuse_weight(weft_ctx *ctx, const char *algorithm, const weft_graph *g, weft_eid arc) {
    return wfi_fail_weight(ctx, algorithm, g, arc, "weights must be numbers of 0 or more");
}

weft_status wfi_refuse_beyond(weft_ctx *ctx, const char *algorithm) {
    return wfi_fail(ctx, WEFT_EINPUT,
                    "%s: lengths of paths, their sum or their reciprocals are beyond %.3g, the largest f64 (weights "
                    "in a larger or smaller unit may fit)",
                    algorithm, DBL_MAX);
}
