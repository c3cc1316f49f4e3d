/* Rungs on the GPU: memory, copies and clocks (gpu.cuh). */
#include "gpu.cuh"

static void free_all(void *user) {
    lab_run *r = static_cast<lab_run *>(user);
    for (size_t i = 0; i < r->device_count; i++) cudaFree(r->device_block[i]);
    r->device_count = 0;
    for (void *&event : r->event) {
        if (event) cudaEventDestroy(static_cast<cudaEvent_t>(event));
        event = NULL;
    }
}

lab_gpu::lab_gpu(lab_run *run) : r(run), status(WEFT_OK), sms(1) {
    double ms;
    lab_turn(r, LAB_UNTIMED);
    r->free_device = free_all;
    r->user = r;
    status = wfi_cuda_start(r->ctx, &ms);
    cudaError_t error = status ? cudaSuccess : cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    for (int i = 0; i < 2 && !status && error == cudaSuccess; i++) {
        cudaEvent_t event;
        error = cudaEventCreate(&event);
        if (error == cudaSuccess) r->event[i] = event;
    }
    failed("cudaEventCreate", error);
    lab_turn(r, LAB_ALLOCATE);
}

/* The first failure is kept. */
void lab_gpu::failed(const char *call, cudaError_t error) {
    if (!status && error != cudaSuccess) status = wfi_cuda_fail(r->ctx, call, error);
}

void *lab_gpu::take_bytes(size_t bytes) {
    void *block = NULL;
    if (status) return NULL;
    lab_turn(r, LAB_ALLOCATE);
    if (r->device_count == LAB_MOST_BLOCKS || (r->memory_limit && bytes > r->memory_limit - r->device_taken)) {
        status = WEFT_ENOMEM;
        return NULL;
    }
    failed("cudaMalloc", cudaMalloc(&block, bytes ? bytes : 1));
    if (status) return NULL;
    r->device_taken += bytes;
    r->device_block[r->device_count++] = block;
    return block;
}

/* Setting memory is part of having it. */
void lab_gpu::fill_bytes(void *device, int byte, size_t bytes) {
    if (status) return;
    failed("cudaMemset", cudaMemset(device, byte, bytes));
    failed("cudaDeviceSynchronize", cudaDeviceSynchronize());
}

void lab_gpu::copy_bytes(lab_part part, void *to, const void *from, size_t bytes) {
    if (status || !bytes) return;
    lab_turn(r, part);
    failed("cudaMemcpy", cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
    failed("cudaDeviceSynchronize", cudaDeviceSynchronize());
}

weft_status lab_gpu::begin(const void *main_kernel, size_t shared_bytes) {
    int blocks = 0, most = 0;
    if (status) return status;
    lab_turn(r, LAB_UNTIMED);
    if (main_kernel) {
        failed("cudaOccupancyMaxActiveBlocksPerMultiprocessor",
               cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, main_kernel, r->block, shared_bytes));
        failed("cudaDeviceGetAttribute", cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
        if (!status) r->occupancy = (double)blocks * r->block / most;
    }
    failed("cudaDeviceSynchronize", cudaDeviceSynchronize());
    lab_turn(r, LAB_KERNELS);
    if (!status) failed("cudaEventRecord", cudaEventRecord(static_cast<cudaEvent_t>(r->event[0])));
    return status;
}

weft_status lab_gpu::end() {
    float ms = 0;
    if (status || r->part != LAB_KERNELS) return status;
    failed("a kernel's launch", cudaGetLastError());
    if (!status) failed("cudaEventRecord", cudaEventRecord(static_cast<cudaEvent_t>(r->event[1])));
    failed("cudaDeviceSynchronize", cudaDeviceSynchronize());
    lab_turn(r, LAB_UNTIMED);
    if (status) return status;
    failed("cudaEventElapsedTime",
           cudaEventElapsedTime(&ms, static_cast<cudaEvent_t>(r->event[0]), static_cast<cudaEvent_t>(r->event[1])));
    r->event_ms += (double)ms;
    return status;
}

void lab_gpu::peek_bytes(void *to, const void *from, size_t bytes) {
    if (status) return;
    failed("a kernel's launch", cudaGetLastError());
    if (!status) failed("cudaMemcpy", cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

void lab_gpu::wait() {
    if (status) return;
    failed("a kernel's launch", cudaGetLastError());
    failed("cudaDeviceSynchronize", cudaDeviceSynchronize());
}

void *lab_gpu::fetch_bytes(const void *device, size_t bytes) {
    if (status) return NULL;
    lab_turn(r, LAB_ALLOCATE);
    void *host = lab_take(r, bytes);
    if (!host) status = WEFT_ENOMEM;
    copy_bytes(LAB_COPY_OUT, host, device, bytes);
    lab_turn(r, LAB_UNTIMED);
    return status ? NULL : host;
}

unsigned lab_gpu::grid(uint64_t work, int block) const {
    uint64_t threads = (uint64_t)(block ? block : r->block), blocks = (work + threads - 1) / threads;
    return (unsigned)(blocks < 1 ? 1 : blocks < 0x7fffffff ? blocks : 0x7fffffff);
}

unsigned lab_gpu::grid_filling(uint64_t work, int block) const {
    unsigned full = (unsigned)sms * 2048u / (unsigned)(block ? block : r->block), wanted = grid(work, block);
    return wanted < full ? wanted : full;
}
