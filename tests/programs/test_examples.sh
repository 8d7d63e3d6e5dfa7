# The examples of the instruction set's reference page: each instruction has one, uses
# it, and leaves in R1 the word that the page gives.
. tests/programs/common.sh
examples=tools/docs/examples.def

for op in $(sed -n 's/^OP(\([A-Z0-9]*\),.*/\1/p' emu/isa/ops.def); do
    row=$(grep "^EXAMPLE($op," $examples)
    lines=$(printf '%s\n' "$row" | sed -e 's/^[^"]*"\([^"]*\)".*/\1/' -e 's/\\n/\n/g')
    word=$(printf '%s\n' "$row" | sed 's/.*"\([^"]*\)")$/\1/')
    printf '%s\n' "$lines" | grep -qiw "$op"
    passed $? "$op is in its example"
    {
        printf ' .include "kernel.inc"\n .global main\nmain:\n'
        printf '%s\n' "$lines" | sed 's/^\([^.]\|\.[a-z]* \)/ \1/'
        printf ' .word INT:HOST_PUTW\n move r1,[r0,a0]\n move 0,r2\n exit r2\n br -1\n'
    } >"$folder/example.s"
    run 0 "$folder/example.s"
    [ "$(cat "$folder/output")" = "$word" ]
    passed $? "$op leaves $word: $(cat "$folder/output")"
done
[ "$checks" -gt 100 ]
passed $? "all instructions were tried"
finish
