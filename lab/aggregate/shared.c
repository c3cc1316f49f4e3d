/* Aggregation's ladder: the answer, and what the rungs do not serve. */
#include "aggregate.h"

static const weft_aggregate_params *params_of(const lab_run *r) { return r->params; }

size_t aggregate_width(const lab_run *r) { return (size_t)params_of(r)->features->width; }

const char *aggregate_serves(lab_run *r) {
    const weft_aggregate_params *p = params_of(r);
    if (p->backward) return "this rung goes forth; only the engine goes back";
    if (p->features->type != WEFT_F32) return "this rung reads f32; only the engine knows numbers of 2 bytes";
    if (p->op == WEFT_AGGREGATE_MAX) return "this rung adds; only the engine takes the maximum";
    if (p->normalize || p->self_loop)
        return "this rung takes neighbours as they are; only the engine weighs them or adds loops";
    return NULL;
}

weft_status aggregate_open(lab_run *r, size_t extra_bytes, aggregation *a) {
    *a = (aggregation){
        .r = r, .in = r->in, .n = r->out.vertices, .width = aggregate_width(r), .x = params_of(r)->features->data};
    a->f = lab_take(r, a->n * a->width * sizeof *a->f);
    lab_reads(r, &r->in);
    a->extra = lab_take(r, extra_bytes);
    return a->f && a->extra ? WEFT_OK : WEFT_ENOMEM;
}

weft_status aggregate_close(aggregation *a, double bytes) {
    lab_run *r = a->r;
    lab_turn(r, LAB_UNTIMED);
    if (lab_stopped(r)) return WEFT_ECANCELLED;
    lab_matrix(r, "f", WEFT_F32, a->f, a->n, a->width);
    lab_u64(r, "rows", a->n);
    lab_u64(r, "width", a->width);
    r->edges = (double)a->in.arcs;
    r->bytes = bytes;
    return WEFT_OK;
}
