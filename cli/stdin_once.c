/* See cli_check_stdin_once in cli.h. */
#include "cli.h"

#include <string.h>

typedef struct asked {
    const char *first; /* that asks for standard input */
    int code;
} asked;

/* The word of a flag is -, or - with a column (--labels -:name), or @-. */
static void ask(asked *a, const char *name, const char *word) {
    if (!word || a->code) return;
    word += *word == '@';
    if (word[0] != '-' || (word[1] && word[1] != ':')) return;
    if (a->first)
        a->code =
            cli_fail(EXIT_USAGE, "standard input can be read once, but %s and %s both ask for it", a->first, name);
    a->first = name;
}

int cli_check_stdin_once(const cli_command *command, const cli_call *call) {
    const cli_options *o = &call->options;
    cli_line names[16];
    size_t used = 0;
    asked a = {NULL, EXIT_DONE};
    if (command->uses & USE_READ && call->operand_count) ask(&a, "the graph", call->operands[0]);
    ask(&a, "--nodes", o->nodes);
    ask(&a, "--labels", o->labels);
    ask(&a, "--avoid", o->avoid);
    ask(&a, "--ids", o->listed);
    ask(&a, "--table", o->where_table);
    const char **words = call->algorithm ? cli_param_words(call->params, call->algorithm->params_size) : NULL;
    for (size_t i = 0; words && i < call->algorithm->param_count && used < sizeof names / sizeof *names; i++) {
        const weft_param_info *param = weft_algorithm_param_at(call->algorithm, i);
        if (param->type != WEFT_PARAM_VERTICES && param->type != WEFT_PARAM_WEIGHTS && param->type != WEFT_PARAM_MATRIX)
            continue;
        snprintf(names[used], sizeof names[used], "--%s", param->name);
        ask(&a, names[used++], words[i]);
    }
    return a.code;
}
