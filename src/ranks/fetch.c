/* See fetch.h.  A round: every rank asks for vertices, gets the lengths of their rows, answers with the number that it
 * takes, and gets these rows. */
#include "ranks/fetch.h"

#include <string.h>

void wfi_fetch_lay_out(wfi_workspace *w, const wfi_spread *s, wfi_fetch *f) {
    uint64_t ranks = (uint64_t)s->comm->link.size, askers = f->all_ask ? ranks : 1, wants = f->wants,
             capacity = f->capacity;
    wfi_array(w, &f->at, wants);
    wfi_array(w, &f->length, wants);
    wfi_array(w, &f->ask, wants);
    wfi_array(w, &f->slot, wants);
    wfi_array(w, &f->answer, wants);
    wfi_array_within(w, &f->asked, wants * askers);
    wfi_array_within(w, &f->lengths, wants * askers);
    wfi_array_within(w, &f->rows, capacity);
    wfi_array_within(w, &f->send, capacity * askers);
    f->rows_beside = f->send_beside = NULL;
    if (f->with_beside) wfi_array_within(w, &f->rows_beside, capacity);
    if (f->with_beside) wfi_array_within(w, &f->send_beside, capacity * askers);
    wfi_array(w, &f->send_start, ranks + 1);
    wfi_array(w, &f->receive_start, ranks + 1);
    wfi_array(w, &f->take, ranks + 1);
    wfi_array(w, &f->give, ranks + 1);
}

/* A round ends early if the next row, with which the following round begins, does not fit: two such rounds fetch more
 * than `capacity` arcs. */
uint64_t wfi_fetch_questions(const wfi_fetch *f, uint64_t rows, uint64_t arcs, uint64_t turns) {
    uint64_t early = 2 * (arcs / wfi_max_u64(f->capacity, 1)) + turns;
    return rows + early * f->wants;
}

/* Sends questions to the owners of the vertices; the questions to one rank keep the order of `want`. */
static weft_status ask(weft_ctx *ctx, const wfi_spread *s, wfi_fetch *f, const weft_vid *want, uint64_t count) {
    const wfi_part *p = &s->part[0];
    int ranks = s->comm->link.size;
    memset(f->send_start, 0, ((size_t)ranks + 1) * sizeof *f->send_start);
    for (uint64_t i = 0; i < count; i++) f->send_start[wfi_part_owner(p, ranks, want[i]) + 1]++;
    for (int r = 0; r < ranks; r++) f->send_start[r + 1] += f->send_start[r];
    for (uint64_t i = 0; i < count; i++) {
        f->slot[i] = (uint32_t)f->send_start[wfi_part_owner(p, ranks, want[i])]++;
        f->ask[f->slot[i]] = want[i];
    }
    memmove(f->send_start + 1, f->send_start,
            (size_t)ranks * sizeof *f->send_start); /* each entry is now the end of its rank: shift to starts */
    f->send_start[0] = 0;
    weft_status st = wfi_receive_starts(ctx, f->send_start, f->receive_start);
    if (!st) st = wfi_alltoall_items(ctx, sizeof *f->ask, f->ask, f->send_start, f->asked, f->receive_start);
    for (uint64_t i = 0; i < f->receive_start[ranks] && !st; i++) {
        const weft_eid *row = f->offsets + (f->asked[i] - p->first);
        f->lengths[i] = row[1] - row[0];
    }
    return st ? st : wfi_alltoall_items(ctx, sizeof *f->answer, f->lengths, f->receive_start, f->answer, f->send_start);
}

/* Chooses the first rows that fit: their number by rank, and their lengths. */
static void choose(const wfi_spread *s, wfi_fetch *f, const weft_vid *want, uint64_t count) {
    int ranks = s->comm->link.size;
    uint64_t arcs = 0;
    memset(f->take, 0, (size_t)ranks * sizeof *f->take);
    for (f->fetched = 0; f->fetched < count; f->fetched++) {
        uint64_t length = f->answer[f->slot[f->fetched]];
        if (arcs + length > f->capacity) break;
        arcs += length;
        f->length[f->fetched] = length;
        f->take[wfi_part_owner(&s->part[0], ranks, want[f->fetched])]++;
    }
}

/* Copies the rows that others take into `send`; give[r] is where the rows for rank r begin. */
static void copy_rows(const wfi_spread *s, wfi_fetch *f) {
    int ranks = s->comm->link.size;
    uint64_t at = 0;
    for (int r = 0; r < ranks; r++) {
        uint64_t rows = f->give[r];
        f->give[r] = at;
        for (uint64_t i = f->receive_start[r]; i < f->receive_start[r] + rows; i++) {
            weft_eid from = f->offsets[f->asked[i] - s->part[0].first];
            memcpy(f->send + at, f->targets + from, f->lengths[i] * sizeof *f->send);
            if (f->beside) memcpy(f->send_beside + at, f->beside + from, f->lengths[i]);
            at += f->lengths[i];
        }
    }
    f->give[ranks] = at;
}

/* take[r] becomes the position where rank r's rows will arrive, and each fetched row gets its place. */
static void place_rows(const wfi_spread *s, wfi_fetch *f, const weft_vid *want) {
    int ranks = s->comm->link.size;
    uint64_t sum = 0;
    for (int r = 0; r < ranks; r++) {
        uint64_t rows = f->take[r];
        f->take[r] = sum;
        for (uint64_t i = f->send_start[r]; i < f->send_start[r] + rows; i++) sum += f->answer[i];
    }
    f->take[ranks] = sum;
    for (int r = 0; r < ranks; r++) f->send_start[r] = f->take[r];
    for (uint64_t i = 0; i < f->fetched; i++) {
        uint64_t *next = &f->send_start[wfi_part_owner(&s->part[0], ranks, want[i])];
        f->at[i] = *next;
        *next += f->length[i];
    }
}

weft_status wfi_fetch_round(weft_ctx *ctx, const wfi_spread *s, wfi_fetch *f, const weft_vid *want, uint64_t count,
                            bool *idle) {
    uint64_t all = count = wfi_min_u64(count, f->wants);
    weft_status st = wfi_allreduce(ctx, &all, 1, WFI_SUM);
    f->fetched = 0;
    *idle = !all;
    if (st || *idle) return st;
    st = ask(ctx, s, f, want, count);
    if (st) return st;
    choose(s, f, want, count);
    st = wfi_alltoall_u64(ctx, f->take, f->give);
    if (st) return st;
    copy_rows(s, f);
    place_rows(s, f, want);
    st = wfi_alltoall_items(ctx, sizeof *f->send, f->send, f->give, f->rows, f->take);
    if (!st && f->rows_beside) st = wfi_alltoall_items(ctx, 1, f->send_beside, f->give, f->rows_beside, f->take);
    return st;
}
