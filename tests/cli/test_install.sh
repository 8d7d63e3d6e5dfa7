# make install, a C program built against the installed files with pkg-config, and make
# uninstall.
. tests/cli/check.sh

root=$work/root
check "install" make --no-print-directory BUILD="$BUILD" DESTDIR="$root" \
    PREFIX=/opt/jm install
for file in bin/jm bin/mdpas bin/mdpld bin/mdpobjdump lib/libjm.a lib/pkgconfig/jm.pc \
    lib/jm/libkernel.a lib/jm/mdp.inc include/jm/emu/jm.h include/jm/emu/isa/ops.def \
    share/man/man1/jm.1 share/man/man1/mdpas.1 share/man/man1/mdpld.1 \
    share/man/man1/mdpobjdump.1 share/man/man1/jm-debug.1 \
    share/man/man1/jm-dap.1 share/man/man1/jm-model.1 \
    share/zsh/site-functions/_jm share/bash-completion/completions/jm \
    share/bash-completion/completions/mdpas share/bash-completion/completions/mdpld \
    share/bash-completion/completions/mdpobjdump \
    share/vim/vimfiles/syntax/mdp.vim share/vim/vimfiles/ftdetect/mdp.vim \
    share/jm/neovim.lua \
    share/jm/vscode/package.json share/jm/vscode/syntaxes/mdp.tmLanguage.json \
    share/jm/vscode/extension.js share/jm/vscode/snippets.json \
    share/man/man1/jm-exp.1 share/man/man1/jm-net.1 share/doc/jm/copyright \
    share/doc/jm/manual/tutorial.md share/doc/jm/manual/instructions.md \
    share/doc/jm/examples/greet/greet.s share/doc/jm/examples/greet/expected.txt; do
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

# The library uses only names with its prefixes: a program may define functions with any
# other name, and the library still calls its own.
check "no other name" sh -c "! nm -g --defined-only '$root/opt/jm/lib/libjm.a' |
    grep ' [A-Z] ' | grep -v ' [A-Z] \(jm\|net\|asm\)_'"
cat >"$work/user.c" <<'END'
#include <asm/asm.h>
#include <emu/debug/debug.h>
#include <string.h>

static int calls;
#define OWN(name) void name(void); void name(void) { calls++; }
OWN(say) OWN(fail) OWN(message_free) OWN(next_word)
OWN(emit) OWN(compile) OWN(node_step)

static void count(void *context, const char *text, size_t length) {
    *(size_t *)context += strlen(text) >= length;
}

int main(void) {
    static const char source[] =
        "        .rom\nmain:   add r0,1,r0\n        br ^main\n";
    AsmResult source_result = asm_assemble(source, sizeof source - 1, "own.s", NULL);
    if (!source_result.object)
        return 2;
    asm_result_free(&source_result);
    const JmConfig config = jm_config_default();
    JmError error;
    size_t said = 0;
    const JmDebugHost host = {.context = &said, .write = count, .guest = count};
    JmMachine *machine = jm_create(&config, &error);
    JmDebug *debug = machine ? jm_debug_create(machine, &host) : NULL;
    const bool whole = debug && jm_debug_do(debug, "info machine") && said > 0;
    jm_debug_destroy(debug);
    jm_destroy(machine);
    say(), fail(), message_free(), next_word(), emit(), compile(), node_step();
    return whole && calls == 7 ? 0 : 1;
}
END
# shellcheck disable=SC2046,SC2086
check "own names" ${CC:-gcc} $flags $(pkg-config --cflags jm) "$work/user.c" \
    -o "$work/user" $(pkg-config --libs jm)
status 0 "$work/user"

# Every function that an installed header declares is there to be called.
(cd "$root/opt/jm/include/jm" && find . -name '*.h' | sort |
    sed 's|^\./\(.*\)$|#include "\1"|') >"$work/all.c"
# shellcheck disable=SC2046
gcc -std=c11 -fsyntax-only -aux-info "$work/declared" $(pkg-config --cflags jm) \
    "$work/all.c"
sed -n "s|^/\* $root[^ ]*:NC \*/ extern .*[ *]\([a-z_0-9]*\) (.*|\1|p" \
    "$work/declared" | sort -u >"$work/wanted"
{
    nm -g --defined-only "$root/opt/jm/lib/libjm.a"
    nm -D --defined-only "$root/opt/jm/lib/libjm.so.1" | sed 's/@@.*//' |
        grep ' jm_front_'
} | sed 's/.* //' | sort -u >"$work/given"
check "functions are declared" test "$(wc -l <"$work/wanted")" -gt 100
check "and are there" test -z "$(comm -23 "$work/wanted" "$work/given")"

# The Python package finds the installed library and jm.
cat >"$work/two.py" <<'END'
from jmachine import Machine, Network
machine = Machine("2x1x1")
machine.load("programs/hello/hello.s")
print(machine.run(), machine.output)
print(Network("torus=4x4,lanes=2").run("poisson,rate=0.01")["cycles"], "cycles")
END
if ! nm -D "$build/libjm.so.1" | grep -qE '__(a|t)san_'; then
    status 0 env PYTHONDONTWRITEBYTECODE=1 PATH=/usr/bin:/bin \
        PYTHONPATH="$root/opt/jm/lib/python3/dist-packages" python3 "$work/two.py"
    says out "exit hello, world"
    says out "300000 cycles"
fi

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

editors=$root/opt/jm/share
# vim recognises the project's sources, and not those of others.
printf '\t.globl main\nmain:\n\tmovl $1, %%eax\n\tret\n' >"$work/x86.s"
printf '; for another machine\n\tLDR r0,[r1,r2]\n' >"$work/arm.s"
printf '        .global main\nmain:   move    1,r1\n        ldip    r3\n' >"$work/mdp.s"
if command -v vim >/dev/null && vim --version | grep -q +autocmd; then
    for source in kernel/*.s programs/hello/*.s "$work"/mdp.s "$work"/x86.s \
        "$work"/arm.s; do
        case "$source" in
        */x86.s | */arm.s) type=asm ;;
        *) type=mdp ;;
        esac
        vim -N -u NONE -i NONE -n --cmd "set rtp^=$editors/vim/vimfiles" \
            --cmd 'filetype on' -es "$source" \
            -c "call writefile([&ft], '$work/type')" -c 'qa!' </dev/null >/dev/null 2>&1
        check "vim: $source is $type" grep -qx "$type" "$work/type"
    done
else
    echo "skipped: what vim takes sources for: there is no vim with autocommands"
fi
check "VS Code does not claim every .s" sh -c "! grep -q '\"extensions\"' \
    '$editors/jm/vscode/package.json'"

# An installed example runs with the command that it documents.
check "an example" sh -c "'$root/opt/jm/bin/jm' run --mesh 8x8x8 \
    '$root/opt/jm/share/doc/jm/examples/greet/greet.s' |
    cmp - '$root/opt/jm/share/doc/jm/examples/greet/expected.txt'"

# The installed programs need nothing of the source tree.
cp "$programs/exit.s" "$work/exit.s"
cd "$work" || exit 1
status 7 "$root/opt/jm/bin/jm" run exit.s
status 0 "$root/opt/jm/bin/mdpas" -I "$root/opt/jm/lib/jm" -o exit.o exit.s
status 0 "$root/opt/jm/bin/mdpld" -o exit.elf exit.o "$root/opt/jm/lib/jm/libkernel.a"
status 7 "$root/opt/jm/bin/jm" run exit.elf

# The language server finds the kernel's files by itself.
cat >steps <<'END'
open k.s " .include \"kernel.inc\"\n .extern kernel_boot\n .word KERNEL_SAVE\n"
shown
hover k.s 1:12
hover k.s 2:10
END
status 0 env build="$root/opt/jm/bin" PYTHONDONTWRITEBYTECODE=1 \
    sh -c "python3 '$OLDPWD/tests/recorded/lsp.py' <steps"
says out "**kernel_boot**: a name of the kernel"
says out "**KERNEL_SAVE**: constant"
check "without messages" sh -c "! grep -q severity out"

# Nothing is left of it, and nothing else is touched.
cd "$OLDPWD" || exit 1
touch "$root/opt/jm/bin/other" "$root/opt/jm/lib/libother.a"
check "uninstall" make --no-print-directory BUILD="$BUILD" DESTDIR="$root" \
    PREFIX=/opt/jm uninstall
(cd "$root/opt/jm" && find . ! -type d | LC_ALL=C sort) >"$work/left"
printf './bin/other\n./lib/libother.a\n' >"$work/others"
check "what is left" diff "$work/others" "$work/left"
finish
