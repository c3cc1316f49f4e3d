/* Lists of Python objects: numbers for ids that are not integers in an array, and columns from rows given as pairs or
 * triples.  Both may take seconds, so they check for signals. */
#include "binding.h"

/* The number of an object, new or known; -1: an exception is set. */
static long number_of(PyObject *known, PyObject *order, PyObject *key) {
    PyObject *number = PyDict_GetItemWithError(known, key);
    if (number) return PyLong_AsLong(number);
    if (PyErr_Occurred()) return -1;
    Py_ssize_t next = PyList_Size(order);
    if (next >= (Py_ssize_t)WEFT_NO_VERTEX) {
        PyErr_SetString(PyExc_OverflowError, "at most 2^32-2 vertices");
        return -1;
    }
    number = PyLong_FromSsize_t(next);
    int failed = !number || PyDict_SetItem(known, key, number) || PyList_Append(order, key);
    Py_XDECREF(number);
    return failed ? -1 : (long)next;
}

/* number(objects, known dict, order list) -> bytes of u32: numbers objects in the order of their first occurrence;
 * extends dict and list. */
PyObject *objects_number(PyObject *module, PyObject *args) {
    PyObject *objects, *known, *order;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!O!", &objects, &PyDict_Type, &known, &PyList_Type, &order)) return NULL;
    PyObject *all = PySequence_List(objects); /* a copy that other code cannot change */
    if (!all) return NULL;
    Py_ssize_t count = PyList_Size(all);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(weft_vid));
    weft_vid *to = bytes ? (weft_vid *)(void *)PyBytes_AsString(bytes) : NULL;
    for (Py_ssize_t i = 0; bytes && i < count; i++) {
        long number = signals_ok(i) ? number_of(known, order, PyList_GetItem(all, i)) : -1;
        if (number < 0)
            Py_CLEAR(bytes);
        else
            to[i] = (weft_vid)number;
    }
    Py_DECREF(all);
    return bytes;
}

/* --- rows -------------------------------------------------------------------------------------- */

enum { WIDEST = 3 };

static bool add_row(PyObject *row, Py_ssize_t *width, PyObject *columns[WIDEST]) {
    PyObject *items = PySequence_Tuple(row); /* the row itself if it is a tuple */
    if (!items) return false;
    Py_ssize_t here = PyTuple_Size(items);
    bool good = here == *width || (!*width && (here == 2 || here == WIDEST));
    if (!good) PyErr_SetString(PyExc_ValueError, "edges are pairs, or triples with a weight, all of the same length");
    *width = here;
    for (Py_ssize_t k = 0; good && k < here; k++) good = !PyList_Append(columns[k], PyTuple_GetItem(items, k));
    Py_DECREF(items);
    return good;
}

/* unzip(rows) -> (sources, targets, weights): lists; None if the rows are pairs. */
PyObject *objects_unzip(PyObject *module, PyObject *rows) {
    PyObject *columns[WIDEST] = {PyList_New(0), PyList_New(0), PyList_New(0)}, *row, *answer = NULL;
    PyObject *each = columns[0] && columns[1] && columns[2] ? PyObject_GetIter(rows) : NULL;
    Py_ssize_t width = 0, count = 0;
    bool good = each != NULL;
    (void)module;
    while (good && (row = PyIter_Next(each))) {
        good = signals_ok(count++) && add_row(row, &width, columns);
        Py_DECREF(row);
    }
    if (good && !PyErr_Occurred())
        answer = PyTuple_Pack(WIDEST, columns[0], columns[1], width == WIDEST ? columns[2] : Py_None);
    Py_XDECREF(each);
    for (int k = 0; k < WIDEST; k++) Py_XDECREF(columns[k]);
    return answer;
}
