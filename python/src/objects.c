/* Numbers for Python objects: what from_edges and from_networkx do with ids that are not integers in an array.
 * The conversion of NetworkX's dicts for the backend belongs beside it, in a file of its own. */
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

/* number(objects, known dict, order list) -> bytes of u32: each object's number in order of first sight; dict and list grow. */
PyObject *objects_number(PyObject *module, PyObject *args) {
    PyObject *objects, *known, *order;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!O!", &objects, &PyDict_Type, &known, &PyList_Type, &order)) return NULL;
    PyObject *all = PySequence_List(objects); /* our own: nobody changes it meanwhile */
    if (!all) return NULL;
    Py_ssize_t count = PyList_Size(all);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(weft_vid));
    weft_vid *to = bytes ? (weft_vid *)(void *)PyBytes_AsString(bytes) : NULL;
    for (Py_ssize_t i = 0; bytes && i < count; i++) {
        long number = number_of(known, order, PyList_GetItem(all, i));
        if (number < 0)
            Py_CLEAR(bytes);
        else
            to[i] = (weft_vid)number;
    }
    Py_DECREF(all);
    return bytes;
}
