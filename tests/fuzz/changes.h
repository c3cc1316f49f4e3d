/* Changes of files: the mistakes that files really have, and plain noise.  A buffer has room for INPUT_ROOM bytes. */
#ifndef WEFT_FUZZ_CHANGES_H
#define WEFT_FUZZ_CHANGES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { INPUT_ROOM = 1 << 16 };

static inline uint64_t draw(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline size_t insert(uint8_t *data, size_t bytes, size_t at, const void *what, size_t length) {
    if (bytes + length > INPUT_ROOM) return bytes;
    memmove(data + at + length, data + at, bytes - at);
    memcpy(data + at, what, length);
    return bytes + length;
}

static inline size_t erase(uint8_t *data, size_t bytes, size_t at, size_t length) {
    if (length > bytes - at) length = bytes - at;
    memmove(data + at, data + at + length, bytes - at - length);
    return bytes - length;
}

static inline size_t change(uint8_t *data, size_t bytes, uint64_t *state) {
    /* clang-format off */
    static const char *const tokens[] = {"-1", "0", "18446744073709551616", "9223372036854775807", "4294967295", "nan",
                                         "1e999", "\n", "\r\n", " ", "\t", "%", "#", ",", "\"", "1 2 3\n", "-", ".",
                                         "999999999", "\xff\xfe", "", "symmetric", "p sp 3 3\n", "a 1 2 3\n"};
    /* clang-format on */
    uint64_t r = draw(state);
    size_t at = bytes ? (size_t)(r >> 8) % (bytes + 1) : 0;
    size_t length = (size_t)(r >> 40) % 16;
    switch (r % 9) {
    case 0: return at; /* cut short */
    case 1: return erase(data, bytes, at, 1 + length);
    case 2:
        if (at < bytes) data[at] ^= (uint8_t)(1u << (r >> 50) % 8);
        return bytes;
    case 3:
        if (at < bytes) data[at] = (uint8_t)(r >> 52);
        return bytes;
    case 4: return insert(data, bytes, at, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 1 + length);
    case 5: { /* repeat a stretch of the file */
        uint8_t copy[64];
        size_t take = bytes - at < sizeof copy ? bytes - at : sizeof copy;
        memcpy(copy, data + at, take);
        return insert(data, bytes, (size_t)(r >> 20) % (bytes + 1), copy, take);
    }
    case 6:
        if (at + 8 <= bytes) memset(data + at, r >> 63 ? 0xff : 0x7f, 1 + length % 8);
        return bytes;
    default: {
        const char *token = tokens[(r >> 44) % (sizeof tokens / sizeof *tokens)];
        return insert(data, bytes, at, token, strlen(token));
    }
    }
}

#endif
