/* The answer that rungs are compared with: the library's own, on the CPU, within a limit of time. */
#include "answer.h"

#include <math.h>

typedef struct deadline {
    const lab_setup *setup;
    double end_ms;
} deadline;

static bool wants_to_stop(const lab_setup *s) { return s->stop && s->stop(s->user); }

static int is_over(void *user) {
    const deadline *d = user;
    return wants_to_stop(d->setup) || lab_now_ms() > d->end_ms;
}

weft_status lab_reference(const lab_setup *s, const char *algorithm, const weft_graph *g, const void *params,
                          lab_table *table, weft_result **out) {
    weft_plan *plan = NULL;
    double begin_ms = lab_now_ms(), limit_s = s->reference_s > 0 ? s->reference_s : fmax(10, 10 * s->patience_s);
    deadline until = {s, begin_ms + 1e3 * limit_s};
    weft_ctx_set_cancel(s->ctx, is_over, &until);
    weft_status st = weft_ctx_set_device(s->ctx, WEFT_DEVICE_CPU);
    if (!st) st = weft_plan_new(s->ctx, algorithm, g, params, &plan);
    if (!st) st = weft_plan_run(plan, out);
    weft_plan_free(plan);
    weft_ctx_set_cancel(s->ctx, s->stop, s->user);
    bool too_long = st == WEFT_ECANCELLED && !wants_to_stop(s);
    table->reference_s = too_long ? -1 : 1e-3 * (lab_now_ms() - begin_ms);
    table->reference_limit_s = limit_s;
    return too_long ? WEFT_OK : st;
}
