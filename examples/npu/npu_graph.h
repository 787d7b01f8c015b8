/* npu_graph.h - the built-in model: what each of its operators is, takes, makes and costs. */
#ifndef NPU_GRAPH_H
#define NPU_GRAPH_H

#include <oplens/annotate.h>

#include "npu_device.h"

/* One operator of the graph. Its place in the list is its operator_index. */
typedef struct npu_operator {
    const char *name;
    const char *op_type;
    opl_category category; /* a copy moves the data in or out, an op computes */
    opl_tensor input, output;
    npu_instruction instruction;
} npu_operator;

/* The first and the last run on the host, those between are the device's instructions. */
extern const npu_operator npu_graph[];
extern const uint32_t npu_graph_count;

#endif
