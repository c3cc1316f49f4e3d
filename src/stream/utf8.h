/* UTF-8 (RFC 3629): decoding lengths and encoding characters. Every reader of text validates: ids and file names may
 * contain any bytes. */
#ifndef WFI_UTF8_H
#define WFI_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length in bytes of the sequence at p, 0 if it is not valid (overlong forms and surrogates included). Never reads
 * beyond a zero byte, so `end` may lie anywhere after the terminator of a text. */
static inline size_t wfi_utf8_length(const char *p, const char *end) {
    const unsigned char *s = (const unsigned char *)p;
    if (p >= end) return 0;
    if (s[0] < 0x80) return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if ((size_t)(end - p) < length) return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
    return length;
}

/* Writes a character in up to four bytes; returns the end. */
static inline char *wfi_utf8_put(char *to, uint32_t c) {
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *to++ = (char)((more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0) | c >> 6 * more);
    while (more-- > 0) *to++ = (char)(0x80 | (c >> 6 * more & 0x3f));
    return to;
}

#endif
