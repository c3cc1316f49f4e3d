/* The subgraph of selected vertices and edges.
 * Method: count, scan, copy: vertices keep their order, so rows stay sorted. Sampling uses counter-based random
 * numbers, so that both arcs of an undirected edge get the same decision: by their equal weight, and by a draw for
 * the pair and the index among parallel edges, which are in file order in both rows. */
#include "attributes/attributes.h"
#include "attributes/sides.h"
#include "core/poll.h"
#include "core/scan.h"
#include "gen/random.h"
#include "graphs/subgraph.h"

#include <string.h>

enum { ROWS = 1 << 10 };

bool wfi_chosen(uint64_t seed, uint32_t lane, uint64_t index, uint64_t share) {
    return share >= WFI_WHOLE || wfi_draw(seed, WFI_FOR_SAMPLING, lane, index).first >> 11 < share;
}

/* Numbers of arcs by decision. */
typedef struct tally {
    uint64_t stays, loops, weight_arcs, weight_loops, chance_arcs, chance_loops;
} tally;

typedef struct inducing {
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_selection *by;
    weft_vid *place;
    weft_graph *fresh;
    tally all;
    bool stop;        /* the caller requested a stop; atomic */
    uint64_t *record; /* arc of g of each new arc; NULL if not needed */
} inducing;

typedef enum decision { STAYS, BY_ARC, BY_WEIGHT, BY_CHANCE } decision;

/* f32 weights and bounds are compared as floats, so that the bound 0.7 equals a weight read from 0.7. */
static bool weight_fits(const weft_graph *g, const wfi_selection *by, weft_eid e) {
    if (g->weight_type == WEFT_WEIGHT_F32) {
        float w = ((const float *)g->out.weights)[e];
        return w >= (float)by->min_weight && w <= (float)by->max_weight;
    }
    double w = wfi_weight_at(g->weight_type, g->out.weights, e);
    return w >= by->min_weight && w <= by->max_weight;
}

static decision decide(const inducing *in, weft_vid u, weft_eid e, uint32_t copy) {
    const weft_graph *g = in->g;
    const wfi_selection *by = in->by;
    if (by->arcs && !by->arcs[e]) return BY_ARC;
    if (by->by_weight && !weight_fits(g, by, e)) return BY_WEIGHT;
    if (by->edge_share >= WFI_WHOLE) return STAYS;
    weft_vid v = g->out.targets[e], low = g->directed || u < v ? u : v, high = g->directed || u < v ? v : u;
    return wfi_chosen(by->seed, copy, (uint64_t)low << 32 | high, by->edge_share) ? STAYS : BY_CHANCE;
}

/* Counts the decisions for a row, or copies its selected arcs to position `at`. */
static void walk_row(const inducing *in, wfi_polling *poll, weft_vid u, tally *t, weft_eid at, bool copy) {
    const weft_graph *g = in->g;
    const wfi_view *to = &in->fresh->out;
    size_t each = wfi_weight_bytes(g->weight_type);
    uint32_t copies = 0;
    bool there = in->place[u] != WEFT_NO_VERTEX;
    for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++) {
        weft_vid v = g->out.targets[e];
        if (wfi_poll(poll, 1)) return;
        copies = e > g->out.offsets[u] && g->out.targets[e - 1] == v ? copies + 1 : 0;
        if (copy && (!there || in->place[v] == WEFT_NO_VERTEX)) continue;
        decision f = decide(in, u, e, copies);
        if (!copy) {
            t->weight_arcs += f == BY_WEIGHT;
            t->weight_loops += f == BY_WEIGHT && u == v;
            t->chance_arcs += f == BY_CHANCE;
            t->chance_loops += f == BY_CHANCE && u == v;
        }
        if (f != STAYS || !there || in->place[v] == WEFT_NO_VERTEX) continue;
        if (copy) {
            wfi_own_targets(to)[at] = in->place[v];
            if (in->record) in->record[at] = e;
            if (each) memcpy(wfi_own_weights(to) + at * each, (const char *)g->out.weights + e * each, each);
            at++;
        } else {
            t->stays++;
            t->loops += u == v;
        }
    }
}

/* Polling for a chunk of rows: one poll before it, and further ones by its arcs. */
static wfi_polling poll_chunk(const inducing *in) {
    bool stop = __atomic_load_n(&in->stop, __ATOMIC_RELAXED) || wfi_cancelled(in->ctx);
    return (wfi_polling){.ctx = in->ctx, .stop = stop};
}

/* Offsets of the new rows from their lengths. */
static weft_status count_rows(inducing *in) {
    const weft_graph *g = in->g;
    weft_eid *offsets = wfi_own_offsets(&in->fresh->out);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(in->ctx, g->n + g->arcs, ROWS))
    for (weft_vid first = 0; first < g->n; first += ROWS) {
        weft_vid end = g->n - first < ROWS ? g->n : first + ROWS;
        tally t = {0};
        wfi_polling poll = poll_chunk(in);
        for (weft_vid u = first; u < end && !poll.stop; u++) {
            t.stays = 0;
            walk_row(in, &poll, u, &t, 0, false);
            if (in->place[u] != WEFT_NO_VERTEX) offsets[in->place[u]] = t.stays;
        }
        if (poll.stop) __atomic_store_n(&in->stop, true, __ATOMIC_RELAXED);
#pragma omp critical(wfi_induce)
        {
            in->all.loops += t.loops;
            in->all.weight_arcs += t.weight_arcs;
            in->all.weight_loops += t.weight_loops;
            in->all.chance_arcs += t.chance_arcs;
            in->all.chance_loops += t.chance_loops;
        }
    }
    if (in->stop) return wfi_fail_cancelled(in->ctx);
    wfi_exclusive_scan(in->ctx, offsets, in->fresh->n);
    return WEFT_OK;
}

static weft_status copy_rows(inducing *in) {
    const weft_graph *g = in->g;
    weft_graph *fresh = in->fresh;
    size_t each = wfi_weight_bytes(g->weight_type);
    fresh->arcs = fresh->out.offsets[fresh->n];
    weft_status st = wfi_alloc(in->ctx, &fresh->out.targets, (size_t)fresh->arcs);
    if (!st && wfi_edge_column_count(g)) st = wfi_alloc(in->ctx, &in->record, (size_t)fresh->arcs);
    if (!st && each && !(fresh->out.weights = wfi_take(in->ctx, (size_t)fresh->arcs, each))) st = WEFT_ENOMEM;
    if (st) return st;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(in->ctx, g->n + g->arcs, ROWS))
    for (weft_vid first = 0; first < g->n; first += ROWS) {
        weft_vid end = g->n - first < ROWS ? g->n : first + ROWS;
        wfi_polling poll = poll_chunk(in);
        for (weft_vid u = first; u < end && !poll.stop; u++)
            if (in->place[u] != WEFT_NO_VERTEX) walk_row(in, &poll, u, NULL, fresh->out.offsets[in->place[u]], true);
        if (poll.stop) __atomic_store_n(&in->stop, true, __ATOMIC_RELAXED);
    }
    return in->stop ? wfi_fail_cancelled(in->ctx) : WEFT_OK;
}

/* --- ids ---------------------------------------------------------------------------------------- */

static weft_status copy_numbers(const inducing *in, wfi_ids *ids) {
    const weft_graph *g = in->g;
    weft_vid first = WEFT_NO_VERTEX, last = 0;
    for (weft_vid v = 0; v < g->n; v++)
        if (in->place[v] != WEFT_NO_VERTEX) {
            if (first == WEFT_NO_VERTEX) first = v;
            last = v;
        }
    if (first == WEFT_NO_VERTEX) return WEFT_OK; /* no vertices: dense */
    if (g->ids.kind == WEFT_IDS_DENSE && last - first + 1 == in->fresh->n) {
        ids->base = g->ids.base + (int64_t)first;
        return WEFT_OK;
    }
    ids->kind = WEFT_IDS_SPARSE;
    if (wfi_alloc(in->ctx, &ids->number, in->fresh->n)) return WEFT_ENOMEM;
    for (weft_vid v = first; v <= last; v++)
        if (in->place[v] != WEFT_NO_VERTEX) ids->number[in->place[v]] = weft_graph_id(g, v);
    return WEFT_OK;
}

static weft_status copy_names(const inducing *in, wfi_ids *ids) {
    const weft_graph *g = in->g;
    uint64_t bytes = 0, at = 0;
    ids->kind = WEFT_IDS_STRING;
    for (weft_vid v = 0; v < g->n; v++)
        if (in->place[v] != WEFT_NO_VERTEX) bytes += g->ids.start[v + 1] - g->ids.start[v];
    if (wfi_alloc(in->ctx, &ids->start, (size_t)in->fresh->n + 1) || wfi_alloc(in->ctx, &ids->text, (size_t)bytes))
        return WEFT_ENOMEM;
    for (weft_vid v = 0; v < g->n; v++) {
        if (in->place[v] == WEFT_NO_VERTEX) continue;
        uint64_t length = g->ids.start[v + 1] - g->ids.start[v];
        ids->start[in->place[v]] = at;
        memcpy(ids->text + at, g->ids.text + g->ids.start[v], length);
        at += length;
    }
    ids->start[in->fresh->n] = at;
    return WEFT_OK;
}

static weft_status copy_ids(const inducing *in) {
    const weft_graph *g = in->g;
    wfi_ids *ids = &in->fresh->ids;
    weft_status st = g->ids.kind == WEFT_IDS_STRING ? copy_names(in, ids) : copy_numbers(in, ids);
    if (st || !g->ids.by_id || !in->fresh->n) return st;
    if (wfi_alloc(in->ctx, &ids->by_id, in->fresh->n)) return WEFT_ENOMEM;
    for (weft_vid k = 0, at = 0; k < g->n; k++) {
        weft_vid v = in->place[g->ids.by_id[k]];
        if (v != WEFT_NO_VERTEX) ids->by_id[at++] = v;
    }
    return WEFT_OK;
}

static weft_status copy_attributes(const inducing *in) {
    weft_vid *row;
    if (!weft_graph_attributes(in->g) && !in->g->sides) return WEFT_OK;
    if (wfi_alloc(in->ctx, &row, in->fresh->n)) return WEFT_ENOMEM;
    for (weft_vid v = 0; v < in->g->n; v++)
        if (in->place[v] != WEFT_NO_VERTEX) row[in->place[v]] = v;
    weft_status st = wfi_vertex_data_copy(in->ctx, in->g, row, in->fresh);
    if (!st) st = wfi_sides_copy(in->ctx, in->g, row, in->fresh);
    wfi_free(row);
    return st;
}

/* Number of edges among `arcs` arcs with `loops` loops; other undirected edges have two arcs. */
static uint64_t edges_of(const weft_graph *g, uint64_t arcs, uint64_t loops) {
    return g->directed ? arcs : (arcs - loops) / 2 + loops;
}

static weft_status induce(inducing *in) {
    const weft_graph *g = in->g;
    weft_graph *fresh = in->fresh;
    for (weft_vid v = 0; v < g->n; v++) {
        bool stays = !in->by->keep || in->by->keep[v];
        in->place[v] = stays ? fresh->n++ : WEFT_NO_VERTEX;
    }
    fresh->directed = g->directed;
    fresh->direction_from = g->direction_from;
    fresh->direction_doubt = g->direction_doubt;
    fresh->weight_type = g->weight_type;
    fresh->format = "memory";
    fresh->label = g->label == WEFT_LABEL_ACYCLIC ? g->label : WEFT_LABEL_NONE; /* a cycle may be gone */
    fresh->out = wfi_view_of(fresh->n, fresh->weight_type);
    weft_status st = wfi_alloc_zeroed(in->ctx, &fresh->out.offsets, (size_t)fresh->n + 1);
    if (!st) st = count_rows(in);
    if (!st) st = copy_rows(in);
    if (!st) st = copy_ids(in);
    if (!st) st = wfi_graph_copy_ambiguous(in->ctx, g, fresh);
    if (!st) st = copy_attributes(in);
    if (!st) st = wfi_edge_data_copy(in->ctx, g, in->record, fresh);
    if (st) return st;
    fresh->self_loops = in->all.loops;
    fresh->edges = fresh->records = edges_of(g, fresh->arcs, in->all.loops);
    return WEFT_OK;
}

weft_status wfi_induce(weft_ctx *ctx, const weft_graph *g, const wfi_selection *by, weft_vid *place, wfi_left_out *left,
                       weft_graph **out) {
    inducing in = {.ctx = ctx, .g = g, .by = by, .place = place, .fresh = wfi_graph_new(ctx)};
    weft_status st = in.fresh ? WEFT_OK : WEFT_ENOMEM;
    if (!st && !place) st = wfi_alloc(ctx, &in.place, g->n);
    if (!st) st = induce(&in);
    if (!place) wfi_free(in.place);
    wfi_free(in.record);
    if (st) {
        weft_graph_free(in.fresh);
        return st;
    }
    const tally *t = &in.all;
    *left = (wfi_left_out){edges_of(g, t->weight_arcs, t->weight_loops), edges_of(g, t->chance_arcs, t->chance_loops)};
    *out = in.fresh;
    return WEFT_OK;
}
