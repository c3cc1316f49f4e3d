/* What rungs call: memory with its pages in place, the clock that is always in one part of the run, the answer. */
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double lab_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

void lab_turn(lab_run *r, lab_part part) {
    double now = lab_now_ms();
    r->part_ms[r->part] += now - r->since_ms;
    r->part = part;
    r->since_ms = now;
}

/* Of a large block: zeroed at once. */
static const size_t PIECE = (size_t)64 << 20;

void *lab_take(lab_run *r, size_t bytes) {
    if (r->held_count == LAB_MOST_BLOCKS) return NULL;
    if (r->memory_limit && bytes > r->memory_limit - r->taken) return NULL;
    char *block = malloc(bytes ? bytes : 1);
    if (!block) return NULL;
    for (size_t at = 0; at < bytes && !r->gave_up; at += PIECE) {
        memset(block + at, 0, bytes - at < PIECE ? bytes - at : PIECE);
        r->gave_up = at && lab_stopped(r);
    }
    if (r->gave_up) {
        free(block);
        return NULL;
    }
    r->held[r->held_count++] = block;
    r->taken += bytes;
    if (r->part != LAB_UNTIMED) r->taken_timed += bytes;
    return block;
}

void lab_reads(lab_run *r, const weft_csr *csr) {
    if (csr == &r->in)
        r->reads_in = true;
    else
        r->reads_out = true;
}

static void add_column(lab_run *r, weft_column column) {
    if (r->column_count == LAB_MOST_COLUMNS) return; /* the verifier misses it, and says so */
    r->column[r->column_count++] = column;
}

void lab_matrix(lab_run *r, const char *name, weft_type type, const void *data, size_t length, size_t width) {
    weft_shape shape = length == weft_graph_vertices(r->g) ? WEFT_SHAPE_VERTICES : WEFT_SHAPE_TABLE;
    add_column(r, (weft_column){sizeof(weft_column), name, type, shape, length, data, width});
}

void lab_edges(lab_run *r, const char *name, weft_type type, const void *data, size_t length) {
    add_column(r, (weft_column){sizeof(weft_column), name, type, WEFT_SHAPE_EDGES, length, data, 0});
}

void lab_column(lab_run *r, const char *name, weft_type type, const void *data, size_t length) {
    lab_matrix(r, name, type, data, length, 0);
}

static void add_scalar(lab_run *r, weft_scalar scalar) {
    if (r->scalar_count < LAB_MOST_SCALARS) r->scalar[r->scalar_count++] = scalar;
}

void lab_u64(lab_run *r, const char *name, uint64_t value) {
    add_scalar(r, (weft_scalar){sizeof(weft_scalar), name, WEFT_U64, {.u64 = value}});
}

void lab_f64(lab_run *r, const char *name, double value) {
    add_scalar(r, (weft_scalar){sizeof(weft_scalar), name, WEFT_F64, {.f64 = value}});
}

bool lab_out_of_patience(const lab_run *r) {
    if (!r->first) return false;
    double ms = r->part < LAB_PARTS ? lab_now_ms() - r->since_ms : 0;
    for (size_t p = 0; p < LAB_PARTS; p++) ms += r->part_ms[p];
    double getting_ready_s = r->resident ? 5 : r->device == LAB_CUDA ? 0.5 : 0;
    return ms > 1e3 * (r->patience_s + getting_ready_s);
}

bool lab_stopped(const lab_run *r) {
    return (r->setup->stop && r->setup->stop(r->setup->user)) || lab_out_of_patience(r);
}

double lab_known(const lab_run *r, const char *scalar) {
    const weft_scalar *found = r->reference ? weft_result_scalar(r->reference, scalar) : NULL;
    return found && found->type == WEFT_U64 ? (double)found->value.u64 : 0;
}

/* Stages of the library's GPU runs that are not kernels. */
static lab_part part_of_stage(const char *name) {
    static const struct {
        const char *stage;
        lab_part part;
    } known[] = {{"context", LAB_ALLOCATE},  {"memory", LAB_ALLOCATE}, {"upload", LAB_COPY_IN},
                 {"transpose", LAB_COPY_IN}, {"relabel", LAB_COPY_IN}, {"weights", LAB_COPY_IN},
                 {"download", LAB_COPY_OUT}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].stage, name) == 0) return known[i].part;
    return LAB_KERNELS;
}

static int library_stops(void *run) { return lab_stopped(run); }

weft_status lab_engine(lab_run *r) {
    weft_plan *plan = NULL;
    uint64_t before = weft_ctx_memory_in_use(r->ctx);
    r->resident = r->device == LAB_CUDA;
    lab_reads(r, &r->out);
    lab_reads(r, &r->in);
    weft_ctx_restart_memory_peak(r->ctx);
    weft_ctx_set_cancel(r->ctx, library_stops, r);
    weft_status st = weft_ctx_set_device(r->ctx, r->resident ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU);
    if (!st) st = weft_plan_new(r->ctx, r->algorithm, r->g, r->params, &plan);
    lab_turn(r, LAB_KERNELS);
    if (!st) st = weft_plan_run(plan, &r->result);
    lab_turn(r, LAB_FREE);
    weft_plan_free(plan);
    lab_turn(r, LAB_UNTIMED);
    weft_ctx_set_cancel(r->ctx, r->setup->stop, r->setup->user);
    r->library_bytes = weft_ctx_memory_peak(r->ctx) - before;
    for (size_t i = 0; !st && i < weft_result_stage_count(r->result); i++) {
        const weft_stage *stage = weft_result_stage_at(r->result, i);
        lab_part part = part_of_stage(stage->name);
        double most = r->part_ms[LAB_KERNELS], ms = stage->ms < most ? stage->ms : most;
        if (part == LAB_KERNELS) r->event_ms += stage->kernel_ms;
        if (part == LAB_KERNELS) continue;
        r->part_ms[part] += ms;
        r->part_ms[LAB_KERNELS] -= ms;
    }
    weft_ctx_set_device(r->ctx, WEFT_DEVICE_CPU);
    return st;
}

const char *lab_engine_on_gpu(lab_run *r) {
    weft_plan *plan = NULL;
    weft_status st = weft_ctx_set_device(r->ctx, WEFT_DEVICE_CUDA);
    if (!st) st = weft_plan_new(r->ctx, r->algorithm, r->g, r->params, &plan);
    if (st) snprintf(r->why, sizeof r->why, "%s", weft_ctx_message(r->ctx));
    weft_plan_free(plan);
    weft_ctx_set_device(r->ctx, WEFT_DEVICE_CPU);
    return st ? r->why : NULL;
}
