# Sources and images: jm run of a source does what the tools do one by one.
. tests/cli/check.sh
export TMPDIR="$work/tmp"
mkdir "$TMPDIR"

as() {
    "$build/mdpas" -I kernel -I "$build/gen" "$@"
}

# The same machine from a source and from the image made of it.
for name in hello greet; do
    source=programs/$name/$name.s
    check "assemble" as -o "$work/$name.o" "$source"
    check "link" "$build/mdpld" -o "$work/$name.elf" "$work/$name.o" \
        "$build/libkernel.a"
    for program in "$source" "$work/$name.elf"; do
        status 0 "$jm" run --mesh 2x2x2 --stats "$work/stats" "$program"
        mv "$work/out" "$work/$(basename "$program").out"
        grep -v '^"program"' "$work/stats" >"$work/$(basename "$program").json"
    done
    check "$name: output" cmp "$work/$name.s.out" "$work/$name.elf.out"
    check "$name: statistics" cmp "$work/$name.s.json" "$work/$name.elf.json"
done

# Queue sizes are words of the kernel; a size out of the handler's reach is warned of.
status 0 "$jm" run --queue 64 --queue1 32 programs/hello/hello.s
silent err
for words in 8 1024; do
    "$jm" run --queue $words --cycles 5000 programs/hello/hello.s >/dev/null \
        2>"$work/err"
    says err "needs 16 to 512"
    "$jm" run --quiet --queue $words --cycles 5000 programs/hello/hello.s >/dev/null \
        2>"$work/err"
    check "no warning if quiet" sh -c "! grep -q warning '$work/err'"
done

# A source without the kernel, and one that brings its own boot code.
printf '        .global main\n        .text\nmain:   br ^main\n' >"$work/main.s"
status 0 "$jm" run "$work/main.s"
status 2 "$jm" run --bare programs/hello/hello.s
says err "kernel_rank"
status 7 "$jm" run "$programs/exit.s"

# Messages stand at the lines of the source, also when the kernel's macros and linker
# find the mistake; include files are called by their names.
cat >"$work/wrong.s" <<'END'
        .include "kernel.inc"
main:   load    nowhere,r1
        goto    kernel_idle
END
status 2 "$jm" run "$work/wrong.s"
rows 1 "$work/err" "^$work/wrong.s:2:9: error: undefined symbol 'nowhere'"
rows 1 "$work/err" "^kernel.inc:[0-9]+:[0-9]+: note: in expansion of macro 'load'"
echo '        .extern nowhere' >>"$work/wrong.s"
status 2 "$jm" run "$work/wrong.s"
rows 1 "$work/err" "^$work/wrong.s:2: error: undefined symbol 'nowhere', used in $work/"
check "no temporary path" sh -c "! grep -q '$TMPDIR' '$work/err'"
sed 's/kernel.inc/kernl.inc/' "$work/wrong.s" >"$work/gone.s"
status 2 "$jm" run "$work/gone.s"
rows 1 "$work/err" '[0-9]: error: '

# Include files may be included again, in any order.
for first in mdp kernel services; do
    for second in mdp kernel services; do
        for file in $first $second kernel $first; do
            printf '        .include "%s.inc"\n' $file
        done >"$work/includes.s"
        cat >>"$work/includes.s" <<'END'
        .global main
main:   .word   INT:KERNEL_SEED+TAG_INT
        move    r0,r1
        exit    r1
END
        status 8 "$jm" run "$work/includes.s"
        silent err
    done
done

# A run leaves nothing behind, and needs no folder for its work.
check "no temporary folder left" rmdir "$TMPDIR"
status 7 "$jm" run "$programs/exit.s"
# The kernel boots what has words before and behind the place where execution starts.
cat >"$work/around.s" <<'END'
        .include "mdp.inc"
        .global main
        .text
main:   .word   INT:HOST_EXIT
        move    5,r1
        move    r1,[r0,a0]
        .section before,onchip,data
        .org    0x6F0
        .space  16,INT:1
        .section behind,external,data
        .word   INT:1
END
# Nodes without a kernel would come to main too, through a million words of NIL.
status 5 "$jm" run --cycles 5000 "$work/around.s"
# So it does for a source whose only need is a routine of the kernel, which would lie
# there alone.
cat >"$work/routine.s" <<'END'
        .include "kernel.inc"
        .global main
main:   print   text
        constant 0x7FFFFFFF,r1
        add     r1,1,r1
        .ext
text:   .asciz  "printed\n"
END
status 127 "$jm" run "$work/routine.s"
says out "kernel: fault OVERFLOW on node 0, background"
# A name that is declared only, as the kernel's are, is suggested too.
printf '        .include "kernel.inc"\nmain:   goto    kernel_idl\n' >"$work/near.s"
status 2 "$jm" run "$work/near.s"
says err "undefined symbol 'kernel_idl'; did you mean 'kernel_idle'?"
finish
