/* What carries bytes between ranks: a table of collective calls, which src/ranks/self.c has for threads of one process
 * and a plug-in for MPI.  This header is all that a plug-in includes: it has no type of the library, and neither links
 * the other.
 *
 * Every call is collective: all ranks make the same calls in the same order, each from one thread.  Sizes are in bytes
 * and of 64 bits, whatever MPI counts in.  A call returns 0, or a number that is not, after which the ranks cannot talk
 * any more.  Memory is the host's: a transport between GPUs has a table of its own, with device pointers and a stream
 * in its calls. */
#ifndef WFI_TRANSPORT_H
#define WFI_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

typedef enum wfi_reduction { WFI_SUM, WFI_MIN, WFI_MAX } wfi_reduction;

typedef struct wfi_transport {
    /* all + start[r] ... all + start[r+1] is rank r's: its own is there, and those of the others come. */
    int (*allgather)(void *self, void *all, const uint64_t *start);
    /* send + send_start[r] ... goes to rank r; what comes from it goes to receive + receive_start[r] ...  Both ends
     * know the sizes. */
    int (*alltoall)(void *self, const void *send, const uint64_t *send_start, void *receive,
                    const uint64_t *receive_start);
    /* mine[i] = the sum of all[start[rank] + i] over all ranks; start counts elements. */
    int (*reduce_scatter)(void *self, const uint64_t *all, const uint64_t *start, uint64_t *mine);
    int (*allreduce)(void *self, uint64_t *values, size_t count, wfi_reduction how);
    int (*barrier)(void *self);
    /* Ends all ranks with this exit code, without waiting for them. */
    void (*abort)(void *self, int code);
    void (*close)(void *self);
} wfi_transport;

/* One rank's end. */
typedef struct wfi_link {
    int rank, size;
    int local_rank, local_size; /* among those on this machine */
    int local_cores;            /* that these may use */
    const wfi_transport *transport;
    void *self;
    char name[80]; /* "Open MPI 4.1.4" */
} wfi_link;

/* What a plug-in exports, under the name WFI_PLUGIN_SYMBOL. */
enum { WFI_PLUGIN_VERSION = 2 };
#define WFI_PLUGIN_SYMBOL "weft_plugin"
typedef struct wfi_plugin {
    unsigned version; /* WFI_PLUGIN_VERSION of the header that it was compiled with */
    /* communicator: a pointer to the caller's, which must be initialised; NULL: all that were launched together, and
     * the plug-in initialises MPI unless somebody has, and then also finalises it.  cores: of the ranks of this
     * machine, at most.  Not 0: why has the reason. */
    int (*open)(const void *communicator, int cores, wfi_link *link, char *why, size_t room);
    void (*describe)(char *text, size_t room); /* the MPI library in a few words; may be called before open */
} wfi_plugin;

#endif
