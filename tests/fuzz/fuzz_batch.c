/* Fuzz target: batches as text (cli/dynamic/batch_*.c), into a dynamic graph of a kind that the bytes choose.  A line that is wrong ends it, with a
 * message and a column that lies within the line or right after it. */
#include "../../cli/dynamic/batch_fields.c"
#include "../../cli/dynamic/batch_json.c"
#include "../../cli/dynamic/batch_text.c"

#include "weft/experimental.h"

static weft_status read_batches(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                                const weft_read_params *params, weft_graph **out);
#define FUZZ_FORMAT "edgelist"
#define FUZZ_READ   read_batches
#include "fuzz_common.h"

static void check_line(batch_line_is is, const batch_mistake *wrong, size_t length) {
    if (is != BATCH_WRONG) return;
    FUZZ_CHECK(wrong->message[0] && wrong->column >= 1 && wrong->column <= length + 1);
}

static void apply(weft_ctx *ctx, weft_dynamic *d, batch_reader *r) {
    weft_batch batch;
    FUZZ_CHECK(batch_give(r, &batch));
    weft_status st = weft_dynamic_apply(ctx, d, &batch, NULL); /* what the parser lets through makes sense */
    FUZZ_CHECK(st == WEFT_OK || st == WEFT_ENOMEM);
    batch_clear(r);
}

static weft_status read_batches(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                                const weft_read_params *params, weft_graph **out) {
    uint32_t h = fuzz_mix(data, bytes);
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    weft_dynamic *d = NULL;
    (void)name;
    (void)params;
    p.direction = h % 2 ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    p.weight_type = (weft_weight_type)(h / 2 % 4);
    p.names = h / 8 % 2 != 0;
    weft_status st = weft_dynamic_new(ctx, NULL, &p, &d);
    if (st) return st;
    batch_reader r = {.names = p.names, .type = p.weight_type};
    const char *text = data;
    for (size_t at = 0; at < bytes;) {
        const char *end = memchr(text + at, '\n', bytes - at);
        size_t length = end ? (size_t)(end - text) - at : bytes - at;
        char *line = malloc(length + 1); /* of its own, so that a step too far is seen */
        FUZZ_CHECK(line);
        memcpy(line, text + at, length);
        line[length] = '\n';
        batch_mistake wrong = {0, ""};
        batch_line_is is = batch_line(&r, line, length, &wrong);
        check_line(is, &wrong, length);
        free(line);
        if (is == BATCH_WRONG) break;
        if (is == BATCH_END) apply(ctx, d, &r);
        at += length + 1;
    }
    apply(ctx, d, &r);
    batch_free(&r);
    st = weft_dynamic_snapshot(ctx, d, out);
    weft_csr rows = {.size = sizeof rows};
    if (!st) st = weft_graph_out(ctx, *out, &rows);
    weft_dynamic_free(d);
    if (!st) return st;
    weft_graph_free(*out);
    *out = NULL;
    return st;
}
