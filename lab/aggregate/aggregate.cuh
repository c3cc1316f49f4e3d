/* What the rungs of aggregation on the GPU share: rows and features there, the share of a row, and the answer. */
#ifndef WEFT_LAB_AGGREGATE_CUH
#define WEFT_LAB_AGGREGATE_CUH

#include "aggregate.h"
#include "gpu.cuh"

#ifdef __CUDACC__

/* What a kernel is given.  Row v's neighbours are targets[offsets[v]] ...; features x and the result f have rows of `width`. */
struct gpu_rows {
    const weft_eid *offsets;
    const weft_vid *targets;
    const float *x;
    float *f;
    weft_vid n;
    unsigned width;
    bool mean;

    /* aggregate_share of the CPU's rungs. */
    __device__ float share(uint64_t v) const {
        weft_eid count = offsets[v + 1] - offsets[v];
        return !count ? 0 : mean ? 1 / (float)count : 1;
    }
};

struct gpu_aggregation {
    lab_gpu gpu;
    lab_run *r;
    gpu_rows rows;

    explicit gpu_aggregation(lab_run *run) : gpu(run), r(run), rows() {
        const weft_aggregate_params *p = static_cast<const weft_aggregate_params *>(run->params);
        rows.n = run->out.vertices;
        rows.width = (unsigned)aggregate_width(run);
        rows.mean = p->op == WEFT_AGGREGATE_MEAN;
        rows.offsets = gpu.bring(run->in.offsets, (size_t)rows.n + 1);
        rows.targets = gpu.bring(run->in.targets, run->in.arcs);
        rows.x = gpu.bring(static_cast<const float *>(p->features->data), (size_t)rows.n * rows.width);
        rows.f = gpu.take<float>((size_t)rows.n * rows.width);
    }
    weft_status close(double bytes) {
        aggregation a = {};
        gpu.end();
        a.r = r;
        a.in = r->in;
        a.n = rows.n;
        a.width = rows.width;
        a.f = gpu.fetch(rows.f, (size_t)rows.n * rows.width);
        return gpu.status ? gpu.status : aggregate_close(&a, bytes);
    }
    /* Sources read `times` times, every neighbour's row once, offsets, the result. */
    double bytes(double times) const {
        double width = rows.width, arcs = (double)r->in.arcs, n = rows.n;
        return 4 * arcs * times + 4 * width * arcs + 8 * n + 4 * width * n;
    }
};

#endif
#endif
