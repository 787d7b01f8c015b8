/* npu_graph.c - the built-in model, a small classifier of images. */
#include "npu_graph.h"

static const int64_t image[] = {1, 3, 32, 32}, features[] = {1, 16, 32, 32}, pooled[] = {1, 16, 16, 16},
                     scores[] = {1, 10};

enum { us = 1000 }; /* costs are microseconds of computing, and of waiting for memory */
#define F32 OPL_DTYPE_F32
#define I8 OPL_DTYPE_I8

const npu_operator npu_graph[] = {
    {"quantize", "Quantize", OPL_CAT_OP, {"x", F32, 4, image}, {"xq", I8, 4, image}, {0, 0}},
    {"load", "Load", OPL_CAT_COPY, {"xq", I8, 4, image}, {"xd", I8, 4, image}, {5 * us, 20 * us}},
    {"conv1", "Conv2d", OPL_CAT_OP, {"xd", I8, 4, image}, {"c1", I8, 4, features}, {120 * us, 0}},
    {"relu1", "Relu", OPL_CAT_OP, {"c1", I8, 4, features}, {"r1", I8, 4, features}, {15 * us, 0}},
    {"conv2", "Conv2d", OPL_CAT_OP, {"r1", I8, 4, features}, {"c2", I8, 4, features}, {160 * us, 30 * us}},
    {"pool", "MaxPool", OPL_CAT_OP, {"c2", I8, 4, features}, {"p", I8, 4, pooled}, {20 * us, 0}},
    {"dense", "MatMul", OPL_CAT_OP, {"p", I8, 4, pooled}, {"yd", I8, 2, scores}, {40 * us, 10 * us}},
    {"store", "Store", OPL_CAT_COPY, {"yd", I8, 2, scores}, {"yq", I8, 2, scores}, {5 * us, 10 * us}},
    {"dequantize", "Dequantize", OPL_CAT_OP, {"yq", I8, 2, scores}, {"y", F32, 2, scores}, {0, 0}},
};
const uint32_t npu_graph_count = sizeof npu_graph / sizeof *npu_graph;
