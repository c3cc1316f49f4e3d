/* GML, reading: "graph [ directed 1 node [ id 7 ] edge [ source 7 target 7 weight 2 ] ]".
 * Vertices are the declared nodes, called by their id numbers; their numbers and strings become attributes, and so do
 * their labels unless each is the id.  The weight of an edge is its `weight`, else its `value`; its other numbers and
 * strings become columns where they are wanted; lists within lists are skipped.  A graph that Weft wrote may say that
 * the labels are the ids, and what attributes are called that GML cannot call so.
 * Needs: the whole text in memory; sequential, because the format is for small graphs.
 * Nodes and edges come in any order, so the ends of the edges are checked when all is read.
 * [1] Himsolt, "GML: A portable Graph File Format", Universitaet Passau, 1997. */
#include "io/document/listing.h"
#include "io/document/xml_text.h"
#include "io/text/collect.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- words: keys, numbers, strings in quotes, brackets; # begins a comment ------------------- */

typedef enum token_kind {
    KEY,
    NUMBER,
    STRING, /* with its quotes */
    OPEN,
    CLOSE,
    END,    /* of the text */
    UNKNOWN /* also a string that never ends */
} token_kind;

typedef struct token {
    token_kind kind;
    const char *at, *end;
} token;

static const char *skip_space(const char *p, const char *end) {
    while (p < end && (isspace((unsigned char)*p) || *p == '#')) {
        if (*p == '#')
            while (p < end && *p != '\n') p++;
        else
            p++;
    }
    return p;
}

static token next_token(const char *p, const char *end) {
    p = skip_space(p, end);
    token t = {UNKNOWN, p, p};
    if (p >= end) {
        t.kind = END;
    } else if (*p == '[' || *p == ']') {
        t.kind = *p == '[' ? OPEN : CLOSE;
        t.end = p + 1;
    } else if (*p == '"') {
        const char *close = memchr(p + 1, '"', (size_t)(end - p - 1));
        t.kind = close ? STRING : UNKNOWN;
        t.end = close ? close + 1 : end;
    } else if (isalpha((unsigned char)*p) || *p == '_') {
        t.kind = KEY;
        while (t.end < end && (isalnum((unsigned char)*t.end) || *t.end == '_')) t.end++;
    } else if (*p == '+' || *p == '-' || *p == '.' || isdigit((unsigned char)*p)) {
        t.kind = NUMBER;
        while (t.end < end && (isalnum((unsigned char)*t.end) || strchr("+-.", *t.end)) && *t.end) t.end++;
    }
    return t;
}

/* Is it the key `word`? */
static bool is(token t, const char *word) {
    size_t length = strlen(word);
    return t.kind == KEY && (size_t)(t.end - t.at) == length && !memcmp(t.at, word, length);
}

/* NAN and INF, as NetworkX writes numbers that are not finite. */
static bool is_no_number(token t) { return is(t, "NAN") || is(t, "INF"); }

/* The number of bytes of a key that a message shows. */
static int shown(token key) { return key.end - key.at < 40 ? (int)(key.end - key.at) : 40; }

/* --- the document ----------------------------------------------------------------------- */

typedef struct node {
    int64_t id;
    const char *at;                /* of the id, for messages */
    const char *label, *label_end; /* NULL: it has none */
    const char *list;              /* the text within its brackets */
} node;

typedef struct edge {
    node source, target;
    const char *at;        /* of the word edge */
    const char *list;      /* the text within its brackets */
    const char *weight_at; /* NULL: it has none */
    wfi_weight weight;
} edge;

typedef struct reader {
    weft_ctx *ctx;
    const wfi_source *source;
    const char *text, *p, *end;
    const char *polled;
    const char *weight_key;                       /* NULL: weight, else value */
    bool weights_wanted, values_wanted, directed; /* values: as weights, where there are none */
    bool values_taken;
    bool ids_are_labels;
    const char *renamed; /* within the brackets of WFI_GML_RENAMED; NULL: there is none */
    weft_read_params params;
    wfi_listing listing;
    wfi_xml_buffer word, name;
    node *nodes;
    uint64_t node_count, node_room;
    edge *edges;
    uint64_t edge_count, edge_room;
} reader;

enum { POLL_BYTES = 1 << 20 };

#define FAIL(r, place, ...) wfi_fail_in_text((r)->ctx, (r)->source, (r)->text, (place), __VA_ARGS__)

static weft_status poll(reader *r) {
    if (r->p - r->polled < POLL_BYTES) return WEFT_OK;
    r->polled = r->p;
    if (wfi_cancelled(r->ctx)) return wfi_fail_cancelled(r->ctx);
    wfi_progress(r->ctx, "reading", (uint64_t)(r->p - r->text), (uint64_t)(r->end - r->text));
    return WEFT_OK;
}

/* The key of the next pair; END or CLOSE when the list is over. */
static weft_status read_key(reader *r, bool inside, token *key) {
    *key = next_token(r->p, r->end);
    r->p = key->end;
    if (key->kind == KEY || key->kind == (inside ? CLOSE : END)) return WEFT_OK;
    if (key->kind == END) return FAIL(r, key->at, "the file ends inside a list: expected ]");
    if (key->kind == CLOSE) return FAIL(r, key->at, "a ] that closes nothing");
    return FAIL(r, key->at, "expected the name of an attribute%s", inside ? " or ]" : "");
}

static weft_status check_value(reader *r, token key, token value) {
    if (value.kind == NUMBER || value.kind == STRING || value.kind == OPEN || is_no_number(value)) return WEFT_OK;
    if (value.kind == UNKNOWN && value.at < r->end && *value.at == '"')
        return FAIL(r, value.at, "a string that does not end");
    return FAIL(r, value.at, "expected a value for %.*s: a number, a string or a list", shown(key), key.at);
}

/* Steps over a value, lists within lists included. */
static weft_status skip_value(reader *r, token key) {
    uint64_t depth = 0;
    do {
        token value = next_token(r->p, r->end);
        weft_status st = check_value(r, key, value);
        if (!st) st = poll(r);
        if (st) return st;
        r->p = value.end;
        depth += value.kind == OPEN;
        while (depth) {
            st = read_key(r, true, &key);
            if (st) return st;
            if (key.kind == KEY) break;
            depth--;
        }
    } while (depth);
    return WEFT_OK;
}

static weft_status open_list(reader *r, token key) {
    token open = next_token(r->p, r->end);
    r->p = open.end;
    if (open.kind == OPEN) return WEFT_OK;
    return FAIL(r, open.at, "expected [ after %.*s", shown(key), key.at);
}

static weft_status read_integer(reader *r, token key, node *out) {
    token value = next_token(r->p, r->end);
    const char *p = value.at;
    wfi_number st = value.kind == NUMBER ? wfi_scan_i64(&p, &out->id) : WFI_NUMBER_NONE;
    if (st == WFI_NUMBER_TOO_BIG) return FAIL(r, value.at, "this number does not fit in 64 bits");
    if (st != WFI_NUMBER_OK || p != value.end)
        return FAIL(r, value.at, "expected a whole number for %.*s", shown(key), key.at);
    if (out->at) return FAIL(r, key.at, "a second %.*s", shown(key), key.at);
    out->at = value.at;
    r->p = value.end;
    return WEFT_OK;
}

static weft_status read_weight(reader *r, edge *e) {
    token value = next_token(r->p, r->end);
    const char *p = value.at;
    bool as_double = wfi_reads_doubles(&r->params);
    wfi_number st = wfi_scan_weight(&p, as_double, &e->weight);
    if (st >= WFI_NUMBER_TOO_LARGE)
        return FAIL(r, value.at, "this weight is %s (`weights=ignore` reads without them)",
                    wfi_weight_fault(st, as_double));
    if (st != WFI_NUMBER_OK || p != value.end)
        return FAIL(r, value.at, "expected a number for the weight (`weights=ignore` reads without them)");
    e->weight_at = value.at;
    r->p = value.end;
    return WEFT_OK;
}

/* --- lists --------------------------------------------------------------------------------- */

/* The label that is next, without its quotes; labels that are no strings are skipped like anything else. */
static weft_status read_label(reader *r, token key, node *n) {
    token value = next_token(r->p, r->end);
    if (value.kind == STRING) {
        n->label = value.at + 1;
        n->label_end = value.end - 1;
    }
    return skip_value(r, key);
}

static weft_status read_node(reader *r, token word) {
    node n = {0};
    token key;
    weft_status st = open_list(r, word);
    n.list = r->p;
    while (!st && !(st = read_key(r, true, &key)) && key.kind == KEY) {
        if (is(key, "id"))
            st = read_integer(r, key, &n);
        else
            st = is(key, "label") ? read_label(r, key, &n) : skip_value(r, key);
    }
    if (st) return st;
    if (!n.at) return FAIL(r, word.at, "a node without an id");
    if (WFI_ROOM(r->ctx, r->nodes, r->node_count, r->node_room, 256)) return WEFT_ENOMEM;
    r->nodes[r->node_count++] = n;
    return WEFT_OK;
}

/* Another pair of an edge, listed in a note unless the caller asked for columns of edges. */
static weft_status pass_over(reader *r, token key) {
    bool known = is(key, "id") || is(key, "key") || is(key, "weight") || r->params.keep || r->params.edges_where;
    weft_status st =
        known ? WEFT_OK : wfi_cells_lose(r->listing.cells, WFI_LOST_OF_EDGES, key.at, (size_t)(key.end - key.at));
    return st ? st : skip_value(r, key);
}

static weft_status read_edge(reader *r, token word) {
    edge e = {.at = word.at};
    bool named_weight = false;
    token key;
    weft_status st = open_list(r, word);
    e.list = r->p;
    while (!st && !(st = read_key(r, true, &key)) && key.kind == KEY) {
        bool weight = r->weights_wanted && is(key, r->weight_key ? r->weight_key : "weight");
        if (is(key, "source"))
            st = read_integer(r, key, &e.source);
        else if (is(key, "target"))
            st = read_integer(r, key, &e.target);
        else if (weight || (r->values_wanted && is(key, "value") && !named_weight))
            st = read_weight(r, &e);
        else
            st = pass_over(r, key);
        named_weight |= weight;
    }
    if (st) return st;
    if (!e.source.at) return FAIL(r, word.at, "an edge without a source");
    if (!e.target.at) return FAIL(r, word.at, "an edge without a target");
    if (WFI_ROOM(r->ctx, r->edges, r->edge_count, r->edge_room, 256)) return WEFT_ENOMEM;
    r->edges[r->edge_count++] = e;
    r->values_taken |= e.weight_at && !named_weight && !r->weight_key;
    return WEFT_OK;
}

static weft_status read_directed(reader *r, token key) {
    node flag = {0};
    weft_status st = read_integer(r, key, &flag);
    if (!st && flag.id != 0 && flag.id != 1) return FAIL(r, flag.at, "directed is 0 or 1");
    r->directed = flag.id == 1;
    return st;
}

/* WFI_GML_IDS "label": Weft wrote this. */
static weft_status read_ids(reader *r, token key) {
    token value = next_token(r->p, r->end);
    r->ids_are_labels =
        value.end - value.at == sizeof "\"label\"" - 1 && !memcmp(value.at, "\"label\"", sizeof "\"label\"" - 1);
    return skip_value(r, key);
}

static weft_status read_renamed(reader *r, token key) {
    token value = next_token(r->p, r->end);
    r->renamed = value.kind == OPEN ? value.end : NULL;
    return skip_value(r, key);
}

static weft_status read_graph(reader *r, token word) {
    token key;
    weft_status st = open_list(r, word);
    while (!st && !(st = poll(r)) && !(st = read_key(r, true, &key)) && key.kind == KEY) {
        if (is(key, "node"))
            st = read_node(r, key);
        else if (is(key, "edge"))
            st = read_edge(r, key);
        else if (is(key, "directed"))
            st = read_directed(r, key);
        else if (is(key, WFI_GML_IDS))
            st = read_ids(r, key);
        else if (is(key, WFI_GML_RENAMED))
            st = read_renamed(r, key);
        else
            st = skip_value(r, key);
    }
    return st;
}

static weft_status read_file(reader *r) {
    bool seen = false;
    token key;
    weft_status st;
    while (!(st = read_key(r, false, &key)) && key.kind == KEY) {
        if (is(key, "graph") && seen) {
            wfi_warn(r->ctx, "%s: there is more than one graph; the first was read", wfi_source_name(r->source));
            return WEFT_OK;
        }
        if (is(key, "graph"))
            st = read_graph(r, key);
        else
            st = skip_value(r, key);
        if (st) return st;
        seen |= is(key, "graph");
    }
    if (!st && !seen) return FAIL(r, key.at, "expected a graph: graph [ ... ]");
    return st;
}

/* --- nodes by id ----------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b) {
    const node *x = a, *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (x->at > y->at) - (x->at < y->at);
}

static int same_id(const void *a, const void *b) {
    const node *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static weft_status check_nodes(reader *r) {
    if (r->node_count) qsort(r->nodes, r->node_count, sizeof *r->nodes, by_id);
    for (uint64_t i = 1; i < r->node_count; i++)
        if (r->nodes[i].id == r->nodes[i - 1].id)
            return FAIL(r, r->nodes[i].at, "node %lld is declared a second time", (long long)r->nodes[i].id);
    return WEFT_OK;
}

/* --- attributes ------------------------------------------------------------------------------------ */

/* The characters of a string, or its bytes if its entities are not those of GML. */
static weft_status decode(reader *r, token value) {
    const wfi_xml_origin origin = {.ctx = r->ctx, .source = r->source, .text = r->text};
    r->word.used = 0;
    weft_status st = wfi_xml_decode(&origin, value.at, (size_t)(value.end - value.at), WFI_XML_CHARS, &r->word);
    if (st != WEFT_EINPUT) return st;
    wfi_message_clear(r->ctx);
    r->word.used = 0;
    return wfi_xml_decode(&origin, value.at, (size_t)(value.end - value.at), WFI_XML_BYTES, &r->word);
}

/* Digits alone are a whole number, also beyond 64 bits, which becomes text. */
static int type_of(token number) {
    const char *at = number.at + (number.at < number.end && (*number.at == '-' || *number.at == '+'));
    while (at < number.end && *at >= '0' && *at <= '9') at++;
    return at == number.end ? WEFT_ATTRIBUTE_WHOLE : WEFT_ATTRIBUTE_REAL;
}

static weft_status take_value(reader *r, token key, token value) {
    size_t column;
    size_t length = (size_t)(key.end - key.at);
    if (value.kind == OPEN) return wfi_cells_lose(r->listing.cells, WFI_LOST_LISTS, key.at, length);
    weft_status st = wfi_cells_column(r->listing.cells, key.at, length, &column);
    if (st) return st;
    if (wfi_cells_has(r->listing.cells, column))
        return wfi_cells_lose(r->listing.cells, WFI_LOST_SECONDS, key.at, length);
    if (value.kind != STRING)
        return wfi_cells_put(r->listing.cells, column, type_of(value), value.at, (size_t)(value.end - value.at));
    value.at++, value.end--;
    st = decode(r, value);
    return st ? st : wfi_cells_put(r->listing.cells, column, WEFT_ATTRIBUTE_TEXT, r->word.text, r->word.used);
}

/* The id of a node, as text. */
static weft_status name_node(reader *r, const node *n) {
    const wfi_xml_origin origin = {.ctx = r->ctx, .source = r->source, .text = r->text};
    r->name.used = 0;
    if (!r->ids_are_labels) {
        if (WFI_ROOM(r->ctx, r->name.text, 24, r->name.room, 64)) return WEFT_ENOMEM;
        r->name.used = wfi_print_i64(r->name.text, n->id);
        return WEFT_OK;
    }
    if (!n->label) return FAIL(r, n->at, "this node has no label, though " WFI_GML_IDS " says that labels are the ids");
    return wfi_xml_decode(&origin, n->label, (size_t)(n->label_end - n->label), WFI_XML_CHARS, &r->name);
}

/* Declares a node, and takes the pairs of its list, which were found to be well formed, as its attributes. */
static weft_status list_node(reader *r, const node *n) {
    weft_status st = name_node(r, n);
    if (!st) st = wfi_listing_vertex(&r->listing, r->name.text, r->name.used, r->ids_are_labels ? n->label : n->at);
    token key;
    r->p = n->list;
    while (!st && !(st = read_key(r, true, &key)) && key.kind == KEY) {
        token value = next_token(r->p, r->end);
        bool label = is(key, "label");
        if (!is(key, "id") && !(label && r->ids_are_labels)) st = take_value(r, key, value);
        if (!st) st = skip_value(r, key);
    }
    return st;
}

static weft_status rename_columns(reader *r) {
    token key;
    weft_status st = WEFT_OK;
    r->p = r->renamed;
    while (r->p && !st && !(st = read_key(r, true, &key)) && key.kind == KEY) {
        token value = next_token(r->p, r->end);
        if (value.kind == STRING) {
            st = decode(r, (token){STRING, value.at + 1, value.end - 1});
            if (!st)
                st = wfi_cells_rename(r->listing.cells, key.at, (size_t)(key.end - key.at), r->word.text, r->word.used);
        }
        if (!st) st = skip_value(r, key);
    }
    return st;
}

static weft_status list_nodes(reader *r) {
    weft_status st = WEFT_OK;
    r->polled = r->text;
    for (uint64_t i = 0; i < r->node_count && !st; i++) st = list_node(r, &r->nodes[i]);
    if (!st) st = wfi_cells_drop_copy(r->listing.cells, "label", NULL);
    return st ? st : rename_columns(r);
}

/* --- edges ----------------------------------------------------------------------------------- */

/* The columns of the last edge. */
static weft_status list_values(reader *r, const edge *e) {
    wfi_listing *l = &r->listing;
    token key;
    weft_status st = WEFT_OK;
    r->p = r->polled = e->list;
    while (!st && !(st = read_key(r, true, &key)) && key.kind == KEY) {
        token value = next_token(r->p, r->end);
        size_t field = wfi_listing_field(l, key.at, (size_t)(key.end - key.at));
        if (field != SIZE_MAX && value.kind == OPEN)
            return FAIL(r, value.at, "a list, where a column of edges has a number or a string");
        if (field != SIZE_MAX && value.kind == STRING) {
            st = decode(r, (token){STRING, value.at + 1, value.end - 1});
            if (!st) st = wfi_listing_value(l, field, WEFT_ATTRIBUTE_TEXT, r->word.text, r->word.used);
        } else if (field != SIZE_MAX) {
            st = wfi_listing_value(l, field, type_of(value), value.at, (size_t)(value.end - value.at));
        }
        if (!st) st = skip_value(r, key);
    }
    return st;
}

/* Nodes were declared in the order of their ids: their numbers in the listing are their places. */
static weft_status list_edge(reader *r, const edge *e) {
    wfi_listing *l = &r->listing;
    const node *ends[] = {&e->source, &e->target};
    uint32_t number[2];
    for (int k = 0; k < 2; k++) {
        const node *end = r->node_count ? bsearch(ends[k], r->nodes, r->node_count, sizeof *r->nodes, same_id) : NULL;
        if (!end) return FAIL(r, ends[k]->at, "there is no node with the id %lld", (long long)ends[k]->id);
        number[k] = (uint32_t)(end - r->nodes);
    }
    weft_status st = wfi_listing_numbered(l, number[0], number[1], e->at);
    if (st) return st;
    wfi_listed_edge *last = &l->edges[l->edge_count - 1];
    last->weighted = e->weight_at != NULL;
    last->weight = e->weight;
    return l->fields ? list_values(r, e) : WEFT_OK;
}

static weft_status list_edges(reader *r) {
    weft_status st = WEFT_OK;
    for (uint64_t i = 0; i < r->edge_count && !st; i++) st = list_edge(r, &r->edges[i]);
    if (!st && r->values_taken) wfi_note_value_is_weight(r->ctx, r->source);
    return st;
}

/* --- the graph ------------------------------------------------------------------------------- */

/* Ids are numbers unless the file says that labels are the ids; columns of edges leave the choice to the caller. */
static void decide_ids(reader *r) {
    weft_read_params *p = &r->params;
    bool columns = (p->keep && *p->keep) || p->edges_where;
    if (p->ids == WEFT_READ_IDS_AUTO)
        p->ids = r->ids_are_labels ? WEFT_READ_IDS_STRING : WEFT_READ_IDS_INTEGER;
    else if (!r->ids_are_labels && !columns)
        p->ids = WEFT_READ_IDS_INTEGER;
}

weft_status wfi_read_gml(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    reader r = {.ctx = ctx,
                .source = source,
                .weights_wanted = params->weights != WEFT_WEIGHTS_IGNORE,
                .values_wanted =
                    params->weights != WEFT_WEIGHTS_IGNORE && !params->weight_col && wfi_value_is_weight(params),
                .weight_key = params->weight_col,
                .params = *params};
    size_t bytes;
    weft_status st = wfi_source_whole(ctx, source, &r.text, &bytes);
    if (st) return st;
    r.p = r.polled = r.text;
    r.end = r.text + bytes;
    if (r.weight_key && r.weights_wanted) r.params.weights = WEFT_WEIGHTS_REQUIRE;
    st = wfi_listing_open(&r.listing, ctx, source, r.text, &r.params);
    if (!st) st = read_file(&r);
    decide_ids(&r);
    if (!st) st = check_nodes(&r);
    if (!st) st = list_nodes(&r);
    if (!st) st = list_edges(&r);
    if (!st) st = wfi_listing_build(&r.listing, "gml", r.directed, out);
    wfi_listing_close(&r.listing);
    WFI_FREE(r.nodes, r.edges, r.word.text, r.name.text);
    return st;
}

/* A GML file begins with pairs such as Creator "..." and then has graph [. */
int wfi_sniff_gml(const char *head, size_t bytes) {
    const char *p = head, *end = head + bytes;
    for (;;) {
        token key = next_token(p, end), value = next_token(key.end, end);
        if (is(key, "graph") && value.kind == OPEN) return 3;
        if (key.kind != KEY || (value.kind != NUMBER && value.kind != STRING)) return 0;
        p = value.end;
    }
}
