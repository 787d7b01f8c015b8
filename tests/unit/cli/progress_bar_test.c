/* progress_bar_test.c - the line a person who waits sees. */
#include "cli/progress_bar.h"

#include "base/utf8.h"
#include "test.h"

#define SECOND 1000000000ll

static void check_line(const opli_progress_bar *bar, int64_t now_ns, size_t columns, const char *expected)
{
    opli_text line = {0};
    opli_progress_bar_line(bar, now_ns, columns, &line);
    CHECK_TEXT(line.bytes, expected);
    opli_text_free(&line);
}

TEST(progress_bar, shows_how_far_how_fast_and_how_long_it_will_take)
{
    opli_progress_bar bar = {.verb = "reading", .total_bytes = 4000000000};
    opli_progress_bar_move(&bar, "run.json", 1000000000);
    check_line(&bar, 2 * SECOND, 80, "reading run.json ██████░░░░░░░░░░░░░░░░░░  25 %  500 MB/s  6 s left");
    opli_progress_bar_move(&bar, "run.json", 40000000);
    check_line(&bar, 2 * SECOND, 80, "reading run.json ░░░░░░░░░░░░░░░░░░░░░░░░   1 %  20 MB/s  3 min 18 s left");
}

TEST(progress_bar, shows_the_time_where_it_knows_no_end)
{
    opli_progress_bar bar = {.verb = "asking"};
    check_line(&bar, 65 * SECOND, 80, "asking  1 min 5 s");
    bar.verb = "writing";
    opli_progress_bar_move(&bar, "out.json", 300000000);
    check_line(&bar, 3 * SECOND, 80, "writing out.json  100 MB/s  3 s");
}

TEST(progress_bar, keeps_the_end_of_a_long_name_and_fits_any_width)
{
    opli_progress_bar bar = {.verb = "reading", .total_bytes = 100};
    opli_progress_bar_move(&bar, "a/long/way/to/gr\xc3\xbc\xc3\x9f.json", 50);
    for (size_t columns = 10; columns < 120; columns++) {
        opli_text line = {0};
        opli_progress_bar_line(&bar, SECOND, columns, &line);
        CHECK(opli_utf8_width(line.bytes, line.length) <= columns);
        opli_text_free(&line);
    }
    check_line(&bar, SECOND, 66, "reading …\xc3\xbc\xc3\x9f.json ████████████░░░░░░░░░░░░  50 %  0 MB/s  1 s left");
}

TEST(progress_bar, never_says_more_than_all_of_it)
{
    opli_progress_bar bar = {.verb = "reading", .total_bytes = 100};
    opli_progress_bar_move(&bar, "a", 200);
    check_line(&bar, SECOND, 80, "reading a ████████████████████████ 100 %  0 MB/s  0 s left");
}
