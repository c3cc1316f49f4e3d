/* See trail.h.  Changes lie in arrays, one batch after the other, each arc of an edge by itself; `end` has the end of
 * each version's changes. */
#include "cuda/trail.h"

#include <string.h>

struct wfi_trail {
    unsigned users;
    pthread_mutex_t lock;      /* guards all following fields */
    struct wfi_gpu_rows *rows; /* rows of version `first`; NULL: no rows and no changes are kept */
    uint64_t first, last;      /* versions; `last` is the newest */
    size_t weight;             /* bytes of one weight */
    uint64_t count, capacity;  /* changes */
    weft_vid *source, *target;
    uint8_t *change;
    char *weights;
    uint64_t *end; /* ends of the changes of version first + 1 + i */
    size_t ends_capacity;
};

wfi_trail *wfi_trail_new(weft_ctx *ctx, size_t weight) {
    wfi_trail *t = wfi_take_zeroed(ctx, 1, sizeof *t);
    if (!t) return NULL;
    t->users = 1;
    t->weight = weight;
    t->last = 1;
    pthread_mutex_init(&t->lock, NULL);
    return t;
}

wfi_trail *wfi_trail_keep(wfi_trail *t) {
    __atomic_fetch_add(&t->users, 1, __ATOMIC_RELAXED);
    return t;
}

static void free_changes(wfi_trail *t) {
    WFI_FREE(t->source, t->target, t->change, t->weights, t->end);
    t->source = t->target = NULL;
    t->change = NULL;
    t->weights = NULL;
    t->end = NULL;
    t->count = t->capacity = 0;
    t->ends_capacity = 0;
}

static void drop_rows(wfi_trail *t) {
    wfi_gpu_rows_drop(t->rows);
    t->rows = NULL;
    free_changes(t);
}

void wfi_trail_drop(wfi_trail *t) {
    if (!t || __atomic_sub_fetch(&t->users, 1, __ATOMIC_ACQ_REL)) return;
    drop_rows(t);
    pthread_mutex_destroy(&t->lock);
    wfi_free(t);
}

/* --- the writer -------------------------------------------------------------------------- */

static bool grow(weft_ctx *ctx, void **block, uint64_t count, size_t each) {
    void *larger = wfi_resize(ctx, *block, (size_t)count, each);
    if (larger) *block = larger;
    return larger != NULL;
}

/* False if memory is short; the batch itself does not need the trail. */
static bool reserve_changes(weft_ctx *ctx, wfi_trail *t, uint64_t more) {
    size_t versions = (size_t)(t->last - t->first) + 1;
    if (versions > t->ends_capacity) {
        if (!grow(ctx, (void **)&t->end, 2 * versions + 64, sizeof *t->end)) return false;
        t->ends_capacity = 2 * versions + 64;
    }
    if (t->count + more <= t->capacity) return true;
    uint64_t capacity = (t->count + more) * 3 / 2 + 1024;
    if (!grow(ctx, (void **)&t->source, capacity, sizeof *t->source) ||
        !grow(ctx, (void **)&t->target, capacity, sizeof *t->target) || !grow(ctx, (void **)&t->change, capacity, 1) ||
        (t->weight && !grow(ctx, (void **)&t->weights, capacity, t->weight)))
        return false;
    t->capacity = capacity;
    return true;
}

static void take_steps(wfi_trail *t, const wfi_arc_steps *s) {
    for (uint64_t i = 0; i < s->count; i++, t->count++) {
        const void *weight = NULL;
        s->step(s->changes, i, &t->source[t->count], &t->target[t->count], &t->change[t->count], &weight);
        if (!t->weight) continue;
        if (weight)
            memcpy(t->weights + t->count * t->weight, weight, t->weight);
        else
            memset(t->weights + t->count * t->weight, 0, t->weight);
    }
}

void wfi_trail_append(weft_ctx *ctx, wfi_trail *t, uint64_t version, const wfi_arc_steps *steps, uint64_t most) {
    pthread_mutex_lock(&t->lock);
    t->last = version;
    if (t->rows && (t->count + steps->count > most || !reserve_changes(ctx, t, steps->count))) drop_rows(t);
    if (t->rows) {
        take_steps(t, steps);
        t->end[version - t->first - 1] = t->count;
    }
    pthread_mutex_unlock(&t->lock);
}

void wfi_trail_break(wfi_trail *t, uint64_t version) {
    pthread_mutex_lock(&t->lock);
    t->last = version;
    drop_rows(t);
    pthread_mutex_unlock(&t->lock);
}

void wfi_trail_undo(wfi_trail *t, uint64_t version) {
    pthread_mutex_lock(&t->lock);
    t->last = version;
    if (t->rows) t->count = version > t->first ? t->end[version - t->first - 1] : 0;
    pthread_mutex_unlock(&t->lock);
}

/* --- mirrors ------------------------------------------------------------------------------ */

/* Drops the changes that led to the new rows. */
static void move_up(wfi_trail *t, uint64_t version) {
    size_t gone = (size_t)(version - t->first), left = (size_t)(t->last - version);
    uint64_t changes = t->end[gone - 1], kept = t->count - changes;
    if (kept) {
        memmove(t->source, t->source + changes, kept * sizeof *t->source);
        memmove(t->target, t->target + changes, kept * sizeof *t->target);
        memmove(t->change, t->change + changes, kept);
    }
    if (kept && t->weight) memmove(t->weights, t->weights + changes * t->weight, kept * t->weight);
    for (size_t i = 0; i < left; i++) t->end[i] = t->end[gone + i] - changes;
    t->count = kept;
}

void wfi_trail_offer(wfi_trail *t, uint64_t version, struct wfi_gpu_rows *rows) {
    pthread_mutex_lock(&t->lock);
    struct wfi_gpu_rows *before = t->rows;
    bool takes = before ? version > t->first && version <= t->last : version == t->last;
    if (takes && before) move_up(t, version);
    if (takes) {
        t->rows = wfi_gpu_rows_keep(rows);
        t->first = version;
    }
    pthread_mutex_unlock(&t->lock);
    if (takes) wfi_gpu_rows_drop(before);
}

bool wfi_trail_forget(wfi_trail *t) {
    pthread_mutex_lock(&t->lock);
    bool some = t->rows != NULL;
    drop_rows(t);
    pthread_mutex_unlock(&t->lock);
    return some;
}

/* With the lock held. */
static bool reaches(const wfi_trail *t, uint64_t version, int index, uint64_t *changes) {
    *changes = 0;
    if (!t->rows || version < t->first || version > t->last) return false;
    if (index >= 0 && wfi_gpu_rows_index(t->rows) != index) return false;
    if (version > t->first) *changes = t->end[version - t->first - 1];
    return true;
}

bool wfi_trail_reaches(const weft_graph *g, int index, uint64_t *changes) {
    *changes = 0;
    if (!g->trail) return false;
    pthread_mutex_lock(&g->trail->lock);
    bool yes = reaches(g->trail, g->version, index, changes);
    pthread_mutex_unlock(&g->trail->lock);
    return yes;
}

/* Copies of the changes: the writer may append others during the upload. */
typedef struct copies {
    struct wfi_gpu_rows *rows;
    uint64_t count;
    weft_vid *source, *target;
    uint8_t *change;
    char *weights;
} copies;

static weft_status copy_changes(weft_ctx *ctx, const wfi_trail *t, copies *c) {
    weft_status st = wfi_alloc(ctx, &c->source, c->count);
    if (!st) st = wfi_alloc(ctx, &c->target, c->count);
    if (!st) st = wfi_alloc(ctx, &c->change, c->count);
    if (!st && t->weight && !(c->weights = wfi_take(ctx, c->count, t->weight))) st = WEFT_ENOMEM;
    if (st || !c->count) return st;
    memcpy(c->source, t->source, c->count * sizeof *c->source);
    memcpy(c->target, t->target, c->count * sizeof *c->target);
    memcpy(c->change, t->change, c->count);
    if (t->weight) memcpy(c->weights, t->weights, c->count * t->weight);
    return WEFT_OK;
}

weft_status wfi_trail_follow(weft_ctx *ctx, const weft_graph *g, int index, struct wfi_gpu_rows **out) {
    copies c = {NULL, 0, NULL, NULL, NULL, NULL};
    wfi_trail *t = g->trail;
    uint64_t counts[WFI_COUNTS];
    double ms;
    *out = NULL;
    if (!t) return WEFT_OK;
    pthread_mutex_lock(&t->lock);
    bool yes = reaches(t, g->version, index, &c.count);
    weft_status st = yes ? copy_changes(ctx, t, &c) : WEFT_OK;
    if (yes && !st) c.rows = wfi_gpu_rows_keep(t->rows);
    pthread_mutex_unlock(&t->lock);
    wfi_arc_batch batch = {.rows = g->n,
                           .directed = true, /* arcs, each by itself */
                           .count = c.count,
                           .source = c.source,
                           .target = c.target,
                           .changes = c.change,
                           .weights = c.weights};
    if (c.rows && !c.count && wfi_gpu_rows_count(c.rows) == g->n) {
        *out = wfi_gpu_rows_keep(c.rows);
    } else if (c.rows) {
        st = wfi_gpu_rows_merge(ctx, c.rows, &batch, counts, &ms, out);
    }
    wfi_gpu_rows_drop(c.rows);
    WFI_FREE(c.source, c.target, c.change, c.weights);
    return st;
}
