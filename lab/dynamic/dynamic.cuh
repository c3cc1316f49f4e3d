/* Graphs that change on the GPU: what the rungs share.  Arcs are sorted keys, u << 32 | v, on two sides; a batch goes from one side to the
 * other, and offsets are made for it, so that each batch leaves a whole CSR (its targets are the keys' low halves).  The stream lies on the GPU
 * before the batches begin. */
#ifndef WEFT_LAB_DYNAMIC_CUH
#define WEFT_LAB_DYNAMIC_CUH

#include "dynamic.h"
#include "gpu.cuh"

#ifdef __CUDACC__

#include <cub/device/device_radix_sort.cuh>

/* Row u begins at the first key that is not of a row before it. */
__global__ static void LAB_ANY_BLOCK changing_offsets(const uint64_t *key, uint64_t count, weft_vid n, weft_eid *offsets) {
    for (uint64_t i = lab_thread(); i <= count; i += lab_threads()) {
        uint64_t from = i ? (key[i - 1] >> 32) + 1 : 0, to = i < count ? key[i] >> 32 : n;
        for (uint64_t u = from; u <= to; u++) offsets[u] = i;
    }
}

struct gpu_stream {
    lab_run *r;
    changing_stream s;
    lab_gpu gpu;
    uint64_t *side[2], *more; /* the graph, and what is still to come */
    uint64_t arcs;
    weft_eid *offsets;
    int now;
    char *room; /* for sorting */
    size_t room_bytes;

    explicit gpu_stream(lab_run *run) : r(run), gpu(run), arcs(0), now(0), room(NULL), room_bytes(0) {
        if (!gpu.status) gpu.status = changing_open(r, &s);
        if (gpu.status) return;
        for (int i = 0; i < 2; i++) side[i] = gpu.take<uint64_t>(r->out.arcs);
        offsets = gpu.take<weft_eid>(s.n + (size_t)1);
        lab_turn(r, LAB_UNTIMED);
        for (weft_vid u = 0; u < s.n; u++)
            for (weft_eid e = s.base.offsets[u]; e < s.base.offsets[u + 1]; e++)
                s.key[e] = (uint64_t)u << 32 | s.base.targets[e];
        arcs = s.base_arcs;
        gpu.copy_in(side[0], s.key, arcs);
        lab_turn(r, LAB_UNTIMED);
        for (size_t i = 0; i < s.count; i++) s.key[i] = (uint64_t)s.u[i] << 32 | s.v[i];
        more = gpu.bring(s.key, s.count);
    }

    /* The first call says how much room it needs. */
    void sort(const uint64_t *from, uint64_t *to, uint64_t count) {
        if (!gpu.status)
            gpu.failed("cub::DeviceRadixSort", cub::DeviceRadixSort::SortKeys(room, room_bytes, from, to, (int64_t)count));
    }
    void make_room(uint64_t most) {
        sort(side[0], side[1], most);
        room = gpu.take<char>(room_bytes);
    }

    void index() {
        changing_offsets<<<gpu.grid_filling(arcs + 1), r->block>>>(side[now], arcs, s.n, offsets);
    }

    /* The rows come home: copying out. */
    weft_status close() {
        gpu.end();
        changing_rows home = {gpu.fetch(offsets, s.n + (size_t)1), NULL};
        const uint64_t *key = gpu.fetch(side[now], arcs);
        lab_turn(r, LAB_UNTIMED);
        if (gpu.status) return gpu.status;
        if (lab_stopped(r)) return WEFT_ECANCELLED;
        home.targets = s.u; /* nobody needs these any more */
        for (uint64_t i = 0; i < arcs; i++) home.targets[i] = (weft_vid)key[i];
        return changing_close(&s, changing_row_of, &home);
    }
};

#endif
#endif
