/* A program over MPI that gives Weft its communicator: find_package(weft COMPONENTS mpi), weft::mpi. */
#include <mpi.h>
#include <stdio.h>
#include <weft_experimental.h>

int main(int argc, char **argv) {
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_plan *plan = NULL;
    weft_result *part = NULL, *whole = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_WORLD;
    weft_status st = weft_ctx_new(&ctx);
    if (!st) st = weft_ctx_set_comm(ctx, &comm);
    if (!st) st = weft_read(ctx, argv[1], NULL, &g);
    if (!st) st = weft_plan_new(ctx, "degree", g, NULL, &plan);
    if (!st) st = weft_plan_run(plan, &part);
    if (!st) st = weft_plan_gather(plan, part, &whole);
    if (st) fprintf(stderr, "%s\n", weft_ctx_message(ctx));
    if (!st && whole) printf("%d ranks, %zu vertices\n", weft_ctx_ranks(ctx), weft_result_column_at(whole, 0)->length);
    weft_result_free(whole);
    weft_result_free(part);
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    MPI_Finalize();
    return st != WEFT_OK;
}
