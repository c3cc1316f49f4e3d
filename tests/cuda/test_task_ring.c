/* A crew does every share of every job once, whatever the number of its threads; jobs that nobody waited for may be left. */
#include "support.h"

#include "cuda/task_ring.h"

enum { JOBS = 2000 };

typedef struct job {
    _Atomic unsigned seen[WFI_TASK_SHARES]; /* how often each share was done */
} job;

typedef struct trial {
    wfi_task_ring crew;
    job *jobs;
    uint64_t posted, waited; /* jobs that are, and of these those that are waited for */
    int wrong_numbers;
} trial;

static void note(void *given, unsigned share) { ((job *)given)->seen[share]++; }

static void post_all(void *given) {
    trial *t = given;
    for (uint64_t i = 0; i < t->posted; i++) {
        while (i >= WFI_TASK_RING_JOBS && !wfi_task_ring_done(&t->crew, i - WFI_TASK_RING_JOBS))
            wfi_task_ring_help(&t->crew);
        t->wrong_numbers += wfi_task_ring_post(&t->crew, note, &t->jobs[i]) != i;
    }
    for (uint64_t i = t->waited > WFI_TASK_RING_JOBS ? t->waited - WFI_TASK_RING_JOBS : 0; i < t->waited; i++)
        while (!wfi_task_ring_done(&t->crew, i)) wfi_task_ring_help(&t->crew);
}

static void check_crew(int threads, uint64_t posted, uint64_t waited) {
    trial t = {.jobs = calloc(posted + 1, sizeof *t.jobs), .posted = posted, .waited = waited};
    REQUIRE(t.jobs);
    wfi_task_ring_run(&t.crew, threads, post_all, &t);
    CHECK(t.wrong_numbers == 0);
    for (uint64_t i = 0; i < posted; i++)
        for (unsigned k = 0; k < WFI_TASK_SHARES; k++)
            if (t.jobs[i].seen[k] > 1 || (i < waited && !t.jobs[i].seen[k]))
                HARNESS_FAIL("%d threads: share %u of job %" PRIu64 " was done %u times", threads, k, i,
                             t.jobs[i].seen[k]);
    free(t.jobs);
}

TEST(every_share_is_done_once) {
    for (int threads = 1; threads < 10; threads += 2) check_crew(threads, JOBS, JOBS);
}

TEST(jobs_may_be_left) {
    for (int i = 0; i < 200; i++) check_crew(3, (uint64_t)(i % (WFI_TASK_RING_JOBS + 1)), 0);
}

TEST_MAIN()
