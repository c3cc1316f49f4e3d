/* Failure detection: a thread on each rank that notices when another rank of its machine is gone, or when this rank has
 * waited too long.
 * Method: the ranks of a machine share a page, the board, where each publishes its process, its number of collective
 * calls, and since when it waits in one.  All ranks make the same calls in the same order, so the board shows which
 * rank is late; a pidfd reports a process that ends.  None of this uses the transport: a hanging rank would not answer.
 * Encoding: the board is a file in /dev/shm without a name; if it cannot be made each rank has a board of its own, and
 * knows only how long it has waited. */
#include "ranks/links.h"
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
    _Atomic int32_t reported; /* a rank has reported a loss */
    wfi_watched place[];
} board;

typedef struct wfi_watch {
    wfi_watched *shown; /* this rank's entry on the board */
    board *board;
    size_t places, own, bytes; /* bytes: mapped; 0: the board belongs to this rank alone */
    double seconds;
    weft_rank_lost_fn lost;
    void *user;
    int end; /* an event: the thread is to end */
    pthread_t thread;
    bool runs, reported;
    struct pollfd ends[]; /* descriptors of the processes at each place; then `end` */
} wfi_watch;

/* --- the board ------------------------------------------------------------------------------ */

/* A hash of machine and process namespace: processes with the same hash see each other. */
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

/* The file is allocated in full: a rank that writes to a missing page would be killed. */
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

/* The first of the neighbours makes the file, which is named by its process; 0 if it could not be made. */
static weft_status share_board(weft_ctx *ctx, size_t leader, wfi_watch *l) {
    uint64_t *all = wfi_ctx_comm(ctx)->scratch + wfi_ranks(ctx) + 1;
    size_t bytes = sizeof(board) + l->places * sizeof(wfi_watched);
    bool leads = l->own == 0;
    char path[64];
    snprintf(path, sizeof path, "/dev/shm/weft-ranks-%ld", (long)getpid());
    void *at = leads ? map_board(path, true, bytes) : NULL;
    weft_status st = wfi_allgather_u64(ctx, at ? (uint64_t)getpid() : 0, all);
    if (!st && !leads && all[leader]) {
        snprintf(path, sizeof path, "/dev/shm/weft-ranks-%ld", (long)all[leader]);
        at = map_board(path, false, bytes);
    }
    if (!st) st = wfi_agree(ctx, WEFT_OK); /* all have opened it */
    if (leads && at) unlink(path);
    l->board = at;
    l->bytes = at ? bytes : 0;
    return st;
}

/* Every rank is on the board before any reads it. */
static weft_status take_place(weft_ctx *ctx, wfi_watch *l) {
    if (!l->board) {
        l->places = 1, l->own = 0;
        l->board = calloc(1, sizeof *l->board + sizeof *l->board->place);
    }
    if (l->board) {
        wfi_watched *own = &l->board->place[l->own];
        atomic_store(&own->rank, wfi_rank(ctx));
        atomic_store(&own->process, (int32_t)getpid());
        l->shown = own;
    }
    return wfi_agree(ctx, l->board ? WEFT_OK : WEFT_ENOMEM);
}

/* --- looking --------------------------------------------------------------------------------- */

static void report(wfi_watch *l, int hangs, const char *message) {
    if (l->reported) return;
    l->reported = true;
    l->lost(l->user, hangs, atomic_exchange(&l->board->reported, 1) ? NULL : message);
}

/* True if a signal or a debugger has stopped the process. */
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

static void check_late(wfi_watch *l) {
    const wfi_watched *own = l->shown;
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
        found = stopped ? "its process is stopped" : "it computes without end";
        snprintf(text, sizeof text, "rank %d hangs: %s, and rank %d has waited %g s for it", (int)atomic_load(&p->rank),
                 found, (int)atomic_load(&own->rank), l->seconds);
        if (stopped) break;
    }
    report(l, 1, text);
}

static void check_lost(wfi_watch *l) {
    char text[96];
    for (size_t i = 0; i < l->places; i++) {
        wfi_watched *p = &l->board->place[i];
        if (l->ends[i].fd < 0 || !(l->ends[i].revents & POLLIN)) continue;
        l->ends[i].fd = -1 - l->ends[i].fd; /* not again */
        if (atomic_load(&p->left)) continue;
        snprintf(text, sizeof text, "rank %d is gone: it was killed, or ended without notice",
                 (int)atomic_load(&p->rank));
        report(l, 0, text);
    }
}

static void *look(void *user) {
    wfi_watch *l = user;
    while (poll(l->ends, l->places + 1, LOOK_MS) >= 0 && !(l->ends[l->places].revents & POLLIN)) {
        check_lost(l);
        check_late(l);
    }
    return NULL;
}

/* All signals are left to the caller's threads. */
static weft_status start_thread(weft_ctx *ctx, wfi_watch *l) {
    sigset_t all, before;
    for (size_t i = 0; i < l->places; i++) {
        int process = (int)atomic_load(&l->board->place[i].process);
#ifdef SYS_pidfd_open
        if (i != l->own) l->ends[i].fd = wfi_move_above_stderr((int)syscall(SYS_pidfd_open, process, 0));
#endif
        (void)process;
    }
    l->end = wfi_move_above_stderr(eventfd(0, EFD_CLOEXEC));
    l->ends[l->places] = (struct pollfd){.fd = l->end, .events = POLLIN};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    l->runs = l->end >= 0 && !pthread_create(&l->thread, NULL, look, l);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return l->runs ? WEFT_OK : wfi_fail(ctx, WEFT_ENOMEM, "cannot start the thread that watches the ranks");
}

static void end_watch(wfi_watch *l) {
    uint64_t one = 1;
    if (l->shown) atomic_store(&l->shown->left, 1);
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

weft_status wfi_watch_begin(weft_ctx *ctx, double seconds, weft_rank_lost_fn lost, void *user) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    size_t ranks = (size_t)comm->link.size, leader = ranks;
    uint64_t here = neighbourhood(), *all = comm->scratch + ranks + 1;
    wfi_watch *l = calloc(1, sizeof *l + (ranks + 1) * sizeof *l->ends);
    weft_status st = wfi_agree(ctx, l ? WEFT_OK : wfi_fail(ctx, WEFT_ENOMEM, "out of memory"));
    if (st) {
        free(l);
        return st;
    }
    l->seconds = seconds, l->lost = lost, l->user = user, l->end = -1;
    for (size_t i = 0; i <= ranks; i++) l->ends[i] = (struct pollfd){.fd = -1, .events = POLLIN};
    st = wfi_allgather_u64(ctx, here, all);
    for (size_t r = 0; r < ranks && !st; r++) {
        if (all[r] != here) continue;
        if (leader == ranks) leader = r;
        if (r == (size_t)comm->link.rank) l->own = l->places;
        l->places++;
    }
    if (!st) st = share_board(ctx, leader, l);
    if (!st) st = take_place(ctx, l);
    if (!st) st = wfi_agree(ctx, start_thread(ctx, l));
    if (st) {
        end_watch(l);
        return st;
    }
    comm->watch = l;
    comm->watched = l->shown;
    comm->close_watch = end_watch;
    return WEFT_OK;
}
