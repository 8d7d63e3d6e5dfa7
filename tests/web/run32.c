/* run32 OPTION... PROGRAM: `jm run` alone, for a build with 32-bit pointers and without
 * libelf and zlib. */
#include "tools/host/host.h"
#include "tools/jm/commands.h"

int main(int argc, char **argv) {
    host_start();
    return host_end("run32", command_run(argc, argv), EXIT_USAGE);
}
