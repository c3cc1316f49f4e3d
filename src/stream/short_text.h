/* Texts of up to 8 bytes as integers, compared and converted without a branch per byte. The first byte of a text is
 * the lowest byte of its integer. */
#ifndef WFI_SHORT_TEXT_H
#define WFI_SHORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte of a text is the lowest of a number");

#define WFI_EACH_BYTE(x) (UINT64_C(0x0101010101010101) * (x))

static inline uint64_t wfi_load_8(const char *text) {
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    return bytes;
}

/* Loads a text of at most 8 bytes, zero-padded; reads no byte beyond it. */
static inline uint64_t wfi_load_short(const char *text, size_t length) {
    if (length == 8) return wfi_load_8(text);
    if (length >= 4) {
        uint32_t low, high;
        memcpy(&low, text, sizeof low);
        memcpy(&high, text + length - 4, sizeof high);
        return low | (uint64_t)high << (8 * (length - 4));
    }
    if (!length) return 0;
    size_t middle = length / 2, last = length - 1; /* lengths 1 and 2 load a byte twice, into the same position */
    const unsigned char *byte = (const unsigned char *)text;
    return byte[0] | (uint64_t)byte[middle] << (8 * middle) | (uint64_t)byte[last] << (8 * last);
}

/* Sets the highest bit of the first byte that equals c (or is below `least`); may set it in later bytes, too. 0 if
 * there is none. */
static inline uint64_t wfi_bytes_equal(uint64_t bytes, char c) {
    uint64_t x = bytes ^ WFI_EACH_BYTE((unsigned char)c);
    return (x - WFI_EACH_BYTE(1)) & ~x & WFI_EACH_BYTE(0x80);
}
static inline uint64_t wfi_bytes_below(uint64_t bytes, unsigned char least) {
    return (bytes - WFI_EACH_BYTE(least)) & ~bytes & WFI_EACH_BYTE(0x80);
}
static inline unsigned wfi_first_byte(uint64_t found) { return (unsigned)__builtin_ctzll(found) >> 3; }

/* Converts 1 to 8 loaded digits to a number; false if a byte is not a digit. */
static inline bool wfi_digits_of(uint64_t bytes, size_t length, uint64_t *value) {
    unsigned front = 64 - 8 * (unsigned)length;
    uint64_t x = (bytes << front) | (front ? WFI_EACH_BYTE('0') >> (64 - front) : 0);
    if (((x + WFI_EACH_BYTE(0x46)) | (x - WFI_EACH_BYTE('0'))) & WFI_EACH_BYTE(0x80)) return false;
    x -= WFI_EACH_BYTE('0');
    x = x * 10 + (x >> 8); /* pairs of digits in every second byte */
    *value = ((x & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
              (x >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >>
             32;
    return true;
}

/* Converts a text of 1 to 16 digits. */
static inline bool wfi_short_digits(const char *text, size_t length, uint64_t *value) {
    uint64_t high = 0, low;
    size_t front = length > 8 ? length - 8 : 0;
    if (front && !wfi_digits_of(wfi_load_short(text, front), front, &high)) return false;
    if (!wfi_digits_of(wfi_load_short(text + front, length - front), length - front, &low)) return false;
    *value = high * 100000000 + low;
    return true;
}

#endif
