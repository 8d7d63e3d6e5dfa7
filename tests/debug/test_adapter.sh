# The protocol's own client for tests, from npm, debugs with `jm dap`.
# `make test-editors` fetches it; where Node or it is missing, nothing is tested.
. tests/cli/check.sh

modules=$build/npm/node_modules
if ! command -v node >/dev/null; then
    echo "skipped: adapter: there is no node here; make test-editors installs it"
elif [ ! -d "$modules/@vscode/debugadapter-testsupport" ]; then
    echo "skipped: adapter: no client from npm here; make test-editors fetches it"
else
    check "the protocol's client" env NODE_PATH="$modules" timeout -s KILL 600 \
        node tests/debug/adapter.js "$jm"
fi

# What the recorded sessions are told is of the protocol's types.
if [ -x "$modules/.bin/tsc" ] && [ -d "$modules/@vscode/debugprotocol" ]; then
    mkdir "$work/logs"
    check "recorded sessions" env BUILD="$build" DAP_LOGS="$work/logs" \
        python3 tests/recorded/recorded.py tests/recorded/dap.cases
    python3 tests/debug/dap_types.py "$work"/logs/* >"$work/told.ts"
    check "many messages" test "$(wc -l <"$work/told.ts")" -gt 100
    ln -s "$modules" "$work/node_modules"
    check "messages are of the protocol's types" sh -c "cd '$work' &&
        node_modules/.bin/tsc --noEmit --strict --skipLibCheck told.ts"
else
    echo "skipped: types: no compiler of TypeScript here; make test-editors fetches it"
fi
finish
