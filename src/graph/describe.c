/* weft_graph_describe: statistics by parallel reductions over rows and weights, cached in the graph. */
#include "attributes/attributes.h"
#include "graph/degrees.h"
#include "graph/ranks/share.h"

typedef struct degree_facts {
    uint64_t max, median, isolated, max_in;
    double skew;
} degree_facts;

/* Distinct degrees, ascending, with their numbers of rows. */
typedef struct distribution {
    uint64_t *degree, *rows;
    size_t length;
} distribution;

/* Share of all arcs in the largest 1 % of rows (at least one row). */
static double top_share(const distribution *d, weft_vid n, weft_eid arcs) {
    uint64_t left = n / 100 ? n / 100 : 1, held = 0;
    for (size_t i = d->length; i-- > 0 && left;) {
        uint64_t take = wfi_min_u64(left, d->rows[i]);
        held += take * d->degree[i];
        left -= take;
    }
    return arcs ? (double)held / (double)arcs : 0;
}

static uint64_t median_of(const distribution *d, weft_vid n) {
    uint64_t seen = 0;
    size_t i = 0;
    while ((seen += d->rows[i]) <= (uint64_t)(n - 1) / 2) i++;
    return d->degree[i];
}

static weft_status count_degrees(weft_ctx *ctx, const weft_graph *g, degree_facts *facts) {
    *facts = (degree_facts){0};
    if (!g->n) return WEFT_OK;
    uint64_t *degree = NULL;
    distribution d;
    weft_status st = g->share ? wfi_share_distribution(ctx, g, &d.degree, &d.rows, &d.length)
                              : weft_graph_degree_distribution(ctx, g, WEFT_SIDE_OUT, &d.degree, &d.rows, &d.length);
    if (!st && !g->share) st = wfi_alloc(ctx, &degree, g->n);
    if (st) goto done;
    facts->max = d.degree[d.length - 1];
    facts->skew = top_share(&d, g->n, g->arcs);
    facts->median = median_of(&d, g->n);
    if (g->share) {
        st = wfi_share_incoming(ctx, g, &facts->isolated, &facts->max_in);
        goto done;
    }
    st = wfi_degrees(ctx, g, WEFT_SIDE_IN, degree);
    if (st) goto done;
    uint64_t isolated = 0, max_in = 0;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->n, 1 << 14)) reduction(+ : isolated) reduction(max : max_in)
    for (weft_vid v = 0; v < g->n; v++) {
        max_in = degree[v] > max_in ? degree[v] : max_in;
        isolated += !degree[v] && !wfi_degree(&g->out, v);
    }
    facts->isolated = isolated;
    facts->max_in = max_in;
done:
    wfi_free(degree);
    wfi_free(d.degree);
    wfi_free(d.rows);
    return st;
}

static void weight_range(weft_ctx *ctx, const weft_graph *g, double *min, double *max) {
    *min = *max = 0;
    if (g->weight_type == WEFT_WEIGHT_NONE || !g->arcs) return;
    double low = wfi_weight_at(g->weight_type, g->out.weights, 0), high = low;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->arcs, 1 << 14)) reduction(min    \
                                                                                                        : low) \
    reduction(max                                                                                              \
              : high)
    for (weft_eid e = 0; e < g->arcs; e++) {
        double w = wfi_weight_at(g->weight_type, g->out.weights, e);
        low = w < low ? w : low;
        high = w > high ? w : high;
    }
    *min = low;
    *max = high;
}

static uint64_t block_bytes(const weft_graph *g, const void *block) {
    return !block || wfi_graph_lent(g, block) ? 0 : wfi_block_bytes(block);
}

static uint64_t rows_held(const weft_graph *g) {
    if (g->share) return g->share->counted;
    return block_bytes(g, g->out.offsets) + block_bytes(g, g->out.targets) + block_bytes(g, g->out.weights);
}

static uint64_t bytes_held(const weft_graph *g) {
    return sizeof *g + g->mapping_bytes + rows_held(g) + block_bytes(g, g->in.offsets) + block_bytes(g, g->in.targets) +
           block_bytes(g, g->in.weights) + block_bytes(g, g->ids.number) + block_bytes(g, g->ids.start) +
           block_bytes(g, g->ids.text) + block_bytes(g, g->ids.by_id) + block_bytes(g, g->degree_order) +
           wfi_vertex_data_bytes(g);
}

/* Edges over possible edges, both without loops. */
static double density_of(const weft_graph *g) {
    double pairs = (double)g->n * ((double)g->n - 1) / (g->directed ? 1 : 2);
    return g->n > 1 ? (double)(g->edges - g->self_loops) / pairs : 0;
}

static weft_status fill(weft_ctx *ctx, const weft_graph *g, weft_graph_info *info) {
    degree_facts facts;
    weft_status st = count_degrees(ctx, g, &facts);
    if (st) return st;
    *info = (weft_graph_info){
        .size = sizeof *info,
        .vertices = g->n,
        .records = g->records,
        .edges = g->edges,
        .arcs = g->arcs,
        .self_loops = g->self_loops,
        .self_loops_dropped = g->self_loops_dropped,
        .duplicates_dropped = g->duplicates_dropped,
        .isolated = facts.isolated,
        .max_degree = facts.max,
        .max_in_degree = facts.max_in,
        .mean_degree = g->n ? (double)g->arcs / (double)g->n : 0,
        .median_degree = facts.median,
        .density = density_of(g),
        .skew = facts.skew,
        .directed = g->directed,
        .weight_type = g->weight_type,
        .id_kind = g->ids.kind,
        .id_base = g->ids.base,
        .label = g->label,
        .format = g->format,
        .load_ms = g->load_ms,
        .direction_from = g->direction_from,
        .direction_doubt = g->direction_doubt,
        .weights_merged = g->ambiguous ? g->ambiguous->parallel.pairs : 0,
        .opposite_weights_merged = g->ambiguous ? g->ambiguous->opposite.pairs : 0,
    };
    bool weighted = g->weight_type != WEFT_WEIGHT_NONE && g->arcs;
    if (g->share && weighted) st = wfi_share_weight_range(ctx, g, &info->min_weight, &info->max_weight);
    if (!g->share) weight_range(ctx, g, &info->min_weight, &info->max_weight);
    if (g->columns) {
        info->source_column = g->columns->source;
        info->target_column = g->columns->target;
        info->weight_column = g->columns->weight;
        info->passed_over_columns = g->columns->passed_over;
        info->passed_over_count = g->columns->passed_over_count;
    }
    return st;
}

weft_status weft_graph_describe(weft_ctx *ctx, const weft_graph *g, weft_graph_info *info) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_GRAPH_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, info);
    weft_graph *mine = (weft_graph *)(uintptr_t)g; /* cached under the lock */
    weft_status st = wfi_sized_check(ctx, "weft_graph_info", info);
    if (st) return st;
    pthread_mutex_lock(&mine->lock);
    if (!g->described) {
        st = fill(ctx, g, &mine->info);
        mine->described = st == WEFT_OK;
    }
    if (!st) {
        mine->info.bytes = bytes_held(g);
        st = wfi_sized_out(ctx, "weft_graph_info", &g->info, sizeof g->info, info);
    }
    pthread_mutex_unlock(&mine->lock);
    return st;
}
