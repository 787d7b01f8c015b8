/* prof_fuzz.c - any bytes as one of cProfile's .prof files. */
#include "fuzz.h"
#include "reading.h"

#define SIZE_MAX_BYTES (256u << 10)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size <= SIZE_MAX_BYTES)
        reading_check(&opli_importer_prof, bytes, size);
    return 0;
}

/* {('a.py', 1, 'f'): (1, 3, 0.5, 1.0, {itself: (2, 1, 0.25, 0.5)})}, as Python 3 writes it. */
static const char recursive[] =
    "\xfb\xa9\x03\xda\x04"
    "a.py\xe9\x01\0\0\0\xda\x01"
    "f\xa9\x05\xe9\x01\0\0\0\xe9\x03\0\0\0g\0\0\0\0\0\0\xe0?g\0\0\0\0\0\0\xf0?"
    "\xfbr\x01\0\0\0\xa9\x04\xe9\x02\0\0\0\xe9\x01\0\0\0g\0\0\0\0\0\0\xd0?g\0\0\0\0\0\0\xe0?"
    "0"
    "0";

/* The same with Python 2's texts and the old profiler's counts. */
static const char old[] = "{(\x03\0\0\0t\x04\0\0\0a.pyi\x01\0\0\0t\x01\0\0\0f(\x05\0\0\0i\x01\0\0\0i\x03\0\0\0f\x03"
                          "0.5f\x03"
                          "1.0{(\x03\0\0\0R\0\0\0\0i\x02\0\0\0R\x01\0\0\0i\x07\0\0\0"
                          "00";

void fuzz_seeds(fuzz_seed_taker take, void *context)
{
    take(context, "empty", (const uint8_t *)"{0", 2);
    take(context, "recursive", (const uint8_t *)recursive, sizeof recursive - 1);
    take(context, "old", (const uint8_t *)old, sizeof old - 1);
}
