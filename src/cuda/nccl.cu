/* See nccl.h.  The declarations are our own, of the parts of NCCL that have not changed since 2.7: values of
 * enumerations, and an id passed by value.  Waiting checks the stream and NCCL's own errors in turn, because a stream
 * that waits for a lost peer never ends. */
#include "cuda/gpu.cuh"
#include "cuda/nccl.h"

#include <dlfcn.h>
#include <new>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

namespace {

struct nccl_id {
    char bytes[WFI_NCCL_ID];
};
typedef struct nccl_comm *nccl_comm_ptr;

enum { GOOD = 0, UNDER_WAY = 7 };      /* ncclResult_t */
enum { BYTES = 1, NUMBERS = 5 };       /* ncclDataType_t: ncclUint8, ncclUint64 */
enum { SUM = 0, MOST = 2, LEAST = 3 }; /* ncclRedOp_t */

struct library {
    void *handle;
    int version;
    char why[256];
    int (*get_version)(int *version);
    int (*get_id)(nccl_id *id);
    int (*init)(nccl_comm_ptr *comm, int size, nccl_id id, int rank);
    int (*destroy)(nccl_comm_ptr comm);
    int (*abort)(nccl_comm_ptr comm);
    int (*async_error)(nccl_comm_ptr comm, int *error);
    const char *(*error_text)(int error);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *from, size_t count, int type, int to, nccl_comm_ptr comm, cudaStream_t stream);
    int (*receive)(void *to, size_t count, int type, int from, nccl_comm_ptr comm, cudaStream_t stream);
    int (*broadcast)(const void *from, void *to, size_t count, int type, int root, nccl_comm_ptr comm,
                     cudaStream_t stream);
    int (*reduce)(const void *from, void *to, size_t count, int type, int how, int root, nccl_comm_ptr comm,
                  cudaStream_t stream);
    int (*allreduce)(const void *from, void *to, size_t count, int type, int how, nccl_comm_ptr comm,
                     cudaStream_t stream);
};

} // namespace

static library nccl = {};
static pthread_once_t looked = PTHREAD_ONCE_INIT;

struct wfi_nccl {
    nccl_comm_ptr comm = nullptr;
    int rank = 0, size = 1;
    void *context = nullptr; /* the driver's */
    bool failed = false;
};

/* --- the library ------------------------------------------------------------------------ */

template <class F> static bool find(const char *name, F *function) {
    *function = (F)dlsym(nccl.handle, name);
    if (!*function) snprintf(nccl.why, sizeof nccl.why, "libnccl.so.2 has no %s", name);
    return *function != NULL;
}

static bool find_all(void) {
    return find("ncclGetVersion", &nccl.get_version) && find("ncclGetUniqueId", &nccl.get_id) &&
           find("ncclCommInitRank", &nccl.init) && find("ncclCommDestroy", &nccl.destroy) &&
           find("ncclCommAbort", &nccl.abort) && find("ncclCommGetAsyncError", &nccl.async_error) &&
           find("ncclGetErrorString", &nccl.error_text) && find("ncclGroupStart", &nccl.group_start) &&
           find("ncclGroupEnd", &nccl.group_end) && find("ncclSend", &nccl.send) && find("ncclRecv", &nccl.receive) &&
           find("ncclBroadcast", &nccl.broadcast) && find("ncclReduce", &nccl.reduce) &&
           find("ncclAllReduce", &nccl.allreduce);
}

/* The library is never closed: it has threads. */
static void look(void) {
    nccl.handle = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!nccl.handle) {
        snprintf(nccl.why, sizeof nccl.why, "libnccl.so.2 was not found");
        return;
    }
    if (!find_all()) {
        nccl.handle = NULL;
    } else if (nccl.get_version(&nccl.version) != GOOD) {
        nccl.handle = NULL;
        snprintf(nccl.why, sizeof nccl.why, "libnccl.so.2 does not report its version");
    }
}

bool wfi_nccl_found(char *text, size_t size) {
    pthread_once(&looked, look);
    int v = nccl.version;
    if (!nccl.handle)
        snprintf(text, size, "%s", nccl.why);
    else
        snprintf(text, size, "%d.%d.%d", v / 10000, v / 100 % 100, v % 100);
    return nccl.handle != NULL;
}

static weft_status fail(weft_ctx *ctx, const char *call, int error) {
    return wfi_fail(ctx, WEFT_EDEVICE, "NCCL failed in %s: %s", call, nccl.error_text(error));
}

weft_status wfi_nccl_id(weft_ctx *ctx, char id[WFI_NCCL_ID]) {
    nccl_id made;
    int error = nccl.get_id(&made);
    if (error) return fail(ctx, "ncclGetUniqueId", error);
    memcpy(id, made.bytes, sizeof made.bytes);
    return WEFT_OK;
}

weft_status wfi_nccl_open(weft_ctx *ctx, const char id[WFI_NCCL_ID], int rank, int size, struct wfi_nccl **out) {
    nccl_id shared;
    wfi_nccl *link = new (std::nothrow) wfi_nccl;
    if (!link) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory");
    memcpy(shared.bytes, id, sizeof shared.bytes);
    link->rank = rank;
    link->size = size;
    link->context = wfi_gpu_of(ctx)->context;
    int error = nccl.init(&link->comm, size, shared, rank);
    if (error) {
        delete link;
        cudaGetLastError();
        return fail(ctx, "ncclCommInitRank", error);
    }
    *out = link;
    return WEFT_OK;
}

void wfi_nccl_close(struct wfi_nccl *link) {
    if (!link) return;
    if (!wfi_cuda_lost()) {
        wfi_visit visit;
        wfi_driver_move(link->context, &visit);
        if (link->failed)
            nccl.abort(link->comm);
        else
            nccl.destroy(link->comm);
        cudaGetLastError();
        wfi_cuda_leave(&visit);
    }
    delete link;
}

/* --- calls -------------------------------------------------------------------------------- */

static weft_status wait(weft_ctx *ctx, wfi_nccl *link, const char *call) {
    enum { SPINS = 1 << 12 };
    for (uint64_t i = 0;; i++) {
        int error = GOOD;
        cudaError_t done = cudaStreamQuery(wfi_cuda_stream(ctx));
        if (done == cudaSuccess) return WEFT_OK;
        if (done != cudaErrorNotReady) return wfi_cuda_fail(ctx, call, done);
        cudaGetLastError();
        if (i < SPINS) continue;
        nccl.async_error(link->comm, &error);
        if (error != GOOD && error != UNDER_WAY) {
            link->failed = true;
            return fail(ctx, call, error);
        }
        timespec pause = {0, 20000};
        nanosleep(&pause, NULL);
    }
}

/* Ends a group of calls that returned `error`, and waits for them. */
static weft_status end_group(weft_ctx *ctx, wfi_nccl *link, const char *call, int error) {
    int ended = nccl.group_end();
    if (!error) error = ended;
    if (error) {
        link->failed = true;
        return fail(ctx, call, error);
    }
    return wait(ctx, link, call);
}

weft_status wfi_nccl_allgather(weft_ctx *ctx, struct wfi_nccl *link, void *all, const uint64_t *start) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    int error = nccl.group_start();
    for (int r = 0; r < link->size && !error; r++) {
        size_t bytes = (size_t)(start[r + 1] - start[r]);
        char *at = (char *)all + start[r];
        if (bytes) error = nccl.broadcast(at, at, bytes, BYTES, r, link->comm, stream);
    }
    return end_group(ctx, link, "ncclBroadcast", error);
}

weft_status wfi_nccl_alltoall(weft_ctx *ctx, struct wfi_nccl *link, const void *send, const uint64_t *send_start,
                              void *receive, const uint64_t *receive_start) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    int me = link->rank;
    size_t own = (size_t)(send_start[me + 1] - send_start[me]);
    if (own)
        WFI_CUDA_OR_RETURN(cudaMemcpyAsync((char *)receive + receive_start[me], (const char *)send + send_start[me],
                                           own, cudaMemcpyDeviceToDevice, stream));
    int error = nccl.group_start();
    for (int r = 0; r < link->size && !error; r++) {
        size_t go = (size_t)(send_start[r + 1] - send_start[r]),
               come = (size_t)(receive_start[r + 1] - receive_start[r]);
        if (r == me) continue;
        if (go) error = nccl.send((const char *)send + send_start[r], go, BYTES, r, link->comm, stream);
        if (come && !error)
            error = nccl.receive((char *)receive + receive_start[r], come, BYTES, r, link->comm, stream);
    }
    return end_group(ctx, link, "ncclSend", error);
}

weft_status wfi_nccl_reduce_scatter(weft_ctx *ctx, struct wfi_nccl *link, const uint64_t *all, const uint64_t *start,
                                    uint64_t *mine) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    int error = nccl.group_start();
    for (int r = 0; r < link->size && !error; r++) {
        size_t count = (size_t)(start[r + 1] - start[r]);
        if (count) error = nccl.reduce(all + start[r], mine, count, NUMBERS, SUM, r, link->comm, stream);
    }
    return end_group(ctx, link, "ncclReduce", error);
}

weft_status wfi_nccl_allreduce(weft_ctx *ctx, struct wfi_nccl *link, uint64_t *values, size_t count,
                               wfi_nccl_reduction how) {
    int op = how == WFI_NCCL_SUM ? SUM : how == WFI_NCCL_MIN ? LEAST : MOST, error = nccl.group_start();
    if (!error && count) error = nccl.allreduce(values, values, count, NUMBERS, op, link->comm, wfi_cuda_stream(ctx));
    return end_group(ctx, link, "ncclAllReduce", error);
}
