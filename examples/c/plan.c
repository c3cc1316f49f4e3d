/* plan [LIMIT]: what a run will take before it starts, a limit of bytes, progress, and a way to stop. */
#include <weft.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t interrupted;
static void on_interrupt(int signal_number) { interrupted = signal_number; }

static int wants_to_stop(void *user) {
    (void)user;
    return interrupted != 0;
}

static void show(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    if (total) fprintf(stderr, "\r%s: %3.0f %%", stage, 100 * (double)done / (double)total);
}

int main(int argc, char **argv) {
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_plan *plan = NULL;
    weft_generate_params graph = WEFT_GENERATE_DEFAULTS;
    weft_pagerank_params params = WEFT_PAGERANK_DEFAULTS;
    graph.scale = 14;
    params.tolerance = 1e-9;
    signal(SIGINT, on_interrupt);
    weft_status st = weft_ctx_new(&ctx);
    if (!st) st = weft_ctx_set_memory_limit(ctx, argc > 1 ? strtoull(argv[1], NULL, 10) : 0);
    if (!st) st = weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    weft_ctx_set_progress(ctx, show, NULL);
    weft_ctx_set_cancel(ctx, wants_to_stop, NULL);
    if (!st) st = weft_generate(ctx, "rmat", &graph, NULL, &g);
    if (!st) st = weft_plan_new(ctx, "pagerank", g, &params, &plan);
    weft_graph_free(g); /* the plan has a share of its own */
    if (!st)
        printf("method: %s (%s)\nbytes: %llu\n", weft_plan_method(plan), weft_plan_reason(plan),
               (unsigned long long)weft_plan_host_bytes(plan));
    for (int run = 0; !st && run < 3; run++) { /* as often as you like */
        weft_result *r = NULL;
        uint64_t digest = 0;
        st = weft_plan_run(plan, &r);
        if (!st) st = weft_result_digest(ctx, r, &digest);
        if (!st) printf("run %d: digest %016llx\n", run + 1, (unsigned long long)digest);
        weft_result_free(r);
    }
    if (st) fprintf(stderr, "plan: %s\n", ctx ? weft_ctx_message(ctx) : weft_status_text(st));
    weft_plan_free(plan);
    weft_ctx_free(ctx);
    return st == WEFT_ENOMEM ? 4 : st ? 1 : 0;
}
