# What the page's machine has of its own in place of files, pipes, libelf and threads:
# every function that the rest calls stands in tools/web, too. This needs no page.
. tests/programs/common.sh

objects=$BUILD/obj
# As NO_WEB and WEB_JM of tools/web/web.mk have them.
left_out="emu/core/outfile.o emu/core/pipes.o emu/debug/talk/files.o emu/machine/team.o"
for name in $left_out; do
    [ -e "$objects/$name" ] || {
        passed 1 "$name is built here"
        finish
    }
done
# shellcheck disable=SC2086 # several names
(cd "$objects" && nm -g --defined-only $left_out asm/objects/elf_*.o) |
    awk '$2 == "T" { print $3 }' | sort -u >"$folder/replaced"
(cd "$objects" && find asm emu tools/jm/options tools/jm/stats tools/jm/trace \
    tools/jm/run.o tools/jm/setup.o tools/jm/program.o -name '*.o') |
    grep -v '^asm/objects/elf_' | grep -vxF "$(echo "$left_out" | tr ' ' '\n')" |
    (cd "$objects" && xargs nm -u) | awk 'NF == 2 { print $2 }' | sort -u \
    >"$folder/called"
comm -12 "$folder/replaced" "$folder/called" >"$folder/needed"
test "$(wc -l <"$folder/needed")" -gt 10
passed $? "functions of them are called: $(wc -l <"$folder/needed")"
while read -r name; do
    cat tools/web/*/*.c | grep -qE "^[a-zA-Z].*[ *]$name\("
    passed $? "$name stands in tools/web"
done <"$folder/needed"

# What is written in place of ELF keeps all that is in objects and images.
cat >"$folder/object.s" <<'END'
        .global start, far
limit   =       -12
start:  move    1,r0
        add     r0,limit,r0
        .rept   3
        add     r0,1,r0
        .endr
        .irp    i, r1, r2, r3
        move    \i,r0
        .endr
        .macro  three
        nop
        nop
        nop
        .endm
        three
        three
        nop
        three
        .section far_away,external,fill
far:    .space  300
        .data
        .align  4
        .word   start, far + 2, NIL
        .addr   far,300
        .assert far - start > -12, "far"
        .assert start + 5 <= far, "first"
END
"$BUILD/objects-bare" "$folder/object.s" >"$folder/differs"
passed $? "objects: $(head -c 300 "$folder/differs")"

# Files in memory are replaced, and spared, as those of a disk.
"$BUILD/files-bare" >"$folder/differs" && [ ! -s "$folder/differs" ]
passed $? "files: $(cat "$folder/differs")"

# The assembler that makes the page's kernel is linked from what it has itself.
ar t "$BUILD/obj-bare/libkernel.a" >"$folder/made"
[ "$(wc -l <"$folder/made")" -eq "$(find kernel -name '*.s' | wc -l)" ]
passed $? "objects of the kernel"
finish
