/* npu_runtime.h - a small runtime for the make-believe accelerator: load a model, run inferences.
 * Threads: npu_infer() from any number of threads at once; the rest from one. */
#ifndef NPU_RUNTIME_H
#define NPU_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#define NPU_INPUT_SIZE 3072 /* 3x32x32 */
#define NPU_OUTPUT_SIZE 10

typedef struct npu npu;
typedef struct npu_model npu_model;

/* Opens the device and starts a worker for each processing element; NULL when that fails. */
npu *npu_open(void);
void npu_close(npu *device);

/* Loads and compiles the built-in model; NULL when there is no memory for it. */
npu_model *npu_model_load(npu *device);
void npu_model_unload(npu_model *model);

/* Runs the model once and waits for the result; false when the device has no memory left. */
bool npu_infer(npu_model *model, const float *input, float *output);

/* Executions so far, of all processing elements. */
uint64_t npu_execution_count(npu *device);

#endif
