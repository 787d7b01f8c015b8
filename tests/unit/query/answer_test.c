/* answer_test.c - values of every type, as cells. */
#include "asked_trace.h"
#include "test.h"

static void check(const char *sql, const char *json)
{
    asked_trace *a = asked_trace_open();
    CHECK_TEXT(asked_json(a, sql), json);
    asked_trace_close(a);
}

TEST(answer, has_exact_whole_numbers)
{
    check(
        "select (-128)::tinyint a, (-32768)::smallint b, (-2147483648)::int c, (-9223372036854775808)::bigint d, "
        "255::utinyint e, 65535::usmallint f, 4294967295::uinteger g, 9223372036854775807::ubigint h, (-1)::hugeint i",
        "[{\"a\": -128, \"b\": -32768, \"c\": -2147483648, \"d\": -9223372036854775808, \"e\": 255, \"f\": 65535, "
        "\"g\": 4294967295, \"h\": 9223372036854775807, \"i\": -1}]");
}

TEST(answer, turns_a_column_into_digits_when_a_number_is_too_large)
{
    check("from (values (1::hugeint), (null), (-170141183460469231731687303715884105728), (5)) t(n)",
          "[{\"n\": \"1\"}, {\"n\": null}, {\"n\": \"-170141183460469231731687303715884105728\"}, {\"n\": \"5\"}]");
    check("select 340282366920938463463374607431768211455::uhugeint n, 18446744073709551615::ubigint m",
          "[{\"n\": \"340282366920938463463374607431768211455\", \"m\": \"18446744073709551615\"}]");
}

TEST(answer, has_real_numbers_truths_and_texts)
{
    check("select 0.5::float a, 0.1::double b, true c, false d, 'x' e, '' f, 'longer than twelve bytes' g",
          "[{\"a\": 0.5, \"b\": 0.10000000000000001, \"c\": \"true\", \"d\": \"false\", \"e\": \"x\", \"f\": \"\", "
          "\"g\": \"longer than twelve bytes\"}]");
}

TEST(answer, shows_other_types_as_duckdb_writes_them)
{
    check("select 1.25 a, date '2026-11-15' b, [1, 2] c, {'k': 1} d, interval 1 day e, 'op'::enum('op') f, null g",
          "[{\"a\": 1.25, \"b\": \"2026-11-15\", \"c\": \"[1, 2]\", \"d\": \"{'k': 1}\", \"e\": \"1 day\", \"f\": "
          "\"op\", "
          "\"g\": null}]");
}

TEST(answer, keeps_names_of_any_kind_and_the_order_of_rows)
{
    check("select 1.5 as \"a\"\"b\", 2 as a, 3 as a from range(2)",
          "[{\"a\\\"b\": 1.5, \"a\": 2, \"a\": 3}, {\"a\\\"b\": 1.5, \"a\": 2, \"a\": 3}]");
    check("select (i + 0.5)::decimal(3, 1) as x from range(3) t(i) order by x desc",
          "[{\"x\": 2.5}, {\"x\": 1.5}, {\"x\": 0.5}]");
}

TEST(answer, has_nulls_anywhere)
{
    check("select case when i % 2 = 0 then i end a, case when i = 1 then 'x' end b from range(3) t(i)",
          "[{\"a\": 0, \"b\": null}, {\"a\": null, \"b\": \"x\"}, {\"a\": 2, \"b\": null}]");
}

TEST(answer, says_so_when_a_type_cannot_be_shown)
{
    asked_trace *a = asked_trace_open();
    opli_answer made = asked(a, "create table t (x decimal(4, 2))");
    opli_answer_free(&made);
    CHECK(strstr(asked_complaint(a, "insert into t values (1.5) returning x"), "'x'"));
    asked_trace_close(a);
}
