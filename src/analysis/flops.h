/* flops.h - how many floating-point operations an operator does, from the shapes of its inputs. */
#ifndef OPLI_ANALYSIS_FLOPS_H
#define OPLI_ANALYSIS_FLOPS_H

#include "trace/trace.h"

/* 0 when it is not known. PyTorch's own rules: a multiplication and an addition count as two. */
int64_t opli_span_flops(const opli_trace *trace, uint32_t span);

#endif
