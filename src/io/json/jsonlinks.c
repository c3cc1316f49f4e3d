/* Nodes and links of a JSON document: NetworkX, d3, sigma and graphology, Cytoscape.js, JSON Graph Format, vis.js.
 * Method: one pass over all of them finds out what they have in common (which key names a node, whether links hold ids
 * or places, which key is the weight); then nodes are declared and links added.  What differs from one to the next is
 * refused. */
#include "io/json/jsondoc.h"

#include <string.h>

typedef enum key { ID, KEY, NAME, SOURCE, TARGET, FROM, TO, WEIGHT, VALUE, DIRECTED, UNDIRECTED, GROUP, KEYS } key;

/* A node or a link: its members, and those of the object in it that holds its attributes. */
typedef struct thing {
    const char *at;
    wfi_json_value object; /* with its attributes; kind NONE: it is no object */
    wfi_json_value own[KEYS], inner[KEYS];
    bool more; /* it has other members */
} thing;

typedef struct reader {
    wfi_json_doc *d;
    const wfi_json_places *places;
    const char *words[KEYS];
    size_t lengths[KEYS];

    /* found out in the first pass */
    uint64_t nodes, with[KEYS];       /* nodes, and how many of them have an id, a key, a name */
    const char *without[KEYS];        /* the first that has none */
    unsigned forms[KEYS];             /* wfi_json_form of these */
    uint64_t links, weights, values;  /* links, and how many have a weight, a value */
    uint64_t bare_ends, values_wrong; /* ends that are bare numbers; values that are no numbers */
    uint64_t speaking;                /* links that tell their direction */
    const char *silent;               /* the first that does not */
    wfi_json_value other_end;         /* the first end that is no bare number */

    key id;        /* what names a node: ID, KEY or NAME; KEYS: its place does */
    key weight;    /* WEIGHT or VALUE; KEYS: there are no weights */
    bool by_place; /* links hold places of nodes, from 0 */

    wfi_text_room title, text; /* of an attribute, its escapes undone */
    const char **owner;        /* by column: where the object begins that had its last value */
    size_t owner_room;
} reader;

/* --- things ---------------------------------------------------------------------------------- */

static void choose_words(reader *r) {
    const weft_read_params *p = &r->d->params;
    const char *const words[KEYS] = {"id", "key",    "name",  "source",   "target",     "from",
                                     "to", "weight", "value", "directed", "undirected", "group"};
    for (int i = 0; i < KEYS; i++) r->words[i] = words[i];
    if (p->source_col) r->words[SOURCE] = p->source_col;
    if (p->target_col) r->words[TARGET] = p->target_col;
    if (p->weight_col) r->words[WEIGHT] = p->weight_col;
    for (int i = 0; i < KEYS; i++) r->lengths[i] = strlen(r->words[i]);
}

/* Does this member hold the attributes? */
static bool is_inner(const reader *r, const wfi_json_value *word) {
    if (r->places->cytoscape) return wfi_json_is(word, "data", 4);
    return wfi_json_is(word, "attributes", 10) || wfi_json_is(word, "metadata", 8);
}

static weft_status remember(reader *r, wfi_json_value members[KEYS], const wfi_json_value *word,
                            const wfi_json_value *v, bool *more) {
    bool known = false;
    for (int i = 0; i < KEYS; i++) {
        if (!wfi_json_is(word, r->words[i], r->lengths[i])) continue;
        if (members[i].kind) return wfi_json_wrongf(&r->d->j, word->at - 1, "a second \"%.40s\"", r->words[i]);
        members[i] = *v;
        known |= i != NAME;
    }
    *more |= !known;
    return WEFT_OK;
}

/* The members of an object that is open, and into `inner`, if that is not NULL, those of the one that holds the
 * attributes. */
static weft_status take_members(reader *r, wfi_json_value members[KEYS], wfi_json_value *inner, bool *more) {
    wfi_json *j = &r->d->j;
    wfi_json_value word, v;
    bool first = true;
    weft_status st;
    while (!(st = wfi_json_key(j, &first, &word)) && word.kind) {
        st = wfi_json_next(j, &v);
        bool deeper = !st && inner && v.kind == WFI_JSON_OBJECT && is_inner(r, &word);
        if (!st && !deeper) st = remember(r, members, &word, &v, more);
        if (!st) st = deeper ? take_members(r, inner, NULL, more) : wfi_json_skip(j, &v);
        if (st) return st;
    }
    return st;
}

/* A link as [1, 2] or [1, 2, weight]. */
static weft_status take_array(reader *r, thing *t) {
    static const key places[] = {SOURCE, TARGET, WEIGHT};
    wfi_json *j = &r->d->j;
    wfi_json_value v;
    bool first = true;
    weft_status st;
    for (int i = 0; !(st = wfi_json_item(j, &first, &v)) && v.kind; i++) {
        if (i == 3)
            return wfi_json_wrong(j, v.at, "an edge as an array has two ends and perhaps a weight, and no more");
        t->own[places[i]] = v;
        st = wfi_json_skip(j, &v);
        if (st) return st;
    }
    return st;
}

static weft_status take_thing(reader *r, const wfi_json_value *v, bool link, thing *t) {
    memset(t, 0, sizeof *t);
    t->at = v->at;
    if (v->kind == WFI_JSON_OBJECT) t->object = *v;
    if (v->kind == WFI_JSON_OBJECT) return take_members(r, t->own, t->inner, &t->more);
    if (v->kind == WFI_JSON_ARRAY && link) return take_array(r, t);
    if (link)
        return wfi_json_wrongf(&r->d->j, wfi_json_place(v), "an edge is %s, where an object was expected",
                               wfi_json_kind_name(v->kind));
    if (v->kind == WFI_JSON_STRING || v->kind == WFI_JSON_NUMBER) { /* "nodes": [1, 2, 3] */
        t->own[ID] = *v;
        return WEFT_OK;
    }
    return wfi_json_wrongf(&r->d->j, v->at, "a node is %s, where an object, a number or a string was expected",
                           wfi_json_kind_name(v->kind));
}

static const wfi_json_value *member_of(const reader *r, const thing *t, key k) {
    return r->places->cytoscape ? &t->inner[k] : &t->own[k];
}

/* A weight may be among the attributes. */
static const wfi_json_value *weight_of(const thing *t, key k) { return t->own[k].kind ? &t->own[k] : &t->inner[k]; }

static const wfi_json_value *end_of(const reader *r, const thing *t, key k) {
    const wfi_json_value *end = member_of(r, t, k);
    return end->kind ? end : member_of(r, t, k == SOURCE ? FROM : TO); /* vis.js */
}

static bool is_link(const reader *r, const thing *t) {
    const wfi_json_value *group = &t->own[GROUP];
    if (group->kind == WFI_JSON_STRING) return wfi_json_is(group, "edges", 5);
    return member_of(r, t, SOURCE)->kind && member_of(r, t, TARGET)->kind;
}

/* --- going over them ---------------------------------------------------------------------------- */

typedef weft_status (*visit_fn)(reader *r, const thing *t);

static weft_status each_of(reader *r, const wfi_json_value *array, bool links, bool mixed, visit_fn visit) {
    wfi_json_doc *d = r->d;
    wfi_json_value v;
    bool first = true;
    thing t;
    weft_status st;
    d->j.p = array->end;
    while (!(st = wfi_json_doc_item(d, &first, &v)) && v.kind) {
        st = take_thing(r, &v, links, &t);
        if (!st && (!mixed || is_link(r, &t) == links)) st = visit(r, &t);
        if (st) return st;
    }
    return st;
}

/* "nodes": {"a": {...}, "b": {...}}. */
static weft_status each_key(reader *r, const wfi_json_value *object, visit_fn visit) {
    wfi_json_doc *d = r->d;
    bool first = true;
    thing t = {0};
    wfi_json_value v;
    weft_status st;
    d->j.p = object->end;
    while (!(st = wfi_json_key(&d->j, &first, &t.own[ID])) && t.own[ID].kind) {
        t.at = t.own[ID].at;
        st = wfi_json_next(&d->j, &v);
        t.object = v.kind == WFI_JSON_OBJECT ? v : (wfi_json_value){0};
        if (!st) st = wfi_json_skip(&d->j, &v);
        if (!st) st = visit(r, &t);
        if (st) return st;
    }
    return st;
}

static weft_status each_node(reader *r, visit_fn visit) {
    const wfi_json_places *p = r->places;
    if (p->elements.kind) return each_of(r, &p->elements, false, true, visit);
    if (p->nodes.kind == WFI_JSON_OBJECT) return each_key(r, &p->nodes, visit);
    return p->nodes.kind ? each_of(r, &p->nodes, false, false, visit) : WEFT_OK;
}

static weft_status each_link(reader *r, visit_fn visit) {
    const wfi_json_places *p = r->places;
    if (p->elements.kind) return each_of(r, &p->elements, true, true, visit);
    return p->links.kind ? each_of(r, &p->links, true, false, visit) : WEFT_OK;
}

/* --- members of links ---------------------------------------------------------------------------- */

/* The characters of a string; *length is SIZE_MAX if it cannot be a text (half a surrogate pair, U+0000). */
static weft_status plain_text(reader *r, const wfi_json_value *v, wfi_text_room *room, size_t *length) {
    wfi_json *j = &r->d->j;
    size_t most = (size_t)(v->end - v->at);
    if (WFI_ROOM(r->d->ctx, room->text, most, room->bytes, 64)) return WEFT_ENOMEM;
    weft_status st = wfi_json_check(j, v);
    if (!st) st = wfi_json_unescape(j, v, room->text, length);
    if (st != WEFT_EINPUT) return st;
    j->why = NULL;
    *length = SIZE_MAX;
    return WEFT_OK;
}

/* The key that stands at `word` gives a value to column i.  Of two in one object the second is refused; else another
 * object has the first. */
static weft_status own_value(reader *r, size_t i, bool taken, const wfi_json_value *object,
                             const wfi_json_value *word) {
    int length = word->end - word->at < 40 ? (int)(word->end - word->at) : 40;
    if (taken && r->owner[i] == object->at)
        return wfi_json_wrongf(&r->d->j, word->at - 1, "a second \"%.*s\"", length, word->at);
    if (taken) return WEFT_OK;
    if (WFI_ROOM(r->d->ctx, r->owner, i, r->owner_room, 16)) return WEFT_ENOMEM;
    r->owner[i] = object->at;
    return WEFT_OK;
}

/* A member of a link: a column that is wanted, or something that is passed over. */
static weft_status take_link_member(reader *r, bool wanted, const wfi_json_value *object, const wfi_json_value *word,
                                    const wfi_json_value *v) {
    size_t length;
    for (int i = 0; i < KEYS && !wanted; i++)
        if (i != NAME && wfi_json_is(word, r->words[i], r->lengths[i])) return WEFT_OK;
    weft_status st = plain_text(r, word, &r->title, &length);
    if (st || length == SIZE_MAX) return st;
    size_t field = wfi_listing_field(&r->d->listing, r->title.text, length);
    if (field == SIZE_MAX && !wanted)
        return wfi_cells_lose(r->d->listing.cells, WFI_LOST_OF_EDGES, r->title.text, length);
    if (!wanted || field == SIZE_MAX) return WEFT_OK;
    st = own_value(r, field, wfi_listing_has_value(&r->d->listing, field), object, word);
    return st ? st : wfi_json_doc_value(r->d, field, v);
}

static weft_status each_link_member(reader *r, const wfi_json_value *object, bool inner, bool wanted) {
    wfi_json *j = &r->d->j;
    wfi_json_value word, v;
    bool first = true;
    weft_status st;
    j->p = object->end;
    while (!(st = wfi_json_key(j, &first, &word)) && word.kind) {
        st = wfi_json_next(j, &v);
        if (st) return st;
        if (!inner && v.kind == WFI_JSON_OBJECT && is_inner(r, &word)) {
            st = each_link_member(r, &v, true, wanted);
        } else {
            st = take_link_member(r, wanted, object, &word, &v);
            if (!st) st = wfi_json_skip(j, &v);
        }
        if (st) return st;
    }
    return st;
}

/* wanted: takes the columns of the last edge; otherwise lists the members that are passed over. */
static weft_status take_link_members(reader *r, const thing *t, bool wanted) {
    const char *p = r->d->j.p;
    weft_status st = t->object.kind ? each_link_member(r, &t->object, false, wanted) : WEFT_OK;
    r->d->j.p = p;
    return st;
}

/* --- the first pass ------------------------------------------------------------------------------ */

static weft_status look_at_node(reader *r, const thing *t) {
    static const key names[] = {ID, KEY, NAME};
    r->nodes++;
    for (int i = 0; i < 3; i++) {
        key k = names[i];
        const wfi_json_value *v = member_of(r, t, k);
        wfi_json_name name;
        r->with[k] += v->kind != WFI_JSON_NONE;
        if (!v->kind && !r->without[k]) r->without[k] = t->at;
        /* A fault does not matter here: this member may not be used. */
        if (v->kind == WFI_JSON_STRING || v->kind == WFI_JSON_NUMBER) {
            weft_status st = wfi_json_id(&r->d->j, v, "id", &r->d->room[0], &name);
            if (!st) r->forms[k] |= (unsigned)name.form;
            if (st && st != WEFT_EINPUT) return st;
            r->d->j.why = NULL;
        }
    }
    return WEFT_OK;
}

static weft_status look_at_link(reader *r, const thing *t) {
    const wfi_json_value *value = weight_of(t, VALUE);
    r->links++;
    for (key k = SOURCE; k <= TARGET; k++) {
        const wfi_json_value *end = end_of(r, t, k);
        if (!end->kind) return wfi_json_wrongf(&r->d->j, t->at, "an edge without a %.40s", r->words[k]);
        if (end->kind == WFI_JSON_NUMBER)
            r->bare_ends++;
        else if (!r->other_end.kind)
            r->other_end = *end;
    }
    r->weights += weight_of(t, WEIGHT)->kind != WFI_JSON_NONE;
    r->values += value->kind != WFI_JSON_NONE;
    r->values_wrong += value->kind != WFI_JSON_NONE && value->kind != WFI_JSON_NUMBER;
    if (t->own[DIRECTED].kind || t->own[UNDIRECTED].kind)
        r->speaking++;
    else if (!r->silent)
        r->silent = t->at;
    return t->more ? take_link_members(r, t, false) : WEFT_OK;
}

/* --- decisions --------------------------------------------------------------------- */

static weft_status decide_id(reader *r) {
    wfi_json *j = &r->d->j;
    static const key names[] = {ID, KEY, NAME};
    r->id = KEYS;
    for (int i = 0; i < 3 && r->id == KEYS; i++)
        if (r->with[names[i]]) r->id = names[i];
    if (r->id != KEYS && r->with[r->id] < r->nodes)
        return wfi_json_wrongf(j, r->without[r->id], "this node has no \"%s\", though others have", r->words[r->id]);
    if (!r->nodes) return WEFT_OK;
    bool all_bare = r->links && r->bare_ends == 2 * r->links;
    bool numbers = r->id != KEYS && r->forms[r->id] & (WFI_JSON_BARE | WFI_JSON_QUOTED);
    if (r->id == KEYS && r->places->cytoscape)
        return wfi_json_wrong(j, r->without[ID], "an element without an \"id\" in its \"data\"");
    if (r->id == KEYS && r->links && !all_bare)
        return wfi_json_wrong(
            j, wfi_json_place(&r->other_end),
            "the nodes have no \"id\", \"key\" or \"name\": links can only hold their places, whole numbers from 0");
    if (r->id == NAME && all_bare && numbers)
        return wfi_json_wrong(
            j, r->places->nodes.at,
            "the nodes have no \"id\", and a \"name\" that is a number: do the links hold names, or places from 0? "
            "(call the names \"id\", or give the nodes one)");
    r->by_place =
        r->id == KEYS || (all_bare && !numbers && !r->places->cytoscape && r->places->nodes.kind == WFI_JSON_ARRAY);
    if (r->by_place && r->links)
        wfi_note(r->d->ctx, "%s: the ends of the links are places in \"nodes\", counted from 0",
                 wfi_source_name(r->d->source));
    return WEFT_OK;
}

static weft_status decide_weight(reader *r) {
    const weft_read_params *p = &r->d->params;
    const char *file = wfi_source_name(r->d->source);
    r->weight = KEYS;
    if (p->weights == WEFT_WEIGHTS_IGNORE) return WEFT_OK;
    if (r->weights) {
        r->weight = WEIGHT;
    } else if (p->weight_col && r->links) {
        return wfi_json_wrongf(&r->d->j, r->places->links.kind ? r->places->links.at : r->places->elements.at,
                               "no edge has the key \"%.40s\" that `weight_col` names", p->weight_col);
    } else if (!wfi_value_is_weight(p)) {
        return WEFT_OK;
    } else if (r->values && r->values_wrong) {
        wfi_note(r->d->ctx, "%s: \"value\" is not always a number, so it is not taken as the weight", file);
    } else if (r->values) {
        r->weight = VALUE;
        wfi_note_value_is_weight(r->d->ctx, r->d->source);
    }
    return WEFT_OK;
}

/* --- the second pass ------------------------------------------------------------------------------ */

static weft_status put_value(reader *r, const wfi_json_value *object, const wfi_json_value *word,
                             const wfi_json_value *v) {
    wfi_cells *cells = r->d->listing.cells;
    size_t title, length = 0, column;
    weft_status st = plain_text(r, word, &r->title, &title);
    if (st || title == SIZE_MAX || v->kind == WFI_JSON_NULL) return st;
    if (v->kind == WFI_JSON_STRING) st = plain_text(r, v, &r->text, &length);
    if (st) return st;
    if (v->kind == WFI_JSON_OBJECT || v->kind == WFI_JSON_ARRAY || length == SIZE_MAX)
        return wfi_cells_lose(cells, WFI_LOST_LISTS, r->title.text, title);
    st = wfi_cells_column(cells, r->title.text, title, &column);
    if (st || column == WFI_NO_COLUMN) return st;
    bool taken = wfi_cells_has(cells, column);
    st = own_value(r, column, taken, object, word);
    if (st) return st;
    if (taken) return wfi_cells_lose(cells, WFI_LOST_SECONDS, r->title.text, title);
    if (v->kind == WFI_JSON_STRING) return wfi_cells_put(cells, column, WEFT_ATTRIBUTE_TEXT, r->text.text, length);
    int type = v->kind != WFI_JSON_NUMBER ? WEFT_ATTRIBUTE_BOOL
               : v->integer               ? WEFT_ATTRIBUTE_WHOLE
                                          : WEFT_ATTRIBUTE_REAL;
    return wfi_cells_put(cells, column, type, v->at, (size_t)(v->end - v->at));
}

/* The members of a node beside the one that names it; of Cytoscape.js those of its data. */
static weft_status put_members(reader *r, const wfi_json_value *object, bool inner) {
    wfi_json *j = &r->d->j;
    wfi_json_value word, v;
    bool first = true, cytoscape = r->places->cytoscape;
    weft_status st;
    j->p = object->end;
    while (!(st = wfi_json_key(j, &first, &word)) && word.kind) {
        st = wfi_json_next(j, &v);
        if (st) return st;
        bool names = r->id != KEYS && inner == cytoscape && wfi_json_is(&word, r->words[r->id], r->lengths[r->id]);
        bool group = cytoscape && !inner && wfi_json_is(&word, "group", 5);
        if (!inner && v.kind == WFI_JSON_OBJECT && is_inner(r, &word)) {
            st = put_members(r, &v, true);
        } else {
            if (!names && !group) st = put_value(r, object, &word, &v);
            if (!st) st = wfi_json_skip(j, &v);
        }
        if (st) return st;
    }
    return st;
}

static weft_status put_attributes(reader *r, const thing *t) {
    const char *p = r->d->j.p;
    weft_status st = t->object.kind ? put_members(r, &t->object, false) : WEFT_OK;
    r->d->j.p = p;
    return st;
}

static weft_status add_node(reader *r, const thing *t) {
    wfi_json_doc *d = r->d;
    const wfi_json_value *v = r->id == KEYS ? NULL : member_of(r, t, r->id);
    wfi_json_name name;
    char place[24];
    weft_status st;
    if (!v) { /* called by its place */
        st = wfi_listing_vertex(&d->listing, place, wfi_print_u64(place, d->listing.names->count), t->at);
    } else {
        st = wfi_json_doc_id(d, v, "id", 0, &name);
        if (!st) st = wfi_listing_vertex(&d->listing, name.text, name.length, wfi_json_place(v));
    }
    return st ? st : put_attributes(r, t);
}

/* For Cytoscape.js NetworkX writes the id of a node three times. */
static weft_status drop_copies(reader *r) {
    weft_status st = r->places->cytoscape ? wfi_cells_drop_copy(r->d->listing.cells, "value", NULL) : WEFT_OK;
    return st || !r->places->cytoscape ? st : wfi_cells_drop_copy(r->d->listing.cells, "name", NULL);
}

/* The name of the node at a place; nodes are numbered in the order in which they were declared. */
static weft_status name_at(reader *r, const wfi_json_value *v, int room, size_t *length) {
    wfi_json_doc *d = r->d;
    const wfi_names *names = d->listing.names;
    const char *p = v->at;
    uint64_t place;
    if (!v->integer || wfi_scan_u64(&p, &place) || place >= r->nodes)
        return wfi_json_wrongf(&d->j, v->at, "no node has the place %.*s: they are 0 to %llu",
                               v->end - v->at < 24 ? (int)(v->end - v->at) : 24, v->at, (wfi_ull)r->nodes - 1);
    *length = (size_t)(names->start[place + 1] - names->start[place]);
    if (WFI_ROOM(d->ctx, d->room[room].text, *length, d->room[room].bytes, 64)) return WEFT_ENOMEM;
    if (*length) memcpy(d->room[room].text, names->text + names->start[place], *length);
    return WEFT_OK;
}

static weft_status add_by_place(reader *r, const wfi_json_value *u, const wfi_json_value *v, const char *at) {
    wfi_json_doc *d = r->d;
    size_t from, to;
    weft_status st = name_at(r, u, 0, &from);
    if (!st) st = name_at(r, v, 1, &to);
    if (st) return st;
    return wfi_listing_edge(&d->listing, (wfi_listed_end){d->room[0].text, from, u->at},
                            (wfi_listed_end){d->room[1].text, to, v->at}, at);
}

/* "directed": true, or graphology's "undirected": true. */
static weft_status add_direction(reader *r, const thing *t) {
    for (key k = DIRECTED; k <= UNDIRECTED; k++) {
        wfi_json_kind kind = t->own[k].kind;
        if (!kind) continue;
        if (kind != WFI_JSON_TRUE && kind != WFI_JSON_FALSE)
            return wfi_json_wrongf(&r->d->j, wfi_json_place(&t->own[k]), "\"%s\" is true or false", r->words[k]);
        wfi_listing_direction(&r->d->listing, (kind == WFI_JSON_TRUE) == (k == DIRECTED));
    }
    return WEFT_OK;
}

static weft_status add_link(reader *r, const thing *t) {
    const wfi_json_value *u = end_of(r, t, SOURCE), *v = end_of(r, t, TARGET);
    weft_status st = r->by_place ? add_by_place(r, u, v, t->at) : wfi_json_doc_edge(r->d, u, v, t->at);
    if (!st && r->weight != KEYS && weight_of(t, r->weight)->kind)
        st = wfi_json_doc_weight(r->d, weight_of(t, r->weight));
    if (!st && r->d->listing.fields) st = take_link_members(r, t, true);
    return st ? st : add_direction(r, t);
}

/* Where some links tell their direction, the others have that of the document. */
static void settle_direction(reader *r) {
    wfi_listing *l = &r->d->listing;
    bool directed = !r->places->says_direction || r->places->directed;
    const char **first = directed ? &l->directed_at : &l->undirected_at;
    if (r->speaking && r->silent && !*first) *first = r->silent;
}

weft_status wfi_json_links_read(wfi_json_doc *d, const wfi_json_places *places) {
    reader r = {.d = d, .places = places};
    choose_words(&r);
    d->listing.ends_declare = !places->nodes.kind && !places->elements.kind;
    d->any_form = d->any_form || places->nodes.kind == WFI_JSON_OBJECT; /* keys are in quotes in any case */
    weft_status st = each_node(&r, look_at_node);
    if (!st) st = each_link(&r, look_at_link);
    if (!st) st = decide_id(&r);
    if (!st) st = decide_weight(&r);
    if (!st) st = each_node(&r, add_node);
    if (!st) st = drop_copies(&r);
    if (!st) st = each_link(&r, add_link);
    if (!st) settle_direction(&r);
    wfi_free(r.title.text);
    wfi_free(r.text.text);
    wfi_free(r.owner);
    return st;
}
