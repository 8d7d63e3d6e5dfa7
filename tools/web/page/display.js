/* A program draws into a block of words: display, display_width, display_height. The
 * blocks of the nodes make a mosaic, planes beside each other. A word's low 24 bits are
 * red, green and blue. */
const DISPLAY_MOST = 128; // words of a side of one node's block
let busy = false, drawn = 0; // whether words are being fetched; when they last were
let stale = false; // whether the machine has gone on since

async function drawDisplay() {
    const now = performance.now();
    stale = busy;
    if (busy || (running && now - drawn < 200))
        return;
    busy = true;
    drawn = now;
    try {
        const words = async (node, name, count) =>
            (await machine.ask("words", {node, name, count})).words;
        const [width, height] = [await words(0, "display_width", 1),
                                 await words(0, "display_height", 1)];
        const there = width && height;
        $("display").hidden = !there;
        if (there)
            await drawBlocks(Math.min(width[1], DISPLAY_MOST), Math.min(height[1], DISPLAY_MOST), words);
    } catch (error) {
        say(`${error.message}\n`, "ended");
    }
    busy = false;
    if (stale)
        drawDisplay();
}

async function drawBlocks(width, height, words) {
    const [X, Y, Z] = size, canvas = $("display"), gap = Z > 1 ? 1 : 0;
    canvas.width = (X * width + gap) * Z - gap;
    canvas.height = Y * height;
    const context = canvas.getContext("2d");
    for (let node = 0; node < X * Y * Z; node++) {
        const block = await words(node, "display", width * height);
        const image = context.createImageData(width, height);
        for (let i = 0; block && i < width * height; i++) {
            const colour = block[2 * i + 1];
            image.data.set([colour >> 16 & 255, colour >> 8 & 255, colour & 255, 255], 4 * i);
        }
        const [x, y, z] = [node % X, Math.floor(node / X) % Y, Math.floor(node / X / Y)];
        context.putImageData(image, (z * X + x) * width + z * gap, (Y - 1 - y) * height);
    }
}
