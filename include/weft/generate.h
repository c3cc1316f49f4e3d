/* Generated graphs: random kinds by counter-based random numbers, regular kinds, and small known graphs. */
#ifndef WEFT_GENERATE_H
#define WEFT_GENERATE_H

#include "base.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every generator takes this struct and reads the fields that its weft_generator_info lists. */
typedef struct weft_generate_params {
    size_t size;
    uint64_t n, m, scale;      /* vertices, edges; 2^scale vertices */
    double degree, p, a, b, c; /* average; probability or density; R-MAT quadrants */
    uint64_t k;                /* neighbours on a ring, edges per new vertex, children per node */
    uint64_t rows, columns, layers;
    int torus;
    uint64_t depth, max_weight; /* max_weight > 0: integer weights 1 ... max_weight, a hash of seed and edge */
    int undirected;             /* R-MAT, uniform: symmetrise */
    uint64_t seed;
    int unscrambled; /* R-MAT: keep vertex ids in the order of the recursion, hubs first */
    uint64_t communities;
    double mixing; /* share of edges between communities */
    int power_law; /* sizes of communities are proportional to 1 / rank */
} weft_generate_params;
/* The seed is 42; all else is the generator's own default, which is 0 for integers and NaN for fractions. */
#define WEFT_GENERATE_DEFAULTS                                                                                      \
    {                                                                                                               \
        WEFT_SIZE_UP_TO(weft_generate_params, power_law), 0, 0, 0, NAN, NAN, NAN, NAN, NAN, 0, 0, 0, 0, 0, 0, 0, 0, \
            42, 0, 0, NAN, 0                                                                                        \
    }

typedef struct weft_generator_info {
    const char *name, *help; /* "rmat" */
    size_t param_count;
} weft_generator_info;
WEFT_API size_t weft_generator_count(void);
WEFT_API const weft_generator_info *weft_generator_at(size_t i);
WEFT_API const weft_param_info *weft_generator_param_at(const weft_generator_info *generator, size_t i);
WEFT_API weft_status weft_generate(weft_ctx *ctx, const char *kind, const weft_generate_params *params,
                                   const weft_build_params *build, weft_graph **out);

#ifdef __cplusplus
}
#endif

#endif
