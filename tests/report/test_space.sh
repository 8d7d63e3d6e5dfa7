# The machine in space on the report's page: where each node is, by the page's own
# script (space.js). This needs no browser.
. tests/programs/common.sh

if ! command -v node >/dev/null; then
    echo "skipped: nothing runs the page's script here (nodejs)"
    exit 0
fi
node "$(dirname "$0")/space.js" tools/report/page.js >"$folder/faults" 2>&1
passed $? "$(cat "$folder/faults")"
finish
