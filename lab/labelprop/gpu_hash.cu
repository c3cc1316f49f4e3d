/* GPU: a warp for each vertex counts its labels in a hash table as large as its row needs. */
#include "labelprop.cuh"

#ifdef __CUDACC__

typedef unsigned long long slot; /* (label + 1) * 2^32 + count; 0 = empty */

__device__ static void count_label(slot *table, uint64_t mask, weft_vid label) {
    uint64_t at = (label * 0x9e3779b97f4a7c15u >> 32) & mask;
    for (slot key = label + 1ull, there = 0;; at = (at + 1) & mask, there = 0) {
        there = atomicCAS(&table[at], 0ull, key << 32 | 1);
        if (!there) return;
        if (there >> 32 != key) continue;
        atomicAdd(&table[at], 1ull);
        return;
    }
}

/* --- excerpt --- */
/* Table v stands at places[v] and has a power of two of slots, at least twice its row.  The best is the largest of count * 2^32 + ~label:
 * of equal counts the smallest label. */
__global__ static void LAB_ANY_BLOCK most_frequent(const weft_eid *offsets, const weft_vid *targets, const weft_vid *now,
                                                   weft_vid *next, weft_vid n, const uint64_t *places, slot *slots) {
    uint64_t v = lab_thread() / 32, size;
    unsigned lane = threadIdx.x % 32;
    if (v >= n) return; /* the whole warp */
    slot *table = slots + places[v], best = 0;
    size = places[v + 1] - places[v];
    for (weft_eid e = offsets[v] + lane; e < offsets[v + 1]; e += 32) count_label(table, size - 1, now[targets[e]]);
    __syncwarp();
    for (uint64_t i = lane; i < size; i += 32) {
        slot there = __ldcg(&table[i]), rank = there << 32 | (uint32_t)~((there >> 32) - 1);
        if (there && rank > best) best = rank;
        if (there) table[i] = 0; /* for the next step */
    }
    for (int far = 16; far; far /= 2) {
        slot other = __shfl_down_sync(~0u, best, far);
        best = other > best ? other : best;
    }
    if (lane == 0) next[v] = best ? ~(weft_vid)best : now[v];
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_labels q(r);
    uint64_t *first = static_cast<uint64_t *>(lab_take(r, ((size_t)q.n + 1) * sizeof *first));
    if (!first) return WEFT_ENOMEM;
    for (weft_vid v = 0; v < q.n && !q.gpu.status; v++) {
        uint64_t size = 1, row = q.host_offsets[v + 1] - q.host_offsets[v];
        while (size < 2 * row) size *= 2;
        first[v + 1] = first[v] + size;
    }
    const uint64_t *places = q.gpu.bring(first, (size_t)q.n + 1);
    slot *slots = q.gpu.take_zeroed<slot>(first[q.n]);
    if (q.gpu.begin(most_frequent)) return q.gpu.status;
    return q.run(
        [&] {
            most_frequent<<<q.gpu.grid(32 * (uint64_t)q.n), r->block>>>(q.offsets, q.targets, q.now, q.next, q.n, places,
                                                                        slots);
        },
        48, 24);
}
#endif

const lab_rung labelprop_gpu_hash = {
    .name = "gpu-hash",
    .title = "GPU: a warp a vertex, a hash table as large as the row needs",
    .against = "gpu-sort",
    .changed = "The 32 lanes of a warp put the labels of a row into a table of its own, by compare-and-swap; then they go over the table, "
               "keep the most frequent label and leave it empty for the next step.",
    .wins = "Each label is counted as it comes, and long rows are walked by 32 lanes.",
    .loses = "Atomics on memory: two to four slots for an arc go there and back. When all labels are the same, so is the slot.",
    .model = "a step: 48 an arc (target, label, a slot there and back, up to three more looked at) + 24 n",
    .source = "lab/labelprop/gpu_hash.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = NULL,
    .run = LAB_ON_GPU(run),
};
