/* Breadth-first searches that visit neighbours in NetworkX's order.  Answers contain the source objects given by the
 * caller (1.0 for 1). */
#include "nx/graph.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    nx_graph *g;
    PyObject **source; /* the caller's objects; their vertices are order[0] ... order[sources-1] */
    uint64_t sources;
    weft_vid *order, *parent; /* parent[i]: of order[i] */
    uint64_t *starts;         /* of levels in order; levels + 1 */
    uint64_t levels, room, count;
    uint64_t *seen;   /* a bit for each node */
    uint64_t *wanted; /* a bit for each node whose row has an unseen node; NULL: not known */
} search;

static inline bool has(const uint64_t *bits, weft_vid v) { return bits[v / 64] >> v % 64 & 1; }
static inline void mark(uint64_t *bits, weft_vid v) { bits[v / 64] |= 1ull << v % 64; }

static bool no_memory(void) {
    PyErr_NoMemory();
    return false;
}

static bool search_open(search *s, nx_graph *g) {
    *s = (search){.g = g};
    s->order = nx_take(g->n, sizeof *s->order);
    s->parent = nx_take(g->n, sizeof *s->parent);
    s->seen = calloc(g->n / 64 + 1, sizeof *s->seen);
    s->room = 64;
    s->starts = malloc(s->room * sizeof *s->starts);
    return s->order && s->parent && s->seen && s->starts ? true : no_memory();
}

static void search_close(search *s) {
    for (uint64_t i = 0; s->source && i < s->sources; i++) Py_XDECREF(s->source[i]);
    free(s->source);
    free(s->order);
    free(s->parent);
    free(s->seen);
    free(s->wanted);
    free(s->starts);
}

static bool end_level(search *s) {
    if (s->levels + 2 > s->room) {
        uint64_t *more = realloc(s->starts, 2 * s->room * sizeof *more);
        if (!more) return no_memory();
        s->starts = more;
        s->room *= 2;
    }
    s->starts[++s->levels] = s->count;
    return true;
}

/* Sources from a list of nodes; KeyError if a source is not a node. */
static bool search_begin(search *s, PyObject *sources) {
    Py_ssize_t given = PyList_Size(sources);
    s->source = calloc((size_t)given + 1, sizeof *s->source);
    if (!s->source) return no_memory();
    for (Py_ssize_t i = 0; i < given; i++) {
        weft_vid v;
        PyObject *node = PyList_GetItem(sources, i);
        if (!node) return false;
        Py_INCREF(node);
        s->source[s->sources++] = node;
        if (!nx_require(s->g, node, &v)) return false;
        if (has(s->seen, v)) {
            s->sources--;
            Py_DECREF(node);
            continue;
        }
        mark(s->seen, v);
        s->order[s->count] = s->parent[s->count] = v;
        s->count++;
    }
    s->starts[0] = 0;
    return end_level(s);
}

/* Prefetches the rows of nodes ahead in the order, since rows lie anywhere in memory. */
NX_FETCHES void fetch_row(const search *s, const nx_rows *rows, uint64_t i) {
    if (i + 2 * NX_AHEAD < s->count) __builtin_prefetch(&rows->offsets[s->order[i + 2 * NX_AHEAD]]);
    if (i + NX_AHEAD < s->count) __builtin_prefetch(&rows->targets[rows->offsets[s->order[i + NX_AHEAD]]]);
}

/* Appends the unseen nodes of v's row without an unpredictable branch: each is written, and counted if it is new.  The
 * order has one spare element. */
static uint64_t take_row(search *s, const nx_rows *rows, weft_vid v) {
    uint64_t from = rows->offsets[v], to = rows->offsets[v + 1], count = s->count;
    for (uint64_t e = from; e < to; e++) {
        weft_vid w = rows->targets[e];
        uint64_t word = s->seen[w / 64];
        s->order[count] = w;
        s->parent[count] = v;
        s->seen[w / 64] = word | 1ull << w % 64;
        count += ~word >> w % 64 & 1;
    }
    s->count = count;
    return to - from;
}

/* Decides whether to compute the rows of the level (of `level` nodes) that have unseen nodes.  In an undirected graph
 * the unseen nodes determine them, and if these have few arcs, as after the widest levels, that is much less work than
 * a pass over the whole level. */
static bool choose_rows(search *s, uint64_t level) {
    const nx_graph *g = s->g;
    uint64_t words = g->n / 64 + 1, arcs = level;
    if (g->directed || level < g->n / 16) return false;
    if (!s->wanted) s->wanted = malloc(words * sizeof *s->wanted);
    if (!s->wanted) return false;
    memset(s->wanted, 0, words * sizeof *s->wanted);
    for (uint64_t k = 0; k < words; k++)
        for (uint64_t rest = ~s->seen[k]; rest; rest &= rest - 1) {
            uint64_t v = 64 * k + (uint64_t)__builtin_ctzll(rest);
            if (v >= g->n) break;
            uint64_t from = g->out.offsets[v], to = g->out.offsets[v + 1];
            if (to - from > arcs) return false;
            arcs -= to - from;
            for (uint64_t e = from; e < to; e++) mark(s->wanted, g->out.targets[e]);
        }
    return true;
}

/* Runs levels up to `deepest`, but starts no row after `most` nodes were seen. */
static bool search_run(search *s, const nx_rows *rows, uint64_t deepest, uint64_t most) {
    nx_clock clock = {0};
    for (uint64_t i = 0; i < s->count && s->levels <= deepest && s->count < most;) {
        uint64_t end = s->starts[s->levels];
        bool chosen = choose_rows(s, end - i);
        for (; chosen && i < end; i++) {
            bool wanted = has(s->wanted, s->order[i]);
            if (!nx_go_on(&clock, wanted ? take_row(s, rows, s->order[i]) + 1 : 1)) return false;
        }
        for (; i < end && s->count < most; i++) {
            fetch_row(s, rows, i);
            if (!nx_go_on(&clock, take_row(s, rows, s->order[i]) + 1)) return false;
        }
        if (s->count > end && !end_level(s)) return false;
    }
    return true;
}

/* The node at position i of the order, a new reference. */
static PyObject *at(const search *s, uint64_t i) {
    PyObject *node = i < s->sources ? s->source[i] : s->g->node[s->order[i]];
    Py_INCREF(node);
    return node;
}

/* The parent's node; a source is the caller's object. */
static PyObject *parent_at(const search *s, uint64_t i) {
    for (uint64_t k = 0; k < s->sources && k < 4; k++)
        if (s->parent[i] == s->order[k]) return at(s, k);
    return nx_node(s->g, s->parent[i]);
}

static bool is_simple(PyObject *node) { return PyLong_CheckExact(node) || PyUnicode_CheckExact(node); }

/* A pair of objects without references is untracked, since the garbage collector would otherwise visit it once to find
 * that out. */
static PyObject *pair(PyObject *a, PyObject *b) {
    PyObject *both = a && b ? PyTuple_Pack(2, a, b) : NULL;
    if (both && is_simple(a) && is_simple(b)) PyObject_GC_UnTrack(both);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return both;
}

/* --- answers -------------------------------------------------------------------------------------------- */

static PyObject *lengths(const search *s) {
    PyObject *dict = PyDict_New();
    for (uint64_t level = 0; dict && level < s->levels; level++) {
        PyObject *value = PyLong_FromUnsignedLongLong(level);
        for (uint64_t i = s->starts[level]; dict && value && i < s->starts[level + 1]; i++) {
            nx_fetch_node(s->g, s->order, s->count, i);
            if (PyDict_SetItem(dict, i < s->sources ? s->source[i] : s->g->node[s->order[i]], value)) Py_CLEAR(dict);
        }
        if (!value) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

/* The parent's path extended by one node, at the end or at the front. */
static PyObject *longer(PyObject *path, PyObject *node, bool backwards) {
    Py_ssize_t size = PyList_Size(path);
    PyObject *list = PyList_New(size + 1);
    for (Py_ssize_t k = 0; list && k <= size; k++) {
        Py_ssize_t from = k - backwards;
        PyObject *x = from < 0 || from == size ? node : PyList_GetItem(path, from);
        Py_XINCREF(x);
        if (!x || PyList_SetItem(list, k, x)) Py_CLEAR(list);
    }
    return list;
}

static PyObject *paths(const search *s, bool backwards) {
    PyObject *dict = PyDict_New(), **of = nx_hold(s->g->n);
    nx_clock clock = {0};
    for (uint64_t i = 0; dict && of && i < s->count; i++) {
        PyObject *key = at(s, i), *list;
        if (i < s->sources) {
            list = PyList_New(0);
            if (list && PyList_Append(list, key)) Py_CLEAR(list);
        } else {
            list = longer(of[s->parent[i]], key, backwards);
        }
        if (!list || PyDict_SetItem(dict, key, list) || !nx_go_on(&clock, 8 + (uint64_t)PyList_Size(list)))
            Py_CLEAR(dict);
        of[s->order[i]] = list;
        Py_DECREF(key);
    }
    nx_release(of, s->g->n);
    if (PyErr_Occurred()) Py_CLEAR(dict);
    return dict;
}

static PyObject *edges(const search *s, bool child_first) {
    PyObject *list = PyList_New((Py_ssize_t)(s->count - s->sources));
    nx_clock clock = {0};
    for (uint64_t i = s->sources; list && i < s->count; i++) {
        nx_fetch_node(s->g, s->order, s->count, i);
        PyObject *child = at(s, i), *parent = parent_at(s, i);
        PyObject *both = child_first ? pair(child, parent) : pair(parent, child);
        if (!both || PyList_SetItem(list, (Py_ssize_t)(i - s->sources), both) || !nx_go_on(&clock, 2)) Py_CLEAR(list);
    }
    return list;
}

static PyObject *layers(const search *s) {
    PyObject *list = PyList_New(0);
    for (uint64_t level = 0; list && level < s->levels; level++) {
        PyObject *layer = PyList_New(0);
        for (uint64_t i = s->starts[level]; layer && i < s->starts[level + 1]; i++)
            if (!nx_append(layer, at(s, i))) Py_CLEAR(layer);
        if (!nx_append(list, layer)) Py_CLEAR(list);
    }
    return list;
}

static PyObject *all_but_sources(const search *s) {
    PyObject *set = PySet_New(NULL);
    for (uint64_t i = s->sources; set && i < s->count; i++) {
        nx_fetch_node(s->g, s->order, s->count, i);
        if (PySet_Add(set, s->g->node[s->order[i]])) Py_CLEAR(set);
    }
    return set;
}

static PyObject *all_as_set(const search *s) {
    PyObject *set = PySet_New(NULL);
    for (uint64_t i = 0; set && i < s->count; i++) {
        PyObject *node = at(s, i);
        nx_fetch_node(s->g, s->order, s->count, i);
        if (PySet_Add(set, node)) Py_CLEAR(set);
        Py_DECREF(node);
    }
    return set;
}

/* [(parent, [children])]: children of one parent are adjacent. */
static PyObject *successors(const search *s) {
    PyObject *list = PyList_New(0);
    uint64_t i = s->sources;
    if (list && i == s->count && s->sources) nx_append(list, pair(at(s, 0), PyList_New(0)));
    while (list && !PyErr_Occurred() && i < s->count) {
        PyObject *parent = parent_at(s, i), *children = PyList_New(0);
        weft_vid p = s->parent[i];
        for (; children && i < s->count && s->parent[i] == p; i++)
            if (!nx_append(children, at(s, i))) Py_CLEAR(children);
        nx_append(list, pair(parent, children));
    }
    if (PyErr_Occurred()) Py_CLEAR(list);
    return list;
}

enum { LENGTHS, PATHS, EDGES, LAYERS, REACHED, SUCCESSORS, PARENTS, PATHS_TO, MEMBERS };

/* bfs(sources, reverse, deepest or -1, what, most): with `most`, the first edges or parents only: at least about that
 * many nodes, unless there are fewer. */
PyObject *nx_bfs(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    PyObject *sources, *answer = NULL;
    int reverse, what;
    long long deepest;
    unsigned long long most = UINT64_MAX;
    search s;
    if (!PyArg_ParseTuple(args, "O!pLi|K", &PyList_Type, &sources, &reverse, &deepest, &what, &most)) return NULL;
    if (reverse && !nx_need_incoming(g)) return NULL;
    if (search_open(&s, g) && search_begin(&s, sources) &&
        search_run(&s, nx_side(g, reverse), deepest < 0 ? UINT64_MAX : (uint64_t)deepest, most)) {
        switch (what) {
        case LENGTHS: answer = lengths(&s); break;
        case PATHS: answer = paths(&s, false); break;
        case EDGES: answer = edges(&s, false); break;
        case LAYERS: answer = layers(&s); break;
        case REACHED: answer = all_but_sources(&s); break;
        case SUCCESSORS: answer = successors(&s); break;
        case PARENTS: answer = edges(&s, true); break;
        case PATHS_TO: answer = paths(&s, true); break;
        case MEMBERS: answer = all_as_set(&s); break;
        default: PyErr_SetString(PyExc_ValueError, "no such answer");
        }
    }
    search_close(&s);
    return answer;
}

/* --- all predecessors ------------------------------------------------------------------------------------- */

/* predecessor(source, cutoff) -> ({node: [predecessors]}, {node: level}); cutoff 0: none. */
PyObject *nx_predecessor(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    PyObject *source, *pred = NULL, *seen = NULL;
    unsigned long long cutoff;
    search s;
    uint32_t *level = NULL;
    PyObject **list = NULL;
    if (!PyArg_ParseTuple(args, "O!K", &PyList_Type, &source, &cutoff)) return NULL;
    if (!search_open(&s, g) || !search_begin(&s, source) ||
        !search_run(&s, &g->out, cutoff ? cutoff : UINT64_MAX, UINT64_MAX))
        goto done;
    level = malloc((g->n + 1) * sizeof *level);
    list = nx_hold(g->n);
    seen = lengths(&s);
    pred = PyDict_New();
    if (!level) PyErr_NoMemory();
    if (PyErr_Occurred()) goto done;
    for (uint64_t k = 0; k < s.levels; k++)
        for (uint64_t i = s.starts[k]; i < s.starts[k + 1]; i++) {
            PyObject *key = at(&s, i), *empty = PyList_New(0);
            level[s.order[i]] = (uint32_t)k;
            list[s.order[i]] = empty;
            bool good = empty && !PyDict_SetItem(pred, key, empty);
            Py_DECREF(key);
            if (!good) goto done;
        }
    for (uint64_t i = 0; i < s.count; i++) {
        weft_vid v = s.order[i];
        PyObject *node = at(&s, i);
        for (uint64_t e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) {
            weft_vid w = g->out.targets[e];
            if (!has(s.seen, w) || level[w] != level[v] + 1) continue;
            if (e > g->out.offsets[v] && g->out.targets[e - 1] == w) continue;
            if (PyList_Append(list[w], node)) break;
        }
        Py_DECREF(node);
        if (PyErr_Occurred()) goto done;
    }
done:
    search_close(&s);
    free(level);
    nx_release(list, g->n);
    if (!PyErr_Occurred()) return pair(pred, seen);
    Py_XDECREF(pred);
    Py_XDECREF(seen);
    return NULL;
}

/* --- labelled edges ------------------------------------------------------------------------------------------ */

/* labeled_edges(sources) -> [(u, v, kind)], kinds as in NetworkX: tree, level, forward, reverse. */
PyObject *nx_labeled_edges(PyObject *self, PyObject *sources) {
    nx_graph *g = (nx_graph *)self;
    PyObject *list = NULL;
    search s;
    uint32_t *level = malloc((g->n + 1) * sizeof *level);
    uint8_t *done = calloc(g->n + 1, 1);
    if (!PyList_Check(sources)) PyErr_SetString(PyExc_TypeError, "a list of sources is needed");
    if (search_open(&s, g) && level && done && !PyErr_Occurred() && search_begin(&s, sources)) list = PyList_New(0);
    for (uint64_t i = 0; list && i < s.count; i++) level[s.order[i]] = 0;
    for (uint64_t i = 0; list && i < s.count; i++) {
        weft_vid u = s.order[i];
        for (uint64_t e = g->out.offsets[u]; list && e < g->out.offsets[u + 1]; e++) {
            weft_vid v = g->out.targets[e];
            const char *kind = NULL;
            if (e > g->out.offsets[u] && g->out.targets[e - 1] == v) continue;
            if (!has(s.seen, v)) {
                mark(s.seen, v);
                level[v] = level[u] + 1;
                s.order[s.count++] = v;
                kind = "tree";
            } else if (level[u] == level[v]) {
                if (!done[v]) kind = "level";
            } else if (level[u] < level[v]) {
                kind = "forward";
            } else if (g->directed) {
                kind = "reverse";
            }
            PyObject *from = kind ? at(&s, i) : NULL;
            if (kind && !nx_append(list, Py_BuildValue("(NON)", from, g->node[v], PyUnicode_InternFromString(kind))))
                Py_CLEAR(list);
        }
        if (!g->directed) done[u] = 1;
    }
    search_close(&s);
    free(level);
    free(done);
    if (!list && !PyErr_Occurred()) PyErr_NoMemory();
    return list;
}

/* --- from both ends ------------------------------------------------------------------------------------------- */

/* bidirectional(source, target) -> the path that NetworkX finds, or None. */
PyObject *nx_bidirectional(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    PyObject *end[2], *path = NULL;
    weft_vid v[2], meet = WEFT_NO_VERTEX, *before[2] = {NULL, NULL}, *fringe[2] = {NULL, NULL};
    uint64_t from[2] = {0, 0}, to[2] = {1, 1};
    nx_clock clock = {0};
    if (!PyArg_ParseTuple(args, "OO", &end[0], &end[1])) return NULL;
    if (!nx_require(g, end[0], &v[0]) || !nx_require(g, end[1], &v[1]) || !nx_need_incoming(g)) return NULL;
    if (v[0] == v[1]) return Py_BuildValue("[O]", end[0]);
    for (int d = 0; d < 2; d++) {
        before[d] =
            calloc(g->n + 1, sizeof *before[d]); /* 0: not seen; else the node before + 1; its own number + 1: an end */
        fringe[d] = malloc((g->n + 1) * sizeof *fringe[d]);
        if (!before[d] || !fringe[d]) {
            PyErr_NoMemory();
            goto done;
        }
        before[d][v[d]] = v[d] + 1;
        fringe[d][0] = v[d];
    }
    while (meet == WEFT_NO_VERTEX && from[0] < to[0] && from[1] < to[1]) {
        int d = to[0] - from[0] <= to[1] - from[1] ? 0 : 1;
        const nx_rows *rows = nx_side(g, d);
        uint64_t end_of_level = to[d];
        for (; meet == WEFT_NO_VERTEX && from[d] < end_of_level; from[d]++) {
            weft_vid u = fringe[d][from[d]];
            for (uint64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
                weft_vid w = rows->targets[e];
                if (!before[d][w]) {
                    before[d][w] = u + 1;
                    fringe[d][to[d]++] = w;
                }
                if (before[!d][w]) {
                    meet = w;
                    break;
                }
            }
            if (!nx_go_on(&clock, rows->offsets[u + 1] - rows->offsets[u] + 1)) goto done;
        }
    }
    if (meet == WEFT_NO_VERTEX) goto done;
    path = PyList_New(0);
    for (weft_vid w = meet; path; w = before[0][w] - 1) {
        if (PyList_Append(path, w == v[0] ? end[0] : g->node[w])) Py_CLEAR(path);
        if (w == v[0]) break;
    }
    if (path && PyList_Reverse(path)) Py_CLEAR(path);
    for (weft_vid w = meet; path && w != v[1];) {
        w = before[1][w] - 1;
        if (PyList_Append(path, w == v[1] ? end[1] : g->node[w])) Py_CLEAR(path);
    }
done:
    for (int d = 0; d < 2; d++) {
        free(before[d]);
        free(fringe[d]);
    }
    if (PyErr_Occurred()) return NULL;
    if (!path) Py_RETURN_NONE;
    return path;
}
