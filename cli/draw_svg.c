/* A picture as SVG: lines in paths of some hundred, so that where many cross it is darker; discs that name their vertex when pointed at, up to so
 * many; labels. */
#include "draw.h"

#include <stdlib.h>

enum { LINES_A_PATH = 300, MOST_TITLES = 20000 };

/* XML's five. */
static void put_xml(FILE *to, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        default: fputc((unsigned char)*text < 32 ? ' ' : *text, to);
        }
    }
}

static void put_lines(const picture *p, FILE *to) {
    size_t lines = 0;
    fprintf(to, "<g fill=\"none\" stroke=\"#%06x\" stroke-width=\"%.2g\" stroke-opacity=\"%.3g\">\n", p->line,
            (double)p->line_width, (double)p->line_alpha);
    for (weft_vid u = 0; u < p->rows.vertices && !cli_interrupted(); u++)
        for (weft_eid e = p->rows.offsets[u]; e < p->rows.offsets[u + 1]; e++) {
            if (!draw_has_edge(p, u, e)) continue;
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
        char *id = titles ? cli_id_text(p->g, v, true) : NULL;
        if (titles && !id) return EXIT_MEMORY;
        fputs(titles ? "><title>" : "/>\n", to);
        if (titles) put_xml(to, id);
        if (titles) fputs("</title></circle>\n", to);
        free(id);
    }
    fputs("</g>\n", to);
    return EXIT_DONE;
}

static void put_labels(const picture *p, FILE *to) {
    if (!p->label_count) return;
    fprintf(to, "<g font-family=\"sans-serif\" text-anchor=\"middle\" fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"3\" "
                "paint-order=\"stroke\">\n", p->ink, p->background);
    for (size_t i = 0; i < p->label_count; i++) {
        const draw_label *l = &p->labels[i];
        fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.3g\">", (double)l->x, (double)l->y, (double)l->size);
        put_xml(to, l->text);
        fputs("</text>\n", to);
    }
    fputs("</g>\n", to);
}

int draw_svg(const picture *p, FILE *to) {
    fprintf(to, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n", p->width,
            p->height, p->width, p->height);
    fprintf(to, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n", p->background);
    put_lines(p, to);
    int code = put_discs(p, to);
    put_labels(p, to);
    fputs("</svg>\n", to);
    return code ? code : cli_interrupted() ? cli_fail(EXIT_INTERRUPTED, "interrupted") : EXIT_DONE;
}
