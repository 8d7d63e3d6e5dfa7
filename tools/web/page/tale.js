/* Telling the stories of stories.js. */

let story = null, moment = 0;

async function beginStory(index) {
    story = STORIES[index] || null;
    moment = 0;
    $("tale").hidden = !story;
    if (!story) {
        await loadSecond(null);
        return;
    }
    choose(story.program);
    setOptions(`--mesh ${story.mesh} ${story.options}`);
    if (story.colour)
        $("colour").value = story.colour;
    const main = programs.get(story.program).main;
    showMoment(false);
    if (!(await load()))
        return;
    await loadSecond(story.second === undefined ? null
        : ["--mesh", story.mesh, ...story.second.split(/\s+/), main]);
    await goToMoment();
}

function showMoment(ready) {
    const {moments, title} = story;
    const p = document.createElement("p");
    p.textContent = moments[moment].text;
    const where = document.createElement("strong");
    where.textContent = `${title}, ${moment + 1} of ${moments.length}. `;
    p.prepend(where);
    const next = linkButton(moment + 1 < moments.length ? "Go on" : "End", () => {
        if (++moment < moments.length) {
            showMoment(false);
            goToMoment();
        } else {
            $("story").value = "";
            beginStory(-1);
        }
    });
    next.disabled = !ready;
    next.id = "next";
    $("tale").replaceChildren(p, next, ready ? "" : " working...");
}

async function goToMoment() {
    const m = story.moments[moment], tale = story;
    if (m.colour)
        $("colour").value = m.colour;
    if (m.topic)
        $("topic").value = m.topic;
    for (const line of m.commands)
        if (line === "continue")
            await both("run 2000000", 60000);
        else
            await both(line, 60000);
    if (story !== tale)
        return;
    await seeSource();
    if (m.follow)
        $("inspector").querySelector("button")?.click();
    showMoment(true);
}

/* Shows the line of source where the chosen node is. */
async function seeSource() {
    const answer = await machine.ask("ask", {line: `where ${view.chosen}`});
    const at = /\(([^():]+):(\d+)\)/.exec(answer.out);
    const path = at && Object.keys(texts).find(p => p === at[1] || p.endsWith("/" + at[1]));
    if (path)
        seeLine(path, +at[2]);
}
