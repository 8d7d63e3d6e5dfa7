# Documentation agrees with the programs: man pages, reference pages, help.
. tests/cli/check.sh

pages=$build/man
check "every page" test "$(find "$pages" -name '*.1' | wc -l)" -eq \
    "$(find tools/man -name '*.1.in' | wc -l)"
for page in "$pages"/*.1; do
    checks=$((checks + 1))
    if command -v groff >/dev/null; then
        warnings=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
        [ -z "$warnings" ] || fail "$page: $warnings"
    else
        echo "groff is not there: $page is not looked at"
    fi
    check "nothing of the template in $page" sh -c "! grep '^@\|@VERSION@' '$page'"
done

# plain PAGE: its text without fonts and escapes.
plain() {
    sed 's/\\f.//g; s/\\-/-/g; s/\\&//g; s/\\e/\\/g' "$pages/$1"
}

# Options that a command's help names are in its manual page.
manual() { # PAGE COMMAND: those that COMMAND tells
    page=$1
    shift
    "$build"/"$@" | sed -nE \
        's/^  (-[a-zA-Z], )?(--[^ ]*( [^ ]+)?)($|  .*)/\2/p' >"$work/spellings"
    plain "$page.1" | sed 's/^-[a-zA-Z], //' >"$work/man"
    check "options of $*" test "$(wc -l <"$work/spellings")" -gt 1
    while read -r spelling; do
        check "$* $spelling in the manual" grep -qxF -- "$spelling" "$work/man"
    done <"$work/spellings"
}
manual jm jm run --help=options
for command in "exp run" "exp report" dap debug "model chapter3" "model servers" \
    "model amva" "model pipelined" "net model" "net run" "net sweep" "net check" \
    "net trace"; do
    page=jm-${command%% *}
    # shellcheck disable=SC2086 # two words
    manual "$page" jm $command --help
done
for program in mdpas mdpld mdpobjdump; do
    manual $program $program --help
done

# The help of jm run fits a screen, names every option, and finds each by its words.
check "help" python3 - "$jm" <<'END'
import re
import subprocess
import sys

def help_of(command, option):
    ended = subprocess.run([sys.argv[1], command, option], capture_output=True,
                           text=True)
    return ended.returncode, ended.stdout

def blocks(text):
    """Rows of options and parameters, each with the lines below it."""
    return re.split(r"\n(?=  \S)", "\n" + text.replace(TITLE, ""))[1:]

TITLE = "Parameters, for --param (default, range):\n"
screen = help_of("run", "--help")[1].splitlines()
assert 24 <= len(screen) <= 30 and max(map(len, screen)) < 80, len(screen)
options, parameters = (help_of("run", f"--help={kind}")[1] for kind in
                       ("options", "parameters"))
for name in re.findall("^  (?:-[a-zA-Z], )?(--[a-z0-9-]+)", options, re.M):
    assert re.search(name + r"\b(?!-)", "\n".join(screen)), name
everything = [b.rstrip("\n") for b in blocks(options) + blocks(parameters)]
assert len(everything) > 70, len(everything)
for word in ("trace", "QUEUE", "perfetto", "spill_mark", "SYMBOL=VALUE", "nosuch", "",
             "wires", "flow engine", "Addresses are physical"):
    status, text = help_of("run", f"--help={word}")
    wanted = [b for b in everything if word and word.lower() in
              " ".join(b.split()).lower()]
    assert status == (0 if wanted else 2), word
    found = [b.rstrip("\n") for b in blocks(text)]
    assert [b for b in found if b in wanted] == wanted, (word, found, wanted)
    assert len(found) == len(wanted), (word, [b for b in found if b not in wanted])
found = help_of("debug", "--help=source")[1]
assert "-x, --source FILE" in found and "--bare" in found, found
assert "--trace " not in help_of("debug", "--help=options")[1]
assert help_of("run", "--help=--save-at") == help_of("run", "--help=save-at")
assert help_of("debug", "--help=perfetto") == (2, "")
END

# The map of the top README has every folder that holds sources, and no other; links of
# all READMEs lead somewhere, those to a heading to one that is there.
sed -n '/^## Map of the tree/,/^A folder includes/p' README.md >"$work/map"
for folder in $(find emu net asm kernel tools -name '*.[chs]' | sed 's|/[^/]*$||' |
    sort -u); do
    case $folder in
    tools/web/*/include*) room="| .*\`tools/web[/\`]" ;; # headers that stand in
    */*/*) room="| \`${folder%/*}\`.*\`${folder##*/}\`" ;;
    asm/* | net/*) room="| \`${folder%/*}\`.*\`${folder##*/}\`\|| \`$folder\`" ;;
    tools/mdp*) room="| \`tools\`.*\`${folder#tools/}\`" ;;
    *) room="| .*\`$folder[/\`]" ;;
    esac
    check "$folder on the map" grep -q "^$room" "$work/map"
done
for folder in $(sed -n 's/^| \(`[^|]*`\) |.*/\1/p' "$work/map" | tr -d '`,'); do
    [ "$folder" = build ] || check "$folder of the map" test -e "$folder"
done
headings() { # FILE: its headings as links name them
    sed -n 's/^##* *//p' "$1" | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9 \n-' |
        tr ' ' '-'
}
# on_the_site LINK: the source of a link in the manual; on the site the manual is a
# folder with the chapters and the reference pages.
on_the_site() {
    case $1 in
    ../index.html) echo tools/web/page/index.html ;;
    *.html) find tools/docs "$build/docs" -name "$(basename "$1" .html).md" ;;
    *) echo "tools/docs/$1" ;;
    esac
}
find . -name '*.md' ! -path './build*' ! -path './.git/*' >"$work/pages"
while read -r page; do
    grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; /^http/d' >"$work/links"
    while read -r link; do
        target=$(dirname "$page")/${link%%#*}
        case $page in ./tools/docs/*) target=$(on_the_site "${link%%#*}") ;; esac
        [ -n "${link%%#*}" ] || target=$page
        check "link $link of $page" test -e "$target"
        case $link in *'#'*)
            headings "$target" >"$work/headings"
            check "heading $link of $page" grep -qxF -- "${link#*#}" "$work/headings"
            ;;
        esac
    done <"$work/links"
done <"$work/pages"

# Every key that is written is on the page of statistics.
"$jm" run --bare --stats "$work/s.json" "$programs/idle.s"
for key in $(grep -o '"[a-z0-9_]*":' "$work/s.json" | tr -d '":' | sort -u); do
    case $key in
    # Keys inside values: the page's text of the outer key, or the page of parameters.
    x | y | z | count | min | mean | p50 | p90 | p99 | max) ;;
    *)
        check "key $key" grep -qrw -- "$key" "$build/docs/statistics.md" \
            "$build/docs/parameters.md"
        ;;
    esac
done
finish
