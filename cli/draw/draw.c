/* weft layout -o picture.svg or .png: a picture from columns x and y.  Its width is --width, its height follows from
 * the layout; edges are fainter the more there are.  Beyond a number of pixels of lines only a part of them is drawn,
 * chosen by a hash of their ends, and a note says so. */
#include "draw/draw.h"
#include "weft/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MARGIN = 0.03, MOST_LINE = 1.5e8; /* pixels of lines in a .png */
enum { MOST_SVG_EDGES = 200000 };

static bool ends_in(const char *path, const char *extension) {
    size_t length = strlen(path), tail = strlen(extension);
    return length > tail && strcasecmp(path + length - tail, extension) == 0;
}

bool draw_can(const cli_call *call) {
    return call->algorithm && cli_uses(&cli_algorithm_command, call->algorithm) & USE_DRAW;
}

bool draw_wanted(const cli_call *call) {
    const char *out = call->options.output;
    return draw_can(call) && out && (ends_in(out, ".svg") || ends_in(out, ".png"));
}

bool draw_labels_are_ids(const cli_call *call) {
    const char *labels = call->options.labels;
    return draw_wanted(call) && labels && strcmp(labels, "id") == 0;
}

static bool by_community(const cli_call *call) {
    const char *colour = call->options.draw.colour;
    return draw_can(call) && colour && strcmp(colour, "community") == 0;
}

/* --colour and --size are refused where there are no rows of vertices: rows of edges, or a list. */
static const char *other_rows(const cli_call *call) {
    bool vertices = !call->algorithm;
    for (size_t i = 0; !vertices && i < call->algorithm->result_count; i++)
        vertices = weft_algorithm_result_at(call->algorithm, i)->shape == WEFT_SHAPE_VERTICES;
    for (size_t i = 0; call->algorithm && i < call->algorithm->param_count; i++) {
        const weft_param_info *p = weft_algorithm_param_at(call->algorithm, i);
        if (p->type == WEFT_PARAM_BOOL && !strcmp(p->name, "edges") && *(int *)((char *)call->params + p->offset))
            return "edges";
    }
    return vertices ? NULL : answer_lists(call->algorithm) ? "no vertices" : "edges";
}

int draw_check(const cli_call *call) {
    const cli_options *o = &call->options;
    bool looks = (o->draw.colour && !by_community(call)) || o->draw.size;
    bool asked =
        o->draw.dark || o->draw.title || o->draw.arrows || CLI_GIVEN(o, draw.line_width) || CLI_GIVEN(o, draw.width);
    if (looks && other_rows(call))
        return cli_fail(EXIT_USAGE, "--colour and --size are about vertices, and the rows of %s are %s", call->name,
                        other_rows(call));
    if (looks && !draw_wanted(call) && !graph_out_keeps_looks(o))
        return cli_fail(EXIT_USAGE, draw_can(call)
                                        ? "--colour (but for community, which changes places) and --size are for "
                                          "pictures and for Gephi: -o FILE.svg, .png or .gexf"
                                        : "--colour and --size are for Gephi: -o FILE.gexf");
    if (draw_wanted(call) && select_flag(o))
        return cli_fail(EXIT_USAGE, "%s is about rows, and -o %s is a picture of the whole graph", select_flag(o),
                        o->output);
    if (asked && !draw_wanted(call))
        return cli_fail(EXIT_USAGE, "--width, --dark, --title, --arrows and --line-width are for pictures: "
                                    "-o FILE.svg or -o FILE.png");
    return EXIT_DONE;
}

int draw_find_groups(answer *a) {
    weft_layout_params *p = by_community(a->call) ? a->call->params : NULL;
    if (!p || p->groups) return EXIT_DONE;
    weft_vid *community = cli_take(weft_graph_vertices(a->g), sizeof *community);
    if (!community) return EXIT_MEMORY;
    p->groups = a->communities = community; /* freed with the other parameters */
    /* A plan counts the bytes of groups, whatever their values. */
    return a->call->options.plan ? EXIT_DONE : cli_find_communities(a->ctx, &a->call->options, a->g, community);
}

/* --- geometry ---------------------------------------------------------------------------- */

typedef struct box {
    double x0, y0, x1, y1;
} box;

static box box_of(const float *x, const float *y, weft_vid n) {
    box b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (weft_vid v = 0; v < n; v++) {
        b.x0 = fmin(b.x0, (double)x[v]);
        b.x1 = fmax(b.x1, (double)x[v]);
        b.y0 = fmin(b.y0, (double)y[v]);
        b.y1 = fmax(b.y1, (double)y[v]);
    }
    return n ? b : (box){0, 0, 0, 0};
}

/* Scales the layout into the picture, whose ratio of height to width is at least 1 to 4 and at most 3 to 2. */
void draw_place(picture *p, const float *x, const float *y) {
    weft_vid n = p->rows.vertices;
    box b = box_of(x, y, n);
    double wide = b.x1 - b.x0, high = b.y1 - b.y0, margin = MARGIN * p->width, inner = p->width - 2 * margin;
    double ratio = wide > 0 ? high / wide : high > 0 ? 1.5 : 0.25;
    ratio = fmin(fmax(ratio, 0.25), 1.5);
    double height = inner * ratio + 2 * margin;
    p->height = (unsigned)((double)p->top + height);
    p->bottom = (float)p->height;
    double scale = fmin(wide > 0 ? inner / wide : INFINITY, high > 0 ? inner * ratio / high : INFINITY);
    if (!isfinite(scale)) scale = 1;
    for (weft_vid v = 0; v < n; v++) {
        p->x[v] = (float)(p->width / 2.0 + ((double)x[v] - (b.x0 + b.x1) / 2) * scale);
        p->y[v] =
            (float)((double)p->top + (p->height - (double)p->top) / 2 - ((double)y[v] - (b.y0 + b.y1) / 2) * scale);
    }
}

static uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

bool draw_has_edge(const picture *p, weft_vid u, weft_eid e) {
    weft_vid v = p->rows.targets[e];
    if (u == v) return false;
    if (e > p->rows.offsets[u] && p->rows.targets[e - 1] == v) return false;
    if (u > v && (!weft_graph_directed(p->g) || weft_graph_has_arc(p->g, v, u, NULL))) return false;
    return p->kept >= 1 || (double)mixed((uint64_t)u << 32 | v) < p->kept * 0x1p64;
}

void draw_choose_lines(picture *p, bool vector) {
    double length = 0, count = 0, area = (double)p->width * p->height;
    for (weft_vid u = 0; u < p->rows.vertices; u++)
        for (weft_eid e = p->rows.offsets[u]; e < p->rows.offsets[u + 1]; e++) {
            weft_vid v = p->rows.targets[e];
            if (u >= v && !weft_graph_directed(p->g)) continue;
            length += hypot((double)(p->x[u] - p->x[v]), (double)(p->y[u] - p->y[v]));
            count++;
        }
    double most = vector ? MOST_SVG_EDGES / count : MOST_LINE / length;
    p->kept = most < 1 ? most : 1;
    p->line_width = count < 2000 ? 1.2f : count < 20000 ? 0.9f : 0.7f;
    double ink = length * p->kept * (double)p->line_width;
    p->line_alpha = (float)fmin(0.6, fmax(0.03, 0.5 * area / fmax(ink, 1)));
}

/* --- lines by weight, and arrows --------------------------------------------------------- */

static double weight_at(const picture *p, weft_eid e) {
    switch (p->weights) {
    case WEFT_WEIGHT_U32: return ((const uint32_t *)p->rows.weights)[e];
    case WEFT_WEIGHT_F32: return fabs((double)((const float *)p->rows.weights)[e]);
    default: return fabs(((const double *)p->rows.weights)[e]);
    }
}

static int choose_weights(const cli_options *o, picture *p) {
    enum { AUTO, EVEN, WEIGHT };
    weft_graph_info info = {.size = sizeof info};
    weft_status st = weft_graph_describe(p->ctx, p->g, &info);
    if (st) return cli_fail_status(p->ctx, st);
    if (o->draw.line_width == WEIGHT && info.weight_type == WEFT_WEIGHT_NONE)
        return cli_fail(EXIT_USAGE, "--line-width weight: the graph has no weights");
    if (o->draw.arrows && !info.directed)
        return cli_fail(EXIT_USAGE, "--arrows: the graph is undirected, its edges have no direction");
    p->arrows = o->draw.arrows;
    if (o->draw.line_width == EVEN || info.weight_type == WEFT_WEIGHT_NONE) return EXIT_DONE;
    p->weights = info.weight_type;
    p->negative = info.min_weight < 0;
    p->weight_least = INFINITY;
    for (weft_eid e = 0; e < p->rows.arcs; e++) {
        p->weight_least = fmin(p->weight_least, weight_at(p, e));
        p->weight_most = fmax(p->weight_most, weight_at(p, e));
    }
    if (!(p->weight_most > p->weight_least)) p->weights = WEFT_WEIGHT_NONE;
    return EXIT_DONE;
}

/* The weight of a line: the larger one of an arc and its reverse, which share a line. */
unsigned draw_class(const picture *p, weft_vid u, weft_eid e) {
    weft_eid back;
    if (p->weights == WEFT_WEIGHT_NONE) return 0;
    double weight = weight_at(p, e);
    if (weft_graph_directed(p->g) && weft_graph_has_arc(p->g, p->rows.targets[e], u, &back))
        weight = fmax(weight, weight_at(p, back));
    double share = sqrt((weight - p->weight_least) / (p->weight_most - p->weight_least));
    return share < 1 ? (unsigned)(share * DRAW_WIDTHS) : DRAW_WIDTHS - 1;
}

float draw_width(const picture *p, unsigned class) {
    return p->weights == WEFT_WEIGHT_NONE ? p->line_width : p->line_width * (0.6f + 0.75f * (float)class);
}

/* The tip of an arrow touches the disc of the target. */
static bool head_at(const picture *p, weft_vid u, weft_vid v, draw_head *head) {
    float dx = p->x[v] - p->x[u], dy = p->y[v] - p->y[u], far = hypotf(dx, dy), gap = far - p->radius[u] - p->radius[v];
    if (!(gap > 1)) return false;
    dx /= far;
    dy /= far;
    *head = (draw_head){p->x[v] - dx * p->radius[v], p->y[v] - dy * p->radius[v], dx, dy,
                        fminf(gap * 0.5f, 4 + 3 * p->line_width)};
    return true;
}

size_t draw_heads(const picture *p, weft_vid u, weft_eid e, draw_head heads[2]) {
    weft_vid v = p->rows.targets[e];
    size_t count = head_at(p, u, v, &heads[0]);
    if (weft_graph_has_arc(p->g, v, u, NULL)) count += head_at(p, v, u, &heads[count]);
    return count;
}

/* --- vertices ------------------------------------------------------------------------------ */

static const float *by_radius; /* of the qsort below: one picture at a time */
static int smaller_first(const void *a, const void *b) {
    weft_vid u = *(const weft_vid *)a, v = *(const weft_vid *)b;
    if (by_radius[u] != by_radius[v]) return by_radius[u] < by_radius[v] ? -1 : 1;
    return (u > v) - (u < v);
}

static int size_vertices(const answer *a, picture *p) {
    double *size = NULL, n = fmax(1, p->rows.vertices);
    int code = draw_sizes(a, p, &size);
    if (code) return code;
    double base = fmin(7, fmax(0.7, 0.22 * sqrt((double)p->width * (double)(p->bottom - p->top) / n)));
    p->base_radius = (float)base;
    for (weft_vid v = 0; v < p->rows.vertices; v++) {
        p->radius[v] = (float)(size ? base * (0.5 + 2.5 * sqrt(size[v])) : base);
        p->order[v] = v;
    }
    free(size);
    by_radius = p->radius;
    qsort(p->order, p->rows.vertices, sizeof *p->order, smaller_first);
    return EXIT_DONE;
}

/* --- all of it -------------------------------------------------------------------------------- */

static int take(picture *p) {
    size_t n = p->rows.vertices ? p->rows.vertices : 1;
    p->x = cli_take(n, sizeof *p->x);
    p->y = cli_take(n, sizeof *p->y);
    p->radius = cli_take(n, sizeof *p->radius);
    p->colour = cli_take(n, sizeof *p->colour);
    p->order = cli_take(n, sizeof *p->order);
    return p->x && p->y && p->radius && p->colour && p->order ? EXIT_DONE : EXIT_MEMORY;
}

static void forget(picture *p) {
    free(p->x);
    free(p->y);
    free(p->radius);
    free(p->colour);
    free(p->order);
    draw_forget_words(p);
}

static int compose(const answer *a, picture *p, bool vector) {
    const cli_options *o = &a->call->options;
    int code = choose_weights(o, p);
    if (!code) code = draw_title(p, o->draw.title);
    if (!code) draw_place(p, weft_result_f32(a->result, "x"), weft_result_f32(a->result, "y"));
    if (!code) draw_choose_lines(p, vector);
    if (!code) code = draw_colours(a, p);
    if (!code) code = size_vertices(a, p);
    if (!code) code = draw_labels(a, p, vector);
    return code ? code : draw_put_legend(p);
}

int draw_save(const answer *a) {
    const cli_options *o = &a->call->options;
    bool vector = ends_in(o->output, ".svg"), dark = o->draw.dark;
    picture p = {.ctx = a->ctx,
                 .g = a->g,
                 .rows = {.size = sizeof p.rows},
                 .width = (unsigned)o->draw.width,
                 .text = (float)fmin(30, fmax(9, (double)o->draw.width / 100)),
                 .background = dark ? 0x14161a : 0xffffff,
                 .line = dark ? 0x9aa4b2 : 0x5b6470,
                 .ink = dark ? 0xe8eaed : 0x1b1d21};
    weft_status st = weft_graph_out(a->ctx, a->g, &p.rows);
    int code = st ? cli_fail_status(a->ctx, st) : take(&p);
    if (!code) code = compose(a, &p, vector);
    if (!code) {
        out_file out;
        code = out_open(&out, o->output);
        if (!code) code = vector ? draw_svg(&p, out.to) : draw_png(&p, out.to);
        code = out_close(&out, code);
    }
    if (!code && p.kept < 1)
        cli_note(o, "%.0f %% of the edges are drawn: all of them would cover each other", 100 * p.kept);
    forget(&p);
    return code;
}
