/* Delta-stepping [1] on ranks: the driver, which picks the next bucket, ends the search, and finds parents.
 * Method: ranks relax the arcs of a bucket by themselves until nothing falls, then exchange messages (vertex, length);
 * the bucket is empty when no rank has received a shorter one.  Back ends supply the steps, on CPUs (sssp_ranks.c) or
 * GPUs (sssp_ranks_cuda.cu); their own state begins with this struct.
 * [1] Meyer, Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 49 (2003). */
#ifndef WFI_SSSP_RANK_PATHS_H
#define WFI_SSSP_RANK_PATHS_H

#include "algo/sssp/sssp.h"
#include "ranks/spread.h"

WFI_C_BEGIN

typedef struct wfi_rank_paths wfi_rank_paths;

/* All ranks call each of them together, and get the same status. */
typedef struct wfi_rank_path_steps {
    /* Sources wait at distance 0. */
    weft_status (*begin)(wfi_rank_paths *p, const wfi_sssp_ends *ends);
    /* The bits of the least distance among the vertices of this rank that wait; those of infinity if none does. */
    weft_status (*nearest)(wfi_rank_paths *p, uint64_t *least);
    /* Those that wait below p->bound are near. */
    weft_status (*fill)(wfi_rank_paths *p);
    /* The arcs of all that is near, and of what comes near by that, are relaxed, and lengths are
     * exchanged.  *near: vertices of this rank that are near then.  p->stop is set when it shall end, and p->sent grows
     * if there is put_off. */
    weft_status (*relax)(wfi_rank_paths *p, uint64_t *near);
    /* What is near waits for a bucket of its distance.  NULL: patience has no end. */
    void (*put_off)(wfi_rank_paths *p);
    /* The bits of the largest distance among this rank's targets, 0 if it has none. */
    weft_status (*farthest)(wfi_rank_paths *p, const wfi_sssp_ends *ends, uint64_t *most);
    /* The column of distances; what lies beyond is not reached. */
    weft_status (*settle)(wfi_rank_paths *p, double beyond);
    /* All ranks have all distances: what follows looks at them. */
    weft_status (*share)(wfi_rank_paths *p);
    /* Parents at a smaller distance, and the sources'.  *orphans: vertices of this rank that are reached and have
     * none. */
    weft_status (*parents)(wfi_rank_paths *p, const wfi_sssp_ends *ends, uint64_t *orphans);
    /* Who was given a parent in the hop before, in the first whoever has one, offers itself to those at the same
     * distance that have none.  *given: one of this rank was. */
    weft_status (*hop)(wfi_rank_paths *p, bool first, uint64_t *given);
    /* Does an arc of this rank's lead to a vertex that is too far for doubles? */
    weft_status (*beyond)(wfi_rank_paths *p, uint64_t *found);
    /* The column of parents. */
    weft_status (*end)(wfi_rank_paths *p);
} wfi_rank_path_steps;

struct wfi_rank_paths {
    weft_ctx *ctx;
    wfi_spread *s;
    const wfi_part *part;
    const wfi_rank_path_steps *steps;
    wfi_sssp_columns c; /* of this rank's vertices */
    double bound;       /* of the bucket */
    uint64_t sent;      /* messages, to other ranks or to itself */
    bool narrow;        /* a bucket is one distance */
    bool stop;
};

/* A vertex may be sent messages again and again.  Once a rank has sent more than 8 * (its arcs + vertices of other
 * ranks), buckets become one distance wide: nothing falls any more within a bucket, so each arc sends one message from
 * then on, at the price of many collective calls. */
enum { WFI_PATHS_PATIENCE = 8 };
static inline uint64_t wfi_paths_patience(const wfi_spread *s) {
    return WFI_PATHS_PATIENCE * (s->arcs + (s->g->n - s->vertices));
}

/* The arrays are there. */
weft_status wfi_rank_paths_run(wfi_job *job, wfi_rank_paths *p);

WFI_C_END
#endif
