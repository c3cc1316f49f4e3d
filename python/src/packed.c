/* Columns as plain values and back, for pickles.  Packed values may be damaged: unpacking gives a valid column or an
 * exception. */
#include "binding.h"

#include <string.h>

static PyObject *bytes_or_none(const void *data, size_t bytes) {
    if (!data) Py_RETURN_NONE;
    return PyBytes_FromStringAndSize(data, (Py_ssize_t)bytes);
}

/* pack() -> (name, format, length, width, data, starts, valid, gaps) */
PyObject *column_pack(PyObject *self, PyObject *none) {
    column *c = (column *)self;
    (void)none;
    if (!column_bring(c)) return NULL;
    size_t rows = (size_t)c->length, values = rows * (size_t)(c->width ? c->width : 1);
    static const uint64_t nothing;
    const uint64_t *starts_at = c->format != 'z' || c->starts ? c->starts : &nothing;
    size_t bytes = c->format == 'z' ? (size_t)starts_at[rows] : values * column_kind_of(c->format)->bytes;
    PyObject *data = PyBytes_FromStringAndSize(bytes ? c->data : "", (Py_ssize_t)bytes);
    PyObject *starts = bytes_or_none(starts_at, (rows + 1) * sizeof *starts_at);
    PyObject *valid = bytes_or_none(c->valid, rows / 8 + 1);
    return Py_BuildValue("(sCnnNNNN)", c->name, c->format, c->length, c->width, data, starts, valid,
                         PyBool_FromLong(c->gaps));
}

static bool damaged(void) {
    PyErr_SetString(PyExc_ValueError, "the column is damaged");
    return false;
}

/* Do the lengths match, and do all strings lie in the text? */
static bool fits(char format, Py_ssize_t length, Py_ssize_t width, size_t bytes, const char *starts,
                 size_t starts_bytes, const char *valid, size_t valid_bytes) {
    static const char formats[] = "bBhSiIqQefdHz";
    const Py_ssize_t most = PY_SSIZE_T_MAX / 16;
    bool text = format == 'z';
    if (!format || !strchr(formats, format)) return damaged();
    if (length < 0 || width < 0 || length > most || (width && length > most / width)) return damaged();
    if (valid && ((text ? 0 : width) || valid_bytes != (size_t)length / 8 + 1)) return damaged();
    if (!text)
        return (!starts && bytes == (size_t)length * (size_t)(width ? width : 1) * column_kind_of(format)->bytes) ||
               damaged();
    uint64_t before = 0, at;
    if (!starts || width || starts_bytes != ((size_t)length + 1) * sizeof at) return damaged();
    for (Py_ssize_t i = 0; i <= length; i++, before = at) {
        memcpy(&at, starts + (size_t)i * sizeof at, sizeof at);
        if (at < before || at > bytes) return damaged();
    }
    return before == bytes || damaged();
}

/* unpack_column(*pack()) */
PyObject *column_unpack(PyObject *module, PyObject *args) {
    PyObject *name, *data, *starts, *valid;
    int letter, gaps;
    Py_ssize_t length, width;
    if (!PyArg_ParseTuple(args, "UCnnSOOp", &name, &letter, &length, &width, &data, &starts, &valid, &gaps))
        return NULL;
    if ((starts != Py_None && !PyBytes_Check(starts)) || (valid != Py_None && !PyBytes_Check(valid)))
        return PyErr_Format(PyExc_TypeError, "a column is packed as bytes");
    const char *first = starts == Py_None ? NULL : PyBytes_AsString(starts);
    const char *bits = valid == Py_None ? NULL : PyBytes_AsString(valid);
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    char format = letter < 128 ? (char)letter : 0;
    if (!text || !fits(format, length, width, (size_t)PyBytes_Size(data), first,
                       first ? (size_t)PyBytes_Size(starts) : 0, bits, bits ? (size_t)PyBytes_Size(valid) : 0))
        return NULL;
    PyObject *owner = PyTuple_Pack(4, name, data, starts, valid);
    column *c =
        owner ? (column *)column_new(binding_of(module), owner, text, format, PyBytes_AsString(data), length, width)
              : NULL;
    Py_XDECREF(owner);
    if (!c) return NULL;
    c->starts = (const uint64_t *)(const void *)first;
    c->valid = (const uint8_t *)bits;
    c->gaps = gaps && format == 'I';
    return (PyObject *)c;
}
