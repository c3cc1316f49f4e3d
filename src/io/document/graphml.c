/* GraphML, reading: keys, then one graph of nodes and edges in any order, each with data for some keys.  Vertices are
 * the nodes, called by their ids; the weight of an edge is its data for the key whose attr.name is weight (else value),
 * or that key's default.  Other data is passed over, whatever is in it, and the note says what it was called.  Needs:
 * the whole text in memory; sequential, because XML has no places where it can be cut.
 * Refused: graphs within nodes, hyperedges, ports, content in other files.
 * [1] Brandes, Eiglsperger, Herman, Himsolt, Marshall, "GraphML Progress Report", GD 2001;
 *     http://graphml.graphdrawing.org */
#include "io/document/attributes.h"
#include "io/document/listing.h"
#include "io/document/xml.h"

#include <string.h>

typedef struct reader {
    wfi_xml x;
    wfi_listing listing;
    wfi_attributes keys;
    weft_read_params params;
    wfi_xml_buffer id, source, target, word;
    bool says_direction, directed; /* edgedefault */
} reader;

#define FAIL(r, place, ...) WFI_XML_FAIL(&(r)->x, (place), __VA_ARGS__)

static bool wants_weights(const reader *r) { return r->params.weights != WEFT_WEIGHTS_IGNORE; }

static bool holds(const wfi_xml_buffer *b, const char *word) {
    return b->used == strlen(word) && !memcmp(b->text, word, b->used);
}

/* The value of an attribute that the element at `at` must have. */
static weft_status need(reader *r, const char *name, wfi_xml_buffer *to, const char **place) {
    const wfi_xml_attribute *a = wfi_xml_get(&r->x, name);
    if (!a) return FAIL(r, r->x.at, "<%.*s> without %s", (int)r->x.name.length, r->x.name.at, name);
    *place = a->value.at;
    return wfi_xml_value(&r->x, a, to);
}

/* The same for one that may be missing: empty then. */
static weft_status want(reader *r, const char *name, wfi_xml_buffer *to, const char **place) {
    const wfi_xml_attribute *a = wfi_xml_get(&r->x, name);
    *place = a ? a->value.at : NULL;
    return a ? wfi_xml_value(&r->x, a, to)
             : wfi_xml_decode(&r->x.origin, r->x.at, 0, WFI_XML_VALUE, (to->used = 0, to));
}

static weft_status unexpected(reader *r, const char *parent) {
    const char *why = "";
    if (wfi_xml_is(&r->x, "graph")) why = " (graphs within nodes or edges are not read: ungroup the nodes)";
    if (wfi_xml_is(&r->x, "hyperedge")) why = " (edges of more than two ends are not read)";
    if (wfi_xml_is(&r->x, "port")) why = " (ports are not read: remove them)";
    if (wfi_xml_is(&r->x, "locator")) why = " (content in other files is not read)";
    if (wfi_xml_is(&r->x, "key")) why = " (keys are expected before the graph)";
    int length = r->x.name.length < 40 ? (int)r->x.name.length : 40;
    return FAIL(r, r->x.at, "<%.*s> is not expected within <%s>%s", length, r->x.name.at, parent, why);
}

/* --- keys ------------------------------------------------------------------------------------ */

static weft_status read_default(reader *r, wfi_attribute *key) {
    const char *at;
    if (!key->numeric) return wfi_xml_skip(&r->x); /* of others it may be anything, such as drawings */
    weft_status st = wfi_xml_content(&r->x, &r->word, &at);
    return st ? st : wfi_attributes_title(&r->keys, r->word.text, r->word.used, &key->fallback);
}

static weft_status read_title(reader *r, wfi_attribute *key) {
    const char *place;
    weft_status st = want(r, "attr.name", &r->word, &place);
    bool drawing = wfi_xml_get(&r->x, "yfiles.type") != NULL;
    const wfi_xml_buffer *title = place || drawing ? &r->word : &r->id;
    if (!st) st = wfi_attributes_title(&r->keys, title->text, title->used, &key->title);
    if (!st) st = want(r, "attr.type", &r->word, &place);
    if (st) return st;
    static const char *const numbers[] = {"int", "integer", "long", "float", "double"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) key->numeric |= holds(&r->word, numbers[i]);
    return WEFT_OK;
}

static weft_status read_key(reader *r) {
    static const char *const scopes[WFI_SCOPES] = {"node", "edge", "graph"};
    wfi_attribute key = {.at = r->x.at, .fallback = WFI_NO_TEXT};
    size_t depth = r->x.depth;
    bool of[WFI_SCOPES], found;
    const char *place;
    weft_status st = need(r, "id", &r->id, &place);
    if (!st) st = read_title(r, &key);
    if (!st) st = want(r, "for", &r->word, &place);
    if (st) return st;
    for (int i = 0; i < WFI_SCOPES; i++) of[i] = !r->word.used || holds(&r->word, "all") || holds(&r->word, scopes[i]);
    while (!(st = wfi_xml_child(&r->x, depth, &found)) && found) {
        st = wfi_xml_is(&r->x, "default") ? read_default(r, &key) : wfi_xml_skip(&r->x);
        if (st) return st;
    }
    for (int i = 0; i < WFI_SCOPES && !st; i++)
        if (of[i]) st = wfi_attributes_declare(&r->keys, r->id.text, r->id.used, (wfi_scope)i, &key);
    return st;
}

/* At <data>: the key it is for. */
static weft_status find_key(reader *r, wfi_scope scope, wfi_attribute **key) {
    const char *place;
    weft_status st = need(r, "key", &r->id, &place);
    return st ? st : wfi_attributes_use(&r->keys, r->id.text, r->id.used, scope, key);
}

/* --- nodes and edges --------------------------------------------------------------------------- */

static weft_status read_node(reader *r) {
    const char *at;
    size_t depth = r->x.depth;
    bool found;
    wfi_attribute *key;
    weft_status st = need(r, "id", &r->id, &at);
    if (!st) st = wfi_listing_vertex(&r->listing, r->id.text, r->id.used, at);
    while (!st && !(st = wfi_xml_child(&r->x, depth, &found)) && found) {
        if (wfi_xml_is(&r->x, "data"))
            st = find_key(r, WFI_OF_NODES, &key);
        else if (!wfi_xml_is(&r->x, "desc"))
            st = unexpected(r, "node");
        if (!st) st = wfi_xml_skip(&r->x);
    }
    return st;
}

/* What the edge says of its direction, or else the graph. */
static weft_status read_direction(reader *r, const char *at) {
    const char *place;
    bool directed = r->directed;
    weft_status st = want(r, "directed", &r->word, &place);
    if (st) return st;
    if (place) {
        directed = holds(&r->word, "true") || holds(&r->word, "1");
        if (!directed && !holds(&r->word, "false") && !holds(&r->word, "0"))
            return FAIL(r, place, "directed is true or false");
    } else if (!r->says_direction && r->params.direction == WEFT_AS_FILE) {
        return FAIL(
            r, at,
            "neither this edge (directed) nor the graph (edgedefault) tells the direction: `direction=directed` or "
            "`direction=undirected` does");
    }
    wfi_listing_direction(&r->listing, directed);
    return WEFT_OK;
}

static weft_status read_edge_data(reader *r, bool *weighted) {
    const char *at = r->x.at;
    wfi_attribute *key;
    if (!wants_weights(r)) return wfi_xml_skip(&r->x);
    weft_status st = find_key(r, WFI_OF_EDGES, &key);
    if (st) return st;
    if (!key->at)
        return FAIL(r, at, "no key for edges has the id '%.*s' (`weights=ignore` reads without weights)",
                    r->id.used < 40 ? (int)r->id.used : 40, r->id.text);
    if (!key->is_weight) return wfi_xml_skip(&r->x);
    if (*weighted) return FAIL(r, at, "a second weight for this edge (`weights=ignore` reads without weights)");
    *weighted = true;
    st = wfi_xml_content(&r->x, &r->word, &at);
    return st ? st : wfi_listing_weight(&r->listing, r->word.text, r->word.used, at);
}

static weft_status read_edge(reader *r) {
    const char *at = r->x.at, *source_at, *target_at;
    size_t depth = r->x.depth;
    bool found, weighted = false;
    if (wfi_xml_get(&r->x, "sourceport") || wfi_xml_get(&r->x, "targetport"))
        return FAIL(r, at, "an edge between ports (ports are not read: remove them)");
    weft_status st = need(r, "source", &r->source, &source_at);
    if (!st) st = need(r, "target", &r->target, &target_at);
    if (!st)
        st = wfi_listing_edge(&r->listing, (wfi_listed_end){r->source.text, r->source.used, source_at},
                              (wfi_listed_end){r->target.text, r->target.used, target_at}, at);
    if (!st) st = read_direction(r, at);
    while (!st && !(st = wfi_xml_child(&r->x, depth, &found)) && found) {
        if (wfi_xml_is(&r->x, "data"))
            st = read_edge_data(r, &weighted);
        else
            st = wfi_xml_is(&r->x, "desc") ? wfi_xml_skip(&r->x) : unexpected(r, "edge");
    }
    if (st || weighted || r->keys.fallback == WFI_NO_TEXT) return st;
    size_t length;
    const char *number = wfi_attributes_text(&r->keys, r->keys.fallback, &length);
    return wfi_listing_weight(&r->listing, number, length, at);
}

/* --- the graph ----------------------------------------------------------------------------------- */

static weft_status read_graph_data(reader *r) {
    const char *at;
    size_t length;
    wfi_attribute *key;
    weft_status st = find_key(r, WFI_OF_GRAPH, &key);
    if (st) return st;
    const char *title = key->at ? wfi_attributes_text(&r->keys, key->title, &length) : NULL;
    if (!title || length != strlen(WFI_GRAPHML_IDS) || memcmp(title, WFI_GRAPHML_IDS, length))
        return wfi_xml_skip(&r->x);
    st = wfi_xml_content(&r->x, &r->word, &at);
    if (!st && holds(&r->word, "names") && r->params.ids == WEFT_READ_IDS_AUTO) r->params.ids = WEFT_READ_IDS_STRING;
    return st;
}

static weft_status read_edgedefault(reader *r) {
    const char *place;
    weft_status st = want(r, "edgedefault", &r->word, &place);
    if (st) return st;
    r->says_direction = place != NULL;
    r->directed = holds(&r->word, "directed");
    if (place && !r->directed && !holds(&r->word, "undirected"))
        return FAIL(r, place, "edgedefault is directed or undirected");
    return WEFT_OK;
}

static weft_status read_graph(reader *r) {
    size_t depth = r->x.depth;
    bool found;
    weft_status st = read_edgedefault(r);
    if (!st && wants_weights(r)) st = wfi_attributes_choose(&r->keys, r->params.weight_col, true);
    while (!st && !(st = wfi_xml_child(&r->x, depth, &found)) && found) {
        if (wfi_xml_is(&r->x, "node"))
            st = read_node(r);
        else if (wfi_xml_is(&r->x, "edge"))
            st = read_edge(r);
        else if (wfi_xml_is(&r->x, "data"))
            st = read_graph_data(r);
        else
            st = wfi_xml_is(&r->x, "desc") ? wfi_xml_skip(&r->x) : unexpected(r, "graph");
    }
    return st;
}

static weft_status read_document(reader *r) {
    size_t depth = 1;
    bool found, seen = false, warned = false;
    weft_status st = wfi_xml_root(&r->x, "graphml");
    const char *root = r->x.at;
    while (!st && !(st = wfi_xml_child(&r->x, depth, &found)) && found) {
        bool graph = wfi_xml_is(&r->x, "graph");
        if (graph && !seen)
            st = read_graph(r);
        else if (wfi_xml_is(&r->x, "key") && !seen)
            st = read_key(r);
        else if (graph || wfi_xml_is(&r->x, "key") || wfi_xml_is(&r->x, "data") || wfi_xml_is(&r->x, "desc"))
            st = wfi_xml_skip(&r->x);
        else
            st = unexpected(r, "graphml");
        if (graph && seen && !warned)
            wfi_warn(r->x.origin.ctx, "%s: there is more than one graph; the first was read",
                     wfi_source_name(r->x.origin.source));
        warned |= graph && seen;
        seen |= graph;
    }
    if (!st) st = wfi_xml_next(&r->x); /* nothing but the end */
    if (!st && !seen) return FAIL(r, root, "expected a <graph> within <graphml>");
    return st;
}

weft_status wfi_read_graphml(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    reader r = {.params = *params};
    weft_status st = wfi_xml_open(&r.x, ctx, source);
    if (!st) st = wfi_listing_open(&r.listing, ctx, source, r.x.origin.text, &r.params);
    if (!st) st = wfi_attributes_open(&r.keys, ctx, source, r.x.origin.text);
    if (!st) st = read_document(&r);
    if (!st) st = wfi_listing_build(&r.listing, "graphml", r.directed, out);
    if (!st) wfi_attributes_tell(&r.keys);
    wfi_attributes_close(&r.keys);
    wfi_listing_close(&r.listing);
    wfi_xml_close(&r.x);
    wfi_free(r.id.text);
    wfi_free(r.source.text);
    wfi_free(r.target.text);
    wfi_free(r.word.text);
    return st;
}

int wfi_sniff_graphml(const char *head, size_t bytes) { return wfi_xml_begins(head, bytes, "graphml") ? 3 : 0; }
