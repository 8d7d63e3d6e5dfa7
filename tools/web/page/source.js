/* The source editor, the programs to choose from, and the form of options. */

const programs = new Map(); // name -> {main, files}
for (const path of Object.keys(FILES)) {
    const [, name, file] = path.split("/");
    const program = programs.get(name) || {files: []};
    program.files.push(path);
    if (file === `${name}.s`)
        program.main = path;
    programs.set(name, program);
}

/* What programs share goes to those that include it. */
for (const path of programs.get("lib").files)
    for (const program of programs.values())
        if (program.main && FILES[program.main].includes(`"..${path.slice("programs".length)}"`))
            program.files.push(path);
programs.delete("lib");

const texts = {...FILES}; // as edited
let shown = ""; // path of the file in the editor

function show(path) {
    if (shown)
        texts[shown] = $("source").value;
    shown = path;
    $("source").value = texts[path];
    for (const tab of $("files").children)
        tab.setAttribute("aria-selected", tab.dataset.path === path);
    number();
}

/* Numbers the lines that are seen; those of `wrong`, files with the columns of lines, are
 * marked. */
const LINES_AROUND = 60; // numbered above and below what is seen
let wrong = new Map(), lineCount = 1;
function number() {
    lineCount = $("source").value.split("\n").length;
    drawGutter();
}

function drawGutter() {
    const source = $("source"), gutter = $("gutter");
    const height = parseFloat(getComputedStyle(source).lineHeight);
    const seen = at => Math.floor((source.scrollTop + at) / height);
    const first = Math.max(1, seen(0) - LINES_AROUND);
    const end = Math.min(lineCount, seen(source.clientHeight) + LINES_AROUND);
    const marked = wrong.get(shown) || new Map();
    gutter.replaceChildren();
    for (let i = first; i <= end; i++) {
        const mark = document.createElement(marked.has(i) ? "b" : "span");
        mark.textContent = i;
        gutter.append(mark);
    }
    gutter.scrollTop = source.scrollTop - (first - 1) * height;
    drawColours(first, end, height);
}

/* Browsers are slow with longer texts in an editor. */
const SOURCE_MOST = 1 << 20, LINES_MOST = 30000;
function checkLength(text) {
    if (text.length > SOURCE_MOST || text.split("\n").length > LINES_MOST)
        throw new Error("the editor takes a million characters and 30,000 lines at most; " +
                        "larger sources are for jm outside of a browser");
    return text;
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

/* A column of a message, which counts bytes of UTF-8, as one of the editor. */
function editorColumn(path, line, column) {
    const text = (path === shown ? $("source").value : texts[path] || "").split("\n")[line - 1];
    let bytes = 1, units = 1;
    for (const character of text || "") {
        if (bytes >= column)
            break;
        bytes += new TextEncoder().encode(character).length;
        units += character.length;
    }
    return units;
}

/* Shows the messages of assembler and linker; each leads to its line. */
function diagnose(text) {
    const list = $("diagnostics");
    list.replaceChildren();
    wrong = new Map();
    for (const part of text.split(/\n(?=\S[^\n]*?: (?:error|warning|note): )/)) {
        if (!part.trim())
            continue;
        const place = /^(\S+?):(\d+):(?:(\d+):)?/.exec(part);
        const item = document.createElement("li");
        const column = place ? editorColumn(place[1], +place[2], +place[3] || 1) : 1;
        item.append(linkButton(part.trimEnd(),
                               () => place && goToLine(place[1], +place[2], column)));
        list.append(item);
        if (place && place[1] in texts) {
            wrong.set(place[1], wrong.get(place[1]) || new Map());
            wrong.get(place[1]).set(+place[2], column);
        }
    }
    number();
}

/* Brings a line of a file into sight; returns where it begins in the text. */
function seeLine(path, line) {
    if (path !== shown)
        show(path);
    const source = $("source"), lines = source.value.split("\n");
    source.scrollTop = Math.max(0, (line - 6) * source.scrollHeight / lines.length);
    return lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
}

function goToLine(path, line, column) {
    if (!(path in texts))
        return;
    const at = seeLine(path, line), source = $("source");
    const end = source.value.indexOf("\n", at);
    source.focus();
    source.setSelectionRange(at + column - 1, end < 0 ? source.value.length : end);
    seeLine(path, line);
}
