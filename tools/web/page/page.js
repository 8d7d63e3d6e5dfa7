/* The page: its elements, the machine in its worker, and what happens between them. */

const $ = id => document.getElementById(id);
const FIELDS = 8, F = {queue0: 0, queue1: 1, size0: 2, faults: 3, overflows: 4, flits: 5,
                       tasks: 6, instructions: 7};
const DISPLAY_MOST = 128; // words of a side of one node's block
const programs = new Map(); // name -> {main, files}
for (const path of Object.keys(FILES)) {
    const [, name, file] = path.split("/");
    const program = programs.get(name) || {files: []};
    program.files.push(path);
    if (file === `${name}.s`)
        program.main = path;
    programs.set(name, program);
}

const texts = {...FILES}; // as edited
let shown = ""; // path of the file in the editor
let loaded = false, running = false, last = null, size = [1, 1, 1], story = null, moment = 0;
let recording = "", busy = false;

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
let second = null; // machine beside the first
let last2 = null;

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
const print = text => append($("output"), text);

/* ---- source ---- */

function show(path) {
    if (shown)
        texts[shown] = $("source").value;
    shown = path;
    $("source").value = texts[path];
    for (const tab of $("files").children)
        tab.setAttribute("aria-selected", tab.dataset.path === path);
    number();
}

/* Numbers the lines; those of `wrong` are marked. */
let wrong = new Map();
function number() {
    const count = $("source").value.split("\n").length;
    const marked = wrong.get(shown) || new Set();
    const gutter = $("gutter");
    gutter.replaceChildren();
    let plain = "";
    for (let i = 1; i <= count; i++) {
        if (!marked.has(i)) {
            plain += `${i}\n`;
            continue;
        }
        const mark = document.createElement("b");
        mark.textContent = i;
        gutter.append(plain, mark);
        plain = "";
    }
    gutter.append(plain);
    gutter.scrollTop = $("source").scrollTop;
}

function choose(name) {
    const program = programs.get(name);
    $("program").value = name;
    $("files").replaceChildren(...program.files.map(path => {
        const tab = linkButton(path.split("/").pop(), () => show(path));
        tab.dataset.path = path;
        tab.setAttribute("role", "tab");
        return tab;
    }));
    $("files").hidden = program.files.length < 2;
    shown = "";
    wrong = new Map();
    show(program.main);
}

/* Puts the options of a source's first line (`; run:`) into the form. */
function takeOptions(name) {
    const run = /^; run: (.*)$/m.exec(texts[programs.get(name).main]);
    setOptions(run ? run[1] : "");
}

const FORM = {"--mesh": "mesh", "--queue": "queue", "--router": "router", "--seed": "seed"};
function setOptions(text) {
    const words = text.split(/\s+/).filter(Boolean), rest = [];
    Object.assign($("mesh"), {value: "1x1x1"});
    $("queue").value = "";
    $("router").value = "unfair";
    $("seed").value = "1";
    for (let i = 0; i < words.length; i++)
        if (FORM[words[i]])
            $(FORM[words[i]]).value = words[++i] || "";
        else
            rest.push(words[i]);
    $("options").value = rest.join(" ");
}

function options() {
    const words = ["--mesh", $("mesh").value.trim()];
    for (const name of ["queue", "seed", "router"]) {
        const value = $(name).value.trim();
        const plain = {queue: "", seed: "1", router: "unfair"}[name];
        if (value !== plain)
            words.push(`--${name}`, value);
    }
    return [...words, ...$("options").value.split(/\s+/).filter(Boolean)];
}

/* Shows the messages of assembler and linker; each leads to its line. */
function diagnose(text) {
    const list = $("diagnostics");
    list.replaceChildren();
    wrong = new Map();
    for (const part of text.split(/\n(?=\S)/)) {
        if (!part.trim())
            continue;
        const place = /^(\S+?):(\d+):(?:(\d+):)?/.exec(part);
        const item = document.createElement("li");
        item.append(linkButton(part.trimEnd(), () => place && goToLine(place[1], +place[2],
                                                                       +place[3] || 1)));
        list.append(item);
        if (place && place[1] in texts) {
            wrong.set(place[1], wrong.get(place[1]) || new Set());
            wrong.get(place[1]).add(+place[2]);
        }
    }
    number();
}

function goToLine(path, line, column) {
    if (!(path in texts))
        return;
    if (path !== shown)
        show(path);
    const source = $("source"), lines = source.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    source.focus();
    source.setSelectionRange(at + column - 1, at + (lines[line - 1] || "").length);
    source.scrollTop = Math.max(0, (line - 6) * source.scrollHeight / lines.length);
}

/* ---- loading ---- */

async function putFiles(target, name) {
    texts[shown] = $("source").value;
    for (const path of programs.get(name).files)
        await target.ask("put", {name: path, content: texts[path]});
}

/* Assembles and loads; true if there is a machine. */
async function load(words = options()) {
    const name = $("program").value;
    await pause();
    $("output").replaceChildren();
    queueChart.clear();
    wireChart.clear();
    last = null;
    loaded = false;
    await putFiles(machine, name);
    const answer = await machine.ask("open", {words: [...words, programs.get(name).main]});
    diagnose(answer.err);
    if (!answer.good) {
        $("state").textContent = "not loaded: see the messages below the source";
        buttons();
        return false;
    }
    loaded = true;
    banner("");
    setSize(answer.size);
    took(answer.view, answer);
    await inspect();
    listStops();
    return true;
}

function setSize(mesh) {
    size = mesh;
    view.setSize(mesh);
    view.zoom = 1;
    $("node").value = view.chosen;
}

async function loadSecond(words) {
    $("second").hidden = !words;
    $("stage").classList.toggle("two", !!words);
    last2 = null;
    if (!words)
        return;
    view2 = view2 || new View($("view2"), $("overlay2"));
    if (!second) {
        second = new Machine({
            view: (v, stopped) => tookSecond(v, stopped), late: () => {},
            broken: text => banner(text),
        });
        makeTurn([view, view2], chooseNode);
    }
    await putFiles(second, $("program").value);
    const answer = await second.ask("open", {words});
    if (answer.good) {
        view2.setSize(answer.size);
        Object.assign(view2, {yaw: view.yaw, pitch: view.pitch, zoom: view.zoom});
        tookSecond(answer.view);
    } else {
        banner(answer.err);
    }
}

const hasSecond = () => second && !$("second").hidden;

function tookSecond(v) {
    if (!v)
        return;
    view2.setShares(sharesOf(v, last2));
    last2 = v;
    state();
}

/* ---- running ---- */

function speed() {
    const at = +$("speed").value;
    return at === 100 ? 0 : Math.round(10 ** (1 + at * 0.05));
}

async function run() {
    if (!loaded && !(await load()))
        return;
    running = true;
    buttons();
    await machine.ask("run", {speed: speed()});
    if (hasSecond())
        await second.ask("run", {speed: speed()});
}

async function pause() {
    if (!running)
        return;
    running = false;
    buttons();
    const answer = await machine.ask("pause");
    took(answer.view, answer);
    if (hasSecond()) {
        const other = await second.ask("pause");
        tookSecond(other.view);
    }
    await inspect();
}

/* Does a command and shows what it says; `quiet`: the console is not told. */
async function command(line, quiet, budget) {
    if (!loaded && !(await load()))
        return;
    await pause();
    if (/^(c|cont|continue)$/.test(line.trim()) && !quiet) {
        say(`(jm) ${line}\n`, "said");
        await run();
        return;
    }
    if (!quiet)
        say(`(jm) ${line}\n`, "said");
    const answer = await machine.ask("do", {line, budget});
    if (!quiet || !answer.good)
        say(answer.out + answer.err);
    took(answer.view, {});
    chooseStopped(answer.out);
    await inspect();
    listStops();
}

/* Chooses the node at which a stop was hit. */
function chooseStopped(text) {
    const node = /^cycle \d+: (?:stop|until).*?, node (\d+)/m.exec(text);
    if (!node)
        return;
    view.chosen = Number(node[1]);
    $("node").value = node[1];
    view.draw();
}

/* Does a command at both machines. */
async function both(line, budget) {
    await Promise.all([
        command(line, false, budget),
        hasSecond() && second.ask("do", {line, budget}).then(answer => tookSecond(answer.view)),
    ]);
}

async function back(cycles) {
    if (last)
        await command(`goto ${Math.max(0, last.cycle - cycles)}`, true, 20000);
}

function buttons() {
    $("run").textContent = running ? "Pause" : "Run";
    for (const id of ["step", "task", "cycle", "back", "back100", "restart"])
        $(id).disabled = !loaded;
}

/* ---- what came from the machine ---- */

function took(v, {stopped, out = "", err = ""}) {
    if (stopped) {
        running = false;
        const at = out.lastIndexOf(`cycle ${v.cycle}:`);
        print(at < 0 ? out : out.slice(0, at));
        say(at < 0 ? "" : out.slice(at), "ended");
        chooseStopped(out);
        buttons();
        inspect();
        listStops();
    } else {
        print(out);
    }
    say(err, "ended");
    if (!v)
        return;
    chart(v);
    view.setShares(sharesOf(v, last));
    last = v;
    state();
    buttons();
    drawDisplay();
}

function deepest(v) {
    let most = 0;
    for (let i = 0; i < v.fields.length; i += FIELDS)
        most = Math.max(most, v.fields[i + F.queue0]);
    return most;
}

function sum(v, field) {
    let total = 0;
    for (let i = field; i < v.fields.length; i += FIELDS)
        total += v.fields[i];
    return total;
}

function chart(v) {
    queueChart.add(v.cycle, deepest(v));
    const cycles = last ? v.cycle - last.cycle : 0;
    if (cycles > 0)
        wireChart.add(v.cycle, Math.max(0, sum(v, F.flits) - sum(last, F.flits)) / cycles);
}

/* Returns what the colour of each node says, from 0 to 1. */
function sharesOf(v, before) {
    const count = v.fields.length / FIELDS, shares = new Float32Array(count);
    const kind = $("colour").value;
    const grown = (i, field) => before && before.fields.length === v.fields.length
        ? Math.max(0, v.fields[i + field] - before.fields[i + field]) : 0;
    const cycles = before ? Math.max(1, v.cycle - before.cycle) : 1;
    for (let n = 0, i = 0; n < count; n++, i += FIELDS)
        if (kind === "queue")
            shares[n] = v.fields[i + F.queue0] / Math.min(v.fields[i + F.size0], 1024);
        else if (kind === "running")
            shares[n] = v.fields[i + F.tasks] & 2 ? 1
                      : v.fields[i + F.tasks] & 1 ? 0.6 : grown(i, F.instructions) ? 0.25 : 0;
        else if (kind === "faults")
            shares[n] = before && before !== v ? Math.min(1, grown(i, F.faults) / cycles * 100)
                                               : Math.min(1, v.fields[i + F.faults] / 1000);
        else
            shares[n] = Math.min(1, grown(i, F.flits) / cycles / 2.5);
    return shares;
}

function state() {
    if (!last)
        return;
    const tell = v => `cycle ${v.cycle.toLocaleString("en")}, longest queue ${deepest(v)} words, ` +
                      `${sum(v, F.overflows)} overflows, ${sum(v, F.faults)} SEND faults`;
    $("state").textContent = last2 && hasSecond() ? `left: ${tell(last)}. right: ${tell(last2)}`
                                                  : tell(last);
}

/* A program draws into a block of words: display, display_width, display_height. The
 * blocks of the nodes make a mosaic, planes beside each other. A word's low 24 bits are
 * red, green and blue. */
let drawn = 0, stale = false; // when last; whether it has changed since
async function drawDisplay() {
    const now = performance.now();
    stale = busy;
    if (busy || (running && now - drawn < 200))
        return;
    busy = true;
    drawn = now;
    try {
        const words = async (node, name, count) =>
            (await machine.ask("words", {node, name, count})).words;
        const [width, height] = [await words(0, "display_width", 1),
                                 await words(0, "display_height", 1)];
        const there = width && height;
        $("display").hidden = !there;
        if (there)
            await drawBlocks(Math.min(width[1], DISPLAY_MOST), Math.min(height[1], DISPLAY_MOST), words);
    } catch (error) {
        say(`${error.message}\n`, "ended");
    }
    busy = false;
    if (stale)
        drawDisplay();
}

async function drawBlocks(width, height, words) {
    const [X, Y, Z] = size, canvas = $("display"), gap = Z > 1 ? 1 : 0;
    canvas.width = (X * width + gap) * Z - gap;
    canvas.height = Y * height;
    const context = canvas.getContext("2d");
    for (let node = 0; node < X * Y * Z; node++) {
        const block = await words(node, "display", width * height);
        const image = context.createImageData(width, height);
        for (let i = 0; block && i < width * height; i++) {
            const colour = block[2 * i + 1];
            image.data.set([colour >> 16 & 255, colour >> 8 & 255, colour & 255, 255], 4 * i);
        }
        const [x, y, z] = [node % X, Math.floor(node / X) % Y, Math.floor(node / X / Y)];
        context.putImageData(image, (z * X + x) * width + z * gap, (Y - 1 - y) * height);
    }
}

/* ---- a node ---- */

const links = {
    size: () => size,
    node: chooseNode,
    async message(id, from, to) {
        const nodes = plannedPath(from, to, size);
        const answer = await machine.ask("ask", {line: `history ${id}`});
        view.paths = [{nodes, style: "--main"}];
        const at = [...answer.out.matchAll(/(\d+,\d+,\d+) [+-][XYZ]/g)].map(m => m[1]);
        const done = at.map(place => nodes.indexOf(rankOf(place, size)));
        view.paths.push({nodes: nodes.slice(0, Math.max(0, ...done) + 1), style: "--bad", done: true});
        view.draw();
        showText($("inspector"), answer.out + answer.err, links);
    },
    async life(line) {
        const answer = await machine.ask("ask", {line});
        showText($("inspector"), answer.out + answer.err, links);
    },
};

function chooseNode(node) {
    view.chosen = node;
    $("node").value = node;
    view.draw();
    inspect();
}

async function inspect() {
    if (!loaded || running)
        return;
    const node = view.chosen, topic = $("topic").value;
    const argument = ["disassemble", "list", "history task"].includes(topic) ? "" : ` ${node}`;
    await machine.ask("ask", {line: `node ${node}`});
    const answer = await machine.ask("ask", {line: topic === "history task" ? `${topic} ${node}`
                                                                            : topic + argument});
    if (topic !== "messages")
        view.paths = [];
    showText($("inspector"), answer.out + answer.err, links);
    view.draw();
}

async function listStops() {
    if (!loaded || running)
        return;
    const {out} = await machine.ask("ask", {line: "info stops"});
    $("stops").replaceChildren(...out.split("\n").filter(line => /^\s*\d+/.test(line)).map(line => {
        const item = document.createElement("li");
        const id = /\d+/.exec(line)[0];
        item.append(linkButton("delete", () => command(`delete ${id}`, true)), ` ${line}`);
        return item;
    }));
}

/* ---- files ---- */

function download(name, content) {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([content]));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

async function record() {
    if (recording) {
        await command("trace off", true);
        recording = "";
    } else {
        await command("trace events.txt", true);
        recording = "events.txt";
    }
    $("record").setAttribute("aria-pressed", !!recording);
    $("record").textContent = recording ? "Stop recording" : "Record events";
    if (!recording)
        showEvents(new TextDecoder().decode(await fileOf("events.txt")));
}

const fileOf = async name => (await machine.ask("get", {name})).content || new Uint8Array();

/* Lists events; a click goes to the cycle of one. */
const EVENT_ROWS = 2000;
function showEvents(text) {
    const rows = text.split("\n").filter(Boolean);
    $("events").replaceChildren(...rows.slice(0, EVENT_ROWS).map(row => {
        const line = document.createElement("div"), cycle = /^\s*(\d+)/.exec(row);
        line.append(cycle ? linkButton(row, () => command(`goto ${cycle[1]}`, true, 20000)) : row);
        return line;
    }));
    if (rows.length > EVENT_ROWS)
        $("events").append(`and ${rows.length - EVENT_ROWS} more in the file`);
}

async function openFile(file) {
    if (!file)
        return;
    const content = new Uint8Array(await file.arrayBuffer());
    if (content[0] === 0x8A && content[1] === 0x4A) {
        await machine.ask("put", {name: file.name, content});
        const answer = await machine.ask("open", {words: ["--restore", file.name]});
        say(answer.err, "ended");
        if (answer.good) {
            loaded = true;
            setSize(answer.size);
            took(answer.view, {});
            await inspect();
        }
    } else if (/\.(s|inc)$/.test(file.name)) {
        const text = new TextDecoder().decode(content);
        const name = file.name.replace(/\.\w+$/, "");
        const path = `programs/${name}/${name}.s`;
        texts[path] = text;
        programs.set(name, {main: path, files: [path]});
        listPrograms();
        choose(name);
    } else {
        showEvents(new TextDecoder().decode(content));
    }
}

/* ---- links ---- */

async function packed(text, Stream) {
    const stream = new Blob([text]).stream().pipeThrough(new Stream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function makeLink() {
    const name = $("program").value, main = programs.get(name).main;
    texts[shown] = $("source").value;
    const part = new URLSearchParams({program: name, options: options().join(" ")});
    if (texts[main] !== FILES[main]) {
        const bytes = await packed(texts[main], CompressionStream);
        part.set("source", btoa(String.fromCharCode(...bytes)));
    }
    history.replaceState(null, "", `#${part}`);
    try {
        await navigator.clipboard.writeText(location.href);
        banner("The link is in the clipboard and in the address line.");
    } catch {
        banner("The link is in the address line.");
    }
}

async function readLink(part) {
    const name = part.get("program");
    if (part.has("source")) {
        const bytes = Uint8Array.from(atob(part.get("source")), c => c.charCodeAt(0));
        const text = new TextDecoder().decode(await packed(bytes, DecompressionStream));
        const path = `programs/${name}/${name}.s`;
        texts[path] = text;
        if (!programs.has(name))
            programs.set(name, {main: path, files: [path]});
        listPrograms();
    }
    if (programs.has(name))
        choose(name);
    else
        banner(`There is no program called ${name}.`);
    if (part.has("options"))
        setOptions(part.get("options"));
    else if (programs.has(name))
        takeOptions(name);
}

/* `#run=PROGRAM&stats`, with `&options=` if any: what `jm run --stats -` prints. */
async function runForStats(part) {
    const asked = part.get("run");
    const path = programs.has(asked) ? programs.get(asked).main : asked;
    for (const [name, content] of Object.entries(FILES))
        await machine.ask("put", {name, content});
    const words = (part.get("options") || "").split(/\s+/).filter(Boolean);
    const answer = await machine.ask("command", {words: [...words, "--stats", "-", path]});
    $("stats").hidden = false;
    $("stats").textContent = answer.out;
    diagnose(answer.err);
    document.title = "done";
}

/* ---- stories ---- */

async function beginStory(index) {
    story = STORIES[index] || null;
    moment = 0;
    $("tale").hidden = !story;
    if (!story) {
        await loadSecond(null);
        return;
    }
    choose(story.program);
    setOptions(`--mesh ${story.mesh} ${story.options}`);
    if (story.colour)
        $("colour").value = story.colour;
    const main = programs.get(story.program).main;
    tell(false);
    if (!(await load()))
        return;
    await loadSecond(story.second === undefined ? null
        : ["--mesh", story.mesh, ...story.second.split(/\s+/), main]);
    await goToMoment();
}

function tell(ready) {
    const {moments, title} = story;
    const p = document.createElement("p");
    p.textContent = moments[moment].text;
    const where = document.createElement("strong");
    where.textContent = `${title}, ${moment + 1} of ${moments.length}. `;
    p.prepend(where);
    const next = linkButton(moment + 1 < moments.length ? "Go on" : "End", () => {
        if (++moment < moments.length) {
            tell(false);
            goToMoment();
        } else {
            $("story").value = "";
            beginStory(-1);
        }
    });
    next.disabled = !ready;
    next.id = "next";
    $("tale").replaceChildren(p, next, ready ? "" : " working...");
}

async function goToMoment() {
    const m = story.moments[moment], tale = story;
    if (m.colour)
        $("colour").value = m.colour;
    if (m.topic)
        $("topic").value = m.topic;
    for (const line of m.commands)
        if (line === "continue")
            await both("run 2000000", 60000);
        else
            await both(line, 60000);
    if (story !== tale)
        return;
    if (m.follow)
        $("inspector").querySelector("button")?.click();
    tell(true);
}

/* ---- wiring ---- */

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
    saved: async () => download("events.txt", await fileOf("events.txt")),
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
    $("source").addEventListener("scroll", () => ($("gutter").scrollTop = $("source").scrollTop));
    $("settings").addEventListener("submit", e => {
        e.preventDefault();
        guarded(load)();
    });
    $("program").addEventListener("change", guarded(async () => {
        choose($("program").value);
        takeOptions($("program").value);
        await load();
    }));
    $("story").addEventListener("change", guarded(() => beginStory(+($("story").value || -1))));
    $("colour").addEventListener("change", () => last && view.setShares(sharesOf(last, last)));
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
    $("open").addEventListener("change", guarded(e => openFile(e.target.files[0])));
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
        } else if (e.key === "Tab" && $("line").value) {
            e.preventDefault();
            guarded(complete)();
        }
    });
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
    } else if (part.has("program")) {
        await readLink(part);
        await load();
    } else {
        choose("greet");
        takeOptions("greet");
        await load();
    }
    if (part.has("story")) {
        $("story").value = part.get("story");
        await beginStory(+part.get("story"));
    }
    document.body.dataset.ready = "yes";
}

guarded(begin)();
