#!/bin/sh
# deps.sh SET: installs the Debian packages of a set (build, thesis, test, browser,
# editors, lint, fuzz, bench, counts, web, nightly) that are missing. Needs no network
# and no rights if none is.
# deps.sh headers COMPILER...: installs nothing; says in one sentence which libraries
# the compiler does not find, and how to get them.
set -u

build="gcc libc6-dev binutils libelf-dev zlib1g-dev libjansson-dev"
build="$build libgsl-dev libreadline-dev"
thesis="$build gnuplot-nox"
test="$thesis libcriterion-dev pkg-config python3 g++ jq"
browser="chromium"
editors="neovim"
pictures="$browser $editors gnuplot-nox python3 tmux aha"
lint="$build clang clang-format clang-tools"
fuzz="$build clang"
bench="$build jq git"
counts="$build valgrind"
web="$build clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32 cmark-gfm"
nightly="$test $lint $web $browser $editors gcc-multilib libopenmpi-dev openmpi-bin"

if [ "${1:-}" = headers ]; then
    shift
    missing=
    command -v "${1:-gcc}" >/dev/null || missing=" gcc libc6-dev"
    while [ -z "$missing" ] || [ "${missing# gcc}" = "$missing" ] &&
        read -r header package; do
        printf '#include <stdio.h>\n#include <%s>\n' "$header" |
            "${@:-gcc}" -fsyntax-only -x c - 2>/dev/null ||
            missing="$missing $package"
    done <<END
libelf.h libelf-dev
zlib.h zlib1g-dev
jansson.h libjansson-dev
gsl/gsl_math.h libgsl-dev
readline/readline.h libreadline-dev
END
    [ -z "$missing" ] && exit 0
    echo "make: needs what is not here; on Debian: apt-get install$missing" >&2
    exit 1
fi

sets="build thesis test browser editors pictures lint fuzz bench counts web nightly"
case " $sets " in
*" ${1:-none} "*) eval "packages=\$$1" ;;
*)
    echo "usage: deps.sh headers|$(echo "$sets" | tr ' ' '|')" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "deps.sh: not a Debian system; it needs what these Debian packages hold:" \
        "$packages" >&2
    exit 0
fi

missing=
for package in $packages; do
    status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) || status=
    case "$status" in
    *" installed") ;;
    *)
        # pkgconf and pkg-config stand in for each other.
        [ "$package" = pkg-config ] && command -v pkg-config >/dev/null ||
            missing="$missing $package"
        ;;
    esac
done
[ -z "$missing" ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null; then
    as_root=sudo
else
    echo "deps.sh: missing:$missing" >&2
    echo "deps.sh: not root and no sudo; as root: apt-get install$missing" >&2
    exit 1
fi

echo "Installing:$missing"
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
if $as_root apt-get update >"$log" 2>&1 &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y \
        --no-install-recommends $missing >>"$log" 2>&1; then
    exit 0
fi
tail -20 "$log" >&2
echo "deps.sh: apt-get could not install:$missing" >&2
exit 1
