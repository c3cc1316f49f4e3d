/* Thrift's compact protocol, reading: what the footer and the page headers of Parquet are written in.
 * Every read is held against the end; a fault sets `bad`, after which all reads give 0 and all lists are empty, so that
 * callers look at `bad` once, at the end.  Lists cannot be longer than their bytes, so loops over them are bounded. */
#ifndef WFI_THRIFT_H
#define WFI_THRIFT_H

#include "core/core.h"

typedef struct wfi_thrift {
    const uint8_t *at, *end;
    bool bad;
} wfi_thrift;

enum { /* types of fields and elements */
       WFI_THRIFT_TRUE = 1,
       WFI_THRIFT_FALSE = 2,
       WFI_THRIFT_BYTE = 3,
       WFI_THRIFT_I16 = 4,
       WFI_THRIFT_I32 = 5,
       WFI_THRIFT_I64 = 6,
       WFI_THRIFT_DOUBLE = 7,
       WFI_THRIFT_BINARY = 8,
       WFI_THRIFT_LIST = 9,
       WFI_THRIFT_SET = 10,
       WFI_THRIFT_MAP = 11,
       WFI_THRIFT_STRUCT = 12,
       WFI_THRIFT_UUID = 13
};

/* A field of a struct; {0} before the first. */
typedef struct wfi_thrift_field {
    int id, type;
} wfi_thrift_field;

/* The next field of a struct; false at its end.  Each must be read or skipped. */
bool wfi_thrift_next(wfi_thrift *t, wfi_thrift_field *field);

uint64_t wfi_thrift_varint(wfi_thrift *t);
int64_t wfi_thrift_zigzag(wfi_thrift *t);
/* The value of a field of such a type; another type is bad. */
int64_t wfi_thrift_int(wfi_thrift *t, int type);
bool wfi_thrift_bool(wfi_thrift *t, int type);
const char *wfi_thrift_text(wfi_thrift *t, int type, size_t *length);
/* The number of elements of a list, which must be of type `of`. */
size_t wfi_thrift_list(wfi_thrift *t, int type, int of);
/* True for a field that holds a struct; its fields come next. */
bool wfi_thrift_struct(wfi_thrift *t, int type);
void wfi_thrift_skip(wfi_thrift *t, int type);

#endif
