/* A growing array of records of one size. */
#include "io/stream/slots.h"

#include <string.h>

void wfi_slots_open(wfi_slots *slots, size_t each) {
    *slots = (wfi_slots){.each = each};
    pthread_mutex_init(&slots->lock, NULL);
}

void wfi_slots_close(wfi_slots *slots) {
    wfi_free(slots->records);
    slots->records = NULL;
    pthread_mutex_destroy(&slots->lock);
}

weft_status wfi_slots_put(weft_ctx *ctx, wfi_slots *slots, size_t at, const void *record) {
    if (at >= slots->room) {
        size_t room = slots->room ? 2 * slots->room : 64;
        while (room <= at) room *= 2;
        char *records = wfi_resize(ctx, slots->records, room, slots->each);
        if (!records) return WEFT_ENOMEM;
        memset(records + slots->room * slots->each, 0, (room - slots->room) * slots->each);
        slots->records = records;
        slots->room = room;
    }
    memcpy(wfi_slots_at(slots, at), record, slots->each);
    if (at >= slots->count) slots->count = at + 1;
    return WEFT_OK;
}
