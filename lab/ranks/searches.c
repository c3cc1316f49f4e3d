/* See searches.h. */
#include "searches.h"

#include "afford.h"
#include "searched.h"
#include "weft/bfs.h"

static const weft_bfs_params *params_of(const lab_run *r) { return r->params; }

const char *searches_serve(lab_run *r) {
    const weft_bfs_params *p = params_of(r);
    if (p->sources) return "this rung searches from one source";
    if (p->targets) return "this rung searches all of the graph; only the engine stops at targets";
    if (!p->parents) return "this rung finds parents; only the engine can do without";
    /* Ranks share cores, and wait for each other some eight times a level. */
    double level = 4e-5 * crew_ranks(r);
    return lab_too_slow(r, level * lab_known(r, "depth") + 2e-8 * (double)r->out.arcs);
}

weft_status searches_open(lab_run *r, crew_grid grid, int parts, searches *s) {
    const weft_bfs_params *p = params_of(r);
    size_t n = r->out.vertices;
    *s = (searches){.r = r, .n = r->out.vertices, .depth = p->max_depth ? p->max_depth : UINT64_MAX};
    s->source = bfs_source(r);
    s->level = lab_take(r, n * sizeof *s->level);
    s->parent = lab_take(r, n * sizeof *s->parent);
    s->frontier = lab_take(r, n * sizeof *s->frontier);
    if (!s->level || !s->parent || !s->frontier) return WEFT_ENOMEM;
    cut_vertices(r, grid, parts, &s->cut);
    return WEFT_OK;
}

/* --- levels ------------------------------------------------------------------------------------ */

search_level searches_begin(crew_rank *me, const searches *s) {
    weft_vid first = cut_first(&s->cut, me->rank), end = cut_first(&s->cut, me->rank + 1);
    for (weft_vid v = first; v < end; v++) {
        s->level[v] = WEFT_UNREACHED;
        s->parent[v] = WEFT_NO_VERTEX;
    }
    bool mine = first <= s->source && s->source < end;
    if (mine) {
        s->level[s->source] = 0;
        s->parent[s->source] = s->source;
        s->frontier[first] = s->source;
    }
    return (search_level){.count = mine, .arcs_unfound = s->r->out.arcs};
}

bool searches_next(crew_rank *me, const searches *s, search_level *now) {
    const weft_vid *frontier = s->frontier + cut_first(&s->cut, me->rank);
    uint64_t sums[2] = {now->count, 0};
    for (uint64_t i = 0; i < now->count; i++)
        sums[1] += s->r->out.offsets[frontier[i] + 1] - s->r->out.offsets[frontier[i]];
    if (!crew_sum(me, sums, 2)) return false;
    now->all = sums[0];
    now->arcs = sums[1];
    now->arcs_unfound -= sums[1];
    return now->all && now->level < s->depth;
}

void searches_loop(crew_rank *me, const searches *s,
                   uint64_t (*step)(crew_rank *me, void *state, const search_level *now), void *state) {
    for (search_level now = searches_begin(me, s); searches_next(me, s, &now); now.level++)
        now.count = step(me, state, &now);
}

/* --- the answer ---------------------------------------------------------------------------------- */

crew_answer searches_answer(const searches *s) {
    return (crew_answer){{s->level, s->parent}, {s->n * sizeof *s->level, s->n * sizeof *s->parent}};
}

weft_status searches_close(searches *s, weft_status st) {
    if (!st) bfs_answer(s->r, s->level, s->parent);
    return st;
}
