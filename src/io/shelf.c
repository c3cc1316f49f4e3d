/* A growing array of records of one size. */
#include "io/shelf.h"

#include <string.h>

void wfi_shelf_open(wfi_shelf *shelf, size_t each) {
    *shelf = (wfi_shelf){.each = each};
    pthread_mutex_init(&shelf->lock, NULL);
}

void wfi_shelf_close(wfi_shelf *shelf) {
    wfi_free(shelf->records);
    shelf->records = NULL;
    pthread_mutex_destroy(&shelf->lock);
}

weft_status wfi_shelf_put(weft_ctx *ctx, wfi_shelf *shelf, size_t at, const void *record) {
    if (at >= shelf->room) {
        size_t room = shelf->room ? 2 * shelf->room : 64;
        while (room <= at) room *= 2;
        char *records = wfi_resize(ctx, shelf->records, room, shelf->each);
        if (!records) return WEFT_ENOMEM;
        memset(records + shelf->room * shelf->each, 0, (room - shelf->room) * shelf->each);
        shelf->records = records;
        shelf->room = room;
    }
    memcpy(wfi_shelf_at(shelf, at), record, shelf->each);
    if (at >= shelf->count) shelf->count = at + 1;
    return WEFT_OK;
}
