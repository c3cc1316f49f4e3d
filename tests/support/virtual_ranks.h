/* Work on virtual ranks: threads of this process, each with a context of its own that sits at its end of the transport. */
#ifndef WEFT_TESTS_VIRTUAL_RANKS_H
#define WEFT_TESTS_VIRTUAL_RANKS_H

#include "support.h"

#include "core/comm.h"
#include "ranks/links.h"

#include <pthread.h>

enum { MOST_RANKS = 16 };

typedef void (*rank_work)(weft_ctx *ctx, wfi_comm *comm, void *user);

typedef struct virtual_rank {
    wfi_link link;
    rank_work work;
    void *user;
} virtual_rank;

static inline void *be_rank(void *given) {
    virtual_rank *r = given;
    weft_ctx *ctx = new_ctx(1, NULL);
    wfi_comm *comm = wfi_comm_new(&r->link);
    if (!comm) exit(1);
    wfi_ctx_set_comm(ctx, comm);
    r->work(ctx, comm, r->user);
    weft_ctx_free(ctx);
    return NULL;
}

static inline void on_ranks(int ranks, rank_work work, void *user) {
    virtual_rank rank[MOST_RANKS];
    wfi_link link[MOST_RANKS];
    pthread_t thread[MOST_RANKS];
    if (ranks > MOST_RANKS || wfi_self_open(ranks, link)) exit(1);
    for (int r = 0; r < ranks; r++) {
        rank[r] = (virtual_rank){link[r], work, user};
        if (pthread_create(&thread[r], NULL, be_rank, &rank[r])) exit(1);
    }
    for (int r = 0; r < ranks; r++) pthread_join(thread[r], NULL);
}

#endif
