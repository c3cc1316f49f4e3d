/* Names of vertices from Python strings.  Bytes that are not UTF-8 are lone surrogates in Python, '\udcff' for 0xff, as
 * in file names (surrogateescape, PEP 383); they become bytes again. */
#include "binding.h"

const char *name_of(PyObject *text, PyObject *keep, Py_ssize_t *length) {
    const char *name = PyUnicode_AsUTF8AndSize(text, length);
    if (name || !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return name;
    PyErr_Clear();
    PyObject *bytes = PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape");
    bool kept = bytes && !PyList_Append(keep, bytes);
    if (kept) {
        name = PyBytes_AsString(bytes);
        *length = PyBytes_Size(bytes);
    }
    Py_XDECREF(bytes);
    return name;
}
