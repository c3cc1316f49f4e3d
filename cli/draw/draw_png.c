/* A picture as PNG: lines, then discs, then the shapes of the legend, then words. */
#include "draw/draw.h"

static void put_edge(const picture *p, raster *r, weft_vid u, weft_eid e) {
    weft_vid v = p->rows.targets[e];
    draw_head heads[2];
    raster_segment line = {p->x[u], p->y[u], p->x[v], p->y[v]};
    raster_line(r, line, draw_width(p, draw_class(p, u, e)), p->line_alpha);
    size_t count = p->arrows ? draw_heads(p, u, e, heads) : 0;
    for (size_t i = 0; i < count; i++) raster_arrow(r, heads[i], p->line_alpha);
}

void draw_edges(const picture *p, raster *r) {
    for (weft_vid u = 0; u < p->rows.vertices && !cli_interrupted(); u++)
        for (weft_eid e = p->rows.offsets[u]; e < p->rows.offsets[u + 1]; e++)
            if (draw_has_edge(p, u, e)) put_edge(p, r, u, e);
}

static void put_vertices(const picture *p, raster *r) {
    for (weft_vid i = 0; i < p->rows.vertices && !cli_interrupted(); i++) {
        weft_vid v = p->order[i];
        if (p->radius[v] > 2) raster_disc(r, p->x[v], p->y[v], p->radius[v] + 0.7f, p->background); /* a rim */
        raster_disc(r, p->x[v], p->y[v], p->radius[v], p->colour[v]);
    }
}

static void put_words(const picture *p, raster *r) {
    for (size_t i = 0; i < p->shape_count; i++) {
        const draw_shape *s = &p->shapes[i];
        if (s->kind == SHAPE_DISC) raster_disc(r, s->x, s->y, s->width, s->colour);
        if (s->kind == SHAPE_BOX) raster_box(r, s->x, s->y, s->width, s->height, s->colour);
        if (s->kind == SHAPE_LINE)
            raster_stroke(r, (raster_segment){s->x, s->y, s->x + s->width, s->y}, s->height, s->colour);
    }
    for (size_t i = 0; i < p->text_count; i++) {
        const draw_text *t = &p->texts[i];
        float width = 0.095f * t->size;
        if (t->label) raster_text(r, t, width + 3, p->background); /* a rim */
        raster_text(r, t, width, p->ink);
    }
}

int draw_png(const picture *p, FILE *to) {
    raster r;
    int code = raster_open(&r, p->width, p->height, true);
    if (!code) {
        draw_edges(p, &r);
        raster_colour(&r, p->background, p->line);
        put_vertices(p, &r);
        put_words(p, &r);
        code = cli_interrupted() ? cli_fail(EXIT_INTERRUPTED, "interrupted") : raster_save(&r, to);
    }
    raster_close(&r);
    return code;
}
