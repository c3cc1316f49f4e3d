/* bfs on ranks, on CPU cores or GPUs: the arrays, and the driver of the kernels in bfs_bodies.h, which chooses each
 * level's direction, ends the search and adds up its figures. */
#include "algo/bfs/bfs_bodies.h"
#include "ranks/spread.h"
#include "run/method.h"

WFI_STEPS(bfs_rank_state, BFS_STEPS)
WFI_KERNELS(bfs_rank_state, BFS_KERNELS)

/* The thresholds of the direction, as on one machine.  PULLS: bound on the bottom-up levels of a search: more than any
 * graph that gains by them has, and a bound on the bytes sent. */
enum { ALPHA = 40, BETA = 18, PULL_FLOOR = 16, PULLS = 64, SCAN_ABOVE = 16, PAIRS = 2 * sizeof(uint32_t) };

typedef struct search {
    wfi_ops *o;
    bfs_rank_state *s;
    bool both_ways; /* bottom-up levels are possible */
    size_t target_count;
    uint64_t here;               /* vertices in this rank's queue */
    uint64_t awake, arcs, unmet; /* totals of all ranks: the frontier, its arcs, unreached targets */
    uint64_t reached, distances;
} search;

/* Counts the new frontier of all ranks after a level. */
static weft_status count_level(search *b) {
    uint64_t count[WFI_PUSH_COUNTS];
    wfi_ops_each(b->o, &bfs_unmet_kernel, b->s, b->target_count);
    wfi_ops_counts(b->o, &b->s->p, count);
    b->here = count[WFI_PUSH_QUEUED];
    weft_status st = wfi_ops_sum(b->o, count, BFS_UNMET + 1);
    if (st) return st;
    b->awake = count[WFI_PUSH_QUEUED];
    b->arcs = count[BFS_ARCS];
    b->unmet = count[BFS_UNMET];
    b->reached += b->awake;
    b->distances += b->awake * b->s->depth;
    wfi_progress(b->o->ctx, "bfs", b->reached, b->o->n);
    return WEFT_OK;
}

/* A large frontier offers most targets many parents: sorting it, by a scan over all levels, pays.  On GPUs there is no
 * order. */
static void line_up(const search *b) {
    bfs_rank_state *s = b->s;
    uint64_t count = 0;
    s->ascends = !b->o->gpu && b->here >= b->o->mine / SCAN_ABOVE;
    for (weft_vid k = 0; s->ascends && k < b->o->mine; k++)
        if (s->level[k] == s->depth) s->p.queue[count++] = k;
}

static weft_status push(search *b) {
    bfs_rank_state *s = b->s;
    line_up(b);
    s->depth++;
    wfi_ops_each(b->o, &bfs_offer_kernel, s, b->here);
    weft_status st = wfi_ops_deliver(b->o, &s->p, (wfi_message_values){s->offer, WEFT_NO_VERTEX, false});
    if (st) return st;
    wfi_ops_each(b->o, &bfs_sent_kernel, s, s->p.m.delivered);
    wfi_ops_each(b->o, &bfs_take_kernel, s, s->p.m.received_count);
    return count_level(b);
}

static weft_status pull(search *b) {
    bfs_rank_state *s = b->s;
    size_t words = wfi_device_words(b->o->n);
    wfi_ops_fill(b->o, s->front, 0, words * sizeof *s->front);
    wfi_ops_each(b->o, &bfs_wake_kernel, s, b->here);
    weft_status st = wfi_ops_gather_bits(b->o, s->front);
    if (st) return st;
    s->depth++;
    wfi_ops_each(b->o, &bfs_merge_kernel, s, words);
    wfi_ops_vertices(b->o, &bfs_look_op, s, NULL);
    wfi_ops_each(b->o, &bfs_collect_kernel, s, b->o->mine);
    return count_level(b);
}

/* Sources first ... first + count-1 are level 0. */
static weft_status begin(search *b, size_t first, size_t count) {
    wfi_ops *o = b->o;
    bfs_rank_state at = *b->s, *s = b->s;
    s->depth = 0;
    at.sources += first;
    b->reached = b->distances = 0;
    wfi_ops_fill(o, s->level, 0xff, o->mine * sizeof *s->level);
    wfi_ops_fill(o, s->parent, 0xff, o->mine * sizeof *s->parent);
    wfi_ops_fill(o, s->seen, 0, wfi_device_words(o->n) * sizeof *s->seen);
    wfi_ops_fill(o, s->offer, 0xff, o->n * sizeof *s->offer);
    wfi_ops_each(o, &bfs_seed_kernel, &at, count);
    return count_level(b);
}

static bool goes_on(const search *b, uint64_t max_depth) {
    return b->awake && b->s->depth < max_depth && !(b->target_count && !b->unmet);
}

static weft_status search_from(search *b, size_t first, size_t count, uint64_t max_depth, uint64_t *depth) {
    const weft_graph *g = b->o->spread->g;
    uint64_t unseen = g->arcs, before;
    unsigned pulls = 0;
    weft_status st = begin(b, first, count);
    while (!st && goes_on(b, max_depth)) {
        if (!b->both_ways || pulls == PULLS || b->arcs <= unseen / ALPHA || b->arcs <= g->n / PULL_FLOOR) {
            unseen -= b->arcs;
            st = push(b);
            continue;
        }
        do {
            before = b->awake;
            st = pull(b);
            pulls++;
        } while (!st && pulls < PULLS && goes_on(b, max_depth) && (b->awake >= before || b->awake > g->n / BETA));
    }
    *depth = b->awake ? b->s->depth : b->s->depth - 1;
    return st;
}

static weft_status drive(wfi_ops *o, void *state, wfi_job *job) {
    const weft_bfs_params *p = job->params;
    const weft_vid *sources = wfi_bfs_sources(job->g, p);
    bfs_rank_state *s = state;
    uint64_t depth = 0, max_depth = p->max_depth ? p->max_depth : UINT64_MAX;
    size_t rows = wfi_bfs_table_rows(p), at_once = p->sources && !p->each ? p->source_count : 1;
    size_t searches = !o->n ? 0 : rows ? rows : 1;
    search b = {.o = o, .s = s, .both_ways = job->choice->method == WFI_BFS_BOTH_WAYS, .target_count = p->target_count};
    s->out = *o->out;
    s->in = b.both_ways ? *o->in : *o->out;
    wfi_ops_bring(o, &s->sources, sources, p->sources ? p->source_count : o->n > 0);
    wfi_ops_bring(o, &s->targets, p->targets, p->target_count);
    wfi_ops_push_begin(o, &s->p);
    weft_status st = WEFT_OK;
    for (size_t i = 0; !st && i < searches; i++) {
        st = search_from(&b, i, at_once, max_depth, &depth);
        if (st || !rows) continue;
        s->table.source[i] = sources[i];
        s->table.reached[i] = b.reached;
        s->table.depth[i] = depth;
        s->table.distances[i] = b.distances;
    }
    return st ? st : wfi_bfs_job_end(job, b.reached, depth);
}

static void choose(const wfi_spread *s, const void *params, bool gpu, wfi_choice *choice) {
    bool both_ways = wfi_in_at_hand(s->g);
    (void)gpu;
    choice->method = both_ways ? WFI_BFS_BOTH_WAYS : WFI_BFS_TOP_DOWN;
    choice->space.needs_in = both_ways;
    /* Each search sends each vertex of another rank at most once, and goes bottom-up at most PULLS times, with a bit
     * for each vertex of its own. */
    uint64_t searches = wfi_max_u64(wfi_bfs_table_rows(params), 1), others = (uint64_t)s->comm->link.size - 1;
    choice->sends = searches * PAIRS * (s->g->n - s->vertices);
    if (both_ways) choice->sends += searches * PULLS * others * ((uint64_t)s->vertices / 8 + 1);
}

static void more(wfi_workspace *host, wfi_workspace *device, const void *params, void *state) {
    const weft_bfs_params *p = params;
    bfs_rank_state *s = state;
    wfi_bfs_table_lay_out(host, wfi_bfs_table_rows(p), &s->table);
    if (!device) return;
    wfi_array(device, &s->sources, p->sources ? p->source_count : 1);
    wfi_array(device, &s->targets, p->target_count);
}

static unsigned sides(const wfi_choice *choice) {
    return WFI_OUT_ROWS | (choice->method == WFI_BFS_BOTH_WAYS ? WFI_IN_ROWS : 0);
}
static bool parents(const weft_graph *g, const void *params) {
    return (void)g, ((const weft_bfs_params *)params)->parents;
}
static bool no_parents(const weft_graph *g, const void *params) { return !parents(g, params); }

#define AT(field) offsetof(bfs_rank_state, field)
static const wfi_array_info arrays[] = {
    {"level", WFI_COLUMN, WEFT_U32, WFI_OF_MINE, AT(level), NULL, false},
    {"parent", WFI_COLUMN, WEFT_VERTEX, WFI_OF_MINE, AT(parent), parents, false},
    {"parent", WFI_ARRAY, WEFT_VERTEX, WFI_OF_MINE, AT(parent), no_parents, false},
    {"offer", WFI_ARRAY, WEFT_VERTEX, WFI_OF_ALL, AT(offer), NULL, false},
    {"seen", WFI_ARRAY, WEFT_U32, WFI_OF_ALL_BITS, AT(seen), NULL, false},
    {"front", WFI_ARRAY, WEFT_U32, WFI_OF_ALL_BITS, AT(front), NULL, false},
};
const wfi_method wfi_bfs_on_ranks = {.arrays = arrays,
                                     .array_count = WFI_LENGTH(arrays),
                                     .state_size = sizeof(bfs_rank_state),
                                     .sides_of = sides,
                                     .drive = drive,
                                     .gathered = 1,
                                     .push = AT(p),
                                     .message = PAIRS,
                                     .choose = choose,
                                     .more = more};
