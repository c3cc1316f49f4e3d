/* BFS, rung 1: a rank follows the arcs out of its frontier, and sends each end that it does not have to its rank. */
#include "searches.h"

typedef struct state {
    searches s;
    push_room room;
} state;

/* --- excerpt --- */
static int rank_of(const cut *c, weft_vid v) {
    int low = 0, high = c->grid.rows * c->grid.columns;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (cut_first(c, middle) <= v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* In the order of ranks: counted, then put in place. */
static void sort_out(crew_rank *me, const searches *s, push_pair *out, const search_level *now,
                     uint64_t start[LAB_MOST_RANKS + 1]) {
    const weft_csr *rows = &s->r->out;
    const weft_vid *frontier = s->frontier + cut_first(&s->cut, me->rank);
    uint64_t at[LAB_MOST_RANKS + 1] = {0};
    for (int fill = 0; fill < 2; fill++) {
        for (uint64_t i = 0; i < now->count; i++)
            for (weft_eid e = rows->offsets[frontier[i]]; e < rows->offsets[frontier[i] + 1]; e++) {
                int k = rank_of(&s->cut, rows->targets[e]);
                if (fill) out[at[k]] = (push_pair){rows->targets[e], frontier[i]};
                at[k]++;
            }
        start[0] = 0;
        for (int k = 0; k < me->ranks && !fill; k++) start[k + 1] = start[k] + at[k];
        for (int k = 0; k < me->ranks; k++) at[k] = start[k];
    }
}

uint64_t push_level(crew_rank *me, const searches *s, const push_room *room, const search_level *now) {
    weft_vid first = cut_first(&s->cut, me->rank);
    push_pair *out = room->out + s->r->out.offsets[first], *in = room->in + s->r->in.offsets[first];
    uint64_t go[LAB_MOST_RANKS + 1], come[LAB_MOST_RANKS + 1] = {0}, found = 0;
    sort_out(me, s, out, now, go);
    crew_receive_starts(me, me->all, go, come);
    crew_alltoall(me, me->all, sizeof *out, out, go, in, come);
    for (uint64_t i = 0; i < come[me->ranks]; i++)
        if (searches_reach(s, in[i].target, in[i].parent, now->level)) s->frontier[first + found++] = in[i].target;
    return found;
}
/* --- end --- */

bool push_take(lab_run *r, push_room *room) {
    room->out = lab_take(r, (size_t)r->out.arcs * sizeof *room->out);
    room->in = lab_take(r, (size_t)r->in.arcs * sizeof *room->in);
    return room->out && room->in;
}

static uint64_t step(crew_rank *me, void *given, const search_level *now) {
    const state *t = given;
    return push_level(me, &t->s, &t->room, now);
}

static void work(crew_rank *me, void *given) { searches_loop(me, &((state *)given)->s, step, given); }

static weft_status run(lab_run *r) {
    state t;
    crew_grid grid = crew_in_one_column(r);
    weft_status st = searches_open(r, grid, 1, &t.s);
    if (st || !push_take(r, &t.room)) return st ? st : WEFT_ENOMEM;
    lab_reads(r, &r->out);
    return searches_close(&t.s, crew_run(r, grid, work, NULL, &t, searches_answer(&t.s)));
}

const lab_rung ranks_bfs_push = {
    .name = "1d-push",
    .title = "1-D top-down: a pair for each arc, to the rank of its end",
    .changed = "The start: the owner of a vertex follows its arcs, and sends (target, parent), 8 bytes, for each that "
               "leads elsewhere, in lists, once a level.",
    .wins = "Deep graphs and narrow levels: what is sent is what was found.",
    .loses = "Broad levels: nearly all arcs lead to vertices that are known already, and all of them are sent; 8 m (1 "
             "- 1 / R) bytes in all.",
    .source = "lab/ranks/bfs_push.c",
    .device = LAB_CPU,
    .serves = searches_serve,
    .run = run,
};
