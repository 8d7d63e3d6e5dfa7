#!/bin/sh
# benchtable.sh FIGURES [OLDER]: a Markdown table of the figures that make bench leaves
# in bench.json; with OLDER, another such file, how many times its figures they are.
set -eu
figures=${1:?usage: benchtable.sh FIGURES [OLDER]}
older=${2:-/dev/null}
jq -r -n --slurpfile new "$figures" --slurpfile old "$older" '
    def rounded: if . >= 1e6 then "\(. / 1e4 | round / 100) million"
                 elif . >= 1e3 then "\(. / 10 | round / 100) thousand"
                 else "\(. * 100 | round / 100)" end;
    def times: . * 100 | round / 100;
    def row($compare; $before):
        if type == "object" and has("per_cpu_second") then
            "| \(.what) | \(.per_cpu_second | rounded) | " +
            (if .ratio then
                (if .ratio < 0.01 then "\(.ratio * 1e6 | times) a million "
                 else "\(.ratio | times) times " end) + .beside else "" end) + " |" +
            (if $compare and $before then " \(.per_cpu_second / $before | times) |"
             elif $compare then " |" else "" end)
        elif type == "object" and has("per_second") then
            "| \(.what) | \(.per_second | rounded), real time | " +
            "\(.ratio | times) times \(.beside) |" +
            (if $compare and $before then " \(.per_second / $before | times) |"
             elif $compare then " |" else "" end)
        elif type == "object" and has("idle_node_bytes") then
            "| \(.what): start | \(.start_cpu_seconds | times) s | a node takes " +
            "\(.idle_node_bytes | round) bytes, " +
            "\(.busy_node_bytes | round) when busy |" +
            (if $compare then " |" else "" end)
        elif type == "object" and has("share_of_run") then
            "| debugger, \(.workload): \(.stops) | \(.share_of_run | times) | " +
            "the speed of jm run |" +
            (if $compare then " |" else "" end)
        else empty end;
    ($old | length > 0) as $compare |
    "| what, a CPU second of one core | figure | beside |" +
        (if $compare then " times the older |" else "" end),
    "|---|---|---|" + (if $compare then "---|" else "" end),
    ($new[0] | to_entries[] | .key as $set | .value | to_entries[] |
        .key as $key | .value |
        row($compare; $old[0][$set][$key] | .per_cpu_second? // .per_second?)),
    ($new[0].debug.reverse_continue_seconds // empty |
        "| reverse-continue, ten million cycles of 64 nodes | \(times) s | |" +
        (if $compare then " |" else "" end))'
