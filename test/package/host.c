/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* A host that knows nothing of the library: host MODULE. */
#include <dlfcn.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
    void *module = dlopen(argv[argc - 1], RTLD_NOW);
    int (*run)(void) = NULL;

    if (module != NULL)
        run = (int (*)(void))dlsym(module, "module_run");
    if (run == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    return run();
}
