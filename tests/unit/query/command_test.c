/* command_test.c - `oplens query` as a user types it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "query/duckdb_library.h"
#include "test.h"

typedef struct outcome {
    int status;
    char out[16384]; /* stdout and stderr */
} outcome;

/* One span of 30 us around one of 10 us, as Chrome writes them. */
static const char *trace_path(void)
{
    static const char json[] = "[{\"ph\":\"X\",\"name\":\"outer\",\"ts\":1,\"dur\":30,\"pid\":1,\"tid\":2},"
                               "{\"ph\":\"X\",\"name\":\"inner\",\"ts\":5,\"dur\":10,\"pid\":1,\"tid\":2}]";
    const char *path = test_path("small.json");
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fputs(json, file);
    fclose(file);
    return path;
}

/* TRACE stands for the trace's path, DIR for the tests' directory. */
static outcome type(const char *command)
{
    outcome o = {0, ""};
    char line[4096];
    snprintf(line, sizeof line, "TRACE='%s'; DIR='%s'; COLUMNS=; oplens() { '%s' \"$@\"; }; { %s; } 2>&1", trace_path(),
             test_directory(), OPLENS, command);
    FILE *pipe = popen(line, "r");
    CHECK(pipe != NULL);
    o.out[fread(o.out, 1, sizeof o.out - 1, pipe)] = '\0';
    int status = pclose(pipe);
    o.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return o;
}

static void check(const char *command, int status, const char *printed)
{
    outcome o = type(command);
    CHECK_TEXT(o.out, printed);
    CHECK_EQ(o.status, status);
}

static void need_duckdb(void)
{
    const opli_duckdb *duckdb;
    opl_error err;
    if (opli_duckdb_get(&duckdb, &err) != OPL_OK)
        SKIP(err.message);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* looking for leaks stumbles over DuckDB in a child */
}

TEST(command, says_in_a_sentence_how_duckdb_is_installed)
{
    outcome o = type("OPLENS_DUCKDB=/nowhere/libduckdb.so oplens query \"$TRACE\" 'select 1'");
    CHECK_EQ(o.status, 1);
    CHECK(strstr(o.out, "oplens query: OPLENS_DUCKDB=/nowhere/libduckdb.so cannot be loaded"));
    CHECK(strchr(o.out, '\n') == o.out + strlen(o.out) - 1);
}

TEST(command, answers_in_every_format)
{
    need_duckdb();
    const char *text = "┌───────┬───────┐\n│ name  ┆     s │\n╞═══════╪═══════╡\n"
                       "│ outer ┆ 30000 │\n│ inner ┆ 10000 │\n└───────┴───────┘\n";
#define SQL "\"$TRACE\" 'select name, sum(dur) s from span group by 1 order by 2 desc'"
    check("oplens query " SQL, 0, text);
    check("oplens query --format csv " SQL, 0, "name,s\r\nouter,30000\r\ninner,10000\r\n");
    check("oplens query " SQL " --format=json", 0,
          "[{\"name\": \"outer\", \"s\": 30000}, {\"name\": \"inner\", \"s\": 10000}]\n");
    check("oplens query " SQL " --format nix", 2,
          "oplens query: there is no format 'nix'; there are text, csv, json or markdown\n");
#undef SQL
}

TEST(command, reads_sql_from_stdin_when_none_is_given)
{
    need_duckdb();
    check("echo 'create view v as from span; select count(*) n from v; select 2 m;' | oplens query \"$TRACE\" --format "
          "csv",
          0, "n\r\n2\r\nm\r\n2\r\n");
    check("oplens query \"$TRACE\" < /dev/null", 0, "");
}

TEST(command, takes_several_parameters)
{
    need_duckdb();
    check("oplens query \"$TRACE\" 'select count(*) n from span where dur > $a and name = $b' --param a=1 "
          "--param=b=inner "
          "--format csv",
          0, "n\r\n1\r\n");
    check("oplens query \"$TRACE\" 'select 1' --param nix", 2, "oplens query: --param is NAME=VALUE, not 'nix'\n");
}

TEST(command, writes_parquet_and_what_the_suffix_says)
{
    need_duckdb();
    check("oplens query \"$TRACE\" 'from span' -o \"$DIR/s.parquet\"", 0, "");
    check("cd \"$DIR\"; oplens query \"$TRACE\" 'select name from span' -o here.parquet; ls here.parquet*", 0,
          "here.parquet\n");
    check("oplens query --allow-files \"$TRACE\" \"select sum(dur) n from '$DIR/s.parquet'\" --format csv", 0,
          "n\r\n40000\r\n");
    check("oplens query \"$TRACE\" 'select 1 as n' -o \"$DIR/n.csv\"; cat \"$DIR/n.csv\"", 0, "n\r\n1\r\n");
}

TEST(command, complains_in_sentences)
{
    need_duckdb();
    outcome o = type("oplens query \"$TRACE\" 'from spam'");
    CHECK_EQ(o.status, 1);
    CHECK(strstr(o.out, "oplens query: Table with name spam does not exist!"));
    CHECK(strstr(o.out, "The tables are span, arg, "));
    CHECK_EQ(type("oplens query 'select 1'").status, 2);
    CHECK_EQ(type("oplens query").status, 2);
    CHECK_EQ(type("oplens query \"$DIR/nix.json\" 'select 1'").status, 1);
    CHECK_EQ(type("oplens query \"$TRACE\" 'select 1' --threads 0").status, 2);
    CHECK_EQ(type("oplens query \"$TRACE\" \"select * from read_csv('/etc/passwd')\"").status, 1);
}

/* ---- at a terminal ---- */

static pid_t type_at_terminal(int *terminal, const char *home)
{
    pid_t child = forkpty(terminal, NULL, NULL, NULL);
    if (child == 0) {
        setenv("XDG_STATE_HOME", home, 1);
        setenv("COLUMNS", "200", 1);
        execl(OPLENS, "oplens", "query", test_path("small.json"), (char *)NULL);
        _exit(127);
    }
    return child;
}

TEST(command, keeps_a_history_of_what_is_typed)
{
    static const char typed[] = "select count(*) as spans\nfrom span;\nfrom spam;\ntables\nhistory\nquit\n";
    char home[512], out[16384];
    size_t length = 0;
    int terminal, status;
    need_duckdb();
    trace_path();
    snprintf(home, sizeof home, "%s", test_path("state"));
    pid_t child = type_at_terminal(&terminal, home);
    CHECK(child > 0);
    CHECK_EQ(write(terminal, typed, strlen(typed)), strlen(typed));
    for (ssize_t got; length < sizeof out - 1 && (got = read(terminal, out + length, sizeof out - 1 - length)) > 0;)
        length += (size_t)got;
    out[length] = '\0';
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(strstr(out, "spam does not exist"));
    CHECK(strstr(out, "oplens> ") && strstr(out, "   ...> "));
    CHECK(strstr(out, "│     2 │"));
    outcome kept = type("cat \"$DIR\"/state/oplens/history");
    CHECK_TEXT(kept.out, "select count(*) as spans from span;\nfrom spam;\ntables\nhistory\nquit\n");
    close(terminal);
}
