/* A picture as PNG: a small rasteriser of lines and discs with smooth edges, and the format's chunks around zlib's stream.
 * Lines, which have one colour, are first added up as coverage, a float a pixel, so that faint ones are not rounded away; then the pixels are
 * coloured, and discs are drawn over them. */
#include "draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct canvas {
    unsigned width, height;
    float *lines;         /* coverage */
    unsigned char *pixel; /* red, green, blue */
} canvas;

static float clamp(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static void cover(canvas *c, int x, int y, float by) {
    if (x < 0 || y < 0 || x >= (int)c->width || y >= (int)c->height) return;
    float *at = &c->lines[(size_t)y * c->width + (size_t)x];
    *at = 1 - (1 - *at) * (1 - by);
}

/* Pixel by pixel along the longer axis, across it as far as the line's width goes. */
static void draw_line(canvas *c, float x0, float y0, float x1, float y1, float width, float alpha) {
    bool steep = fabsf(y1 - y0) > fabsf(x1 - x0);
    float a0 = steep ? y0 : x0, b0 = steep ? x0 : y0, a1 = steep ? y1 : x1, b1 = steep ? x1 : y1;
    if (a0 > a1) {
        float a = a0, b = b0;
        a0 = a1, b0 = b1, a1 = a, b1 = b;
    }
    float length = hypotf(a1 - a0, b1 - b0), slope = a1 > a0 ? (b1 - b0) / (a1 - a0) : 0;
    float lean = length > 0 ? (a1 - a0) / length : 1, reach = (width / 2 + 0.5f) / fmaxf(lean, 0.5f);
    for (int a = (int)floorf(a0); a <= (int)floorf(a1); a++) {
        float ends = clamp(fminf((float)a + 1, a1) - fmaxf((float)a, a0)); /* part of the pixel that it crosses */
        float middle = b0 + slope * (fminf(fmaxf((float)a + 0.5f, a0), a1) - a0);
        for (int b = (int)floorf(middle - reach); b <= (int)floorf(middle + reach); b++) {
            float far = fabsf((float)b + 0.5f - middle) * lean, by = clamp(width / 2 + 0.5f - far) * ends * alpha;
            if (by > 0) cover(c, steep ? b : a, steep ? a : b, fminf(by, alpha * fminf(width, 1)));
        }
    }
}

static void blend(unsigned char *pixel, draw_colour colour, float by) {
    for (int k = 0; k < 3; k++) {
        float to = (float)((colour >> (16 - 8 * k)) & 255), from = (float)pixel[k];
        pixel[k] = (unsigned char)(from + (to - from) * by + 0.5f);
    }
}

static void draw_disc(canvas *c, float x, float y, float radius, draw_colour colour) {
    for (int j = (int)floorf(y - radius - 1); j <= (int)floorf(y + radius + 1); j++)
        for (int i = (int)floorf(x - radius - 1); i <= (int)floorf(x + radius + 1); i++) {
            if (i < 0 || j < 0 || i >= (int)c->width || j >= (int)c->height) continue;
            float by = clamp(radius + 0.5f - hypotf((float)i + 0.5f - x, (float)j + 0.5f - y));
            if (by > 0) blend(c->pixel + ((size_t)j * c->width + (size_t)i) * 3, colour, by);
        }
}

static void draw_all(const picture *p, canvas *c) {
    for (weft_vid u = 0; u < p->rows.vertices && !cli_interrupted(); u++)
        for (weft_eid e = p->rows.offsets[u]; e < p->rows.offsets[u + 1]; e++) {
            weft_vid v = p->rows.targets[e];
            if (draw_has_edge(p, u, e)) draw_line(c, p->x[u], p->y[u], p->x[v], p->y[v], p->line_width, p->line_alpha);
        }
    for (size_t i = 0; i < (size_t)c->width * c->height; i++) {
        for (int k = 0; k < 3; k++) c->pixel[3 * i + (size_t)k] = (unsigned char)(p->background >> (16 - 8 * k));
        blend(c->pixel + 3 * i, p->line, c->lines[i]);
    }
    for (weft_vid i = 0; i < p->rows.vertices && !cli_interrupted(); i++) {
        weft_vid v = p->order[i];
        if (p->radius[v] > 2) draw_disc(c, p->x[v], p->y[v], p->radius[v] + 0.7f, p->background); /* a rim */
        draw_disc(c, p->x[v], p->y[v], p->radius[v], p->colour[v]);
    }
}

/* --- the file ------------------------------------------------------------------------------- */

static void put_u32(unsigned char *to, uint32_t x) {
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(x >> (24 - 8 * i));
}

/* Length, type, data, checksum of type and data. */
static void put_chunk(FILE *to, const char *type, const unsigned char *data, size_t bytes) {
    unsigned char word[4];
    uLong sum = crc32(crc32(0, NULL, 0), (const unsigned char *)type, 4);
    if (bytes) sum = crc32(sum, data, (uInt)bytes);
    put_u32(word, (uint32_t)bytes);
    fwrite(word, 1, 4, to);
    fwrite(type, 1, 4, to);
    fwrite(data, 1, bytes, to);
    put_u32(word, (uint32_t)sum);
    fwrite(word, 1, 4, to);
}

static int put_pixels(const canvas *c, FILE *to) {
    unsigned char packed[1 << 15], filter = 0; /* each row begins with its filter: none */
    z_stream z = {0};
    if (deflateInit(&z, 6) != Z_OK) return cli_fail(EXIT_MEMORY, "out of memory");
    for (size_t part = 0; part <= 2 * (size_t)c->height; part++) {
        bool last = part == 2 * (size_t)c->height;
        z.next_in = part % 2 ? c->pixel + part / 2 * c->width * 3 : &filter;
        z.avail_in = last ? 0 : part % 2 ? c->width * 3 : 1;
        int ended = Z_OK;
        while (z.avail_in || (last && ended != Z_STREAM_END)) {
            z.next_out = packed;
            z.avail_out = sizeof packed;
            ended = deflate(&z, last ? Z_FINISH : Z_NO_FLUSH);
            if (z.avail_out < sizeof packed) put_chunk(to, "IDAT", packed, sizeof packed - z.avail_out);
        }
    }
    deflateEnd(&z);
    return EXIT_DONE;
}

static int put_png(const canvas *c, FILE *to) {
    unsigned char head[13] = {[8] = 8, [9] = 2}; /* 8 bits a channel, three of them */
    put_u32(head, c->width);
    put_u32(head + 4, c->height);
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, to);
    put_chunk(to, "IHDR", head, sizeof head);
    int code = put_pixels(c, to);
    put_chunk(to, "IEND", NULL, 0);
    return code;
}

int draw_png(const picture *p, FILE *to) {
    size_t pixels = (size_t)p->width * p->height;
    canvas c = {p->width, p->height, cli_take(pixels, sizeof *c.lines), cli_take(pixels, 3)};
    int code = c.lines && c.pixel ? EXIT_DONE : EXIT_MEMORY;
    if (!code) {
        memset(c.lines, 0, pixels * sizeof *c.lines);
        draw_all(p, &c);
        code = cli_interrupted() ? cli_fail(EXIT_INTERRUPTED, "interrupted") : put_png(&c, to);
    }
    free(c.lines);
    free(c.pixel);
    return code;
}
