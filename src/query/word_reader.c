/* word_reader.c - values that are one of a few words: SQL sees an ENUM, which is a number in a byte. */
#include <string.h>

#include "query/query_reader.h"
#include "query/query_store.h"

/* Numbers beyond the last word, which no builder makes, are NULL. */
static void write_number(opli_query_slice *to, size_t i, size_t number, size_t word_count)
{
    ((uint8_t *)to->values)[i] = number < word_count ? (uint8_t)number : 0;
    if (number >= word_count)
        opli_query_slice_set_null(to, i);
}

static void read_bytes(const opli_row_run *run, opli_query_slice *to, size_t word_count)
{
    for (size_t i = 0; i < run->count; i++)
        write_number(to, i, *(const uint8_t *)opli_query_item(run, i), word_count);
}

#define COUNT(words) (sizeof(words) / sizeof *(words))

#define WORD(id, word, level) word,
static const char *const kind_words[] = {OPL_CATEGORY_LIST(WORD)};
#undef WORD
static const char *const track_kind_words[] = {"thread", "queue", "async"};
static const char *const flow_phase_words[] = {"start", "middle", "finish"};
static const char *const arg_type_words[] = {"int", "real", "bool", "text", "json"};

static void read_kind(const opli_row_run *run, opli_query_slice *to) { read_bytes(run, to, COUNT(kind_words)); }

static void read_flow_phase(const opli_row_run *run, opli_query_slice *to)
{
    read_bytes(run, to, COUNT(flow_phase_words));
}

static void read_arg_type(const opli_row_run *run, opli_query_slice *to)
{
    for (size_t i = 0; i < run->count; i++)
        write_number(to, i, opli_args_type(&run->store->trace->args, run->first + i), COUNT(arg_type_words));
}

static void read_track_kind(const opli_row_run *run, opli_query_slice *to)
{
    for (size_t i = 0; i < run->count; i++)
        write_number(to, i, *(const enum opli_track_kind *)opli_query_item(run, i), COUNT(track_kind_words));
}

#define DEFINE(name) \
    const opli_query_reader opli_reader_##name = {OPLI_DUCK_ENUM, read_##name, NULL, name##_words, COUNT(name##_words)};
OPLI_WORD_READERS(DEFINE)
