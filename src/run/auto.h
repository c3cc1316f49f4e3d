/* --device auto: a linear cost model of a run on the CPU and on the GPU, with parameters measured on this machine; and
 * PageRank's choice of method by such parameters.
 *
 *   CPU  fixed + passes * arcs * arc + levels * level; a deep search has its own cost of an arc
 *   GPU  the same, divided by the passes that it makes at once; plus start-up unless the context exists, plus
 *        first * arcs for upload and layout unless the graph is there
 *
 * auto.c computes it, figures.c finds the parameters, calibrate.c measures them. */
#ifndef WFI_RUN_AUTO_H
#define WFI_RUN_AUTO_H

#include "run/algorithm.h"

enum { WFI_FIGURES_MOST = 32, WFI_FIGURES_NAME = 24, WFI_FIGURES_PATH = 4096, WFI_FIGURES_SOURCE = 200 };

typedef struct wfi_costs {
    char algorithm[WFI_FIGURES_NAME];
    wfi_cost cpu, gpu;
} wfi_costs;

/* Femtoseconds that an arc takes one thread of PageRank on CPU cores: pulled while the values are in the last cache,
 * from tiles, and to be sorted into them (pagerank/pagerank_pick.c).  All 0: not measured. */
typedef struct wfi_sweep_costs {
    uint64_t pull_fs, tile_fs, sort_fs;
} wfi_sweep_costs;

enum { WFI_MSBFS_THREADS = 8 };

typedef struct wfi_figures {
    char cpu[128], gpu[128]; /* whose they are */
    uint64_t threads;        /* the CPU's were measured with so many */
    uint64_t context_ns;
    wfi_sweep_costs few, many; /* below WFI_MSBFS_THREADS threads, and from there on */
    size_t count;              /* of algorithms with costs; in the file 0: no GPU, or no time for any */
    size_t measured;           /* those of at[] that come from a calibration; others are built in */
    wfi_costs at[WFI_FIGURES_MOST];
} wfi_figures;

/* What weft_calibrate times: next to nothing, many arcs, and two grids where a search is deep. */
enum { WFI_TIMED_TINY, WFI_TIMED_LARGE, WFI_TIMED_NEAR, WFI_TIMED_FAR, WFI_TIMED };
/* Of one algorithm on one of these graphs and one device: the first run, and the median of later ones. */
typedef struct wfi_times {
    double first, later; /* ms */
    double arcs;
    wfi_work work;
} wfi_times;
/* The costs that give these times; without the grids unless it is deep.  None is below 0. */
wfi_cost wfi_cost_of(const wfi_times t[WFI_TIMED], bool deep);

/* On an undirected graph, with few threads and with all the context's (the same if these are few).  What it was stopped
 * before keeps its value.  Seconds on an R-MAT graph of scale 20.  PageRank has it (pagerank/pagerank_pick.c). */
weft_status wfi_measure_sweeps(weft_ctx *ctx, const weft_graph *g, wfi_sweep_costs *few, wfi_sweep_costs *many);

typedef struct wfi_situation {
    const char *algorithm;
    uint64_t arcs;
    wfi_work work;
    int threads;
    size_t weight_bytes;
    bool started /* the GPU's context is there */, mirrored /* and the graph */;
} wfi_situation;

/* Milliseconds. */
typedef struct wfi_estimate {
    double cpu, gpu;           /* in all */
    double start, bring, work; /* the parts of gpu */
} wfi_estimate;

wfi_estimate wfi_estimate_run(const wfi_figures *f, const wfi_situation *s);

/* The number of arcs from which on the GPU is faster, with the graph there already or from nothing; UINT64_MAX =
 * never. */
uint64_t wfi_break_even(const wfi_figures *f, const char *algorithm, wfi_work work, int threads, bool warm);

/* --- figures.c ------------------------------------------------------------------------------ */

/* The built-in ones: those that the descriptors state. */
void wfi_figures_standard(wfi_figures *f);

/* The file in the user's cache.  NULL, or why there is no place for it, in words. */
const char *wfi_figures_path(char *path, size_t room);
/* Reads a file.  On failure `note` says in words why it is not used. */
bool wfi_figures_read(const char *path, wfi_figures *f, char *note, size_t room);
weft_status wfi_figures_write(weft_ctx *ctx, const char *path, const wfi_figures *f);
/* Could it be written there? */
weft_status wfi_figures_try(weft_ctx *ctx, const char *path);
/* Those of a file as they are used: with the built-in costs of algorithms that were not measured.  `source`: what to
 * say of them. */
void wfi_figures_settle(wfi_figures *f, char *source, size_t room);

/* Were the costs of this algorithm measured here? */
bool wfi_figures_measured(const wfi_figures *f, const char *algorithm);

/* Those of the file if they are this machine's, else the built-in ones; `source` says which and why.  Read once. */
void wfi_figures_now(wfi_figures *f, char *source, size_t room);
/* From now on these; NULL = find them again.  For calibrate.c and for tests. */
void wfi_figures_use(const wfi_figures *f, const char *source);

/* --- choosing (device.c) --------------------------------------------------------------------- */

typedef struct wfi_verdict {
    weft_device device;
    weft_device_cause cause;
    char reason[256]; /* the same in words */
} wfi_verdict;

/* Where the plan runs, why, and how.  With WEFT_DEVICE_CUDA it is there or an error. */
weft_status wfi_choose(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params,
                       wfi_verdict *verdict, wfi_choice *choice);
/* The same for ranks that share the run. */
weft_status wfi_choose_ranks(weft_ctx *ctx, const wfi_algorithm *a, struct wfi_spread *spread, const void *params,
                             wfi_verdict *verdict, wfi_choice *choice);
/* How they run it on CPUs; together. */
weft_status wfi_choose_ranks_cpu(weft_ctx *ctx, const wfi_algorithm *a, struct wfi_spread *spread, const void *params,
                                 wfi_choice *choice);
/* Why their GPUs cannot serve it, in words; NULL = they can. */
const char *wfi_ranks_unserved(const wfi_algorithm *a, const void *params);
/* How it runs on the CPU. */
void wfi_choose_cpu(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params, wfi_choice *choice);
/* What it holds on the host in all. */
uint64_t wfi_choice_host_bytes(const wfi_choice *choice);

#endif
