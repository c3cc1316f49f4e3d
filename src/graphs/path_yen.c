/* The k shortest loopless paths by Yen's algorithm [1]. Every further path deviates from an earlier one at some
 * vertex, the spur: the root path up to the spur is kept and its vertices are shut, the arcs by which earlier paths
 * continue are barred, and the rest is a shortest path. The shortest of all deviations is the next path.
 * [1] Yen, "Finding the K Shortest Loopless Paths in a Network", Management Science 17 (1971). */
#include "graphs/path.h"

#include <string.h>

/* Candidate paths. */
typedef struct waiting {
    wfi_path *paths;
    size_t count, capacity;
    weft_vid *barred; /* scratch: one vertex per path */
} waiting;

static int compare(const wfi_path *a, const wfi_path *b) {
    double x = wfi_path_length(a), y = wfi_path_length(b);
    if (x != y) return x < y ? -1 : 1;
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (a->vertices[i] != b->vertices[i]) return a->vertices[i] < b->vertices[i] ? -1 : 1;
    return (a->count > b->count) - (a->count < b->count);
}

/* Takes over the path, or frees it if it is already a candidate. */
static weft_status keep(weft_ctx *ctx, waiting *w, wfi_path *path) {
    for (size_t i = 0; i < w->count; i++)
        if (compare(&w->paths[i], path) == 0) {
            wfi_path_free(path);
            return WEFT_OK;
        }
    if (wfi_reserve_one(ctx, &w->paths, w->count, &w->capacity)) {
        wfi_path_free(path);
        return WEFT_ENOMEM;
    }
    w->paths[w->count++] = *path;
    return WEFT_OK;
}

/* The first `kept` vertices of `way`, then `rest` without its first vertex, which is the last kept one. */
static weft_status splice(const wfi_path_search *s, const wfi_path *way, size_t kept, const wfi_path *rest,
                          wfi_path *out) {
    weft_status st = wfi_path_alloc(s->ctx, kept - 1 + rest->count, out);
    if (st) return st;
    memcpy(out->vertices, way->vertices, kept * sizeof *out->vertices);
    memcpy(out->vertices + kept, rest->vertices + 1, (rest->count - 1) * sizeof *out->vertices);
    wfi_path_measure(s, out);
    return WEFT_OK;
}

/* Adds the shortest path that deviates from the last of `paths` at position `at` and from all earlier paths with the
 * same root. */
static weft_status deviate(wfi_path_search *s, const wfi_path *paths, size_t found, size_t at, waiting *w) {
    const wfi_path *way = &paths[found - 1];
    weft_vid *barred = w->barred;
    wfi_path rest, whole;
    size_t count = 0;
    for (size_t i = 0; i < found; i++)
        if (paths[i].count > at + 1 && memcmp(paths[i].vertices, way->vertices, (at + 1) * sizeof *way->vertices) == 0)
            barred[count++] = paths[i].vertices[at + 1];
    for (size_t i = 0; i < at; i++) wfi_path_shut_once(s, way->vertices[i]);
    weft_status st = wfi_path_find(s, way->vertices[at], way->vertices[way->count - 1], barred, count, &rest);
    if (st || !rest.count) return st;
    st = splice(s, way, at + 1, &rest, &whole);
    wfi_path_free(&rest);
    return st ? st : keep(s->ctx, w, &whole);
}

static void take_shortest(waiting *w, wfi_path *path) {
    size_t best = 0;
    for (size_t i = 1; i < w->count; i++)
        if (compare(&w->paths[i], &w->paths[best]) < 0) best = i;
    *path = w->paths[best];
    w->paths[best] = w->paths[--w->count];
}

weft_status wfi_path_several(wfi_path_search *s, weft_vid from, weft_vid to, size_t most, wfi_path *paths,
                             size_t *found) {
    waiting w = {0};
    *found = 0;
    weft_status st = wfi_alloc(s->ctx, &w.barred, most);
    if (!st) st = wfi_path_find(s, from, to, NULL, 0, &paths[0]);
    if (!st) *found = paths[0].count > 0;
    while (!st && *found && *found < most) {
        for (size_t at = 0; at + 1 < paths[*found - 1].count && !st; at++) st = deviate(s, paths, *found, at, &w);
        if (st || !w.count) break;
        take_shortest(&w, &paths[(*found)++]);
        wfi_progress(s->ctx, "paths", *found, most);
    }
    for (size_t i = 0; i < w.count; i++) wfi_path_free(&w.paths[i]);
    WFI_FREE(w.paths, w.barred);
    return st;
}
