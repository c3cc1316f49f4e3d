/* Arrays of other libraries: contiguous buffers of numbers, or arrays on a GPU by __cuda_array_interface__. */
#include "binding.h"

#include <string.h>

static weft_type type_of(char format, Py_ssize_t bytes) {
    bool is_signed = strchr("bhilqn", format), is_real = strchr("fd", format), is_whole = strchr("BHILQN?", format);
    if (is_real) return bytes == 4 ? WEFT_F32 : bytes == 8 ? WEFT_F64 : WEFT_NONE;
    if (!is_signed && !is_whole) return WEFT_NONE;
    switch (bytes) {
    case 1: return is_signed ? WEFT_I8 : WEFT_U8;
    case 2: return is_signed ? WEFT_I16 : WEFT_U16;
    case 4: return is_signed ? WEFT_I32 : WEFT_U32;
    case 8: return is_signed ? WEFT_I64 : WEFT_U64;
    default: return WEFT_NONE;
    }
}

bool numbers_of(PyObject *source, const char *name, Py_buffer *view, weft_type *type, uint64_t *count) {
    if (PyObject_GetBuffer(source, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) return false;
    const char *format = view->format ? view->format : "B";
    if (strchr("@=<", format[0]) && format[0]) format++;
    *type = format[0] && !format[1] ? type_of(format[0], view->itemsize) : WEFT_NONE;
    *count = view->itemsize ? (uint64_t)(view->len / view->itemsize) : 0;
    if (*type != WEFT_NONE && view->ndim <= 1) return true;
    PyErr_Format(PyExc_TypeError, "%s: an array of numbers with one dimension is needed, not of '%s' with %d", name,
                 view->format ? view->format : "B", view->ndim);
    PyBuffer_Release(view);
    return false;
}
