/* The algorithms of Weft, in the order of the registry.  weft.h includes this header.
 *
 * Each header says what the algorithm computes, its columns (one value for each vertex), table columns (with a length
 * of their own) and scalars; then follow its parameters, their defaults, and a function that plans, runs and frees the
 * plan.  docs/algo/NAME.md has definitions, edge cases and methods.  For all of them:
 *   - A function runs where weft_ctx_set_device says; results have the same bytes on CPU and GPU, for any threads.
 *   - `weights` = 1 needs a graph with weights: WEFT_EINVAL if it has none. */
#ifndef WEFT_ALGORITHMS_H
#define WEFT_ALGORITHMS_H

#include "weft/base.h"
#include "weft/registry.h"

#include "weft/pagerank.h"
#include "weft/ppr.h"
#include "weft/hits.h"
#include "weft/eigenvector.h"
#include "weft/katz.h"
#include "weft/betweenness.h"
#include "weft/closeness.h"
#include "weft/harmonic.h"
#include "weft/bfs.h"
#include "weft/sssp.h"
#include "weft/components.h"
#include "weft/mst.h"
#include "weft/bicomponents.h"
#include "weft/triangles.h"
#include "weft/clustering.h"
#include "weft/similarity.h"
#include "weft/leiden.h"
#include "weft/louvain.h"
#include "weft/labelprop.h"
#include "weft/toposort.h"
#include "weft/cycle.h"
#include "weft/bipartite.h"
#include "weft/kcore.h"
#include "weft/truss.h"
#include "weft/degree.h"
#include "weft/mixing.h"
#include "weft/distances.h"
#include "weft/layout.h"
#include "weft/aggregate.h"

#endif
