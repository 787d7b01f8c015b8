/* gate.c - what is recorded right now.
 *
 * All that has a say is kept in one word, changed by compare and swap; what follows from it is
 * published in opl_live_v1, the one word that every probe looks at. */
#include "record/gate.h"

#include <stdatomic.h>

#include <oplens/annotate.h>

OPL_API uint32_t opl_live_v1 = 0;

/* Every program that records anything uses opl_live_v1, and with it comes what runs before main, also
 * out of a static library. */
__attribute__((used)) static const char *const with_it = &opli_environment_is_here;

#define CATEGORIES_MASK UINT64_C(0xffff)
#define STARTED (UINT64_C(1) << 16)
#define PAUSED (UINT64_C(1) << 17)
#define RESTING (UINT64_C(1) << 18)
#define DETAIL (UINT64_C(1) << 19) /* level 2 */
#define MUTE_ONE (UINT64_C(1) << 32)

static _Atomic uint64_t control = CATEGORIES_MASK;

static uint32_t gates_of(uint64_t word)
{
#define DETAIL_CATEGORY(id, name, level) | ((level) > 1 ? OPL_CATEGORY_BIT(OPL_CAT_##id) : 0)
    const uint32_t detail_only = 0 OPL_CATEGORY_LIST(DETAIL_CATEGORY);
#undef DETAIL_CATEGORY
    uint32_t categories = (uint32_t)(word & CATEGORIES_MASK);
    if (!(word & STARTED) || (word & (PAUSED | RESTING)) || word / MUTE_ONE)
        return 0;
    return word & DETAIL ? categories | categories << 16 : categories & ~detail_only;
}

/* Whoever stores last has looked at the word after storing, so the last value stands. */
static void publish(void)
{
    uint64_t word;
    do {
        word = atomic_load(&control);
        __atomic_store_n(&opl_live_v1, gates_of(word), __ATOMIC_SEQ_CST);
    } while (atomic_load(&control) != word);
}

/* Clears and sets bits; true if that made a difference. */
static bool change(uint64_t clear, uint64_t set)
{
    uint64_t old = atomic_load(&control);
    while (!atomic_compare_exchange_weak(&control, &old, (old & ~clear) | set))
        ;
    publish();
    return old != ((old & ~clear) | set);
}

static uint64_t selection(int level, uint32_t categories, uint64_t *clear)
{
    *clear = (level ? DETAIL : 0) | (categories ? CATEGORIES_MASK : 0);
    return (level > 1 ? DETAIL : 0) | (categories & CATEGORIES_MASK);
}

void opli_gate_start(int level, uint32_t categories)
{
    uint64_t clear;
    uint64_t set = selection(level ? level : 1, categories ? categories : (uint32_t)CATEGORIES_MASK, &clear);
    change(clear | PAUSED, set | STARTED);
}

void opli_gate_stop(void) { change(STARTED, 0); }

bool opli_gate_pause(bool paused) { return change(PAUSED, paused ? PAUSED : 0); }

bool opli_gate_rest(bool resting) { return change(RESTING, resting ? RESTING : 0); }

bool opli_gate_select(int level, uint32_t categories)
{
    uint64_t clear;
    uint64_t set = selection(level, categories, &clear);
    return change(clear, set);
}

bool opli_gate_mute(int step)
{
    uint64_t old = atomic_fetch_add(&control, step > 0 ? MUTE_ONE : -MUTE_ONE);
    publish();
    return step > 0 ? old / MUTE_ONE == 0 : old / MUTE_ONE == 1;
}
