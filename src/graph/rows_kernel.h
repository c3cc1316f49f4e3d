/* The inner loops of rows.c, compiled once per kind of arc. The includer defines
 *   ARC       the record that is sorted
 *   BITS      an unsigned type of a weight's width
 *   KEY(a)    its key as uint64_t: (row within the bin << target_bits) | target
 *   MAKE(k,w) an ARC from key and weight bits
 *   WEIGHT(a) its weight bits
 *   BACK      a bit outside of KEY, tested by IS_BACK(a): the edge was listed from the target to the row; 0: unused
 *   KERNEL(f) the name of f for this kind */

enum { KERNEL(stage_size) = STAGE_BYTES / sizeof(ARC) };

typedef ARC KERNEL(stage)[KERNEL(stage_size)];

/* Write-combining buffer: writes arcs to their bins in whole cache lines, touching few pages at a time. */
typedef struct KERNEL(writer) {
    KERNEL(stage) * stage;
    uint32_t *filled;
    uint64_t *cursor; /* next position in each bin */
    ARC *bins;
} KERNEL(writer);

static inline void KERNEL(push)(KERNEL(writer) * w, size_t bin, ARC arc) {
    uint32_t at = w->filled[bin];
    w->stage[bin][at++] = arc;
    if (at == KERNEL(stage_size)) {
        memcpy(w->bins + w->cursor[bin], w->stage[bin], sizeof w->stage[bin]);
        w->cursor[bin] += at;
        at = 0;
    }
    w->filled[bin] = at;
}

static void KERNEL(flush)(KERNEL(writer) * w, size_t bin_count) {
    for (size_t b = 0; b < bin_count; b++) {
        memcpy(w->bins + w->cursor[b], w->stage[b], w->filled[b] * sizeof(ARC));
        w->cursor[b] += w->filled[b];
    }
}

static weft_status KERNEL(writer_open)(const job *j, KERNEL(writer) * w, size_t task) {
    *w = (KERNEL(writer)){.cursor = cursor_of(j, task), .bins = j->bins};
    if (wfi_alloc(j->ctx, &w->stage, j->l.bins) || wfi_alloc_zeroed(j->ctx, &w->filled, j->l.bins)) return WEFT_ENOMEM;
    return WEFT_OK;
}

static void KERNEL(writer_close)(KERNEL(writer) * w) {
    wfi_free(w->stage);
    wfi_free(w->filled);
}

/* Scatters pieces [from, to): every edge to the bin of its source and, if mirrored, of its target. */
static weft_status KERNEL(scatter_pieces)(const job *j, const wfi_edges *edges, size_t from, size_t to, size_t task) {
    weft_ctx *ctx = j->ctx;
    const layout *l = &j->l;
    KERNEL(writer) w;
    weft_status st = KERNEL(writer_open)(j, &w, task);
    for (size_t i = from; i < to && !st; i++) {
        const wfi_piece *piece = &edges->pieces[i];
        for (uint64_t k = 0; k < piece->count; k++) {
            if (k % SCATTER_POLL == 0 && wfi_cancelled(ctx)) {
                st = wfi_fail_cancelled(ctx);
                break;
            }
            uint64_t u = piece->narrow[2 * k], v = piece->narrow[2 * k + 1];
            BITS weight = piece->weights ? ((const BITS *)piece->weights)[k] : 0;
            if (u == v && l->drop_loops) continue;
            uint64_t back = BACK && piece->back && piece->back[k] ? BACK : 0;
            KERNEL(push)(&w, u >> l->shift, MAKE(((u & l->row_mask) << l->target_bits) | v | back, weight));
            if (l->mirror && u != v)
                KERNEL(push)(&w, v >> l->shift, MAKE(((v & l->row_mask) << l->target_bits) | u | BACK, weight));
        }
    }
    if (!st) KERNEL(flush)(&w, l->bins);
    KERNEL(writer_close)(&w);
    return st;
}

/* Scatters rows [from, to) transposed: each arc to the bin of its target. */
static weft_status KERNEL(scatter_rows)(const job *j, const wfi_view *rows, weft_vid from, weft_vid to, size_t task) {
    weft_ctx *ctx = j->ctx;
    const layout *l = &j->l;
    KERNEL(writer) w;
    weft_status st = KERNEL(writer_open)(j, &w, task);
    const BITS *weights = rows->weights;
    for (uint64_t u = from; u < to && !st; u++) {
        for (weft_eid e = rows->offsets[u], end = rows->offsets[u + 1]; e < end && !st;) {
            weft_eid rest = SCATTER_POLL - e % SCATTER_POLL; /* arcs until the next poll */
            for (weft_eid stop = wfi_min_u64(end, e + rest); e < stop; e++) {
                uint64_t v = rows->targets[e], key = ((v & l->row_mask) << l->target_bits) | u;
                KERNEL(push)(&w, v >> l->shift, MAKE(key, weights ? weights[e] : 0));
            }
            if (e % SCATTER_POLL == 0 && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
        }
    }
    if (!st) KERNEL(flush)(&w, l->bins);
    KERNEL(writer_close)(&w);
    return st;
}

static void KERNEL(insertion_sort)(ARC *a, size_t count) {
    for (size_t i = 1; i < count; i++) {
        ARC x = a[i];
        size_t k = i;
        for (; k > 0 && KEY(a[k - 1]) > KEY(x); k--) a[k] = a[k - 1];
        a[k] = x;
    }
}

/* Stable sort by the key bits low ... high - 1. Returns the array with the result, a or spare; NULL on a request to
 * stop, which only large bins poll for. */
static ARC *KERNEL(sort)(weft_ctx *ctx, ARC *a, ARC *spare, size_t count, unsigned low, unsigned high) {
    if (low == high) return a; /* one row per bin, already sorted */
    if (count < INSERTION_BELOW) {
        KERNEL(insertion_sort)(a, count);
        return a;
    }
    unsigned passes = (high - low + RADIX_BITS - 1) / RADIX_BITS, from[MOST_PASSES + 1];
    for (unsigned p = 0; p <= passes; p++) from[p] = low + (high - low) * p / passes;
    size_t place[MOST_PASSES][1 << RADIX_BITS];
    memset(place, 0, passes * sizeof *place);
    for (size_t i = 0; i < count; i++) {
        if (i % WFI_POLL_EVERY == WFI_POLL_EVERY - 1 && wfi_cancelled(ctx)) return NULL;
        for (unsigned p = 0; p < passes; p++) place[p][digit_of(KEY(a[i]), from[p], from[p + 1])]++;
    }
    for (unsigned p = 0; p < passes; p++) {
        places_from_counts(place[p], from[p + 1] - from[p]);
        for (size_t i = 0; i < count;) {
            if (i && wfi_cancelled(ctx)) return NULL;
            for (size_t stop = wfi_min_u64(count, i + WFI_POLL_EVERY); i < stop; i++)
                spare[place[p][digit_of(KEY(a[i]), from[p], from[p + 1])]++] = a[i];
        }
        ARC *t = a;
        a = spare;
        spare = t;
    }
    return a;
}

/* Records parallel arcs for the rules DROP and REFUSE. */
static void KERNEL(look)(const layout *l, uint64_t row, uint64_t target, const ARC *a, size_t count,
                         wfi_row_counts *counts) {
    wfi_parallel_edges here = {.pairs = 1, .first = row << 32 | target, .edges = count};
    weight_range listed[2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    if (l->undirected && row > target) return;
    for (size_t k = 0; k < count; k++) {
        double w = value_of(l, WEIGHT(a[k]));
        widen(&listed[IS_BACK(a[k])], w);
        if (k < WFI_SHOWN_WEIGHTS) here.weight[k] = w;
    }
    if (l->duplicates == WEFT_DUPLICATES_REFUSE) wfi_parallel_edges_add(&counts->repeated, &here);
    if (l->duplicates != WEFT_DUPLICATES_DROP) return;
    if (differ_within(&listed[0]) || differ_within(&listed[1])) wfi_parallel_edges_add(&counts->parallel, &here);
    if (differ_between(&listed[0], &listed[1])) wfi_parallel_edges_add(&counts->opposite, &here);
}

/* Merges the sorted arcs `a` of bin b into the bin (which may be a) by the rules; sets row sizes in degrees and the
 * number of remaining arcs in j->left. */
static weft_status KERNEL(reduce)(const job *j, size_t b, const ARC *a, uint64_t *degrees, wfi_row_counts *counts) {
    weft_ctx *ctx = j->ctx;
    const layout *l = &j->l;
    uint64_t first = (uint64_t)b << l->shift, target_mask = ((uint64_t)1 << l->target_bits) - 1;
    size_t kept = 0, count = (size_t)(j->start[b + 1] - j->start[b]);
    ARC *to = (ARC *)j->bins + j->start[b];
    for (size_t i = 0; i < count;) {
        uint64_t key = KEY(a[i]), row = first + (key >> l->target_bits);
        bool loop = l->row_base + row == (key & target_mask);
        size_t end = i + 1;
        if (i % WFI_POLL_EVERY == WFI_POLL_EVERY - 1 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        uint64_t weight = WEIGHT(a[i]);
        if (l->duplicates != WEFT_DUPLICATES_KEEP) {
            while (end < count && KEY(a[end]) == key) end++;
            if (end - i > 1 && (l->type != WEFT_WEIGHT_NONE || l->duplicates == WEFT_DUPLICATES_REFUSE))
                KERNEL(look)(l, l->row_base + row, key & target_mask, a + i, end - i, counts);
            if (end - i > 1 && l->type != WEFT_WEIGHT_NONE) {
                merged_weight m = merge_start(l, weight);
                for (size_t k = i + 1; k < end; k++) merge_next(l, &m, WEIGHT(a[k]));
                if (!merge_end(l, &m, &weight))
                    return wfi_fail(ctx, WEFT_EINPUT, "the sum of parallel weights does not fit in %d bits",
                                    (int)(8 * wfi_weight_bytes(l->type)));
            }
            *(loop ? &counts->duplicate_loops : &counts->duplicate_arcs) += end - i - 1;
        }
        counts->loops += loop;
        degrees[row]++;
        to[kept++] = MAKE(key, (BITS)weight);
        i = end;
    }
    j->left[b] = kept;
    return WEFT_OK;
}

/* Copies targets and weights of a reduced bin to their final positions. */
static void KERNEL(emit)(const layout *l, const ARC *a, size_t count, weft_vid *targets, BITS *weights) {
    uint64_t target_mask = ((uint64_t)1 << l->target_bits) - 1;
    for (size_t i = 0; i < count; i++) {
        targets[i] = (weft_vid)(KEY(a[i]) & target_mask);
        if (weights) weights[i] = WEIGHT(a[i]);
    }
}

/* Sorts and reduces bin b. `spare` holds as many arcs. */
static weft_status KERNEL(sort_and_merge)(const job *j, size_t b, void *spare, uint64_t *degrees,
                                          wfi_row_counts *counts) {
    ARC *a = (ARC *)j->bins + j->start[b];
    size_t count = (size_t)(j->start[b + 1] - j->start[b]);
    ARC *sorted = KERNEL(sort)(j->ctx, a, spare, count, j->sort_from, j->l.target_bits + j->l.shift);
    return sorted ? KERNEL(reduce)(j, b, sorted, degrees, counts) : wfi_fail_cancelled(j->ctx);
}

static void KERNEL(place)(const job *j, size_t b, const wfi_view *rows, weft_eid to) {
    BITS *weights = (BITS *)(void *)wfi_own_weights(rows);
    KERNEL(emit)
    (&j->l, (const ARC *)j->bins + j->start[b], j->left[b], wfi_own_targets(rows) + to, weights ? weights + to : NULL);
}

static const kernels KERNEL(table) = {sizeof(ARC), KERNEL(scatter_pieces), KERNEL(scatter_rows), KERNEL(sort_and_merge),
                                      KERNEL(place)};

#undef ARC
#undef BITS
#undef KEY
#undef MAKE
#undef WEIGHT
#undef BACK
#undef IS_BACK
#undef KERNEL
