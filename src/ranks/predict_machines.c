/* Machines that predictions are made for.  Every figure says where it comes from: measured by us, read from a data
 * sheet, or assumed. */
#include "ranks/predict.h"

/* Measured on one H200 with symmetrised R-MAT graphs of 2^26 vertices and 2.1 G arcs: 11.5 ms an iteration of PageRank,
 * 3.05 ms a search, 2.86 ms for components.  With more vertices PageRank is held to the rate of random reads from
 * memory, and a search to the same part of its rate that these are of random reads from the cache (150 G/s).  Other
 * GPUs: by their memory's bandwidth against the H200's. */
#define H200_MEMORY 4.8e12
#define GATHER      40e9
#define GPU_RATES(bandwidth)                                                                                         \
    .large_from = 0x1p26 + 1,                                                                                        \
    .arcs = {[PREDICT_PAGERANK] = {2.1e9 / 11.5e-3 * (bandwidth) / H200_MEMORY, GATHER * (bandwidth) / H200_MEMORY}, \
             [PREDICT_BFS] = {2.1e9 / 3.05e-3 * (bandwidth) / H200_MEMORY,                                           \
                              2.1e9 / 3.05e-3 * (GATHER / 150e9) * (bandwidth) / H200_MEMORY},                       \
             [PREDICT_COMPONENTS] = {2.1e9 / 2.86e-3 * (bandwidth) / H200_MEMORY,                                    \
                                     2.1e9 / 2.86e-3 * (bandwidth) / H200_MEMORY}},                                  \
    .gather = GATHER * (bandwidth) / H200_MEMORY, .copy = 4.0e12 * (bandwidth) / H200_MEMORY

#define ASSUMED_LINKS "bandwidths are 80 % of the data sheets' and the delay of 20 us is assumed, neither is measured"

/* A rank of one thread. */
#define XEON_RATES                                                                                                    \
    .memory = 8e9, .near = {0.5e-6, 2e9}, .large_from = 0x1p24 + 1,                                                   \
    .arcs =                                                                                                           \
        {[PREDICT_PAGERANK] = {186e6, 186e6}, [PREDICT_BFS] = {925e6, 925e6}, [PREDICT_COMPONENTS] = {590e6, 590e6}}, \
    .gather = 3.65e9 / 16, .copy = 99.5e9 / 16,                                                                       \
    .rates_from = "rates measured with one thread, on a symmetrised R-MAT graph of 2^24 vertices"
#define XEON_LINKS "links measured between two busy cores of such a machine: 8 bytes in 0.5 us, 8 KiB at 2 GB/s"

const wfi_predict_machine wfi_predict_machines[] = {
    {.name = "h100-ib",
     .what = "machines of 8 H100 with NVLink 4 (450 GB/s each way), one 400 Gb/s InfiniBand port for each GPU",
     .node = 8,
     .memory = 80e9,
     .near = {20e-6, 360e9},
     .far = {20e-6, 40e9},
     GPU_RATES(3.35e12),
     .links_from = ASSUMED_LINKS,
     .rates_from = "rates measured on one H200, times 3.35 / 4.8, the data sheets' memory bandwidths"},
    {.name = "h200-ib",
     .what = "machines of 8 H200 with NVLink 4 (450 GB/s each way), one 400 Gb/s InfiniBand port for each GPU",
     .node = 8,
     .memory = 141e9,
     .near = {20e-6, 360e9},
     .far = {20e-6, 40e9},
     GPU_RATES(H200_MEMORY),
     .links_from = ASSUMED_LINKS,
     .rates_from = "rates measured on one H200"},
    {.name = "h200",
     .what = "one machine of 8 H200 with NVLink 4 (450 GB/s each way)",
     .node = 8,
     .memory = 141e9,
     .near = {20e-6, 360e9},
     GPU_RATES(H200_MEMORY),
     .links_from = ASSUMED_LINKS,
     .rates_from = "rates measured on one H200"},
    {.name = "a100-ib",
     .what = "machines of 8 A100 80 GB with NVLink 3 (300 GB/s each way), one 200 Gb/s InfiniBand port for each GPU",
     .node = 8,
     .memory = 80e9,
     .near = {20e-6, 240e9},
     .far = {20e-6, 20e9},
     GPU_RATES(2.04e12),
     .links_from = ASSUMED_LINKS,
     .rates_from = "rates measured on one H200, times 2.04 / 4.8, the data sheets' memory bandwidths"},
    [WFI_PREDICT_XEON] = {.name = "xeon",
                          .what = "one machine of 16 Xeon cores, a rank of one thread on each, Open MPI through memory",
                          .node = 16,
                          XEON_RATES,
                          .links_from = XEON_LINKS},
    [WFI_PREDICT_XEONS] =
        {.name = "xeon-ib",
         .what = "machines of 16 Xeon cores, a rank of one thread on each, which share a port of 100 Gb/s",
         .node = 16,
         XEON_RATES,
         .far = {20e-6, 10e9 / 16},
         .links_from = XEON_LINKS "; between machines 80 % of 100 Gb/s and 20 us are assumed"},
};
const size_t wfi_predict_machine_count = sizeof wfi_predict_machines / sizeof *wfi_predict_machines;
