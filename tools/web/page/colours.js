/* Colours of the source, and the description of the name under the pointer, as mdpas's
 * language server gives them to other editors. The editor's own text is transparent; a text
 * beneath it has the colours. */

const lineColours = new Map(); // by line of source: the letters of web_colours()
const COLOURED_MOST = 20000; // lines that are remembered

/* A line as pieces of one colour; plain until its colours are known. From the column of a
 * message on it is marked. */
function pieces(line, wrongFrom) {
    const letters = lineColours.get(line), made = [];
    const kind = i => (letters ? letters[i] : " ") + (i >= wrongFrom - 1 ? "!" : "");
    for (let i = 0, start = 0; i < line.length; i++)
        if (i + 1 === line.length || kind(i + 1) !== kind(start)) {
            const piece = document.createElement("span");
            piece.className = kind(start)[0].trim() + (kind(start)[1] ? " wrong" : "");
            piece.textContent = line.slice(start, i + 1);
            made.push(piece);
            start = i + 1;
        }
    return made;
}

/* Draws the visible ones of lines `first` to `end`, counted from 1. */
function drawColours(first, end, height) {
    const lines = $("source").value.split("\n").slice(first - 1, end);
    const marks = wrong.get(shown) || new Map();
    $("colours").replaceChildren(
        ...lines.flatMap((line, i) => [...pieces(line, marks.get(first + i) || Infinity), "\n"]), "\n");
    $("colours").scrollTop = $("source").scrollTop - (first - 1) * height;
    $("colours").scrollLeft = $("source").scrollLeft;
    learnColours(lines.filter(line => line && !lineColours.has(line)));
}

let learning = false;
async function learnColours(lines) {
    if (!lines.length || learning)
        return;
    learning = true;
    try {
        const {letters} = await machine.ask("colours", {text: lines.join("\n")});
        if (lineColours.size > COLOURED_MOST)
            lineColours.clear();
        let at = 0;
        for (const line of lines) {
            lineColours.set(line, letters.slice(at, at + line.length));
            at += line.length + 1;
        }
    } catch (error) {
        return; // the worker was ended; the next drawing asks again
    } finally {
        learning = false;
    }
    drawGutter();
}

/* ---- what is under the pointer ---- */

const TAB = 8, TIP_MS = 350;
let tipTimer = 0;

/* The line and the column, from 0, at a point of the editor; null beside the text. */
function placeAt(x, y) {
    const source = $("source"), style = getComputedStyle(source), box = source.getBoundingClientRect();
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${style.fontSize} ${style.fontFamily}`;
    const row = Math.floor((y - box.top - parseFloat(style.paddingTop) + source.scrollTop) /
                           parseFloat(style.lineHeight));
    const wanted = (x - box.left - parseFloat(style.paddingLeft) + source.scrollLeft) /
                   pen.measureText("0").width;
    const line = source.value.split("\n")[row];
    for (let i = 0, seen = 0; line !== undefined && wanted >= 0 && i < line.length; i++) {
        seen += line[i] === "\t" ? TAB - seen % TAB : 1;
        if (wanted < seen)
            return {line, column: i};
    }
    return null;
}

function hideTip() {
    clearTimeout(tipTimer);
    $("tip").hidden = true;
}

async function showTip(x, y) {
    const place = placeAt(x, y);
    const {text} = place ? await machine.ask("describe", place) : {text: ""};
    if (!text)
        return;
    $("tip").textContent = text.replace(/```\w*\n|\n```|\*\*|`/g, "");
    $("tip").hidden = false;
    $("tip").style.left = `${Math.max(4, Math.min(x, innerWidth - $("tip").offsetWidth - 8))}px`;
    $("tip").style.top = `${Math.max(4, Math.min(y + 18, innerHeight - $("tip").offsetHeight - 8))}px`;
}

function wireColours() {
    const source = $("source");
    source.addEventListener("mousemove", e => {
        hideTip();
        if (!running)
            tipTimer = setTimeout(guarded(() => showTip(e.clientX, e.clientY)), TIP_MS);
    });
    for (const kind of ["mouseleave", "scroll", "keydown", "mousedown"])
        source.addEventListener(kind, hideTip);
    $("toline").addEventListener("change", () => {
        const line = parseInt($("toline").value, 10);
        if (line > 0)
            goToLine(shown, Math.min(line, lineCount), 1);
    });
}
