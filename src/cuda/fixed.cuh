/* core/fixed.h for device code: the same sums to the last bit.  A sum over shares of type S has one limb for
 * f32, two for f64; integers may be added in any order, by shuffles and by atomics. */
#ifndef WFI_CUDA_FIXED_CUH
#define WFI_CUDA_FIXED_CUH

#include <stdint.h>

static const double WFI_DEVICE_ONE = 4611686018427387904.0;       /* 2^62 */
static const double WFI_DEVICE_ULP = 1.0 / 4611686018427387904.0; /* 2^-62 */
static const double WFI_DEVICE_REST = 1073741824.0;               /* 2^30 */

template <class S> struct wfi_sum;

template <> struct wfi_sum<float> {
    unsigned long long whole = 0;
    __device__ void add(float x) { whole += (unsigned long long)__float2ll_rz(x); }
    /* Adds a value in 0 ... 1, cut off at 2^-62. */
    __device__ void add_part(double x) { whole += (unsigned long long)__double2ll_rz(x * WFI_DEVICE_ONE); }
    __device__ void add_lane(unsigned mask, int far) { whole += __shfl_down_sync(mask, whole, far); }
    __device__ void join(const wfi_sum &other, uint32_t times = 1) { whole += times * other.whole; }
    __device__ wfi_sum across(int far) const { /* the sum of the lane whose number differs by the bits `far`; needs a
                                                * whole warp */
        wfi_sum s;
        s.whole = __shfl_xor_sync(~0u, whole, far);
        return s;
    }
    __device__ bool any() const { return whole != 0; }
    __device__ void add_to(unsigned long long *place) const { atomicAdd(place, whole); }
    __device__ void put(unsigned long long *place) const { place[0] = whole; }
    __device__ static wfi_sum from(const unsigned long long *place) {
        wfi_sum s;
        s.whole = place[0];
        return s;
    }
    __device__ double value() const { return __ull2double_rn(whole) * WFI_DEVICE_ULP; }
};

template <> struct wfi_sum<double> {
    unsigned long long whole = 0, rest = 0;
    __device__ void add(double x) {
        long long w = __double2ll_rz(x);
        whole += (unsigned long long)w;
        rest += (unsigned long long)__double2ll_rz((x - __ll2double_rn(w)) * WFI_DEVICE_REST);
    }
    __device__ void add_part(double x) { add(x * WFI_DEVICE_ONE); }
    __device__ void add_lane(unsigned mask, int far) {
        whole += __shfl_down_sync(mask, whole, far);
        rest += __shfl_down_sync(mask, rest, far);
    }
    __device__ void join(const wfi_sum &other, uint32_t times = 1) {
        whole += times * other.whole;
        rest += times * other.rest;
    }
    __device__ wfi_sum across(int far) const {
        wfi_sum s;
        s.whole = __shfl_xor_sync(~0u, whole, far);
        s.rest = __shfl_xor_sync(~0u, rest, far);
        return s;
    }
    __device__ bool any() const { return whole || rest; }
    __device__ void add_to(unsigned long long *place) const {
        atomicAdd(place, whole);
        atomicAdd(place + 1, rest);
    }
    __device__ void put(unsigned long long *place) const {
        place[0] = whole;
        place[1] = rest;
    }
    __device__ static wfi_sum from(const unsigned long long *place) {
        wfi_sum s;
        s.whole = place[0];
        s.rest = place[1];
        return s;
    }
    __device__ double value() const {
        unsigned long long w = whole + (rest >> 30), r = rest & ((1ull << 30) - 1);
        return __ull2double_rn(w) * WFI_DEVICE_ULP + __ull2double_rn(r) * (WFI_DEVICE_ULP / WFI_DEVICE_REST);
    }
};

#endif
