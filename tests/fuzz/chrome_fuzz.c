/* chrome_fuzz.c - any bytes as Chrome trace JSON, in every dialect. */
#include <string.h>

#include "fuzz.h"
#include "reading.h"

#define SIZE_MAX_BYTES (256u << 10)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > SIZE_MAX_BYTES)
        return 0;
    reading_check(&opli_importer_neural_engine, bytes, size);
    reading_check(&opli_importer_chrome, bytes, size);
    return 0;
}

/* ---- seeds ---- */

static const char pytorch[] =
    "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA H200\", \"totalGlobalMem\": 9}],\n"
    "\"baseTimeNanoseconds\": 1726704000000000000, \"traceEvents\": [\n"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 7, \"tid\": 7, \"ts\": 12.345, \"dur\": "
    "9.876,\n"
    "\"args\": {\"External id\": 5, \"Input Dims\": [[2, 3], [3, 4]], \"Input type\": [\"float\", \"float\"]}},\n"
    "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 7, \"tid\": 7, \"ts\": "
    "13.000,\n"
    "\"dur\": 2.000, \"args\": {\"External id\": 5, \"correlation\": 9}},\n"
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"pid\": 0, \"tid\": 7, \"ts\": 16.000, \"dur\": 4.000,\n"
    "\"args\": {\"correlation\": 9, \"device\": 0, \"stream\": 7, \"grid\": [1, 1, 1]}},\n"
    "{\"ph\": \"s\", \"id\": 9, \"pid\": 7, \"tid\": 7, \"ts\": 13.000, \"cat\": \"ac2g\", \"name\": \"ac2g\"},\n"
    "{\"ph\": \"f\", \"id\": 9, \"pid\": 0, \"tid\": 7, \"ts\": 16.000, \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": "
    "\"e\"},\n"
    "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\", \"pid\": 7, \"tid\": 7,\n"
    "\"ts\": 14.5, \"args\": {\"Device Type\": 1, \"Device Id\": 0, \"Addr\": 99, \"Bytes\": 512, \"Total Allocated\": "
    "512}},\n"
    "{\"name\": \"process_name\", \"ph\": \"M\", \"ts\": 0, \"pid\": 7, \"tid\": 0, \"args\": {\"name\": "
    "\"python\"}},\n"
    "{\"name\": \"thread_name\", \"ph\": \"M\", \"ts\": 0, \"pid\": 7, \"tid\": 7, \"args\": {\"name\": \"thread "
    "7\"}}]}";

static const char onnx[] =
    "[\n{\"cat\" : \"Session\",\"pid\" :397,\"tid\" :397,\"dur\" :858,\"ts\" :4,\"ph\" : \"X\",\"name\" :\"model_run\","
    "\"args\" : {}},\n{\"cat\" : \"Node\",\"pid\" :397,\"tid\" :397,\"dur\" :192,\"ts\" :9,\"ph\" : \"X\",\"name\" "
    ":\"/Relu_kernel_time\",\"args\" : {\"op_name\" : \"Conv\",\"input_type_shape\" : [{\"float\":[4,1]}]}},\n]\n";

static const char raf[] =
    "{\n    \"traceEvents\": [\n    {\n        \"name\": \"raf.op.dense\",\n        \"cat\": \"Default Stream\",\n"
    "        \"ph\": \"B\",\n        \"ts\": 1650000000000100,\n        \"args\": { \"args_string\": \"T<1xf32>,|\"},\n"
    "        \"pid\": 11,\n        \"tid\": \"Default Stream\"\n    }\n,\n    {\n        \"name\": \"raf.op.dense\",\n"
    "        \"cat\": \"Default Stream\",\n        \"ph\": \"E\",\n        \"ts\": 1650000000000150,\n        "
    "\"args\": { "
    "\"args_string\": \"\"},\n        \"pid\": 11,\n        \"tid\": \"Default Stream\"\n    }\n\n    ],\n    "
    "\"displayTimeUnit\": \"ms\"\n}\n";

static const char engine[] =
    "{\"otherData\": {}, \"traceEvents\": [{\"cat\":\"inference\",\"dur\":1.23457e+06,\"name\":\"model_inference\","
    "\"ph\":\"X\",\"pid\": 0,\"tid\": \"inference\",\"ts\": "
    "0},{\"cat\":\"iteration\",\"dur\":70,\"name\":\"Iteration0\","
    "\"ph\":\"X\",\"pid\": 0,\"tid\": \"Iteration\",\"ts\":0},{\"cat\":\"InnerProduct\",\"dur\":70,\"name\":\"fc\","
    "\"ph\":\"X\",\"pid\": 0,\"tid\": \"Operator\",\"ts\":0,\"args\": {\"reshape_time\" :\"0ms\",\"input_shape\" "
    ":\"4*128\"}}]}";

static const char tensorflow[] =
    "{\"displayTimeUnit\":\"ns\",\"metadata\":{\"highres-ticks\":true},\"traceEvents\":[{\"ph\":\"M\",\"pid\":1,"
    "\"name\":"
    "\"process_name\",\"args\":{\"name\":\"/"
    "device:GPU:0\"}},{\"ph\":\"M\",\"pid\":1,\"tid\":3,\"name\":\"thread_name\","
    "\"args\":{\"name\":\"Stream "
    "#13(Compute)\"}},{\"ph\":\"X\",\"pid\":1,\"tid\":3,\"ts\":4563.2210000000005,\"dur\":1.5,"
    "\"name\":\"fusion\",\"args\":{\"hlo_op\":\"fusion\"}},{}]}";

static const char others[] =
    "[{\"ph\":\"b\",\"cat\":\"c\",\"name\":\"r\",\"id\":\"0x1\",\"pid\":\"p\",\"tid\":1,\"ts\":0},{\"ph\":\"n\",\"ts\":"
    "1,"
    "\"id\":\"0x1\"},{\"ph\":\"e\",\"cat\":\"c\",\"name\":\"r\",\"id\":\"0x1\",\"ts\":5e0},{\"ph\":\"C\",\"name\":"
    "\"m\","
    "\"ts\":3,\"args\":{\"used\":10,\"x\":NaN}},{\"ph\":\"B\",\"name\":\"a\\u00e9\\ud83d\\ude00\\\\\",\"ts\":-1,"
    "\"args\":"
    "{\"v\":[1,{\"k\":null}],\"t\":true}},{\"ph\":\"B\",\"name\":\"b\",\"ts\":2},{\"ph\":\"E\",\"name\":\"a\",\"ts\":9}"
    ","
    "{\"ph\":\"X\",\"name\":\"over\",\"ts\":1,\"dur\":5},{\"ph\":\"X\",\"name\":\"lap\",\"ts\":3,\"dur\":9},{broken},"
    "{\"ph\":\"M\",\"name\":\"oplens_device\",\"pid\":5,\"args\":{\"kind\":\"npu\",\"id\":1,\"process\":2}}]{\"a\":1}x";

void fuzz_seeds(fuzz_seed_taker take, void *context)
{
    static const struct {
        const char *name, *text;
    } seeds[] = {{"pytorch", pytorch}, {"onnx", onnx},     {"raf", raf},
                 {"engine", engine},   {"tf", tensorflow}, {"others", others}};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        take(context, seeds[i].name, (const uint8_t *)seeds[i].text, strlen(seeds[i].text));
}
