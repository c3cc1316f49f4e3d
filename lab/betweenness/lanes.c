/* Rung 4: 16 sources side by side, a thread for each batch. */
#include "betweenness.h"

#include <omp.h>
#include <string.h>

bool between_take(between *b, between_room *room) {
    size_t n = b->n + (size_t)1;
    *room = (between_room){.paths = lab_take(b->r, n * sizeof *room->paths),
                           .seen = lab_take(b->r, n * sizeof *room->seen),
                           .now = lab_take(b->r, n * sizeof *room->now),
                           .next = lab_take(b->r, n * sizeof *room->next),
                           .trail = lab_take(b->r, n * BETWEEN_LANES * sizeof *room->trail),
                           .lanes = lab_take(b->r, n * BETWEEN_LANES * sizeof *room->lanes),
                           .begin = lab_take(b->r, (n + 1) * sizeof *room->begin)};
    return room->paths && room->seen && room->now && room->next && room->trail && room->lanes && room->begin;
}

/* --- excerpt --- */
/* One look at an arc serves all lanes: a bit of each says who is at the level that is asked for, and a row of 16
 * values is two lines of cache. */
static void pull(const weft_csr *rows, const between_room *o, weft_vid v, unsigned lanes, between_row sum) {
    for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
        weft_vid u = rows->targets[e];
        unsigned both = o->now[u] & lanes;
        if (!both) continue;
        for (int l = 0; l < BETWEEN_LANES; l++) sum[l] += both >> l & 1 ? o->paths[u][l] : 0;
    }
}

/* A vertex's share of what lies behind it takes the place of its paths. */
static double depends_on(const between *b, const between_room *o, weft_vid v, unsigned lanes, const double *times) {
    between_row sum = {0};
    double all = 0;
    pull(b->out, o, v, lanes, sum);
    for (int l = 0; l < BETWEEN_LANES; l++) {
        if (!(lanes >> l & 1)) continue;
        double depends = o->paths[v][l] * sum[l];
        o->paths[v][l] = (1 + depends) / o->paths[v][l];
        all += times ? depends * times[l] : depends;
    }
    return all;
}
/* --- end --- */

/* Lists whom the level leads to, and in which lanes. */
static size_t list_next(const between *b, const between_room *o, size_t from, size_t to) {
    size_t end = to;
    for (size_t i = from; i < to; i++)
        for (weft_eid e = b->out->offsets[o->trail[i]]; e < b->out->offsets[o->trail[i] + 1]; e++) {
            weft_vid v = b->out->targets[e];
            unsigned fresh = o->lanes[i] & ~(unsigned)o->seen[v];
            if (!fresh) continue;
            if (!o->next[v]) o->trail[end++] = v;
            o->next[v] |= (uint16_t)fresh;
        }
    return end;
}

static void count_next(const between *b, const between_room *o, size_t to, size_t end) {
    for (size_t i = to; i < end; i++) {
        weft_vid v = o->trail[i];
        between_row sum = {0};
        o->lanes[i] = o->next[v];
        o->next[v] = 0;
        pull(b->in, o, v, o->lanes[i], sum);
        for (int l = 0; l < BETWEEN_LANES; l++)
            if (o->lanes[i] >> l & 1) o->paths[v][l] = sum[l];
    }
}

/* Vertices of a level are there, or not any more. */
static void set_now(const between_room *o, size_t from, size_t to, bool there) {
    for (size_t i = from; i < to; i++) o->now[o->trail[i]] = there ? o->lanes[i] : 0;
}

void between_lanes(between *b, const between_room *o, const weft_vid *source, unsigned count, const double *times,
                   double *sum) {
    uint32_t depth = 0;
    memset(o->seen, 0, b->n * sizeof *o->seen);
    for (unsigned l = 0; l < count; l++) {
        o->trail[l] = source[l];
        o->lanes[l] = o->seen[source[l]] = (uint16_t)(1u << l);
        o->paths[source[l]][l] = 1;
    }
    o->begin[0] = 0;
    o->begin[1] = count;
    for (; o->begin[depth] < o->begin[depth + 1]; depth++) {
        size_t from = o->begin[depth], to = o->begin[depth + 1], end;
        set_now(o, from, to, true);
        o->begin[depth + 2] = end = list_next(b, o, from, to);
        count_next(b, o, to, end);
        set_now(o, from, to, false);
        for (size_t i = to; i < end; i++) o->seen[o->trail[i]] |= o->lanes[i];
    }
    while (depth-- > 1) {
        for (size_t i = o->begin[depth]; i < o->begin[depth + 1]; i++)
            sum[o->trail[i]] += depends_on(b, o, o->trail[i], o->lanes[i], times);
        set_now(o, o->begin[depth + 1], o->begin[depth + 2], false);
        set_now(o, o->begin[depth], o->begin[depth + 1], true);
    }
    set_now(o, 0, o->begin[2], false);
}

static weft_status search_all(between *b) {
    uint64_t batches = (b->n + (uint64_t)BETWEEN_LANES - 1) / BETWEEN_LANES;
    between_room room[256];
    int threads = b->r->threads < 256 ? b->r->threads : 256;
    for (int t = 0; t < threads; t++)
        if (!between_take(b, &room[t])) return WEFT_ENOMEM;
    lab_turn(b->r, LAB_KERNELS);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (uint64_t k = 0; k < batches; k++) {
        weft_vid source[BETWEEN_LANES];
        unsigned count = 0;
        if (between_stops(b)) continue;
        for (uint64_t v = k * BETWEEN_LANES; v < b->n && count < BETWEEN_LANES; v++) source[count++] = (weft_vid)v;
        int me = omp_get_thread_num();
        between_lanes(b, &room[me], source, count, NULL, b->sum + (size_t)me * b->n);
    }
    return WEFT_OK;
}

static weft_status run(lab_run *r) { return between_run(r, r->threads < 256 ? r->threads : 256, search_all); }

const lab_rung between_lanes_rung = {
    .name = "lanes",
    .title = "CPU: 16 sources side by side",
    .against = "levels",
    .changed =
        "Searches of 16 sources go on together: an arc that is looked at serves all of them, and their values lie "
        "side by side. Threads have batches of their own: nothing is shared, nobody waits.",
    .wins = "Graphs whose searches overlap: nearly all that are not deep.",
    .loses = "Deep graphs: of 16 lanes one or two are at a vertex at a time. Memory: 230 bytes a vertex and thread.",
    .source = "lab/betweenness/lanes.c",
    .device = LAB_CPU,
    .serves = between_serves,
    .run = run,
};
