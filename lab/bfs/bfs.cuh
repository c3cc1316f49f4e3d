/* Breadth-first search on the GPU: what the rungs share.  Levels and parents lie on the GPU; the host counts the levels, and reads
 * back one number after each: how many vertices it reached. */
#ifndef WEFT_LAB_BFS_CUH
#define WEFT_LAB_BFS_CUH

#include "bfs.h"
#include "gpu.cuh"

#ifdef __CUDACC__

/* What a kernel sees. */
struct bfs_columns {
    const weft_eid *offsets; /* of the rows that the rung asked for */
    const weft_vid *targets;
    uint32_t *level;
    weft_vid *parent;
    weft_vid n;

    /* u reaches v from `now`: true for the one thread that is first.  Of several parents the smallest stays, in whatever order the
     * threads come: hence a minimum, and looks before each atomic, which most arcs end at. */
    __device__ bool reach(weft_vid u, weft_vid v, uint32_t now) const {
        uint32_t had = level[v];
        if (had == WEFT_UNREACHED) had = atomicCAS(&level[v], WEFT_UNREACHED, now + 1);
        bool first = had == WEFT_UNREACHED;
        if ((first || had == now + 1) && u < parent[v]) atomicMin(&parent[v], u);
        return first;
    }
};

struct gpu_search {
    lab_gpu gpu;
    lab_run *r;
    weft_vid source;
    uint64_t depth; /* levels to go at most */
    bfs_columns c;

    gpu_search(lab_run *run, const weft_csr &rows) : gpu(run), r(run), source(0) {
        const weft_bfs_params *p = static_cast<const weft_bfs_params *>(r->params);
        size_t n = rows.vertices;
        depth = p->max_depth ? p->max_depth : UINT64_MAX;
        if (n) source = bfs_source(r);
        c.n = rows.vertices;
        c.offsets = gpu.bring(rows.offsets, n + 1);
        c.targets = gpu.bring(rows.targets, rows.arcs);
        c.level = gpu.take<uint32_t>(n);
        c.parent = gpu.take<weft_vid>(n);
    }
    /* The kernels' time begins: nobody is reached but the source.  Both columns' "not yet" are all ones. */
    template <class... A> weft_status begin(void (*main_kernel)(A...)) {
        static_assert(WEFT_UNREACHED == 0xffffffffu && WEFT_NO_VERTEX == 0xffffffffu, "set by bytes");
        if (gpu.begin(main_kernel)) return gpu.status;
        uint32_t zero = 0;
        gpu.failed("cudaMemset", cudaMemset(c.level, 0xff, c.n * sizeof *c.level));
        gpu.failed("cudaMemset", cudaMemset(c.parent, 0xff, c.n * sizeof *c.parent));
        if (c.n) set(&c.level[source], zero);
        if (c.n) set(&c.parent[source], source);
        return gpu.status;
    }
    template <class T> void set(T *device, T value) {
        if (!gpu.status) gpu.failed("cudaMemcpy", cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice));
    }
    /* step(level) returns how many it reached. */
    template <class Step> uint32_t levels(Step step) {
        uint32_t level = 0;
        while (c.n && level < depth && !gpu.status) {
            if (level % 64 == 0 && lab_stopped(r)) gpu.status = WEFT_ECANCELLED;
            if (gpu.status || !step(level)) break;
            level++;
        }
        return level;
    }
    /* The answer; bytes(search on the host) is the model's. */
    template <class Bytes> weft_status answer(Bytes bytes) {
        search s = {};
        gpu.end();
        s.r = r;
        s.out = r->out;
        s.in = r->in;
        s.n = c.n;
        s.level = gpu.fetch(c.level, c.n);
        s.parent = gpu.fetch(c.parent, c.n);
        if (gpu.status) return gpu.status;
        return bfs_close(&s, bytes(s));
    }
};

#endif
#endif
