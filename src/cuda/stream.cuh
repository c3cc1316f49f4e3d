/* Rows that do not fit the GPU's memory: their arcs are cut into pieces of equal size.  Some pieces have a home on the GPU,
 * where they stay; the others come through a ring of places, and while one is read the next ones are on their way.
 *
 *     wfi_stream s;
 *     weft_status st = s.open(ctx, rows->targets, arcs, WFI_HOMES_SPREAD, size);
 *     for (s.begin(false); !st && s.next(&piece, &st);) {
 *         kernel<<<..., wfi_cuda_stream()>>>(piece.targets, piece.begin, piece.end);
 *         st = s.done();
 *     }
 *
 * One stream at a time in a process: others wait in open.  Needs the context. */
#ifndef WFI_CUDA_STREAM_CUH
#define WFI_CUDA_STREAM_CUH

#include "cuda/buffers.cuh"
#include "cuda/stream.h"
#include "graph/graph.h"

enum { WFI_PACK_CHUNK = 256 };

/* Which pieces have homes.  SPREAD: evenly many everywhere, and a sweep goes through the pieces in their order, so that work on
 * what is there always hides a copy.  FIRST: the first ones, so that what lies on the GPU is one array; a sweep takes those
 * with a home and those without in turn. */
enum wfi_homes { WFI_HOMES_SPREAD, WFI_HOMES_FIRST };

/* Arcs begin ... end-1 of the rows stand in targets[0] ... */
struct wfi_piece {
    const weft_vid *targets;
    weft_eid begin, end;
};

/* Rows packed by the host: those of vertex[0] ... vertex[rows-1], row i in targets[start[i]] ... targets[start[i+1]-1]. */
struct wfi_pack {
    const weft_vid *targets, *vertex;
    const uint32_t *start;
    uint32_t rows, arcs;
};

struct wfi_stream {
    weft_status open(weft_ctx *context, const weft_vid *targets, weft_eid count, wfi_homes kind, wfi_stream_size fit);
    ~wfi_stream();

    /* A sweep over all pieces.  again: another one follows, whose first pieces may be sent for when this one ends. */
    void begin(bool again);
    bool next(wfi_piece *piece, weft_status *st);
    /* The kernels that read the piece, or the pack, have been launched. */
    weft_status done();

    /* Sends the arcs from `from` on of the listed rows, as many packs as it takes; between sweeps only, and each row must have such arcs.
     * room: for wfi_pack_chunks(count) numbers. */
    weft_status pack_begin(const weft_eid *row_offsets, const weft_vid *rows, uint64_t count, weft_eid from_arc,
                           uint64_t *room);
    bool pack_next(wfi_pack *pack, weft_status *st);

    /* With WFI_HOMES_FIRST: arcs 0 ... resident-1 lie there, once a sweep or load_homes has brought them. */
    const weft_vid *resident_targets() const { return home.data; }
    weft_eid resident() const { return wfi_min_u64(arcs, size.homes * size.piece); }
    weft_status load_homes();

  private:
    bool has_home(uint64_t k) const;
    uint64_t home_of(uint64_t k) const;
    uint64_t piece_at(uint64_t place) const;
    bool must_send(uint64_t place) const;
    weft_status take_place(uint32_t **pinned);
    weft_vid *ring_place() const;
    weft_status send(void *to, size_t bytes);
    weft_status send_ahead();
    weft_status await();
    uint64_t row_begin(weft_vid v) const;
    uint64_t listed_at(uint64_t arc) const;
    void fill_pack(uint32_t *to, uint64_t begin_arc, uint64_t end_arc, uint64_t first, uint64_t last);

    weft_ctx *ctx = nullptr;
    const weft_vid *host = nullptr;
    weft_eid arcs = 0;
    wfi_homes homes = WFI_HOMES_SPREAD;
    wfi_stream_size size = {};
    wfi_buffer<weft_vid> home, ring;
    bool is_open = false, loaded = false, holds_sending = false;
    uint64_t sent = 0, finished = 0; /* sendings: all so far, and those that were read */
    /* Places, counted on from sweep to sweep: the next to give out and the end of this sweep; the next to send for and the first
     * that must wait. */
    uint64_t at = 0, end = 0, ahead = 0, may_send = 0;

    const weft_eid *offsets = nullptr; /* of the rows that are being packed */
    const weft_vid *list = nullptr;
    uint64_t listed = 0, packed = 0, to_pack = 0, *prefix = nullptr;
    weft_eid from = 0;
};

static inline uint64_t wfi_pack_chunks(uint64_t rows) { return rows / WFI_PACK_CHUNK + 2; }

#endif
