/* Values written for people: 999.7 of a unit is 1 of the next. */
#include "units.h"

#include <stddef.h>
#include <stdio.h>

/* From here on three digits round up to 1000, which %g would write as a power of ten. */
#define ROUNDS_UP 999.5

void unit_ms(char room[32], double ms) {
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    size_t unit = 0;
    double x = ms * 1e6;
    for (; x >= ROUNDS_UP && unit < 3; unit++) x /= 1000;
    snprintf(room, 32, x < ROUNDS_UP ? "%.3g %s" : "%.0f %s", x, units[unit]);
}

void unit_count(char room[32], double x) {
    static const char units[] = " kMGTP";
    size_t unit = 0;
    for (; x >= ROUNDS_UP && unit + 2 < sizeof units; unit++) x /= 1000;
    snprintf(room, 32, unit ? "%.3g %c" : "%.3g", x, units[unit]);
}

void unit_bytes(char room[32], double x) {
    char number[32];
    unit_count(number, x);
    snprintf(room, 32, x < ROUNDS_UP ? "%.20s B" : "%.20sB", number);
}

/* Below a hundredth: decimals without a power of ten. */
static const char *digits_of(double x) { return x >= ROUNDS_UP ? "%.0f%s" : x >= 0.01 || x <= 0 ? "%.3g%s" : "%.5f%s"; }

void unit_gbs(char room[32], double x) { snprintf(room, 32, digits_of(x), x, ""); }

void unit_times(char room[32], double x) { snprintf(room, 32, digits_of(x), x, "×"); }

void unit_faster(char room[32], double x) {
    char times[32];
    unit_times(times, x < 1 ? 1 / x : x);
    if (x > 0.97 && x < 1.03)
        snprintf(room, 32, "as fast");
    else
        snprintf(room, 32, "%.16s %s", times, x < 1 ? "slower" : "as fast");
}

void unit_share(char room[32], double share) {
    double percent = 100 * share;
    if (percent > 0 && percent < 0.0095)
        snprintf(room, 32, "under 0.01 %%");
    else
        snprintf(room, 32,
                 percent >= 9.95 || percent <= 0 ? "%.0f %%"
                 : percent >= 0.095              ? "%.1f %%"
                                                 : "%.2f %%",
                 percent);
}
