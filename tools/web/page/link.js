/* Links that carry a program, and runs that are asked for by one. */

async function packed(text, Stream) {
    const stream = new Blob([text]).stream().pipeThrough(new Stream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Returns program, options, and source if it was changed, as parameters. */
async function linkPart() {
    const name = $("program").value, main = programs.get(name).main;
    texts[shown] = $("source").value;
    const part = new URLSearchParams({program: name, options: options().join(" ")});
    if (texts[main] !== FILES[main]) {
        const bytes = await packed(texts[main], CompressionStream);
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
