/* query_test.c - SQL over a trace: what it answers, what it refuses. */
#include <sys/stat.h>
#include <unistd.h>

#include "asked_trace.h"
#include "test.h"

/* ---- answers ---- */

TEST(query, groups_as_a_loop_over_the_store_does)
{
    asked_trace *a = asked_trace_open_large(100000);
    const opli_spans *spans = &a->trace.spans;
    opli_answer answer = asked(a, "select name, count(*), sum(dur), sum(self) from span group by 1 order by 3 desc");
    CHECK(opli_table_rows(&answer.table) > 97);
    for (size_t row = 0; row < opli_table_rows(&answer.table); row++) {
        const opli_cell *cells = &answer.table.cells.items[row * 4];
        uint32_t name = opli_string_find(&a->trace.strings, cells[0].text, cells[0].length);
        int64_t count = 0, total = 0;
        for (size_t i = 0; i < spans->count; i++) {
            count += spans->name[i] == name;
            total += spans->name[i] == name ? spans->duration_ns[i] : 0;
        }
        CHECK_EQ(cells[1].number, count);
        CHECK_EQ(cells[2].number, total);
    }
    opli_answer_free(&answer);
    asked_trace_close(a);
}

TEST(query, reads_every_row_of_every_length_of_table_once)
{
    static const size_t sizes[] = {1, 2, 2047, 2048, 2049, 4096, 10000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        asked_trace *a = asked_trace_open_large(sizes[i]);
        CHECK_EQ(asked_number(a, "select count(*) from span"), sizes[i]);
        CHECK_EQ(asked_number(a, "select count(distinct row) from span"), sizes[i]);
        CHECK_EQ(asked_number(a, "select max(row) from span"), sizes[i] - 1);
        asked_trace_close(a);
    }
}

TEST(query, agrees_with_the_store_on_self_time)
{
    asked_trace *a = asked_trace_open_large(30000);
    CHECK_EQ(asked_number(a, "select sum(self) from span"),
             asked_number(a, "select sum(dur) from span where parent is null"));
    CHECK_EQ(asked_number(a, "select count(*) from span s where self != dur - coalesce((select sum(dur) from span c "
                             "where c.parent = s.row), 0)"),
             0);
    asked_trace_close(a);
}

TEST(query, reads_only_the_columns_that_are_asked_for)
{
    asked_trace *a = asked_trace_open();
    opli_answer answer = asked(a, "explain select dur from span where depth = 0");
    const char *plan = answer.table.cells.items[1].text;
    CHECK(strstr(plan, "dur"));
    CHECK(strstr(plan, "depth"));
    CHECK(!strstr(plan, "category"));
    CHECK(strstr(plan, "5 rows")); /* and DuckDB knows how many there are */
    opli_answer_free(&answer);
    asked_trace_close(a);
}

TEST(query, answers_the_same_bytes_twice)
{
    static const char *const questions[] = {"from span", "select name, count(*) from span group by all",
                                            "select kind, list(row) from span group by kind", "from averages"};
    asked_trace *a = asked_trace_open_large(20000);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        opli_answer first = asked(a, questions[i]), second = asked(a, questions[i]);
        opli_text one = {0}, other = {0};
        opli_table_print_json(&first.table, &one);
        opli_table_print_json(&second.table, &other);
        CHECK_TEXT(one.bytes, other.bytes);
        opli_text_free(&one);
        opli_text_free(&other);
        opli_answer_free(&first);
        opli_answer_free(&second);
    }
    asked_trace_close(a);
}

#if defined(__has_feature)
#define WATCHES_THREADS __has_feature(thread_sanitizer)
#else
#define WATCHES_THREADS 0
#endif

TEST(query, works_with_several_threads)
{
    if (WATCHES_THREADS)
        SKIP("ThreadSanitizer cannot see how DuckDB's own threads take turns");
    asked_trace *a = asked_trace_open_with(&(opli_query_options){.threads = 4});
    CHECK_EQ(asked_number(a, "select sum(dur) from span"), 2300);
    asked_trace_close(a);
}

TEST(query, keeps_what_sql_makes_until_it_is_closed)
{
    asked_trace *a = asked_trace_open();
    opli_answer made = asked(a, "create table slow as from span where dur > 300");
    opli_answer_free(&made);
    CHECK_EQ(asked_number(a, "select count(*) from slow"), 3);
    asked_trace_close(a);
}

TEST(query, makes_a_table_of_every_analysis)
{
    asked_trace *a = asked_trace_open();
    CHECK_EQ(asked_number(a, "select count from averages where name = 'run'"), 1);
    CHECK_EQ(asked_number(a, "select count from Averages where name = 'run'"), 1);
    CHECK_EQ(asked_number(a, "select count(*) from memory_events"), 1); /* a hyphen would be a minus */
    asked_trace_close(a);
}

/* ---- parameters ---- */

static int64_t count_with(asked_trace *a, const char *sql, const char *name, const char *value)
{
    opli_answer answer;
    opl_error err = {OPL_OK, ""};
    if (opli_query_run(a->query, sql, &(opli_query_param){name, value}, 1, &answer, &err) != OPL_OK)
        fail_msg("%s", err.message);
    int64_t number = answer.table.cells.items[0].number;
    opli_answer_free(&answer);
    return number;
}

TEST(query, takes_parameters_as_numbers_and_as_texts)
{
    asked_trace *a = asked_trace_open();
    CHECK_EQ(count_with(a, "select count(*) from span where dur > $least", "least", "300"), 3);
    CHECK_EQ(count_with(a, "select count(*) from span where dur > $least", "least", "399.5"), 3);
    CHECK_EQ(count_with(a, "select count(*) from span where name = $n", "n", "run"), 1);
    CHECK_EQ(count_with(a, "select count(*) from span where name = $n", "n", "42"), 0);
    CHECK_EQ(count_with(a, "select count(*) from span where name = $n", "n", "'; drop view span; --"), 0);
    CHECK_TEXT(strstr(asked_complaint(a, "select $missing"), "--param"), "--param missing=VALUE");
    asked_trace_close(a);
}

TEST(query, shows_parameters_of_any_type)
{
    asked_trace *a = asked_trace_open();
    opli_answer answer;
    opl_error err = {OPL_OK, ""};
    CHECK_EQ(opli_query_run(a->query, "select [$x], $x", &(opli_query_param){"x", "1.5"}, 1, &answer, &err), OPL_OK);
    CHECK_TEXT(answer.table.cells.items[0].text, "[1.5]");
    CHECK(answer.table.cells.items[1].real == 1.5);
    opli_answer_free(&answer);
    asked_trace_close(a);
}

/* ---- mistakes ---- */

TEST(query, says_which_tables_there_are_when_one_is_not)
{
    asked_trace *a = asked_trace_open();
    const char *complaint = asked_complaint(a, "select * from spam");
    CHECK(strstr(complaint, "spam does not exist"));
    CHECK(strstr(complaint, "The tables are span, arg, track"));
    CHECK(strstr(complaint, "averages"));
    asked_trace_close(a);
}

TEST(query, says_what_is_wrong_and_where)
{
    asked_trace *a = asked_trace_open();
    CHECK(strstr(asked_complaint(a, "selec 1"), "syntax error at or near \"selec\".\nLINE 1: selec 1\n"));
    CHECK(strstr(asked_complaint(a, "select nix from span"), "\"nix\" not found"));
    CHECK(strstr(asked_complaint(a, "select 'a'::int"), "Could not convert"));
    CHECK(asked_complaint(a, "")[0]);
    CHECK_EQ(asked_number(a, "select 1"), 1); /* and goes on */
    asked_trace_close(a);
}

/* ---- files ---- */

TEST(query, reaches_no_file_and_cannot_change_that)
{
    static const char *const refused[] = {
        "select * from read_csv('/etc/passwd')",
        "select * from read_text('/etc/passwd')",
        "select * from '/etc/passwd'",
        "select * from glob('/*')",
        "copy span to '/tmp/oplens-copied.csv'",
        "copy span to 't.parquet' (format parquet)",
        "attach '/tmp/oplens-attached.db'",
        "export database '/tmp/oplens-exported'",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
        "set lock_configuration = false",
        "set threads = 2",
        "pragma profiling_output = '/tmp/oplens-profile'",
    };
    asked_trace *a = asked_trace_open();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK(asked_complaint(a, refused[i])[0]);
    CHECK(access("/tmp/oplens-copied.csv", F_OK) != 0);
    CHECK(strstr(asked_complaint(a, refused[0]), "--allow-files"));
    asked_trace_close(a);
}

TEST(query, reads_and_writes_files_when_asked)
{
    asked_trace *a = asked_trace_open_with(&(opli_query_options){.allow_files = true});
    char sql[1024];
    snprintf(sql, sizeof sql, "copy span to '%s'", test_path("allowed.csv"));
    opli_answer copied = asked(a, sql);
    opli_answer_free(&copied);
    snprintf(sql, sizeof sql, "select count(*) from '%s'", test_path("allowed.csv"));
    CHECK_EQ(asked_number(a, sql), 5);
    asked_trace_close(a);
}

TEST(query, writes_the_one_file_it_was_given_as_parquet)
{
    const char *path = test_path("it's one.parquet");
    char sql[1024];
    opl_error err = {OPL_OK, ""};
    asked_trace *a = asked_trace_open_with(&(opli_query_options){.writes = path});
    opli_query_param least = {"least", "300"};
    CHECK_EQ(opli_query_write(a->query, "select * from span where dur > $least -- and a word", &least, 1, &err),
             OPL_OK);
    asked_trace_close(a);
    a = asked_trace_open_with(&(opli_query_options){.allow_files = true});
    snprintf(sql, sizeof sql, "select sum(dur) from read_parquet('%s/it''s*.parquet')", test_directory());
    CHECK_EQ(asked_number(a, sql), 1800);
    asked_trace_close(a);
}

TEST(query, leaves_an_old_file_alone_when_the_new_one_fails)
{
    char path[512], part[600];
    struct stat before, after;
    opl_error err = {OPL_OK, ""};
    snprintf(path, sizeof path, "%s", test_path("old.parquet"));
    snprintf(part, sizeof part, "%s.part", path);
    asked_trace *a = asked_trace_open_with(&(opli_query_options){.writes = path});
    CHECK_EQ(opli_query_write(a->query, "from span", NULL, 0, &err), OPL_OK);
    CHECK_EQ(stat(path, &before), 0);
    CHECK_EQ(opli_query_write(a->query, "select error('no') from span", NULL, 0, &err), OPL_INVALID);
    CHECK_EQ(opli_query_write(a->query, "selec", NULL, 0, &err), OPL_INVALID);
    CHECK_EQ(stat(path, &after), 0);
    CHECK(before.st_ino == after.st_ino && before.st_size == after.st_size);
    CHECK(access(part, F_OK) != 0);
    asked_trace_close(a);
}
