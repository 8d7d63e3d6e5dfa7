# jm model: what options take, and what is said of the others, word for word. jm net
# reads its options in the same way.
. tests/cli/check.sh

# refused TEXT COMMAND...: status 2, this one line and nothing on standard output.
refused() {
    printf 'jm model%s\n' "$1" >"$work/wanted"
    shift
    status 2 "$jm" model "$@"
    check "the message of: $*" cmp "$work/err" "$work/wanted"
    silent out
}
# same COMMAND, OTHER: both (one text each) end well and print the same.
same() {
    # shellcheck disable=SC2086 # words of one text
    status 0 "$jm" model $1
    cp "$work/out" "$work/one"
    # shellcheck disable=SC2086
    status 0 "$jm" model $2
    check "'$1' is '$2'" cmp "$work/one" "$work/out"
}

# ---- models --------------------------------------------------------------------------
all="there are: chapter3 servers amva pipelined list"
refused ": error: expected a model; $all"
refused ": error: no model 'chapter4'; $all" chapter4 list
refused " list: error: unexpected argument 'servers'" list servers
refused ": error: no model '\\x1B'; $all" "$(printf '\033')"
status 0 "$jm" model list
cp "$work/out" "$work/list"
check "four models" test "$(wc -l <"$work/list")" -eq 4
status 0 "$jm" model --help
sed '1,/There are:$/d; /--help tells more/,$d; /^$/d' "$work/out" >"$work/listed"
check "help has the list" cmp "$work/listed" "$work/list"
rows 1 "$work/out" '^Usage: jm model MODEL'
rows 1 "$work/out" \
    '^Exit status: 0, 2 for bad usage or results that were not written, 3 '

# ---- counts --------------------------------------------------------------------------
three="chapter3 --customers 2 --queue 2"
none="''" # what is said of an empty value
count=": it takes a whole number from 1 to 1048576"
for value in 0 -1 +1 1.5 x '' ' 1' '1 ' 0x10 1/ 1: /1 :1 1048577 \
    99999999999999999999; do
    refused " chapter3: error: --servers ${value:-$none}$count" \
        $three --servers "$value"
done
# shellcheck disable=SC2086 # options
status 0 "$jm" model $three --servers 1048576
says out "1048576 servers"
same "$three --servers 0002" "$three --servers=2"
limit="--customers 16777217: it takes a whole number from 0 to 16777216"
refused " chapter3: error: $limit" chapter3 --customers 16777217

# ---- reals ---------------------------------------------------------------------------
four="$three --servers 2"
for value in 0 -1 nan inf 0x1p3 0X1P3 1e7 1000000.1 1e999 1e x . '' ' 1' '1 ' '1,5'; do
    range="it takes a number above 0, at most 1e+06"
    refused " chapter3: error: --slow ${value:-$none}: $range" $four --slow "$value"
done
same "$four --slow 1e6" "$four --slow +1000000.0"
same "$four --slow .5" "$four --slow 5e-1"
five="servers --servers 2 --customers 2 --queue 2 --time 100"
for value in -0.1 1.1 1.000001; do
    refused " servers: error: --spread $value: it takes a number from 0, at most 1" \
        $five --service constant --spread $value
done
same "$five --service constant --spread 0" "$five --service constant --spread 0.0"
same "$five --service constant --spread 1" "$five --service constant --spread=1.0"

# ---- words ---------------------------------------------------------------------------
for value in '' e exponentia exponentials 'exponential|constant' '|' Constant; do
    range="it takes exponential|constant"
    refused " servers: error: --service ${value:-$none}: $range" \
        $five --service "$value"
done
same "$five" "$five --service exponential"
for name in link_width node_size bisection_width; do
    status 0 "$jm" model pipelined --dimensions 3 --constraint $name
    cp "$work/out" "$work/$name"
done
check "each word is another one" sh -c "cd '$work' && ! cmp -s link_width node_size &&
    ! cmp -s node_size bisection_width && ! cmp -s link_width bisection_width"

# ---- meshes --------------------------------------------------------------------------
for value in 2x2 2x2x2x2 x2x2 2xx2 2x2x 2x2x0 0x2x2 2x65x2 65x2x2 2x2x65 2X2X2 2 ''; do
    refused " amva: error: --mesh ${value:-$none}: it takes XxYxZ, each from 1 to 64" \
        amva --mesh "$value"
done
status 0 "$jm" model amva --mesh 2x3x4
says out "2x3x4, requests"
refused " amva: error: --line 65: it takes a whole number from 1 to 64" amva --line 65
refused " amva: error: --line and --mesh are both given" amva --line 3 --mesh 3x1x1

# ---- files and flags -----------------------------------------------------------------
refused " chapter3: error: --json '': it takes FILE" $four --json ''
refused " chapter3: error: --json '': it takes FILE" $four --json=
refused " chapter3: error: --json needs an argument" $four --json
refused " amva: error: --fair takes no argument" amva --fair=yes
refused " amva: error: --fair takes no argument" amva --fair=
refused " amva: error: --fair is given twice" amva --fair --fair
refused " amva: error: --json is given twice" amva --json - --json -
status 0 "$jm" model chapter3 --servers=2 --customers=2 --queue=2 --json="$work/a=b"
check "a value with an =" test -s "$work/a=b"

# ---- what is no option ---------------------------------------------------------------
unknown() { # ARGUMENT WHAT-IS-NAMED SUGGESTION
    status 2 "$jm" model amva "$1"
    check "one line for $1" test "$(wc -l <"$work/err")" -eq 1
    says err "'$2'"
    [ -z "$3" ] || says err "did you mean '--$3'?"
    rows "$([ -z "$3" ]; echo $?)" "$work/err" 'did you mean'
    silent out
}
unknown --lnie --lnie line
unknown --qui3t --qui3t quiet
unknown --outstndin=4 --outstndin=4 outstanding
unknown --zzzzzzzz --zzzzzzzz ''
unknown -line -l ''
unknown lin lin ''
unknown - - ''
unknown "$(printf '\033x')" '\x1Bx' ''
same "amva --line 3" "amva --lin=3"
# The first that is wrong is told, whatever comes behind it.
refused " amva: error: unexpected argument 'x'" amva --fair x --json
refused " amva: error: --mesh 1: it takes XxYxZ, each from 1 to 64" amva --mesh 1 --help

# ---- what belongs together -----------------------------------------------------------
for name in servers customers queue; do
    others=$(printf '%s\n' servers customers queue | grep -v $name | sed 's/.*/--& 2/')
    for model in chapter3 servers; do
        # shellcheck disable=SC2086 # options
        refused " $model: error: --$name is missing" $model $others
    done
done
status 0 "$jm" model chapter3 --servers 4 --queue 2 --customers 8
refused " chapter3: error: 9 customers do not fit: 4 queues of 2 hold 8" \
    chapter3 --servers 4 --queue 2 --customers 9
status 0 "$jm" model chapter3 --servers 4 --queue 2 --customers 8 --slow 2 \
    --slow-servers 4
refused " chapter3: error: --slow-servers 5: there are 4 servers" chapter3 --servers 4 \
    --queue 2 --customers 8 --slow 2 --slow-servers 5
refused " chapter3: error: --slow-servers needs --slow" $four --slow-servers 1
refused " servers: error: --spread needs --service constant" $five --spread 0.1
refused " servers: error: --spread needs --service constant" $five --spread 0.1 \
    --service exponential
refused " servers: error: 1.1e+10 services are too many: at most 1e+10" servers \
    --servers 10 --customers 1 --queue 1 --warm-up 1e8 --time 1e9
refused " amva: error: --reply-length needs --workload requests" amva \
    --workload snakes --reply-length 4
refused " amva: error: --json and --map both to standard output" amva --json - --map -
refused " pipelined: error: --dimensions is missing" pipelined --load 0.5
for name in ring-buffer:40 input-queue:40 output-queue:40 cycles:2000 ramp:1 \
    confidence:0.9 seed:3; do
    refused " pipelined: error: --${name%:*} needs --load" pipelined --dimensions 3 \
        "--${name%:*}" "${name#*:}"
done
refused " pipelined: error: 1000000000 cycles of 11 dimensions are too many" pipelined \
    --dimensions 11 --cycles 1000000000 --load 0.1
refused " pipelined: error: 23 wires are too few for links of a bit" pipelined \
    --dimensions 12 --constraint node_size --wires 23
status 0 "$jm" model pipelined --dimensions 12 --constraint node_size --wires 24
# As much work as may be is begun, and takes long.
begun() {
    timeout 1 "$jm" model "$@" >"$work/out" 2>"$work/err"
    check "begun: $*" test $? -ne 2
}
begun servers --servers 10 --customers 1 --queue 1 --time 1e9
begun pipelined --dimensions 10 --cycles 1000000000 --load 0.1

# ---- outputs -------------------------------------------------------------------------
for command in "$four" "$five" "amva --line 2" "pipelined --dimensions 2"; do
    # shellcheck disable=SC2086
    status 2 "$jm" model $command --json "$work/none/x"
    rows 1 "$work/err" "^$work/none/x: error: cannot write"
    # shellcheck disable=SC2086
    status 0 "$jm" model $command --help
    rows 1 "$work/out" "^Usage: jm model ${command%% *} "
done
status 2 "$jm" model amva --line 2 --map "$work/none/x"
rows 1 "$work/err" "^$work/none/x: error: cannot write"
finish
