/* Multi-source breadth-first search on CPU cores: up to 512 searches by hops at once, a bit each in the words of every
 * vertex [1].  Needs: rows to follow; with the same arcs reversed, bottom-up steps are possible.
 * The set of bits at each distance does not depend on threads, on the order of sources, or on the assignment of sources
 * to words: integer counts of them are the same for any number of threads.
 * [1] Then et al., "The more the merrier: efficient multi-source graph traversal", PVLDB 8(4), 2014. */
#ifndef WFI_MSBFS_H
#define WFI_MSBFS_H

#include "core/workspace.h"
#include "engines/msbfs/msbfs_order.h"

/* A vertex's bits fill a cache line. */
enum { WFI_MSBFS_WORDS = 8, WFI_MSBFS = 64 * WFI_MSBFS_WORDS };
typedef uint64_t wfi_msbfs_bits[WFI_MSBFS_WORDS];

/* Reports `count` vertices, and for each of them the bits of the sources at exactly this distance, fresh[v].  If
 * threads share the searches, each thread calls with vertices of its own. */
typedef void (*wfi_msbfs_came)(void *user, uint32_t distance, const weft_vid *vertex, uint64_t count,
                               const wfi_msbfs_bits *fresh);

typedef struct wfi_msbfs {
    weft_ctx *ctx;
    const wfi_view *along, *back; /* back NULL: there are no reversed rows */
    weft_vid n;
    int threads; /* threads that share the searches */
    wfi_msbfs_came came;
    void *user;

    wfi_msbfs_bits *seen, *now, *next; /* before this level, at it, at the next one; now and next are 0 between runs */
    weft_vid *level, *met;             /* vertices with bits in `now`; vertices found in a step */
    uint8_t *mark;
    wfi_msbfs_bits all;     /* bits of all sources of this run */
    _Atomic uint64_t found; /* length of `met` */
    _Atomic uint64_t open;  /* arcs into vertices that some source has not reached */
    _Atomic bool stop;      /* the caller wants to stop */
    uint64_t unpolled;
} wfi_msbfs;

/* The arrays of `at_once` simultaneous searches, each for `most` vertices; wfi_msbfs_ready returns number i, ready for
 * a run, with the fields before the arrays as in `all`. */
void wfi_msbfs_lay_out(wfi_workspace *w, uint64_t most, int at_once, wfi_msbfs *m);
uint64_t wfi_msbfs_bytes(uint64_t most);
wfi_msbfs wfi_msbfs_ready(const wfi_msbfs *all, uint64_t most, int i);

/* Searches from `count` distinct sources; bit i belongs to sources[i].  Distance 0 is not reported.  False: the run was
 * stopped. */
bool wfi_msbfs_run(wfi_msbfs *m, const weft_vid *sources, unsigned count);

#endif
