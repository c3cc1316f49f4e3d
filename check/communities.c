/* leiden and louvain. The labels are read as a partition of the graph and everything is recounted:
 *
 *   - a community is named after its smallest vertex; count and largest match; levels are nested;
 *   - modularity and quality match sums of integers: exactly if unweighted, of weights in fixed point;
 *   - leiden's communities are connected, ignoring direction; disconnected communities of louvain are counted in
 *     the message;
 *   - little is left to gain. The sum over vertices of the gain of moving each one alone, and the gain of the best
 *     merger of two neighbouring communities, are each at most a thousandth of the quality, or of a quarter of all
 *     weight if the quality is less than that; two thousandths after a single iteration. Small graphs have larger
 *     steps: there the limit is at least the value of two arcs of mean weight. weft_check_partition reports the
 *     remaining gain without a verdict.
 *
 * Method: one pass over the arcs for each check, with a counter per community. O(n + m). */
#include "checks.h"
#include "weft/leiden.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

#define STILL_OPEN 1e-3 /* fraction of the quality */
#define LEAST_BASE 0.25 /* lower bound of the quality in that limit, as a fraction of all weight */

/* Totals of a vertex or a community. */
typedef struct share {
    uint64_t out, in, size; /* weight of outgoing and incoming arcs (undirected: all in `out`, loops twice); number of
                             * vertices */
} share;

typedef struct scene {
    const weft_graph *g;
    const weft_leiden_params *p;
    weft_vid n;
    int directed, cpm;
    weft_csr out, in;
    const weft_vid *label;
    double unit;     /* integer for a weight of 1 */
    uint64_t total;  /* weight of all arcs */
    uint64_t inside; /* weight of arcs within communities */
    share *vertex, *community;
    uint64_t *link;        /* weight to each community; 0 between uses */
    weft_vid *touched;     /* communities with nonzero weight */
    weft_vid *a, *b;       /* n + 1 elements each */
    double scale, slack;   /* largest possible objective; gain that may be left */
    uint64_t disconnected; /* number of disconnected communities */
    check_watch *watch;
} scene;

static int wrong(const scene *s, weft_vid v, const char *what, weft_vid other) {
    return check_wrong(s->watch, "vertex %s: %s %s", check_id(s->g, v).text, what, check_id(s->g, other).text);
}

/* --- the partition ------------------------------------------------------------------------------------------- */

static int labels_are_smallest_members(const scene *s, const weft_vid *label) {
    for (weft_vid v = 0; v < s->n; v++) {
        weft_vid l = label[v];
        if (l >= s->n) return wrong(s, v, "its community is", l);
        if (l > v) return wrong(s, v, "it is smaller than the vertex its community is named after,", l);
        if (label[l] != l) return wrong(s, v, "its community lacks the vertex it is named after,", l);
    }
    return 1;
}

static int counts_right(const scene *s, const weft_result *result) {
    const weft_scalar *count = weft_result_scalar(result, "count"), *largest = weft_result_scalar(result, "largest");
    uint64_t all = 0, most = 0;
    for (weft_vid c = 0; c < s->n; c++) {
        all += s->community[c].size > 0;
        if (s->community[c].size > most) most = s->community[c].size;
    }
    if (count && largest && count->value.u64 == all && largest->value.u64 == most) return 1;
    return check_wrong(s->watch,
                       "count or largest is not what the column has: %" PRIu64 " communities, the largest of %" PRIu64,
                       all, most);
}

/* Groups of a level lie within groups of the next; the last level equals the communities. */
static int levels_nested(const scene *s, const weft_result *result) {
    const weft_vid *finer = NULL;
    for (unsigned level = 1;; level++) {
        char name[32];
        snprintf(name, sizeof name, "level_%u", level);
        const weft_column *column = weft_result_column(result, name);
        const weft_vid *coarser = column ? column->data : s->label;
        if (column && (column->type != WEFT_VERTEX || column->length != s->n || !s->p->levels)) break;
        if (column && !labels_are_smallest_members(s, coarser)) return 0;
        for (weft_vid v = 0; finer && v < s->n; v++)
            if (coarser[finer[v]] != coarser[v])
                return wrong(s, v, "on some level it shares a group, but not on the next, with", finer[v]);
        if (!column && s->p->levels && !(finer && !memcmp(finer, s->label, (size_t)s->n * sizeof *finer))) break;
        if (!column) return 1;
        finer = coarser;
    }
    return check_wrong(s->watch, "the columns of levels are not the requested ones");
}

/* --- quality ------------------------------------------------------------------------------------------------- */

static uint64_t whole(const scene *s, const weft_csr *rows, weft_eid e) {
    return s->p->weights ? (uint64_t)(check_weight(s->g, rows, e) * s->unit + 0.5) : 1;
}

/* Scales weights so that their sum, with loops twice, is below 2^60. */
static double find_unit(const scene *s) {
    double all = 0;
    int scale;
    for (weft_vid v = 0; v < s->n && !check_stops(s->watch, v); v++)
        for (weft_eid e = s->out.offsets[v]; e < s->out.offsets[v + 1]; e++) all += check_weight(s->g, &s->out, e);
    (void)frexp(2 * all, &scale);
    return s->p->weights ? ldexp(1, 60 - scale) : 1;
}

static void add_up(scene *s) {
    memset(s->vertex, 0, (size_t)s->n * sizeof *s->vertex);
    memset(s->community, 0, (size_t)s->n * sizeof *s->community);
    for (weft_vid v = 0; v < s->n && !check_stops(s->watch, v); v++)
        for (weft_eid e = s->out.offsets[v]; e < s->out.offsets[v + 1]; e++) {
            weft_vid u = s->out.targets[e];
            uint64_t weight = whole(s, &s->out, e) * (u == v && !s->directed ? 2 : 1);
            s->vertex[v].out += weight;
            s->vertex[u].in += s->directed ? weight : 0;
            s->total += weight;
            s->inside += s->label[u] == s->label[v] ? weight : 0;
        }
    for (weft_vid v = 0; v < s->n; v++) {
        share *c = &s->community[s->label[v]];
        s->vertex[v].size = 1;
        c->out += s->vertex[v].out;
        c->in += s->vertex[v].in;
        c->size++;
    }
}

static int close_to(const scene *s, const weft_result *result, const char *name, double gained, double lost) {
    const weft_scalar *said = weft_result_scalar(result, name);
    double error = (s->p->weights ? 1e-9 : 1e-12) * (gained + lost);
    if (said && said->type == WEFT_F64 && fabs(said->value.f64 - (gained - lost)) <= error) return 1;
    return check_wrong(s->watch, "%s is %.17g, but the communities have %.17g", name,
                       said ? said->value.f64 : (double)NAN, gained - lost);
}

static int worth_right(scene *s, const weft_result *result) {
    wide square = 0, pairs = 0;
    for (weft_vid c = 0; c < s->n; c++) {
        const share *x = &s->community[c];
        square += (wide)x->out * (s->directed ? x->in : x->out);
        if (x->size) pairs += (wide)x->size * (x->size - 1);
    }
    double total = (double)s->total, resolution = s->p->resolution;
    double gained = s->total ? (double)s->inside / total : 0, lost = s->total ? (double)square / total / total : 0;
    double within = (double)s->inside / s->unit / (s->directed ? 1 : 2);
    double kept = resolution * (double)pairs / (s->directed ? 1 : 2);
    s->scale = s->cpm ? total / s->unit / (s->directed ? 1 : 2) : 1;
    double quality = s->cpm ? within - kept : gained - resolution * lost;
    double arcs = s->out.arcs ? (s->directed ? 2 : 4) * s->scale / (double)s->out.arcs : 0;
    double part = s->p->iterations == 1 ? 2 * STILL_OPEN : STILL_OPEN;
    s->slack = fmax(part * fmax(fabs(quality), LEAST_BASE * s->scale), arcs);
    if (!close_to(s, result, "modularity", gained, lost)) return 0; /* at resolution 1 */
    return s->cpm ? close_to(s, result, "quality", within, kept)
                  : close_to(s, result, "quality", gained, resolution * lost);
}

/* Gain of merging two disjoint groups with the weight `link` between them. */
static double worth(const scene *s, uint64_t link, share x, share y) {
    double total = (double)s->total, both = s->directed ? 1 : 2;
    if (s->cpm)
        return (double)link / s->unit - s->p->resolution * (double)x.size * (double)y.size * (s->directed ? 2 : 1);
    double random = s->directed ? (double)x.out * (double)y.in + (double)x.in * (double)y.out
                                : both * (double)x.out * (double)y.out;
    return both * (double)link / total - s->p->resolution * random / total / total;
}

/* --- connectivity -------------------------------------------------------------------------------------------- */

/* Finds the components of communities along arcs of positive weight and counts disconnected communities. Returns a
 * vertex that is not connected to the vertex its community is named after, or WEFT_NO_VERTEX. */
static weft_vid find_parts(scene *s) {
    weft_vid *parent = s->a, *seen = s->b, other = WEFT_NO_VERTEX;
    for (weft_vid v = 0; v < s->n; v++) parent[v] = v, seen[v] = 0;
    for (weft_vid v = 0; v < s->n && !check_stops(s->watch, v); v++)
        for (weft_eid e = s->out.offsets[v]; e < s->out.offsets[v + 1]; e++) {
            weft_vid u = s->out.targets[e];
            if (s->label[u] != s->label[v] || (s->p->weights && !(check_weight(s->g, &s->out, e) > 0))) continue;
            parent[check_root(parent, u)] = check_root(parent, v);
        }
    for (weft_vid v = 0; v < s->n; v++) {
        weft_vid c = s->label[v];
        if (check_root(parent, v) == check_root(parent, c)) continue;
        if (!seen[c]++) s->disconnected++;
        other = v;
    }
    return other;
}

/* --- remaining gain ------------------------------------------------------------------------------------------ */

/* Adds the arcs of a row to the counters of communities. Returns the number of communities counted. */
static weft_vid count_links(scene *s, const weft_csr *rows, weft_vid v, weft_vid count) {
    for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
        uint64_t weight = whole(s, rows, e);
        weft_vid c = s->label[rows->targets[e]];
        if (rows->targets[e] == v || !weight) continue;
        if (!s->link[c]) s->touched[count++] = c;
        s->link[c] += weight;
    }
    return count;
}

static weft_vid links_of(scene *s, weft_vid v, weft_vid count) {
    count = count_links(s, &s->out, v, count);
    return s->directed ? count_links(s, &s->in, v, count) : count;
}

static void clear_links(scene *s, weft_vid count) {
    for (weft_vid i = 0; i < count; i++) s->link[s->touched[i]] = 0;
}

/* Sum over vertices of the gain of moving each one alone. */
static double open_moves(scene *s) {
    double open = 0;
    for (weft_vid v = 0; v < s->n && !check_stops(s->watch, v); v++) {
        share own = s->community[s->label[v]], me = s->vertex[v];
        weft_vid count = links_of(s, v, 0);
        if (!count) continue;
        own = (share){own.out - me.out, own.in - me.in, own.size - 1};
        double stay = worth(s, s->link[s->label[v]], me, own), best = 0;
        for (weft_vid i = 0; i < count; i++) {
            weft_vid c = s->touched[i];
            if (c != s->label[v]) best = fmax(best, worth(s, s->link[c], me, s->community[c]));
        }
        open += fmax(best - stay, 0);
        clear_links(s, count);
    }
    return open;
}

static int moves_done(scene *s) {
    double open = open_moves(s);
    if (open <= s->slack) return 1;
    return check_wrong(s->watch, "single vertices that move would still gain %.3g, above %.3g", open, s->slack);
}

/* Lists members by community; first[c] is the begin of community c in `member`. */
static void list_members(const scene *s, weft_vid *first, weft_vid *member) {
    weft_vid at = 0;
    for (weft_vid c = 0; c < s->n; c++) {
        first[c] = at;
        at += (weft_vid)s->community[c].size;
    }
    for (weft_vid v = 0; v < s->n; v++) member[first[s->label[v]]++] = v;
    for (weft_vid c = 0; c < s->n; c++) first[c] -= (weft_vid)s->community[c].size;
}

static int merges_done(scene *s) {
    list_members(s, s->a, s->b);
    for (weft_vid c = 0; c < s->n && !check_stops(s->watch, c); c++) {
        weft_vid count = 0;
        for (weft_vid i = 0; i < s->community[c].size; i++) count = links_of(s, s->b[s->a[c] + i], count);
        for (weft_vid i = 0; i < count; i++) {
            weft_vid d = s->touched[i];
            double gain = d == c ? 0 : worth(s, s->link[d], s->community[c], s->community[d]);
            if (gain <= s->slack) continue;
            return check_wrong(s->watch, "communities %s and %s, merged, would gain %.3g, above %.3g",
                               check_id(s->g, c).text, check_id(s->g, d).text, gain, s->slack);
        }
        clear_links(s, count);
    }
    return 1;
}

/* --- the call ------------------------------------------------------------------------------------------------ */

/* Describes the connectivity of communities. */
static const char *connectivity_text(const scene *s, char buffer[80]) {
    if (!s->disconnected) return "communities are connected";
    snprintf(buffer, 80, "%" PRIu64 " %s not connected (leiden's are)", s->disconnected,
             s->disconnected == 1 ? "community is" : "communities are");
    return buffer;
}

static int all_right(scene *s, const weft_result *result, check_demand demand) {
    if (!labels_are_smallest_members(s, s->label)) return 0;
    add_up(s);
    if (!counts_right(s, result) || !levels_nested(s, result) || !worth_right(s, result)) return 0;
    weft_vid apart = find_parts(s);
    char buffer[80];
    if (demand == CHECK_CONNECTED && apart != WEFT_NO_VERTEX)
        return wrong(s, apart, "its community is not connected:", s->label[apart]);
    if (demand == CHECK_RECOUNTED)
        return check_right(s->watch, "quality recounted, single vertices that move would still gain %.3g, %s",
                           open_moves(s), connectivity_text(s, buffer));
    return moves_done(s) && merges_done(s) &&
           check_right(s->watch, "quality recounted, single moves and mergers would add no more than %.3g, %s",
                       s->slack, connectivity_text(s, buffer));
}

int check_communities(check_watch *w, const weft_graph *g, const weft_leiden_params *params, const weft_result *result,
                      check_demand demand) {
    const weft_column *column = weft_result_column(result, "community");
    scene s = {.g = g,
               .p = params,
               .n = weft_graph_vertices(g),
               .directed = weft_graph_directed(g),
               .cpm = params->objective == WEFT_OBJECTIVE_CPM,
               .out = check_out(w, g),
               .label = weft_result_u32(result, "community"),
               .watch = w};
    if (!s.label || column->length != s.n) return check_wrong(w, "the communities are missing or of another length");
    s.in = check_in(w, g);
    s.unit = find_unit(&s);
    s.vertex = check_take(w, s.n, sizeof *s.vertex);
    s.community = check_take(w, s.n, sizeof *s.community);
    s.link = check_take(w, s.n, sizeof *s.link);
    s.touched = check_take(w, s.n, sizeof *s.touched);
    s.a = check_take(w, s.n, sizeof *s.a);
    s.b = check_take(w, s.n, sizeof *s.b);
    return !w->status && all_right(&s, result, demand);
}

int check_partition(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    return check_communities(w, g, params, result, CHECK_RECOUNTED);
}
