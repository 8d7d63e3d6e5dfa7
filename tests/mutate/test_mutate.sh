# The mutation script: every source belongs to a room, every room has tests that exist,
# and faults are planted in code, not in comments, strings or declarations.
. tests/cli/check.sh
export PYTHONDONTWRITEBYTECODE=1 # the tree stays as it is

mutate=tests/mutate/mutate.py

# Rooms that have nothing to mutate would be judged well for it.
status 0 python3 "$mutate" --list
check "rooms with sources" awk '$2 == 0 || $4 == 0 { exit 1 }' "$work/out"
check "rooms in the list" test "$(wc -l <"$work/out")" -eq \
    "$(grep -vc '^#' tests/mutate/rooms.tsv)"
status 1 python3 "$mutate" nowhere
grep -q 'no room nowhere' "$work/err" || fail "an unknown room is not named"

cat >"$work/rooms.py" <<'END'
import glob, os, sys
sys.path.insert(0, "tests/mutate")
import mutate
table = mutate.rooms()
known = {path for paths, _ in table.values() for path in paths}
for folder in ("emu", "net", "asm", "tools/jm", "tools/exp", "tools/report", "kernel"):
    for path in glob.glob(folder + "/**/*.[cs]", recursive=True):
        if path not in known:
            print("in no room:", path)
for _, tests in table.values():
    for test in tests:
        if not (os.path.exists(test) if test.endswith(".sh") else
                glob.glob(f"tests/{test}/*.c")):
            print("no such test:", test)
END
status 0 python3 "$work/rooms.py"
[ ! -s "$work/out" ] || fail "$(cat "$work/out")"

cat >"$work/sample.c" <<'END'
/* a comment: if (a < b)
   return 1; */
static const int table[2] = {1, 2};
#define TWICE(x) ((x) * 2)
int f(int a, const char *s)
{
    return a;
}
int g(int a)  {
    return a;
}
int h(int a) {
    // a < 0 && 1
    puts("a < b && 0"); /* 1 */
    if (a < 10)
        a += 3;
    char *text = malloc(a + 1);
    free(text);
    va_end(list);
    free_all(text);
    char line[80], name[20];
    qsort(text, a, sizeof line / sizeof line[0], by_place);
    return a ? -1 : 1;
}
END
cat >"$work/sample.py" <<'END'
import sys
sys.path.insert(0, "tests/mutate")
import mutate
for _, number, name, line in mutate.candidates(sys.argv[1]):
    print(number, name, line.strip())
END
cat >"$work/wanted" <<'END'
14 drop ; // puts("a < b && 0"); /* 1 */
15 bound if (a <= 10)
15 constant if (a < 11)
15 logic if (!(a < 10))
16 constant a += 4;
16 drop ; // a += 3;
16 sign a -= 3;
20 drop ; // free_all(text);
22 drop ; // qsort(text, a, sizeof line / sizeof line[0], by_place);
END
status 0 python3 "$work/sample.py" "$work/sample.c"
sort "$work/out" | cmp -s - "$work/wanted" || {
    fail "the faults planted in a sample are others"
    sort "$work/out" | diff - "$work/wanted"
}

# Strings hold no faults, and stay as they are where a line is turned round.
printf 'int f(char *a) {\n    if (is(a, "b < c") && "d"[0]) {\n        return;\n}\n' \
    >"$work/strings.c"
status 0 python3 "$work/sample.py" "$work/strings.c"
check "a condition turned round" grep -qxF \
    '2 logic if (!(is(a, "b < c") && "d"[0])) {' \
    "$work/out"
check "strings are no code" sh -c "! grep -q '<=' '$work/out'"

# How a command ends does not depend on the clock, but on processor time, that of
# children too.
cat >"$work/watch.py" <<'END'
import os, sys
sys.path.insert(0, "tests/mutate")
import watch
watch.IDLE_SECONDS = 2
def ends(command, limit):
    end, output, _ = watch.run(["sh", "-c", command], limit)
    print(command, end, output.split())
ends("echo text; echo more >&2; exit 3", 1)
ends("sleep 1", 0.2)
ends("while :; do :; done", 1)
ends("setsid sh -c 'while :; do :; done'; echo never", 1)
ends("sleep 600", 1)
ends("setsid sleep 600; echo never", 1)
watch.PATIENCE = 0.01
ends("while :; do :; done & wait", 100)
print("left", watch.children(os.getpid()))
_, _, used = watch.run(
    ["sh", "-c", "timeout 1 sh -c 'while :; do :; done'; sleep 1"], 999)
print("measured", 0.1 < used < 1.9)
END
cat >"$work/wanted" <<'END'
echo text; echo more >&2; exit 3 3 ['text', 'more']
sleep 1 0 []
while :; do :; done overrun []
setsid sh -c 'while :; do :; done'; echo never overrun []
sleep 600 idle []
setsid sleep 600; echo never idle []
while :; do :; done & wait undecided []
left []
measured True
END
status 0 python3 "$work/watch.py"
cmp -s "$work/out" "$work/wanted" || {
    fail "commands end otherwise"
    diff "$work/out" "$work/wanted"
}
finish
