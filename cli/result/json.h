/* A small streaming JSON writer: objects and arrays open and close, values go in between.  Indents by two spaces;
 * "compact" containers stay on one line.  Numbers are exact, text is always valid UTF-8, NaN and infinity are null. */
#ifndef WEFT_CLI_JSON_H
#define WEFT_CLI_JSON_H

#include "weft/base.h"
#include "weft/registry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEEPEST = 12 };

typedef struct json {
    FILE *to;
    int depth;
    struct {
        bool filled, compact;
        char closing;
    } level[JSON_DEEPEST];
} json;

/* Writes bytes to a stream; the callback of writers in src/stream. */
void cli_put_bytes(void *to, const char *data, size_t bytes);

void json_start(json *j, FILE *to);      /* begins the one object */
void json_start_line(json *j, FILE *to); /* the same on one line */
void json_finish(json *j);               /* ends it, with a newline */

/* key is NULL inside an array. */
void json_open_object(json *j, const char *key, bool compact);
void json_open_array(json *j, const char *key, bool compact);
void json_close(json *j);

void json_u64(json *j, const char *key, uint64_t x);
void json_i64(json *j, const char *key, int64_t x);
void json_f64(json *j, const char *key, double x);
void json_rounded(json *j, const char *key, double x); /* a measured value, rounded to a thousandth */
void json_f32(json *j, const char *key, float x);
void json_f16(json *j, const char *key, float x); /* or bf16 */
void json_bool(json *j, const char *key, bool x);
void json_text(json *j, const char *key, const char *text); /* NULL is null */
/* A text that may hold NULs; one follows it. */
void json_name(json *j, const char *key, const char *name, size_t length);
void json_vertex(json *j, const weft_graph *g, const char *key, weft_vid v); /* as the file's id, a number or a name */
/* parameters.c: `parameters` of a run; words[i] is the word typed for parameter i; with words NULL none was typed, and
 * parameters typed as words are left out.  Then "hops" or "weights", the unit of the algorithm's lengths, or NULL; and
 * for people the source of a search and this unit. */
void cli_parameters_json(json *j, const weft_graph *g, const weft_plan *plan, const weft_algorithm_info *a,
                         const char *const *words);
const char *cli_measure(const weft_algorithm_info *a, const weft_graph *g);
void cli_search_facts(const weft_graph *g, const weft_plan *plan, const weft_algorithm_info *a,
                      const char *const *words);
void json_scalar(json *j, const weft_scalar *scalar);
void json_null(json *j, const char *key);
/* The direction of edges and its origin: directed, direction, direction_from. */
void json_direction(json *j, bool directed, weft_direction_from from);
/* The size and kind of a graph, with the same keys in all commands: vertices, records, edges, ... */
void json_graph(json *j, const weft_graph_info *info);
/* These, and all other facts of weft info (info.c). */
void json_info(json *j, const weft_graph_info *info);

#endif
