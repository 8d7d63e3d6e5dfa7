# No output overwrites a file that the same command has read, however it came to read
# it.
. tests/cli/check.sh
cd "$work" || exit 1
as="$build/mdpas -I $OLDPWD/kernel -I $build/gen" ld=$build/mdpld

cp "$programs/exit.s" plain.s
printf '        .include "part.inc"\n' >outer.inc
sed 's/"mdp.inc"/"outer.inc"/' plain.s >main.s
printf '        .include "mdp.inc"\n' >part.inc
$as -o main.o main.s && ar rc libmain.a main.o && $ld -o main.elf main.o || exit 1
printf '* 1000 C00000000\n' >main.image
printf 'step\n' >script
mkdir -p config/jm && echo step >config/jm/debugrc
XDG_CONFIG_HOME=$work/config
export XDG_CONFIG_HOME
"$jm" run --bare --quiet --save-at 2:main.machine main.s
net="--topology torus=4x4,lanes=2"
"$jm" net run $net --workload poisson --cycles 2000 --quiet \
    --save-at 1000:net.machine >out
"$jm" net trace --program ping-pong --nodes 16 --output net.programs
"$jm" run --quiet --mesh 2x1x1 --trace records "$build/programs/pingpong.elf" >out
"$jm" exp run fig5-10 --quick --quiet --out results >out 2>&1

# spares FILE LINE: the line, with OUT for an output, must fail and leave FILE as it is,
# also where OUT is another name of it.
spares() {
    file=$1 line=$2
    cp "$file" before
    ln -sf "$work/$file" other
    for name in "$file" other; do
        checks=$((checks + 1))
        sh -c "$(echo "$line" | sed "s|OUT|$name|g")" >out 2>&1 &&
            fail "not refused with $name: $line"
        says out "this file is an input"
        check "$file is whole: $line" cmp "$file" before
        cp before "$file"
    done
    rm -f other
}

for file in main.s outer.inc part.inc; do
    for output in "--stats OUT" "--trace OUT" "--sample 5:OUT" "--save-at 5:OUT"; do
        spares $file "$jm run --bare --quiet $output main.s"
    done
    spares $file "$jm run --bare --quiet --save-at 5:OUT - <main.s"
    for command in record trace save; do
        spares $file "echo '$command OUT' | $jm debug --no-init --bare main.s"
    done
done
for file in outer.inc part.inc; do
    spares $file "$as -o OUT main.s"
    spares $file "$as -o x.o -l OUT main.s"
done
spares main.s "$as -o OUT - <main.s"
# The image's sources are read to quote their lines.
spares main.s "$jm run --quiet --save-at 5:OUT main.elf"
spares main.s "$jm run --quiet --stats OUT --restore main.machine"
spares main.s "echo 'save OUT' | $jm debug --no-init main.elf"
for file in main.elf main.image; do
    spares $file "$jm run --quiet --save-at 5:OUT $file"
    spares $file "$jm run --quiet --save-at 5:OUT - <$file"
done
spares main.machine "$jm run --quiet --restore main.machine --save-at 5:OUT"
spares main.machine "$jm run --quiet --restore main.machine --stats OUT"
spares libmain.a "$ld -L . -lmain main.o -o OUT"
spares libmain.a "$ld -L . -lmain main.o -o x.elf -M OUT"
for command in record trace save; do
    spares script "printf 'source script\n$command OUT\n' |
        $jm debug --no-init --bare plain.s"
    spares script "$jm debug --no-init --bare -x script -ex '$command OUT' plain.s"
    spares script "echo '$command OUT' >>script && cp script before &&
        $jm debug --no-init --bare plain.s <script"
    spares config/jm/debugrc "echo '$command OUT' | $jm debug --bare plain.s"
    spares main.machine "echo '$command OUT' |
        $jm debug --no-init --restore main.machine"
done
# A file being written is not read either.
printf 'record script\nsource script\n' | "$jm" debug --no-init --bare plain.s >out 2>&1
says out "another output has this file"

for output in "--stats OUT" "--save-at 1500:OUT"; do
    spares net.machine "$jm net run --quiet --restore net.machine $output"
done
spares net.programs \
    "$jm net run --quiet $net --workload trace=net.programs,setup=3 --stats OUT"
spares records "$jm net trace --records records --nodes 2 --output OUT"

# The folder of experiments: its journal, and the inputs of a report.
for table in claims.json fig5-10.csv; do
    ln -sf runs.jsonl results/$table
    spares results/runs.jsonl \
        "$jm exp run fig5-10 --quick --resume --quiet --out results # OUT"
    rm results/$table
done
status 0 "$jm" exp run fig5-10 --quick --resume --quiet --out results
ln -sf claims.json results/report.html
spares results/claims.json "$jm exp report --out results # OUT"

# Another file of the same text may be written, and a file that is read as a device.
cp main.s twin.s
status 7 "$jm" run --bare --quiet --stats twin.s main.s
status 7 "$jm" run --bare --quiet --save-at 2:twin.s --save-at 3:twin.s main.s
finish
