/* weft lab: runs ladders on files and generated graphs.  Nothing here knows a particular ladder.
 * A graph of a sweep over sizes that cannot be made or served is a page of skipped rungs with the reason; what ends the
 * run shows what was measured before it, as incomplete. */
#include "program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef char own_spec[192]; /* a ladder's own graph, in a generator's words */

typedef struct session {
    const cli_options *options;
    weft_ctx *ctx;
    weft_machine machine;
    lab_order order;
    weft_graph *given; /* the file's, read once for all ladders */
    lab_book book;
    const char *doing; /* the input, for the progress line */
} session;

/* --- the machine ------------------------------------------------------------------------------------------------- */

static int describe_machine(session *s) {
    weft_machine *m = &s->machine;
    m->size = sizeof *m;
    if (!s->options->quick) cli_progress_line(s->options, "measuring what this machine can do");
    weft_status st = weft_ctx_set_memory_limit(s->ctx, 0); /* the limit is for graphs and rungs, not for this */
    if (!st) st = weft_ctx_set_device_memory_limit(s->ctx, 0);
    if (!st) st = weft_machine_describe(s->ctx, !s->options->quick, m);
    cli_progress_erase();
    if (!st) st = cli_limit_memory(s->ctx, s->options);
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

/* --- one table ---------------------------------------------------------------------------------------------------- */

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

static lab_page *new_page(session *s, bool sized) {
    lab_page *page = &s->book.pages[s->book.page_count++];
    *page = (lab_page){.sized = sized};
    return page;
}

/* The rungs that were asked for and have no row yet, as skipped.  Without a graph: one of `vertices` was wanted. */
static int skip_rungs(session *s, lab_page *page, const lab_asked *asked, const weft_graph *g, uint64_t vertices,
                      const char *input, const char *why) {
    const lab_ladder *ladder = asked->ladder;
    lab_table *t = &page->table;
    if (!t->rows) t->rows = cli_take(ladder->rung_count, sizeof *t->rows);
    if (!t->rows) return EXIT_MEMORY;
    t->ladder = ladder;
    t->info = (weft_graph_info){.size = sizeof t->info, .vertices = vertices};
    if (!lab_table_name(t, input, g ? "" : " (not generated)")) return cli_fail(EXIT_MEMORY, "out of memory");
    for (size_t i = t->row_count ? t->rows[t->row_count - 1].number : 0; i < ladder->rung_count; i++) {
        if (!asked->chosen[i]) continue;
        lab_row *row = &t->rows[t->row_count++];
        *row = (lab_row){.rung = ladder->rungs[i], .number = i + 1, .status = LAB_SKIPPED, .difference = NAN};
        snprintf(row->message, sizeof row->message, "%s", why);
    }
    t->complete = true;
    weft_status st = g ? weft_graph_describe(s->ctx, g, &t->info) : WEFT_OK;
    return st ? cli_fail_status(s->ctx, st) : EXIT_DONE;
}

/* The parameters are resolved for this graph. */
static int run_ladder(session *s, lab_asked *asked, const weft_graph *g, const char *input, bool sized) {
    lab_setup setup = {.ctx = s->ctx,
                       .machine = &s->machine,
                       .runs = (size_t)s->options->runs,
                       .patience_s = s->options->lab.patience,
                       .memory_limit = s->options->memory_limit == CLI_NOT_GIVEN ? 0 : s->options->memory_limit,
                       .ranks = (int)s->options->lab.ranks,
                       .block_count = sized ? 0 : s->order.block_count,
                       .chosen = asked->chosen,
                       .progress = show_progress,
                       .doing = show_doing,
                       .stop = wants_to_stop,
                       .user = s};
    memcpy(setup.blocks, s->order.blocks, sizeof setup.blocks);
    lab_page *page = new_page(s, sized);
    int code = EXIT_DONE;
    s->doing = input;
    weft_status st = lab_measure(&setup, asked->ladder, g, input, asked->spec.params, &page->table);
    bool not_for_it = (st == WEFT_EINVAL && (sized || s->order.asked_count > 1)) || (st == WEFT_ENOMEM && sized);
    if (not_for_it) {
        char why[512];
        const char *said = weft_ctx_message(s->ctx);
        cli_line line;
        snprintf(why, sizeof why, "%s", cli_flag_line(line, *said ? said : weft_status_text(st)));
        if (!sized) cli_note(s->options, "%s is skipped: %s", asked->ladder->name, why);
        code = skip_rungs(s, page, asked, g, 0, input, why);
        st = WEFT_OK;
    }
    if (!st && !code)
        st = weft_graph_degree_distribution(s->ctx, g, WEFT_SIDE_OUT, &page->degree, &page->of_degree,
                                            &page->degree_count);
    cli_progress_erase();
    return st ? cli_fail_status(s->ctx, st) : code;
}

/* --- graphs ------------------------------------------------------------------------------------------------------- */

/* A ladder's own graph with the size in its place.  A direction on the command line takes the place of the one it names. */
static void own_words(own_spec room, const session *s, const char *spec, const char *size) {
    own_spec whole;
    const char *mark = strstr(spec, "%s");
    int before = (int)(mark ? (size_t)(mark - spec) : strlen(spec)), direction = s->options->direction;
    snprintf(whole, sizeof whole, "%.*s%s%s", before, spec, mark ? size : "", mark ? mark + 2 : "");
    size_t used = 0, length;
    for (const char *at = whole; *at; at += length + (at[length] != 0)) {
        length = strcspn(at, ":,");
        bool told =
            (length == 8 && strncmp(at, "directed", 8) == 0) || (length == 10 && strncmp(at, "undirected", 10) == 0);
        if (told && direction) continue;
        used += (size_t)snprintf(room + used, sizeof(own_spec) - used, "%s%.*s",
                                 !used               ? ""
                                 : strchr(room, ':') ? ","
                                                     : ":",
                                 (int)length, at);
    }
    if (direction)
        snprintf(room + used, sizeof(own_spec) - used, "%s%s", strchr(room, ':') ? "," : ":",
                 direction == WEFT_DIRECTED ? "directed" : "undirected");
}

static int generate(session *s, const char *words, weft_graph **g) {
    cli_options options = *s->options;
    const char *items[] = {words};
    bench_spec *spec = NULL;
    size_t count = 0;
    options.generate = (cli_list){items, 1};
    int code = bench_generators(&options, &spec, &count);
    if (!code) {
        weft_build_params build = cli_build_params(&spec->options);
        weft_status st = weft_generate(s->ctx, spec->generator->name, spec->params, &build, g);
        cli_progress_erase();
        if (st) code = cli_fail_status(s->ctx, st);
    }
    bench_specs_free(spec, count);
    return code;
}

static int resolve(session *s, lab_asked *asked, const weft_graph *g, const char *input) {
    return cli_resolve_params(s->ctx, s->options, g, input, asked->spec.algorithm, asked->spec.params);
}

static int on_generated(session *s, lab_asked *asked, const char *words) {
    weft_graph *g = NULL;
    int code = generate(s, words, &g);
    if (!code) code = resolve(s, asked, g, words);
    if (!code) code = run_ladder(s, asked, g, words, false);
    weft_graph_free(g);
    return code;
}

static int on_input(session *s, lab_asked *asked, const cli_call *call) {
    own_spec words;
    if (s->options->generate.count) return on_generated(s, asked, s->options->generate.items[0]);
    if (call->operand_count < 2) {
        own_words(words, s, asked->ladder->graph, "");
        return on_generated(s, asked, words);
    }
    int code = s->given ? EXIT_DONE : cli_load(s->ctx, s->options, call->operands[1], &s->given);
    if (!code) code = resolve(s, asked, s->given, call->operands[1]);
    return code ? code : run_ladder(s, asked, s->given, call->operands[1], false);
}

/* Of a sweep: what is wrong with one size is that size's own matter. */
static int on_size(session *s, lab_asked *asked, uint64_t size) {
    own_spec words;
    cli_text digits;
    char why[512];
    weft_graph *g = NULL;
    snprintf(digits, sizeof digits, "%" PRIu64, size);
    own_words(words, s, asked->ladder->sized, digits);
    cli_fail_into(why, sizeof why);
    int code = generate(s, words, &g);
    if (!code) code = resolve(s, asked, g, words);
    cli_fail_into(NULL, 0);
    if (!code)
        code = run_ladder(s, asked, g, words, true);
    else if (code == EXIT_INTERRUPTED || cli_interrupted())
        code = cli_fail(EXIT_INTERRUPTED, "interrupted");
    else
        code = skip_rungs(s, new_page(s, true), asked, g, size, words, why);
    weft_graph_free(g);
    return code;
}

static int on_sizes(session *s, lab_asked *asked) {
    bool own = asked->size_count && asked->ladder->prepare_sized;
    int code = own ? lab_read_params(asked, asked->ladder->prepare_sized) : EXIT_DONE;
    for (size_t i = 0; i < asked->size_count && !code; i++) code = on_size(s, asked, asked->sizes[i]);
    return code;
}

static size_t most_pages(const session *s) {
    size_t most = 0;
    for (size_t i = 0; i < s->order.asked_count; i++) most += 1 + s->order.asked[i].size_count;
    return most;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static int run_all(session *s, const cli_call *call) {
    int code = EXIT_DONE;
    for (size_t i = 0; i < s->order.asked_count && !code; i++) {
        code = on_input(s, &s->order.asked[i], call);
        if (!code) code = on_sizes(s, &s->order.asked[i]);
    }
    s->book.complete = !code;
    if (code) {
        lab_show_incomplete(&s->book, &s->order, s->options);
        return code;
    }
    size_t bad = 0;
    for (size_t i = 0; i < s->book.page_count; i++) bad += lab_table_bad(&s->book.pages[i].table);
    code = lab_show(&s->book, &s->order, s->options);
    if (!code && bad) code = cli_fail(EXIT_NO, "%zu rung%s wrong or failed", bad, bad == 1 ? " is" : "s are");
    return code;
}

int lab_command(cli_call *call) {
    session s = {.options = &call->options};
    if (!call->operand_count) return lab_list_asked(&call->options);
    s.book =
        (lab_book){.machine = &s.machine, .runs = (size_t)call->options.runs, .patience_s = call->options.lab.patience};
    if (getloadavg(&s.book.load, 1) != 1) s.book.load = -1;
    int code = lab_understand(&s.order, call);
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
    lab_order_free(&s.order);
    weft_graph_free(s.given);
    weft_ctx_free(s.ctx);
    return code;
}
