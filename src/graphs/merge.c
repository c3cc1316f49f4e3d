/* weft_graph_merge: union, intersection or difference of graphs.
 * Method: the mode decides between which vertices there are edges: rows of two graphs are merged, and arcs that the
 * other graph has or lacks are marked. The remaining edges, graph after graph, are built into rows like those of a
 * file, with the same rules for parallel edges. */
#include "graphs/merge.h"
#include "graph/build.h"

#include <omp.h>

enum { POLL_RUNS = 1 << 14, MOST_GRAPHS = 65535 };

/* --- marking of arcs -------------------------------------------------------------------------------------- */

/* Search of x's arcs in y. */
typedef struct marking {
    const wfi_merging *m;
    size_t x, y;
    const uint8_t *y_stays; /* marks of y's arcs that count; NULL: all count */
    uint8_t *stays;         /* mark per arc of x; in an undirected graph only of arcs to vertices not below the row's */
    bool wanted;            /* true: found arcs stay; false: arcs stay that are not found */
    weft_vid *match;        /* match in y of the vertices of x */
    wfi_row_blocks blocks;
} marking;

static weft_status match_vertices(marking *k) {
    const wfi_merging *m = k->m;
    weft_vid *there;
    if (wfi_alloc(m->ctx, &k->match, m->graphs[k->x]->n) || wfi_alloc(m->ctx, &there, m->n)) return WEFT_ENOMEM;
    memset(there, 0xff, m->n * sizeof *there);
    for (weft_vid v = 0; v < m->graphs[k->y]->n; v++)
        if (m->place[k->y][v] != WEFT_NO_VERTEX) there[m->place[k->y][v]] = v;
    for (weft_vid v = 0; v < m->graphs[k->x]->n; v++) {
        weft_vid place = m->place[k->x][v];
        k->match[v] = place == WEFT_NO_VERTEX ? place : there[place];
    }
    wfi_free(there);
    return WEFT_OK;
}

static weft_status mark_block(const marking *k, size_t block) {
    const weft_graph *x = k->m->graphs[k->x], *y = k->m->graphs[k->y];
    wfi_arc_run here, there;
    uint64_t runs = 0;
    for (weft_vid u = k->blocks.first[block]; u < k->blocks.first[block + 1]; u++) {
        wfi_row_pair rows = wfi_pair_rows(x, y, k->match, u);
        while (wfi_next_run(&rows, &here, &there)) {
            if (++runs % POLL_RUNS == 0 && wfi_cancelled(k->m->ctx)) return wfi_fail_cancelled(k->m->ctx);
            bool found = there.count && (!k->y_stays || k->y_stays[there.at]);
            if (found != k->wanted) memset(k->stays + here.at, 0, (size_t)here.count);
        }
    }
    return WEFT_OK;
}

static weft_status mark(marking *k) {
    weft_ctx *ctx = k->m->ctx;
    const weft_graph *x = k->m->graphs[k->x];
    _Atomic int status = WEFT_OK;
    weft_status st = match_vertices(k);
    if (!st) st = wfi_cut_rows(ctx, x, &k->blocks);
    if (!st) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, x->n + x->arcs, 1 << 14))
        for (size_t block = 0; block < k->blocks.count; block++) {
            if (atomic_load(&status)) continue;
            wfi_keep_status(&status, wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : mark_block(k, block));
            if (omp_get_thread_num() == 0) wfi_progress(ctx, "matching edges", block, k->blocks.count);
        }
        st = (weft_status)atomic_load(&status);
    }
    wfi_free(k->match);
    wfi_free(k->blocks.first);
    return st;
}

static weft_status all_stay(weft_ctx *ctx, const weft_graph *g, uint8_t **stays) {
    if (wfi_alloc(ctx, stays, (size_t)g->arcs)) return WEFT_ENOMEM;
    memset(*stays, 1, (size_t)g->arcs);
    return WEFT_OK;
}

/* Marks the first graph's arcs against all other graphs. */
static weft_status mark_first(const wfi_merging *m, uint8_t **stays) {
    weft_status st = all_stay(m->ctx, m->graphs[0], stays);
    for (size_t g = 1; g < m->count && !st; g++)
        st = mark(&(marking){.m = m, .x = 0, .y = g, .stays = *stays, .wanted = m->mode == WEFT_MERGE_INTERSECTION});
    return st;
}

/* Marks another graph's arcs against the remaining arcs of the first. */
static weft_status mark_other(const wfi_merging *m, size_t graph, const uint8_t *first, uint8_t **stays) {
    weft_status st = all_stay(m->ctx, m->graphs[graph], stays);
    return st ? st : mark(&(marking){.m = m, .x = graph, .y = 0, .y_stays = first, .stays = *stays, .wanted = true});
}

/* --- edges ------------------------------------------------------------------------------------------------ */

/* Copying of a graph's edges into pieces, one per block of rows. */
typedef struct copying {
    const wfi_merging *m;
    const weft_graph *g;
    const weft_vid *place;
    const uint8_t *stays; /* NULL: all arcs stay */
    weft_weight_type type;
    wfi_row_blocks blocks;
} copying;

/* Counts the block's edges and, if `to` is not NULL, stores them there. */
static uint64_t copy_block(const copying *p, size_t block, wfi_piece *to) {
    const weft_graph *g = p->g;
    size_t each = to ? wfi_weight_bytes(p->type) : 0;
    uint64_t count = 0;
    for (weft_vid u = p->blocks.first[block]; u < p->blocks.first[block + 1]; u++) {
        weft_eid e = g->out.offsets[u], end = g->out.offsets[u + 1];
        if (!g->directed) e = wfi_lower_bound_u32(g->out.targets, e, end, u);
        for (; e < end; e++) {
            if (p->stays && !p->stays[e]) continue;
            if (to) {
                to->narrow[2 * count] = p->place[u];
                to->narrow[2 * count + 1] = p->place[g->out.targets[e]];
            }
            if (each) memcpy((char *)to->weights + count * each, (const char *)g->out.weights + e * each, each);
            count++;
        }
        if (wfi_cancelled(p->m->ctx)) break;
    }
    return count;
}

static weft_status copy_edges(copying *p, wfi_edges *edges) {
    weft_ctx *ctx = p->m->ctx;
    size_t before = edges->count;
    uint64_t *count = NULL;
    weft_status st = wfi_cut_rows(ctx, p->g, &p->blocks);
    int threads = wfi_threads_for(ctx, p->g->n + p->g->arcs, 1 << 14);
    if (!st) st = wfi_alloc(ctx, &count, p->blocks.count);
    if (st) goto done;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t block = 0; block < p->blocks.count; block++) count[block] = copy_block(p, block, NULL);
    for (size_t block = 0; block < p->blocks.count && !st; block++) {
        wfi_piece *piece;
        st = wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : wfi_edges_add(ctx, edges, count[block], p->type, &piece);
    }
    if (st) goto done;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t block = 0; block < p->blocks.count; block++) copy_block(p, block, &edges->pieces[before + block]);
    if (wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
done:
    wfi_free(count);
    wfi_free(p->blocks.first);
    return st;
}

static weft_status gather(const wfi_merging *m, bool weights, wfi_edges *edges) {
    uint8_t *first = NULL;
    size_t graphs = m->mode == WEFT_MERGE_DIFFERENCE ? 1 : m->count;
    weft_status st = m->mode == WEFT_MERGE_UNION ? WEFT_OK : mark_first(m, &first);
    for (size_t g = 0; g < graphs && !st; g++) {
        uint8_t *own = NULL;
        if (g && first) st = mark_other(m, g, first, &own);
        copying p = {.m = m, .g = m->graphs[g], .place = m->place[g], .stays = g ? own : first};
        p.type = weights ? p.g->weight_type : WEFT_WEIGHT_NONE;
        wfi_progress(m->ctx, "gathering edges", g, graphs);
        if (!st) st = copy_edges(&p, edges);
        wfi_free(own);
    }
    wfi_free(first);
    return st;
}

static weft_status build(wfi_merging *m, weft_duplicates rule, weft_graph **out) {
    wfi_edges edges = {0};
    wfi_build how = {.numbering = WFI_VERTICES,
                     .vertices = m->n,
                     .ids = &m->ids,
                     .directed = m->graphs[0]->directed,
                     .params = WEFT_BUILD_DEFAULTS};
    how.params.duplicates = rule;
    weft_status st = gather(m, rule != WEFT_DUPLICATES_COUNT, &edges);
    if (st)
        wfi_edges_free(&edges);
    else
        st = wfi_graph_build(m->ctx, &edges, &how, out);
    return st ? st : wfi_graph_refuse_ambiguous(m->ctx, "merge", *out);
}

/* --- the call --------------------------------------------------------------------------------------------- */

static weft_status check_params(weft_ctx *ctx, size_t count, const weft_merge_params *p) {
    if (!count || count > MOST_GRAPHS)
        return wfi_fail(ctx, WEFT_EINVAL, "merge: %zu graphs; from 1 to %d can be merged", count, MOST_GRAPHS);
    if ((unsigned)p->mode > WEFT_MERGE_DIFFERENCE || (unsigned)p->duplicates > WEFT_DUPLICATES_COUNT)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_merge_params: invalid mode or duplicates");
    if (p->mode == WEFT_MERGE_INTERSECTION && p->duplicates == WEFT_DUPLICATES_REFUSE && count > 1)
        return wfi_fail(ctx, WEFT_EINVAL,
                        "merge: every edge of an intersection is in several graphs, which `duplicates=refuse` refuses");
    return WEFT_OK;
}

/* Fails unless all graphs that contribute edges have weights, or none has, and no weights are ambiguous. */
static weft_status check_weights(weft_ctx *ctx, const weft_graph *const *graphs, size_t count,
                                 const weft_merge_params *p) {
    size_t with = SIZE_MAX, without = SIZE_MAX;
    if (p->duplicates == WEFT_DUPLICATES_COUNT) return WEFT_OK;
    for (size_t i = 0; i < (p->mode == WEFT_MERGE_DIFFERENCE ? 1 : count); i++) {
        weft_status st = wfi_graph_refuse_ambiguous(ctx, "merge", graphs[i]);
        if (st) return st;
        size_t *first = graphs[i]->weight_type == WEFT_WEIGHT_NONE ? &without : &with;
        if (graphs[i]->arcs && *first == SIZE_MAX) *first = i;
    }
    if (with == SIZE_MAX || without == SIZE_MAX) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL,
                    "merge: graph %zu has weights, graph %zu has none: `weights=ignore` leaves them out,"
                    " `duplicates=count` counts edges",
                    with + 1, without + 1);
}

static weft_direction_from direction_from(const weft_graph *const *graphs, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (graphs[i]->direction_from == WEFT_DIRECTION_ASSUMED) return WEFT_DIRECTION_ASSUMED;
    return graphs[0]->direction_from;
}

weft_status weft_graph_merge(weft_ctx *ctx, const weft_graph *const *graphs, size_t count,
                             const weft_merge_params *params, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_OR_RETURN(ctx, out);
    WFI_NEED_OR_RETURN(ctx, graphs);
    double start = wfi_now_ms();
    weft_merge_params p = WEFT_MERGE_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_merge_params", params, &p, sizeof p);
    if (!st) st = check_params(ctx, count, &p);
    if (st) return st;
    for (size_t i = 0; i < count; i++) WFI_NEED_ROWS_OR_RETURN(ctx, graphs[i]);
    st = wfi_check_matchable(ctx, "merge", graphs, count);
    if (!st) st = check_weights(ctx, graphs, count, &p);
    if (st) return st;
    const weft_graph **sorted = NULL;
    weft_graph **copies = NULL, *fresh = NULL;
    wfi_merging m = {.ctx = ctx, .count = count, .mode = p.mode};
    st = wfi_alloc(ctx, &sorted, count);
    if (!st) st = wfi_alloc_zeroed(ctx, &copies, count);
    for (size_t i = 0; i < count && !st; i++) {
        st = wfi_sorted_by_id(ctx, graphs[i], &copies[i]);
        sorted[i] = copies[i] ? copies[i] : graphs[i];
    }
    m.graphs = sorted;
    if (!st) st = wfi_merge_ids(&m);
    if (!st) st = build(&m, p.duplicates, &fresh);
    wfi_merge_free(&m);
    for (size_t i = 0; copies && i < count; i++) weft_graph_free(copies[i]);
    wfi_free(copies);
    wfi_free(sorted);
    if (st) {
        weft_graph_free(fresh);
        return st;
    }
    for (size_t i = 0; i < count; i++)
        if (weft_graph_sides(graphs[i], NULL, NULL)) {
            wfi_warn(ctx, "merge: the sides of a bipartite graph are left out");
            break;
        }
    for (size_t i = 0; i < count; i++)
        if (weft_graph_attributes(graphs[i])) {
            wfi_warn(ctx, "merge: attributes of vertices are left out");
            break;
        }
    bool columns = false;
    for (size_t i = 0; i < count; i++) columns |= weft_graph_edge_columns(graphs[i]) > 0;
    if (columns) wfi_warn(ctx, "merge: columns of edges are left out");
    fresh->direction_from = direction_from(graphs, count);
    fresh->load_ms = wfi_now_ms() - start;
    *out = fresh;
    return WEFT_OK;
}
