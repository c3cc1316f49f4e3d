/* The words of a picture: a title above, names beside the most important vertices, a legend below.  Names are placed by
 * importance, one after the other, above, below or beside their disc, where they cover no earlier name, and are moved
 * and cut so that no letter is outside the picture.  Widths are those of stroke_font.c: an .svg's own font may be
 * somewhat wider. */
#include "draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LABELS = 60, MOST_TEXTS = MOST_LABELS + 32, MOST_SHAPES = 96, SCALE_BOXES = 24 };
static const float WIDEST_LABEL = 0.35f,
                   ROOM = 1.12f; /* shares of the picture, and of a text's width for other fonts */

/* The text takes ownership of the string. */
static int add_text(picture *p, char *text, float x, float y, float size) {
    if (!p->texts) p->texts = cli_take(MOST_TEXTS, sizeof *p->texts);
    if (!p->texts || !text || p->text_count == MOST_TEXTS) {
        free(text);
        return p->texts && text ? EXIT_DONE : EXIT_MEMORY;
    }
    p->texts[p->text_count++] =
        (draw_text){.text = text, .x = x, .y = y, .size = size, .width = font_width(text, size)};
    return EXIT_DONE;
}

void draw_forget_words(picture *p) {
    for (size_t i = 0; i < p->text_count; i++) free(p->texts[i].text);
    free(p->texts);
    free(p->shapes);
}

/* A copy no wider than `width` pixels: a cut text ends in dots.  Control characters become blanks. */
static char *cut(const char *text, float size, float widest) {
    char *copy = malloc(strlen(text) + 4);
    if (!copy) return NULL;
    strcpy(copy, text);
    for (char *at = copy; *at; at++)
        if ((unsigned char)*at < 32 || *at == 127) *at = ' ';
    for (size_t letters = cli_text_width(copy); letters > 1 && font_width(copy, size) > widest;)
        strcpy(copy + cli_text_bytes(text, --letters), "\u2026");
    return copy;
}

/* --- the title ---------------------------------------------------------------------------- */

int draw_title(picture *p, const char *title) {
    float size = 1.7f * p->text, margin = p->text;
    if (!title || !*title) return EXIT_DONE;
    p->top = 2.4f * size;
    int code = add_text(p, cut(title, size, ((float)p->width - 2 * margin) / ROOM), margin, 1.6f * size, size);
    return code;
}

/* --- names of vertices ---------------------------------------------------------------------- */

static bool overlap(const draw_text *a, const draw_text *b) {
    float between = 0.5f * a->size; /* touching names would read as one */
    return a->x < b->x + b->width * ROOM + between && b->x < a->x + a->width * ROOM + between &&
           a->y - 0.85f * a->size < b->y + 0.3f * b->size && b->y - 0.85f * b->size < a->y + 0.3f * a->size;
}

/* Moves a text into the picture. */
static void fit(const picture *p, draw_text *t) {
    float wide = t->width * ROOM, left = 2, right = (float)p->width - 2 - wide, x = t->x;
    t->x = fmaxf(left, fminf(t->x, right));
    t->y = fmaxf(p->top + t->size, fminf(t->y, p->bottom - 0.35f * t->size));
    t->fitted = t->x != x || t->x + wide > right + wide - 1;
}

/* Takes the first of four places where the name covers no other. */
static bool place(const picture *p, weft_vid v, draw_text *t) {
    float r = p->radius[v] + 3, x = p->x[v], y = p->y[v], half = t->width / 2, down = 0.35f * t->size;
    const float places[][2] = {
        {x - half, y - r}, {x - half, y + r + 0.75f * t->size}, {x + r, y + down}, {x - r - t->width, y + down}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        bool covers = false;
        t->x = places[i][0];
        t->y = places[i][1];
        fit(p, t);
        for (size_t k = 0; k < p->text_count && !covers; k++) covers = p->texts[k].label && overlap(t, &p->texts[k]);
        if (!covers) return true;
    }
    return false;
}

/* The name of a vertex: its label, or its id if the font lacks a letter of the label.  free() it; NULL with *code: no
 * memory. */
static char *name_of(const answer *a, const picture *p, weft_vid v, bool vector, size_t *unwritten, int *code) {
    const char *label = a->labels.texts ? a->labels.texts[v] : NULL;
    char *id = NULL, *name = NULL;
    if (a->labels.texts && !label) return NULL;
    bool lacks = label && !vector && !font_has(label);
    if (!label || lacks) id = cli_id_text(a->g, v, false);
    *unwritten += lacks;
    name = (!label || lacks) && !id
               ? NULL
               : cut(id && (!label || font_has(id)) ? id : label, p->text, WIDEST_LABEL * (float)p->width);
    free(id);
    if (!name) *code = EXIT_MEMORY;
    return name;
}

static const double *by_importance; /* of the qsort below: one picture at a time */
static int more_first(const void *a, const void *b) {
    weft_vid u = *(const weft_vid *)a, v = *(const weft_vid *)b;
    if (by_importance[u] != by_importance[v]) return by_importance[u] > by_importance[v] ? -1 : 1;
    return (u > v) - (u < v);
}

static int put_labels(const answer *a, picture *p, const weft_vid *order, bool vector) {
    size_t unwritten = 0, labels = 0;
    int code = EXIT_DONE;
    for (weft_vid i = 0; i < p->rows.vertices && labels < MOST_LABELS && !code; i++) {
        char *name = name_of(a, p, order[i], vector, &unwritten, &code);
        if (!name) continue;
        draw_text t = {.size = p->text, .width = font_width(name, p->text), .label = true};
        if (!*name || !place(p, order[i], &t)) {
            free(name);
            continue;
        }
        code = add_text(p, name, t.x, t.y, t.size);
        p->texts[p->text_count - 1].label = true;
        p->texts[p->text_count - 1].fitted = t.fitted;
        labels++;
    }
    if (!code && unwritten)
        cli_note(&a->call->options,
                 "%zu label%s letters that a .png has not: those vertices have their id; an .svg has all letters",
                 unwritten, unwritten == 1 ? " has" : "s have");
    return code;
}

int draw_labels(const answer *a, picture *p, bool vector) {
    if (!a->call->options.labels && !a->call->options.label) return EXIT_DONE;
    double *importance = NULL;
    weft_vid *order = cli_take(p->rows.vertices ? p->rows.vertices : 1, sizeof *order);
    int code = order ? draw_importance(a, &importance) : EXIT_MEMORY;
    if (!code) {
        for (weft_vid v = 0; v < p->rows.vertices; v++) order[v] = v;
        for (weft_vid v = 0; v < p->rows.vertices; v++)
            if (isnan(importance[v])) importance[v] = -INFINITY;
        by_importance = importance;
        qsort(order, p->rows.vertices, sizeof *order, more_first);
        code = put_labels(a, p, order, vector);
    }
    free(importance);
    free(order);
    return code;
}

/* --- the legend -------------------------------------------------------------------------------- */

/* The position of the next entry. */
typedef struct cursor {
    picture *p;
    float x, y;
    int code;
} cursor;

static void add_shape(cursor *c, draw_shape shape) {
    picture *p = c->p;
    if (!p->shapes) p->shapes = cli_take(MOST_SHAPES, sizeof *p->shapes);
    if (!p->shapes) c->code = EXIT_MEMORY;
    if (p->shapes && p->shape_count < MOST_SHAPES) p->shapes[p->shape_count++] = shape;
}

/* Reserves `width` on the line, or on the next line; returns its beginning. */
static float take(cursor *c, float width) {
    float margin = c->p->text;
    if (c->x > margin && c->x + width > (float)c->p->width - margin) {
        c->x = margin;
        c->y += 1.7f * c->p->text;
    }
    float at = c->x;
    c->x += width;
    return at;
}

static void word(cursor *c, const char *text, float gap) {
    float size = c->p->text, width = font_width(text, size) * ROOM + gap * size, at = take(c, width);
    int code = add_text(c->p, strdup(text), at, c->y, size);
    if (code) c->code = code;
}

static void value(cursor *c, double x, float gap) {
    cli_text buffer;
    char text[40];
    if (x == floor(x) && fabs(x) < 1e15)
        snprintf(text, sizeof text, "%s%s", x < 0 ? "-" : "", cli_count(buffer, (uint64_t)fabs(x)));
    else
        snprintf(text, sizeof text, "%.4g", x);
    word(c, text, gap);
}

static void disc(cursor *c, float radius, draw_colour colour) {
    float at = take(c, 2 * radius + 0.5f * c->p->text);
    add_shape(c, (draw_shape){SHAPE_DISC, at + radius, c->y - 0.35f * c->p->text, radius, 0, colour});
}

static void heading(cursor *c, const char *what, const char *name) {
    char text[DRAW_NAME + 24];
    snprintf(text, sizeof text, "%s: %s", what, name);
    if (c->x > c->p->text) { /* each on a line of its own */
        c->x = c->p->text;
        c->y += 1.7f * c->p->text;
    }
    word(c, text, 1.2f);
}

static void put_colours(cursor *c) {
    const draw_legend *key = &c->p->legend;
    float size = c->p->text, wide = 0.45f * size;
    heading(c, "colour", key->colour);
    for (size_t k = 0; key->groups && k < key->group_count; k++) {
        float width = 1.3f * size + (font_width(key->group[k].name, size)) * ROOM;
        if (c->x + width > (float)c->p->width - size)
            c->x = (float)c->p->width; /* a disc and its name stay on one line */
        disc(c, 0.4f * size, key->group[k].colour);
        word(c, key->group[k].name, 1);
    }
    if (key->groups || !(key->colour_most >= key->colour_least)) return;
    value(c, key->colour_least, 0.5f);
    float at = take(c, (SCALE_BOXES + 1) * wide);
    for (int i = 0; i < SCALE_BOXES; i++)
        add_shape(c, (draw_shape){SHAPE_BOX, floorf(at + (float)i * wide), c->y - 0.75f * size, wide + 1, 0.8f * size,
                                  draw_on_scale((i + 0.5) / SCALE_BOXES)});
    value(c, key->colour_most, 1);
}

static void put_sizes(cursor *c) {
    const picture *p = c->p;
    draw_colour colour = p->colour && p->rows.vertices && !p->legend.colour[0] ? p->colour[0] : p->line;
    heading(c, "size", p->legend.size);
    disc(c, fmaxf(0.5f * p->base_radius, 0.8f), colour);
    value(c, p->legend.size_least, 1);
    disc(c, fminf(3 * p->base_radius, 0.9f * p->text), colour);
    value(c, p->legend.size_most, 1);
}

static void put_widths(cursor *c) {
    const picture *p = c->p;
    const double ends[] = {p->weight_least, p->weight_most};
    heading(c, "line width", p->negative ? "weight, regardless of sign" : "weight");
    for (unsigned i = 0; i < 2; i++) {
        float at = take(c, 2.5f * p->text);
        add_shape(c, (draw_shape){SHAPE_LINE, at, c->y - 0.35f * p->text, 2 * p->text,
                                  draw_width(p, i ? DRAW_WIDTHS - 1 : 0), p->line});
        value(c, ends[i], 1);
    }
}

int draw_put_legend(picture *p) {
    cursor c = {p, p->text, p->bottom + 1.2f * p->text, EXIT_DONE};
    bool sizes = p->legend.size[0] && p->legend.size_most > p->legend.size_least,
         widths = p->weights != WEFT_WEIGHT_NONE;
    if (!p->legend.colour[0] && !sizes && !widths) return EXIT_DONE;
    if (p->legend.colour[0]) put_colours(&c);
    if (sizes) put_sizes(&c);
    if (widths) put_widths(&c);
    p->height = (unsigned)(c.y + 1.2f * p->text);
    return c.code;
}
