/* From a Pajek network to a graph.
 * Vertices are called by their labels when each of the n has one and no two are alike; else by their numbers 1 ... n.
 * A file of arcs is directed, one of edges undirected; where both occur, and whenever the graph is to be directed, an
 * edge is two arcs.  A line without a value has weight 1 if any line has one: Pajek's own rule. */
#include "io/document/pajek.h"
#include "io/text/words.h"

#include <stdlib.h>

#define FAIL(p, place, ...) wfi_fail_in_text((p)->ctx, (p)->source, (p)->text, (place), __VA_ARGS__)

/* --- ids of the vertices ------------------------------------------------------ */

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

/* Are no two of the labels alike? */
static weft_status are_distinct(wfi_pajek *p, bool *distinct) {
    wfi_names *table = wfi_names_new(p->ctx);
    weft_status st = table ? WEFT_OK : WEFT_ENOMEM;
    *distinct = true;
    for (uint64_t i = 0; i < p->n && !st && *distinct; i++) {
        uint32_t number = 0;
        st = wfi_names_number(p->ctx, table, p->vertices[i].label, p->vertices[i].length, &number);
        *distinct = number == i;
        if (i % 65536 == 0 && wfi_cancelled(p->ctx)) st = wfi_fail_cancelled(p->ctx);
    }
    wfi_names_free(table);
    return st;
}

static bool are_numbers(const wfi_pajek *p) {
    int64_t id;
    uint64_t i = 0;
    while (i < p->n && wfi_is_plain_integer(p->vertices[i].label, p->vertices[i].length, &id)) i++;
    return i == p->n;
}

/* Are the labels the ids? */
static weft_status choose_ids(wfi_pajek *p, bool *labelled) {
    weft_status st = sort_vertices(p);
    uint64_t labels = st ? 0 : count_labels(p);
    *labelled = labels && labels == p->n;
    if (*labelled) st = are_distinct(p, labelled);
    if (st || !labels) return st;
    const char *file = wfi_source_name(p->source);
    if (!*labelled) {
        wfi_note(p->ctx, "%s: %s, so vertices are identified by their numbers", file,
                 labels < p->n ? "not every vertex has a label" : "two vertices have the same label");
        return WEFT_OK;
    }
    if (p->names && p->params.ids == WEFT_READ_IDS_AUTO) p->params.ids = WEFT_READ_IDS_STRING;
    if (p->params.ids == WEFT_READ_IDS_INTEGER) *labelled = are_numbers(p); /* names were not asked for */
    if (*labelled) wfi_note(p->ctx, "%s: vertices are identified by their labels", file);
    return WEFT_OK;
}

/* All vertices in their order; labels that are not the ids are an attribute, unless each is the number of its vertex.
 */
static weft_status declare(wfi_pajek *p, bool labelled) {
    wfi_listing *l = &p->listing;
    size_t column;
    weft_status st = wfi_cells_column(l->cells, "label", sizeof "label" - 1, &column);
    if (!labelled) p->params.ids = WEFT_READ_IDS_INTEGER;
    for (uint64_t i = 0, k = 0; i < p->n && !st; i++) {
        const wfi_pajek_vertex *v = k < p->vertex_count && p->vertices[k].number == i + 1 ? &p->vertices[k++] : NULL;
        char number[24];
        const char *name = labelled ? v->label : number;
        st = wfi_listing_vertex(l, name, labelled ? v->length : wfi_print_u64(number, i + 1), v ? v->at : p->text);
        if (!st && !labelled && v && v->label)
            st = wfi_cells_put(l->cells, column, WEFT_ATTRIBUTE_TEXT, v->label, v->length);
        if (i % 65536 == 0 && wfi_cancelled(p->ctx)) st = wfi_fail_cancelled(p->ctx);
    }
    return st ? st : wfi_cells_drop_copy(l->cells, "label", NULL);
}

/* Notes the choices made, and checks the demands of the caller. */
static weft_status settle(wfi_pajek *p, bool *directed) {
    const char *file = wfi_source_name(p->source);
    wfi_listing *l = &p->listing;
    uint64_t lines = l->edge_count, edges = l->both_count, arcs = lines - edges, without = wfi_listing_give_ones(l);
    *directed = arcs || (!edges && !p->edges_only);
    if (!wfi_vertices_plausible(p->n, wfi_max_u64(lines, p->vertex_count)))
        return FAIL(p, p->vertices_at,
                    "%llu vertices, but %llu arcs and edges follow: too sparse to be read as a graph", (wfi_ull)p->n,
                    (wfi_ull)lines);
    if (p->params.weights == WEFT_WEIGHTS_REQUIRE && lines && without == lines)
        return FAIL(p, p->vertices_at, "no weights here, but they were asked for: no arc or edge has a value");
    if (arcs && edges && p->params.direction == WEFT_AS_FILE)
        wfi_note(p->ctx,
                 "%s: %llu arcs and %llu edges: the graph is directed, and an edge is two arcs (`direction=undirected` "
                 "makes all "
                 "of them edges)",
                 file, (wfi_ull)arcs, (wfi_ull)edges);
    if (without && without < lines)
        wfi_note(p->ctx, "%s: %llu of %llu arcs and edges have no value: their weight is 1, as in Pajek", file,
                 (wfi_ull)without, (wfi_ull)lines);
    return WEFT_OK;
}

weft_status wfi_pajek_build(wfi_pajek *p, weft_graph **out) {
    bool directed, labelled;
    weft_status st = settle(p, &directed);
    if (!st) st = choose_ids(p, &labelled);
    if (!st) st = declare(p, labelled);
    return st ? st : wfi_listing_build(&p->listing, "pajek", directed, out);
}
