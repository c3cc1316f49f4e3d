/* The nodes above the groups, and long rows from arrays. */
#include "dynamic/store.h"

#include <string.h>

/* A node of the draft in the place of `old`: that one itself, if the draft made it. */
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

weft_status wfi_tree_place(wfi_maker *m, wfi_version *draft, const wfi_placed *placed, size_t count) {
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
    if (!count) return WEFT_OK;
    wfi_node *root = place(m, draft->root, draft->levels, placed, count);
    if (root) draft->root = root;
    return root ? WEFT_OK : WEFT_ENOMEM;
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
