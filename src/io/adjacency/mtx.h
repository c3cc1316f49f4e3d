/* The header of a Matrix Market file, for reading and for detection. */
#ifndef WFI_MTX_H
#define WFI_MTX_H

#include "io/io.h"
#include "io/text/words.h"

typedef enum wfi_mtx_field { WFI_MTX_PATTERN, WFI_MTX_INTEGER, WFI_MTX_REAL } wfi_mtx_field;
typedef enum wfi_mtx_symmetry { WFI_MTX_GENERAL, WFI_MTX_SYMMETRIC, WFI_MTX_SKEW } wfi_mtx_symmetry;
typedef enum wfi_mtx_banner { WFI_MTX_BANNER, WFI_MTX_BANNER_ONE_PERCENT, WFI_MTX_NO_BANNER } wfi_mtx_banner;

typedef struct wfi_mtx_header {
    wfi_mtx_banner banner;
    bool array;
    wfi_mtx_field field;
    wfi_mtx_symmetry symmetry;
    uint64_t rows, columns,
        entries; /* entries: of an array, the number of values that its symmetry leaves to be listed */
    /* Positions in the text: the word of the field (or the text's begin), the size line, its last number, the
     * entries. */
    const char *field_at, *size_line, *entries_at, *body;
} wfi_mtx_header;

typedef enum wfi_mtx_outcome {
    WFI_MTX_OK,
    WFI_MTX_CUT,      /* the text ends inside the header */
    WFI_MTX_BAD,      /* `wrong` has the message and the position */
    WFI_MTX_BAD_SIZE, /* likewise, in the size line */
    WFI_MTX_UNSUPPORTED
} wfi_mtx_outcome;

typedef struct wfi_mtx_wrong {
    const char *at;
    char message[160];
} wfi_mtx_wrong;

/* Reads banner, comments and size line from the first `bytes` of a file; text[bytes] must not continue a number.
 * whole: this is the entire file. */
wfi_mtx_outcome wfi_mtx_parse_header(const char *text, size_t bytes, bool whole, wfi_mtx_header *header,
                                     wfi_mtx_wrong *wrong);

#endif
