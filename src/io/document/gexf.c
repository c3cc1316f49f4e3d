/* GEXF 1.1 to 1.3 (Gephi), reading.
 * Vertices are the nodes, called by their ids; what attributes are declared for them, and their labels unless each is
 * the id, become attributes; the weight of an edge is its attribute weight, or its value for an
 * attribute titled weight.  Where some edges have a weight, the others have weight 1: Gephi leaves that out.
 * Direction: an edge's type, else defaultedgetype, else undirected.  A mutual edge is two arcs in a
 * directed graph (one where some edge is directed, or all by default), otherwise an undirected edge.
 * Times and nesting are passed over with a warning; weights that change over time are refused.
 * Needs: the whole text in memory; sequential, because XML has no places where it can be cut.
 * [1] GEXF Working Group, "GEXF 1.3 Primer", 2022; http://gexf.net */
#include "io/document/xml_graph.h"

#include <string.h>
#include <strings.h>

typedef enum edge_type { DIRECTED, UNDIRECTED, MUTUAL, EDGE_TYPES } edge_type;

/* The column of labels: beside a declared attribute of that name it has another. */
static const char LABEL[] = "label", BESIDE_LABEL[] = "node label";

typedef struct reader {
    wfi_xml_graph g;
    edge_type type;           /* of edges that do not say */
    const char *weight_title; /* NULL: weight, also as an attribute of the edge itself */
    bool timed, nested, stray, kinds, drawn;
    size_t node_depth;      /* of the last one */
    size_t labels;          /* their column */
    const char *label_name; /* its name; NULL: there are none */
    bool label_declared;    /* an attribute of nodes is called label */
} reader;

#define FAIL(r, place, ...) WFI_XML_FAIL(&(r)->g.x, (place), __VA_ARGS__)

static weft_status unexpected(reader *r, const char *parent) { return wfi_xml_unexpected(&r->g, parent, ""); }

static bool has_times(const reader *r) {
    static const char *const names[] = {"start", "end", "startopen", "endopen", "timestamp", "timestamps", "intervals"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wfi_xml_get(&r->g.x, names[i])) return true;
    return false;
}

/* Gephi's viz:color and so on; prefixes are stripped. */
static bool is_drawn(const reader *r) {
    static const char *const names[] = {"color", "size", "position", "shape", "thickness"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wfi_xml_is(&r->g.x, names[i])) return true;
    return false;
}

/* --- attributes ------------------------------------------------------------------------------- */

static weft_status read_attribute(reader *r, wfi_scope scope, bool varies) {
    static const struct {
        const char *word;
        weft_attribute_type type;
    } types[] = {{"integer", WEFT_ATTRIBUTE_WHOLE}, {"long", WEFT_ATTRIBUTE_WHOLE},  {"short", WEFT_ATTRIBUTE_WHOLE},
                 {"byte", WEFT_ATTRIBUTE_WHOLE},    {"float", WEFT_ATTRIBUTE_REAL},  {"double", WEFT_ATTRIBUTE_REAL},
                 {"date", WEFT_ATTRIBUTE_TIME},     {"boolean", WEFT_ATTRIBUTE_BOOL}};
    wfi_attribute a = {
        .at = r->g.x.at, .fallback = WFI_NO_TEXT, .preset = WFI_NO_TEXT, .varies = varies, .type = WEFT_ATTRIBUTE_TEXT};
    size_t depth = r->g.x.depth;
    const char *place;
    bool found;
    weft_status st = wfi_xml_need(&r->g, "title", &r->g.word, &place);
    if (!st) st = wfi_attributes_title(&r->g, r->g.word.text, r->g.word.used, &a.title);
    if (!st) r->label_declared |= scope == WFI_OF_NODES && wfi_xml_holds(&r->g.word, LABEL);
    if (!st) st = wfi_xml_need(&r->g, "type", &r->g.word, &place);
    for (size_t i = 0; !st && i < sizeof types / sizeof *types; i++)
        if (wfi_xml_holds(&r->g.word, types[i].word)) a.type = (int)types[i].type;
    a.numeric = a.type == WEFT_ATTRIBUTE_WHOLE || a.type == WEFT_ATTRIBUTE_REAL;
    if (!st) st = wfi_xml_need(&r->g, "id", &r->g.id, &place);
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found)
        st = wfi_xml_is(&r->g.x, "default") ? wfi_xml_default(&r->g, &a) : wfi_xml_skip(&r->g.x);
    return st ? st : wfi_attributes_declare(&r->g, r->g.id.text, r->g.id.used, scope, &a);
}

static weft_status read_attributes(reader *r) {
    size_t depth = r->g.x.depth;
    const char *place;
    bool found, varies = false;
    weft_status st = wfi_xml_need(&r->g, "class", &r->g.word, &place);
    if (st) return st;
    wfi_scope scope = wfi_xml_holds(&r->g.word, "edge") ? WFI_OF_EDGES : WFI_OF_NODES;
    if (scope == WFI_OF_NODES && !wfi_xml_holds(&r->g.word, "node")) return FAIL(r, place, "class is node or edge");
    if (wfi_xml_get(&r->g.x, "mode")) {
        st = wfi_xml_need(&r->g, "mode", &r->g.word, &place);
        varies = !st && wfi_xml_holds(&r->g.word, "dynamic");
    }
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found)
        st = wfi_xml_is(&r->g.x, "attribute") ? read_attribute(r, scope, varies) : unexpected(r, "attributes");
    return st;
}

/* At <attvalue> of a node.  Of values that change over time the first one counts. */
static weft_status take_node_value(reader *r, wfi_attribute *a) {
    const char *at;
    if (!a->at) return WEFT_OK; /* not declared */
    a->lost |= a->varies;
    weft_status st = wfi_xml_want(&r->g, "value", &r->g.word, &at);
    return st || !at ? st : wfi_xml_node_value(&r->g, a, r->g.word.text, r->g.word.used);
}

/* At <attvalue> of an edge: its weight, a column that is wanted? */
static weft_status take_attvalue(reader *r, const wfi_attribute *a, bool *weighted) {
    const char *at = r->g.x.at;
    if (!a->at && !wfi_wants_weights(&r->g)) return WEFT_OK;
    if (!a->at)
        return FAIL(r, at, "no attribute of edges has the id '%.*s' (`weights=ignore` reads without weights)",
                    r->g.id.used < 40 ? (int)r->g.id.used : 40, r->g.id.text);
    size_t field;
    bool wanted = wfi_xml_wants_edge_value(&r->g, a, &field);
    if (wanted) {
        weft_status st = wfi_xml_need(&r->g, "value", &r->g.word, &at);
        if (!st) st = wfi_xml_edge_value(&r->g, a, field, r->g.word.text, r->g.word.used);
        if (st) return st;
    }
    if (!a->is_weight) return WEFT_OK;
    if (a->varies)
        return FAIL(r, at, "weights that change over time are not read (`weights=ignore` reads without weights)");
    if (*weighted) return FAIL(r, at, "a second weight for this edge (`weights=ignore` reads without weights)");
    *weighted = true;
    weft_status st = wfi_xml_need(&r->g, "value", &r->g.word, &at);
    return st ? st : wfi_listing_weight(&r->g.listing, r->g.word.text, r->g.word.used, at);
}

static weft_status read_attvalues(reader *r, wfi_scope scope, bool *weighted) {
    size_t depth = r->g.x.depth;
    const char *place;
    bool found;
    weft_status st = WEFT_OK;
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found) {
        if (!wfi_xml_is(&r->g.x, "attvalue")) return unexpected(r, "attvalues");
        wfi_attribute *a;
        st = wfi_xml_need(&r->g, "for", &r->g.id, &place);
        if (!st) st = wfi_attributes_use(&r->g, r->g.id.text, r->g.id.used, scope, &a);
        if (!st && scope == WFI_OF_NODES) st = take_node_value(r, a);
        if (!st && scope == WFI_OF_EDGES && (wfi_wants_weights(&r->g) || r->g.listing.fields))
            st = take_attvalue(r, a, weighted);
        if (!st) st = wfi_xml_skip(&r->g.x);
    }
    return st;
}

/* --- edges ------------------------------------------------------------------------------------- */

/* The attribute `name` of the element as a type; *type stays where there is none. */
static weft_status read_type(reader *r, const char *name, edge_type *type) {
    static const char *const words[EDGE_TYPES] = {"directed", "undirected", "mutual"};
    const wfi_xml_attribute *a = wfi_xml_get(&r->g.x, name);
    if (!a) return WEFT_OK;
    weft_status st = wfi_xml_value(&r->g.x, a, &r->g.word);
    for (int i = 0; i < EDGE_TYPES && !st; i++)
        if (wfi_xml_holds(&r->g.word, words[i])) {
            *type = (edge_type)i;
            return WEFT_OK;
        }
    return st ? st : FAIL(r, a->value.at, "%s is directed, undirected or mutual", name);
}

static weft_status read_direction(reader *r) {
    edge_type type = r->type;
    weft_status st = read_type(r, "type", &type);
    if (st) return st;
    if (type == MUTUAL)
        wfi_listing_both_ways(&r->g.listing);
    else
        wfi_listing_direction(&r->g.listing, type == DIRECTED);
    return WEFT_OK;
}

static weft_status read_own_weight(reader *r, bool *weighted) {
    const char *at;
    if (!wfi_wants_weights(&r->g) || r->weight_title || !wfi_xml_get(&r->g.x, "weight")) return WEFT_OK;
    *weighted = true;
    weft_status st = wfi_xml_need(&r->g, "weight", &r->g.word, &at);
    return st ? st : wfi_listing_weight(&r->g.listing, r->g.word.text, r->g.word.used, at);
}

static weft_status read_edge_children(reader *r, size_t depth, bool *weighted) {
    bool found;
    weft_status st = WEFT_OK;
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found) {
        r->timed |= wfi_xml_is(&r->g.x, "spells");
        r->drawn |= is_drawn(r);
        if (wfi_xml_is(&r->g.x, "attvalues"))
            st = read_attvalues(r, WFI_OF_EDGES, weighted);
        else
            st = wfi_xml_is(&r->g.x, "edge") || wfi_xml_is(&r->g.x, "node") ? unexpected(r, "edge")
                                                                            : wfi_xml_skip(&r->g.x);
    }
    return st;
}

static weft_status read_edge(reader *r) {
    const char *at = r->g.x.at;
    size_t depth = r->g.x.depth;
    bool weighted = false;
    r->timed |= has_times(r);
    r->kinds |= wfi_xml_get(&r->g.x, "kind") != NULL;
    weft_status st = wfi_xml_edge(&r->g);
    if (!st) st = read_direction(r);
    if (!st) st = read_own_weight(r, &weighted);
    if (!st) st = read_edge_children(r, depth, &weighted);
    if (!st) st = wfi_xml_edge_presets(&r->g);
    return st || weighted ? st : wfi_xml_edge_default(&r->g, at);
}

static weft_status read_edges(reader *r) {
    size_t depth = r->g.x.depth;
    bool found;
    weft_status st = wfi_wants_weights(&r->g) ? wfi_attributes_choose(&r->g, r->weight_title, false) : WEFT_OK;
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found)
        st = wfi_xml_is(&r->g.x, "edge") ? read_edge(r) : unexpected(r, "edges");
    return st;
}

/* Some edges have a weight: the others have 1.  (Not so where an attribute was asked for by name.) */
static void give_ones(reader *r) {
    wfi_listing *l = &r->g.listing;
    uint64_t rest = r->weight_title ? 0 : wfi_listing_give_ones(l);
    if (rest && rest < l->edge_count)
        wfi_note(r->g.x.origin.ctx, "%s: weight 1 for %llu edge%s without a weight: Gephi leaves a weight of 1 out",
                 wfi_source_name(r->g.x.origin.source), (wfi_ull)rest, rest == 1 ? "" : "s");
}

/* --- nodes ------------------------------------------------------------------------------------- */

/* At the first label. */
static weft_status name_labels(reader *r) {
    r->label_name = r->label_declared ? BESIDE_LABEL : LABEL;
    return wfi_cells_column(r->g.listing.cells, r->label_name, strlen(r->label_name), &r->labels);
}

static weft_status read_node(reader *r) {
    const char *at, *place;
    weft_status st = r->node_depth ? wfi_xml_node_presets(&r->g) : WEFT_OK; /* of the node before, which is over */
    if (!st) st = wfi_xml_need(&r->g, "id", &r->g.id, &at);
    if (!st) st = wfi_listing_vertex(&r->g.listing, r->g.id.text, r->g.id.used, at);
    if (st) return st;
    r->node_depth = r->g.x.depth;
    r->timed |= has_times(r);
    r->nested |= wfi_xml_get(&r->g.x, "pid") != NULL;
    if (!wfi_xml_get(&r->g.x, "label")) return WEFT_OK;
    st = wfi_xml_need(&r->g, "label", &r->g.word, &place);
    if (!st && !r->label_name) st = name_labels(r);
    if (st) return st;
    return wfi_cells_put(r->g.listing.cells, r->labels, WEFT_ATTRIBUTE_TEXT, r->g.word.text, r->g.word.used);
}

/* Nodes may lie within nodes; they are read as they come, so that no depth is followed. */
static weft_status read_nodes(reader *r) {
    size_t depth = r->g.x.depth;
    bool found, weighted = false;
    weft_status st = WEFT_OK;
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found) {
        bool node = wfi_xml_is(&r->g.x, "node");
        r->nested |= (node && r->g.x.depth != depth + 1) || wfi_xml_is(&r->g.x, "parents");
        r->timed |= wfi_xml_is(&r->g.x, "spells");
        r->drawn |= is_drawn(r);
        if (node)
            st = read_node(r);
        else if (wfi_xml_is(&r->g.x, "edges"))
            st = read_edges(r);
        else if (wfi_xml_is(&r->g.x, "attvalues") && r->g.x.depth == r->node_depth + 1)
            st = read_attvalues(r, WFI_OF_NODES, &weighted);
        else if (wfi_xml_is(&r->g.x, "attvalues"))
            r->stray = true, st = wfi_xml_skip(&r->g.x); /* of a node that others lie in, and after these */
        else if (wfi_xml_is(&r->g.x, "edge"))
            st = unexpected(r, "nodes");
        else if (!wfi_xml_is(&r->g.x, "nodes"))
            st = wfi_xml_skip(&r->g.x);
    }
    return st || !r->node_depth ? st : wfi_xml_node_presets(&r->g);
}

/* --- the graph ---------------------------------------------------------------------------------- */

static weft_status read_graph(reader *r) {
    size_t depth = r->g.x.depth;
    bool found;
    weft_status st = read_type(r, "defaultedgetype", &r->type);
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found) {
        if (wfi_xml_is(&r->g.x, "nodes"))
            st = read_nodes(r);
        else if (wfi_xml_is(&r->g.x, "edges"))
            st = read_edges(r);
        else
            st = wfi_xml_is(&r->g.x, "attributes") ? read_attributes(r) : unexpected(r, "graph");
    }
    return st;
}

/* The keywords may contain the note of Weft's writer on the ids. */
static weft_status read_meta(reader *r) {
    size_t depth = r->g.x.depth;
    bool found;
    const char *at;
    weft_status st = WEFT_OK;
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found) {
        bool keywords = wfi_xml_is(&r->g.x, "keywords");
        st = keywords ? wfi_xml_content(&r->g.x, &r->g.word, &at) : wfi_xml_skip(&r->g.x);
        if (!st && keywords && wfi_xml_holds(&r->g.word, WFI_GEXF_NAMES) && r->g.params.ids == WEFT_READ_IDS_AUTO)
            r->g.params.ids = WEFT_READ_IDS_STRING;
    }
    return st;
}

static weft_status read_document(reader *r) {
    bool found, seen = false, more = false;
    weft_status st = wfi_xml_root(&r->g.x, "gexf");
    const char *root = r->g.x.at;
    while (!st && !(st = wfi_xml_child(&r->g.x, 1, &found)) && found) {
        bool graph = wfi_xml_is(&r->g.x, "graph");
        if (graph && !seen)
            st = read_graph(r);
        else if (graph)
            st = wfi_xml_skip(&r->g.x);
        else if (wfi_xml_is(&r->g.x, "meta"))
            st = read_meta(r);
        else
            st = unexpected(r, "gexf");
        more |= graph && seen;
        seen |= graph;
    }
    if (!st) st = wfi_xml_next(&r->g.x); /* nothing but the end */
    if (!st && !seen) return FAIL(r, root, "expected a <graph> within <gexf>");
    if (!st && more)
        wfi_warn(r->g.x.origin.ctx, "%s: there is more than one graph; the first was read",
                 wfi_source_name(r->g.x.origin.source));
    return st;
}

static void tell(const reader *r) {
    weft_ctx *ctx = r->g.x.origin.ctx;
    const char *name = wfi_source_name(r->g.x.origin.source);
    if (r->timed)
        wfi_warn(ctx, "%s: times are passed over: every node and edge is read as if it were always there", name);
    if (r->nested) wfi_warn(ctx, "%s: nodes lie within nodes; they are read as if they were not nested", name);
    if (r->stray) wfi_warn(ctx, "%s: passed over: attributes that stand behind the nodes within their node", name);
    if (r->kinds)
        wfi_note(ctx, "%s: passed over: the kinds of the edges; those of different kinds are parallel edges", name);
    if (r->drawn) wfi_note(ctx, "%s: passed over: what Gephi draws by (viz): colours, sizes, places, shapes", name);
    wfi_attributes_tell(&r->g);
}

weft_status wfi_read_gexf(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    reader r = {.type = UNDIRECTED};
    if (params->weight_col && strcasecmp(params->weight_col, "weight")) r.weight_title = params->weight_col;
    weft_status st = wfi_xml_graph_open(&r.g, ctx, source, params);
    if (!st) st = wfi_cells_column(r.g.listing.cells, LABEL, strlen(LABEL), &r.labels); /* the first of the columns */
    if (!st) st = read_document(&r);
    if (!st && r.label_name)
        st = wfi_cells_drop_copy(r.g.listing.cells, r.label_name, r.label_name == BESIDE_LABEL ? LABEL : NULL);
    if (!st) give_ones(&r);
    if (!st) st = wfi_listing_build(&r.g.listing, "gexf", r.type == DIRECTED, out);
    if (!st) tell(&r);
    wfi_xml_graph_close(&r.g);
    return st;
}

int wfi_sniff_gexf(const char *head, size_t bytes) { return wfi_xml_begins(head, bytes, "gexf") ? 3 : 0; }
