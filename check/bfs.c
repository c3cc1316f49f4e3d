/* bfs: Graph500's checks, extended to directed graphs and to the rule for parents. Without parents, 2, 3 and 6 are
 * replaced by: an arc leads to each reached vertex from one a level closer.
 *   1 the source (of several together: each), and nothing else, has level 0, and is its own parent;
 *   2 a vertex has a level exactly if it has a parent, and its level is the parent's plus one;
 *   3 the arc from the parent to the vertex is in the graph;
 *   4 no arc from a reached vertex skips a level;
 *   5 no arc leads from a reached to an unreached vertex, unless it ends beyond max_depth, or beyond the level of
 *     the last target if all targets are reached;
 *   6 no smaller vertex could be the parent; and the scalars match the columns;
 *   7 the table has a row for each source, the last row matches the columns, and the rows (a sample of many) match
 *     a simple search.
 * 1 to 3 prove a path of that length to every reached vertex, 4 and 5 that there is no shorter one. */
#include "weft/bfs.h"
#include "checks.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SEARCHES = 16 }; /* in check 7 */

typedef struct answer {
    const weft_graph *g;
    const uint32_t *level;
    const weft_vid *parent; /* NULL if not requested */
    unsigned char *closer;  /* without parents: an arc comes from a vertex one level closer */
    uint64_t max_depth;     /* UINT64_MAX: no limit */
    const weft_bfs_params *params;
    check_watch *watch;
} answer;

static int wrong(const answer *a, weft_vid v, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int wrong(const answer *a, weft_vid v, const char *format, ...) {
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return check_wrong(a->watch, "vertex %s: %s", check_id(a->g, v).text, what);
}

/* The depth at which the search may have ended: max_depth, or the level of the last target. */
static uint64_t deepest_allowed(const weft_bfs_params *p, const uint32_t *level) {
    uint64_t limit = p->max_depth ? p->max_depth : UINT64_MAX, last = 0;
    for (size_t i = 0; i < p->target_count; i++) {
        if (level[p->targets[i]] == WEFT_UNREACHED) return limit;
        if (level[p->targets[i]] > last) last = level[p->targets[i]];
    }
    return p->target_count && last < limit ? last : limit;
}

/* Check 1 for several sources together. */
static int sources_right(const answer *a, const weft_bfs_params *params) {
    weft_vid n = weft_graph_vertices(a->g), found = 0;
    unsigned char *given = check_take(a->watch, n, 1);
    if (!given) return 0;
    for (size_t i = 0; i < params->source_count; i++) given[params->sources[i]] = 1;
    for (weft_vid v = 0; v < n; v++) {
        if (given[v] && (a->level[v] || (a->parent && a->parent[v] != v)))
            return wrong(a, v, "is a source, but not of level 0 and its own parent");
        if (!given[v] && !a->level[v]) return wrong(a, v, "has level 0, but is not a source");
        found += given[v];
    }
    return found > 0;
}

/* Check 1. */
static int source_right(const answer *a, const weft_bfs_params *params) {
    weft_vid n = weft_graph_vertices(a->g), source = WEFT_NO_VERTEX;
    if (params->sources && !params->each && n) return sources_right(a, params);
    for (weft_vid v = 0; v < n; v++) {
        if (a->level[v]) continue;
        if (source != WEFT_NO_VERTEX) return wrong(a, v, "a second source");
        if (a->parent && a->parent[v] != v) return wrong(a, v, "the source is not its own parent");
        source = v;
    }
    if (!n) return 1;
    if (source == WEFT_NO_VERTEX) return wrong(a, 0, "no vertex has level 0");
    if (params->sources) return 1;
    weft_csr out = check_out(a->watch, a->g);
    weft_vid want = params->source != WEFT_NO_VERTEX ? params->source : check_max_out_degree_vertex(&out);
    return source == want ? 1 : wrong(a, source, "has level 0, but another source was requested");
}

/* Replaces checks 2, 3 and 6; needs `closer` from arcs_right. */
static int levels_right(const answer *a) {
    for (weft_vid v = 0; v < weft_graph_vertices(a->g); v++) {
        if (a->level[v] == WEFT_UNREACHED || !a->level[v]) continue;
        if (!a->closer[v]) return wrong(a, v, "no arc leads to it from one level closer");
        if (a->max_depth && a->level[v] > a->max_depth) return wrong(a, v, "lies beyond max_depth");
    }
    return 1;
}

/* Checks 2 and 3. */
static int tree_right(const answer *a) {
    weft_vid n = weft_graph_vertices(a->g);
    if (!a->parent) return 1;
    for (weft_vid v = 0; v < n; v++) {
        weft_vid u = a->parent[v];
        if (check_stops(a->watch, v)) return 0;
        if ((a->level[v] == WEFT_UNREACHED) != (u == WEFT_NO_VERTEX))
            return wrong(a, v, "has a level or a parent, but not both");
        if (u == WEFT_NO_VERTEX || !a->level[v]) continue;
        if (u >= n || a->level[u] == WEFT_UNREACHED) return wrong(a, v, "its parent is not a reached vertex");
        if (a->level[v] != a->level[u] + 1)
            return wrong(a, v, "its level is %u, its parent's %u", a->level[v], a->level[u]);
        if (!weft_graph_has_arc(a->g, u, v, NULL)) return wrong(a, v, "no arc leads from its parent to it");
        if (a->level[v] > a->max_depth) return wrong(a, v, "lies beyond max_depth or the targets");
    }
    return 1;
}

/* Checks 4 to 6. */
static int arcs_right(const answer *a) {
    weft_csr out = check_out(a->watch, a->g);
    for (weft_vid u = 0; u < out.vertices; u++) {
        if (check_stops(a->watch, u)) return 0;
        if (a->level[u] == WEFT_UNREACHED || a->level[u] >= a->max_depth) continue;
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            weft_vid v = out.targets[e];
            if (a->level[v] == WEFT_UNREACHED) return wrong(a, v, "not reached, but an arc leads to it");
            if (a->level[v] > a->level[u] + 1)
                return wrong(a, v, "its level is %u, but an arc leads to it from level %u", a->level[v], a->level[u]);
            if (a->level[v] != a->level[u] + 1) continue;
            if (!a->parent)
                a->closer[v] = 1;
            else if (u < a->parent[v])
                return wrong(a, v, "a smaller vertex could be its parent");
        }
    }
    return a->parent ? 1 : levels_right(a);
}

static int scalars_right(const answer *a, const weft_result *result) {
    const weft_scalar *reached = weft_result_scalar(result, "reached"), *depth = weft_result_scalar(result, "depth");
    uint64_t count = 0, deepest = 0;
    for (weft_vid v = 0; v < weft_graph_vertices(a->g); v++) {
        if (a->level[v] == WEFT_UNREACHED) continue;
        count++;
        if (a->level[v] > deepest) deepest = a->level[v];
    }
    if (reached && depth && reached->value.u64 == count && depth->value.u64 == deepest)
        return check_right(a->watch, "%" PRIu64 " levels%s checked against every arc, depth %" PRIu64, count,
                           a->parent ? " and parents" : "", deepest);
    return check_wrong(a->watch, "reached or depth is wrong: the columns have %" PRIu64 " and %" PRIu64, count,
                       deepest);
}

/* --- the table of sources -------------------------------------------------------------------------- */

typedef struct table {
    size_t rows;
    const weft_vid *source;
    const uint64_t *reached, *depth, *distances;
} table;

typedef struct totals {
    uint64_t reached, depth, distances;
} totals;

static totals add_levels(const uint32_t *level, weft_vid n) {
    totals t = {0, 0, 0};
    for (weft_vid v = 0; v < n; v++) {
        if (level[v] == WEFT_UNREACHED) continue;
        t.reached++;
        t.distances += level[v];
        if (level[v] > t.depth) t.depth = level[v];
    }
    return t;
}

/* level, queue: n elements of scratch. */
static totals plain_search(const answer *a, weft_vid source, uint32_t *level, weft_vid *queue) {
    weft_csr out = check_out(a->watch, a->g);
    size_t head = 0, tail = 0;
    uint64_t limit = a->params->max_depth ? a->params->max_depth : UINT64_MAX;
    for (weft_vid v = 0; v < out.vertices; v++) level[v] = WEFT_UNREACHED;
    level[source] = 0;
    queue[tail++] = source;
    while (head < tail && !check_stops(a->watch, head)) {
        weft_vid u = queue[head++];
        if (level[u] == limit) continue;
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            weft_vid v = out.targets[e];
            if (level[v] != WEFT_UNREACHED) continue;
            level[v] = level[u] + 1;
            queue[tail++] = v;
        }
    }
    limit = deepest_allowed(a->params, level);
    for (weft_vid v = 0; v < out.vertices; v++)
        if (level[v] > limit) level[v] = WEFT_UNREACHED;
    return add_levels(level, out.vertices);
}

static int row_right(const answer *a, const table *t, size_t row, totals want) {
    if (t->reached[row] == want.reached && t->depth[row] == want.depth && t->distances[row] == want.distances) return 1;
    return wrong(a, t->source[row],
                 "as source %zu it reaches %" PRIu64 " vertices to depth %" PRIu64 ", sum of levels %" PRIu64
                 "; the table has %" PRIu64 ", %" PRIu64 ", %" PRIu64,
                 row + 1, want.reached, want.depth, want.distances, t->reached[row], t->depth[row], t->distances[row]);
}

static int table_there(const answer *a, const weft_bfs_params *params, const weft_result *result, table *t) {
    static const char *const names[] = {"source", "source_reached", "source_depth", "source_distances"};
    size_t sources = params->each ? params->source_count : 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const weft_column *c = weft_result_column(result, names[i]);
        if (!i && c) t->rows = c->length;
        if (c && c->length == t->rows && c->type == (i ? WEFT_U64 : WEFT_VERTEX)) continue;
        return check_wrong(a->watch, "%s is missing or has another length", names[i]);
    }
    *t = (table){t->rows, weft_result_u32(result, names[0]), weft_result_u64(result, names[1]),
                 weft_result_u64(result, names[2]), weft_result_u64(result, names[3])};
    size_t want = weft_graph_vertices(a->g) ? sources : 0;
    if (t->rows != want)
        return check_wrong(a->watch, "the table has %zu rows, but %zu sources were given", t->rows, want);
    for (size_t i = 0; i < t->rows; i++)
        if (t->source[i] != params->sources[i] || t->source[i] >= weft_graph_vertices(a->g))
            return check_wrong(a->watch, "source %zu is not a vertex, or a different one", i + 1);
    return 1;
}

/* Check 7; needs columns that passed the other checks. */
static int rows_right(const answer *a, const table *t) {
    weft_vid n = weft_graph_vertices(a->g);
    char *message = a->watch->report->message;
    if (!t->rows) return 1;
    if (a->level[t->source[t->rows - 1]])
        return wrong(a, t->source[t->rows - 1], "is the last source, but the columns have another");
    uint32_t *level = check_take(a->watch, n, sizeof *level);
    weft_vid *queue = check_take(a->watch, n, sizeof *queue);
    size_t searches = t->rows < MOST_SEARCHES ? t->rows : MOST_SEARCHES, used = strlen(message);
    if (a->watch->status || !row_right(a, t, t->rows - 1, add_levels(a->level, n))) return 0;
    for (size_t i = 0; i < searches; i++) {
        size_t row = i * t->rows / searches;
        if (!row_right(a, t, row, plain_search(a, t->source[row], level, queue))) return 0;
    }
    snprintf(message + used, sizeof a->watch->report->message - used, "; %zu of %zu sources searched again", searches,
             t->rows);
    return 1;
}

int weft_check_bfs(check_watch *w, const weft_graph *g, const void *given, const weft_result *result) {
    const weft_bfs_params *params = given;
    answer a = {g, weft_result_u32(result, "level"), weft_result_u32(result, "parent"), NULL, UINT64_MAX, params, w};
    const weft_column *level = weft_result_column(result, "level");
    if (!a.level || (a.parent != NULL) != (params->parents != 0) || level->length != weft_graph_vertices(g))
        return check_wrong(w, "a column is missing or has another length");
    if (!a.parent && !(a.closer = check_take(w, level->length, 1))) return 0;
    a.max_depth = deepest_allowed(params, a.level);
    table t = {0};
    return table_there(&a, params, result, &t) && source_right(&a, params) && tree_right(&a) && arcs_right(&a) &&
           scalars_right(&a, result) && rows_right(&a, &t);
}
