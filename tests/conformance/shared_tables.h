/* The tables of the shared data (MANIFEST.tsv, COUNTED.tsv, TRUTHS.tsv): tabs between fields, names of the columns first. */
#ifndef WEFT_TESTS_SHARED_TABLES_H
#define WEFT_TESTS_SHARED_TABLES_H

#include "support.h"

enum { FIELDS = 24 };

typedef struct table {
    char *text;
    char *(*row)[FIELDS]; /* row 0 = the names of the columns */
    size_t rows;
} table;

static inline bool load_table(const char *name, table *t) {
    char path[4096];
    size_t bytes;
    snprintf(path, sizeof path, "%s/%s", shared_data(), name);
    *t = (table){.text = read_file(path, &bytes)};
    t->row = calloc(1000, sizeof *t->row);
    if (!t->text || !t->row) return false;
    for (char *line = t->text; line && *line && t->rows < 1000;) {
        char *next = strchr(line, '\n');
        if (next) *next++ = 0;
        for (int f = 0; f < FIELDS && line; f++) {
            t->row[t->rows][f] = line;
            line = strchr(line, '\t');
            if (line) *line++ = 0;
        }
        t->rows++;
        line = next;
    }
    return t->rows > 1;
}

static inline void free_table(table *t) {
    free(t->text);
    free(t->row);
}

/* The field of a row by the name of its column, "" when there is none. */
static inline const char *field(const table *t, size_t row, const char *column) {
    for (int f = 0; f < FIELDS && t->row[0][f]; f++)
        if (!strcmp(t->row[0][f], column)) return t->row[row][f] ? t->row[row][f] : "";
    return "";
}

static inline bool is_number(const char *text) { return *text && strspn(text, "0123456789") == strlen(text); }
static inline uint64_t number(const table *t, size_t row, const char *column) {
    return strtoull(field(t, row, column), NULL, 10);
}
static inline bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

/* Files whose node count includes vertices that no line names: line numbers of a list of names, or a header of the
 * original binary.  Their edge lists are read with the number of vertices given. */
static inline bool counts_isolated(const char *file) {
    return begins(file, "debian-deps/") || begins(file, "cran-deps/") || begins(file, "law-dblp-2010/");
}

#endif
