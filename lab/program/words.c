/* What weft lab was asked for, understood and checked before anything is measured: ladders with their parameters, rungs,
 * sizes, block sizes, and files that must not take an input's place.
 * One rule for every list: items between commas, none of them empty; an item that is there twice counts once. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

/* --- lists -------------------------------------------------------------------------------------------------------- */

/* The next item of `list`: *at moves behind it, to NULL after the last.  Says so when it is empty. */
static int next_item(const char *flag, const char *list, const char **at, const char **item, size_t *length) {
    *item = *at;
    *length = strcspn(*at, ",");
    *at = (*at)[*length] ? *at + *length + 1 : NULL;
    if (*length) return EXIT_DONE;
    if (!*list) return cli_fail(EXIT_USAGE, "%s is empty: it needs at least one item", flag);
    return cli_fail(EXIT_USAGE, "%s has an empty item: '%s'", flag, list);
}

static size_t items_in(const char *list) {
    size_t items = 1;
    for (; *list; list++) items += *list == ',';
    return items;
}

/* A whole number without a sign; 0 when it is none, or above `most`. */
static uint64_t number_of(const char *item, size_t length, uint64_t most) {
    if (length > 10 || strspn(item, "0123456789") < length) return 0;
    uint64_t number = strtoull(item, NULL, 10);
    return number <= most ? number : 0;
}

/* A rung's index by its number or name; the number of rungs if there is none. */
static size_t rung_of(const lab_ladder *ladder, const char *word, size_t length) {
    for (size_t i = 0; i < ladder->rung_count; i++)
        if (strlen(ladder->rungs[i]->name) == length && memcmp(ladder->rungs[i]->name, word, length) == 0) return i;
    uint64_t number = number_of(word, length, ladder->rung_count);
    return number ? (size_t)number - 1 : ladder->rung_count;
}

/* "4-6", "engine": names may hold dashes, so a word is a name first. */
static int choose_item(lab_asked *asked, const char *item, size_t length) {
    const lab_ladder *ladder = asked->ladder;
    size_t count = ladder->rung_count, from = rung_of(ladder, item, length), to = from;
    for (size_t dash = 1; from == count && dash < length; dash++) {
        if (item[dash] != '-') continue;
        from = rung_of(ladder, item, dash);
        to = rung_of(ladder, item + dash + 1, length - dash - 1);
        if (to == count) from = count;
    }
    if (from >= count)
        return cli_fail(EXIT_USAGE, "--rungs: %s has no '%.*s'; its rungs are 1 to %zu (weft lab names them)",
                        ladder->name, (int)length, item, count);
    if (to < from)
        return cli_fail(EXIT_USAGE, "--rungs: the range '%.*s' is reversed; the lower rung comes first", (int)length,
                        item);
    for (size_t i = from; i <= to; i++) asked->chosen[i] = true;
    return EXIT_DONE;
}

static int choose_rungs(lab_asked *asked, const char *list) {
    size_t count = asked->ladder->rung_count, length;
    const char *item;
    int code = EXIT_DONE;
    asked->chosen = cli_take(count, sizeof *asked->chosen);
    if (!asked->chosen) return EXIT_MEMORY;
    bool all = !list || strcmp(list, "all") == 0;
    for (size_t i = 0; i < count; i++) asked->chosen[i] = all;
    for (const char *at = all ? NULL : list; at && !code;) {
        code = next_item("--rungs", list, &at, &item, &length);
        if (!code) code = choose_item(asked, item, length);
    }
    return code;
}

/* "128,256": threads of a block, whole warps. */
static int read_blocks(lab_order *order, const char *list) {
    for (const char *at = list, *item; at;) {
        size_t length, known = 0;
        int code = next_item("--blocks", list, &at, &item, &length);
        if (code) return code;
        int threads = (int)number_of(item, length, 1024);
        while (known < order->block_count && order->blocks[known] != threads) known++;
        bool fresh = known == order->block_count;
        if (!threads || threads % 32 || (fresh && known == LAB_MOST_SWEEP))
            return cli_fail(EXIT_USAGE,
                            "--blocks must be multiples of 32 up to 1024, such as 128,256, and no more than %d; "
                            "not '%s'",
                            LAB_MOST_SWEEP, list);
        if (fresh) order->blocks[order->block_count++] = threads;
    }
    return EXIT_DONE;
}

static int compare_sizes(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Numbers of vertices, rising. */
static int read_sizes(lab_asked *asked, const char *list) {
    if (list && strcmp(list, "documents") == 0) list = asked->ladder->sizes;
    if (!list || !asked->ladder->sized) return EXIT_DONE;
    asked->sizes = cli_take(items_in(list), sizeof *asked->sizes);
    if (!asked->sizes) return EXIT_MEMORY;
    size_t count = 0;
    for (const char *at = list, *item; at;) {
        size_t length;
        int code = next_item("--sizes", list, &at, &item, &length);
        if (code) return code;
        asked->sizes[count] = number_of(item, length, CLI_MOST_VERTICES);
        if (!asked->sizes[count++])
            return cli_fail(EXIT_USAGE,
                            "--sizes must be whole numbers from 1 to %u such as 100,1000, or documents; not '%s'",
                            CLI_MOST_VERTICES, list);
    }
    qsort(asked->sizes, count, sizeof *asked->sizes, compare_sizes);
    for (size_t i = 0; i < count; i++)
        if (!i || asked->sizes[i] != asked->sizes[i - 1]) asked->sizes[asked->size_count++] = asked->sizes[i];
    return EXIT_DONE;
}

/* --- ladders ------------------------------------------------------------------------------------------------------ */

static int no_ladder(const char *name) {
    cli_nearest nearest = {name, NULL, 0};
    for (size_t i = 0; i < lab_ladder_count; i++) cli_nearest_try(&nearest, lab_ladders[i]->name);
    if (nearest.best) return cli_fail(EXIT_USAGE, "no ladder is called '%s'; did you mean %s?", name, nearest.best);
    return cli_fail(EXIT_USAGE, "no ladder is called '%s'; weft lab lists them", name);
}

int lab_read_params(lab_asked *asked, void (*prepare)(void *)) {
    if (asked->spec.params) cli_free_arrays(asked->spec.algorithm, asked->spec.params);
    free(asked->spec.params);
    free(asked->spec.texts);
    asked->spec = (bench_spec){.algorithm = asked->spec.algorithm,
                               .ladder = asked->ladder->name,
                               .fits = asked->ladder->fit != NULL,
                               .prepare = prepare};
    return bench_params(&asked->spec, asked->words);
}

static int ask(lab_order *order, const lab_ladder *ladder, const char *params, const cli_call *call) {
    const cli_options *options = &call->options;
    bool own_graph = call->operand_count < 2 && !options->generate.count;
    /* On its own graph naive rungs may be skipped, and where the engine loses should be seen too. */
    const char *sizes = options->lab.sizes || !options->lab.report || !own_graph ? options->lab.sizes : ladder->small;
    lab_asked *asked = &order->asked[order->asked_count++];
    *asked = (lab_asked){.ladder = ladder, .words = params};
    asked->spec.algorithm = weft_algorithm_find(ladder->algorithm);
    if (!asked->spec.algorithm) return cli_fail(EXIT_USAGE, "%s: no such algorithm here", ladder->algorithm);
    int code = lab_read_params(asked, ladder->prepare);
    if (!code) code = choose_rungs(asked, options->lab.rungs);
    return code ? code : read_sizes(asked, sizes);
}

/* "ranks" is ranks-pagerank and ranks-bfs. */
static bool is_part_of(const lab_ladder *ladder, const char *group) {
    size_t length = strlen(group);
    return strncmp(ladder->name, group, length) == 0 && ladder->name[length] == '-';
}

static int refuse_group(const char *group, const char *params, const cli_call *call) {
    if (*params)
        return cli_fail(EXIT_USAGE, "%s takes no parameters ('%s'); name the ladder that they are for", group, params);
    if (call->options.lab.rungs) return cli_fail(EXIT_USAGE, "--rungs needs one ladder, not %s", group);
    return EXIT_DONE;
}

static int ask_all(lab_order *order, const cli_call *call) {
    char name[64];
    const char *word = call->operands[0];
    size_t length = strcspn(word, ":"), parts = 0;
    int code = EXIT_DONE;
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    const lab_ladder *one = lab_ladder_find(name);
    const char *params = word + length + (word[length] != 0);
    bool all = strcmp(name, "all") == 0;
    for (size_t i = 0; i < lab_ladder_count; i++) parts += all || is_part_of(lab_ladders[i], name);
    if (!one && !parts) return no_ladder(name);
    if (!one) code = refuse_group(name, params, call);
    if (code) return code;
    order->asked = cli_take(lab_ladder_count, sizeof *order->asked);
    if (!order->asked) return EXIT_MEMORY;
    if (one) return ask(order, one, params, call);
    for (size_t i = 0; i < lab_ladder_count && !code; i++)
        if (all || is_part_of(lab_ladders[i], name)) code = ask(order, lab_ladders[i], "", call);
    return code;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/* No input may be written over, neither the graph nor what a parameter names. */
static int check_output(const lab_order *order, const cli_call *call, const char *input, const char *flag,
                        const char *path) {
    int code = cli_check_output(flag, path);
    if (!code) code = cli_check_not_read(&call->options, input, path);
    for (size_t i = 0; i < order->asked_count && !code && path; i++)
        code = cli_check_not_params(order->asked[i].spec.algorithm, order->asked[i].spec.params, path);
    return code;
}

/* Standard output has one name from here on. */
static const char *plain_name(const char *path) { return path && cli_is_stdout(path) ? "-" : path; }

static int check_outputs(lab_order *order, const cli_call *call) {
    const char *data = order->json_file = plain_name(call->options.lab.json);
    const char *report = order->report = plain_name(call->options.lab.report);
    const char *input = call->operand_count > 1 ? call->operands[1] : NULL;
    int code = check_output(order, call, input, "--json", data);
    if (!code) code = check_output(order, call, input, "--report", report);
    if (code || !data || !report) return code;
    if (strcmp(data, "-") == 0 && strcmp(report, "-") == 0)
        return cli_fail(EXIT_USAGE, "--json and --report both want standard output; write one of them to a file");
    if (cli_same_target(data, report))
        return cli_fail(EXIT_USAGE, "--json and --report need a file each, not both %s", data);
    return EXIT_DONE;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

int lab_understand(lab_order *order, const cli_call *call) {
    if (call->operand_count + (int)call->options.generate.count > 2)
        return cli_fail(EXIT_USAGE, "one graph at a time: a FILE or one --generate");
    int code = ask_all(order, call);
    if (!code) code = read_blocks(order, call->options.lab.blocks);
    return code ? code : check_outputs(order, call);
}

void lab_order_free(lab_order *order) {
    for (size_t i = 0; i < order->asked_count; i++) {
        lab_asked *asked = &order->asked[i];
        if (asked->spec.params) cli_free_arrays(asked->spec.algorithm, asked->spec.params);
        free(asked->spec.params);
        free(asked->spec.texts);
        free(asked->chosen);
        free(asked->sizes);
    }
    free(order->asked);
}
