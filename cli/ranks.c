/* The program as one of several ranks that a launcher started (mpirun, srun): the first rank does all the talking.
 * On the others nothing goes to standard output, and what cli_fail says waits until the ranks agree on how a step went: then the first
 * rank says it, once.  After a step that a rank may fail in by itself, all of them call cli_ranks_agree, so that nobody waits for one that
 * is gone. */
#include "answer.h"

#include <stdlib.h>
#include <string.h>

static int rank, ranks = 1;
static char failure[1024]; /* on the other ranks: what cli_fail said last */

void cli_ranks_begin(void) {
    ranks = weft_launched_ranks(&rank);
    if (!rank) return;
    cli_fail_into(failure, sizeof failure);
    if (!freopen("/dev/null", "w", stdout)) fclose(stdout);
}

bool cli_ranks_first(void) { return rank == 0; }

int cli_ranks_command(const cli_command *command, const char *name, bool *idle) {
    bool told = command->run == cli_doctor || command->run == cli_help; /* once is enough */
    *idle = told && rank > 0;
    if (ranks == 1 || told || command == &cli_algorithm_command) return EXIT_DONE;
    return cli_fail(EXIT_USAGE, "weft %s runs on one rank, and %d were started; start it by itself", name, ranks);
}

/* "pagerank, hits and bfs" */
static void list_shared(char *to, size_t room) {
    size_t used = 0, left = 0;
    for (size_t i = 0; i < weft_algorithm_count(); i++) left += weft_algorithm_at(i)->on_ranks != 0;
    for (size_t i = 0; i < weft_algorithm_count() && used < room; i++) {
        if (!weft_algorithm_at(i)->on_ranks) continue;
        used += (size_t)snprintf(to + used, room - used, "%s%s", weft_algorithm_at(i)->name,
                                 --left > 1  ? ", "
                                 : left == 1 ? " and "
                                             : "");
    }
}

int cli_ranks_check(const cli_call *call) {
    const char *why = ranks > 1 ? weft_ranks_refuse(call->algorithm->name, call->params) : NULL;
    char shared[512];
    if (!why) return EXIT_DONE;
    if (call->algorithm->on_ranks) return cli_fail(EXIT_USAGE, "%s: %s, and %d were started", call->name, why, ranks);
    list_shared(shared, sizeof shared);
    return cli_fail(EXIT_USAGE, "%d ranks cannot share %s; they can share %s", ranks, call->name, shared);
}

int cli_ranks_join(weft_ctx *ctx, cli_options *options) {
    if (ranks == 1) return EXIT_DONE;
    if (rank) options->quiet = 1;
    return weft_ctx_set_comm(ctx, NULL) ? cli_fail(EXIT_USAGE, "%s", weft_ctx_message(ctx)) : EXIT_DONE;
}

int cli_ranks_agree(weft_ctx *ctx, int code) {
    if (!ctx || weft_ctx_ranks(ctx) == 1) return code;
    int all = weft_ctx_agree(ctx, code, rank ? failure : "");
    if (all && !code && !rank) cli_fail(all, "%s", weft_ctx_message(ctx));
    return all;
}

int cli_ranks_gather(answer *a) {
    size_t count = (size_t)weft_ctx_ranks(a->ctx);
    weft_result *whole = NULL;
    if (count == 1) return EXIT_DONE;
    weft_status st = weft_plan_gather(a->plan, a->result, &whole);
    if (st) return cli_fail_status(a->ctx, st);
    weft_result_free(a->result);
    a->result = whole;
    return EXIT_DONE;
}

int cli_ranks_figures(answer *a) {
    size_t count = (size_t)weft_ctx_ranks(a->ctx);
    if (count == 1) return EXIT_DONE;
    if (!a->rank_figures) a->rank_figures = cli_take(count * CLI_RANK_FIGURES, sizeof *a->rank_figures);
    int code = cli_ranks_agree(a->ctx, a->rank_figures ? EXIT_DONE : EXIT_MEMORY);
    weft_status st = WEFT_OK;
    for (int f = 0; f < CLI_RANK_FIGURES && !code && !st; f++)
        st = weft_plan_ranks(a->plan, (weft_rank_figure)f, a->rank_figures + (size_t)f * count);
    return st ? cli_fail_status(a->ctx, st) : code;
}

void cli_ranks_json(json *j, const answer *a) {
    static const char *const key[CLI_RANK_FIGURES] = {"rank_vertices", "rank_arcs", "rank_bytes", "rank_sent_bytes"};
    size_t count = (size_t)weft_ctx_ranks(a->ctx);
    if (!a->rank_figures) return;
    json_u64(j, "ranks", count);
    json_text(j, "transport", weft_ctx_transport(a->ctx));
    for (size_t f = 0; f < CLI_RANK_FIGURES; f++) {
        json_open_array(j, key[f], true);
        for (size_t r = 0; r < count; r++) json_u64(j, NULL, a->rank_figures[f * count + r]);
        json_close(j);
    }
}

void cli_ranks_print(const answer *a) {
    size_t count = (size_t)weft_ctx_ranks(a->ctx);
    const uint64_t *bytes = a->rank_figures + WEFT_RANK_BYTES * count, *sent = a->rank_figures + WEFT_RANK_SENT * count;
    uint64_t most = 0, all = 0;
    cli_text x, y;
    if (!a->rank_figures) return;
    for (size_t r = 0; r < count; r++) {
        if (bytes[r] > most) most = bytes[r];
        all += sent[r];
    }
    cli_fact("ranks", "%zu over %s, up to %s on each, %s sent so far", count, weft_ctx_transport(a->ctx),
             cli_bytes(x, most), cli_bytes(y, all));
}
