/* Cells as values of a type, and the types that a column may get. */
#ifndef WFI_CELL_VALUES_H
#define WFI_CELL_VALUES_H

#include "io/text/cells.h"

typedef union wfi_cell_value {
    int64_t i64; /* times too */
    double f64;
    uint8_t truth;
} wfi_cell_value;

/* Rules of a column. */
typedef struct wfi_cell_reading {
    bool words;   /* nan, inf and 1 for true are values, in files that declare types */
    bool exact;   /* whole numbers beside reals must be exact as doubles */
    char decimal; /* the sign of text tables, if the caller said it: the other one is between thousands; 0: a point */
} wfi_cell_reading;

/* Of the times of a column so far, before the first. */
enum { WFI_NO_FORM = -1 };

/* Is the text a value of that type?  Times must have the form of the times before. */
bool wfi_cell_fits(const char *text, size_t length, weft_attribute_type type, wfi_cell_reading how, int *form,
                   wfi_cell_value *value);
bool wfi_cell_is_truth(const char *text, size_t length, bool words, uint8_t *truth);

/* The types to try for a column with cells of these types (a bit each): the narrowest first, text last. */
size_t wfi_cell_ladder(unsigned types, weft_attribute_type steps[WFI_CELL_TYPES]);

#endif
