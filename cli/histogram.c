/* Degrees in bins that double, drawn with eighths of a block; with # where the locale is not UTF-8. */
#include "histogram.h"

#include <string.h>

enum { BAR_WIDTH = 40 };

static unsigned bin_of(uint64_t degree) { return degree ? 64u - (unsigned)__builtin_clzll(degree) : 0; }
static uint64_t bin_from(unsigned bin) { return bin ? (uint64_t)1 << (bin - 1) : 0; }
static uint64_t bin_to(unsigned bin) { return bin ? 2 * bin_from(bin) - 1 : 0; } /* wraps to the right value at 64 */

weft_status histogram_of_degrees(weft_ctx *ctx, const weft_graph *g, weft_side side, histogram *h) {
    uint64_t *value = NULL, *count = NULL;
    size_t length = 0;
    memset(h, 0, sizeof *h);
    weft_status st = weft_graph_degree_distribution(ctx, g, side, &value, &count, &length);
    if (st) return st;
    for (size_t i = 0; i < length; i++) {
        unsigned bin = bin_of(value[i]);
        h->count[bin] += count[i];
        if (bin >= h->bins) h->bins = bin + 1;
    }
    weft_free(ctx, value);
    weft_free(ctx, count);
    return WEFT_OK;
}

static void draw_bar(uint64_t count, uint64_t most, bool blocks) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!count || !most) return;
    unsigned length = (unsigned)((double)count / (double)most * BAR_WIDTH * 8 + 0.5);
    if (!blocks) {
        length = (length + 7) / 8;
        for (unsigned i = 0; i < (length ? length : 1); i++) putchar('#');
        return;
    }
    if (!length) length = 1; /* what is there must be seen */
    for (unsigned i = 0; i < length / 8; i++) fputs("█", stdout);
    fputs(eighths[length % 8], stdout);
}

void histogram_print(const histogram *h, const char *title) {
    uint64_t most = 0;
    unsigned first = 0;
    bool blocks = cli_utf8_wanted();
    for (unsigned bin = 0; bin < h->bins; bin++)
        if (h->count[bin] > most) most = h->count[bin];
    while (first < h->bins && !h->count[first]) first++;
    printf("\n");
    cli_heading("%20s  %14s", title, "vertices");
    for (unsigned bin = first; bin < h->bins; bin++) {
        char range[48];
        cli_text room;
        if (bin < 2)
            snprintf(range, sizeof range, "%u", bin);
        else
            snprintf(range, sizeof range, "%llu - %llu", (unsigned long long)bin_from(bin),
                     (unsigned long long)bin_to(bin));
        printf("%20s  %14s  ", range, cli_count(room, h->count[bin]));
        draw_bar(h->count[bin], most, blocks);
        putchar('\n');
    }
}

void histogram_json(json *j, const char *key, const histogram *h) {
    json_open_array(j, key, false);
    for (unsigned bin = 0; bin < h->bins; bin++) {
        json_open_object(j, NULL, true);
        json_u64(j, "from", bin_from(bin));
        json_u64(j, "to", bin_to(bin));
        json_u64(j, "vertices", h->count[bin]);
        json_close(j);
    }
    json_close(j);
}
