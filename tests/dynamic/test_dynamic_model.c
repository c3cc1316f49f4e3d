/* Random histories (histories.h) on 1, 2, 3 and 7 threads, and on the GPU.  One in ten has a hub of more than 2,048 arcs and
 * batches that change most of the graph.
 * WEFT_DYNAMIC_HISTORIES: how many (120); 2,000 are the whole. */
#include "histories.h"

#include "cuda/device.h"

static uint64_t wanted(void) {
    const char *text = getenv("WEFT_DYNAMIC_HISTORIES");
    return text ? strtoull(text, NULL, 10) : under_a_microscope() ? 20 : 120;
}

TEST(small_histories_equal_the_matrix) {
    uint64_t histories = wanted() - wanted() / 10;
    for (uint64_t seed = 1; seed <= histories && harness_failures < 5; seed++) {
        history h = drawn(seed);
        run_history(&h);
    }
}

/* The hub's row passes 512 arcs and 2,048, and comes back as its edges and vertices go. */
TEST(histories_with_a_long_row_and_large_batches_equal_the_matrix) {
    uint64_t histories = wanted() / 10, were_long = 0;
    for (uint64_t seed = 100000; seed < 100000 + histories && harness_failures < 5; seed++) {
        history h = drawn_large(seed);
        were_long += run_history(&h);
    }
    CHECK_U64(were_long, histories);
}

/* The same on the GPU: rows there, and every snapshot and count as above. */
TEST(on_the_gpu_histories_equal_the_matrix) {
    char none[64];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    uint64_t histories = wanted() - wanted() / 10;
    for (uint64_t seed = 1; seed <= histories && harness_failures < 5; seed++) {
        history h = drawn(seed);
        h.device = WEFT_DEVICE_CUDA;
        run_history(&h);
    }
    for (uint64_t seed = 100000; seed < 100000 + wanted() / 10 && harness_failures < 5; seed++) {
        history h = drawn_large(seed);
        h.device = WEFT_DEVICE_CUDA;
        run_history(&h);
    }
}

TEST_MAIN()
