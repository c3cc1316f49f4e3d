/* The time of a command by stages: reading, planning and everything unrecorded, then the stages of the library. With
 * --repeat the first run is shown, which includes work that later ones reuse. */
#include "result/answer.h"

static double whole_ms(const answer *a) { return a->load_ms + a->prepare_ms + a->first_ms; }

/* The time outside the stages of the result: planning, and everything unrecorded. */
static double unexplained_ms(const answer *a) {
    double left = a->prepare_ms + a->first_ms;
    for (size_t i = 0; i < weft_result_stage_count(a->result); i++) left -= weft_result_stage_at(a->result, i)->ms;
    return left > 0 ? left : 0;
}

static double gbs(const weft_stage *s) { return s->ms > 0 ? (double)s->bytes / s->ms * 1e-6 : 0; }

double stages_kernel_ms(const weft_result *result) {
    double ms = 0;
    for (size_t i = 0; i < weft_result_stage_count(result); i++) ms += weft_result_stage_at(result, i)->kernel_ms;
    return ms;
}

/* --- JSON ------------------------------------------------------------------------ */

static void stage_json(json *j, const weft_stage *s) {
    json_open_object(j, NULL, true);
    json_text(j, "name", s->name);
    json_rounded(j, "ms", s->ms);
    if (s->kernel_ms > 0) json_rounded(j, "gpu_ms", s->kernel_ms);
    if (s->bytes) json_u64(j, "bytes", s->bytes);
    if (s->bytes) json_rounded(j, "gbs", gbs(s));
    json_close(j);
}

void answer_stages_json(json *j, const answer *a) {
    json_rounded(j, "whole_ms", whole_ms(a));
    json_open_array(j, "stages", false);
    stage_json(j, &(weft_stage){"read", a->load_ms, 0, 0});
    stage_json(j, &(weft_stage){"plan", unexplained_ms(a), 0, 0});
    for (size_t i = 0; i < weft_result_stage_count(a->result); i++) stage_json(j, weft_result_stage_at(a->result, i));
    json_close(j);
}

/* --- for people -------------------------------------------------------------------- */

static void print_stage(const answer *a, const weft_stage *s) {
    cli_text buffer;
    printf("    %-12s%10s  %5.1f %%", s->name, cli_seconds(buffer, s->ms), 100 * s->ms / whole_ms(a));
    if (s->bytes) printf("  %s, %.1f GB/s", cli_bytes(buffer, s->bytes), gbs(s));
    if (s->kernel_ms > 0) printf("  %s by the GPU's clock", cli_seconds(buffer, s->kernel_ms));
    putchar('\n');
}

void answer_stages_print(const answer *a) {
    cli_text buffer;
    printf("  where the time went%s: %s in total\n", a->call->options.repeat > 1 ? ", first run" : "",
           cli_seconds(buffer, whole_ms(a)));
    print_stage(a, &(weft_stage){"read", a->load_ms, 0, 0});
    print_stage(a, &(weft_stage){"plan", unexplained_ms(a), 0, 0});
    for (size_t i = 0; i < weft_result_stage_count(a->result); i++) print_stage(a, weft_result_stage_at(a->result, i));
}
