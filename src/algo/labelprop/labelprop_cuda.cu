/* labelprop, GPU. */
#include "algo/labelprop/labelprop_bodies.h"

WFI_STEPS(labels_state, LABELS_STEPS)
WFI_OP_GROUP(vote)
WFI_OP_PUSH(labels_wake)
