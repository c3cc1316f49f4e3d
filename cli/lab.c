/* weft lab: runs ladders on files and generated graphs.  Nothing here knows a particular ladder. */
#include "lab.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct session {
    const cli_options *options;
    weft_ctx *ctx;
    weft_machine machine;
    lab_asked *asked;
    size_t asked_count;
    weft_graph *given; /* the file's, read once for all ladders */
    lab_book book;
    const char *doing; /* the input, for the progress line */
    int blocks[LAB_MOST_SWEEP];
    size_t block_count;
} session;

/* --- words ------------------------------------------------------------------------------------------------------ */

static int no_ladder(const char *name) {
    cli_nearest nearest = {name, NULL, 0};
    for (size_t i = 0; i < lab_ladder_count; i++) cli_nearest_try(&nearest, lab_ladders[i]->name);
    if (nearest.best) return cli_fail(EXIT_USAGE, "no ladder is called '%s'; did you mean %s?", name, nearest.best);
    return cli_fail(EXIT_USAGE, "no ladder is called '%s'; weft lab lists them", name);
}

/* A rung's index by its number or name; the number of rungs if there is none. */
static size_t rung_of(const lab_ladder *ladder, const char *word, size_t length) {
    char *end;
    if (length && isdigit((unsigned char)*word)) {
        unsigned long number = strtoul(word, &end, 10);
        return end == word + length && number >= 1 && number <= ladder->rung_count ? number - 1 : ladder->rung_count;
    }
    for (size_t i = 0; i < ladder->rung_count; i++)
        if (strlen(ladder->rungs[i]->name) == length && memcmp(ladder->rungs[i]->name, word, length) == 0) return i;
    return ladder->rung_count;
}

/* "1,4-6,engine": names may hold dashes, so a word is a name first. */
static int choose_rungs(lab_asked *asked, const char *list) {
    const lab_ladder *ladder = asked->ladder;
    size_t count = ladder->rung_count;
    asked->chosen = cli_take(count, sizeof *asked->chosen);
    if (!asked->chosen) return EXIT_MEMORY;
    bool all = !list || strcmp(list, "all") == 0;
    for (size_t i = 0; i < count; i++) asked->chosen[i] = all;
    while (!all && *list) {
        size_t length = strcspn(list, ","), dash = strcspn(list, "-");
        size_t from = rung_of(ladder, list, length), to = from;
        if (from == count && dash < length) {
            from = rung_of(ladder, list, dash);
            to = rung_of(ladder, list + dash + 1, length - dash - 1);
        }
        if (from >= count || to >= count || to < from)
            return cli_fail(EXIT_USAGE, "--rungs: %s has no '%.*s'; its rungs are 1 to %zu (weft lab names them)",
                            ladder->name, (int)length, list, count);
        for (size_t i = from; i <= to; i++) asked->chosen[i] = true;
        list += length + (list[length] != 0);
    }
    return EXIT_DONE;
}

/* "128,256": threads of a block, whole warps. */
static int read_blocks(session *s) {
    const char *at = s->options->blocks;
    while (at && *at) {
        char *end;
        unsigned long threads = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0;
        if (!threads || threads % 32 || threads > 1024 || s->block_count == LAB_MOST_SWEEP || (*end && *end != ','))
            return cli_fail(EXIT_USAGE,
                            "--blocks must be multiples of 32 up to 1024, such as 128,256, and no more than %d; "
                            "not '%s'",
                            LAB_MOST_SWEEP, s->options->blocks);
        s->blocks[s->block_count++] = (int)threads;
        at = end + (*end != 0);
    }
    return EXIT_DONE;
}

/* Whole numbers between commas. */
static int check_sizes(const char *sizes) {
    for (const char *at = sizes; sizes && strcmp(sizes, "documents") != 0;) {
        size_t length = strcspn(at, ",");
        if (!length || length > 10 || strspn(at, "0123456789") != length)
            return cli_fail(EXIT_USAGE, "--sizes must be whole numbers such as 100,1000, or documents; not '%s'",
                            sizes);
        if (!at[length]) break;
        at += length + 1;
    }
    return EXIT_DONE;
}

/* Before anything is measured: outputs that would take each other's place, or the input's. */
static int check_outputs(const cli_call *call) {
    const char *data = call->options.json_file, *report = call->options.report;
    if (data && report && (strcmp(data, report) == 0 || cli_same_file(data, report)))
        return cli_fail(EXIT_USAGE, "--json and --report need a file each, not both %s", data);
    const char *input = call->operand_count > 1 ? call->operands[1] : NULL;
    int code = cli_check_not_input(input, data);
    return code ? code : cli_check_not_input(input, report);
}

/* Parameters from the ladder's defaults and the words after its name. */
static int read_params(lab_asked *asked, void (*prepare)(void *)) {
    free(asked->spec.params);
    free(asked->spec.room);
    asked->spec = (bench_spec){.algorithm = asked->spec.algorithm, .command = "lab", .prepare = prepare};
    return bench_params(&asked->spec, asked->words);
}

static int ask(session *s, const lab_ladder *ladder, const char *params) {
    lab_asked *asked = &s->asked[s->asked_count++];
    *asked = (lab_asked){.ladder = ladder, .words = params};
    asked->spec.algorithm = weft_algorithm_find(ladder->algorithm);
    if (!asked->spec.algorithm) return cli_fail(EXIT_USAGE, "%s: no such algorithm here", ladder->algorithm);
    int code = read_params(asked, ladder->prepare);
    return code ? code : choose_rungs(asked, s->options->rungs);
}

static int understand(session *s, const cli_call *call) {
    char name[64];
    const char *word = call->operands[0];
    size_t length = strcspn(word, ":");
    bool all = strcmp(word, "all") == 0;
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    const lab_ladder *one = lab_ladder_find(name);
    if (!all && !one) return no_ladder(name);
    if (s->options->rungs && !*s->options->rungs) return cli_fail(EXIT_USAGE, "--rungs names no rung");
    if (all && s->options->rungs) return cli_fail(EXIT_USAGE, "--rungs needs one ladder, not all");
    if (call->operand_count + (int)s->options->generate.count > 2)
        return cli_fail(EXIT_USAGE, "one graph at a time: a FILE or one --generate");
    int code = check_sizes(s->options->sizes);
    if (!code) code = check_outputs(call);
    if (code) return code;
    s->asked = cli_take(lab_ladder_count, sizeof *s->asked);
    if (!s->asked) return EXIT_MEMORY;
    if (one) return ask(s, one, word + length + (word[length] != 0));
    for (size_t i = 0; i < lab_ladder_count && !code; i++) code = ask(s, lab_ladders[i], "");
    return code;
}

/* --- the machine ------------------------------------------------------------------------------------------------- */

static int describe_machine(session *s) {
    weft_machine *m = &s->machine;
    m->size = sizeof *m;
    cli_progress_line(s->options, "measuring what this machine can do");
    weft_status st = weft_ctx_set_memory_limit(s->ctx, 0); /* the limit is for graphs and rungs, not for this */
    if (!st) st = weft_ctx_set_device_memory_limit(s->ctx, 0);
    if (!st) st = weft_machine_describe(s->ctx, !s->options->quick, m);
    cli_progress_erase();
    if (!st) st = weft_ctx_set_memory_limit(s->ctx, s->options->memory_limit);
    if (!st) st = weft_ctx_set_device_memory_limit(s->ctx, s->options->device_memory_limit);
    if (st) return cli_fail_status(s->ctx, st);
    if (s->options->device == WEFT_DEVICE_CPU) {
        m->gpus = 0;
        snprintf(m->gpu_reason, sizeof m->gpu_reason, "--device cpu was asked for");
    } else if (s->options->device != WEFT_DEVICE_AUTO && !m->gpus) {
        return cli_fail(EXIT_DEVICE, "no GPU: %s", *m->gpu_reason ? m->gpu_reason : "none was found");
    }
    st = weft_ctx_set_device(s->ctx, WEFT_DEVICE_CPU); /* rungs say themselves where they run */
    return st ? cli_fail_status(s->ctx, st) : EXIT_DONE;
}

/* --- graphs ------------------------------------------------------------------------------------------------------- */

static void show_progress(void *user, const char *rung, size_t run, size_t runs) {
    const session *s = user;
    if (run)
        cli_progress_line(s->options, "%s, %s: run %zu of %zu", s->doing, rung, run, runs);
    else
        cli_progress_line(s->options, "%s, %s: warm-up", s->doing, rung);
}

static void show_doing(void *user, const char *rung, const char *what) {
    const session *s = user;
    cli_progress_line(s->options, "%s%s%s: %s", s->doing, rung ? ", " : "", rung ? rung : "", what);
}

static int wants_to_stop(void *user) {
    (void)user;
    return cli_interrupted();
}

static int run_ladder(session *s, lab_asked *asked, const weft_graph *g, const char *input, bool sized) {
    lab_setup setup = {.ctx = s->ctx,
                       .machine = &s->machine,
                       .runs = (size_t)s->options->runs,
                       .patience_s = s->options->patience,
                       .memory_limit = s->options->memory_limit,
                       .block_count = sized ? 0 : s->block_count,
                       .chosen = asked->chosen,
                       .progress = show_progress,
                       .doing = show_doing,
                       .stop = wants_to_stop,
                       .user = s};
    memcpy(setup.blocks, s->blocks, sizeof setup.blocks);
    lab_page *page = &s->book.pages[s->book.page_count++];
    *page = (lab_page){.sized = sized};
    s->doing = input;
    int code = cli_resolve_params(s->ctx, s->options, g, input, asked->spec.algorithm, asked->spec.params);
    if (code) return code;
    weft_status st = lab_measure(&setup, asked->ladder, g, input, asked->spec.params, &page->table);
    if (!st) st = weft_graph_degree_distribution(s->ctx, g, 0, &page->degree, &page->of_degree, &page->degree_count);
    cli_progress_erase();
    if (st == WEFT_EINVAL && s->asked_count > 1) { /* of all ladders, one that is not for such a graph */
        lab_table_free(&page->table);
        s->book.page_count--;
        cli_note(s->options, "%s is skipped: %s", asked->ladder->name, weft_ctx_message(s->ctx));
        return EXIT_DONE;
    }
    return st ? cli_fail_status(s->ctx, st) : EXIT_DONE;
}

static int on_generated(session *s, lab_asked *asked, const char *words, bool sized) {
    cli_options options = *s->options;
    const char *items[] = {words};
    bench_spec *spec = NULL;
    size_t count = 0;
    weft_graph *g = NULL;
    options.generate = (cli_list){items, 1};
    int code = bench_generators(&options, &spec, &count);
    if (!code) {
        weft_build_params build = cli_build_params(&spec->options);
        weft_status st = weft_generate(s->ctx, spec->generator->name, spec->params, &build, &g);
        cli_progress_erase();
        if (st) code = cli_fail_status(s->ctx, st);
    }
    if (!code) code = run_ladder(s, asked, g, words, sized);
    weft_graph_free(g);
    bench_specs_free(spec, count);
    return code;
}

static int on_input(session *s, lab_asked *asked, const cli_call *call) {
    if (s->options->generate.count) return on_generated(s, asked, s->options->generate.items[0], false);
    if (call->operand_count < 2) return on_generated(s, asked, asked->ladder->graph, false);
    int code = s->given ? EXIT_DONE : cli_load(s->ctx, s->options, call->operands[1], &s->given);
    return code ? code : run_ladder(s, asked, s->given, call->operands[1], false);
}

static const char *sizes_of(const session *s, const lab_ladder *ladder) {
    const char *sizes = s->options->sizes;
    if (!sizes || !ladder->sized) return "";
    return strcmp(sizes, "documents") == 0 ? ladder->sizes : sizes;
}

static int on_sizes(session *s, lab_asked *asked) {
    int code = asked->ladder->prepare_sized ? read_params(asked, asked->ladder->prepare_sized) : EXIT_DONE;
    for (const char *at = sizes_of(s, asked->ladder); *at && !code;) {
        char size[24], words[160];
        size_t length = strcspn(at, ",");
        snprintf(size, sizeof size, "%.*s", (int)length, at);
        const char *mark = strstr(asked->ladder->sized, "%s");
        snprintf(words, sizeof words, "%.*s%s%s", (int)(mark - asked->ladder->sized), asked->ladder->sized, size,
                 mark + 2);
        code = on_generated(s, asked, words, true);
        at += length + (at[length] != 0);
    }
    return code;
}

static size_t most_pages(const session *s) {
    size_t most = 0;
    for (size_t i = 0; i < s->asked_count; i++) {
        most += 2;
        for (const char *c = sizes_of(s, s->asked[i].ladder); *c; c++) most += *c == ',';
    }
    return most;
}

/* --- showing ------------------------------------------------------------------------------------------------------ */

static int write_file(const lab_book *book, const char *path, void (*write)(const lab_book *, FILE *)) {
    out_file out;
    int code = out_open(&out, path);
    if (!code) write(book, out.to);
    return out_close(&out, code);
}

static int show(const session *s) {
    const cli_options *options = s->options;
    bool to_stdout = options->json_file && strcmp(options->json_file, "-") == 0;
    int code = EXIT_DONE;
    if (to_stdout)
        lab_json(&s->book, stdout);
    else
        lab_print(&s->book);
    if (options->json_file && !to_stdout) code = write_file(&s->book, options->json_file, lab_json);
    if (options->report && !code) {
        code = write_file(&s->book, options->report, lab_report);
        fflush(stdout);
        if (!code) cli_note(options, "the report is in %s", options->report);
    }
    return code;
}

static int run_all(session *s, const cli_call *call) {
    int code = EXIT_DONE;
    for (size_t i = 0; i < s->asked_count && !code; i++) {
        code = on_input(s, &s->asked[i], call);
        if (!code) code = on_sizes(s, &s->asked[i]);
    }
    s->book.complete = !code;
    if (code == EXIT_INTERRUPTED && s->book.page_count)
        cli_note(s->options, "what was measured until then is shown, as incomplete; no file is written");
    if (code && code != EXIT_INTERRUPTED) return code;
    size_t bad = 0;
    for (size_t i = 0; i < s->book.page_count; i++) bad += lab_table_bad(&s->book.pages[i].table);
    if (code) {
        lab_print(&s->book);
        return code;
    }
    code = show(s);
    if (!code && bad) code = cli_fail(EXIT_NO, "%zu rung%s wrong or failed", bad, bad == 1 ? " is" : "s are");
    return code;
}

int cli_lab(cli_call *call) {
    session s = {.options = &call->options};
    if (!call->operand_count) {
        if (call->options.rungs || call->options.report || call->options.blocks || call->options.sizes)
            return cli_fail(EXIT_USAGE, "a ladder is missing, such as weft lab pagerank; weft lab lists them");
        if (call->options.json_file) return write_file(NULL, call->options.json_file, lab_list_json);
        lab_list();
        return EXIT_DONE;
    }
    s.book =
        (lab_book){.machine = &s.machine, .runs = (size_t)call->options.runs, .patience_s = call->options.patience};
    if (getloadavg(&s.book.load, 1) != 1) s.book.load = -1;
    int code = understand(&s, call);
    if (!code) code = read_blocks(&s);
    if (!code) code = cli_open(&call->options, &s.ctx);
    if (!code) weft_ctx_set_progress(s.ctx, NULL, NULL);
    if (!code) code = describe_machine(&s);
    if (!code) s.book.pages = cli_take(most_pages(&s), sizeof *s.book.pages);
    if (!code && !s.book.pages) code = EXIT_MEMORY;
    if (!code) {
        time_t now = time(NULL);
        struct tm utc;
        strftime(s.book.date, sizeof s.book.date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
        s.book.threads = weft_ctx_threads(s.ctx);
        code = run_all(&s, call);
    }
    for (size_t i = 0; i < s.book.page_count; i++) {
        lab_table_free(&s.book.pages[i].table);
        weft_free(s.ctx, s.book.pages[i].degree);
        weft_free(s.ctx, s.book.pages[i].of_degree);
    }
    free(s.book.pages);
    for (size_t i = 0; i < s.asked_count; i++) {
        if (s.asked[i].spec.params) cli_free_matrices(s.asked[i].spec.algorithm, s.asked[i].spec.params);
        free(s.asked[i].spec.params);
        free(s.asked[i].spec.room);
        free(s.asked[i].chosen);
    }
    free(s.asked);
    weft_graph_free(s.given);
    weft_ctx_free(s.ctx);
    return code;
}
