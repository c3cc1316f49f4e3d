/* Zachary's karate club: 34 members, 78 friendships outside the club's meetings, ids 1 ... 34 as published.
 * Each row: a member, its friends with higher numbers, 0 as terminator.
 * [1] Zachary, "An information flow model for conflict and fission in small groups", J. Anthropol. Res. 33, 1977. */
#include "gen/gen.h"

enum { MEMBERS = 34, FRIENDSHIPS = 78 };

/* clang-format off */
static const uint8_t friends[] = {
    1,  2,  3,  4,  5,  6,  7,  8,  9,  11, 12, 13, 14, 18, 20, 22, 32, 0,
    2,  3,  4,  8,  14, 18, 20, 22, 31, 0,
    3,  4,  8,  9,  10, 14, 28, 29, 33, 0,
    4,  8,  13, 14, 0,
    5,  7,  11, 0,
    6,  7,  11, 17, 0,
    7,  17, 0,
    9,  31, 33, 34, 0,
    10, 34, 0,
    14, 34, 0,
    15, 33, 34, 0,
    16, 33, 34, 0,
    19, 33, 34, 0,
    20, 34, 0,
    21, 33, 34, 0,
    23, 33, 34, 0,
    24, 26, 28, 30, 33, 34, 0,
    25, 26, 28, 32, 0,
    26, 32, 0,
    27, 30, 34, 0,
    28, 34, 0,
    29, 32, 34, 0,
    30, 33, 34, 0,
    31, 33, 34, 0,
    32, 33, 34, 0,
    33, 34, 0,
};
/* clang-format on */

_Static_assert(FRIENDSHIPS <= (int)WFI_BLOCK_EDGES, "the list is one block");

static void list_friends(const wfi_run *run, const void *plan, uint64_t first, uint64_t count, uint32_t *ends) {
    (void)run, (void)plan, (void)first;
    const uint8_t *at = friends;
    for (uint64_t i = 0; i < count; at++)
        for (uint32_t member = *at++; *at; at++, i++) {
            ends[2 * i] = member - 1;
            ends[2 * i + 1] = *at - 1u;
        }
}

weft_status wfi_make_karate(wfi_run *run) {
    run->vertices = MEMBERS;
    run->id_base = 1;
    if (run->directed) run->label = WEFT_LABEL_ACYCLIC;
    return wfi_run_edges(run, FRIENDSHIPS, list_friends, NULL);
}
