/* What the text of a cell is worth as a value of a type, and which types a column of such cells may get. */
#ifndef WFI_CELL_VALUES_H
#define WFI_CELL_VALUES_H

#include "io/text/cells.h"

typedef union wfi_cell_value {
    int64_t i64; /* times too */
    double f64;
    uint8_t truth;
} wfi_cell_value;

/* What counts in a column. */
typedef struct wfi_cell_reading {
    bool words;   /* nan, inf, 1 for true: a file that declares types may mean them */
    bool exact;   /* whole numbers are among the others, and keep their digits */
    char decimal; /* the sign of text tables, if the caller said it: the other one is between thousands; 0: a point */
} wfi_cell_reading;

/* Of the times of a column so far, before the first. */
enum { WFI_NO_FORM = -1 };

/* Is it a value of that type, and for times of the form of those before? */
bool wfi_cell_fits(const char *text, size_t length, weft_attribute_type type, wfi_cell_reading how, int *form,
                   wfi_cell_value *value);
bool wfi_cell_is_truth(const char *text, size_t length, bool words, uint8_t *truth);

/* The types that a column may get whose cells are of these, a bit each: the narrowest first, text last. */
size_t wfi_cell_ladder(unsigned types, weft_attribute_type steps[WFI_CELL_TYPES]);

#endif
