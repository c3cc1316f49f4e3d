/* Numbers and names for people. */
#include "cli.h"
#include "numbers.h"
#include "utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LABEL_WIDTH = 20 };

const char *cli_count(cli_text buffer, uint64_t x) {
    char plain[24];
    int length = snprintf(plain, sizeof plain, "%llu", (unsigned long long)x);
    int used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) buffer[used++] = ',';
        buffer[used++] = plain[i];
    }
    buffer[used] = 0;
    return buffer;
}

const char *cli_s(uint64_t n) { return n == 1 ? "" : "s"; }
const char *cli_vertices(uint64_t n) { return n == 1 ? "vertex" : "vertices"; }

const char *cli_bytes(cli_text buffer, uint64_t bytes) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double x = (double)bytes;
    unsigned unit = 0;
    for (; x >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++) x /= 1024;
    if (unit == 0)
        snprintf(buffer, sizeof(cli_text), "%llu bytes", (unsigned long long)bytes);
    else
        snprintf(buffer, sizeof(cli_text), "%.*f %s", x < 10 ? 2 : x < 100 ? 1 : 0, x, units[unit]);
    return buffer;
}

const char *cli_real(cli_text buffer, double x) {
    buffer[wfi_print_f64(buffer, x)] = 0;
    return buffer;
}

const char *cli_real32(cli_text buffer, float x) {
    buffer[wfi_print_f32(buffer, x)] = 0;
    return buffer;
}

const char *cli_real16(cli_text buffer, float x) {
    snprintf(buffer, sizeof(cli_text), "%.5g", (double)x);
    return buffer;
}

const char *cli_seconds(cli_text buffer, double ms) {
    if (ms < 1000)
        snprintf(buffer, sizeof(cli_text), "%.*f ms", ms < 10 ? 2 : ms < 100 ? 1 : 0, ms);
    else
        snprintf(buffer, sizeof(cli_text), "%.2f s", ms / 1e3);
    return buffer;
}

bool cli_utf8_wanted(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (!value || !*value) continue;
        const char *charset = strchr(value, '.');
        return charset && (strncasecmp(charset, ".utf-8", 6) == 0 || strncasecmp(charset, ".utf8", 5) == 0);
    }
    return false;
}

bool cli_bold_wanted(void) {
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if ((no_color && *no_color) || !cli_ranks_alone())
        return false; /* a launcher may show a terminal where it writes a file */
    return terminal && strcmp(terminal, "dumb") != 0 && isatty(STDOUT_FILENO);
}

size_t cli_text_width(const char *text) {
    size_t width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

size_t cli_text_bytes(const char *text, size_t width) {
    const char *at = text;
    for (; *at; at++)
        if (((unsigned char)*at & 0xc0) != 0x80 && !width--) break;
    return (size_t)(at - text);
}

size_t cli_terminal_columns(int file) {
    struct winsize size;
    return isatty(file) && ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void cli_fact(const char *label, const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("  %-*s", LABEL_WIDTH, label);
    cli_put_list(stdout, format, args);
    putchar('\n');
    va_end(args);
}

/* C0 and C1, whose U+009B begins a command to a terminal as ESC [ does; marks that turn the direction of the text
 * around them, so that it reads as what it is not; and bytes that are no UTF-8. */
static bool steers(const char *text, size_t length) {
    static const char *const marks[] = {"\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xaa",
                                        "\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad", "\xe2\x80\xae",
                                        "\xe2\x81\xa6", "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9"};
    const unsigned char *c = (const unsigned char *)text;
    if (!length || c[0] < 0x20 || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0)) return true;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strlen(marks[i]) == length && memcmp(text, marks[i], length) == 0) return true;
    return false;
}

void cli_hide_controls(char *text) {
    char *to = text;
    for (const char *end = text + strlen(text); text < end;) {
        size_t length = wfi_utf8_length(text, end), step = length ? length : 1;
        if (steers(text, length)) {
            *to++ = '?';
        } else {
            memmove(to, text, length);
            to += length;
        }
        text += step;
    }
    *to = 0;
}

void cli_put_list(FILE *to, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    cli_line buffer; /* so that messages about a written file need no memory */
    char *text = length < 0 ? NULL : (size_t)length < sizeof buffer ? buffer : malloc((size_t)length + 1);
    if (!text) {
        fputs("(out of memory)", to);
        return;
    }
    vsnprintf(text, (size_t)length + 1, format, args);
    cli_hide_controls(text);
    fputs(text, to);
    if (text != buffer) free(text);
}

void cli_put(FILE *to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    cli_put_list(to, format, args);
    va_end(args);
}

void cli_heading(const char *format, ...) {
    bool bold = cli_bold_wanted();
    va_list args;
    va_start(args, format);
    if (bold) fputs("\033[1m", stdout);
    cli_put_list(stdout, format, args);
    if (bold) fputs("\033[0m", stdout);
    putchar('\n');
    va_end(args);
}

char *cli_id_text(const weft_graph *g, weft_vid v, bool for_people) {
    size_t length = weft_graph_id_text(g, v, NULL, 0);
    char *text = cli_take(length + 1, 1);
    if (!text) return NULL;
    weft_graph_id_text(g, v, text, length + 1);
    if (for_people) cli_hide_controls(text);
    return text;
}

bool cli_ids_are_names(const weft_graph *g) { return weft_graph_id_kind(g) == WEFT_IDS_STRING; }

/* Four significant digits, and all before the point. */
static const char *brief(cli_text buffer, double x) {
    double size = fabs(x);
    if (x == floor(x) || !isfinite(x) || size >= 1e15) return cli_real(buffer, x);
    snprintf(buffer, sizeof(cli_text), "%.*g", size >= 1e4 ? (int)floor(log10(size)) + 1 : 4, x);
    return buffer;
}

const char *cli_scalar(cli_text buffer, const weft_scalar *s) {
    if (s->type == WEFT_F64) return isnan(s->value.f64) ? "not known" : brief(buffer, s->value.f64);
    if (s->type == WEFT_U64) return s->value.u64 == WEFT_NO_VALUE ? "none" : cli_count(buffer, s->value.u64);
    snprintf(buffer, sizeof(cli_text), "%lld", (long long)s->value.i64);
    return buffer;
}

const char *cli_direction_from(weft_direction_from from) {
    switch (from) {
    case WEFT_DIRECTION_FROM_FILE: break;
    case WEFT_DIRECTION_FROM_FLAG: return "flag";
    case WEFT_DIRECTION_ASSUMED: return "assumed";
    }
    return "file";
}

const char *cli_weights(weft_weight_type type) {
    switch (type) {
    case WEFT_WEIGHT_NONE: break;
    case WEFT_WEIGHT_U32: return "u32";
    case WEFT_WEIGHT_F32: return "f32";
    case WEFT_WEIGHT_F64: return "f64";
    }
    return "none";
}

const char *cli_with_weights(weft_weight_type type) {
    switch (type) {
    case WEFT_WEIGHT_NONE: break;
    case WEFT_WEIGHT_U32: return " with u32 weights";
    case WEFT_WEIGHT_F32: return " with f32 weights";
    case WEFT_WEIGHT_F64: return " with f64 weights";
    }
    return "";
}

void cli_put_word(size_t *column, const char *word, const char *after) {
    enum { INDENT = 4, WIDTH = 96 };
    size_t width = cli_text_width(word) + cli_text_width(after);
    bool first = !*column, wrap = first || *column + 1 + width > WIDTH;
    if (wrap)
        printf("%s%*s%s%s", first ? "" : "\n", INDENT, "", word, after);
    else
        printf(" %s%s", word, after);
    *column = (wrap ? INDENT : *column + 1) + width;
}
