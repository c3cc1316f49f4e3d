/* JSON documents: graphs in one of the shapes that programs write.  The first pass checks that the text is JSON and
 * locates the parts of the graph.  Their meaning is decided when all of them are known, since keys come in any order.
 */
#include "io/json/jsondoc.h"
#include "io/io.h"

#include <string.h>

enum { POLL_ITEMS = 4096 };

static const char shapes[] =
    "this JSON has no shape that Weft knows: {\"nodes\": [...], \"links\" or \"edges\": [...]} (NetworkX, d3, "
    "graphology), {\"elements\": ...} (Cytoscape.js), or a table of edges: [{\"source\": 1, \"target\": 2}, ...] or "
    "[[1, 2], ...]";

/* --- shared by the readers of the parts --------------------------------------------------- */

weft_status wfi_json_doc_id(wfi_json_doc *d, const wfi_json_value *v, const char *what, int room, wfi_json_name *name) {
    weft_status st = wfi_json_id(&d->j, v, what, &d->room[room], name);
    if (st) return st;
    d->forms |= (unsigned)name->form;
    bool both = (d->forms & WFI_JSON_BARE) && (d->forms & WFI_JSON_QUOTED);
    if (both && !d->any_form && d->params.ids == WEFT_READ_IDS_AUTO)
        return wfi_json_wrong(&d->j, wfi_json_place(v), WFI_JSON_TWO_FORMS);
    return WEFT_OK;
}

weft_status wfi_json_doc_edge(wfi_json_doc *d, const wfi_json_value *u, const wfi_json_value *v, const char *at) {
    wfi_json_name from, to;
    weft_status st = wfi_json_doc_id(d, u, "source", 0, &from);
    if (!st) st = wfi_json_doc_id(d, v, "target", 1, &to);
    if (st) return st;
    return wfi_listing_edge(&d->listing, (wfi_listed_end){from.text, from.length, wfi_json_place(u)},
                            (wfi_listed_end){to.text, to.length, wfi_json_place(v)}, at);
}

weft_status wfi_json_doc_weight(wfi_json_doc *d, const wfi_json_value *v) {
    weft_status st = wfi_json_check_weight(&d->j, v);
    return st ? st : wfi_listing_weight(&d->listing, v->at, (size_t)(v->end - v->at), v->at);
}

weft_status wfi_json_doc_value(wfi_json_doc *d, size_t field, const wfi_json_value *v) {
    wfi_cell_text cell;
    int type;
    weft_status st = wfi_json_cell(&d->j, v, &d->room[0], &cell, &type);
    return st || !cell.text ? st : wfi_listing_value(&d->listing, field, type, cell.text, cell.length);
}

weft_status wfi_json_doc_item(wfi_json_doc *d, bool *first, wfi_json_value *v) {
    if (++d->items % POLL_ITEMS == 0) {
        if (wfi_cancelled(d->ctx)) return wfi_fail_cancelled(d->ctx);
        wfi_progress(d->ctx, "reading", (uint64_t)(d->j.p - d->text), (uint64_t)(d->j.end - d->text));
    }
    return wfi_json_item(&d->j, first, v);
}

/* --- the shape -------------------------------------------------------------------------------- */

typedef enum member {
    NODES,
    LINKS,
    EDGES,
    ELEMENTS,
    ADJACENCY,
    DIRECTED,
    GRAPH,
    GRAPHS,
    OPTIONS,
    COLUMNS,
    DATA,
    SCHEMA,
    IDS,
    RENAMED,
    MEMBERS
} member;
static const char *const member_names[] = {"nodes",    "links",  "edges",      "elements",      "adjacency",
                                           "directed", "graph",  "graphs",     "options",       "columns",
                                           "data",     "schema", WFI_JSON_IDS, WFI_JSON_RENAMED};

/* The members of an object. */
typedef struct outline {
    wfi_json_value value[MEMBERS];
    size_t count, objects, arrays; /* members, and how many of them are which */
    size_t known;                  /* members whose name a column of edges may have */
} outline;

static weft_status outline_of(wfi_json_doc *d, const wfi_json_value *object, outline *o) {
    wfi_json_value key, v;
    bool first = true;
    weft_status st;
    *o = (outline){0};
    d->j.p = object->end;
    while (!(st = wfi_json_key(&d->j, &first, &key)) && key.kind) {
        st = wfi_json_next(&d->j, &v);
        if (!st) st = wfi_json_skip(&d->j, &v);
        if (st) return st;
        for (int i = 0; i < MEMBERS; i++) {
            if (!wfi_json_is(&key, member_names[i], strlen(member_names[i]))) continue;
            if (o->value[i].kind) return wfi_json_wrongf(&d->j, key.at - 1, "a second \"%s\"", member_names[i]);
            o->value[i] = v;
        }
        o->count++;
        o->objects += v.kind == WFI_JSON_OBJECT;
        o->arrays += v.kind == WFI_JSON_ARRAY;
        o->known += wfi_is_column_name(key.at, (size_t)(key.end - key.at));
    }
    return st;
}

static weft_status read_flag(wfi_json_doc *d, const wfi_json_value *v, wfi_json_places *p) {
    if (v->kind == WFI_JSON_NONE || v->kind == WFI_JSON_NULL) return WEFT_OK;
    if (v->kind != WFI_JSON_TRUE && v->kind != WFI_JSON_FALSE)
        return wfi_json_wrong(&d->j, wfi_json_place(v), "\"directed\" is true or false");
    p->says_direction = true;
    p->directed = v->kind == WFI_JSON_TRUE;
    return WEFT_OK;
}

/* graphology: {"type": "directed" | "undirected" | "mixed", ...}. */
static weft_status read_options(wfi_json_doc *d, const wfi_json_value *options, wfi_json_places *p) {
    wfi_json_value key, v;
    bool first = true;
    weft_status st = WEFT_OK;
    if (options->kind != WFI_JSON_OBJECT) return WEFT_OK;
    d->j.p = options->end;
    while (!(st = wfi_json_key(&d->j, &first, &key)) && key.kind) {
        st = wfi_json_next(&d->j, &v);
        if (!st) st = wfi_json_skip(&d->j, &v);
        if (st) return st;
        bool is_type = wfi_json_is(&key, "type", 4) && v.kind == WFI_JSON_STRING;
        if (!is_type || (!wfi_json_is(&v, "directed", 8) && !wfi_json_is(&v, "undirected", 10))) continue;
        p->says_direction = true;
        p->directed = wfi_json_is(&v, "directed", 8);
    }
    return st;
}

static weft_status read_node_link(wfi_json_doc *d, const outline *o, wfi_json_places *p) {
    const wfi_json_value *links = &o->value[LINKS], *edges = &o->value[EDGES], *nodes = &o->value[NODES];
    if (links->kind && edges->kind)
        return wfi_json_wrong(&d->j, links->at > edges->at ? links->at : edges->at,
                              "both \"links\" and \"edges\": which are the edges? (remove one of them)");
    p->links = links->kind ? *links : *edges;
    p->nodes = *nodes;
    if (p->links.kind != WFI_JSON_ARRAY)
        return wfi_json_wrongf(&d->j, p->links.at, "\"%s\" is %s, where an array was expected",
                               links->kind ? "links" : "edges", wfi_json_kind_name(p->links.kind));
    if (nodes->kind != WFI_JSON_NONE && nodes->kind != WFI_JSON_ARRAY && nodes->kind != WFI_JSON_OBJECT)
        return wfi_json_wrongf(&d->j, nodes->at, "\"nodes\" is %s, where an array was expected",
                               wfi_json_kind_name(nodes->kind));
    weft_status st = read_options(d, &o->value[OPTIONS], p);
    if (!st) st = read_flag(d, &o->value[DIRECTED], p);
    return st ? st : wfi_json_links_read(d, p);
}

static weft_status read_cytoscape(wfi_json_doc *d, const outline *o, wfi_json_places *p) {
    outline inside;
    weft_status st = read_flag(d, &o->value[DIRECTED], p);
    p->cytoscape = d->any_form = true; /* Cytoscape.js makes strings of all ids */
    p->elements = o->value[ELEMENTS];
    if (!st && p->elements.kind == WFI_JSON_OBJECT) {
        st = outline_of(d, &p->elements, &inside);
        p->nodes = inside.value[NODES];
        p->links = inside.value[EDGES];
        p->elements.kind = WFI_JSON_NONE;
        if (!st && ((p->nodes.kind && p->nodes.kind != WFI_JSON_ARRAY) ||
                    (p->links.kind && p->links.kind != WFI_JSON_ARRAY) || !(p->nodes.kind || p->links.kind)))
            st = wfi_json_wrong(&d->j, o->value[ELEMENTS].at, "\"elements\" has no arrays \"nodes\" and \"edges\"");
    } else if (!st && p->elements.kind != WFI_JSON_ARRAY) {
        st = wfi_json_wrong(&d->j, p->elements.at, "\"elements\" is neither an object nor an array");
    }
    return st ? st : wfi_json_links_read(d, p);
}

/* After the nodes. */
static weft_status rename_attributes(wfi_json_doc *d, const wfi_json_value *names) {
    wfi_json_value key, v;
    bool first = true;
    weft_status st = WEFT_OK;
    d->j.p = names->end;
    while (names->kind == WFI_JSON_OBJECT && !(st = wfi_json_key(&d->j, &first, &key)) && key.kind) {
        const char *from, *to;
        size_t length, to_length;
        st = wfi_json_next(&d->j, &v);
        if (!st && v.kind == WFI_JSON_STRING) {
            st = wfi_json_text(&d->j, &key, &d->room[0], &from, &length);
            if (!st) st = wfi_json_text(&d->j, &v, &d->room[1], &to, &to_length);
            if (!st) st = wfi_cells_rename(d->listing.cells, from, length, to, to_length);
        }
        if (!st) st = wfi_json_skip(&d->j, &v);
        if (st) return st;
    }
    return st;
}

static weft_status read_object(wfi_json_doc *d, const wfi_json_value *object, const outline *o, wfi_json_places *p) {
    const wfi_json_value *m = o->value;
    outline inside;
    bool names = m[IDS].kind == WFI_JSON_STRING && wfi_json_is(&m[IDS], "names", 5);
    if (names && d->params.ids == WEFT_READ_IDS_AUTO) d->params.ids = WEFT_READ_IDS_STRING;
    if (m[ADJACENCY].kind)
        return wfi_json_wrong(
            &d->j, m[ADJACENCY].at,
            "NetworkX's adjacency_data, which Weft does not read: write the graph with node_link_data");
    if (m[GRAPHS].kind)
        return wfi_json_wrong(&d->j, m[GRAPHS].at, "several graphs in one file: save the one that is wanted by itself");
    if (m[ELEMENTS].kind || m[LINKS].kind || m[EDGES].kind) {
        weft_status st = m[ELEMENTS].kind ? read_cytoscape(d, o, p) : read_node_link(d, o, p);
        return st ? st : rename_attributes(d, &m[RENAMED]);
    }
    if (m[COLUMNS].kind == WFI_JSON_ARRAY && m[DATA].kind == WFI_JSON_ARRAY)
        return wfi_json_table_read(d, &m[DATA], &m[COLUMNS]); /* pandas, orient="split" */
    if (m[SCHEMA].kind && m[DATA].kind == WFI_JSON_ARRAY)
        return wfi_json_table_read(d, &m[DATA], &(wfi_json_value){0}); /* orient="table" */
    if (o->known >= 2 && (o->objects == o->count || o->arrays == o->count)) return wfi_json_columns_read(d, object);
    if (m[GRAPH].kind == WFI_JSON_OBJECT && !m[NODES].kind) { /* JSON Graph Format */
        weft_status st = outline_of(d, &m[GRAPH], &inside);
        if (st) return st;
        if (inside.value[LINKS].kind || inside.value[EDGES].kind) return read_node_link(d, &inside, p);
    }
    if (m[NODES].kind)
        return wfi_json_wrong(&d->j, m[NODES].at,
                              "there are \"nodes\", but no \"links\" or \"edges\" (an empty array, if there are none)");
    if (o->count && o->objects == o->count) /* by rows: pandas, orient="index" */
        return wfi_json_wrong(
            &d->j, object->at,
            "an object of objects: if pandas wrote it, orient=\"records\" makes a table that Weft reads");
    return wfi_json_wrong(&d->j, object->at, shapes);
}

/* [{"data": {"id": "a"}}, ...]: the elements of Cytoscape.js by themselves. */
static weft_status begins_with_data(wfi_json_doc *d, const wfi_json_value *object, bool *yes) {
    outline o;
    weft_status st = outline_of(d, object, &o);
    *yes = !st && o.value[DATA].kind == WFI_JSON_OBJECT && o.known < 2;
    return st;
}

static weft_status read_array(wfi_json_doc *d, const wfi_json_value *array) {
    wfi_json_value v;
    bool first = true, elements = false;
    d->j.p = array->end;
    weft_status st = wfi_json_item(&d->j, &first, &v);
    if (!st && v.kind == WFI_JSON_OBJECT) st = begins_with_data(d, &v, &elements);
    if (st) return st;
    if (v.kind > WFI_JSON_ARRAY) return wfi_json_wrong(&d->j, array->at, shapes);
    if (!elements) return wfi_json_table_read(d, array, &(wfi_json_value){0});
    d->any_form = true;
    return wfi_json_links_read(d, &(wfi_json_places){.elements = *array, .cytoscape = true});
}

static weft_status read_document(wfi_json_doc *d, wfi_json_places *p) {
    wfi_json_value top;
    outline o;
    d->j.p = wfi_json_start(d->text, d->j.end);
    if (d->j.p == d->j.end) return wfi_json_wrong(&d->j, d->j.end, "the file is empty: expected a JSON document");
    weft_status st = wfi_json_next(&d->j, &top);
    if (!st && top.kind == WFI_JSON_OBJECT)
        st = outline_of(d, &top, &o);
    else if (!st)
        st = wfi_json_skip(&d->j, &top);
    if (!st) st = wfi_json_finish(&d->j);
    if (st) return st;
    if (top.kind == WFI_JSON_OBJECT) return read_object(d, &top, &o, p);
    return top.kind == WFI_JSON_ARRAY ? read_array(d, &top) : wfi_json_wrong(&d->j, wfi_json_place(&top), shapes);
}

/* --- the format ---------------------------------------------------------------------------------- */

weft_status wfi_read_json(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    wfi_json_doc d = {.ctx = ctx, .source = source, .params = *params};
    wfi_json_places places = {0};
    size_t bytes;
    weft_status st = wfi_source_whole(ctx, source, &d.text, &bytes);
    if (st) return st;
    d.j = (wfi_json){.ctx = ctx, .poll = wfi_json_poll, .p = d.text, .end = d.text + bytes, .start = d.text};
    st = wfi_listing_open(&d.listing, ctx, source, d.text, &d.params);
    if (!st) st = read_document(&d, &places);
    if (st == WEFT_EINPUT && d.j.why) wfi_fail_in_text(ctx, source, d.text, d.j.at, "%s", d.j.why);
    d.listing.direction_open = !places.says_direction;
    if (!st) st = wfi_listing_build(&d.listing, "json", !places.says_direction || places.directed, out);
    if (!st) {
        (*out)->columns = d.kept;
        d.kept = NULL;
    }
    wfi_listing_close(&d.listing);
    for (int i = 0; i < 2; i++) wfi_free(d.room[i].text);
    wfi_free(d.kept);
    return st;
}

/* Does the object that begins at p have a key that only a graph has, as far as it is there to be seen? */
static bool is_graph(const char *p, const char *end) {
    static const member telling[] = {NODES, LINKS, EDGES, ELEMENTS, ADJACENCY};
    wfi_json j = {.p = p + 1, .end = end};
    wfi_json_value key, v;
    bool first = true;
    while (!wfi_json_key(&j, &first, &key) && key.kind) {
        bool opens = !wfi_json_next(&j, &v) && v.kind <= WFI_JSON_ARRAY;
        for (size_t i = 0; opens && i < sizeof telling / sizeof *telling; i++)
            if (wfi_json_is(&key, member_names[telling[i]], strlen(member_names[telling[i]]))) return true;
        if (wfi_json_skip(&j, &v)) return false;
    }
    return false;
}

/* No line of an edge list begins as JSON does: {"..., [{... or [[... */
int wfi_sniff_json(const char *head, size_t bytes) {
    const char *end = head + bytes, *p = wfi_json_start(head, end);
    if (p == end || (*p != '{' && *p != '[')) return 0;
    const char *q = wfi_json_start(p + 1, end);
    bool fits = q < end && (*p == '{' ? *q == '"' || *q == '}' : *q == '{' || *q == '[' || *q == ']');
    if (!fits) return 0;
    if (wfi_is_json_lines(head, bytes)) return 1;
    return *p == '{' && is_graph(p, end) ? 3 : 2;
}
