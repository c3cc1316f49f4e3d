/* The default communities of commands without a partition: Leiden's, with its default parameters. */
#include "cli.h"
#include "weft/leiden.h"

#include <string.h>

int cli_find_communities(weft_ctx *ctx, const cli_options *options, const weft_graph *g, weft_vid *community) {
    cli_text count, modularity;
    weft_result *result = NULL;
    weft_status st = weft_leiden(ctx, g, NULL, &result);
    cli_progress_erase();
    if (st) return cli_fail_status(ctx, st);
    memcpy(community, weft_result_u32(result, "community"), weft_graph_vertices(g) * sizeof *community);
    cli_note(options, "communities: %s, modularity %s, as weft leiden finds them",
             cli_count(count, weft_result_scalar(result, "count")->value.u64),
             cli_scalar(modularity, weft_result_scalar(result, "modularity")));
    weft_result_free(result);
    return EXIT_DONE;
}
