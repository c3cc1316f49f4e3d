/* An MPI program of a user's own, for test_ranks_mpi.sh: all ranks but the last share a PageRank over a communicator of theirs, with MPI at its
 * lowest thread level, and the first prints the digest of the result.  The last one runs alone at the same time, and prints its own. */
#include <mpi.h>
#include <stdio.h>
#include <weft_experimental.h>

static int fail(const weft_ctx *ctx) {
    fprintf(stderr, "%s\n", weft_ctx_message(ctx));
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Comm some;
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_plan *plan = NULL;
    weft_result *r = NULL, *whole = NULL;
    uint64_t digest = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int alone = rank == size - 1;
    MPI_Comm_split(MPI_COMM_WORLD, alone, rank, &some);
    if (argc != 2 || weft_ctx_new(&ctx)) return 1;
    if (!alone && weft_ctx_set_comm(ctx, &some)) return fail(ctx);
    if (weft_ctx_ranks(ctx) != (alone ? 1 : size - 1)) return fail(ctx);
    if (weft_read(ctx, argv[1], NULL, &g) || weft_plan_new(ctx, "pagerank", g, NULL, &plan)) return fail(ctx);
    if (weft_plan_run(plan, &r)) return fail(ctx);
    if (!alone && weft_plan_gather(plan, r, &whole)) return fail(ctx);
    if (alone || whole) {
        if (weft_result_digest(ctx, alone ? r : whole, &digest)) return fail(ctx);
        printf("digest %016llx\n", (unsigned long long)digest);
    }
    weft_result_free(whole);
    weft_result_free(r);
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    MPI_Comm_free(&some);
    return MPI_Finalize();
}
