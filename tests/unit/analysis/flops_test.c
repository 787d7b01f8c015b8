/* flops_test.c - floating-point operations from shapes, also from shapes that make no sense. */
#include "analysis/flops.h"

#include "inquiry.h"
#include "test.h"

/* Of one operator with these inputs. */
static int64_t flops(const char *name, const char *dims, const char *concrete)
{
    char json[1024];
    opli_trace trace;
    snprintf(json, sizeof json,
             "[{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", \"pid\": 1, \"tid\": 1, \"ts\": 0, \"dur\": 1, "
             "\"args\": {\"Input Dims\": %s, \"Concrete Inputs\": %s}}]",
             name, dims, concrete);
    CHECK_EQ(inquiry_read(&trace, &opli_importer_chrome, json, strlen(json)), OPL_OK);
    int64_t count = opli_span_flops(&trace, 0);
    opli_trace_free(&trace);
    return count;
}

#define STRIDES "[\"\", \"\", \"\", \"[2, 2]\", \"[3, 3]\", \"[1, 1]\", \"1\"]"

TEST(flops, of_a_convolution_and_of_products_follow_pytorchs_rules)
{
    CHECK_EQ(flops("aten::conv2d", "[[5, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], []]", STRIDES),
             INT64_C(2) * 5 * 112 * 112 * 7 * 7 * 3 * 64);
    CHECK_EQ(flops("aten::mm", "[[2, 3], [3, 4]]", "[]"), 2 * 2 * 3 * 4);
    CHECK_EQ(flops("aten::addmm", "[[4], [2, 3], [3, 4]]", "[]"), 2 * 2 * 3 * 4);
    CHECK_EQ(flops("aten::bmm", "[[9, 2, 3], [9, 3, 4]]", "[]"), 2 * 9 * 2 * 3 * 4);
    CHECK_EQ(flops("aten::mul", "[[6, 7], []]", "[]"), 42);
    CHECK_EQ(flops("aten::relu", "[[6, 7]]", "[]"), 0);
}

TEST(flops, that_no_number_holds_are_not_known)
{
    CHECK_EQ(flops("aten::mm", "[[9000000000, 9000000000], [9000000000, 9000000000]]", "[]"), 0);
    CHECK_EQ(flops("aten::add", "[[9000000000, 9000000000, 9000000000]]", "[]"), 0);
    CHECK_EQ(flops("aten::conv2d", "[[5, 3, 9223372036854775807, 2], [64, 3, -9223372036854775807, 7]]", STRIDES), 0);
}
