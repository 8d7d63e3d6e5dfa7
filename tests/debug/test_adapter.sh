# The protocol's own client for tests, from npm, debugs with `jm dap`.
# `make test-editors` fetches it; where Node or it is missing, nothing is looked at.
. tests/cli/check.sh

modules=$build/npm/node_modules
if ! command -v node >/dev/null; then
    echo "skipped: adapter: there is no node here; make test-editors installs it"
elif [ ! -d "$modules/@vscode/debugadapter-testsupport" ]; then
    echo "skipped: adapter: no client from npm here; make test-editors fetches it"
else
    check "the protocol's client" env NODE_PATH="$modules" timeout -s KILL 120 \
        node tests/debug/adapter.js "$jm"
fi
finish
