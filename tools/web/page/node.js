/* What is shown of the chosen node, and the stops. */

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
