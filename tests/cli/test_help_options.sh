# --help of programs with option tables: the spellings of each row, and its text folded
# before column 80.
. tests/cli/check.sh
cat >"$work/rows.py" <<'END'
import re, subprocess, sys, textwrap

table, column, *command = sys.argv[1:]
column = int(column)
source = re.sub(r"(?s)/\*.*?\*/", "", open(table).read())
# The first string of OPTION(id, ...) is a name, then come letter and argument; in the
# table of jm net a command, a name and an argument.
TEXT = r'(?:NULL|"([^"\n]*)")'
rows = [(m[1], m[2], m[3], m[4]) for m in re.finditer(
    rf'(?m)^OPTION\(\w+, +{TEXT}, +{TEXT}, +{TEXT},\s+{TEXT}', source)]
assert len(rows) == len(re.findall(r"(?m)^OPTION\(", source)), table
if not rows:
    own = rf'(?m)^\w+_OPTION\("{command[-1]}", '
    rows = [(m[1], None, m[2], m[3]) for m in re.finditer(
        rf'{own}{TEXT}, {TEXT},.*\n    {TEXT}', source)]
    assert rows and len(rows) == len(re.findall(own, source)), command
    rows.append(("help", None, None, "prints this help"))
wanted = []
for name, letter, argument, text in rows:
    spellings = ["-" + letter] if letter else []
    spellings += ["--" + name] if name else []
    head = "  " + ", ".join(spellings) + (" " + argument if argument else "")
    lines = textwrap.wrap(text, 79 - column, break_long_words=False,
                          break_on_hyphens=False)
    if len(head) >= column - 1:  # a text beside it would touch it
        wanted.append(head)
        head = ""
    wanted.append(head.ljust(column) + lines[0])
    wanted += [" " * column + line for line in lines[1:]]
done = subprocess.run([*command, "--help"], text=True, capture_output=True)
assert done.returncode == 0 and not done.stderr, done
found = done.stdout.split("\n")
begin = found.index(wanted[0])
for place, line in enumerate(wanted):
    assert found[begin + place] == line, (found[begin + place], line)
assert not found[begin + len(wanted)].startswith(" "), found[begin + len(wanted)]
END
# table:column:program
for row in mdpas/options:26:mdpas mdpld/options:26:mdpld \
    mdpobjdump/options:24:mdpobjdump \
    model/options:26:'jm net check' model/options:26:'jm net run' \
    model/options:26:'jm net trace'; do
    command=${row##*:} row=${row%:*}
    # shellcheck disable=SC2086 # of two words
    check "help of $command" python3 "$work/rows.py" tools/${row%:*}.def ${row#*:} \
        "$build"/$command
done
finish
