/* NumPy's .npy (versions 1.0 to 3.0): the header that says what the bytes after it are. */
#ifndef WFI_NPY_H
#define WFI_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum wfi_kind { WFI_BOOL, WFI_UNSIGNED, WFI_SIGNED, WFI_FLOAT, WFI_BYTES, WFI_UNICODE, WFI_OTHER } wfi_kind;

typedef struct wfi_dtype {
    wfi_kind kind;
    uint32_t bytes; /* of an element */
    bool swapped;   /* big-endian */
    char text[16];  /* as the header has it, for messages; cut off when longer */
} wfi_dtype;

typedef struct wfi_npy_field {
    const char *name;
    size_t name_length;
    wfi_dtype type;
    uint64_t offset;
} wfi_npy_field;

enum { WFI_NPY_FIELDS = 64 };

typedef struct wfi_npy {
    const char *start, *data; /* of the .npy, and of its elements */
    wfi_dtype type;           /* of a record: WFI_OTHER, with its size */
    wfi_npy_field fields[WFI_NPY_FIELDS];
    size_t field_count; /* 0: not a structured array */
    bool fortran;
    unsigned dimensions;
    uint64_t shape[2]; /* of the first two; 1 where there is none */
    uint64_t count;    /* elements */

    const char *at; /* where and why the header was refused */
    char why[160];
} wfi_npy;

/* Reads the header at `start`, of which `bytes` are there; false: it is none. */
bool wfi_npy_read(wfi_npy *array, const char *start, uint64_t bytes);

/* Writes the header of version 1.0, so that the elements begin at a multiple of 64: descr "'<f4'" or "[('x', '<f4')]",
 * shape "(3, 2)".  Returns its bytes, 0 if there is not enough room. */
size_t wfi_npy_header(char *to, size_t room, const char *descr, const char *shape);

#endif
