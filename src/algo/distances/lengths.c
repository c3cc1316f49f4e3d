/* distances by weights: a search (engines/dijkstra/dijkstra.h) from every vertex of the component, the largest length
 * of each and the distribution of the lengths.
 * Lengths are counted in classes of one width, a power of two, so that the longest is in one of the last 32 of 64.
 * Each thread has classes of its own; it merges them in pairs whenever a length is beyond the last class.
 * If direction does not count, a pair has the length found from its smaller vertex: rounded sums may differ from both
 * ends.  Lengths of a search are added in the order of the component, and so are those sums. */
#include "algo/distances/distances.h"
#include "engines/dijkstra/dijkstra.h"
#include "engines/union_find/weak_parts.h"
#include "weft/distances.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { CLASSES = 64, CLASS_BITS = 6 };

typedef struct length_classes {
    uint64_t count[CLASSES];
    double width; /* 0: no length was above 0 */
} length_classes;

typedef struct arrays {
    double *eccentricity; /* the column */
    wfi_weak_parts parts;
    double *sum;       /* sums of the lengths from each vertex of the component, by its position */
    weft_vid *reached; /* their number */
    length_classes *classes;
    int threads;
    wfi_lengths first;
} arrays;

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, arrays *a) {
    a->threads = (int)wfi_max_u64(1, wfi_min_u64((uint64_t)wfi_threads(ctx), g->n));
    wfi_column(w, "weighted_eccentricity", WEFT_F64, g->n, &a->eccentricity);
    wfi_growth(w, CLASSES * sizeof(double)); /* the table's columns */
    wfi_growth(w, CLASSES * sizeof(uint64_t));
    wfi_array(w, &a->parts.place, g->n);
    wfi_array(w, &a->parts.order, g->n);
    wfi_array_within(w, &a->sum, g->n);
    wfi_array_within(w, &a->reached, g->n);
    wfi_array(w, &a->classes, (uint64_t)a->threads);
    wfi_lengths_lay_out(w, g->n, a->threads, &a->first);
}

void wfi_distances_plan_lengths(const weft_ctx *ctx, const weft_graph *g, wfi_choice *choice) {
    arrays a;
    lay_out(&choice->space, ctx, g, &a);
}

/* --- classes ---------------------------------------------------------------------------- */

/* The width at which a length above 0 is in the upper half of the classes; at least the smallest positive double. */
static double width_for(double length) {
    int exponent;
    frexp(length, &exponent);
    return fmax(ldexp(1, exponent - CLASS_BITS), 0x1p-1074);
}

static void widen(length_classes *c, double width) {
    for (; c->width > 0 && c->width < width; c->width *= 2) {
        for (int k = 0; k < CLASSES / 2; k++) c->count[k] = c->count[2 * k] + c->count[2 * k + 1];
        memset(c->count + CLASSES / 2, 0, sizeof c->count / 2);
    }
    c->width = fmax(c->width, width);
}

static void count_length(length_classes *c, double length) {
    if (length > 0 && length >= CLASSES * c->width) widen(c, width_for(length));
    c->count[length > 0 ? (int)(length / c->width) : 0]++;
}

static void join(length_classes *to, length_classes *from) {
    widen(to, from->width);
    widen(from, to->width);
    for (int k = 0; k < CLASSES; k++) to->count[k] += from->count[k];
}

/* --- searches --------------------------------------------------------------------------- */

/* The component's vertices are vertex[0] ... vertex[size - 1]. */
typedef struct component {
    const weft_vid *vertex;
    weft_vid size;
    bool once; /* each pair, from its smaller vertex */
} component;

static component find_largest(const weft_graph *g, const arrays *a, bool once) {
    component c = {a->parts.order, 0, once};
    for (weft_vid at = 0, end; at < g->n; at = end) {
        end = wfi_part_end(&a->parts, g->n, at);
        if (end - at <= c.size) continue;
        c.vertex = a->parts.order + at;
        c.size = end - at;
    }
    return c;
}

static void take(const component *c, const arrays *a, const wfi_lengths *s, weft_vid i, length_classes *classes) {
    weft_vid v = c->vertex[i], reached = 0;
    double sum = 0, most = 0;
    for (weft_vid k = 0; k < c->size; k++) {
        weft_vid u = c->vertex[k];
        double length = s->distance[u];
        if (u == v || isinf(length)) continue;
        reached++;
        most = fmax(most, length);
        if (c->once && u < v) continue;
        sum += length;
        count_length(classes, length);
    }
    a->eccentricity[v] = most;
    a->sum[i] = sum;
    a->reached[i] = reached;
}

static weft_status search_all(weft_ctx *ctx, const component *c, const arrays *a) {
    _Atomic bool stop = false, beyond = false;
    _Atomic uint64_t done = 0;
    memset(a->classes, 0, (size_t)a->threads * sizeof *a->classes);
    wfi_progress(ctx, "distances", 0, c->size);
#pragma omp parallel num_threads(a->threads)
    {
        int me = omp_get_thread_num();
        wfi_lengths s = wfi_lengths_at(&a->first, me);
#pragma omp for schedule(dynamic, 1)
        for (weft_vid i = 0; i < c->size; i++) {
            if (atomic_load_explicit(&stop, memory_order_relaxed)) continue;
            bool searched = wfi_lengths_from(ctx, &s, c->vertex[i]);
            if (searched && !s.beyond) take(c, a, &s, i, &a->classes[me]);
            if (searched && s.beyond) atomic_store(&beyond, true);
            if (!searched || s.beyond) atomic_store(&stop, true);
            uint64_t now = atomic_fetch_add_explicit(&done, 1, memory_order_relaxed) + 1;
            if (me == 0) wfi_progress(ctx, "distances", now, c->size);
        }
    }
    for (int k = 1; k < a->threads; k++) join(&a->classes[0], &a->classes[k]);
    if (atomic_load(&beyond)) return wfi_refuse_beyond(ctx, "distances");
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* --- results ----------------------------------------------------------------------------- */

typedef struct figures {
    double diameter, radius, effective, mean;
    uint64_t pairs, unreachable;
} figures;

static figures add_up(const component *c, const arrays *a) {
    figures f = {.radius = c->size ? (double)INFINITY : 0};
    uint64_t reached = 0;
    double sum = 0;
    for (weft_vid i = 0; i < c->size; i++) {
        double most = a->eccentricity[c->vertex[i]];
        f.diameter = fmax(f.diameter, most);
        if (a->reached[i] + 1 == c->size) f.radius = fmin(f.radius, most);
        reached += a->reached[i];
        sum += a->sum[i];
    }
    if (isinf(f.radius)) f.radius = (double)NAN;
    f.pairs = c->once ? reached / 2 : reached;
    f.mean = f.pairs ? sum / (double)f.pairs : 0;
    f.unreachable = c->size ? (uint64_t)c->size * (c->size - 1) - reached : 0;
    return f;
}

/* Nine in ten pairs are at most this far apart, interpolated linearly within a class. */
static double effective(const length_classes *c, const figures *f) {
    double wanted = 0.9 * (double)f->pairs, before = 0;
    for (int k = 0; k < CLASSES; k++) {
        double here = (double)c->count[k];
        if (here > 0 && before + here >= wanted) return fmin(f->diameter, (k + (wanted - before) / here) * c->width);
        before += here;
    }
    return 0;
}

static weft_status tell_classes(wfi_job *job, const length_classes *c) {
    uint64_t classes = CLASSES;
    while (classes && !c->count[classes - 1]) classes--;
    double *length;
    uint64_t *pairs;
    wfi_grown_column(job->space, "length", WEFT_F64, classes, &length);
    wfi_grown_column(job->space, "pairs", WEFT_U64, classes, &pairs);
    if (!pairs) return WEFT_ENOMEM;
    for (uint64_t k = 0; k < classes; k++) {
        length[k] = (double)k * c->width;
        pairs[k] = c->count[k];
    }
    return WEFT_OK;
}

static weft_status tell_scalars(wfi_job *job, const component *c, const figures *f, double width) {
    return WFI_TELL(job->ctx, job->result, WFI_U64("vertices", c->size), WFI_U64("searches", c->size),
                    WFI_U64("unreachable_pairs", f->unreachable), WFI_F64("weighted_diameter", f->diameter),
                    WFI_F64("weighted_radius", f->radius), WFI_F64("class_width", width),
                    WFI_F64("effective_diameter", f->effective), WFI_F64("mean_distance", f->mean));
}

weft_status wfi_distances_run_lengths(wfi_job *job, weft_side side) {
    const weft_graph *g = job->g;
    const weft_distances_params *p = job->params;
    arrays a;
    lay_out(job->space, job->ctx, g, &a);
    weft_status st = job->space->status;
    if (!st) st = wfi_weak_parts_find(job->ctx, g, &a.parts);
    if (st) return st;
    component c = find_largest(g, &a, side == WEFT_SIDE_BOTH);
    if (c.size > p->all_pairs)
        return wfi_fail(job->ctx, WEFT_EINVAL,
                        "distances: `weights` searches from every vertex of the largest component, which has %u; "
                        "`all_pairs` allows %llu",
                        c.size, (unsigned long long)p->all_pairs);
    a.first.rows = side == WEFT_SIDE_IN ? &g->in : &g->out;
    a.first.also = g->directed && side == WEFT_SIDE_BOTH ? &g->in : NULL;
    for (weft_vid v = 0; v < g->n; v++) a.eccentricity[v] = (double)NAN;
    st = search_all(job->ctx, &c, &a);
    if (st) return st;
    figures f = add_up(&c, &a);
    if (isinf(f.mean)) return wfi_refuse_beyond(job->ctx, "distances");
    f.effective = effective(a.classes, &f);
    st = tell_classes(job, a.classes);
    return st ? st : tell_scalars(job, &c, &f, a.classes->width);
}
