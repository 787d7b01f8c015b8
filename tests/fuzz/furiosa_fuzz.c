/* furiosa_fuzz.c - any bytes as the CSV of Furiosa's profiler. */
#include <string.h>

#include "fuzz.h"
#include "reading.h"

#define SIZE_MAX_BYTES (256u << 10)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size <= SIZE_MAX_BYTES)
        reading_check(&opli_importer_furiosa, bytes, size);
    return 0;
}

static const char plain[] =
    "trace_id,parent_span_id,span_id,start,end,cat,name,thread.id,dram_base,pe_index,execution_index,"
    "instruction_index,operator_index\n"
    "aa,00,01,1690438803858889021,1690438803860000000,Runtime,Inference,1,,,,,\n"
    "aa,01,02,1690438803858889030,1690438803858999999,NPU,Execution,,0,0,1,,\n"
    "aa,02,03,1690438803858889040,1690438803858889140,NPU,LowLevelConv2d,,0,0,1,4.0,7\n"
    "aa,01,04,1690438803858889040,1690438803858889030,Runtime,Quantize,1,,,,,0\n";

static const char quoted[] = "\xef\xbb\xbfstart,dur,name,span_id,pe_index\r\n10,5,\"a \"\"b\"\", c\",01,0\r\n"
                             "-3,NaN,x,02,null\r\n99999999999999999999,1,y,03,\r\n7,\"";

void fuzz_seeds(fuzz_seed_taker take, void *context)
{
    take(context, "plain", (const uint8_t *)plain, strlen(plain));
    take(context, "quoted", (const uint8_t *)quoted, strlen(quoted));
}
