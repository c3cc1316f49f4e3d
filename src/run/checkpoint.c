/* When a state is saved, and by which run it may be resumed: see checkpoint.h. */
#include "core/context.h"
#include "run/checkpoint_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wfi_checkpoint {
    wfi_checkpoint_place place;
    const wfi_algorithm *algorithm;
    const void *params;
    double every_ms, due_ms;
    weft_cancel_fn stop;
    void *user;
    wfi_checkpoint_head own, found; /* of this run; of the file at its beginning */
    bool there;
    uint64_t sent;
    weft_checkpoint_info info;
};

weft_status weft_ctx_set_checkpoint(weft_ctx *ctx, const char *folder, double seconds, weft_cancel_fn stop,
                                    void *user) {
    WFI_BEGIN_OR_RETURN(ctx);
    if (folder && !*folder) return wfi_fail(ctx, WEFT_EINVAL, "weft_ctx_set_checkpoint: the folder's name is empty");
    if (!(seconds >= 0))
        return wfi_fail(ctx, WEFT_EINVAL, "checkpoints every %g seconds: it must be 0 or more", seconds);
    char *copy = folder ? strdup(folder) : NULL;
    if (folder && !copy) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory");
    wfi_checkpoints *wanted = wfi_ctx_checkpoints(ctx);
    free(wanted->folder);
    *wanted = (wfi_checkpoints){copy, seconds, stop, user};
    return WEFT_OK;
}

/* --- of a plan ------------------------------------------------------------------------- */

static char *path_in(weft_ctx *ctx, const char *folder, const char *name, const char *end) {
    size_t bytes = strlen(folder) + strlen(name) + strlen(end) + 2;
    char *path = wfi_take(ctx, bytes, 1);
    if (path) snprintf(path, bytes, "%s/%s%s", folder, name, end);
    return path;
}

weft_status wfi_checkpoint_new(weft_ctx *ctx, const wfi_algorithm *a, const void *params, const weft_graph *g,
                               const wfi_spread *spread, wfi_checkpoint **out) {
    const wfi_checkpoints *wanted = wfi_ctx_checkpoints(ctx);
    *out = NULL;
    if (!wanted->folder) return WEFT_OK;
    if (!a->info.checkpoints) return wfi_fail(ctx, WEFT_EUNSUPPORTED, "%s does not support checkpoints", a->info.name);
    wfi_checkpoint *c = wfi_take_zeroed(ctx, 1, sizeof *c);
    if (!c) return WEFT_ENOMEM;
    c->algorithm = a;
    c->params = params;
    c->every_ms = wanted->seconds * 1e3;
    c->stop = wanted->stop;
    c->user = wanted->user;
    c->place = (wfi_checkpoint_place){.ctx = ctx, .g = g, .spread = spread, .lock = -1};
    c->place.folder = wfi_copy_text(ctx, wanted->folder);
    c->place.path = path_in(ctx, wanted->folder, a->info.name, ".checkpoint");
    c->place.partial = path_in(ctx, wanted->folder, a->info.name, ".checkpoint.partial");
    *out = c;
    return c->place.folder && c->place.path && c->place.partial ? WEFT_OK : WEFT_ENOMEM;
}

void wfi_checkpoint_free(wfi_checkpoint *c) {
    if (!c) return;
    wfi_checkpoint_leave(&c->place);
    WFI_FREE(c->place.folder, c->place.path, c->place.partial, c);
}

/* The words from the first on in which the two differ, each up to its end. */
static weft_status tell_difference(const wfi_checkpoint *c) {
    const char *there = c->found.words, *here = c->own.words;
    size_t word = 0;
    for (size_t i = 0; there[i] && there[i] == here[i]; i++)
        if (there[i] == ' ') word = i + 1;
    return wfi_fail(c->place.ctx, WEFT_EINPUT,
                    "%s is of a run with %.*s, and this one has %.*s; remove it, or name another folder, to begin anew",
                    c->place.path, (int)strcspn(there + word, " "), there + word, (int)strcspn(here + word, " "),
                    here + word);
}

static weft_status check_found(const wfi_checkpoint *c) {
    const wfi_checkpoint_head *there = &c->found, *here = &c->own;
    if (strcmp(there->words, here->words) != 0) return tell_difference(c);
    if (there->vertices != here->vertices || there->arcs != here->arcs)
        return wfi_fail(c->place.ctx, WEFT_EINPUT,
                        "%s is of a graph with %llu vertices and %llu arcs, and this one has %llu and %llu",
                        c->place.path, (unsigned long long)there->vertices, (unsigned long long)there->arcs,
                        (unsigned long long)here->vertices, (unsigned long long)here->arcs);
    if (there->graph != here->graph)
        return wfi_fail(c->place.ctx, WEFT_EINPUT, "%s is of another graph, with as many vertices and arcs",
                        c->place.path);
    return WEFT_OK;
}

static weft_status identify(wfi_checkpoint *c) {
    weft_ctx *ctx = c->place.ctx;
    wfi_checkpoint_head *own = &c->own;
    *own = (wfi_checkpoint_head){.vertices = c->place.g->n, .arcs = c->place.g->arcs};
    snprintf(own->library, sizeof own->library, "%s", weft_version());
    weft_status st = wfi_checkpoint_words(ctx, c->algorithm, c->params, c->place.g, own->words, sizeof own->words);
    st = wfi_agree(ctx, st);
    if (st) return st;
    return wfi_checkpoint_graph(ctx, c->algorithm, c->params, c->place.g, c->place.spread, &own->graph);
}

weft_status wfi_checkpoint_open(wfi_checkpoint *c) {
    if (!c) return WEFT_OK;
    c->info = (weft_checkpoint_info){.size = sizeof c->info};
    c->sent = 0;
    weft_status st = wfi_checkpoint_enter(&c->place);
    if (!st) st = wfi_checkpoint_look(&c->place, &c->found, &c->there);
    if (!st) st = identify(c);
    if (!st && c->there) st = wfi_agree(c->place.ctx, check_found(c));
    c->due_ms = wfi_now_ms() + c->every_ms;
    return st;
}

void wfi_checkpoint_close(wfi_checkpoint *c) {
    if (c) wfi_checkpoint_leave(&c->place);
}

uint64_t wfi_checkpoint_resumed_from(const wfi_checkpoint *c) { return c ? c->info.resumed_from : 0; }
uint64_t wfi_checkpoint_sent(const wfi_checkpoint *c) { return c ? c->sent : 0; }

/* --- in a run ---------------------------------------------------------------------------- */

weft_status wfi_checkpoint_resume(wfi_checkpoint *c, wfi_state *state, uint64_t *done) {
    *done = 0;
    if (!c || !c->there) return WEFT_OK;
    const wfi_comm *comm = c->place.spread->comm;
    uint64_t before = comm->sent;
    weft_status st = wfi_checkpoint_load(&c->place, &c->found, state);
    if (st) return st;
    c->sent = comm->sent - before;
    c->info.resumed_from = *done = c->found.iteration;
    wfi_note(c->place.ctx, "%s goes on after iteration %llu, from %s", c->algorithm->info.name,
             (unsigned long long)*done, c->place.path);
    return WEFT_OK;
}

static weft_status save(wfi_checkpoint *c, const wfi_state *state, uint64_t done) {
    c->own.iteration = done;
    weft_status st = wfi_checkpoint_store(&c->place, &c->own, state);
    c->due_ms = wfi_now_ms() + c->every_ms;
    if (st) return st;
    c->info.written++;
    c->info.iteration = done;
    return WEFT_OK;
}

weft_status wfi_checkpoint_reached(wfi_checkpoint *c, const wfi_state *state, uint64_t done) {
    enum { STOP, DUE, WISHES };
    if (!c) return WEFT_OK;
    weft_ctx *ctx = c->place.ctx;
    /* Any rank may receive the request to stop; the time is that of the first rank. */
    uint64_t wish[WISHES] = {c->stop && c->stop(c->user) != 0, wfi_rank(ctx) == 0 && wfi_now_ms() >= c->due_ms};
    weft_status st = wfi_allreduce(ctx, wish, WISHES, WFI_MAX);
    if (st || (!wish[STOP] && !wish[DUE])) return st;
    st = save(c, state, done);
    if (!st && !wish[STOP]) return WEFT_OK;
    if (!st) {
        c->info.stopped = 1;
        return wfi_fail(ctx, WEFT_ECANCELLED, "stopped on request after iteration %llu; %s goes on from there",
                        (unsigned long long)done, c->place.path);
    }
    if (st == WEFT_ECANCELLED) return st;
    char why[256];
    snprintf(why, sizeof why, "%s", weft_ctx_message(ctx));
    if (wish[STOP])
        return wfi_fail(ctx, st, "stopped on request after iteration %llu, but without a checkpoint: %s",
                        (unsigned long long)done, why);
    wfi_warn(ctx, "no checkpoint of iteration %llu: %s; the run goes on", (unsigned long long)done, why);
    wfi_message_clear(ctx);
    return WEFT_OK;
}

/* --- the public functions ------------------------------------------------------------------ */

weft_status weft_plan_checkpoint(weft_plan *plan, weft_checkpoint_info *info) {
    if (!plan) return WEFT_EINVAL;
    weft_ctx *ctx = wfi_plan_ctx(plan);
    const wfi_checkpoint *c = wfi_plan_checkpoint_of(plan);
    weft_checkpoint_info none = {.size = sizeof none};
    WFI_BEGIN_WITH_OR_RETURN(ctx, info);
    return wfi_sized_out(ctx, "weft_checkpoint_info", c && c->info.size ? &c->info : &none, sizeof none, info);
}

weft_status weft_plan_forget_checkpoint(weft_plan *plan) {
    if (!plan) return WEFT_EINVAL;
    weft_ctx *ctx = wfi_plan_ctx(plan);
    const wfi_checkpoint *c = wfi_plan_checkpoint_of(plan);
    WFI_BEGIN_OR_RETURN(ctx);
    if (!c || weft_ctx_rank(ctx) || !unlink(c->place.path) || errno == ENOENT) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EIO, "%s: cannot remove: %s", c->place.path, strerror(errno));
}
