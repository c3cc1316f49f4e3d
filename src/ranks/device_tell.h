/* Ranks tell each other of vertices, from GPU to GPU: as tell.h, but in no order.
 * A kernel writes each vertex that it has something to say of into `say`, once, and counts them in `said`; what it says
 * of it stands in an array of the algorithm's, of 4 or 8 bytes for each vertex of the graph. */
#ifndef WFI_RANK_DEVICE_TELL_H
#define WFI_RANK_DEVICE_TELL_H

#include "ranks/device_rows.h"
#include "ranks/device_said.h"

typedef struct wfi_device_telling {
    size_t each;          /* bytes of what is said, the vertex included: 8 or 12 */
    weft_vid *say;        /* these on the GPU */
    uint64_t *said;       /* 1 */
    uint32_t *heard;      /* each / 4 words a vertex: the vertex, and what is said of it */
    uint64_t heard_count; /* so many, on the host */
    uint64_t told;        /* what was said the last time, likewise: it is still in `say` */
    uint32_t *sorted;     /* the rest is scratch */
    weft_vid *cut;
    uint64_t *place;
    uint32_t *sorted_here, *heard_here; /* and these on the host */
    uint64_t *go, *come;
} wfi_device_telling;

/* Its arrays on the host and on the GPU. */
void wfi_device_telling_lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, size_t each,
                                wfi_device_telling *t);
/* Before the first is said. */
weft_status wfi_device_telling_begin(weft_ctx *ctx, const wfi_spread *s, wfi_device_telling *t);
/* What is said of the vertices in `say` is in `of`, which then has `rest` for them; keep: as it was.  Together: what
 * others say is heard.  Then nothing is said yet. */
weft_status wfi_device_tell(weft_ctx *ctx, const wfi_spread *s, weft_status mine, wfi_device_telling *t, void *of,
                            uint64_t rest, bool keep);

#endif
