/* Dijkstra's algorithm as NetworkX runs it: the nearest node first, of equally near ones the first that got its distance, so that
 * the order of the answer and the choice among shortest paths are NetworkX's.
 * Needs: weights of 0 or more, whole sums below 2^53 (weftgraph/nx/weights.py sees to it).  Parallel edges count as their shortest.
 * A distance is an int as long as all weights on its path are. */
#include "nx_graph.h"

#include <math.h>
#include <stdlib.h>

typedef struct entry {
    double distance;
    uint64_t number; /* in order of pushing: ties */
    weft_vid v;
} entry;

typedef struct side {
    const nx_rows *rows;
    entry *heap;
    size_t count, room;
    double *distance;  /* the smallest seen */
    uint8_t *state;    /* NEW, SEEN, DONE */
    uint8_t *is_float; /* of distance; NULL: all_float */
    bool all_float;
    weft_vid *before;
} side;

enum { NEW = 0, SEEN, DONE };

static bool side_open(side *s, const nx_graph *g, bool reverse) {
    *s = (side){.rows = nx_side(g, reverse), .all_float = g->all_float, .room = 256};
    s->heap = malloc(s->room * sizeof *s->heap);
    s->distance = malloc((g->n + 1) * sizeof *s->distance);
    s->state = calloc(g->n + 1, 1);
    s->is_float = calloc(g->n + 1, 1);
    s->before = malloc((g->n + 1) * sizeof *s->before);
    if (s->heap && s->distance && s->state && s->is_float && s->before) return true;
    PyErr_NoMemory();
    return false;
}

static void side_close(side *s) {
    free(s->heap);
    free(s->distance);
    free(s->state);
    free(s->is_float);
    free(s->before);
}

static inline bool comes_first(const entry *a, const entry *b) {
    return a->distance < b->distance || (a->distance == b->distance && a->number < b->number);
}

static bool push(side *s, entry x) {
    if (s->count == s->room) {
        entry *more = realloc(s->heap, 2 * s->room * sizeof *more);
        if (!more) {
            PyErr_NoMemory();
            return false;
        }
        s->heap = more;
        s->room *= 2;
    }
    size_t i = s->count++;
    for (; i; i = (i - 1) / 4) {
        if (!comes_first(&x, &s->heap[(i - 1) / 4])) break;
        s->heap[i] = s->heap[(i - 1) / 4];
    }
    s->heap[i] = x;
    return true;
}

static entry pop(side *s) {
    entry first = s->heap[0], last = s->heap[--s->count];
    size_t i = 0;
    for (;;) {
        size_t child = 4 * i + 1, end = child + 4 < s->count ? child + 4 : s->count, least = child;
        if (child >= s->count) break;
        for (size_t k = child + 1; k < end; k++)
            if (comes_first(&s->heap[k], &s->heap[least])) least = k;
        if (!comes_first(&s->heap[least], &last)) break;
        s->heap[i] = s->heap[least];
        i = least;
    }
    s->heap[i] = last;
    return first;
}

static bool start(side *s, weft_vid v, uint64_t *number) {
    s->distance[v] = 0;
    s->state[v] = SEEN;
    s->is_float[v] = 0;
    s->before[v] = v;
    return push(s, (entry){0, (*number)++, v});
}

/* --- from one side ---------------------------------------------------------------------------------- */

typedef struct answer {
    nx_graph *g;
    PyObject *sources; /* as given */
    weft_vid *order;   /* in which nodes were done */
    uint64_t count, source_count;
} answer;

static bool search(side *s, answer *a, double cutoff, int64_t target) {
    uint64_t next = 0;
    nx_clock clock = {0};
    for (Py_ssize_t i = 0; i < PyList_Size(a->sources); i++) {
        weft_vid v;
        if (!nx_require(a->g, PyList_GetItem(a->sources, i), &v) || !start(s, v, &next)) return false;
        a->source_count++;
    }
    while (s->count) {
        entry here = pop(s);
        if (s->state[here.v] == DONE) continue;
        s->state[here.v] = DONE;
        a->order[a->count++] = here.v;
        if (here.v == target) break;
        uint64_t end = s->rows->offsets[here.v + 1];
        for (uint64_t e = s->rows->offsets[here.v]; e < end;) {
            weft_vid w = s->rows->targets[e];
            bool is_float;
            double there = here.distance + nx_shortest(s->rows, s->all_float, &e, end, &is_float);
            if (there > cutoff || s->state[w] == DONE || (s->state[w] == SEEN && there >= s->distance[w])) continue;
            s->state[w] = SEEN;
            s->distance[w] = there;
            s->is_float[w] = is_float || s->is_float[here.v];
            s->before[w] = here.v;
            if (!push(s, (entry){there, next++, w})) return false;
        }
        if (!nx_go_on(&clock, 8 + 4 * (end - s->rows->offsets[here.v]))) return false;
    }
    return true;
}

static PyObject *shown(const answer *a, uint64_t i) {
    PyObject *node = i < a->source_count ? PyList_GetItem(a->sources, (Py_ssize_t)i) : a->g->node[a->order[i]];
    Py_XINCREF(node);
    return node;
}

static PyObject *distances(const side *s, const answer *a) {
    PyObject *dict = PyDict_New();
    for (uint64_t i = 0; dict && i < a->count; i++) {
        weft_vid v = a->order[i];
        PyObject *key = shown(a, i), *value = nx_number(s->distance[v], s->is_float[v]);
        if (!key || !value || PyDict_SetItem(dict, key, value)) Py_CLEAR(dict);
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject *paths(const side *s, const answer *a) {
    PyObject *dict = PyDict_New(), **of = calloc(a->g->n + 1, sizeof *of);
    nx_clock clock = {0};
    if (!of) PyErr_NoMemory();
    for (uint64_t i = 0; of && dict && i < a->count; i++) {
        PyObject *key = shown(a, i), *list = NULL, *before = i < a->source_count ? NULL : of[s->before[a->order[i]]];
        Py_ssize_t size = before ? PyList_Size(before) : 0;
        if (key) list = before ? PyList_GetSlice(before, 0, size) : PyList_New(0);
        if (!list || PyList_Append(list, key) || PyDict_SetItem(dict, key, list) ||
            !nx_go_on(&clock, 8 + (uint64_t)size))
            Py_CLEAR(dict);
        of[a->order[i]] = list;
        Py_XDECREF(list);
        Py_XDECREF(key);
    }
    free(of);
    if (PyErr_Occurred()) Py_CLEAR(dict);
    return dict;
}

/* The node at an end of a path is the object that the caller gave. */
static PyObject *path_to(const side *s, const answer *a, weft_vid target, PyObject *given) {
    PyObject *list = PyList_New(0);
    for (weft_vid v = target; list;) {
        bool is_source = s->before[v] == v;
        PyObject *node = is_source ? NULL : v == target ? given : a->g->node[v];
        for (uint64_t i = 0; is_source && i < a->source_count; i++)
            if (a->order[i] == v) node = PyList_GetItem(a->sources, (Py_ssize_t)i);
        if (!node || PyList_Append(list, node)) Py_CLEAR(list);
        if (is_source) break;
        v = s->before[v];
    }
    if (list && PyList_Reverse(list)) Py_CLEAR(list);
    return list;
}

/* dijkstra(sources, reverse, cutoff, target or None, with_paths): a dict of distances and one of paths (or None), in the order of
 * distance; with a target, its distance and path, or None if there is none. */
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
    a.order = malloc((g->n + 1) * sizeof *a.order);
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
        } else if (has_target && s.state[t] == DONE) {
            PyObject *way = path_to(&s, &a, t, target);
            if (way) result = Py_BuildValue("(NN)", nx_number(s.distance[t], s.is_float[t]), way);
        } else {
            Py_INCREF(Py_None);
            result = Py_None;
        }
    }
    side_close(&s);
    free(a.order);
    return result;
}

/* --- from both sides ------------------------------------------------------------------------------------ */

static bool relax(side s[2], int d, entry here, uint64_t *next, double *best, bool *best_float, weft_vid *meet) {
    uint64_t end = s[d].rows->offsets[here.v + 1];
    for (uint64_t e = s[d].rows->offsets[here.v]; e < end;) {
        weft_vid w = s[d].rows->targets[e];
        bool is_float;
        double there = here.distance + nx_shortest(s[d].rows, s[d].all_float, &e, end, &is_float);
        if (s[d].state[w] == DONE || (s[d].state[w] == SEEN && there >= s[d].distance[w])) continue;
        s[d].state[w] = SEEN;
        s[d].distance[w] = there;
        s[d].is_float[w] = is_float || s[d].is_float[here.v];
        s[d].before[w] = here.v;
        if (!push(&s[d], (entry){there, (*next)++, w})) return false;
        if (s[!d].state[w] == NEW) continue;
        double whole = there + s[!d].distance[w];
        if (*meet != WEFT_NO_VERTEX && *best <= whole) continue;
        *best = whole;
        *best_float = s[d].is_float[w] || s[!d].is_float[w];
        *meet = w;
    }
    return true;
}

static PyObject *joined(const nx_graph *g, const side s[2], weft_vid meet, PyObject *const end[2]) {
    PyObject *list = PyList_New(0);
    for (weft_vid v = meet; list; v = s[0].before[v]) {
        bool last = s[0].before[v] == v;
        if (PyList_Append(list, last ? end[0] : g->node[v])) Py_CLEAR(list);
        if (last) break;
    }
    if (list && PyList_Reverse(list)) Py_CLEAR(list);
    for (weft_vid v = meet; list && s[1].before[v] != v;) {
        v = s[1].before[v];
        if (PyList_Append(list, s[1].before[v] == v ? end[1] : g->node[v])) Py_CLEAR(list);
    }
    return list;
}

/* bidirectional_dijkstra(source, target) -> (distance, path), None without one. */
PyObject *nx_bidirectional_dijkstra(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    PyObject *end[2], *result = NULL;
    weft_vid v[2], meet = WEFT_NO_VERTEX;
    double best = 0;
    bool best_float = false, met = false;
    uint64_t next = 0;
    side s[2];
    nx_clock clock = {0};
    if (!PyArg_ParseTuple(args, "OO", &end[0], &end[1])) return NULL;
    if (!nx_require(g, end[0], &v[0]) || !nx_require(g, end[1], &v[1]) || !nx_need_incoming(g)) return NULL;
    bool good = side_open(&s[0], g, false);
    good = side_open(&s[1], g, true) && good;
    good = good && start(&s[0], v[0], &next) && start(&s[1], v[1], &next);
    for (int d = 0; good && s[0].count && s[1].count && !met; d = !d) {
        entry here = pop(&s[d]);
        if (s[d].state[here.v] == DONE) continue;
        s[d].state[here.v] = DONE;
        met = s[!d].state[here.v] == DONE;
        if (!met) good = relax(s, d, here, &next, &best, &best_float, &meet) && nx_go_on(&clock, 16);
    }
    if (good && met) {
        PyObject *way = joined(g, s, meet, end);
        if (way) result = Py_BuildValue("(NN)", nx_number(best, best_float), way);
    } else if (good) {
        Py_INCREF(Py_None);
        result = Py_None;
    }
    side_close(&s[0]);
    side_close(&s[1]);
    return result;
}
