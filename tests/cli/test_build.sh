# Messages of make before it builds, and when there is nothing to build.
. tests/cli/check.sh

# make without what a surrounding make hands on.
plain_make() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make --no-print-directory "$@"
}
status 0 plain_make BUILD="$BUILD" CC="${CC:-gcc}" all
status 0 plain_make BUILD="$BUILD" CC="${CC:-gcc}" all
silent out
silent err

# A compiler that does not find some headers: one sentence, with the command to install
# them, and no file is compiled.
mkdir "$work/bin"
cat >"$work/bin/some-cc" <<'END'
#!/bin/sh
case " $* " in *" -c "*) echo compiled >>"$CALLS"; exit 1 ;; esac
! grep -q 'jansson\|libelf'
END
chmod +x "$work/bin/some-cc"
CALLS=$work/calls
export CALLS
status 2 plain_make BUILD="$work/build" CC="$work/bin/some-cc" all
rows 1 "$work/err" 'apt-get install.* libelf-dev libjansson-dev$'
rows 0 "$work/err" 'zlib'
cp "$work/bin/some-cc" "$work/bin/mpicc"
PATH=$work/bin:$PATH status 2 plain_make BUILD="$work/build" CC="$work/bin/some-cc" \
    "$work/build/obj/tools/exp/run/ranks_mpi.o"
checks=$((checks + 1))
[ ! -e "$CALLS" ] || fail "a file was compiled before"
status 2 plain_make BUILD="$work/build" CC=no-such-compiler all
rows 1 "$work/err" 'apt-get install gcc'

# An mpicc without its headers builds no jm-mpi; the build does not require it.
cat >"$work/bin/mpicc" <<'END'
#!/bin/sh
echo 'mpi.h: No such file or directory' >&2
exit 1
END
chmod +x "$work/bin/mpicc"
PATH=$work/bin:$PATH status 0 plain_make -n BUILD="$work/build" V=1 tools
rows 0 "$work/out" 'jm-mpi'
printf '#!/bin/sh\nexit 0\n' >"$work/bin/mpicc"
PATH=$work/bin:$PATH status 0 plain_make -n BUILD="$work/build" V=1 tools
rows 1 "$work/out" '-o [^ ]*jm-mpi '
finish
