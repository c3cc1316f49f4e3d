/* A batch on its way into the store. */
#ifndef WFI_DYNAMIC_BATCH_H
#define WFI_DYNAMIC_BATCH_H

#include "core/scan.h"
#include "dynamic/dynamic.h"
#include "dynamic/group.h"

/* How long small batches took.  A team has to wait for its last thread, and on a machine with other work that may be a
 * thousand times what the batch takes alone; so a team that loses stands aside, for longer each time.  One late batch
 * among many early ones is no loss: averages are compared. */
typedef struct wfi_pace {
    double alone_us;      /* a group, of late; 0 = not known */
    double team_us;       /* the same of the team, since it last stood aside; 0 = not known */
    uint32_t aside, left; /* batches that the team stands aside: the last time, and still to go */
} wfi_pace;

/* What a batch of up to `room` changes needs, kept for the next: allocating would take longer than the changes. */
typedef struct wfi_kept {
    uint64_t room;
    weft_vid *source, *target;
    uint64_t *key;
    uint32_t *what;
    wfi_sort_scratch sort;
    wfi_placed *placed;
    wfi_merge *part;
    int parts;
    wfi_pace pace;
} wfi_kept;
enum { WFI_KEPT_MOST = 2048 };

/* The same for larger ones, as long as it is not larger than the rows themselves: fresh pages, zeroed by the system,
 * would take a good part of the time. */
typedef struct wfi_scratch {
    uint64_t room; /* keys */
    size_t places; /* of sort.places */
    uint64_t *key;
    uint32_t *what; /* and sort.value: NULL where there are no weights */
    wfi_sort_scratch sort;
} wfi_scratch;

typedef struct wfi_batch {
    weft_ctx *ctx;
    wfi_kept *kept;       /* NULL: a larger batch */
    wfi_scratch *scratch; /* of one that was sorted */
    weft_dynamic *d;
    const weft_batch *given;
    bool to_log;
    weft_vid *source, *target; /* slots of each change; source WEFT_NO_VERTEX: nothing is left to do */
    bool lent;                 /* these two are the dynamic graph's */
    uint32_t *removal;         /* positions of changes that remove a vertex */
    size_t removals, removals_room;
    wfi_changes changes;
    weft_batch_stats stats;
} wfi_batch;

/* Is it of this graph's kind?  A batch from the log is asked no more than that: its sums say that it is as it was
 * written. */
weft_status wfi_batch_check(weft_ctx *ctx, const weft_dynamic *d, const weft_batch *b);
/* Weights are finite, after the former. */
weft_status wfi_batch_check_weights(weft_ctx *ctx, const weft_dynamic *d, const weft_batch *b);

/* Its arrays, if the dynamic graph keeps them. */
weft_status wfi_batch_begin(wfi_batch *b);
void wfi_batch_end(wfi_batch *b);
void wfi_kept_free(wfi_kept *kept);
/* At least so many parts, one for each thread. */
weft_status wfi_kept_parts(weft_ctx *ctx, wfi_kept *kept, int parts);

/* Room for so many changes by row and target, b->changes.key and what, and to sort them. */
weft_status wfi_scratch_take(wfi_batch *b, uint64_t keys);
void wfi_scratch_free(wfi_scratch *scratch);

/* A list of so many groups, from the last batch if it had one that suffices; and back, for the next, if it is not too
 * large to be kept. */
weft_status wfi_list_take(weft_ctx *ctx, weft_dynamic *d, size_t groups, wfi_placed **list);
void wfi_list_give(weft_dynamic *d, wfi_placed *list);
/* The second half of a batch where rows lie on a GPU (on_gpu.c): merged there, appended to the log, published. */
weft_status wfi_gpu_commit(wfi_batch *b);

/* One thread, or all of these; then what it took for so many groups. */
int wfi_pace_choose(wfi_pace *pace, int threads);
void wfi_pace_learn(wfi_pace *pace, int threads, size_t groups, double us);

/* The two steps below in one, for large batches of edges between vertices that are there: ids become sorted changes at
 * once.  *done is false if this is another batch, and then nothing was changed. */
weft_status wfi_batch_direct(wfi_batch *b, bool *done);
/* Ids become slots; vertices come and go. */
weft_status wfi_batch_resolve(wfi_batch *b);
/* Changes of edges that a later removal of a vertex takes away come to nothing; trackers have seen them by then. */
weft_status wfi_batch_supersede(wfi_batch *b);
/* Changes by row and target, in both directions if the graph is undirected. */
weft_status wfi_batch_sort(wfi_batch *b);

/* Groups that changes of vertices touch, as bits; NULL = none do. */
weft_status wfi_touched_marks(wfi_batch *b, const wfi_version *now, uint64_t **marks);
/* All groups to merge, ascending, with their changes; counted only if `to` is NULL. */
size_t wfi_touched_list(const wfi_batch *b, const uint64_t *marks, uint64_t groups, wfi_placed *to);
/* The same where nothing is marked: first counted by all threads, and `place`, of shares + 1, keeps where each one's
 * begin. */
size_t wfi_touched_count(const wfi_batch *b, uint64_t *place, int shares);
void wfi_touched_fill(const wfi_batch *b, const uint64_t *place, int shares, wfi_placed *to);

#endif
