/* Types of numbers under their names in other interfaces: one table for buffers, Arrow, DLPack and CUDA arrays. */
#include "binding.h"

enum { INT = 0, UINT = 1, FLOAT = 2, BFLOAT = 4 }; /* DLPack's codes */

static const column_kind kinds[] = {
    {'b', 1, INT, "b", "c", "|i1"},   {'B', 1, UINT, "B", "C", "|u1"},  {'h', 2, INT, "h", "s", "<i2"},
    {'S', 2, UINT, "H", "S", "<u2"},  {'i', 4, INT, "i", "i", "<i4"},   {'I', 4, UINT, "I", "I", "<u4"},
    {'q', 8, INT, "q", "l", "<i8"},   {'Q', 8, UINT, "Q", "L", "<u8"},  {'e', 2, FLOAT, "e", "e", "<f2"},
    {'f', 4, FLOAT, "f", "f", "<f4"}, {'d', 8, FLOAT, "d", "g", "<f8"}, {'H', 2, BFLOAT, "H", "S", "<u2"},
    {'z', 8, UINT, "", "U", ""}, /* strings: Arrow's, with offsets of 64 bits */
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const column_kind *column_kind_of(char letter) {
    for (size_t i = 0; i < KINDS - 1; i++)
        if (kinds[i].letter == letter) return &kinds[i];
    return &kinds[KINDS - 1];
}

const column_kind *column_kind_of_arrow(char letter) {
    for (size_t i = 0; i < KINDS - 1; i++)
        if (kinds[i].arrow[0] == letter && kinds[i].letter != 'e') return &kinds[i];
    return NULL;
}

const column_kind *column_kind_of_dlpack(uint8_t code, uint8_t bits) {
    for (size_t i = 0; i < KINDS - 1; i++)
        if (kinds[i].dlpack == code && 8 * kinds[i].bytes == bits) return &kinds[i];
    return NULL;
}
