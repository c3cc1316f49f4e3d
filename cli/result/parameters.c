/* The parameters of a run, complete, as JSON; and for people the chosen source of a search, and whether lengths are
 * hops or weights. */
#include "cli.h"
#include "result/json.h"

#include <stdlib.h>
#include <string.h>

/* The word of `choices` with an index. */
static void choice_json(json *j, const char *key, const char *choices, int index) {
    char word[64];
    for (; index > 0 && *choices; index--) choices += strcspn(choices, "|") + 1;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(choices, "|"), choices);
    json_text(j, key, word);
}

static void one_json(json *j, const weft_graph *g, const char *key, const weft_param_info *p, const char *at,
                     const char *word) {
    union {
        uint64_t u64;
        double f64;
        int i;
        const char *text;
        weft_vid vertex;
    } value;
    memset(&value, 0, sizeof value);
    switch (p->type) {
    case WEFT_PARAM_U64: memcpy(&value.u64, at, sizeof value.u64), json_u64(j, key, value.u64); return;
    case WEFT_PARAM_F64: memcpy(&value.f64, at, sizeof value.f64), json_f64(j, key, value.f64); return;
    case WEFT_PARAM_BOOL: memcpy(&value.i, at, sizeof value.i), json_bool(j, key, value.i != 0); return;
    case WEFT_PARAM_CHOICE: memcpy(&value.i, at, sizeof value.i), choice_json(j, key, p->choices, value.i); return;
    case WEFT_PARAM_TEXT: memcpy(&value.text, at, sizeof value.text), json_text(j, key, value.text); return;
    case WEFT_PARAM_VERTEX:
        memcpy(&value.vertex, at, sizeof value.vertex);
        if (value.vertex == WEFT_NO_VERTEX)
            json_null(j, key);
        else
            json_vertex(j, g, key, value.vertex);
        return;
    case WEFT_PARAM_VERTICES:
    case WEFT_PARAM_WEIGHTS:
    case WEFT_PARAM_MATRIX:
    case WEFT_PARAM_LABELS:
    case WEFT_PARAM_PAIRS: break; /* as it was typed */
    }
    json_text(j, key, word);
}

void cli_parameters_json(json *j, const weft_graph *g, const weft_plan *plan, const weft_algorithm_info *a,
                         const char *const *words) {
    const char *params = weft_plan_params(plan);
    if (!params) return;
    json_open_object(j, "parameters", true);
    for (size_t i = 0; i < a->param_count; i++) {
        const weft_param_info *p = weft_algorithm_param_at(a, i);
        bool typed = p->type == WEFT_PARAM_VERTICES || p->type == WEFT_PARAM_WEIGHTS || p->type == WEFT_PARAM_MATRIX ||
                     p->type == WEFT_PARAM_LABELS || p->type == WEFT_PARAM_PAIRS;
        if (typed && !words) continue;
        one_json(j, g, p->name, p, params + p->offset, words ? words[i] : NULL);
    }
    json_close(j);
}

const char *cli_measure(const weft_algorithm_info *a, const weft_graph *g) {
    if (strcmp(a->name, "sssp") != 0) return NULL;
    return weft_graph_weight_type(g) == WEFT_WEIGHT_NONE ? "hops" : "weights";
}

void cli_search_facts(const weft_graph *g, const weft_plan *plan, const weft_algorithm_info *a,
                      const char *const *words) {
    const char *params = weft_plan_params(plan), *measure = cli_measure(a, g);
    bool listed = false;
    for (size_t i = 0; params && i < a->param_count; i++)
        listed |= words[i] && strcmp(weft_algorithm_param_at(a, i)->name, "sources") == 0;
    for (size_t i = 0; params && !listed && i < a->param_count; i++) {
        const weft_param_info *p = weft_algorithm_param_at(a, i);
        weft_vid v;
        if (p->type != WEFT_PARAM_VERTEX || strcmp(p->name, "source") != 0 || words[i]) continue;
        memcpy(&v, params + p->offset, sizeof v);
        char *id = v == WEFT_NO_VERTEX ? NULL : cli_id_text(g, v, true);
        if (id) cli_fact("source", "%s: none was given; it has the most outgoing edges", id);
        free(id);
    }
    if (measure) cli_fact("measure", "%s", measure);
}
