/* npu_device.h - a make-believe accelerator: two processing elements, memory, a clock of its own.
 *
 * It stands in for a driver and knows nothing of profiling. It only offers what real ones do: a
 * tick counter, a memory allocator, and the times at which each instruction of a program ran.
 * Threads: any; a processing element runs one program at a time. */
#ifndef NPU_DEVICE_H
#define NPU_DEVICE_H

#include <stdint.h>

#define NPU_CLOCK_HZ 800e6 /* as its data sheet says */
#define NPU_PE_COUNT 2
#define NPU_INSTRUCTIONS_MAX 16

/* One instruction takes so long, of which it waits for memory (the rest is computing). */
typedef struct npu_instruction {
    int64_t busy_ns;
    int64_t wait_ns;
} npu_instruction;

typedef struct npu_program {
    npu_instruction instructions[NPU_INSTRUCTIONS_MAX];
    uint32_t count;
} npu_program;

/* When it ran, in the device's ticks. */
typedef struct npu_times {
    int64_t begin, end;
    int64_t instruction_begin[NPU_INSTRUCTIONS_MAX], instruction_end[NPU_INSTRUCTIONS_MAX];
} npu_times;

/* The tick counter now. */
int64_t npu_device_ticks(void);

/* Runs the program on the calling thread's processing element and says when what ran. */
void npu_device_execute(const npu_program *program, npu_times *times);

/* Where a buffer is, and how full the pool was right after it came or went. */
typedef struct npu_buffer {
    uint64_t address; /* 0: there was no room */
    uint64_t size_bytes;
} npu_buffer;

typedef struct npu_usage {
    int64_t used_bytes;      /* held by buffers */
    int64_t allocated_bytes; /* taken from the device, and kept */
} npu_usage;

/* Takes memory and gives it back. `watch` is called before another thread can change the pool. */
typedef void npu_watcher(const npu_buffer *buffer, npu_usage usage);
npu_buffer npu_device_alloc(uint64_t size_bytes, npu_watcher *watch);
void npu_device_free(const npu_buffer *buffer, npu_watcher *watch);

#endif
