/* Which bytes are text: ids and names of files may hold any. */
#ifndef WEFT_CLI_UTF8_H
#define WEFT_CLI_UTF8_H

#include <stddef.h>

/* Length of the valid UTF-8 sequence at s, which ends in a zero; 0 if there is none (overlong forms and surrogates are
 * none). */
static inline size_t utf8_length(const unsigned char *s) {
    if (s[0] < 0x80) return 1;
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
    return length;
}

#endif
