/* Dispatch: finds the command among the words, parses its flags, runs it.
 * --version and help touch neither threads nor the GPU: contexts are made by the commands that need one. */
#include "cli.h"
#include "descriptors.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int unknown_command(const char *name) {
    const char *says = cli_word_says(name);
    if (says) return cli_fail(EXIT_USAGE, "no command is called '%s': %s", name, says);
    cli_nearest nearest = {name, NULL, 0};
    for (size_t i = 0; i < cli_command_count; i++) cli_nearest_try(&nearest, cli_commands[i]->name);
    for (size_t i = 0; i < weft_algorithm_count(); i++) cli_nearest_try(&nearest, weft_algorithm_at(i)->name);
    if (nearest.best) return cli_fail(EXIT_USAGE, "no command is called '%s'; did you mean %s?", name, nearest.best);
    if (access(name, F_OK) == 0)
        return cli_fail(EXIT_USAGE, "'%s' is a file, not a command; try: weft info %s", name, name);
    return cli_fail(EXIT_USAGE, "no command is called '%s'; weft help lists them", name);
}

/* --- standard input ------------------------------------------------------------------------- */

/* Standard input can be read only once. */
typedef struct asked {
    const char *first; /* the flag that asks for standard input */
    const char *name;  /* the flag or operand whose words are checked */
} asked;

/* Does the word name standard input: -, - with a column (--labels -:name), or @-? */
static int ask_word(void *user, const char *word) {
    asked *a = user;
    word += *word == '@';
    if (word[0] != '-' || (word[1] && word[1] != ':')) return EXIT_DONE;
    if (a->first)
        return cli_fail(EXIT_USAGE, "standard input can be read once, but %s and %s both ask for it", a->first,
                        a->name);
    a->first = a->name;
    return EXIT_DONE;
}

static int ask(asked *a, const char *name, const char *words, cli_again separator) {
    a->name = name;
    return cli_each_word(words, separator, ask_word, a);
}

static int check_stdin_once(const cli_command *command, const cli_call *call) {
    const cli_options *o = &call->options;
    cli_line names[16];
    size_t used = 0;
    asked a = {NULL, NULL};
    bool several = command->uses & (USE_COMPARE | USE_MERGE);
    int code = EXIT_DONE;
    if (command->uses & USE_READ && call->operand_count && !several)
        code = ask(&a, "the graph", call->operands[0], AGAIN_WORDS);
    for (int i = 0; i < call->operand_count && several && !code; i++)
        code = ask(&a,
                   i == 0   ? "the first graph"
                   : i == 1 ? "the second graph"
                            : "another graph",
                   call->operands[i], AGAIN_WORDS);
    if (!code) code = ask(&a, "--nodes", o->nodes, AGAIN_LINE);
    if (!code) code = ask(&a, "--labels", o->labels, AGAIN_WORDS);
    if (!code) code = ask(&a, "--avoid", o->path.avoid, AGAIN_WORDS);
    if (!code) code = ask(&a, "--ids", o->subgraph.ids, AGAIN_WORDS);
    if (!code) code = ask(&a, "--table", o->subgraph.table, AGAIN_WORDS);
    const char **words = call->algorithm ? cli_param_words(call->params, call->algorithm->params_size) : NULL;
    size_t count = words ? call->algorithm->param_count : 0;
    for (size_t i = 0; i < count && used < sizeof names / sizeof *names && !code; i++) {
        const weft_param_info *param = weft_algorithm_param_at(call->algorithm, i);
        if (param->type != WEFT_PARAM_VERTICES && param->type != WEFT_PARAM_WEIGHTS &&
            param->type != WEFT_PARAM_MATRIX && param->type != WEFT_PARAM_LABELS && param->type != WEFT_PARAM_PAIRS)
            continue;
        snprintf(names[used], sizeof names[used], "--%s", param->name);
        code = ask(&a, names[used++], words[i], AGAIN_WORDS);
    }
    return code;
}

/* --- commands that are programs of their own -------------------------------------------------- */

/* The folder of the running program, with its last slash; "" if it is unknown. */
static void own_folder(char folder[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length > 0 ? length : 0] = 0;
    char *slash = strrchr(folder, '/');
    if (slash) slash[1] = 0;
}

/* Executes `program` with the words, streams and signals of this process: the one in this program's folder (symbolic
 * links followed), or else on PATH.  Returns only if there is none or it cannot be run, after an error message. */
static int hand_over(const char *program, int argc, char **argv) {
    char folder[PATH_MAX], path[PATH_MAX + 64];
    char **words = cli_take((size_t)argc + 2, sizeof *words); /* the last one stays NULL */
    if (!words) return EXIT_MEMORY;
    words[0] = (char *)(uintptr_t)program;
    memcpy(words + 1, argv, (size_t)argc * sizeof *words);
    own_folder(folder);
    snprintf(path, sizeof path, "%s%s", folder, program);
    cli_signals_hand_over();
    int why = ENOENT;
    if (*folder) {
        execv(path, words);
        why = errno;
    }
    if (why == ENOENT) {
        snprintf(path, sizeof path, "%s", program);
        execvp(program, words);
        why = errno == EACCES || errno == ENOTDIR ? ENOENT : errno; /* errors about a folder on PATH */
    }
    free(words);
    if (why != ENOENT) return cli_fail(EXIT_INPUT, "%s cannot be run: %s", path, strerror(why));
    return cli_fail(
        EXIT_USAGE,
        "this command is a separate program, %s, which is neither in %s nor on PATH (make programs builds it)", program,
        *folder ? folder : "the folder of weft");
}

/* --- dispatch ----------------------------------------------------------------------------------- */

static int help_on(const char *topic, bool json) {
    cli_call call = {.options = cli_options_standard, .name = "help", .operands = &topic, .operand_count = 1};
    call.options.json = json;
    return cli_help(&call);
}

/* Fills call->params with the defaults and `own` with the flags that set them. */
static int prepare_params(cli_call *call, cli_group *own) {
    cli_subject subject = {call->algorithm, call->generator};
    size_t size = sizeof(weft_generate_params);
    own->count = cli_param_count(subject);
    if (call->algorithm) {
        size = call->algorithm->params_size;
        call->params = cli_params_new(size, own->count);
        if (call->params) memcpy(call->params, call->algorithm->params_standard, size);
    } else if (call->generator) {
        weft_generate_params *defaults = call->params = cli_params_new(size, own->count);
        if (defaults) *defaults = (weft_generate_params)WEFT_GENERATE_DEFAULTS;
    } else {
        return EXIT_DONE;
    }
    own->flags = cli_flags_of_params(subject, size);
    own->fields = call->params;
    own->uses = USE_ALWAYS;
    return call->params && own->flags ? EXIT_DONE : EXIT_MEMORY;
}

/* --weights uses weights: an algorithm with weights has a parameter with that name, path and quality have a flag, and
 * these were parsed before.  Other algorithms refuse it; elsewhere it is the former name of --require-weights and
 * --no-weights. */
static int weights_of_before(const cli_command *command, cli_call *call) {
    cli_options *o = &call->options;
    if (o->use_weights) o->weights = WEFT_WEIGHTS_REQUIRE;
    if (o->old_weights < 0) return EXIT_DONE;
    bool use = o->old_weights == WEFT_WEIGHTS_REQUIRE;
    const char *by = call->algorithm ? call->algorithm->weights : NULL; /* the parameter's name; "": none is needed */
    if (use && by && !*by)
        return cli_fail(EXIT_USAGE,
                        "%s takes the weights that there are without --weights; --no-weights leaves them out",
                        call->name);
    if (use && by) return cli_fail(EXIT_USAGE, "%s uses weights with --%s", call->name, by);
    if (use && call->algorithm)
        return cli_fail(
            EXIT_USAGE,
            "%s does not use weights; without --weights it runs, and --require-weights only asks that there are some",
            call->name);
    if (use && command->uses & USE_RUN)
        return cli_fail(EXIT_USAGE, "--weights belongs to an algorithm: pagerank:weights, for example");
    o->weights = o->old_weights;
    if (o->old_weights != WEFT_WEIGHTS_AUTO)
        cli_note(o, "--weights here is called %s now, and will not be understood in the next version",
                 use ? "--require-weights" : "--no-weights");
    return EXIT_DONE;
}

static int run_command(const cli_command *command, cli_call *call, int argc, char **argv) {
    cli_group groups[CLI_GROUPS] = {{NULL, 0, 0, NULL, NULL},
                                    {cli_option_flags, cli_option_flag_count, cli_uses(command, call->algorithm),
                                     &call->options, call->options.given}};
    call->operands = cli_take((size_t)argc, sizeof *call->operands);
    int code = call->operands ? prepare_params(call, &groups[0]) : EXIT_MEMORY;
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", call->name, call->generator ? " " : "",
             call->generator ? call->generator->name : "");
    if (!code) code = cli_parse(name, groups, argc, argv, call->operands, &call->operand_count);
    if (code) goto done;
    if (call->options.help) {
        code = help_on(call->generator ? call->generator->name : call->name, call->options.json);
        goto done;
    }
    code = weights_of_before(command, call);
    if (!code) code = cli_check_operands(command, call);
    if (!code) code = cli_check_columns(command, call);
    if (!code) code = check_stdin_once(command, call);
    if (code) goto done;
    cli_signals_timeout(call->options.timeout);
    code = command->run(call);
    if (code == EXIT_INTERRUPTED && cli_timed_out()) code = EXIT_TIMEOUT;
done:
    free(call->operands);
    free(call->params);
    free((void *)(uintptr_t)groups[0].flags);
    free(call->options.neighbors.of.items);
    free(call->options.subgraph.ego.items);
    free(call->options.subgraph.community.items);
    free(call->options.generate.items);
    free(call->options.dynamic.runs.items);
    return code;
}

static int dispatch(int argc, char **argv) {
    cli_group all = {cli_option_flags, cli_option_flag_count, UINT64_MAX, NULL, NULL};
    int at = cli_first_operand(&all, argc, argv);
    bool json = cli_has_word(argc, argv, "--json");
    if (cli_has_word(at, argv, "--version") || cli_has_word(at, argv, "-V")) return cli_version("weft", json);
    if (at == argc) {
        if (cli_has_word(argc, argv, "--help") || cli_has_word(argc, argv, "-h")) {
            cli_help_overview(stdout);
            return EXIT_DONE;
        }
        if (cli_has_word(argc, argv, "-v"))
            return cli_fail(EXIT_USAGE, "weft has no flag -v; -V, or --version, shows its version");
        if (argc) return cli_fail(EXIT_USAGE, "no command is given, only '%s'; weft help lists them", argv[0]);
        cli_help_overview(stderr);
        return EXIT_USAGE;
    }
    const cli_alias *alias = cli_alias_find(argv[at]);
    cli_call call = {.options = cli_options_standard, .name = alias ? alias->stands_for : argv[at]};
    if (strcmp(call.name, "version") == 0) return cli_version("weft", json);
    const cli_command *command = cli_command_find(call.name);
    if (!command) {
        call.algorithm = weft_algorithm_find(call.name);
        command = call.algorithm ? &cli_algorithm_command : NULL;
    }
    if (!command) return unknown_command(call.name);
    bool idle;
    int code = cli_ranks_command(command, call.name, &idle);
    if (code || idle) return code;
    if (alias && alias->flag)
        argv[at] = (char *)(uintptr_t)alias->flag;
    else
        memmove(argv + at, argv + at + 1, (size_t)(--argc - at) * sizeof *argv);
    if (command->program) return hand_over(command->program, argc, argv);
    code = command->find ? command->find(&call, &all, argc, argv) : EXIT_DONE;
    return code ? code : run_command(command, &call, argc, argv);
}

/* --- threads that wait ---------------------------------------------------------------------- */

/* GCC's OpenMP runtime polls 300,000 times, 10 ms on x86, before a waiting thread sleeps; on cores shared with other
 * programs a waiting thread takes these ms from the thread that it waits for, and a run with many short steps takes ten
 * times as long.  Half a millisecond bridges the gap between two steps.  The runtime reads its settings when it is
 * loaded, before main: so the program executes itself again with these settings. */
#if defined __x86_64__ || defined __i386__
#define LOOKS_BEFORE_SLEEP "10000"
#else /* no pause between two looks */
#define LOOKS_BEFORE_SLEEP "100000"
#endif

/* Until the second start a signal ends the process as usual (143 for SIGTERM): there is no file yet. */
static void begin_with_short_waits(char **argv) {
#ifdef main /* within Python, whose loader has set them; the process is not ours to restart */
    (void)argv;
#else
    char path[4096];
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT"))
        return; /* this is the second start, or the user has set it */
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || setenv("GOMP_SPINCOUNT", LOOKS_BEFORE_SLEEP, 0)) return;
    path[length] = 0;
    execv(path, argv); /* returns only on failure; then threads poll longer */
#endif
}

int main(int argc, char **argv) {
    begin_with_short_waits(argv);
    cli_signals_install();
    if (!wfi_occupy_standard()) return EXIT_INPUT;
    cli_ranks_begin();
    if (cli_ranks_first()) cli_watch_stdout();
    int code = dispatch(argc - 1, argv + 1);
    cli_progress_erase();
    cli_words_free();
    return cli_ranks_end(cli_finish_stdout(code));
}
