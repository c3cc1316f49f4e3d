/* components. Always: a label is the smallest member of its class; count and largest are recounted.
 * Weak: both ends of every arc have the same label, so no component is split; an independent union-find counts as
 * many components as there are labels, so none are merged.
 * Strong: within its class, every vertex is reached from the label along the arcs and against them, so no class is
 * too large; the graph of the classes is acyclic, so none is too small.
 * Order: it lists every class; arcs lead to earlier ones; levels, found by going through the classes from the last
 * on, never rise, and classes of equal level ascend by smallest vertex. */
#include "weft/components.h"
#include "checks.h"

#include <inttypes.h>
#include <string.h>

typedef struct scene {
    const weft_graph *g;
    weft_vid n;
    weft_csr out, in;
    const weft_vid *label;
    weft_vid *a, *b; /* n + 1 elements each */
    check_watch *watch;
} scene;

static int wrong(const scene *s, weft_vid v, const char *what, weft_vid other) {
    return check_wrong(s->watch, "vertex %s: %s %s", check_id(s->g, v).text, what, check_id(s->g, other).text);
}

static int labels_are_smallest_members(const scene *s) {
    for (weft_vid v = 0; v < s->n; v++) {
        weft_vid l = s->label[v];
        if (l >= s->n) return wrong(s, v, "its component is", l);
        if (l > v) return wrong(s, v, "it is smaller than its component", l);
        if (s->label[l] != l) return wrong(s, v, "its component does not contain its own label,", l);
    }
    return 1;
}

static int scalars_right(const scene *s, const weft_result *result) {
    const weft_scalar *count = weft_result_scalar(result, "count"), *largest = weft_result_scalar(result, "largest");
    uint64_t classes = 0, most = 0;
    memset(s->a, 0, (size_t)s->n * sizeof *s->a);
    for (weft_vid v = 0; v < s->n; v++) {
        classes += s->label[v] == v;
        if (++s->a[s->label[v]] > most) most = s->a[s->label[v]];
    }
    if (count && largest && count->value.u64 == classes && largest->value.u64 == most) return 1;
    return check_wrong(s->watch,
                       "count or largest is not what the column has: %" PRIu64 " components, the largest of %" PRIu64,
                       classes, most);
}

static int weak_right(const scene *s) {
    uint64_t classes = 0, components = s->n;
    for (weft_vid v = 0; v < s->n; v++) {
        s->a[v] = v;
        classes += s->label[v] == v;
    }
    for (weft_vid u = 0; u < s->n && !check_stops(s->watch, u); u++)
        for (weft_eid e = s->out.offsets[u]; e < s->out.offsets[u + 1]; e++) {
            weft_vid v = s->out.targets[e];
            if (s->label[u] != s->label[v]) return wrong(s, u, "a neighbour is in another component:", v);
            weft_vid x = check_root(s->a, u), y = check_root(s->a, v);
            components -= x != y;
            s->a[x] = y;
        }
    if (classes == components) return 1;
    return check_wrong(s->watch, "there are %" PRIu64 " labels, but %" PRIu64 " components", classes, components);
}

/* Searches from all labels at once without leaving classes: a[] is the queue, b[] marks reached vertices. */
static int reached_inside(const scene *s, const weft_csr *rows, const char *complaint) {
    weft_vid head = 0, tail = 0;
    for (weft_vid v = 0; v < s->n; v++) {
        s->b[v] = s->label[v] == v;
        if (s->b[v]) s->a[tail++] = v;
    }
    while (head < tail && !check_stops(s->watch, head)) {
        weft_vid u = s->a[head++];
        for (weft_eid e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
            weft_vid v = rows->targets[e];
            if (s->b[v] || s->label[v] != s->label[u]) continue;
            s->b[v] = 1;
            s->a[tail++] = v;
        }
    }
    for (weft_vid v = 0; v < s->n; v++)
        if (!s->b[v]) return wrong(s, v, complaint, s->label[v]);
    return 1;
}

/* Repeatedly removes classes without arcs from remaining classes, until none is left: a[] lists members by class,
 * first[l] is the begin of class l, entering[l] counts arcs. */
static int classes_without_cycle(const scene *s, uint64_t *entering, weft_vid *first) {
    weft_vid at = 0, done = 0, ready = 0, *queue = s->b;
    memset(first, 0, ((size_t)s->n + 1) * sizeof *first);
    memset(entering, 0, ((size_t)s->n + 1) * sizeof *entering);
    for (weft_vid v = 0; v < s->n; v++) first[s->label[v]]++;
    for (weft_vid l = 0; l <= s->n; l++) {
        weft_vid size = first[l];
        first[l] = at;
        at += size;
    }
    for (weft_vid v = 0; v < s->n; v++) s->a[first[s->label[v]]++] = v; /* first[l] is now the end of class l */
    for (weft_vid u = 0; u < s->n && !check_stops(s->watch, u); u++)
        for (weft_eid e = s->out.offsets[u]; e < s->out.offsets[u + 1]; e++)
            entering[s->label[s->out.targets[e]]] += s->label[u] != s->label[s->out.targets[e]];
    for (weft_vid l = 0; l < s->n; l++)
        if (s->label[l] == l && !entering[l]) queue[ready++] = l;
    while (done < ready && !check_stops(s->watch, done)) {
        weft_vid l = queue[done++];
        for (weft_vid i = l ? first[l - 1] : 0; i < first[l]; i++)
            for (weft_eid e = s->out.offsets[s->a[i]]; e < s->out.offsets[s->a[i] + 1]; e++) {
                weft_vid to = s->label[s->out.targets[e]];
                if (to != l && !--entering[to]) queue[ready++] = to;
            }
    }
    for (weft_vid l = 0; l < s->n; l++)
        if (s->label[l] == l && entering[l]) return wrong(s, l, "a cycle leads through its component and others:", l);
    return 1;
}

static int strong_right(scene *s) {
    s->in = check_in(s->watch, s->g);
    uint64_t *entering = check_take(s->watch, s->n, sizeof *entering);
    weft_vid *first = check_take(s->watch, s->n, sizeof *first);
    return !s->watch->status && reached_inside(s, &s->out, "inside its component, it cannot be reached from") &&
           reached_inside(s, &s->in, "inside its component, it does not reach") &&
           classes_without_cycle(s, entering, first);
}

/* a[] is the position of each class in the order, b[] its level, both indexed by label. */
static int order_right(const scene *s, const weft_result *result, int asked) {
    const weft_column *column = weft_result_column(result, "order");
    const weft_vid *listed = weft_result_u32(result, "order");
    weft_vid *number = s->a, classes = 0;
    uint64_t steps = 0;
    for (weft_vid v = 0; v < s->n; v++) {
        classes += s->label[v] == v;
        number[v] = WEFT_NO_VERTEX;
        s->b[v] = 0;
    }
    if (asked ? !listed || column->length != classes : column != NULL)
        return check_wrong(s->watch, "the column order is %s",
                           asked ? "missing or of another length" : "present without being requested");
    if (!asked) return 1;
    for (weft_vid c = 0; c < classes; c++) {
        if (listed[c] >= s->n || s->label[listed[c]] != listed[c] || number[listed[c]] != WEFT_NO_VERTEX)
            return wrong(s, 0, "the order lists an unknown component, or one twice:", listed[c]);
        number[listed[c]] = c;
    }
    /* Members are sorted by class, the last class first. */
    weft_vid *order = check_take(s->watch, s->n, sizeof *order);
    weft_vid *first = check_take(s->watch, (size_t)classes + 1, sizeof *first);
    if (s->watch->status) return 0;
    for (weft_vid v = 0; v < s->n; v++) first[classes - number[s->label[v]]]++;
    for (weft_vid c = 1; c <= classes; c++) first[c] += first[c - 1];
    for (weft_vid v = 0; v < s->n; v++) order[first[classes - number[s->label[v]] - 1]++] = v;
    for (weft_vid i = 0; i < s->n && !check_stops(s->watch, steps++); i++) {
        weft_vid u = order[i], mine = s->label[u];
        for (weft_eid e = s->out.offsets[u]; e < s->out.offsets[u + 1]; e++) {
            weft_vid to = s->label[s->out.targets[e]];
            if (to == mine) continue;
            if (number[to] > number[mine])
                return wrong(s, u, "an arc leads to a later component, to", s->out.targets[e]);
            if (s->b[to] <= s->b[mine]) s->b[to] = s->b[mine] + 1;
        }
    }
    for (weft_vid c = 1; c < classes; c++) {
        weft_vid x = listed[c - 1], y = listed[c];
        if (s->b[x] < s->b[y] || (s->b[x] == s->b[y] && x > y))
            return wrong(s, y, "in the order it should come before", x);
    }
    return 1;
}

int weft_check_components(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    const weft_components_params *p = params;
    int strong = p->strong && weft_graph_directed(g);
    weft_vid n = weft_graph_vertices(g);
    scene s = {.g = g, .n = n, .out = check_out(w, g), .label = weft_result_u32(result, "component"), .watch = w};
    const weft_column *column = weft_result_column(result, "component");
    if (!s.label || column->length != n) return check_wrong(w, "the column component is missing or of another length");
    s.a = check_take(w, n, sizeof *s.a);
    s.b = check_take(w, n, sizeof *s.b);
    return !w->status && labels_are_smallest_members(&s) && scalars_right(&s, result) &&
           (strong ? strong_right(&s) : weak_right(&s)) && order_right(&s, result, p->order) &&
           check_right(w,
                       strong ? "%u vertices: every class strongly connected, no cycle through several"
                              : "%u vertices: ends of arcs agree, as many components as labels",
                       n);
}
