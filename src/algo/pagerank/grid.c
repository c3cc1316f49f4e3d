/* PageRank on a grid of ranks (ranks/grid.h): a rank adds up shares of its column's vertices for all vertices of its
 * row, and gives others what is theirs.  Sums are integers: those of one machine, in whatever order ranks add
 * theirs. */
#include "ranks/grid.h"
#include "algo/pagerank/sweep.h"

enum { BATCH = 256 };

weft_status wfi_pull_on_grid(wfi_ranking *r, size_t i) {
    const wfi_part *part = &r->spread->part[i];
    weft_vid rows = part->in_end - part->in_first;
    size_t limbs = wfi_pull_limbs(r->pull.travels), units;
    r->pull.rows = &r->stretch[i].in;
    units = rows ? wfi_pull_chunks(&r->pull, 0, rows) : 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(r->ctx, units, 1))
    for (size_t u = 0; u < units; u++) {
        weft_vid first = wfi_pull_chunk(&r->pull, 0, rows, u), end = wfi_pull_chunk(&r->pull, 0, rows, u + 1);
        if (atomic_load(&r->pull.stop)) continue;
        wfi_pull_sums(&r->pull, first, end - first, r->sums_out + first * limbs);
        if (wfi_cancelled(r->ctx)) atomic_store(&r->pull.stop, true);
    }
    return wfi_grid_give_sums(r->ctx, r->spread, part, r->sums_out, limbs * sizeof *r->sums_out, r->sums_in);
}

void wfi_came_on_grid(const wfi_ranking *r, const wfi_stretch *s, weft_vid first, weft_vid count, double *came) {
    size_t limbs = wfi_pull_limbs(r->pull.travels), range = s->end - s->first;
    for (weft_vid k = 0; k < count; k++) {
        wfi_fixed sum = {0, 0};
        for (int c = 0; c < r->spread->columns; c++) {
            const uint64_t *from = r->sums_in + ((size_t)c * range + first + k) * limbs;
            wfi_fixed_join(&sum, (wfi_fixed){from[0], limbs > 1 ? from[1] : 0});
        }
        came[k] = wfi_fixed_value(sum);
    }
}

/* Nobody sees all vertices, nor has an arc's end: who has a single arc passes on something, and whoever has got
 * something along its single arc is in a pair. */
weft_status wfi_mark_paired_on_grid(wfi_ranking *r) {
    uint8_t *paired = r->next;
    double came[BATCH];
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
        for (weft_vid k = s->first; k < s->end; k++) {
            bool single = wfi_degree(&s->out, k) == 1;
            if (r->pull.travels == WFI_SHARE_32)
                ((float *)r->next)[s->place + k] = (float)single;
            else
                ((double *)r->next)[s->place + k] = (double)single;
        }
        st = wfi_publish_shares(r, i);
    }
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
        st = wfi_pull_on_grid(r, i);
        for (weft_vid k = s->first; k < s->end && !st; k += BATCH) {
            weft_vid count = s->end - k < BATCH ? s->end - k : BATCH;
            wfi_came_on_grid(r, s, k, count, came);
            for (weft_vid j = 0; j < count; j++)
                paired[s->place + k + j] = wfi_degree(&s->out, k + j) == 1 && came[j] > 0;
        }
    }
    return st;
}
