/* The module itself. */
#include "nx/build.h"
#include "weft/machine.h"

#include <stdlib.h>
#include <string.h>

int weft_program(int argc, char **argv); /* main of cli/main.c */

binding_state *binding_of(PyObject *module) { return PyModule_GetState(module); }

binding_state *binding_of_type(PyTypeObject *type) { return PyType_GetModuleState(type); }

/* program(words) -> exit code: runs the program `weft`.  It installs signal handlers of its own, and is for a process
 * that does nothing else. */
PyObject *program_main(PyObject *module, PyObject *args) {
    PyObject *words;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &words)) return NULL;
    Py_ssize_t count = PyList_Size(words);
    char **argv = calloc((size_t)count + 1, sizeof *argv);
    if (!argv) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++) {
        PyObject *bytes = PyUnicode_EncodeFSDefault(PyList_GetItem(words, i));
        const char *word = bytes ? PyBytes_AsString(bytes) : NULL;
        if (word) argv[i] = strdup(word);
        Py_XDECREF(bytes);
    }
    int code = 1;
    if (!PyErr_Occurred()) {
        Py_BEGIN_ALLOW_THREADS code = weft_program((int)count, argv);
        Py_END_ALLOW_THREADS
    }
    /* The program reorders its argument vector: the strings are not freed, and the process ends. */
    return PyErr_Occurred() ? NULL : PyLong_FromLong(code);
}

/* set_up(make error, warn, class of columns) */
static PyObject *set_up(PyObject *module, PyObject *args) {
    binding_state *s = binding_of(module);
    PyObject *error, *warn, *columns;
    if (!PyArg_ParseTuple(args, "OOO", &error, &warn, &columns)) return NULL;
    Py_INCREF(error);
    Py_INCREF(warn);
    Py_INCREF(columns);
    Py_XDECREF(s->error_maker);
    Py_XDECREF(s->warner);
    Py_XDECREF(s->column);
    s->error_maker = error;
    s->warner = warn;
    s->column = columns;
    Py_RETURN_NONE;
}

static PyObject *machine(PyObject *module, PyObject *args) {
    weft_machine m = {.size = sizeof m};
    binding_call c;
    int measure;
    if (!PyArg_ParseTuple(args, "p", &measure) || !call_begin(&c, binding_of(module), NULL)) return NULL;
    call_leave_python(&c);
    weft_status st = weft_machine_describe(c.ctx, measure, &m);
    call_enter_python(&c);
    if (!call_end(&c, st)) return NULL;
    return Py_BuildValue("{s:s,s:i,s:K,s:K,s:i,s:s,s:s,s:K}", "cpu", m.cpu, "cores", m.cores, "memory_bytes",
                         m.memory_bytes, "memory_free_bytes", m.memory_free_bytes, "gpus", m.gpus, "gpu_reason",
                         m.gpu_reason, "gpu", m.gpu, "gpu_memory_bytes", m.gpu_memory_bytes);
}

static PyMethodDef functions[] = {
    {"registry", registry_describe, METH_NOARGS, "descriptors of algorithms, generators and formats"},
    {"read", graph_read, METH_VARARGS, "a graph from a file or from bytes"},
    {"from_arrays", graph_from_arrays, METH_VARARGS, "a graph from arrays"},
    {"generate", graph_generate, METH_VARARGS, "a graph from a generator"},
    {"dynamic", dynamic_make, METH_VARARGS, "a dynamic graph, in memory or in a file"},
    {"plan", plan_new, METH_VARARGS, "a plan of an algorithm on a graph"},
    {"nx_build", nx_build, METH_VARARGS, "rows of edges in arrays, in their order"},
    {"nx_pairs", nx_pairs, METH_VARARGS, "rows of a list of edges, in their order"},
    {"nx_parse", nx_parse, METH_VARARGS, "rows of an edge list or adjacency list as text"},
    {"nx_uniform", nx_uniform, METH_O, "the only attribute that all edges have, as numbers"},
    {"nx_gates", nx_gates, METH_VARARGS, "can_run and should_run of the NetworkX backend"},
    {"nx_convert", nx_convert, METH_VARARGS, "rows of a NetworkX graph"},
    {"number", objects_number, METH_VARARGS, "numbers for objects"},
    {"unzip", objects_unzip, METH_O, "columns of pairs or triples"},
    {"arrow_stream", arrow_stream, METH_VARARGS, "columns as an Arrow stream"},
    {"arrow_values", arrow_values, METH_O, "a column of numbers, or a list of strings, from Arrow's C interface"},
    {"unpack_column", column_unpack, METH_VARARGS, "a column from the values of pack()"},
    {"agreement", labels_agreement, METH_VARARGS, "the agreement of two partitions"},
    {"changes", graphs_changes, METH_VARARGS, "the changes from one graph to another"},
    {"merge", graphs_merge, METH_VARARGS, "the union, intersection or difference of graphs"},
    {"top", column_top, METH_VARARGS, "the first rows by a column"},
    {"groups", column_groups, METH_VARARGS, "the groups that a column names, and their sizes"},
    {"dlpack_values", dlpack_values, METH_VARARGS, "a column of another library's tensor"},
    {"machine", machine, METH_VARARGS, "this machine"},
    {"program", program_main, METH_VARARGS, "the program weft"},
    {"set_up", set_up, METH_VARARGS, "the package's callbacks for the module"},
    {NULL, NULL, 0, NULL},
};

static int fill(PyObject *module) {
    binding_state *s = binding_of(module);
    s->graph = (PyTypeObject *)PyType_FromModuleAndSpec(module, &graph_spec, NULL);
    s->plan = (PyTypeObject *)PyType_FromModuleAndSpec(module, &plan_spec, NULL);
    s->nx_graph = (PyTypeObject *)PyType_FromModuleAndSpec(module, &nx_graph_spec, NULL);
    s->column = PyType_FromModuleAndSpec(module, &column_spec, NULL);
    s->idle = PyList_New(0);
    if (!s->graph || !s->plan || !s->nx_graph || !s->column || !s->idle) return -1;
    if (PyModule_AddType(module, s->graph) || PyModule_AddType(module, s->plan) ||
        PyModule_AddObjectRef(module, "Column", s->column) || dynamic_add_type(module))
        return -1;
    return PyModule_AddStringConstant(module, "version", weft_version()) ||
                   PyModule_AddStringConstant(module, "build_info", weft_build_info())
               ? -1
               : 0;
}

static int visit_state(PyObject *module, visitproc visit, void *arg) {
    binding_state *s = binding_of(module);
    Py_VISIT(s->graph);
    Py_VISIT(s->plan);
    Py_VISIT(s->nx_graph);
    Py_VISIT(s->column);
    Py_VISIT(s->error_maker);
    Py_VISIT(s->warner);
    Py_VISIT(s->idle);
    return 0;
}

static int clear_state(PyObject *module) {
    binding_state *s = binding_of(module);
    Py_CLEAR(s->graph);
    Py_CLEAR(s->plan);
    Py_CLEAR(s->nx_graph);
    Py_CLEAR(s->column);
    Py_CLEAR(s->error_maker);
    Py_CLEAR(s->warner);
    Py_CLEAR(s->idle);
    return 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, fill}, {0, NULL}};

struct PyModuleDef binding_module = {
    PyModuleDef_HEAD_INIT, "_weft",     "Graph analytics on CPU cores and GPUs: the library behind weftgraph.",
    sizeof(binding_state), functions,   module_slots,
    visit_state,           clear_state, NULL,
};

PyMODINIT_FUNC PyInit__weft(void) { return PyModuleDef_Init(&binding_module); }
