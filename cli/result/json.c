/* The JSON writer: levels, commas and indentation; strings are written by src/stream/json_text.h. */
#include "result/json.h"

#include "cli.h"
#include "json_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_put_bytes(void *to, const char *data, size_t bytes) { fwrite(data, 1, bytes, to); }

static void indent(json *j) {
    fputc('\n', j->to);
    for (int i = 0; i < 2 * j->depth; i++) fputc(' ', j->to);
}

static void before_value(json *j, const char *key) {
    bool compact = j->level[j->depth].compact;
    if (j->level[j->depth].filled) fputs(compact ? ", " : ",", j->to);
    j->level[j->depth].filled = true;
    if (!compact) indent(j);
    if (!key) return;
    wfi_json_put_string(cli_put_bytes, j->to, key, strlen(key));
    fputs(": ", j->to);
}

static void open_level(json *j, char opening, char closing, bool compact) {
    fputc(opening, j->to);
    bool inherited = j->depth > 0 && j->level[j->depth].compact;
    j->depth++;
    j->level[j->depth].filled = false;
    j->level[j->depth].compact = compact || inherited;
    j->level[j->depth].closing = closing;
}

void json_start(json *j, FILE *to) {
    *j = (json){.to = to};
    open_level(j, '{', '}', false);
}

void json_start_line(json *j, FILE *to) {
    *j = (json){.to = to};
    open_level(j, '{', '}', true);
}

void json_open_object(json *j, const char *key, bool compact) {
    before_value(j, key);
    open_level(j, '{', '}', compact);
}

void json_open_array(json *j, const char *key, bool compact) {
    before_value(j, key);
    open_level(j, '[', ']', compact);
}

void json_close(json *j) {
    char closing = j->level[j->depth].closing;
    bool on_own_line = j->level[j->depth].filled && !j->level[j->depth].compact;
    j->depth--;
    if (on_own_line) indent(j);
    fputc(closing, j->to);
}

void json_finish(json *j) {
    json_close(j);
    fputc('\n', j->to);
}

void json_u64(json *j, const char *key, uint64_t x) {
    before_value(j, key);
    fprintf(j->to, "%" PRIu64, x);
}

void json_i64(json *j, const char *key, int64_t x) {
    before_value(j, key);
    fprintf(j->to, "%" PRId64, x);
}

void json_f64(json *j, const char *key, double x) {
    cli_text buffer;
    before_value(j, key);
    fputs(isfinite(x) ? cli_real(buffer, x) : "null", j->to);
}

void json_rounded(json *j, const char *key, double x) {
    before_value(j, key);
    if (isfinite(x))
        fprintf(j->to, "%.3f", x);
    else
        fputs("null", j->to);
}

void json_f32(json *j, const char *key, float x) {
    cli_text buffer;
    before_value(j, key);
    fputs(isfinite(x) ? cli_real32(buffer, x) : "null", j->to);
}

void json_f16(json *j, const char *key, float x) {
    cli_text buffer;
    before_value(j, key);
    fputs(isfinite(x) ? cli_real16(buffer, x) : "null", j->to);
}

void json_bool(json *j, const char *key, bool x) {
    before_value(j, key);
    fputs(x ? "true" : "false", j->to);
}

void json_text(json *j, const char *key, const char *text) {
    if (text)
        json_name(j, key, text, strlen(text));
    else
        json_null(j, key);
}

void json_name(json *j, const char *key, const char *name, size_t length) {
    before_value(j, key);
    wfi_json_put_string(cli_put_bytes, j->to, name, length);
}

void json_scalar(json *j, const weft_scalar *s) {
    if (s->type == WEFT_F64)
        json_f64(j, s->name, s->value.f64);
    else if (s->type == WEFT_I64)
        json_i64(j, s->name, s->value.i64);
    else if (s->value.u64 == WEFT_NO_VALUE)
        json_null(j, s->name);
    else
        json_u64(j, s->name, s->value.u64);
}

void json_null(json *j, const char *key) {
    before_value(j, key);
    fputs("null", j->to);
}

void json_direction(json *j, bool directed, weft_direction_from from) {
    json_bool(j, "directed", directed);
    json_text(j, "direction", directed ? "directed" : "undirected");
    json_text(j, "direction_from", cli_direction_from(from));
}

void json_graph(json *j, const weft_graph_info *info) {
    json_u64(j, "vertices", info->vertices);
    json_u64(j, "records", info->records);
    json_u64(j, "edges", info->edges);
    json_u64(j, "arcs", info->arcs);
    json_direction(j, info->directed, info->direction_from);
    json_bool(j, "weighted", info->weight_type != WEFT_WEIGHT_NONE);
}

void json_vertex(json *j, const weft_graph *g, const char *key, weft_vid v) {
    if (!cli_ids_are_names(g)) {
        json_i64(j, key, weft_graph_id(g, v));
        return;
    }
    char *text = cli_id_text(g, v, false);
    json_name(j, key, text, weft_graph_id_text(g, v, NULL, 0));
    free(text);
}
