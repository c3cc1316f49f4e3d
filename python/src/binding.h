/* Declarations shared by the files of the extension module.  Plain C and the limited API of Python 3.11 (Py_LIMITED_API
 * is set by the build), so that one wheel serves every later Python.
 *
 * The module has handles (Graph, Plan, Column) and plain values; the public interface, argument names and defaults
 * included, is Python (python/weftgraph). */
#ifndef WEFT_BINDING_H
#define WEFT_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "weft/experimental.h"
#include "weft/registry.h"

#include <stdbool.h>

/* The state of the module, one for each interpreter. */
typedef struct binding_state {
    PyTypeObject *graph, *plan, *nx_graph;
    PyObject *column;      /* the class of columns: weftgraph's own, derived from the type here */
    PyObject *error_maker; /* weftgraph.errors.make(status, message) -> exception */
    PyObject *warner;      /* weftgraph.errors.warn(message) */
    PyObject *idle;        /* list of capsules: unused contexts */
} binding_state;

binding_state *binding_of(PyObject *module);
extern struct PyModuleDef binding_module;
/* The state of the module that defined a type; NULL (an exception is set) if the module is gone. */
binding_state *binding_of_type(PyTypeObject *type);

/* --- calls (call.c) -------------------------------------------------------------------------- */

/* State of a call.  `options` is a dict with threads, memory_limit, device, gpu, stream, on_device, progress, all of
 * which are optional. */
typedef struct binding_call {
    binding_state *state;
    weft_ctx *ctx;
    bool pooled;
    PyObject *progress; /* borrowed; NULL: none */
    PyThreadState *thread;
    unsigned long caller; /* the calling thread */
    volatile int stop;    /* set when a signal handler or the progress function raised */
    double asked;         /* time of the last check for signals, in seconds */
    char **messages;      /* warnings, then notes */
    size_t warnings, notes, room;
} binding_call;

/* False: an exception is set; state may be NULL, with an exception already set. */
bool call_begin(binding_call *c, binding_state *state, PyObject *options);
/* Release and take the GIL around the work. */
void call_leave_python(binding_call *c);
void call_enter_python(binding_call *c);
/* Raises the exception of `st`, emits warnings, and gives the context back.  False: an exception is set. */
bool call_end(binding_call *c, weft_status st);
/* The same, but the context stays for further work. */
bool call_report(binding_call *c, weft_status st);
/* Raises the exception of a status with this message, whose reference it takes (NULL: an exception is set).  Returns
 * false. */
bool call_refuse(binding_state *state, weft_status st, PyObject *sentence);
/* A list of the notes of the call so far: how a file was read. */
PyObject *call_notes(const binding_call *c);
/* For loops over Python objects, at item i: checks for signals from time to time.  False: a handler raised. */
static inline bool signals_ok(Py_ssize_t i) { return i % 4096 != 4095 || !PyErr_CheckSignals(); }
/* A dict's value, borrowed; NULL if it is missing or None. */
PyObject *option(PyObject *dict, const char *name);

/* --- buffers of other objects ------------------------------------------------------------------- */

/* A contiguous buffer of numbers: its type and length; false (an exception is set) for anything else. */
bool numbers_of(PyObject *source, const char *name, Py_buffer *view, weft_type *type, uint64_t *count);

/* The bytes of a string, as the name of a vertex; `keep` is a list of the objects that they depend on.  NULL: an
 * exception is set; UnicodeEncodeError means that no name has this text (names.c). */
const char *name_of(PyObject *text, PyObject *keep, Py_ssize_t *length);

/* --- columns (column.c) ------------------------------------------------------------------------ */

/* A type of numbers (kinds.c). */
typedef struct column_kind {
    char letter;
    uint8_t bytes, dlpack;
    char *buffer; /* for Py_buffer, never written */
    const char *arrow, *cuda;
} column_kind;

const column_kind *column_kind_of(char letter);
/* NULL: not a type of ids or weights. */
const column_kind *column_kind_of_arrow(char letter);
const column_kind *column_kind_of_dlpack(uint8_t code, uint8_t bits);

/* An array with an owner, as a Python object. */
typedef struct column {
    PyObject_HEAD PyObject *owner; /* keeps the array alive */
    const weft_result *of; /* its result, for a column of a result: the array may be on the GPU until it is asked for */
    const char *name;      /* lives as long as the owner */
    char format;           /* as in struct, but 'H' = bfloat16, 'S' = u16 and 'z' = strings */
    Py_ssize_t length, width; /* width 0: one number a row */
    const void *data;         /* on the host */
    const void *there;        /* on a GPU, if it is not a column of a result */
    const uint8_t *valid;     /* a bit for each row, from the lowest; NULL: no value is missing */
    bool gaps;                /* u32 columns of results: WEFT_UNREACHED is no value */
    const uint64_t *starts;   /* strings */
    int gpu;                  /* the GPU that may have it */
} column;

PyObject *column_new(binding_state *state, PyObject *owner, const char *name, char format, const void *data,
                     Py_ssize_t length, Py_ssize_t width);
/* The column x, or NULL for any other object. */
column *column_of(PyObject *x);
/* Its address on a GPU; NULL if it is not there. */
const void *column_there(const column *c);
/* Copies the array to the host; false (an exception is set) if the GPU fails. */
bool column_bring(column *c);
PyObject *column_tensor(PyObject *self, PyObject *args);
PyObject *column_dlpack_device(PyObject *self, PyObject *none);
/* The parts of a column for a pickle, and a column of such parts (packed.c). */
PyObject *column_pack(PyObject *self, PyObject *none);
PyObject *column_unpack(PyObject *module, PyObject *args);
/* choose.c */
PyObject *column_top(PyObject *module, PyObject *args);
PyObject *column_groups(PyObject *module, PyObject *args);
PyObject *column_arrow_array(PyObject *self, PyObject *args, PyObject *keywords);
extern PyType_Spec column_spec;

/* --- graphs (graph.c) ---------------------------------------------------------------------------- */

typedef struct lent_arrays lent_arrays;
typedef struct graph {
    PyObject_HEAD weft_graph *g;
    PyObject *notes;
    lent_arrays *lent; /* the kept arrays of the caller, if any */
} graph;

extern PyType_Spec graph_spec;
/* Wraps g, which it takes over. */
PyObject *graph_wrap(binding_state *state, weft_graph *g, PyObject *notes);
/* Ends a call that made a graph, and wraps the graph. */
PyObject *graph_finish(binding_call *c, weft_status st, weft_graph *g);
/* Reads direction, duplicates and loops from a dict. */
bool graph_rules(PyObject *options, weft_build_params *p);
PyObject *graph_read(PyObject *module, PyObject *args);
PyObject *graph_generate(PyObject *module, PyObject *args);

/* arrays.c */
PyObject *graph_from_arrays(PyObject *module, PyObject *args);
/* Are the kept arrays unchanged?  False: an exception is set.  Called before each call that reads rows. */
bool graph_is_sound(PyObject *self);
PyObject *graph_get_kept(PyObject *self, void *none);
PyObject *graph_watch(PyObject *self, PyObject *names);
/* Drops one holder; needs the GIL. */
void lent_drop(lent_arrays *l);
/* For another handle of a graph with the same arrays; returns `other`, which may be NULL. */
PyObject *graph_share_lent(PyObject *self, PyObject *other);
/* The ids of these vertices (a buffer of u32; None: all), as a column. */
PyObject *graph_id_column(PyObject *self, PyObject *args);

/* attributes.c */
PyObject *graph_attributes(PyObject *self, PyObject *none);
PyObject *graph_with_attributes(PyObject *self, PyObject *args);
PyObject *graph_with_edge_columns(PyObject *self, PyObject *args);
PyObject *graph_edge_columns(PyObject *self, PyObject *none);
/* Columns of numbers, [(name, column), ...], without a copy. */
PyObject *graph_attribute_arrays(PyObject *self, PyObject *none);
PyObject *graph_edge_column_arrays(PyObject *self, PyObject *none);
PyObject *graph_sides(PyObject *self, PyObject *none);
PyObject *graph_with_sides(PyObject *self, PyObject *args);
PyObject *graph_filter_edges(PyObject *self, PyObject *args);
PyObject *graph_weighted_by(PyObject *self, PyObject *args);

/* questions.c */
PyObject *graph_subgraph(PyObject *self, PyObject *args);
PyObject *graph_project(PyObject *self, PyObject *args);
PyObject *graph_path(PyObject *self, PyObject *args);
PyObject *graph_quality(PyObject *self, PyObject *args);
PyObject *labels_agreement(PyObject *module, PyObject *args);
/* several.c */
PyObject *graphs_changes(PyObject *module, PyObject *args);
PyObject *graphs_merge(PyObject *module, PyObject *args);

/* --- parameters, plans and results ------------------------------------------------------------------ */

/* Fills a parameter struct from a dict; the list `keep` keeps referenced objects alive. */
bool params_fill(void *params, size_t count, const weft_param_info *(*at)(const void *of, size_t i), const void *of,
                 PyObject *values, PyObject *keep);
/* The owner of a result, which it takes over; the result's columns, [(column, "vertex" or "number", shape), ...]; its
 * scalars, a dict. */
PyObject *result_own(weft_result *r);
PyObject *result_columns(binding_state *state, int gpu, PyObject *owner, const weft_result *r);
PyObject *result_scalars(const weft_result *r);
extern PyType_Spec plan_spec;
PyObject *plan_new(PyObject *module, PyObject *args);

/* --- dynamic graphs (dynamic.c) ----------------------------------------------------------------------- */

PyObject *dynamic_make(PyObject *module, PyObject *args);
int dynamic_add_type(PyObject *module); /* -1: an exception is set */

/* --- functions of the module -------------------------------------------------------------------------- */

PyObject *registry_describe(PyObject *module, PyObject *none);
PyObject *objects_number(PyObject *module, PyObject *args);
PyObject *objects_unzip(PyObject *module, PyObject *rows);
PyObject *arrow_stream(PyObject *module, PyObject *args);
PyObject *arrow_values(PyObject *module, PyObject *source);
PyObject *dlpack_values(PyObject *module, PyObject *args);
PyObject *program_main(PyObject *module, PyObject *args);

#endif
