# make install, and a C program built against what it installed, with pkg-config.
. tests/cli/check.sh

root=$work/root
check "install" make --no-print-directory BUILD="$BUILD" DESTDIR="$root" \
    PREFIX=/opt/jm install
for file in bin/jm bin/mdpas bin/mdpld bin/mdpobjdump lib/libjm.a lib/pkgconfig/jm.pc \
    lib/jm/libkernel.a lib/jm/mdp.inc include/jm/emu/jm.h include/jm/emu/isa/ops.def \
    share/man/man1/jm.1 share/man/man1/mdpas.1 share/man/man1/mdpld.1 \
    share/man/man1/mdpobjdump.1; do
    check "installed" test -s "$root/opt/jm/$file"
done
check "nothing but headers and tables" sh -c "! find '$root/opt/jm/include' -type f |
    grep -v '\.h$\|\.def$'"
check "no path of the build" sh -c "! grep -r '$PWD' '$root/opt/jm/lib/pkgconfig'"

export PKG_CONFIG_PATH="$root/opt/jm/lib/pkgconfig"
export PKG_CONFIG_SYSROOT_DIR="$root"
check "pkg-config" pkg-config --exists jm
version=$(sed -n 's/.*JM_VERSION "\(.*\)"/\1/p' emu/jm.h)
check "version" pkg-config --exact-version="$version" jm

# A sanitized library needs its runtime in the program too.
flags="-std=c11 -Wall -Wextra -Wshadow -Wconversion -Werror"
nm "$build/libjm.a" >"$work/symbols" 2>/dev/null
grep -q __asan_ "$work/symbols" && flags="$flags -fsanitize=address,undefined"
grep -q __tsan_ "$work/symbols" && flags="$flags -fsanitize=thread"
# shellcheck disable=SC2046,SC2086
check "the example builds" ${CC:-gcc} $flags $(pkg-config --cflags jm) \
    tests/example/example.c -o "$work/example" $(pkg-config --libs jm)
status 0 "$work/example"
says out "node 1 has 42"

# All installed headers are one C++ unit, which links.
(cd "$root/opt/jm/include/jm" && find . -name '*.h' | sort |
    sed 's|^\./\(.*\)$|#include "\1"|') >"$work/all.cpp"
cat >>"$work/all.cpp" <<'END'
int main() {
    JmError error;
    const JmConfig config = jm_config_default();
    JmMachine *machine = jm_create(&config, &error);
    const bool whole = machine && jm_data(jm_int(42)) == 42;
    jm_destroy(machine);
    return whole ? 0 : 1;
}
END
# shellcheck disable=SC2046,SC2086
check "the headers are C++" ${CXX:-g++} -x c++ -std=c++17 -Wall -Wextra -Werror \
    ${flags#*-Werror} $(pkg-config --cflags jm) "$work/all.cpp" -x none \
    -o "$work/all" $(pkg-config --libs jm)
status 0 "$work/all"

# The installed programs need nothing of the source tree.
cp "$programs/exit.s" "$work/exit.s"
cd "$work" || exit 1
status 7 "$root/opt/jm/bin/jm" run exit.s
status 0 "$root/opt/jm/bin/mdpas" -I "$root/opt/jm/lib/jm" -o exit.o exit.s
status 0 "$root/opt/jm/bin/mdpld" -o exit.elf exit.o "$root/opt/jm/lib/jm/libkernel.a"
status 7 "$root/opt/jm/bin/jm" run exit.elf
finish
