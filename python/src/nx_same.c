/* Nodes by the objects that they are.
 * Edges mostly have the graph's own nodes for their ends: then an address tells which one it is, and a text or a tuple need not be read.  A reader's edges have objects of
 * their own, equal to the nodes: where most are so the table is not asked any more. */
#include "nx_walk.h"

#include <stdlib.h>

enum { TRIAL = 1024 };

bool nx_same_open(nx_same *same, const nx_graph *g) {
    uint64_t room = 16;
    *same = (nx_same){.shift = 60};
    for (; room < g->n + g->n / 2; room *= 2) same->shift--;
    same->mask = room - 1;
    same->slots = nx_take_zeros(room, sizeof *same->slots);
    if (!same->slots) return false;
    for (uint64_t v = 0; v < g->n; v++) {
        nx_same_slot *slot = nx_same_place(same, g->node[v]);
        while (slot->object) slot = slot == same->slots + same->mask ? same->slots : slot + 1;
        *slot = (nx_same_slot){g->node[v], (weft_vid)v};
    }
    return true;
}

void nx_same_close(nx_same *same) {
    free(same->slots);
    same->slots = NULL;
}

weft_vid nx_same_find(const nx_same *same, const PyObject *object) {
    const nx_same_slot *slot = nx_same_place(same, object);
    for (; slot->object; slot = slot == same->slots + same->mask ? same->slots : slot + 1)
        if (slot->object == object) return slot->v;
    return WEFT_NO_VERTEX;
}

void nx_same_count(nx_same *same, int asked, int found) {
    same->asked += (uint64_t)asked;
    same->found += (uint64_t)found;
    if (same->asked > TRIAL && 2 * same->found < same->asked) nx_same_close(same);
}
