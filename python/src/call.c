/* One call of the library: a context, callbacks, and their results in Python.
 * The GIL is released while the library works.  The library calls its cancel callback in any of its threads; on the
 * calling thread the callback lets Python check for signals from time to time, so that Ctrl-C ends the work and raises
 * KeyboardInterrupt.
 * Contexts are kept for later calls, since they hold the GPU's stream and memory pool.  A call with a memory limit has
 * a context of its own, since the limit applies to a context, and so has a call shared by ranks, since its context has
 * a place among them. */
#include "binding.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char capsule_name[] = "weft_ctx";
static const double SIGNALS_EVERY = 0.02; /* seconds */
enum { MOST_IDLE = 8 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned long this_thread(void) { return (unsigned long)pthread_self(); }

PyObject *option(PyObject *dict, const char *name) {
    PyObject *value = dict && PyDict_Size(dict) > 0 ? PyDict_GetItemString(dict, name) : NULL;
    return value == Py_None ? NULL : value;
}

/* --- callbacks ---------------------------------------------------------------------------- */

static void keep_words(binding_call *c, const char *message, size_t *count, size_t at) {
    if (c->warnings + c->notes == c->room) {
        size_t room = c->room ? 2 * c->room : 8;
        char **messages = realloc(c->messages, room * sizeof *messages);
        if (!messages) return;
        c->messages = messages;
        c->room = room;
    }
    char *copy = strdup(message);
    if (!copy) return;
    memmove(c->messages + at + 1, c->messages + at, (c->warnings + c->notes - at) * sizeof *c->messages);
    c->messages[at] = copy;
    ++*count;
}

static void on_warning(void *user, const char *message) {
    binding_call *c = user;
    keep_words(c, message, &c->warnings, c->warnings);
}

static void on_note(void *user, const char *message) {
    binding_call *c = user;
    keep_words(c, message, &c->notes, c->warnings + c->notes);
}

static int on_cancel(void *user) {
    binding_call *c = user;
    if (c->stop || this_thread() != c->caller || !c->thread) return c->stop;
    double t = now();
    if (t - c->asked < SIGNALS_EVERY) return 0;
    c->asked = t;
    PyEval_RestoreThread(c->thread);
    if (PyErr_CheckSignals()) c->stop = 1;
    c->thread = PyEval_SaveThread();
    return c->stop;
}

static void on_progress(void *user, const char *stage, uint64_t done, uint64_t total) {
    binding_call *c = user;
    if (!c->progress || c->stop || !c->thread) return;
    PyEval_RestoreThread(c->thread);
    PyObject *answer =
        PyObject_CallFunction(c->progress, "sKK", stage, (unsigned long long)done, (unsigned long long)total);
    if (!answer) c->stop = 1;
    Py_XDECREF(answer);
    c->thread = PyEval_SaveThread();
}

/* --- contexts ------------------------------------------------------------------------------- */

static void free_context(PyObject *capsule) { weft_ctx_free(PyCapsule_GetPointer(capsule, capsule_name)); }

static weft_ctx *take_context(binding_call *c, bool fresh) {
    weft_ctx *ctx = NULL;
    Py_ssize_t idle = PyList_Size(c->state->idle);
    c->pooled = !fresh;
    if (!fresh && idle > 0) {
        PyObject *capsule = PyList_GetItem(c->state->idle, idle - 1);
        ctx = PyCapsule_GetPointer(capsule, capsule_name);
        PyCapsule_SetDestructor(capsule, NULL);
        if (PyList_SetSlice(c->state->idle, idle - 1, idle, NULL)) PyErr_Clear();
        return ctx;
    }
    if (weft_ctx_new(&ctx)) PyErr_NoMemory();
    return ctx;
}

static void give_context(binding_call *c) {
    weft_ctx *ctx = c->ctx;
    c->ctx = NULL;
    if (!ctx) return;
    weft_ctx_set_cancel(ctx, NULL, NULL);
    weft_ctx_set_progress(ctx, NULL, NULL);
    weft_ctx_set_warning(ctx, NULL, NULL);
    weft_ctx_set_note(ctx, NULL, NULL);
    weft_ctx_set_stream(ctx, NULL); /* the caller's stream may be gone when the context is used again */
    PyObject *type, *value, *trace, *capsule = NULL;
    PyErr_Fetch(&type, &value, &trace); /* of the call */
    if (c->pooled && PyList_Size(c->state->idle) < MOST_IDLE) capsule = PyCapsule_New(ctx, capsule_name, free_context);
    if (capsule && PyList_Append(c->state->idle, capsule)) PyErr_Clear();
    if (!capsule) weft_ctx_free(ctx);
    Py_XDECREF(capsule);
    PyErr_Restore(type, value, trace);
}

/* --- options --------------------------------------------------------------------------------- */

static bool is_set(PyObject *options, const char *name) {
    PyObject *value = option(options, name);
    return value && PyObject_IsTrue(value) == 1;
}

static bool integer(PyObject *options, const char *name, long long *value) {
    PyObject *given = option(options, name);
    if (!given) return true;
    *value = PyLong_AsLongLong(given);
    return !(*value == -1 && PyErr_Occurred());
}

/* Joins the ranks of a communicator, if one is given by the address of its handle.  Waits for the other ranks. */
static weft_status take_place(binding_call *c, PyObject *options) {
    PyObject *given = option(options, "comm");
    weft_status st = WEFT_OK;
    const void *comm = given ? PyLong_AsVoidPtr(given) : NULL;
    if (!comm) return PyErr_Occurred() ? WEFT_EINVAL : WEFT_OK;
    Py_BEGIN_ALLOW_THREADS st = weft_ctx_set_comm(c->ctx, comm);
    Py_END_ALLOW_THREADS return st;
}

static weft_status set_up(binding_call *c, PyObject *options) {
    long long threads = 0, limit = 0, device = WEFT_DEVICE_AUTO, gpu = 0, stream = 0;
    if (!integer(options, "threads", &threads) || !integer(options, "memory_limit", &limit) ||
        !integer(options, "device", &device) || !integer(options, "gpu", &gpu) || !integer(options, "stream", &stream))
        return WEFT_EINVAL;
    weft_status st = weft_ctx_set_threads(c->ctx, (int)threads);
    if (!st && limit) st = weft_ctx_set_memory_limit(c->ctx, (uint64_t)limit);
    if (!st) st = weft_ctx_set_device(c->ctx, (weft_device)device);
    if (!st) st = weft_ctx_set_gpu(c->ctx, (int)gpu);
    if (!st && stream) st = weft_ctx_set_stream(c->ctx, (void *)(uintptr_t)stream);
    if (!st) st = weft_ctx_set_results_on_device(c->ctx, is_set(options, "on_device"));
    return st ? st : take_place(c, options);
}

bool call_begin(binding_call *c, binding_state *state, PyObject *options) {
    *c = (binding_call){.state = state, .caller = this_thread(), .asked = now()};
    if (state) c->ctx = take_context(c, option(options, "memory_limit") || option(options, "comm"));
    if (!c->ctx) return false;
    weft_status st = set_up(c, options);
    if (st || PyErr_Occurred()) {
        if (!PyErr_Occurred()) return call_end(c, st);
        give_context(c);
        return false;
    }
    c->progress = option(options, "progress");
    weft_ctx_set_cancel(c->ctx, on_cancel, c);
    weft_ctx_set_progress(c->ctx, c->progress ? on_progress : NULL, c);
    weft_ctx_set_warning(c->ctx, on_warning, c);
    weft_ctx_set_note(c->ctx, on_note, c);
    return true;
}

void call_leave_python(binding_call *c) {
    c->caller = this_thread();
    c->thread = PyEval_SaveThread();
}

void call_enter_python(binding_call *c) {
    PyEval_RestoreThread(c->thread);
    c->thread = NULL;
}

PyObject *call_notes(const binding_call *c) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < c->notes; i++) {
        PyObject *text = PyUnicode_DecodeUTF8(c->messages[c->warnings + i],
                                              (Py_ssize_t)strlen(c->messages[c->warnings + i]), "replace");
        if (!text || PyList_Append(list, text)) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static void tell_warnings(binding_call *c) {
    for (size_t i = 0; i < c->warnings && !PyErr_Occurred(); i++) {
        PyObject *answer = PyObject_CallFunction(c->state->warner, "s", c->messages[i]);
        Py_XDECREF(answer);
    }
}

bool call_refuse(binding_state *state, weft_status st, PyObject *sentence) {
    PyObject *error = sentence ? PyObject_CallFunction(state->error_maker, "iO", (int)st, sentence) : NULL;
    if (error) PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    Py_XDECREF(sentence);
    return false;
}

static void raise_status(binding_call *c, weft_status st) {
    const char *words = weft_ctx_message(c->ctx);
    if (!*words) words = weft_status_text(st);
    call_refuse(c->state, st, PyUnicode_DecodeUTF8(words, (Py_ssize_t)strlen(words), "replace"));
}

bool call_report(binding_call *c, weft_status st) {
    if (!PyErr_Occurred() && !st) tell_warnings(c);
    if (!PyErr_Occurred() && st) raise_status(c, st);
    for (size_t i = 0; i < c->warnings + c->notes; i++) free(c->messages[i]);
    c->warnings = c->notes = 0;
    return !PyErr_Occurred();
}

bool call_end(binding_call *c, weft_status st) {
    bool good = call_report(c, st);
    free(c->messages);
    c->messages = NULL;
    give_context(c);
    return good;
}
