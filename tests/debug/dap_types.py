#!/usr/bin/env python3
"""dap_types.py LOG...: writes the messages that `jm dap --log` has logged as constants of the
protocol's types in TypeScript, so that its compiler finds deviations from the protocol."""
import json
import re
import sys


def type_of(message):
    name = message.get("event") or message["command"]
    return name[:1].upper() + name[1:] + ("Event" if "event" in message else "Response")


seen = set()
print("import {DebugProtocol as P} from '@vscode/debugprotocol';")
for log in sys.argv[1:]:
    for line in open(log):
        if not line.startswith("-> "):
            continue
        message = json.loads(line[3:])
        if message["type"] == "response" and not message["success"]:
            continue
        text = json.dumps(message)
        kind = re.sub(r"\d+", "0", text)
        if kind not in seen:
            seen.add(kind)
            print(f"const m{len(seen)}: P.{type_of(message)} = {text};")
