/* The rank context: the public functions that give a context a communicator (core/comm.h), and query it. */
#include "ranks/links.h"

#include "core/machine.h"
#include "core/memory.h"
#include "cuda/nccl.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int weft_launched_ranks(int *rank) {
    wfi_launch seen = wfi_launch_seen();
    if (rank) *rank = seen.rank;
    return seen.size;
}

/* The plug-in for an MPI that this process has loaded, by its version text. */
static const char *plugin_of_process(void) {
    enum { ROOM = 8192 /* at least MPI_MAX_LIBRARY_VERSION_STRING */ };
    char text[ROOM] = "";
    int length = 0, (*version)(char *, int *);
    *(void **)&version = dlsym(RTLD_DEFAULT, "MPI_Get_library_version");
    if (!version) return NULL;
    version(text, &length);
    return strstr(text, "Open MPI") ? "openmpi" : "mpich";
}

/* The limits of the control group, which the ranks of a machine share. */
static wfi_limits shared_limits(void) {
    wfi_limits limits;
    wfi_control_group_limits("/proc/self/cgroup", "/sys/fs/cgroup", &limits);
    return limits;
}

static int cores_at_most(void) {
    double cpus = shared_limits().cpus;
    return cpus > 0 && cpus < INT_MAX ? (int)ceil(cpus) : INT_MAX;
}

/* Limits the threads of a rank to its share of the machine's cores, unless the caller or the environment sets a
 * number. */
static weft_status share_cores(weft_ctx *ctx, const wfi_link *link) {
    int each = link->local_cores / link->local_size, wanted = weft_ctx_threads(ctx);
    if (wfi_ctx_threads_given(ctx) || getenv("OMP_NUM_THREADS") || wanted <= each) return WEFT_OK;
    return weft_ctx_set_threads(ctx, each > 1 ? each : 1);
}

weft_status weft_ctx_set_comm(weft_ctx *ctx, const void *mpi_comm) {
    char why[256];
    wfi_link link;
    WFI_BEGIN_OR_RETURN(ctx);
    wfi_launch seen = wfi_launch_seen();
    if (wfi_has_ranks(ctx))
        return wfi_fail(ctx, WEFT_EINVAL, "weft_ctx_set_comm: the context already has a communicator");
    const char *name = mpi_comm ? plugin_of_process() : seen.plugin;
    if (!name && mpi_comm)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "a communicator is given, but this process has no MPI");
    if (!name && seen.size == 1) return wfi_fail(ctx, WEFT_EUNSUPPORTED, "no launcher started this process as a rank");
    if (!name)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "%s started %d tasks without MPI; it has to offer PMIx or PMI",
                        seen.launcher, seen.size);
    const wfi_plugin *plugin = wfi_plugin_load(name, why, sizeof why);
    if (!plugin || plugin->open(mpi_comm, cores_at_most(), &link, why, sizeof why))
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "%s%s%d ranks, but they cannot communicate: %s", seen.launcher,
                        *seen.launcher ? " started " : "", seen.size, why);
    wfi_comm *comm = wfi_comm_new(&link);
    if (!comm) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory");
    wfi_ctx_set_comm(ctx, comm);
    return share_cores(ctx, &link);
}

weft_status weft_ctx_follow_memory_group(weft_ctx *ctx) {
    WFI_BEGIN_OR_RETURN(ctx);
    uint64_t left = shared_limits().memory_free, ranks = (uint64_t)wfi_ctx_comm(ctx)->link.local_size;
    uint64_t share = wfi_group_share(left / ranks, wfi_resident_bytes(), wfi_threads(ctx));
    uint64_t limit = weft_ctx_memory_in_use(ctx) + share;
    bool limited = left != UINT64_MAX;
    wfi_memory_set_limit(wfi_ctx_memory(ctx), !limited ? 0 : limit ? limit : 1, limited); /* 0 would be no limit */
    return WEFT_OK;
}

weft_status weft_ctx_set_virtual(weft_ctx *const *contexts, int ranks, double delay, double bandwidth) {
    if (!contexts || ranks < 1) return WEFT_EINVAL;
    for (int r = 0; r < ranks; r++)
        if (!contexts[r] || wfi_has_ranks(contexts[r])) return WEFT_EINVAL;
    weft_ctx *ctx = contexts[0];
    WFI_BEGIN_OR_RETURN(ctx);
    wfi_link *links = calloc((size_t)ranks, sizeof *links);
    bool paced = delay > 0 || bandwidth > 0;
    if (!links ||
        (paced ? wfi_paced_open(ranks, (wfi_link_pace){delay, bandwidth}, links) : wfi_self_open(ranks, links)) != 0) {
        free(links);
        return wfi_fail(ctx, WEFT_ENOMEM, "out of memory");
    }
    weft_status st = WEFT_OK;
    for (int r = 0; r < ranks; r++) { /* ends without a context are closed */
        wfi_comm *comm = wfi_comm_new(&links[r]);
        if (!comm) {
            st = wfi_fail(ctx, WEFT_ENOMEM, "out of memory");
            continue;
        }
        comm->delay = delay;
        comm->bandwidth = bandwidth;
        wfi_ctx_set_comm(contexts[r], comm);
    }
    free(links);
    return st;
}

weft_status weft_ctx_set_grid(weft_ctx *ctx, int rows, int columns) {
    WFI_BEGIN_OR_RETURN(ctx);
    int ranks = wfi_ranks(ctx);
    bool choose = !rows && !columns;
    if (!choose && (rows < 1 || columns < 1 || ranks % columns || ranks / columns != rows))
        return wfi_fail(ctx, WEFT_EINVAL, "a grid of %d x %d does not have %d rank%s", rows, columns, ranks,
                        ranks == 1 ? "" : "s");
    wfi_ctx_comm(ctx)->columns = columns;
    return WEFT_OK;
}

int weft_ctx_rank(const weft_ctx *ctx) { return ctx ? wfi_rank(ctx) : 0; }
int weft_ctx_ranks(const weft_ctx *ctx) { return ctx ? wfi_ranks(ctx) : 1; }
const char *weft_ctx_transport(const weft_ctx *ctx) { return ctx ? wfi_ctx_comm(ctx)->link.name : ""; }
const char *weft_ctx_device_transport(const weft_ctx *ctx) { return ctx ? wfi_ctx_comm(ctx)->device_way : ""; }

weft_status weft_nccl_describe(char *text, size_t size) {
    if (!text || !size) return WEFT_EINVAL;
    return wfi_nccl_found(text, size) ? WEFT_OK : WEFT_ENOTFOUND;
}

int weft_ctx_agree(weft_ctx *ctx, int code, const char *message) {
    if (!ctx) return WEFT_EINVAL;
    if (code) wfi_fail(ctx, (weft_status)code, "%s", message ? message : "");
    return (int)wfi_agree(ctx, (weft_status)code);
}

weft_status weft_ctx_sum_ranks(weft_ctx *ctx, uint64_t *values, size_t count) {
    WFI_BEGIN_OR_RETURN(ctx);
    if (count) WFI_NEED_OR_RETURN(ctx, values);
    return wfi_allreduce(ctx, values, count, WFI_SUM);
}

weft_status weft_ctx_watch_ranks(weft_ctx *ctx, double seconds, weft_rank_lost_fn lost, void *user) {
    WFI_BEGIN_OR_RETURN(ctx);
    if (!lost) return wfi_fail_parameter(ctx, "lost", "weft_ctx_watch_ranks: lost is NULL");
    if (!wfi_has_ranks(ctx) || wfi_ctx_comm(ctx)->watch) return WEFT_OK;
    return wfi_watch_begin(ctx, seconds, lost, user);
}

void weft_ctx_abort_ranks(weft_ctx *ctx, int code) {
    const wfi_link *link = ctx ? &wfi_ctx_comm(ctx)->link : NULL;
    if (link && link->transport) link->transport->abort(link->self, code);
}

weft_status weft_plugin_describe(const char *plugin, char *text, size_t size) {
    if (!plugin || !text || !size) return WEFT_EINVAL;
    const wfi_plugin *loaded = wfi_plugin_load(plugin, text, size);
    if (!loaded) return WEFT_ENOTFOUND;
    loaded->describe(text, size);
    return WEFT_OK;
}
