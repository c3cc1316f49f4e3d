/* Dijkstra's algorithm as in NetworkX: the nearest node first, among equally near nodes the first that got its
 * distance, so that the order of the answer and the choice among shortest paths are NetworkX's.
 * Needs: weights of 0 or more, integer sums below 2^53 (checked by weftgraph/nx/weighted.py).  Parallel edges count as
 * their shortest.  A distance is an int as long as all weights on its path are. */
#include "nx/graph.h"
#include "nx/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    double distance; /* the smallest so far; NAN: none */
    weft_vid before;
    bool is_float, done;
} place;

typedef struct side {
    const nx_rows *rows;
    bool all_float;
    place *at; /* by node */
    nx_queue queue;
} side;

static bool no_memory(void) {
    PyErr_NoMemory();
    return false;
}

static bool side_open(side *s, const nx_graph *g, bool reverse) {
    *s = (side){.rows = nx_side(g, reverse), .all_float = g->all_float};
    s->at = nx_take(g->n, sizeof *s->at);
    if (!nx_queue_open(&s->queue, g->n, s->rows->weights ? g->largest : 1) || !s->at) return no_memory();
    for (uint64_t v = 0; v < g->n; v++) s->at[v] = (place){.distance = NAN};
    return true;
}

static void side_close(side *s) {
    nx_queue_close(&s->queue);
    free(s->at);
}

/* Queues v with its current distance. */
static bool push(side *s, weft_vid v) { return nx_queue_put(&s->queue, s->at[v].distance, v) ? true : no_memory(); }

static bool start(side *s, weft_vid v) {
    s->at[v] = (place){.distance = 0, .before = v};
    return push(s, v);
}

/* Offers a path to w over u; *shorter: it is shorter than all before.  Never true for a finished node, since weights
 * are not negative. */
static inline bool offer(side *s, weft_vid u, weft_vid w, double there, bool is_float, bool *shorter) {
    place *to = &s->at[w];
    *shorter = !(there >= to->distance);
    if (!*shorter) return true;
    to->distance = there;
    to->is_float = is_float || s->at[u].is_float;
    to->before = u;
    return push(s, w);
}

/* Prefetches the places that the walk of a row will touch. */
NX_FETCHES void fetch_places(const side *s, uint64_t begin, uint64_t end) {
    for (uint64_t e = begin; e < end; e++) __builtin_prefetch(&s->at[s->rows->targets[e]]);
}

/* Prefetches for the nodes of a bucket, which come next: their rows, then the places that the rows lead to. */
NX_FETCHES void fetch_bucket(const side *s) {
    enum { MOST = 512, MOST_ARCS = 16 };
    const nx_rows *rows = s->rows;
    const nx_entry *heap = s->queue.heap;
    size_t count = s->queue.count < MOST ? s->queue.count : MOST;
    for (size_t i = 0; i < count; i++) {
        __builtin_prefetch(&s->at[heap[i].v]);
        __builtin_prefetch(&rows->offsets[heap[i].v]);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t begin = rows->offsets[heap[i].v], end = rows->offsets[heap[i].v + 1]; /* mostly two cache lines */
        __builtin_prefetch(&rows->targets[begin]);
        __builtin_prefetch(&rows->targets[end]);
        if (rows->weights) __builtin_prefetch(&rows->weights[begin]);
        if (rows->weights) __builtin_prefetch(&rows->weights[end]);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t begin = rows->offsets[heap[i].v], end = rows->offsets[heap[i].v + 1];
        if (s->at[heap[i].v].distance == heap[i].distance)
            fetch_places(s, begin, end - begin < MOST_ARCS ? end : begin + MOST_ARCS);
    }
}

/* The next node, perhaps already finished.  False: there is none; an exception may be set. */
static bool next_node(side *s, weft_vid *v) {
    bool fresh;
    if (!nx_queue_ready(&s->queue, &fresh)) return s->queue.no_memory ? no_memory() : false;
    if (fresh) fetch_bucket(s);
    *v = nx_queue_take(&s->queue);
    return true;
}

/* Numbers in the queue have 32 bits. */
static bool not_too_many(const nx_graph *g, uint64_t sources) {
    if (g->arcs + sources < UINT32_MAX) return true;
    PyErr_SetString(PyExc_NotImplementedError, "2^32 edges or more");
    return false;
}

/* --- from one end --------------------------------------------------------------------------------- */

typedef struct answer {
    nx_graph *g;
    PyObject *sources; /* the caller's objects */
    weft_vid *order;   /* in which nodes were finished */
    uint64_t count, source_count;
} answer;

static bool search(side *s, answer *a, double cutoff, int64_t target) {
    nx_clock clock = {0};
    if (!not_too_many(a->g, (uint64_t)PyList_Size(a->sources))) return false;
    for (Py_ssize_t i = 0; i < PyList_Size(a->sources); i++) {
        weft_vid v;
        if (!nx_require(a->g, PyList_GetItem(a->sources, i), &v) || !start(s, v)) return false;
        a->source_count++;
    }
    for (weft_vid u; next_node(s, &u);) {
        if (s->at[u].done) continue;
        s->at[u].done = true;
        a->order[a->count++] = u;
        if (u == target) break;
        uint64_t begin = s->rows->offsets[u], end = s->rows->offsets[u + 1];
        fetch_places(s, begin, end);
        for (uint64_t e = begin; e < end;) {
            weft_vid w = s->rows->targets[e];
            bool is_float, shorter;
            double there = s->at[u].distance + nx_shortest(s->rows, s->all_float, &e, end, &is_float);
            if (there <= cutoff && !offer(s, u, w, there, is_float, &shorter)) return false;
        }
        if (!nx_go_on(&clock, 8 + 4 * (end - begin))) return false;
    }
    return !PyErr_Occurred();
}

static PyObject *shown(const answer *a, uint64_t i) {
    PyObject *node = i < a->source_count ? PyList_GetItem(a->sources, (Py_ssize_t)i) : a->g->node[a->order[i]];
    Py_XINCREF(node);
    return node;
}

static PyObject *distances(const side *s, const answer *a) {
    PyObject *dict = PyDict_New();
    for (uint64_t i = 0; dict && i < a->count; i++) {
        nx_fetch_node(a->g, a->order, a->count, i);
        if (i + NX_AHEAD < a->count) __builtin_prefetch(&s->at[a->order[i + NX_AHEAD]]);
        const place *at = &s->at[a->order[i]];
        PyObject *key = shown(a, i), *value = nx_number(at->distance, at->is_float);
        if (!key || !value || PyDict_SetItem(dict, key, value)) Py_CLEAR(dict);
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject *paths(const side *s, const answer *a) {
    PyObject *dict = PyDict_New(), **of = nx_hold(a->g->n);
    nx_clock clock = {0};
    for (uint64_t i = 0; of && dict && i < a->count; i++) {
        PyObject *key = shown(a, i), *list = NULL, *before = i < a->source_count ? NULL : of[s->at[a->order[i]].before];
        Py_ssize_t size = before ? PyList_Size(before) : 0;
        if (key) list = before ? PyList_GetSlice(before, 0, size) : PyList_New(0);
        if (!list || PyList_Append(list, key) || PyDict_SetItem(dict, key, list) ||
            !nx_go_on(&clock, 8 + (uint64_t)size))
            Py_CLEAR(dict);
        of[a->order[i]] = list;
        Py_XDECREF(key);
    }
    nx_release(of, a->g->n);
    if (PyErr_Occurred()) Py_CLEAR(dict);
    return dict;
}

/* The last node of a path is the object that the caller gave. */
static PyObject *path_to(const side *s, const answer *a, weft_vid target, PyObject *given) {
    PyObject *list = PyList_New(0);
    for (weft_vid v = target; list;) {
        bool is_source = s->at[v].before == v;
        PyObject *node = is_source ? NULL : v == target ? given : a->g->node[v];
        for (uint64_t i = 0; is_source && i < a->source_count; i++)
            if (a->order[i] == v) node = PyList_GetItem(a->sources, (Py_ssize_t)i);
        if (!node || PyList_Append(list, node)) Py_CLEAR(list);
        if (is_source) break;
        v = s->at[v].before;
    }
    if (list && PyList_Reverse(list)) Py_CLEAR(list);
    return list;
}

/* dijkstra(sources, reverse, cutoff, target or None, with_paths): a dict of distances and one of paths (or None), in
 * the order of distance; with a target, its distance and path, or None if there is none. */
PyObject *nx_dijkstra(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    answer a = {.g = g};
    side s;
    PyObject *target, *result = NULL;
    int reverse, with_paths;
    double cutoff;
    weft_vid t = 0;
    if (!PyArg_ParseTuple(args, "O!pdOp", &PyList_Type, &a.sources, &reverse, &cutoff, &target, &with_paths))
        return NULL;
    if (reverse && !nx_need_incoming(g)) return NULL;
    bool has_target = target != Py_None && nx_number_of(g, target) >= 0;
    if (PyErr_Occurred() || (has_target && !nx_require(g, target, &t))) return NULL;
    a.order = nx_take(g->n, sizeof *a.order);
    if (!a.order) PyErr_NoMemory();
    if (side_open(&s, g, reverse) && a.order && search(&s, &a, cutoff, has_target ? (int64_t)t : -1)) {
        if (target == Py_None) {
            PyObject *all = distances(&s, &a), *ways = Py_None;
            if (with_paths)
                ways = all ? paths(&s, &a) : NULL;
            else
                Py_INCREF(ways);
            result = all && ways ? PyTuple_Pack(2, all, ways) : NULL;
            Py_XDECREF(all);
            Py_XDECREF(ways);
        } else if (has_target && s.at[t].done) {
            PyObject *way = path_to(&s, &a, t, target);
            if (way) result = Py_BuildValue("(NN)", nx_number(s.at[t].distance, s.at[t].is_float), way);
        } else {
            Py_INCREF(Py_None);
            result = Py_None;
        }
    }
    side_close(&s);
    free(a.order);
    return result;
}

/* --- from both ends ------------------------------------------------------------------------------- */

typedef struct meeting {
    double length;
    bool is_float;
    weft_vid v;
} meeting;

static bool relax(side s[2], int d, weft_vid u, meeting *best) {
    uint64_t end = s[d].rows->offsets[u + 1];
    for (uint64_t e = s[d].rows->offsets[u]; e < end;) {
        weft_vid w = s[d].rows->targets[e];
        bool is_float, shorter;
        double there = s[d].at[u].distance + nx_shortest(s[d].rows, s[d].all_float, &e, end, &is_float);
        if (!offer(&s[d], u, w, there, is_float, &shorter)) return false;
        const place *other = &s[!d].at[w];
        if (!shorter || isnan(other->distance)) continue;
        double whole = there + other->distance;
        if (best->v != WEFT_NO_VERTEX && best->length <= whole) continue;
        *best = (meeting){whole, s[d].at[w].is_float || other->is_float, w};
    }
    return true;
}

static PyObject *joined(const nx_graph *g, const side s[2], weft_vid meet, PyObject *const end[2]) {
    PyObject *list = PyList_New(0);
    for (weft_vid v = meet; list; v = s[0].at[v].before) {
        bool last = s[0].at[v].before == v;
        if (PyList_Append(list, last ? end[0] : g->node[v])) Py_CLEAR(list);
        if (last) break;
    }
    if (list && PyList_Reverse(list)) Py_CLEAR(list);
    for (weft_vid v = meet; list && s[1].at[v].before != v;) {
        v = s[1].at[v].before;
        if (PyList_Append(list, s[1].at[v].before == v ? end[1] : g->node[v])) Py_CLEAR(list);
    }
    return list;
}

/* bidirectional_dijkstra(source, target) -> (distance, path), or None.  The ends must differ, else KeyError. */
PyObject *nx_bidirectional_dijkstra(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    PyObject *end[2], *result = NULL;
    weft_vid v[2];
    meeting best = {.v = WEFT_NO_VERTEX};
    bool met = false;
    side s[2];
    nx_clock clock = {0};
    if (!PyArg_ParseTuple(args, "OO", &end[0], &end[1])) return NULL;
    if (!nx_require(g, end[0], &v[0]) || !nx_require(g, end[1], &v[1]) || !nx_need_incoming(g)) return NULL;
    bool good = side_open(&s[0], g, false);
    good = side_open(&s[1], g, true) && good;
    good = good && start(&s[0], v[0]) && start(&s[1], v[1]);
    good = good && not_too_many(g, 1);
    for (int d = 0; good && s[0].queue.waits && s[1].queue.waits && !met; d = !d) {
        weft_vid u;
        good = next_node(&s[d], &u);
        if (!good || s[d].at[u].done) continue;
        s[d].at[u].done = true;
        met = s[!d].at[u].done;
        if (!met) good = relax(s, d, u, &best) && nx_go_on(&clock, 16);
    }
    if (good && met && best.v == WEFT_NO_VERTEX) {
        PyObject *none =
            PyTuple_Pack(1, Py_None); /* both ends are one node that is not equal to itself: NetworkX's answer */
        PyErr_SetObject(PyExc_KeyError, none);
        Py_XDECREF(none);
    } else if (good && met) {
        PyObject *way = joined(g, s, best.v, end);
        if (way) result = Py_BuildValue("(NN)", nx_number(best.length, best.is_float), way);
    } else if (good) {
        Py_INCREF(Py_None);
        result = Py_None;
    }
    side_close(&s[0]);
    side_close(&s[1]);
    return result;
}
