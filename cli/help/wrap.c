/* Wrapped help: see cli.h.  A column is a character: UTF-8 continuation bytes do not count. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_WIDTH = 40, USUAL_WIDTH = 80, MOST_WIDTH = 1000 };

size_t cli_line_width(FILE *to) {
    const char *wanted = getenv("COLUMNS");
    char *end = NULL;
    int file = to == stdout ? STDOUT_FILENO : fileno(to); /* -1: a text in memory */
    unsigned long width = wanted ? strtoul(wanted, &end, 10) : 0;
    bool sane = width && !*end && width <= MOST_WIDTH;
    if (!sane) {
        size_t there = file >= 0 ? cli_terminal_columns(file) : 0;
        width = there && there < USUAL_WIDTH ? there : USUAL_WIDTH;
    }
    return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

size_t cli_name_width(FILE *to, size_t usual) {
    size_t most = cli_line_width(to) * 3 / 8;
    return usual < most ? usual : most;
}

void cli_put_entry(FILE *to, const char *name, size_t from, const char *text) {
    if (cli_text_width(name) + 2 > from)
        fprintf(to, "%s\n%*s", name, (int)from, "");
    else
        fprintf(to, "%s%*s", name, (int)(from - cli_text_width(name)), "");
    cli_put_wrapped(to, text, from);
}

static size_t columns_of(const char *text, size_t bytes) {
    size_t columns = 0;
    for (size_t i = 0; i < bytes; i++) columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

/* Bytes of `text` that fit on a line of `width` columns, whole words, at least one.  *columns is their width. */
static size_t line_of(const char *text, size_t width, size_t *columns) {
    size_t taken = 0;
    *columns = 0;
    for (size_t at = 0; text[at];) {
        size_t end = at + strcspn(text + at, " "), wide = columns_of(text, end);
        if (taken && wide > width) break;
        taken = end;
        *columns = wide;
        at = end + strspn(text + end, " ");
    }
    return taken;
}

/* Writes the next line of *text and moves on. */
static size_t put_line(FILE *to, const char **text, size_t width) {
    size_t columns, bytes = line_of(*text, width, &columns);
    fwrite(*text, 1, bytes, to);
    *text += bytes;
    *text += strspn(*text, " ");
    return columns;
}

void cli_put_wrapped(FILE *to, const char *text, size_t from) {
    size_t width = cli_line_width(to);
    width = width > from + 1 ? width - from : 1;
    put_line(to, &text, width);
    while (*text) {
        fprintf(to, "\n%*s", (int)from, "");
        put_line(to, &text, width);
    }
    fputc('\n', to);
}

/* Bytes of the paragraph that begins at `text`. */
static size_t paragraph_of(const char *text) {
    size_t length = strcspn(text, "\n");
    while (text[length] && text[length + 1] && text[length + 1] != ' ' && text[length + 1] != '\n')
        length += 1 + strcspn(text + length + 1, "\n");
    return length;
}

/* Writes a line that begins with a blank. */
static void put_indented(FILE *to, char *line) {
    char *name = line + strspn(line, " "), *gap = strstr(name, "  ");
    if (!gap) {
        fprintf(to, "%s\n", line);
        return;
    }
    const char *text = gap + strspn(gap, " ");
    size_t from = cli_name_width(to, columns_of(line, (size_t)(text - line)));
    *gap = 0;
    cli_put_entry(to, line, from, text);
}

void cli_put_text(FILE *to, const char *text) {
    while (*text) {
        bool indented = *text == ' ', empty = *text == '\n';
        size_t length = indented || empty ? strcspn(text, "\n") : paragraph_of(text);
        char *copy = empty ? NULL : strndup(text, length);
        if (copy && indented) {
            put_indented(to, copy);
        } else if (copy) {
            for (char *c = copy; *c; c++)
                if (*c == '\n') *c = ' ';
            cli_put_wrapped(to, copy, 0);
        } else {
            fprintf(to, "%.*s\n", (int)length, text);
        }
        free(copy);
        text += length + (text[length] == '\n');
    }
}

void cli_put_beside(FILE *to, const char *left, size_t from, size_t width, const char *right, size_t second) {
    size_t rest = cli_line_width(to);
    rest = rest > second + 1 ? rest - second : 1;
    for (bool first = true; first || *left || *right; first = false) {
        if (!first) fprintf(to, "%*s", (int)from, "");
        size_t column = from + put_line(to, &left, width);
        if (*right) {
            fprintf(to, "%*s", column < second ? (int)(second - column) : 1, "");
            put_line(to, &right, rest);
        }
        fputc('\n', to);
    }
}
