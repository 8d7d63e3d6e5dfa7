/* Links that carry a program, and runs that are asked for by one. */

async function packed(text) {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Returns the text that a link holds; a link may be made to hold far too much. */
async function unpacked(base64) {
    if (!/^[A-Za-z0-9+/=]*$/.test(base64))
        throw new Error("its source is damaged");
    const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))
        .pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    try {
        for (let part; !(part = await reader.read()).done && text.length <= SOURCE_MOST;)
            text += part.value;
    } catch {
        throw new Error("its source is damaged");
    }
    reader.cancel().catch(() => {});
    return checkLength(text);
}

/* Returns program, options, and source if it was changed, as parameters. */
async function linkPart() {
    const name = $("program").value, main = programs.get(name).main;
    texts[shown] = $("source").value;
    const part = new URLSearchParams({program: name, options: options().join(" ")});
    if (texts[main] !== FILES[main]) {
        const bytes = await packed(texts[main]);
        part.set("source", btoa(String.fromCharCode(...bytes)));
    }
    return part;
}

async function makeLink() {
    history.replaceState(null, "", `#${await linkPart()}`);
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
        const text = await unpacked(part.get("source"));
        const path = `programs/${name}/${name}.s`;
        texts[path] = text;
        if (!programs.has(name))
            programs.set(name, {main: path, files: [path]});
        listPrograms();
    }
    if (!programs.has(name))
        throw new Error(`there is no program called ${name}`);
    choose(name);
    if (part.has("options"))
        setOptions(part.get("options"));
    else
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
