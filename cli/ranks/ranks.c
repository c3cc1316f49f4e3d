/* The program as one of several ranks of a launcher (mpirun, srun): only the first rank prints.  On the others nothing
 * goes to standard output, and a message of cli_fail is kept until the ranks agree on the status of a step; then the
 * first rank prints it, once.  After each step that may fail on one rank alone, all call cli_ranks_agree, so that none
 * waits for a rank that has left. */
#include "draw/draw.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks = 1;
static bool met;
static int grid[2];        /* rows and columns of --grid; 0 and 0: not given */
static char failure[1024]; /* on the other ranks: the last message of cli_fail */

void cli_ranks_begin(void) {
    ranks = weft_launched_ranks(&rank);
    if (!rank) return;
    cli_fail_into(failure, sizeof failure);
    if (!freopen("/dev/null", "w", stdout)) fclose(stdout);
}

bool cli_ranks_alone(void) { return ranks == 1; }

bool cli_ranks_first(void) { return rank == 0; }

int cli_ranks_command(const cli_command *command, const char *name, bool *idle) {
    bool alone = command->run == cli_doctor || command->run == cli_help; /* the message is given once */
    *idle = alone && rank > 0;
    bool shared = command == &cli_algorithm_command || command->run == cli_generate || command->run == cli_convert;
    if (ranks == 1 || alone || shared) return EXIT_DONE;
    return cli_fail(EXIT_USAGE, "weft %s runs on one rank, and %d were started; start it by itself", name, ranks);
}

/* "pagerank, hits and bfs" */
static void list_shared(char *to, size_t capacity) {
    size_t used = 0, left = 0;
    for (size_t i = 0; i < weft_algorithm_count(); i++) left += weft_algorithm_at(i)->on_ranks != 0;
    for (size_t i = 0; i < weft_algorithm_count() && used < capacity; i++) {
        if (!weft_algorithm_at(i)->on_ranks) continue;
        used += (size_t)snprintf(to + used, capacity - used, "%s%s", weft_algorithm_at(i)->name,
                                 --left > 1  ? ", "
                                 : left == 1 ? " and "
                                             : "");
    }
}

/* "4x2" */
static bool read_grid(const char *text, long *down, long *across) {
    enum { MOST = 1 << 24 };
    char *end;
    *down = strtol(text, &end, 10);
    if (*end != 'x') return false;
    *across = strtol(end + 1, &end, 10);
    return !*end && *down > 0 && *down <= MOST && *across > 0 && *across <= MOST;
}

/* --grid, before anything is read. */
static int check_grid(const cli_call *call) {
    const char *text = call->options.grid;
    long down, columns;
    if (!text) return EXIT_DONE;
    if (!read_grid(text, &down, &columns))
        return cli_fail(EXIT_USAGE, "--grid: '%s' is not a grid; expected rows x columns, such as 4x2", text);
    if (down * columns != ranks)
        return cli_fail(EXIT_USAGE, "--grid %s is for %ld ranks, and there %s %d", text, down * columns,
                        ranks == 1 ? "is" : "are", ranks);
    grid[0] = (int)down;
    grid[1] = (int)columns;
    if (columns > 1 && !call->algorithm->on_grid)
        return cli_fail(EXIT_USAGE, "--grid %s: ranks share %s in one column only, %dx1", text, call->name, ranks);
    if (columns > 1 && call->options.device >= WEFT_DEVICE_CUDA)
        return cli_fail(EXIT_USAGE,
                        "--grid %s: ranks share a grid of several columns on CPUs; use --device cpu or auto", text);
    return EXIT_DONE;
}

/* Checks that the algorithm runs on ranks with these parameters, before the graph is read. */
static int check_algorithm(const cli_call *call) {
    const char *why = ranks > 1 ? weft_ranks_refuse(call->algorithm->name, call->params) : NULL;
    char shared[512];
    int code = why ? EXIT_DONE : check_grid(call);
    if (code) return code;
    if (!why && ranks > 1 && call->options.device >= WEFT_DEVICE_CUDA) {
        why = weft_ranks_refuse_gpu(call->algorithm->name, call->params);
        if (why) return cli_fail(EXIT_DEVICE, "%s: %s; use --device cpu or auto", call->name, why);
    }
    if (!why) return EXIT_DONE;
    if (call->algorithm->on_ranks) return cli_fail(EXIT_USAGE, "%s: %s, and %d were started", call->name, why, ranks);
    list_shared(shared, sizeof shared);
    return cli_fail(EXIT_USAGE, "%d ranks cannot share %s; they can share %s", ranks, call->name, shared);
}

int cli_ranks_check_target(const cli_options *options, const char *path) {
    const char *format = options->to ? options->to : path ? cli_format_of_path(path) : "";
    if (ranks == 1 || !path) return EXIT_DONE;
    if (strcmp(format, "weft") != 0)
        return cli_fail(EXIT_USAGE, "%s: ranks write .weft files only; convert one afterwards", path);
    if (*wfi_packed_end(path) || cli_is_stdout(path) || wfi_is_in_place(path))
        return cli_fail(EXIT_USAGE, "%s: ranks write a plain file together, not a packed one or a pipe", path);
    if (options->both_directions)
        return cli_fail(EXIT_USAGE,
                        "--both-directions: ranks write a graph without its incoming rows; let one process add them");
    return EXIT_DONE;
}

/* Runs in a thread of the library, in which MPI may not be called: the launcher ends the other ranks when this one
 * exits.  Usually it notices a lost rank by itself, with an exit code of its own; otherwise we exit.  Nothing else is
 * printed, not even that its signals have interrupted us. */
static void end_job(void *user, int hangs, const char *message) {
    enum { LAUNCHER_S = 5 };
    static char unheard[sizeof failure];
    (void)user;
    cli_fail_into(unheard, sizeof unheard);
    if (message) cli_put(stderr, "weft: %s", message);
    if (message) fputc('\n', stderr);
    fflush(stderr);
    if (!hangs || !message) sleep(LAUNCHER_S);
    _exit(hangs ? EXIT_TIMEOUT : EXIT_INTERRUPTED);
}

int cli_ranks_join(weft_ctx *ctx, cli_options *options) {
    if (ranks == 1) return EXIT_DONE;
    if (rank) options->quiet = 1;
    if (weft_ctx_set_comm(ctx, NULL)) return cli_fail(EXIT_USAGE, "%s", weft_ctx_message(ctx));
    met = true;
    weft_status st = cli_limit_memory(ctx, options); /* shared with the other ranks of this machine */
    if (!st) st = weft_ctx_set_grid(ctx, grid[0], grid[1]);
    if (!st) st = weft_ctx_watch_ranks(ctx, options->hang_timeout, end_job, NULL);
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}

int cli_ranks_agree(weft_ctx *ctx, int code) {
    if (!ctx || weft_ctx_ranks(ctx) == 1) return code;
    int all = weft_ctx_agree(ctx, code, rank ? failure : "");
    if (all && !code && !rank) cli_fail(all, "%s", all == EXIT_INTERRUPTED ? "interrupted" : weft_ctx_message(ctx));
    return all;
}

int cli_ranks_end(int code) {
    enum { FIRST_S = 3 };
    if (code && rank && !met) sleep(FIRST_S);
    return code;
}

static int check_parts(const cli_call *call, rows_format format) {
    const cli_options *o = &call->options;
    if (!o->parts) return EXIT_DONE;
    if (cli_is_stdout(o->output) || wfi_is_in_place(o->output))
        return cli_fail(EXIT_USAGE, "--parts needs -o FILE: the names of the parts are derived from it");
    if (format == ROWS_JSON)
        return cli_fail(EXIT_USAGE,
                        "--parts writes rows, and .json has more than these; use .jsonl, .tsv, .csv or .npy");
    if (draw_wanted(call) || o->table || o->verify || o->sizes_file || o->labels || o->label || o->by ||
        o->top != CLI_NOT_GIVEN || select_is_asked(o))
        return cli_fail(EXIT_USAGE, "--parts saves all rows as the ranks have them: no pictures, and none of --table, "
                                    "--verify, --sizes, --labels, --label, "
                                    "--top, --by, --bottom, --head, --sort and --where");
    return EXIT_DONE;
}

/* The number goes before the extension: x.00003.tsv.gz */
static char *part_path(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *end = wfi_packed_end(name);
    const char *dot = memrchr(name, '.', (size_t)(end - name));
    if (!dot) dot = end;
    size_t capacity = strlen(path) + 24;
    char *part = cli_take(capacity, 1);
    if (part) snprintf(part, capacity, "%.*s.%05d%s", (int)(dot - path), path, rank, dot);
    return part;
}

int cli_ranks_open(answer *a, cli_call *call, rows_format format) {
    cli_options *o = &call->options;
    int code = check_parts(call, format);
    if (!code) code = check_algorithm(call);
    if (!code) code = cli_open(o, &a->ctx);
    if (!code) code = cli_ranks_join(a->ctx, o);
    if (code || !o->parts) return code;
    o->output = a->part_path = part_path(o->output);
    return cli_ranks_agree(a->ctx, a->part_path ? EXIT_DONE : EXIT_MEMORY);
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
    static const char *const key[CLI_RANK_FIGURES] = {"rank_vertices", "rank_arcs", "rank_bytes", "rank_sent_bytes",
                                                      "rank_planned_bytes"};
    size_t count = (size_t)weft_ctx_ranks(a->ctx);
    if (!a->rank_figures) return;
    json_u64(j, "ranks", count);
    json_u64(j, "grid_rows", count / (size_t)weft_plan_grid_columns(a->plan));
    json_i64(j, "grid_columns", weft_plan_grid_columns(a->plan));
    json_text(j, "transport", weft_ctx_transport(a->ctx));
    if (weft_plan_device(a->plan) == WEFT_DEVICE_CUDA)
        json_text(j, "device_transport", weft_ctx_device_transport(a->ctx));
    for (size_t f = 0; f < CLI_RANK_FIGURES; f++) {
        if (a->rank_figures[f * count] == UINT64_MAX) continue; /* failures that depend on the data */
        json_open_array(j, key[f], true);
        for (size_t r = 0; r < count; r++) json_u64(j, NULL, a->rank_figures[f * count + r]);
        json_close(j);
    }
}

void cli_ranks_print(const answer *a) {
    size_t count = (size_t)weft_ctx_ranks(a->ctx);
    bool ran = a->result != NULL;
    uint64_t most = 0, all = 0;
    cli_text x, y;
    if (!a->rank_figures) return;
    const uint64_t *bytes = a->rank_figures + WEFT_RANK_BYTES * count;
    const uint64_t *sent = a->rank_figures + (ran ? WEFT_RANK_SENT : WEFT_RANK_SENDS) * count;
    for (size_t r = 0; r < count; r++) {
        if (bytes[r] > most) most = bytes[r];
        all += sent[r];
    }
    cli_bytes(x, most);
    cli_bytes(y, all);
    if (!ran && sent[0] == UINT64_MAX)
        cli_fact("ranks", "%zu over %s, up to %s on each", count, weft_ctx_transport(a->ctx), x);
    else
        cli_fact("ranks", "%zu over %s, up to %s on each, %s%s", count, weft_ctx_transport(a->ctx), x, y,
                 ran ? " sent" : " to be sent, at most");
}
