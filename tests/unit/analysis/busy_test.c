/* busy_test.c - when any device is at work. */
#include "analysis/busy.h"

#include "test.h"
#include "trace/builder.h"

static void add_work(opli_builder *b, uint32_t track, int64_t start_ns, int64_t duration_ns)
{
    opli_builder_span(b, &(opli_span_draft){.start_ns = start_ns,
                                            .duration_ns = duration_ns,
                                            .name = opli_builder_word(b, "k"),
                                            .track = track,
                                            .kind = OPL_CAT_KERNEL});
}

TEST(busy, time_that_queues_and_devices_share_counts_once)
{
    opli_trace trace;
    opli_builder b;
    opli_busy busy;
    opli_builder_init(&b, &trace);
    uint32_t process = opli_builder_process(&b, 1);
    for (int64_t device = 0; device < 2; device++) {
        uint32_t queue = opli_builder_track(&b, OPLI_TRACK_QUEUE, process, opli_builder_device(&b, "gpu", device), 0);
        add_work(&b, queue, 10 + 5 * device, 10);
        add_work(&b, queue, 40, 10 * (device + 1));
        add_work(&b, queue, 70, 0);
    }
    CHECK_EQ(opli_builder_finish(&b), OPL_OK);
    CHECK(opli_busy_find(&busy, &trace));
    CHECK_EQ(busy.stretches.count, 2);
    CHECK_EQ(opli_busy_within(&busy, 0, 100), 15 + 20);
    CHECK_EQ(opli_busy_within(&busy, 12, 13), 1);
    CHECK_EQ(opli_busy_within(&busy, 20, 45), 5 + 5);
    CHECK_EQ(opli_busy_within(&busy, 25, 40), 0);
    CHECK_EQ(opli_busy_within(&busy, 90, 80), 0);
    opli_busy_free(&busy);
    opli_trace_free(&trace);
}
