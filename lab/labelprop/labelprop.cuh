/* What the rungs of label propagation on the GPU share: the rows of what stands around each vertex, and the steps with their end, as
 * shared.c has them.  A rung brings the step: now[] to next[]. */
#ifndef WEFT_LAB_LABELPROP_CUH
#define WEFT_LAB_LABELPROP_CUH

#include "gpu.cuh"
#include "labelprop.h"
#include "weft/labelprop.h"

#ifdef __CUDACC__

__global__ static void labelprop_start(weft_vid *label, weft_vid n) {
    for (uint64_t v = lab_thread(); v < n; v += lab_threads()) label[v] = (weft_vid)v;
}

/* differs[0]: from the labels of the step before; [1]: from those of two before. */
__global__ static void labelprop_compare(const weft_vid *next, const weft_vid *now, const weft_vid *before, weft_vid n,
                                         unsigned *differs) {
    for (uint64_t v = lab_thread(); v < n; v += lab_threads()) {
        if (next[v] != now[v]) differs[0] = 1; /* whoever comes last, it is a 1 */
        if (next[v] != before[v]) differs[1] = 1;
    }
}

struct gpu_labels {
    lab_gpu gpu;
    lab_run *r;
    weft_vid n;
    uint64_t arcs; /* around all vertices */
    const weft_eid *offsets, *host_offsets;
    const weft_vid *targets; /* out-neighbours, then in-neighbours if the graph is directed */
    weft_vid *now, *next;

    explicit gpu_labels(lab_run *run) : gpu(run), r(run), n(run->out.vertices), arcs(run->out.arcs) {
        weft_csr rows = run->out;
        if (weft_graph_directed(run->g)) rows = rows_around();
        host_offsets = rows.offsets;
        offsets = gpu.bring(rows.offsets, (size_t)n + 1);
        targets = gpu.bring(rows.targets, arcs);
        now = gpu.take<weft_vid>(n);
        next = gpu.take<weft_vid>(n);
        before = gpu.take<weft_vid>(n);
        differs = gpu.take<unsigned>(2);
    }

    /* All steps; then the answer.  bytes: of the model, for each arc and vertex of a step. */
    template <class Step> weft_status run(Step step, double bytes_an_arc, double bytes_a_vertex) {
        uint64_t steps = static_cast<const weft_labelprop_params *>(r->params)->max_iterations, done = 0;
        labelprop_start<<<gpu.grid_filling(n), r->block>>>(now, n);
        while (done < steps && !gpu.status) {
            if (lab_stopped(r)) return WEFT_ECANCELLED;
            unsigned differing[2];
            gpu.failed("cudaMemsetAsync", cudaMemsetAsync(differs, 0, 2 * sizeof *differs));
            step();
            done++;
            labelprop_compare<<<gpu.grid_filling(n), r->block>>>(next, now, before, n, differs);
            gpu.peek_bytes(differing, differs, sizeof differing);
            if (gpu.status || !differing[0]) break;
            bool alternates = done > 1 && !differing[1];
            if (!alternates || (steps - done) % 2 == 0) turn(); /* the last labelling of all steps is in now[] */
            if (alternates) break;
        }
        gpu.end();
        const weft_vid *label = gpu.fetch(now, n);
        return gpu.status ? gpu.status : labelprop_answer(r, label, done, bytes_an_arc, bytes_a_vertex);
    }

  private:
    weft_vid *before;
    unsigned *differs;

    void turn() {
        weft_vid *free_again = before;
        before = now;
        now = next;
        next = free_again;
    }

    /* The rows of both directions behind each other. */
    weft_csr rows_around() {
        weft_csr rows = r->out;
        arcs = r->out.arcs + r->in.arcs;
        weft_eid *joined = static_cast<weft_eid *>(lab_take(r, ((size_t)n + 1) * sizeof *joined));
        weft_vid *all = static_cast<weft_vid *>(lab_take(r, (arcs + 1) * sizeof *all));
        if (!joined || !all) {
            gpu.status = WEFT_ENOMEM;
            return rows;
        }
        lab_turn(r, LAB_COPY_IN);
        weft_eid at = 0;
        for (weft_vid v = 0; v < n; v++) {
            for (weft_eid e = r->out.offsets[v]; e < r->out.offsets[v + 1]; e++) all[at++] = r->out.targets[e];
            for (weft_eid e = r->in.offsets[v]; e < r->in.offsets[v + 1]; e++) all[at++] = r->in.targets[e];
            joined[v + 1] = at;
        }
        rows.offsets = joined;
        rows.targets = all;
        return rows;
    }
};

#endif
#endif
