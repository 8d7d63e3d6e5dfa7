/* Files that the page saves and opens; the list of events. */

let recording = ""; // file of the events that are being recorded

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
