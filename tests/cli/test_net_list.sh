# jm net list and the help of jm net's commands: what they tell is what is accepted.
. tests/cli/check.sh

net="$jm net"
status 0 $net list
cp "$work/out" "$work/list"
cat >"$work/list.py" <<'END'
import json, re, subprocess, sys

jm, listed = sys.argv[1], open(sys.argv[2]).read()
text, lines = listed.split("\n"), {}
assert text[0] == "Topologies (--topology NAME=SIZES[,OPTION=VALUE]...):", text[0]
OPTION = re.compile(r"  (\w+) +(\S+)\.\.(\S+) \((\S+)\)((?: \w+=\d+)*)  (.*) \[(.+)\]")

def run(*command):
    done = subprocess.run([jm, "net", *command], capture_output=True, text=True)
    return done.stdout or done.stderr

def names_after(message):
    return [name.split("=")[0] for name in message.rstrip().split("there is ")[-1]
            .split(", ")]

def section(begin, end):
    return listed[listed.index(begin):listed.index(end)]

def check_options(rows, text_of, bounded=True):
    """Options in their order; ends of ranges are taken, what is beyond them is not."""
    found = [OPTION.fullmatch(row) for row in rows]
    assert all(found), rows
    assert [f[1] for f in found] == names_after(text_of("zzz=1")), rows
    plain = text_of("")
    for name, low, high, standard, words, _, _ in (f.groups() for f in found):
        beyond = "%s is %%s, not %s to %s\n" % (name, low, high)
        for value in low, high, standard:
            assert beyond % value not in text_of(f"{name}={value}"), (name, value)
        over = "%.10g" % (float(high) + 1)
        if "e" not in high:
            assert text_of(f"{name}={over}").endswith(beyond % over), (name, over)
        assert text_of(f"{name}={standard}") == plain, (name, standard)
        refusal = text_of(name + "=zzz")
        pairs = [pair.split("=") for pair in words.split()]
        assert bool(words) == ("there is" in refusal), refusal
        assert not words or {w for w, _ in pairs} == set(names_after(refusal)), refusal
        for word, value in pairs:
            assert text_of(f"{name}={word}") == text_of(f"{name}={value}"), word

# Topologies, a paragraph each.
topologies = section("Topologies", "\nWorkloads").strip("\n").split("\n\n")[1:]
forms = [t.split("\n")[0].split(": ")[0] for t in topologies]
assert names_after(run("check", "--topology", "zzz=1")) == [
    f.split("=")[0] for f in forms] and len(forms) == 3
for paragraph in topologies:
    head, *rows = paragraph.split("\n")
    form = head.split(": ")[0]
    base = re.sub(r"[A-Z]+", "2", form)
    if rows:
        check_options(rows, lambda option: run(
            "check", "--topology", base + ("," + option if option else "")))

# Workloads, with the measures that a run has, in its units.
workloads = section("Workloads", "\ntrace=FILE").strip("\n").split("\n\n")[1:]
names = [w.split(":")[0] for w in workloads]
assert names == names_after(run("run", "--topology", "torus=4x4", "--workload", "zzz"))
for paragraph in workloads:
    rows, measures = paragraph.split("\n  measures:\n")
    name, *rows = rows.split("\n")
    name = name.split(":")[0]
    short = "--cycles", "1000", "--warmup", "0", "--batches", "2"
    check_options(rows, lambda option: re.sub(",.*?:", "", run(
        "run", "--topology", "torus=4x4", *short, "--workload",
        name + ("," + option if option else "")), count=1))
    told = {m[0]: m[1] for m in
            re.findall(r"(?m)^  (\w+) +(\S+): \S", measures)}
    assert len(told) == len(measures.split("\n")), measures
    run_of = ("run", "--topology", "torus=4x4", "--cycles", "20000", "--workload",
              name + ",f_hot=0.3")
    assert list(told) == list(json.loads(run(*run_of, "--json"))["workload"])
    units = re.findall(r"(?m)^  (\w+) .* (\S+)$", run(*run_of))
    units = [u for u in units if u[0] not in ("latency", "throughput")]
    assert units == list(told.items()), (units, told)

# Parameters of the network, as their table has them.
rows = re.findall(r'NET_PARAM\((\w+), +(\d+), +(\d+), +(\d+), "(.*)", "(.*)"\)',
                  open("net/params.def").read())
wanted = ["  %-19s %s..%s (%s)  %s [%s]" % (n, low, high, standard, what, source)
          for n, standard, low, high, what, source in rows]
begin = text.index("Parameters of the network (--param NAME=VALUE):")
assert text[begin + 1:] == ["", *wanted, ""] and len(rows) > 10
for name, _, low, high, _, _ in rows:
    for value, good in (int(low), 1), (int(high), 1), (int(high) + 1, 0):
        said = run("run", "--topology", "torus=4x4", "--workload", "memory", "--cycles",
                   "200", "--batches", "2", "--param", f"{name}={value}")
        assert ("it takes a whole number from" in said) != good, (name, value)
END
check "the list is what is accepted" python3 "$work/list.py" "$jm" "$work/list"
rows 1 "$work/list" '^trace=FILE: .* jm net trace --help$'
status 0 $net list --help
rows 1 "$work/out" '^Usage: jm net list$'
rows 0 "$work/out" 'torus'
status 2 $net list all
says err "jm net list: error: it takes no arguments"
silent out

# The help of jm net and of each command.
status 0 $net --help
rows 1 "$work/out" '^Usage: jm net COMMAND'
rows 1 "$work/out" '^Exit status: 0, 2 .* or input or results that were not written, 3'
sed -n 's/^NET_COMMAND(\([a-z]*\), *"\(.*\)")$/\1 \2/p' tools/net/commands.def \
    >"$work/wanted"
sed '1,/There are:$/d; /--help tells more/,$d; /^$/d; s/  */ /' "$work/out" \
    >"$work/listed"
check "each command is listed" diff "$work/wanted" "$work/listed"
for name in run model check trace; do
    status 0 $net $name --help
    silent err
    rows 1 "$work/out" "^Usage: jm net $name .*--"
done
finish
