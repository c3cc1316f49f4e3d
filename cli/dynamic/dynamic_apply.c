/* Applies batches of text to a dynamic graph: weft dynamic apply, and watch with batches of its own. A batch that is
 * acknowledged by a line is in the file.  A mistake in a line, Ctrl-C or a failure ends the program: the batch being
 * read is refused whole, earlier ones are kept.  A closed standard output stops nothing. */
#include "dynamic/batch_text.h"
#include "dynamic/dynamic.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct taking {
    const cli_call *call;
    weft_ctx *ctx;
    weft_dynamic *d;
    dynamic_runs *runs;
    batch_reader reader;
    const char *name; /* the file that is being read */
    uint64_t line, first_line, batch, refused;
} taking;

static void batch_json(const taking *t, const weft_batch_stats *s, const weft_dynamic_info *info, double ms) {
    json j;
    json_start_line(&j, stdout);
    json_u64(&j, "batch", s->version);
    json_u64(&j, "changes", t->reader.count);
    json_u64(&j, "inserted", s->inserted);
    json_u64(&j, "deleted", s->deleted);
    json_u64(&j, "weights_changed", s->weights_changed);
    json_u64(&j, "already_there", s->already_there);
    json_u64(&j, "absent", s->absent);
    json_u64(&j, "superseded", s->superseded);
    json_u64(&j, "loops_dropped", s->loops_dropped);
    json_u64(&j, "vertices_added", s->vertices_added);
    json_u64(&j, "vertices_removed", s->vertices_removed);
    json_u64(&j, "vertices", info->vertices);
    json_u64(&j, "edges", info->edges);
    json_rounded(&j, "apply_ms", ms);
    json_rounded(&j, "changes_per_second", (double)t->reader.count / ms * 1e3);
    json_finish(&j);
}

static void put_count(const char *what, uint64_t count) {
    cli_text buffer;
    if (count) printf(", %s %s", cli_count(buffer, count), what);
}

static void print_batch(const taking *t, const weft_batch_stats *s, const weft_dynamic_info *info, double ms) {
    cli_text a, b, c;
    printf("batch %" PRIu64 ": %s change%s", s->version, cli_count(a, t->reader.count), cli_s(t->reader.count));
    put_count("inserted", s->inserted);
    put_count("deleted", s->deleted);
    put_count(s->weights_changed == 1 ? "weight changed" : "weights changed", s->weights_changed);
    put_count("already there", s->already_there);
    put_count("absent", s->absent);
    put_count("superseded", s->superseded);
    put_count(s->loops_dropped == 1 ? "loop dropped" : "loops dropped", s->loops_dropped);
    put_count(s->vertices_added == 1 ? "new vertex" : "new vertices", s->vertices_added);
    put_count(s->vertices_removed == 1 ? "vertex removed" : "vertices removed", s->vertices_removed);
    printf("; %s %s, %s edge%s; %s, ", cli_count(a, info->vertices), cli_vertices(info->vertices),
           cli_count(b, info->edges), cli_s(info->edges), cli_seconds(c, ms));
    printf("%s changes/s\n", cli_count(a, (uint64_t)((double)t->reader.count / ms * 1e3)));
}

/* The batch would close a cycle; the next batch may not. */
static int skip_batch(taking *t) {
    json j;
    t->refused++;
    if (t->call->options.json) {
        json_start_line(&j, stdout);
        json_u64(&j, "refused_line", t->first_line);
        json_text(&j, "reason", weft_ctx_message(t->ctx));
        json_finish(&j);
    } else {
        cli_put(stdout, "%s:%" PRIu64 ": refused: %s", t->name, t->first_line, weft_ctx_message(t->ctx));
        putchar('\n');
    }
    cli_flush_stdout();
    batch_clear(&t->reader);
    return EXIT_DONE;
}

/* Refuses the batch that is being read, at the last line; column 0: no column. */
static int refuse(const taking *t, int code, size_t column, const char *why) {
    char at[24] = "";
    if (column) snprintf(at, sizeof at, ":%zu", column);
    return cli_fail(code,
                    "%s:%" PRIu64 "%s: %s; the batch that begins in line %" PRIu64
                    " is refused, and the graph is as of batch %" PRIu64,
                    t->name, t->line, at, why, t->first_line, t->batch);
}

static int interrupted(const taking *t) {
    if (t->reader.count)
        return cli_fail(EXIT_INTERRUPTED,
                        "interrupted: the graph is as of batch %" PRIu64 "; %" PRIu64
                        " change%s of the next %s read and not applied",
                        t->batch, t->reader.count, cli_s(t->reader.count), t->reader.count == 1 ? "was" : "were");
    return cli_fail(EXIT_INTERRUPTED, "interrupted: the graph is as of batch %" PRIu64, t->batch);
}

static int refuse_status(const taking *t, weft_status st) {
    int code = cli_exit_of(st);
    if (code == EXIT_INTERRUPTED) return interrupted(t);
    if (st == WEFT_EIO)
        return cli_fail_status(t->ctx,
                               st); /* reports the last batch in the file, which is unknown after a failed sync */
    const char *message = weft_ctx_message(t->ctx);
    return refuse(t, code, 0, *message ? message : weft_status_text(st));
}

static int apply_batch(taking *t) {
    weft_batch batch;
    weft_batch_stats stats = {.size = sizeof stats};
    weft_dynamic_info info;
    if (!t->reader.count) return EXIT_DONE;
    if (!batch_give(&t->reader, &batch)) return refuse(t, EXIT_MEMORY, 0, "out of memory");
    double begin = cli_now_ms();
    weft_status st = weft_dynamic_apply(t->ctx, t->d, &batch, &stats);
    double ms = cli_now_ms() - begin;
    cli_progress_erase();
    if (st == WEFT_EINVAL && t->call->options.dynamic.refuse_cycles) return skip_batch(t);
    if (st) return refuse_status(t, st);
    int code = dynamic_describe(t->ctx, t->d, &info);
    if (!code && t->call->options.json && !t->runs)
        batch_json(t, &stats, &info, ms);
    else if (!code && !t->call->options.json && !t->call->options.quiet)
        print_batch(t, &stats, &info, ms);
    cli_flush_stdout();
    t->batch = stats.version;
    batch_clear(&t->reader);
    return code || !t->runs ? code : dynamic_runs_answer(t->runs, t->ctx, t->d, stats.version);
}

static void begin_line(taking *t) {
    t->line++;
    if (!t->reader.count) t->first_line = t->line;
}

static int take_line(taking *t, const char *line, size_t length) {
    batch_mistake wrong = {1, ""};
    begin_line(t);
    switch (batch_line(&t->reader, line, length, &wrong)) {
    case BATCH_NOTHING: return EXIT_DONE;
    case BATCH_CHANGE: return t->reader.count == t->call->options.dynamic.batch ? apply_batch(t) : EXIT_DONE;
    case BATCH_END: return apply_batch(t);
    case BATCH_WRONG: return refuse(t, EXIT_INPUT, wrong.column, wrong.message);
    case BATCH_NO_MEMORY: break;
    }
    return refuse(t, EXIT_MEMORY, 0, "out of memory");
}

/* The end of the file, or a line that could not be read. */
static int no_line(taking *t, FILE *from, int error) {
    if (error != ENOMEM && !ferror(from)) return EXIT_DONE;
    if (error == ENOMEM) {
        begin_line(t);
        return refuse(t, EXIT_MEMORY, 0, "out of memory");
    }
    return cli_fail(EXIT_INPUT, "%s: cannot read: %s; the graph is as of batch %" PRIu64, t->name, strerror(error),
                    t->batch);
}

static int take_file(taking *t, const char *path) {
    bool standard = !strcmp(path, "-");
    FILE *from = standard ? stdin : fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    t->name = standard ? "(standard input)" : path;
    t->line = 0;
    if (!from) return cli_fail(EXIT_INPUT, "%s: cannot open: %s", path, strerror(errno));
    batch_next_file(&t->reader);
    int code = EXIT_DONE;
    while (!code) {
        errno = 0;
        ssize_t length = getline(&line, &capacity, from);
        if (cli_interrupted()) {
            code = interrupted(t);
        } else if (length < 0) {
            code = no_line(t, from, errno);
            break;
        } else {
            if (length && line[length - 1] == '\n')
                length--;
            else
                line[length] = '\n'; /* the newline of the last line, replaced by a NUL */
            code = take_line(t, line, (size_t)length);
        }
    }
    if (!code) code = apply_batch(t); /* the end of a file ends its batch */
    free(line);
    if (!standard) fclose(from);
    return code;
}

int dynamic_take_batches(const cli_call *call, weft_ctx *ctx, weft_dynamic *d, dynamic_runs *runs) {
    weft_dynamic_info info;
    int code = dynamic_describe(ctx, d, &info);
    if (code) return code;
    taking t = {.call = call, .ctx = ctx, .d = d, .runs = runs, .batch = info.version};
    t.reader.names = info.names;
    t.reader.type = info.weight_type;
    if (call->operand_count < 3) code = take_file(&t, "-");
    for (int i = 2; i < call->operand_count && !code; i++) code = take_file(&t, call->operands[i]);
    batch_free(&t.reader);
    return !code && t.refused ? EXIT_NO : code;
}

int dynamic_apply(cli_call *call, weft_ctx *ctx) {
    weft_dynamic *d = NULL;
    int code = dynamic_open(call, ctx, false, WEFT_LAST_BATCH, &d);
    if (!code) code = dynamic_take_batches(call, ctx, d, NULL);
    weft_dynamic_free(d);
    return code;
}
