#!/bin/sh
# bench.sh PROGRAM...: assembles tests/bench/*.s into $BUILD/bench, runs the benchmark
# programs with that folder as argument (CPU time of one core; figures with unit and
# workload) and joins their figures in $BUILD/bench.json.
set -eu
: "${BUILD:=build}"
folder=$BUILD/bench
mkdir -p "$folder"
rm -f "$folder"/*.json
for source in tests/bench/*.s; do
    name=$(basename "$source" .s)
    "$BUILD/mdpas" -I "$BUILD/gen" -o "$folder/$name.o" "$source"
    "$BUILD/mdpld" -o "$folder/$name.elf" "$folder/$name.o"
done
sed -n 's/^model name[^:]*: */host: /p' /proc/cpuinfo | head -1
for program in "$@"; do
    echo "$(basename "$program"):"
    "$program" "$folder"
done
{
    separator='{'
    for figures in "$folder"/*.json; do
        [ -e "$figures" ] || continue
        printf '%s\n"%s": ' "$separator" "$(basename "$figures" .json)"
        cat "$figures"
        separator=','
    done
    [ "$separator" = ',' ] || printf '{'
    printf '\n}\n'
} >"$BUILD/bench.json.new"
mv "$BUILD/bench.json.new" "$BUILD/bench.json"
echo "figures: $BUILD/bench.json"
