/* Numbered cases in a child process, which may crash, hang or leak: the parent says at which case, and a new child goes
 * on after it.
 *
 *   test_x               the first 400 cases, or as many as begin within WEFT_HOSTILE_SECONDS
 *   test_x FIRST COUNT   these cases
 *
 * A case draws from its number and WEFT_HOSTILE_SEED (1) alone, so that it can be repeated.  Exit code 1 when something
 * was found. */
#ifndef WEFT_HOSTILE_WORKER_H
#define WEFT_HOSTILE_WORKER_H

#include "support.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

enum { WORKER_COUNTS = 12, WORKER_ENOUGH = 10, WORKER_CASES = 400, WORKER_CPU_SECONDS = 120, WORKER_SECONDS = 900 };

typedef struct worker {
    const char *name;
    void (*prepare)(void); /* in each child */
    void (*one)(dice *from);
    void (*finish)(void);
    const char *counted[WORKER_COUNTS]; /* what worker_count() counts, for the line at the end */
} worker;

/* Both processes see it. */
typedef struct worker_state {
    _Atomic uint64_t number, findings, counts[WORKER_COUNTS];
    char stage[240];
} worker_state;
static worker_state *worker_now;
static uint64_t worker_seed = 1;

static inline void worker_count(int what) { worker_now->counts[what]++; }

#define STAGE(...) snprintf(worker_now->stage, sizeof worker_now->stage, __VA_ARGS__)
#define WRONG(...)                                                                                          \
    do {                                                                                                    \
        worker_now->findings++;                                                                             \
        fprintf(stderr, "FAILED  case %" PRIu64 ", %s: ", (uint64_t)worker_now->number, worker_now->stage); \
        fprintf(stderr, __VA_ARGS__);                                                                       \
        fputc('\n', stderr);                                                                                \
    } while (0)

static inline double worker_clock(clockid_t which) {
    struct timespec t = {0, 0};
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline _Noreturn void worker_child(const worker *w, uint64_t first, uint64_t last, double end) {
    STAGE("before the first");
    w->prepare();
    for (uint64_t number = first;
         number < last && worker_clock(CLOCK_MONOTONIC) < end && worker_now->findings < WORKER_ENOUGH; number++) {
        dice from = {worker_seed * 1000003 + number, 0};
        worker_now->number = number;
        w->one(&from);
    }
    STAGE("after the last");
    w->finish();
    exit(0); /* where sanitizers look for leaks */
}

/* Waits for the end of a child; false: it hangs, and was killed. */
static inline bool worker_wait(pid_t child, int *how) {
    clockid_t cpu;
    uint64_t at = UINT64_MAX;
    double wall = 0, work = 0;
    while (!waitpid(child, how, WNOHANG)) {
        if (at != worker_now->number || clock_getcpuclockid(child, &cpu)) {
            at = worker_now->number;
            wall = worker_clock(CLOCK_MONOTONIC);
            work = worker_clock(cpu);
        } else if (worker_clock(cpu) - work > WORKER_CPU_SECONDS ||
                   worker_clock(CLOCK_MONOTONIC) - wall > WORKER_SECONDS) {
            kill(child, SIGKILL);
            waitpid(child, how, 0);
            return false;
        }
        usleep(20000);
    }
    return true;
}

static inline int worker_main(const worker *w, int argc, char **argv) {
    const char *seconds = getenv("WEFT_HOSTILE_SECONDS"), *seed = getenv("WEFT_HOSTILE_SEED");
    bool given = argc == 3;
    uint64_t first = given ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t last = given ? first + strtoull(argv[2], NULL, 10) : seconds ? UINT64_MAX : WORKER_CASES;
    double end = given || !seconds ? INFINITY : worker_clock(CLOCK_MONOTONIC) + atof(seconds);
    if (seed) worker_seed = strtoull(seed, NULL, 10);
    worker_now = mmap(NULL, sizeof *worker_now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (worker_now == MAP_FAILED) return 1;
    worker_now->number = first;
    while (worker_now->findings < WORKER_ENOUGH) {
        int how = 0;
        uint64_t found = worker_now->findings;
        pid_t child = fork();
        if (child < 0) return 1;
        if (!child) worker_child(w, worker_now->number, last, end);
        bool ended = worker_wait(child, &how);
        if (ended && WIFEXITED(how) && !WEXITSTATUS(how)) break;
        if (found == worker_now->findings) {
            if (!ended)
                WRONG("it hangs");
            else if (WIFSIGNALED(how))
                WRONG("the process was ended by signal %d", WTERMSIG(how));
            else
                WRONG("the process exited with %d", WEXITSTATUS(how));
        }
        worker_now->number++;
        if (worker_now->number >= last || worker_clock(CLOCK_MONOTONIC) >= end) break;
    }
    if (worker_now->findings) printf("again: WEFT_HOSTILE_SEED=%" PRIu64 " %s CASE 1\n", worker_seed, argv[0]);
    printf("%s: cases up to %" PRIu64 ", %" PRIu64 " findings", w->name, (uint64_t)worker_now->number,
           (uint64_t)worker_now->findings);
    for (int i = 0; i < WORKER_COUNTS && w->counted[i]; i++)
        printf(", %" PRIu64 " %s", (uint64_t)worker_now->counts[i], w->counted[i]);
    putchar('\n');
    return worker_now->findings > 0;
}

#endif
