/* Conditions on rows: the language of docs/where.md, for rows of results, edges of a file and edges of a stored
 * graph.
 *
 *   either   = both {"or" both}
 *   both     = one {"and" one}
 *   one      = "not" one | "(" either ")" | operand relation operand
 *   relation = "<" | "<=" | ">" | ">=" | "=" | "==" | "!=" | "<>"
 *   operand  = a column, a number, 'text' or "text", a time, true, false
 *
 * and, or and not may be in capitals. The caller numbers the columns while the text is parsed, then examines each
 * comparison and refuses or converts literals that do not suit the column, and supplies the values of a row when it
 * is tested. Whole numbers are compared exactly. A missing value and NaN meet no comparison. */
#ifndef WFI_CONDITION_H
#define WFI_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WFI_CONDITION_NODES = 512 };

typedef enum wfi_value_kind { WFI_VALUE_NUMBER, WFI_VALUE_TEXT, WFI_VALUE_TIME, WFI_VALUE_TRUTH } wfi_value_kind;

typedef struct wfi_value {
    wfi_value_kind kind;
    bool whole;       /* number: without a fraction; text: it is a time */
    __int128 integer; /* value of whole numbers, times (microseconds since 1970), truth values, and texts that are
                       * times */
    double real;      /* value of numbers */
    const char *text; /* value of texts, `length` bytes */
    size_t length;
} wfi_value;

typedef enum wfi_relation { WFI_LESS, WFI_AT_MOST, WFI_MORE, WFI_AT_LEAST, WFI_EQUAL, WFI_UNEQUAL } wfi_relation;

/* Comparison of a column with a literal or another column. */
typedef struct wfi_test {
    wfi_relation relation;
    int column, other;   /* other: second column, or -1 for the literal */
    wfi_value_kind kind; /* of the literal; WFI_VALUE_NUMBER for two columns */
    wfi_value literal;
    size_t place; /* position of its first character, from 1 */
} wfi_test;

typedef enum wfi_condition_kind { WFI_OR, WFI_AND, WFI_NOT, WFI_TEST } wfi_condition_kind;

typedef struct wfi_condition {
    int nodes, tests, root;
    bool truths; /* contains the literal true or false */
    struct {
        wfi_condition_kind kind;
        int left, right; /* child nodes; WFI_TEST: left is the index of the test */
    } node[WFI_CONDITION_NODES];
    wfi_test test[WFI_CONDITION_NODES];
    char texts[]; /* unquoted literals */
} wfi_condition;

typedef struct wfi_condition_columns {
    void *of;
    int (*number)(void *of, const char *name, size_t length); /* number of a column; -1 on failure */
    bool truths;                                              /* some column is called true or false */
} wfi_condition_columns;

typedef struct wfi_condition_fault {
    size_t place;     /* position of the character, from 1 */
    const char *what; /* NULL: the caller's `number` failed */
} wfi_condition_fault;

/* Bytes of a wfi_condition for a text. */
size_t wfi_condition_room(const char *text);
bool wfi_condition_parse(const char *text, const wfi_condition_columns *columns, wfi_condition *c,
                         wfi_condition_fault *fault);

/* Sets the value, and its kind, of a column in a row. Returns 1; 0 for a missing value; -1 on failure. */
typedef int wfi_value_of(void *row, const wfi_test *test, int column, wfi_value *value);
/* Returns 1 if the row meets the condition, 0 if not, -1 if value_of failed. */
int wfi_condition_holds(const wfi_condition *c, wfi_value_of *value_of, void *row);

#endif
