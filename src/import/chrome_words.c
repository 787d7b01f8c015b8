/* chrome_words.c - what the words of the writers of Chrome traces mean to us. */
#include "import/chrome_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <oplens/annotate.h>

static const opli_chrome_word words[] = {
    /* PyTorch, by Kineto */
    {"cpu_op", OPL_CAT_OP, false},
    {"user_annotation", OPL_CAT_LABEL, false},
    {"gpu_user_annotation", OPL_CAT_LABEL, true},
    {"kernel", OPL_CAT_KERNEL, true},
    {"gpu_memcpy", OPL_CAT_COPY, true},
    {"gpu_memset", OPL_CAT_SET, true},
    {"cuda_runtime", OPL_CAT_API, false},
    {"cuda_driver", OPL_CAT_API, false},
    {"hip_runtime", OPL_CAT_API, false},
    {"cuda_sync", OPL_CAT_SYNC, true},
    {"python_function", OPL_CAT_FUNCTION, false},
    {"overhead", OPL_CAT_VM, false},
    {"Trace", OPL_CAT_LABEL, false},
    {"collective_comm", OPL_CAT_COMM, true},
    /* older PyTorch */
    {"Operator", OPL_CAT_OP, false},
    {"Kernel", OPL_CAT_KERNEL, true},
    {"Memcpy", OPL_CAT_COPY, true},
    {"Memset", OPL_CAT_SET, true},
    {"Runtime", OPL_CAT_API, false},
    /* ONNX Runtime */
    {"Node", OPL_CAT_OP, false},
    {"Session", OPL_CAT_MODEL, false},
    {"Api", OPL_CAT_API, false},
    /* RAF */
    {"ComputationOperator", OPL_CAT_OP, false},
    {"VMInstruction", OPL_CAT_VM, false},
    {"CUDA_CALL", OPL_CAT_KERNEL, false},
    {"SchedulingCommunication", OPL_CAT_COMM, false},
    {"WorkspaceRequest", OPL_CAT_VM, false},
    {"WorkspaceClear", OPL_CAT_VM, false},
    {"StreamRequest", OPL_CAT_VM, false},
    {"DistributedRequest", OPL_CAT_COMM, false},
    {"Default Stream", OPL_CAT_KERNEL, true},
    /* Neural Engine */
    {"inference", OPL_CAT_INFERENCE, false},
    {"iteration", OPL_CAT_STEP, false},
    /* our own export */
    {"model", OPL_CAT_MODEL, false},
    {"step", OPL_CAT_STEP, false},
    {"op", OPL_CAT_OP, false},
    {"copy", OPL_CAT_COPY, false},
    {"set", OPL_CAT_SET, false},
    {"sync", OPL_CAT_SYNC, false},
    {"api", OPL_CAT_API, false},
    {"comm", OPL_CAT_COMM, false},
    {"data", OPL_CAT_DATA, false},
    {"vm", OPL_CAT_VM, false},
    {"function", OPL_CAT_FUNCTION, false},
    {"label", OPL_CAT_LABEL, false},
};

opli_chrome_word opli_chrome_word_find(const char *category, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].category) == length && memcmp(words[i].category, category, length) == 0)
            return words[i];
    if (length > 7 && memcmp(category, "Stream ", 7) == 0)
        return (opli_chrome_word){"Stream", OPL_CAT_KERNEL, true};
    return (opli_chrome_word){"", OPL_CAT_FUNCTION, false};
}

static bool begins(const char *name, size_t length, const char *with)
{
    return length >= strlen(with) && memcmp(name, with, strlen(with)) == 0;
}

uint8_t opli_chrome_kind_refine(uint8_t kind, const char *category, const char *name, size_t name_length)
{
    if (kind == OPL_CAT_LABEL && begins(name, name_length, "ProfilerStep#"))
        return OPL_CAT_STEP;
    if (kind == OPL_CAT_MODEL && strcmp(category, "Session") == 0 && begins(name, name_length, "model_run"))
        return OPL_CAT_INFERENCE; /* SequentialExecutor::Execute is inside it, and the same run */
    return kind;
}

/* ---- by the row ---- */

static uint8_t kind_on_stream(const char *name, size_t length)
{
    if (begins(name, length, "Memcpy"))
        return OPL_CAT_COPY;
    return begins(name, length, "Memset") ? OPL_CAT_SET : OPL_CAT_KERNEL;
}

uint8_t opli_chrome_kind_on_row(const char *row, const char *name, size_t name_length)
{
    static const struct {
        const char *row;
        uint8_t kind;
    } rows[] = {
        /* TensorFlow and JAX, on devices */
        {"XLA Ops", OPL_CAT_OP},
        {"TensorFlow Ops", OPL_CAT_OP},
        {"Framework Ops", OPL_CAT_OP},
        {"XLA Modules", OPL_CAT_MODEL},
        {"Steps", OPL_CAT_STEP},
        {"TensorFlow Name Scope", OPL_CAT_LABEL},
        {"Framework Name Scope", OPL_CAT_LABEL},
        /* Neural Engine, whose categories are the types of its operators */
        {"Operator", OPL_CAT_OP},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(row, rows[i].row) == 0)
            return rows[i].kind;
    return strncmp(row, "Stream #", 8) == 0 ? kind_on_stream(name, name_length) : OPL_CAT_FUNCTION;
}

bool opli_chrome_device_named(const char *name, opli_chrome_device *device)
{
    static const char prefix[] = "/device:";
    size_t length = 0;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    for (name += sizeof prefix - 1; isalnum((unsigned char)*name) && length + 1 < sizeof device->kind; name++)
        device->kind[length++] = (char)tolower((unsigned char)*name);
    device->kind[length] = '\0';
    if (!length || *name != ':' || !isdigit((unsigned char)name[1]))
        return false;
    device->id = strtoll(name + 1, NULL, 10);
    return true;
}
