/* --checkpoint DIR --every S: checkpoint and resume.  The run is saved every S seconds, and the same command resumes
 * it. During the run SIGTERM (from a batch system at the end of the allotted time) and the end of --timeout save a
 * checkpoint and stop; before and after, they interrupt the program as usual. */
#include "result/answer.h"

#include <inttypes.h>

enum { STANDARD_SECONDS = 600 };

static int asked_to_stop(void *user) {
    (void)user;
    return cli_terminated() || cli_timed_out();
}

int cli_checkpoint_check(const cli_call *call) {
    const cli_options *o = &call->options;
    if (!o->checkpoint) return EXIT_DONE;
    if (!*o->checkpoint) return cli_fail(EXIT_USAGE, "--checkpoint: the name of the folder is empty");
    if (o->device >= WEFT_DEVICE_CUDA)
        return cli_fail(EXIT_USAGE, "--checkpoint works for runs on the CPU only; use --device cpu or auto");
    return EXIT_DONE;
}

int cli_checkpoint_begin(weft_ctx *ctx, const cli_options *o) {
    if (!o->checkpoint) return EXIT_DONE;
    weft_status st =
        weft_ctx_set_checkpoint(ctx, o->checkpoint, o->every >= 0 ? o->every : STANDARD_SECONDS, asked_to_stop, NULL);
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}

weft_status cli_checkpoint_run(answer *a, weft_result **result) {
    if (a->call->options.checkpoint) cli_signals_terminate_softly(true);
    weft_status st = weft_plan_run(a->plan, result);
    cli_signals_terminate_softly(false);
    return st;
}

static weft_checkpoint_info info_of(const answer *a) {
    weft_checkpoint_info info = {.size = sizeof info};
    if (weft_plan_checkpoint(a->plan, &info)) info = (weft_checkpoint_info){.size = sizeof info};
    return info;
}

int cli_checkpoint_failed(const answer *a, weft_status st) {
    weft_checkpoint_info info = {.size = sizeof info};
    if (st == WEFT_ECANCELLED) info = info_of(a);
    if (!info.stopped) return cli_fail_status(a->ctx, st);
    uint64_t terminated = cli_terminated(); /* or was another rank stopped? */
    st = weft_ctx_sum_ranks(a->ctx, &terminated, 1);
    if (st) return cli_fail_status(a->ctx, st);
    return cli_fail(terminated ? EXIT_STOPPED : EXIT_TIMEOUT,
                    "%s after iteration %" PRIu64 "; checkpoint in %s; the same command resumes it",
                    terminated ? "stopped by SIGTERM" : "the time of --timeout was up", info.iteration,
                    a->call->options.checkpoint);
}

int cli_checkpoint_end(const answer *a, int code) {
    if (!a->call->options.checkpoint || !a->plan || a->call->options.plan) return code;
    code = cli_finish_stdout(code); /* without its output a run is not finished, and keeps its checkpoint */
    weft_status st = code == EXIT_DONE ? weft_plan_forget_checkpoint(a->plan) : WEFT_OK;
    return st ? cli_fail_status(a->ctx, st) : code;
}

void cli_checkpoint_json(json *j, const answer *a) {
    weft_checkpoint_info info = info_of(a);
    if (!a->call->options.checkpoint) return;
    json_u64(j, "resumed_from_iteration", info.resumed_from);
    json_u64(j, "checkpoints_written", info.written);
}
