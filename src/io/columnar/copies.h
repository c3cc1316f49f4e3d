/* For snappy and LZ4: the two copies that they are made of, quick for the few bytes that most of them move. */
#ifndef WFI_COPIES_H
#define WFI_COPIES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* `length` bytes.  From `from` on `there` bytes may be read, from `to` on `room` bytes may be written: more than asked
 * for are copied if that is quicker, and written again later. */
static inline void wfi_copy_literal(uint8_t *to, size_t room, const uint8_t *from, size_t there, size_t length) {
    if (length <= 16 && there >= 16 && room >= 16)
        memcpy(to, from, 16);
    else if (length)
        memcpy(to, from, length);
}

/* `length` bytes from `distance` before `to`, which may reach into what is being written; `room` bytes may be written.
 * distance > 0 and length <= room were checked. */
static inline void wfi_copy_back(uint8_t *to, size_t room, size_t distance, size_t length) {
    const uint8_t *from = to - distance;
    if (distance >= 8 && length + 8 <= room) {
        size_t i = 0;
        do memcpy(to + i, from + i, 8);
        while ((i += 8) < length);
    } else if (distance == 1) {
        memset(to, *from, length);
    } else {
        for (size_t i = 0; i < length; i++) to[i] = from[i];
    }
}

#endif
