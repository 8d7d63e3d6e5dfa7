# The output of `make fuzz` for a fuzzer that only says that it has run, and refusals of
# areas of tests.
. tests/cli/check.sh

mkdir "$work/fuzz"
cat >"$work/fuzz/fuzz_nothing" <<'END'
#!/bin/sh
case "$*" in
*-merge=1*) echo "Done 7 runs in 7 second(s)" ;;
*) echo "Done 1200 runs in 4 second(s)" ;;
esac
END
chmod +x "$work/fuzz/fuzz_nothing"
status 0 env BUILD="$work/fuzz" JM="$jm" FUZZ_SECONDS=1 sh tools/fuzz.sh fuzz_nothing
rows 1 "$work/out" '^ok .*fuzz_nothing .*1200.* 300 '

# An area whose program a target leaves out is not an unknown one.
status 2 env -u MAKEFLAGS make -s tsan T=unit
rows 1 "$work/err" 'left out.* unit$'
rows 0 "$work/err" 'no test is called'
status 2 env -u MAKEFLAGS make -s tsan T=no_such_test
says err 'no test is called no_such_test'
finish
