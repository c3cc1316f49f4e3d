/* GPU, CSR: gpu-csr with CUB's scan in the place of Blelloch's two sweeps. */
#include "csr.cuh"

#ifdef __CUDACC__

#include <cub/device/device_scan.cuh>

static weft_status run(lab_run *r) {
    gpu_kahn_csr k(r);
    size_t room = 0;
    int items = (int)k.n;
    k.gpu.failed("cub::DeviceScan::ExclusiveSum", cub::DeviceScan::ExclusiveSum(NULL, room, k.flags, k.places, items));
    void *workspace = k.gpu.take<char>(room);
    if (k.gpu.begin(NULL)) return k.gpu.status;
    k.degree_by_difference(k.in_offsets);
    /* --- excerpt --- */
    auto scan = [&] { /* one pass: a block waits for the sum of those before it, and looks back for it */
        k.gpu.failed("cub::DeviceScan::ExclusiveSum",
                     cub::DeviceScan::ExclusiveSum(workspace, room, k.flags, k.places, items));
    };
    if (k.rounds([&] { return k.collect_by(scan); }, [&](weft_vid found) { k.remove_rows(found); })) return k.gpu.status;
    /* --- end --- */
    return k.finish(20.0 * k.n, -8);
}
#endif

static const char *serves(lab_run *r) { return r->out.vertices < 1u << 31 ? csr_serves(r) : "too many vertices for this scan"; }

const lab_rung kahn_gpu_cub = {
    .name = "gpu-csr-cub",
    .title = "GPU, CSR: the scan by CUB",
    .against = "gpu-csr",
    .changed = "CUB's scan with decoupled look-back [D. Merrill and M. Garland, NVR-2016-002] in the place of three launches of "
               "Blelloch's sweeps.",
    .wins = "Large n: each flag is read once and written once, 8 n bytes and not 16 n; no tree in shared memory.",
    .loses = "Small n: it has two launches of its own. For 10,000 flags nothing but launches can be seen.",
    .model = "20 n (degrees) + 12 an arc removed + 24 n a round (flag, scan, compact)",
    .source = "lab/kahn/gpu_cub.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
