/* weft dynamic ACTION FILE: a .weft file that takes batches of changes.  Finds the action, refuses flags of other
 * actions, and runs the actions that only read a file or write it anew. */
#include "dynamic/dynamic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const dynamic_signs[] = {"+", "-", "=", "+v", "-v"};

int dynamic_open(const cli_call *call, weft_ctx *ctx, bool read_only, uint64_t at, weft_dynamic **d) {
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    p.durable = (weft_durable)call->options.dynamic.durable;
    p.loops = (weft_loops)call->options.loops;
    p.read_only = read_only;
    p.at = at;
    p.wait = call->options.dynamic.wait;
    cli_signals_watch(call->operands[1]);
    weft_status st = weft_dynamic_open(ctx, call->operands[1], &p, d);
    cli_progress_erase();
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}

int dynamic_describe(weft_ctx *ctx, weft_dynamic *d, weft_dynamic_info *info) {
    info->size = sizeof *info;
    weft_status st = weft_dynamic_describe(ctx, d, info);
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}

static void facts_json(json *j, const cli_call *call, const weft_dynamic_info *info, weft_direction_from from) {
    json_text(j, "file", call->operands[1]);
    json_u64(j, "batch", info->version);
    json_u64(j, "vertices", info->vertices);
    json_u64(j, "edges", info->edges);
    json_u64(j, "arcs", info->arcs);
    json_direction(j, info->directed, from);
    json_text(j, "weight_type", cli_weights(info->weight_type));
}

static void put_facts(FILE *to, const weft_dynamic_info *info) {
    cli_text a, b;
    fprintf(to, "%s %s, %s %s edge%s%s", cli_count(a, info->vertices), cli_vertices(info->vertices),
            cli_count(b, info->edges), info->directed ? "directed" : "undirected", cli_s(info->edges),
            cli_with_weights(info->weight_type));
}

/* --- new ------------------------------------------------------------------------- */

static int empty_graph(const cli_options *options, weft_ctx *ctx, weft_graph **g) {
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    weft_dynamic *d = NULL;
    p.direction = (weft_direction)options->direction;
    p.weight_type = (weft_weight_type)options->weight_type; /* auto: none */
    p.names = options->ids == WEFT_READ_IDS_STRING;
    weft_status st = weft_dynamic_new(ctx, NULL, &p, &d);
    if (!st) st = weft_dynamic_snapshot(ctx, d, g);
    weft_dynamic_free(d);
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}

static int action_new(cli_call *call, weft_ctx *ctx) {
    const char *path = call->operands[1];
    weft_graph *g = NULL;
    weft_dynamic *d = NULL;
    weft_dynamic_info info;
    weft_write_params write = WEFT_WRITE_DEFAULTS;
    write.format = "weft";
    if (access(path, F_OK) == 0)
        return cli_fail(EXIT_USAGE, "%s is there already; weft dynamic apply changes it", path);
    int code = cli_is_stdout(path)
                   ? cli_fail(EXIT_USAGE, "weft dynamic new cannot write to standard output; name a file")
                   : cli_check_output(NULL, path);
    if (!code)
        code = call->operand_count > 2 ? cli_load(ctx, &call->options, call->operands[2], &g)
                                       : empty_graph(&call->options, ctx, &g);
    weft_status st = code ? WEFT_OK : weft_write(ctx, g, path, &write);
    cli_progress_erase();
    if (st) code = cli_fail_status(ctx, st);
    weft_direction_from from = call->operand_count > 2   ? weft_graph_direction_from(g)
                               : call->options.direction ? WEFT_DIRECTION_FROM_FLAG
                                                         : WEFT_DIRECTION_ASSUMED;
    weft_graph_free(g);
    if (code) return code;
    code = dynamic_open(call, ctx, true, WEFT_LAST_BATCH, &d); /* checks that the file can be changed */
    if (code) unlink(path);
    if (!code) code = dynamic_describe(ctx, d, &info);
    if (!code && call->options.json) {
        json j;
        json_start(&j, stdout);
        facts_json(&j, call, &info, from);
        json_finish(&j);
    } else if (!code && !call->options.quiet) {
        cli_put(stdout, "%s: ", path);
        put_facts(stdout, &info);
        putchar('\n');
    }
    weft_dynamic_free(d);
    return code;
}

/* --- info, compact ------------------------------------------------------------------ */

static int action_info(cli_call *call, weft_ctx *ctx) {
    weft_dynamic *d = NULL;
    weft_dynamic_info info;
    cli_text a, b;
    int code = dynamic_open(call, ctx, true, call->options.dynamic.at, &d);
    if (!code) code = dynamic_describe(ctx, d, &info);
    weft_dynamic_free(d);
    if (code) return code;
    uint64_t batches = info.version - info.logged_after;
    if (call->options.json) {
        json j;
        json_start(&j, stdout);
        facts_json(&j, call, &info, WEFT_DIRECTION_FROM_FILE);
        json_u64(&j, "file_bytes", cli_file_bytes(call->operands[1]));
        json_u64(&j, "log_batches", batches);
        json_u64(&j, "log_bytes", info.log_bytes);
        json_u64(&j, "bytes_left_out", info.bytes_left_out);
        json_finish(&j);
        return EXIT_DONE;
    }
    cli_heading("%s as of batch %" PRIu64, call->operands[1], info.version);
    cli_fact("vertices", "%s", cli_count(a, info.vertices));
    cli_fact("edges", "%s, %s%s", cli_count(a, info.edges), info.directed ? "directed" : "undirected",
             cli_with_weights(info.weight_type));
    cli_fact("ids", "%s", info.names ? "names" : "whole numbers");
    cli_fact("file", "%s", cli_bytes(a, cli_file_bytes(call->operands[1])));
    cli_fact("log", "%s batch%s, %s", cli_count(a, batches), batches == 1 ? "" : "es", cli_bytes(b, info.log_bytes));
    if (batches) cli_fact("states", "--at %" PRIu64 " to --at %" PRIu64, info.logged_after, info.version);
    if (info.bytes_left_out) cli_fact("left out", "%s after the last whole batch", cli_bytes(a, info.bytes_left_out));
    return EXIT_DONE;
}

static int action_compact(cli_call *call, weft_ctx *ctx) {
    weft_dynamic *d = NULL;
    weft_dynamic_info info, after;
    uint64_t bytes = cli_file_bytes(call->operands[1]);
    int code = dynamic_open(call, ctx, false, WEFT_LAST_BATCH, &d);
    if (!code) code = dynamic_describe(ctx, d, &info);
    weft_status st = code ? WEFT_OK : weft_dynamic_compact(ctx, d);
    cli_progress_erase();
    if (st) code = cli_fail_status(ctx, st);
    if (!code) code = dynamic_describe(ctx, d, &after);
    weft_dynamic_free(d);
    if (code) return code;
    cli_text a, b;
    uint64_t batches = info.version - info.logged_after, now = cli_file_bytes(call->operands[1]);
    if (call->options.json) {
        json j;
        json_start(&j, stdout);
        facts_json(&j, call, &after, WEFT_DIRECTION_FROM_FILE);
        json_u64(&j, "file_bytes", now);
        json_u64(&j, "file_bytes_before", bytes);
        json_u64(&j, "compacted_batches", batches);
        json_finish(&j);
    } else if (!call->options.quiet) {
        cli_put(stdout, "%s: ", call->operands[1]);
        printf("%s batch%s became part of the graph, ", cli_count(a, batches), batches == 1 ? "" : "es");
        printf("%s instead of %s\n", cli_bytes(a, now), cli_bytes(b, bytes));
    }
    return EXIT_DONE;
}

/* --- snapshot ------------------------------------------------------------------------ */

static int action_snapshot(cli_call *call, weft_ctx *ctx) {
    const char *out = call->options.output;
    weft_dynamic *d = NULL;
    weft_graph *g = NULL;
    weft_dynamic_info info;
    uint64_t checksum = 0;
    int code = out ? cli_check_not_input(call->operands[1], out) : EXIT_DONE;
    if (!code) code = cli_check_target(&call->options, "-o", out);
    if (!code) code = dynamic_open(call, ctx, true, call->options.dynamic.at, &d);
    if (!code) code = dynamic_describe(ctx, d, &info);
    weft_status st = code ? WEFT_OK : weft_dynamic_snapshot(ctx, d, &g);
    if (!code && !st) st = weft_graph_fingerprint(ctx, g, &checksum);
    if (st) code = cli_fail_status(ctx, st);
    if (!code && out) code = cli_save_graph(ctx, g, &call->options, out);
    weft_graph_free(g);
    weft_dynamic_free(d);
    if (code) return code;
    if (call->options.json) {
        char text[24];
        json j;
        snprintf(text, sizeof text, "%016" PRIx64, checksum);
        json_start(&j, stdout);
        facts_json(&j, call, &info, WEFT_DIRECTION_FROM_FILE);
        json_text(&j, "checksum", text);
        if (out) json_text(&j, "output", out);
        json_finish(&j);
    } else if (!call->options.quiet || !out) {
        FILE *to = out && cli_is_stdout(out) ? stderr : stdout;
        cli_put(to, "%s as of batch %" PRIu64 ": ", call->operands[1], info.version);
        put_facts(to, &info);
        fprintf(to, ", checksum %016" PRIx64 "\n", checksum);
    }
    return EXIT_DONE;
}

/* --- log ------------------------------------------------------------------------------- */

static void put_weight(FILE *to, weft_weight_type type, const void *weights, uint64_t i) {
    cli_text buffer;
    if (type == WEFT_WEIGHT_U32) fprintf(to, " %" PRIu32, ((const uint32_t *)weights)[i]);
    if (type == WEFT_WEIGHT_F32) fprintf(to, " %s", cli_real32(buffer, ((const float *)weights)[i]));
    if (type == WEFT_WEIGHT_F64) fprintf(to, " %s", cli_real(buffer, ((const double *)weights)[i]));
}

static unsigned change_at(const weft_batch *b, uint64_t i) { return b->changes ? b->changes[i] : WEFT_CHANGE_INSERT; }

/* Writes a name, in quotes (doubled inside) if it would not be read back otherwise. */
static void put_name(const char *name) {
    putchar(' ');
    if (*name && *name != '"' && !strpbrk(name, " \t\r")) {
        fputs(name, stdout);
        return;
    }
    putchar('"');
    for (; *name; name++) {
        if (*name == '"') putchar('"');
        putchar(*name);
    }
    putchar('"');
}

/* Can the batch be written as lines?  Checked before the first line is written. */
static int check_batch(const weft_batch *b) {
    for (uint64_t i = 0; i < b->count; i++) {
        if (change_at(b, i) > WEFT_CHANGE_REMOVE_VERTEX)
            return cli_fail(EXIT_INPUT, "change %" PRIu64 " has an unknown operation", i + 1);
        if (b->source_names && (strchr(b->source_names[i], '\n') || strchr(b->target_names[i], '\n')))
            return cli_fail(EXIT_INPUT, "change %" PRIu64 " has a name of several lines: --json shows it", i + 1);
    }
    return EXIT_DONE;
}

/* Writes a batch as weft dynamic apply reads it. */
static int put_batch(const weft_batch *b, weft_weight_type type) {
    int rc = check_batch(b);
    for (uint64_t i = 0; i < b->count && !rc; i++) {
        unsigned what = change_at(b, i);
        bool edge = what <= WEFT_CHANGE_WEIGHT;
        fputs(dynamic_signs[what], stdout);
        if (b->source_names) {
            put_name(b->source_names[i]);
            if (edge) put_name(b->target_names[i]);
        } else {
            printf(" %" PRId64, b->sources[i]);
            if (edge) printf(" %" PRId64, b->targets[i]);
        }
        if (b->weights && (what == WEFT_CHANGE_INSERT || what == WEFT_CHANGE_WEIGHT))
            put_weight(stdout, type, b->weights, i);
        putchar('\n');
    }
    return rc;
}

static void count_changes(const weft_batch *b, uint64_t count[WEFT_CHANGE_REMOVE_VERTEX + 1]) {
    memset(count, 0, (WEFT_CHANGE_REMOVE_VERTEX + 1) * sizeof *count);
    for (uint64_t i = 0; i < b->count; i++) {
        unsigned what = change_at(b, i);
        if (what <= WEFT_CHANGE_REMOVE_VERTEX) count[what]++;
    }
}

static void weight_json(json *j, weft_weight_type type, const void *weights, uint64_t i) {
    if (type == WEFT_WEIGHT_U32) json_u64(j, "weight", ((const uint32_t *)weights)[i]);
    if (type == WEFT_WEIGHT_F32) json_f32(j, "weight", ((const float *)weights)[i]);
    if (type == WEFT_WEIGHT_F64) json_f64(j, "weight", ((const double *)weights)[i]);
}

static void changes_json(json *j, const weft_batch *b, weft_weight_type type) {
    json_open_array(j, "changes", false);
    for (uint64_t i = 0; i < b->count; i++) {
        unsigned what = change_at(b, i);
        bool edge = what <= WEFT_CHANGE_WEIGHT;
        json_open_object(j, NULL, true);
        json_text(j, "op", what <= WEFT_CHANGE_REMOVE_VERTEX ? dynamic_signs[what] : "?");
        if (b->source_names) {
            json_text(j, "source", b->source_names[i]);
            if (edge) json_text(j, "target", b->target_names[i]);
        } else {
            json_i64(j, "source", b->sources[i]);
            if (edge) json_i64(j, "target", b->targets[i]);
        }
        if (b->weights && (what == WEFT_CHANGE_INSERT || what == WEFT_CHANGE_WEIGHT))
            weight_json(j, type, b->weights, i);
        json_close(j);
    }
    json_close(j);
}

static int one_batch(const cli_call *call, weft_ctx *ctx, weft_dynamic *d, const weft_dynamic_info *info) {
    weft_batch b = WEFT_BATCH_DEFAULTS;
    weft_status st = weft_dynamic_logged(ctx, d, call->options.dynamic.at, &b);
    if (st) return cli_fail_status(ctx, st);
    if (!call->options.json) return put_batch(&b, info->weight_type);
    json j;
    json_start(&j, stdout);
    json_text(&j, "file", call->operands[1]);
    json_u64(&j, "batch", call->options.dynamic.at);
    changes_json(&j, &b, info->weight_type);
    json_finish(&j);
    return EXIT_DONE;
}

static int action_log(cli_call *call, weft_ctx *ctx) {
    weft_dynamic *d = NULL;
    weft_dynamic_info info;
    json j;
    int code = dynamic_open(call, ctx, true, WEFT_LAST_BATCH, &d);
    if (!code) code = dynamic_describe(ctx, d, &info);
    if (!code && call->options.dynamic.at != WEFT_LAST_BATCH) {
        code = one_batch(call, ctx, d, &info);
        weft_dynamic_free(d);
        return code;
    }
    if (!code && call->options.json) {
        json_start(&j, stdout);
        facts_json(&j, call, &info, WEFT_DIRECTION_FROM_FILE);
        json_open_array(&j, "batches", false);
    }
    for (uint64_t k = info.logged_after + 1; !code && k <= info.version; k++) {
        uint64_t count[WEFT_CHANGE_REMOVE_VERTEX + 1];
        weft_batch b = WEFT_BATCH_DEFAULTS;
        cli_text a;
        weft_status st = cli_interrupted() ? WEFT_ECANCELLED : weft_dynamic_logged(ctx, d, k, &b);
        if (st) {
            code = cli_fail_status(ctx, st);
            break;
        }
        count_changes(&b, count);
        if (call->options.json) {
            static const char *const keys[] = {"inserts", "deletes", "weights", "vertices_added", "vertices_removed"};
            json_open_object(&j, NULL, true);
            json_u64(&j, "batch", k);
            json_u64(&j, "changes", b.count);
            for (int i = 0; i <= WEFT_CHANGE_REMOVE_VERTEX; i++) json_u64(&j, keys[i], count[i]);
            json_close(&j);
            continue;
        }
        printf("batch %" PRIu64 ": %s change%s:", k, cli_count(a, b.count), cli_s(b.count));
        for (int i = 0; i <= WEFT_CHANGE_REMOVE_VERTEX; i++)
            if (count[i]) printf(" %s %s", cli_count(a, count[i]), dynamic_signs[i]);
        putchar('\n');
    }
    if (!code && call->options.json) {
        json_close(&j);
        json_finish(&j);
    }
    weft_dynamic_free(d);
    return code;
}

/* --- which ------------------------------------------------------------------------------- */

enum {
    TAKES_AT = 1,
    TAKES_OUT = 2,
    TAKES_BATCHES = 4,
    TAKES_RUNS = 8,
    TAKES_READING = 16,
    TAKES_BENCH = 32,
    TAKES_KIND = 64,
    TAKES_WRITING = 128,
    TAKES_IDS = 256
};

static const struct action {
    const char *name;
    int (*run)(cli_call *call, weft_ctx *ctx);
    int least, most; /* operands, the action included */
    unsigned takes;
} actions[] = {
    {"new", action_new, 2, 3, TAKES_READING | TAKES_KIND | TAKES_IDS},
    {"apply", dynamic_apply, 2, 1 << 20, TAKES_BATCHES},
    {"log", action_log, 2, 2, TAKES_AT},
    {"snapshot", action_snapshot, 2, 2, TAKES_AT | TAKES_OUT},
    {"compact", action_compact, 2, 2, TAKES_WRITING},
    {"info", action_info, 2, 2, TAKES_AT},
    {"watch", dynamic_watch, 2, 1 << 20, TAKES_BATCHES | TAKES_RUNS},
    {"bench", dynamic_bench, 1, 2, TAKES_BENCH | TAKES_KIND},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

/* The actions that take a flag; for flags that are not listed, the actions that read or write a graph. */
static unsigned takers_of(const cli_flag *flag) {
    static const struct {
        const char *name;
        unsigned takers;
    } known[] = {
        {"at", TAKES_AT},
        {"batch", TAKES_BATCHES},
        {"durable", TAKES_BATCHES | TAKES_BENCH},
        {"wait", TAKES_BATCHES | TAKES_WRITING},
        {"run", TAKES_RUNS},
        {"warm", TAKES_RUNS},
        {"refuse-cycles", TAKES_RUNS},
        {"scale", TAKES_BENCH},
        {"batches", TAKES_BENCH},
        {"seconds", TAKES_BENCH},
        {"analytics", TAKES_BENCH},
        {"loops", TAKES_READING | TAKES_BATCHES},
        {"weight-type", TAKES_KIND},
        {"directed", TAKES_KIND},
        {"undirected", TAKES_KIND},
        {"ids", TAKES_IDS},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, flag->name)) return known[i].takers;
    return flag->uses & USE_READ ? TAKES_READING : TAKES_OUT;
}

/* A flag that an action ignores is refused. */
static int check_flags(const cli_call *call, const struct action *a) {
    bool empty = a->run == action_new && call->operand_count < 3;
    for (size_t i = 0; i < cli_option_flag_count; i++) {
        const cli_flag *flag = &cli_option_flags[i];
        if (!call->options.given[i] || flag->uses & USE_ALWAYS) continue;
        unsigned takers = takers_of(flag);
        if (!(takers & a->takes))
            return cli_fail(EXIT_USAGE, "weft dynamic %s does not take --%s; see: weft help dynamic", a->name,
                            flag->name);
        if (empty && takers & TAKES_READING)
            return cli_fail(EXIT_USAGE, "--%s is about a graph that is read: weft dynamic new FILE GRAPH", flag->name);
    }
    return EXIT_DONE;
}

static int no_action(const char *name) {
    cli_nearest nearest = {name, NULL, 0};
    for (size_t i = 0; i < ACTIONS; i++) cli_nearest_try(&nearest, actions[i].name);
    if (nearest.best)
        return cli_fail(EXIT_USAGE, "weft dynamic has no action '%s'; did you mean %s?", name, nearest.best);
    return cli_fail(EXIT_USAGE,
                    "weft dynamic has no action '%s': it has new, apply, log, snapshot, compact, info, watch and bench",
                    name);
}

int cli_dynamic(cli_call *call) {
    const struct action *a = NULL;
    weft_ctx *ctx = NULL;
    for (size_t i = 0; i < ACTIONS; i++)
        if (!strcmp(actions[i].name, call->operands[0])) a = &actions[i];
    if (!a) return no_action(call->operands[0]);
    if (call->operand_count < a->least)
        return cli_fail(EXIT_USAGE, "weft dynamic %s needs a FILE; see: weft help dynamic", a->name);
    if (call->operand_count > a->most)
        return cli_fail(EXIT_USAGE, "'%s' is one argument too many for: weft dynamic %s", call->operands[a->most],
                        a->name);
    int code = check_flags(call, a);
    if (!code) code = cli_open(&call->options, &ctx);
    if (!code) code = a->run(call, ctx);
    weft_ctx_free(ctx);
    return code;
}
