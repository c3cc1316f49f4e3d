/* Functions of several graphs: the changes from one to another, and their union, intersection or difference. */
#include "binding.h"

#include <stddef.h>
#include <stdlib.h>

/* changes(graph, graph, weights, options) -> (columns, scalars) */
PyObject *graphs_changes(PyObject *module, PyObject *args) {
    binding_state *state = binding_of(module);
    PyObject *a, *b, *options, *owner = NULL;
    weft_changes_params p = WEFT_CHANGES_DEFAULTS;
    weft_result *r = NULL;
    binding_call c;
    if (!PyArg_ParseTuple(args, "O!O!pO!", state->graph, &a, state->graph, &b, &p.weights, &PyDict_Type, &options) ||
        !graph_is_sound(a) || !graph_is_sound(b) || !call_begin(&c, state, options))
        return NULL;
    call_leave_python(&c);
    weft_status st = weft_graph_changes(c.ctx, ((graph *)a)->g, ((graph *)b)->g, &p, &r);
    call_enter_python(&c);
    if (call_end(&c, st))
        owner = result_own(r);
    else
        weft_result_free(r);
    if (!owner) return NULL;
    PyObject *answer = Py_BuildValue("(NN)", result_columns(state, 0, owner, r), result_scalars(r));
    Py_DECREF(owner);
    return answer;
}

/* The library's graphs of a list, to be freed by free(); NULL: an exception is set. */
static const weft_graph **graphs_of(binding_state *state, PyObject *list, size_t *count) {
    Py_ssize_t length = PyList_Size(list);
    const weft_graph **graphs = calloc((size_t)length + 1, sizeof *graphs);
    if (!graphs) PyErr_NoMemory();
    for (Py_ssize_t i = 0; graphs && i < length; i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (!PyObject_TypeCheck(item, state->graph)) PyErr_SetString(PyExc_TypeError, "graphs are needed");
        if (PyErr_Occurred() || !graph_is_sound(item)) {
            free(graphs);
            return NULL;
        }
        graphs[i] = ((graph *)item)->g;
    }
    *count = (size_t)length;
    return graphs;
}

/* merge([graph, ...], mode, duplicates, options) -> graph */
PyObject *graphs_merge(PyObject *module, PyObject *args) {
    binding_state *state = binding_of(module);
    PyObject *list, *options;
    weft_merge_params p = WEFT_MERGE_DEFAULTS;
    weft_graph *merged = NULL;
    binding_call c;
    size_t count;
    int mode, duplicates;
    if (!PyArg_ParseTuple(args, "O!iiO!", &PyList_Type, &list, &mode, &duplicates, &PyDict_Type, &options)) return NULL;
    const weft_graph **graphs = graphs_of(state, list, &count);
    if (!graphs || !call_begin(&c, state, options)) {
        free(graphs);
        return NULL;
    }
    p.mode = (weft_merge_mode)mode;
    p.duplicates = (weft_duplicates)duplicates;
    call_leave_python(&c);
    weft_status st = weft_graph_merge(c.ctx, graphs, count, &p, &merged);
    call_enter_python(&c);
    free(graphs);
    return graph_finish(&c, st, merged);
}
