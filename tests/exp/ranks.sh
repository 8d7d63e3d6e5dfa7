# shellcheck shell=sh
# Sourced by tests of sweeps under MPI; $jm is jm.

# Whether there is MPI, and jm is built with it.
has_ranks() {
    [ -x "$jm-mpi" ] && command -v mpirun >/dev/null
}

# ranks NUMBER COMMAND...: runs a command by so many ranks. What Open MPI itself leaks
# is not of interest under a sanitizer.
ranks() {
    ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 \
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 900 \
        mpirun --oversubscribe --mca mpi_yield_when_idle 1 -n "$@"
}
