/* See listing.h.  Names are interned, numbered in order of first sight; what depends on all of them (are they numbers?
 * is each end declared?) waits until the document is read. */
#include "io/document/listing.h"
#include "attributes/sides.h"

#include <string.h>

#define FAIL(l, place, ...) wfi_fail_in_text((l)->ctx, (l)->source, (l)->text, (place), __VA_ARGS__)

enum { SHOWN = 40 }; /* bytes of a name that a message shows */

static int shown(size_t length) { return length < SHOWN ? (int)length : SHOWN; }

weft_status wfi_listing_open(wfi_listing *l, weft_ctx *ctx, const wfi_source *source, const char *text,
                             const weft_read_params *params) {
    *l = (wfi_listing){.ctx = ctx, .source = source, .text = text, .params = params};
    l->names = wfi_names_new(ctx);
    weft_status st = l->names ? wfi_cells_open(ctx, wfi_source_name(source), &l->cells) : WEFT_ENOMEM;
    return st ? st : wfi_listing_open_fields(l);
}

void wfi_listing_close(wfi_listing *l) {
    wfi_names_free(l->names);
    wfi_free(l->places);
    wfi_free(l->edges);
    wfi_cells_free(l->cells);
    wfi_listing_close_fields(l);
    *l = (wfi_listing){0};
}

static weft_status number_of(wfi_listing *l, const char *name, size_t length, uint32_t *number) {
    weft_status st = wfi_names_number(l->ctx, l->names, name, length, number);
    size_t before = l->name_room;
    if (!st) st = WFI_ROOM(l->ctx, l->places, *number, l->name_room, 256);
    if (!st && l->name_room > before) memset(l->places + before, 0, (l->name_room - before) * sizeof *l->places);
    return st;
}

weft_status wfi_listing_vertex(wfi_listing *l, const char *name, size_t length, const char *at) {
    uint32_t number;
    weft_status st = number_of(l, name, length, &number);
    if (st) return st;
    if (l->places[number].declared) return FAIL(l, at, "vertex '%.*s' is declared a second time", shown(length), name);
    l->places[number].declared = at;
    return wfi_cells_row(l->cells, name, length);
}

weft_status wfi_listing_numbered(wfi_listing *l, uint32_t source, uint32_t target, const char *at) {
    weft_status st = wfi_listing_end_edge(l);
    if (!st) st = WFI_ROOM(l->ctx, l->edges, l->edge_count, l->edge_room, 256);
    if (st) return st;
    l->edges[l->edge_count++] = (wfi_listed_edge){.source = source, .target = target, .at = at};
    return WEFT_OK;
}

weft_status wfi_listing_edge(wfi_listing *l, wfi_listed_end source, wfi_listed_end target, const char *at) {
    uint32_t u, v;
    weft_status st = number_of(l, source.name, source.length, &u);
    if (!st) st = number_of(l, target.name, target.length, &v);
    if (st) return st;
    if (!l->places[u].used) l->places[u].used = source.at;
    if (!l->places[v].used) l->places[v].used = target.at;
    return wfi_listing_numbered(l, u, v, at);
}

weft_status wfi_listing_weight(wfi_listing *l, const char *number, size_t length, const char *at) {
    wfi_listed_edge *e = &l->edges[l->edge_count - 1];
    char text[64];
    if (l->params->weights == WEFT_WEIGHTS_IGNORE) return WEFT_OK;
    while (length && (wfi_is_blank(*number) || *number == '\n')) number++, length--;
    while (length && (wfi_is_blank(number[length - 1]) || number[length - 1] == '\n')) length--;
    const char *p = text;
    wfi_number st = WFI_NUMBER_NONE;
    bool as_double = wfi_reads_doubles(l->params);
    if (length < sizeof text) {
        memcpy(text, number, length);
        text[length] = '\0';
        st = wfi_scan_weight(&p, as_double, &e->weight);
    }
    if (st >= WFI_NUMBER_TOO_LARGE)
        return FAIL(l, at, "weight '%.*s' is %s (`weights=ignore` reads without weights)", shown(length), number,
                    wfi_weight_fault(st, as_double));
    if (st || p != text + length)
        return FAIL(l, at, "expected a number for the weight, found '%.*s' (`weights=ignore` reads without weights)",
                    shown(length), number);
    e->weighted = true;
    return WEFT_OK;
}

uint64_t wfi_listing_give_ones(wfi_listing *l) {
    uint64_t given = 0;
    for (uint64_t i = 0; i < l->edge_count; i++) given += l->edges[i].weighted;
    for (uint64_t i = 0; i < l->edge_count && given; i++) {
        if (!l->edges[i].weighted) l->edges[i].weight = (wfi_weight){1, 1, true};
        l->edges[i].weighted = true;
    }
    return l->edge_count - given;
}

void wfi_listing_direction(wfi_listing *l, bool directed) {
    const char **first = directed ? &l->directed_at : &l->undirected_at;
    if (!*first) *first = l->edges[l->edge_count - 1].at;
}

void wfi_listing_both_ways(wfi_listing *l) {
    l->edges[l->edge_count - 1].both = true;
    l->both_count++;
}

/* --- the graph ----------------------------------------------------------------------- */

static const char *name_of(const wfi_listing *l, size_t number, size_t *length) {
    const wfi_names *n = l->names;
    *length = (size_t)(n->start[number + 1] - n->start[number]);
    return n->text + n->start[number];
}

static weft_status check_ends(wfi_listing *l) {
    for (size_t i = 0; i < l->names->count && !l->ends_declare; i++) {
        if (l->places[i].declared) continue;
        size_t length;
        const char *name = name_of(l, i, &length);
        return FAIL(l, l->places[i].used, "there is no vertex '%.*s'", shown(length), name);
    }
    return WEFT_OK;
}

static weft_status check_weights(wfi_listing *l, bool *weighted) {
    const wfi_listed_edge *with = NULL, *without = NULL;
    for (uint64_t i = 0; i < l->edge_count && !(with && without); i++) {
        const wfi_listed_edge **kind = l->edges[i].weighted ? &with : &without;
        if (!*kind) *kind = &l->edges[i];
    }
    *weighted = with != NULL;
    if (without && (with || l->params->weights == WEFT_WEIGHTS_REQUIRE))
        return FAIL(l, without->at, "this edge has no %.40s%s (`weights=ignore` reads without weights)",
                    l->params->weight_col ? l->params->weight_col : "weight", with ? ", though others have" : "");
    return WEFT_OK;
}

static weft_status check_direction(wfi_listing *l, bool *directed) {
    if (l->params->direction != WEFT_AS_FILE) return WEFT_OK;
    if (l->directed_at && l->undirected_at)
        return FAIL(l, l->directed_at > l->undirected_at ? l->directed_at : l->undirected_at,
                    "directed and undirected edges in one file: `direction=directed` or `direction=undirected` makes "
                    "them all the same");
    if (l->directed_at || l->undirected_at) *directed = l->directed_at != NULL;
    return WEFT_OK;
}

/* The ids as numbers; *ids stays NULL when they are names. */
static weft_status find_integers(wfi_listing *l, int64_t **ids) {
    size_t count = l->names->count;
    if (l->params->ids == WEFT_READ_IDS_STRING) return WEFT_OK;
    if (wfi_alloc(l->ctx, ids, count)) return WEFT_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const char *name = name_of(l, i, &length);
        if (wfi_is_plain_integer(name, length, &(*ids)[i])) continue;
        wfi_free(*ids);
        *ids = NULL;
        if (l->params->ids == WEFT_READ_IDS_INTEGER)
            return FAIL(l, l->places[i].declared ? l->places[i].declared : l->places[i].used,
                        "'%.*s' is not a whole number (for names: `ids=string`)", shown(length), name);
        return WEFT_OK;
    }
    return WEFT_OK;
}

static weft_status collect(wfi_listing *l, const int64_t *ids, bool weighted, bool directed, wfi_edges *edges) {
    wfi_collector *c = &l->binder.collector;
    weft_status st =
        wfi_collector_reset(l->ctx, c, l->edge_count + l->both_count + 1, wfi_first_weight_type(l->params, weighted));
    for (uint64_t i = 0; i < l->edge_count && !st; i++) {
        const wfi_listed_edge *e = &l->edges[i];
        int64_t u = ids ? ids[e->source] : e->source, v = ids ? ids[e->target] : e->target;
        for (int way = 0; way < (directed && e->both && u != v ? 2 : 1) && !st; way++) {
            st = wfi_collect(l->ctx, c, way ? v : u, way ? u : v);
            if (!st && weighted) wfi_collect_weight(c, e->weight);
        }
    }
    return st ? st : wfi_binder_deliver(l->ctx, &l->binder, edges, 0, 0);
}

/* --- two kinds of vertices ------------------------------------------------------------------------------------ */

/* The names go to the graph; what edges are called stays, in case that one has to be found. */
typedef struct kept_names {
    char *text;
    uint64_t *start;
} kept_names;

static weft_status keep_names(const wfi_listing *l, kept_names *to) {
    const wfi_names *n = l->names;
    if (l->params->sides == WFI_SIDES_ONE) return WEFT_OK;
    if (wfi_alloc(l->ctx, &to->text, n->text_used) || wfi_alloc(l->ctx, &to->start, n->count + 1)) return WEFT_ENOMEM;
    memcpy(to->text, n->text, n->text_used);
    memcpy(to->start, n->start, (n->count + 1) * sizeof *to->start);
    return WEFT_OK;
}

static bool is_end(const kept_names *names, uint32_t number, wfi_listed_id id) {
    return names->start[number + 1] - names->start[number] == id.length &&
           !memcmp(names->text + names->start[number], id.text, id.length);
}

typedef struct named_listing {
    const wfi_listing *l;
    const kept_names *names;
} named_listing;

static const char *place_of(const void *of, wfi_listed_id u, wfi_listed_id v) {
    const wfi_listing *l = ((const named_listing *)of)->l;
    const kept_names *names = ((const named_listing *)of)->names;
    for (uint64_t i = 0; i < l->edge_count; i++) {
        const wfi_listed_edge *e = &l->edges[i];
        if ((is_end(names, e->source, u) && is_end(names, e->target, v)) ||
            (is_end(names, e->source, v) && is_end(names, e->target, u)))
            return e->at;
    }
    return l->text;
}

/* The edge of that arc. */
static weft_status refuse_within(weft_ctx *ctx, const wfi_source *source, const char *whole, const weft_graph *g,
                                 weft_eid arc, wfi_edge_place *place, const void *of) {
    weft_vid u = 0, v = g->out.targets[arc];
    while (g->out.offsets[u + 1] <= arc) u++;
    size_t m = weft_graph_id_text(g, u, NULL, 0), n = weft_graph_id_text(g, v, NULL, 0);
    char *text;
    if (wfi_alloc(ctx, &text, m + n + 2)) return WEFT_ENOMEM;
    weft_graph_id_text(g, u, text, m + 1);
    weft_graph_id_text(g, v, text + m + 1, n + 1);
    const char *at = place(of, (wfi_listed_id){text, m}, (wfi_listed_id){text + m + 1, n});
    weft_status st = wfi_fail_in_text(ctx, source, whole, at,
                                      "the edge between '%.*s' and '%.*s' is within one side of what should be a "
                                      "bipartite graph (`sides=one` reads it as a graph of one kind of vertices)",
                                      shown(m), text, shown(n), text + m + 1);
    wfi_free(text);
    return st;
}

weft_status wfi_find_sides(weft_ctx *ctx, const wfi_source *source, const char *whole, const weft_read_params *params,
                           wfi_edge_place *place, const void *of, weft_graph **out) {
    weft_eid within;
    if (params->sides == WFI_SIDES_ONE) return WEFT_OK;
    weft_status st = wfi_sides_from_columns(ctx, *out, params->sides == WFI_SIDES_TWO, &within);
    if (!st && within < (*out)->arcs) st = refuse_within(ctx, source, whole, *out, within, place, of);
    if (!st) return WEFT_OK;
    weft_graph_free(*out);
    *out = NULL;
    return st;
}

weft_status wfi_listing_build(wfi_listing *l, const char *format, bool directed, weft_graph **out) {
    wfi_edges edges = {0};
    int64_t *ids = NULL;
    kept_names names = {NULL, NULL};
    bool weighted;
    weft_status st = wfi_listing_end_edge(l);
    if (!st) st = check_ends(l);
    if (!st) st = check_weights(l, &weighted);
    if (!st) st = check_direction(l, &directed);
    if (!st) st = find_integers(l, &ids);
    directed = wfi_resolve_directed(l->params->direction, directed);
    if (!st) st = wfi_listing_check_fields(l);
    if (!st) st = keep_names(l, &names);
    if (!st) st = collect(l, ids, weighted, directed, &edges);
    if (!st) st = wfi_listing_settle_fields(l, &edges);
    if (st) goto done;
    wfi_build build = {.numbering = ids ? WFI_COMPACT : WFI_NAMES,
                       .params = wfi_read_rules(l->params),
                       .format = format,
                       .records = l->edge_count,
                       .direction_open = l->direction_open && !l->directed_at && !l->undirected_at,
                       .directed = directed};
    if (ids) {
        build.extra_ids = ids;
        build.extra_count = l->names->count;
    } else {
        st = wfi_alloc(l->ctx, &edges.names, 1);
        if (st) goto done;
        edges.names[0] = l->names; /* handed over: wfi_edges_free frees it */
        edges.name_tables = 1;
        l->names = NULL;
    }
    st = wfi_graph_build(l->ctx, &edges, &build, out);
    if (st == WEFT_EINPUT) st = wfi_fail_prefixed(l->ctx, wfi_source_name(l->source));
    if (!st) st = wfi_cells_attach(l->cells, out);
    if (!st && names.text)
        st = wfi_find_sides(l->ctx, l->source, l->text, l->params, place_of, &(named_listing){l, &names}, out);
done:
    wfi_edges_free(&edges);
    WFI_FREE(ids, names.text, names.start);
    return st;
}
