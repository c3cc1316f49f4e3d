/* See crew.h. */
#include "crew.h"

#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

typedef struct crew {
    crew_rank rank[LAB_MOST_RANKS];
    crew_work *work[2];
    void *state;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int gate; /* 0: wait; 1: begin; -1: a thread is missing, and nobody begins */
} crew;

/* What a thread is given. */
typedef struct post {
    crew *crew;
    int rank, which;
} post;

int crew_ranks(const lab_run *r) { return r->ranks > 0 ? r->ranks : LAB_RANKS; }

crew_grid crew_grid_of(const lab_run *r) {
    int ranks = crew_ranks(r), columns = 1;
    for (int c = 2; c * c <= ranks; c++)
        if (ranks % c == 0) columns = c;
    return (crew_grid){ranks / columns, columns};
}

crew_grid crew_in_one_column(const lab_run *r) { return (crew_grid){crew_ranks(r), 1}; }

/* --- who talks to whom ------------------------------------------------------------------- */

/* The ranks at `place` are a communicator from now on.  What was opened is theirs, in any case. */
static bool open_group(bool network, int size, weft_ctx **place[]) {
    weft_ctx *contexts[LAB_MOST_RANKS];
    for (int i = 0; i < size; i++) {
        if (weft_ctx_new(place[i])) return false;
        contexts[i] = *place[i];
    }
    return !weft_ctx_set_virtual(contexts, size, network ? LAB_NETWORK_DELAY : 0, network ? LAB_NETWORK_BANDWIDTH : 0);
}

static bool open_all(crew *c, crew_grid grid, bool network) {
    weft_ctx **place[LAB_MOST_RANKS];
    for (int k = 0; k < grid.rows * grid.columns; k++) place[k] = &c->rank[k].all;
    bool whole = open_group(network, grid.rows * grid.columns, place);
    for (int i = 0; i < grid.rows && whole; i++) {
        for (int j = 0; j < grid.columns; j++) place[j] = &c->rank[i * grid.columns + j].along_row;
        whole = open_group(network, grid.columns, place);
    }
    for (int j = 0; j < grid.columns && whole; j++) {
        for (int i = 0; i < grid.rows; i++) place[i] = &c->rank[i * grid.columns + j].along_column;
        whole = open_group(network, grid.rows, place);
    }
    return whole;
}

/* Bytes that all have sent. */
static double close_all(crew *c, int ranks) {
    uint64_t sent = 0;
    for (int k = 0; k < ranks; k++) {
        weft_ctx *comm[] = {c->rank[k].all, c->rank[k].along_row, c->rank[k].along_column};
        for (int i = 0; i < 3; i++) {
            if (comm[i]) sent += wfi_ctx_comm(comm[i])->sent;
            weft_ctx_free(comm[i]);
        }
    }
    return (double)sent;
}

/* --- threads ------------------------------------------------------------------------------- */

/* Linux lets sleepers oversleep by 50 us, which is five messages. */
static void sleep_exactly(void) {
#if defined __linux__ && defined PR_SET_TIMERSLACK
    prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
#endif
}

static void *take_part(void *given) {
    const post *p = given;
    crew *c = p->crew;
    sleep_exactly();
    pthread_mutex_lock(&c->lock);
    while (!c->gate) pthread_cond_wait(&c->changed, &c->lock);
    bool begins = c->gate > 0;
    pthread_mutex_unlock(&c->lock);
    if (begins) c->work[p->which](&c->rank[p->rank], c->state);
    return NULL;
}

static void open_gate(crew *c, int how) {
    pthread_mutex_lock(&c->lock);
    c->gate = how;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

/* The time is from the moment when all threads are there. */
static weft_status run_threads(crew *c, int ranks, lab_part part, double *ms) {
    pthread_t thread[2 * LAB_MOST_RANKS];
    post posts[2 * LAB_MOST_RANKS];
    int count = 0, wanted = c->work[1] ? 2 * ranks : ranks;
    while (count < wanted) {
        posts[count] = (post){c, count % ranks, count / ranks};
        if (pthread_create(&thread[count], NULL, take_part, &posts[count])) break;
        count++;
    }
    lab_turn(c->rank[0].r, part);
    double begin = lab_now_ms();
    open_gate(c, count == wanted ? 1 : -1);
    for (int i = 0; i < count; i++) pthread_join(thread[i], NULL);
    *ms = lab_now_ms() - begin;
    lab_turn(c->rank[0].r, LAB_UNTIMED);
    weft_status st = count == wanted ? WEFT_OK : WEFT_ENOMEM;
    for (int k = 0; k < ranks && !st; k++) st = c->rank[k].status;
    return st;
}

static weft_status run_over(lab_run *r, crew_grid grid, const crew *orders, bool network, lab_part part, double *ms) {
    crew *c = malloc(sizeof *c);
    int ranks = grid.rows * grid.columns;
    if (!c) return WEFT_ENOMEM;
    *c = *orders;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    for (int k = 0; k < ranks; k++)
        c->rank[k] = (crew_rank){.r = r,
                                 .rank = k,
                                 .ranks = ranks,
                                 .row = k / grid.columns,
                                 .column = k % grid.columns,
                                 .grid = grid,
                                 .network = network,
                                 .lock = &c->lock,
                                 .changed = &c->changed};
    weft_status st = open_all(c, grid, network) ? run_threads(c, ranks, part, ms) : WEFT_ENOMEM;
    r->sent = close_all(c, ranks);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->changed);
    free(c);
    return st;
}

weft_status crew_run(lab_run *r, crew_grid grid, crew_work *work, crew_work *beside, void *state, crew_answer answer) {
    crew orders = {.work = {work, beside}, .state = state};
    const void *kept[2];
    double ms;
    weft_status st = run_over(r, grid, &orders, false, LAB_KERNELS, &ms);
    double sent = r->sent;
    for (int i = 0; i < 2 && !st; i++) {
        void *room = lab_take(r, answer.bytes[i]);
        if (!room) return WEFT_ENOMEM;
        kept[i] = answer.bytes[i] ? memcpy(room, answer.data[i], answer.bytes[i]) : room;
    }
    if (!st) st = run_over(r, grid, &orders, true, LAB_UNTIMED, &r->network_ms);
    for (int i = 0; i < 2 && !st; i++)
        if (answer.bytes[i] && memcmp(kept[i], answer.data[i], answer.bytes[i])) st = WEFT_EINVAL;
    return !st && sent != r->sent ? WEFT_EINVAL : st; /* it sent what another run did not */
}

void crew_step(crew_rank *me, crew_side mine) {
    pthread_mutex_lock(me->lock);
    me->steps[mine]++;
    pthread_cond_broadcast(me->changed);
    pthread_mutex_unlock(me->lock);
}

void crew_await(crew_rank *me, crew_side other, uint64_t steps) {
    pthread_mutex_lock(me->lock);
    while (me->steps[other] < steps) pthread_cond_wait(me->changed, me->lock);
    pthread_mutex_unlock(me->lock);
}
