/* Katz centrality, GPU. */
#include "algo/katz/katz_bodies.h"

WFI_STEPS(katz_state, KATZ_STEPS)
