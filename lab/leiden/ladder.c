/* The ladder of communities, from the bottom up. */
#include "leiden.h"

static const lab_rung *const rungs[] = {&leiden_sequential,    &leiden_one_class, &leiden_two_classes,
                                        &leiden_eight_classes, &leiden_refined,   &leiden_engine,
                                        &leiden_gpu_shared,    &leiden_engine_gpu};

const lab_ladder lab_leiden = {
    .name = "leiden",
    .title = "Communities: Louvain and Leiden",
    .story =
        "Vertices move to the community among their neighbours that raises modularity most; communities become the "
        "vertices of a smaller graph, and it begins again. One vertex after another is easy to get right and "
        "leaves all cores but one idle; all at once never ends. The ladder is about who may choose at the same "
        "time, so that the answer is as good, and the same on any number of threads.",
    .algorithm = "leiden",
    .scalar = "modularity",
    .graph = "rmat:scale=12,degree=16,undirected",
    .sized = "planted:n=%s,degree=8",
    .sizes = "100,1000,10000,100000",
    .small = "100,1000",
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
};
