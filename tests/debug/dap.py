#!/usr/bin/env python3
"""dap.py [JM-DAP-OPTION]...: a client of `jm dap` that does what standard input says and
prints what is answered, a message a line, for recorded sessions.

    COMMAND [JSON]        sends a request and waits for its answer
    post COMMAND [JSON]   sends it without waiting
    await EVENT           waits for an event; prints what comes before it
    raw TEXT              sends these bytes, with Python's escapes
    text TEXT             sends a message of this text
    end                   closes the pipe and prints the rest
    only NAME...          prints of answers' bodies and of events only these members
"""
import json
import os
import re
import select
import subprocess
import sys

SECONDS = 120


class Client:
    """A session. Messages that have been read and not been asked for are `told`."""

    def __init__(self, *options, **environment):
        if "DAP_LOGS" in os.environ:
            options = ["--log", f"{os.environ['DAP_LOGS']}/{os.getpid()}", *options]
        self.adapter = subprocess.Popen([os.environ["build"] + "/jm", "dap", *options],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, **environment})
        self.sequence = 0
        self.input = b""
        self.told = []

    def send(self, data):
        self.adapter.stdin.write(data)
        self.adapter.stdin.flush()

    def post(self, command, arguments=None):
        """Sends a request; returns its number."""
        return self.post_together((command, arguments))

    def post_together(self, *requests):
        """Sends requests that arrive at once; returns the number of the last."""
        sent = b""
        for command, arguments in requests:
            self.sequence += 1
            message = {"seq": self.sequence, "type": "request", "command": command}
            if arguments is not None:
                message["arguments"] = arguments
            data = json.dumps(message).encode()
            sent += b"Content-Length: %d\r\n\r\n%s" % (len(data), data)
        self.send(sent)
        return self.sequence

    def message(self):
        """The next message; None at the end."""
        while True:
            header, found, rest = self.input.partition(b"\r\n\r\n")
            length = int(header.partition(b":")[2]) if found else 0
            if found and len(rest) >= length:
                self.input = rest[length:]
                return json.loads(rest[:length])
            if not select.select([self.adapter.stdout], [], [], SECONDS)[0]:
                raise TimeoutError("no message")
            data = os.read(self.adapter.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self.input += data

    def until(self, wanted):
        """Messages up to the first that is wanted."""
        found = []
        while not found or not wanted(found[-1]):
            message = self.message()
            if message is None:
                raise EOFError("the adapter has ended")
            found.append(message)
        self.told += found
        return found[-1]

    def ask(self, command, **arguments):
        """The answer to a request."""
        number = self.post(command, arguments)
        return self.until(lambda m: m["type"] == "response" and m["request_seq"] == number)

    def get(self, command, **arguments):
        """The body of an answer that must not fail."""
        answer = self.ask(command, **arguments)
        assert answer["success"], answer
        return answer.get("body")

    def event(self, name):
        """The body of the next event of that name, which may have been told."""
        for i, message in enumerate(self.told):
            if message.get("event") == name:
                del self.told[:i + 1]
                return message.get("body")
        self.until(lambda m: m.get("event") == name)
        return self.told.pop().get("body")

    def move(self, command, **arguments):
        """Moves the machine; where it has stopped."""
        self.told.clear()
        self.get(command, **arguments)
        self.until(lambda m: m.get("event") in ("stopped", "terminated"))
        return self.told[-1].get("body")

    def begin(self, initialize=None, breakpoints=(), **attributes):
        """Launches a program and stops at its entry."""
        self.get("initialize", adapterID="jmachine", **(initialize or {}))
        self.get("launch", stopOnEntry=True, **attributes)
        for request, more in breakpoints:
            self.get(request, **more)
        return self.move("configurationDone")

    def end(self):
        """The exit status."""
        self.get("disconnect")
        self.adapter.stdin.close()
        return self.adapter.wait(SECONDS)


def shown(message, only):
    """A message as a line."""
    body = message.get("body", {})
    if only:
        body = {k: v for k, v in body.items() if k in only}
    body = json.dumps(body, sort_keys=True) if body else ""
    if message["type"] == "event":
        return f"  event {message['event']} {body}".rstrip()
    if not message["success"]:
        return f"{message['command']} fails: {message['message']}"
    return f"{message['command']} {body}".rstrip()


def converse(client, lines):
    only = []
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "only":
            only = rest.split()
        elif word == "raw":
            client.send(rest.encode().decode("unicode_escape").encode("latin-1"))
        elif word == "text":
            client.send(b"Content-Length: %d\r\n\r\n%s" % (len(rest), rest.encode()))
        elif word == "end":
            client.adapter.stdin.close()
            while (message := client.message()) is not None:
                client.told.append(message)
        elif word == "await":
            client.until(lambda m, name=rest: m.get("event") == name)
        elif word == "post":
            command, _, rest = rest.partition(" ")
            client.post(command, json.loads(rest) if rest else None)
        elif word:
            number = client.post(word, json.loads(rest) if rest else None)
            client.until(lambda m, n=number: m.get("request_seq") == n)
        for message in client.told:
            print(shown(message, only), flush=True)
        client.told.clear()
    client.adapter.stdin.close()
    print("status", client.adapter.wait(SECONDS))


if __name__ == "__main__":
    converse(Client(*sys.argv[1:]),
             [re.sub(r"\$(\w+)", lambda m: os.environ.get(m[1], m[0]), line)
              for line in sys.stdin])
