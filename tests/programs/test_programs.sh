# Runs every program of programs/ as its first lines say:
#   ; run: OPTIONS    options of jm run; the output must be expected.txt, the status 0
#   ; also: OPTIONS   the same program in another machine; it must find itself right
# from its source and as the image mdpas and mdpld made, and takes each image apart with
# mdpobjdump and builds it again from that. GOLDEN=renew rewrites expected.txt instead.
. tests/programs/common.sh

for source in programs/*/*.s; do
    name=$(basename "$source" .s)
    expected=$(dirname "$source")/expected.txt
    image=$BUILD/programs/$name.elf
    options=$(sed -n 's/^; run: //p' "$source")
    [ -n "$options" ]
    passed $? "$name: says how to run it"

    # shellcheck disable=SC2086 # options are several words
    run 0 $options "$source"
    [ "${GOLDEN:-}" = renew ] && cp "$folder/output" "$expected"
    same_output "$name: source" "$expected"
    [ ! -s "$folder/messages" ]
    passed $? "$name: nothing to warn of: $(head -1 "$folder/messages")"
    # shellcheck disable=SC2086
    run 0 $options "$image"
    same_output "$name: image" "$expected"

    sed -n 's/^; also: //p' "$source" >"$folder/also"
    while read -r options; do
        # shellcheck disable=SC2086
        run 0 $options "$image"
    done <"$folder/also"
    same_words "$name" "$image"
done
finish
