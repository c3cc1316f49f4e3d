/* What the rungs of Kahn's algorithm on the GPU share: the arrays, the loop over rounds, and flag, scan and compact, as rounds.c and
 * shared.c are for the CPU.  Encodings are those of kahn.h; the answer is closed by kahn_close, from levels that came back. */
#ifndef WEFT_LAB_KAHN_CUH
#define WEFT_LAB_KAHN_CUH

#include "gpu.cuh"
#include "kahn.h"

#ifdef __CUDACC__

struct gpu_kahn {
    kahn host; /* the graph and n; with_host: arrays and matrix too, for a removal on the CPU */
    lab_gpu gpu;
    lab_run *r;
    weft_vid n;
    int32_t *degree;
    uint32_t *flags, *places, *sums, *count, *level;
    weft_vid *active;
    const weft_eid *offsets; /* the CSR, after bring_rows() */
    const weft_vid *targets;
    uint32_t round;

    explicit gpu_kahn(lab_run *run);
    /* The host's own arrays, and its matrix if store is KAHN_CELLS. */
    void with_host(kahn_store store);
    void bring_rows();
    /* n x n cells of 4 bytes made from rows (LAB_COPY_IN): row u, column v = arcs u -> v.  The rows travel, the zeros do not. */
    int32_t *make_cells(const weft_csr &rows);

    /* Flag, scan by hand, compact: active[], and their levels; returns how many. */
    weft_vid collect();
    /* The same around another scan, flags[] -> places[]. */
    template <class Scan> weft_vid collect_by(Scan scan) {
        flag();
        scan();
        return compact();
    }
    /* Blelloch's two sweeps, by blocks, of any length; in and out may be the same. */
    void scan(const uint32_t *in, uint32_t *out, size_t length, uint32_t *block_sums);

    /* Rounds until nothing is collected. */
    template <class Collect, class Remove> weft_status rounds(Collect collect_some, Remove remove) {
        for (round = 0; !gpu.status; round++) {
            weft_vid found = collect_some();
            if (!found || gpu.status) break;
            if (lab_stopped(r)) return gpu.status = WEFT_ECANCELLED;
            remove(found);
        }
        return gpu.end();
    }
    template <class Remove> weft_status rounds(Remove remove) {
        return rounds([&] { return collect(); }, remove);
    }

    /* The steps that are the same in several rungs. */
    void degree_by_difference(const weft_eid *in_offsets);
    void remove_rows(weft_vid found); /* a thread for each vertex, atomics */

    /* Levels come back and are closed.  host.level is set by fetch_levels, for byte models. */
    bool fetch_levels();
    double bytes_of_rounds() const { return 32.0 * n * round; } /* flag 8, scan 8 and its sums 8, compact 8 */
    weft_status close(double bytes) { return gpu.status ? gpu.status : kahn_close(&host, bytes); }

  private:
    void flag();
    weft_vid compact();
};

#endif
#endif
