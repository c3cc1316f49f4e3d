/* The algorithm of Bellman and Ford with a queue, as in NetworkX: nodes in the order in which they are first reached,
 * and among several shortest paths the path that NetworkX finds first.
 * Needs: weights of 0 or more, as in nx/dijkstra.c; so there is no negative cycle, and its checks are not needed.  A
 * node waits while one of its predecessors is in the queue, so all predecessors on shortest paths are kept, as lists in
 * a pool. */
#include "nx/graph.h"

#include <math.h>
#include <stdlib.h>

typedef struct pred_link {
    weft_vid v;
    uint32_t next; /* 0: the last */
} pred_link;

typedef struct relaxing {
    const nx_graph *g;
    double *distance;
    uint8_t *is_float, *reached, *queued;
    weft_vid *order, *queue; /* queue: a ring of n + 1 */
    uint64_t count, head, tail;
    pred_link *pool;
    uint32_t *first, *last; /* of each node's predecessors; 0: none */
    uint32_t used, room;
} relaxing;

static bool open_all(relaxing *r, const nx_graph *g) {
    size_t n = g->n + 2;
    *r = (relaxing){.g = g, .used = 1, .room = 1024};
    r->distance = malloc(n * sizeof *r->distance);
    r->is_float = calloc(n, 1);
    r->reached = calloc(n, 1);
    r->queued = calloc(n, 1);
    r->order = malloc(n * sizeof *r->order);
    r->queue = malloc(n * sizeof *r->queue);
    r->first = calloc(n, sizeof *r->first);
    r->last = calloc(n, sizeof *r->last);
    r->pool = malloc(r->room * sizeof *r->pool);
    if (r->distance && r->is_float && r->reached && r->queued && r->order && r->queue && r->first && r->last && r->pool)
        return true;
    PyErr_NoMemory();
    return false;
}

static void close_all(relaxing *r) {
    free(r->distance);
    free(r->is_float);
    free(r->reached);
    free(r->queued);
    free(r->order);
    free(r->queue);
    free(r->first);
    free(r->last);
    free(r->pool);
}

static bool add_predecessor(relaxing *r, weft_vid v, weft_vid u) {
    if (r->used == r->room) {
        pred_link *more = r->room < UINT32_MAX / 2 ? realloc(r->pool, 2 * (size_t)r->room * sizeof *more) : NULL;
        if (!more) {
            PyErr_NoMemory();
            return false;
        }
        r->pool = more;
        r->room *= 2;
    }
    r->pool[r->used] = (pred_link){u, 0};
    if (r->first[v])
        r->pool[r->last[v]].next = r->used;
    else
        r->first[v] = r->used;
    r->last[v] = r->used++;
    return true;
}

static void enqueue(relaxing *r, weft_vid v) {
    r->queue[r->tail] = v;
    r->tail = r->tail == r->g->n ? 0 : r->tail + 1;
    r->queued[v] = 1;
}

static bool must_wait(const relaxing *r, weft_vid u) {
    for (uint32_t at = r->first[u]; at; at = r->pool[at].next)
        if (r->queued[r->pool[at].v]) return true;
    return false;
}

static bool relax(relaxing *r, weft_vid u) {
    const nx_rows *out = &r->g->out;
    double from = r->distance[u];
    for (uint64_t e = out->offsets[u], end = out->offsets[u + 1]; e < end;) {
        weft_vid v = out->targets[e];
        bool is_float;
        double there = from + nx_shortest(out, r->g->all_float, &e, end, &is_float);
        if (there < (r->reached[v] ? r->distance[v] : INFINITY)) { /* an infinite weight reaches no node */
            if (!r->reached[v]) r->order[r->count++] = v;
            if (!r->queued[v]) enqueue(r, v);
            r->reached[v] = 1;
            r->distance[v] = there;
            r->is_float[v] = is_float || r->is_float[u];
            r->first[v] = 0;
            if (!add_predecessor(r, v, u)) return false;
        } else if (r->reached[v] && there == r->distance[v] && !add_predecessor(r, v, u)) {
            return false;
        }
    }
    return true;
}

static bool run(relaxing *r, weft_vid source) {
    nx_clock clock = {0};
    r->distance[source] = 0;
    r->reached[source] = 1;
    r->order[r->count++] = source;
    enqueue(r, source);
    while (r->head != r->tail) {
        weft_vid u = r->queue[r->head];
        r->head = r->head == r->g->n ? 0 : r->head + 1;
        r->queued[u] = 0;
        if (!must_wait(r, u) && !relax(r, u)) return false;
        if (!nx_go_on(&clock, 8 + r->g->out.offsets[u + 1] - r->g->out.offsets[u])) return false;
    }
    return true;
}

/* The path from the source along first predecessors. */
static PyObject *path_to(const relaxing *r, weft_vid v, weft_vid source, PyObject *given, PyObject *target) {
    PyObject *list = PyList_New(0);
    for (weft_vid at = v; list; at = r->pool[r->first[at]].v) {
        PyObject *node = at == source ? given : at == v && target ? target : r->g->node[at];
        if (PyList_Append(list, node)) Py_CLEAR(list);
        if (at == source) break;
    }
    if (list && PyList_Reverse(list)) Py_CLEAR(list);
    return list;
}

static PyObject *all_of(const relaxing *r, PyObject *given, bool with_paths) {
    PyObject *distances = PyDict_New(), *paths = with_paths ? PyDict_New() : Py_None;
    bool good = distances && paths;
    if (!with_paths) Py_INCREF(paths);
    for (uint64_t i = 0; good && i < r->count; i++) {
        weft_vid v = r->order[i];
        PyObject *key = i ? r->g->node[v] : given, *value = nx_number(r->distance[v], r->is_float[v]), *path = NULL;
        good = value && !PyDict_SetItem(distances, key, value);
        if (good && with_paths) {
            path = path_to(r, v, r->order[0], given, NULL);
            good = path && !PyDict_SetItem(paths, key, path);
        }
        Py_XDECREF(path);
        Py_XDECREF(value);
    }
    PyObject *both = good ? PyTuple_Pack(2, distances, paths) : NULL;
    Py_XDECREF(distances);
    Py_XDECREF(paths);
    return both;
}

/* bellman_ford(source, target or None, with_paths): as dijkstra(). */
PyObject *nx_bellman_ford(PyObject *self, PyObject *args) {
    nx_graph *g = (nx_graph *)self;
    PyObject *source, *target, *result = NULL;
    int with_paths;
    weft_vid s, t = WEFT_NO_VERTEX;
    relaxing r;
    if (!PyArg_ParseTuple(args, "OOp", &source, &target, &with_paths) || !nx_require(g, source, &s)) return NULL;
    int64_t at = target == Py_None ? -1 : nx_number_of(g, target);
    if (at == -2) return NULL;
    if (at >= 0) t = (weft_vid)at;
    if (open_all(&r, g) && run(&r, s)) {
        if (target == Py_None) {
            result = all_of(&r, source, with_paths);
        } else if (t != WEFT_NO_VERTEX && r.reached[t]) {
            PyObject *path = path_to(&r, t, s, source, target);
            if (path) result = Py_BuildValue("(NN)", nx_number(r.distance[t], r.is_float[t]), path);
        } else {
            Py_INCREF(Py_None);
            result = Py_None;
        }
    }
    close_all(&r);
    return result;
}
