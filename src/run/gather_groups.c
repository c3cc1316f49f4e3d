/* weft_group_sizes of a column that is distributed over ranks: the largest groups, on the first rank.
 * Method: the owner of a vertex counts the rows that name it.  In rounds of bounded size each rank sorts some of its
 * values, combines equal ones and sends (vertex, count) to the owners.  Each rank then keeps its k largest groups in a
 * heap, and the first rank merges them.  Memory: 4 bytes for each own vertex, and the round's values. */
#include "core/scan.h"
#include "ranks/spread.h"
#include "run/algorithm.h"

enum {
    ROUND = 1 << 20,
    LEAST = 1 << 12
}; /* values that a rank receives in a round, at most; that each takes, at least */

typedef struct counting {
    const wfi_spread *s;
    const weft_vid *value;        /* of each place */
    size_t chunk;                 /* values that a rank takes in a round */
    uint64_t *key;                /* (vertex, count), sorted */
    uint64_t *received, capacity; /* from others */
    uint64_t *go, *come;
    uint32_t *rows; /* of the group of each of this rank's vertices */
} counting;

/* Lists each value of begin ... end-1 once, with its count. */
static weft_status pack(weft_ctx *ctx, const counting *c, size_t begin, size_t end, size_t *count) {
    size_t values = 0, kept = 0;
    for (size_t i = begin; i < end; i++)
        if (c->value[i] != WEFT_NO_VERTEX) c->key[values++] = c->value[i];
    weft_status st = wfi_sort_u64(ctx, c->key, values);
    for (size_t i = 0; i < values && !st;) {
        size_t first = i;
        while (i < values && c->key[i] == c->key[first]) i++;
        c->key[kept++] = c->key[first] << 32 | (i - first);
    }
    *count = kept;
    return st;
}

/* Sends the pairs of one block to the owners of its vertices, which add them up; *at: the first pair of the block. */
static weft_status send_block(weft_ctx *ctx, counting *c, const wfi_part *p, size_t count, size_t *at) {
    wfi_comm *comm = c->s->comm;
    int ranks = comm->link.size;
    size_t i = *at;
    for (int r = 0; r < ranks; r++) {
        c->go[r] = i * sizeof *c->key;
        while (i < count && c->key[i] >> 32 < p->cut[r + 1]) i++;
    }
    c->go[ranks] = i * sizeof *c->key;
    *at = i;
    weft_status st = wfi_receive_starts(ctx, c->go, c->come);
    if (!st && c->come[ranks] > c->capacity) {
        wfi_free(c->received);
        c->capacity = c->come[ranks];
        c->received = wfi_take(ctx, c->capacity, 1);
    }
    st = wfi_agree(ctx, st ? st : c->capacity && !c->received ? WEFT_ENOMEM : WEFT_OK);
    if (!st) st = wfi_alltoall(ctx, c->key, c->go, c->received, c->come);
    for (size_t k = 0; k < c->come[ranks] / sizeof *c->received && !st; k++) {
        weft_vid v = (weft_vid)(c->received[k] >> 32);
        c->rows[p->place + (v - p->first)] += (uint32_t)c->received[k];
    }
    return st;
}

static weft_status count_all(weft_ctx *ctx, counting *c) {
    const wfi_spread *s = c->s;
    uint64_t rounds = (s->vertices + c->chunk - 1) / c->chunk;
    weft_status st = wfi_allreduce(ctx, &rounds, 1, WFI_MAX);
    for (uint64_t round = 0; round < rounds && !st; round++) {
        size_t begin = (size_t)wfi_min_u64(round * c->chunk, s->vertices), count = 0, at = 0;
        size_t end = (size_t)wfi_min_u64(begin + c->chunk, s->vertices);
        st = wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : pack(ctx, c, begin, end, &count);
        st = wfi_agree(ctx, st);
        for (size_t b = 0; b < s->blocks && !st; b++) st = send_block(ctx, c, &s->part[b], count, &at);
    }
    return st;
}

/* Orders groups by size, the largest first; ties by vertex, the smallest first. */
static uint64_t key_of(weft_vid group, uint32_t size) { return (uint64_t)(UINT32_MAX - size) << 32 | group; }

/* heap[0] is the largest key, which a smaller one replaces. */
static void sift_down(uint64_t *heap, size_t count) {
    for (size_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child]) child++;
        if (heap[child] <= heap[at]) return;
        uint64_t moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
    }
}

static void sift_up(uint64_t *heap, size_t at) {
    for (; at && heap[(at - 1) / 2] < heap[at]; at = (at - 1) / 2) {
        uint64_t moved = heap[at];
        heap[at] = heap[(at - 1) / 2];
        heap[(at - 1) / 2] = moved;
    }
}

/* Selects the smallest `most` keys of this rank's groups. */
static size_t choose(const counting *c, size_t most, uint64_t *heap, uint64_t *groups) {
    size_t count = 0;
    *groups = 0;
    for (size_t b = 0; b < c->s->blocks; b++) {
        const wfi_part *p = &c->s->part[b];
        for (weft_vid v = p->first; v < p->end; v++) {
            uint32_t size = c->rows[p->place + (v - p->first)];
            if (!size) continue;
            ++*groups;
            uint64_t key = key_of(v, size);
            if (count < most) {
                heap[count++] = key;
                sift_up(heap, count - 1);
            } else if (most && key < heap[0]) {
                heap[0] = key;
                sift_down(heap, count);
            }
        }
    }
    return count;
}

/* Gathers the keys of all ranks on the first one: *all, *total of them, sorted; the others get none. */
static weft_status gather_keys(weft_ctx *ctx, const counting *c, const uint64_t *own, size_t count, uint64_t **all,
                               uint64_t *total) {
    wfi_comm *comm = c->s->comm;
    int ranks = comm->link.size, me = comm->link.rank;
    weft_status st = wfi_allgather_u64(ctx, count, c->come);
    if (st) return st;
    uint64_t before = 0;
    for (int r = 0; r < ranks; r++) {
        uint64_t here = c->come[r] * sizeof **all;
        c->come[r] = me ? 0 : before;
        before += here;
    }
    c->come[ranks] = me ? 0 : before;
    *total = c->come[ranks] / sizeof **all;
    c->go[0] = 0;
    for (int r = 0; r < ranks; r++) c->go[r + 1] = count * sizeof *own;
    st = wfi_agree(ctx, me ? WEFT_OK : wfi_alloc(ctx, all, (size_t)*total));
    if (!st) st = wfi_alltoall(ctx, own, c->go, *all, c->come);
    return wfi_agree(ctx, st || me ? st : wfi_sort_u64(ctx, *all, (size_t)*total));
}

/* The answer: groups and their sizes on the first rank, their number on all. */
typedef struct group_list {
    weft_vid *group;
    uint64_t *size;
    size_t count;
    uint64_t total;
} group_list;

static weft_status list(weft_ctx *ctx, counting *c, size_t most, group_list *l) {
    const wfi_spread *s = c->s;
    size_t ranks = (size_t)s->comm->link.size;
    uint64_t *largest = NULL, *all = NULL, brought = 0;
    most = wfi_min_u64(most, s->g->n);
    c->chunk = wfi_max_u64(LEAST, ROUND / ranks);
    weft_status st = wfi_alloc_zeroed(ctx, &c->rows, s->vertices);
    if (!st) st = wfi_alloc(ctx, &c->key, wfi_min_u64(c->chunk, s->vertices));
    if (!st) st = wfi_alloc(ctx, &c->go, ranks + 1);
    if (!st) st = wfi_alloc(ctx, &c->come, ranks + 1);
    if (!st) st = wfi_alloc(ctx, &largest, wfi_min_u64(most, s->vertices));
    st = wfi_agree(ctx, st);
    if (!st) st = count_all(ctx, c);
    if (!st) st = gather_keys(ctx, c, largest, choose(c, most, largest, &l->total), &all, &brought);
    if (!st) st = wfi_allreduce(ctx, &l->total, 1, WFI_SUM);
    if (!st && s->comm->link.rank == 0) {
        l->count = (size_t)wfi_min_u64(brought, most);
        st = wfi_alloc(ctx, &l->group, l->count);
        if (!st) st = wfi_alloc(ctx, &l->size, l->count);
        for (size_t i = 0; i < l->count && !st; i++) {
            l->group[i] = (weft_vid)all[i];
            l->size[i] = UINT32_MAX - (all[i] >> 32);
        }
    }
    WFI_FREE(largest, all);
    return wfi_agree(ctx, st);
}

weft_status weft_plan_group_sizes(weft_plan *plan, const weft_column *column, size_t most, weft_vid **group,
                                  uint64_t **size, size_t *count, uint64_t *total) {
    if (group) *group = NULL;
    if (size) *size = NULL;
    if (count) *count = 0;
    if (total) *total = 0;
    if (!plan) return WEFT_EINVAL;
    weft_ctx *ctx = wfi_plan_ctx(plan);
    const wfi_spread *s = wfi_plan_spread(plan);
    WFI_BEGIN_WITH_OR_RETURN(ctx, column, group, size, count, total);
    if (!wfi_has_ranks(ctx))
        return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_group_sizes: the plan's context is not one of several ranks");
    weft_column full = WEFT_COLUMN_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_column", column, &full, sizeof full);
    if (st) return st;
    if (full.type != WEFT_VERTEX || full.width || full.length != s->vertices)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_plan_group_sizes: a column of vertices of the plan's result is needed");
    counting c = {.s = s, .value = full.data};
    group_list l = {NULL, NULL, 0, 0};
    st = list(ctx, &c, most, &l);
    WFI_FREE(c.key, c.received, c.go, c.come, c.rows);
    if (st) {
        WFI_FREE(l.group, l.size);
        return st;
    }
    *group = l.group;
    *size = l.size;
    *count = l.count;
    *total = l.total;
    return WEFT_OK;
}
