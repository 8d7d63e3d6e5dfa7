#!/usr/bin/env python3
"""browse.py CHROMIUM PROFILE PAGE STEPS: opens a page in headless Chromium and does what
a file says, a step a line:

    open [#FRAGMENT]          opens the page anew, there
    reload                    opens the page anew in the same window
    size WIDTH HEIGHT         the window, in CSS pixels
    scheme light|dark         what the system prefers
    do EXPRESSION             runs JavaScript in the page
    check TEXT: EXPRESSION    fails with TEXT unless it is true; promises are awaited
    put FILE EXPRESSION       a text, into the folder of PROFILE
    key [ctrl-|shift-]NAME    presses and releases a key, as DOM names it, or Space
    type TEXT                 the keys of a text
    tab SELECTOR              Tab until the element has the focus, or fails
    drag|touch SELECTOR X Y   from the element's middle by so many pixels
    shot FILE                 a picture of the window, .png or .webp, in the folder of
                              PROFILE

Errors in the page's console and anything it asks the network for are failures too.

The browser is driven through its DevTools protocol over pipes, not by Selenium, which
needs a driver of the same version and a port, does not give up on a page that computes
without end, and leaves the browser behind when it is killed."""
import base64
import fcntl
import json
import os
import pathlib
import signal
import subprocess
import sys

SECONDS, TABS_MOST = 600, 200
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
           "--disable-dev-shm-usage", "--disable-extensions",
           "--disable-background-networking", "--hide-scrollbars",
           "--remote-debugging-pipe"]
# Keys that do something by themselves need their code; letters need a text.
CODES = {"Tab": (9, ""), "Enter": (13, "\r"), "Escape": (27, ""), " ": (32, " "),
         "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""),
         "ArrowDown": (40, "")}
MODIFIERS = {"ctrl-": 2, "shift-": 8}


class Browser:
    """The protocol: JSON objects that end in a zero byte."""

    def __init__(self, program, profile):
        to, self.commands = os.pipe()
        answers, back = os.pipe()
        self.answers = open(answers, "rb")
        far = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to, back)]
        # The browser reads commands from its file 3 and writes to 4; what it says
        # otherwise is about the host, not the page.
        self.process = subprocess.Popen(
            [program, *OPTIONS, f"--user-data-dir={profile}"], stderr=subprocess.DEVNULL,
            preexec_fn=lambda: (os.dup2(far[0], 3), os.dup2(far[1], 4)), pass_fds=(3, 4))
        for end in (to, back, *far):
            os.close(end)
        self.session, self.last_id, self.loaded, self.rest = None, 0, False, b""
        self.checks = self.failures = 0

    def fail(self, what, detail):
        print(f"{what}: {detail}")
        self.failures += 1

    def next_message(self):
        while b"\0" not in self.rest:
            more = self.answers.read1(1 << 20)
            if not more:
                sys.exit("browse: the browser has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def see_event(self, method, params):
        """What the page does unasked: only its loading is no failure."""
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            self.fail("an exception in the page", params["exceptionDetails"])
        elif method == "Runtime.consoleAPICalled":
            self.fail("a message in the console", params["args"])
        elif method == "Log.entryAdded":
            if params["entry"]["source"] != "rendering":  # of the host's driver
                self.fail("a message in the console", params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:")):
                self.fail("the page asks the network for", url)

    def call(self, method, **params):
        """Sends a command and waits for its result."""
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next_message()
            if answer.get("id") == self.last_id:
                break
            self.see_event(answer.get("method"), answer.get("params"))
        if "error" in answer:
            sys.exit(f"browse: {method}: {answer['error']['message']}")
        return answer["result"]

    def open_page(self, path):
        """Events are asked for before the page is opened, so that none is missed."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log", "Network":
            self.call(domain + ".enable")
        self.load("file://" + path)

    def load(self, url):
        """Leads the page to a place and waits until it is loaded."""
        self.wait_for_load("Page.navigate", url=url)

    def wait_for_load(self, method, **parameters):
        self.loaded = False
        self.call(method, **parameters)
        while not self.loaded:
            event = self.next_message()
            self.see_event(event.get("method"), event.get("params"))

    def evaluate(self, expression):
        """The value of an expression in the page; None and a failure if it throws."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in result:
            self.fail(expression, result["exceptionDetails"])
            return None
        return result["result"].get("value")


# ---- steps ---------------------------------------------------------------------------

def step_open(browser, rest):
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.call("Emulation.setEmulatedMedia", features=[])
    browser.load("about:blank")  # another fragment alone would load nothing
    browser.load("file://" + browser.page + rest)


def step_reload(browser, rest):
    browser.wait_for_load("Page.reload")


def step_size(browser, rest):
    width, height = map(int, rest.split())
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=width < 600)


def step_scheme(browser, rest):
    scheme = {"name": "prefers-color-scheme", "value": rest}
    browser.call("Emulation.setEmulatedMedia", features=[scheme])


def step_do(browser, rest):
    browser.evaluate(rest)


def step_check(browser, rest):
    text, expression = rest.split(": ", 1)
    value = browser.evaluate(expression)
    browser.checks += 1
    if value is not True and value != "":
        browser.fail(text, value)


def step_put(browser, rest):
    name, expression = rest.split(" ", 1)
    (browser.folder / name).write_text(browser.evaluate(expression) or "")


def press(browser, name, modifiers=0):
    text = name if len(name) == 1 and modifiers != MODIFIERS["ctrl-"] else ""
    code, text = CODES.get(name, (ord(name.upper()) if name.isalnum() and len(name) == 1
                                  else 0, text))
    key = {"key": name, "windowsVirtualKeyCode": code, "modifiers": modifiers}
    browser.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown",
                 text=text, **key)
    browser.call("Input.dispatchKeyEvent", type="keyUp", **key)


def step_key(browser, rest):
    modifiers = 0
    for prefix, value in MODIFIERS.items():
        if rest.startswith(prefix):
            rest, modifiers = rest.removeprefix(prefix), value
    press(browser, " " if rest == "Space" else rest, modifiers)


def step_type(browser, rest):
    for letter in rest:
        press(browser, letter)


def step_tab(browser, rest):
    browser.checks += 1
    for _ in range(TABS_MOST):
        press(browser, "Tab")
        if browser.evaluate(f"document.activeElement.matches('{rest}')") is True:
            return
    browser.fail("Tab does not lead to", rest)


def path_of(browser, rest):
    """The points of a path: "SELECTOR X Y"; the element is brought into the window
    first. In two moves, as hands do."""
    selector, dx, dy = rest.rsplit(" ", 2)
    x, y = browser.evaluate(
        f"(() => {{ const e = document.querySelector('{selector}');"
        "e.scrollIntoView({block: 'center', behavior: 'instant'});"
        "const r = e.getBoundingClientRect();"
        "return [r.x + r.width / 2, r.y + r.height / 2]; })()")
    return [(x + float(dx) * part, y + float(dy) * part) for part in (0, 0.5, 1, 1)]


def step_drag(browser, rest):
    kinds = "mousePressed", "mouseMoved", "mouseMoved", "mouseReleased"
    for kind, (x, y) in zip(kinds, path_of(browser, rest), strict=True):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                     buttons=1, clickCount=1)


def step_touch(browser, rest):
    kinds = "touchStart", "touchMove", "touchMove", "touchEnd"
    for kind, (x, y) in zip(kinds, path_of(browser, rest), strict=True):
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)


def step_shot(browser, rest):
    kind = {"quality": 70, "format": "webp"} if rest.endswith(".webp") else {"format": "png"}
    picture = browser.call("Page.captureScreenshot", **kind)["data"]
    (browser.folder / rest).write_bytes(base64.b64decode(picture))


STEPS = {name.removeprefix("step_"): function for name, function in list(globals().items())
         if name.startswith("step_")}


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    program, profile, page, steps = sys.argv[1:]
    lines = pathlib.Path(steps).read_text().splitlines()
    browser = Browser(program, profile)
    browser.folder, browser.page = pathlib.Path(profile).parent, page
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("browse: the browser hangs"))
    signal.alarm(SECONDS)
    try:
        browser.open_page(page)
        for line in lines:
            name, _, rest = line.partition(" ")
            if name and not name.startswith("#"):
                STEPS[name](browser, rest)
        browser.session = None
        browser.call("Browser.close")
        browser.process.wait()
    finally:
        browser.process.kill()
    print(f"{browser.checks} checks of the page in a browser, {browser.failures} failures")
    return browser.failures > 0


if __name__ == "__main__":
    sys.exit(main())
