/* Questions about one column: its first rows in order, and the groups named by a column of vertices. */
#include "binding.h"

/* The column in the library's form, on the host; false: an exception is set. */
static bool as_library(PyObject *given, weft_column *to) {
    static const struct {
        char letter;
        weft_type type;
    } types[] = {{'I', WEFT_U32}, {'Q', WEFT_U64}, {'q', WEFT_I64}, {'f', WEFT_F32},
                 {'d', WEFT_F64}, {'e', WEFT_F16}, {'H', WEFT_BF16}};
    column *c = column_of(given);
    if (!c) PyErr_SetString(PyExc_TypeError, "a column is needed");
    if (!c || !column_bring(c)) return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].letter == c->format && !c->valid) {
            to->name = c->name;
            to->type = types[i].type;
            to->length = (size_t)c->length;
            to->width = (size_t)c->width;
            to->data = c->data;
            return true;
        }
    PyErr_Format(PyExc_TypeError, "%s: rows are not sorted by such values", c->name);
    return false;
}

/* top(column, at, smallest first, k) -> bytes of u32 */
PyObject *column_top(PyObject *module, PyObject *args) {
    weft_column c = WEFT_COLUMN_DEFAULTS;
    PyObject *given;
    Py_ssize_t at, k;
    int ascending;
    binding_call call;
    if (!PyArg_ParseTuple(args, "Onpn", &given, &at, &ascending, &k) || !as_library(given, &c)) return NULL;
    if (k < 0 || at < 0)
        return PyErr_Format(PyExc_ValueError, "%s is 0 or more, not %zd", k < 0 ? "count" : "at", k < 0 ? k : at);
    size_t count = 0;
    if ((size_t)k > c.length) k = (Py_ssize_t)c.length;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, k * (Py_ssize_t)sizeof(weft_vid));
    weft_vid *to = bytes ? (weft_vid *)(void *)PyBytes_AsString(bytes) : NULL;
    if (!bytes || !call_begin(&call, binding_of(module), NULL)) {
        Py_XDECREF(bytes);
        return NULL;
    }
    call_leave_python(&call);
    weft_status st = weft_top_k(call.ctx, &c, (size_t)at, ascending ? WEFT_SMALLEST_FIRST : WEFT_LARGEST_FIRST,
                                (size_t)k, to, &count);
    call_enter_python(&call);
    if (!call_end(&call, st)) Py_CLEAR(bytes);
    return bytes;
}

static PyObject *column_of_copy(binding_state *state, const uint64_t *size, size_t count) {
    PyObject *copy = PyBytes_FromStringAndSize((const char *)size, (Py_ssize_t)(count * sizeof *size));
    const void *at = copy ? PyBytes_AsString(copy) : NULL;
    PyObject *made = copy ? column_new(state, copy, "size", 'Q', at, (Py_ssize_t)count, 0) : NULL;
    Py_XDECREF(copy);
    return made;
}

/* Vertices below the number of rows, which is the size of the library's counts. */
static bool are_vertices(const weft_column *c) {
    const weft_vid *v = c->data;
    bool good = c->type == WEFT_U32 && !c->width;
    for (size_t i = 0; good && i < c->length; i++) good = v[i] < c->length || v[i] == WEFT_NO_VERTEX;
    if (!good) PyErr_Format(PyExc_ValueError, "%s: this is no column of vertices", c->name);
    return good;
}

/* groups(column) -> (bytes of u32, column of sizes) */
PyObject *column_groups(PyObject *module, PyObject *args) {
    weft_column c = WEFT_COLUMN_DEFAULTS;
    PyObject *given, *answer = NULL;
    weft_vid *group = NULL;
    uint64_t *size = NULL;
    size_t count = 0;
    binding_call call;
    if (!PyArg_ParseTuple(args, "O", &given) || !as_library(given, &c) || !are_vertices(&c)) return NULL;
    c.type = WEFT_VERTEX;
    if (!call_begin(&call, binding_of(module), NULL)) return NULL;
    call_leave_python(&call);
    weft_status st = weft_group_sizes(call.ctx, &c, &group, &size, &count);
    call_enter_python(&call);
    if (call_report(&call, st))
        answer = Py_BuildValue("(y#N)", (const char *)group, (Py_ssize_t)(count * sizeof *group),
                               column_of_copy(call.state, size, count));
    weft_free(call.ctx, group);
    weft_free(call.ctx, size);
    if (!call_end(&call, WEFT_OK)) Py_CLEAR(answer);
    return answer;
}
