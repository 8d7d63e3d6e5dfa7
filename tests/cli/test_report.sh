# The picture and the summary of a run that was made up: every number of the text can be
# worked out from those of the file, and every digit and shade of the picture occurs.
. tests/cli/check.sh
cd "$work" || exit 1

cat >made.py <<'END2'
import json, sys
X, Y, Z = 3, 2, 4
nodes = []
for rank in range(X * Y * Z):
    at = rank % X, rank // X % Y, rank // X // Y
    links = {}
    for d, (place, size, step) in enumerate(zip(at, (X, Y, Z), (1, X, X * Y))):
        wire = (rank % 9 + 1) * (d + 1) * 10
        if place + 1 < size:
            links["xyz"[d] + "+"] = wire
        if place > 0:
            links["xyz"[d] + "-"] = 7 * (d + 1)
    nodes.append({
        "rank": rank, "x": at[0], "y": at[1], "z": at[2],
        "instructions": 3 * rank + 1, "messages_in": (1 << rank) - 1, "links": links,
        "queue_max_words": 40 - abs(rank - 17), "overflows": rank % 2 * rank,
        "first_overflow": 1000 - 7 * rank if rank % 2 else None,
        "cycles": {"alu": 800, "send_wait": 40, "idle": 60, "fault_queue": 50,
                   "fault_type": 25, "move": 25},
    })
run = {
    "program": "made/by/hand\x1b.s", "mesh": [X, Y, Z], "clock_hz": 2e7,
    "parameters": {"header_flits": 3}, "cycles": 1000, "seconds": 5e-5,
    "stop": "exit", "instructions": 19200, "messages": 77, "overflows": 144,
    "words": {"snakes_m": 2, "snakes_l": 5, "snakes_p": 3, "snakes_h": 90,
              "snakes_h_got": 80, "snakes_hops": 240, "kernel_queue0": 64},
    "faults": {"QUEUE": 300, "TYPE": 150}, "makespan": 900,
    "marks": [{"cycle": 50, "node": 0, "value": 1},
              {"cycle": 950, "node": 0, "value": 2}],
    "network": {"wire_utilisation": {"x": 0.25, "y": 0.0099, "z": 1.0},
                "bisection_flits": {"x": 3600}},
    "nodes": nodes}
json.dump(run, sys.stdout)
END2
# Node r has got 2^r - 1 messages: r binary digits. The wires from nodes 8 and 17 up in
# z have 270 + 21 flits, most of all; the wire from node 0 up in y has 20 + 14: 1.05
# ninths of it. 1000 cycles on 24 nodes; m L h = 800; 8 wires in the middle for 900
# cycles.
cat >wanted <<'END2'
hand\x1B.s on 3x2x4 nodes: exit after 1000 cycles (0.05 ms)
19200 instructions, 77 messages, 144 queue overflows
x wires used  25.00%  #############
y wires used   0.99%
z wires used 100.00%  ##################################################

Busiest nodes      busy   instructions    messages in  longest queue
  23 (2,1,3)      94.0%             70        8388607             34
  22 (1,1,3)      94.0%             67        4194303             35
  21 (0,1,3)      94.0%             64        2097151             36
  20 (2,0,3)      94.0%             61        1048575             37
  19 (1,0,3)      94.0%             58         524287             38
Busiest wire: from 8 up in z, 291 flits

Planes, x to the right and y up. Nodes: binary digits of the messages that
came in (o none, 1 one, 2 2-3, 3 4-7, ...). Wires: flits, both ways, in ninths
of the busiest wire's:  .:-=+*#%@

plane z=0    plane z=1    plane z=2    plane z=3
3:4:5        9.A.B        F-G-H        L:M:N
: : -        + * *        - = +        : : -
o.1.2        6-7-8        C:D:E        I.J.K

Wires between the planes

up from z=0    up from z=1    up from z=2
+*#            :-=            %@@
:-=            %@@            +*#

Between first and last mark: 900 cycles, 0.045 ms, from cycle 50 on
Processors: 82.5% running, 4.0% waiting to send, 7.5% entering faults, 6.0% idle
Faults: QUEUE 300, TYPE 150
Longest priority-0 queue: 40 words, node 17 (2,1,2)
Queue overflows: 144 on 12 nodes
  node 23 (2,1,3): 23, first in cycle 839
  node 21 (0,1,3): 21, first in cycle 853
  node 19 (1,0,3): 19, first in cycle 867
  node 17 (2,1,2): 17, first in cycle 881
  node 15 (0,1,2): 15, first in cycle 895
  node 13 (1,0,2): 13, first in cycle 909
  node 11 (2,1,1): 11, first in cycle 923
  node 9 (0,1,1): 9, first in cycle 937
  node 7 (1,0,1): 7, first in cycle 951
  node 5 (2,1,0): 5, first in cycle 965
  node 3 (0,1,0): 3, first in cycle 979
  node 1 (1,0,0): 1, first in cycle 993
  QUEUE faults, which call the overflow handler: 300
Snakes: m 2, L 5, p 3, h 80, Q 64
  240 hops of 240; T = 900 cycles = 0.045 ms = 1.1250 m L h
  processor utilisation: 0.8889 by eq. 4.4
END2
printf '  bisection utilisation: 0.1333 by eq. 4.3; %s\n' \
    'on the x wires 0.5000, header flits apart 0.3636' >>wanted
python3 made.py >made.json
status 0 "$jm" report made.json
check "the whole report" diff wanted out

finish
