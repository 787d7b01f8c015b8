/* operator_test.c - all that an operator's record can carry. */
#include "playback.h"
#include "test.h"

/* Everything the records of RAF, of Intel's Neural Engine and of torch carry about an operator. */
static const int64_t input_dims[] = {8, 3, 224, 224}, weight_dims[] = {64, 3, 7, 7}, output_dims[] = {8, 64, -1, 112};
static const opl_tensor inputs[] = {{"x", OPL_DTYPE_F32, 4, input_dims},
                                    {"conv1.weight", OPL_DTYPE_I8, 4, weight_dims},
                                    {NULL, OPL_DTYPE_F32, 0, NULL}};
static const opl_tensor outputs[] = {{"y", OPL_DTYPE_BF16, 4, output_dims}};
static const opl_attribute attributes[] = {{"pads", "3,3,3,3"}, {"post_op", "relu"}, {"group", "1"}};
static const opl_operator everything = {.op_type = "Conv",
                                        .inputs = inputs,
                                        .input_count = 3,
                                        .outputs = outputs,
                                        .output_count = 1,
                                        .attributes = attributes,
                                        .attribute_count = 3,
                                        .prepare_ns = 4000,
                                        .forward_ns = INT64_C(5000000000),
                                        .execution_index = 1,
                                        .instruction_index = 8,
                                        .operator_index = 3};

static playback record_operator(const char *name, const opl_operator *op)
{
    playback_record(name);
    OPL_SPAN ("conv1", OPL_CAT_OP)
        opl_arg_operator(&opl_this_span, op);
    return playback_stop();
}

static bool text_is(const played *e, const char *key, const char *text)
{
    const opli_argument *argument = playback_argument(e, key);
    return argument->tag == OPLI_TAG_ARG_TEXT && argument->size == strlen(text) &&
           memcmp(argument->bytes, text, argument->size) == 0;
}

TEST(operator, keeps_type_tensors_attributes_times_and_indices)
{
    playback p = record_operator("operator.opl", &everything);
    const played *e = playback_only(&p, "conv1");
    CHECK_EQ(e->event.argument_count, 11);
    CHECK(text_is(e, "op_type", "Conv"));
    CHECK(text_is(e, "attr.pads", "3,3,3,3") && text_is(e, "attr.post_op", "relu") && text_is(e, "attr.group", "1"));
    CHECK_EQ(playback_argument(e, "prepare_ns")->value, 4000);
    CHECK_EQ(playback_argument(e, "forward_ns")->value, 5000000000);
    CHECK_EQ(playback_argument(e, "execution_index")->value, 0); /* recorded from 0 */
    CHECK_EQ(playback_argument(e, "instruction_index")->value, 7);
    CHECK_EQ(playback_argument(e, "operator_index")->value, 2);
    playback_close(&p);
}

TEST(operator, keeps_every_input_and_output)
{
    playback p = record_operator("shapes.opl", &everything);
    const char *json = playback_only(&p, "conv1")->json;
    CHECK(strstr(json, "\"inputs\": [{\"name\": \"x\", \"dtype\": \"f32\", \"shape\": [8, 3, 224, 224]}, "
                       "{\"name\": \"conv1.weight\", \"dtype\": \"i8\", \"shape\": [64, 3, 7, 7]}, "
                       "{\"name\": \"\", \"dtype\": \"f32\", \"shape\": []}]"));
    CHECK(strstr(json, "\"outputs\": [{\"name\": \"y\", \"dtype\": \"bf16\", \"shape\": [8, 64, -1, 112]}]"));
    playback_close(&p);
}

TEST(operator, that_says_nothing_leaves_nothing)
{
    playback p = record_operator("nothing.opl", &(opl_operator){0});
    CHECK_EQ(playback_only(&p, "conv1")->event.argument_count, 0);
    playback_close(&p);
}

TEST(operator, leaves_out_attributes_without_a_name_or_a_value)
{
    const opl_attribute odd[] = {{NULL, "value"}, {"name", NULL}, {"", ""}, {"axis", "-1"}};
    playback p = record_operator("odd.opl", &(opl_operator){.attributes = odd, .attribute_count = 4});
    const played *e = playback_only(&p, "conv1");
    CHECK_EQ(e->event.argument_count, 2);
    CHECK(text_is(e, "attr.", "") && text_is(e, "attr.axis", "-1"));
    playback_close(&p);
}

TEST(operator, cuts_the_name_of_an_attribute_that_is_much_too_long)
{
    char name[1001];
    memset(name, 'a', 1000);
    name[1000] = '\0';
    playback p = record_operator("longname.opl",
                                 &(opl_operator){.attributes = &(opl_attribute){name, "v"}, .attribute_count = 1});
    CHECK_EQ(playback_only(&p, "conv1")->event.argument_count, 1);
    playback_close(&p);
}

TEST(operator, may_be_repeated_for_every_iteration)
{
    playback_record("iterations.opl");
    for (uint32_t i = 1; i <= 2000; i++)
        OPL_SPAN ("conv1", OPL_CAT_OP) {
            opl_operator op = everything;
            op.execution_index = i;
            opl_arg_operator(&opl_this_span, &op);
        }
    playback p = playback_stop();
    CHECK_EQ(playback_count(&p, "conv1"), 2000);
    for (size_t i = 0; i < 2000; i++) {
        CHECK_EQ(p.events.items[i].event.argument_count, 11);
        CHECK_EQ(playback_argument(&p.events.items[i], "execution_index")->value, i);
    }
    CHECK_EQ(p.recording.damage_count, 0);
    playback_close(&p);
}
