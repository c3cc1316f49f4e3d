/* The library's descriptors as dicts and lists: python/generate.py makes methods, docstrings and annotations of them,
 * and the tests compare. */
#include "binding.h"
#include "weft/generate.h"

static const char *const param_types[] = {
    [WEFT_PARAM_U64] = "u64",           [WEFT_PARAM_F64] = "f64",         [WEFT_PARAM_BOOL] = "bool",
    [WEFT_PARAM_CHOICE] = "choice",     [WEFT_PARAM_TEXT] = "text",       [WEFT_PARAM_VERTEX] = "vertex",
    [WEFT_PARAM_VERTICES] = "vertices", [WEFT_PARAM_WEIGHTS] = "weights", [WEFT_PARAM_MATRIX] = "matrix",
    [WEFT_PARAM_LABELS] = "labels",     [WEFT_PARAM_PAIRS] = "pairs",
};
static const char *const value_types[] = {
    [WEFT_U32] = "u32", [WEFT_U64] = "u64",       [WEFT_I64] = "i64", [WEFT_F32] = "f32",
    [WEFT_F64] = "f64", [WEFT_VERTEX] = "vertex", [WEFT_F16] = "f16", [WEFT_BF16] = "bf16",
};
static const char *const shapes[] = {"scalar", "vertices", "table", "edges"};

static const char *name_in(const char *const *names, size_t count, int at) {
    return at >= 0 && (size_t)at < count ? names[at] : "unknown";
}
#define NAME(table, at) name_in(table, sizeof(table) / sizeof *(table), (int)(at))

static bool append(PyObject *list, PyObject *item) {
    int failed = !item || PyList_Append(list, item);
    Py_XDECREF(item);
    return !failed;
}

static PyObject *param(const weft_param_info *p) {
    return Py_BuildValue("{s:s,s:s,s:z,s:d,s:d,s:z,s:z}", "name", p->name, "type", NAME(param_types, p->type),
                         "default", p->standard, "min", p->min, "max", p->max, "choices", p->choices, "help", p->help);
}

static PyObject *algorithm(const weft_algorithm_info *a) {
    PyObject *params = PyList_New(0), *results = PyList_New(0), *methods = PyList_New(0);
    const weft_param_info *p;
    const weft_result_info *r;
    bool good = params && results && methods;
    for (size_t i = 0; good && (p = weft_algorithm_param_at(a, i)); i++) good = append(params, param(p));
    for (size_t i = 0; good && (r = weft_algorithm_result_at(a, i)); i++)
        good = append(results, Py_BuildValue("{s:s,s:s,s:s,s:z}", "name", r->name, "type", NAME(value_types, r->type),
                                             "shape", NAME(shapes, r->shape), "help", r->help));
    for (size_t i = 0; good && i < a->method_count; i++) good = append(methods, PyUnicode_FromString(a->methods[i]));
    PyObject *all =
        good ? Py_BuildValue("{s:s,s:s,s:z,s:z,s:z,s:z,s:z,s:O,s:O,s:O,s:O,s:O}", "name", a->name, "help", a->help,
                             "top_by", a->top_by, "verdict", a->verdict, "ordinal", a->ordinal, "groups", a->groups,
                             "formerly", a->formerly, "params", params, "results", results, "methods", methods,
                             "on_cpu", a->on_cpu ? Py_True : Py_False, "on_cuda", a->on_cuda ? Py_True : Py_False)
             : NULL;
    Py_XDECREF(params);
    Py_XDECREF(results);
    Py_XDECREF(methods);
    return all;
}

static PyObject *generator(const weft_generator_info *g) {
    PyObject *params = PyList_New(0), *all = NULL;
    const weft_param_info *p;
    bool good = params != NULL;
    for (size_t i = 0; good && (p = weft_generator_param_at(g, i)); i++) good = append(params, param(p));
    if (good) all = Py_BuildValue("{s:s,s:s,s:O}", "name", g->name, "help", g->help, "params", params);
    Py_XDECREF(params);
    return all;
}

PyObject *registry_describe(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    PyObject *algorithms = PyList_New(0), *generators = PyList_New(0), *formats = PyList_New(0), *all = NULL;
    bool good = algorithms && generators && formats;
    for (size_t i = 0; good && i < weft_algorithm_count(); i++)
        good = append(algorithms, algorithm(weft_algorithm_at(i)));
    for (size_t i = 0; good && i < weft_generator_count(); i++)
        good = append(generators, generator(weft_generator_at(i)));
    for (size_t i = 0; good && i < weft_format_count(); i++) {
        const weft_format_info *f = weft_format_at(i);
        good = append(formats, Py_BuildValue("{s:s,s:s,s:s,s:O,s:O}", "name", f->name, "title", f->title, "extensions",
                                             f->extensions, "can_read", f->can_read ? Py_True : Py_False, "can_write",
                                             f->can_write ? Py_True : Py_False));
    }
    if (good)
        all = Py_BuildValue("{s:O,s:O,s:O}", "algorithms", algorithms, "generators", generators, "formats", formats);
    Py_XDECREF(algorithms);
    Py_XDECREF(generators);
    Py_XDECREF(formats);
    return all;
}
