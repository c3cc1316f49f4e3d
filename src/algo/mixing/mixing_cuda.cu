/* mixing, GPU: what mixing.h has, of fewer than 2^32 arcs, so that a degree has 32 bits and a sum along a row 64.
 * Method: warps take equal spans of the arcs (cuda/walk.cuh), and what each has of a row is added to the row's sums, by
 * integer atomics; a directed graph's incoming rows come second.  Whether an arc is answered, a search in the row of
 * the other direction says.  Then each vertex closes its row, and adds to the totals and to its degree's arcs, of the
 * smallest degrees in shared memory first.  Triangles are those of shared/triangles. */
#include "algo/mixing/mixing.h"
#include "core/search.h"
#include "cuda/degree_counts.cuh"
#include "cuda/launch.cuh"
#include "cuda/mirror.cuh"
#include "cuda/walk.cuh"
#include "cuda/warp.cuh"
#include "engines/triangles/triangles.h"
#include "engines/triangles/triangles_cuda.cuh"
#include "weft/mixing.h"

#include <math.h>
#include <stdio.h>

namespace {

typedef unsigned long long word;
__extension__ typedef unsigned __int128 wide;

enum { THREADS = 256, MOST_BLOCKS = 512, WARP = 32, FEW = 1024 };

/* Of a vertex; one load. */
struct __align__(8) ends {
    uint32_t out, in;
};

/* Sums below 2^96 in two: their lowest 32 bits, and the others. */
struct total {
    word x, y, xx[2], yy[2], xy[2], chance, same, answered, loops;
};

struct arrays {
    double *mean, *reciprocity; /* columns */
    ends *degree;
    total *all;
    uint64_t *value, *within_of; /* the degrees that occur, and the arcs of each */
    word *length;                /* phase 1: degrees as they are counted */
    wfi_degree_counting counting;
    /* Phase 2, by row: degrees at the other ends of arcs out, arcs whose smaller degree is the row's, answered arcs of
     * both directions; loops, and from bit 32 on arcs within the group.  Of an undirected graph out is in. */
    word *out, *in, *within, *answered, *marks;
    weft_vid *group;
    word *out_of, *in_of; /* by group */
    word *corners;        /* phase 3 */
    wfi_triangles_space triangles;
};

void lay_out(wfi_workspace *device, const weft_graph *g, const weft_mixing_params *p, const wfi_degree_counts *counts,
             uint64_t edges, uint64_t long_rows, arrays *a) {
    const uint64_t n = g->n;
    *a = {};
    wfi_array(device, &a->mean, n);
    wfi_array(device, &a->reciprocity, n);
    wfi_array(device, &a->degree, n);
    wfi_array(device, &a->all, 1);
    wfi_array_within(device, &a->value, wfi_most_distinct_degrees(g));
    wfi_array_within(device, &a->within_of, wfi_most_distinct_degrees(g));
    const uint64_t phase = wfi_mark(device);
    wfi_array(device, &a->length, n);
    wfi_degree_counting_lay_out(device, counts, &a->counting);
    wfi_rewind(device, phase);
    wfi_array(device, &a->in, n);
    if (g->directed) wfi_array(device, &a->out, n);
    wfi_array(device, &a->within, n);
    if (g->directed) wfi_array(device, &a->answered, n);
    wfi_array(device, &a->marks, n);
    if (p->groups) wfi_array(device, &a->group, n);
    if (p->groups) wfi_array(device, &a->out_of, n);
    if (p->groups) wfi_array(device, &a->in_of, n);
    wfi_rewind(device, phase);
    if (!p->transitivity) return;
    wfi_array(device, &a->corners, n);
    wfi_triangles_lay_out(device, n, edges, long_rows, &a->triangles);
}

/* --- degrees ------------------------------------------------------------------------------------ */

struct measure {
    wfi_view out, in;
    bool directed;
    arrays a;

    __device__ void operator()(uint64_t v) const {
        ends d = {(uint32_t)(out.offsets[v + 1] - out.offsets[v]), (uint32_t)(in.offsets[v + 1] - in.offsets[v])};
        a.degree[v] = d;
        a.length[v] = (word)d.out + (directed ? d.in : 0);
    }
};

weft_status count_degrees(wfi_job *job, const measure &m, wfi_degree_counts *counts, wfi_mixing_columns *to) {
    weft_ctx *ctx = job->ctx;
    const arrays &a = m.a;
    weft_status st = wfi_each(ctx, job->g->n, m);
    if (!st) st = wfi_degree_counting_run(ctx, a.length, job->g->n, counts, &a.counting);
    if (!st) st = wfi_degree_counting_download(ctx, &a.counting, counts);
    if (!st) st = wfi_mixing_list(job->space, counts, to);
    if (!st) st = wfi_upload(ctx, a.value, to->value, to->distinct * sizeof *a.value);
    return st ? st : wfi_zero(ctx, a.within_of, to->distinct);
}

/* --- rows --------------------------------------------------------------------------------------- */

/* What some arcs of one row say. */
struct met {
    word out, in, within, answered, marks;
};

__device__ void add(word *sums, weft_vid v, word x) {
    if (x) atomicAdd(&sums[v], x);
}

/* Rows of one direction; `back` are those of the other.  INTO: they are the incoming ones of a directed graph. */
template <bool INTO> struct reader {
    arrays a;
    wfi_view back;
    bool directed;

    __device__ bool wants(weft_vid) const { return true; }
    __device__ word degree_of(ends d) const { return (word)d.out + (directed ? d.in : 0); }
    __device__ void take(weft_vid v, word mine, weft_vid u, met *m) const {
        ends d = a.degree[u];
        word other = degree_of(d);
        if (!INTO) {
            m->out += d.out;
            m->in += d.in;
            m->marks += (a.group && a.group[u] == a.group[v] ? (word)1 << 32 : 0) + (u == v);
        }
        if (u == v) return;
        /* An edge between equal degrees is counted where its arc leaves; an undirected one is two arcs, and between
         * different degrees both are counted at the smaller. */
        m->within += other > mine ? directed ? 1 : 2 : !INTO && other == mine;
        if (!directed) return;
        weft_eid end = back.offsets[(size_t)v + 1], at = wfi_lower_bound_u32(back.targets, back.offsets[v], end, u);
        m->answered += at < end && back.targets[at] == u;
    }
    __device__ void hand_in(weft_vid v, const met &m) const {
        if (!INTO) add(a.in, v, m.in);
        if (!INTO && directed) add(a.out, v, m.out);
        if (!INTO) add(a.marks, v, m.marks);
        if (directed) add(a.answered, v, m.answered);
        add(a.within, v, m.within);
    }
    __device__ void alone(weft_vid v, const weft_vid *target, unsigned count) const {
        met m = {};
        word mine = degree_of(a.degree[v]);
        for (unsigned i = 0; i < count; i++) take(v, mine, target[i], &m);
        hand_in(v, m);
    }
    __device__ void together(weft_vid v, const weft_vid *target, unsigned count) const {
        met m = {};
        word mine = degree_of(a.degree[v]);
        for (unsigned i = threadIdx.x % WARP; i < count; i += WARP) take(v, mine, target[i], &m);
        m = {wfi_warp_sum(m.out), wfi_warp_sum(m.in), wfi_warp_sum(m.within), wfi_warp_sum(m.answered),
             wfi_warp_sum(m.marks)};
        if (threadIdx.x % WARP == 0) hand_in(v, m);
    }
};

weft_status read_rows(weft_ctx *ctx, const weft_graph *g, const measure &m, const weft_vid *groups) {
    const arrays &a = m.a;
    word *const sums[] = {a.in, a.within, a.marks, a.out, a.answered, a.out_of, a.in_of};
    weft_status st = WEFT_OK;
    for (word *sum : sums)
        if (!st && sum) st = wfi_zero(ctx, sum, g->n);
    if (!st && groups) st = wfi_upload(ctx, a.group, groups, g->n * sizeof *groups);
    if (!st) st = wfi_walk_rows(ctx, m.out, g->arcs, reader<false>{a, m.in, g->directed});
    return st || !g->directed ? st : wfi_walk_rows(ctx, m.in, g->arcs, reader<true>{a, m.out, true});
}

/* --- totals ------------------------------------------------------------------------------------- */

__device__ void split(word parts[2], wide x) {
    parts[0] += (uint32_t)x;
    parts[1] += (word)(x >> 32);
}

/* One vertex, whose row is read. */
__device__ word close_row(const arrays &a, bool directed, double nothing, uint64_t v, total *t) {
    const ends d = a.degree[v];
    word loops = (uint32_t)a.marks[v], both = (word)d.out + d.in - 2 * loops, in = a.in[v];
    word answered = directed ? a.answered[v] : both, out = directed ? a.out[v] : in;
    a.mean[v] = d.out ? (double)out / (double)d.out : 0;
    a.reciprocity[v] = both ? (double)answered / (double)both : nothing;
    t->x += (word)d.out * d.out;
    t->y += (word)d.in * d.in;
    split(t->xx, (wide)((word)d.out * d.out) * d.out);
    split(t->yy, (wide)((word)d.in * d.in) * d.in);
    split(t->xy, (wide)in * d.out);
    t->same += a.marks[v] >> 32;
    t->answered += answered;
    t->loops += loops;
    if (!a.group) return (word)d.out + (directed ? d.in : 0);
    atomicAdd(&a.out_of[a.group[v]], (word)d.out);
    atomicAdd(&a.in_of[a.group[v]], (word)d.in);
    return (word)d.out + (directed ? d.in : 0);
}

__global__ void __launch_bounds__(THREADS)
    close_rows(arrays a, weft_vid n, bool directed, double nothing, unsigned distinct) {
    __shared__ word few[FEW];
    total t = {};
    for (unsigned i = threadIdx.x; i < FEW; i += THREADS) few[i] = 0;
    __syncthreads();
    for (uint64_t v = wfi_thread(); v < n; v += wfi_all_threads()) {
        word degree = close_row(a, directed, nothing, v, &t), within = a.within[v];
        if (!within) continue;
        uint64_t place = wfi_lower_bound_u64(a.value, 0, distinct, degree);
        atomicAdd(place < FEW ? &few[place] : (word *)&a.within_of[place], within);
    }
    wfi_warp_add(t, a.all);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < FEW && i < distinct; i += THREADS)
        if (few[i]) atomicAdd((word *)&a.within_of[i], few[i]);
}

__global__ void __launch_bounds__(THREADS) close_groups(arrays a, weft_vid n) {
    word chance = 0;
    for (uint64_t i = wfi_thread(); i < n; i += wfi_all_threads()) chance += a.out_of[i] * a.in_of[i];
    chance = wfi_warp_sum(chance);
    if (threadIdx.x % WARP == 0 && chance) atomicAdd(&a.all->chance, chance);
}

wfi_sum joined(const word parts[2]) { return ((wfi_sum)parts[1] << 32) + parts[0]; }

weft_status add_up(weft_ctx *ctx, const weft_graph *g, const arrays &a, wfi_mixing_columns *to, wfi_mixing_totals *t) {
    const unsigned blocks = wfi_grid(g->n, THREADS, MOST_BLOCKS);
    total all = {};
    weft_status st = wfi_zero(ctx, a.all, 1);
    if (st) return st;
    close_rows<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(a, g->n, g->directed, (double)NAN, (unsigned)to->distinct);
    if (a.group) close_groups<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(a, g->n);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    st = wfi_download(ctx, &all, a.all, sizeof all);
    if (!st) st = wfi_download(ctx, to->within, a.within_of, to->distinct * sizeof *to->within);
    *t = {{all.x, all.y, joined(all.xx), joined(all.yy), joined(all.xy)},
          all.chance,
          all.same,
          all.answered / 2,
          all.loops};
    return st;
}

/* --- triangles ---------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(THREADS)
    add_corners(const word *corners, const uint32_t *degree, weft_vid n, total *all) {
    total t = {}; /* x: corners, y: wedges */
    for (uint64_t r = wfi_thread(); r < n; r += wfi_all_threads()) {
        word d = degree[r];
        t.x += corners[r];
        t.y += d ? d * (d - 1) / 2 : 0;
    }
    wfi_warp_add(t, all);
}

weft_status find_transitivity(weft_ctx *ctx, const wfi_oriented_rows *o, arrays *a, double *transitivity) {
    total all = {};
    weft_status st = wfi_count_triangles_cuda(ctx, o, &a->triangles, a->corners);
    if (!st) st = wfi_zero(ctx, a->all, 1);
    if (st) return st;
    add_corners<<<wfi_grid(o->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(a->corners, o->degree.data,
                                                                                            o->n, a->all);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    st = wfi_download(ctx, &all, a->all, sizeof all);
    const wfi_clustering_totals t = {all.x / 3, all.y, 0, 0};
    *transitivity = wfi_clustering_transitivity(&t);
    return st;
}

/* --- run ---------------------------------------------------------------------------------------- */

void lay_out_host(wfi_workspace *w, const weft_graph *g, wfi_mixing_columns *to, wfi_degree_counts *counts) {
    wfi_mixing_lay_out(w, g, to);
    wfi_degree_counts_lay_out(w, g, counts);
}

weft_status count_rows(wfi_job *job, const measure &m, wfi_degree_counts *counts, wfi_mixing_columns *to,
                       wfi_mixing_totals *t) {
    weft_ctx *ctx = job->ctx;
    const weft_mixing_params *p = (const weft_mixing_params *)job->params;
    wfi_kernel_scope stage(ctx, "iterations");
    weft_status st = count_degrees(job, m, counts, to);
    if (!st) st = read_rows(ctx, job->g, m, p->groups);
    if (!st) st = add_up(ctx, job->g, m.a, to, t);
    return !st && wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : st;
}

weft_status run_on_gpu(wfi_job *job, wfi_degree_counts *counts, wfi_mixing_columns *to, wfi_mixing_totals *t,
                       double *transitivity) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_mixing_params *p = (const weft_mixing_params *)job->params;
    const wfi_oriented_rows *o = NULL;
    measure m = {};
    m.directed = g->directed;
    weft_status st = p->transitivity ? wfi_oriented_on_gpu(ctx, g, false, &o) : WEFT_OK;
    if (!st) st = wfi_mirror_out(ctx, g, &m.out);
    if (!st) st = wfi_mirror_in(ctx, g, &m.in);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->device, g, p, counts, o ? o->edges : 0, o ? o->many : 0, &m.a);
    st = job->device->status;
    if (!st) st = count_rows(job, m, counts, to, t);
    if (!st && o) st = find_transitivity(ctx, o, &m.a, transitivity);
    const size_t bytes = g->n * sizeof(double);
    const wfi_copy column[] = {{to->mean, m.a.mean, bytes}, {to->reciprocity, m.a.reciprocity, bytes}};
    return st ? st : wfi_deliver_all(ctx, column, 2);
}

} // namespace

extern "C" void wfi_mixing_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_mixing_params *p = (const weft_mixing_params *)params;
    uint64_t edges = 0, long_rows = 0;
    wfi_mixing_columns to;
    wfi_degree_counts counts;
    arrays a;
    (void)ctx;
    choice->method = p->transitivity ? WFI_MIXING_ORIENTED : WFI_MIXING_NO_TRIANGLES;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             p->transitivity ? "sums along rows; triangles on rows oriented by degree" : "sums along rows");
    lay_out_host(&choice->space, g, &to, &counts);
    if (!g->n) return;
    const uint64_t before = choice->device.kept;
    if (p->transitivity) wfi_oriented_declare(&choice->device, g, false, &edges, &long_rows);
    if (choice->device.kept == before)
        wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS | WFI_IN_ROWS); /* else it is made of them */
    lay_out(&choice->device, g, p, &counts, edges, long_rows, &a);
}

extern "C" weft_status wfi_mixing_cuda(wfi_job *job) {
    wfi_mixing_columns to;
    wfi_degree_counts counts;
    wfi_mixing_totals t = {};
    const weft_mixing_params *p = (const weft_mixing_params *)job->params;
    double transitivity = p->transitivity ? 0 : (double)NAN;
    lay_out_host(job->space, job->g, &to, &counts);
    weft_status st = job->space->status;
    if (!st && job->g->n) st = run_on_gpu(job, &counts, &to, &t, &transitivity);
    if (!st && !job->g->n) {
        wfi_count_degrees(job->ctx, NULL, 0, &counts);
        st = wfi_mixing_list(job->space, &counts, &to);
    }
    return st ? st : wfi_mixing_tell(job, &to, &t, transitivity);
}
