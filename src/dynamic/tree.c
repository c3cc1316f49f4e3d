/* Path copying in the radix tree above the groups, on one thread or bottom-up in parallel; long rows from arrays. */
#include "dynamic/store.h"

#include <omp.h>
#include <string.h>

/* The draft's own copy of `old`, or `old` itself if the draft made it. */
static wfi_node *own_node(wfi_maker *m, wfi_node *old) {
    if (old && old->head.birth == m->birth) return old;
    wfi_node *node = wfi_make(m, sizeof *node);
    if (!node) return NULL;
    if (old) {
        memcpy(node->child, old->child, sizeof node->child);
        wfi_supersede(m, &old->head);
    } else {
        memset(node->child, 0, sizeof node->child);
    }
    return node;
}

static wfi_node *place(wfi_maker *m, wfi_node *old, unsigned level, const wfi_placed *placed, size_t count) {
    wfi_node *node = own_node(m, old);
    unsigned shift = 8 * (level - 1);
    for (size_t i = 0, end; node && i < count; i = end) {
        uint64_t at = placed[i].group >> shift;
        for (end = i + 1; end < count && placed[end].group >> shift == at;) end++;
        void **child = &node->child[at & 255];
        if (level == 1) {
            *child = placed[i].fresh;
        } else {
            void *fresh = place(m, *child, level - 1, placed + i, end - i);
            if (!fresh) return NULL;
            *child = fresh;
        }
    }
    return node;
}

/* Adds the levels that the groups need. */
static weft_status raise(wfi_maker *m, wfi_version *draft) {
    unsigned levels = 1;
    uint64_t groups = wfi_groups_of(draft->slots);
    while (groups && (groups - 1) >> 8 * levels) levels++;
    for (; draft->root && draft->levels < levels; draft->levels++) {
        wfi_node *above = own_node(m, NULL);
        if (!above) return WEFT_ENOMEM;
        above->child[0] = draft->root;
        draft->root = above;
    }
    if (!draft->root) draft->levels = levels;
    return WEFT_OK;
}

static weft_status place_below_root(wfi_maker *m, wfi_version *draft, unsigned levels, const wfi_placed *placed,
                                    size_t count) {
    wfi_node *root = count ? place(m, draft->root, levels, placed, count) : draft->root;
    if (count && !root) return WEFT_ENOMEM;
    draft->root = root;
    return WEFT_OK;
}

weft_status wfi_tree_place(wfi_maker *m, wfi_version *draft, const wfi_placed *placed, size_t count) {
    weft_status st = raise(m, draft);
    return st ? st : place_below_root(m, draft, draft->levels, placed, count);
}

/* --- in parallel: nodes above groups first, then the nodes above these ------------------- */

static wfi_node *node_above(const wfi_version *draft, uint64_t group) {
    wfi_node *at = draft->root;
    for (unsigned level = draft->levels; level > 1 && at; level--) at = at->child[group >> 8 * (level - 1) & 255];
    return at;
}

/* Lists the nodes above the groups: .group is the node's index, .first ... .end its range in `placed`. */
static size_t list_nodes(const wfi_placed *placed, size_t count, wfi_placed *node) {
    size_t nodes = 0;
    for (size_t i = 0, end; i < count; i = end, nodes++) {
        uint64_t at = placed[i].group >> 8;
        for (end = i + 1; end < count && placed[end].group >> 8 == at;) end++;
        node[nodes] = (wfi_placed){at, NULL, i, end, false};
    }
    return nodes;
}

weft_status wfi_tree_place_all(wfi_maker *const *m, int makers, wfi_version *draft, const wfi_placed *placed,
                               size_t count, wfi_placed *node) {
    weft_status st = raise(m[0], draft);
    if (st) return st;
    if (draft->levels == 1) return place_below_root(m[0], draft, 1, placed, count);
    size_t nodes = list_nodes(placed, count, node);
    _Atomic int status = WEFT_OK;
#pragma omp parallel for schedule(dynamic, 4) num_threads(makers)
    for (size_t i = 0; i < nodes; i++) {
        const wfi_placed *first = placed + node[i].first;
        wfi_node *fresh = place(m[omp_get_thread_num()], node_above(draft, first->group), 1, first,
                                (size_t)(node[i].end - node[i].first));
        node[i].fresh = (void *)fresh;
        if (!fresh) wfi_keep_status(&status, WEFT_ENOMEM);
    }
    st = (weft_status)atomic_load(&status);
    return st ? st : place_below_root(m[0], draft, draft->levels - 1, node, nodes);
}

uint32_t wfi_leaves_make(wfi_maker *m, const weft_vid *targets, const void *weights, size_t count,
                         struct wfi_leaf_at *at) {
    size_t weight = m->store->weight;
    uint32_t leaves = count <= WFI_LEAF_MOST ? 1 : (uint32_t)((count + WFI_LEAF_FILL - 1) / WFI_LEAF_FILL);
    for (uint32_t i = 0; i < leaves; i++) {
        size_t first = count * i / leaves, here = count * (i + 1) / leaves - first;
        wfi_leaf *leaf = wfi_make(m, wfi_leaf_bytes((uint32_t)here, weight));
        if (!leaf) return 0;
        leaf->count = (uint32_t)here;
        memcpy(leaf->targets, targets + first, here * sizeof *targets);
        if (weight) memcpy(wfi_leaf_weights(leaf), (const char *)weights + first * weight, here * weight);
        at[i] = (struct wfi_leaf_at){leaf, targets[first]};
    }
    return leaves;
}

wfi_long_row *wfi_long_row_make(wfi_maker *m, const weft_vid *targets, const void *weights, size_t count) {
    size_t most = count / WFI_LEAF_FILL + 1;
    wfi_long_row *row = wfi_make(m, sizeof *row + most * sizeof *row->at);
    if (!row) return NULL;
    row->arcs = count;
    row->leaves = wfi_leaves_make(m, targets, weights, count, row->at);
    return row->leaves ? row : NULL;
}
