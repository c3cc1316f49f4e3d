/* Triangles by their middle corner v, where v is no hub: for each v the long rows u that hold it. */
#ifndef WFI_MIDDLE_CUH
#define WFI_MIDDLE_CUH

#include "shared/triangles/hubs.cuh"

/* Row u holds v at this place. */
struct wfi_held {
    weft_vid row;
    uint32_t place;
};

struct wfi_middles {
    unsigned long long *ends = nullptr; /* n: where the list of each v ends, and that of the next one begins */
    wfi_held *held = nullptr;
    char *scratch = nullptr;
    uint64_t room = 0; /* of the scratch */
};

/* Of a view with so many edges, or for a plan with no more. */
void wfi_middles_lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, wfi_middles *m);

/* Triangles whose corner of highest rank has a long row, and whose middle one is no hub: added to the corners. */
weft_status wfi_middles_count(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_hubs *h, const wfi_middles *m,
                              unsigned long long *corners);

#endif
