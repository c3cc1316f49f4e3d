/* A picture as SVG: lines in paths of some hundred, so that crossings are darker; discs with a tooltip, up to a number
 * of vertices; words. */
#include "draw/draw.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_A_PATH = 300, MOST_TITLES = 20000 };

/* Not a character, or one that XML excludes: U+FFFE, U+FFFF. */
static bool is_none(const char *text, size_t length) {
    return !length || (length == 3 && !memcmp(text, "\xef\xbf", 2) && (unsigned char)text[2] >= 0xbe);
}

/* Escapes the five special characters of XML; bytes of a name that are no character become U+FFFD. */
static void put_xml(FILE *to, const char *text) {
    for (const char *end = text + strlen(text); text < end;) {
        size_t length = wfi_utf8_length(text, end);
        switch (*text) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        default:
            if (is_none(text, length))
                fputs("\xef\xbf\xbd", to);
            else if ((unsigned char)*text < 32)
                fputc(' ', to);
            else
                fwrite(text, 1, length, to);
        }
        text += length ? length : 1;
    }
}

/* Lines of one width. */
static void put_lines(const picture *p, unsigned class, FILE *to) {
    size_t lines = 0;
    fprintf(to, "<g fill=\"none\" stroke=\"#%06x\" stroke-width=\"%.2g\" stroke-opacity=\"%.3g\">\n", p->line,
            (double)draw_width(p, class), (double)p->line_alpha);
    for (weft_vid u = 0; u < p->rows.vertices && !cli_interrupted(); u++)
        for (weft_eid e = p->rows.offsets[u]; e < p->rows.offsets[u + 1]; e++) {
            if (!draw_has_edge(p, u, e) || draw_class(p, u, e) != class) continue;
            weft_vid v = p->rows.targets[e];
            if (lines++ % LINES_A_PATH == 0) fputs(lines > 1 ? "\"/>\n<path d=\"" : "<path d=\"", to);
            fprintf(to, "M%.1f %.1fL%.1f %.1f", (double)p->x[u], (double)p->y[u], (double)p->x[v], (double)p->y[v]);
        }
    fputs(lines ? "\"/>\n</g>\n" : "</g>\n", to);
}

static int put_discs(const picture *p, FILE *to) {
    bool titles = p->rows.vertices <= MOST_TITLES;
    fprintf(to, "<g stroke=\"#%06x\" stroke-width=\"0.4\">\n", p->background);
    for (weft_vid i = 0; i < p->rows.vertices && !cli_interrupted(); i++) {
        weft_vid v = p->order[i];
        fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.3g\" fill=\"#%06x\"", (double)p->x[v], (double)p->y[v],
                (double)p->radius[v], p->colour[v]);
        char *id = titles ? cli_id_text(p->g, v, false) : NULL;
        if (titles && !id) return EXIT_MEMORY;
        fputs(titles ? "><title>" : "/>\n", to);
        if (titles) put_xml(to, id);
        if (titles) fputs("</title></circle>\n", to);
        free(id);
    }
    fputs("</g>\n", to);
    return EXIT_DONE;
}

static void put_arrows(const picture *p, FILE *to) {
    size_t count = 0;
    fprintf(to, "<g class=\"arrows\" fill=\"#%06x\" fill-opacity=\"%.3g\">\n", p->line, (double)p->line_alpha);
    for (weft_vid u = 0; u < p->rows.vertices && !cli_interrupted(); u++)
        for (weft_eid e = p->rows.offsets[u]; e < p->rows.offsets[u + 1]; e++) {
            draw_head heads[2];
            size_t ends = draw_has_edge(p, u, e) ? draw_heads(p, u, e, heads) : 0;
            for (size_t i = 0; i < ends; i++) {
                const draw_head *h = &heads[i];
                float x = h->x - h->dx * h->length, y = h->y - h->dy * h->length, half = 0.4f * h->length;
                if (count++ % LINES_A_PATH == 0) fputs(count > 1 ? "\"/>\n<path d=\"" : "<path d=\"", to);
                fprintf(to, "M%.1f %.1fL%.1f %.1fL%.1f %.1fZ", (double)h->x, (double)h->y, (double)(x - h->dy * half),
                        (double)(y + h->dx * half), (double)(x + h->dy * half), (double)(y - h->dx * half));
            }
        }
    fputs(count ? "\"/>\n</g>\n" : "</g>\n", to);
}

static void put_shapes(const picture *p, FILE *to) {
    for (size_t i = 0; i < p->shape_count; i++) {
        const draw_shape *s = &p->shapes[i];
        double x = (double)s->x, y = (double)s->y, width = (double)s->width, height = (double)s->height;
        if (s->kind == SHAPE_DISC) /* an ellipse: circles are vertices */
            fprintf(to, "<ellipse cx=\"%.1f\" cy=\"%.1f\" rx=\"%.3g\" ry=\"%.3g\" fill=\"#%06x\"/>\n", x, y, width,
                    width, s->colour);
        if (s->kind == SHAPE_BOX)
            fprintf(to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>\n", x, y, width,
                    height, s->colour);
        if (s->kind == SHAPE_LINE)
            fprintf(to,
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#%06x\" stroke-width=\"%.3g\"/>\n",
                    x, y, x + width, y, s->colour, height);
    }
}

static void put_texts(const picture *p, bool labels, FILE *to) {
    fprintf(to,
            labels ? "<g class=\"labels\" font-family=\"sans-serif\" text-anchor=\"middle\" fill=\"#%06x\" "
                     "stroke=\"#%06x\" stroke-width=\"3\" "
                     "paint-order=\"stroke\">\n"
                   : "<g class=\"legend\" font-family=\"sans-serif\" fill=\"#%06x\">\n",
            p->ink, p->background);
    for (size_t i = 0; i < p->text_count; i++) {
        const draw_text *t = &p->texts[i];
        if (t->label != labels) continue;
        fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.3g\"", (double)(labels ? t->x + t->width / 2 : t->x),
                (double)t->y, (double)t->size);
        if (t->fitted) fprintf(to, " textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\"", (double)t->width);
        fputc('>', to);
        put_xml(to, t->text);
        fputs("</text>\n", to);
    }
    fputs("</g>\n", to);
}

int draw_svg(const picture *p, FILE *to) {
    fprintf(to, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n",
            p->width, p->height, p->width, p->height);
    fprintf(to, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n", p->background);
    for (unsigned class = 0; class < (p->weights == WEFT_WEIGHT_NONE ? 1 : DRAW_WIDTHS); class ++)
        put_lines(p, class, to);
    if (p->arrows) put_arrows(p, to);
    int code = put_discs(p, to);
    put_shapes(p, to);
    put_texts(p, false, to);
    put_texts(p, true, to);
    fputs("</svg>\n", to);
    return code ? code : cli_interrupted() ? cli_fail(EXIT_INTERRUPTED, "interrupted") : EXIT_DONE;
}
