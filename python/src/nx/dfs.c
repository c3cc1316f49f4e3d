/* Depth-first searches in NetworkX's order: a cycle, Kosaraju's components; and arcs between groups of nodes. */
#include "nx/graph.h"

#include <stdlib.h>
#include <string.h>

/* cycle(list of start nodes) -> the nodes of the cycle that NetworkX's find_cycle finds first, or None.  An edge to a
 * node of the current path closes the cycle; in an undirected graph the edge by which a node was reached does not
 * count. */
PyObject *nx_cycle(PyObject *self, PyObject *starts) {
    nx_graph *g = (nx_graph *)self;
    const nx_rows *out = &g->out;
    enum { NEW = 0, ON_PATH, LEFT };
    uint8_t *state = calloc(g->n + 1, 1);
    uint64_t *next = malloc((g->n + 1) * sizeof *next);
    weft_vid *path = malloc((g->n + 1) * sizeof *path), closes = WEFT_NO_VERTEX;
    size_t length = 0;
    PyObject *list = NULL;
    nx_clock clock = {0};
    if (!state || !next || !path) PyErr_NoMemory();
    if (!PyList_Check(starts)) PyErr_SetString(PyExc_TypeError, "a list of nodes is needed");
    for (Py_ssize_t k = 0; !PyErr_Occurred() && closes == WEFT_NO_VERTEX && k < PyList_Size(starts); k++) {
        weft_vid start;
        if (!nx_require(g, PyList_GetItem(starts, k), &start)) break;
        if (state[start] != NEW) continue;
        state[path[length++] = start] = ON_PATH;
        next[start] = out->offsets[start];
        while (length && closes == WEFT_NO_VERTEX && nx_go_on(&clock, 1)) {
            weft_vid v = path[length - 1];
            if (next[v] == out->offsets[v + 1]) {
                state[v] = LEFT;
                length--;
                continue;
            }
            weft_vid w = out->targets[next[v]++];
            if (!g->directed && length > 1 && w == path[length - 2]) continue;
            if (state[w] == ON_PATH) closes = w;
            if (state[w] != NEW) continue;
            state[path[length++] = w] = ON_PATH;
            next[w] = out->offsets[w];
        }
    }
    if (closes != WEFT_NO_VERTEX && !PyErr_Occurred()) {
        size_t first = length;
        while (path[--first] != closes) {}
        list = PyList_New(0);
        for (; list && first < length; first++)
            if (PyList_Append(list, g->node[path[first]])) Py_CLEAR(list);
    }
    free(state);
    free(next);
    free(path);
    if (list || PyErr_Occurred()) return list;
    Py_RETURN_NONE;
}

/* --- Kosaraju ----------------------------------------------------------------------------------------- */

/* Nodes in postorder of a search along incoming arcs. */
static uint64_t postorder(const nx_graph *g, int64_t source, uint8_t *seen, uint64_t *next, weft_vid *path,
                          weft_vid *post) {
    uint64_t count = 0;
    for (uint64_t start = source < 0 ? 0 : (uint64_t)source; start < g->n; start = source < 0 ? start + 1 : g->n) {
        size_t length = 0;
        if (seen[start]) continue;
        seen[start] = 1;
        path[length++] = (weft_vid)start;
        next[start] = g->in.offsets[start];
        while (length) {
            weft_vid v = path[length - 1];
            if (next[v] == g->in.offsets[v + 1]) {
                post[count++] = v;
                length--;
                continue;
            }
            weft_vid w = g->in.targets[next[v]++];
            if (seen[w]) continue;
            seen[path[length++] = w] = 1;
            next[w] = g->in.offsets[w];
        }
    }
    return count;
}

/* As in NetworkX: the search ends after as many nodes as the postorder has, even if other nodes were among them. */
static PyObject *gather(const nx_graph *g, weft_vid root, int64_t *left, uint8_t *seen, weft_vid *stack) {
    size_t length = 0;
    PyObject *set = PySet_New(NULL);
    if (set && PySet_Add(set, g->node[root])) Py_CLEAR(set);
    seen[stack[length++] = root] = 1;
    --*left;
    while (set && length && *left > 0) {
        weft_vid v = stack[--length];
        for (uint64_t e = g->out.offsets[v]; set && e < g->out.offsets[v + 1]; e++) {
            weft_vid w = g->out.targets[e];
            if (seen[w]) continue;
            seen[stack[length++] = w] = 1;
            --*left;
            if (PySet_Add(set, g->node[w])) Py_CLEAR(set);
        }
    }
    return set;
}

/* kosaraju(node or None) -> list of sets, for a directed graph */
PyObject *nx_kosaraju(PyObject *self, PyObject *source) {
    nx_graph *g = (nx_graph *)self;
    weft_vid first = 0;
    if (!g->directed) PyErr_SetString(PyExc_ValueError, "the edges of an undirected graph have no direction");
    if (!g->directed || !nx_need_incoming(g) || (source != Py_None && !nx_require(g, source, &first))) return NULL;
    size_t n = g->n + 1;
    uint8_t *seen = calloc(n, 1);
    uint64_t *next = malloc(n * sizeof *next), count = 0;
    weft_vid *path = malloc(n * sizeof *path), *post = malloc(n * sizeof *post);
    PyObject *list = NULL;
    if (seen && next && path && post) {
        count = postorder(g, source == Py_None ? -1 : (int64_t)first, seen, next, path, post);
        memset(seen, 0, n);
        list = PyList_New(0);
    } else {
        PyErr_NoMemory();
    }
    int64_t left = (int64_t)count;
    for (uint64_t i = count; list && i-- && left > 0;)
        if (!seen[post[i]] && !nx_append(list, gather(g, post[i], &left, seen, path))) Py_CLEAR(list);
    free(seen);
    free(next);
    free(path);
    free(post);
    return list;
}

/* --- groups --------------------------------------------------------------------------------------------- */

/* between(array of u32: the group of each node) -> [(a, b)]: groups joined by an arc, each pair once, in the order of
 * the arcs. */
PyObject *nx_between(PyObject *self, PyObject *groups) {
    nx_graph *g = (nx_graph *)self;
    Py_buffer view;
    if (PyObject_GetBuffer(groups, &view, PyBUF_C_CONTIGUOUS)) return NULL;
    PyObject *list = NULL, *known = PySet_New(NULL);
    const uint32_t *of = view.buf;
    if ((uint64_t)view.len == g->n * sizeof *of)
        list = known ? PyList_New(0) : NULL;
    else
        PyErr_SetString(PyExc_ValueError, "a group for each node is needed");
    for (uint64_t u = 0; list && u < g->n; u++)
        for (uint64_t e = g->out.offsets[u]; list && e < g->out.offsets[u + 1]; e++) {
            weft_vid w = g->out.targets[e];
            if (of[u] == of[w]) continue;
            PyObject *pair = Py_BuildValue("(II)", of[u], of[w]);
            Py_ssize_t before = PySet_Size(known);
            if (!pair || PySet_Add(known, pair) || (PySet_Size(known) > before && PyList_Append(list, pair)))
                Py_CLEAR(list);
            Py_XDECREF(pair);
        }
    Py_XDECREF(known);
    PyBuffer_Release(&view);
    return list;
}
