/* Gathers the rows of a distributed result on the first rank, which prints and writes them.  It holds all of them only
 * for a check, a picture, the sizes of all groups or a sorted list of all rows.  Otherwise:
 *   all rows are streamed in vertex order: ranks gather a megabyte of values at a time, after the first rank has
 *   written the one before (rows_pass);
 *   rows that flags select (--top, --where, ...): each rank selects among its own, and the first rank among these. */
#include "draw/draw.h"

#include <stdlib.h>

enum {
    PASSING_BYTES = 1 << 20,
    LEAST_PASSING = 256,
    ENOUGH = 255 /* no exit code: the first rank needs no more rows */
};

static int own_vertices(answer *a) {
    size_t ranks = (size_t)weft_ctx_ranks(a->ctx);
    a->own_count = (size_t)a->rank_figures[WEFT_RANK_VERTICES * ranks + (size_t)weft_ctx_rank(a->ctx)];
    a->own = cli_take(a->own_count + 1, sizeof *a->own);
    weft_status st = a->own ? weft_plan_vertices(a->plan, a->own) : WEFT_OK;
    return st ? cli_fail_status(a->ctx, st) : a->own ? EXIT_DONE : EXIT_MEMORY;
}

/* --- all of them, at once --------------------------------------------------------------------- */

static int bring_all(answer *a) {
    weft_result *whole = NULL;
    weft_status st = weft_plan_gather(a->plan, a->result, &whole);
    if (st) return cli_fail_status(a->ctx, st);
    weft_result_free(a->result);
    a->result = whole;
    return EXIT_DONE;
}

/* --- some ------------------------------------------------------------------------------------- */

static int ascending(const void *x, const void *y) {
    weft_vid a = *(const weft_vid *)x, b = *(const weft_vid *)y;
    return (a > b) - (a < b);
}

/* Where two flags cut a list, the second is applied when the rows of all ranks are together. */
static cli_options for_own_rows(const cli_options *options) {
    cli_options own = *options;
    if (own.top == CLI_NOT_GIVEN && own.bottom == CLI_NOT_GIVEN) return own;
    own.sort = NULL;
    own.head = CLI_NOT_GIVEN;
    return own;
}

static int choose_own(answer *a, bool none, size_t *count) {
    cli_options options = for_own_rows(&a->call->options);
    int code = own_vertices(a);
    *count = 0;
    if (code || none) return code;
    code = answer_rows(a, &options);
    if (code) return code;
    *count = a->main.count;
    qsort(a->order, *count, sizeof *a->order, ascending);
    return EXIT_DONE;
}

static int bring_chosen(answer *a, bool none) {
    size_t count;
    weft_vid *vertices = NULL;
    weft_result *chosen = NULL;
    int code = cli_ranks_agree(a->ctx, choose_own(a, none, &count));
    if (code) return code;
    uint64_t figures[] = {a->met, count};
    weft_status st = weft_ctx_sum_ranks(a->ctx, figures, 2);
    if (!st) st = weft_plan_gather_rows(a->plan, a->result, a->order, count, &vertices, &chosen);
    if (st) return cli_fail_status(a->ctx, st);
    answer_forget_rows(a);
    weft_result_free(a->result);
    free(a->own);
    a->result = chosen;
    a->met_by_all = (size_t)figures[0];
    a->own_count = cli_ranks_first() ? (size_t)figures[1] : 0;
    a->own = cli_take(a->own_count + 1, sizeof *a->own);
    for (size_t i = 0; a->own && i < a->own_count; i++) a->own[i] = vertices[i];
    weft_free(a->ctx, vertices);
    return cli_ranks_agree(a->ctx, a->own ? EXIT_DONE : EXIT_MEMORY);
}

/* --- some at a time ------------------------------------------------------------------------------ */

static void show_window(answer *a) {
    rows_column *to = a->main_columns;
    to++->first = (weft_vid)a->pass.first;
    if (a->labels.texts) to++->data = a->labels.texts + a->pass.first;
    for (size_t i = 0; i < weft_result_column_count(a->window); i++) {
        const weft_column *column = weft_result_column_at(a->window, i);
        for (size_t part = column->width ? column->width : 1; part-- > 0; to++) {
            to->data = column->data;
            to->length = weft_graph_vertices(a->g);
        }
    }
}

/* All ranks call it, whenever the first rank needs more rows. */
static int bring_next(rows_pass *pass) {
    answer *a = pass->of;
    size_t n = weft_graph_vertices(a->g), first = pass->end, left = n - first;
    int code = cli_ranks_agree(a->ctx, cli_interrupted() ? cli_fail(EXIT_INTERRUPTED, "interrupted") : EXIT_DONE);
    a->failed_on_ranks = code && code != ENOUGH;
    if (code) return code;
    weft_result_free(a->window);
    a->window = NULL;
    pass->first = first;
    pass->end = first + (left < pass->most ? left : pass->most);
    weft_status st = weft_plan_gather_range(a->plan, a->result, (weft_vid)first, (weft_vid)pass->end, &a->window);
    if (st) return cli_fail_status(a->ctx, st);
    if (a->window) show_window(a);
    return EXIT_DONE;
}

static void let_pass(answer *a) {
    size_t each = 1;
    for (size_t i = 0; i < weft_result_column_count(a->result); i++) {
        const weft_column *column = weft_result_column_at(a->result, i);
        if (column->shape == WEFT_SHAPE_VERTICES)
            each += (column->width ? column->width : 1) * weft_type_size(column->type);
    }
    size_t most = PASSING_BYTES / each;
    a->pass = (rows_pass){.most = most < LEAST_PASSING ? LEAST_PASSING : most, .next = bring_next, .of = a};
}

int cli_ranks_first_rows(answer *a) {
    a->main.pass = &a->pass;
    return bring_next(&a->pass);
}

static int serve(answer *a) {
    int code;
    do code = bring_next(&a->pass);
    while (!code && a->pass.end < weft_graph_vertices(a->g));
    return code == ENOUGH ? EXIT_DONE : code;
}

/* --- which ------------------------------------------------------------------------------------------ */

static answer_way way_of(const answer *a, answer_choice choice) {
    const cli_options *o = &a->call->options;
    if (o->parts) return ROWS_IN_PARTS;
    if (o->verify || o->sizes_file || draw_wanted(a->call) || choice == CHOOSES_ORDER) return ROWS_HERE;
    return choice == CHOOSES_ALL ? ROWS_PASSING : ROWS_CHOSEN;
}

static int gather(answer *a) {
    answer_choice choice = answer_chooses(a);
    a->way = way_of(a, choice);
    if (a->way == ROWS_IN_PARTS) return cli_ranks_agree(a->ctx, own_vertices(a));
    if (a->way == ROWS_HERE) return bring_all(a);
    int code = groups_of_ranks(a->plan, a->ctx, a->g, a->call, a->result, &a->groups);
    if (code) return code;
    if (a->way == ROWS_CHOSEN) return bring_chosen(a, choice == CHOOSES_NONE);
    let_pass(a);
    return EXIT_DONE;
}

int cli_ranks_present(answer *a, rows_format format) {
    if (weft_ctx_ranks(a->ctx) == 1) return answer_present(a, format);
    int code = gather(a);
    if (code) return code;
    bool serves = a->way == ROWS_PASSING && !cli_ranks_first();
    bool presents = cli_ranks_first() || a->way == ROWS_IN_PARTS;
    code = serves ? serve(a) : presents ? answer_present(a, format) : EXIT_DONE;
    if (a->failed_on_ranks) return code; /* all ranks know the status */
    if (!code && a->way == ROWS_PASSING && presents && a->pass.end < weft_graph_vertices(a->g))
        weft_ctx_agree(a->ctx, ENOUGH, ""); /* the reader of the pipe is gone */
    return cli_ranks_agree(a->ctx, code);
}
