/* A made-up machine for `weft doctor`, so that what it says of a GPU can be tested where there is none: with MADE_UP_MACHINE in
 * the environment there are two GPUs.  With MADE_UP_GROUPS that folder has the control groups, and
 * its file `self` says which are the program's.  The linker puts these in the place of the library's functions (--wrap). */
#include "core/machine.h"
#include "weft/machine.h"

#include <stdio.h>
#include <stdlib.h>

void __real_wfi_control_group_limits(const char *membership, const char *root, wfi_limits *limits);
void __wrap_wfi_control_group_limits(const char *membership, const char *root, wfi_limits *limits);
weft_status __real_weft_machine_describe(weft_ctx *ctx, int measure, weft_machine *out);
weft_status __wrap_weft_machine_describe(weft_ctx *ctx, int measure, weft_machine *out);

weft_status __wrap_weft_machine_describe(weft_ctx *ctx, int measure, weft_machine *out) {
    if (!getenv("MADE_UP_MACHINE")) return __real_weft_machine_describe(ctx, measure, out);
    *out = (weft_machine){.size = sizeof *out,
                          .cpu = "Abacus",
                          .cores = 12,
                          .memory_bytes = 64ull << 30,
                          .memory_free_bytes = 48ull << 30,
                          .l1_bytes = 32 << 10,
                          .l2_bytes = 1 << 20,
                          .gpus = 2,
                          .gpu = "Loom 9000",
                          .gpu_sms = 132,
                          .gpu_major = 9,
                          .gpu_driver = 13010,
                          .gpu_runtime = 12080,
                          .gpu_memory_bytes = 141ull << 30,
                          .gpu_memory_free_bytes = 140ull << 30,
                          .gpu_l2_bytes = 50 << 20};
    if (measure) {
        out->read_gbs = 123.4, out->gather_gps = 1.5;
        out->gpu_read_gbs = 4000, out->gpu_launch_us = 2.25, out->gpu_upload_gbs = 55.5, out->gpu_context_ms = 300;
    }
    return WEFT_OK;
}

void __wrap_wfi_control_group_limits(const char *membership, const char *root, wfi_limits *limits) {
    const char *groups = getenv("MADE_UP_GROUPS");
    char self[4096];
    snprintf(self, sizeof self, "%s/self", groups ? groups : "");
    __real_wfi_control_group_limits(groups ? self : membership, groups ? groups : root, limits);
}
