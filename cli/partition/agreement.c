/* weft agreement A B: similarity of two partitions of the same vertices. */
#include "partition/labels.h"
#include "result/json.h"

#include <string.h>

typedef struct agreement {
    const cli_call *call;
    weft_ctx *ctx;
    vertex_labels a, b;
    weft_result *result;
} agreement;

static void print_json(const agreement *q) {
    json j;
    json_start(&j, stdout);
    json_text(&j, "a", q->call->operands[0]);
    json_text(&j, "b", q->call->operands[1]);
    json_u64(&j, "vertices", q->a.count);
    json_open_object(&j, "result", false);
    for (size_t i = 0; i < weft_result_scalar_count(q->result); i++)
        json_scalar(&j, weft_result_scalar_at(q->result, i));
    json_close(&j);
    json_finish(&j);
}

static void print_human(const agreement *q) {
    cli_text buffer;
    cli_put(stdout, "agreement of %s and %s: ", q->call->operands[0], q->call->operands[1]);
    printf("%s %s\n\n", cli_count(buffer, q->a.count), cli_vertices(q->a.count));
    for (size_t i = 0; i < weft_result_scalar_count(q->result); i++) {
        const weft_scalar *s = weft_result_scalar_at(q->result, i);
        cli_fact(s->name, "%s", cli_scalar(buffer, s));
    }
}

static int compare(agreement *q) {
    const cli_options *o = &q->call->options;
    int code = labels_open(q->ctx, o, NULL, q->call->operands[0], &q->a);
    if (!code) code = labels_open(q->ctx, o, NULL, q->call->operands[1], &q->b);
    if (!code) code = labels_pair(&q->a, &q->b);
    if (code) return code;
    weft_status st = weft_partition_agreement(q->ctx, q->a.group, q->b.group, q->a.count, &q->result);
    cli_progress_erase();
    return st ? cli_fail_status(q->ctx, st) : EXIT_DONE;
}

int cli_agreement(cli_call *call) {
    agreement q = {.call = call};
    int code = EXIT_DONE;
    if (strcmp(call->operands[0], "-") == 0 && strcmp(call->operands[1], "-") == 0)
        code = cli_fail(EXIT_USAGE, "A and B cannot both come from standard input");
    if (!code) code = cli_open(&call->options, &q.ctx);
    if (!code) code = compare(&q);
    if (!code && call->options.json)
        print_json(&q);
    else if (!code)
        print_human(&q);
    weft_result_free(q.result);
    labels_close(&q.a);
    labels_close(&q.b);
    weft_ctx_free(q.ctx);
    return code;
}
