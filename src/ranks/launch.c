/* See links.h.  Variables that launchers set:
 *   mpirun and prterun of Open MPI   OMPI_COMM_WORLD_SIZE, OMPI_COMM_WORLD_RANK
 *   srun --mpi=pmix                  PMIX_RANK, and SLURM_STEP_NUM_TASKS
 *   mpiexec of MPICH, srun pmi2      PMI_SIZE, PMI_RANK
 *   srun without either              SLURM_STEP_NUM_TASKS, SLURM_PROCID: tasks that cannot find each other */
#include "ranks/device.h"
#include "ranks/links.h"

#include "weft_config.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number_in(const char *variable, int otherwise) {
    const char *text = getenv(variable);
    char *end;
    long value = text ? strtol(text, &end, 10) : -1;
    return text && *text && !*end && value >= 0 && value < INT_MAX ? (int)value : otherwise;
}

wfi_launch wfi_launch_seen(void) {
    static const struct {
        const char *size, *rank, *launcher, *plugin;
    } known[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun (Open MPI)", "openmpi"},
                 {"SLURM_STEP_NUM_TASKS", "PMIX_RANK", "srun (PMIx)", "openmpi"},
                 {"PMI_SIZE", "PMI_RANK", "mpiexec (MPICH)", "mpich"},
                 {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun", NULL}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int size = number_in(known[i].size, 0), rank = number_in(known[i].rank, -1);
        if (size > 0 && rank >= 0 && rank < size) return (wfi_launch){rank, size, known[i].launcher, known[i].plugin};
    }
    return (wfi_launch){0, 1, "", NULL};
}

/* --- the plug-in ---------------------------------------------------------------- */

/* The folder of the file that holds this function: the program, or libweft.so. */
static bool own_folder(char *to, size_t size) {
    static const char here = 0;
    Dl_info info;
    char path[PATH_MAX];
    if (!dladdr(&here, &info) || !info.dli_fname || !realpath(info.dli_fname, path)) {
        if (!realpath("/proc/self/exe", path)) return false;
    }
    char *slash = strrchr(path, '/');
    if (!slash) return false;
    *slash = 0;
    return snprintf(to, size, "%s", path) < (int)size;
}

const wfi_plugin *wfi_plugin_load(const char *name, char *why, size_t size) {
    const char *asked = getenv("WEFT_PLUGINS");
    char folder[PATH_MAX], path[PATH_MAX + 64];
    const char *const below[] = {"/", "/weft/", "/../" WEFT_PLUGIN_FOLDER "/"};
    size_t places = sizeof below / sizeof *below;
    if (asked && *asked)
        places = 1, snprintf(folder, sizeof folder, "%s", asked);
    else if (!own_folder(folder, sizeof folder))
        places = 0;
    snprintf(why, size, "libweft_mpi_%s.so was not found", name);
    for (size_t i = 0; i < places; i++) {
        snprintf(path, sizeof path, "%s%slibweft_mpi_%s.so", folder, below[i], name);
        if (access(path, R_OK)) continue;
        /* never closed: threads of MPI stay in it */
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        const wfi_plugin *plugin = library ? dlsym(library, WFI_PLUGIN_SYMBOL) : NULL;
        if (plugin && plugin->version == WFI_PLUGIN_VERSION) return plugin;
        snprintf(why, size, "%s", plugin ? "libweft_mpi belongs to another version of Weft" : dlerror());
        return NULL;
    }
    return NULL;
}

/* --- between GPUs --------------------------------------------------------------- */

/* Also in a build without CUDA, so that an unknown word is refused there, too. */
weft_status wfi_device_transport(weft_ctx *ctx, bool *nccl, bool *staged) {
    const char *text = getenv("WEFT_DEVICE_TRANSPORT");
    *nccl = text && !strcmp(text, "nccl");
    *staged = text && !strcmp(text, "staged");
    if (!text || !*text || *nccl || *staged) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "WEFT_DEVICE_TRANSPORT is \"%.40s\", but must be nccl or staged", text);
}
