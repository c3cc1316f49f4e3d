/* weft ALGORITHM FILE: runs any entry of the library's registry.  Nothing here knows a particular algorithm: flags come
 * from its parameters, columns, tables and the verdict from its result, --verify from the table of verifiers. */
#include "draw/draw.h"
#include "partition/labels.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int find_vertex(weft_ctx *ctx, const weft_graph *g, const weft_param_info *param, const char *word,
                       void *params) {
    weft_vid v;
    weft_status st = weft_graph_find(ctx, g, word, &v);
    if (st) return cli_fail(cli_exit_of(st), "--%s: %s", param->name, weft_ctx_message(ctx));
    memcpy((char *)params + param->offset, &v, sizeof v);
    return EXIT_DONE;
}

/* The program allocates the memory of a parameter that is read from a file; the pointer is NULL until then. */
static void *get_array(const weft_param_info *param, const void *params) {
    void *array;
    memcpy(&array, (const char *)params + param->offset, sizeof array);
    return array;
}

static void put_array(const weft_param_info *param, void *params, const void *array) {
    memcpy((char *)params + param->offset, &array, sizeof array);
}

static bool is_array(const weft_param_info *param) {
    return param->type == WEFT_PARAM_VERTICES || param->type == WEFT_PARAM_WEIGHTS ||
           param->type == WEFT_PARAM_MATRIX || param->type == WEFT_PARAM_LABELS || param->type == WEFT_PARAM_PAIRS;
}

/* Does the array have a count, the next field of the struct? */
static bool is_listed(const weft_param_info *param) {
    return param->type == WEFT_PARAM_VERTICES || param->type == WEFT_PARAM_PAIRS;
}

typedef struct resolving {
    weft_ctx *ctx;
    const cli_options *options;
    const weft_graph *g;
    const char *graph_path;
    uint64_t held;
} resolving;

static int read_vertices(resolving *r, const weft_param_info *param, const char *word, void *params) {
    weft_vid *list;
    size_t count;
    int code =
        (param->type == WEFT_PARAM_PAIRS ? cli_read_pairs : cli_read_vertices)(r->ctx, r->g, word, &list, &count);
    put_array(param, params, list);
    memcpy((char *)params + param->offset + sizeof(void *), &count, sizeof count);
    return code;
}

/* A repeated flag for one vertex means the list, where the algorithm has a parameter for lists: --source becomes
 * --sources. */
static int find_vertices(resolving *r, const weft_algorithm_info *algorithm, const weft_param_info *param,
                         const char *words, const char **all, void *params) {
    static const char between[] = {AGAIN_WORDS, 0};
    size_t length = strlen(param->name), count = 0, capacity = 1;
    for (const char *c = words; *c; c++) capacity += *c == AGAIN_WORDS;
    for (size_t i = 0; i < algorithm->param_count; i++) {
        const weft_param_info *list = weft_algorithm_param_at(algorithm, i);
        bool plural = list->type == WEFT_PARAM_VERTICES && strncmp(list->name, param->name, length) == 0 &&
                      strcmp(list->name + length, "s") == 0;
        if (!plural) continue;
        if (all[i]) return cli_fail(EXIT_USAGE, "--%s and --%s exclude each other", param->name, list->name);
        weft_vid *vertices = cli_take(capacity, sizeof *vertices);
        char *copy = strdup(words), *rest = NULL;
        int code = vertices && copy ? EXIT_DONE : EXIT_MEMORY;
        put_array(list, params, vertices);
        for (char *word = code ? NULL : strtok_r(copy, between, &rest); word && !code;
             word = strtok_r(NULL, between, &rest)) {
            weft_status st = weft_graph_find(r->ctx, r->g, word, &vertices[count++]);
            if (st) code = cli_fail(cli_exit_of(st), "--%s: %s", param->name, weft_ctx_message(r->ctx));
        }
        memcpy((char *)params + list->offset + sizeof(void *), &count, sizeof count);
        free(copy);
        return code;
    }
    return cli_fail(EXIT_USAGE, "--%s is given more than once", param->name);
}

static int read_weights(resolving *r, const weft_param_info *param, const char *word, void *params) {
    double *weights = NULL;
    int code = cli_reserve(r->ctx, word, weft_graph_vertices(r->g) * sizeof *weights, &r->held);
    if (!code) code = cli_read_weights(r->ctx, r->g, word, &weights);
    put_array(param, params, weights);
    return code;
}

static int read_matrix(resolving *r, const weft_param_info *param, const char *word, void *params) {
    weft_matrix *matrix = cli_take(1, sizeof *matrix);
    if (!matrix) return EXIT_MEMORY;
    put_array(param, params, matrix);
    return cli_read_matrix(&(cli_graph){r->ctx, r->g, r->graph_path}, r->options, word, &r->held, matrix);
}

/* Each label becomes the first vertex with the same label.  A word that names no file may be an attribute of the
 * graph. */
static int read_labels(resolving *r, const weft_param_info *param, const char *word, void *params) {
    vertex_labels labels = {0};
    weft_attribute attribute = {.size = sizeof attribute};
    if (access(word, F_OK) && !weft_graph_attribute(r->ctx, r->g, word, &attribute)) {
        uint32_t *group = NULL;
        int found = labels_of_attribute(r->g, &attribute, &group);
        put_array(param, params, group);
        return found;
    }
    int code = labels_open(r->ctx, r->options, r->g, word, &labels);
    if (!code) code = labels_match(&labels, r->g, r->graph_path);
    if (!code) {
        put_array(param, params, labels.group);
        labels.group = NULL;
    }
    labels_close(&labels);
    return code;
}

int cli_resolve_params(weft_ctx *ctx, const cli_options *options, const weft_graph *g, const char *graph_path,
                       const weft_algorithm_info *algorithm, void *params) {
    const char **words = cli_param_words(params, algorithm->params_size);
    resolving r = {ctx, options, g, graph_path, 0};
    int code = EXIT_DONE;
    cli_free_arrays(algorithm, params);
    for (size_t i = 0; i < algorithm->param_count && !code; i++) {
        const weft_param_info *param = weft_algorithm_param_at(algorithm, i);
        if (!words[i]) continue;
        if (param->type == WEFT_PARAM_VERTEX)
            code = strchr(words[i], AGAIN_WORDS) ? find_vertices(&r, algorithm, param, words[i], words, params)
                                                 : find_vertex(ctx, g, param, words[i], params);
        if (is_listed(param)) code = read_vertices(&r, param, words[i], params);
        if (param->type == WEFT_PARAM_WEIGHTS) code = read_weights(&r, param, words[i], params);
        if (param->type == WEFT_PARAM_MATRIX) code = read_matrix(&r, param, words[i], params);
        if (param->type == WEFT_PARAM_LABELS) code = read_labels(&r, param, words[i], params);
    }
    return code;
}

void cli_free_arrays(const weft_algorithm_info *algorithm, void *params) {
    for (size_t i = 0; i < algorithm->param_count; i++) {
        const weft_param_info *param = weft_algorithm_param_at(algorithm, i);
        if (!is_array(param)) continue;
        void *array = get_array(param, params);
        if (array && param->type == WEFT_PARAM_MATRIX) free((void *)(uintptr_t)((weft_matrix *)array)->data);
        free(array);
        put_array(param, params, NULL);
        if (is_listed(param)) memset((char *)params + param->offset + sizeof(void *), 0, sizeof(size_t));
    }
}

static int check_not_file(void *out, const char *file) { return cli_check_not_input(file, out); }

int cli_check_not_params(const weft_algorithm_info *algorithm, void *params, const char *out) {
    const char **words = cli_param_words(params, algorithm->params_size);
    int code = EXIT_DONE;
    for (size_t i = 0; i < algorithm->param_count && !code; i++) {
        const weft_param_info *param = weft_algorithm_param_at(algorithm, i);
        bool text = param->type == WEFT_PARAM_TEXT, listed = param->type == WEFT_PARAM_VERTICES;
        const char *file = text ? get_array(param, params) : is_array(param) ? words[i] : NULL;
        code =
            cli_each_word(file, AGAIN_WORDS, listed ? cli_check_not_vertices : check_not_file, (void *)(uintptr_t)out);
    }
    return code;
}

/* Bytes of the matrices that were read.  The library does not count them, so they are subtracted from its limit. */
static uint64_t matrix_bytes(const cli_call *call) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < call->algorithm->param_count; i++) {
        const weft_param_info *param = weft_algorithm_param_at(call->algorithm, i);
        const weft_matrix *matrix = param->type == WEFT_PARAM_MATRIX ? get_array(param, call->params) : NULL;
        if (matrix && matrix->data) bytes += matrix->rows * matrix->width * weft_type_size(matrix->type);
    }
    return bytes;
}

/* The library knows the limit less the matrices; the message is to show the user's limit. */
static int refused(const answer *a, weft_status st) {
    uint64_t bytes = matrix_bytes(a->call), left = weft_ctx_memory_limit(a->ctx);
    cli_text limit, held;
    if (st != WEFT_ENOMEM || !left || !bytes) return cli_fail_status(a->ctx, st);
    return cli_fail(EXIT_MEMORY, "%s (of the limit of %s the features take %s)", weft_ctx_message(a->ctx),
                    cli_bytes(limit, left + bytes), cli_bytes(held, bytes));
}

static void show_plan(const answer *a) {
    cli_line line;
    cli_text buffer;
    uint64_t matrices = matrix_bytes(a->call), left = weft_ctx_memory_limit(a->ctx);
    uint64_t limit = left ? left + matrices : 0;
    bool of_group = a->call->options.memory_limit == CLI_NOT_GIVEN;
    if (a->call->options.json) {
        json j;
        json_start(&j, stdout);
        json_text(&j, "algorithm", a->call->name);
        json_text(&j, "file", a->call->operands[0]);
        json_direction(&j, weft_graph_directed(a->g), weft_graph_direction_from(a->g));
        answer_plan_json(&j, a);
        json_u64(&j, "bytes_in_use", weft_ctx_memory_in_use(a->ctx) + matrices);
        if (limit) json_u64(&j, "memory_limit_bytes", limit);
        if (limit) json_text(&j, "memory_limit_of", of_group ? "memory control group" : "--memory-limit");
        json_finish(&j);
        return;
    }
    cli_heading("plan of %s for %s", a->call->name, a->call->operands[0]);
    cli_fact("backend", "%s: %s", answer_device(a), cli_flag_line(line, weft_plan_device_reason(a->plan)));
    cli_fact("method", "%s", weft_plan_method(a->plan));
    cli_fact("reason", "%s", weft_plan_reason(a->plan));
    cli_search_facts(a->g, a->plan, a->call->algorithm, answer_words(a));
    cli_fact("host memory", "%s more", cli_bytes(buffer, weft_plan_host_bytes(a->plan)));
    cli_fact("in use", "%s by the graph", cli_bytes(buffer, weft_ctx_memory_in_use(a->ctx)));
    if (matrices) cli_fact("features", "%s", cli_bytes(buffer, matrices));
    if (limit)
        cli_fact("memory limit", "limited by %s: %s", of_group ? "the memory control group" : "--memory-limit",
                 cli_bytes(buffer, limit));
    cli_fact("device memory", "%s", cli_bytes(buffer, weft_plan_device_bytes(a->plan)));
    cli_ranks_print(a);
}

static int verify(answer *a) {
    cli_signals_at_once(true);
    weft_status st = weft_check(a->ctx, a->call->algorithm->name, a->g, a->call->params, a->result, &a->report);
    cli_signals_at_once(false);
    cli_progress_erase();
    if (st || cli_interrupted()) return cli_fail_status(a->ctx, st ? st : WEFT_ECANCELLED);
    if (!a->report.passed) cli_fail(EXIT_NO, "NOT VERIFIED: %s", a->report.message);
    return EXIT_DONE;
}

/* Two columns with one name would be ambiguous. */
static int check_label_name(answer *a) {
    if (!a->labels.texts) return EXIT_DONE;
    const char *name = a->labels.column.name;
    bool taken = strcmp(name, "id") == 0;
    for (size_t i = 0; i < a->call->algorithm->result_count; i++)
        taken = taken || strcmp(name, weft_algorithm_result_at(a->call->algorithm, i)->name) == 0;
    weft_attribute attribute = WEFT_ATTRIBUTE_DEFAULTS;
    if (!taken && a->call->options.labels && !weft_graph_attribute(a->ctx, a->g, name, &attribute))
        return cli_fail(EXIT_USAGE, "--labels: the graph has an attribute '%s'; the labels' needs another name", name);
    if (!taken) return EXIT_DONE;
    if (a->labels.by_itself) {
        select_labels_close(&a->labels);
        return EXIT_DONE;
    }
    return cli_fail(EXIT_USAGE, "--label%s: %s has a column '%s' of its own; the labels' needs another name",
                    a->call->options.labels ? "s" : "", a->call->name, name);
}

/* Checks and pictures read all arcs, and the first rank may hold only some of them. */
static int check_rows(const answer *a) {
    bool verify = a->call->options.verify;
    weft_csr all = {.size = sizeof all};
    if (!verify && !draw_wanted(a->call)) return EXIT_DONE;
    weft_status st = weft_graph_out(a->ctx, a->g, &all);
    return st ? cli_fail(EXIT_USAGE, "%s: %s", verify ? "--verify" : "pictures", weft_ctx_message(a->ctx)) : EXIT_DONE;
}

/* Does a table of vertices go to the screen?  It may get a column of labels by itself. */
static bool is_for_screen(const answer *a) {
    const cli_options *o = &a->call->options;
    bool vertices = false;
    for (size_t i = 0; i < a->call->algorithm->result_count; i++) {
        weft_shape shape = weft_algorithm_result_at(a->call->algorithm, i)->shape;
        if (shape == WEFT_SHAPE_EDGES) return false;
        vertices |= shape == WEFT_SHAPE_VERTICES;
    }
    return vertices && !o->output && !o->json && !o->table && cli_ranks_alone();
}

static void *param_called(const cli_call *call, const char *name) {
    cli_subject subject = {call->algorithm, NULL};
    for (size_t i = 0; i < cli_param_count(subject); i++)
        if (strcmp(cli_param_at(subject, i)->name, name) == 0)
            return (char *)call->params + cli_param_at(subject, i)->offset;
    return NULL;
}

/* --top K of approximate values: the run may end once the order of the first K is certain, where the algorithm has a
 * parameter for that (`apart`). */
static void let_the_first_suffice(const answer *a) {
    const cli_options *o = &a->call->options;
    const double *error = param_called(a->call, "error");
    uint64_t *apart = param_called(a->call, "apart");
    if (!error || !apart || !(*error > 0) || *apart || o->by || o->top == CLI_NOT_GIVEN) return;
    *apart = o->top;
    cli_text count;
    if (o->top)
        cli_note(o, "--top %s: it ends once these and their order are certain, or at --error",
                 cli_count(count, o->top));
}

/* --top K of values computed vertex by vertex: the algorithm may compute the first K alone (`first`), unless another
 * flag needs the rest.  In small graphs all values cost nothing. */
static void let_the_others_be(const answer *a) {
    enum { SMALL = 10000, MANY = 8 };
    const cli_options *o = &a->call->options;
    uint64_t *first = param_called(a->call, "first"), n = weft_graph_vertices(a->g);
    bool all = o->by || o->sort || o->where || o->bottom != CLI_NOT_GIVEN || o->head != CLI_NOT_GIVEN || o->sizes_file;
    if (!first || *first || all || !o->top || o->top == CLI_NOT_GIVEN || n < SMALL || o->top > n / MANY) return;
    *first = o->top;
    cli_text count;
    cli_note(o, "--top %s: only these have a value (--first)", cli_count(count, o->top));
}

static int load(answer *a) {
    const cli_call *call = a->call;
    double started = cli_now_ms();
    int code = cli_load(a->ctx, &call->options, call->operands[0], &a->g);
    if (!code) code = check_rows(a);
    if (!code)
        code = cli_resolve_params(a->ctx, &call->options, a->g, call->operands[0], call->algorithm, call->params);
    if (!code) let_the_first_suffice(a);
    if (!code) let_the_others_be(a);
    if (!code) code = draw_find_groups(a);
    if (!code && !draw_labels_are_ids(call)) {
        code = select_labels_open(a->ctx, &call->options, a->g, is_for_screen(a), &a->labels);
        if (!code) code = check_label_name(a);
    }
    a->load_ms = cli_now_ms() - started;
    return cli_ranks_agree(a->ctx, code);
}

int answer_present(answer *a, rows_format format) {
    int code = a->call->options.verify ? verify(a) : EXIT_DONE;
    return code ? code : answer_show(a, format);
}

static int answer_question(answer *a, rows_format format) {
    const cli_call *call = a->call;
    int code = load(a);
    double loaded = cli_now_ms();
    if (code) return code;
    weft_status st = weft_plan_new(a->ctx, call->algorithm->name, a->g, call->params, &a->plan);
    a->prepare_ms = cli_now_ms() - loaded;
    if (st) return refused(a, st);
    if (!call->options.plan) code = cli_ranks_agree(a->ctx, answer_run(a));
    if (!code) code = cli_ranks_figures(a);
    if (!code && call->options.plan) {
        show_plan(a);
        return EXIT_DONE;
    }
    return code ? code : cli_ranks_present(a, format);
}

/* Only where the device is certain: auto decides once the graph has been read. */
static bool will_use_gpu(const cli_call *call) {
    const char *path = call->operands[0];
    return cli_ranks_alone() && call->options.device >= WEFT_DEVICE_CUDA && call->algorithm->on_cuda &&
           (strcmp(path, "-") == 0 || access(path, R_OK) == 0);
}

/* Flags about rows of vertices are refused where the answer has none (cycle).  With --table all of them but --labels
 * are about the rows of the table. */
static int check_no_rows(const cli_call *call) {
    const cli_options *o = &call->options;
    const char *flag = o->labels ? "--labels" : o->label ? "--label" : o->table ? NULL : select_flag(o);
    for (size_t i = 0; i < call->algorithm->result_count; i++) {
        weft_shape shape = weft_algorithm_result_at(call->algorithm, i)->shape;
        if (shape == WEFT_SHAPE_VERTICES || shape == WEFT_SHAPE_EDGES) return EXIT_DONE;
    }
    if (!flag || answer_lists(call->algorithm)) return EXIT_DONE;
    return cli_fail(EXIT_USAGE, "%s has no rows of vertices: %s has no use here%s", call->name, flag,
                    o->labels || o->label ? "" : " without --table");
}

/* Checks of the flags alone, before anything is read. */
static int check_words(const cli_call *call) {
    int code = cli_check_output("-o", call->options.output);
    if (!code) code = cli_check_not_read(&call->options, call->operands[0], call->options.output);
    if (!code) code = cli_check_not_params(call->algorithm, call->params, call->options.output);
    if (!code) code = groups_check(call);
    if (!code) code = cli_checkpoint_check(call);
    if (!code) code = select_check(&call->options);
    if (!code) code = check_no_rows(call);
    if (!code) code = graph_out_check(&call->options);
    if (!code && graph_out_wanted(&call->options) && !cli_ranks_alone())
        code = cli_fail(EXIT_USAGE, "ranks do not write graphs with results: -o FILE.tsv");
    if (!code && call->options.verify && !weft_check_exists(call->algorithm->name))
        code = cli_fail(EXIT_USAGE, "%s has no verifier in this build", call->name);
    return code;
}

int cli_algorithm(cli_call *call) {
    answer a = {.call = call, .report = WEFT_CHECK_REPORT_DEFAULTS};
    rows_format format = ROWS_TSV;
    bool saves = call->options.output && !draw_wanted(call);
    call->options.ordered = call->algorithm->verdict != NULL;
    bool graph = graph_out_wanted(&call->options);
    if (graph) format = ROWS_GRAPH;
    int code = saves && !graph ? rows_format_of_path(call->options.output, draw_can(call), &format) : EXIT_DONE;
    if (!code) code = draw_check(call);
    if (!code) code = cli_ranks_open(&a, call, format);
    if (!code) code = cli_ranks_agree(a.ctx, cli_ranks_first() ? check_words(call) : EXIT_DONE);
    if (!code) code = cli_ranks_agree(a.ctx, cli_checkpoint_begin(a.ctx, &call->options));
    if (!code && will_use_gpu(call)) weft_device_begin();
    if (!code) code = answer_question(&a, format);
    code = cli_checkpoint_end(&a, code);
    weft_device_settle();
    if (!code && a.plan && weft_plan_device(a.plan) == WEFT_DEVICE_CUDA && !a.rank_figures) cli_leave(code);
    free(a.part_path);
    free(a.own);
    answer_forget_rows(&a);
    weft_result_free(a.window);
    groups_free(a.ctx, &a.groups);
    select_labels_close(&a.labels);
    free(a.rank_figures);
    weft_result_free(a.result);
    weft_plan_free(a.plan);
    cli_free_arrays(call->algorithm, call->params);
    weft_graph_free(a.g);
    weft_ctx_free(a.ctx);
    return code;
}
