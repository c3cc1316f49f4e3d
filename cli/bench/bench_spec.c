/* Parses benchmark specs: "rmat:scale=20,degree=16" makes a graph, "pagerank:tolerance=1e-4,bfs" names algorithms with
 * parameters, "1,2" numbers of threads; the lab's "iterations=5,damping=0.9" are parameters of one ladder.  A parameter
 * is the flag with that name, with the same values, ranges and error messages as in weft generate KIND and weft
 * ALGORITHM. */
#include "bench/bench.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static size_t count_of(const char *text, const char *separators) {
    size_t count = 0;
    for (; *text; text++) count += strchr(separators, *text) != NULL;
    return count;
}

/* Does a separator end the parameter before it?  A value may contain it, too (a.npy,v2; a vertex c:d): then neither
 * name= nor a name follows. */
static bool begins_parameter(const char *text, const cli_group *groups) {
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_");
    if (!text[0] || text[length] == '=') return true;
    return strchr(",:", text[length]) &&
           (cli_flag_named(&groups[0], text, length) || cli_flag_named(&groups[1], text, length));
}

/* May the value be any text, such as an id or the name of a file? */
static bool is_free(const char *text, size_t length, const cli_group *groups) {
    size_t name = strcspn(text, "=");
    const cli_flag *flag = name < length ? cli_flag_named(&groups[0], text, name) : NULL;
    return flag && (flag->kind == FLAG_TEXT || flag->kind == FLAG_WORDS);
}

/* The separators of parameters: colons or commas for a ladder, colons for an algorithm. */
static size_t parameter_length(const char *text, const char *separators, const cli_group *groups) {
    size_t length = strcspn(text, separators);
    bool commas = strchr(separators, ','), free_text = is_free(text, length, groups);
    while (text[length] && (text[length] == ',' ? commas : free_text) && !begins_parameter(text + length + 1, groups))
        length += 1 + strcspn(text + length + 1, separators);
    return length;
}

/* Turns "scale=20,degree=16" into --scale=20 --degree=16, in one block: the pointers, then the texts.  Groups NULL: no
 * value contains a separator. */
static char **words_of(const char *text, const char *separators, const cli_group *groups, int *count) {
    size_t most = count_of(text, ",:") + 1, pointers = most * sizeof(char *);
    char **words = cli_take(pointers + strlen(text) + 4 * most, 1);
    if (!words) return NULL;
    char *to = (char *)words + pointers;
    *count = 0;
    while (*text) {
        size_t length = groups ? parameter_length(text, separators, groups) : strcspn(text, separators);
        if (length) {
            words[(*count)++] = to;
            to += sprintf(to, "--%.*s", (int)length, text) + 1;
        }
        text += length + (text[length] != 0);
    }
    return words;
}

static int check_names(const bench_spec *spec, const cli_group *group, char **words, int word_count) {
    const char *algorithm = spec->algorithm->name;
    for (int w = 0; w < word_count; w++) {
        char name[64], list[512] = "";
        size_t length = strcspn(words[w] + 2, "="), used = 0;
        if (cli_flag_named(group, words[w] + 2, length)) continue;
        snprintf(name, sizeof name, "%.*s", (int)length, words[w] + 2);
        cli_nearest nearest = {name, NULL, 0};
        for (size_t i = 0; i < group->count; i++) {
            const char *known = group->flags[i].name;
            cli_nearest_try(&nearest, known);
            if (used < sizeof list)
                used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", known);
        }
        if (nearest.best)
            return cli_fail(EXIT_USAGE, "the ladder %s has no parameter '%s'; did you mean %s?", spec->ladder, name,
                            nearest.best);
        return cli_fail(EXIT_USAGE, "the ladder %s has no parameter '%s'; %s%s (see: weft help %s)", spec->ladder, name,
                        group->count ? "it has those of its algorithm: " : "its algorithm has none", list, algorithm);
    }
    return EXIT_DONE;
}

static int parse_params(bench_spec *spec, const char *text, const char *separators) {
    const weft_algorithm_info *a = spec->algorithm;
    cli_subject subject = {a, spec->generator};
    size_t count = cli_param_count(subject);
    size_t size = a ? a->params_size : sizeof(weft_generate_params);
    spec->params = cli_params_new(size, count);
    if (!spec->params) return EXIT_MEMORY;
    weft_generate_params standard = WEFT_GENERATE_DEFAULTS;
    memcpy(spec->params, a ? a->params_standard : &standard, size);
    if (spec->prepare) spec->prepare(spec->params);
    spec->given = *text != 0;
    if (!spec->given) return EXIT_DONE; /* a missing required parameter is noticed later */
    int word_count = 0, operand_count = 0;
    cli_flag *flags = cli_flags_of_params(subject, size);
    cli_group groups[CLI_GROUPS] = {
        {flags, count, USE_ALWAYS, spec->params, NULL},
        {cli_option_flags, cli_option_flag_count, a ? spec->uses : USE_BUILD, &spec->options, spec->options.given},
    };
    char **words = flags ? words_of(text, separators, a ? groups : NULL, &word_count) : NULL;
    const char **operands = cli_take((size_t)word_count + 1, sizeof *operands);
    int code = words && flags && operands ? EXIT_DONE : EXIT_MEMORY;
    spec->texts = (char *)words;
    char command[96];
    if (spec->ladder)
        snprintf(command, sizeof command, "lab %s", spec->ladder);
    else if (spec->flag)
        snprintf(command, sizeof command, "%s %s", spec->flag, a->name);
    else
        snprintf(command, sizeof command, "bench --%s %s", a ? "algos" : "generate",
                 a ? a->name : spec->generator->name);
    for (size_t i = 0; spec->fits && flags && i < count; i++) flags[i].required = false;
    if (!code && spec->ladder) code = check_names(spec, &groups[0], words, word_count);
    if (!code) code = cli_parse(command, groups, word_count, words, operands, &operand_count);
    free(flags);
    free(operands);
    return code;
}

int bench_params(bench_spec *spec, const char *text) { return parse_params(spec, text, ",:"); }

/* Copies the name before the first separator. */
static const char *name_of(const char *text, size_t length, char buffer[64]) {
    snprintf(buffer, 64, "%.*s", (int)(length < 63 ? length : 63), text);
    return buffer;
}

static int no_such(const char *what, const char *name, const cli_nearest *nearest, const char *topic) {
    if (nearest->best) return cli_fail(EXIT_USAGE, "no %s is called '%s'; did you mean %s?", what, name, nearest->best);
    return cli_fail(EXIT_USAGE, "no %s is called '%s'; weft help %slists them", what, name, topic);
}

static int read_generator(bench_spec *spec, const char *text) {
    char name[64];
    size_t length = strcspn(text, ":");
    name_of(text, length, name);
    spec->label = text;
    spec->generator = cli_generator_find(name);
    if (spec->generator) return parse_params(spec, text + length + (text[length] != 0), ",:");
    cli_nearest nearest = {name, NULL, 0};
    for (size_t i = 0; i < weft_generator_count(); i++) cli_nearest_try(&nearest, weft_generator_at(i)->name);
    return no_such("generator", name, &nearest, "generate ");
}

int bench_generators(const cli_options *options, bench_spec **specs, size_t *count) {
    *specs = cli_take(options->generate.count + 1, sizeof **specs);
    int code = *specs ? EXIT_DONE : EXIT_MEMORY;
    for (size_t i = 0; i < options->generate.count && !code; i++) {
        bench_spec *spec = &(*specs)[(*count)++];
        spec->options = *options;
        code = read_generator(spec, options->generate.items[i]);
    }
    return code;
}

static int read_algorithm(bench_spec *spec, const char *text, size_t length) {
    char name[64];
    size_t name_length = strcspn(text, ":,");
    name_of(text, name_length, name);
    spec->algorithm = weft_algorithm_find(name);
    if (!spec->algorithm) {
        cli_nearest nearest = {name, NULL, 0};
        for (size_t i = 0; i < weft_algorithm_count(); i++) cli_nearest_try(&nearest, weft_algorithm_at(i)->name);
        return no_such("algorithm", name, &nearest, "");
    }
    char *label = strndup(text, length); /* rows point to it; freed with the specs */
    if (!label) return cli_fail(EXIT_MEMORY, "out of memory");
    spec->label = label;
    return parse_params(spec, label + name_length + (label[name_length] != 0), ":");
}

int bench_run_spec(bench_spec *spec, const char *flag, uint64_t uses, const char *text) {
    spec->flag = flag;
    spec->uses = uses;
    return read_algorithm(spec, text, strlen(text));
}

int bench_algorithms(const char *list, bench_spec **specs, size_t *count) {
    bool all = !list || strcmp(list, "all") == 0;
    *specs = cli_take(all ? weft_algorithm_count() + 1 : count_of(list, ",") + 1, sizeof **specs);
    int code = *specs ? EXIT_DONE : EXIT_MEMORY;
    for (size_t i = 0; all && i < weft_algorithm_count() && !code; i++) {
        const char *name = weft_algorithm_at(i)->name;
        code = read_algorithm(&(*specs)[(*count)++], name, strlen(name));
    }
    while (!all && *list && !code) {
        size_t length = strcspn(list, ",");
        if (length) code = read_algorithm(&(*specs)[(*count)++], list, length);
        list += length + (list[length] != 0);
    }
    if (!code && !*count) code = cli_fail(EXIT_USAGE, "--algos names no algorithm");
    return code;
}

int bench_thread_list(const char *list, int threads[BENCH_MOST_THREADS], size_t *count) {
    *count = 0;
    for (const char *at = list ? list : "0";;) {
        char *end;
        long n = isdigit((unsigned char)*at) ? strtol(at, &end, 10) : -1;
        if (n < 0 || n > 4096 || (*end && *end != ','))
            return cli_fail(EXIT_USAGE, "--threads must be whole numbers from 0 to 4096 such as 1,2, not '%s'", list);
        if (*count == BENCH_MOST_THREADS)
            return cli_fail(EXIT_USAGE, "--threads takes at most %d numbers", BENCH_MOST_THREADS);
        threads[(*count)++] = (int)n;
        if (!*end) return EXIT_DONE;
        at = end + 1;
    }
}

void bench_specs_free(bench_spec *specs, size_t count) {
    for (size_t i = 0; specs && i < count; i++) {
        if (specs[i].algorithm && specs[i].params) cli_free_arrays(specs[i].algorithm, specs[i].params);
        free(specs[i].params);
        free(specs[i].texts);
        if (specs[i].algorithm) free((void *)(uintptr_t)specs[i].label);
    }
    free(specs);
}
