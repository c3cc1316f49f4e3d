/* A parameter that changes nothing is a promise that is not kept: any two values of a yes-or-no or choice parameter, of
 * any algorithm there is, give other bytes on one of a few small graphs, with one of the algorithm's option sets
 * (tests/support/variants.h).  Pairs of values that are documented to give the same answer are listed here with the
 * reason, and must never differ.
 *
 * A run that a value refuses counts for neither: a parameter that is refused here and ignored there fails. */
#include "graph_matrix.h"
#include "variants.h"

static const struct same_answer {
    const char *algorithm, *parameter, *one, *other, *reason;
} same_answers[] = {
    {"betweenness", "exact", "no", "yes", "begins what takes more than 10 minutes"},
    {"closeness", "direction", "auto", "in", "auto is in"},
    {"cycle", "general", "no", "yes", "leaves out short cuts to the same cycle"},
    {"distances", "direction", "auto", "out", "auto is out of a directed graph; an undirected one has one direction"},
    {"harmonic", "direction", "auto", "in", "auto is in"},
    {"sssp", "delta", "0", "0.75", "the width of a bucket: what is done together"},
    {"sssp", "weights", "no", "yes", "insists on weights, which count where there are any"},
};

static const matrix_graph graphs[] = {
    {"cycles, loops and repeats", "random", .n = 60, .m = 240, .direction = WEFT_DIRECTED, .weights = WHOLE,
     .duplicates = WEFT_DUPLICATES_KEEP},
    {"cycles, loops and repeats, undirected", "random", .n = 60, .m = 200, .direction = WEFT_UNDIRECTED,
     .weights = REAL, .duplicates = WEFT_DUPLICATES_KEEP},
    {"dag", "dag", .n = 60, .depth = 6, .degree = 3, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"disconnected", "uniform", .n = 60, .degree = 1.2, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"disconnected, undirected", "uniform", .n = 60, .degree = 0.8, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
};

enum { MOST_VALUES = 8, VALUE_ROOM = 32 };

/* The values of a parameter as text; 0 if it is a number, a vertex or an array. */
static int values_of(const weft_param_info *p, char value[MOST_VALUES][VALUE_ROOM]) {
    const char *all = p->type == WEFT_PARAM_BOOL ? "no|yes" : p->type == WEFT_PARAM_CHOICE ? p->choices : "";
    int count = 0;
    for (size_t length; *all; all += length + (all[length] == '|')) {
        length = strcspn(all, "|");
        if (count == MOST_VALUES || length >= VALUE_ROOM) {
            HARNESS_FAIL("%s: more values, or longer ones, than there is room for: %s", p->name, all);
            break;
        }
        snprintf(value[count++], VALUE_ROOM, "%.*s", (int)length, all);
    }
    return count;
}

static void set(const weft_param_info *p, char *params, const char *text) {
    char value[MOST_VALUES][VALUE_ROOM];
    double number = strtod(text, NULL);
    if (p->type == WEFT_PARAM_F64) memcpy(params + p->offset, &number, sizeof number);
    for (int i = values_of(p, value) - 1; i >= 0; i--)
        if (!strcmp(value[i], text)) memcpy(params + p->offset, &i, sizeof i);
}

/* The digest of a run with this value, and otherwise as the variant has it; false if it is refused, or the graph's
 * weights are. */
static bool run_with(weft_ctx *ctx, const weft_algorithm_info *a, const weft_param_info *p, const char *value,
                     variant v, const weft_graph *g, uint64_t *digest) {
    weft_result *r = NULL;
    set(p, v.params, value);
    weft_status st = run_variant(ctx, a, &v, g, &r);
    if (st && st != WEFT_EINVAL && st != WEFT_EINPUT)
        HARNESS_FAIL("%s, --%s %s: %s", a->name, p->name, value, weft_ctx_message(ctx));
    bool ran = !st && weft_result_digest(ctx, r, digest) == WEFT_OK;
    weft_result_free(r);
    return ran;
}

/* Runs with either value: how many there are, and how many of them differ. */
static int compare(const weft_algorithm_info *a, const weft_param_info *p, const char *one, const char *other,
                   int *differ) {
    int runs = 0;
    *differ = 0;
    for (size_t i = 0; i < LENGTH(graphs); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = make_matrix_graph(ctx, &graphs[i]);
        variants list = variants_of(a, g, false);
        for (size_t k = 0; k < list.count; k++) {
            uint64_t first, second;
            if (list.at[k].run || !variant_fits(&list.at[k], g)) continue;
            if (!run_with(ctx, a, p, one, list.at[k], g, &first)) continue;
            if (!run_with(ctx, a, p, other, list.at[k], g, &second)) continue;
            runs++;
            *differ += first != second;
        }
        variants_free(&list);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    return runs;
}

static const struct same_answer *listed(const weft_algorithm_info *a, const weft_param_info *p, const char *one,
                                        const char *other) {
    for (size_t i = 0; i < LENGTH(same_answers); i++) {
        const struct same_answer *s = &same_answers[i];
        if (!strcmp(s->algorithm, a->name) && !strcmp(s->parameter, p->name) && !strcmp(s->one, one) &&
            !strcmp(s->other, other))
            return s;
    }
    return NULL;
}

TEST(every_value_of_every_parameter_changes_the_answer_somewhere) {
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        for (size_t k = 0; k < a->param_count; k++) {
            char value[MOST_VALUES][VALUE_ROOM];
            const weft_param_info *p = weft_algorithm_param_at(a, k);
            int differ, count = values_of(p, value);
            for (int x = 0; x < count; x++)
                for (int y = x + 1; y < count; y++) {
                    if (listed(a, p, value[x], value[y])) continue;
                    int runs = compare(a, p, value[x], value[y], &differ);
                    if (!differ)
                        HARNESS_FAIL(
                            "%s: --%s %s and %s gave the same bytes in all of %d runs: it has no effect, or these "
                            "graphs do not show it, or it belongs in same_answers with a reason",
                            a->name, p->name, value[x], value[y], runs);
                }
        }
    }
}

TEST(values_said_to_give_the_same_answer_do) {
    for (size_t i = 0; i < LENGTH(same_answers); i++) {
        const struct same_answer *s = &same_answers[i];
        const weft_algorithm_info *a = weft_algorithm_find(s->algorithm);
        for (size_t k = 0; a && k < a->param_count; k++) {
            const weft_param_info *p = weft_algorithm_param_at(a, k);
            int differ;
            if (strcmp(p->name, s->parameter)) continue;
            int runs = compare(a, p, s->one, s->other, &differ);
            if (!runs || differ)
                HARNESS_FAIL("%s: --%s %s and %s differ in %d of %d runs, but should not: it %s", a->name, p->name,
                             s->one, s->other, differ, runs, s->reason);
        }
    }
}

TEST_MAIN()
