/* Plans: an algorithm with its parameters on a graph, described before it runs and run any number of times.  A plan has
 * a context of its own, and belongs to one thread at a time: a second thread gets an error.  A plan shared by ranks
 * (option comm) is made, run and left by all of them together; the first rank has the result. */
#include "binding.h"

#include "weft/aggregate.h"
#include "weft/check.h"

#include <stdlib.h>
#include <string.h>

typedef struct plan {
    PyObject_HEAD PyObject *graph, *keep; /* keep: the objects that the parameters refer to */
    binding_call call;
    const weft_algorithm_info *algorithm;
    void *params;
    weft_plan *plan;
    int gpu;
    bool open, busy, shared;
    bool at_once; /* the run follows immediately, so the graph was just checked */
} plan;

static const weft_param_info *algorithm_param(const void *of, size_t i) { return weft_algorithm_param_at(of, i); }

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    plan *me = (plan *)self;
    weft_plan_free(me->plan);
    if (me->open) {
        PyObject *type_, *value, *trace;
        PyErr_Fetch(&type_, &value, &trace);
        call_end(&me->call, WEFT_OK);
        PyErr_Restore(type_, value, trace);
    }
    free(me->params);
    Py_XDECREF(me->keep);
    Py_XDECREF(me->graph);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* Whether matrices are on the GPU is a field of the struct, not a parameter. */
static bool tell_where(plan *me, PyObject *values) {
    PyObject *both[] = {option(values, "features"), option(values, "forward")};
    int there = 0, here = 0;
    for (int i = 0; i < 2; i++) {
        const column *c = both[i] ? column_of(both[i]) : NULL;
        if (c && column_there(c))
            there++;
        else
            here += both[i] != NULL;
    }
    if (there && here)
        PyErr_SetString(PyExc_ValueError, "features and forward are either both on the GPU, or both not");
    if (there && !strcmp(me->algorithm->name, "aggregate"))
        ((weft_aggregate_params *)me->params)->features_on_device = 1;
    return !(there && here);
}

/* plan(graph, algorithm, params, options) */
PyObject *plan_new(PyObject *module, PyObject *args) {
    binding_state *state = binding_of(module);
    const char *name;
    PyObject *of, *values, *options;
    if (!PyArg_ParseTuple(args, "O!sO!O!", state->graph, &of, &name, &PyDict_Type, &values, &PyDict_Type, &options))
        return NULL;
    const weft_algorithm_info *a = weft_algorithm_find(name);
    if (!a) {
        PyErr_Format(PyExc_ValueError, "no algorithm is called '%s'", name);
        return NULL;
    }
    allocfunc alloc = (allocfunc)PyType_GetSlot(state->plan, Py_tp_alloc);
    plan *me = (plan *)alloc(state->plan, 0);
    if (!me) return NULL;
    Py_INCREF(of);
    me->graph = of;
    me->algorithm = a;
    me->keep = PyList_New(0);
    me->params = malloc(a->params_size);
    PyObject *gpu = option(options, "gpu");
    if (gpu) me->gpu = (int)PyLong_AsLong(gpu);
    me->shared = option(options, "comm") != NULL;
    me->at_once = option(options, "at_once") != NULL;
    if (!me->params) PyErr_NoMemory();
    if (!me->keep || !me->params || PyErr_Occurred() || !graph_is_sound(of)) goto failed;
    memcpy(me->params, a->params_standard, a->params_size);
    if (!params_fill(me->params, a->param_count, algorithm_param, a, values, me->keep) || !tell_where(me, values))
        goto failed;
    if (PyList_Append(me->keep, options)) goto failed;
    if (!call_begin(&me->call, state, options)) goto failed;
    call_leave_python(&me->call);
    weft_status st = weft_plan_new(me->call.ctx, name, ((graph *)of)->g, me->params, &me->plan);
    call_enter_python(&me->call);
    if (st) {
        call_end(&me->call, st);
        goto failed;
    }
    me->open = true;
    return (PyObject *)me;
failed:
    Py_DECREF((PyObject *)me);
    return NULL;
}

/* --- results ------------------------------------------------------------------------------------ */

static void free_result(PyObject *capsule) {
    weft_result *r = PyCapsule_GetPointer(capsule, "weft_result");
    Py_BEGIN_ALLOW_THREADS /* it may wait for the GPU, and thereby for code that needs the GIL */
        weft_result_free(r);
    Py_END_ALLOW_THREADS
}

PyObject *result_own(weft_result *r) {
    PyObject *owner = PyCapsule_New(r, "weft_result", free_result);
    if (!owner) weft_result_free(r);
    return owner;
}

PyObject *result_columns(binding_state *state, int gpu, PyObject *owner, const weft_result *r) {
    static const char formats[] = {
        [WEFT_U32] = 'I', [WEFT_U64] = 'Q',    [WEFT_I64] = 'q', [WEFT_F32] = 'f',
        [WEFT_F64] = 'd', [WEFT_VERTEX] = 'I', [WEFT_F16] = 'e', [WEFT_BF16] = 'H',
    };
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < weft_result_column_count(r); i++) {
        weft_column here = WEFT_COLUMN_DEFAULTS;
        if (weft_result_look_at(r, i, &here)) {
            Py_CLEAR(list);
            PyErr_SetString(PyExc_RuntimeError, "no such column");
            break;
        }
        column *c = (column *)column_new(state, owner, here.name, formats[here.type], here.data,
                                         (Py_ssize_t)here.length, (Py_ssize_t)here.width);
        if (c) c->of = r, c->gpu = gpu, c->gaps = here.type == WEFT_U32 || here.type == WEFT_VERTEX;
        PyObject *item =
            c ? Py_BuildValue("(Nsi)", c, here.type == WEFT_VERTEX ? "vertex" : "number", (int)here.shape) : NULL;
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

PyObject *result_scalars(const weft_result *r) {
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < weft_result_scalar_count(r); i++) {
        const weft_scalar *s = weft_result_scalar_at(r, i);
        bool none = s->type == WEFT_U64 && s->value.u64 == WEFT_NO_VALUE;
        PyObject *value = none                  ? Py_NewRef(Py_None)
                          : s->type == WEFT_F64 ? PyFloat_FromDouble(s->value.f64)
                          : s->type == WEFT_I64 ? PyLong_FromLongLong(s->value.i64)
                                                : PyLong_FromUnsignedLongLong(s->value.u64);
        if (!value || PyDict_SetItemString(dict, s->name, value)) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject *stages_of(const weft_result *r) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < weft_result_stage_count(r); i++) {
        const weft_stage *s = weft_result_stage_at(r, i);
        PyObject *item = Py_BuildValue("(sddK)", s->name, s->ms, s->kernel_ms, (unsigned long long)s->bytes);
        if (!item || PyList_Append(list, item)) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static bool has_plan(const plan *me) {
    if (!me->plan) PyErr_SetString(PyExc_RuntimeError, "the ranks have left this plan");
    return me->plan != NULL;
}

/* The verifier's report. */
static weft_status verify(plan *me, const weft_result *r, weft_check_report *report) {
    return weft_check(me->call.ctx, me->algorithm->name, ((graph *)me->graph)->g, me->params, r, report);
}

/* Replaces this rank's part by the whole result; NULL on all ranks but the first. */
static weft_status gather(const plan *me, weft_result **r) {
    weft_result *part = *r;
    *r = NULL;
    weft_status st = weft_plan_gather(me->plan, part, r);
    weft_result_free(part);
    return st;
}

/* run(verify) -> (owner, columns, scalars, stages, digest, verdict or None), or None on a rank that has no result */
static PyObject *run(PyObject *self, PyObject *check) {
    plan *me = (plan *)self;
    weft_result *r = NULL;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    int wanted = PyObject_IsTrue(check);
    if (wanted < 0) return NULL;
    if (me->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is running this plan; make one for each thread");
        return NULL;
    }
    if (!has_plan(me)) return NULL;
    me->busy = true;
    bool sound = me->at_once || graph_is_sound(me->graph);
    me->at_once = false;
    if (!sound) {
        me->busy = false;
        return NULL;
    }
    me->call.stop = 0;
    call_leave_python(&me->call);
    weft_status st = weft_plan_run(me->plan, &r);
    if (!st && me->shared) st = gather(me, &r);
    if (!st && wanted && r) st = verify(me, r, &report);
    call_enter_python(&me->call);
    me->busy = false;
    if (!call_report(&me->call, st)) {
        weft_result_free(r);
        return NULL;
    }
    if (!r) Py_RETURN_NONE;
    PyObject *owner = result_own(r);
    if (!owner) return NULL;
    PyObject *verdict = wanted ? Py_BuildValue("(Ns)", PyBool_FromLong(report.passed), report.message) : Py_None;
    if (!wanted) Py_INCREF(verdict);
    return Py_BuildValue("(NNNNN)", owner, result_columns(me->call.state, me->gpu, owner, r), result_scalars(r),
                         stages_of(r), verdict);
}

/* leave(): the ranks that share the plan leave it, all at the same time.  Later questions about the result need no
 * other rank, and use another context. */
static PyObject *leave(PyObject *self, PyObject *none) {
    plan *me = (plan *)self;
    binding_state *state = me->call.state;
    (void)none;
    if (!me->shared || !me->plan) Py_RETURN_NONE;
    weft_plan_free(me->plan);
    me->plan = NULL;
    me->open = false;
    if (!call_end(&me->call, WEFT_OK)) return NULL;
    me->open = call_begin(&me->call, state, NULL);
    if (!me->open) return NULL;
    Py_RETURN_NONE;
}

static PyObject *get_facts(PyObject *self, void *none) {
    static const char *const devices[] = {"auto", "cpu", "cuda"};
    const weft_plan *p = ((plan *)self)->plan;
    (void)none;
    if (!has_plan((plan *)self)) return NULL;
    return Py_BuildValue("(ssssNKK)", devices[weft_plan_device(p)], weft_plan_device_reason(p), weft_plan_method(p),
                         weft_plan_reason(p), PyBool_FromLong(weft_plan_streamed(p)),
                         (unsigned long long)weft_plan_host_bytes(p), (unsigned long long)weft_plan_device_bytes(p));
}

static PyGetSetDef getters[] = {
    {"facts", get_facts, NULL, "device, reason, method, reason, streamed, bytes on the host, bytes on the GPU", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyMethodDef methods[] = {
    {"run", run, METH_O, "runs it"},
    {"leave", leave, METH_NOARGS, "the ranks that share it leave it"},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, dealloc},
    {Py_tp_getset, getters},
    {Py_tp_methods, methods},
    {Py_tp_doc, "A run described in advance."},
    {0, NULL},
};

PyType_Spec plan_spec = {"weftgraph._weft.Plan", sizeof(plan), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
