/* JSON (RFC 8259): a pull parser, and strings on the way out.
 *
 * Values are taken one by one.  Nothing is recursive: a reader walks the objects and arrays that it knows and lets
 * wfi_json_skip step over the others, however deep they are (up to WFI_JSON_DEEPEST).
 *
 * A call that returns WEFT_EINPUT has set j->at and j->why and nothing else: the reader, which knows whether it reads a
 * whole text, a block or a line, makes the message.  Other failures are those of `poll`. */
#ifndef WFI_JSON_TEXT_H
#define WFI_JSON_TEXT_H

#include "weft.h"

#include <stdbool.h>
#include <stddef.h>

enum { WFI_JSON_DEEPEST = 10000 };

typedef enum wfi_json_kind {
    WFI_JSON_NONE, /* no value: the end of an object or array, a key that was not there */
    WFI_JSON_OBJECT,
    WFI_JSON_ARRAY,
    WFI_JSON_STRING,
    WFI_JSON_NUMBER,
    WFI_JSON_TRUE,
    WFI_JSON_FALSE,
    WFI_JSON_NULL
} wfi_json_kind;

typedef struct wfi_json_value {
    wfi_json_kind kind;
    bool escaped;         /* a string with a backslash in it */
    bool integer;         /* a number without fraction and exponent */
    const char *at, *end; /* its text, that of a string without the quotes; of objects and arrays the bracket alone */
} wfi_json_value;

typedef struct wfi_json {
    weft_ctx *ctx;                           /* the reader's own, as are its words for `poll`; not looked at here */
    weft_status (*poll)(struct wfi_json *j); /* asked now and then; anything but WEFT_OK ends it.  NULL: nobody is */
    const char *p, *end;                     /* *end can be read, and is not part of the text */
    bool line;                               /* the text is a line, not a file: for messages */
    const char *start;                       /* of a text that is worth a progress bar; NULL: none */
    const char *at, *why;
    char said[160]; /* what wfi_json_say wrote */
} wfi_json;

/* The next value.  Of an object or array only the bracket is taken. */
weft_status wfi_json_next(wfi_json *j, wfi_json_value *v);
/* In an object: the next key, its colon taken too; kind NONE: the object is over.  *first is true before the first. */
weft_status wfi_json_key(wfi_json *j, bool *first, wfi_json_value *key);
/* In an array: the next value; kind NONE: the array is over. */
weft_status wfi_json_item(wfi_json *j, bool *first, wfi_json_value *v);
/* Steps over what is left of a value that was just taken: all of an object or array, nothing of others. */
weft_status wfi_json_skip(wfi_json *j, const wfi_json_value *v);
/* Nothing but white space is left? */
weft_status wfi_json_finish(wfi_json *j);

/* Can this string be a name?  Refuses bytes that are not UTF-8. */
weft_status wfi_json_check(wfi_json *j, const wfi_json_value *v);
/* Its text without the escapes, which needs no more bytes than with them.  Refuses what cannot be in a name: half a
 * surrogate pair, U+0000. */
weft_status wfi_json_unescape(wfi_json *j, const wfi_json_value *v, char *to, size_t *length);
/* Is this key that word, its escapes undone? */
bool wfi_json_is(const wfi_json_value *key, const char *word, size_t length);

/* Where a value begins, for messages: a string at its quote. */
static inline const char *wfi_json_place(const wfi_json_value *v) { return v->at - (v->kind == WFI_JSON_STRING); }

/* WEFT_EINPUT, for readers that find fault with a value. */
static inline weft_status wfi_json_wrong(wfi_json *j, const char *at, const char *why) {
    j->at = at;
    j->why = why;
    return WEFT_EINPUT;
}

/* The same in words that are made up. */
weft_status wfi_json_say(wfi_json *j, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "an object", "null", ...: what a value is, for messages. */
const char *wfi_json_kind_name(wfi_json_kind kind);

/* After white space and a byte-order mark. */
const char *wfi_json_start(const char *text, const char *end);

/* Writes a text in quotes, piece by piece.  Bytes that are not UTF-8 come out as \udcXX, half a surrogate pair, as
 * Python has them in its strings (surrogateescape): the text stays valid JSON, and no name looks like another. */
void wfi_json_put_string(void (*put)(void *to, const char *data, size_t bytes), void *to, const char *text,
                         size_t length);

#endif
