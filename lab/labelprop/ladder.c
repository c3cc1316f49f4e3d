/* The ladder of label propagation, from the bottom up. */
#include "labelprop.h"

static const lab_rung *const rungs[] = {&labelprop_array,    &labelprop_touched,  &labelprop_sort,
                                        &labelprop_hash,     &labelprop_engine,   &labelprop_gpu_array,
                                        &labelprop_gpu_sort, &labelprop_gpu_hash, &labelprop_engine_gpu};

const lab_ladder lab_labelprop = {
    .name = "labelprop",
    .title = "Label propagation",
    .story = "Every vertex takes the label that most of its neighbours have, all at once, ten times. The question in "
             "the middle, which label is the most frequent "
             "of these few, is asked n times a step, and the ladder is about where the counters lie.",
    .algorithm = "labelprop",
    .column = "label",
    .graph = "rmat:scale=16,degree=16,undirected",
    .sized = "er:n=%s,degree=16",
    .sizes = "100,1000,10000,100000",
    .small = "100,1000",
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
};
