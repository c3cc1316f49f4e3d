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
        size_t length = utf8_length(s);
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

/* Ticks: decades, thinned to at most eight; 1-2-5 within two decades. */
static size_t ticks(const svg_scale *s, double at[16]) {
    double decades = log10(s->high / s->low);
    int stride = decades > 7 ? (int)ceil(decades / 7) : 1;
    size_t count = 0;
    for (int d = (int)floor(log10(s->low) + 1e-9); d <= (int)ceil(log10(s->high)) && count < 14; d += stride) {
        const double steps[] = {1, 2, 5};
        for (size_t i = 0; i < (decades <= 2.1 ? 3 : 1); i++) {
            double x = steps[i] * pow(10, d);
            if (x >= s->low * (1 - 1e-9) && x <= s->high * (1 + 1e-9) && count < 16) at[count++] = x;
        }
    }
    return count;
}

void svg_axis_x(FILE *to, const svg_scale *x, double top, double bottom, svg_unit unit, const char *name) {
    double at[16];
    size_t count = ticks(x, at);
    char room[32];
    for (size_t i = 0; i < count; i++) {
        svg_line(to, svg_at(x, at[i]), top, svg_at(x, at[i]), bottom, "grid");
        unit(room, at[i]);
        bool last = svg_at(x, at[i]) > SVG_WIDTH - 28; /* in the middle of its tick it would be cut at the edge */
        svg_text(to, last ? SVG_WIDTH - 1 : svg_at(x, at[i]), bottom + 16, last ? "end" : "middle", "tick", "%s", room);
    }
    svg_text(to, (x->from + x->to) / 2, bottom + 37, "middle", "axis", "%s", name);
}

void svg_axis_y(FILE *to, const svg_scale *y, double left, double right, svg_unit unit, const char *name) {
    double at[16];
    size_t count = ticks(y, at);
    char room[32];
    for (size_t i = 0; i < count; i++) {
        svg_line(to, left, svg_at(y, at[i]), right, svg_at(y, at[i]), "grid");
        unit(room, at[i]);
        svg_text(to, left - 6, svg_at(y, at[i]) + 4, "end", "tick", "%s", room);
    }
    svg_text(to, 4, (y->from < y->to ? y->from : y->to) - 18, "start", "axis", "%s", name);
}

/* --- units -------------------------------------------------------------------------------------------------------- */

void unit_ms(char room[32], double ms) {
    if (ms < 1e-3)
        snprintf(room, 32, "%.3g ns", ms * 1e6);
    else if (ms < 1)
        snprintf(room, 32, "%.3g µs", ms * 1e3);
    else if (ms < 1e3)
        snprintf(room, 32, "%.3g ms", ms);
    else
        snprintf(room, 32, ms < 1e6 ? "%.3g s" : "%.0f s", ms * 1e-3);
}

void unit_count(char room[32], double x) {
    static const char units[] = " kMGTP";
    size_t unit = 0;
    for (; x >= 999.5 && unit + 2 < sizeof units; unit++) x /= 1000;
    snprintf(room, 32, unit ? "%.3g %c" : "%.3g", x, units[unit]);
}

void unit_plain(char room[32], double x) { snprintf(room, 32, "%.3g", x); }

void unit_gbs(char room[32], double x) { snprintf(room, 32, x < 999.5 ? "%.3g" : "%.0f", x); }

void unit_times(char room[32], double x) { snprintf(room, 32, x < 1000 ? "%.3g×" : "%.0f×", x); }
