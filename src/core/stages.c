/* Profile of exclusive times: a stack of open stages over a short list. The clock is read once on entering and once
 * on leaving, some 30 ns each. */
#include "core/stages.h"

#include <string.h>

/* Index of the stage `name`, added if new; if the list is full, the first stage (the rest). */
static size_t place_of(wfi_stages *s, const char *name) {
    for (size_t i = 0; i < s->count; i++)
        if (!strcmp(s->at[i].name, name)) return i;
    if (s->count == WFI_MOST_STAGES) return 0;
    s->at[s->count] = (weft_stage){name, 0, 0, 0};
    return s->count++;
}

/* Adds the time since the last call to the innermost stage. */
static weft_stage *charge_innermost(wfi_stages *s) {
    double now = wfi_now_ms();
    weft_stage *inner = &s->at[s->open[s->depth < WFI_DEEPEST_STAGE ? s->depth - 1 : WFI_DEEPEST_STAGE - 1]];
    inner->ms += now - s->since;
    s->since = now;
    return inner;
}

void wfi_stages_begin(weft_ctx *ctx, const char *rest) {
    wfi_stages *s = wfi_ctx_stages(ctx);
    *s = (wfi_stages){.depth = 1, .since = wfi_now_ms()};
    s->open[0] = place_of(s, rest);
}

void wfi_stages_end(weft_ctx *ctx) {
    wfi_stages *s = wfi_ctx_stages(ctx);
    if (s->depth) charge_innermost(s);
    s->depth = 0;
}

void wfi_stage_enter(weft_ctx *ctx, const char *name) {
    wfi_stages *s = wfi_ctx_stages(ctx);
    if (!s->depth) return;
    charge_innermost(s);
    if (s->depth < WFI_DEEPEST_STAGE) s->open[s->depth] = place_of(s, name);
    s->depth++; /* deeper stages count for the deepest recorded one */
}

void wfi_stage_leave(weft_ctx *ctx, uint64_t bytes, double kernel_ms) {
    wfi_stages *s = wfi_ctx_stages(ctx);
    if (s->depth < 2) return;
    weft_stage *inner = charge_innermost(s);
    inner->bytes += bytes;
    inner->kernel_ms += kernel_ms;
    s->depth--;
}

void wfi_stage_spent(weft_ctx *ctx, const char *name, double ms) {
    wfi_stages *s = wfi_ctx_stages(ctx);
    if (s->depth && ms > 0) s->at[place_of(s, name)].ms += ms;
}
