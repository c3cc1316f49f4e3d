/* Functions for all sections of a report: runs with an entry of "how", values, tables. */
#include "report/graph_report.h"

#include <math.h>
#include <string.h>

void report_section(report *r, const char *name) {
    json_open_object(r->j, name, false);
    json_open_array(r->j, "how", false);
    cli_progress_line(&r->call->options, "%s", name);
}

void report_left_out(report *r, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    json_close(r->j);
    json_text(r->j, "left_out", text);
    json_close(r->j);
}

/* A run with a tolerance reports its error; without convergence the tolerance is not claimed. */
static void put_exact(json *j, const weft_algorithm_info *a, const void *params, const weft_result *result,
                      const char *exact) {
    const weft_scalar *residual = weft_result_scalar(result, "residual"),
                      *iterations = weft_result_scalar(result, "iterations");
    double tolerance = NAN;
    for (size_t i = 0; i < a->param_count; i++) {
        const weft_param_info *p = weft_algorithm_param_at(a, i);
        if (p->type == WEFT_PARAM_F64 && strcmp(p->name, "tolerance") == 0)
            memcpy(&tolerance, (const char *)params + p->offset, sizeof tolerance);
    }
    bool iterates = residual && iterations && !isnan(tolerance),
         converged = iterates && residual->value.f64 <= tolerance;
    cli_text count;
    char text[160];
    if (iterates && !converged)
        snprintf(text, sizeof text,
                 "not converged: after %s iteration%s the values still change by %.4g, more than the tolerance %.4g",
                 cli_count(count, iterations->value.u64), cli_s(iterations->value.u64), residual->value.f64, tolerance);
    json_text(j, "exact", iterates && !converged ? text : exact);
    if (iterates) json_bool(j, "converged", converged);
}

int report_run(report *r, const char *algorithm, const void *params, const char *gives, const char *exact,
               weft_result **out) {
    const weft_algorithm_info *a = weft_algorithm_find(algorithm);
    weft_plan *plan = NULL;
    if (!params) params = a->params_standard;
    double began = cli_now_ms();
    weft_status st = weft_plan_new(r->ctx, algorithm, r->part ? r->part : r->g, params, &plan);
    if (!st) st = weft_plan_run(plan, out);
    cli_progress_erase();
    if (!st) {
        json_open_object(r->j, NULL, false);
        json_text(r->j, "gives", gives);
        json_text(r->j, "algorithm", algorithm);
        cli_parameters_json(r->j, r->g, plan, weft_algorithm_find(algorithm), NULL);
        json_text(r->j, "method", weft_plan_method(plan));
        json_text(r->j, "backend", weft_plan_device(plan) == WEFT_DEVICE_CUDA ? "cuda" : "cpu");
        put_exact(r->j, a, params, *out, exact);
        json_rounded(r->j, "ms", cli_now_ms() - began);
        json_close(r->j);
    }
    weft_plan_free(plan);
    return st ? cli_fail_status(r->ctx, st) : EXIT_DONE;
}

void report_counted(report *r, const char *gives, const char *method, double ms) {
    json_open_object(r->j, NULL, false);
    json_text(r->j, "gives", gives);
    json_text(r->j, "algorithm", "counting");
    json_open_object(r->j, "parameters", true);
    json_close(r->j);
    json_text(r->j, "method", method);
    json_text(r->j, "backend", "cpu");
    json_text(r->j, "exact", "exact");
    json_rounded(r->j, "ms", ms);
    json_close(r->j);
}

void report_values(report *r) {
    json_close(r->j);
    json_open_object(r->j, "values", false);
}

void report_scalars(report *r, const weft_result *result) {
    for (size_t i = 0; i < weft_result_scalar_count(result); i++) json_scalar(r->j, weft_result_scalar_at(result, i));
}

void report_tables(report *r) {
    json_close(r->j);
    json_open_object(r->j, "tables", false);
}

void report_table(report *r, const char *name, const char *const *columns) {
    json_open_object(r->j, name, false);
    json_open_array(r->j, "columns", true);
    for (size_t i = 0; columns[i]; i++) json_text(r->j, NULL, columns[i]);
    json_close(r->j);
    json_open_array(r->j, "rows", false);
}

void report_row(report *r) { json_open_array(r->j, NULL, true); }
void report_row_end(report *r) { json_close(r->j); }

void report_table_end(report *r) {
    json_close(r->j);
    json_close(r->j);
}

void report_section_end(report *r) {
    json_close(r->j);
    json_close(r->j);
}
