/* Many searches at once on CPU cores: breadth-first, by hops, from up to 512 sources side by side, a bit each in the
 * words of every vertex [1].  Needs: rows to go along, and, to go faster where most arcs lead to what is known, the
 * same arcs backwards.
 * Which bits are set at which distance does not depend on threads, on the order of sources, or on which of them share
 * the words: whoever counts them in integers has the same sums on any number of threads.
 * [1] Then et al., "The more the merrier: efficient multi-source graph traversal", PVLDB 8(4), 2014. */
#ifndef WFI_MSBFS_H
#define WFI_MSBFS_H

#include "core/workspace.h"
#include "engines/msbfs/msbfs_order.h"

/* A vertex's bits are a line of cache. */
enum { WFI_MSBFS_WORDS = 8, WFI_MSBFS = 64 * WFI_MSBFS_WORDS };
typedef uint64_t wfi_msbfs_bits[WFI_MSBFS_WORDS];

/* What came at this distance: `count` vertices, and of each the bits of the sources that are so far from it, fresh[v].
 * Where threads share the searches, each of them calls with vertices of its own. */
typedef void (*wfi_msbfs_came)(void *user, uint32_t distance, const weft_vid *vertex, uint64_t count,
                               const wfi_msbfs_bits *fresh);

typedef struct wfi_msbfs {
    weft_ctx *ctx;
    const wfi_view *along, *back; /* back NULL: there are no such rows */
    weft_vid n;
    int threads; /* that share the searches */
    wfi_msbfs_came came;
    void *user;

    wfi_msbfs_bits *seen, *now, *next; /* before this level, at it, at the next one; now and next are 0 between runs */
    weft_vid *level, *met;             /* vertices with bits in `now`; those that are found */
    uint8_t *mark;
    wfi_msbfs_bits all;     /* of the sources at hand */
    _Atomic uint64_t found; /* length of `met` */
    _Atomic uint64_t open;  /* arcs that enter vertices which some source has not reached */
    _Atomic bool stop;      /* the caller wants to stop */
    uint64_t unpolled;
} wfi_msbfs;

/* The arrays of so many searches side by side, each for `most` vertices; and number i of them, ready for a run, of
 * which the fields before the arrays are set. */
void wfi_msbfs_lay_out(wfi_workspace *w, uint64_t most, int at_once, wfi_msbfs *m);
uint64_t wfi_msbfs_bytes(uint64_t most);
wfi_msbfs wfi_msbfs_ready(const wfi_msbfs *all, uint64_t most, int i);

/* From `count` distinct sources, bit i is that of sources[i].  Distance 0 is not told.  False: it was stopped. */
bool wfi_msbfs_run(wfi_msbfs *m, const weft_vid *sources, unsigned count);

#endif
