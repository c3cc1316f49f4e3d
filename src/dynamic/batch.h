/* A batch on its way into the store: resolved to slots, sorted by row and target, merged into groups, published. */
#ifndef WFI_DYNAMIC_BATCH_H
#define WFI_DYNAMIC_BATCH_H

#include "core/scan.h"
#include "dynamic/dynamic.h"
#include "dynamic/group.h"

/* Chooses one thread or all for small batches, by moving averages of their times with exponential backoff. A team
 * waits for its last thread, which on a busy machine may take a thousand times as long as the batch on one thread; a
 * team that loses is not tried again for a number of batches that doubles each time. */
typedef struct wfi_team_choice {
    double alone_us;        /* time of one thread per group, moving average; 0: unknown */
    double team_us;         /* time of the team per group since the last backoff; 0: unknown */
    uint32_t backoff, left; /* batches without a team: length of the last backoff; remaining */
} wfi_team_choice;

/* Buffers for batches of up to `capacity` changes: allocation would take longer than the changes. */
typedef struct wfi_small_buffers {
    uint64_t capacity;
    weft_vid *source, *target;
    uint64_t *key;
    uint32_t *what;
    wfi_sort_scratch sort;
    wfi_placed *placed;
    wfi_merge *part;
    int parts;
    wfi_team_choice team;
} wfi_small_buffers;
enum { WFI_SMALL_BATCH = 2048 };

/* Buffers to sort larger batches, kept while they are not larger than the rows: fresh pages, zeroed by the system,
 * would take a large part of the time. */
typedef struct wfi_large_buffers {
    uint64_t capacity; /* capacity in keys */
    size_t places;     /* elements of sort.places */
    uint64_t *key;
    uint32_t *what; /* NULL without weights, as sort.value */
    wfi_sort_scratch sort;
} wfi_large_buffers;

typedef struct wfi_batch {
    weft_ctx *ctx;
    wfi_small_buffers *small; /* NULL for larger batches */
    wfi_large_buffers *large; /* buffers of a batch that was sorted */
    weft_dynamic *d;
    const weft_batch *given;
    bool to_log;
    weft_vid *source, *target; /* slots of each change; source WEFT_NO_VERTEX: no edge change is left */
    bool lent;                 /* source and target belong to the dynamic graph */
    uint32_t *removal;         /* positions of the changes that remove a vertex */
    size_t removals, removals_capacity;
    wfi_changes changes;
    weft_batch_stats stats;
} wfi_batch;

/* Checks that a batch fits the graph; the only check of batches from the log, whose digests match. */
weft_status wfi_batch_check(weft_ctx *ctx, const weft_dynamic *d, const weft_batch *b);
/* Checks that weights are finite; called after wfi_batch_check. */
weft_status wfi_batch_check_weights(weft_ctx *ctx, const weft_dynamic *d, const weft_batch *b);

/* Takes the buffers of the dynamic graph. */
weft_status wfi_batch_begin(wfi_batch *b);
void wfi_batch_end(wfi_batch *b);
void wfi_small_buffers_free(wfi_small_buffers *buffers);
/* Ensures at least `parts` parts, one per thread. */
weft_status wfi_small_buffers_parts(weft_ctx *ctx, wfi_small_buffers *buffers, int parts);

/* Sets b->changes.key and what, with space for `keys` changes by row and target, and buffers to sort them. */
weft_status wfi_large_buffers_take(wfi_batch *b, uint64_t keys);
void wfi_large_buffers_free(wfi_large_buffers *buffers);

/* A list of `groups` groups, reusing the last batch's; wfi_list_give keeps it for the next batch unless it is too
 * large. */
weft_status wfi_list_take(weft_ctx *ctx, weft_dynamic *d, size_t groups, wfi_placed **list);
void wfi_list_give(weft_dynamic *d, wfi_placed *list);
/* The second half of a batch with rows on a GPU (on_gpu.c): merges there, appends to the log, publishes. */
weft_status wfi_gpu_commit(wfi_batch *b);

/* Chooses 1 or `threads`; wfi_team_choice_learn records the time of that choice. */
int wfi_team_choice_choose(wfi_team_choice *team, int threads);
void wfi_team_choice_learn(wfi_team_choice *team, int threads, size_t groups, double us);

/* Resolves and sorts in one pass, for large batches of edges between existing vertices. For other batches *done is
 * false and nothing is changed. */
weft_status wfi_batch_direct(wfi_batch *b, bool *done);
/* Replaces ids by slots; adds and removes vertices. */
weft_status wfi_batch_resolve(wfi_batch *b);
/* Drops changes of edges that a later removal of a vertex supersedes; trackers have seen them by then. */
weft_status wfi_batch_supersede(wfi_batch *b);
/* Sorts changes by row and target, in both directions if the graph is undirected. */
weft_status wfi_batch_sort(wfi_batch *b);

/* Bitmap of the groups made dirty by changes of vertices; NULL if there are none. */
weft_status wfi_dirty_marks(wfi_batch *b, const wfi_version *now, uint64_t **marks);
/* Lists all dirty groups, ascending, with their changes; only counts them if `to` is NULL. */
size_t wfi_dirty_list(const wfi_batch *b, const uint64_t *marks, uint64_t groups, wfi_placed *to);
/* wfi_dirty_list without marks, in parallel: wfi_dirty_count counts and sets place[share] (shares + 1 entries) to the
 * begin of each share. */
size_t wfi_dirty_count(const wfi_batch *b, uint64_t *place, int shares);
void wfi_dirty_fill(const wfi_batch *b, const uint64_t *place, int shares, wfi_placed *to);

#endif
