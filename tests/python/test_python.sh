# The Python package does what the commands do (test_machine.py), from a build and
# installed; its example runs; the library exports its own names alone.
. tests/programs/common.sh

if ! python3 -c 'import ctypes, sys; sys.exit(sys.version_info < (3, 9))'; then
    echo "skipped: no python3 from 3.9 on, with ctypes"
    exit 0
fi
if nm -D "$build/libjm.so.1" | grep -qE '__(a|t)san_'; then
    echo "skipped: a library with a sanitizer does not load"
    exit 0
fi
export JM="$build/jm" PYTHONPATH="$build/python" PYTHONDONTWRITEBYTECODE=1
python3 tests/python/test_machine.py >"$folder/said" 2>&1
passed $? "the package: $(cat "$folder/said")"

python3 tools/python/examples/figure4_4.py 10 >"$folder/figure"
passed $? "the example runs"
[ "$(grep -cE '^[0-9]+ +[0-9]+\.[0-9] #+ +[0-9]' "$folder/figure")" -eq 8 ]
passed $? "its eight points: $(cat "$folder/figure")"

# Names of the library: those with its prefixes, of one version.
nm -D --defined-only "$build/libjm.so.1" >"$folder/names"
[ "$(grep -cE ' (jm|net|asm)_[a-z0-9_]*@@JM_1\.0$' "$folder/names")" -gt 100 ] &&
    ! grep -vE ' (jm|net|asm)_[a-z0-9_]*@@JM_1\.0$| A JM_1\.0$' "$folder/names"
passed $? "only names of the library's own"
objdump -p "$build/libjm.so.1" | grep -q 'SONAME *libjm.so.1$'
passed $? "its name"
! objdump -p "$build/libjm.so.1" | grep -qE 'NEEDED *lib(gsl|readline)|TEXTREL'
passed $? "no readline, no GSL"

# Every function of jm.h is there.
grep -oE '^[A-Za-z].*\bjm_[a-z_]+\(' emu/jm.h | grep -v typedef |
    grep -oE 'jm_[a-z_]+' | sort -u >"$folder/wanted"
sed -n 's/.* \(jm_[a-z_]*\)@@.*/\1/p' "$folder/names" | sort >"$folder/found"
missing=$(comm -23 "$folder/wanted" "$folder/found")
[ -z "$missing" ] && [ "$(wc -l <"$folder/wanted")" -gt 60 ]
passed $? "functions of jm.h: $missing"
finish
