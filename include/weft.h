/* Weft: graph analytics on CPU cores and GPUs.  This header is what version 1.0 will freeze (docs/ABI.md).  It includes
 * weft/base.h (contexts, graphs, results, plans), the calls on a whole graph or machine, and weft_algorithms.h, that is
 * weft/NAME.h for each algorithm.  A program may include those that it needs alone.  weft_experimental.h declares what
 * may still change, weft_check.h the verifiers.
 *
 *   weft_ctx *ctx;    if (weft_ctx_new(&ctx)) return 1;
 *   weft_graph *g;    if (weft_read(ctx, "web.txt.gz", NULL, &g)) return puts(weft_ctx_message(ctx)), 1;
 *   weft_result *r;   if (weft_degree(ctx, g, NULL, &r)) return puts(weft_ctx_message(ctx)), 1;
 *   const uint64_t *total = weft_result_u64(r, "total");
 *
 * Rules for all functions:
 *   - A function that can fail returns weft_status, and weft_ctx_message() explains the last failure.
 *     After a failure *out is NULL, counts are 0 and vertices are WEFT_NO_VERTEX.
 *   - A NULL pointer where one is required gives WEFT_EINVAL; getters return 0, NULL or "".  _free accepts NULL.
 *   - The library never prints, exits, aborts or installs signal handlers.
 *   - Structs that you make begin with their size.  Parameters have a ..._DEFAULTS initialiser, and NULL means these
 *     defaults.  For output structs .size = sizeof works.  Fields beyond the caller's size have their defaults.
 *   - A context belongs to one thread at a time.  Graphs and results are immutable: threads may share them.
 *     Functions without a context may be called from any thread.
 *   - Graphs and results may outlive their context.  A plan keeps its graph and its context alive.
 *   - Arrays that parameters point to belong to the caller, and must live as long as the plan that uses them.
 *   - n is the number of vertices, m that of stored arcs.  Complexity is for one thread; the context's threads share
 *     the work.  Getters take O(1) unless noted.
 *   - After fork() a child may go on with them, but not on the GPU (docs/ABI.md). */
#ifndef WEFT_H
#define WEFT_H

#include "weft/base.h"
#include "weft/generate.h"
#include "weft/machine.h"
#include "weft/path.h"
#include "weft/subgraph.h"

#include "weft_algorithms.h"

#endif
