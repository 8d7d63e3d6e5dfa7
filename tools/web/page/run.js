/* Loading and running the machine, and the one beside it; what their views show. */

const FIELDS = 8, F = {queue0: 0, queue1: 1, size0: 2, faults: 3, overflows: 4, flits: 5,
                       tasks: 6, instructions: 7};
let loaded = false, running = false, last = null, size = [1, 1, 1];
let last2 = null; // last view of the second
let second = null; // machine beside the first

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
    last = painted = null;
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
    await listStops();
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
    last2 = painted2 = null;
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
    last2 = v;
    showViews();
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

/* Executes a command and shows its output; `quiet`: not in the console. */
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
    await listStops();
}

/* Chooses the node at which a stop was hit, or the first that stopped the machine. */
function chooseStopped(text) {
    const node =
        /^cycle \d+: (?:(?:stop|until).*?, |the machine has ended: stopped\n)node (\d+)/m.exec(text);
    if (!node)
        return;
    view.chosen = Number(node[1]);
    $("node").value = node[1];
    view.draw();
}

/* Executes a command on both machines. */
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
        const end = at < 0 ? "" : out.slice(at);
        say(end, /the machine has ended: (?!exit|idle)/.test(end) ? "ended" : "");
        chooseStopped(out);
        buttons();
        guarded(inspect)();
        guarded(listStops)();
    } else {
        print(out);
    }
    say(err, "ended");
    if (!v)
        return;
    chart(v);
    last = v;
    if (!running)
        buttons();
    showViews();
    drawDisplay();
}

/* The views last painted, of both machines: colours show what has changed since. While
 * machines run, views are painted when the browser draws; those that come faster than
 * it does are left out. */
let painted = null, painted2 = null, asked = 0, described = 0;
const TEXT_MS = 100; // between two texts about a running machine

function showViews() {
    if (running)
        asked ||= requestAnimationFrame(paint);
    else
        paint();
}

function paint() {
    cancelAnimationFrame(asked);
    asked = 0;
    if (last && last !== painted)
        view.setShares(sharesOf(last, painted));
    if (last2 && last2 !== painted2)
        view2.setShares(sharesOf(last2, painted2));
    [painted, painted2] = [last, last2];
    if (running && performance.now() - described < TEXT_MS)
        return;
    described = performance.now();
    flush();
    state();
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
            shares[n] = before ? Math.min(1, grown(i, F.faults) / cycles * 100)
                                               : Math.min(1, v.fields[i + F.faults] / 1000);
        else
            shares[n] = Math.min(1, grown(i, F.flits) / cycles / 2.5);
    return shares;
}

function state() {
    if (!last)
        return;
    const summary = v => `cycle ${v.cycle.toLocaleString("en")}, longest queue ${deepest(v)} words, ` +
                         `${sum(v, F.overflows).toLocaleString("en")} overflows, ` +
                         `${sum(v, F.faults).toLocaleString("en")} SEND faults`;
    $("state").textContent = last2 && hasSecond() ? `left: ${summary(last)}. right: ${summary(last2)}`
                                                  : summary(last);
}
