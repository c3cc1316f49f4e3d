/* A first line "n m" (vertices, edges) before m edges, as course material and contest problems have it.  It looks like
 * an edge, so it is taken for a size only where all of it fits: exactly m edges follow, and their ids lie in 0 ... n-1
 * or in 1 ... n.  With fewer than three edges that happens by chance, and is refused. */
#include "core/comm.h"
#include "io/table/edgelist.h"

#include <string.h>

enum { FEWEST = 3 };

/* The range of the ids. */
static void range_of(const wfi_edges *edges, bool skip_first, int64_t *low, int64_t *high) {
    *low = INT64_MAX;
    *high = INT64_MIN;
    for (const wfi_piece *p = edges->pieces; p < edges->pieces + edges->count; p++) {
        for (uint64_t k = skip_first ? 2 : 0; k < 2 * p->count; k++) {
            int64_t id = p->wide ? p->wide[k] : p->narrow[k];
            *low = id < *low ? id : *low;
            *high = id > *high ? id : *high;
        }
        if (p->count) skip_first = false;
    }
}

/* The first edge goes. */
static void drop_first(wfi_edges *edges) {
    wfi_piece *p = edges->pieces;
    while (!p->count) p++;
    size_t each = wfi_weight_bytes(p->weight_type);
    p->count--;
    if (p->wide) memmove(p->wide, p->wide + 2, 2 * p->count * sizeof *p->wide);
    if (p->narrow) memmove(p->narrow, p->narrow + 2, 2 * p->count * sizeof *p->narrow);
    if (p->weights) memmove(p->weights, (char *)p->weights + each, (size_t)p->count * each);
}

/* What follows the first line, on all ranks that share the file. */
typedef struct following {
    uint64_t edges;
    int64_t low, high;  /* of their ids */
    bool first_is_here; /* the edge that the first line would be is this rank's */
} following;

static weft_status look_at_edges(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_job *j, following *f) {
    const wfi_edges *edges = &j->table->edges;
    const uint64_t sign = (uint64_t)1 << 63; /* turns the order of numbers with sign into that of those without */
    bool alone = !wfi_source_sliced(source);
    f->edges = wfi_edges_total(edges);
    uint64_t rank = (uint64_t)wfi_rank(ctx), least[3] = {f->edges ? rank : UINT64_MAX};
    bool here = f->edges;
    weft_status st = alone ? WEFT_OK : wfi_allreduce(ctx, least, 1, WFI_MIN);
    f->first_is_here = here && least[0] == rank;
    range_of(edges, f->first_is_here && !j->style.size_skipped, &f->low, &f->high);
    least[1] = (uint64_t)f->low ^ sign;
    least[2] = ~((uint64_t)f->high ^ sign);
    if (!st && !alone) st = wfi_allreduce(ctx, &f->edges, 1, WFI_SUM);
    if (!st && !alone) st = wfi_allreduce(ctx, least, 3, WFI_MIN);
    f->low = (int64_t)(least[1] ^ sign);
    f->high = (int64_t)(~least[2] ^ sign);
    f->edges -= !j->style.size_skipped;
    return st;
}

weft_status wfi_edgelist_take_size_away(weft_ctx *ctx, const wfi_source *source, wfi_edgelist_job *j, bool *again) {
    const wfi_edgelist_style *s = &j->style;
    wfi_table *t = j->table;
    following f;
    *again = false;
    if (!s->sized || t->parts) return WEFT_OK;
    weft_status st = look_at_edges(ctx, source, j, &f);
    if (st) return st;
    int64_t low = f.low, high = f.high, n = (int64_t)s->size_vertices;
    bool fits = f.edges == s->size_edges && !s->names && s->size_vertices < WEFT_NO_VERTEX &&
                ((low >= 0 && high < n) || (low >= 1 && high <= n));
    if (!fits) {
        *again = s->size_skipped;
        return WEFT_OK;
    }
    if (f.edges < FEWEST)
        return wfi_fail_at(
            ctx, wfi_source_name(source), s->size_line, 1,
            "is the first line the numbers of vertices and edges, or an edge?  `header=yes` if it is not an edge, "
            "`header=no` if it is one");
    if (!s->size_skipped && f.first_is_here) drop_first(&t->edges);
    if (wfi_rank(ctx) == 0)
        wfi_note(ctx, "%s: the first line is read as %llu vertices and %llu edges (`header=no` if it is an edge)",
                 wfi_source_name(source), (wfi_ull)s->size_vertices, (wfi_ull)s->size_edges);
    /* Isolated vertices are there when the ids tell where they begin. */
    if (low == 0 || (uint64_t)high == s->size_vertices) {
        t->dense = true;
        t->vertices = s->size_vertices;
        t->base = low == 0 ? 0 : 1;
    }
    return WEFT_OK;
}
