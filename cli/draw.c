/* weft layout -o picture.svg or .png: a picture from columns x and y.  It is as wide as --width and as high as the layout asks for; edges are drawn
 * the fainter the more there are, and beyond so many pixels of lines only a part of them, chosen by a hash of their ends, which is said. */
#include "draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MARGIN = 0.03, MOST_LINE = 1.5e8; /* pixels of lines in a .png */
enum { MOST_SVG_EDGES = 200000, MOST_LABELS = 60 };

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

int draw_check(const cli_call *call) {
    const cli_options *o = &call->options;
    bool asked = o->colour || o->size_by || o->dark || o->width != cli_options_standard.width;
    if (asked && !draw_wanted(call))
        return cli_fail(EXIT_USAGE, "--colour, --size, --width and --dark are for pictures: -o FILE.svg or -o FILE.png");
    if (draw_wanted(call) && o->labels && ends_in(o->output, ".png"))
        return cli_fail(EXIT_USAGE, "a .png has no labels; draw an .svg");
    return EXIT_DONE;
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

/* Into the picture, which is never flatter than 1 to 4 or higher than 3 to 2. */
static void place_vertices(picture *p, const float *x, const float *y, weft_vid n) {
    box b = box_of(x, y, n);
    double wide = b.x1 - b.x0, high = b.y1 - b.y0, margin = MARGIN * p->width, inner = p->width - 2 * margin;
    double ratio = wide > 0 ? high / wide : high > 0 ? 1.5 : 0.25;
    ratio = fmin(fmax(ratio, 0.25), 1.5);
    p->height = (unsigned)(inner * ratio + 2 * margin);
    double scale = fmin(wide > 0 ? inner / wide : INFINITY, high > 0 ? inner * ratio / high : INFINITY);
    if (!isfinite(scale)) scale = 1;
    for (weft_vid v = 0; v < n; v++) {
        p->x[v] = (float)(p->width / 2.0 + ((double)x[v] - (b.x0 + b.x1) / 2) * scale);
        p->y[v] = (float)(p->height / 2.0 - ((double)y[v] - (b.y0 + b.y1) / 2) * scale);
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

/* How faint edges are, and how many of them are drawn. */
static void choose_lines(picture *p, bool vector) {
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

/* --- vertices ------------------------------------------------------------------------------ */

static const float *by_radius; /* of the qsort below: one picture at a time */
static int smaller_first(const void *a, const void *b) {
    weft_vid u = *(const weft_vid *)a, v = *(const weft_vid *)b;
    if (by_radius[u] != by_radius[v]) return by_radius[u] < by_radius[v] ? -1 : 1;
    return (u > v) - (u < v);
}

static int size_vertices(const answer *a, picture *p) {
    double *weight = NULL, n = fmax(1, p->rows.vertices);
    int code = draw_weights(a, &weight);
    if (code) return code;
    double base = fmin(7, fmax(0.7, 0.22 * sqrt((double)p->width * p->height / n)));
    for (weft_vid v = 0; v < p->rows.vertices; v++) {
        p->radius[v] = (float)(weight ? base * (0.5 + 2.5 * sqrt(weight[v])) : base);
        p->order[v] = v;
    }
    free(weight);
    by_radius = p->radius;
    qsort(p->order, p->rows.vertices, sizeof *p->order, smaller_first);
    return EXIT_DONE;
}

/* --- labels -------------------------------------------------------------------------------- */

static bool meets(const draw_label *a, const draw_label *b) {
    float wide_a = 0.3f * a->size * (float)cli_text_width(a->text), wide_b = 0.3f * b->size * (float)cli_text_width(b->text);
    return fabsf(a->x - b->x) < wide_a + wide_b && fabsf(a->y - b->y) < (a->size + b->size) * 0.6f;
}

/* Names of the largest vertices that have one, where it stands in no other's way; of vertices alike, the busiest. */
static int place_labels(const answer *a, picture *p) {
    if (!a->labels.texts) return EXIT_DONE;
    p->labels = cli_take(MOST_LABELS, sizeof *p->labels);
    if (!p->labels) return EXIT_MEMORY;
    for (weft_vid i = p->rows.vertices; i-- > 0 && p->label_count < MOST_LABELS;) {
        weft_vid v = p->order[i];
        draw_label l = {p->x[v], p->y[v] - p->radius[v] - 3, 12, a->labels.texts[v], v};
        bool fits = l.text && l.y > l.size;
        for (size_t k = 0; k < p->label_count && fits; k++) fits = !meets(&l, &p->labels[k]);
        if (fits) p->labels[p->label_count++] = l;
    }
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

int draw_save(const answer *a) {
    const cli_options *o = &a->call->options;
    bool vector = ends_in(o->output, ".svg"), dark = o->dark;
    picture p = {.ctx = a->ctx,
                 .g = a->g,
                 .rows = {.size = sizeof p.rows},
                 .width = (unsigned)o->width,
                 .background = dark ? 0x14161a : 0xffffff,
                 .line = dark ? 0x9aa4b2 : 0x5b6470,
                 .ink = dark ? 0xe8eaed : 0x1b1d21};
    weft_status st = weft_graph_out(a->ctx, a->g, &p.rows);
    int code = st ? cli_fail_status(a->ctx, st) : take(&p);
    if (!code) {
        place_vertices(&p, weft_result_f32(a->result, "x"), weft_result_f32(a->result, "y"), p.rows.vertices);
        choose_lines(&p, vector);
        code = draw_colours(a, &p);
    }
    if (!code) code = size_vertices(a, &p);
    if (!code) code = place_labels(a, &p);
    if (!code) {
        out_file out;
        code = out_open(&out, o->output);
        if (!code) code = vector ? draw_svg(&p, out.to) : draw_png(&p, out.to);
        code = out_close(&out, code);
    }
    if (!code && p.kept < 1) cli_note(o, "of the edges %.0f %% are drawn: all of them would cover each other", 100 * p.kept);
    free(p.x);
    free(p.y);
    free(p.radius);
    free(p.colour);
    free(p.order);
    free(p.labels);
    return code;
}
