/* Measures that several algorithms take: rows, the norm of a column, and the column divided by it.  Steps for CPU cores
 * (run/method.c) and for the GPU (measure.cu). */
#ifndef WFI_MEASURE_H
#define WFI_MEASURE_H

#include "ops/bodies.h"

enum { WFI_MEASURE_SQUARES };                     /* the sum of (value / top)^2 * part */
enum { WFI_MEASURE_WIDEST, WFI_MEASURE_LONGEST }; /* row, by weights and by arcs, as bits */

typedef struct wfi_measure {
    const weft_eid *offsets;
    const double *sums; /* of the weights of each row; NULL: an arc counts 1 */
    double *value;
    double top, part; /* no value is above top; part: at most 1 over the number of values, if they may all be that */
    double norm;
} wfi_measure;

WFI_HOST_DEVICE static inline void measure_rows(const wfi_measure *m, weft_vid k, wfi_op_totals *t) {
    double length = (double)(m->offsets[(size_t)k + 1] - m->offsets[k]);
    wfi_op_most(t, WFI_MEASURE_WIDEST, wfi_op_bits(m->sums ? m->sums[k] : length));
    wfi_op_most(t, WFI_MEASURE_LONGEST, wfi_op_bits(length));
}

WFI_HOST_DEVICE static inline void measure_squares(const wfi_measure *m, weft_vid k, wfi_op_totals *t) {
    double x = m->value[k] / m->top;
    wfi_fixed_add(&t->sum[WFI_MEASURE_SQUARES], x * x * m->part * WFI_FIXED_ONE);
}

WFI_HOST_DEVICE static inline void measure_divide(const wfi_measure *m, weft_vid k, wfi_op_totals *t) {
    (void)t;
    m->value[k] = m->value[k] / m->norm;
}

#define MEASURE_STEPS(VERTICES, ROWS_FIXED, ROWS_COUNT) \
    VERTICES(measure_rows) VERTICES(measure_squares) VERTICES(measure_divide)

#endif
