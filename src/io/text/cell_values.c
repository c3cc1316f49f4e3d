/* See cell_values.h. */
#include "io/text/cell_values.h"
#include "attributes/attributes.h"
#include "io/text/cells.h"
#include "io/text/spelling.h"
#include "stream/numbers.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { CELL_NUMBER_ROOM = 400 };

/* Copies the text, because the scanner needs a byte behind the number that is none of it.  007 is a code, not a
 * number. */
static bool is_spelt_as_number(const char *text, size_t length, char room[CELL_NUMBER_ROOM]) {
    if (!length || length >= CELL_NUMBER_ROOM) return false;
    memcpy(room, text, length);
    room[length] = '\0';
    const char *p = room + (*room == '-' || *room == '+');
    return !(p[0] == '0' && p[1] >= '0' && p[1] <= '9');
}

static bool is_f64(const char *text, size_t length, wfi_cell_reading how, double *x) {
    static const struct {
        const char *word;
        double value;
    } words[] = {{"nan", NAN},        {"inf", INFINITY},      {"+inf", INFINITY},
                 {"-inf", -INFINITY}, {"infinity", INFINITY}, {"-infinity", -INFINITY}};
    char room[CELL_NUMBER_ROOM];
    const char *p = room;
    int64_t whole;
    unsigned decimals;
    if (wfi_scan_short(text, length, &whole, &decimals)) {
        *x = wfi_short_value(whole, decimals);
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words && how.words; i++)
        if (strlen(words[i].word) == length && !strncasecmp(words[i].word, text, length)) {
            *x = words[i].value;
            return true;
        }
    if (!is_spelt_as_number(text, length, room) || wfi_scan_f64(&p, x) || p != room + length) return false;
    bool digits = !memchr(text, '.', length) && !memchr(text, 'e', length) && !memchr(text, 'E', length);
    return !digits || !how.exact ||
           (wfi_is_plain_integer(text, length, &whole) && whole <= (INT64_C(1) << 53) && whole >= -(INT64_C(1) << 53));
}

bool wfi_cell_is_truth(const char *text, size_t length, bool words, uint8_t *truth) {
    bool yes = (length == 4 && !strncasecmp(text, "true", 4)) || (words && length == 1 && *text == '1');
    bool no = (length == 5 && !strncasecmp(text, "false", 5)) || (words && length == 1 && *text == '0');
    *truth = yes;
    return yes || no;
}

bool wfi_cell_fits(const char *text, size_t length, weft_attribute_type type, wfi_cell_reading how, int *form,
                   wfi_cell_value *value) {
    weft_time_form here;
    char room[WFI_NUMBER_ROOM];
    const wfi_field spelt = {.text = text, .length = length};
    bool number = type == WEFT_ATTRIBUTE_WHOLE || type == WEFT_ATTRIBUTE_REAL;
    if (number && how.decimal) {
        if (!wfi_respell(&spelt, how.decimal, room)) return false;
        text = room;
        length = strlen(room);
    }
    switch (type) {
    case WEFT_ATTRIBUTE_WHOLE: return wfi_is_plain_integer(text, length, &value->i64);
    case WEFT_ATTRIBUTE_REAL: return is_f64(text, length, how, &value->f64);
    case WEFT_ATTRIBUTE_BOOL: return wfi_cell_is_truth(text, length, how.words, &value->truth);
    case WEFT_ATTRIBUTE_TEXT: return true;
    case WEFT_ATTRIBUTE_TIME:
        if (!wfi_time_scan(text, length, &value->i64, &here) || (*form != WFI_NO_FORM && *form != (int)here))
            return false;
        *form = (int)here;
        return true;
    }
    return false;
}

size_t wfi_cell_ladder(unsigned types, weft_attribute_type steps[WFI_CELL_TYPES]) {
    const unsigned content = 1u << WFI_CELL_BY_CONTENT, whole = 1u << WEFT_ATTRIBUTE_WHOLE,
                   real = 1u << WEFT_ATTRIBUTE_REAL, truth = 1u << WEFT_ATTRIBUTE_BOOL,
                   time = 1u << WEFT_ATTRIBUTE_TIME;
    size_t count = 0;
    bool any = types && !(types & ~content);
    if (any || types == whole) steps[count++] = WEFT_ATTRIBUTE_WHOLE;
    if (any || (types && !(types & ~(whole | real)))) steps[count++] = WEFT_ATTRIBUTE_REAL;
    if (any || types == truth) steps[count++] = WEFT_ATTRIBUTE_BOOL;
    if (any || types == time) steps[count++] = WEFT_ATTRIBUTE_TIME;
    steps[count++] = WEFT_ATTRIBUTE_TEXT;
    return count;
}
