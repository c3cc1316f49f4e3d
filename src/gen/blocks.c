/* The driver of all generators: parallel blocks, weights, cancellation, progress, and a check of the memory
 * beforehand.
 * Encoding: block b becomes piece b of run->edges. Each rank makes a range of blocks, in the order of ranks; its
 * first block becomes piece 0. */
#include "core/comm.h"
#include "gen/gen.h"
#include "gen/random.h"

#include <inttypes.h>
#include <omp.h>
#include <unistd.h>

/* A weight in 1 ... max_weight. In undirected graphs it is the same for (u, v) and (v, u). */
static uint32_t weight_of(const wfi_run *run, uint32_t u, uint32_t v) {
    if (!run->directed && u > v) {
        uint32_t swap = u;
        u = v;
        v = swap;
    }
    wfi_random r = wfi_draw(run->p.seed, WFI_FOR_WEIGHTS, 0, (uint64_t)u << 32 | v);
    return (uint32_t)(1 + wfi_below(r.first, run->p.max_weight));
}

static weft_status add_weights(wfi_run *run, wfi_piece *piece) {
    uint32_t *weights;
    weft_status st = wfi_alloc(run->ctx, &weights, piece->count);
    if (st) return st;
    for (uint64_t i = 0; i < piece->count; i++)
        weights[i] = weight_of(run, piece->narrow[2 * i], piece->narrow[2 * i + 1]);
    piece->weights = weights;
    piece->weight_type = WEFT_WEIGHT_U32;
    return WEFT_OK;
}

weft_status wfi_piece_take(wfi_run *run, wfi_piece *piece, uint64_t count) {
    piece->count = count;
    return wfi_alloc(run->ctx, &piece->narrow, 2 * count);
}

/* Refuses a graph that cannot fit before hours are spent on it or the system ends the program. Assumes that each rank
 * has a machine of its own. */
static weft_status check_memory(wfi_run *run, uint64_t edges) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return WEFT_OK;
    double have = (double)pages * (double)page;
    double need = (double)edges * (run->p.max_weight ? 12.0 : 8.0) + (double)run->vertices * 8.0;
    need /= wfi_ranks(run->ctx);
    if (need <= have) return WEFT_OK;
    return wfi_fail(run->ctx, WEFT_ENOMEM,
                    "%" PRIu64 " vertices and about %" PRIu64 " edges need %.1f GB before building, and this machine "
                    "has %.1f GB",
                    run->vertices, edges, need / 1e9, have / 1e9);
}

static weft_status make_one(wfi_run *run, uint64_t block, wfi_piece *piece, wfi_make_block make, const void *plan) {
    if (wfi_cancelled(run->ctx)) return WEFT_ECANCELLED;
    weft_status st = make(run, plan, block, piece);
    return st || !run->p.max_weight || !piece->count ? st : add_weights(run, piece);
}

weft_status wfi_run_blocks(wfi_run *run, uint64_t blocks, uint64_t edges, wfi_make_block make, const void *plan) {
    weft_status st = check_memory(run, edges);
    if (st || !blocks) return st;
    uint64_t ranks = (uint64_t)wfi_ranks(run->ctx), rank = (uint64_t)wfi_rank(run->ctx);
    uint64_t first = (uint64_t)((unsigned __int128)blocks * rank / ranks);
    blocks = (uint64_t)((unsigned __int128)blocks * (rank + 1) / ranks) - first;
    st = wfi_alloc_zeroed(run->ctx, &run->edges.pieces, blocks);
    if (st) return st;
    run->edges.count = run->edges.capacity = blocks;

    _Atomic int failed = WEFT_OK;
    _Atomic uint64_t done = 0;
#pragma omp parallel for num_threads(wfi_threads(run->ctx)) schedule(dynamic)
    for (uint64_t b = 0; b < blocks; b++) {
        if (atomic_load_explicit(&failed, memory_order_relaxed)) continue;
        wfi_keep_status(&failed, make_one(run, first + b, &run->edges.pieces[b], make, plan));
        uint64_t so_far = atomic_fetch_add(&done, 1) + 1;
        if (omp_get_thread_num() == 0) wfi_progress(run->ctx, "generating", so_far, blocks);
    }
    st = (weft_status)atomic_load(&failed);
    return st == WEFT_ECANCELLED ? wfi_fail_cancelled(run->ctx) : st;
}

typedef struct edge_list {
    uint64_t edges;
    wfi_make_edges make;
    const void *plan;
} edge_list;

static weft_status make_known(wfi_run *run, const void *plan, uint64_t block, wfi_piece *piece) {
    const edge_list *list = plan;
    uint64_t first = block * WFI_BLOCK_EDGES, count = wfi_min_u64(WFI_BLOCK_EDGES, list->edges - first);
    weft_status st = wfi_piece_take(run, piece, count);
    if (!st) list->make(run, list->plan, first, count, piece->narrow);
    return st;
}

weft_status wfi_run_edges(wfi_run *run, uint64_t edges, wfi_make_edges make, const void *plan) {
    edge_list list = {edges, make, plan};
    uint64_t blocks = edges / WFI_BLOCK_EDGES + (edges % WFI_BLOCK_EDGES != 0);
    return wfi_run_blocks(run, blocks, edges, make_known, &list);
}
