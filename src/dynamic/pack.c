/* A snapshot packed into CSR: vertices are numbered by ascending id; rows, merged with the deltas visible to the
 * version, are renumbered, and sorted again if ids did not ascend. If slots are in the order of ids and none is
 * vacant, a group's rows are copied at once. */
#include "core/scan.h"
#include "cuda/gpu_rows.h"
#include "dynamic/base_columns.h"
#include "dynamic/dynamic.h"
#include "dynamic/group.h"
#include "dynamic/slot_sides.h"

#include <string.h>

typedef struct packing {
    weft_ctx *ctx;
    const wfi_version *v;
    weft_graph *g;
    weft_vid *vertex; /* per slot, WEFT_NO_VERTEX if it is not a vertex; NULL: slots equal vertices */
    bool ascending;   /* slots are in the order of ids */
} packing;

/* --- numbers --------------------------------------------------------------------- */

static bool is_alive(const wfi_version *v, weft_vid slot) {
    if (v->rows) return !v->alive || v->alive[slot / 64] >> slot % 64 & 1;
    const wfi_group *group = wfi_group_at(v, slot / WFI_GROUP_ROWS);
    return group && group->alive >> slot % WFI_GROUP_ROWS & 1;
}

/* Merges two runs of slots by id. */
static void merge_runs(const wfi_slot_ids *ids, const weft_vid *a, const weft_vid *a_end, const weft_vid *b,
                       const weft_vid *b_end, weft_vid *to) {
    while (a < a_end && b < b_end) *to++ = wfi_slot_compare(ids, *b, *a) < 0 ? *b++ : *a++;
    while (a < a_end) *to++ = *a++;
    while (b < b_end) *to++ = *b++;
}

/* Merge sort by id: the first `ascending` slots are one run, the others are sorted first. Returns a or b. */
static weft_vid *sort_slots(const wfi_slot_ids *ids, weft_vid *a, weft_vid *b, weft_vid count, weft_vid ascending) {
    memcpy(b, a, (size_t)count * sizeof *a);
    for (uint64_t run = 1; run < count - ascending; run *= 2) {
        for (uint64_t at = ascending; at < count; at += 2 * run) {
            uint64_t middle = wfi_min_u64(at + run, count), end = wfi_min_u64(at + 2 * run, count);
            merge_runs(ids, a + at, a + middle, a + middle, a + end, b + at);
        }
        weft_vid *swap = a;
        a = b;
        b = swap;
    }
    merge_runs(ids, a, a + ascending, a + ascending, a + count, b);
    return b;
}

weft_status wfi_version_number(weft_ctx *ctx, const wfi_version *v, weft_vid **vertex, weft_vid **order) {
    weft_vid *listed = NULL, *spare = NULL, *number = NULL, count = 0, ascending = 0;
    *vertex = *order = NULL;
    if (wfi_numbered_as_slots(v)) return WEFT_OK;
    weft_status st = wfi_alloc(ctx, &number, v->slots);
    if (!st) st = wfi_alloc(ctx, &listed, v->live);
    if (!st) st = wfi_alloc(ctx, &spare, v->live);
    if (st) goto done;
    for (weft_vid slot = 0; slot < v->slots; slot++) {
        number[slot] = WEFT_NO_VERTEX;
        if (!is_alive(v, slot)) continue;
        listed[count++] = slot;
        ascending += slot < v->ascending;
    }
    if (ascending < count && sort_slots(v->ids, listed, spare, count, ascending) == spare) {
        weft_vid *swap = listed;
        listed = spare;
        spare = swap;
    }
    for (weft_vid i = 0; i < count; i++) number[listed[i]] = i;
    *order = listed;
    *vertex = number;
    listed = number = NULL;
done:
    WFI_FREE(number, listed, spare);
    return st;
}

/* --- ids -------------------------------------------------------------------------- */

static weft_status pack_names(packing *p, const weft_vid *order, wfi_ids *to) {
    const wfi_slot_ids *ids = p->v->ids;
    weft_vid n = p->g->n;
    uint64_t bytes = 0;
    to->kind = WEFT_IDS_STRING;
    weft_status st = wfi_alloc(p->ctx, &to->start, (size_t)n + 1);
    if (st) return st;
    for (weft_vid i = 0; i < n; i++) {
        weft_vid slot = order ? order[i] : i;
        to->start[i] = bytes;
        bytes += ids->start[slot + 1] - ids->start[slot];
    }
    to->start[n] = bytes;
    st = wfi_alloc(p->ctx, &to->text, bytes);
    for (weft_vid i = 0; i < n && !st; i++)
        memcpy(to->text + to->start[i], ids->text + ids->start[order ? order[i] : i],
               (size_t)(to->start[i + 1] - to->start[i]));
    return st;
}

static weft_status pack_numbers(packing *p, const weft_vid *order, wfi_ids *to) {
    const wfi_slot_ids *ids = p->v->ids;
    weft_vid n = p->g->n;
    to->kind = WEFT_IDS_DENSE;
    if (!n) return WEFT_OK;
    int64_t first = wfi_slot_number(ids, order ? order[0] : 0),
            last = wfi_slot_number(ids, order ? order[n - 1] : n - 1);
    to->base = first;
    if ((uint64_t)last - (uint64_t)first == n - 1) return WEFT_OK; /* ids ascend, so there is no gap */
    to->base = 0;
    to->kind = WEFT_IDS_SPARSE;
    weft_status st = wfi_alloc(p->ctx, &to->number, n);
    for (weft_vid i = 0; i < n && !st; i++) to->number[i] = wfi_slot_number(ids, order ? order[i] : i);
    return st;
}

/* --- rows ------------------------------------------------------------------------- */

static weft_vid vertex_of(const packing *p, weft_vid slot) { return p->vertex ? p->vertex[slot] : slot; }

static void count_rows(const packing *p, weft_eid *offsets) {
    const wfi_version *v = p->v;
    uint64_t groups = wfi_groups_of(v->slots);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(p->ctx, groups, 256))
    for (uint64_t i = 0; i < groups; i++) {
        const wfi_group *group = wfi_group_at(v, i);
        int32_t more[WFI_GROUP_ROWS];
        if (group) wfi_deltas_count(group, v->number, more);
        for (unsigned r = 0; group && r < WFI_GROUP_ROWS; r++) {
            if (!(group->alive >> r & 1)) continue;
            const wfi_long_row *row = wfi_long_row_of(group, r);
            uint64_t arcs = row ? row->arcs : group->start[r + 1] - group->start[r];
            offsets[vertex_of(p, (weft_vid)(i * WFI_GROUP_ROWS + r))] = arcs + (uint64_t)(int64_t)more[r];
        }
    }
}

/* Sorts a row whose renumbered targets do not ascend, with its weights. `spare` and `moved` hold `capacity` arcs. */
typedef struct sorter {
    uint64_t *key, *spare; /* target << 32 | position */
    char *moved;
    size_t capacity;
} sorter;

static weft_status reserve_sorter(weft_ctx *ctx, sorter *s, size_t count, size_t weight) {
    if (count <= s->capacity) return WEFT_OK;
    WFI_FREE(s->key, s->spare, s->moved);
    *s = (sorter){NULL, NULL, NULL, 0};
    weft_status st = wfi_alloc(ctx, &s->key, 2 * count);
    if (!st) st = wfi_alloc(ctx, &s->spare, 2 * count);
    if (!st) st = wfi_alloc(ctx, &s->moved, 2 * count * weight);
    if (!st) s->capacity = 2 * count;
    return st;
}

static void sorter_end(sorter *s) { WFI_FREE(s->key, s->spare, s->moved); }

static void sort_keys(sorter *s, size_t count) {
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t at = 0; at < count; at += 2 * run) {
            size_t middle = wfi_min_u64(at + run, count), end = wfi_min_u64(at + 2 * run, count);
            size_t a = at, b = middle, to = at;
            while (a < middle && b < end) s->spare[to++] = s->key[b] < s->key[a] ? s->key[b++] : s->key[a++];
            while (a < middle) s->spare[to++] = s->key[a++];
            while (b < end) s->spare[to++] = s->key[b++];
        }
        uint64_t *swap = s->key;
        s->key = s->spare;
        s->spare = swap;
    }
}

/* A row has at most one arc to each vertex, so fewer than 2^32 arcs. */
static weft_status sort_row(weft_ctx *ctx, sorter *s, weft_vid *targets, char *weights, size_t count, size_t weight) {
    size_t i = 1;
    while (i < count && targets[i - 1] < targets[i]) i++;
    if (i >= count) return WEFT_OK;
    weft_status st = reserve_sorter(ctx, s, count, weight);
    if (st) return st;
    for (i = 0; i < count; i++) s->key[i] = (uint64_t)targets[i] << 32 | i;
    sort_keys(s, count);
    if (weight) memcpy(s->moved, weights, count * weight);
    for (i = 0; i < count; i++) {
        targets[i] = (weft_vid)(s->key[i] >> 32);
        if (weight) memcpy(weights + i * weight, s->moved + (uint32_t)s->key[i] * weight, weight);
    }
    return WEFT_OK;
}

static void copy_run(const packing *p, const weft_vid *targets, const void *weights, size_t count, weft_eid to) {
    weft_vid *own = wfi_own_targets(&p->g->out);
    size_t weight = p->v->store->weight;
    if (!count) return;
    if (p->vertex)
        for (size_t i = 0; i < count; i++) own[to + i] = p->vertex[targets[i]];
    else
        memcpy(own + to, targets, count * sizeof *targets);
    if (weight) memcpy(wfi_own_weights(&p->g->out) + to * weight, weights, count * weight);
}

/* Copies a run merged with its deltas, *n ... stop. Returns the end. */
static weft_eid copy_with_deltas(const packing *p, const wfi_sorted_run *run, const wfi_delta **n,
                                 const wfi_delta *stop, weft_eid to) {
    const weft_vid *targets = run->targets;
    const char *weights = run->weights;
    size_t weight = p->v->store->weight, count = run->count, done = 0;
    for (; *n < stop; ++*n) {
        size_t here = done;
        while (here < count && targets[here] < (*n)->target) here++;
        copy_run(p, targets + done, weights + done * weight, here - done, to);
        to += here - done;
        done = here + (here < count && targets[here] == (*n)->target);
        if ((*n)->there) copy_run(p, &(*n)->target, (*n)->weight, 1, to++);
    }
    if (count) copy_run(p, targets + done, weights + done * weight, count - done, to);
    return to + (count - done);
}

/* Copies row r of a group, merged with its deltas. */
static void copy_row(const packing *p, const wfi_group *group, unsigned r, const wfi_delta *n, const wfi_delta *stop,
                     weft_eid to) {
    const wfi_long_row *row = wfi_long_row_of(group, r);
    wfi_sorted_run run;
    if (!row) {
        run = wfi_short_row(group, r);
        copy_with_deltas(p, &run, &n, stop, to);
    }
    for (uint32_t l = 0; row && l < row->leaves; l++) {
        const wfi_delta *here = n;
        while (here < stop && (l + 1 == row->leaves || here->target < row->at[l + 1].first)) here++;
        run = wfi_leaf_run(row->at[l].leaf);
        to = copy_with_deltas(p, &run, &n, here, to);
    }
}

static weft_status pack_group(const packing *p, uint64_t i, sorter *s) {
    const wfi_group *group = wfi_group_at(p->v, i);
    const wfi_view *out = &p->g->out;
    size_t weight = p->v->store->weight;
    if (!group) return WEFT_OK;
    wfi_delta deltas[WFI_MOST_DELTAS];
    const wfi_delta *n = deltas, *last = deltas + wfi_deltas_list(group, p->v->number, deltas);
    if (!p->vertex && !group->is_long && n == last) {
        copy_run(p, wfi_group_targets(group), wfi_group_weights(group), group->start[WFI_GROUP_ROWS],
                 out->offsets[i * WFI_GROUP_ROWS]);
        return WEFT_OK;
    }
    for (unsigned r = 0; r < WFI_GROUP_ROWS; r++) {
        const wfi_delta *first = n;
        while (n < last && n->row == r) n++;
        if (!(group->alive >> r & 1)) continue;
        weft_vid v = vertex_of(p, (weft_vid)(i * WFI_GROUP_ROWS + r));
        weft_eid to = out->offsets[v];
        copy_row(p, group, r, first, n, to);
        if (p->ascending) continue;
        char *own = weight ? wfi_own_weights(out) + to * weight : NULL;
        weft_status st =
            sort_row(p->ctx, s, wfi_own_targets(out) + to, own, (size_t)(out->offsets[v + 1] - to), weight);
        if (st) return st;
    }
    return WEFT_OK;
}

static weft_status take_rows(const packing *p, size_t n, wfi_view *rows) {
    *rows = wfi_view_of((weft_vid)n, p->g->weight_type);
    weft_status st = wfi_alloc(p->ctx, &rows->offsets, n + 1);
    if (!st) st = wfi_alloc(p->ctx, &rows->targets, p->v->arcs);
    size_t weight = p->v->store->weight;
    if (!st && weight && !(rows->weights = wfi_take(p->ctx, p->v->arcs, weight))) st = WEFT_ENOMEM;
    return st;
}

static void free_rows(wfi_view *rows) {
    WFI_FREE(rows->offsets, rows->targets, rows->weights);
    *rows = (wfi_view){0};
}

static weft_status pack_groups(packing *p) {
    const wfi_version *v = p->v;
    wfi_view *out = &p->g->out;
    uint64_t groups = wfi_groups_of(v->slots);
    weft_status st = take_rows(p, p->g->n, out);
    if (st) return st;
    count_rows(p, wfi_own_offsets(out));
    wfi_exclusive_scan(p->ctx, wfi_own_offsets(out), p->g->n);
    _Atomic int status = WEFT_OK;
#pragma omp parallel num_threads(wfi_threads_for(p->ctx, v->arcs, 1 << 15))
    {
        sorter s = {NULL, NULL, NULL, 0};
#pragma omp for schedule(dynamic, 64)
        for (uint64_t i = 0; i < groups; i++) {
            if (atomic_load_explicit(&status, memory_order_relaxed)) continue;
            weft_status mine = i % 64 == 0 && wfi_cancelled(p->ctx) ? wfi_fail_cancelled(p->ctx) : pack_group(p, i, &s);
            wfi_keep_status(&status, mine);
        }
        sorter_end(&s);
    }
    return (weft_status)atomic_load(&status);
}

/* --- rows on a GPU -------------------------------------------------------------------- */

/* Makes rows of vertices from rows of slots. */
static weft_status renumber(packing *p, const weft_vid *order, const wfi_view *from) {
    wfi_view *out = &p->g->out;
    size_t weight = p->v->store->weight;
    weft_vid n = p->g->n;
    for (weft_vid v = 0; v < n; v++) wfi_own_offsets(out)[v] = wfi_degree(from, order[v]);
    wfi_exclusive_scan(p->ctx, wfi_own_offsets(out), n);
    _Atomic int status = WEFT_OK;
#pragma omp parallel num_threads(wfi_threads_for(p->ctx, p->v->arcs, 1 << 15))
    {
        sorter s = {NULL, NULL, NULL, 0};
#pragma omp for schedule(dynamic, 4096)
        for (weft_vid v = 0; v < n; v++) {
            if (atomic_load_explicit(&status, memory_order_relaxed)) continue;
            weft_eid at = from->offsets[order[v]], to = out->offsets[v];
            size_t count = (size_t)wfi_degree(out, v);
            copy_run(p, from->targets + at, weight ? (const char *)from->weights + at * weight : NULL, count, to);
            if (p->ascending) continue;
            char *own = weight ? wfi_own_weights(out) + to * weight : NULL;
            wfi_keep_status(&status, sort_row(p->ctx, &s, wfi_own_targets(out) + to, own, count, weight));
        }
        sorter_end(&s);
    }
    return (weft_status)atomic_load(&status);
}

/* If slots equal vertices, the GPU's rows become the graph's mirror without a copy. */
static weft_status pack_gpu_rows(packing *p, const weft_vid *order) {
    const wfi_version *v = p->v;
    wfi_view downloaded = {0};
    weft_status st = take_rows(p, p->g->n, &p->g->out);
    if (!st && !order) {
        st = wfi_gpu_rows_download(p->ctx, v->rows, &p->g->out);
        return st ? st : wfi_mirror_adopt(p->ctx, p->g, v->rows);
    }
    if (!st) st = take_rows(p, v->slots, &downloaded);
    if (!st) st = wfi_gpu_rows_download(p->ctx, v->rows, &downloaded);
    if (!st) st = renumber(p, order, &downloaded);
    free_rows(&downloaded);
    return st;
}

static void give_back(weft_graph *g) {
    free_rows(&g->out);
    wfi_ids_free(&g->ids);
    wfi_free(g->sides);
    g->sides = NULL;
}

weft_status wfi_snapshot_pack(weft_ctx *ctx, weft_graph *g, void *version) {
    const wfi_version *v = version;
    weft_ctx *own = ctx ? NULL : wfi_ctx_with_memory(v->store->memory);
    packing p = {ctx ? ctx : own, v, g, NULL, v->ascending == v->slots};
    if (!p.ctx) return WEFT_ENOMEM;
    weft_vid *order = NULL;
    wfi_progress(p.ctx, "packing rows", 0, 0);
    weft_status st = wfi_version_number(p.ctx, v, &p.vertex, &order);
    if (!st) st = v->ids->names ? pack_names(&p, order, &g->ids) : pack_numbers(&p, order, &g->ids);
    if (!st) st = v->rows ? pack_gpu_rows(&p, order) : pack_groups(&p);
    if (!st) st = wfi_slot_sides_copy(p.ctx, v->store->sides, order, g);
    if (!st) st = wfi_base_columns_copy(p.ctx, v, order, g);
    if (st) give_back(g);
    WFI_FREE(order, p.vertex);
    weft_ctx_free(own);
    return st;
}
