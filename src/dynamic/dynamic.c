/* A dynamic graph: creation from a graph, snapshots, description, release. */
#include "dynamic/dynamic.h"
#include "attributes/attributes.h"
#include "cuda/trail.h"
#include "dynamic/base_columns.h"
#include "dynamic/batch.h"
#include "dynamic/follow.h"
#include "dynamic/group.h"
#include "dynamic/slot_sides.h"

#include <omp.h>

static weft_status fail_parallel(weft_ctx *ctx) {
    return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                    "a graph with parallel edges cannot be changed; build it with `duplicates=drop` or `sum`");
}

/* Makes the first version from the rows of a graph; WEFT_EINVAL without a message if there are parallel arcs. */
static weft_status copy_groups(weft_ctx *ctx, weft_dynamic *d, const weft_graph *g, wfi_version *draft) {
    size_t groups = (size_t)wfi_groups_of(draft->slots);
    int threads = wfi_threads_for(ctx, g->arcs, 1 << 15);
    wfi_placed *placed = NULL;
    wfi_maker *maker = NULL;
    _Atomic int status = WEFT_OK;
    weft_status st = wfi_alloc(ctx, &placed, groups);
    if (!st) st = wfi_alloc_zeroed(ctx, &maker, (size_t)threads);
    if (st) goto done;
    for (int i = 0; i < threads; i++) maker[i] = (wfi_maker){.ctx = ctx, .store = d->store, .birth = draft->number};
#pragma omp parallel num_threads(threads)
    {
        wfi_maker *m = &maker[omp_get_thread_num()];
        wfi_keep_status(&status, wfi_maker_reserve(m, 1));
#pragma omp for schedule(dynamic, 64)
        for (size_t i = 0; i < groups; i++) {
            if (atomic_load_explicit(&status, memory_order_relaxed)) continue;
            placed[i] = (wfi_placed){i, NULL, 0, 0, false};
            bool stop = i % 64 == 0 && wfi_cancelled(ctx);
            wfi_keep_status(&status, stop ? wfi_fail_cancelled(ctx) : wfi_group_copy(m, g, &placed[i]));
        }
    }
    st = (weft_status)atomic_load(&status);
    if (!st) st = wfi_tree_place(&maker[0], draft, placed, groups);
    for (int i = 0; i < threads; i++) {
        if (st)
            wfi_maker_rollback(&maker[i]);
        else
            d->store->bytes += maker[i].bytes;
        wfi_maker_end(&maker[i]);
    }
done:
    WFI_FREE(maker, placed);
    return st;
}

static weft_status first_version(weft_ctx *ctx, weft_dynamic *d, const weft_graph *base) {
    wfi_version *draft = wfi_version_draft(ctx, d->store, NULL);
    if (!draft) return WEFT_ENOMEM;
    draft->slots = d->vertices.slots;
    draft->live = d->vertices.live;
    draft->ascending = d->vertices.ascending;
    draft->levels = 1;
    draft->arcs = base ? base->arcs : 0;
    draft->loops = base ? base->self_loops : 0;
    weft_status st = d->store->on_gpu ? wfi_gpu_first(ctx, base, draft)
                     : base           ? copy_groups(ctx, d, base, draft)
                                      : WEFT_OK;
    if (st == WEFT_EINVAL) st = fail_parallel(ctx);
    if (st) {
        wfi_version_discard(draft);
        return st;
    }
    draft->ids = wfi_slot_ids_keep(d->vertices.ids);
    wfi_version_publish(draft, NULL, 1);
    return WEFT_OK;
}

/* If the base has a GPU mirror, the mirrors of the first snapshots are derived from it. */
static weft_status begin_trail(weft_ctx *ctx, wfi_store *store, const weft_graph *base) {
    store->trail = wfi_trail_new(ctx, store->weight);
    if (!store->trail) return WEFT_ENOMEM;
    struct wfi_gpu_rows *rows = base && wfi_numbered_as_slots(store->newest) ? wfi_mirror_share(base) : NULL;
    if (rows) wfi_trail_offer(store->trail, store->newest->number, rows);
    wfi_gpu_rows_drop(rows);
    return WEFT_OK;
}

weft_status wfi_dynamic_params_in(weft_ctx *ctx, const weft_dynamic_params *given, weft_dynamic_params *p) {
    *p = (weft_dynamic_params)WEFT_DYNAMIC_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_dynamic_params", given, p, sizeof *p);
    if (st) return st;
    if ((unsigned)p->direction > WEFT_UNDIRECTED || (unsigned)p->weight_type > WEFT_WEIGHT_F64 ||
        (unsigned)p->loops > WEFT_LOOPS_DROP || (unsigned)p->durable > WEFT_DURABLE_NEVER ||
        (unsigned)p->device > WEFT_DEVICE_CUDA)
        return wfi_fail(ctx, WEFT_EINVAL,
                        "weft_dynamic_params: invalid direction, weight_type, loops, durable or device");
    return WEFT_OK;
}

weft_status wfi_dynamic_make(weft_ctx *ctx, const weft_graph *base, const weft_dynamic_params *p, weft_dynamic **out) {
    if (base && wfi_edge_column_count(base))
        return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                        "this graph has columns of edges, which batches of changes do not keep: write a file "
                        "without them first (`keep=\"\"`)");
    weft_dynamic *d = wfi_take_zeroed(ctx, 1, sizeof *d);
    if (!d) return WEFT_ENOMEM;
    d->loops = p->loops;
    bool directed = base ? base->directed : p->direction != WEFT_UNDIRECTED;
    d->store = wfi_store_new(ctx, directed, base ? base->weight_type : p->weight_type);
    weft_status st = d->store ? wfi_vertices_open(ctx, &d->vertices, p->names != 0, base) : WEFT_ENOMEM;
    if (!st) st = wfi_base_columns_new(ctx, base, &d->store->columns);
    if (!st) st = wfi_slot_sides_new(ctx, base, &d->store->sides);
    if (!st) d->store->on_gpu = p->device == WEFT_DEVICE_CUDA;
    if (!st) st = first_version(ctx, d, base);
    if (!st && !d->store->on_gpu) st = begin_trail(ctx, d->store, base);
    if (st)
        weft_dynamic_free(d);
    else
        *out = d;
    return st;
}

weft_status weft_dynamic_new(weft_ctx *ctx, const weft_graph *base, const weft_dynamic_params *params,
                             weft_dynamic **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, out);
    weft_dynamic_params p;
    weft_status st = wfi_dynamic_params_in(ctx, params, &p);
    if (!st && base) st = wfi_graph_ready(ctx, base);
    if (!st && base) st = wfi_graph_whole(ctx, base);
    return st ? st : wfi_dynamic_make(ctx, base, &p, out);
}

void weft_dynamic_free(weft_dynamic *d) {
    if (!d) return;
    wfi_log_close(d->log);
    wfi_follow_end(d);
    wfi_small_buffers_free(d->small);
    wfi_large_buffers_free(d->large);
    WFI_FREE(d->list, d->gpu_slots);
    if (d->store && d->store->newest) wfi_version_drop(d->store->newest);
    wfi_store_release(d->store);
    wfi_vertices_close(&d->vertices);
    wfi_free(d);
}

static void drop_version(void *version) { wfi_version_drop(version); }

weft_status wfi_dynamic_snapshot(weft_ctx *ctx, weft_dynamic *d, weft_graph **out) {
    weft_graph *g = wfi_graph_new(ctx);
    if (!g) return WEFT_ENOMEM;
    wfi_version *v = wfi_version_take(d->store);
    g->n = v->live;
    g->arcs = v->arcs;
    g->edges = g->records = wfi_edges_of(v);
    g->self_loops = v->loops;
    g->directed = v->store->directed;
    g->weight_type = v->store->weight_type;
    g->format = "dynamic";
    g->unpacked = v;
    g->pack = wfi_snapshot_pack;
    g->unpacked_drop = drop_version;
    if (v->store->trail && wfi_numbered_as_slots(v)) {
        g->trail = wfi_trail_keep(v->store->trail);
        g->trail_drop = wfi_trail_drop;
        g->version = v->number;
    }
    *out = g;
    return WEFT_OK;
}

weft_status weft_dynamic_snapshot(weft_ctx *ctx, weft_dynamic *d, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, d, out);
    return wfi_dynamic_snapshot(ctx, d, out);
}

weft_status weft_dynamic_describe(weft_ctx *ctx, weft_dynamic *d, weft_dynamic_info *info) {
    WFI_BEGIN_WITH_OR_RETURN(ctx, d, info);
    wfi_version *v = wfi_version_take(d->store);
    pthread_mutex_lock(&d->store->lock);
    uint64_t versions = d->store->versions;
    pthread_mutex_unlock(&d->store->lock);
    weft_dynamic_info all = {.size = sizeof all,
                             .version = wfi_batches_of(d, v),
                             .vertices = v->live,
                             .edges = wfi_edges_of(v),
                             .arcs = v->arcs,
                             .bytes = d->store->bytes,
                             .versions = versions,
                             .directed = d->store->directed,
                             .weight_type = d->store->weight_type,
                             .names = v->ids->names};
    if (d->log) wfi_log_describe(d->log, &all);
    wfi_version_drop(v);
    return wfi_sized_out(ctx, "weft_dynamic_info", &all, sizeof all, info);
}
