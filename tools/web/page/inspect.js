/* Debugger output with links: a node's number selects it, a message's shows its path
 * and its history. */

const LINK = new RegExp([
    /(?<message>\bmessage (\d+)) \((\d+,\d+,\d+) -> (\d+,\d+,\d+)\)/,
    /(?<head>^\s*(\d+): p[01] )(\d+,\d+,\d+) -> (\d+,\d+,\d+)/,
    /(?<node>\bnode (\d+))\b/,
    /(?<place>\b\d+,\d+,\d+\b)/,
].map(r => r.source).join("|"), "gm");

function rankOf(place, size) {
    const [x, y, z] = place.split(",").map(Number);
    return x + size[0] * (y + size[1] * z);
}

/* Returns the nodes that a message visits: X first, then Y, then Z (e-cube). */
function plannedPath(from, to, size) {
    const at = from.split(",").map(Number), end = to.split(",").map(Number);
    const nodes = [rankOf(at.join(), size)];
    for (let d = 0; d < 3; d++)
        while (at[d] !== end[d]) {
            at[d] += Math.sign(end[d] - at[d]);
            nodes.push(rankOf(at.join(), size));
        }
    return nodes;
}

function linkButton(text, action) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.onclick = guarded(action);
    return button;
}

/* Fills an element with a text of the debugger. `links`: node(rank), message(number, from,
 * to), size. Numbers of queue messages are counted from their rows. */
function showText(element, text, links) {
    element.replaceChildren();
    let priority = 0, index = 0, owner = 0;
    for (const line of text.split("\n")) {
        const queue = /^\s+queue ([01]):/.exec(line), whose = /^node (\d+)/.exec(line);
        if (whose)
            owner = whose[1];
        if (queue)
            [priority, index] = [queue[1], 0];
        if (/^\s{4}[0-9A-F]{5} MSG:/.test(line)) {
            const command = `history queue ${owner} ${priority} ${index++}`;
            element.append("    ", linkButton(line.slice(4, 9), () => links.life(command)),
                           line.slice(9), "\n");
            continue;
        }
        showLine(element, line, links);
        element.append("\n");
    }
}

function showLine(element, line, links) {
    let end = 0;
    for (const match of line.matchAll(LINK)) {
        const {message, head, node, place} = match.groups;
        element.append(line.slice(end, match.index));
        const [id, from, to] = match.slice(message ? 2 : 6);
        if (message || head)
            element.append(linkButton(match[0], () => links.message(id, from, to)));
        else if (node)
            element.append(linkButton(node, () => links.node(Number(node.slice(5)))));
        else if (place)
            element.append(linkButton(place, () => links.node(rankOf(place, links.size()))));
        end = match.index + match[0].length;
    }
    element.append(line.slice(end));
}

/* Puts a text at the end of a console that keeps its last lines. */
const CONSOLE_LIMIT = 60000; // characters

function append(element, text, kind) {
    if (!text)
        return;
    const span = document.createElement("span");
    if (kind)
        span.className = kind;
    span.textContent = text.slice(-CONSOLE_LIMIT);
    element.append(span);
    let kept = element.firstChild === span ? 0 : Number(element.dataset.kept || 0);
    kept += span.textContent.length;
    while (kept > CONSOLE_LIMIT && element.childNodes.length > 1) {
        kept -= element.firstChild.textContent.length;
        element.firstChild.remove();
    }
    element.dataset.kept = kept;
    element.scrollTop = element.scrollHeight;
}
