/* What stands behind cuda/nccl.h in a build without CUDA, as far as anybody asks then. */
#include "cuda/nccl.h"

#include <stdio.h>

bool wfi_nccl_found(char *text, size_t room) {
    snprintf(text, room, "built without CUDA");
    return false;
}
