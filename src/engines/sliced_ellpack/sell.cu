/* SELL-C-sigma, second half (sell.cuh): from sorted rows to units.  Method: counts the units of each long row and
 * slice, scans, counts the steps of each unit, scans, fills the cells. */
#include "core/search.h"
#include "cuda/buffers.cuh"
#include "cuda/cub.cuh"
#include "cuda/walk.cuh"
#include "cuda/warp.cuh"
#include "engines/sliced_ellpack/sell.cuh"

enum { THREADS = 256, WARP = 32, MOST_BLOCKS = 4096, UNIT_ARCS = WFI_MOST_STEPS * WFI_LANES };

/* The longest row that a lane should follow; measured on R-MAT graphs (bench/NOTES.md).  A graph that may lie in shared
 * memory waits little for each arc, and reducing a long row costs more. */
static uint32_t longest_sliced(weft_vid n, weft_eid arcs) {
    return n <= WFI_SMALL ? 64 : arcs >= (weft_eid)1 << 25 ? 64 : arcs >= (weft_eid)1 << 22 ? 32 : 16;
}

/* Each near block costs a pass that fills shared memory anew, each far block additions to the rows; measured likewise:
 * far blocks lost on 2^24 vertices, whose values are 1.3 times the second cache, and won on 2^26. */
static wfi_sell_blocks blocks_for(weft_vid n, weft_eid arcs) {
    uint32_t near = arcs >= (weft_eid)1 << 28 ? 32 : arcs >= (weft_eid)1 << 27 ? 13 : arcs >= (weft_eid)1 << 25 ? 6 : 1;
    uint32_t beyond = n > near * WFI_BLOCK ? n - near * WFI_BLOCK : 0, blocks = WFI_SELL_BLOCKS - near;
    weft_vid far = (weft_vid)wfi_max_u64(WFI_FAR_BLOCK, (beyond + blocks - 1) / blocks);
    bool worth = arcs >= (weft_eid)1 << 28 && n > (weft_vid)1 << 25;
    return {near, near + (worth ? (beyond + far - 1) / far : 0), far};
}

enum {
    LEAST_ARCS = 96,      /* arcs for which a bundle is sorted into a near block */
    LEAST_FAR_ARCS = 512, /* mean arcs of a bundle for it to be sorted into far blocks */
    MOST_BUNDLED = 48     /* steps of a bundle */
};

/* --- the shape of a part --------------------------------------------------------------- */

/* The first row of each part that is no longer than `most`, by a thread each; the part's first row if that one, the
 * longest, is at most `bearable`. */
__global__ static void find_rows_to(const weft_eid *offsets, weft_vid n, weft_vid part, uint32_t most,
                                    uint32_t bearable, uint32_t *first) {
    uint32_t p = threadIdx.x, low = p * part, high = n - low < part ? n : low + part;
    if (offsets[low + 1] - offsets[low] <= bearable) high = low;
    WFI_BISECT(low, high, middle, offsets[middle + 1] - offsets[middle] > most);
    first[p] = low;
}

namespace {

/* Ranges of empty rows, in which find_rows_alone finds the first row without outgoing arcs. */
struct empty_rows {
    uint32_t begin[WFI_MOST_PARTS], end[WFI_MOST_PARTS];
};

} // namespace

__global__ static void find_rows_alone(const uint32_t *degree, empty_rows rows, uint32_t parts, uint32_t *first) {
    uint32_t p = threadIdx.x;
    if (p >= parts) return;
    uint32_t low = rows.begin[p], high = rows.end[p];
    WFI_BISECT(low, high, middle, degree[middle]);
    first[p] = low;
}

static weft_status find_alone(weft_ctx *ctx, wfi_sell *r, uint32_t *scratch) {
    uint32_t first[WFI_MOST_PARTS];
    empty_rows rows = {};
    for (uint32_t p = 0; p < r->parts; p++) {
        rows.begin[p] = r->at[p].empty;
        rows.end[p] = r->at[p].end;
    }
    find_rows_alone<<<1, WARP, 0, wfi_cuda_stream(ctx)>>>(r->degree.data, rows, r->parts, scratch);
    weft_status st = wfi_download(ctx, first, scratch, sizeof first);
    for (uint32_t p = 0; p < r->parts && !st; p++) r->at[p].alone = first[p];
    return st;
}

static weft_status find_parts(weft_ctx *ctx, wfi_sell *r, weft_eid arcs, const weft_eid *offsets) {
    uint32_t bound[2 * WFI_MOST_PARTS], slots = 0;
    wfi_buffer<uint32_t> bounds;
    r->parts = (uint32_t)(((uint64_t)r->n + r->part - 1) / r->part);
    weft_status st = bounds.take_zeroed(ctx, 2 * WFI_MOST_PARTS);
    if (st) return st;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    uint32_t most = longest_sliced(r->n, arcs);
    /* Long rows cost every sweep a barrier, for which a few slightly longer ones are not enough reason; but only long
     * rows are sorted into blocks. */
    uint32_t bearable = blocks_for(r->n, arcs).all > 1 ? most : 2 * most;
    find_rows_to<<<1, r->parts, 0, stream>>>(offsets, r->n, r->part, most, bearable, bounds.data);
    find_rows_to<<<1, r->parts, 0, stream>>>(offsets, r->n, r->part, 0, 0, bounds.data + WFI_MOST_PARTS);
    st = wfi_download(ctx, bound, bounds.data, sizeof bound);
    for (uint32_t p = 0; p < r->parts && !st; p++) {
        uint32_t row = p * r->part, end = r->n - row < r->part ? r->n : row + r->part;
        uint32_t sliced = bound[p], slices = (bound[WFI_MOST_PARTS + p] - sliced + WFI_LANES - 1) / WFI_LANES;
        uint64_t empty = sliced + (uint64_t)slices * WFI_LANES;
        r->at[p] = {row, sliced, (uint32_t)(empty < end ? empty : end), end, end, end, slots, 0};
        slots += sliced - row;
    }
    return st ? st : find_alone(ctx, r, bounds.data);
}

/* --- heads: a long row or a slice; in a part long rows come first ------------------------- */

/* The form of the arcs of a bundle of 32 long rows from a block of sources; any other value is the number of steps of
 * the bundle. */
enum {
    STAY = 0,       /* the arcs lie in block 0 */
    BY_ROW = 0xffff /* the arcs lie in units of each row */
};

namespace {

struct heads_of_part {
    wfi_sell_part at;
    const weft_eid *offsets;
    const weft_vid *sources;
    uint16_t *bundle; /* the form for each bundle and block */
    uint32_t count;
    wfi_sell_blocks blocks;

    __host__ __device__ uint32_t longs() const { return at.sliced - at.row; }
    __host__ __device__ uint32_t bundles() const { return (longs() + WFI_LANES - 1) / WFI_LANES; }
    __device__ uint32_t length(uint32_t row) const { return (uint32_t)(offsets[row + 1] - offsets[row]); }
    __device__ uint32_t first_row(uint32_t slice) const { return at.sliced + (slice - longs()) * WFI_LANES; }
    __device__ uint16_t &form(uint32_t head, uint32_t block) const {
        return bundle[(size_t)(head / WFI_LANES) * blocks.all + block];
    }
    __device__ bool is_bundle(uint32_t head, uint32_t block) const {
        return block && form(head, block) != STAY && form(head, block) != BY_ROW;
    }
};

/* The arcs of a long row that belong to a block: begin ... end-1 without gap ... gap_end-1. */
struct stretch {
    uint32_t begin, gap, gap_end, end;
    __device__ uint32_t count() const { return end - begin - (gap_end - gap); }
    __device__ uint32_t arc(uint32_t i) const { return begin + i < gap ? begin + i : begin + i + (gap_end - gap); }
};

/* The heads of all parts and blocks; a kernel's blockIdx.y is the part, blockIdx.z the block of sources. */
struct all_heads {
    heads_of_part part[WFI_MOST_PARTS];
    uint32_t begin[WFI_MOST_PARTS]; /* the first head of each part */
    uint32_t parts, heads, most;    /* numbers of parts, of heads, and of the heads of the largest part */
    uint32_t *first;                /* unit of each block and head */

    __host__ __device__ uint32_t *units(uint32_t block, uint32_t p) const {
        return first + (size_t)block * heads + begin[p];
    }
};

} // namespace

__device__ static uint32_t arcs_below(const weft_vid *sources, uint32_t length, weft_vid bound) {
    return wfi_lower_bound(sources, 0u, length, bound);
}

/* The number of arcs of this lane's row of a bundle from blocks begin ... end-1. */
__device__ static uint32_t arcs_from(const heads_of_part &h, uint32_t head, uint32_t begin, uint32_t end) {
    uint32_t mine = head + threadIdx.x % WARP, row = h.at.row + mine;
    if (mine >= h.longs()) return 0;
    const weft_vid *sources = h.sources + h.offsets[row];
    return arcs_below(sources, h.length(row), h.blocks.begin(end)) -
           arcs_below(sources, h.length(row), h.blocks.begin(begin));
}

/* The form of a bundle's arcs from a block if they are sorted into it; by a warp. */
__device__ static uint16_t form_of(uint32_t mine) {
    uint32_t most = wfi_warp_max(mine);
    return (uint16_t)(most && most <= MOST_BUNDLED ? most : BY_ROW);
}

/* A warp a bundle: decides into how many near blocks its arcs are sorted, and whether into the far ones.  Later near
 * blocks have fewer arcs; a step costs a read of all its cells, and a block an addition to each row. */
__global__ static void form_bundles(all_heads all_parts) {
    const heads_of_part &h = all_parts.part[blockIdx.y];
    uint64_t warp = wfi_thread() / WARP;
    for (uint64_t q = warp; q < h.bundles(); q += wfi_all_threads() / WARP) {
        uint32_t head = (uint32_t)q * WFI_LANES, near = h.blocks.near, all = h.blocks.all;
        bool worth = false, writes = threadIdx.x % WARP == 0;
        for (uint32_t block = near - 1; block; block--) {
            uint32_t mine = arcs_from(h, head, block, block + 1);
            uint16_t form = form_of(mine);
            worth = wfi_warp_sum(mine) >= LEAST_ARCS || worth;
            if (writes) h.form(head, block) = worth ? form : (uint16_t)STAY;
        }
        bool far = wfi_warp_sum((uint64_t)arcs_from(h, head, near, all)) >= (uint64_t)(all - near) * LEAST_FAR_ARCS;
        for (uint32_t block = near; block < all; block++) {
            uint16_t form = form_of(arcs_from(h, head, block, block + 1));
            if (writes) h.form(head, block) = far ? form : (uint16_t)STAY;
        }
    }
}

__device__ static stretch stretch_of(const heads_of_part &h, uint32_t row, uint32_t block) {
    uint32_t length = h.length(row), head = row - h.at.row, near = 1;
    const weft_vid *sources = h.sources + h.offsets[row];
    if (block) {
        if (h.form(head, block) == STAY) return {0, 0, 0, 0};
        uint32_t end = arcs_below(sources, length, h.blocks.begin(block + 1));
        return {arcs_below(sources, length, h.blocks.begin(block)), end, end, end};
    }
    while (near < h.blocks.near && h.form(head, near) != STAY) near++;
    bool far = h.blocks.all > h.blocks.near && h.form(head, h.blocks.near) != STAY;
    uint32_t end = far ? arcs_below(sources, length, h.blocks.begin(h.blocks.near)) : length;
    if (near == 1) return {0, end, end, end};
    return {0, arcs_below(sources, length, WFI_BLOCK), arcs_below(sources, length, near * WFI_BLOCK), end};
}

/* The number of units that belong to a head. */
__device__ static uint32_t units_of(const heads_of_part &h, uint32_t head, uint32_t block) {
    if (head >= h.longs()) return block == 0;
    if (h.is_bundle(head, block)) return head % WFI_LANES == 0;
    return (stretch_of(h, h.at.row + head, block).count() + UNIT_ARCS - 1) / UNIT_ARCS;
}

__global__ static void count_units(all_heads all) {
    const heads_of_part &h = all.part[blockIdx.y];
    uint32_t *units = all.units(blockIdx.z, blockIdx.y);
    for (uint64_t i = wfi_thread(); i < h.count; i += wfi_all_threads())
        units[i] = units_of(h, (uint32_t)i, blockIdx.z);
}

/* Steps and rows of the units of each head. */
__global__ static void size_units(all_heads all, uint32_t *steps, uint32_t *row_of) {
    const heads_of_part &h = all.part[blockIdx.y];
    const uint32_t block = blockIdx.z, *first = all.units(block, blockIdx.y);
    for (uint64_t i = wfi_thread(); i < h.count; i += wfi_all_threads()) {
        uint32_t unit = first[i];
        if (i < h.longs() && h.is_bundle((uint32_t)i, block)) {
            if (i % WFI_LANES) continue;
            steps[unit] = h.form((uint32_t)i, block);
            row_of[unit] = WFI_LONG | WFI_BUNDLE | (h.at.slot + (uint32_t)i);
        } else if (i < h.longs()) {
            uint32_t count = stretch_of(h, h.at.row + (uint32_t)i, block).count();
            for (uint32_t done = 0; done < count; done += UNIT_ARCS, unit++) {
                uint32_t left = count - done < UNIT_ARCS ? count - done : UNIT_ARCS;
                steps[unit] = (left + WFI_LANES - 1) / WFI_LANES;
                row_of[unit] = WFI_LONG | (h.at.slot + (uint32_t)i);
            }
        } else if (block == 0) {
            row_of[unit] = h.first_row((uint32_t)i);
            steps[unit] = h.length(row_of[unit]);
        }
    }
}

/* The first unit of each block and part, then the first slice of each part, then the end. */
__global__ static void name_begins(all_heads all, uint32_t blocks, uint32_t *begins) {
    uint32_t places = blocks * all.parts;
    for (uint32_t i = threadIdx.x; i <= places + all.parts; i += blockDim.x) {
        uint32_t p = i % all.parts;
        if (i < places)
            begins[i] = *all.units(i / all.parts, p);
        else if (i < places + all.parts)
            begins[i] = all.units(0, p)[all.part[p].longs()];
        else
            begins[i] = all.first[(size_t)blocks * all.heads];
    }
}

namespace {

struct all_units {
    const uint32_t *begins; /* the output of name_begins */
    uint32_t places, count;
    const uint32_t *row, *step; /* as in wfi_sell */
};

} // namespace

/* A warp a unit.  `of` is parallel to the arcs: sources or weights; unused cells get `none`. */
template <class T> __global__ static void fill_units(all_heads all, all_units units, const T *of, T none, T *cells) {
    uint32_t lane = threadIdx.x % WARP, warps = gridDim.x * blockDim.x / WARP;
    const uint32_t *step = units.step;
    for (uint32_t u = (blockIdx.x * blockDim.x + threadIdx.x) / WARP; u < units.count; u += warps) {
        uint32_t place = (uint32_t)wfi_row_among(units.begins, 0, units.places - 1, u), block = place / all.parts;
        const heads_of_part &h = all.part[place % all.parts];
        uint32_t of_unit = units.row[u], head = (of_unit & ~(WFI_LONG | WFI_BUNDLE)) - h.at.slot,
                 steps = step[u + 1] - step[u];
        T *to = cells + (weft_eid)step[u] * WFI_LANES + lane;
        if (!(of_unit & WFI_LONG)) {
            uint32_t mine = of_unit + lane, length = mine < h.at.empty ? h.length(mine) : 0;
            weft_eid from = mine < h.at.empty ? h.offsets[mine] : 0;
            for (uint32_t k = 0; k < steps; k++) to[k * WARP] = k < length ? of[from + k] : none;
        } else if (of_unit & WFI_BUNDLE) {
            uint32_t row = h.at.row + head + lane;
            stretch s = {0, 0, 0, 0};
            if (head + lane < h.longs()) s = stretch_of(h, row, block);
            for (uint32_t k = 0; k < steps; k++) to[k * WARP] = k < s.count() ? of[h.offsets[row] + s.arc(k)] : none;
        } else {
            uint32_t row = h.at.row + head, before = (u - all.units(block, place % all.parts)[head]) * UNIT_ARCS;
            stretch s = stretch_of(h, row, block);
            for (uint32_t k = 0; k < steps; k++) {
                uint32_t arc = before + k * WARP + lane;
                to[k * WARP] = arc < s.count() ? of[h.offsets[row] + s.arc(arc)] : none;
            }
        }
    }
}

/* --- bounds --------------------------------------------------------------------------------- */

enum { MOST_CELLS = 3 }; /* cells for each arc; if blocks of sources would take more, there are none */

/* A long row fills more than half a step, so filling up its last step less than doubles it.  A slice is as long as its
 * longest row, and all rows of the previous slice are at least that long: only the first slice of each part can take
 * more than twice its arcs. */
wfi_sell_bounds wfi_sell_within(weft_vid n, weft_eid arcs, weft_vid part, size_t weight_bytes) {
    uint64_t parts = ((uint64_t)n + part - 1) / part, blocks = blocks_for(n, arcs).all,
             longest = longest_sliced(n, arcs);
    uint64_t long_rows = wfi_min_u64(n, arcs / (longest + 1));
    uint64_t steps = (blocks > 1 ? MOST_CELLS : 2) * arcs / WFI_LANES + parts * 2 * longest;
    uint64_t heads = blocks * (long_rows + n / WFI_LANES + parts) + 1, bundles = long_rows / WFI_LANES + parts;
    uint64_t cells = (sizeof(weft_vid) + weight_bytes) * WFI_LANES * steps;
    uint64_t lists = sizeof(uint32_t) * heads + sizeof(uint16_t) * bundles * blocks;
    return {long_rows, steps, cells + sizeof(uint32_t) * (2 * steps + 1),
            lists + wfi_cub_scan_bytes(heads + steps + 1)};
}
static_assert(WFI_LANES / 2 <= 16, "long rows are at least so long");

/* --- the layout --------------------------------------------------------------------------- */

namespace {

struct listing {
    const weft_eid *offsets;
    const weft_vid *sources;
    all_heads heads;
    uint32_t units, steps;
    wfi_buffer<uint32_t> first, begins;
    wfi_buffer<uint16_t> bundle;
};

} // namespace

static weft_status list_heads(weft_ctx *ctx, const wfi_sell *r, listing *l) {
    all_heads *all = &l->heads;
    uint32_t bundles = 0, most_bundles = 0;
    *all = {};
    all->parts = r->parts;
    for (uint32_t p = 0; p < r->parts; p++) {
        const wfi_sell_part &at = r->at[p];
        uint32_t count = at.sliced - at.row + (at.empty - at.sliced + WFI_LANES - 1) / WFI_LANES;
        all->part[p] = {at, l->offsets, l->sources, NULL, count, r->blocks};
        all->begin[p] = all->heads;
        all->heads += count;
        all->most = (uint32_t)wfi_max_u64(all->most, count);
        bundles += all->part[p].bundles();
        most_bundles = (uint32_t)wfi_max_u64(most_bundles, all->part[p].bundles());
    }
    weft_status st = l->first.take_zeroed(ctx, (size_t)all->heads * r->blocks.all + 1);
    if (!st) st = l->bundle.take(ctx, (size_t)bundles * r->blocks.all);
    if (st) return st;
    all->first = l->first.data;
    for (uint32_t p = 0, done = 0; p < r->parts; done += all->part[p++].bundles())
        all->part[p].bundle = l->bundle.data + (size_t)done * r->blocks.all;
    form_bundles<<<dim3(wfi_grid((uint64_t)most_bundles * WARP, THREADS, MOST_BLOCKS), r->parts), THREADS, 0,
                   wfi_cuda_stream(ctx)>>>(*all);
    return WEFT_OK;
}

/* The first unit of each block and part, on the host and on the GPU. */
static weft_status find_begins(weft_ctx *ctx, wfi_sell *r, listing *l) {
    uint32_t begins[WFI_SELL_BLOCKS * WFI_MOST_PARTS + WFI_MOST_PARTS + 1], places = r->blocks.all * r->parts;
    weft_status st = l->begins.take(ctx, places + r->parts + 1);
    if (st) return st;
    name_begins<<<1, THREADS, 0, wfi_cuda_stream(ctx)>>>(l->heads, r->blocks.all, l->begins.data);
    st = wfi_download(ctx, begins, l->begins.data, (places + r->parts + 1) * sizeof *begins);
    if (st) return st;
    l->units = begins[places + r->parts];
    for (uint32_t b = 0; b < r->blocks.all; b++) {
        for (uint32_t p = 0; p < r->parts; p++) r->unit[b][p] = begins[b * r->parts + p];
        r->unit[b][r->parts] = b + 1 < r->blocks.all ? begins[(b + 1) * r->parts] : l->units;
    }
    for (uint32_t p = 0; p < r->parts; p++) r->at[p].slice = begins[places + p];
    return WEFT_OK;
}

/* The units, and their numbers of steps. */
static weft_status list_units(weft_ctx *ctx, wfi_sell *r, listing *l) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_status st = list_heads(ctx, r, l);
    if (st) return st;
    const dim3 grid(wfi_grid(l->heads.most, THREADS, MOST_BLOCKS), r->parts, r->blocks.all);
    count_units<<<grid, THREADS, 0, stream>>>(l->heads);
    st = wfi_exclusive_scan_cuda(ctx, l->first.data, (size_t)l->heads.heads * r->blocks.all + 1);
    if (!st) st = find_begins(ctx, r, l);
    if (!st) st = r->row.take(ctx, l->units);
    if (!st) st = r->step.take_zeroed(ctx, (size_t)l->units + 1);
    if (st) return st;
    size_units<<<grid, THREADS, 0, stream>>>(l->heads, r->step.data, r->row.data);
    st = wfi_exclusive_scan_cuda(ctx, r->step.data, (size_t)l->units + 1);
    return st ? st : wfi_download(ctx, &l->steps, r->step.data + l->units, sizeof l->steps);
}

template <class T> static void fill(weft_ctx *ctx, const wfi_sell *r, const listing *l, const T *of, T none, T *cells) {
    fill_units<<<wfi_grid((uint64_t)l->units * WARP, THREADS, 1 << 16), THREADS, 0, wfi_cuda_stream(ctx)>>>(
        l->heads, {l->begins.data, r->blocks.all * r->parts, l->units, r->row.data, r->step.data}, of, none, cells);
}

weft_status wfi_sell_lay_out(weft_ctx *ctx, wfi_sell *r, const wfi_view &rows, weft_eid arcs) {
    size_t weight_bytes = wfi_weight_bytes(rows.type);
    listing l = {};
    l.offsets = rows.offsets;
    l.sources = rows.targets;
    weft_status st = find_parts(ctx, r, arcs, rows.offsets);
    r->blocks = blocks_for(r->n, arcs);
    if (!st) st = list_units(ctx, r, &l);
    if (!st && l.steps > wfi_sell_within(r->n, arcs, r->part, 0).steps) {
        r->blocks = {1, 1, 0};
        st = list_units(ctx, r, &l);
    }
    if (!st) st = r->cells.take(ctx, (size_t)l.steps * WFI_LANES);
    if (!st && weight_bytes) st = r->weights.take(ctx, (size_t)l.steps * WFI_LANES * (weight_bytes / sizeof(uint32_t)));
    if (st) return st;
    fill(ctx, r, &l, rows.targets, WFI_NO_SOURCE, r->cells.data);
    if (weight_bytes == sizeof(uint32_t)) fill(ctx, r, &l, (const uint32_t *)rows.weights, 0u, r->weights.data);
    if (weight_bytes == sizeof(double)) fill(ctx, r, &l, (const double *)rows.weights, 0., (double *)r->weights.data);
    return wfi_cuda_sync(ctx);
}
