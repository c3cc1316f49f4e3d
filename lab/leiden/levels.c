/* Communities: levels (leiden.h).  The graph is the first; contracted ones take turns in two places. */
#include "leiden.h"

#include <string.h>

/* Of a level whose communities are there. */
static void open_level(leiden *q) {
    q->open = 0;
    memset(q->total, 0, q->level.n * sizeof *q->total);
    for (weft_vid v = 0; v < q->level.n; v++) {
        q->total[q->community[v]] += q->level.mass[v];
        q->active[v] = q->level.offsets[v + 1] > q->level.offsets[v];
        q->open += q->active[v];
    }
}

void leiden_open_graph(leiden *q) {
    const weft_csr *rows = &q->r->out;
    q->level = (leiden_level){rows->vertices, rows->offsets, rows->targets, NULL, q->room.mass};
    memcpy(q->community, q->label, q->level.n * sizeof *q->label);
    for (weft_vid v = 0; v < q->level.n; v++) q->inside[v] = v;
    open_level(q);
}

void leiden_close_graph(leiden *q) {
    weft_vid *first = q->room.first;
    for (weft_vid v = 0; v < q->level.n; v++) first[v] = WEFT_NO_VERTEX;
    for (weft_vid v = 0; v < q->r->out.vertices; v++) {
        weft_vid c = q->community[q->inside[v]];
        if (first[c] == WEFT_NO_VERTEX) first[c] = v;
        q->label[v] = first[c];
    }
}

/* Sets get numbers in the order of their first vertices; member[] has those of set x from first[x] on.  Returns how
 * many sets. */
static weft_vid number_sets(leiden *q, const leiden_room *o) {
    weft_vid n = q->level.n, count = 0, at = 0;
    for (weft_vid v = 0; v < n; v++) o->number[v] = WEFT_NO_VERTEX, o->first[v] = 0;
    for (weft_vid v = 0; v < n; v++) {
        if (o->number[q->set[v]] == WEFT_NO_VERTEX) o->number[q->set[v]] = count++;
        o->first[o->number[q->set[v]]]++;
    }
    for (weft_vid x = 0; x < count; x++) {
        weft_vid size = o->first[x];
        o->first[x] = at;
        at += size;
    }
    for (weft_vid v = 0; v < n; v++) o->member[o->first[o->number[q->set[v]]]++] = v;
    for (weft_vid x = count; x > 0; x--) o->first[x] = o->first[x - 1];
    o->first[0] = 0;
    return count;
}

/* The row of set x, behind those before it: its members' rows added up. */
static weft_eid add_row(leiden *q, const leiden_room *o, int to, weft_vid x, weft_eid at) {
    leiden_tally *t = q->tally;
    for (weft_vid i = o->first[x]; i < o->first[x + 1]; i++) {
        weft_vid v = o->member[i];
        o->rows[to].mass[x] += q->level.mass[v];
        for (weft_eid e = q->level.offsets[v]; e < q->level.offsets[v + 1]; e++) {
            weft_vid y = o->number[q->set[q->level.targets[e]]];
            if (y == x) continue;
            if (!t->arcs[y]) t->touched[t->count++] = y;
            t->arcs[y] += leiden_arcs(&q->level, e);
        }
    }
    for (weft_vid i = 0; i < t->count; i++, at++) {
        o->rows[to].targets[at] = t->touched[i];
        o->rows[to].arcs[at] = t->arcs[t->touched[i]];
        t->arcs[t->touched[i]] = 0;
    }
    t->count = 0;
    return at;
}

bool leiden_contract(leiden *q) {
    const leiden_room *o = &q->room;
    int to = q->levels % 2;
    weft_eid at = 0;
    weft_vid count = number_sets(q, o), *name = q->list, *next = q->goes;
    if (count == q->level.n) return false;
    for (weft_vid v = 0; v < q->level.n; v++) name[v] = WEFT_NO_VERTEX;
    for (weft_vid x = 0; x < count && !leiden_stops(q, x); x++) {
        weft_vid c = q->community[o->member[o->first[x]]];
        if (name[c] == WEFT_NO_VERTEX) name[c] = x;
        next[x] = name[c];
        o->rows[to].mass[x] = 0;
        at = add_row(q, o, to, x, at);
        o->rows[to].offsets[x + 1] = at;
    }
    if (q->stopped) return false;
    for (weft_vid v = 0; v < q->r->out.vertices; v++) q->inside[v] = o->number[q->set[q->inside[v]]];
    memcpy(q->community, next, count * sizeof *next);
    q->level = (leiden_level){count, o->rows[to].offsets, o->rows[to].targets, o->rows[to].arcs, o->rows[to].mass};
    q->levels++;
    open_level(q);
    return true;
}
