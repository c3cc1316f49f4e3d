/* See edge_columns.h. Method: rows are built with parallel edges kept and record numbers as weights. An unweighted
 * graph uses these rows if there are no parallel arcs, else its rows are built separately. The build sorts stably, so
 * that the records of an arc are adjacent in file order, in both rows of an undirected edge; values are merged arc by
 * arc in that order. */
#include "attributes/edge_columns.h"
#include "core/search.h"

#include <math.h>
#include <string.h>

enum { POLL = 1 << 16 };

/* --- list of columns -------------------------------------------------------------------------------- */

weft_status wfi_edge_columns_new(weft_ctx *ctx, size_t count, wfi_edge_columns **out) {
    wfi_edge_columns *c = *out = wfi_take_zeroed(ctx, 1, sizeof *c);
    if (!c) return WEFT_ENOMEM;
    c->count = count;
    if (!wfi_alloc_zeroed(ctx, &c->from, count) && !wfi_alloc_zeroed(ctx, &c->rule, count) &&
        !wfi_alloc_zeroed(ctx, &c->blocks, 2 * count + 1))
        return WEFT_OK;
    wfi_edge_columns_free(c);
    *out = NULL;
    return WEFT_ENOMEM;
}

void wfi_edge_columns_free(wfi_edge_columns *c) {
    if (!c) return;
    for (size_t i = 0; i < c->block_count; i++) wfi_free(c->blocks[i]);
    wfi_names_free(c->names);
    wfi_names_free(c->pool);
    WFI_FREE(c->from, c->rule, c->blocks);
    wfi_free(c);
}

void wfi_edge_columns_own(wfi_edge_columns *c, void *block) { c->blocks[c->block_count++] = block; }

/* --- rules ---------------------------------------------------------------------------------------- */

static const char *const rule_words[] = {
    [WFI_RULE_NONE] = "",   [WFI_RULE_SUM] = "sum",   [WFI_RULE_COUNT] = "count", [WFI_RULE_MIN] = "min",
    [WFI_RULE_MAX] = "max", [WFI_RULE_MEAN] = "mean", [WFI_RULE_FIRST] = "first", [WFI_RULE_LAST] = "last"};
enum { RULES = sizeof rule_words / sizeof *rule_words };

static size_t named(const wfi_names *names, size_t count, const char *name, size_t length) {
    size_t i = 0;
    for (; i < count; i++)
        if (names->start[i + 1] - names->start[i] == length && !memcmp(names->text + names->start[i], name, length))
            break;
    return i;
}

static weft_status read_rule(weft_ctx *ctx, const char *from, size_t length, const wfi_names *names, size_t count,
                             wfi_edge_rule *rule) {
    const char *colon = memrchr(from, ':', length);
    size_t word = 1, name = colon ? (size_t)(colon - from) : 0;
    while (colon && word < RULES &&
           (strlen(rule_words[word]) != length - name - 1 || memcmp(rule_words[word], colon + 1, length - name - 1)))
        word++;
    if (!colon || word == RULES)
        return wfi_fail(ctx, WEFT_EINVAL,
                        "`merge`: '%.*s' is not COLUMN:RULE with sum, count, min, max, mean, first or last",
                        (int)wfi_min_u64(length, 80), from);
    size_t i = named(names, count, from, name);
    if (i == count)
        return wfi_fail(ctx, WEFT_EINVAL, "`merge`: the column '%.*s' is not kept (`keep`)", (int)wfi_min_u64(name, 80),
                        from);
    if (rule[i])
        return wfi_fail(ctx, WEFT_EINVAL, "`merge`: two rules for the column '%.*s'", (int)wfi_min_u64(name, 80), from);
    rule[i] = (wfi_edge_rule)word;
    return WEFT_OK;
}

weft_status wfi_edge_rules_read(weft_ctx *ctx, const char *text, const wfi_names *names, size_t count,
                                wfi_edge_rule *rule) {
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < count; i++) rule[i] = WFI_RULE_NONE;
    for (const char *p = text; p && !st;) {
        size_t length = strcspn(p, ",");
        st = read_rule(ctx, p, length, names, count, rule);
        p = p[length] ? p + length + 1 : NULL;
    }
    return st;
}

static bool holds_numbers(const wfi_column_source *c) {
    return c->type == WEFT_ATTRIBUTE_WHOLE || c->type == WEFT_ATTRIBUTE_REAL;
}

static weft_status check_rule(weft_ctx *ctx, const wfi_column_source *from, wfi_edge_rule rule) {
    if (holds_numbers(from) || (rule != WFI_RULE_SUM && rule != WFI_RULE_MEAN)) return WEFT_OK;
    return wfi_fail(
        ctx, WEFT_EINPUT,
        "column '%s' does not hold numbers, so `%s` is impossible; use `merge=%s:first`, or count, min, max, last",
        from->name, rule_words[rule], from->name);
}

/* --- records ---------------------------------------------------------------------------------------- */

/* Copies the edges with their record numbers, of 4 or 8 bytes, as weights. */
static weft_status number_edges(weft_ctx *ctx, const wfi_edges *edges, weft_weight_type type, wfi_edges *to) {
    weft_status st = WEFT_OK;
    uint64_t total = 0, *first;
    if (wfi_alloc(ctx, &first, edges->count)) return WEFT_ENOMEM;
    for (size_t i = 0; i < edges->count && !st; i++) {
        wfi_piece *unused;
        first[i] = total;
        total += edges->pieces[i].count;
        st = wfi_edges_add(ctx, to, edges->pieces[i].count, type, &unused);
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, st ? 0 : total, POLL))
    for (size_t i = 0; i < to->count; i++) {
        const wfi_piece *from = &edges->pieces[i], *piece = &to->pieces[i];
        for (uint64_t k = 0; k < from->count; k++) {
            if (k % POLL == 0 && wfi_cancelled(ctx)) break;
            piece->narrow[2 * k] = from->narrow[2 * k];
            piece->narrow[2 * k + 1] = from->narrow[2 * k + 1];
            if (type == WEFT_WEIGHT_U32)
                ((uint32_t *)piece->weights)[k] = (uint32_t)(first[i] + k);
            else
                ((uint64_t *)piece->weights)[k] = first[i] + k;
        }
    }
    wfi_free(first);
    return !st && wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : st;
}

/* Widens record numbers from 4 to 8 bytes. */
static weft_status widen(weft_ctx *ctx, const uint32_t *narrow, uint64_t arcs, uint64_t **number) {
    uint64_t *to;
    if (wfi_alloc(ctx, number, (size_t)arcs)) return WEFT_ENOMEM;
    to = *number;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, arcs, POLL))
    for (uint64_t e = 0; e < arcs; e++) to[e] = narrow[e];
    return WEFT_OK;
}

static weft_status make_records(weft_ctx *ctx, const wfi_edges *edges, const wfi_row_plan *plan, wfi_row_counts *counts,
                                wfi_records *records) {
    wfi_edges numbered = {0};
    wfi_build all = *plan->build;
    wfi_row_plan as_listed = *plan;
    all.params.duplicates = WEFT_DUPLICATES_KEEP;
    as_listed.build = &all;
    /* The type only sets the width; with WEFT_DUPLICATES_KEEP no value is interpreted. */
    as_listed.type = wfi_edges_total(edges) <= UINT32_MAX ? WEFT_WEIGHT_U32 : WEFT_WEIGHT_F64;
    weft_status st = number_edges(ctx, edges, as_listed.type, &numbered);
    if (!st) st = wfi_rows_from_edges(ctx, &numbered, &as_listed, &records->rows, counts);
    wfi_edges_free(&numbered);
    if (st) return st;
    const void *number = records->rows.weights;
    records->rows.weights = NULL;
    records->rows.type = WEFT_WEIGHT_NONE;
    if (as_listed.type == WEFT_WEIGHT_F64) {
        records->number = (uint64_t *)(uintptr_t)number;
        return WEFT_OK;
    }
    st = widen(ctx, number, counts->arcs, &records->number);
    wfi_free(number);
    return st;
}

static bool has_parallel_arcs(weft_ctx *ctx, const wfi_view *rows) {
    _Atomic bool found = false;
#pragma omp parallel for schedule(dynamic, 4096) num_threads(wfi_threads_for(ctx, rows->offsets[rows->n], POLL))
    for (weft_vid u = 0; u < rows->n; u++)
        for (weft_eid e = rows->offsets[u] + 1; e < rows->offsets[u + 1]; e++)
            if (rows->targets[e] == rows->targets[e - 1]) atomic_store_explicit(&found, true, memory_order_relaxed);
    return found;
}

weft_status wfi_rows_with_records(weft_ctx *ctx, wfi_edges *edges, bool columns, const wfi_row_plan *plan,
                                  wfi_view *rows, wfi_row_counts *counts, wfi_records *records) {
    weft_status st = columns ? make_records(ctx, edges, plan, counts, records) : WEFT_OK;
    if (st) return st;
    bool keeps = plan->build->params.duplicates == WEFT_DUPLICATES_KEEP;
    records->lent = columns && plan->type == WEFT_WEIGHT_NONE && (keeps || !has_parallel_arcs(ctx, &records->rows));
    if (!records->lent) return wfi_rows_from_edges(ctx, edges, plan, rows, counts);
    *rows = records->rows;
    return WEFT_OK;
}

void wfi_records_free(wfi_records *records) {
    if (!records->lent) WFI_FREE(records->rows.offsets, records->rows.targets);
    wfi_free(records->number);
}

/* --- values of arcs ------------------------------------------------------------------------------------ */

/* Records of arc e: number[start[e]] ... number[start[e + 1] - 1]; number[e] alone if start is NULL. */
typedef struct placing {
    weft_ctx *ctx;
    const uint64_t *number, *start;
    uint64_t arcs;
} placing;

static weft_status find_groups(weft_ctx *ctx, const wfi_view *records, const weft_graph *g, uint64_t **start) {
    if (wfi_alloc(ctx, start, (size_t)g->arcs + 1)) return WEFT_ENOMEM;
    uint64_t *to = *start;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(wfi_threads_for(ctx, g->n + g->arcs, 1 << 14))
    for (weft_vid u = 0; u < g->n; u++) {
        if (u % 1024 == 0 && wfi_cancelled(ctx)) continue;
        weft_eid p = records->offsets[u];
        for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++) {
            to[e] = p;
            while (p < records->offsets[u + 1] && records->targets[p] == g->out.targets[e]) p++;
        }
    }
    to[g->arcs] = records->offsets[g->n];
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

static weft_status refuse_merge(weft_ctx *ctx, const weft_graph *g, const uint64_t *start,
                                const wfi_column_source *column) {
    weft_eid e = 0;
    while (start[e + 1] - start[e] < 2) e++;
    weft_vid u = 0, high = g->n;
    WFI_BISECT(u, high, middle, g->out.offsets[middle + 1] <= e);
    char from[128], to[128];
    weft_graph_id_text(g, u, from, sizeof from);
    weft_graph_id_text(g, g->out.targets[e], to, sizeof to);
    return wfi_fail(ctx, WEFT_EINPUT,
                    "column '%s': %llu edges %s %s %s %s become one, but no rule merges their values "
                    "(`merge=%s:max`, or %s; `duplicates=keep` keeps all edges)",
                    column->name, (unsigned long long)(start[e + 1] - start[e]), g->directed ? "from" : "between", from,
                    g->directed ? "to" : "and", to, column->name,
                    holds_numbers(column) ? "sum, count, min, mean, first, last" : "count, min, first, last");
}

static int64_t whole_at(const wfi_column_source *c, uint64_t record) { return ((const int64_t *)c->values)[record]; }
static double real_at(const wfi_column_source *c, uint64_t record) {
    return c->type == WEFT_ATTRIBUTE_REAL ? ((const double *)c->values)[record] : (double)whole_at(c, record);
}

/* True if the value of record a is less than that of record b. NaN is the largest. */
static bool is_less(const wfi_column_source *c, uint64_t a, uint64_t b) {
    switch (c->type) {
    case WEFT_ATTRIBUTE_WHOLE:
    case WEFT_ATTRIBUTE_TIME: return whole_at(c, a) < whole_at(c, b);
    case WEFT_ATTRIBUTE_REAL: return real_at(c, a) < real_at(c, b) || (isnan(real_at(c, b)) && !isnan(real_at(c, a)));
    case WEFT_ATTRIBUTE_BOOL: return ((const uint8_t *)c->values)[a] < ((const uint8_t *)c->values)[b];
    case WEFT_ATTRIBUTE_TEXT: break;
    }
    uint32_t x = ((const uint32_t *)c->values)[a], y = ((const uint32_t *)c->values)[b];
    size_t long_x = (size_t)(c->starts[x + 1] - c->starts[x]), long_y = (size_t)(c->starts[y + 1] - c->starts[y]);
    int order = memcmp(c->text + c->starts[x], c->text + c->starts[y], long_x < long_y ? long_x : long_y);
    return order ? order < 0 : long_x < long_y;
}

static bool takes_over(const wfi_column_source *c, wfi_edge_rule rule, uint64_t now, uint64_t next) {
    if (rule == WFI_RULE_MIN) return is_less(c, next, now);
    if (rule == WFI_RULE_MAX) return is_less(c, now, next);
    return rule == WFI_RULE_LAST;
}

static uint64_t group_begin(const placing *p, weft_eid e) { return p->start ? p->start[e] : e; }
static uint64_t group_end(const placing *p, weft_eid e) { return p->start ? p->start[e + 1] : e + 1; }

/* The record whose value the arc gets; WFI_NO_RECORD if all are missing. */
static uint64_t pick(const placing *p, const wfi_column_source *c, wfi_edge_rule rule, weft_eid e) {
    uint64_t best = WFI_NO_RECORD;
    for (uint64_t k = group_begin(p, e); k < group_end(p, e); k++) {
        uint64_t record = p->number[k];
        if (wfi_has_bit(c->valid, record) && (best == WFI_NO_RECORD || takes_over(c, rule, best, record)))
            best = record;
    }
    return best;
}

static weft_status pick_all(const placing *p, wfi_column_source *c, wfi_edge_rule rule, wfi_edge_columns *made) {
    uint64_t *record;
    if (wfi_alloc(p->ctx, &record, (size_t)p->arcs)) return WEFT_ENOMEM;
    wfi_edge_columns_own(made, record);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(p->ctx, p->arcs, POLL))
    for (weft_eid first = 0; first < p->arcs; first += POLL) {
        if (wfi_cancelled(p->ctx)) continue;
        for (weft_eid e = first; e < p->arcs && e < first + POLL; e++) record[e] = pick(p, c, rule, e);
    }
    c->record = record;
    return wfi_cancelled(p->ctx) ? wfi_fail_cancelled(p->ctx) : WEFT_OK;
}

/* Sum, count or mean of an arc's values, 8 bytes. False on overflow. */
static bool add_up(const placing *p, const wfi_column_source *c, wfi_edge_rule rule, weft_eid e, void *to,
                   bool *there) {
    int64_t whole = 0, count = 0;
    double real = 0;
    bool fits = true, sums_whole = c->type == WEFT_ATTRIBUTE_WHOLE && rule == WFI_RULE_SUM;
    for (uint64_t k = group_begin(p, e); k < group_end(p, e); k++) {
        uint64_t record = p->number[k];
        if (!wfi_has_bit(c->valid, record)) continue;
        count++;
        if (rule == WFI_RULE_COUNT) continue;
        if (sums_whole)
            fits = !__builtin_add_overflow(whole, whole_at(c, record), &whole) && fits;
        else
            real += real_at(c, record);
    }
    if (rule == WFI_RULE_MEAN) real /= (double)count;
    if (rule == WFI_RULE_COUNT) whole = count;
    *there = count || rule == WFI_RULE_COUNT;
    if (!*there) return true;
    if (sums_whole || rule == WFI_RULE_COUNT)
        memcpy(to, &whole, sizeof whole);
    else
        memcpy(to, &real, sizeof real);
    return fits;
}

static weft_status add_all(const placing *p, wfi_column_source *c, wfi_edge_rule rule, wfi_edge_columns *made) {
    uint64_t *values;
    uint8_t *valid;
    _Atomic bool fits = true;
    if (wfi_alloc_zeroed(p->ctx, &values, (size_t)p->arcs)) return WEFT_ENOMEM;
    wfi_edge_columns_own(made, values);
    if (wfi_alloc_zeroed(p->ctx, &valid, (size_t)(p->arcs + 7) / 8)) return WEFT_ENOMEM;
    wfi_edge_columns_own(made, valid);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(p->ctx, p->arcs, POLL))
    for (weft_eid first = 0; first < p->arcs; first += POLL)
        for (weft_eid e = first; e < p->arcs && e < first + POLL && (e > first || !wfi_cancelled(p->ctx)); e++) {
            bool there;
            if (!add_up(p, c, rule, e, &values[e], &there)) atomic_store(&fits, false);
            if (there) valid[e >> 3] |= (uint8_t)(1u << (e & 7));
        }
    if (wfi_cancelled(p->ctx)) return wfi_fail_cancelled(p->ctx);
    if (!fits) return wfi_fail(p->ctx, WEFT_EINPUT, "column '%s': a sum does not fit in 64 bits", c->name);
    bool whole = rule == WFI_RULE_COUNT || (rule == WFI_RULE_SUM && c->type == WEFT_ATTRIBUTE_WHOLE);
    c->type = whole ? WEFT_ATTRIBUTE_WHOLE : WEFT_ATTRIBUTE_REAL;
    c->form = WEFT_TIME_DAY;
    c->values = values;
    c->valid = valid;
    return WEFT_OK;
}

static weft_status number_rows(weft_ctx *ctx, const uint64_t *row, uint64_t count, uint64_t *number) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, count, POLL))
    for (uint64_t first = 0; first < count; first += POLL) {
        if (wfi_cancelled(ctx)) continue;
        for (uint64_t k = first; k < count && k < first + POLL; k++) number[k] = row[number[k]];
    }
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

weft_status wfi_edge_columns_place(weft_ctx *ctx, const wfi_edge_columns *c, const wfi_build *build,
                                   const wfi_records *records, weft_graph *g) {
    uint64_t *start = NULL, listed = records->rows.offsets[g->n];
    wfi_edge_columns *made = NULL;
    bool merged = listed != g->arcs;
    weft_status st = c->row ? number_rows(ctx, c->row, listed, records->number) : WEFT_OK;
    if (!st) st = wfi_edge_columns_new(ctx, c->count, &made);
    if (!st && merged) st = find_groups(ctx, &records->rows, g, &start);
    placing p = {.ctx = ctx, .number = records->number, .start = start, .arcs = g->arcs};
    for (size_t i = 0; i < c->count && !st; i++) {
        wfi_column_source *to = &made->from[i];
        wfi_edge_rule rule = c->rule[i];
        *to = c->from[i];
        if (rule && build->params.duplicates == WEFT_DUPLICATES_KEEP)
            st = wfi_fail(ctx, WEFT_EINVAL, "`merge` has a rule for '%s', but `duplicates=keep` keeps all edges",
                          to->name);
        else if (merged && !rule)
            st = refuse_merge(ctx, g, start, to);
        else if (rule)
            st = check_rule(ctx, to, rule);
        if (st) break;
        if (rule == WFI_RULE_SUM || rule == WFI_RULE_COUNT || rule == WFI_RULE_MEAN)
            st = add_all(&p, to, rule, made);
        else if (merged)
            st = pick_all(&p, to, rule, made);
        else
            to->record = p.number;
    }
    if (!st) st = wfi_edge_data_replace(ctx, g, made->from, c->count);
    wfi_free(start);
    wfi_edge_columns_free(made);
    return st;
}
