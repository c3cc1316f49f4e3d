/* Graphs from the caller's arrays, and from arrays that a graph keeps instead of copying them (from_csr(copy=False)).
 *
 * Other code may be able to write to an array that a graph keeps: by an earlier view, or by another library.  The
 * library could then follow targets that do not exist.  So such arrays are watched: each call that reads the rows first
 * compares a digest of them, which reads them once, and fails if they have changed.  A check of ranges would cost the
 * same pass, but the library also relies on ascending rows, on arcs in pairs, and on data that it derived from the
 * arrays before.  Changes during a call are not noticed. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCES, TARGETS, WEIGHTS, OFFSETS, NAME_STARTS, NAMES, MORE_IDS, ARRAYS };
static const char *const array_names[ARRAYS] = {"sources",     "targets", "weights", "offsets",
                                                "name_starts", "names",   "more_ids"};

struct lent_arrays {
    Py_buffer view[ARRAYS];
    PyObject *keep; /* lives as long as the library keeps any array */
    int holders;    /* the call or the graph's handle, and the library */
    bool kept[ARRAYS], watched[ARRAYS];
    uint64_t digest[ARRAYS];
};

void lent_drop(lent_arrays *l) {
    if (--l->holders) return;
    for (int i = 0; i < ARRAYS; i++)
        if (l->view[i].obj) PyBuffer_Release(&l->view[i]);
    Py_XDECREF(l->keep);
    free(l);
}

PyObject *graph_share_lent(PyObject *self, PyObject *other) {
    lent_arrays *l = ((graph *)self)->lent;
    if (other && l) {
        l->holders++;
        ((graph *)other)->lent = l;
    }
    return other;
}

/* Called by the thread that frees the graph. */
static void release_from_library(void *user) {
    PyGILState_STATE gil = PyGILState_Ensure();
    lent_drop(user);
    PyGILState_Release(gil);
}

/* --- the caller's arrays ------------------------------------------------------------------------------------ */

/* A buffer in the dict; a tuple (pointer, count, type, owner) stands for an array on the GPU. */
static bool take_array(PyObject *dict, int which, lent_arrays *l, const void **data, weft_type *type, uint64_t *count,
                       int *on_device) {
    const char *name = array_names[which];
    PyObject *given = option(dict, name);
    unsigned long long pointer, length;
    int number_type;
    PyObject *owner;
    *data = NULL;
    *count = 0;
    if (!given) return true;
    if (PyTuple_Check(given)) {
        if (!PyArg_ParseTuple(given, "KKiO", &pointer, &length, &number_type, &owner)) return false;
        *data = (const void *)(uintptr_t)pointer;
        *count = length;
        *type = (weft_type)number_type;
        *on_device = 1;
        return true;
    }
    if (!numbers_of(given, name, &l->view[which], type, count)) return false;
    *data = l->view[which].buf;
    return true;
}

static bool same_length(const char *a, uint64_t x, const char *b, uint64_t y) {
    if (x == y) return true;
    PyErr_Format(PyExc_ValueError, "%s has %llu %s, but %s %llu", a, (unsigned long long)x,
                 x == 1 ? "entry" : "entries", b, (unsigned long long)y);
    return false;
}

static bool fill_arrays(PyObject *dict, weft_arrays *a, lent_arrays *l) {
    uint64_t sources, weights, offsets, starts, text_bytes;
    weft_type target_type = WEFT_NONE, more_type = WEFT_NONE, bytes_type, starts_type;
    const void *names, *name_starts;
    PyObject *vertices = option(dict, "vertices"), *any = option(dict, "any_ids"),
             *symmetric = option(dict, "symmetric");
    if (!take_array(dict, SOURCES, l, &a->sources, &a->id_type, &sources, &a->on_device) ||
        !take_array(dict, TARGETS, l, &a->targets, &target_type, &a->edges, &a->on_device) ||
        !take_array(dict, WEIGHTS, l, &a->weights, &a->weight_type, &weights, &a->on_device) ||
        !take_array(dict, OFFSETS, l, &a->offsets, &a->offset_type, &offsets, &a->on_device) ||
        !take_array(dict, NAME_STARTS, l, &name_starts, &starts_type, &starts, &a->on_device) ||
        !take_array(dict, NAMES, l, &names, &bytes_type, &text_bytes, &a->on_device) ||
        !take_array(dict, MORE_IDS, l, &a->more_ids, &more_type, &a->more_count, &a->on_device))
        return false;
    if (a->more_count && a->edges && more_type != target_type) {
        PyErr_SetString(PyExc_TypeError, "vertices must be of the type of sources and targets");
        return false;
    }
    if (!a->edges) target_type = a->more_count ? more_type : WEFT_I64;
    if (a->sources && a->edges && a->id_type != target_type) {
        PyErr_SetString(PyExc_TypeError, "sources and targets must be of one type");
        return false;
    }
    a->id_type = target_type;
    a->name_starts = name_starts;
    a->names = names;
    if (vertices) a->vertices = PyLong_AsUnsignedLongLong(vertices);
    a->any_ids = any && PyObject_IsTrue(any) == 1;
    a->symmetric = symmetric && PyObject_IsTrue(symmetric) == 1;
    if (PyErr_Occurred()) return false;
    if (a->offsets)
        return same_length("offsets", offsets, "vertices + 1", a->vertices + 1) &&
               (!a->weights || same_length("weights", weights, "targets", a->edges));
    if (name_starts && !same_length("name_starts", starts, "vertices + 1", a->vertices + 1)) return false;
    return same_length("sources", sources, "targets", a->edges) &&
           (!a->weights || same_length("weights", weights, "targets", a->edges));
}

/* --- kept arrays ---------------------------------------------------------------------------------------- */

/* Finds the arrays that belong to the graph now, and releases the others. */
static weft_status find_kept(weft_ctx *ctx, const weft_graph *g, lent_arrays *l, bool *any) {
    weft_csr csr = {.size = sizeof csr};
    weft_status st = weft_graph_out(ctx, g, &csr);
    if (st) return st;
    const void *rows[ARRAYS] = {[TARGETS] = csr.targets, [WEIGHTS] = csr.weights, [OFFSETS] = csr.offsets};
    for (int i = 0; i < ARRAYS; i++) {
        l->kept[i] = l->view[i].obj && l->view[i].len && rows[i] == l->view[i].buf;
        *any = *any || l->kept[i];
        if (l->view[i].obj && !l->kept[i]) PyBuffer_Release(&l->view[i]);
    }
    return WEFT_OK;
}

/* from_arrays(arrays, rules, options); arrays["keep"]: the graph may keep the arrays. */
PyObject *graph_from_arrays(PyObject *module, PyObject *args) {
    PyObject *dict, *rules, *options;
    weft_arrays a = WEFT_ARRAYS_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    binding_call c;
    weft_graph *g = NULL;
    if (!PyArg_ParseTuple(args, "O!O!O!", &PyDict_Type, &dict, &PyDict_Type, &rules, &PyDict_Type, &options))
        return NULL;
    lent_arrays *l = calloc(1, sizeof *l);
    if (!l) return PyErr_NoMemory();
    PyObject *keep = option(dict, "keep");
    Py_XINCREF(keep);
    l->keep = keep;
    l->holders = 1;
    if (!fill_arrays(dict, &a, l) || !graph_rules(rules, &build) || !call_begin(&c, binding_of(module), options)) {
        lent_drop(l);
        return NULL;
    }
    if (keep) {
        a.release = release_from_library;
        a.user = l;
        l->holders++;
    }
    call_leave_python(&c);
    weft_status st = weft_graph_from_arrays(c.ctx, &a, &build, &g);
    call_enter_python(&c);
    if (st && keep) lent_drop(l); /* the library did not take them over */
    bool kept = false;
    if (!st && keep) st = find_kept(c.ctx, g, l, &kept);
    PyObject *made = graph_finish(&c, st, g);
    if (made && kept)
        ((graph *)made)->lent = l;
    else
        lent_drop(l);
    return made;
}

PyObject *graph_get_kept(PyObject *self, void *none) {
    const lent_arrays *l = ((graph *)self)->lent;
    PyObject *list = PyList_New(0);
    (void)none;
    for (int i = 0; list && l && i < ARRAYS; i++) {
        PyObject *name = l->kept[i] ? PyUnicode_FromString(array_names[i]) : NULL;
        if (l->kept[i] && (!name || PyList_Append(list, name))) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

/* --- watched arrays ---------------------------------------------------------------------------------------- */

/* Four independent lanes, since a multiplication takes several cycles.  Each step is a bijection: a single changed word
 * changes the digest. */
static uint64_t digest_of(const Py_buffer *view) {
    enum { LANES = 4 };
    static const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t lane[LANES] = {1, 2, 3, 4}, word[LANES], digest = 0;
    const char *at = view->buf;
    for (size_t left = (size_t)view->len, here; left; left -= here, at += here) {
        here = left < sizeof word ? left : sizeof word;
        if (here == sizeof word) {
            memcpy(word, at, sizeof word);
        } else {
            memset(word, 0, sizeof word);
            memcpy(word, at, here);
        }
        for (int i = 0; i < LANES; i++) {
            lane[i] = (lane[i] ^ word[i]) * odd;
            lane[i] ^= lane[i] >> 32;
        }
    }
    for (int i = 0; i < LANES; i++) digest = (digest ^ lane[i]) * odd;
    return digest;
}

static int changed_array(const lent_arrays *l) {
    for (int i = 0; i < ARRAYS; i++)
        if (l->watched[i] && digest_of(&l->view[i]) != l->digest[i]) return i;
    return ARRAYS;
}

/* watch(names of kept arrays) */
PyObject *graph_watch(PyObject *self, PyObject *names) {
    lent_arrays *l = ((graph *)self)->lent;
    for (int i = 0; l && i < ARRAYS; i++) {
        PyObject *name = PyUnicode_FromString(array_names[i]);
        int asked = name ? PySequence_Contains(names, name) : -1;
        Py_XDECREF(name);
        if (asked < 0) return NULL;
        if (!asked || !l->kept[i]) continue;
        Py_BEGIN_ALLOW_THREADS l->digest[i] = digest_of(&l->view[i]);
        Py_END_ALLOW_THREADS l->watched[i] = true;
    }
    Py_RETURN_NONE;
}

bool graph_is_sound(PyObject *self) {
    const lent_arrays *l = ((graph *)self)->lent;
    if (!l) return true;
    binding_state *state = binding_of_type(Py_TYPE(self));
    int changed;
    if (!state) return false;
    Py_BEGIN_ALLOW_THREADS changed = changed_array(l);
    Py_END_ALLOW_THREADS if (changed == ARRAYS) return true;
    return call_refuse(state, WEFT_EINPUT,
                       PyUnicode_FromFormat("%s was changed, but the graph keeps this array (copy=False); "
                                            "make the graph anew",
                                            array_names[changed]));
}
