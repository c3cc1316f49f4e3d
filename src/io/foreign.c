/* What a file is that Weft does not read.  Method: magic bytes of archives and of other packers; the first word of text
 * formats, after white space and a byte-order mark. */
#include "io/foreign.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

typedef struct sign {
    const char *start;
    size_t length;
    const char *meaning;
} sign;

#define SIGN(start, meaning) \
    { start, sizeof(start) - 1, meaning }

static const sign packed[] = {
    SIGN("\xfd"
         "7zXZ",
         "packed with xz, which Weft does not undo: xz -dc FILE | weft info -"),
    SIGN("\x04\x22\x4d\x18", "packed with lz4, which Weft does not undo: lz4 -dc FILE | weft info -"),
    SIGN("7z\xbc\xaf\x27\x1c", "a 7-Zip archive: unpack it and name the file in it"),
    SIGN("PK\x03\x04", "a zip archive: unpack it and name the file in it"),
    SIGN("\x1f\x8b", "packed twice: unpack it once"),
    SIGN("\x28\xb5\x2f\xfd", "packed twice: unpack it once"),
    SIGN("\x89PNG", "a picture"),
    SIGN("%PDF-", "a PDF document"),
};

static const sign text[] = {
    SIGN("<!doctype html", "a web page, not a graph: was the download answered with an error?"),
    SIGN("<html", "a web page, not a graph: was the download answered with an error?"),
    SIGN("<?xml", "XML, but neither GraphML nor GEXF, which Weft reads: save it as one of these"),
    SIGN("nodedef>", "a GDF file, which Weft does not read: save it as GML or as an edge list"),
};

static const char *after_space(const char *p, const char *stop) {
    while (p < stop && isspace((unsigned char)*p)) p++;
    return p;
}

static const char *after_word(const char *p, const char *stop, const char *word) {
    size_t length = strlen(word);
    return (size_t)(stop - p) >= length && !strncasecmp(p, word, length) ? p + length : NULL;
}

/* [strict] graph|digraph [name] { */
static bool is_dot(const char *p, const char *stop) {
    const char *next = after_word(p, stop, "strict");
    if (next) p = after_space(next, stop);
    next = after_word(p, stop, "digraph");
    if (!next) next = after_word(p, stop, "graph");
    if (!next) return false;
    p = after_space(next, stop);
    while (p < stop && (isalnum((unsigned char)*p) || *p == '_' || *p == '"' || *p == '-' || *p == '.')) p++;
    p = after_space(p, stop);
    return p < stop && *p == '{';
}

/* "BZh", the level, the digits of pi. */
static bool is_bzip2(const char *p, size_t bytes) {
    return bytes >= 7 && !memcmp(p, "BZh", 3) && isdigit((unsigned char)p[3]) && !memcmp(p + 4, "1AY", 3);
}

const char *wfi_foreign(const char *head, size_t bytes) {
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (bytes >= packed[i].length && !memcmp(head, packed[i].start, packed[i].length)) return packed[i].meaning;
    if (is_bzip2(head, bytes)) return "packed with bzip2, which Weft does not undo: bunzip2 -c FILE | weft info -";
    if (bytes >= 262 && !memcmp(head + 257, "ustar", 5)) return "a tar archive: unpack it and name the file in it";
    const char *p = head, *stop = head + bytes;
    if (bytes >= 3 && !memcmp(head, "\xef\xbb\xbf", 3)) p += 3;
    p = after_space(p, stop);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (after_word(p, stop, text[i].start)) return text[i].meaning;
    if (is_dot(p, stop)) return "a DOT file, which Weft writes but does not read: save it as GML or as an edge list";
    return NULL;
}
