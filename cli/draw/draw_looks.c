/* The looks of vertices: --colour and --size, by a column of the result or an attribute of the graph, by a word
 * (component, community, core, rank, degree: the algorithm is run with its defaults) or by a column of a table
 * (FILE:COLUMN, as in --labels), the first of these that exists. Groups have the colours of Okabe and Ito, which
 * colour-blind people can tell apart, the larger groups first; all others are grey.  Numbers are on a scale from dark
 * to light with evenly growing brightness. */
#include "draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const draw_colour GROUPS[DRAW_GROUPS] = {0x0072b2, 0xe69f00, 0x009e73, 0xd55e00, 0x56b4e9, 0xcc79a7, 0x882255};
static const draw_colour OTHERS = 0x9a9a9a, ALIKE = 0x0072b2, ALIKE_DARK = 0x56b4e9;
static const draw_colour SCALE[] = {0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xfde725};
enum { SCALE_STEPS = sizeof SCALE / sizeof *SCALE - 1 };

/* A number for each vertex, NaN where there is none; groups: the number only names a group, from texts or from an
 * algorithm. */
typedef struct looks {
    double *value;
    bool groups;
    select_labels labels;
    const rows_column *named; /* an attribute whose values name the groups, or NULL */
} looks;

static const struct {
    const char *word, *algorithm;
} words[] = {{"component", "components"},
             {"community", "leiden"},
             {"core", "kcore"},
             {"rank", "pagerank"},
             {"degree", "degree"}};

static double number_at(const weft_column *c, size_t i) {
    switch (c->type) {
    case WEFT_U64: return (double)((const uint64_t *)c->data)[i];
    case WEFT_I64: return (double)((const int64_t *)c->data)[i];
    case WEFT_F32: return (double)((const float *)c->data)[i];
    case WEFT_F64: return ((const double *)c->data)[i];
    default: return ((const uint32_t *)c->data)[i]; /* u32, a vertex */
    }
}

static int by_algorithm(const answer *a, const char *name, looks *l) {
    const weft_algorithm_info *info = weft_algorithm_find(name);
    weft_plan *plan = NULL;
    weft_result *result = NULL;
    weft_status st = weft_plan_new(a->ctx, name, a->g, NULL, &plan);
    if (!st) st = weft_plan_run(plan, &result);
    const weft_column *c = st ? NULL : weft_result_column(result, info->groups ? info->groups : info->top_by);
    l->groups = info->groups != NULL;
    for (size_t v = 0; c && v < c->length; v++) l->value[v] = number_at(c, v);
    int code = st ? cli_fail_status(a->ctx, st) : EXIT_DONE;
    weft_result_free(result);
    weft_plan_free(plan);
    return code;
}

static void by_communities(const answer *a, looks *l) {
    l->groups = true;
    for (weft_vid v = 0; v < weft_graph_vertices(a->g); v++) l->value[v] = a->communities[v];
}

static const char *const *texts_to_sort; /* of the qsort below: one column at a time */
static int by_text(const void *a, const void *b) {
    weft_vid u = *(const weft_vid *)a, v = *(const weft_vid *)b;
    int order = strcmp(texts_to_sort[u], texts_to_sort[v]);
    return order ? order : (u > v) - (u < v);
}

/* Texts become groups, numbered in their order, unless all are numbers. */
static int from_texts(const char *const *texts, weft_vid n, looks *l) {
    weft_vid *order = cli_take(n ? n : 1, sizeof *order), count = 0;
    if (!order) return EXIT_MEMORY;
    for (weft_vid v = 0; v < n; v++) {
        char *end = NULL;
        l->value[v] = texts[v] ? strtod(texts[v], &end) : (double)NAN;
        if (!texts[v]) continue;
        order[count++] = v;
        l->groups |= end == texts[v] || *end;
    }
    if (l->groups) {
        double group = 0;
        texts_to_sort = texts;
        qsort(order, count, sizeof *order, by_text);
        for (weft_vid i = 0; i < count; i++) {
            if (i && strcmp(texts[order[i - 1]], texts[order[i]]) != 0) group++;
            l->value[order[i]] = group;
        }
    }
    free(order);
    return EXIT_DONE;
}

static const rows_column *column_called(const answer *a, const char *name) {
    for (size_t i = 1; i < a->main.column_count; i++) /* the first is the id */
        if (strcmp(a->main.columns[i].name, name) == 0) return &a->main.columns[i];
    return NULL;
}

static double column_number(const answer *a, const rows_column *c, size_t v) {
    if (c->type == CELL_VERTEX) return cell_vertex(c, v);
    if (cell_attribute_type(c) == WEFT_ATTRIBUTE_TEXT)
        return ((const uint32_t *)((const weft_attribute *)c->data)->values)[v];
    return cell_is_real(c) ? cell_real(c, v) : (double)cell_whole(a->g, c, v);
}

/* Texts and truth values are groups, and so are columns that an algorithm declares as groups. */
static int by_column(const answer *a, const rows_column *c, looks *l) {
    weft_vid n = weft_graph_vertices(a->g);
    weft_attribute_type type = cell_attribute_type(c);
    if (c->type == CELL_TEXT) {
        l->labels.texts = NULL; /* owned by the answer */
        l->named = c;
        return from_texts(c->data, n, l);
    }
    l->groups = c->groups || c->type == CELL_VERTEX || type == WEFT_ATTRIBUTE_TEXT || type == WEFT_ATTRIBUTE_BOOL;
    if (type == WEFT_ATTRIBUTE_TEXT || type == WEFT_ATTRIBUTE_BOOL) l->named = c;
    for (weft_vid v = 0; v < n; v++) l->value[v] = cell_is_none(c, v) ? (double)NAN : column_number(a, c, v);
    return EXIT_DONE;
}

static int look_up(const answer *a, const char *flag, const char *word, looks *l) {
    weft_vid n = weft_graph_vertices(a->g);
    l->groups = false;
    l->value = cli_take(n ? n : 1, sizeof *l->value);
    if (!l->value) return EXIT_MEMORY;
    if (a->communities && strcmp(word, "community") == 0) {
        by_communities(a, l);
        return EXIT_DONE;
    }
    const rows_column *column = column_called(a, word);
    if (column) return by_column(a, column, l);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i].word) == 0) return by_algorithm(a, words[i].algorithm, l);
    if (!strchr(word, ':'))
        return cli_fail(EXIT_USAGE,
                        "--%s is a column of the result, an attribute of the graph, component, community, core, rank, "
                        "degree or FILE:COLUMN, and '%s' is none of these",
                        flag, word);
    cli_options o = a->call->options;
    o.labels = word;
    int code = select_labels_open(a->ctx, &o, a->g, false, &l->labels);
    return code ? code : from_texts(l->labels.texts, n, l);
}

static void forget(looks *l) {
    free(l->value);
    select_labels_close(&l->labels);
}

/* --- what the legend says ---------------------------------------------------------------------- */

static void keep_name(char to[DRAW_NAME], const char *name) {
    snprintf(to, DRAW_NAME, "%.*s", (int)cli_text_bytes(name, 40), name);
}

/* The word, or the column of FILE:COLUMN. */
static void keep_word(char to[DRAW_NAME], const char *word) {
    const char *colon = strrchr(word, ':');
    keep_name(to, colon && colon[1] ? colon + 1 : word);
}

static void range_of(const double *value, weft_vid n, double *least, double *most) {
    *least = INFINITY, *most = -INFINITY;
    for (weft_vid v = 0; v < n; v++) {
        if (!isfinite(value[v])) continue;
        *least = fmin(*least, value[v]);
        *most = fmax(*most, value[v]);
    }
}

/* --- colours ---------------------------------------------------------------------------------- */

static draw_colour between(draw_colour a, draw_colour b, double t) {
    draw_colour mixed = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double x = (a >> shift) & 255, y = (b >> shift) & 255;
        mixed |= (draw_colour)(x + (y - x) * t + 0.5) << shift;
    }
    return mixed;
}

draw_colour draw_on_scale(double t) {
    double at = t * SCALE_STEPS;
    int i = at >= SCALE_STEPS ? SCALE_STEPS - 1 : (int)at;
    return between(SCALE[i], SCALE[i + 1], at - i);
}

typedef struct group {
    double value;
    weft_vid size;
} group;

static int by_group(const void *a, const void *b) {
    double x = ((const group *)a)->value, y = ((const group *)b)->value;
    return (x > y) - (x < y);
}
static int larger_first(const void *a, const void *b) {
    const group *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? 1 : -1;
    return (x->value > y->value) - (x->value < y->value);
}

/* The largest groups with two vertices or more; returns their number. */
static size_t find_groups(const double *value, weft_vid n, group *all) {
    size_t count = 0, kept = 0;
    for (weft_vid v = 0; v < n; v++)
        if (!isnan(value[v])) all[count++] = (group){value[v], 1};
    qsort(all, count, sizeof *all, by_group);
    for (size_t i = 0; i < count; i++) {
        if (kept && all[kept - 1].value == all[i].value)
            all[kept - 1].size++;
        else
            all[kept++] = all[i];
    }
    qsort(all, kept, sizeof *all, larger_first);
    while (kept && (kept > DRAW_GROUPS || all[kept - 1].size < 2)) kept--;
    return kept;
}

/* The name of a group: its text if texts made the groups, else the vertex that it is named after. */
static int name_group(const weft_graph *g, const looks *l, const char *word, group of, char to[DRAW_NAME]) {
    char name[DRAW_NAME] = "";
    cli_text count;
    weft_vid first = 0, n = weft_graph_vertices(g);
    while (first < n && l->value[first] != of.value) first++;
    if (l->labels.texts) keep_name(name, l->labels.texts[first]);
    if (l->named) {
        rows one = {.g = g, .names = cli_ids_are_names(g), .columns = l->named, .column_count = 1, .count = n};
        cell_text cell = {NULL, 0, 0};
        bool fine = cell_print(&one, l->named, first, &cell);
        if (fine) keep_name(name, cell.text);
        free(cell.text);
        if (!fine) return EXIT_MEMORY;
    }
    if (!l->labels.texts && !l->named) {
        char *id = cli_id_text(g, (weft_vid)of.value, false);
        snprintf(name, sizeof name, "%.30s %.40s", word, id ? id : "");
        free(id);
    }
    snprintf(to, DRAW_NAME, "%.70s: %s", name, cli_count(count, of.size));
    return EXIT_DONE;
}

static int colour_groups(const weft_graph *g, const looks *l, picture *p) {
    weft_vid n = p->rows.vertices, others = n;
    int code = EXIT_DONE;
    draw_legend *key = &p->legend;
    group *all = cli_take(n ? n : 1, sizeof *all);
    cli_text text;
    if (!all) return EXIT_MEMORY;
    size_t count = find_groups(l->value, n, all);
    for (weft_vid v = 0; v < n; v++) {
        p->colour[v] = OTHERS;
        for (size_t k = 0; k < count; k++)
            if (all[k].value == l->value[v]) p->colour[v] = GROUPS[k];
    }
    for (size_t k = 0; k < count && !code; k++) {
        code = name_group(g, l, key->colour, all[k], key->group[k].name);
        key->group[k].colour = GROUPS[k];
        others -= all[k].size;
    }
    key->groups = true;
    key->group_count = count + (others > 0);
    if (others) {
        snprintf(key->group[count].name, DRAW_NAME, "others: %s", cli_count(text, others));
        key->group[count].colour = OTHERS;
    }
    free(all);
    return code;
}

/* Scales values to 0 ... 1; values that are not finite become 0. */
static void normalise(double *value, weft_vid n, double least, double most) {
    for (weft_vid v = 0; v < n; v++)
        value[v] = isfinite(value[v]) && most > least ? (value[v] - least) / (most - least) : 0;
}

int draw_colours(const answer *a, picture *p) {
    const char *word = a->call->options.draw.colour;
    weft_vid n = p->rows.vertices;
    draw_legend *key = &p->legend;
    looks l = {0};
    if (!word) {
        for (weft_vid v = 0; v < n; v++) p->colour[v] = a->call->options.draw.dark ? ALIKE_DARK : ALIKE;
        return EXIT_DONE;
    }
    int code = look_up(a, "colour", word, &l);
    keep_word(key->colour, word);
    if (!code && l.groups) code = colour_groups(a->g, &l, p);
    if (!code && !l.groups) {
        range_of(l.value, n, &key->colour_least, &key->colour_most);
        double least = key->colour_least, most = key->colour_most;
        for (weft_vid v = 0; v < n; v++) {
            double t = isfinite(l.value[v]) && most > least ? (l.value[v] - least) / (most - least) : 0;
            p->colour[v] = isnan(l.value[v]) ? OTHERS : draw_on_scale(t);
        }
    }
    forget(&l);
    return code;
}

int draw_sizes(const answer *a, picture *p, double **size) {
    const char *word = a->call->options.draw.size;
    looks l = {0};
    *size = NULL;
    if (!word) return EXIT_DONE;
    int code = look_up(a, "size", word, &l);
    if (!code && l.groups) code = cli_fail(EXIT_USAGE, "--size is by numbers, and '%s' has groups", word);
    if (!code) {
        keep_word(p->legend.size, word);
        range_of(l.value, p->rows.vertices, &p->legend.size_least, &p->legend.size_most);
        normalise(l.value, p->rows.vertices, p->legend.size_least, p->legend.size_most);
        *size = l.value;
        l.value = NULL;
    }
    forget(&l);
    return code;
}

int draw_graph_looks(const answer *a, graph_looks *to) {
    const cli_options *o = &a->call->options;
    weft_vid n = weft_graph_vertices(a->g);
    picture p = {.ctx = a->ctx, .g = a->g, .rows = {.vertices = n}};
    double *size = NULL;
    *to = (graph_looks){.placed = draw_can(a->call)};
    if (o->draw.colour && !(p.colour = cli_take(n, sizeof *p.colour))) return EXIT_MEMORY;
    int code = o->draw.colour ? draw_colours(a, &p) : EXIT_DONE;
    if (!code) code = draw_sizes(a, &p, &size);
    to->colour = p.colour;
    to->size = size;
    if (code) draw_forget_looks(to);
    return code;
}

void draw_forget_looks(graph_looks *of) {
    free((void *)(uintptr_t)of->colour);
    free((void *)(uintptr_t)of->size);
    *of = (graph_looks){0};
}

int draw_importance(const answer *a, double **importance) {
    const char *word = a->call->options.draw.size;
    looks l = {0};
    int code = look_up(a, "size", word ? word : "rank", &l);
    *importance = code ? NULL : l.value;
    if (!code) l.value = NULL;
    forget(&l);
    return code;
}
