/* The driver of community.h: iterations, levels and rounds, and the conditions that end them.  Only integers decide, so
 * that every engine takes the same path. */
#include "algo/leiden/bodies.h"

/* A level ends after a round in which fewer than 3 (input graph) or 10 (coarser levels) per mille of its vertices
 * move. */
enum { STAGES = 100, MOVED_PER_MILLE = 3, MOVED_ABOVE = 10 };
/* After a round in which fewer than 1/FEW_MOVED of the vertices move there are fewer classes: further turns cost more
 * than the conflicts that they prevent.  Not without refinement, where wrong merges are never undone, and not under
 * CPM. */
enum { FEW_MOVED = 12, FEW_CLASSES = 3 };

typedef struct drive {
    weft_ctx *ctx;
    const wfi_community_task *task;
    const wfi_community_steps *steps;
    void *machine;
    uint64_t stage; /* hashes differ from level to level */
    wfi_community_found *found;
} drive;

static wfi_community_keys keys_of(const drive *d, uint64_t purpose, uint64_t round) {
    uint64_t seed = wfi_splitmix(d->task->seed ^ purpose << 56);
    seed = wfi_splitmix(seed ^ d->stage << 32 ^ round);
    return (wfi_community_keys){seed, wfi_splitmix(seed), WFI_COMMUNITY_CLASSES};
}

static weft_status cancelled(const drive *d) { return wfi_cancelled(d->ctx) ? wfi_fail_cancelled(d->ctx) : WEFT_OK; }

/* Rounds until fewer than per_mille in 1,000 of the `open` vertices move.  If none moves, all vertices look once more:
 * a community's mass also changes for vertices without a moved neighbour. */
static weft_status move(drive *d, weft_vid open, uint64_t per_mille) {
    weft_status st = d->steps->moving(d->machine);
    bool all = true, few = d->task->refine && !d->task->cpm;
    for (uint64_t round = 0, moved; !st && open && round < WFI_COMMUNITY_ROUNDS; round++) {
        wfi_community_keys keys = keys_of(d, 0, round);
        if (few && round && moved * FEW_MOVED < open) keys.classes = FEW_CLASSES;
        st = d->steps->round(d->machine, keys, &moved);
        if (!st) st = cancelled(d);
        if (st || (moved && moved * 1000 < per_mille * open) || (!moved && all)) break;
        all = !moved;
        if (all) st = d->steps->moving(d->machine);
    }
    d->stage++;
    return st;
}

static weft_status refine(drive *d) {
    weft_status st = d->steps->refining(d->machine);
    uint64_t candidates = 1;
    for (uint64_t round = 0; !st && round < WFI_COMMUNITY_REFINE_ROUNDS && candidates; round++) {
        st = d->steps->refine_round(d->machine, keys_of(d, 1, round), &candidates);
        if (!st) st = cancelled(d);
    }
    return st;
}

/* Communities are named after members first, so that the name of every other vertex is free for a community of its
 * own. */
static weft_status polish(drive *d) {
    weft_vid open = 0;
    weft_status st = d->steps->name(d->machine, false);
    if (!st) st = d->steps->open(d->machine, &open);
    if (!st) st = move(d, open, MOVED_PER_MILLE);
    return st ? st : d->steps->close(d->machine);
}

/* Levels from the graph up, until contraction no longer shrinks the graph. */
static weft_status iterate(drive *d) {
    weft_vid n = d->task->g->n, open = 0;
    weft_status st = d->steps->open(d->machine, &open);
    d->found->levels = 0;
    while (!st) {
        weft_vid before = n;
        wfi_progress(d->ctx, "communities", d->stage % STAGES, STAGES);
        st = move(d, open, before == d->task->g->n ? MOVED_PER_MILLE : MOVED_ABOVE);
        if (!st && d->task->refine) st = refine(d);
        if (!st) st = d->steps->contract(d->machine, &n, &open);
        if (st || n == before) break;
        if (d->task->levels && d->found->levels < WFI_COMMUNITY_LEVELS - 1)
            st = d->steps->keep(d->machine, (unsigned)d->found->levels);
        d->found->levels++;
    }
    return st ? st : d->steps->close(d->machine);
}

/* --- measures --- */

static double limbs_value(const uint64_t limbs[4]) {
    __extension__ unsigned __int128 sum = 0;
    for (int i = 3; i >= 0; i--) sum = (sum << 32) + limbs[i];
    return (double)(uint64_t)(sum >> 64) * 0x1p64 + (double)(uint64_t)sum;
}

static double modularity_of(const wfi_community_task *t, const wfi_community_sums *s, double resolution) {
    if (!s->total) return 0;
    double total = (double)s->total, arcs = t->g->directed ? total / 2 : total;
    return (double)s->inside / total - resolution * (limbs_value(s->square) / arcs / arcs);
}

/* In the weights' own unit. */
static double cpm_of(const wfi_community_task *t, const wfi_community_sums *s) {
    double pairs = limbs_value(s->pairs);
    return (double)s->inside / s->unit / 2 - t->resolution * (t->g->directed ? pairs : pairs / 2);
}

static weft_status measure(drive *d) {
    wfi_community_found *f = d->found;
    weft_status st = d->steps->measure(d->machine, &f->sums);
    f->modularity = modularity_of(d->task, &f->sums, 1);
    f->quality = d->task->cpm ? cpm_of(d->task, &f->sums) : modularity_of(d->task, &f->sums, d->task->resolution);
    return st;
}

/* --- iterations ------------------------------------------------------------------------------------------ */

static weft_status iterate_times(drive *d, uint64_t iterations) {
    weft_status st = WEFT_OK;
    for (; !st && d->found->iterations < iterations; d->found->iterations++) st = iterate(d);
    return st;
}

/* Iterates until an iteration brings no improvement; that iteration is undone. */
static weft_status iterate_while_better(drive *d) {
    weft_status st = d->steps->name(d->machine, false);
    bool better = true;
    if (!st) st = measure(d);
    while (!st && better && d->found->iterations < WFI_COMMUNITY_ITERATIONS) {
        double before = d->found->quality;
        st = d->steps->store(d->machine);
        if (!st) st = iterate(d);
        if (!st) st = d->steps->name(d->machine, false);
        if (!st) st = measure(d);
        better = d->found->quality > before;
        if (!st && !better) st = d->steps->restore(d->machine);
        d->found->iterations++;
    }
    return st;
}

weft_status wfi_community_run(weft_ctx *ctx, const wfi_community_task *task, const wfi_community_steps *steps,
                              void *machine, wfi_community_found *found) {
    drive d = {ctx, task, steps, machine, 0, found};
    *found = (wfi_community_found){.iterations = 0};
    if (!task->g->n) return WEFT_OK;
    weft_status st = steps->begin(machine, &found->underflowed);
    if (!st) st = task->iterations ? iterate_times(&d, task->iterations) : iterate_while_better(&d);
    if (!st) st = polish(&d);
    if (!st) st = steps->name(machine, task->refine);
    if (!st) st = measure(&d);
    if (!st && found->underflowed)
        wfi_warn(ctx, "%s: %llu weight%s so small against the others that %s as 0", task->algorithm,
                 (unsigned long long)found->underflowed, found->underflowed == 1 ? " is" : "s are",
                 found->underflowed == 1 ? "it counts" : "they count");
    return st;
}
