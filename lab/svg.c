/* The pieces that charts are made of. */
#include "svg.h"

#include "utf8.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* A name of a file may hold anything: what is no text, or steers a terminal, becomes U+FFFD. */
void html_text(FILE *to, const char *text) {
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        static const char special[] = "&<>\"'";
        static const char *const made[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
        const char *found = strchr(special, *s);
        size_t length = wfi_utf8_length((const char *)s, (const char *)s + 4);
        bool steers = (*s < 0x20 && *s != '\n' && *s != '\t') || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0);
        if (found)
            fputs(made[found - special], to);
        else if (!length || steers)
            fputs("\xef\xbf\xbd", to);
        else
            fwrite(s, 1, length, to);
        s += length ? length : 1;
    }
}

static void put_list(FILE *to, const char *format, va_list args) {
    char room[1024];
    vsnprintf(room, sizeof room, format, args);
    html_text(to, room);
}

void html_put(FILE *to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put_list(to, format, args);
    va_end(args);
}

void svg_begin(FILE *to, const char *id, double height, const char *title, const char *description) {
    fprintf(to,
            "<figure class=\"chart\"><div class=\"wide\"><svg viewBox=\"0 0 %d %.0f\" role=\"img\" "
            "aria-labelledby=\"%s-t %s-d\" "
            "id=\"%s\">\n<title id=\"%s-t\">",
            SVG_WIDTH, height, id, id, id, id);
    html_text(to, title);
    fprintf(to, "</title>\n<desc id=\"%s-d\">", id);
    html_text(to, description);
    fputs("</desc>\n", to);
}

void svg_end(FILE *to) { fputs("</svg></div>\n", to); }

void svg_text(FILE *to, double x, double y, const char *anchor, const char *style, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor, style);
    put_list(to, format, args);
    fputs("</text>\n", to);
    va_end(args);
}

void svg_line(FILE *to, double x1, double y1, double x2, double y2, const char *style) {
    fprintf(to, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1, x2, y2, style);
}

/* --- scales ------------------------------------------------------------------------------------------------------ */

void svg_see(svg_range *range, double x) {
    if (!(x > 0) || !isfinite(x)) return;
    if (!range->any || x < range->low) range->low = x;
    if (!range->any || x > range->high) range->high = x;
    range->any = true;
}

/* The 1-2-5 step at or below x (or at or above). */
static double step_near(double x, bool above) {
    double decade = pow(10, floor(log10(x))), best = above ? 10 * decade : decade;
    const double steps[] = {1, 2, 5};
    for (size_t i = 0; i < 3; i++) {
        double step = steps[i] * decade;
        if (above ? step >= x * (1 - 1e-9) && step < best : step <= x * (1 + 1e-9)) best = step;
    }
    return best;
}

svg_scale svg_log_scale(svg_range seen, double from, double to) {
    svg_scale s = {1, 10, from, to};
    if (!seen.any) return s;
    s.low = step_near(seen.low / 1.15, false);
    s.high = step_near(seen.high * 1.15, true);
    return s;
}

double svg_at(const svg_scale *s, double x) {
    return s->from + (s->to - s->from) * (log(x) - log(s->low)) / (log(s->high) - log(s->low));
}

/* --- axes ------------------------------------------------------------------------------------------------------------ */

/* A tick has a grid line; its number stands there always, on wide screens only, or not at all for want of room. */
typedef enum tick_number { NO_NUMBER, NUMBER, WIDE_NUMBER } tick_number;
typedef struct tick {
    double value, at;
    bool decade;
    tick_number number;
} tick;
enum { MOST_TICKS = 40 };

static void number_where_room(tick *ticks, size_t count, bool decades, double room, tick_number number) {
    for (size_t i = 0; i < count; i++) {
        bool free = ticks[i].number == NO_NUMBER && (ticks[i].decade || !decades);
        for (size_t k = 0; k < count && free; k++)
            free = ticks[k].number == NO_NUMBER || fabs(ticks[k].at - ticks[i].at) >= room;
        if (free) ticks[i].number = number;
    }
}

/* Decades, and 1-2-5 within three of them.  Numbers stand `room` apart on a phone, where letters are large beside the chart, and
 * `room_wide` elsewhere; decades come first. */
static size_t make_ticks(const svg_scale *s, double room, double room_wide, tick ticks[MOST_TICKS]) {
    const double steps[] = {1, 2, 5};
    bool fine = log10(s->high / s->low) <= 3.01;
    size_t count = 0;
    for (int d = (int)floor(log10(s->low) + 1e-9); d <= (int)ceil(log10(s->high)); d++)
        for (size_t i = 0; i < (fine ? 3 : 1); i++) {
            double x = steps[i] * pow(10, d);
            if (x >= s->low * (1 - 1e-9) && x <= s->high * (1 + 1e-9) && count < MOST_TICKS)
                ticks[count++] = (tick){x, svg_at(s, x), i == 0, NO_NUMBER};
        }
    number_where_room(ticks, count, true, room, NUMBER);
    number_where_room(ticks, count, false, room, NUMBER);
    number_where_room(ticks, count, false, room_wide, WIDE_NUMBER);
    return count;
}

static const char *class_of(const tick *t) { return t->number == NUMBER ? "tick" : "tick wide-only"; }

void svg_ticks_x(FILE *to, const svg_scale *x, double top, double bottom, svg_unit unit) {
    tick ticks[MOST_TICKS];
    size_t count = make_ticks(x, 66, 44, ticks);
    char room[32];
    for (size_t i = 0; i < count; i++) {
        svg_line(to, ticks[i].at, top, ticks[i].at, bottom, "grid");
        if (ticks[i].number == NO_NUMBER) continue;
        unit(room, ticks[i].value);
        bool last = ticks[i].at > SVG_WIDTH - 28; /* in the middle of its tick it would be cut at the edge */
        svg_text(to, last ? SVG_WIDTH - 1 : ticks[i].at, bottom + 18, last ? "end" : "middle", class_of(&ticks[i]),
                 "%s", room);
    }
}

void svg_axis_x(FILE *to, const svg_scale *x, double top, double bottom, svg_unit unit, const char *name) {
    svg_ticks_x(to, x, top, bottom, unit);
    svg_text(to, (x->from + x->to) / 2, bottom + 40, "middle", "axis", "%s", name);
}

void svg_axis_y(FILE *to, const svg_scale *y, double left, double right, svg_unit unit, const char *name) {
    tick ticks[MOST_TICKS];
    size_t count = make_ticks(y, 22, 16, ticks);
    char room[32];
    for (size_t i = 0; i < count; i++) {
        svg_line(to, left, ticks[i].at, right, ticks[i].at, "grid");
        if (ticks[i].number == NO_NUMBER) continue;
        unit(room, ticks[i].value);
        svg_text(to, left - 6, ticks[i].at + 4, "end", class_of(&ticks[i]), "%s", room);
    }
    svg_text(to, 4, (y->from < y->to ? y->from : y->to) - 18, "start", "axis", "%s", name);
}

/* --- marks and their labels ------------------------------------------------------------------------------------------ */

void svg_mark(FILE *to, svg_shape shape, const char *style, double x, double y, double r, const char *title) {
    if (shape == SVG_CIRCLE)
        fprintf(to, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>", style, x, y, r);
    else
        fprintf(to, "<path class=\"%s\" d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\"><title>", style, x,
                y - 1.25 * r, 1.25 * r, 1.25 * r, -1.25 * r, 1.25 * r, -1.25 * r, -1.25 * r);
    html_text(to, title);
    fputs(shape == SVG_CIRCLE ? "</title></circle>\n" : "</title></path>\n", to);
}

double svg_label_room(size_t letters) { return 9.2 * (double)letters < 215 ? 9.2 * (double)letters : 215; }

double svg_label_height(size_t count) { return SVG_PITCH * (double)count; }

/* Half way between pushing down from the top and pushing up from the bottom: both keep the labels apart, and so does their mean. */
static void spread(svg_label *labels, size_t count, double top, double bottom) {
    double at = top;
    for (size_t i = 0; i < count; i++, at += SVG_PITCH) {
        if (labels[i].y > at) at = labels[i].y;
        double most = bottom - SVG_PITCH * (double)(count - 1 - i);
        if (at > most) at = most;
        labels[i].at = at / 2;
    }
    at = bottom;
    for (size_t i = count; i-- > 0; at -= SVG_PITCH) {
        if (labels[i].y < at) at = labels[i].y;
        double least = top + SVG_PITCH * (double)i;
        if (at < least) at = least;
        labels[i].at += at / 2;
    }
}

void svg_labels(FILE *to, svg_label *labels, size_t count, double left, double top, double bottom) {
    for (size_t i = 1; i < count; i++) /* few: insertion will do */
        for (size_t k = i; k > 0 && labels[k].y < labels[k - 1].y; k--) {
            svg_label other = labels[k];
            labels[k] = labels[k - 1];
            labels[k - 1] = other;
        }
    spread(labels, count, top, bottom);
    for (size_t i = 0; i < count; i++) {
        /* Level out of the chart, then to the label: in the order of their heights no two lines cross. */
        fprintf(to, "<polyline class=\"leader\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n", labels[i].x, labels[i].y,
                left - SVG_GUTTER, labels[i].y, left - 5, labels[i].at);
        fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" class=\"beside %s\">", left, labels[i].at + 4, labels[i].style);
        html_text(to, labels[i].text);
        fputs("</text>\n", to);
    }
}
