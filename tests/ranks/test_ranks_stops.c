/* One of several ranks is told to stop, at a poll at random of the last tenth of its own: all ranks return the same
 * status, WEFT_ECANCELLED or WEFT_OK with the bytes of a run that nobody stopped, and none waits for another.  Every
 * algorithm that ranks share, with each of its option sets, on CPU cores and, where there is one, on a GPU. */
#include "graph_matrix.h"
#include "stops.h"
#include "variants.h"
#include "virtual_ranks.h"

#include "cuda/device.h"

enum { RANKS = 3, TIMES = 60 };

static const matrix_graph shapes[] = {
    {"small", "random", .n = 200, .m = 800, .direction = WEFT_DIRECTED, .weights = WHOLE},
    {"small, undirected", "random", .n = 200, .m = 500, .direction = WEFT_UNDIRECTED, .weights = REAL},
    {"dag", "dag", .n = 200, .depth = 9, .degree = 3, .p = (double)NAN, .direction = WEFT_DIRECTED},
};

typedef struct trial {
    const weft_algorithm_info *algorithm;
    const variant *v;
    const weft_graph *g;
    weft_device device;
    uint64_t seed;
    int times, cancelled;
    char trouble[256];
} trial;

/* The run on one rank; *print is of the gathered result, on the first. */
static weft_status run_shared(weft_ctx *ctx, const trial *t, stop_at *s, uint64_t *print) {
    weft_plan *plan = NULL;
    weft_result *r = NULL, *whole = NULL;
    weft_ctx_set_cancel(ctx, asked_at, s);
    weft_status st = weft_plan_new(ctx, t->algorithm->name, t->g, t->v->params, &plan);
    if (!st) st = weft_plan_run(plan, &r);
    if (!st) st = weft_plan_gather(plan, r, &whole);
    forget_stop(ctx);
    if (!st && whole && weft_result_digest(ctx, whole, print)) exit(1);
    weft_result_free(whole);
    weft_result_free(r);
    weft_plan_free(plan);
    return st;
}

/* The ranks' statuses are the same, and right. */
static void judge(trial *t, const uint64_t *status, uint64_t print, uint64_t want, int who, uint64_t at) {
    for (int r = 1; r < RANKS; r++)
        if (status[r] != status[0])
            snprintf(t->trouble, sizeof t->trouble, "rank %d was stopped at poll %" PRIu64 ": statuses %d and %d", who,
                     at, (int)status[0], (int)status[r]);
    if (status[0] == WEFT_OK && print != want)
        snprintf(t->trouble, sizeof t->trouble, "rank %d was stopped at poll %" PRIu64 ": OK with another answer", who,
                 at);
    if (status[0] != WEFT_OK && status[0] != WEFT_ECANCELLED)
        snprintf(t->trouble, sizeof t->trouble, "rank %d was stopped at poll %" PRIu64 ": status %d", who, at,
                 (int)status[0]);
    t->cancelled += status[0] == WEFT_ECANCELLED;
}

static void stop_one_of_them(weft_ctx *ctx, wfi_comm *comm, void *user) {
    trial *t = user;
    int me = comm->link.rank, times = under_a_microscope() ? TIMES / 10 : t->times;
    uint64_t want = 0, polls[RANKS], status[RANKS];
    stop_at counted = {.at = NEVER};
    weft_ctx_set_device(ctx, t->device);
    weft_status st = run_shared(ctx, t, &counted, &want);
    if (wfi_allgather_u64(ctx, atomic_load(&counted.polls), polls)) exit(1);
    if (st && me == 0) snprintf(t->trouble, sizeof t->trouble, "%s", weft_ctx_message(ctx));
    for (int i = 0; i < times && !st; i++) {
        int who = (int)(random_at(t->seed, 2 * (uint64_t)i) % RANKS);
        uint64_t print = 0, back = random_at(t->seed, 2 * (uint64_t)i + 1) % (polls[who] / 10 + 1);
        stop_at s = {.at = me == who && polls[who] ? polls[who] - 1 - back : NEVER};
        weft_status mine = run_shared(ctx, t, &s, &print);
        if (wfi_allgather_u64(ctx, (uint64_t)mine, status)) exit(1);
        if (me == 0) judge(t, status, print, want, who, polls[who] - 1 - back);
        if (weft_ctx_memory_in_use(ctx) || weft_ctx_device_memory_in_use(ctx)) exit(1);
    }
}

static void all_runs(weft_device device) {
    for (size_t i = 0; i < LENGTH(shapes); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = make_matrix_graph(ctx, &shapes[i]);
        for (size_t a = 0; g && a < weft_algorithm_count(); a++) {
            const weft_algorithm_info *info = weft_algorithm_at(a);
            if (!info->on_ranks || (descriptor_of(info)->directed_only && !weft_graph_directed(g))) continue;
            variants list = variants_of(info, g, true);
            for (size_t k = 0; k < list.count; k++) {
                const variant *v = &list.at[k];
                trial t = {info, v, g, device, .seed = 1000 * i + 10 * a + k, .times = TIMES};
                if (device == WEFT_DEVICE_CUDA && k && !asked_for_all("WEFT_STOPS")) t.times = TIMES / 10;
                if (v->run || !variant_fits(v, g) || weft_ranks_refuse(info->name, v->params)) continue;
                if (device == WEFT_DEVICE_CUDA && weft_ranks_refuse_gpu(info->name, v->params)) continue;
                on_ranks(RANKS, stop_one_of_them, &t);
                if (*t.trouble) HARNESS_FAIL("%s, %s, of %s: %s", info->name, v->name, shapes[i].name, t.trouble);
                if (!*t.trouble && !t.cancelled)
                    HARNESS_FAIL("%s, %s, of %s: no stop was heard", info->name, v->name, shapes[i].name);
            }
            variants_free(&list);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(a_stop_of_one_rank_is_one_of_all) { all_runs(WEFT_DEVICE_CPU); }

TEST(a_stop_of_one_rank_on_a_gpu_is_one_of_all) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    all_runs(WEFT_DEVICE_CUDA);
}

TEST_MAIN()
