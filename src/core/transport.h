/* Transport of bytes between ranks: a table of collective calls, implemented by src/ranks/self.c for threads of one
 * process and by a plug-in for MPI. A plug-in includes this header only: it uses no type of the library, and neither
 * links the other.
 *
 * Every call is collective: all ranks make the same calls in the same order, each from one thread. Sizes are in
 * bytes, 64 bits wide whatever MPI uses. A call returns 0 or a nonzero error, after which the ranks cannot
 * communicate any more. Buffers are in host memory: transports between GPUs have a table of their own, with device
 * pointers and streams. */
#ifndef WFI_TRANSPORT_H
#define WFI_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

typedef enum wfi_reduction { WFI_SUM, WFI_MIN, WFI_MAX } wfi_reduction;

typedef struct wfi_transport {
    /* Gathers parts of all ranks: all + start[r] ... all + start[r+1] is rank r's part. Needs the own part in place. */
    int (*allgather)(void *self, void *all, const uint64_t *start);
    /* Sends send + send_start[r] ... to rank r; receives from it at receive + receive_start[r] ... Both ends know the
     * sizes. */
    int (*alltoall)(void *self, const void *send, const uint64_t *send_start, void *receive,
                    const uint64_t *receive_start);
    /* mine[i] = sum over all ranks of all[start[rank] + i]; start counts elements. */
    int (*reduce_scatter)(void *self, const uint64_t *all, const uint64_t *start, uint64_t *mine);
    int (*allreduce)(void *self, uint64_t *values, size_t count, wfi_reduction how);
    int (*barrier)(void *self);
    /* Ends all ranks with this exit code, without waiting for them. */
    void (*abort)(void *self, int code);
    void (*close)(void *self);
} wfi_transport;

/* One rank's end of a transport. */
typedef struct wfi_link {
    int rank, size;
    int local_rank, local_size; /* among the ranks on this machine */
    int local_cores;            /* cores that the ranks of this machine may use */
    const wfi_transport *transport;
    void *self;
    char name[80]; /* "Open MPI 4.1.4" */
} wfi_link;

/* Exported by a plug-in as WFI_PLUGIN_SYMBOL. */
enum { WFI_PLUGIN_VERSION = 2 };
#define WFI_PLUGIN_SYMBOL "weft_plugin"
typedef struct wfi_plugin {
    unsigned version; /* WFI_PLUGIN_VERSION at its compilation */
    /* communicator: the caller's initialised communicator; NULL: all processes that were launched together, and the
     * plug-in initialises and finalises MPI unless the caller has. cores: maximum for the ranks of this machine.
     * Returns nonzero on failure, with the reason in `why`. */
    int (*open)(const void *communicator, int cores, wfi_link *link, char *why, size_t size);
    void (*describe)(char *text, size_t size); /* names the MPI library; may be called before open */
} wfi_plugin;

#endif
