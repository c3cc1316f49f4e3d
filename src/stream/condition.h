/* Conditions on rows: the language of docs/where.md, for rows of results, edges of a file and edges of a stored graph.
 *
 *   either   = both {"or" both}
 *   both     = one {"and" one}
 *   one      = "not" one | "(" either ")" | operand relation operand
 *   relation = "<" | "<=" | ">" | ">=" | "=" | "==" | "!=" | "<>"
 *   operand  = a column, a number, 'text' or "text", a time, true, false
 *
 * and, or and not may be in capitals.  The caller numbers the columns while the text is parsed, then looks at each
 * comparison and refuses or changes what its columns do not go with, and gives the values of a row when it is tested.
 * Whole numbers are compared exactly.  A row without a value, or with NaN, meets no comparison. */
#ifndef WFI_CONDITION_H
#define WFI_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WFI_CONDITION_NODES = 512 };

typedef enum wfi_value_kind { WFI_VALUE_NUMBER, WFI_VALUE_TEXT, WFI_VALUE_TIME, WFI_VALUE_TRUTH } wfi_value_kind;

typedef struct wfi_value {
    wfi_value_kind kind;
    bool whole;       /* a number without a fraction; a text that is a time */
    __int128 integer; /* of whole numbers, times (microseconds since 1970), truth values, and of such a text */
    double real;      /* of numbers */
    const char *text; /* of texts, with their length */
    size_t length;
} wfi_value;

typedef enum wfi_relation { WFI_LESS, WFI_AT_MOST, WFI_MORE, WFI_AT_LEAST, WFI_EQUAL, WFI_UNEQUAL } wfi_relation;

/* A column against a literal, or against another column. */
typedef struct wfi_test {
    wfi_relation relation;
    int column, other;   /* other: -1, the literal */
    wfi_value_kind kind; /* the literal's; of two columns: a number */
    wfi_value literal;
    size_t place; /* of its first character, from 1 */
} wfi_test;

typedef enum wfi_condition_kind { WFI_OR, WFI_AND, WFI_NOT, WFI_TEST } wfi_condition_kind;

typedef struct wfi_condition {
    int nodes, tests, root;
    bool truths; /* true or false is in it, and not as a column */
    struct {
        wfi_condition_kind kind;
        int left, right; /* nodes; left of WFI_TEST: which */
    } node[WFI_CONDITION_NODES];
    wfi_test test[WFI_CONDITION_NODES];
    char texts[]; /* of literals, without their quotes */
} wfi_condition;

typedef struct wfi_condition_columns {
    void *of;
    int (*number)(void *of, const char *name, size_t length); /* of the column with this name; -1: fails */
    bool truths;                                              /* the words true and false are columns */
} wfi_condition_columns;

typedef struct wfi_condition_fault {
    size_t place;     /* of the character, from 1 */
    const char *what; /* NULL: the caller's `number` failed */
} wfi_condition_fault;

/* Bytes that the condition of a text needs. */
size_t wfi_condition_room(const char *text);
bool wfi_condition_parse(const char *text, const wfi_condition_columns *columns, wfi_condition *c,
                         wfi_condition_fault *fault);

/* The value of a column in the row at hand, with its kind: 1; 0: it has none; -1: fails. */
typedef int wfi_value_of(void *row, const wfi_test *test, int column, wfi_value *value);
/* Does the row meet the condition?  -1: value_of failed. */
int wfi_condition_holds(const wfi_condition *c, wfi_value_of *value_of, void *row);

#endif
