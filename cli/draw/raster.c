/* Lines, discs, triangles and letters as pixels, and the chunks of a PNG around zlib's stream. */
#include "draw/raster.h"

#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int raster_open(raster *r, unsigned width, unsigned height, bool coloured) {
    size_t pixels = (size_t)width * height;
    *r = (raster){width, height, cli_take(pixels, sizeof *r->lines), coloured ? cli_take(pixels, 3) : NULL};
    if (!r->lines || (coloured && !r->pixel)) return EXIT_MEMORY;
    memset(r->lines, 0, pixels * sizeof *r->lines);
    return EXIT_DONE;
}

void raster_close(raster *r) {
    free(r->lines);
    free(r->pixel);
}

static float clamp(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
static bool inside(const raster *r, int x, int y) {
    return x >= 0 && y >= 0 && x < (int)r->width && y < (int)r->height;
}

static void cover(raster *r, int x, int y, float by) {
    if (!inside(r, x, y)) return;
    float *at = &r->lines[(size_t)y * r->width + (size_t)x];
    *at = 1 - (1 - *at) * (1 - by);
}

/* Walks the longer axis pixel by pixel and covers the line's width across it. */
void raster_line(raster *r, raster_segment at, float width, float alpha) {
    bool steep = fabsf(at.y1 - at.y0) > fabsf(at.x1 - at.x0);
    float a0 = steep ? at.y0 : at.x0, b0 = steep ? at.x0 : at.y0, a1 = steep ? at.y1 : at.x1,
          b1 = steep ? at.x1 : at.y1;
    if (a0 > a1) {
        float a = a0, b = b0;
        a0 = a1, b0 = b1, a1 = a, b1 = b;
    }
    float length = hypotf(a1 - a0, b1 - b0), slope = a1 > a0 ? (b1 - b0) / (a1 - a0) : 0;
    float lean = length > 0 ? (a1 - a0) / length : 1, reach = (width / 2 + 0.5f) / fmaxf(lean, 0.5f);
    for (int a = (int)floorf(a0); a <= (int)floorf(a1); a++) {
        float ends = clamp(fminf((float)a + 1, a1) - fmaxf((float)a, a0)); /* covered part of the pixel */
        float middle = b0 + slope * (fminf(fmaxf((float)a + 0.5f, a0), a1) - a0);
        for (int b = (int)floorf(middle - reach); b <= (int)floorf(middle + reach); b++) {
            float far = fabsf((float)b + 0.5f - middle) * lean, by = clamp(width / 2 + 0.5f - far) * ends * alpha;
            if (by > 0) cover(r, steep ? b : a, steep ? a : b, fminf(by, alpha * fminf(width, 1)));
        }
    }
}

void raster_arrow(raster *r, draw_head h, float alpha) {
    float half = 0.4f * h.length, reach = h.length + 1;
    for (int j = (int)floorf(h.y - reach); j <= (int)floorf(h.y + reach); j++)
        for (int i = (int)floorf(h.x - reach); i <= (int)floorf(h.x + reach); i++) {
            float px = h.x - ((float)i + 0.5f), py = h.y - ((float)j + 0.5f), back = px * h.dx + py * h.dy,
                  side = fabsf(px * h.dy - py * h.dx);
            float by = fminf(clamp(h.length - back + 0.5f), clamp(half * back / h.length - side + 0.5f));
            if (back > -0.5f && by > 0) cover(r, i, j, by * alpha);
        }
}

/* --- colours ------------------------------------------------------------------------------ */

static void blend(unsigned char *pixel, draw_colour colour, float by) {
    for (int k = 0; k < 3; k++) {
        float to = (float)((colour >> (16 - 8 * k)) & 255), from = (float)pixel[k];
        pixel[k] = (unsigned char)(from + (to - from) * by + 0.5f);
    }
}

static void blend_at(raster *r, int x, int y, draw_colour colour, float by) {
    if (by > 0 && inside(r, x, y)) blend(r->pixel + ((size_t)y * r->width + (size_t)x) * 3, colour, by);
}

void raster_colour(raster *r, draw_colour background, draw_colour line) {
    for (size_t i = 0; i < (size_t)r->width * r->height; i++) {
        for (int k = 0; k < 3; k++) r->pixel[3 * i + (size_t)k] = (unsigned char)(background >> (16 - 8 * k));
        blend(r->pixel + 3 * i, line, r->lines[i]);
        r->lines[i] = 0;
    }
}

void raster_disc(raster *r, float x, float y, float radius, draw_colour colour) {
    for (int j = (int)floorf(y - radius - 1); j <= (int)floorf(y + radius + 1); j++)
        for (int i = (int)floorf(x - radius - 1); i <= (int)floorf(x + radius + 1); i++)
            blend_at(r, i, j, colour, clamp(radius + 0.5f - hypotf((float)i + 0.5f - x, (float)j + 0.5f - y)));
}

void raster_box(raster *r, float x, float y, float width, float height, draw_colour colour) {
    for (int j = (int)floorf(y); j < (int)floorf(y + height); j++)
        for (int i = (int)floorf(x); i < (int)floorf(x + width); i++) blend_at(r, i, j, colour, 1);
}

/* --- strokes and letters --------------------------------------------------------------------- */

/* The coverage of a word: strokes that meet are no darker there. */
typedef struct ink {
    raster *r;
    float width;
    int x0, y0, x1, y1;
} ink;

static float far_from(float px, float py, float x0, float y0, float x1, float y1) {
    float dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
    float t = length > 0 ? clamp(((px - x0) * dx + (py - y0) * dy) / length) : 0;
    return hypotf(px - x0 - t * dx, py - y0 - t * dy);
}

static void put_stroke(void *to, float x0, float y0, float x1, float y1) {
    ink *k = to;
    float reach = k->width / 2 + 1;
    int left = (int)floorf(fminf(x0, x1) - reach), right = (int)floorf(fmaxf(x0, x1) + reach);
    int top = (int)floorf(fminf(y0, y1) - reach), bottom = (int)floorf(fmaxf(y0, y1) + reach);
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++) {
            if (!inside(k->r, i, j)) continue;
            float *at = &k->r->lines[(size_t)j * k->r->width + (size_t)i];
            *at = fmaxf(*at, clamp(k->width / 2 + 0.5f - far_from((float)i + 0.5f, (float)j + 0.5f, x0, y0, x1, y1)));
        }
    k->x0 = left < k->x0 ? left : k->x0;
    k->x1 = right > k->x1 ? right : k->x1;
    k->y0 = top < k->y0 ? top : k->y0;
    k->y1 = bottom > k->y1 ? bottom : k->y1;
}

static void put_ink(ink *k, draw_colour colour) {
    for (int j = k->y0; j <= k->y1; j++)
        for (int i = k->x0; i <= k->x1; i++) {
            if (!inside(k->r, i, j)) continue;
            float *at = &k->r->lines[(size_t)j * k->r->width + (size_t)i];
            blend_at(k->r, i, j, colour, *at);
            *at = 0;
        }
}

static ink no_ink(raster *r, float width) { return (ink){r, width, (int)r->width, (int)r->height, 0, 0}; }

void raster_stroke(raster *r, raster_segment at, float width, draw_colour colour) {
    ink k = no_ink(r, width);
    put_stroke(&k, at.x0, at.y0, at.x1, at.y1);
    put_ink(&k, colour);
}

void raster_text(raster *r, const draw_text *t, float width, draw_colour colour) {
    ink k = no_ink(r, width);
    font_draw(t->text, t->x, t->y, t->size, put_stroke, &k);
    put_ink(&k, colour);
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

typedef struct image {
    const raster *r;
    unsigned channels; /* 3: pixels; 1: coverage */
    unsigned char *row;
} image;

/* Each row begins with its filter type, 0: none. */
static void make_row(const image *p, unsigned y) {
    size_t first = (size_t)y * p->r->width;
    p->row[0] = 0;
    if (p->channels == 3) memcpy(p->row + 1, p->r->pixel + 3 * first, 3 * (size_t)p->r->width);
    for (size_t x = 0; p->channels == 1 && x < p->r->width; x++)
        p->row[1 + x] = (unsigned char)(255 * p->r->lines[first + x] + 0.5f);
}

static int put_rows(const image *p, FILE *to) {
    unsigned char packed[1 << 15];
    z_stream z = {0};
    if (deflateInit(&z, 6) != Z_OK) return cli_fail(EXIT_MEMORY, "out of memory");
    for (unsigned y = 0; y <= p->r->height; y++) {
        bool last = y == p->r->height;
        if (!last) make_row(p, y);
        z.next_in = p->row;
        z.avail_in = last ? 0 : p->r->width * p->channels + 1;
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

/* palette: 256 times three channels and 256 times opacity for values of coverage; NULL: pixels have their own
 * colours. */
static int save(const raster *r, const unsigned char *palette, FILE *to) {
    image p = {r, palette ? 1 : 3, cli_take(3 * (size_t)r->width + 1, 1)};
    unsigned char head[13] = {[8] = 8, [9] = palette ? 3 : 2}; /* 8 bits a channel; a palette, or three channels */
    if (!p.row) return EXIT_MEMORY;
    put_u32(head, r->width);
    put_u32(head + 4, r->height);
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, to);
    put_chunk(to, "IHDR", head, sizeof head);
    if (palette) put_chunk(to, "PLTE", palette, 768);
    if (palette) put_chunk(to, "tRNS", palette + 768, 256);
    int code = put_rows(&p, to);
    put_chunk(to, "IEND", NULL, 0);
    free(p.row);
    return code;
}

int raster_save(const raster *r, FILE *to) { return save(r, NULL, to); }

int raster_save_coverage(const raster *r, draw_colour colour, FILE *to) {
    unsigned char palette[1024];
    for (int i = 0; i < 256; i++) {
        for (int k = 0; k < 3; k++) palette[3 * i + k] = (unsigned char)(colour >> (16 - 8 * k));
        palette[768 + i] = (unsigned char)i;
    }
    return save(r, palette, to);
}
