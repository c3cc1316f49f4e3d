/* "Did you mean": the name at the smallest edit distance, if any is near enough to be a slip of the fingers.
 * Method: Levenshtein over two rows with adjacent swaps counted as one (optimal string alignment). */
#include "cli.h"

#include <string.h>

enum { LONGEST_NAME = 48 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned edit_distance(const char *a, const char *b) {
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LONGEST_NAME || b_length > LONGEST_NAME) return UINT32_MAX;
    unsigned rows[3][LONGEST_NAME + 1];
    unsigned *before_last = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++) last[j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned changed = last[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(changed, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before_last[j - 2] + 1);
        }
        unsigned *free_row = before_last;
        before_last = last;
        last = row;
        row = free_row;
    }
    return last[b_length];
}

void cli_nearest_try(cli_nearest *nearest, const char *name) {
    size_t length = strlen(nearest->wanted);
    unsigned distance = edit_distance(nearest->wanted, name);
    /* A name that was cut short is near, however long the rest is. */
    if (length >= 3 && strncmp(nearest->wanted, name, length) == 0) distance = least(distance, 1);
    unsigned allowed = length < 4 ? 1 : length < 8 ? 2 : 3;
    if (distance > allowed || (nearest->best && distance >= nearest->distance)) return;
    nearest->best = name;
    nearest->distance = distance;
}
