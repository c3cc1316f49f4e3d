/* From a Pajek network to a graph.
 * Vertices are called by their labels when each of the n has one and no two are alike; else by their numbers 1 ... n.
 * A file of arcs is directed, one of edges undirected; where both occur, and whenever the graph is to be directed, an
 * edge is two arcs.  A line without a value has weight 1 if any line has one: Pajek's own rule. */
#include "io/document/pajek.h"
#include "io/text/cells.h"
#include "io/text/words.h"

#include <stdlib.h>

#define FAIL(p, place, ...) wfi_fail_in_text((p)->ctx, (p)->source, (p)->text, (place), __VA_ARGS__)

/* --- what the vertices are called ------------------------------------------------------ */

static int by_number(const void *a, const void *b) {
    const wfi_pajek_vertex *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->at > y->at) - (x->at < y->at);
}

static weft_status sort_vertices(wfi_pajek *p) {
    if (!p->ascending && p->vertex_count) qsort(p->vertices, p->vertex_count, sizeof *p->vertices, by_number);
    p->ascending = true;
    for (uint64_t i = 1; i < p->vertex_count; i++)
        if (p->vertices[i].number == p->vertices[i - 1].number)
            return FAIL(p, p->vertices[i].at, "vertex %llu is declared a second time", (wfi_ull)p->vertices[i].number);
    return WEFT_OK;
}

static uint64_t count_labels(const wfi_pajek *p) {
    uint64_t found = 0;
    for (uint64_t i = 0; i < p->vertex_count; i++) found += p->vertices[i].label != NULL;
    return found;
}

/* The labels as names 0 ... n-1 in the order of the vertices; *names stays NULL when two are alike. */
static weft_status name_vertices(wfi_pajek *p, wfi_names **names) {
    wfi_names *table = wfi_names_new(p->ctx);
    weft_status st = table ? WEFT_OK : WEFT_ENOMEM;
    bool distinct = true;
    for (uint64_t i = 0; i < p->n && !st && distinct; i++) {
        uint32_t number = 0;
        st = wfi_names_number(p->ctx, table, p->vertices[i].label, p->vertices[i].length, &number);
        distinct = number == i;
        if (i % 65536 == 0 && wfi_cancelled(p->ctx)) st = wfi_fail_cancelled(p->ctx);
    }
    if (!st && distinct)
        *names = table;
    else
        wfi_names_free(table);
    return st;
}

/* The labels as numbers, if all are; *ids stays NULL otherwise. */
static weft_status number_vertices(wfi_pajek *p, int64_t **ids) {
    int64_t *id;
    if (wfi_alloc(p->ctx, &id, p->n)) return WEFT_ENOMEM;
    uint64_t i = 0;
    while (i < p->n && wfi_is_plain_integer(p->vertices[i].label, p->vertices[i].length, &id[i])) i++;
    if (i == p->n)
        *ids = id;
    else
        wfi_free(id);
    return WEFT_OK;
}

static weft_status choose_ids(wfi_pajek *p, const weft_read_params *params, wfi_names **names, int64_t **ids) {
    weft_status st = sort_vertices(p);
    uint64_t labels = st ? 0 : count_labels(p);
    if (labels && labels == p->n) st = name_vertices(p, names);
    if (st || !labels) return st;
    const char *file = wfi_source_name(p->source);
    if (!*names) {
        wfi_note(p->ctx, "%s: %s, so vertices are identified by their numbers", file,
                 labels < p->n ? "not every vertex has a label" : "two vertices have the same label");
        return WEFT_OK;
    }
    bool names_said = p->names && params->ids == WEFT_READ_IDS_AUTO;
    if (params->ids != WEFT_READ_IDS_STRING && !names_said) st = number_vertices(p, ids);
    if (st) return st;
    if (*ids || params->ids == WEFT_READ_IDS_INTEGER) { /* names that are no numbers were not asked for */
        wfi_names_free(*names);
        *names = NULL;
    }
    if (*names || *ids) wfi_note(p->ctx, "%s: vertices are identified by their labels", file);
    return WEFT_OK;
}

/* --- edges ------------------------------------------------------------------------------- */

/* both: an edge becomes two arcs. */
static weft_status collect(wfi_pajek *p, const int64_t *ids, bool names, bool both, weft_weight_type type,
                           wfi_edges *edges) {
    wfi_collector c = {0};
    uint64_t room = p->line_count + (both ? p->edge_count : 0);
    weft_status st = wfi_collector_reset(p->ctx, &c, room + 1, type);
    for (uint64_t i = 0; i < p->line_count && !st; i++) {
        const wfi_pajek_line *l = &p->lines[i];
        wfi_weight weight = l->weighted ? l->weight : (wfi_weight){1, 1, true};
        int64_t u = ids ? ids[l->source - 1] : names ? (int64_t)l->source - 1 : l->source;
        int64_t v = ids ? ids[l->target - 1] : names ? (int64_t)l->target - 1 : l->target;
        st = wfi_collect(p->ctx, &c, u, v);
        if (!st && type) wfi_collect_weight(&c, weight);
        if (st || !both || !l->edge || u == v) continue;
        st = wfi_collect(p->ctx, &c, v, u);
        if (!st && type) wfi_collect_weight(&c, weight);
    }
    if (!st) st = wfi_collector_deliver(p->ctx, &c, edges, 0, 0);
    wfi_collector_free(&c);
    return st;
}

/* Says what took a choice, and checks what was asked for. */
static weft_status settle(wfi_pajek *p, const weft_read_params *params, bool *directed, bool *weighted) {
    const char *file = wfi_source_name(p->source);
    uint64_t arcs = p->line_count - p->edge_count, without = p->line_count - p->weighted_count;
    *directed = wfi_resolve_directed(params->direction, arcs || (!p->edge_count && !p->edges_only));
    *weighted = p->weighted_count && params->weights != WEFT_WEIGHTS_IGNORE;
    if (!wfi_vertices_plausible(p->n, wfi_max_u64(p->line_count, p->vertex_count)))
        return FAIL(p, p->vertices_at,
                    "%llu vertices, but %llu arcs and edges follow: too sparse to be read as a graph", (wfi_ull)p->n,
                    (wfi_ull)p->line_count);
    if (params->weights == WEFT_WEIGHTS_REQUIRE && p->line_count && !*weighted)
        return FAIL(p, p->vertices_at, "no weights here, but they were asked for: no arc or edge has a value");
    if (arcs && p->edge_count && params->direction == WEFT_AS_FILE)
        wfi_note(p->ctx,
                 "%s: %llu arcs and %llu edges: the graph is directed, and an edge is two arcs (`direction=undirected` "
                 "makes all "
                 "of them edges)",
                 file, (wfi_ull)arcs, (wfi_ull)p->edge_count);
    if (*weighted && without)
        wfi_note(p->ctx, "%s: %llu of %llu arcs and edges have no value: their weight is 1, as in Pajek", file,
                 (wfi_ull)without, (wfi_ull)p->line_count);
    return WEFT_OK;
}

/* Labels that are not the ids are an attribute, unless each is the number of its vertex. */
static weft_status attach_labels(wfi_pajek *p, weft_graph **out) {
    wfi_cells *cells;
    size_t column;
    weft_status st = wfi_cells_open(p->ctx, wfi_source_name(p->source), &cells);
    if (!st) st = wfi_cells_column(cells, "label", sizeof "label" - 1, &column);
    for (uint64_t i = 0; i < p->vertex_count && !st; i++) {
        const wfi_pajek_vertex *v = &p->vertices[i];
        char number[24];
        if (!v->label) continue;
        st = wfi_cells_row(cells, number, wfi_print_u64(number, v->number));
        if (!st) st = wfi_cells_put(cells, column, WEFT_ATTRIBUTE_TEXT, v->label, v->length);
    }
    if (!st) st = wfi_cells_drop_copy(cells, "label", NULL);
    if (!st) st = wfi_cells_attach(cells, out);
    wfi_cells_free(cells);
    return st;
}

weft_status wfi_pajek_build(wfi_pajek *p, const weft_read_params *params, weft_graph **out) {
    wfi_edges edges = {0};
    wfi_names *names = NULL;
    int64_t *ids = NULL;
    bool directed, weighted;
    weft_status st = settle(p, params, &directed, &weighted);
    if (!st) st = choose_ids(p, params, &names, &ids);
    if (!st) st = collect(p, ids, names != NULL, directed, wfi_first_weight_type(params, weighted), &edges);
    if (!st && names) st = wfi_alloc(p->ctx, &edges.names, 1);
    if (st) goto done;
    wfi_build build = {.numbering = WFI_VERTICES,
                       .vertices = p->n,
                       .ends_base = 1,
                       .id_base = 1,
                       .directed = directed,
                       .records = p->line_count,
                       .params = wfi_read_rules(params),
                       .format = "pajek"};
    if (names) {
        edges.names[0] = names; /* handed over */
        edges.name_tables = 1;
        names = NULL;
        build.numbering = WFI_NAMES;
    } else if (ids) {
        build.numbering = WFI_COMPACT;
        build.extra_ids = ids;
        build.extra_count = p->n;
    }
    st = wfi_graph_build(p->ctx, &edges, &build, out);
    if (st == WEFT_EINPUT) st = wfi_fail_prefixed(p->ctx, wfi_source_name(p->source));
    if (!st && build.numbering == WFI_VERTICES && p->vertex_count) st = attach_labels(p, out);
done:
    wfi_edges_free(&edges);
    wfi_names_free(names);
    wfi_free(ids);
    return st;
}
