/* The file of a checkpoint: a head of 4096 bytes, then the columns, each with a value for every vertex of the graph, in
 * their order.
 *
 * All ranks write to one file, NAME.checkpoint.partial, each the values of its own vertices; when all of it is on the
 * disk, the first rank gives it its name.  So the checkpoint before stays until then, and no rank ever holds the whole
 * state.
 * Digests: that of a column is a sum over groups of 8 vertices.  Ranges begin at multiples of 8 (WFI_CUT_AT), so it
 * does not depend on the partition.  The byte order is the machine's, which the head states. */
#ifndef WFI_RUN_CHECKPOINT_FILE_H
#define WFI_RUN_CHECKPOINT_FILE_H

#include "ranks/spread.h"
#include "run/checkpoint.h"

enum { WFI_CHECKPOINT_FORMAT = 1, WFI_CHECKPOINT_WORDS = 3936, WFI_CHECKPOINT_HEAD = 4096 };

typedef struct wfi_checkpoint_head {
    char magic[16];
    uint64_t order; /* 0x0102030405060708 */
    uint64_t format;
    char library[32];                 /* version that wrote the file: "0.1.0" */
    char words[WFI_CHECKPOINT_WORDS]; /* algorithm and parameters */
    uint64_t vertices, arcs, graph;   /* the graph's digest */
    uint64_t iteration;
    uint64_t each[WFI_STATE_COLUMNS], digest[WFI_STATE_COLUMNS];
    double number[WFI_STATE_NUMBERS];
    uint64_t check; /* digest of all before */
} wfi_checkpoint_head;
_Static_assert(sizeof(wfi_checkpoint_head) == WFI_CHECKPOINT_HEAD, "the columns begin behind it");

typedef struct wfi_checkpoint_place {
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_spread *spread;
    char *folder, *path, *partial;
    int lock; /* of the folder, on the first rank; -1: not locked */
} wfi_checkpoint_place;

/* All functions are collective.  Entering makes sure that the folder exists, that no other run uses it, and that all
 * ranks can write to it. */
weft_status wfi_checkpoint_enter(wfi_checkpoint_place *p);
void wfi_checkpoint_leave(wfi_checkpoint_place *p);
/* Reads the head of the file and verifies its digest; *there is false if there is no file. */
weft_status wfi_checkpoint_look(const wfi_checkpoint_place *p, wfi_checkpoint_head *head, bool *there);
/* Reads the values to where the state points. */
weft_status wfi_checkpoint_load(const wfi_checkpoint_place *p, const wfi_checkpoint_head *head, wfi_state *state);
/* Replaces the file by head and state; fills in the head's each, digest, number and check. */
weft_status wfi_checkpoint_store(const wfi_checkpoint_place *p, wfi_checkpoint_head *head, const wfi_state *state);

#endif
