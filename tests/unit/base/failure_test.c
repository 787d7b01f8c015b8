/* failure_test.c - statuses and their sentences. */
#include "base/failure.h"
#include "test.h"

TEST(failure, has_a_sentence_for_every_status_and_for_no_status)
{
    for (int status = 0; status < OPL_STATUS_COUNT; status++) {
        CHECK(strlen(opl_status_sentence((opl_status)status)) > 5);
        for (int other = 0; other < status; other++)
            CHECK(strcmp(opl_status_sentence((opl_status)status), opl_status_sentence((opl_status)other)) != 0);
    }
    CHECK_TEXT(opl_status_sentence((opl_status)99), "an unknown status");
    CHECK_TEXT(opl_status_sentence((opl_status)-1), "an unknown status");
}

TEST(failure, fills_the_error_and_hands_its_status_back)
{
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(opli_fail(&err, OPL_IO, "%s: is %s", "a.opl", "gone"), OPL_IO);
    CHECK_EQ(err.status, OPL_IO);
    CHECK_TEXT(err.message, "a.opl: is gone");
    CHECK_EQ(opli_fail(NULL, OPL_NOMEM, "nobody listens"), OPL_NOMEM);
}

TEST(failure, cuts_a_message_that_is_too_long)
{
    opl_error err;
    opli_fail(&err, OPL_INVALID, "%0600d", 1);
    CHECK_EQ(strlen(err.message), sizeof err.message - 1);
}
