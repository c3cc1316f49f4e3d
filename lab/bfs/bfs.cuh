/* Breadth-first search on the GPU: what the rungs share.  Levels and parents lie on the GPU; the host counts the levels, and reads
 * back one number after each: how many vertices it reached. */
#ifndef WEFT_LAB_BFS_CUH
#define WEFT_LAB_BFS_CUH

#include "bfs.h"
#include "gpu.cuh"
#include "weft/bfs.h"

/* The model of a search by frontiers that are appended to; by_frontiers has it in figures. */
#define BFS_FRONTIERS_MODEL "8 an arc followed + 32 a vertex (frontier written and read, offsets, level and parent)"

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

/* A kernel that takes the `count` vertices of the frontier, all of `level`, and appends what they reach to next[0 ... *length). */
typedef void bfs_expand(bfs_columns c, const weft_vid *frontier, unsigned count, uint32_t level, weft_vid *next,
                        unsigned *length);

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
            if (lab_stopped(r)) gpu.status = WEFT_ECANCELLED;
            if (gpu.status || !step(level)) break;
            level++;
        }
        return level;
    }
    /* The whole search by a frontier that the kernel appends to: two lists that change places, and a length. */
    weft_status by_frontiers(bfs_expand *expand, unsigned threads_a_vertex) {
        weft_vid *frontier = gpu.take<weft_vid>(c.n), *next = gpu.take<weft_vid>(c.n);
        unsigned *length = gpu.take<unsigned>(1), count = 1;
        if (begin(expand)) return gpu.status;
        if (c.n) set(frontier, source);
        levels([&](uint32_t level) {
            set(length, 0u);
            expand<<<gpu.grid((uint64_t)count * threads_a_vertex), r->block>>>(c, frontier, count, level, next, length);
            count = gpu.peek(length);
            weft_vid *other = frontier;
            frontier = next;
            next = other;
            return count;
        });
        return answer([](const search &done) { return 8.0 * bfs_arcs_out(&done.out, done.level) + 32.0 * done.n; });
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
