/* The worker that holds the machine. It gets requests {id, do, ...} and answers each by
 * {id, ...}; while a machine runs it also sends {view}. What is printed goes with the
 * answer as `out` and `err`. */
"use strict";

let wasm; // exports of the instance
let printed = ["", ""]; // to standard output and error since the last answer
let leftOut = [0, 0]; // characters that were too many for an answer
let whole = false; // whether no character may be left out
let unseen = 0; // views that the page has not yet taken
let decoders = [];
let web = 0; // handle of the machine that is looked at; 0: none
let running = null; // how it runs by itself: {speed, slice, stamp}

const FIELDS = 8; // of a node in a view: WEB_FIELDS of web.h
const FRAME_MS = 16; // between two views of a running machine
const UNSEEN_MOST = 2; // a page that is slower than the machine gets no more views
const PRINTED_MOST = 50000; // characters of an answer, the last ones
const SLICE_MS = 3; // how long a slice of a run should take

const bytes = () => new Uint8Array(wasm.memory.buffer);
const number = (at, value) => new DataView(wasm.memory.buffer).setUint32(at, value, true);

/* The system calls that the C library needs: a clock, and writing. */
const system = {
    clock_time_get(id, precision, at) {
        const time = BigInt(Math.round(performance.now() * 1e6));
        new DataView(wasm.memory.buffer).setBigUint64(at, time, true);
        return 0;
    },
    fd_write(fd, list, count, written) {
        const memory = new DataView(wasm.memory.buffer);
        let total = 0;
        for (let i = 0; i < count; i++) {
            const at = memory.getUint32(list + 8 * i, true);
            const size = memory.getUint32(list + 8 * i + 4, true);
            print(fd, bytes().slice(at, at + size));
            total += size;
        }
        number(written, total);
        return 0;
    },
    fd_read: (fd, list, count, at) => (number(at, 0), 0),
    fd_close: () => 0,
    fd_seek: () => 70, // ESPIPE
    fd_fdstat_get(fd, at) {
        bytes().fill(0, at, at + 24);
        return 0;
    },
};

function print(fd, text) {
    keep(fd - 1, printed[fd - 1] + decoders[fd - 1].decode(text, {stream: true}));
}

/* Keeps what was printed, without its beginning if it is too long. */
function keep(i, text) {
    const much = !whole && text.length > 2 * PRINTED_MOST;
    leftOut[i] += much ? text.length - PRINTED_MOST : 0;
    printed[i] = much ? text.slice(-PRINTED_MOST) : text;
}

/* Takes what was printed. */
function taken() {
    const [out, err] = printed.map(
        (text, i) => (leftOut[i] ? `(${leftOut[i]} characters left out)\n` : "") + text);
    printed = ["", ""];
    leftOut = [0, 0];
    return {out, err};
}

/* ---- texts in the machine's memory ---- */

function makeText(text) {
    const encoded = new TextEncoder().encode(text);
    const at = wasm.malloc(encoded.length + 1);
    if (!at)
        noMemory();
    bytes().set(encoded, at);
    bytes()[at + encoded.length] = 0;
    return at;
}

function readText(at) {
    const memory = bytes();
    return new TextDecoder().decode(memory.slice(at, memory.indexOf(0, at)));
}

/* Calls `use` with a text that lives as long as the call. */
function withText(text, use) {
    const at = makeText(text);
    const result = use(at);
    wasm.free(at);
    return result;
}

/* Makes argc and argv. They stay: options point into them as long as a machine lives. */
function makeArguments(words) {
    const at = wasm.malloc(4 * (words.length + 1));
    words.forEach((word, i) => number(at + 4 * i, makeText(word)));
    number(at + 4 * words.length, 0);
    return [words.length, at];
}

function decoded(base64) {
    const text = atob(base64), content = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++)
        content[i] = text.charCodeAt(i);
    return content;
}

/* ---- requests of the page ---- */

function view() {
    const nodes = wasm.web_nodes(web);
    const at = wasm.web_look(web) / 4;
    return {
        cycle: wasm.web_now(web),
        fields: new Uint32Array(wasm.memory.buffer).slice(at, at + nodes * FIELDS),
    };
}

function close() {
    running = null;
    if (web)
        wasm.web_close(web);
    web = 0;
}

const requests = {
    /* Takes the module, in base 64 if this is the first worker; returns its bytes. */
    async start({wasm: module}) {
        const content = typeof module === "string" ? decoded(module) : module;
        const {instance} = await WebAssembly.instantiate(content, {
            wasi_snapshot_preview1: system,
            env: {web_clock: () => performance.now(), web_no_memory: noMemory},
        });
        wasm = instance.exports;
        decoders = [new TextDecoder(), new TextDecoder()];
        wasm._initialize();
        return {wasm: content};
    },
    put({name, content}) {
        const data = typeof content === "string" ? new TextEncoder().encode(content)
                                                 : new Uint8Array(content);
        const at = wasm.malloc(data.length + 1);
        if (!at)
            noMemory();
        bytes().set(data, at);
        const good = withText(name, text => wasm.web_put(text, at, data.length));
        wasm.free(at);
        return {good: !!good};
    },
    get({name}) {
        const size = wasm.malloc(4);
        const at = withText(name, text => wasm.web_get(text, size));
        const length = new DataView(wasm.memory.buffer).getUint32(size, true);
        wasm.free(size);
        return {content: at ? bytes().slice(at, at + length) : null};
    },
    memory() { // bytes of the machine and its past; never freed
        return {bytes: wasm.memory.buffer.byteLength};
    },
    command({words}) {
        whole = true;
        const status = wasm.web_command(...makeArguments(["run", ...words]));
        whole = false;
        return {status};
    },
    open({words}) {
        close();
        web = wasm.web_open(...makeArguments(["run", ...words]));
        if (!web)
            return {good: false};
        return {good: true, size: [0, 1, 2].map(d => wasm.web_size(web, d)), view: view()};
    },
    do({line, budget}) {
        running = null;
        const good = withText(line, at => wasm.web_do(web, at, budget || 5000));
        return {good: !!good, view: view()};
    },
    ask({line, budget}) { // as `do`, for commands that only look
        return {good: !!withText(line, at => wasm.web_do(web, at, budget || 2000))};
    },
    complete({line, start}) {
        const found = [];
        withText(line, text => {
            for (let i = 0, at; (at = wasm.web_complete(web, text, start, i)); i++) {
                found.push(readText(at));
                wasm.free(at);
            }
        });
        return {found};
    },
    /* Letters of web_colours(), one for each UTF-16 unit. */
    colours({text}) {
        const at = withText(text, source => wasm.web_colours(source));
        const letters = readText(at);
        wasm.free(at);
        let units = "", byte = 0;
        for (const character of text) {
            units += letters[byte].repeat(character.length);
            byte += new TextEncoder().encode(character).length;
        }
        return {letters: units};
    },
    describe({line, column}) {
        const byte = new TextEncoder().encode(line.slice(0, column)).length;
        const at = withText(line, text => wasm.web_describe(text, byte));
        const description = at ? readText(at) : "";
        if (at)
            wasm.free(at);
        return {text: description};
    },
    words({node, name, count}) {
        const address = withText(name, at => wasm.web_symbol(web, at));
        const at = address < 0 ? 0 : wasm.web_words(web, node, address, count);
        return {
            words: at ? new Uint32Array(wasm.memory.buffer).slice(at / 4, at / 4 + 2 * count)
                      : null,
        };
    },
    /* Runs until a stop or until another request; speed: cycles a second, 0: all. */
    run({speed}) {
        running = {speed, slice: 256, stamp: performance.now(), shown: 0, owed: 0};
        soon(0);
        return {};
    },
    pause() {
        running = null;
        return {view: view()};
    },
};

/* Returns the cycles of the next slice; 0 if it is too early for one. */
function nextSlice(r, now) {
    if (!r.speed)
        return r.slice;
    r.owed += (now - r.stamp) / 1000 * r.speed;
    r.stamp = now;
    const cycles = Math.floor(Math.min(r.owed, r.slice));
    r.owed = Math.min(r.owed - cycles, r.slice);
    return cycles;
}

/* Runs the next slice after what has come in meanwhile. A timer lets that in, but browsers
 * make timers that are set by timers wait for some milliseconds; so a message of the worker
 * to itself sets it. Such messages alone would let nothing else in. */
const toItself = new MessageChannel();
let sliceAwaited = false;
toItself.port1.onmessage = () => setTimeout(runSlice, 0);
function soon(milliseconds) {
    if (sliceAwaited)
        return;
    sliceAwaited = true;
    if (milliseconds)
        setTimeout(runSlice, milliseconds);
    else
        toItself.port2.postMessage(0);
}

function runSlice() {
    sliceAwaited = false;
    const r = running;
    if (!r)
        return;
    const now = performance.now();
    const cycles = nextSlice(r, now);
    try {
        if (cycles && !runCycles(r, cycles, now))
            return;
    } catch (error) {
        postMessage({fatal: reason(error)});
        return;
    }
    soon(cycles ? 0 : 4);
}

/* Runs one slice and shows it; false if the machine has stopped. */
function runCycles(r, cycles, now) {
    const before = wasm.web_now(web);
    const kept = printed;
    printed = ["", ""];
    withText(`run ${cycles}`, at => wasm.web_do(web, at, 1000));
    const took = performance.now() - now;
    const ended = wasm.web_now(web) < before + cycles;
    const interrupted = ended && took >= 1000;
    r.slice = resized(r.slice, SLICE_MS / Math.max(took, 0.1));
    const [out, err] = printed, stopped = ended && !interrupted;
    keep(0, kept[0] + (stopped ? out : guestOutput(out)));
    keep(1, kept[1] + err);
    if (stopped || (now - r.shown >= FRAME_MS && unseen < UNSEEN_MOST)) {
        r.shown = now;
        unseen++;
        const seen = view();
        postMessage({view: seen, stopped, ...taken()}, [seen.fields.buffer]);
    }
    if (stopped)
        running = null;
    return !stopped;
}

/* Brings a slice nearer to the cycles that take SLICE_MS, by half or double at most. */
function resized(slice, factor) {
    return Math.max(1, Math.min(1e9, Math.ceil(slice * Math.max(0.5, Math.min(2, factor)))));
}

/* Drops the debugger's output after a slice: the last lines, from that of the cycle. */
function guestOutput(out) {
    const at = out.lastIndexOf(`cycle ${wasm.web_now(web)}:`);
    return at < 0 ? out : out.slice(0, at);
}

function reason(error) {
    return `${error.message || error}; the machine was created again`;
}

function noMemory() {
    throw new Error("it needs more memory than the 512 MB that a page gives it"); // WEB_MEMORY
}

/* Requests that need a machine, and report if there is none. */
const NEEDS_MACHINE = ["do", "ask", "complete", "words", "run", "pause"];
const NO_MACHINE = {good: false, found: [], words: null, err: "there is no machine\n"};

async function answer(data) {
    if (!web && NEEDS_MACHINE.includes(data.do)) {
        postMessage({id: data.id, out: "", ...NO_MACHINE});
        return;
    }
    try {
        const result = await requests[data.do](data);
        postMessage({id: data.id, ...result, ...taken()});
    } catch (error) {
        postMessage({id: data.id, fatal: reason(error), ...taken()});
    }
}

/* One after the other: the first creates the instance for the others. */
let before = Promise.resolve();
self.onmessage = ({data}) => {
    if (data.do === "seen")
        unseen--;
    else
        before = before.then(() => answer(data));
};
