/* See watch.h.  The board is a file in /dev/shm without a name; where it cannot be made each rank has one of its own,
 * and knows only how long it has waited. */
#include "ranks/watch.h"
#include "ranks/comm.h"
#include "stream/descriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LOOK_MS = 100 };

typedef struct board {
    _Atomic int32_t told; /* a rank has the word */
    wfi_watched place[];
} board;

typedef struct wfi_looking {
    wfi_watch watch;
    board *board;
    size_t places, own, bytes; /* bytes: mapped; 0: the board is this rank's alone */
    double seconds;
    weft_rank_lost_fn lost;
    void *user;
    int end; /* an event: the thread is to end */
    pthread_t thread;
    bool runs, said;
    struct pollfd ends[]; /* of the processes at each place; then `end` */
} wfi_looking;

/* --- the board ------------------------------------------------------------------------------ */

/* Processes with the same number see each other: machine and process namespace. */
static uint64_t neighbourhood(void) {
    char text[256] = "";
    uint64_t hash = 14695981039346656037u;
    if (gethostname(text, 128)) *text = 0;
    size_t used = strlen(text);
    ssize_t more = readlink("/proc/self/ns/pid", text + used, sizeof text - used);
    used += more > 0 ? (size_t)more : 0;
    for (size_t i = 0; i < used; i++) hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return hash;
}

/* A file is made with all its bytes: a board without them would end its ranks when they write to it. */
static void *map_board(const char *path, bool create, size_t bytes) {
    int file = wfi_open(path, O_RDWR | (create ? O_CREAT | O_EXCL : 0), 0600);
    void *at = MAP_FAILED;
    if (file < 0) return NULL;
    if (!create || !posix_fallocate(file, 0, (off_t)bytes))
        at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (create && at == MAP_FAILED) unlink(path);
    return at == MAP_FAILED ? NULL : at;
}

/* The first of the neighbours makes the file, and its process names it, 0 if it could not be made. */
static weft_status share_board(weft_ctx *ctx, wfi_comm *comm, size_t leader, wfi_looking *l) {
    uint64_t *all = comm->scratch + comm->link.size + 1;
    size_t bytes = sizeof(board) + l->places * sizeof(wfi_watched);
    bool leads = l->own == 0;
    char path[64];
    snprintf(path, sizeof path, "/dev/shm/weft-ranks-%ld", (long)getpid());
    void *at = leads ? map_board(path, true, bytes) : NULL;
    weft_status st = wfi_allgather_u64(ctx, comm, at ? (uint64_t)getpid() : 0, all);
    if (!st && !leads && all[leader]) {
        snprintf(path, sizeof path, "/dev/shm/weft-ranks-%ld", (long)all[leader]);
        at = map_board(path, false, bytes);
    }
    if (!st) st = wfi_agree(ctx, comm, WEFT_OK); /* all have opened it */
    if (leads && at) unlink(path);
    l->board = at;
    l->bytes = at ? bytes : 0;
    return st;
}

/* Everybody stands on the board before anybody looks. */
static weft_status take_place(weft_ctx *ctx, wfi_comm *comm, wfi_looking *l) {
    if (!l->board) {
        l->places = 1, l->own = 0;
        l->board = calloc(1, sizeof *l->board + sizeof *l->board->place);
    }
    if (l->board) {
        wfi_watched *own = &l->board->place[l->own];
        atomic_store(&own->rank, comm->link.rank);
        atomic_store(&own->process, (int32_t)getpid());
        l->watch.own = own;
    }
    return wfi_agree(ctx, comm, l->board ? WEFT_OK : WEFT_ENOMEM);
}

/* --- looking --------------------------------------------------------------------------------- */

static void say(wfi_looking *l, int hangs, const char *message) {
    if (l->said) return;
    l->said = true;
    l->lost(l->user, hangs, atomic_exchange(&l->board->told, 1) ? NULL : message);
}

/* Stopped by a signal, or in a debugger. */
static bool is_stopped(int32_t process) {
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = wfi_open_stream(path);
    if (!file) return false;
    size_t got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[got] = 0;
    const char *state = strrchr(text, ')');
    return state && (state[2] == 'T' || state[2] == 't');
}

static void look_for_the_late(wfi_looking *l) {
    const wfi_watched *own = l->watch.own;
    uint64_t since = atomic_load(&own->since), calls = atomic_load(&own->calls);
    double waited = since ? (wfi_now_ms() + 1 - (double)since) / 1e3 : 0;
    char text[160];
    const char *found = NULL;
    if (!(l->seconds > 0) || waited < l->seconds) return;
    snprintf(text, sizeof text, "rank %d has waited %g s for the other ranks", (int)atomic_load(&own->rank),
             l->seconds);
    for (size_t i = 0; i < l->places; i++) {
        wfi_watched *p = &l->board->place[i];
        bool late = !atomic_load(&p->since) && atomic_load(&p->calls) <= calls && !atomic_load(&p->left);
        bool stopped = is_stopped(atomic_load(&p->process));
        if (i == l->own || (!stopped && (found || !late))) continue;
        found = stopped ? "its process is stopped" : "it works without an end";
        snprintf(text, sizeof text, "rank %d hangs: %s, and rank %d has waited %g s for it", (int)atomic_load(&p->rank),
                 found, (int)atomic_load(&own->rank), l->seconds);
        if (stopped) break;
    }
    say(l, 1, text);
}

static void look_for_the_lost(wfi_looking *l) {
    char text[96];
    for (size_t i = 0; i < l->places; i++) {
        wfi_watched *p = &l->board->place[i];
        if (l->ends[i].fd < 0 || !(l->ends[i].revents & POLLIN)) continue;
        l->ends[i].fd = -1 - l->ends[i].fd; /* not again */
        if (atomic_load(&p->left)) continue;
        snprintf(text, sizeof text, "rank %d is gone: it was killed, or ended without a word",
                 (int)atomic_load(&p->rank));
        say(l, 0, text);
    }
}

static void *look(void *user) {
    wfi_looking *l = user;
    while (poll(l->ends, l->places + 1, LOOK_MS) >= 0 && !(l->ends[l->places].revents & POLLIN)) {
        look_for_the_lost(l);
        look_for_the_late(l);
    }
    return NULL;
}

/* Signals are the caller's threads'. */
static weft_status begin_looking(weft_ctx *ctx, wfi_looking *l) {
    sigset_t all, before;
    for (size_t i = 0; i < l->places; i++) {
        int process = (int)atomic_load(&l->board->place[i].process);
#ifdef SYS_pidfd_open
        if (i != l->own) l->ends[i].fd = wfi_raise((int)syscall(SYS_pidfd_open, process, 0));
#endif
        (void)process;
    }
    l->end = wfi_raise(eventfd(0, EFD_CLOEXEC));
    l->ends[l->places] = (struct pollfd){.fd = l->end, .events = POLLIN};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    l->runs = l->end >= 0 && !pthread_create(&l->thread, NULL, look, l);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return l->runs ? WEFT_OK : wfi_fail(ctx, WEFT_ENOMEM, "no thread can be started that watches the ranks");
}

weft_status wfi_watch_new(weft_ctx *ctx, wfi_comm *comm, double seconds, weft_rank_lost_fn lost, void *user,
                          wfi_watch **out) {
    size_t ranks = (size_t)comm->link.size, leader = ranks;
    uint64_t here = neighbourhood(), *all = comm->scratch + ranks + 1;
    wfi_looking *l = calloc(1, sizeof *l + (ranks + 1) * sizeof *l->ends);
    *out = NULL;
    weft_status st = wfi_agree(ctx, comm, l ? WEFT_OK : wfi_fail(ctx, WEFT_ENOMEM, "out of memory"));
    if (st) {
        free(l);
        return st;
    }
    l->seconds = seconds, l->lost = lost, l->user = user, l->end = -1;
    l->watch.looking = l;
    for (size_t i = 0; i <= ranks; i++) l->ends[i] = (struct pollfd){.fd = -1, .events = POLLIN};
    st = wfi_allgather_u64(ctx, comm, here, all);
    for (size_t r = 0; r < ranks && !st; r++) {
        if (all[r] != here) continue;
        if (leader == ranks) leader = r;
        if (r == (size_t)comm->link.rank) l->own = l->places;
        l->places++;
    }
    if (!st) st = share_board(ctx, comm, leader, l);
    if (!st) st = take_place(ctx, comm, l);
    if (!st) st = wfi_agree(ctx, comm, begin_looking(ctx, l));
    if (st)
        wfi_watch_free(&l->watch);
    else
        *out = &l->watch;
    return st;
}

void wfi_watch_free(wfi_watch *watch) {
    wfi_looking *l = watch ? watch->looking : NULL;
    if (!l) return;
    uint64_t one = 1;
    if (watch->own) atomic_store(&watch->own->left, 1);
    if (l->runs && write(l->end, &one, sizeof one) == (ssize_t)sizeof one) pthread_join(l->thread, NULL);
    for (size_t i = 0; i < l->places; i++) {
        int end = l->ends[i].fd < -1 ? -1 - l->ends[i].fd : l->ends[i].fd;
        if (end >= 0) close(end);
    }
    if (l->end >= 0) close(l->end);
    if (l->bytes)
        munmap(l->board, l->bytes);
    else
        free(l->board);
    free(l);
}
