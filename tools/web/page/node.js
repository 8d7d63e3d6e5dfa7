/* What is shown of the chosen node, and the stops. */

const links = {
    size: () => size,
    node: chooseNode,
    async message(id, from, to, cycle) {
        const nodes = plannedPath(from, to, size);
        const answer = await life(`history ${id}${cycle ? ` from ${cycle}` : ""}`);
        const at = [...answer.out.matchAll(/(\d+,\d+,\d+) [+-][XYZ]/g)].map(m => m[1]);
        const done = at.map(place => nodes.indexOf(rankOf(place, size)));
        view.paths = [{nodes, style: "--main"},
                      {nodes: nodes.slice(0, Math.max(0, ...done) + 1), style: "--bad", done: true}];
        view.draw();
    },
    life,
};

/* Shows the history of a message, with links to its causes and effects. */
async function life(line) {
    const answer = await machine.ask("ask", {line, budget: 10000});
    showText($("inspector"), answer.out + answer.err, links);
    if (answer.good)
        $("inspector").prepend(linkButton("what led to it, and what it led to",
                                          () => causes(line.replace("history", "causes"))), "\n");
    return answer;
}

/* Shows the graph of causes around a message, as a tree and as paths across the machine:
 * its causes', its own and its effects'. A click on a message continues from there. */
const CAUSE = /^ *(\d+)  ( *)(\* )?(message (\d+) \((\d+,\d+,\d+) -> (\d+,\d+,\d+)\))(.*)$/;

async function causes(line) {
    const answer = await machine.ask("ask", {line, budget: 20000});
    const box = $("inspector");
    box.replaceChildren();
    view.paths = [];
    let after = false;
    for (const text of (answer.out + answer.err).trimEnd().split("\n")) {
        const row = document.createElement("div"), match = CAUSE.exec(text);
        row.className = "cause";
        box.append(row);
        if (!match) {
            row.textContent = text;
            continue;
        }
        const [, cycle, blanks, mark, message, id, from, to, rest] = match;
        row.style.paddingLeft = `${Math.min(blanks.length / 2, 20) * .7}em`;
        row.classList.toggle("wanted", !!mark);
        row.append(`${cycle} `, linkButton(message, () => causes(`causes ${id} from ${cycle}`)),
                   `${rest.replace(/ MSG:[0-9A-F]{8} /, "")} `, linkButton("life", () => links.message(id, from, to, cycle)));
        view.paths.push({nodes: plannedPath(from, to, size), done: !!mark,
                         style: mark ? "--bad" : after ? "--main" : "--ink"});
        after ||= !!mark;
    }
    box.querySelector(".wanted")?.scrollIntoView({block: "nearest"});
    view.draw();
}

function chooseNode(node) {
    view.chosen = node;
    $("node").value = node;
    view.draw();
    guarded(inspect)();
}

/* Topics whose commands take no node: the debugger uses the chosen one. */
const OF_CHOSEN = ["disassemble", "list"];

async function inspect() {
    if (!loaded || running)
        return;
    const node = view.chosen, topic = $("topic").value;
    await machine.ask("ask", {line: `node ${node}`});
    const line = OF_CHOSEN.includes(topic) ? topic : `${topic} ${node}`;
    if (topic === "causes task") {
        await causes(line);
        return;
    }
    const answer = topic === "history task" ? await life(line) : await machine.ask("ask", {line});
    if (topic !== "messages")
        view.paths = [];
    if (topic !== "history task")
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
