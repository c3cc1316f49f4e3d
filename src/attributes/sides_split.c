/* A bipartite graph from a list of edges with sources on the first side and targets on the second.
 * Method: ids are numbered as one set, and each vertex is marked as a source, a target or both. If no vertex is both,
 * numbers stay and marks are the sides. Otherwise the sides share ids: each vertex gets the name SIDE:ID for each of
 * its sides, and the names are numbered instead. So ids depend on the edges alone. */
#include "attributes/sides.h"
#include "graph/build.h"

#include <stdio.h>
#include <string.h>

enum { IS_SOURCE = 1, IS_TARGET = 2, POLL = 1 << 16 };

static void mark_role(uint8_t *role, uint8_t as) {
    if (!(__atomic_load_n(role, __ATOMIC_RELAXED) & as)) __atomic_fetch_or(role, as, __ATOMIC_RELAXED);
}

static weft_status mark_roles(weft_ctx *ctx, const wfi_edges *edges, uint8_t *role) {
    _Atomic bool stop = false;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, edges->count, 1))
    for (size_t i = 0; i < edges->count; i++) {
        const wfi_piece *p = &edges->pieces[i];
        if (wfi_cancelled(ctx)) atomic_store(&stop, true);
        for (uint64_t k = 0; k < p->count && !atomic_load_explicit(&stop, memory_order_relaxed); k++) {
            mark_role(&role[p->narrow[2 * k]], IS_SOURCE);
            mark_role(&role[p->narrow[2 * k + 1]], IS_TARGET);
        }
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* Text of an id; numbers are formatted into `buffer`. */
static const char *id_text(const wfi_ids *ids, weft_vid v, char buffer[32], size_t *length) {
    if (ids->kind == WEFT_IDS_STRING) {
        *length = (size_t)(ids->start[v + 1] - ids->start[v]);
        return ids->text + ids->start[v];
    }
    int64_t id = ids->kind == WEFT_IDS_SPARSE ? ids->number[v] : ids->base + (int64_t)v;
    *length = (size_t)snprintf(buffer, 32, "%lld", (long long)id);
    return buffer;
}

static weft_status fail_no_side(weft_ctx *ctx, const wfi_ids *ids, weft_vid v) {
    char buffer[32];
    size_t length;
    const char *text = id_text(ids, v, buffer, &length);
    return wfi_fail(ctx, WEFT_EINPUT, "vertex '%.*s' has no edge and therefore no side",
                    (int)(length < 40 ? length : 40), text);
}

/* True if SIDE:ID names of both sides could coincide. */
static bool begins(const char *name, const char *other) {
    size_t length = strlen(other);
    return !strncmp(name, other, length) && name[length] == ':';
}

static weft_status name_vertex(weft_ctx *ctx, wfi_names *names, const char *side, const wfi_ids *ids, weft_vid v,
                               char **buffer, size_t *size, uint32_t *number) {
    char digits[32];
    size_t length, front = strlen(side);
    const char *text = id_text(ids, v, digits, &length);
    if (front + length + 1 > *size) {
        char *grown = wfi_resize(ctx, *buffer, 2 * (front + length + 1), 1);
        if (!grown) return WEFT_ENOMEM;
        *buffer = grown;
        *size = 2 * (front + length + 1);
    }
    memcpy(*buffer, side, front);
    (*buffer)[front] = ':';
    memcpy(*buffer + front + 1, text, length);
    return wfi_names_number(ctx, names, *buffer, front + 1 + length, number);
}

/* Sets number[side * n + v], the name of vertex v on that side. */
static weft_status name_all(weft_ctx *ctx, const wfi_side_split *split, weft_vid n, wfi_names *names,
                            uint32_t *number) {
    char *buffer = NULL;
    size_t size = 0;
    weft_status st = WEFT_OK;
    for (size_t side = 0; side < 2; side++)
        for (weft_vid v = 0; v < n && !st; v++) {
            if (v % POLL == 0 && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
            if (!st && split->role[v] & (IS_SOURCE << side))
                st = name_vertex(ctx, names, split->name[side], &split->ids, v, &buffer, &size, &number[side * n + v]);
        }
    wfi_free(buffer);
    return st;
}

static void forget_names(wfi_edges *edges) {
    for (size_t t = 0; t < edges->name_tables; t++) wfi_names_free(edges->names[t]);
    wfi_free(edges->names);
    edges->names = NULL;
    edges->name_tables = 0;
}

/* Replaces the edges' ends by numbers of names. */
static weft_status rename_ends(weft_ctx *ctx, wfi_edges *edges, weft_vid n, const wfi_side_split *split) {
    uint32_t *number = NULL;
    wfi_names *names = wfi_names_new(ctx), **tables = NULL;
    weft_status st = names ? wfi_alloc(ctx, &number, 2 * (size_t)n) : WEFT_ENOMEM;
    if (!st) st = wfi_alloc(ctx, &tables, 1);
    if (!st) st = name_all(ctx, split, n, names, number);
    for (size_t i = 0; i < edges->count && !st; i++) {
        wfi_piece *p = &edges->pieces[i];
        if (wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
        for (uint64_t k = 0; k < p->count && !st; k++) {
            p->narrow[2 * k] = number[p->narrow[2 * k]];
            p->narrow[2 * k + 1] = number[(size_t)n + p->narrow[2 * k + 1]];
        }
        p->names = 0;
    }
    wfi_free(number);
    if (st) {
        wfi_names_free(names);
        wfi_free(tables);
        return st;
    }
    forget_names(edges);
    edges->names = tables;
    edges->names[0] = names;
    edges->name_tables = 1;
    return WEFT_OK;
}

/* For sides that share ids: names all ends. */
static weft_status separate_ids(weft_ctx *ctx, wfi_edges *edges, wfi_build *build, bool nodes, weft_vid n,
                                wfi_side_split *split) {
    if (nodes)
        return wfi_fail(ctx, WEFT_EINPUT,
                        "both sides have vertices of the same id, so that a table of vertices (`nodes`) does not "
                        "determine the side");
    if (begins(split->name[0], split->name[1]) || begins(split->name[1], split->name[0]))
        return wfi_fail(ctx, WEFT_EINPUT,
                        "the names of the sides, '%.40s' and '%.40s', are ambiguous as prefixes of ids", split->name[0],
                        split->name[1]);
    weft_status st = rename_ends(ctx, edges, n, split);
    wfi_free(split->role);
    split->role = NULL;
    wfi_ids_free(&split->ids);
    build->numbering = WFI_NAMES;
    return st;
}

weft_status wfi_split_edges(weft_ctx *ctx, wfi_edges *edges, wfi_build *build, bool nodes, wfi_side_split *split) {
    weft_vid n = 0, without_side = WEFT_NO_VERTEX;
    bool both = false;
    weft_status st = wfi_number_vertices(ctx, edges, build, &n, &split->ids);
    if (!st) st = wfi_alloc_zeroed(ctx, &split->role, n);
    if (!st) st = mark_roles(ctx, edges, split->role);
    if (st) return st;
    for (weft_vid v = 0; v < n; v++) {
        both |= split->role[v] == (IS_SOURCE | IS_TARGET);
        if (!split->role[v] && without_side == WEFT_NO_VERTEX) without_side = v;
    }
    if (without_side != WEFT_NO_VERTEX) return fail_no_side(ctx, &split->ids, without_side);
    build->extra_ids = NULL; /* every vertex has an edge */
    build->extra_count = 0;
    if (both) return separate_ids(ctx, edges, build, nodes, n, split);
    forget_names(edges);
    build->numbering = WFI_VERTICES;
    build->vertices = n;
    build->ends_base = 0;
    build->id_base = split->ids.base;
    build->ids = split->ids.kind == WEFT_IDS_DENSE ? NULL : &split->ids;
    return WEFT_OK;
}

weft_status wfi_split_finish(weft_ctx *ctx, const wfi_side_split *split, weft_graph *g) {
    size_t front = strlen(split->name[1]);
    weft_status st = wfi_sides_new(ctx, g->n, split->name[0], split->name[1], &g->sides);
    for (weft_vid v = 0; v < g->n && !st; v++) {
        bool second = split->role ? split->role[v] & IS_TARGET
                                  : g->ids.start[v + 1] - g->ids.start[v] > front &&
                                        !memcmp(g->ids.text + g->ids.start[v], split->name[1], front) &&
                                        g->ids.text[g->ids.start[v] + front] == ':';
        if (second) wfi_set_second_side(g->sides, v);
    }
    return st;
}

void wfi_split_free(wfi_side_split *split) {
    wfi_free(split->role);
    wfi_ids_free(&split->ids);
    *split = (wfi_side_split){0};
}
