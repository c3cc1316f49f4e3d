/* A crew does every share of every job once, in the order of the jobs, whatever the number of its threads; jobs that nobody waited for may
 * be left. */
#include "support.h"

#include "cuda/crew.h"

enum { JOBS = 3000, MOST_SHARES = WFI_CREW_MOST };

typedef struct job {
    _Atomic unsigned seen[MOST_SHARES]; /* how often each share was asked for */
    _Atomic unsigned shares;
    const struct job *before; /* of which my share must be done */
} job;

static _Atomic unsigned out_of_order;

static void note(void *given, unsigned share, unsigned shares) {
    job *j = given;
    if (j->before && j->before->seen[share] != 1) out_of_order++;
    j->shares = shares;
    j->seen[share]++;
}

static void check_crew(unsigned threads) {
    job *jobs = calloc(JOBS, sizeof *jobs);
    wfi_crew crew;
    REQUIRE(jobs);
    out_of_order = 0;
    wfi_crew_open(&crew, threads);
    CHECK(crew.count <= threads && crew.count <= WFI_CREW_MOST);
    for (uint64_t i = 0; i < JOBS; i++) {
        if (i) jobs[i].before = &jobs[i - 1];
        while (i >= WFI_CREW_JOBS && !wfi_crew_done(&crew, i - WFI_CREW_JOBS)) wfi_crew_pause();
        CHECK_U64(wfi_crew_post(&crew, note, &jobs[i]), i);
    }
    for (uint64_t i = JOBS - WFI_CREW_JOBS; i < JOBS; i++)
        while (!wfi_crew_done(&crew, i)) wfi_crew_pause();
    unsigned shares = crew.count ? crew.count : 1;
    wfi_crew_close(&crew);
    for (uint64_t i = 0; i < JOBS; i++) {
        unsigned right = jobs[i].shares == shares;
        for (unsigned k = 0; k < MOST_SHARES; k++) right += jobs[i].seen[k] == (k < shares);
        if (right != 1 + MOST_SHARES) HARNESS_FAIL("%u threads: job %" PRIu64 " was not done once", threads, i);
    }
    CHECK_U64(out_of_order, 0);
    free(jobs);
}

TEST(every_share_is_done_once_in_order) {
    check_crew(0);
    check_crew(1);
    check_crew(3);
    check_crew(40);
}

TEST(a_crew_can_be_left_at_any_time) {
    for (int i = 0; i < 50; i++) {
        job jobs[WFI_CREW_JOBS];
        wfi_crew crew;
        memset(jobs, 0, sizeof jobs);
        wfi_crew_open(&crew, 3);
        for (int k = 0; k < i % (WFI_CREW_JOBS + 1); k++) wfi_crew_post(&crew, note, &jobs[k]);
        wfi_crew_close(&crew);
        for (int k = 0; k < WFI_CREW_JOBS; k++)
            for (unsigned s = 0; s < MOST_SHARES; s++) CHECK(jobs[k].seen[s] <= 1);
    }
}

TEST_MAIN()
