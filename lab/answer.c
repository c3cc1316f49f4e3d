/* Answers by their bytes and by their values. */
#include "answer.h"

#include <math.h>

static double value_at(const weft_column *c, size_t i) {
    switch (c->type) {
    case WEFT_U32:
    case WEFT_VERTEX: return ((const uint32_t *)c->data)[i];
    case WEFT_U64: return (double)((const uint64_t *)c->data)[i];
    case WEFT_I64: return (double)((const int64_t *)c->data)[i];
    case WEFT_F32: return (double)((const float *)c->data)[i];
    case WEFT_F64: return ((const double *)c->data)[i];
    case WEFT_F16: return (double)weft_f16_value(((const uint16_t *)c->data)[i]);
    case WEFT_BF16: return (double)weft_bf16_value(((const uint16_t *)c->data)[i]);
    default: return NAN;
    }
}

lab_apart lab_difference(const char *column, const weft_result *reference, const weft_result *result) {
    const weft_column *x = column && reference ? weft_result_column(reference, column) : NULL;
    const weft_column *y = x ? weft_result_column(result, column) : NULL;
    lab_apart apart = {.known = y && x->length == y->length && x->width == y->width};
    if (!apart.known) return apart;
    for (size_t i = 0; i < x->length * (x->width ? x->width : 1); i++) {
        double a = value_at(x, i), c = value_at(y, i);
        if (isnan(a) != isnan(c))
            apart.nan = true;
        else if (isnan(a) || a == c)
            continue;
        else if (isinf(a - c))
            apart.inf = true;
        else if (fabs(a - c) > apart.most)
            apart.most = fabs(a - c);
    }
    return apart;
}
