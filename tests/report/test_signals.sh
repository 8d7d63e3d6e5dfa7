# jm exp report ended by a signal while gnuplot draws: no half picture and no gnuplot is
# left, and what a SIGKILL leaves does not hinder the next report.
. tests/programs/common.sh
data=$folder/data

"$jm" exp run fig4-14 --set mesh=2x2x2 --set L=20 --runs 1 --quiet --out "$data" \
    2>/dev/null
"$jm" exp report --out "$data" >/dev/null
cp -r "$data" "$folder/whole"
rm "$data"/*.svg "$data"/*.png "$data/report.html"
pictures() {
    (cd "$1" && ls | grep -E '\.(svg|png|html|part)|\.tmp')
}
pictures "$folder/whole" >"$folder/wanted"

# This gnuplot draws a half, sends its parent $SIGNAL, and goes on for ten minutes.
mkdir "$folder/path"
cat >"$folder/path/gnuplot" <<'END'
#!/bin/sh
for script; do :; done
echo half >"${script%.gp}.svg.part"
echo half >"${script%.gp}.png.part"
echo $$ >"$STARTED"
kill -"$SIGNAL" $PPID
exec sleep 600
END
chmod +x "$folder/path/gnuplot"
ended() { # SIGNAL STATUS
    rm -f "$folder/started"
    # A job in the background ignores some signals, and so would what it starts.
    (PATH=$folder/path:$PATH SIGNAL=$1 STARTED=$folder/started exec env \
        --default-signal=HUP,INT,QUIT "$jm" exp report \
        --out "$data" >"$folder/output" 2>"$folder/messages")
    status=$?
    [ $status -eq "$2" ]
    passed $? "SIG$1: status $status, not $2"
    drawing=$(cat "$folder/started")
    for _ in $(seq 2400); do
        kill -0 "$drawing" 2>/dev/null || break
        sleep 0.05
    done
    ! kill -0 "$drawing" 2>/dev/null
    passed $? "SIG$1: gnuplot has ended"
}
for pair in HUP:129 INT:130 QUIT:131 TERM:143 XCPU:152; do
    ended ${pair%:*} ${pair#*:}
    [ "$(cat "$folder/messages")" = "jm exp report: error: interrupted" ]
    passed $? "SIG${pair%:*}: $(cat "$folder/messages")"
    [ -z "$(pictures "$data")" ]
    passed $? "SIG${pair%:*} leaves $(pictures "$data" | tr '\n' ' ')"
done

# After a SIGKILL halves are left; a stranger's folder may have links in their places.
ended KILL 137 2>/dev/null
[ "$(pictures "$data" | grep -c part)" -ge 2 ]
passed $? "halves after SIGKILL"
echo precious >"$folder/precious"
for half in "$data"/*.part; do
    ln -sf "$folder/precious" "$half"
done
"$jm" exp report --out "$data" >/dev/null 2>"$folder/messages"
passed $? "the next report: $(cat "$folder/messages")"
pictures "$data" | cmp -s - "$folder/wanted"
passed $? "the next report's files: $(pictures "$data" | tr '\n' ' ')"
for file in "$folder/whole"/*.svg "$folder/whole/report.html"; do
    cmp -s "$file" "$data/${file##*/}"
    passed $? "the next report's ${file##*/}"
done
[ "$(cat "$folder/precious")" = precious ]
passed $? "nothing is written through a link"
finish
