/* The language of conditions by itself: what it refuses and where, its limits, and the memory that it says it needs. */
#include "harness.h"
#include "stream/condition.h"

static int first_letter(void *of, const char *name, size_t length) {
    (void)of;
    return length == 1 && *name >= 'a' && *name <= 'f' ? *name - 'a' : -1;
}

static wfi_condition *parse(const char *text, bool truths, wfi_condition_fault *fault) {
    wfi_condition *c = malloc(wfi_condition_room(text));
    if (!c) abort();
    if (wfi_condition_parse(text, &(wfi_condition_columns){NULL, first_letter, truths}, c, fault)) return c;
    free(c);
    return NULL;
}

/* Column k has the value k; f has none, and e fails. */
static int value_of(void *row, const wfi_test *test, int column, wfi_value *value) {
    (void)row;
    *value =
        (wfi_value){.kind = test->kind, .whole = true, .integer = column, .real = column, .text = "x", .length = 1};
    return column == 4 ? -1 : column < 4;
}

static int answer(const char *text) {
    wfi_condition_fault fault;
    wfi_condition *c = parse(text, false, &fault);
    int holds = c ? wfi_condition_holds(c, value_of, NULL) : -2;
    free(c);
    return holds;
}

TEST(a_row_meets_a_condition_or_does_not) {
    static const struct {
        const char *text;
        int holds;
    } cases[] = {{"a = 0", 1},           {"a<>0", 0},           {"1 < c", 1},
                 {"c <= b", 0},          {"b > 0.5", 1},        {"b >= 1.5", 0},
                 {"b = 'x'", 1},         {"b < 'xa'", 1},       {"b > ''", 1},
                 {"f = 0", 0},           {"not f = 0", 1},      {"a = f", 0},
                 {"e = 1", -1},          {"a = 0 or e = 1", 1}, {"a = 1 and e = 1", 0},
                 {"a = 1 or e = 1", -1}, {"not e = 1", -1},     {"b = true", 1},
                 {"c > false", 1},       {"d > 1970-01-01", 1}, {"a = 1 or b = 1 and c = 3", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int got = answer(cases[i].text);
        if (got != cases[i].holds) HARNESS_FAIL("%s: %d, expected %d", cases[i].text, got, cases[i].holds);
    }
}

TEST(a_fault_has_its_place) {
    static const struct {
        const char *text;
        size_t place;
    } cases[] = {{"", 1},        {"a", 2},       {"a =", 4},        {"a = 1 b", 7},     {"a = 'x", 5},
                 {"`a", 1},      {"z = 1", 1},   {"`zz` = 1", 2},   {"1 = 1", 1},       {"(a = 1", 7},
                 {"a = 1)", 6},  {"a = 1x", 5},  {"a = 2024-1", 5}, {"a = true 1", 10}, {"a = 1 and", 10},
                 {"a = 0x1", 5}, {"a = -inf", 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wfi_condition_fault fault;
        wfi_condition *c = parse(cases[i].text, false, &fault);
        if (c || fault.place != cases[i].place)
            HARNESS_FAIL("%s: %zu, expected %zu", cases[i].text, fault.place, cases[i].place);
        free(c);
    }
}

TEST(words_for_truth_are_columns_where_the_caller_says_so) {
    wfi_condition_fault fault;
    wfi_condition *c = parse("a = true", false, &fault);
    CHECK(c && c->truths && c->test[0].kind == WFI_VALUE_TRUTH);
    free(c);
    c = parse("a = true", true, &fault);
    CHECK(!c && fault.place == 5 && !fault.what);
}

/* A chain of n comparisons has 2n - 1 nodes. */
TEST(a_condition_is_as_long_as_it_may_be) {
    enum { MOST = (WFI_CONDITION_NODES + 1) / 2 };
    static char text[MOST * 8 + 8], deep[256];
    wfi_condition_fault fault;
    char *to = text;
    for (int i = 0; i < MOST; i++) to += sprintf(to, "%sa=0", i ? " or " : "");
    wfi_condition *c = parse(text, false, &fault);
    CHECK(c && c->tests == MOST && c->nodes == 2 * MOST - 1);
    free(c);
    strcpy(to, " or a=0");
    CHECK(!parse(text, false, &fault));
    CHECK_TEXT(fault.what, "the condition is too long");
    for (int levels = 62; levels <= 64; levels++) {
        snprintf(deep, sizeof deep, "%.*sa=0", levels,
                 "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((");
        for (int i = 0; i < levels; i++) strcat(deep, ")");
        c = parse(deep, false, &fault);
        CHECK(!c == (levels > 63));
        free(c);
    }
}

TEST_MAIN()
