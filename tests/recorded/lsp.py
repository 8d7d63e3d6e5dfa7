#!/usr/bin/env python3
"""lsp.py [MDPAS-OPTION]...: a client of mdpas --lsp, for recorded cases. Standard input
holds its steps, a line each; what the server answers is printed without the words of JSON:
ranges as 1:0-1:4 (lines and units from 0), texts in quotes, files by their names.

    open FILE                    as the file is on disk
    open FILE TEXT               with this text, a string of JSON
    change FILE RANGE TEXT       replaces a range, or all where it is -
    close FILE, save FILE
    remove FILE                  from the disk
    shown                        what the server has sent by itself
    METHOD FILE PLACE [PARAMS]   textDocument/METHOD at 1:4 or on 1:0-2:0 or - for neither
    ask METHOD PARAMS            any request
    tell METHOD PARAMS           any notification
    raw [TEXT, ...]              messages as they are, behind their lengths; after a ! bytes
                                 without one; \\udcFF is the byte FF. Then all answers, and the exit status
    end                          shutdown and exit, which is done anyhow; the exit status

PARAMS are JSON. @FILE in them becomes the URI of a file."""
import json
import os
import re
import subprocess
import sys
import urllib.parse

PLACE = re.compile(r"(\d+):(\d+)(?:-(\d+):(\d+))?$")
UTF8 = "--utf-8" in sys.argv


# The types of the protocol that the server uses: a key with a ? may be missing, others may
# not be there; [x] is a list, {x} an object by any keys, x|y one or the other.
TYPES = {
    "Position": {"line": "int", "character": "int"},
    "Range": {"start": "Position", "end": "Position"},
    "Location": {"uri": "str", "range": "Range"},
    "TextEdit": {"range": "Range", "newText": "str"},
    "Markup": {"kind": "str", "value": "str"},
    "Hover": {"contents": "Markup", "range?": "Range"},
    "CompletionItem": {"label": "str", "kind": "int", "detail": "str",
                       "documentation?": "Markup", "textEdit": "TextEdit"},
    "Parameter": {"label": "[int]"},
    "Signature": {"label": "str", "documentation": "Markup", "parameters": "[Parameter]"},
    "SignatureHelp": {"signatures": "[Signature]", "activeSignature": "int",
                      "activeParameter": "int"},
    "Highlight": {"range": "Range", "kind": "int"},
    "Placeholder": {"range": "Range", "placeholder": "str"},
    "WorkspaceEdit": {"changes": "{[TextEdit]}"},
    "DocumentSymbol": {"name": "str", "kind": "int", "detail": "str", "range": "Range",
                       "selectionRange": "Range", "children": "[DocumentSymbol]"},
    "Symbol": {"name": "str", "kind": "int", "location": "Location"},
    "Tokens": {"data": "[int]"},
    "Fold": {"startLine": "int", "endLine": "int", "kind?": "str"},
    "Link": {"range": "Range", "target": "str"},
    "Hint": {"position": "Position", "label": "str", "tooltip": "str", "paddingLeft": "bool"},
    "Action": {"title": "str", "kind": "str", "isPreferred": "bool",
               "diagnostics": "[any]", "edit": "WorkspaceEdit"},
    "Related": {"location": "Location", "message": "str"},
    "Diagnostic": {"range": "Range", "severity": "int", "source": "str", "message": "str",
                   "relatedInformation": "[Related]"},
    "Diagnostics": {"uri": "str", "version?": "int", "diagnostics": "[Diagnostic]"},
    "Error": {"code": "int", "message": "str"},
}
RESULTS = {
    "initialize": "any", "shutdown": "null", "textDocument/hover": "Hover|null",
    "textDocument/completion": "[CompletionItem]",
    "textDocument/signatureHelp": "SignatureHelp|null",
    "textDocument/definition": "[Location]", "textDocument/references": "[Location]",
    "textDocument/documentHighlight": "[Highlight]",
    "textDocument/prepareRename": "Placeholder", "textDocument/rename": "WorkspaceEdit",
    "textDocument/documentSymbol": "[DocumentSymbol]", "workspace/symbol": "[Symbol]",
    "textDocument/semanticTokens/full": "Tokens",
    "textDocument/semanticTokens/range": "Tokens", "textDocument/foldingRange": "[Fold]",
    "textDocument/documentLink": "[Link]", "textDocument/inlayHint": "[Hint]",
    "textDocument/formatting": "[TextEdit]", "textDocument/rangeFormatting": "[TextEdit]",
    "textDocument/codeAction": "[Action]",
}
BASIC = {"int": int, "str": str, "bool": bool, "null": type(None), "any": object}


def fits(value, kind):
    """Whether a value is of a type."""
    if "|" in kind:
        return any(fits(value, one) for one in kind.split("|"))
    if kind.startswith("["):
        return isinstance(value, list) and all(fits(item, kind[1:-1]) for item in value)
    if kind.startswith("{"):
        return isinstance(value, dict) and all(fits(item, kind[1:-1])
                                               for item in value.values())
    if kind in BASIC:
        return isinstance(value, BASIC[kind]) and (kind != "int" or not isinstance(value, bool))
    keys = {key.rstrip("?"): of for key, of in TYPES[kind].items()}
    return (isinstance(value, dict) and set(value) <= set(keys)
            and all(key in value for key in TYPES[kind] if not key.endswith("?"))
            and all(fits(item, keys[key]) for key, item in value.items()))


def uri(name):
    return "file://" + urllib.parse.quote(os.path.abspath(name))


def position(line, character):
    return {"line": int(line), "character": int(character)}


def place(text):
    """The parameters that a place stands for."""
    if text == "-":
        return {}
    line, character, end, last = PLACE.match(text).groups()
    start = position(line, character)
    if end is None:
        return {"position": start}
    return {"range": {"start": start, "end": position(end, last)}}


class Client:
    def __init__(self, options):
        self.server = subprocess.Popen(
            [os.environ.get("build", "build") + "/mdpas", "--lsp", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.number, self.texts, self.versions, self.notices = 0, {}, {}, []

    def write(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def read(self):
        """The next message; None at the end."""
        length = 0
        while (line := self.server.stdout.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                length = int(value)
        if line == b"":
            return None
        message = json.loads(self.server.stdout.read(length))
        assert message["jsonrpc"] == "2.0", message
        return message

    def request(self, method, params):
        self.number += 1
        self.write({"id": self.number, "method": method, "params": params})
        while (message := self.read()) is not None and message.get("id") != self.number:
            self.notices.append(message)
        if message is None:
            return {"error": "no answer"}
        if "error" in message:
            assert fits(message["error"], "Error"), message
            return {"error": message["error"]}
        assert fits(message["result"], RESULTS[method]), (method, message)
        return message["result"]

    def notify(self, method, params):
        self.write({"method": method, "params": params})

    def initialize(self, **more):
        encodings = {"positionEncodings": ["utf-8"]} if UTF8 else {}
        answer = self.request("initialize", {"processId": None, "rootUri": uri("."),
                                             "capabilities": {"general": encodings}, **more})
        self.kinds = answer["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
        return answer

    def open(self, name, text):
        self.texts[name], self.versions[name] = text, 1
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri(name), "languageId": "mdp", "version": 1, "text": text}})

    def change(self, name, changes):
        self.versions[name] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri(name), "version": self.versions[name]},
            "contentChanges": changes})

    def diagnostics(self):
        """Asks for something, so that the server is idle after it; waits for what it sends."""
        self.write({"id": -1, "method": "mdpas/idle"})
        while (message := self.read()) is not None and message.get("id") != -1:
            self.notices.append(message)
        shown, self.notices = [message["params"] for message in self.notices], []
        assert all(fits(params, "Diagnostics") for params in shown), shown
        return shown

    def end(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.server.wait()


def shown(value):
    """A value of JSON in short."""
    if isinstance(value, dict):
        if set(value) == {"line", "character"}:
            return f"{value['line']}:{value['character']}"
        if set(value) == {"start", "end"}:
            return f"{shown(value['start'])}-{shown(value['end'])}"
        return "{" + " ".join(f"{name(key)} {shown(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    if isinstance(value, str):
        return "'" + name(value).replace("'", "`").replace("\n", "\\n") + "'"
    return json.dumps(value)


def name(text):
    return os.path.relpath(text[7:]) if text.startswith("file:///") else text


def tokens(client, answer):
    """Semantic tokens as words: line, character, length, kind, ! for a definition."""
    line, character, found = 0, 0, []
    for i in range(0, len(answer["data"]), 5):
        lines, characters, length, kind, modifiers = answer["data"][i:i + 5]
        line, character = line + lines, characters + (character if lines == 0 else 0)
        found.append(f"{line}:{character} {length} {client.kinds[kind]}{'!' * modifiers}")
    return found


def with_files(text):
    return json.loads(re.sub(r"@([\w./-]+)", lambda found: uri(found.group(1)), text))


def step(client, line):
    verb, _, rest = line.partition(" ")
    words = rest.split(" ", 2) + [""] * 3
    if verb == "open":
        file, _, text = rest.partition(" ")
        with open(file) if not text else open(os.devnull) as source:
            client.open(file, json.loads(text) if text else source.read())
    elif verb == "change":
        client.change(words[0], [{**place(words[1]), "text": json.loads(words[2])}])
    elif verb == "close":
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri(rest)}})
    elif verb == "save":
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri(rest)}})
    elif verb == "remove":
        os.remove(rest)
    elif verb == "shown":
        for params in client.diagnostics():
            print(f"{name(params['uri'])} version {params.get('version')}")
            for one in params["diagnostics"]:
                print("   ", shown(one))
    elif verb == "ask":
        method, _, params = rest.partition(" ")
        print(shown(client.request(method, with_files(params or "null"))))
    elif verb == "tell":
        method, _, params = rest.partition(" ")
        client.notify(method, with_files(params or "null"))
    elif verb == "raw":
        for text in json.loads(rest):
            body = text.encode(errors="surrogateescape")
            client.server.stdin.write(body[1:] if text.startswith("!") else
                                      b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        client.server.stdin.close()
        while (message := client.read()) is not None:
            print(shown(message))
        print("status", client.server.wait())
    elif verb == "end":
        print("status", client.end())
    else:
        params = {"textDocument": {"uri": uri(words[0])}, **place(words[1])}
        params.update(with_files(words[2] or "{}"))
        answer = client.request("textDocument/" + verb, params)
        print(shown(tokens(client, answer) if verb.startswith("semantic") else answer))


def main():
    client = Client([option for option in sys.argv[1:] if option != "--utf-8"])
    lines = [line for line in sys.stdin.read().splitlines() if line]
    if not lines[0].startswith("raw"):
        client.initialize()
        client.notify("initialized", {})
    for line in lines:
        step(client, line)
    if client.server.poll() is None:
        client.end()
    print(client.server.stderr.read().decode(), end="")


if __name__ == "__main__":
    main()
