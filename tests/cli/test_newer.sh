# Sources that are newer than the image are named once, and their lines are not quoted
# as if they were those of the image.
. tests/cli/check.sh
cd "$work" || exit 1
kernel=$OLDPWD/kernel
printf '        .include "kernel.inc"\n        .global main\nmain:   nop\n' >g.s
printf '        suspend\n        goto    kernel_idle\n' >part.inc
echo '        .include "part.inc"' >>g.s
link() {
    "$build/mdpas" -I "$kernel" -I "$build/gen" -o g.o g.s &&
        "$build/mdpld" -o g.elf g.o "$build/libkernel.a"
}
link || exit 1
touch -d '2020-01-01' g.s part.inc
touch -d '2020-01-02' g.elf
"$jm" run --quiet --cycles 100 --save-at 90:g.machine g.elf 2>err
touch -d '2020-01-03' g.machine
printf 'break main\ncontinue\nlist\nlist g.s:1\nlist g.s:1\n' >script

# each: the lines quoted by every program, in $work/quoted, and their messages.
each() {
    "$jm" run g.elf >quoted 2>&1
    "$jm" run --restore g.machine >>quoted 2>&1
    "$jm" debug --no-init -x script g.elf >>quoted 2>&1
    "$build/mdpobjdump" -S g.elf >>quoted 2>&1
}
each
rows 0 quoted 'newer than'
rows 2 quoted '^ +1 [|] suspend$' # by jm run
check "the debugger quotes" grep -q '=>    3  main:' quoted
check "mdpobjdump quotes" grep -q '^; part.inc:1 .*suspend' quoted

sed -i '1i; a new line' g.s part.inc
touch -d '2020-01-04' g.s part.inc
each
rows 2 quoted '^  warning: g.s is newer than the image'
rows 2 quoted '^  warning: part.inc is newer than the image'
rows 1 quoted '^warning: g.s is newer than the image'
rows 1 quoted '^mdpobjdump: warning: part.inc is newer than g.elf'
rows 1 quoted '^mdpobjdump: warning: g.s is newer than g.elf'
rows 0 quoted '[|] |^; (g.s|part.inc):|^(=>|  ) +[0-9]+  '
check "the debugger marks lines" grep -q '=>    3? ' quoted

# A file that is as old as the image is not newer.
touch -d '2020-01-02' part.inc
each
rows 0 quoted 'warning: part.inc'
rows 1 quoted '^; part.inc:1 ; a new line'
finish
