/* Machines that weft predict knows.  Every figure says where it comes from: measured by us, read from a data sheet, or
 * assumed. */
#include "ranks/predict_call.h"

/* Measured on one H200 with symmetrised R-MAT graphs of 2^26 vertices and 2.1 G arcs: 11.5 ms an iteration of PageRank,
 * 3.05 ms a search, 2.86 ms for components.  With more vertices PageRank is held to the rate of random reads from
 * memory, and a search to the same part of its rate that these are of random reads from the cache (150 G/s).  Other
 * GPUs: by their memory's bandwidth against the H200's. */
#define H200_MEMORY               4.8e12
#define GATHER                    40e9
#define SCALED(figure, bandwidth) ((figure) * (bandwidth) / H200_MEMORY)
#define GPU(bytes, bandwidth, ...)                                                                                   \
    .costs =                                                                                                         \
        &(const wfi_cost_machine){                                                                                   \
            .node = 8, .memory = (bytes), .large_from = 0x1p26 + 1, .copy = SCALED(4.0e12, bandwidth), __VA_ARGS__}, \
    .arcs = {{SCALED(2.1e9 / 11.5e-3, bandwidth), SCALED(GATHER, bandwidth)},                                        \
             {SCALED(2.1e9 / 3.05e-3, bandwidth), SCALED(2.1e9 / 3.05e-3 * (GATHER / 150e9), bandwidth)},            \
             {SCALED(2.1e9 / 2.86e-3, bandwidth), SCALED(2.1e9 / 2.86e-3, bandwidth)}},                              \
    .gather = SCALED(GATHER, bandwidth), .links_from = ASSUMED_LINKS

#define ASSUMED_LINKS "bandwidths are 80 % of the data sheets' and the delay of 20 us is assumed, neither is measured"

/* A rank of one thread; its links and PageRank are those of src/ranks/cost.c. */
#define XEON                                                                         \
    .arcs = {{186e6, 186e6}, {925e6, 925e6}, {590e6, 590e6}}, .gather = 3.65e9 / 16, \
    .rates_from = "rates measured with one thread, on a symmetrised R-MAT graph of 2^24 vertices"
#define XEON_LINKS "links measured between two busy cores of such a machine: 8 bytes in 0.5 us, 8 KiB at 2 GB/s"

const predict_machine predict_machines[] = {
    {.name = "h100-ib",
     .what = "machines of 8 H100 with NVLink 4 (450 GB/s each way), one 400 Gb/s InfiniBand port for each GPU",
     GPU(80e9, 3.35e12, .near = {20e-6, 360e9}, .far = {20e-6, 40e9}),
     .rates_from = "rates measured on one H200, times 3.35 / 4.8, the data sheets' memory bandwidths"},
    {.name = "h200-ib",
     .what = "machines of 8 H200 with NVLink 4 (450 GB/s each way), one 400 Gb/s InfiniBand port for each GPU",
     GPU(141e9, H200_MEMORY, .near = {20e-6, 360e9}, .far = {20e-6, 40e9}),
     .rates_from = "rates measured on one H200"},
    {.name = "h200",
     .what = "one machine of 8 H200 with NVLink 4 (450 GB/s each way)",
     GPU(141e9, H200_MEMORY, .near = {20e-6, 360e9}),
     .rates_from = "rates measured on one H200"},
    {.name = "a100-ib",
     .what = "machines of 8 A100 80 GB with NVLink 3 (300 GB/s each way), one 200 Gb/s InfiniBand port for each GPU",
     GPU(80e9, 2.04e12, .near = {20e-6, 240e9}, .far = {20e-6, 20e9}),
     .rates_from = "rates measured on one H200, times 2.04 / 4.8, the data sheets' memory bandwidths"},
    {.name = "xeon",
     .what = "one machine of 16 Xeon cores, a rank of one thread on each, Open MPI through memory",
     .costs = &wfi_cost_xeon,
     XEON,
     .links_from = XEON_LINKS},
    {.name = "xeon-ib",
     .what = "machines of 16 Xeon cores, a rank of one thread on each, which share a port of 100 Gb/s",
     .costs = &wfi_cost_xeons,
     XEON,
     .links_from = XEON_LINKS "; between machines 80 % of 100 Gb/s and 20 us are assumed"},
};
const size_t predict_machine_count = sizeof predict_machines / sizeof *predict_machines;
