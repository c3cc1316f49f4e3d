/* Functions of graphs that are no algorithm of the registry: a subgraph, a projection, paths between two vertices, the
 * quality of a partition, and the agreement of two partitions. */
#include "binding.h"
#include "weft/path.h"
#include "weft/subgraph.h"

#include <stddef.h>

#define FIELD(type, name, kind, choices) \
    { #name, kind, offsetof(type, name), NULL, 0, 0, choices, "" }

static const weft_param_info subgraph_params[] = {
    FIELD(weft_subgraph_params, min_weight, WEFT_PARAM_F64, NULL),
    FIELD(weft_subgraph_params, max_weight, WEFT_PARAM_F64, NULL),
    FIELD(weft_subgraph_params, sample_edges, WEFT_PARAM_F64, NULL),
    FIELD(weft_subgraph_params, vertices, WEFT_PARAM_VERTICES, NULL),
    FIELD(weft_subgraph_params, sample_vertices, WEFT_PARAM_F64, NULL),
    FIELD(weft_subgraph_params, seed, WEFT_PARAM_U64, NULL),
    FIELD(weft_subgraph_params, ego, WEFT_PARAM_VERTICES, NULL),
    FIELD(weft_subgraph_params, radius, WEFT_PARAM_U64, NULL),
    FIELD(weft_subgraph_params, min_degree, WEFT_PARAM_U64, NULL),
    FIELD(weft_subgraph_params, max_degree, WEFT_PARAM_U64, NULL),
    FIELD(weft_subgraph_params, core, WEFT_PARAM_U64, NULL),
    FIELD(weft_subgraph_params, largest_component, WEFT_PARAM_CHOICE, "any|weak|strong"),
    FIELD(weft_subgraph_params, truss, WEFT_PARAM_U64, NULL),
};
static const weft_param_info project_params[] = {
    FIELD(weft_project_params, weights, WEFT_PARAM_CHOICE, "count|jaccard|newman"),
};

static const weft_param_info path_params[] = {
    FIELD(weft_path_params, weights, WEFT_PARAM_BOOL, NULL),
    FIELD(weft_path_params, count, WEFT_PARAM_U64, NULL),
    FIELD(weft_path_params, avoid, WEFT_PARAM_VERTICES, NULL),
};

static const weft_param_info quality_params[] = {
    FIELD(weft_quality_params, resolution, WEFT_PARAM_F64, NULL),
    FIELD(weft_quality_params, weights, WEFT_PARAM_BOOL, NULL),
};

static const weft_param_info *at(const void *of, size_t i) { return (const weft_param_info *)of + i; }

/* subgraph(params, options) -> (graph, vertices and edges left out) */
PyObject *graph_subgraph(PyObject *self, PyObject *args) {
    static const weft_vid nothing;
    binding_state *state = binding_of_type(Py_TYPE(self));
    PyObject *values, *options, *keep = NULL;
    weft_subgraph_params p = WEFT_SUBGRAPH_DEFAULTS;
    weft_subgraph_info left_out = {.size = sizeof left_out};
    weft_graph *part = NULL;
    binding_call c;
    if (!PyArg_ParseTuple(args, "O!O!", &PyDict_Type, &values, &PyDict_Type, &options)) return NULL;
    bool good = (keep = PyList_New(0)) &&
                params_fill(&p, sizeof subgraph_params / sizeof *subgraph_params, at, subgraph_params, values, keep);
    if (good && option(values, "vertices") && !p.vertices) p.vertices = &nothing; /* an empty list is a list, too */
    good = good && graph_is_sound(self) && call_begin(&c, state, options);
    if (good) {
        call_leave_python(&c);
        weft_status st = weft_subgraph(c.ctx, ((graph *)self)->g, &p, &part, &left_out);
        call_enter_python(&c);
        good = call_end(&c, st);
    }
    Py_XDECREF(keep);
    if (!good) return NULL;
    return Py_BuildValue("(NKK)", graph_wrap(state, part, NULL), (unsigned long long)left_out.vertices,
                         (unsigned long long)left_out.edges);
}

/* project(side, params, options) -> graph */
PyObject *graph_project(PyObject *self, PyObject *args) {
    binding_state *state = binding_of_type(Py_TYPE(self));
    PyObject *values, *options, *keep = NULL, *found = NULL;
    weft_project_params p = WEFT_PROJECT_DEFAULTS;
    weft_graph *made = NULL;
    binding_call c;
    if (!PyArg_ParseTuple(args, "iO!O!", &p.side, &PyDict_Type, &values, &PyDict_Type, &options)) return NULL;
    bool good = (keep = PyList_New(0)) &&
                params_fill(&p, sizeof project_params / sizeof *project_params, at, project_params, values, keep) &&
                graph_is_sound(self) && call_begin(&c, state, options);
    if (good) {
        call_leave_python(&c);
        weft_status st = weft_graph_project(c.ctx, ((graph *)self)->g, &p, &made, NULL);
        call_enter_python(&c);
        found = graph_finish(&c, st, made);
    }
    Py_XDECREF(keep);
    return found;
}

/* [(vertices as bytes of u32, length), ...] */
static PyObject *list_paths(const weft_result *r) {
    const uint32_t *path = weft_result_u32(r, "path"), *vertex = weft_result_u32(r, "vertex");
    const double *distance = weft_result_f64(r, "distance");
    size_t rows = weft_result_column(r, "vertex")->length;
    PyObject *list = PyList_New(0);
    for (size_t first = 0, end; list && first < rows; first = end) {
        for (end = first + 1; end < rows && path[end] == path[first]; end++) {}
        PyObject *one = Py_BuildValue("(y#d)", (const char *)(vertex + first),
                                      (Py_ssize_t)((end - first) * sizeof *vertex), distance[end - 1]);
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* path(from, to, params, options) */
PyObject *graph_path(PyObject *self, PyObject *args) {
    binding_state *state = binding_of_type(Py_TYPE(self));
    unsigned long from, to;
    PyObject *values, *options, *keep = NULL, *list = NULL;
    weft_path_params p = WEFT_PATH_DEFAULTS;
    weft_result *r = NULL;
    binding_call c;
    if (!PyArg_ParseTuple(args, "kkO!O!", &from, &to, &PyDict_Type, &values, &PyDict_Type, &options)) return NULL;
    if ((keep = PyList_New(0)) &&
        params_fill(&p, sizeof path_params / sizeof *path_params, at, path_params, values, keep) &&
        graph_is_sound(self) && call_begin(&c, state, options)) {
        call_leave_python(&c);
        weft_status st = weft_path(c.ctx, ((graph *)self)->g, (weft_vid)from, (weft_vid)to, &p, &r);
        call_enter_python(&c);
        if (call_end(&c, st)) list = list_paths(r);
        weft_result_free(r);
    }
    Py_XDECREF(keep);
    return list;
}

/* --- partitions ---------------------------------------------------------------------------------- */

/* A buffer of `count` labels of u32. */
static bool labels_of(PyObject *source, const char *name, uint64_t count, Py_buffer *view) {
    weft_type type;
    uint64_t found;
    if (!numbers_of(source, name, view, &type, &found)) return false;
    if (type == WEFT_U32 && found == count) return true;
    PyErr_Format(PyExc_ValueError, "%s: %llu labels of u32 are needed", name, (unsigned long long)count);
    PyBuffer_Release(view);
    return false;
}

/* quality(labels, params, options) -> (columns, scalars) */
PyObject *graph_quality(PyObject *self, PyObject *args) {
    binding_state *state = binding_of_type(Py_TYPE(self));
    PyObject *given, *values, *options, *owner = NULL;
    weft_quality_params p = WEFT_QUALITY_DEFAULTS;
    weft_graph *g = ((graph *)self)->g;
    weft_result *r = NULL;
    Py_buffer labels;
    binding_call c;
    if (!PyArg_ParseTuple(args, "OO!O!", &given, &PyDict_Type, &values, &PyDict_Type, &options) ||
        !params_fill(&p, sizeof quality_params / sizeof *quality_params, at, quality_params, values, NULL) ||
        !labels_of(given, "labels", weft_graph_vertices(g), &labels))
        return NULL;
    if (graph_is_sound(self) && call_begin(&c, state, options)) {
        call_leave_python(&c);
        weft_status st = weft_partition_quality(c.ctx, g, labels.buf, &p, &r);
        call_enter_python(&c);
        if (call_end(&c, st))
            owner = result_own(r);
        else
            weft_result_free(r);
    }
    PyBuffer_Release(&labels);
    if (!owner) return NULL;
    PyObject *answer = Py_BuildValue("(NN)", result_columns(state, 0, owner, r), result_scalars(r));
    Py_DECREF(owner);
    return answer;
}

/* agreement(a, b, count, options) -> scalars */
PyObject *labels_agreement(PyObject *module, PyObject *args) {
    PyObject *first, *second, *options, *scalars = NULL;
    Py_buffer a, b;
    Py_ssize_t count;
    weft_result *r = NULL;
    binding_call c;
    if (!PyArg_ParseTuple(args, "OOnO!", &first, &second, &count, &PyDict_Type, &options) ||
        !labels_of(first, "a", (uint64_t)count, &a))
        return NULL;
    if (!labels_of(second, "b", (uint64_t)count, &b)) {
        PyBuffer_Release(&a);
        return NULL;
    }
    if (call_begin(&c, binding_of(module), options)) {
        call_leave_python(&c);
        weft_status st = weft_partition_agreement(c.ctx, a.buf, b.buf, (uint64_t)count, &r);
        call_enter_python(&c);
        if (call_end(&c, st)) scalars = result_scalars(r);
        weft_result_free(r);
    }
    PyBuffer_Release(&a);
    PyBuffer_Release(&b);
    return scalars;
}
