/* weft help [TOPIC]: printed from the same tables that the parser and the dispatch read. */
#include "cli.h"
#include "result/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_WIDTH = 30,
    LONGEST_NAME = 78, /* with the values that a flag takes */
    NARROW = 60,       /* columns that three entries side by side need */
    LONG_TEXT = 1000   /* lines of help above which flags are only named, so that all fits on a screen */
};

/* --- flags ---------------------------------------------------------------------------------- */

/* The first clause of a help text, or all of it. */
static int help_length(const char *help, bool all) {
    const char *end = all ? NULL : strstr(help, "; ");
    return (int)(end ? (size_t)(end - help) : strlen(help));
}

/* "a|b" as ": a, b", for a flag whose values are not beside its name. */
static void list_choices(const char *choices, char *text, size_t capacity) {
    size_t used = (size_t)snprintf(text, capacity, ": ");
    for (const char *c = choices; *c && used + 3 < capacity; c++) {
        if (*c == '|') text[used++] = ',';
        text[used++] = *c == '|' ? ' ' : *c;
        text[used] = 0;
    }
}

static void print_flag(FILE *to, const cli_flag *flag, bool all) {
    char name[96], text[640], choices[160] = "";
    cli_line line;
    size_t used = (size_t)snprintf(name, sizeof name, "  %c%c%s--%s", flag->letter ? '-' : ' ',
                                   flag->letter ? flag->letter : ' ', flag->letter ? ", " : "  ", flag->name);
    for (char *c = name; *c; c++)
        if (*c == '_') *c = '-';
    const char *value = flag->value ? flag->value : flag->kind == FLAG_CHOICE ? flag->choices : NULL;
    if (value && flag->kind == FLAG_CHOICE && used + strlen(value) >= LONGEST_NAME) {
        list_choices(value, choices, sizeof choices);
        value = "WORD";
    }
    if (value && flag->kind == FLAG_CHOICE && flag->set >= 0)
        used += (size_t)snprintf(name + used, sizeof name - used, " [%s]", value);
    else if (value)
        used += (size_t)snprintf(name + used, sizeof name - used, " %s", value);
    const char *standard = flag->standard && *flag->standard && flag->kind != FLAG_BOOL ? flag->standard : NULL;
    bool on = flag->kind == FLAG_BOOL && flag->standard && !strcmp(flag->standard, "yes");
    if (on) snprintf(choices, sizeof choices, " [on; off: --no-%s]", flag->name);
    snprintf(text, sizeof text, "%.*s%s%s%s%s%s", help_length(flag->help, all), flag->help, choices,
             standard ? " [" : "", standard ? standard : "", standard ? "]" : "", flag->required ? " (required)" : "");
    cli_put_entry(to, name, cli_name_width(to, NAME_WIDTH), cli_flag_line(line, text));
}

void cli_print_flags(FILE *to, const cli_group *group, bool all) {
    for (size_t i = 0; i < group->count; i++)
        if ((group->flags[i].uses & group->uses) && group->flags[i].help) print_flag(to, &group->flags[i], all);
}

/* Does the command have a flag of its own with this name? */
static bool is_shadowed(const cli_flag *flag, uint64_t own) {
    for (const cli_flag *f = cli_option_flags; f < flag; f++)
        if ((f->uses & own) && strcmp(f->name, flag->name) == 0) return true;
    return false;
}

/* Does the algorithm or generator have a parameter with this name?  The command line sets that one. */
static bool is_parameter(const cli_flag *flag, cli_subject subject) {
    for (size_t i = 0; i < cli_param_count(subject); i++)
        if (strcmp(cli_param_at(subject, i)->name, flag->name) == 0) return true;
    return false;
}

/* A part of the flags, under a heading: explained, or by name alone. */
typedef struct part {
    const char *heading;
    uint64_t uses, own; /* flags with these bits; flags hidden by a flag with `own` are left out */
    cli_subject subject;
    bool explained, all;
} part;

static bool belongs(const part *p, const cli_flag *flag) {
    return (flag->uses & p->uses) && flag->help && !is_parameter(flag, p->subject) &&
           !(p->own && is_shadowed(flag, p->own));
}

static void print_part(FILE *to, const part *p) {
    char names[4096] = "";
    size_t used = 0;
    fprintf(to, "\n%s\n", p->heading);
    for (size_t i = 0; i < cli_option_flag_count; i++) {
        const cli_flag *flag = &cli_option_flags[i];
        if (!belongs(p, flag)) continue;
        if (p->explained)
            print_flag(to, flag, p->all);
        else if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s--%s", used ? "  " : "", flag->name);
    }
    if (p->explained) return;
    fputs("  ", to);
    cli_put_wrapped(to, names, 2);
}

/* The short form explains an algorithm's parameters and a command's own flags, and names the others. */
static void print_options(FILE *to, uint64_t uses, cli_subject subject, bool all, bool own_explained) {
    const uint64_t shared = USE_ALWAYS | USE_READ | USE_BUILD, own = uses & ~shared,
                   reading = uses & (USE_READ | USE_BUILD);
    const cli_subject nobody = {NULL, NULL};
    if (own) print_part(to, &(part){"Flags", own, 0, nobody, all || own_explained, all});
    if (reading) print_part(to, &(part){uses & USE_READ ? "Reading" : "Building", reading, 0, subject, all, all});
    print_part(to, &(part){"Flags of all commands", USE_ALWAYS, own, nobody, all, all});
}

static void print_rest(FILE *to, const char *topic, bool all) {
    char text[128];
    if (all) return;
    snprintf(text, sizeof text, "weft help %s --all explains every flag.", topic);
    fputc('\n', to);
    cli_put_wrapped(to, text, 0);
}

static void print_params(FILE *to, cli_subject subject, bool all) {
    size_t count = cli_param_count(subject);
    cli_flag *flags = cli_flags_of_params(subject, 0);
    if (!flags) return;
    cli_group group = {flags, count, USE_ALWAYS, NULL, NULL};
    if (count) fputs("\nParameters\n", to);
    cli_print_flags(to, &group, all);
    free(flags);
}

/* --- topics ----------------------------------------------------------------------------------- */

static void print_examples(FILE *to, const char *examples) {
    if (!examples) return;
    fputs("\nExamples\n", to);
    for (const char *line = examples; *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(to, "  %.*s\n", (int)length, line);
        line += length + (line[length] != 0);
    }
}

static void print_entry(FILE *to, const char *name, const char *text) {
    char entry[96];
    cli_line line;
    snprintf(entry, sizeof entry, "  %s", name);
    cli_put_entry(to, entry, cli_name_width(to, 14), cli_flag_line(line, text));
}

void cli_help_generators(FILE *to) {
    fputs("\nKinds\n", to);
    for (size_t i = 0; i < weft_generator_count(); i++)
        print_entry(to, weft_generator_at(i)->name, weft_generator_at(i)->help);
}

void cli_help_command(FILE *to, const cli_command *command, bool all) {
    fprintf(to, "weft %s%s%s [flags]\n\n", command->name, *command->operands ? " " : "", command->operands);
    bool long_text = strlen(command->text) > LONG_TEXT;
    cli_put_text(to, command->text);
    if (command->print_more) command->print_more(to);
    print_options(to, command->uses, (cli_subject){NULL, NULL}, all, !long_text);
    print_examples(to, command->examples);
    print_rest(to, command->name, all);
}

static void print_results(FILE *to, const weft_algorithm_info *algorithm, bool all) {
    static const char *const types[] = {
        [WEFT_U32] = "u32", [WEFT_U64] = "u64",   [WEFT_I64] = "i64", [WEFT_F32] = "f32",
        [WEFT_F64] = "f64", [WEFT_VERTEX] = "id", [WEFT_F16] = "f16", [WEFT_BF16] = "bf16"};
    static const char *const shapes[] = {"one value", "per vertex", "table", "per edge"};
    char names[512] = "";
    cli_line line;
    size_t used = 0;
    fputs("\nResults\n", to);
    for (size_t i = 0; i < algorithm->result_count; i++) {
        const weft_result_info *result = weft_algorithm_result_at(algorithm, i);
        if (!all) {
            if (used < sizeof names)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", result->name);
            continue;
        }
        char name[64];
        snprintf(name, sizeof name, "  %-18s %-5s%s", result->name, types[result->type],
                 (unsigned)result->shape <= WEFT_SHAPE_EDGES ? shapes[result->shape] : "");
        cli_put_entry(to, name, cli_line_width(to) < NARROW ? 8 : 38,
                      cli_flag_line(line, result->help ? result->help : ""));
    }
    if (all) return;
    fputs("  ", to);
    cli_put_wrapped(to, names, 2);
}

static void help_algorithm(FILE *to, const weft_algorithm_info *algorithm, bool all) {
    char summary[512];
    cli_line line;
    snprintf(summary, sizeof summary, "%c%s.", toupper((unsigned char)*algorithm->help), algorithm->help + 1);
    fprintf(to, "weft %s FILE [flags]\n\n", algorithm->name);
    cli_put_wrapped(to, cli_flag_line(line, summary), 0);
    cli_put_text(to, cli_algorithm_command.text);
    if (all) fprintf(to, "\nRuns on: CPU%s\n", algorithm->on_cuda ? ", CUDA" : "");
    print_results(to, algorithm, all);
    print_params(to, (cli_subject){algorithm, NULL}, all);
    print_options(to, cli_uses(&cli_algorithm_command, algorithm), (cli_subject){algorithm, NULL}, all, false);
    print_rest(to, algorithm->name, all);
}

static void help_generator(FILE *to, const weft_generator_info *generator, bool all) {
    cli_line line;
    fprintf(to, "weft generate %s [flags]\n\n", generator->name);
    cli_put_wrapped(to, cli_flag_line(line, generator->help), 0);
    print_params(to, (cli_subject){NULL, generator}, all);
    print_options(to, cli_command_find("generate")->uses, (cli_subject){NULL, generator}, all, false);
    print_rest(to, generator->name, all);
}

/* "el txt" -> ".el .txt" */
static void with_dots(const char *extensions, char *to, size_t capacity) {
    size_t used = 0;
    for (const char *p = extensions; *p && used + 3 < capacity; p++) {
        if (p == extensions || p[-1] == ' ') to[used++] = '.';
        to[used++] = *p;
    }
    to[used] = '\0';
}

static void help_formats(FILE *to) {
    size_t name = strlen("name"), able = strlen("read, write") + 2, from, title, second;
    for (size_t i = 0; i < weft_format_count(); i++)
        if (strlen(weft_format_at(i)->name) > name) name = strlen(weft_format_at(i)->name);
    name += 2;
    from = 2 + name + able;
    title = (cli_line_width(to) - from) * 5 / 8; /* the rest is in the extensions */
    second = from + title + 2;
    bool narrow = cli_line_width(to) < NARROW;
    cli_put_text(
        to, "Formats are recognised by content, then by extension; --format NAME (reading) and --to NAME (writing) "
            "override that.  Files ending in .gz and .zst are decompressed when read and compressed when written; "
            "- is standard input or output.\n\n");
    if (!narrow)
        fprintf(to, "  %-*s%-*s%-*s%s\n", (int)name, "name", (int)able, "can", (int)(second - from), "what it is",
                "extensions");
    for (size_t i = 0; i < weft_format_count(); i++) {
        const weft_format_info *format = weft_format_at(i);
        const char *can = format->can_read && format->can_write ? "read, write" : format->can_read ? "read" : "write";
        char extensions[256], text[512];
        with_dots(format->extensions, extensions, sizeof extensions);
        fprintf(to, "  %-*s%-*s", (int)name, format->name, narrow ? 0 : (int)able, can);
        if (narrow) {
            snprintf(text, sizeof text, "%s: %s", format->title, extensions);
            fprintf(to, "\n%*s", (int)name + 2, "");
            cli_put_wrapped(to, text, name + 2);
        } else {
            cli_put_beside(to, format->title, from, title, extensions, second);
        }
    }
}

static void help_exit_codes(FILE *to) {
    fputs("Exit codes\n", to);
    for (size_t i = 0; i < cli_exit_code_count; i++) {
        fprintf(to, "  %3d  ", cli_exit_codes[i].code);
        cli_put_wrapped(to, cli_exit_codes[i].meaning, 7);
    }
    cli_put_text(to,
                 "\nGCC's OpenMP runtime, where it has no memory for its threads, ends the program itself with code 1 "
                 "and \"libgomp: Out of memory\".  A signal in the milliseconds before main() ends it as any "
                 "program: 143 for SIGTERM.  Either leaves no file.\n");
}

static void help_ids(FILE *to) {
    cli_put_text(
        to, "Every result is printed in the file's own ids.\n\n"
            "In an edge list the vertices are the ids that occur: integers of up to 63 bits, with or without gaps, "
            "or names.  Ids are names if the start of the file has one that is not a number; --ids string "
            "treats all ids as names, --ids integer insists on numbers.  --vertices N makes exactly the vertices 0 "
            "to N-1, including those without edges.  Matrix Market, METIS and DIMACS count from 1; GAP, Ligra and "
            "CSR text from 0.  A .weft file keeps the ids of the file that it was made from.\n\n"
            "weft info says which kind a file has: dense (numbers without gaps), sparse, or string.\n");
}

static void help_output(FILE *to) {
    static const struct {
        const char *extension, *text;
    } forms[] = {
        {".tsv", "tab-separated, with a header row (also .txt, and names without an extension)"},
        {".csv", "comma-separated, with a header row, quoted where needed"},
        {".json", "one object, as with --json"},
        {".jsonl", "one object per row, with the columns as keys"},
        {".npy", "NumPy: one column of values is a 1-D array in vertex order, a matrix a 2-D array, several columns a "
                 "structured array with the id first.  Names are replaced by vertex numbers, or left out if these just "
                 "count rows; bf16 is written as V2, since NumPy has no such type"},
        {"-", ".tsv on standard output"},
    };
    cli_put_text(to, "-o FILE writes rows; the extension chooses the format:\n\n");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        fprintf(to, "  %-8s", forms[i].extension);
        cli_put_wrapped(to, forms[i].text, 10);
    }
    cli_put_text(
        to, "\nA further .gz or .zst compresses text: ranks.tsv.gz, ranks.jsonl.zst.  All rows are written, in vertex "
            "order (edges: by source, then target), unless --top K asks for the K largest.  The file is written "
            "completely or not at all: after a "
            "full disk or Ctrl-C the old file is still there.\n\n"
            "Vertices in columns are the file's ids.  A missing value is -1 where numbers are whole (no parent, not "
            "reached) and nan elsewhere, an infinite distance is inf; all three are null in JSON.  --json prints the "
            "values of the result under \"result\", with "
            "the columns of its table as arrays, and one object per vertex, or per edge, under \"rows\"; docs/json.md "
            "lists all "
            "keys.\n");
}

static void help_where(FILE *to) {
    cli_put_text(
        to,
        "--where EXPR keeps the rows that meet a condition:\n\n"
        "  EXPR        VALUE COMPARISON VALUE, not EXPR, EXPR and EXPR, EXPR or EXPR, (EXPR)\n"
        "  VALUE       a column, a number, a time such as 2024-03-01, true or false, or a text in quotes: 'x' or "
        "\"x\"; "
        "a quote inside is doubled\n"
        "  COMPARISON  < <= > >= = !=\n\n"
        "not binds more tightly than and, and that more than or.  Columns are those of the header that -o FILE writes, "
        "id "
        "among them; names that are not words stand in `back quotes`.  Ids that are names are texts: id = 'alice'.  "
        "Texts "
        "are compared by their bytes.  A cell without a value (missing, not reached, an infinite distance) meets no "
        "comparison, not even !=.  Whole numbers are compared exactly; a number beside a column of f32 is rounded to "
        "it, "
        "as the column was.\n\n"
        "--edges-where EXPR reads the edges that meet a condition on the columns that --keep could keep.  Times "
        "stand without quotes: date >= 2024-03-01, or 2024-03-01T12:30:00Z; whole numbers beside them are Unix times.  "
        "true and false are truth values.\n");
}

static void help_flags(FILE *to) {
    const cli_subject nobody = {NULL, NULL};
    const uint64_t running = USE_RESULT | USE_ROWS | USE_SELECT | USE_SAVE | USE_GROUPS | USE_RANKS | USE_CHECKPOINT;
    cli_put_text(to, "How a graph is read, how an algorithm runs and what is shown of it.  An algorithm's own "
                     "parameters, and the flags of "
                     "single commands, are in their help.\n");
    print_part(to, &(part){"Reading", USE_READ | USE_BUILD, 0, nobody, true, true});
    print_part(to, &(part){"Running", running, 0, nobody, true, true});
    print_part(to, &(part){"All commands", USE_ALWAYS, running, nobody, true, true});
}

typedef struct topic {
    const char *name, *summary;
    void (*print)(FILE *to);
} topic;

static const topic topics[] = {
    {"formats", "file formats that can be read and written", help_formats},
    {"flags", "how a graph is read, how an algorithm runs", help_flags},
    {"exit-codes", "meaning of the exit codes", help_exit_codes},
    {"ids", "how vertices are identified", help_ids},
    {"output", "-o FILE and its formats", help_output},
    {"where", "conditions on rows and edges", help_where},
};
enum { TOPICS = sizeof topics / sizeof *topics };

/* Questions about a graph and the commands that answer them.  A command without a question is listed among the
 * others. */
static const struct question {
    const char *asks, *names;
} questions[] = {
    {"What is in this file?", "info degree"},
    {"What does it look like?", "report layout"},
    {"Who matters?", "pagerank ppr hits eigenvector katz"},
    {"Who stands between others?", "betweenness bicomponents"},
    {"Who is near to all others?", "closeness harmonic"},
    {"Who is joined to whom?", "mixing clustering"},
    {"Who is similar?", "similarity"},
    {"What groups are there?", "leiden louvain labelprop quality agreement"},
    {"What is connected?", "components bicomponents"},
    {"What is the backbone?", "mst kcore truss"},
    {"Where is it dense?", "kcore truss triangles clustering"},
    {"How do I get from A to B?", "path bfs sssp"},
    {"How far apart is everything?", "distances"},
    {"What comes before what?", "toposort cycle"},
    {"What do two kinds share?", "bipartite project"},
    {"What has changed?", "compare dynamic"},
    {"Can I have a part, or more?", "subgraph merge"},
    {"... or another format?", "convert"},
    {"Is there one to try?", "generate"},
    {"What do neighbours have?", "neighbors aggregate similarity"},
    {"How long does it take?", "bench predict doctor lab"},
    {"Several at once, or a word?", "run help"},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static bool is_in(const char *names, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strstr(names, name); at; at = strstr(at + 1, name))
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

static void add_other(char *others, size_t capacity, const char *name) {
    size_t used = strlen(others);
    for (size_t i = 0; i < QUESTIONS; i++)
        if (is_in(questions[i].names, name)) return;
    if (used < capacity) snprintf(others + used, capacity - used, "%s%s", used ? " " : "", name);
}

static void print_title(FILE *to) {
    char title[96];
    snprintf(title, sizeof title, "Weft %s: graph analytics on CPU cores and GPUs", weft_version());
    cli_put_wrapped(to, title, 0);
    fputs("\nweft COMMAND [flags] FILE\n\n", to);
}

/* One screen: commands and algorithms by the question they answer. */
void cli_help_overview(FILE *to) {
    char others[1024] = "", entry[64];
    const size_t column = cli_line_width(to) < NARROW ? 8 : 33;
    print_title(to);
    fputs("Commands\n", to);
    for (size_t i = 0; i < cli_command_count; i++) add_other(others, sizeof others, cli_commands[i]->name);
    for (size_t i = 0; i < weft_algorithm_count(); i++) add_other(others, sizeof others, weft_algorithm_at(i)->name);
    for (size_t i = 0; i < QUESTIONS; i++) {
        snprintf(entry, sizeof entry, "  %s", questions[i].asks);
        cli_put_entry(to, entry, column, questions[i].names);
    }
    if (*others) cli_put_entry(to, "  And also", column, others);
    fputc('\n', to);
    cli_put_wrapped(
        to,
        "weft help COMMAND explains one, weft help --all lists all.  Other topics: formats, flags, exit-codes, "
        "ids, output, where.",
        0);
    fputs("\nTry\n  weft generate karate -o karate.txt\n  weft info karate.txt\n  weft pagerank karate.txt --top 5\n",
          to);
}

/* Each command with its summary; completions read this, too. */
static void print_everything(FILE *to) {
    print_title(to);
    fputs("Commands\n", to);
    for (size_t i = 0; i < cli_command_count; i++) print_entry(to, cli_commands[i]->name, cli_commands[i]->summary);
    fputs("\nAlgorithms\n", to);
    for (size_t i = 0; i < weft_algorithm_count(); i++)
        print_entry(to, weft_algorithm_at(i)->name, weft_algorithm_at(i)->help);
    fputs("\nOther words\n", to);
    for (size_t i = 0; i < cli_alias_count; i++) print_entry(to, cli_aliases[i].name, cli_aliases[i].help);
    fputs("\nMore help topics\n", to);
    for (size_t i = 0; i < TOPICS; i++) print_entry(to, topics[i].name, topics[i].summary);
}

/* Help on everything with that name: a generator may have an algorithm's name.  false: there is nothing. */
static bool print_topic(FILE *to, const char *name, bool all) {
    if (cli_alias_find(name)) name = cli_alias_find(name)->stands_for;
    const cli_command *command = cli_command_find(name);
    const weft_algorithm_info *algorithm = command ? NULL : weft_algorithm_find(name);
    const weft_generator_info *generator = cli_generator_find(name);
    bool found = command || algorithm || generator;
    if (command) cli_help_command(to, command, all);
    if (algorithm) help_algorithm(to, algorithm, all);
    if ((command || algorithm) && generator) fputc('\n', to);
    if (generator) help_generator(to, generator, all);
    for (size_t i = 0; i < TOPICS; i++)
        if (strcmp(topics[i].name, name) == 0) {
            topics[i].print(to);
            found = true;
        }
    return found;
}

static int no_topic(const char *name) {
    const char *says = cli_word_says(name);
    if (says) return cli_fail(EXIT_USAGE, "no help on '%s': %s", name, says);
    cli_nearest nearest = {name, NULL, 0};
    for (size_t i = 0; i < cli_command_count; i++) cli_nearest_try(&nearest, cli_commands[i]->name);
    for (size_t i = 0; i < weft_algorithm_count(); i++) cli_nearest_try(&nearest, weft_algorithm_at(i)->name);
    for (size_t i = 0; i < weft_generator_count(); i++) cli_nearest_try(&nearest, weft_generator_at(i)->name);
    for (size_t i = 0; i < TOPICS; i++) cli_nearest_try(&nearest, topics[i].name);
    if (nearest.best) return cli_fail(EXIT_USAGE, "no help on '%s'; did you mean %s?", name, nearest.best);
    return cli_fail(EXIT_USAGE, "no help on '%s'; weft help --all lists what there is", name);
}

int cli_help(cli_call *call) {
    const char *name = call->operand_count ? call->operands[0] : NULL;
    char *text = NULL;
    size_t length = 0;
    FILE *to = call->options.json ? open_memstream(&text, &length) : stdout;
    if (!to) return cli_fail(EXIT_MEMORY, "out of memory");
    bool found = true;
    if (name)
        found = print_topic(to, name, call->options.all);
    else if (call->options.all)
        print_everything(to);
    else
        cli_help_overview(to);
    if (call->options.json) {
        fclose(to);
        if (found) {
            json j;
            json_start(&j, stdout);
            json_text(&j, "topic", name ? name : "weft");
            json_text(&j, "text", text);
            json_finish(&j);
        }
        free(text);
    }
    return found ? EXIT_DONE : no_topic(name);
}

int cli_version(const char *program, bool as_json) {
    if (as_json) {
        json j;
        json_start(&j, stdout);
        json_text(&j, "version", weft_version());
        json_text(&j, "build", weft_build_info());
        json_finish(&j);
    } else {
        printf("%s%s\n", program, weft_build_info() + strlen("weft")); /* the version text begins "weft 0.1.0" */
    }
    return EXIT_DONE;
}
