/* bfs, GPUs of ranks. */
#include "algo/bfs/bfs_bodies.h"

WFI_STEPS(bfs_rank_state, BFS_STEPS)
WFI_KERNELS(bfs_rank_state, BFS_KERNELS)
