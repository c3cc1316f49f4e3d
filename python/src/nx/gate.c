/* can_run and should_run of the backend, which NetworkX calls every time, for graphs of any size: the most frequent
 * answers, without a line of Python.  In all other cases the functions in Python are called
 * (weftgraph/nx/conditions.py, cost.py). */
#include "nx/graph.h"

/* The data of a gate, a tuple that is the self of its function. */
enum {
    TABLE,
    CLASSES,
    OTHERWISE,
    ADJACENCY,
    NODES,
    CACHE,
    BACKENDS,
    WEFT,
    CONVERTED,
    ROWS,
    OWN,
    VIEWED,
    ROWS_TYPE,
    SMALL,
    LESS,
    AS_FAST,
    KNOWN
};

static inline PyObject *known(PyObject *gate, int which) { return PyTuple_GetItem(gate, which); }

/* Is it an instance of exactly one of NetworkX's four classes? */
static bool is_exact(PyObject *gate, PyObject *G) {
    PyObject *classes = known(gate, CLASSES), *type = (PyObject *)Py_TYPE(G);
    for (Py_ssize_t i = 0, n = PyTuple_Size(classes); i < n; i++)
        if (PyTuple_GetItem(classes, i) == type) return true;
    return false;
}

/* 1: the attribute is a plain dict; 0: it is not; -1: an exception is set. */
static int is_dict(PyObject *G, PyObject *name) {
    PyObject *value = PyObject_GetAttr(G, name);
    int plain = value ? PyDict_CheckExact(value) : -1;
    Py_XDECREF(value);
    return plain;
}

/* 1: the graph shows the dicts of another, as NetworkX's views do; 0: it does not; -1: an exception is set. */
static int is_view(PyObject *gate, PyObject *G) {
    PyObject *own = PyObject_GetAttr(G, known(gate, OWN));
    int view = own ? PyDict_Contains(own, known(gate, VIEWED)) : -1;
    Py_XDECREF(own);
    return view;
}

static PyObject *ask_python(PyObject *gate, PyObject *const *args, Py_ssize_t count) {
    PyObject *all = PyTuple_New(count), *answer = NULL;
    for (Py_ssize_t i = 0; all && i < count; i++) {
        Py_INCREF(args[i]);
        PyTuple_SetItem(all, i, args[i]);
    }
    if (all) answer = PyObject_CallObject(known(gate, OTHERWISE), all);
    Py_XDECREF(all);
    return answer;
}

/* The graph of a call with positional arguments; NULL: there is none, or the call has another form. */
static PyObject *graph_of(PyObject *gate, PyObject *const *args, Py_ssize_t count, bool keywords) {
    if (count != 3 || !PyTuple_CheckExact(args[1]) || !PyTuple_Size(args[1]) || !PyDict_CheckExact(args[2]))
        return NULL;
    if (!keywords && PyDict_Size(args[2])) return NULL;
    PyObject *G = PyTuple_GetItem(args[1], 0);
    return is_exact(gate, G) ? G : NULL;
}

/* Are the arguments that matter the default objects themselves, which NetworkX often passes by position?  `free` is an
 * entry of the table: the position of the first such argument, 0 if that is the graph, and then the default of each
 * argument. */
static bool has_defaults(PyObject *free, PyObject *args) {
    Py_ssize_t count = PyTuple_Size(args), from = PyLong_AsSsize_t(PyTuple_GetItem(free, 0));
    if (!from || count > PyTuple_Size(free)) return false;
    for (Py_ssize_t i = from; i < count; i++)
        if (PyTuple_GetItem(args, i) != PyTuple_GetItem(free, i)) return false;
    return true;
}

/* can_run(name, args, kwargs): a plain graph, and no argument that would have to be checked. */
static PyObject *can_run(PyObject *gate, PyObject *const *args, Py_ssize_t count) {
    PyObject *G = graph_of(gate, args, count, false);
    PyObject *free = G ? PyDict_GetItemWithError(known(gate, TABLE), args[0]) : NULL;
    if (!free && PyErr_Occurred()) return NULL;
    if (!free || !has_defaults(free, args[1])) return ask_python(gate, args, count);
    int plain = is_view(gate, G);
    if (plain >= 0) plain = plain ? 0 : is_dict(G, known(gate, ADJACENCY));
    if (plain == 1) plain = is_dict(G, known(gate, NODES));
    if (plain < 0) return NULL;
    if (!plain) return ask_python(gate, args, count);
    Py_RETURN_TRUE;
}

/* The backend's graph in NetworkX's cache, a new reference; NULL: there is none, or an exception is set.  A copied
 * cache has None, and a graph pickled by an older NetworkX has no cache. */
static PyObject *converted_of(PyObject *gate, PyObject *G) {
    PyObject *cache = PyObject_GetAttr(G, known(gate, CACHE)), *all = NULL, *mine = NULL, *key, *value, *found = NULL;
    Py_ssize_t place = 0;
    if (!cache && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
    if (cache && PyDict_CheckExact(cache)) all = PyDict_GetItemWithError(cache, known(gate, BACKENDS));
    if (all && PyDict_Check(all)) mine = PyDict_GetItemWithError(all, known(gate, WEFT));
    for (int is = 0; !is && mine && PyDict_Check(mine) && PyDict_Next(mine, &place, &key, &value);) {
        if (Py_TYPE(value) != Py_TYPE(Py_None)) is = PyObject_IsInstance(value, known(gate, CONVERTED));
        if (is > 0) found = value;
    }
    Py_XINCREF(found);
    Py_XDECREF(cache);
    return found;
}

/* Nodes and arcs of a converted graph; -1: an exception is set. */
static Py_ssize_t size_of(PyObject *gate, PyObject *converted) {
    PyObject *rows = PyObject_GetAttr(converted, known(gate, ROWS));
    Py_ssize_t size = rows ? 0 : -1;
    if (rows && (PyObject *)Py_TYPE(rows) == known(gate, ROWS_TYPE))
        size = (Py_ssize_t)(((nx_graph *)rows)->n + ((nx_graph *)rows)->arcs);
    Py_XDECREF(rows);
    return size;
}

/* Are there at least `least` nodes and neighbours?  Counting stops there. */
static bool reaches(PyObject *adjacency, Py_ssize_t least) {
    PyObject *key, *row;
    Py_ssize_t place = 0, nodes = PyDict_Size(adjacency), size = nodes;
    if (size >= least) return true;
    if (nodes < least && nodes * (nodes + 1) < least) return false; /* no number of edges could be enough */
    while (size < least && PyDict_Next(adjacency, &place, &key, &row))
        if (PyDict_CheckExact(row)) size += PyDict_Size(row);
    return size >= least;
}

/* The same for a graph that is not converted; -1: an exception is set. */
static int is_large(PyObject *gate, PyObject *G, Py_ssize_t least) {
    PyObject *adjacency = PyObject_GetAttr(G, known(gate, ADJACENCY));
    int large = adjacency ? PyDict_CheckExact(adjacency) && reaches(adjacency, least) : -1;
    Py_XDECREF(adjacency);
    return large;
}

/* True, or the reason against: sizes are (for a graph that is not converted yet, for a converted graph); -1: none is
 * enough.  A third entry, if present, is called as should_run for large graphs that are not converted
 * (weftgraph/nx/rent.py). */
static PyObject *worth(PyObject *gate, PyObject *G, PyObject *sizes, PyObject *const *args) {
    PyObject *converted = converted_of(gate, G), *answer = Py_True;
    if (!converted && PyErr_Occurred()) return NULL;
    Py_ssize_t cold = PyLong_AsSsize_t(PyTuple_GetItem(sizes, 0));
    Py_ssize_t least = converted ? PyLong_AsSsize_t(PyTuple_GetItem(sizes, 1)) : cold, size = 0;
    int large = 1;
    if (least < 0) {
        answer = known(gate, cold < 0 ? LESS : AS_FAST);
    } else if (least > 0 && converted) {
        size = size_of(gate, converted);
        large = size < 0 ? -1 : size >= least;
    } else if (least > 0) {
        large = is_large(gate, G, least);
    }
    Py_XDECREF(converted);
    if (large < 0) return NULL;
    if (!large) answer = known(gate, SMALL);
    if (large && !converted && PyTuple_Size(sizes) > 2)
        return PyObject_CallFunctionObjArgs(PyTuple_GetItem(sizes, 2), args[0], args[1], args[2], NULL);
    Py_INCREF(answer);
    return answer;
}

/* should_run(name, args, kwargs) for functions in the table, with their sizes.  Python may answer with other sizes. */
static PyObject *should_run(PyObject *gate, PyObject *const *args, Py_ssize_t count) {
    PyObject *G = graph_of(gate, args, count, true);
    PyObject *sizes = G ? PyDict_GetItemWithError(known(gate, TABLE), args[0]) : NULL;
    if (sizes) return worth(gate, G, sizes, args);
    PyObject *answer = PyErr_Occurred() ? NULL : ask_python(gate, args, count);
    if (!answer || !G || !PyTuple_CheckExact(answer)) return answer;
    PyObject *said = worth(gate, G, answer, args);
    Py_DECREF(answer);
    return said;
}

static PyMethodDef can_run_function = {"can_run", (PyCFunction)(void (*)(void))can_run, METH_FASTCALL,
                                       "can_run(name, args, kwargs) -> True, or why not"};
static PyMethodDef should_run_function = {"should_run", (PyCFunction)(void (*)(void))should_run, METH_FASTCALL,
                                          "should_run(name, args, kwargs) -> True, or why not"};

static PyObject *new_gate(PyMethodDef *function, PyObject *table, PyObject *classes, PyObject *otherwise,
                          PyObject *converted, PyTypeObject *rows) {
    static const char *const names[KNOWN] = {[ADJACENCY] = "_adj",
                                             [NODES] = "_node",
                                             [CACHE] = "__networkx_cache__",
                                             [BACKENDS] = "backends",
                                             [WEFT] = "weft",
                                             [ROWS] = "_rows",
                                             [OWN] = "__dict__",
                                             [VIEWED] = "_graph",
                                             [SMALL] = "the graph is small",
                                             [LESS] = "the work is less than converting the graph",
                                             [AS_FAST] = "NetworkX is as fast"};
    PyObject *given[KNOWN] = {[TABLE] = table,
                              [CLASSES] = classes,
                              [OTHERWISE] = otherwise,
                              [CONVERTED] = converted,
                              [ROWS_TYPE] = (PyObject *)rows};
    PyObject *gate = PyTuple_New(KNOWN), *made = NULL;
    for (int i = 0; gate && i < KNOWN; i++) {
        PyObject *item = names[i] ? PyUnicode_InternFromString(names[i]) : given[i];
        if (!names[i]) Py_INCREF(item);
        if (item)
            PyTuple_SetItem(gate, i, item);
        else
            Py_CLEAR(gate);
    }
    if (gate) made = PyCFunction_NewEx(function, gate, NULL);
    Py_XDECREF(gate);
    return made;
}

PyObject *nx_gates(PyObject *module, PyObject *args) {
    PyObject *free, *sizes, *classes, *can, *should, *converted, *first = NULL, *second = NULL, *both = NULL;
    PyTypeObject *rows = binding_of(module)->nx_graph;
    if (!PyArg_ParseTuple(args, "O!OO!OO!O", &PyDict_Type, &free, &can, &PyDict_Type, &sizes, &should, &PyTuple_Type,
                          &classes, &converted))
        return NULL;
    first = new_gate(&can_run_function, free, classes, can, converted, rows);
    second = first ? new_gate(&should_run_function, sizes, classes, should, converted, rows) : NULL;
    if (second) both = PyTuple_Pack(2, first, second);
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}
