/* bicomponents, GPU: the steps of bicomponents.h without levels, so that deep graphs cost as much as flat ones.
 * Method: arcs join vertices in a disjoint-set forest; the arcs that join two trees are a spanning forest.  Its Euler
 * tours, made of arcs sorted by the vertex that they leave, are ranked by pointer jumping [1]: positions in them give
 * preorder numbers and sizes of subtrees [2].
 * If long chains may have to be joined, vertices first hang below smaller ones without a search for roots, and all
 * paths are compressed at once; then the remaining joins, which are few, are done.
 * Encoding: the vertex that hung below another when an edge joined their trees names that edge, which is the arcs 2v
 * and 2v + 1 of the tours, one each way.  A tour ends where its first arc would follow.
 * [1] Wyllie, "The Complexity of Parallel Computations", thesis, Cornell 1979.
 * [2] Tarjan, Vishkin, "An Efficient Parallel Biconnectivity Algorithm", SIAM J. Comput. 14(4), 1985. */
#include "algo/bicomponents/bicomponents.h"
#include "cuda/cub.cuh"
#include "cuda/launch.cuh"
#include "cuda/mirror.cuh"
#include "cuda/walk.cuh"
#include "cuda/warp.cuh"
#include "engines/union_find/forest.cuh"

#include <stdio.h>

namespace {

typedef unsigned long long word;

enum { THREADS = 256, MOST_BLOCKS = 1 << 11 };
const uint32_t NONE = WEFT_NO_VERTEX;

/* ups: number of edges to the parent, then the kind of the edge to the parent.  One load. */
struct __align__(16) vertex {
    weft_vid pre, size, parent;
    uint32_t ups;
};
enum { FENCE = 1, BRIDGE = 2 };

/* The numbers of the result. */
struct notes {
    word blocks, bridges, points, groups;
};

/* The next arc of a tour, or one further on; and its distance in steps. */
union link {
    word all;
    struct {
        uint32_t next, steps;
    } is;
};

/* Arcs: two for each vertex. */
struct tours {
    weft_vid *from;                       /* the vertex that an arc leaves; arc a ^ 1 is the way back */
    uint32_t *key[2], *arc[2];            /* sorted by `from`, with double buffers */
    const uint32_t *sorted_from, *sorted; /* the two of the four buffers with the sorted values */
    uint32_t *place, *mark;               /* the other two: of each arc its position in `sorted`; whether a vertex
                                           * begins here */
    link *rank;                           /* in the end `steps` lead to the end of the tour */
    uint32_t *first;                      /* first arc of a vertex, as a position in `sorted` */
    uint32_t *base;                       /* number of positions in tours with smaller roots, for each vertex */
    char *scratch;
    uint64_t scratch_bytes;
};

struct work {
    wfi_view out;
    weft_vid n;
    uint32_t arcs; /* arcs of tours, with the unused ones */
    bool directed;
    weft_vid *block, *group, *head; /* group: at first the forest of components */
    uint32_t *count;
    vertex *at;
    tours t;
    wfi_bounds *bound; /* 2n */
    weft_vid *pre, *parent;
    notes *p;
};

/* --- all edges ------------------------------------------------------------------------------- */

/* Each edge once: visit(v, u). */
template <class F> struct each_edge {
    bool directed;
    F visit;

    __device__ void operator()(weft_vid v, weft_vid u) const {
        if (directed ? v != u : v < u) visit(v, u);
    }
};

template <class F> weft_status take_edges(weft_ctx *ctx, const weft_graph *g, const work *w, F visit) {
    return wfi_walk_rows(ctx, w->out, g->arcs, wfi_arc_visitor<each_edge<F>>{{w->directed, visit}});
}

/* --- the forest ------------------------------------------------------------------------------ */

/* Hangs each vertex below its first neighbour, if that is smaller: no search for a root is needed. */
struct begin {
    work w;

    __device__ void operator()(uint64_t i) const {
        weft_vid v = (weft_vid)i, under = v;
        weft_eid e = w.out.offsets[i];
        if (e < w.out.offsets[i + 1] && w.out.targets[e] < v) under = w.out.targets[e];
        w.group[v] = under;
        w.head[v] = w.t.first[v] = NONE;
        w.count[v] = 0;
        w.t.from[2 * i] = under == v ? NONE : v;
        w.t.from[2 * i + 1] = under == v ? NONE : under;
    }
};

struct join_trees {
    weft_vid *label, *from;

    __device__ void operator()(weft_vid v, weft_vid u) const {
        weft_vid hung = wfi_join(label, v, u);
        if (hung == NONE) return;
        from[2 * (uint64_t)hung] = v;
        from[2 * (uint64_t)hung + 1] = u;
    }
};

struct flatten {
    weft_vid *label;

    __device__ void operator()(uint64_t v) const { wfi_compress_path(label, (weft_vid)v); }
};

weft_status grow_forest(weft_ctx *ctx, const weft_graph *g, const work *w) {
    weft_status st = wfi_each(ctx, w->n, begin{*w});
    if (!st) st = wfi_each(ctx, w->n, flatten{w->group});
    if (!st) st = take_edges(ctx, g, w, join_trees{w->group, w->t.from});
    return st ? st : wfi_each(ctx, w->n, flatten{w->group});
}

/* --- tours ----------------------------------------------------------------------------------- */

struct number_arcs {
    uint32_t *arc;

    __device__ void operator()(uint64_t i) const { arc[i] = (uint32_t)i; }
};

struct note_places {
    tours t;

    __device__ void operator()(uint64_t i) const {
        weft_vid v = t.sorted_from[i];
        t.place[t.sorted[i]] = (uint32_t)i;
        if (v != NONE && (!i || t.sorted_from[i - 1] != v)) t.first[v] = (uint32_t)i;
    }
};

/* The successor of arc a is the arc after its reverse, in a circle around its target; a root's circle is open. */
struct link_arcs {
    work w;

    __device__ void operator()(uint64_t a) const {
        const tours &t = w.t;
        link l;
        l.is.next = NONE;
        l.is.steps = 0;
        if (t.from[a] != NONE) {
            weft_vid v = t.from[a ^ 1];
            uint64_t i = (uint64_t)t.place[a ^ 1] + 1;
            if (i == w.arcs || t.sorted_from[i] != v) i = w.group[v] == v ? w.arcs : t.first[v];
            if (i < w.arcs) {
                l.is.next = t.sorted[i];
                l.is.steps = 1;
            }
        }
        t.rank[a] = l;
    }
};

/* In place: every value that a link takes during the jumps is correct. */
struct jump {
    link *rank;

    __device__ void operator()(uint64_t a) const {
        link mine, far;
        mine.all = rank[a].all;
        if (mine.is.next == NONE) return;
        far.all = __ldcg(&rank[mine.is.next].all);
        mine.is.next = far.is.next;
        mine.is.steps += far.is.steps;
        __stcg(&rank[a].all, mine.all);
    }
};

struct note_lengths {
    work w;

    __device__ void operator()(uint64_t v) const {
        uint32_t first = v < w.n && w.group[v] == v ? w.t.first[v] : NONE;
        w.t.base[v] = v < w.n && w.group[v] == v ? 1 : 0;
        if (first != NONE) w.t.base[v] += w.t.rank[w.t.sorted[first]].is.steps + 1;
    }
};

/* The position of an arc; the position before a tour is the root's. */
__device__ uint32_t place_of(const work &w, uint64_t a) {
    return w.t.base[(uint64_t)w.group[w.t.from[a]] + 1] - 1 - w.t.rank[a].is.steps;
}

__device__ bool leads_down(const work &w, uint64_t a) {
    return w.t.from[a] != NONE && w.t.rank[a].is.steps > w.t.rank[a ^ 1].is.steps;
}

__device__ bool is_top(const work &w, uint64_t i) { return i < w.n && w.group[i] == i; }

struct mark_vertices {
    work w;

    __device__ void operator()(uint64_t i) const {
        if (is_top(w, i)) w.t.mark[w.t.base[i]] = 1;
        if (leads_down(w, i)) w.t.mark[place_of(w, i)] = 1;
    }
};

struct number_vertices {
    work w;

    __device__ void operator()(uint64_t i) const {
        const tours &t = w.t;
        if (is_top(w, i)) {
            uint32_t begin = t.base[i];
            w.at[i] = vertex{t.mark[begin], (t.base[i + 1] - begin + 1) / 2, (weft_vid)i, 0};
        }
        if (leads_down(w, i)) {
            uint32_t steps = t.rank[i].is.steps - t.rank[i ^ 1].is.steps;
            w.at[t.from[i ^ 1]] = vertex{t.mark[place_of(w, i)], (steps + 1) / 2, t.from[i], 0};
        }
    }
};

weft_status sort_arcs(weft_ctx *ctx, work *w) {
    tours *t = &w->t;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    size_t bytes = (size_t)t->scratch_bytes;
    cub::DoubleBuffer<uint32_t> key(t->key[0], t->key[1]), arc(t->arc[0], t->arc[1]);
    weft_status st = wfi_each(ctx, w->arcs, number_arcs{t->arc[0]});
    if (st) return st;
    WFI_CUDA_OR_RETURN(
        cudaMemcpyAsync(t->key[0], t->from, w->arcs * sizeof *t->from, cudaMemcpyDeviceToDevice, stream));
    /* unused arcs come last: these bits of NONE are no vertex */
    WFI_CUDA_OR_RETURN(
        cub::DeviceRadixSort::SortPairs(t->scratch, bytes, key, arc, (int64_t)w->arcs, 0, (int)wfi_bits(w->n), stream));
    t->sorted_from = key.Current();
    t->sorted = arc.Current();
    t->mark = key.Alternate();
    t->place = arc.Alternate();
    return wfi_each(ctx, w->arcs, note_places{*t});
}

weft_status scan(weft_ctx *ctx, const tours *t, uint32_t *values, uint64_t count) {
    size_t bytes = (size_t)t->scratch_bytes;
    WFI_CUDA_OR_RETURN(
        cub::DeviceScan::ExclusiveSum(t->scratch, bytes, values, values, (int64_t)count, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

weft_status make_tours(weft_ctx *ctx, work *w) {
    weft_status st = sort_arcs(ctx, w);
    if (!st) st = wfi_each(ctx, w->arcs, link_arcs{*w});
    for (unsigned round = 0; round < wfi_bits(w->arcs) && !st; round++) st = wfi_each(ctx, w->arcs, jump{w->t.rank});
    if (!st) st = wfi_each(ctx, (uint64_t)w->n + 1, note_lengths{*w});
    if (!st) st = scan(ctx, &w->t, w->t.base, (uint64_t)w->n + 1);
    if (!st) st = wfi_zero(ctx, w->t.mark, w->arcs);
    if (!st) st = wfi_each(ctx, w->arcs, mark_vertices{*w});
    if (!st) st = scan(ctx, &w->t, w->t.mark, w->arcs);
    return st ? st : wfi_each(ctx, w->arcs, number_vertices{*w});
}

/* --- bounds ---------------------------------------------------------------------------------- */

struct begin_bounds {
    work w;

    __device__ void operator()(uint64_t v) const {
        weft_vid pre = w.at[v].pre;
        w.bound[(uint64_t)w.n + pre] = wfi_bounds{pre, pre};
        w.block[v] = w.group[v] = (weft_vid)v;
    }
};

/* The two end up in one tree: the larger hangs below the smaller, or below another that is smaller still. */
__device__ void hook(weft_vid *label, weft_vid u, weft_vid v) {
    weft_vid low = min(u, v), high = max(u, v);
    if (low < label[high]) atomicMin(&label[high], low);
}

__device__ bool is_below(const vertex &x, const vertex &top) { return x.pre - top.pre < top.size; }

/* Extends the bounds of the vertex with this number by a neighbour. */
__device__ void widen(const work &w, weft_vid number, weft_vid other) {
    wfi_bounds *b = w.bound + (uint64_t)w.n + number;
    if (other < b->low) atomicMin(&b->low, other);
    if (other > b->high) atomicMax(&b->high, other);
}

/* An edge to a descendant, or to the parent, extends no bounds. */
struct look_around {
    work w;

    __device__ void operator()(weft_vid v, weft_vid u) const {
        vertex x = w.at[v], y = w.at[u];
        if (x.parent == u || y.parent == v) {
            atomicAdd(&w.at[x.parent == u ? v : u].ups, 1u);
        } else if (is_below(x, y)) {
            widen(w, x.pre, y.pre);
        } else if (is_below(y, x)) {
            widen(w, y.pre, x.pre);
        } else {
            widen(w, x.pre, y.pre);
            widen(w, y.pre, x.pre);
            hook(w.block, v, u);
        }
    }
};

struct span_two {
    wfi_bounds *bound;
    uint64_t first;

    __device__ void operator()(uint64_t k) const {
        uint64_t i = first + k;
        bound[i] = wfi_bounds_both(bound[2 * i], bound[2 * i + 1]);
    }
};

/* Places high ... 2n - 1 are done; makes those from half of `high` on. */
weft_status find_bounds(weft_ctx *ctx, const weft_graph *g, const work *w) {
    weft_status st = wfi_each(ctx, w->n, begin_bounds{*w});
    if (!st) st = take_edges(ctx, g, w, look_around{*w});
    for (uint64_t high = w->n, low; high > 1 && !st; high = low) {
        low = (high + 1) / 2;
        st = wfi_each(ctx, high - low, span_two{w->bound, low});
    }
    return st;
}

/* --- blocks ---------------------------------------------------------------------------------- */

__device__ bool lies_within(const wfi_bounds &b, const vertex &x) { return wfi_bounds_within(b, x.pre, x.size); }

struct look_up {
    work w;

    __device__ void operator()(uint64_t i) const {
        weft_vid v = (weft_vid)i;
        vertex x = w.at[v];
        if (x.parent == v) return;
        wfi_bounds b = wfi_bounds_of(w.bound, w.n, x.pre, x.size);
        uint32_t fence = lies_within(b, w.at[x.parent]) ? FENCE : 0;
        uint32_t bridge = x.ups == 1 && lies_within(b, x) ? BRIDGE : 0;
        w.at[v].ups = fence | bridge;
        if (!fence) hook(w.block, v, x.parent);
        if (!bridge) hook(w.group, v, x.parent);
    }
};

struct join_parents {
    work w;

    __device__ void operator()(uint64_t i) const {
        weft_vid v = (weft_vid)i;
        vertex x = w.at[v];
        if (x.parent == v) return;
        if (!(x.ups & FENCE)) wfi_join(w.block, v, x.parent);
        if (!(x.ups & BRIDGE)) wfi_join(w.group, v, x.parent);
    }
};

struct join_branches {
    work w;

    __device__ void operator()(weft_vid v, weft_vid u) const {
        if (wfi_parent_of(w.block, v) == wfi_parent_of(w.block, u)) return;
        vertex x = w.at[v], y = w.at[u];
        if (!is_below(x, y) && !is_below(y, x)) wfi_join(w.block, v, u);
    }
};

weft_status flatten_both(weft_ctx *ctx, const work *w) {
    weft_status st = wfi_each(ctx, w->n, flatten{w->block});
    return st ? st : wfi_each(ctx, w->n, flatten{w->group});
}

/* All vertices that find the head of a block find the same. */
struct find_heads {
    work w;

    __device__ void operator()(uint64_t v) const {
        weft_vid above = w.at[v].parent;
        if (above != v && w.block[above] != w.block[v]) w.head[w.block[v]] = above;
    }
};

/* Threads of a warp with the same counter share one addition: a hub may be the head of a million blocks. */
struct count_blocks {
    work w;

    __device__ void operator()(uint64_t v) const {
        weft_vid head = w.head[v];
        if (w.at[v].parent != v) atomicAdd(&w.count[v], 1u);
        if (head == NONE) return;
        unsigned peers = __match_any_sync(__activemask(), head);
        if (threadIdx.x % 32 == (unsigned)__ffs((int)peers) - 1) atomicAdd(&w.count[head], (uint32_t)__popc(peers));
    }
};

__global__ void __launch_bounds__(THREADS) tally(work w) {
    notes mine = {};
    for (uint64_t v = wfi_thread(); v < w.n; v += wfi_all_threads()) {
        weft_vid group = w.group[v];
        mine.blocks += w.head[v] != NONE;
        mine.bridges += group != w.group[w.at[v].parent];
        mine.points += w.count[v] > 1;
        mine.groups += group == v;
    }
    wfi_warp_add(mine, w.p);
}

weft_status find_blocks(weft_ctx *ctx, const weft_graph *g, const work *w) {
    weft_status st = wfi_each(ctx, w->n, look_up{*w});
    if (!st) st = flatten_both(ctx, w);
    if (!st) st = wfi_each(ctx, w->n, join_parents{*w});
    if (!st) st = take_edges(ctx, g, w, join_branches{*w});
    if (!st) st = flatten_both(ctx, w);
    if (!st) st = wfi_each(ctx, w->n, find_heads{*w});
    if (!st) st = wfi_each(ctx, w->n, count_blocks{*w});
    if (!st) st = wfi_zero(ctx, w->p, 1);
    if (st) return st;
    tally<<<wfi_grid(w->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(*w);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* --- the run --------------------------------------------------------------------------------- */

void lay_out(wfi_workspace *device, const weft_graph *g, work *w) {
    uint64_t n = g->n, arcs = 2 * n;
    tours *t = &w->t;
    w->n = g->n;
    w->arcs = (uint32_t)arcs;
    w->directed = g->directed;
    wfi_array(device, &w->block, n);
    wfi_array(device, &w->group, n);
    wfi_array(device, &w->head, n);
    wfi_array(device, &w->count, n);
    wfi_array(device, &w->at, n);
    wfi_array(device, &w->p, 1);
    uint64_t touring = wfi_mark(device);
    t->scratch_bytes = wfi_max_u64(wfi_cub_sort_bytes(arcs), wfi_cub_scan_bytes(arcs + 1));
    wfi_array(device, &t->from, arcs);
    for (int i = 0; i < 2; i++) wfi_array(device, &t->key[i], arcs);
    for (int i = 0; i < 2; i++) wfi_array(device, &t->arc[i], arcs);
    wfi_array(device, &t->rank, arcs);
    wfi_array(device, &t->first, n);
    wfi_array(device, &t->base, n + 1);
    wfi_array_within(device, &t->scratch, t->scratch_bytes);
    wfi_rewind(device, touring);
    wfi_array(device, &w->bound, arcs);
    wfi_rewind(device, touring);
    wfi_array(device, &w->pre, n);
    wfi_array(device, &w->parent, n);
}

weft_status goes_on(weft_ctx *ctx) {
    weft_status st = wfi_cuda_sync(ctx);
    return !st && wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : st;
}

weft_status compute(weft_ctx *ctx, const weft_graph *g, work *w) {
    wfi_kernel_scope stage(ctx, "iterations");
    wfi_progress(ctx, "spanning forest", 0, 0);
    weft_status st = grow_forest(ctx, g, w);
    if (!st) st = goes_on(ctx);
    if (!st) st = make_tours(ctx, w);
    if (!st) st = goes_on(ctx);
    wfi_progress(ctx, "blocks", 0, 0);
    if (!st) st = find_bounds(ctx, g, w);
    if (!st) st = goes_on(ctx);
    if (!st) st = find_blocks(ctx, g, w);
    return st ? st : goes_on(ctx);
}

struct part_vertices {
    work w;

    __device__ void operator()(uint64_t v) const {
        w.pre[v] = w.at[v].pre;
        w.parent[v] = w.at[v].parent;
    }
};

/* Downloads the inputs of numbering components, together with the columns. */
weft_status bring_all(weft_ctx *ctx, const work *w, wfi_blocks *b) {
    size_t bytes = (size_t)w->n * sizeof(weft_vid);
    const wfi_copy part[] = {{b->count, w->count, bytes}, {b->group, w->group, bytes}, {b->block, w->block, bytes},
                             {b->head, w->head, bytes},   {b->pre, w->pre, bytes},     {b->parent, w->parent, bytes}};
    weft_status st = wfi_each(ctx, w->n, part_vertices{*w});
    return st ? st : wfi_download_all(ctx, part, WFI_LENGTH(part));
}

weft_status bring(weft_ctx *ctx, const work *w, wfi_blocks *b) {
    size_t bytes = (size_t)w->n * sizeof(weft_vid);
    const wfi_copy column[] = {{b->count, w->count, bytes}, {b->group, w->group, bytes}};
    notes is = {};
    weft_status st = wfi_download(ctx, &is, w->p, sizeof is);
    b->blocks = is.blocks;
    b->bridges = is.bridges;
    b->points = is.points;
    b->groups = is.groups;
    if (st) return st;
    return b->pre ? bring_all(ctx, w, b) : wfi_deliver_all(ctx, column, WFI_LENGTH(column));
}

weft_status find(wfi_job *job, wfi_blocks *b) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    work w = {};
    if (!g->n) return WEFT_OK;
    weft_status st = wfi_mirror_out(ctx, g, &w.out);
    if (!st) st = wfi_open_device(job);
    if (!st) lay_out(job->device, g, &w);
    if (!st) st = job->device->status;
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    if (!st) st = compute(ctx, g, &w);
    return st ? st : bring(ctx, &w, b);
}

} // namespace

extern "C" weft_status wfi_bicomponents_cuda(wfi_job *job) { return wfi_bicomponents_run(job, true, find); }

extern "C" void wfi_bicomponents_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                           wfi_choice *choice) {
    work w = {};
    (void)ctx;
    choice->method = WFI_BICOMPONENTS_TOURS;
    snprintf(choice->reason, sizeof choice->reason, "%s", "no step for each level, however deep the graph is");
    wfi_bicomponents_declare(&choice->space, g, params, true);
    if (!g->n) return;
    wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS);
    lay_out(&choice->device, g, &w);
}
