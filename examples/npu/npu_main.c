/* npu_main.c - several clients run inferences on the make-believe accelerator.
 *
 *     ./npu_example run.opl                  starts and stops through the API
 *     OPLENS_OUTPUT=run.opl ./npu_example    is recorded by the environment alone */
#include <pthread.h>
#include <stdio.h>

#include <oplens/oplens.h>

#include "npu_runtime.h"

enum { CLIENTS = 3, WARM_UPS = 4, INFERENCES = 100 };

typedef struct client {
    pthread_t thread;
    npu_model *model;
    int index;
    int done; /* inferences that succeeded */
} client;

static int run_inferences(npu_model *model, int seed, int count)
{
    float input[NPU_INPUT_SIZE], output[NPU_OUTPUT_SIZE];
    int done = 0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < NPU_INPUT_SIZE; j++)
            input[j] = (float)((seed + i + j) % 255) / 255;
        done += npu_infer(model, input, output);
    }
    return done;
}

static void *run_client(void *argument)
{
    client *me = argument;
    char name[16];
    snprintf(name, sizeof name, "client-%d", me->index);
    opl_thread_name(name);
    me->done = run_inferences(me->model, me->index * 100, INFERENCES);
    return NULL;
}

static int run_clients(npu_model *model)
{
    client clients[CLIENTS];
    int started = 0, done = 0;
    for (; started < CLIENTS; started++) {
        clients[started] = (client){.model = model, .index = started};
        if (pthread_create(&clients[started].thread, NULL, run_client, &clients[started]) != 0)
            break;
    }
    for (int i = 0; i < started; i++) {
        pthread_join(clients[i].thread, NULL);
        done += clients[i].done;
    }
    return done;
}

static void start_recording(const char *path)
{
    opl_error err;
    if (opl_recorder_start(&(opl_recorder_options){.path = path}, &err) != OPL_OK)
        fprintf(stderr, "npu_example: %s; running on without a trace\n", err.message);
}

static int run(npu *device, npu_model *model)
{
    int done = 0;
    char path[512];
    opl_metadata_set("model", "small classifier");
    opl_metadata_set("npu.firmware", "1.4.2");
    OPL_RECORD ("warm up", OPL_WARM_UP) /* on every thread: the workers leave nothing either */
        run_inferences(model, 0, WARM_UPS);
    OPL_RECORD ("run", OPL_RECORD_PLAIN)
        done = run_clients(model);
    opl_recorder_path(path, sizeof path);
    printf("npu_example: %d of %d inferences by %d clients, %llu executions, trace: %s\n", done, CLIENTS * INFERENCES,
           CLIENTS, (unsigned long long)npu_execution_count(device), *path ? path : "none");
    return done == CLIENTS * INFERENCES ? 0 : 1;
}

int main(int argc, char **argv)
{
    int status = 1;
    if (argc > 1)
        start_recording(argv[1]);
    npu *device = npu_open();
    npu_model *model = device ? npu_model_load(device) : NULL;
    if (model)
        status = run(device, model);
    else
        fprintf(stderr, "npu_example: the device could not be opened\n");
    npu_model_unload(model);
    npu_close(device);
    opl_recorder_stop();
    return status;
}
