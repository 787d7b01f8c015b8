/* host.h - which machine, process and program this is. No memory is allocated. */
#ifndef OPLI_OS_HOST_H
#define OPLI_OS_HOST_H

#include <stddef.h>
#include <stdint.h>

void opli_host_name(char *name, size_t size);
void opli_host_program(char *name, size_t size);                   /* the path of the executable */
void opli_host_command(char *command, size_t size);                /* its arguments, spaces between */
void opli_host_thread_name(uint32_t tid, char *name, size_t size); /* of this process */
uint64_t opli_host_process_start(void);                            /* as in /proc/self/stat, field 22 */
void opli_host_random(void *bytes, size_t size);

#endif
