/* aggregate, GPU: numbers of 4 and of 2 bytes.  Computation is in f32.  Widening is exact; narrowing rounds to nearest,
 * ties to even, and every NaN gets the same bits: those of core/narrow.h. */
#ifndef WFI_AGGREGATE_NUMBERS_CUH
#define WFI_AGGREGATE_NUMBERS_CUH

#include <cuda_fp16.h>
#include <stdint.h>

namespace {

struct f32 {
    typedef float raw;
    static __device__ float widen(raw x) { return x; }
    static __device__ raw narrow(float x) { return x != x ? __uint_as_float(0x7fc00000u) : x; }
};

struct f16 {
    typedef uint16_t raw;
    static __device__ float widen(raw x) { return __half2float(__ushort_as_half(x)); }
    static __device__ raw narrow(float x) { return x != x ? (raw)0x7e00 : (raw)__half_as_ushort(__float2half_rn(x)); }
};

struct bf16 {
    typedef uint16_t raw;
    static __device__ float widen(raw x) { return __uint_as_float((uint32_t)x << 16); }
    static __device__ raw narrow(float x) {
        uint32_t bits = __float_as_uint(x);
        return x != x ? (raw)0x7fc0 : (raw)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
};

template <size_t BYTES> struct word_of;
template <> struct word_of<2> { typedef uint16_t type; };
template <> struct word_of<4> { typedef uint32_t type; };
template <> struct word_of<8> { typedef uint2 type; };
template <> struct word_of<16> { typedef uint4 type; };

/* V adjacent numbers, read and written at once: their address is a multiple of their bytes. */
template <class N, int V> union numbers {
    typedef typename word_of<V * sizeof(typename N::raw)>::type word;
    word all;
    typename N::raw at[V];

    __device__ void load(const typename N::raw *from) { all = __ldg(reinterpret_cast<const word *>(from)); }
    __device__ void store(typename N::raw *to) const { *reinterpret_cast<word *>(to) = all; }
    __device__ float value(int i) const { return N::widen(at[i]); }
};

} /* namespace */

#endif
