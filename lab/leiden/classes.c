/* Rungs 2 to 4: vertices choose at once, by what all of them see, and then they move.  A hash deals them into
 * classes that take turns: one class, two, eight.  What a class decides does not depend on the order of its
 * vertices, and so not on threads. */
#include "leiden.h"

#include <omp.h>

/* --- excerpt --- */
/* Nobody moves while others choose, and nobody is woken while others move. */
static uint64_t turn(leiden *q, uint64_t key, const weft_vid *of_class, weft_vid count) {
    weft_vid moved = 0, *movers = q->list;
#pragma omp parallel for schedule(dynamic, 64) num_threads(q->r->threads) if (count > 512)
    for (weft_vid i = 0; i < count; i++) {
        weft_vid v = of_class[i];
        if (leiden_stops(q, i)) continue;
        q->active[v] = 0;
        q->goes[v] = leiden_choose(q, v, key, &q->tally[omp_get_thread_num()]);
    }
    if (q->stopped) return 0;
    for (weft_vid i = 0; i < count; i++) {
        weft_vid v = of_class[i], from = q->community[v], to = q->goes[v];
        if (to == from) continue;
        q->total[from] -= q->level.mass[v];
        q->total[to] += q->level.mass[v];
        q->community[v] = to;
        movers[moved++] = v;
    }
#pragma omp parallel for schedule(dynamic, 64) num_threads(q->r->threads) if (moved > 512)
    for (weft_vid i = 0; i < moved; i++) leiden_wake(q, movers[i]);
    return moved;
}
/* --- end --- */

/* The active vertices, class after class, are in q->set, which nobody needs before the level is done. */
static uint64_t take_turns(leiden *q, uint64_t key, unsigned classes) {
    weft_vid count = leiden_list_active(q), end[LEIDEN_MOST_CLASSES] = {0}, at = 0;
    uint64_t moved = 0;
    for (weft_vid i = 0; i < count; i++) end[leiden_class(key, q->list[i], classes)]++;
    for (unsigned k = 0; k < classes; k++) {
        weft_vid size = end[k];
        end[k] = at;
        at += size;
    }
    for (weft_vid i = 0; i < count; i++) q->set[end[leiden_class(key, q->list[i], classes)]++] = q->list[i];
    at = 0;
    for (unsigned k = 0; k < classes; at = end[k++]) moved += turn(q, key, q->set + at, end[k] - at);
    return moved;
}

static uint64_t in_one(leiden *q, uint64_t key) { return take_turns(q, key, 1); }
static uint64_t in_two(leiden *q, uint64_t key) { return take_turns(q, key, 2); }
static uint64_t in_eight(leiden *q, uint64_t key) { return take_turns(q, key, 8); }

static weft_status move_in_one(leiden *q) { return leiden_rounds(q, in_one); }
static weft_status move_in_two(leiden *q) { return leiden_rounds(q, in_two); }
weft_status leiden_move_in_eight(leiden *q) { return leiden_rounds(q, in_eight); }

static weft_status run_one(lab_run *r) {
    static const leiden_way way = {.move = move_in_one};
    return leiden_run(r, &way);
}

static weft_status run_two(lab_run *r) {
    static const leiden_way way = {.move = move_in_two};
    return leiden_run(r, &way);
}

static weft_status run_eight(lab_run *r) {
    static const leiden_way way = {.move = leiden_move_in_eight};
    return leiden_run(r, &way);
}

/* It does not settle.  Its communities and their modularity are recounted, and what it leaves open is said. */
static weft_status check_recounted(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                   weft_check_report *report) {
    return weft_check_partition(ctx, g, params, result, report);
}

const lab_rung leiden_one_class = {
    .name = "one-class",
    .title = "all vertices choose at once, then all move",
    .against = "sequential",
    .changed = "The choices are made by all threads from one picture, and then everybody moves: the order of vertices "
               "no longer matters. Two neighbours who want to be together change places, in each round again, and "
               "whoever joins a community that looked small meets everybody else there.",
    .wins = "It is the same on any number of threads, and each round is as parallel as can be.",
    .loses = "It does not converge: every level ends after 24 rounds with nearly all vertices still on their way. The "
             "modularity is what is left, and the verifier says how much single moves would still gain.",
    .source = "lab/leiden/classes.c",
    .device = LAB_CPU,
    .serves = leiden_serves,
    .run = run_one,
    .check = check_recounted,
};

const lab_rung leiden_two_classes = {
    .name = "two-classes",
    .title = "two classes of vertices take turns",
    .against = "one-class",
    .changed = "A hash of vertex and round deals the vertices into two classes. The second chooses when the first has "
               "moved; in the next round the classes are others.",
    .wins = "It converges: of two neighbours that would change places, half are in different classes, and half of the "
            "others in the next round.",
    .loses = "Half of the neighbours still choose blindly: more rounds, and moves that are taken back.",
    .source = "lab/leiden/classes.c",
    .device = LAB_CPU,
    .serves = leiden_serves,
    .run = run_two,
    .check = leiden_check_louvain,
};

const lab_rung leiden_eight_classes = {
    .name = "eight-classes",
    .title = "eight classes of vertices take turns",
    .against = "two-classes",
    .changed = "Eight classes instead of two: seven of eight neighbours are in another class.",
    .wins = "Fewer rounds, and what one vertex after another finds, or more; with two threads in less time.",
    .loses = "Eight turns in a round, each with a barrier: small levels, and thousands of threads, wait more than they "
             "work.",
    .source = "lab/leiden/classes.c",
    .device = LAB_CPU,
    .serves = leiden_serves,
    .run = run_eight,
    .check = leiden_check_louvain,
};
