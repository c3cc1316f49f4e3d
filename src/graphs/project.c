/* weft_graph_project: the projection of one side of a bipartite graph.
 * Method: the vertices of the side are extracted with ids and attributes, without edges; then rows are made. Each row
 * is made by one thread: over the neighbours of its vertex, ascending, and their neighbours, marking the vertices
 * seen. So both ends of an edge add the same numbers in the same order, and weights have the same bits for any number
 * of threads. Rows are computed twice, to count and to fill them: memory is known before it is allocated.
 * [1] Newman, "Scientific collaboration networks II", Phys. Rev. E 64, 2001: weights by 1 / (d - 1). */
#include "attributes/attributes.h"
#include "attributes/sides.h"
#include "core/scan.h"
#include "graph/rows.h"
#include "graphs/subgraph.h"
#include "weft/bipartite.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS_AT_ONCE = 64, SHARE = 1 << 14, SHOWN = 12 };

typedef struct projecting {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_project_params *p;
    uint8_t *keep;    /* per vertex: it is on the side */
    weft_vid *place;  /* per vertex: its number in the projection */
    weft_vid *vertex; /* inverse of place */
    uint32_t *degree; /* per vertex: its number of neighbours */
    weft_graph *fresh;
    weft_project_info info;
    int threads;
    bool stop; /* the caller requested a stop; atomic */
} projecting;

/* A thread's marks of vertices seen from the current row. */
typedef struct seen {
    weft_vid *from; /* per vertex of the projection: 1 + the last row that saw it */
    double *sum;    /* its accumulated weight; NULL while counting */
} seen;

static bool stops(projecting *p) {
    if (wfi_cancelled(p->ctx)) __atomic_store_n(&p->stop, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&p->stop, __ATOMIC_RELAXED);
}

/* --- sides -------------------------------------------------------------------------------------- */

static weft_status refuse_odd(weft_ctx *ctx, const weft_graph *g, const weft_result *r) {
    const weft_column *cycle = weft_result_column(r, "cycle");
    const weft_vid *vertex = cycle->data;
    char text[400] = "";
    size_t used = 0;
    if (cycle->length == 1) {
        weft_graph_id_text(g, *vertex, text, sizeof text);
        return wfi_fail(ctx, WEFT_EINVAL, "project: the graph is not bipartite: an edge leads from %s to itself", text);
    }
    for (size_t i = 0; i < cycle->length && i < SHOWN && used + 100 < sizeof text; i++) {
        char id[64];
        weft_graph_id_text(g, vertex[i], id, sizeof id);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " - " : "", id);
    }
    return wfi_fail(ctx, WEFT_EINVAL, "project: the graph is not bipartite: an odd cycle of %zu goes %s%s",
                    cycle->length, text, cycle->length > SHOWN ? " - ..." : "");
}

static weft_status colour(projecting *p) {
    const weft_graph *g = p->g;
    weft_result *r = NULL;
    for (weft_vid v = 0; g->sides && v < g->n; v++) p->keep[v] = wfi_side_of(g->sides, v) == p->p->side;
    if (g->sides) return WEFT_OK;
    weft_status st = weft_bipartite(p->ctx, g, NULL, &r);
    if (!st && !weft_result_scalar(r, "bipartite")->value.u64) st = refuse_odd(p->ctx, g, r);
    const uint32_t *side = st ? NULL : weft_result_u32(r, "side");
    uint64_t parts = st ? 0 : weft_result_scalar(r, "components")->value.u64;
    for (weft_vid v = 0; side && v < g->n; v++) p->keep[v] = side[v] == (uint32_t)p->p->side;
    if (!st && parts > 1)
        wfi_note(p->ctx,
                 "the graph has no sides of its own: the smallest vertex of each of its %llu components is put on the "
                 "first side",
                 (unsigned long long)parts);
    weft_result_free(r);
    return st;
}

static weft_status take_sides(projecting *p) {
    const weft_graph *g = p->g;
    for (weft_vid v = 0; v < g->n; v++) {
        if (p->p->sides[v] > 1)
            return wfi_fail(p->ctx, WEFT_EINVAL, "project: the side of vertex %u is %u, not 0 or 1", v, p->p->sides[v]);
        p->keep[v] = p->p->sides[v] == (uint32_t)p->p->side;
    }
    for (weft_vid v = 0; v < g->n; v++) {
        if (v % SHARE == 0 && wfi_cancelled(p->ctx)) return wfi_fail_cancelled(p->ctx);
        for (weft_eid e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++)
            if (p->keep[v] == p->keep[g->out.targets[e]])
                return wfi_fail(p->ctx, WEFT_EINVAL, "project: the edge from vertex %u to %u is within a side", v,
                                g->out.targets[e]);
    }
    return WEFT_OK;
}

/* --- rows --------------------------------------------------------------------------------------- */

/* Counts the vertices that share a neighbour with `row`; with `list`, also lists them, in any order, and accumulates
 * their weights. */
static weft_vid visit(projecting *p, weft_vid row, const seen *mine, weft_vid *list) {
    const bool newman = p->p->weights == WEFT_PROJECT_NEWMAN;
    weft_vid count = 0, self = p->vertex[row];
    for (wfi_merger near = wfi_neighbours(p->g, self); wfi_next_neighbour(&near) && !stops(p);) {
        weft_vid over = near.neighbour;
        double share = newman && p->degree[over] > 1 ? 1 / (double)(p->degree[over] - 1) : 1;
        for (wfi_merger back = wfi_neighbours(p->g, over); wfi_next_neighbour(&back);) {
            weft_vid v = p->place[back.neighbour];
            if (v == row) continue;
            if (mine->from[v] != row + 1) {
                mine->from[v] = row + 1;
                if (list) mine->sum[v] = 0, list[count] = v;
                count++;
            }
            if (list) mine->sum[v] += share;
        }
    }
    return count;
}

static void fill_row(projecting *p, weft_vid row, const seen *mine) {
    wfi_view *out = &p->fresh->out;
    weft_eid from = out->offsets[row];
    weft_vid *target = wfi_own_targets(out) + from, count = visit(p, row, mine, target);
    if (__atomic_load_n(&p->stop, __ATOMIC_RELAXED)) return;
    qsort(target, count, sizeof *target, wfi_by_u32);
    for (weft_vid i = 0; i < count; i++) {
        double sum = mine->sum[target[i]];
        double either = (double)p->degree[p->vertex[row]] + (double)p->degree[p->vertex[target[i]]] - sum;
        if (p->p->weights == WEFT_PROJECT_COUNT)
            ((uint32_t *)(void *)wfi_own_weights(out))[from + i] = (uint32_t)sum;
        else
            ((double *)(void *)wfi_own_weights(out))[from + i] =
                p->p->weights == WEFT_PROJECT_JACCARD ? sum / either : sum;
    }
}

/* Counts all rows into `lengths`, or fills them if it is NULL. */
static weft_status compute_rows(projecting *p, uint64_t *lengths) {
    weft_vid rows = p->fresh->n;
    weft_status st = WEFT_OK;
    weft_vid *from = NULL;
    double *sum = NULL;
    if (wfi_alloc_zeroed(p->ctx, &from, (size_t)p->threads * rows) ||
        (!lengths && wfi_alloc(p->ctx, &sum, (size_t)p->threads * rows)))
        st = WEFT_ENOMEM;
#pragma omp parallel for schedule(static, 1) num_threads(p->threads)
    for (int t = 0; t < (st ? 0 : p->threads); t++) {
        seen mine = {from + (size_t)t * rows, sum ? sum + (size_t)t * rows : NULL};
        for (weft_vid first = (weft_vid)t * ROWS_AT_ONCE; first < rows && !stops(p);
             first = rows - first > (weft_vid)p->threads * ROWS_AT_ONCE ? first + (weft_vid)p->threads * ROWS_AT_ONCE
                                                                        : rows)
            for (weft_vid row = first; row < rows && row - first < ROWS_AT_ONCE; row++) {
                if (lengths)
                    lengths[row] = visit(p, row, &mine, NULL);
                else
                    fill_row(p, row, &mine);
            }
    }
    WFI_FREE(from, sum);
    return !st && p->stop ? wfi_fail_cancelled(p->ctx) : st;
}

/* Numbers of neighbours, and of wedges centred at vertices of the other side. */
static weft_status measure(projecting *p) {
    const weft_graph *g = p->g;
    uint64_t wedges = 0, others = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : wedges, others) \
    num_threads(wfi_threads_for(p->ctx, g->n + g->arcs, SHARE))
    for (weft_vid v = 0; v < g->n; v++) {
        uint32_t degree = 0;
        if (v % 256 == 0) stops(p);
        for (wfi_merger near = wfi_neighbours(g, v); wfi_next_neighbour(&near);) degree++;
        p->degree[v] = degree;
        if (!p->keep[v]) others++, wedges += (uint64_t)degree * (degree - (degree > 0));
    }
    p->info.others = others;
    p->info.wedges = wedges;
    return p->stop ? wfi_fail_cancelled(p->ctx) : WEFT_OK;
}

/* The side's vertices as a graph without edges, sides and ambiguous weights. */
static weft_status cut_out(projecting *p) {
    wfi_left_out none;
    wfi_selection by = {.keep = p->keep, .edge_share = WFI_WHOLE};
    weft_status st = wfi_induce(p->ctx, p->g, &by, p->place, &none, &p->fresh);
    if (st) return st;
    weft_graph *f = p->fresh;
    WFI_FREE(f->sides, f->ambiguous, f->out.weights, f->out.targets);
    f->sides = NULL;
    f->ambiguous = NULL;
    f->out.targets = NULL;
    f->out.weights = NULL;
    f->directed = false;
    f->direction_from = WEFT_DIRECTION_FROM_FILE;
    f->direction_doubt = WEFT_DOUBT_NONE;
    f->label = WEFT_LABEL_NONE;
    f->weight_type = f->out.type = p->p->weights == WEFT_PROJECT_COUNT ? WEFT_WEIGHT_U32 : WEFT_WEIGHT_F64;
    st = wfi_edge_data_replace(p->ctx, f, NULL, 0);
    if (!st) st = wfi_alloc(p->ctx, &p->vertex, f->n);
    for (weft_vid v = 0; !st && v < p->g->n; v++)
        if (p->keep[v]) p->vertex[p->place[v]] = v;
    return st;
}

static weft_status make_rows(projecting *p, bool wanted) {
    weft_graph *f = p->fresh;
    weft_status st = compute_rows(p, wfi_own_offsets(&f->out));
    if (st) return st;
    wfi_exclusive_scan(p->ctx, wfi_own_offsets(&f->out), f->n);
    f->arcs = f->out.offsets[f->n];
    f->edges = f->records = f->arcs / 2;
    size_t each = wfi_weight_bytes(f->weight_type);
    uint64_t rows = wfi_rows_bytes(f->n, f->arcs, f->weight_type),
             seen_bytes = (uint64_t)p->threads * f->n * (sizeof(weft_vid) + sizeof(double)),
             limit = weft_ctx_memory_limit(p->ctx), used = weft_ctx_memory_in_use(p->ctx);
    p->info.vertices = f->n;
    p->info.edges = f->edges;
    p->info.bytes = rows + seen_bytes + (uint64_t)p->g->n * (1 + sizeof(weft_vid) + sizeof(uint32_t));
    if (!wanted) return WEFT_OK;
    char needed[24];
    if (limit && rows + seen_bytes > limit - (used < limit ? used : limit))
        return wfi_fail(p->ctx, WEFT_ENOMEM,
                        "project: the projection has %llu edges, and needs %s, over the memory limit",
                        (unsigned long long)f->edges, wfi_size_text(needed, rows + seen_bytes));
    st = wfi_alloc(p->ctx, &f->out.targets, (size_t)f->arcs);
    if (!st && !(f->out.weights = wfi_take(p->ctx, (size_t)f->arcs, each))) st = WEFT_ENOMEM;
    return st ? st : compute_rows(p, NULL);
}

static weft_status project(projecting *p, bool wanted) {
    const weft_graph *g = p->g;
    weft_status st = wfi_alloc(p->ctx, &p->keep, g->n);
    if (!st) st = wfi_alloc(p->ctx, &p->place, g->n);
    if (!st) st = wfi_alloc(p->ctx, &p->degree, g->n);
    if (!st) st = wfi_graph_need_in(p->ctx, g);
    if (!st) st = p->p->sides ? take_sides(p) : colour(p);
    if (!st) st = cut_out(p);
    if (!st) st = measure(p);
    p->threads = wfi_threads_for(p->ctx, p->info.wedges + g->arcs, SHARE);
    if (!st) st = make_rows(p, wanted);
    WFI_FREE(p->keep, p->place, p->degree, p->vertex);
    return st;
}

weft_status weft_graph_project(weft_ctx *ctx, const weft_graph *g, const weft_project_params *params, weft_graph **out,
                               weft_project_info *info) {
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    weft_project_params p = WEFT_PROJECT_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_project_params", params, &p, sizeof p);
    if (!st && (unsigned)p.side > 1) st = wfi_fail(ctx, WEFT_EINVAL, "project: `side` is 0 or 1");
    if (!st && (unsigned)p.weights > WEFT_PROJECT_NEWMAN) st = wfi_fail(ctx, WEFT_EINVAL, "project: invalid `weights`");
    if (!st && wfi_device(ctx) == WEFT_DEVICE_CUDA)
        st = wfi_fail(ctx, WEFT_EDEVICE, "project: there is no implementation for the GPU; use `device=cpu` or auto");
    if (st) return st;
    projecting it = {.ctx = ctx, .g = g, .p = &p, .info = {.size = sizeof it.info}};
    st = project(&it, out != NULL);
    if (!st && info) st = wfi_sized_out(ctx, "weft_project_info", &it.info, sizeof it.info, info);
    if (st || !out)
        weft_graph_free(it.fresh);
    else
        *out = it.fresh;
    return st;
}
