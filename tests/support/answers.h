/* What every algorithm answers about one graph, with each of its option sets: to be compared with the answers given elsewhere
 * (test_fork: in a forked child; test_guest_gpu: by two contexts side by side). */
#ifndef WEFT_TESTS_ANSWERS_H
#define WEFT_TESTS_ANSWERS_H

#include "variants.h"

enum { MOST_ANSWERS = 256 };

typedef struct answers {
    size_t count, given; /* option sets, and those of them that the graph and the device take */
    weft_result *at[MOST_ANSWERS];
} answers;

/* The device's own way for each; a failure is told, and its answer is NULL. */
static inline void answer_all(weft_ctx *ctx, const weft_graph *g, answers *all) {
    all->count = all->given = 0;
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        const weft_algorithm_info *info = weft_algorithm_at(a);
        variants list = variants_of(info, g, true);
        for (size_t i = 0; i < list.count && all->count < MOST_ANSWERS; i++) {
            weft_result **r = &all->at[all->count++];
            *r = NULL;
            if (list.at[i].run || !variant_fits(&list.at[i], g)) continue;
            weft_status st = run_variant(ctx, info, &list.at[i], g, r);
            all->given += st == WEFT_OK;
            if (st && st != WEFT_EDEVICE && !refused_as_undirected(info, g, st))
                fprintf(stderr, "%s, %s: %s\n", info->name, list.at[i].name, weft_ctx_message(ctx));
        }
        variants_free(&list);
    }
}

static inline void answers_free(answers *all) {
    for (size_t i = 0; i < all->count; i++) weft_result_free(all->at[i]);
    all->count = all->given = 0;
}

/* So many differ; the first is told. */
static inline int answers_differ(const answers *a, const answers *b) {
    int differ = a->count != b->count || a->given != b->given;
    if (differ) fprintf(stderr, "%zu of %zu answers, and %zu of %zu\n", a->given, a->count, b->given, b->count);
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        const char *where = !a->at[i] != !b->at[i] ? "whether there is one"
                            : a->at[i]             ? difference(a->at[i], b->at[i])
                                                   : NULL;
        if (where && !differ++) fprintf(stderr, "answer %zu: %s differs\n", i, where);
    }
    return differ;
}

#endif
