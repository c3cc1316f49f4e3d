/* NumPy's .npy format, versions 1.0 to 3.0: reads and writes the header, which describes the elements after it. */
#ifndef WFI_NPY_H
#define WFI_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum wfi_kind { WFI_BOOL, WFI_UNSIGNED, WFI_SIGNED, WFI_FLOAT, WFI_BYTES, WFI_UNICODE, WFI_OTHER } wfi_kind;

typedef struct wfi_dtype {
    wfi_kind kind;
    uint32_t bytes; /* per element */
    bool swapped;   /* big-endian */
    char text[16];  /* type as written in the header, for messages; may be truncated */
} wfi_dtype;

typedef struct wfi_npy_field {
    const char *name;
    size_t name_length;
    wfi_dtype type;
    uint64_t offset;
} wfi_npy_field;

enum { WFI_NPY_FIELDS = 64 };

typedef struct wfi_npy {
    const char *start, *data; /* of the file and of its elements */
    wfi_dtype type;           /* WFI_OTHER with the size of a record for structured arrays */
    wfi_npy_field fields[WFI_NPY_FIELDS];
    size_t field_count; /* 0: not a structured array */
    bool fortran;
    unsigned dimensions;
    uint64_t shape[2]; /* first two dimensions; 1 if absent */
    uint64_t count;    /* elements */

    const char *at; /* place and reason of a refusal */
    char why[160];
} wfi_npy;

/* Reads the header at `start`, with `bytes` readable; false with at and why set if it is not valid. */
bool wfi_npy_read(wfi_npy *array, const char *start, uint64_t bytes);

/* Writes a header of version 1.0, padded to a multiple of 64 bytes. descr: "'<f4'" or "[('x', '<f4')]",
 * shape: "(3, 2)". Returns its length in bytes, 0 if `size` is too small. */
size_t wfi_npy_header(char *to, size_t size, const char *descr, const char *shape);

#endif
