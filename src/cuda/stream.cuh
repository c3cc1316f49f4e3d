/* Out-of-core rows: the arcs of a graph that does not fit the GPU's memory are cut into pieces of equal size.  Some
 * pieces have a home on the GPU and stay there; the others come through a ring of buffers: while kernels read one
 * piece, the next ones are on their way.
 *
 *      wfi_stream s;
 *      s.lay_out(job->device, arcs, size);
 *      weft_status st = s.open(ctx, rows->targets, arcs, size);
 *      if (!st) s.with_threads(s.copiers(), [&] {
 *          for (s.begin(false); !st && s.next(&piece, &st);) {
 *              kernel<<<..., wfi_cuda_stream(ctx)>>>(piece.targets, piece.begin, piece.end);
 *              st = s.done();
 *          }
 *      });
 *
 * If only some rows are wanted, the host packs them (stream_pack.cu) and sends the packs through the same ring:
 *
 *      s.pack_begin(rows->offsets, wanted);
 *      while (!st && s.pack_next(&pack, &st)) {
 *          kernel<<<..., wfi_cuda_stream(ctx)>>>(pack.targets, pack.vertex, pack.start, pack.rows);
 *          st = s.done();
 *      }
 *
 * One stream at a time in a context.  Needs the driver's context. */
#ifndef WFI_CUDA_STREAM_CUH
#define WFI_CUDA_STREAM_CUH

#include "core/workspace.h"
#include "cuda/buffers.cuh"
#include "cuda/stream.h"
#include "cuda/task_ring.h"
#include "graph/graph.h"

/* Arcs begin ... end-1 of the rows stand in targets[0] ... */
struct wfi_arc_window {
    const weft_vid *targets;
    weft_eid begin, end;
};

/* The arcs to pack: of each wanted row the arcs from `skip` on, at most `most` of them; there is at least one.  Wanted
 * are the rows list[0] ... list[count-1], or, if list is NULL, the rows of the vertices below `count` with a set bit.
 * They come in chunks; `chunk` has two numbers for each chunk, its arcs and its rows; pack_begin fills them in for a
 * list. */
struct wfi_wanted {
    const weft_vid *list;
    const uint64_t *bits;
    uint64_t count;
    uint64_t *chunk; /* wfi_chunk_words(...) words */
    uint64_t skip, most;
};

enum { WFI_BITS_CHUNK = 1024 /* vertices */, WFI_LIST_CHUNK = 128 /* rows */ };

static inline uint64_t wfi_chunks(uint64_t count, unsigned each) { return (count + each - 1) / each; }
/* One chunk more, for the sums at the end. */
static inline uint64_t wfi_chunk_words(uint64_t count, unsigned each) { return 2 * (wfi_chunks(count, each) + 1); }

/* Packed rows of vertex[0] ... vertex[rows-1]; row i stands in targets[start[i]] ... targets[start[i+1]-1].  A row in
 * two packs has its first arcs in one and the next arcs in the other. */
struct wfi_pack {
    const weft_vid *targets, *vertex;
    const uint32_t *start;
    uint32_t rows, arcs;
};

/* A transfer: the task ring fills a pinned place, which is then sent. */
struct wfi_sending {
    struct wfi_stream *stream;
    uint32_t *pinned;
    uint64_t job;     /* the ring's number */
    const void *from; /* source bytes; NULL: a pack */
    size_t bytes;
    void *to; /* NULL: into the ring */
    bool is_brought;
    /* A pack: arcs begin_arc ... end_arc-1 of all wanted arcs in line, which belong to rows first ... first+rows-1. */
    uint64_t begin_arc, end_arc, first, rows;
};

struct wfi_stream {
    /* Declares the memory for pieces among the arrays of a run. */
    void lay_out(wfi_workspace *device, weft_eid arcs, wfi_stream_size fit);
    weft_status open(weft_ctx *context, const weft_vid *targets, weft_eid count, wfi_stream_size fit);
    ~wfi_stream();

    /* Calls body() while the host's threads fill sendings: all functions below must be called from there. */
    template <class F> void with_threads(int threads, F body) {
        wfi_task_ring_run(
            &tasks, threads, [](void *given) { (*(F *)given)(); }, &body);
    }
    /* Threads that copy pieces: all threads would slow each other down (bench/NOTES.md).  Packing rows is more work and
     * uses all threads. */
    int copiers() const { return wfi_threads(ctx) - wfi_threads(ctx) / 4; }

    /* Sends another array, once, before the first piece or pack is asked for; later kernels may read it.  Pieces of a
     * sweep that has begun follow without a gap. */
    weft_status bring(void *to, const void *from, size_t count);

    /* Begins a sweep over all pieces.  again: another sweep follows, and its first pieces may be sent while this one
     * ends. */
    void begin(bool again);
    bool next(wfi_arc_window *piece, weft_status *st);
    /* Called after the kernels that read the piece or the pack were launched. */
    weft_status done();

    /* Between sweeps only.  The arrays of `which` must stay until the last pack, or a failure. */
    void pack_begin(const weft_eid *row_offsets, wfi_wanted which);
    bool pack_next(wfi_pack *pack, weft_status *st);

    /* WFI_STREAM_NOTE bytes that kernels and the host both read and write, without copies. */
    void *note() const;

    uint64_t bytes = 0; /* sent so far */

    /* For the threads of the ring. */
    void fill_share(const wfi_sending *s, unsigned share) const;

  private:
    bool has_home(uint64_t k) const;
    uint64_t home_of(uint64_t k) const;
    bool must_send(uint64_t place) const;
    bool plan_brought(wfi_sending *s);
    bool plan_piece(wfi_sending *s);
    bool plan_pack(wfi_sending *s);
    weft_status post();
    weft_status send(uint64_t number, cudaStream_t stream);
    weft_status go_on();
    weft_status await_next();
    weft_status after(weft_status st);
    weft_status send_alone();

    weft_eid begin_of(weft_vid row) const { return offsets[row] + wanted.skip; }
    uint64_t length_of(weft_vid row) const { return wfi_min_u64(offsets[row + 1] - begin_of(row), wanted.most); }
    unsigned rows_of(uint64_t chunk, weft_vid *to) const;
    void count_listed();
    uint64_t chunk_of(uint64_t arc) const;
    uint64_t stretch_end() const;
    uint64_t row_of(uint64_t arc) const;
    void fill_part(const wfi_sending *s, uint64_t arc, uint64_t stop) const;

    weft_ctx *ctx = nullptr;
    const weft_vid *host = nullptr;
    weft_eid arcs = 0;
    wfi_stream_size size = {};
    weft_vid *home = nullptr, *ring = nullptr;
    wfi_task_ring tasks;
    wfi_places *places = nullptr; /* the context's */
    bool holds_sending = false, packing = false;
    /* Counts of sendings: posted to the ring, sent, and read by launched kernels; `posted` is at most `finished` +
     * WFI_STREAM_PLACES. */
    uint64_t posted = 0, sent = 0, finished = 0;
    wfi_sending sending[WFI_STREAM_PLACES];
    /* Places of pieces, counted through all sweeps: the next to hand out and the end of this sweep; the next to send
     * and the first that must wait. */
    uint64_t at = 0, end = 0, ahead = 0, may_send = 0;

    const char *brought_from = nullptr;
    char *brought_to = nullptr;
    size_t brought = 0, to_bring = 0;

    const weft_eid *offsets = nullptr; /* offsets of the rows being packed */
    wfi_wanted wanted = {};
    uint64_t chunks = 0, planned = 0, to_pack = 0; /* arcs */
    unsigned packs = 0;                            /* planned */
};

enum { WFI_STREAM_NOTE = 1 << 16 };

#endif
