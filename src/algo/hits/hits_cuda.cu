/* HITS, GPU. */
#include "algo/hits/hits_bodies.h"

WFI_STEPS(hits_state, HITS_STEPS)
