/* Runs a plan once or --repeat times.  A result is a function of graph and parameters alone, so every run must give the
 * bytes of the first; the first result is kept, each other one only until it has been compared. */
#include "result/answer.h"

#include <stdlib.h>
#include <string.h>

static bool same_column(const weft_column *a, const weft_column *b) {
    return strcmp(a->name, b->name) == 0 && a->type == b->type && a->length == b->length && a->width == b->width &&
           memcmp(a->data, b->data, a->length * (a->width ? a->width : 1) * weft_type_size(a->type)) == 0;
}

static bool same_scalar(const weft_scalar *a, const weft_scalar *b) {
    return strcmp(a->name, b->name) == 0 && a->type == b->type && memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

/* The name of the first column or scalar that differs; NULL if the results are equal. */
static const char *difference(const weft_result *a, const weft_result *b) {
    size_t columns = weft_result_column_count(a), scalars = weft_result_scalar_count(a);
    if (columns != weft_result_column_count(b)) return "the number of columns";
    if (scalars != weft_result_scalar_count(b)) return "the number of values";
    for (size_t i = 0; i < columns; i++)
        if (!same_column(weft_result_column_at(a, i), weft_result_column_at(b, i)))
            return weft_result_column_at(a, i)->name;
    for (size_t i = 0; i < scalars; i++)
        if (!same_scalar(weft_result_scalar_at(a, i), weft_result_scalar_at(b, i)))
            return weft_result_scalar_at(a, i)->name;
    return NULL;
}

static int run_again(answer *a, size_t run, double *ms, double *kernel_ms) {
    weft_result *again = NULL;
    double started = cli_now_ms();
    weft_status st = cli_checkpoint_run(a, run ? &again : &a->result);
    *ms = cli_now_ms() - started;
    if (st) return cli_checkpoint_failed(a, st);
    *kernel_ms = stages_kernel_ms(run ? again : a->result);
    if (!run) {
        a->first_ms = *ms;
        a->peak_bytes = weft_ctx_memory_peak(a->ctx);
        return EXIT_DONE;
    }
    const char *differs = difference(a->result, again);
    weft_result_free(again);
    if (!differs) return EXIT_DONE;
    return cli_fail(EXIT_NO,
                    "NOT REPRODUCIBLE: run %zu of %s differs from the first in '%s'; please report this as a bug",
                    run + 1, a->call->name, differs);
}

int answer_run(answer *a) {
    size_t runs = (size_t)a->call->options.repeat;
    double *ms = cli_take(2 * runs, sizeof *ms), *kernel_ms = ms + runs;
    int code = ms ? EXIT_DONE : EXIT_MEMORY;
    for (size_t run = 0; run < runs && !code; run++) code = run_again(a, run, &ms[run], &kernel_ms[run]);
    cli_progress_erase();
    if (!code) {
        a->run_ms = cli_sort_times(ms, runs);
        a->kernel_ms = cli_sort_times(kernel_ms, runs);
    }
    free(ms);
    return code;
}
