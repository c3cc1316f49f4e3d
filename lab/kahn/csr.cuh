/* What several CSR rungs on the GPU share: in-degrees as differences of the transpose's offsets, the bytes of the CSR, and the end. */
#ifndef WEFT_LAB_KAHN_CSR_CUH
#define WEFT_LAB_KAHN_CSR_CUH

#include "kahn.cuh"

#define KAHN_GPU_ROUNDS_MODEL "12 an arc removed + 32 n a round (flag, scan, compact)"

static inline double csr_bytes(const lab_run *r) { return 4.0 * (double)r->out.arcs + 16.0 * r->out.vertices; }

/* A round of launches and a copy takes some 30 us; one thread that walks a row takes 0.2 us for each of its arcs. */
static inline const char *csr_serves(lab_run *r) {
    double n = r->out.vertices, row = n > 0 ? (double)r->out.arcs / n : 0;
    return kahn_serves_gpu(r, csr_bytes(r), 40 + 0.2 * row);
}

#ifdef __CUDACC__

/* The CSR, and the transpose's offsets. */
struct gpu_kahn_csr : gpu_kahn {
    const weft_eid *in_offsets;
    explicit gpu_kahn_csr(lab_run *run) : gpu_kahn(run) {
        bring_rows();
        in_offsets = gpu.bring(run->in.offsets, (size_t)n + 1);
    }
    /* After the rounds: bytes_a_round beside those of flag, scan and compact, for each vertex. */
    weft_status finish(double bytes_of_degrees, double bytes_a_round) {
        if (!fetch_levels()) return gpu.status;
        return close(bytes_of_degrees + bytes_of_rounds() + bytes_a_round * n * round + kahn_bytes_of_rows(&host));
    }
};

#endif
#endif
