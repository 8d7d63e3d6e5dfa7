/* The page: its elements, the machine in its worker, and what happens between them. */

const view = new View($("view"), $("overlay"));
let view2 = null;
const queueChart = new Chart($("chartqueue"), $("queuenow"));
const wireChart = new Chart($("chartwire"), $("wirenow"));

const machine = new Machine({
    view: (v, stopped, out, err) => took(v, {stopped, out, err}),
    late: is => banner(is ? "The machine has not answered for some time." : "", is),
    broken: text => {
        loaded = running = false;
        say(`${text}\n`, "ended");
        banner(`The machine broke down: ${text}`);
        buttons();
    },
});

function banner(text, stoppable) {
    $("banner").hidden = !text;
    $("banner").textContent = text;
    if (stoppable)
        $("banner").append(" ", linkButton("End it", () => {
            machine.broke("it was ended");
            if (second)
                second.broke("it was ended");
            banner("");
        }));
}

const say = (text, kind) => append($("console"), text, kind);

/* What a program prints: shown at once, or while it runs from time to time. */
let unprinted = "";
function print(text) {
    unprinted = (unprinted + text).slice(-CONSOLE_LIMIT);
    if (!running)
        flush();
}

function flush() {
    append($("output"), unprinted);
    unprinted = "";
}

function listPrograms() {
    $("program").replaceChildren(...[...programs.keys()].sort().map(name => new Option(name, name)));
}

const actions = {
    run: () => (running ? pause() : run()),
    step: () => command("step", true),
    task: () => command("task", true),
    cycle: () => command("cycle", true),
    back: () => command("reverse-step", true, 20000),
    back100: () => back(100),
    restart: () => load(),
    link: makeLink,
    record,
    saved: saveEvents,
    save: async () => {
        await command("save machine.jms", true);
        download("machine.jms", await fileOf("machine.jms"));
    },
    help: () => {
        $("keys").hidden = !$("keys").hidden;
        $("help").setAttribute("aria-expanded", !$("keys").hidden);
    },
};

const count = () => size[0] * size[1] * size[2];
const keys = {
    " ": actions.run, i: actions.step, t: actions.task, c: actions.cycle, b: actions.back,
    h: actions.back100, "?": actions.help, ":": () => $("line").focus(),
    ArrowLeft: () => turn(-0.1, 0), ArrowRight: () => turn(0.1, 0),
    ArrowUp: () => turn(0, -0.1), ArrowDown: () => turn(0, 0.1),
    "+": () => zoom(1.15), "-": () => zoom(1 / 1.15),
    n: () => chooseNode((view.chosen + 1) % count()),
    p: () => chooseNode((view.chosen + count() - 1) % count()),
};
const views = () => (view2 && hasSecond() ? [view, view2] : [view]);
const turn = (x, y) => views().forEach(v => v.turnBy(x, y));
const zoom = factor => views().forEach(v => v.zoomBy(factor));

function guarded(action) {
    return async (...args) => {
        try {
            await action(...args);
        } catch (error) {
            say(`${error.message}\n`, "ended");
        }
    };
}

const lines = []; // of the command line, for the arrows
let lineAt = 0;
async function complete() {
    const input = $("line"), text = input.value;
    const start = text.lastIndexOf(" ") + 1;
    const {found} = await machine.ask("complete", {line: text, start});
    if (found.length === 1)
        input.value = text.slice(0, start) + found[0] + " ";
    else if (found.length)
        say(found.join("  ") + "\n");
}

function wire() {
    for (const [id, action] of Object.entries(actions))
        $(id).addEventListener("click", guarded(action));
    document.addEventListener("keydown", e => {
        const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName);
        if (typing && e.key === "Escape")
            e.target.blur();
        if (e.target === $("source") && e.key === "Enter" && e.ctrlKey)
            guarded(async () => (await load()) && run())();
        const pressing = e.target.tagName === "BUTTON" && e.key === " ";
        if (typing || pressing || e.ctrlKey || e.altKey || e.metaKey || !keys[e.key])
            return;
        e.preventDefault();
        guarded(keys[e.key])();
    });
    $("source").addEventListener("input", number);
    $("source").addEventListener("scroll", drawGutter);
    $("settings").addEventListener("submit", e => {
        e.preventDefault();
        guarded(load)();
    });
    $("program").addEventListener("change", guarded(async () => {
        choose($("program").value);
        takeOptions($("program").value);
        await load();
    }));
    wireColours();
    $("source").addEventListener("paste", guarded(takePaste));
    $("story").addEventListener("change", guarded(() => beginStory(+($("story").value || -1))));
    $("colour").addEventListener("change", () => {
        painted = painted2 = null;
        paint();
    });
    $("topic").addEventListener("change", guarded(inspect));
    $("node").addEventListener("change", () => {
        const text = $("node").value;
        const node = text.includes(",") ? rankOf(text, size) : Number(text);
        if (Number.isInteger(node) && node >= 0 && node < count())
            chooseNode(node);
    });
    $("speed").addEventListener("input", guarded(async () => {
        $("speedtext").textContent = speed() ? `${speed().toLocaleString("en")} cycles/s` : "all";
        if (running)
            await run();
    }));
    $("goto").addEventListener("change", guarded(() => command(`goto ${$("goto").value}`, true, 30000)));
    $("event").addEventListener("change", guarded(async () => {
        const wire = /^(watch|until)/.test($("event").value); // of the chosen node
        const on = $("onnode").checked && !wire ? ` on ${view.chosen}` : "";
        if ($("event").value)
            await command($("event").value + on);
        $("event").value = "";
    }));
    $("open").addEventListener("change", guarded(async e => {
        const [file] = e.target.files;
        e.target.value = ""; // so that the same file can be opened again
        await openFile(file);
    }));
    $("prompt").addEventListener("submit", guarded(async e => {
        e.preventDefault();
        const line = $("line").value;
        lineAt = lines.push(line);
        $("line").value = "";
        await command(line);
    }));
    $("line").addEventListener("keydown", e => {
        const step = {ArrowUp: -1, ArrowDown: 1}[e.key];
        if (step) {
            lineAt = Math.max(0, Math.min(lines.length, lineAt + step));
            $("line").value = lines[lineAt] || "";
            e.preventDefault();
        } else if (e.key === "Tab" && !e.shiftKey && $("line").value) {
            e.preventDefault();
            guarded(complete)();
        }
    });
}

/* Returns what is wrong with a link, "" if nothing is. */
async function wrongLink(part) {
    try {
        await readLink(part);
        return "";
    } catch (error) {
        return `The link cannot be read: ${error.message}.`;
    }
}

async function begin() {
    listPrograms();
    STORIES.forEach((s, i) => $("story").append(new Option(s.title, i)));
    $("legend").innerHTML = `none <i style="background:linear-gradient(90deg,${rampCss})"></i> all`;
    wire();
    view.setSize([8, 8, 8]); // until a machine is there
    makeTurn([view], chooseNode);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        [...views(), queueChart, wireChart].forEach(picture => picture.draw());
    });
    buttons();
    const part = new URLSearchParams(location.hash.slice(1));
    if (part.has("run")) {
        await runForStats(part);
    } else {
        choose("greet");
        takeOptions("greet");
        const wrong = part.has("program") ? await wrongLink(part) : "";
        await load();
        requestAnimationFrame(() => performance.mark("first view")); // after that is drawn
        banner(wrong);
    }
    if (part.has("story")) {
        $("story").value = part.get("story");
        await beginStory(+part.get("story"));
    }
    document.body.dataset.ready = "yes";
}

guarded(begin)();
