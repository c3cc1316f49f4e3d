/* JSON (RFC 8259): a pull parser and a writer of strings.
 *
 * Values are taken one by one. Nothing is recursive: a reader walks the objects and arrays that it knows and skips
 * the others with wfi_json_skip, up to WFI_JSON_DEEPEST levels deep.
 *
 * A call that returns WEFT_EINPUT has set j->at and j->why only. The reader makes the message, because it knows
 * whether the text is a file, a block or a line. Other failures come from `poll`. */
#ifndef WFI_JSON_TEXT_H
#define WFI_JSON_TEXT_H

#include "weft/base.h"

#include <stdbool.h>
#include <stddef.h>

enum { WFI_JSON_DEEPEST = 10000 };

typedef enum wfi_json_kind {
    WFI_JSON_NONE, /* the end of an object or array; no value */
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
    const char *at, *end; /* text of the value: without the quotes of a string; only the bracket of an object or
                           * array */
} wfi_json_value;

typedef struct wfi_json {
    weft_ctx *ctx;                           /* the reader's, for its `poll`; not used here */
    weft_status (*poll)(struct wfi_json *j); /* called now and then, may be NULL; a failure ends the call */
    const char *p, *end;                     /* *end is readable but not part of the text */
    bool line;                               /* the text is a line, not a file; chooses the wording of messages */
    const char *start;                       /* start of a text that is long enough for a progress bar, or NULL */
    const char *at, *why;
    char message[160]; /* text written by wfi_json_wrongf */
} wfi_json;

/* Takes the next value; only the bracket of an object or array. */
weft_status wfi_json_next(wfi_json *j, wfi_json_value *v);
/* In an object: takes the next key and its colon; kind NONE at the end of the object. Needs *first = true before the
 * first call. */
weft_status wfi_json_key(wfi_json *j, bool *first, wfi_json_value *key);
/* In an array: takes the next value; kind NONE at the end of the array. */
weft_status wfi_json_item(wfi_json *j, bool *first, wfi_json_value *v);
/* Skips the rest of a value that was just taken: an object's or array's content; nothing for other kinds. */
weft_status wfi_json_skip(wfi_json *j, const wfi_json_value *v);
/* Fails unless only white space is left. */
weft_status wfi_json_finish(wfi_json *j);

/* Fails if a string is not UTF-8. */
weft_status wfi_json_check(wfi_json *j, const wfi_json_value *v);
/* Decodes a string into `to`, which needs v->end - v->at bytes. Fails on characters that names must not contain:
 * unpaired surrogates and U+0000. */
weft_status wfi_json_unescape(wfi_json *j, const wfi_json_value *v, char *to, size_t *length);
/* True if the decoded key equals `word`. */
bool wfi_json_is(const wfi_json_value *key, const char *word, size_t length);

/* Start of a value for messages; the opening quote of a string. */
static inline const char *wfi_json_place(const wfi_json_value *v) { return v->at - (v->kind == WFI_JSON_STRING); }

/* Records a fault for the message; returns WEFT_EINPUT. */
static inline weft_status wfi_json_wrong(wfi_json *j, const char *at, const char *why) {
    j->at = at;
    j->why = why;
    return WEFT_EINPUT;
}

/* wfi_json_wrong with a formatted reason. */
weft_status wfi_json_wrongf(wfi_json *j, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Name of a kind for messages: "an object", "null", ... */
const char *wfi_json_kind_name(wfi_json_kind kind);

/* Skips a byte-order mark and white space. */
const char *wfi_json_start(const char *text, const char *end);

/* Writes a text in quotes with escapes, in pieces. Bytes that are not UTF-8 are written as \udcXX, unpaired
 * surrogates as in Python's surrogateescape: the output is valid JSON, and different names stay different. */
void wfi_json_put_string(void (*put)(void *to, const char *data, size_t bytes), void *to, const char *text,
                         size_t length);

#endif
