/* See table.h. */
#include "io/table/table.h"
#include "attributes/sides.h"
#include "core/comm.h"
#include "io/table/edge_fields.h"
#include "io/text/words.h"

#include <string.h>

weft_status wfi_table_use_names(weft_ctx *ctx, wfi_table *t, size_t threads) {
    wfi_edges *e = &t->edges;
    if (e->name_tables >= threads) return WEFT_OK;
    wfi_names **names = wfi_resize(ctx, e->names, threads, sizeof *names);
    if (!names) return WEFT_ENOMEM;
    for (size_t i = e->name_tables; i < threads; i++) names[i] = NULL;
    e->names = names;
    e->name_tables = threads;
    return WEFT_OK;
}

wfi_names *wfi_table_names(weft_ctx *ctx, wfi_table *t, size_t thread) {
    wfi_names **names = &t->edges.names[thread];
    if (!*names) *names = wfi_names_new(ctx);
    return *names;
}

weft_status wfi_table_begin(weft_ctx *ctx, const wfi_table *t, wfi_table_mark *mark) {
    *mark = (wfi_table_mark){.pieces = t->edges.count, .name_tables = t->edges.name_tables, .extra = t->extra_count};
    if (wfi_alloc(ctx, &mark->names, mark->name_tables)) return WEFT_ENOMEM;
    for (size_t i = 0; i < mark->name_tables; i++) mark->names[i] = t->edges.names[i] ? t->edges.names[i]->count : 0;
    return WEFT_OK;
}

void wfi_table_undo(wfi_table *t, const wfi_table_mark *mark) {
    wfi_edges *e = &t->edges;
    for (size_t i = mark->pieces; i < e->count; i++) {
        WFI_FREE(e->pieces[i].narrow, e->pieces[i].wide, e->pieces[i].weights, e->pieces[i].cells);
        e->pieces[i] = (wfi_piece){0};
    }
    e->count = mark->pieces;
    for (size_t i = 0; i < e->name_tables; i++)
        if (e->names[i]) wfi_names_cut(e->names[i], i < mark->name_tables ? mark->names[i] : 0);
    t->extra_count = mark->extra;
    t->dense = false;
}

void wfi_table_mark_free(wfi_table_mark *mark) { wfi_free(mark->names); }

weft_status wfi_table_extra(weft_ctx *ctx, wfi_table *t, int64_t id) {
    if (WFI_ROOM(ctx, t->extra, t->extra_count, t->extra_room, 256)) return WEFT_ENOMEM;
    t->extra[t->extra_count++] = id;
    return WEFT_OK;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static bool same_columns(const wfi_table_columns *a, const wfi_table_columns *b) {
    return a == b || (a && b && same_text(a->source, b->source) && same_text(a->target, b->target) &&
                      same_text(a->weight, b->weight));
}

/* Edges, vertices of their own and names so far. */
static uint64_t content(const wfi_table *t) {
    uint64_t count = wfi_edges_total(&t->edges) + t->extra_count;
    for (size_t i = 0; i < t->edges.name_tables; i++) count += t->edges.names[i] ? t->edges.names[i]->count : 0;
    return count;
}

weft_status wfi_table_settle(weft_ctx *ctx, const wfi_source *source, wfi_table *t, bool names, bool weighted,
                             wfi_table_columns *columns) {
    uint64_t now = content(t);
    bool both = t->settled && now > t->settled; /* a part that is just a header tells nothing of ids and weights */
    const char *differs =
        both && t->names != names         ? "ids are numbers in one part and names in another (`ids=string`)"
        : both && t->weighted != weighted ? "one part has weights and another has none (`weights=ignore`)"
        : t->parts && !same_columns(t->columns, columns) ? "this part has different columns from the first"
                                                         : NULL;
    if (!t->settled) {
        t->names = names;
        t->weighted = weighted;
    }
    if (!t->parts)
        t->columns = columns;
    else
        wfi_free(columns);
    t->parts = true;
    t->settled = now;
    return differs ? wfi_fail_at(ctx, wfi_source_name(source), 1, 1, "%s", differs) : WEFT_OK;
}

/* Vertices that the file numbers itself; false when it claims more than its edges make plausible. */
static bool number_densely(const wfi_table *t, uint64_t edges, wfi_build *build) {
    if (!wfi_vertices_plausible(t->vertices, edges)) return false;
    build->numbering = WFI_VERTICES;
    build->vertices = t->vertices;
    build->id_base = build->ends_base = t->base;
    return true;
}

/* The names of the sides: those of the columns, if these have names. */
static void name_sides(const wfi_table *t, wfi_side_split *split) {
    const wfi_table_columns *c = t->columns;
    bool named = c && c->source && c->target && *c->source && *c->target && strcmp(c->source, c->target) &&
                 strspn(c->source, "0123456789") < strlen(c->source) &&
                 strspn(c->target, "0123456789") < strlen(c->target) && strlen(c->source) <= WFI_SIDE_NAME_MOST &&
                 strlen(c->target) <= WFI_SIDE_NAME_MOST;
    split->name[0] = named ? c->source : "source";
    split->name[1] = named ? c->target : "target";
}

/* Sources and targets become vertices of two kinds. */
static weft_status split(weft_ctx *ctx, const weft_read_params *params, wfi_table *t, wfi_build *build,
                         wfi_side_split *made) {
    if (build->shared)
        return wfi_fail(ctx, WEFT_EINVAL, "ranks do not read bipartite graphs from text; convert it to .weft first");
    if (params->vertices)
        return wfi_fail(ctx, WEFT_EINVAL, "`vertices` numbers vertices of one kind, and these are of two");
    name_sides(t, made);
    return wfi_split_edges(ctx, &t->edges, build, t->cells != NULL || t->extra_count, made);
}

weft_status wfi_table_build(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *t,
                            weft_graph **out) {
    uint64_t edges = wfi_edges_total(&t->edges), vertices = t->extra_count; /* on all ranks that share the file */
    weft_status st = WEFT_OK;
    wfi_side_split parted = {0};
    *out = NULL;
    bool two = params->sides == WFI_SIDES_TWO || (params->sides == WFI_SIDES_AS_FILE && t->bipartite);
    wfi_build build = {.shared = wfi_source_sliced(source),
                       .numbering = t->names ? WFI_NAMES : WFI_COMPACT,
                       .params = wfi_read_rules(params),
                       .format = t->format,
                       .direction_open = !t->says_direction,
                       .extra_ids = t->extra,
                       .extra_count = t->extra_count};
    build.directed = wfi_resolve_directed(params->direction, t->says_direction ? t->directed : !two);
    if (build.shared) st = wfi_allreduce(ctx, &edges, 1, WFI_SUM);
    if (build.shared && !st) st = wfi_allreduce(ctx, &vertices, 1, WFI_SUM);
    if (!st) st = wfi_edge_fields_settle(ctx, source, t->fields, &t->edges);
    if (st) goto done;
    if (params->vertices && !t->names && !two) {
        build.numbering = WFI_VERTICES;
        build.vertices = params->vertices;
    } else if (!two && t->dense && !number_densely(t, edges, &build)) {
        st = wfi_fail(ctx, WEFT_EINPUT,
                      "%s: the header claims %llu vertices, but %llu edges follow: too sparse to be read as a graph "
                      "(`vertices=N` insists on N vertices)",
                      wfi_source_name(source), (wfi_ull)t->vertices, (wfi_ull)edges);
        goto done;
    }
    if (!edges && !vertices && !build.vertices && wfi_rank(ctx) == 0)
        wfi_warn(ctx, "%s: no edges", wfi_source_name(source));
    if (two) st = split(ctx, params, t, &build, &parted);
    if (!st) st = wfi_graph_build(ctx, &t->edges, &build, out);
    if (st == WEFT_EINPUT) st = wfi_fail_prefixed(ctx, wfi_source_name(source));
    if (!st && two) st = wfi_split_finish(ctx, &parted, *out);
    if (st) goto done;
    (*out)->columns = t->columns;
    t->columns = NULL;
    st = wfi_name_lines(ctx, source, &t->layout, *out);
    if (!st && t->cells) st = wfi_cells_attach(t->cells, out);
done:
    wfi_split_free(&parted);
    if (st) {
        weft_graph_free(*out);
        *out = NULL;
    }
    wfi_table_free(t);
    return st;
}

void wfi_table_free(wfi_table *t) {
    wfi_edges_free(&t->edges);
    WFI_FREE(t->columns, t->extra);
    wfi_cells_free(t->cells);
    wfi_edge_fields_free(t->fields);
    *t = (wfi_table){0};
}
