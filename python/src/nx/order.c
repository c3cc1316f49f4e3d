/* Strong components and topological generations in NetworkX's order. */
#include "nx/graph.h"

#include <stdlib.h>

/* [1] Nuutila, Soisalon-Soininen, "On finding the strongly connected components in a directed graph", IPL 1994: as in
 * NetworkX, without recursion, components in a reverse topological order. */
typedef struct tarjan {
    const nx_graph *g;
    uint64_t *next; /* next arc of each node */
    weft_vid *preorder, *low, *queue, *waiting;
    uint8_t *found;
    weft_vid seen;
    size_t queued, waits;
} tarjan;

static PyObject *take_component(tarjan *t, weft_vid v) {
    PyObject *set = PySet_New(NULL);
    for (;;) {
        t->found[v] = 1;
        if (set && PySet_Add(set, t->g->node[v])) Py_CLEAR(set);
        weft_vid root = t->queue[t->queued]; /* just taken from the queue */
        if (!t->waits || t->preorder[t->waiting[t->waits - 1]] <= t->preorder[root]) return set;
        v = t->waiting[--t->waits];
    }
}

static bool finish(tarjan *t, weft_vid v, PyObject *list) {
    const nx_rows *out = &t->g->out;
    weft_vid low = t->preorder[v];
    for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++) {
        weft_vid w = out->targets[e];
        if (t->found[w]) continue;
        weft_vid reach = t->preorder[w] > t->preorder[v] ? t->low[w] : t->preorder[w];
        if (reach < low) low = reach;
    }
    t->low[v] = low;
    t->queued--;
    if (low == t->preorder[v]) return nx_append(list, take_component(t, v));
    t->waiting[t->waits++] = v;
    return true;
}

static bool search(tarjan *t, PyObject *list) {
    const nx_rows *out = &t->g->out;
    nx_clock clock = {0};
    for (weft_vid source = 0; source < t->g->n; source++) {
        if (t->found[source]) continue;
        t->queue[t->queued++] = source;
        while (t->queued) {
            weft_vid v = t->queue[t->queued - 1];
            if (!t->preorder[v]) t->preorder[v] = ++t->seen;
            uint64_t from = t->next[v];
            while (t->next[v] < out->offsets[v + 1] && t->preorder[out->targets[t->next[v]]]) t->next[v]++;
            if (!nx_go_on(&clock, t->next[v] - from + 1)) return false;
            if (t->next[v] < out->offsets[v + 1])
                t->queue[t->queued++] = out->targets[t->next[v]++];
            else if (!finish(t, v, list))
                return false;
        }
    }
    return true;
}

/* strong() -> list of sets */
PyObject *nx_strong(PyObject *self, PyObject *none) {
    const nx_graph *g = (nx_graph *)self;
    size_t n = g->n + 1;
    tarjan t = {.g = g,
                .next = malloc(n * sizeof *t.next),
                .preorder = calloc(n, sizeof *t.preorder),
                .low = malloc(n * sizeof *t.low),
                .queue = malloc(n * sizeof *t.queue),
                .waiting = malloc(n * sizeof *t.waiting),
                .found = calloc(n, 1)};
    PyObject *list = NULL;
    (void)none;
    if (t.next && t.preorder && t.low && t.queue && t.waiting && t.found) {
        for (uint64_t v = 0; v < g->n; v++) t.next[v] = g->out.offsets[v];
        list = PyList_New(0);
        if (list && !search(&t, list)) Py_CLEAR(list);
    } else {
        PyErr_NoMemory();
    }
    free(t.next);
    free(t.preorder);
    free(t.low);
    free(t.queue);
    free(t.waiting);
    free(t.found);
    return list;
}

/* Counts the arcs that each node waits for; nodes that wait for none begin the order.  False: out of memory. */
static bool count_missing(const nx_graph *g, uint64_t **missing, weft_vid **order, uint64_t *count) {
    *missing = nx_take_zeros(g->n, sizeof **missing);
    *order = nx_take(g->n, sizeof **order);
    *count = 0;
    if (!*missing || !*order) {
        PyErr_NoMemory();
        return false;
    }
    for (uint64_t e = 0; e < g->arcs; e++) (*missing)[g->out.targets[e]]++;
    for (uint64_t v = 0; v < g->n; v++)
        if (!(*missing)[v]) (*order)[(*count)++] = (weft_vid)v;
    return true;
}

/* Prefetches for the rows after position i of the order: nodes, offsets, targets, counters, each when the one before
 * has arrived. */
NX_FETCHES void fetch_ahead(const nx_graph *g, const uint64_t *missing, const weft_vid *order, uint64_t count,
                            uint64_t i) {
    const nx_rows *out = &g->out;
    nx_fetch_node(g, order, count, i);
    if (i + 3 * NX_AHEAD < count) __builtin_prefetch(&out->offsets[order[i + 3 * NX_AHEAD]]);
    if (i + 2 * NX_AHEAD < count) __builtin_prefetch(&out->targets[out->offsets[order[i + 2 * NX_AHEAD]]]);
    if (i + NX_AHEAD < count) {
        weft_vid v = order[i + NX_AHEAD];
        for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++)
            __builtin_prefetch(&missing[out->targets[e]], 1);
    }
}

/* generations() -> (list of lists, True if they contain every node) */
PyObject *nx_generations(PyObject *self, PyObject *none) {
    const nx_graph *g = (nx_graph *)self;
    uint64_t *missing, count;
    weft_vid *order;
    PyObject *list = count_missing(g, &missing, &order, &count) ? PyList_New(0) : NULL;
    nx_clock clock = {0};
    (void)none;
    for (uint64_t i = 0; list && i < count;) {
        uint64_t end = count;
        PyObject *generation = PyList_New(0);
        for (; generation && i < end; i++) {
            weft_vid v = order[i];
            fetch_ahead(g, missing, order, count, i);
            if (PyList_Append(generation, g->node[v])) Py_CLEAR(generation);
            for (uint64_t e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++)
                if (!--missing[g->out.targets[e]]) order[count++] = g->out.targets[e];
            if (!nx_go_on(&clock, g->out.offsets[v + 1] - g->out.offsets[v] + 4)) Py_CLEAR(generation);
        }
        if (!nx_append(list, generation)) Py_CLEAR(list);
    }
    free(missing);
    free(order);
    return list ? Py_BuildValue("(NN)", list, PyBool_FromLong(count == g->n)) : NULL;
}

/* The maximum weight of the arcs to one neighbour, which begin at *e. */
static double heaviest(const nx_rows *out, uint64_t *e, uint64_t end) {
    weft_vid w = out->targets[*e];
    double most = out->weights ? out->weights[*e] : 1;
    while (++*e < end && out->targets[*e] == w)
        if (out->weights && out->weights[*e] > most) most = out->weights[*e];
    return most;
}

/* longest() -> the length of the longest path by weight, 0 if none is positive; None: there is a cycle. */
PyObject *nx_longest(PyObject *self, PyObject *none) {
    const nx_graph *g = (nx_graph *)self;
    uint64_t *missing, count;
    double *reach = nx_take_zeros(g->n, sizeof *reach), most = 0; /* below 0, a path starts anew */
    weft_vid *order;
    (void)none;
    if (count_missing(g, &missing, &order, &count) && reach) {
        for (uint64_t i = 0; i < count; i++) {
            weft_vid v = order[i];
            if (reach[v] > most) most = reach[v];
            for (uint64_t e = g->out.offsets[v], end = g->out.offsets[v + 1]; e < end;) {
                weft_vid w = g->out.targets[e];
                uint64_t first = e;
                double there = reach[v] + heaviest(&g->out, &e, end);
                if (there > reach[w]) reach[w] = there;
                if (!(missing[w] -= e - first)) order[count++] = w;
            }
        }
    } else {
        PyErr_NoMemory();
    }
    free(missing);
    free(reach);
    free(order);
    if (PyErr_Occurred()) return NULL;
    if (count < g->n) Py_RETURN_NONE;
    return g->all_float && most > 0 ? PyFloat_FromDouble(most) : PyLong_FromLongLong((long long)most);
}
