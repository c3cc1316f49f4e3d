/* A template (ops/group.h), included once for sums of 32 bits and once for 64: GROUP_NAME, GROUP_SUM, GROUP_BEST (the
 * type of a candidate), GROUP_WIDE (arcs count by their weights). */

typedef struct GROUP_NAME(slot) {
    weft_vid key;
    GROUP_SUM sum;
} GROUP_NAME(slot);

static inline GROUP_BEST GROUP_NAME(candidate)(GROUP_SUM sum, weft_vid key) {
    return (GROUP_BEST)sum << 32 | (uint32_t)~key;
}

/* What an arc counts. */
static inline GROUP_SUM GROUP_NAME(vote)(const wfi_row_group *group, const wfi_view *rows, weft_eid e) {
    return GROUP_WIDE ? (GROUP_SUM)(wfi_weight_at(rows->type, rows->weights, e) * group->unit) : 1;
}

static inline __attribute__((always_inline)) GROUP_BEST
GROUP_NAME(few)(const wfi_ops *o, const wfi_row_group *group, const void *state, weft_vid k, wfi_group_key *key_of) {
    weft_vid key[WFI_GROUP_FEW];
    GROUP_SUM sum[WFI_GROUP_FEW], run = 0;
    uint32_t size = 0;
    const wfi_view *sides[] = {o->out, o->in == o->out ? NULL : o->in};
    for (int side = 0; side < 2 && sides[side]; side++)
        for (weft_eid e = sides[side]->offsets[k]; e < sides[side]->offsets[k + 1]; e++) {
            GROUP_SUM vote = GROUP_NAME(vote)(group, sides[side], e);
            weft_vid x = key_of(state, sides[side]->targets[e]);
            if (GROUP_WIDE && !vote) continue;
            uint32_t at = size++;
            for (; at && key[at - 1] > x; at--) {
                key[at] = key[at - 1];
                if (GROUP_WIDE) sum[at] = sum[at - 1];
            }
            key[at] = x;
            if (GROUP_WIDE) sum[at] = vote;
        }
    GROUP_BEST best = 0;
    for (uint32_t i = 0; i < size; i++) {
        GROUP_SUM more = GROUP_WIDE ? sum[i] : 1;
        run = i && key[i] == key[i - 1] ? run + more : more;
        GROUP_BEST seen = GROUP_NAME(candidate)(run, key[i]);
        best = seen > best ? seen : best;
    }
    return best;
}

static inline __attribute__((always_inline)) GROUP_BEST
GROUP_NAME(side)(const wfi_row_group *group, const wfi_view *rows, const void *state, weft_vid k,
                 GROUP_NAME(slot) * slots, uint32_t mask, uint32_t *touched, uint32_t *used, wfi_group_key *key_of) {
    GROUP_BEST best = 0;
    for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
        GROUP_SUM vote = GROUP_NAME(vote)(group, rows, e);
        weft_vid x = key_of(state, rows->targets[e]);
        if (GROUP_WIDE && !vote) continue;
        uint32_t at = (uint32_t)(x * 0x9e3779b1u) >> 7 & mask;
        while (slots[at].sum && slots[at].key != x) at = (at + 1) & mask;
        if (!slots[at].sum) touched[(*used)++] = at;
        slots[at].key = x;
        GROUP_BEST seen = GROUP_NAME(candidate)(slots[at].sum += vote, x);
        best = seen > best ? seen : best;
    }
    return best;
}

/* The best key of a row that is no hub. */
static inline __attribute__((always_inline)) weft_vid GROUP_NAME(row)(const wfi_ops *o, const wfi_row_group *group,
                                                                      const void *state, weft_vid k, uint64_t degree,
                                                                      int thread, wfi_group_key *key_of) {
    if (degree <= WFI_GROUP_FEW) return (weft_vid) ~(uint32_t)GROUP_NAME(few)(o, group, state, k, key_of);
    GROUP_NAME(slot) *slots = (GROUP_NAME(slot) *)(void *)group->slots + (size_t)thread * group->table;
    uint32_t *touched = group->touched + (size_t)thread * group->list;
    uint32_t mask = ((uint32_t)2 << wfi_bits(degree)) - 1, used = 0;
    GROUP_BEST best = GROUP_NAME(side)(group, o->out, state, k, slots, mask, touched, &used, key_of);
    if (o->in != o->out) {
        GROUP_BEST other = GROUP_NAME(side)(group, o->in, state, k, slots, mask, touched, &used, key_of);
        best = other > best ? other : best;
    }
    for (uint32_t i = 0; i < used; i++) slots[touched[i]].sum = 0;
    return (weft_vid) ~(uint32_t)best;
}

/* Equal keys in a row are added at once: when one has won, all threads would hit one counter. */
static inline __attribute__((always_inline)) GROUP_BEST GROUP_NAME(part)(const wfi_row_group *group,
                                                                         const wfi_view *rows, const void *state,
                                                                         weft_vid k, uint64_t part, uint64_t parts,
                                                                         wfi_group_key *key_of) {
    GROUP_SUM *counts = (GROUP_SUM *)(void *)group->counts;
    GROUP_BEST best = 0;
    weft_eid begin = rows->offsets[k], degree = rows->offsets[k + 1] - begin;
    weft_eid e = begin + degree * part / parts, to = begin + degree * (part + 1) / parts;
    while (e < to) {
        weft_vid x = key_of(state, rows->targets[e]);
        GROUP_SUM run = GROUP_NAME(vote)(group, rows, e);
        while (++e < to && key_of(state, rows->targets[e]) == x) run += GROUP_NAME(vote)(group, rows, e);
        if (GROUP_WIDE && !run) continue;
        GROUP_BEST seen = GROUP_NAME(candidate)(__atomic_add_fetch(&counts[x], run, __ATOMIC_RELAXED), x);
        best = seen > best ? seen : best;
    }
    return best;
}

static inline __attribute__((always_inline)) weft_vid
GROUP_NAME(hub)(const wfi_ops *o, const wfi_row_group *group, const void *state, weft_vid k, wfi_group_key *key_of) {
    GROUP_SUM *counts = (GROUP_SUM *)(void *)group->counts;
    const wfi_view *sides[] = {o->out, o->in == o->out ? NULL : o->in};
    int threads = wfi_threads_for(o->ctx, wfi_group_degree(o->out, wfi_group_in(o), k), WFI_GROUP_SHARE);
    GROUP_BEST best = 0;
    for (int side = 0; side < 2 && sides[side]; side++) {
        const wfi_view *rows = sides[side];
#pragma omp parallel for schedule(static, 1) num_threads(threads)
        for (int part = 0; part < threads; part++) {
            GROUP_BEST mine = GROUP_NAME(part)(group, rows, state, k, (uint64_t)part, (uint64_t)threads, key_of);
#pragma omp critical(wfi_group_hub)
            best = mine > best ? mine : best;
        }
    }
    for (int side = 0; side < 2 && sides[side]; side++) {
        const wfi_view *rows = sides[side];
#pragma omp parallel for schedule(static) num_threads(threads)
        for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++)
            __atomic_store_n(&counts[key_of(state, rows->targets[e])], 0, __ATOMIC_RELAXED);
    }
    return (weft_vid) ~(uint32_t)best;
}

#undef GROUP_NAME
#undef GROUP_SUM
#undef GROUP_BEST
#undef GROUP_WIDE
