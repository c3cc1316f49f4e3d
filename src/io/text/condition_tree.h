/* A condition inside: what condition.c makes of its words, and condition_meets.c asks. */
#ifndef WFI_CONDITION_TREE_H
#define WFI_CONDITION_TREE_H

#include "io/text/condition.h"
#include "io/text/numbers.h"

enum { MOST_NODES = 512 };

typedef enum node_kind { NODE_OR, NODE_AND, NODE_NOT, NODE_COMPARISON } node_kind;
typedef enum comparator { LESS, AT_MOST, MORE, AT_LEAST, EQUAL, UNEQUAL } comparator;
typedef enum operand_kind { KIND_NUMBER, KIND_TEXT, KIND_TIME, KIND_TRUTH } operand_kind;

typedef struct value {
    bool whole;       /* a number without a fraction, or a text that is a time; in `integer` too */
    __int128 integer; /* times and truth values, too */
    double real;
    const char *text;
    size_t length;
} value;

typedef struct node {
    node_kind kind;
    comparator how;
    int left, right;   /* nodes */
    int column, other; /* of a comparator; other: -1, a literal */
    operand_kind of;
    value literal;
} node;

/* A sign and at most 29 digits, all of the text. */
bool wfi_scan_whole(const char *text, size_t length, __int128 *whole);

struct wfi_condition {
    int count, root;
    bool truths;     /* true or false is in it, and not as a column */
    bool text_table; /* no cell tells its type */
    char decimal;    /* the sign of its numbers; 0: nobody said it */
    char *texts;     /* literals, without their quotes */
    const wfi_names *names;
    node nodes[MOST_NODES];
};

#endif
