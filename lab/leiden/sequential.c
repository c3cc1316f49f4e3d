/* Rung 1: one vertex after another, each seeing what those before it did: Louvain's method as it was published [1].
 * [1] Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech. P10008 (2008). */
#include "leiden.h"

/* --- excerpt --- */
static uint64_t one_after_another(leiden *q, uint64_t key) {
    weft_vid count = leiden_list_active(q);
    uint64_t moved = 0;
    for (weft_vid i = 0; i < count && !leiden_stops(q, i); i++) {
        weft_vid v = q->list[i], to = leiden_choose(q, v, key, q->tally);
        q->active[v] = 0;
        if (to == q->community[v]) continue;
        q->total[q->community[v]] -= q->level.mass[v];
        q->total[to] += q->level.mass[v];
        q->community[v] = to;
        leiden_wake(q, v);
        moved++;
    }
    return moved;
}
/* --- end --- */

static weft_status move(leiden *q) { return leiden_rounds(q, one_after_another); }

static weft_status run(lab_run *r) {
    static const leiden_way way = {.move = move};
    return leiden_run(r, &way);
}

const lab_rung leiden_sequential = {
    .name = "sequential",
    .title = "one vertex after another: Louvain",
    .changed =
        "The start. A vertex looks at the communities of its neighbours, takes the best one at once, and wakes its "
        "neighbours; when few move, communities become vertices, and all begins again. Communities may fall apart: "
        "a vertex that leaves may have held the others together.",
    .wins = "On one core nothing here finds more in less time: each choice is made by what is true at that moment.",
    .loses = "A second core has nothing to do. Were two to choose at once, the answer would depend on who was first.",
    .source = "lab/leiden/sequential.c",
    .device = LAB_CPU,
    .serves = leiden_serves,
    .run = run,
    .check = leiden_check_louvain,
};
