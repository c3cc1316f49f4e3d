/* aggregate, GPU: reductions over a row's neighbours: sum, maximum, and the gradient of a maximum, for which values are
 * compared first and then the gradients that a vertex has won are added up.  The order, and so the bits, are those of
 * aggregate_cpu.c and aggregate_back_max.c, for passes over rows as in aggregate_cuda.cuh. */
#ifndef WFI_AGGREGATE_REDUCERS_CUH
#define WFI_AGGREGATE_REDUCERS_CUH

#include "algo/aggregate/numbers.cuh"
#include "core/search.h"
#include "cuda/mirror.cuh"

namespace {

/* True if this row has no arc from its vertex v to itself. */
__device__ inline bool lacks_loop(const wfi_view &rows, uint64_t row, weft_vid v) {
    weft_eid end = rows.offsets[row + 1];
    return wfi_place_of(rows.targets, rows.offsets[row], end, v) == end;
}

enum reduction { SUM, SCALED_SUM, MAX };

__device__ inline float larger(float a, float b) { return b > a || b != b ? b : a; }

template <reduction K, class N, int V> struct adding {
    static constexpr int VECTOR = V;
    static constexpr bool NEEDS_ROW = false;
    typedef typename N::raw raw;
    struct state {
        float at[V];
    };
    struct item {
        numbers<N, V> x;
        float scale;
    };
    const raw *x;
    raw *out;
    float *piece;         /* partial sums of long rows, by place */
    const float *scale;   /* factors of the vertices' terms; SCALED_SUM only */
    const uint8_t *joins; /* true if the vertex is its own neighbour by --self-loop alone; NULL: none is */
    uint64_t width;
    weft_vid origin;  /* the vertex of row 0: arrays by vertex, not by row, begin earlier */
    bool mean, weigh; /* divide by the number of neighbours; multiply by the row's own scale */

    __device__ state none() const {
        state s;
        for (int i = 0; i < V; i++) s.at[i] = K == MAX ? -INFINITY : 0;
        return s;
    }
    __device__ item fetch(weft_vid u, weft_eid, uint32_t, uint32_t column) const {
        item t;
        t.x.load(x + u * width + column);
        t.scale = K == SCALED_SUM ? __ldg(scale + u) : 1;
        return t;
    }
    __device__ void add(state &s, const item &t) const {
        for (int i = 0; i < V; i++) {
            float value = t.x.value(i);
            s.at[i] = K == MAX ? larger(s.at[i], value) : K == SCALED_SUM ? s.at[i] + value * t.scale : s.at[i] + value;
        }
    }
    __device__ void put(const state &s, uint32_t place, uint32_t column) const {
        for (int i = 0; i < V; i++) piece[place * width + column + i] = s.at[i];
    }
    __device__ void merge(state &s, const state &block) const {
        for (int i = 0; i < V; i++) s.at[i] = K == MAX ? larger(s.at[i], block.at[i]) : s.at[i] + block.at[i];
    }
    __device__ void join(state &s, uint32_t place, uint32_t column) const {
        state block;
        for (int i = 0; i < V; i++) block.at[i] = piece[place * width + column + i];
        merge(s, block);
    }
    __device__ void finish(const state &s, uint32_t row, uint64_t arcs, uint32_t column) const {
        bool own = joins && joins[row];
        uint64_t count = arcs + own;
        uint64_t v = (uint64_t)origin + row;
        float times = K == SCALED_SUM ? scale[v] : 1, divisor = (float)count;
        numbers<N, V> mine, to;
        if (own) mine.load(x + v * width + column);
        for (int i = 0; i < V; i++) {
            float value = s.at[i];
            if (K == MAX) {
                if (own) value = larger(value, mine.value(i));
                value = count ? value + 0.0f : 0;
            } else {
                if (own) value += K == SCALED_SUM ? mine.value(i) * times : mine.value(i);
                if (K == SCALED_SUM && weigh) value *= times;
                if (K == SUM && mean && count) value /= divisor;
            }
            to.at[i] = N::narrow(value);
        }
        to.store(out + row * width + column);
    }
};

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
    const raw *x; /* the inputs of the maximum */
    uint64_t width, first, strip;
    weft_vid origin;   /* the vertex of row 0 */
    weft_vid *winner;  /* at each vertex */
    float *piece_best; /* partial maxima of long rows, by place */
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
