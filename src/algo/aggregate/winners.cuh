/* aggregate, GPU: what becomes of neighbours on the way back through a maximum: first they stand against each other,
 * then what a vertex has won is added up.  As aggregate_back_max.c, for whoever goes through rows as
 * aggregate_cuda.cuh says. */
#ifndef WFI_AGGREGATE_WINNERS_CUH
#define WFI_AGGREGATE_WINNERS_CUH

#include "algo/aggregate/numbers.cuh"
#include "cuda/mirror.cuh"

namespace {

/* Columns of a strip are numbered from 0; in the matrices they begin at `first`. */
template <class N, int V> struct comparing {
    static constexpr int VECTOR = V;
    static constexpr bool NEEDS_ROW = false;
    typedef typename N::raw raw;
    struct state {
        float best[V];
        weft_vid winner[V];
    };
    struct item {
        numbers<N, V> x;
        weft_vid u;
    };
    const raw *x; /* what the maximum was taken of */
    uint64_t width, first, strip;
    weft_vid origin;   /* the vertex of row 0 */
    weft_vid *winner;  /* at each vertex */
    float *piece_best; /* of long rows, by place */
    weft_vid *piece_winner;
    const uint8_t *joins;

    __device__ state none() const {
        state s;
        for (int i = 0; i < V; i++) s.best[i] = -INFINITY, s.winner[i] = WEFT_NO_VERTEX;
        return s;
    }
    __device__ item fetch(weft_vid u, weft_eid, uint32_t, uint32_t column) const {
        item t;
        t.x.load(x + u * width + first + column);
        t.u = u;
        return t;
    }
    __device__ void stand(state &s, int i, float value, weft_vid u) const {
        bool better = value > s.best[i] || (value != value && s.best[i] == s.best[i]) || s.winner[i] == WEFT_NO_VERTEX;
        s.best[i] = better ? value : s.best[i];
        s.winner[i] = better ? u : s.winner[i];
    }
    __device__ void add(state &s, const item &t) const {
        for (int i = 0; i < V; i++) stand(s, i, t.x.value(i), t.u);
    }
    __device__ void put(const state &s, uint32_t place, uint32_t column) const {
        for (int i = 0; i < V; i++) {
            piece_best[place * strip + column + i] = s.best[i];
            piece_winner[place * strip + column + i] = s.winner[i];
        }
    }
    __device__ void merge(state &s, const state &block) const {
        for (int i = 0; i < V; i++) stand(s, i, block.best[i], block.winner[i]);
    }
    __device__ void join(state &s, uint32_t place, uint32_t column) const {
        for (int i = 0; i < V; i++)
            stand(s, i, piece_best[place * strip + column + i], piece_winner[place * strip + column + i]);
    }
    __device__ void finish(state &s, uint32_t row, uint64_t, uint32_t column) const {
        weft_vid v = origin + row;
        if (joins && joins[row]) add(s, fetch(v, 0, row, column));
        for (int i = 0; i < V; i++) winner[v * strip + column + i] = s.winner[i];
    }
};

template <class N, int V> struct collecting {
    static constexpr int VECTOR = V;
    static constexpr bool NEEDS_ROW = true;
    typedef typename N::raw raw;
    struct state {
        float at[V];
    };
    struct item {
        numbers<N, V> y;
        bool won[V];
    };
    const raw *y; /* the gradient */
    raw *out;
    uint64_t width, first, strip;
    weft_vid origin;
    const weft_vid *winner;
    float *piece;
    const uint8_t *joins;
    wfi_view rows;

    __device__ state none() const {
        state s;
        for (int i = 0; i < V; i++) s.at[i] = 0;
        return s;
    }
    __device__ item fetch(weft_vid v, weft_eid e, uint32_t row, uint32_t column) const {
        item t;
        weft_vid u = origin + row;
        bool parallel = e > rows.offsets[row] && __ldg(rows.targets + e - 1) == v;
        t.y.load(y + v * width + first + column);
        for (int i = 0; i < V; i++) t.won[i] = winner[v * strip + column + i] == u && !parallel;
        return t;
    }
    __device__ void add(state &s, const item &t) const {
        for (int i = 0; i < V; i++) s.at[i] += t.won[i] ? t.y.value(i) : 0;
    }
    __device__ void put(const state &s, uint32_t place, uint32_t column) const {
        for (int i = 0; i < V; i++) piece[place * strip + column + i] = s.at[i];
    }
    __device__ void merge(state &s, const state &block) const {
        for (int i = 0; i < V; i++) s.at[i] += block.at[i];
    }
    __device__ void join(state &s, uint32_t place, uint32_t column) const {
        for (int i = 0; i < V; i++) s.at[i] += piece[place * strip + column + i];
    }
    __device__ void finish(state &s, uint32_t row, uint64_t, uint32_t column) const {
        numbers<N, V> to;
        weft_vid u = origin + row;
        if (joins && joins[row]) { /* and so no arc to itself, parallel to another */
            numbers<N, V> mine;
            mine.load(y + u * width + first + column);
            for (int i = 0; i < V; i++) s.at[i] += winner[u * strip + column + i] == u ? mine.value(i) : 0;
        }
        for (int i = 0; i < V; i++) to.at[i] = N::narrow(s.at[i]);
        to.store(out + row * width + first + column);
    }
};

} /* namespace */

#endif
