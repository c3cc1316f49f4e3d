/* bipartite: can the vertices be put on two sides so that every edge goes from one to the other?
 * Directions, weights and parallel edges do not count; a loop is an odd cycle of one.  A graph that has sides
 * (attributes/sides.h) answers with them.  Else each component is searched breadth first from its smallest vertex,
 * which is on the first side: sides are the parity of levels [1], and an edge within a level closes an odd cycle with
 * the paths to its ends.  Of such edges that of the lowest level is taken, of several the one with the smallest ends,
 * and paths go by the smallest vertices; so the cycle, which is that of the first component with one, does not depend
 * on the order of the search.  It begins with its smallest vertex, and goes on to the smaller one beside it.  One
 * thread; on the GPU sides need no levels (bipartite_cuda.cu), and the search is of that component alone.
 * [1] Kőnig, "Theorie der endlichen und unendlichen Graphen", 1936: bipartite is what has no odd cycle. */
#include "algo/bipartite/bipartite.h"
#include "attributes/sides.h"
#include "engines/kahn/kahn.h"
#include "graph/rows.h"
#include "weft/bipartite.h"

#include <stddef.h>
#include <stdio.h>

#define NO_SIDE (WEFT_UNREACHED - 1) /* searched, and there is an odd cycle */
enum { STEPS = 1 << 16 };

/* An edge within a level. */
typedef struct closing {
    uint32_t level; /* WEFT_UNREACHED: there is none */
    weft_vid low, high;
} closing;

void wfi_bipartite_lay_out(wfi_workspace *w, const weft_graph *g, wfi_bipartite *b) {
    *b = (wfi_bipartite){.ctx = w->ctx, .g = g};
    wfi_column(w, "side", WEFT_U32, g->n, &b->side);
    wfi_growth(w, sizeof(weft_vid) * (uint64_t)g->n);
    if (!g->sides) wfi_array(w, &b->queue, g->n);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)params;
    wfi_bipartite b;
    choice->method = g->sides ? WFI_BIPARTITE_SIDES : WFI_BIPARTITE_LEVELS;
    if (g->sides)
        snprintf(choice->reason, sizeof choice->reason, "the graph has sides");
    else
        wfi_need_both(ctx, g, choice);
    wfi_bipartite_lay_out(&choice->space, g, &b);
}

static bool has_loop(const weft_graph *g, weft_vid v) {
    weft_eid end = g->out.offsets[v + 1], at = wfi_lower_bound_u32(g->out.targets, g->out.offsets[v], end, v);
    return at < end && g->out.targets[at] == v;
}

static void consider(closing *best, uint32_t level, weft_vid u, weft_vid v) {
    weft_vid low = u < v ? u : v, high = u < v ? v : u;
    bool better =
        level < best->level || (level == best->level && (low < best->low || (low == best->low && high < best->high)));
    if (better) *best = (closing){level, low, high};
}

static wfi_merger neighbours(const wfi_bipartite *s, weft_vid v) { return wfi_row_neighbours(&s->g->out, s->in, v, v); }

/* The component of `root`, whose vertices are queue[0] ... queue[*count - 1]; or no more of it than the level of the
 * best edge.  False: to be stopped. */
static bool search(wfi_bipartite *s, weft_vid root, bool all, weft_vid *count, closing *best) {
    uint32_t *level = s->side;
    weft_vid *queue = s->queue;
    *best = (closing){WEFT_UNREACHED, 0, 0};
    *count = 1;
    queue[0] = root;
    level[root] = 0;
    for (weft_vid at = 0; at < *count; at++) {
        weft_vid v = queue[at];
        if (!all && level[v] > best->level) return true;
        if (has_loop(s->g, v)) consider(best, level[v], v, v);
        for (wfi_merger m = neighbours(s, v); wfi_next_neighbour(&m);) {
            weft_vid u = m.neighbour;
            if (++s->steps % STEPS == 0 && wfi_cancelled(s->ctx)) return false;
            if (level[u] == level[v]) consider(best, level[v], u, v);
            if (level[u] != WEFT_UNREACHED) continue;
            level[u] = level[v] + 1;
            queue[(*count)++] = u;
        }
    }
    return true;
}

/* The smallest neighbour a level above. */
static weft_vid above(const wfi_bipartite *s, weft_vid v) {
    const uint32_t *level = s->side;
    for (wfi_merger m = neighbours(s, v); wfi_next_neighbour(&m);)
        if (level[m.neighbour] + 1 == level[v]) return m.neighbour;
    return v; /* there is one */
}

/* Both ways up from an edge until they meet: cycle[0] is where, and the rest as it stands around. */
static weft_status close_cycle(wfi_bipartite *s, wfi_workspace *w, const closing *edge) {
    weft_vid u = edge->low, v = edge->high;
    uint64_t half = 0;
    for (; u != v; half++) u = above(s, u), v = above(s, v);
    s->length = 2 * half + 1;
    s->cycle = wfi_grow(w, s->length, sizeof *s->cycle);
    if (!s->cycle) return WEFT_ENOMEM;
    s->cycle[0] = u;
    u = edge->low, v = edge->high;
    for (uint64_t i = half; i; i--) {
        s->cycle[i] = u;
        s->cycle[s->length - i] = v;
        u = above(s, u), v = above(s, v);
    }
    return WEFT_OK;
}

/* Turned so that the smallest vertex comes first, and the smaller one beside it next. */
static void turn(wfi_bipartite *s) {
    uint64_t least = 0, count = s->length;
    for (uint64_t i = 1; i < count; i++)
        if (s->cycle[i] < s->cycle[least]) least = i;
    for (uint64_t i = 0; i < count; i++) s->queue[i] = s->cycle[(least + i) % count];
    bool back = count > 1 && s->queue[count - 1] < s->queue[1];
    for (uint64_t i = 0; i < count; i++) s->cycle[i] = s->queue[back && i ? count - i : i];
}

/* Levels become sides, or none. */
static void settle(wfi_bipartite *s, weft_vid count, bool odd) {
    uint64_t second = 0;
    for (weft_vid i = 0; i < count; i++) {
        uint32_t *side = &s->side[s->queue[i]];
        second += *side & 1;
        *side = odd ? NO_SIDE : *side & 1;
    }
    s->second += odd ? 0 : second;
    s->first += odd ? 0 : count - second;
}

static weft_status search_all(wfi_bipartite *s, wfi_workspace *w) {
    weft_vid n = s->g->n, count;
    closing edge;
    for (weft_vid v = 0; v < n; v++) s->side[v] = WEFT_UNREACHED;
    for (weft_vid v = 0; v < n; v++) {
        if (v % STEPS == 0 && wfi_cancelled(s->ctx)) return wfi_fail_cancelled(s->ctx);
        if (s->side[v] != WEFT_UNREACHED) continue;
        if (!search(s, v, true, &count, &edge)) return wfi_fail_cancelled(s->ctx);
        bool odd = edge.level != WEFT_UNREACHED;
        weft_status st = odd && !s->length ? close_cycle(s, w, &edge) : WEFT_OK;
        if (st) return st;
        settle(s, count, odd);
        s->components++;
    }
    for (weft_vid v = 0; v < n; v++)
        if (s->side[v] == NO_SIDE) s->side[v] = WEFT_UNREACHED;
    turn(s);
    return WEFT_OK;
}

weft_status wfi_bipartite_witness(wfi_workspace *w, wfi_bipartite *s, weft_vid root) {
    weft_vid count;
    closing edge;
    for (weft_vid v = 0; v < s->g->n; v++) s->side[v] = WEFT_UNREACHED;
    if (!search(s, root, false, &count, &edge)) return wfi_fail_cancelled(s->ctx);
    weft_status st = close_cycle(s, w, &edge);
    if (!st) turn(s);
    return st;
}

static weft_status run_cpu(wfi_job *job) {
    wfi_bipartite s;
    wfi_bipartite_lay_out(job->space, job->g, &s);
    s.in = job->g->directed ? &job->g->in : NULL;
    weft_status st = job->space->status;
    if (!st && !job->g->sides) st = search_all(&s, job->space);
    for (weft_vid v = 0; !st && job->g->sides && v < job->g->n; v++) {
        s.side[v] = (uint32_t)wfi_side_of(job->g->sides, v);
        s.second += s.side[v];
        s.first += !s.side[v];
    }
    return st ? st : wfi_bipartite_tell(job, &s);
}

weft_status wfi_bipartite_tell(wfi_job *job, const wfi_bipartite *s) {
    weft_status st = wfi_cycle_column(job->space, &(wfi_cycle){.length = s->length, .vertex = s->cycle});
    return st ? st
              : WFI_TELL(job->ctx, job->result, WFI_U64("bipartite", !s->length), WFI_U64("first", s->first),
                         WFI_U64("second", s->second),
                         WFI_U64("components", job->g->sides ? WEFT_NO_VALUE : s->components));
}

static const char *serves_cuda(const weft_graph *g, const void *params) {
    (void)params;
    if (g->sides) return "the graph has sides, which are read and not looked for";
    return g->n <= INT32_MAX ? NULL : "the GPU handles graphs with fewer than 2^31 vertices";
}

static const weft_result_info results[] = {
    {"side", WEFT_U32, WEFT_SHAPE_VERTICES, "0 or 1; 4294967295 where an odd cycle is in the component"},
    {"cycle", WEFT_VERTEX, WEFT_SHAPE_TABLE, "vertices of an odd cycle, in order; empty if there is none"},
    {"bipartite", WEFT_U64, WEFT_SHAPE_SCALAR,
     "1: every edge goes from one side to the other; 0: there is an odd cycle"},
    {"first", WEFT_U64, WEFT_SHAPE_SCALAR, "vertices on side 0"},
    {"second", WEFT_U64, WEFT_SHAPE_SCALAR, "vertices on side 1"},
    {"components", WEFT_U64, WEFT_SHAPE_SCALAR, "components, each with sides of its own; none if the graph has sides"},
};
static const char *const methods[] = {"parity of levels", "the graph's own sides", "two copies of each vertex"};

const wfi_algorithm wfi_algorithm_bipartite = {
    WFI_DESCRIBE(bipartite, (const weft_bipartite_params)WEFT_BIPARTITE_DEFAULTS, results, methods),
    .info.help = "two sides such that every edge goes from one to the other, or an odd cycle",
    .info.top_by = "side",
    .info.verdict = "bipartite",
    .info.witness = "cycle",
    .info.model = "none: one thread goes where the search leads",
    .serves_cuda = serves_cuda,
    WFI_ON_CPU(plan_cpu, run_cpu),
    WFI_ON_CUDA(wfi_bipartite_plan_cuda, wfi_bipartite_cuda),
};
