/* The ranks that iteration begins with: equal ones, the caller's, or on an undirected graph ranks that grow with the
 * degree, but for pairs, whose ranks are known (graph/paired.h).  The arrays of shares are free until then, and hold
 * what is found about pairs. */
#include "algo/pagerank/sweep.h"

enum { PASS = 1 << 14 };

/* While by_degree's bytes are there, in the place of the next shares. */
static inline bool is_paired(const wfi_ranking *r, const wfi_stretch *s, weft_vid k) {
    return ((const uint8_t *)r->next)[s->place + k];
}

/* For ranks to begin with that grow with the degree.  Who has a single arc stands in the shares' place, a byte for each
 * vertex, so that pairs are seen whichever rank the other one belongs to: see graph/paired.h. */
static weft_status mark_paired(wfi_ranking *r) {
    uint8_t *single = r->pull.share, *paired = r->next;
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
        for (weft_vid k = s->first; k < s->end; k++) single[s->vertex + k] = wfi_degree(&s->out, k) == 1;
        st = wfi_spread_allgather(r->ctx, r->spread, &r->spread->part[i], single, 1);
    }
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
        for (weft_vid k = s->first; k < s->end; k++)
            paired[s->place + k] = single[s->vertex + k] && single[s->out.targets[s->out.offsets[k]]];
    }
    return st;
}

static weft_status by_degree(wfi_ranking *r, const weft_pagerank_params *p, wfi_pagerank_beginning *b) {
    uint64_t count[2] = {0, 0};
    weft_status st = r->on_grid ? wfi_mark_paired_on_grid(r) : mark_paired(r);
    for (size_t i = 0; i < r->stretches && !st; i++) {
        const wfi_stretch *s = &r->stretch[i];
        weft_vid alone = 0, paired = 0;
#pragma omp parallel for schedule(static) reduction(+ : alone, paired) num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
        for (weft_vid k = s->first; k < s->end; k++) {
            alone += wfi_degree(&s->out, k) == 0;
            paired += is_paired(r, s, k);
        }
        count[0] += alone;
        count[1] += paired;
    }
    if (!st) st = wfi_allreduce(r->ctx, count, 2, WFI_SUM);
    *b = wfi_pagerank_begin(r->g, p, (weft_vid)count[0], (weft_vid)count[1]);
    return st;
}

static void begin_stretch(wfi_ranking *r, const wfi_stretch *s, const weft_pagerank_params *p, double start_sum,
                          wfi_pagerank_beginning b) {
    bool grow = wfi_pagerank_by_degree(r->g, p);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
    for (weft_vid k = s->first; k < s->end; k++) {
        double rank = b.flat + b.slope * (double)wfi_degree(&s->out, k);
        if (grow && is_paired(r, s, k)) rank = b.paired;
        if (p->nstart) rank = p->nstart[s->vertex + k] / start_sum;
        if (r->single)
            ((float *)r->rank)[s->place + k] = (float)rank;
        else
            ((double *)r->rank)[s->place + k] = rank;
    }
}

weft_status wfi_first_ranks(wfi_ranking *r, const weft_pagerank_params *p, double start_sum) {
    wfi_pagerank_beginning b = wfi_pagerank_begin(r->g, p, 0, 0);
    weft_status st = wfi_pagerank_by_degree(r->g, p) ? by_degree(r, p, &b) : WEFT_OK;
    for (size_t i = 0; i < r->stretches && !st; i++) begin_stretch(r, &r->stretch[i], p, start_sum, b);
    return st;
}
