/* Words of GML: keys, numbers, strings in quotes, brackets; # begins a comment. */
#ifndef WFI_GML_TOKENS_H
#define WFI_GML_TOKENS_H

#include <stdbool.h>

typedef enum wfi_gml_kind {
    WFI_GML_KEY,
    WFI_GML_NUMBER,
    WFI_GML_STRING, /* with its quotes */
    WFI_GML_OPEN,
    WFI_GML_CLOSE,
    WFI_GML_END,    /* of the text */
    WFI_GML_UNKNOWN /* also a string that never ends */
} wfi_gml_kind;

typedef struct wfi_gml_token {
    wfi_gml_kind kind;
    const char *at, *end;
} wfi_gml_token;

wfi_gml_token wfi_gml_next(const char *p, const char *end);

/* Is it the key `word`? */
bool wfi_gml_is(wfi_gml_token t, const char *word);

/* How much of a key is worth showing in a message. */
static inline int wfi_gml_shown(wfi_gml_token key) { return key.end - key.at < 40 ? (int)(key.end - key.at) : 40; }

#endif
