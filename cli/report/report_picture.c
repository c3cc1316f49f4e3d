/* A large sparse graph drawn whole, as a road network can be: its edges as a PNG of limited size in the page; only a
 * few vertices are interactive, the leading vertices of each measure. */
#include "draw/draw.h"
#include "report/graph_report.h"

#include <math.h>
#include <stdlib.h>

enum { LONGER_SIDE = 1600, GRID = 10000 };

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Base64; free() it. */
static char *as_text(const unsigned char *bytes, size_t length) {
    char *text = cli_take((length + 2) / 3 * 4 + 1, 1), *to = text;
    for (size_t i = 0; text && i < length; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16 | (uint32_t)(i + 1 < length ? bytes[i + 1] : 0) << 8 |
                         (i + 2 < length ? bytes[i + 2] : 0);
        for (int k = 0; k < 4; k++) *to++ = digits[three >> (18 - 6 * k) & 63];
        if (i + 2 >= length) to[-1] = '=';
        if (i + 1 >= length) to[-2] = '=';
    }
    if (text) *to = 0;
    return text;
}

static int put_png(const picture *p, json *j) {
    raster r;
    char *bytes = NULL;
    size_t length = 0;
    int code = raster_open(&r, p->width, p->height, false);
    FILE *to = code ? NULL : open_memstream(&bytes, &length);
    if (to) {
        draw_edges(p, &r);
        code = raster_save_coverage(&r, p->line, to);
    }
    if (!code && (!to || fclose(to))) code = cli_fail(EXIT_MEMORY, "out of memory");
    char *text = code ? NULL : as_text((const unsigned char *)bytes, length);
    if (!code && !text) code = EXIT_MEMORY;
    if (text) json_text(j, "png", text);
    free(text);
    free(bytes);
    raster_close(&r);
    return code;
}

static void put_places(const picture *p, double scale, const weft_vid *vertices, size_t count, json *j) {
    for (int d = 0; d < 2; d++) {
        json_open_array(j, d ? "y" : "x", true);
        for (size_t i = 0; i < count; i++) json_i64(j, NULL, llround((double)(d ? p->y : p->x)[vertices[i]] * scale));
        json_close(j);
    }
}

static int compose(report *r, const weft_result *places, picture *p) {
    size_t n = r->info.vertices;
    weft_status st = weft_graph_out(r->ctx, r->g, &p->rows);
    if (st) return cli_fail_status(r->ctx, st);
    p->x = cli_take(n, sizeof *p->x);
    p->y = cli_take(n, sizeof *p->y);
    if (!p->x || !p->y) return EXIT_MEMORY;
    draw_place(p, weft_result_f32(places, "x"), weft_result_f32(places, "y"));
    if (p->height > LONGER_SIDE) { /* again, narrower */
        p->width = LONGER_SIDE * LONGER_SIDE / p->height;
        draw_place(p, weft_result_f32(places, "x"), weft_result_f32(places, "y"));
    }
    draw_choose_lines(p, false);
    return EXIT_DONE;
}

int report_picture(report *r, const weft_result *places, const weft_vid *vertices, size_t count, double *kept,
                   json *j) {
    picture p = {.ctx = r->ctx, .g = r->g, .rows = {.size = sizeof p.rows}, .width = LONGER_SIDE, .line = 0x1b1d21};
    int code = compose(r, places, &p);
    if (!code) {
        double scale = (double)GRID / LONGER_SIDE;
        *kept = p.kept;
        put_places(&p, scale, vertices, count, j);
        json_open_object(j, "picture", false);
        json_f64(j, "width", p.width * scale);
        json_f64(j, "height", p.height * scale);
        code = put_png(&p, j);
        json_close(j);
    }
    free(p.x);
    free(p.y);
    return code;
}
