/* The ladder of triangle counting, from the bottom up. */
#include "triangles.h"

static const lab_rung *const rungs[] = {
    &triangles_linear,       &triangles_binary,     &triangles_hash,        &triangles_matrix,
    &triangles_bits,         &triangles_oriented,   &triangles_engine,      &triangles_gpu_linear,
    &triangles_gpu_binary,   &triangles_gpu_hash,   &triangles_gpu_virtual, &triangles_gpu_warp,
    &triangles_gpu_bins,     &triangles_gpu_matrix, &triangles_gpu_cublas,  &triangles_gpu_bits,
    &triangles_gpu_oriented, &triangles_engine_gpu,
};

const lab_ladder lab_triangles = {
    .name = "triangles",
    .title = "Triangles",
    .story = "Three vertices that are all joined. The blog counts them at each vertex by asking, for every pair of its "
             "neighbours, whether "
             "they are joined: degree squared questions, so that a few hubs are all the work. The ladder first makes a "
             "question cheaper, "
             "then asks fewer.",
    .algorithm = "triangles",
    .column = "triangles",
    .graph = "rmat:scale=16,degree=16,undirected",
    .sized = "er:n=%s,degree=16",
    .sizes = "100,300,1000,3000,10000,30000",
    .small = "100,1000",
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
};
