/* Nodes by identity.
 * Edges mostly have the graph's own node objects for their ends: then an address determines the node, and a text or a
 * tuple need not be read.  A reader's edges have objects of their own, equal to the nodes: so the first edges are
 * sampled, and a table is made only if most of them have the nodes themselves.  nx_index could hold addresses too, but
 * its slots are half as large again, and a conversion would take a tenth longer. */
#include "nx/walk.h"

#include <stdlib.h>

enum { TRIAL = 1024 };

/* Without memory there is no table. */
static void open_table(nx_same *same, const nx_graph *g) {
    uint64_t room = 16;
    same->shift = 60;
    for (; room < g->n + g->n / 2; room *= 2) same->shift--;
    same->mask = room - 1;
    same->slots = nx_take_zeros(room, sizeof *same->slots);
    for (uint64_t v = 0; same->slots && v < g->n; v++) {
        nx_same_slot *slot = nx_same_place(same, g->node[v]);
        while (slot->object) slot = slot == same->slots + same->mask ? same->slots : slot + 1;
        *slot = (nx_same_slot){g->node[v], (weft_vid)v};
    }
}

void nx_same_learn(nx_same *same, const nx_graph *g, PyObject *const *objects, const weft_vid *number, int count) {
    if (same->asked >= TRIAL) return;
    same->asked += (unsigned)count;
    for (int i = 0; i < count; i++) same->found += g->node[number[i]] == objects[i];
    if (same->asked >= TRIAL && 2 * same->found > same->asked) open_table(same, g);
}

void nx_same_close(nx_same *same) { free(same->slots); }

weft_vid nx_same_find(const nx_same *same, const PyObject *object) {
    const nx_same_slot *slot = nx_same_place(same, object);
    for (; slot->object; slot = slot == same->slots + same->mask ? same->slots : slot + 1)
        if (slot->object == object) return slot->v;
    return WEFT_NO_VERTEX;
}
