/* The weight of an arc, of whatever type; without weights 1. */
#ifndef WEFT_CHECK_WEIGHTS_H
#define WEFT_CHECK_WEIGHTS_H

#include "weft.h"

static inline double check_weight(const weft_graph *g, const weft_csr *rows, weft_eid e) {
    switch (weft_graph_weight_type(g)) {
    case WEFT_WEIGHT_NONE: break;
    case WEFT_WEIGHT_U32: return ((const uint32_t *)rows->weights)[e];
    case WEFT_WEIGHT_F32: return (double)((const float *)rows->weights)[e];
    case WEFT_WEIGHT_F64: return ((const double *)rows->weights)[e];
    }
    return 1;
}

#endif
