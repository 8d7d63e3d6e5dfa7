"""Makes the graph of causes from a debugger's trace, and judges the output of `causes`.

ask TRACE: prints a command for some of the messages. judge TRACE TOLD: compares.
A message is (cycle of its opening, number). Queues are in order, so the k-th dispatch of a
priority at a node is of the k-th message that arrived there."""
import re
import sys


def graph(path):
    parent, open_now, arrived, queue, task = {}, {}, {}, {}, {}
    for line in open(path):
        words = line.split()
        cycle, node, context, kind = int(words[0]), words[1], words[2], words[3]
        if kind == "send":
            number = int(words[7][1:])
            if open_now.get((node, context)) == number and not arrived.get(number):
                continue
            open_now[node, context] = number
            arrived[number] = None
            message = (cycle, number)
            arrived[number, "is"] = message
            parent[message] = task.get((node, context))
        elif kind == "arrive":
            number = int(words[7][1:])
            arrived[number] = True
            queue.setdefault((node, words[6][1]), []).append(arrived[number, "is"])
        elif kind == "dispatch":
            task[node, context] = queue[node, context].pop(0)
        elif kind == "suspend":
            task[node, context] = None
    return parent


def chosen(parent):
    messages = sorted(parent)
    return messages[:: max(1, len(messages) // 25)]


def told(text):
    """Returns [(depth, message, marked)] of what a command told."""
    rows = re.findall(r"^ *(\d+)  ( *)(\* )?message (\d+) \(", text, re.M)
    return [(len(blanks) // 2, (int(cycle), int(number)), bool(mark))
            for cycle, blanks, mark, number in rows]


def judge(parent, message, text):
    rows = told(text)
    at = [mark for _, _, mark in rows].index(True)
    if rows[at][1] != message:
        return f"{message} is not marked"
    above, up = [row[1] for row in rows[:at]], []
    while parent[message]:
        message = parent[message]
        up.insert(0, message)
    if above != up[-16:]:
        return f"causes of {rows[at][1]}: {above}, not {up}"
    stack = []
    for depth, row, _ in rows[at:]:
        del stack[depth - rows[at][0]:]
        if stack and parent[row] != stack[-1]:
            return f"{row} is caused by {parent[row]}, not {stack[-1]}"
        stack.append(row)
    shown = {row[1] for row in rows[at:]}
    if " more\n" not in text:
        wanted = {child for child in parent if parent[child] in shown}
        if not wanted <= shown:
            return f"effects left out: {wanted - shown}"
    return None


def main():
    parent = graph(sys.argv[2])
    asked = chosen(parent)
    if sys.argv[1] == "ask":
        for cycle, number in asked:
            print(f"causes {number} from {cycle}")
        return 0
    text = open(sys.argv[3]).read()
    parts = re.split(r"^\(jm \d+\) causes .*\n", text, flags=re.M)[1:]
    assert len(parts) == len(asked) > 5, (len(parts), len(asked))
    wrong = [judge(parent, message, text) for message, text in zip(asked, parts)]
    print("\n".join(filter(None, wrong)))
    return 1 if any(wrong) else 0


sys.exit(main())
