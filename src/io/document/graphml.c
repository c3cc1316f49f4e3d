/* GraphML, reading: keys, then one graph of nodes and edges in any order, each with data for some keys.  Vertices are
 * the nodes, called by their ids; their data become attributes, of yEd's drawings the words of the first label.  The
 * weight of an edge is its data for the key whose attr.name is weight (else value), or that key's default.  Other data
 * is passed over, whatever is in it, and the note says what it was called.  Needs:
 * the whole text in memory; sequential, because XML has no places where it can be cut.
 * Refused: graphs within nodes, hyperedges, ports, content in other files.
 * [1] Brandes, Eiglsperger, Herman, Himsolt, Marshall, "GraphML Progress Report", GD 2001;
 *     http://graphml.graphdrawing.org */
#include "io/document/xml_graph.h"

#include <ctype.h>
#include <string.h>

typedef struct reader {
    wfi_xml_graph g;
    bool says_direction, directed; /* edgedefault */
} reader;

#define FAIL(r, place, ...) WFI_XML_FAIL(&(r)->g.x, (place), __VA_ARGS__)

static weft_status unexpected(reader *r, const char *parent) {
    const char *why = "";
    if (wfi_xml_is(&r->g.x, "graph")) why = " (graphs within nodes or edges are not read: ungroup the nodes)";
    if (wfi_xml_is(&r->g.x, "hyperedge")) why = " (edges of more than two ends are not read)";
    if (wfi_xml_is(&r->g.x, "port")) why = " (ports are not read: remove them)";
    if (wfi_xml_is(&r->g.x, "locator")) why = " (content in other files is not read)";
    if (wfi_xml_is(&r->g.x, "key")) why = " (keys are expected before the graph)";
    return wfi_xml_unexpected(&r->g, parent, why);
}

/* The attribute with the words of a drawing (yEd's). */
#define DRAWN "label"

/* --- keys ------------------------------------------------------------------------------------ */

static weft_status read_title(reader *r, wfi_attribute *key) {
    const char *place;
    weft_status st = wfi_xml_want(&r->g, "attr.name", &r->g.word, &place);
    bool drawing = wfi_xml_get(&r->g.x, "yfiles.type") != NULL;
    const wfi_xml_buffer *title = place || drawing ? &r->g.word : &r->g.id;
    if (!st && drawing && !place)
        st = wfi_attributes_title(&r->g, DRAWN, sizeof DRAWN - 1, &key->title);
    else if (!st)
        st = wfi_attributes_title(&r->g, title->text, title->used, &key->title);
    if (!st) st = wfi_xml_want(&r->g, "attr.type", &r->g.word, &place);
    if (st) return st;
    static const struct {
        const char *word;
        weft_attribute_type type;
    } types[] = {{"int", WEFT_ATTRIBUTE_WHOLE},  {"integer", WEFT_ATTRIBUTE_WHOLE}, {"long", WEFT_ATTRIBUTE_WHOLE},
                 {"float", WEFT_ATTRIBUTE_REAL}, {"double", WEFT_ATTRIBUTE_REAL},   {"boolean", WEFT_ATTRIBUTE_BOOL}};
    key->type = WEFT_ATTRIBUTE_TEXT;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (wfi_xml_holds(&r->g.word, types[i].word)) key->type = (int)types[i].type;
    key->numeric = key->type == WEFT_ATTRIBUTE_WHOLE || key->type == WEFT_ATTRIBUTE_REAL;
    key->drawing = drawing;
    return WEFT_OK;
}

static weft_status read_key(reader *r) {
    static const char *const scopes[WFI_SCOPES] = {"node", "edge", "graph"};
    wfi_attribute key = {.at = r->g.x.at, .fallback = WFI_NO_TEXT, .preset = WFI_NO_TEXT};
    size_t depth = r->g.x.depth;
    bool of[WFI_SCOPES], found;
    const char *place;
    weft_status st = wfi_xml_need(&r->g, "id", &r->g.id, &place);
    if (!st) st = read_title(r, &key);
    if (!st) st = wfi_xml_want(&r->g, "for", &r->g.word, &place);
    if (st) return st;
    for (int i = 0; i < WFI_SCOPES; i++)
        of[i] = !r->g.word.used || wfi_xml_holds(&r->g.word, "all") || wfi_xml_holds(&r->g.word, scopes[i]);
    while (!(st = wfi_xml_child(&r->g.x, depth, &found)) && found) {
        st = wfi_xml_is(&r->g.x, "default") ? wfi_xml_default(&r->g, &key) : wfi_xml_skip(&r->g.x);
        if (st) return st;
    }
    for (int i = 0; i < WFI_SCOPES && !st; i++)
        if (of[i]) st = wfi_attributes_declare(&r->g, r->g.id.text, r->g.id.used, (wfi_scope)i, &key);
    return st;
}

/* At <data>: the key it is for. */
static weft_status find_key(reader *r, wfi_scope scope, wfi_attribute **key) {
    const char *place;
    weft_status st = wfi_xml_need(&r->g, "key", &r->g.id, &place);
    return st ? st : wfi_attributes_use(&r->g, r->g.id.text, r->g.id.used, scope, key);
}

/* --- nodes and edges --------------------------------------------------------------------------- */

/* Within the data of a drawing: the words of its first label. */
static weft_status read_drawing(reader *r, const wfi_attribute *key) {
    size_t depth = r->g.x.depth;
    bool plain, seen = false;
    weft_status st = WEFT_OK;
    while (!st && !(st = wfi_xml_next(&r->g.x)) && r->g.x.depth >= depth) {
        if (seen || r->g.x.event != WFI_XML_START || !wfi_xml_is(&r->g.x, "NodeLabel")) continue;
        st = wfi_xml_words(&r->g.x, &r->g.word, &plain);
        const char *words = r->g.word.text;
        size_t length = r->g.word.used;
        while (length && isspace((unsigned char)*words)) words++, length--;
        while (length && isspace((unsigned char)words[length - 1])) length--;
        seen = length > 0;
        if (!st && seen) st = wfi_xml_node_value(&r->g, key, words, length);
    }
    return st;
}

/* At <data> of a node. */
static weft_status read_node_data(reader *r) {
    wfi_attribute *key;
    bool plain;
    weft_status st = find_key(r, WFI_OF_NODES, &key);
    if (st) return st;
    if (!key->at) return wfi_xml_skip(&r->g.x); /* not declared */
    if (key->drawing) return read_drawing(r, key);
    st = wfi_xml_words(&r->g.x, &r->g.word, &plain);
    if (st) return st;
    if (plain) return wfi_xml_node_value(&r->g, key, r->g.word.text, r->g.word.used);
    key->lost = true;
    return WEFT_OK;
}

static weft_status read_node(reader *r) {
    const char *at;
    size_t depth = r->g.x.depth;
    bool found;
    weft_status st = wfi_xml_need(&r->g, "id", &r->g.id, &at);
    if (!st) st = wfi_listing_vertex(&r->g.listing, r->g.id.text, r->g.id.used, at);
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found) {
        if (wfi_xml_is(&r->g.x, "data"))
            st = read_node_data(r);
        else
            st = wfi_xml_is(&r->g.x, "desc") ? wfi_xml_skip(&r->g.x) : unexpected(r, "node");
    }
    return st ? st : wfi_xml_node_presets(&r->g);
}

/* The direction of the edge, or else of the graph. */
static weft_status read_direction(reader *r, const char *at) {
    const char *place;
    bool directed = r->directed;
    weft_status st = wfi_xml_want(&r->g, "directed", &r->g.word, &place);
    if (st) return st;
    if (place) {
        directed = wfi_xml_holds(&r->g.word, "true") || wfi_xml_holds(&r->g.word, "1");
        if (!directed && !wfi_xml_holds(&r->g.word, "false") && !wfi_xml_holds(&r->g.word, "0"))
            return FAIL(r, place, "directed is true or false");
    } else if (!r->says_direction && r->g.params.direction == WEFT_AS_FILE) {
        return FAIL(
            r, at,
            "neither this edge (directed) nor the graph (edgedefault) tells the direction: `direction=directed` or "
            "`direction=undirected` does");
    }
    wfi_listing_direction(&r->g.listing, directed);
    return WEFT_OK;
}

static weft_status read_edge_data(reader *r, bool *weighted) {
    const char *at = r->g.x.at;
    wfi_attribute *key;
    size_t field;
    if (!wfi_wants_weights(&r->g) && !r->g.listing.fields) return wfi_xml_skip(&r->g.x);
    weft_status st = find_key(r, WFI_OF_EDGES, &key);
    if (st) return st;
    if (!key->at && !wfi_wants_weights(&r->g)) return wfi_xml_skip(&r->g.x);
    if (!key->at)
        return FAIL(r, at, "no key for edges has the id '%.*s' (`weights=ignore` reads without weights)",
                    r->g.id.used < 40 ? (int)r->g.id.used : 40, r->g.id.text);
    bool wanted = wfi_xml_wants_edge_value(&r->g, key, &field);
    if (!key->is_weight && !wanted) return wfi_xml_skip(&r->g.x);
    if (*weighted && key->is_weight)
        return FAIL(r, at, "a second weight for this edge (`weights=ignore` reads without weights)");
    *weighted |= key->is_weight;
    st = wfi_xml_content(&r->g.x, &r->g.word, &at);
    if (!st && wanted) st = wfi_xml_edge_value(&r->g, key, field, r->g.word.text, r->g.word.used);
    return st || !key->is_weight ? st : wfi_listing_weight(&r->g.listing, r->g.word.text, r->g.word.used, at);
}

static weft_status read_edge(reader *r) {
    const char *at = r->g.x.at;
    size_t depth = r->g.x.depth;
    bool found, weighted = false;
    if (wfi_xml_get(&r->g.x, "sourceport") || wfi_xml_get(&r->g.x, "targetport"))
        return FAIL(r, at, "an edge between ports (ports are not read: remove them)");
    weft_status st = wfi_xml_edge(&r->g);
    if (!st) st = read_direction(r, at);
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found) {
        if (wfi_xml_is(&r->g.x, "data"))
            st = read_edge_data(r, &weighted);
        else
            st = wfi_xml_is(&r->g.x, "desc") ? wfi_xml_skip(&r->g.x) : unexpected(r, "edge");
    }
    if (!st) st = wfi_xml_edge_presets(&r->g);
    return st || weighted ? st : wfi_xml_edge_default(&r->g, at);
}

/* --- the graph ----------------------------------------------------------------------------------- */

static weft_status read_graph_data(reader *r) {
    const char *at;
    size_t length;
    wfi_attribute *key;
    weft_status st = find_key(r, WFI_OF_GRAPH, &key);
    if (st) return st;
    const char *title = key->at ? wfi_attributes_text(&r->g, key->title, &length) : NULL;
    if (!title || length != strlen(WFI_GRAPHML_IDS) || memcmp(title, WFI_GRAPHML_IDS, length))
        return wfi_xml_skip(&r->g.x);
    st = wfi_xml_content(&r->g.x, &r->g.word, &at);
    if (!st && wfi_xml_holds(&r->g.word, "names") && r->g.params.ids == WEFT_READ_IDS_AUTO)
        r->g.params.ids = WEFT_READ_IDS_STRING;
    return st;
}

static weft_status read_edgedefault(reader *r) {
    const char *place;
    weft_status st = wfi_xml_want(&r->g, "edgedefault", &r->g.word, &place);
    if (st) return st;
    r->says_direction = place != NULL;
    r->directed = wfi_xml_holds(&r->g.word, "directed");
    if (place && !r->directed && !wfi_xml_holds(&r->g.word, "undirected"))
        return FAIL(r, place, "edgedefault is directed or undirected");
    return WEFT_OK;
}

static weft_status read_graph(reader *r) {
    size_t depth = r->g.x.depth;
    bool found;
    weft_status st = read_edgedefault(r);
    if (!st && wfi_wants_weights(&r->g)) st = wfi_attributes_choose(&r->g, r->g.params.weight_col, true);
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found) {
        if (wfi_xml_is(&r->g.x, "node"))
            st = read_node(r);
        else if (wfi_xml_is(&r->g.x, "edge"))
            st = read_edge(r);
        else if (wfi_xml_is(&r->g.x, "data"))
            st = read_graph_data(r);
        else
            st = wfi_xml_is(&r->g.x, "desc") ? wfi_xml_skip(&r->g.x) : unexpected(r, "graph");
    }
    return st;
}

static weft_status read_document(reader *r) {
    size_t depth = 1;
    bool found, seen = false, warned = false;
    weft_status st = wfi_xml_root(&r->g.x, "graphml");
    const char *root = r->g.x.at;
    while (!st && !(st = wfi_xml_child(&r->g.x, depth, &found)) && found) {
        bool graph = wfi_xml_is(&r->g.x, "graph");
        if (graph && !seen)
            st = read_graph(r);
        else if (wfi_xml_is(&r->g.x, "key") && !seen)
            st = read_key(r);
        else if (graph || wfi_xml_is(&r->g.x, "key") || wfi_xml_is(&r->g.x, "data") || wfi_xml_is(&r->g.x, "desc"))
            st = wfi_xml_skip(&r->g.x);
        else
            st = unexpected(r, "graphml");
        if (graph && seen && !warned)
            wfi_warn(r->g.x.origin.ctx, "%s: there is more than one graph; the first was read",
                     wfi_source_name(r->g.x.origin.source));
        warned |= graph && seen;
        seen |= graph;
    }
    if (!st) st = wfi_xml_next(&r->g.x); /* nothing but the end */
    if (!st && !seen) return FAIL(r, root, "expected a <graph> within <graphml>");
    return st;
}

weft_status wfi_read_graphml(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    reader r = {0};
    weft_status st = wfi_xml_graph_open(&r.g, ctx, source, params);
    if (!st) st = read_document(&r);
    if (!st) st = wfi_listing_build(&r.g.listing, "graphml", r.directed, out);
    if (!st) wfi_attributes_tell(&r.g);
    wfi_xml_graph_close(&r.g);
    return st;
}

int wfi_sniff_graphml(const char *head, size_t bytes) { return wfi_xml_begins(head, bytes, "graphml") ? 3 : 0; }
