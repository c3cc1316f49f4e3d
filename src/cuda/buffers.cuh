/* Memory on the GPU, counted in the context that asked for it, and given back where its scope ends.
 *
 *     wfi_buffer<float> rank;
 *     weft_status st = rank.take(ctx, n);
 *
 * Blocks come from the context's pool, in the order of its stream; the pool keeps what is given back: a second run
 * allocates nothing. */
#ifndef WFI_CUDA_BUFFERS_CUH
#define WFI_CUDA_BUFFERS_CUH

#include "core/context.h"
#include "core/memory.h"
#include "cuda/gpu.cuh"
#include "cuda/stages.cuh"
#include "cuda/transfer.h"

template <class T> struct wfi_buffer {
    T *data = nullptr;
    size_t count = 0;

    wfi_buffer() = default;
    wfi_buffer(const wfi_buffer &) = delete;
    wfi_buffer &operator=(const wfi_buffer &) = delete;
    ~wfi_buffer() { give(); }

    /* Uninitialised; what it held before is given back. */
    weft_status take(weft_ctx *ctx, size_t wanted) {
        give();
        wfi_memory *memory = wfi_ctx_device_memory(ctx);
        size_t bytes = wanted * sizeof(T);
        if (!wfi_memory_reserve(ctx, memory, "GPU memory", bytes)) return WEFT_ENOMEM;
        void *block = nullptr;
        wfi_stage_scope stage(ctx, "memory");
        cudaError_t error = wfi_cuda_troubled();
        if (error == cudaSuccess) error = wfi_gpu_take(wfi_gpu_of(ctx), bytes, &block);
        if (error != cudaSuccess) {
            wfi_memory_unreserve(memory, bytes);
            return wfi_cuda_fail(ctx, "cudaMallocFromPoolAsync", error);
        }
        data = static_cast<T *>(block);
        count = wanted;
        owner = wfi_memory_keep(memory);
        gpu = wfi_gpu_of(ctx);
        return WEFT_OK;
    }

    weft_status take_zeroed(weft_ctx *ctx, size_t wanted) {
        weft_status st = take(ctx, wanted);
        if (st) return st;
        WFI_CUDA_OR_RETURN(cudaMemsetAsync(data, 0, wanted * sizeof(T), wfi_cuda_stream(ctx)));
        return WEFT_OK;
    }

    void give() {
        if (!data) return;
        wfi_gpu_give(gpu, data);
        wfi_memory_unreserve(owner, count * sizeof(T));
        wfi_memory_release(owner);
        data = nullptr;
        count = 0;
    }

    void swap(wfi_buffer &other) {
        T *mine = data;
        data = other.data;
        other.data = mine;
        size_t size = count;
        count = other.count;
        other.count = size;
        wfi_memory *who = owner;
        owner = other.owner;
        other.owner = who;
        wfi_gpu *where = gpu;
        gpu = other.gpu;
        other.gpu = where;
    }

    wfi_gpu *on() const { return gpu; }

  private:
    wfi_memory *owner = nullptr;
    wfi_gpu *gpu = nullptr;
};

/* Of an array that lies in an arena. */
template <class T> static weft_status wfi_zero(weft_ctx *ctx, T *data, size_t count) {
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(data, 0, count * sizeof(T), wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

weft_status wfi_upload_all(weft_ctx *ctx, const weft_graph *g, const wfi_copy *part, size_t parts);
weft_status wfi_download_all(weft_ctx *ctx, const wfi_copy *part, size_t parts);
/* wfi_deliver_all of one column. */
weft_status wfi_deliver(weft_ctx *ctx, void *to, const void *from, size_t bytes);
/* A column of words of 32 bits, all of them up to `most` or with all bits set, crosses the link in bytes if it goes
 * through buffers, and is widened by the threads that empty these.  room: a byte for each of them, on the GPU, until it
 * is delivered. */
void wfi_narrow(weft_ctx *ctx, wfi_copy *column, uint64_t most, void *room);
/* Of a block that may have outlived its context, which another, without anything on the GPU, stands in for. */
weft_status wfi_download_from(weft_ctx *ctx, wfi_gpu *gpu, void *to, const void *from, size_t bytes);

/* After kernels: what went wrong in them or before them. */
weft_status wfi_cuda_sync(weft_ctx *ctx);

/* How many blocks of a kernel with so many threads give every SM its fill, and no more than `work` needs. */
static inline unsigned wfi_grid(uint64_t work, unsigned threads, unsigned most) {
    uint64_t blocks = (work + threads - 1) / threads;
    return (unsigned)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

/* --- beside buffers -------------------------------------------------------------------------------------- */

/* Pinned memory of the host.  Uninitialised; given back by wfi_pinned_free, which takes NULL too. */
weft_status wfi_pinned_new(weft_ctx *ctx, size_t bytes, void **pinned);
void wfi_pinned_free(void *pinned);

/* Result columns that stay on the GPU (core/context.h).  For those that are large beside all else: the column's memory
 * there, to be filled before the run ends; NULL when it is to be brought to the host. */
weft_status wfi_resident_room(weft_ctx *ctx, const void *column, size_t bytes, void **room);

/* Bounds of the temporary storage that CUB's device-wide functions take, for `count` items: declared as arrays of a
 * workspace (wfi_array_within), and handed to CUB, which refuses what is too small.  From how CUB works [1]: its scans
 * leave a record of 16 bytes for each tile of a block's items, its radix sort 256 counters of 4 bytes for each, and
 * tiles have some thousand items.
 * [1] Merrill, Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016; Adinets, Merrill,
 *     "Onesweep", 2022. */
enum { WFI_CUB_LEAST = 1 << 16 };
/* ExclusiveSum, and DeviceSelect. */
static inline uint64_t wfi_cub_scan_bytes(uint64_t count) { return count / 16 + WFI_CUB_LEAST; }
/* SortPairs and SortKeys with a DoubleBuffer; without one CUB takes a second array of keys, and of values, as well. */
static inline uint64_t wfi_cub_sort_bytes(uint64_t count) { return count / 4 + WFI_CUB_LEAST; }

#endif
