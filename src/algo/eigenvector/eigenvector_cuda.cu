/* Eigenvector centrality, GPU. */
#include "algo/eigenvector/eigenvector_bodies.h"

WFI_STEPS(eigen_state, EIGEN_STEPS)
