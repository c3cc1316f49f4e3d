/* A batch on its way into the store: resolved to slots, sorted by row and target, merged into groups, published. */
#ifndef WFI_DYNAMIC_BATCH_H
#define WFI_DYNAMIC_BATCH_H

#include "core/scan.h"
#include "dynamic/dynamic.h"
#include "dynamic/group.h"

/* One thread or all, for small batches: by moving averages of their times, with exponential backoff.  A team waits for
 * its last thread, which on a busy machine may take a thousand times as long as the batch alone; a team that loses is
 * not tried again for a number of batches, which doubles each time. */
typedef struct wfi_team_choice {
    double alone_us;        /* a group, of late; 0 = not known */
    double team_us;         /* the same of the team, since its last backoff; 0 = not known */
    uint32_t backoff, left; /* batches without a team: the last time, and still to go */
} wfi_team_choice;

/* All that a batch of up to `room` changes needs: allocating it would take longer than the changes. */
typedef struct wfi_small_buffers {
    uint64_t room;
    weft_vid *source, *target;
    uint64_t *key;
    uint32_t *what;
    wfi_sort_scratch sort;
    wfi_placed *placed;
    wfi_merge *part;
    int parts;
    wfi_team_choice pace;
} wfi_small_buffers;
enum { WFI_SMALL_BATCH = 2048 };

/* Buffers to sort larger batches, as long as they are not larger than the rows themselves: fresh pages, zeroed by the
 * system, would take a good part of the time. */
typedef struct wfi_large_buffers {
    uint64_t room; /* keys */
    size_t places; /* of sort.places */
    uint64_t *key;
    uint32_t *what; /* and sort.value: NULL where there are no weights */
    wfi_sort_scratch sort;
} wfi_large_buffers;

typedef struct wfi_batch {
    weft_ctx *ctx;
    wfi_small_buffers *small; /* NULL: a larger batch */
    wfi_large_buffers *large; /* of one that was sorted */
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

/* Is it of this graph's kind?  All that is checked of a batch from the log, whose digests were right. */
weft_status wfi_batch_check(weft_ctx *ctx, const weft_dynamic *d, const weft_batch *b);
/* Weights are finite, after the former. */
weft_status wfi_batch_check_weights(weft_ctx *ctx, const weft_dynamic *d, const weft_batch *b);

/* Takes the buffers that the dynamic graph has. */
weft_status wfi_batch_begin(wfi_batch *b);
void wfi_batch_end(wfi_batch *b);
void wfi_small_buffers_free(wfi_small_buffers *buffers);
/* At least so many parts, one for each thread. */
weft_status wfi_small_buffers_parts(weft_ctx *ctx, wfi_small_buffers *buffers, int parts);

/* Room for so many changes by row and target, b->changes.key and what, and to sort them. */
weft_status wfi_large_buffers_take(wfi_batch *b, uint64_t keys);
void wfi_large_buffers_free(wfi_large_buffers *buffers);

/* A list of so many groups, the last batch's if that suffices; and back, for the next, unless it is too large. */
weft_status wfi_list_take(weft_ctx *ctx, weft_dynamic *d, size_t groups, wfi_placed **list);
void wfi_list_give(weft_dynamic *d, wfi_placed *list);
/* The second half of a batch where rows lie on a GPU (on_gpu.c): merged there, appended to the log, published. */
weft_status wfi_gpu_commit(wfi_batch *b);

/* One thread, or all of these; then what it took for so many groups. */
int wfi_team_choice_choose(wfi_team_choice *pace, int threads);
void wfi_team_choice_learn(wfi_team_choice *pace, int threads, size_t groups, double us);

/* Resolves and sorts in one pass, for large batches of edges between vertices that are there.  *done is false if this
 * is another batch, and then nothing was changed. */
weft_status wfi_batch_direct(wfi_batch *b, bool *done);
/* Ids become slots; vertices come and go. */
weft_status wfi_batch_resolve(wfi_batch *b);
/* Changes of edges that a later removal of a vertex takes away come to nothing; trackers have seen them by then. */
weft_status wfi_batch_supersede(wfi_batch *b);
/* Changes by row and target, in both directions if the graph is undirected. */
weft_status wfi_batch_sort(wfi_batch *b);

/* Groups that changes of vertices dirty, as bits; NULL = none do. */
weft_status wfi_dirty_marks(wfi_batch *b, const wfi_version *now, uint64_t **marks);
/* All groups to merge, ascending, with their changes; counted only if `to` is NULL. */
size_t wfi_dirty_list(const wfi_batch *b, const uint64_t *marks, uint64_t groups, wfi_placed *to);
/* The same where nothing is marked: first counted by all threads, and `place`, of shares + 1, keeps where each one's
 * begin. */
size_t wfi_dirty_count(const wfi_batch *b, uint64_t *place, int shares);
void wfi_dirty_fill(const wfi_batch *b, const uint64_t *place, int shares, wfi_placed *to);

#endif
