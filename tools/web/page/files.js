/* Files that the page saves and opens; the list of events. */

let recording = false; // whether events are

function download(name, content) {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([content]));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

/* Events are recorded to EVENTS in the machine's files; `eventsOf` holds the program and
 * options as in a link. */
const EVENTS = "events.txt", EVENTS_HEAD = "J-Machine events 1";
let eventsOf = "";

async function record() {
    if (!recording)
        eventsOf = String(await linkPart());
    await command(recording ? "trace off" : `trace ${EVENTS}`, true);
    recording = !recording && loaded;
    $("record").setAttribute("aria-pressed", recording);
    $("record").textContent = recording ? "Stop recording" : "Record events";
    if (!recording)
        showEvents(new TextDecoder().decode(await fileOf(EVENTS)));
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

/* A file of events: EVENTS_HEAD, program and options as in a link, then the events as
 * the debugger's `trace` writes them. */
async function saveEvents() {
    const events = new TextDecoder().decode(await fileOf(EVENTS));
    if (!events)
        throw new Error("no events are recorded yet");
    download("events.jme", eventsFile(events));
}

const eventsFile = events => `${EVENTS_HEAD}\n${eventsOf}\n${events}`;

/* Loads the program of the events, so that a click goes to the cycle of one. */
async function openEvents(text) {
    const [head, of, ...rows] = text.split("\n");
    const wrong = rows.findIndex(row => row && !/^\d+ \d+ [01b] [a-z]+ /.test(row));
    if (head !== EVENTS_HEAD)
        throw new Error(`this page does not read "${head.slice(0, 40)}"`);
    if (wrong >= 0)
        throw new Error(`line ${wrong + 3} of the file is not an event`);
    await readLink(new URLSearchParams(of));
    if (await load()) {
        eventsOf = of;
        await machine.ask("put", {name: EVENTS, content: rows.join("\n")});
        showEvents(rows.join("\n"));
    }
}

/* A saved machine, by the magic of emu/machine/run/savefile.c. The page stores what follows
 * the header; `jm` deflates it, and keeps the program as an ELF file. */
const SAVED_HEADER = 32;
const isSaved = content =>
    [0x8A, 0x4A, 0x4D, 0x53].every((byte, i) => content[i] === byte);
const isDeflated = content => (content[SAVED_HEADER + 2] & 6) !== 0;

async function openMachine(name, content) {
    if (isDeflated(content))
        throw new Error(`${name} was saved by jm outside of a browser. The page reads only ` +
                        "machines that it has saved itself: run the program here instead");
    await pause();
    await machine.ask("put", {name, content});
    const answer = await machine.ask("open", {words: ["--restore", name]});
    say(answer.err, "ended");
    loaded = answer.good;
    buttons();
    if (!answer.good) {
        $("state").textContent = "not restored: see the debugger's messages";
        return;
    }
    last = painted = null;
    setSize(answer.size);
    took(answer.view, {});
    await inspect();
}

function openSource(file, text) {
    const name = file.replace(/\.\w+$/, "");
    const path = `programs/${name}/${name}.s`;
    texts[path] = checkLength(text);
    programs.set(name, {main: path, files: [path]});
    listPrograms();
    choose(name);
    takeOptions(name);
}

/* Refuses a text that would be too long. One that replaces the whole source is another
 * program, with a name of its own. */
const PASTED = "pasted.s";
function takePaste(e) {
    const source = $("source"), text = e.clipboardData.getData("text");
    const all = source.selectionStart === 0 && source.selectionEnd === source.value.length;
    try {
        checkLength(all ? text : source.value + text);
    } catch (error) {
        e.preventDefault();
        banner(`Not pasted: ${error.message}.`);
        return;
    }
    if (!all || !text.includes("\n"))
        return;
    e.preventDefault();
    if (shown === programs.get($("program").value).main && $("program").value !== "pasted")
        texts[shown] = FILES[shown] || source.value; // as it was
    openSource(PASTED, text);
}

async function openFile(file) {
    if (!file)
        return;
    const content = new Uint8Array(await file.arrayBuffer());
    const text = () => new TextDecoder().decode(content);
    if (isSaved(content))
        await openMachine(file.name, content);
    else if (/\.(s|inc)$/.test(file.name))
        openSource(file.name, text());
    else if (text().startsWith("J-Machine events"))
        await openEvents(text());
    else
        showEvents(text());
}
