/* The machine as a block of cubes that turns (flat.js). What lies over it (the chosen
 * node, the path of a message) is drawn on a second canvas. */

/* Half an edge of a cube, in distances between nodes, from none to all: cubes grow with
 * what they show, so that the middle of the machine is seen. */
const CUBE_LEAST = 0.12, CUBE_MOST = 0.38;

/* Colours from none to all; the same in light and dark. */
const RAMP = [[0.35, 0.39, 0.45], [0.16, 0.45, 0.75], [0.18, 0.65, 0.45], [0.92, 0.75, 0.2],
              [0.9, 0.25, 0.18]];

function rampColour(share) {
    const at = Math.max(0, Math.min(1, share)) * (RAMP.length - 1);
    const i = Math.min(Math.floor(at), RAMP.length - 2);
    return RAMP[i].map((from, k) => from + (RAMP[i + 1][k] - from) * (at - i));
}

const rampCss = RAMP.map(c => `rgb(${c.map(v => Math.round(v * 255)).join(" ")})`);

const edgeOf = share =>
    CUBE_LEAST + (CUBE_MOST - CUBE_LEAST) * Math.sqrt(Math.max(0, Math.min(1, share)));

/* Where a place lands on the canvas: x, y in -1 to 1, depth, and the scale there. */
function project(lens, place) {
    const [x, y, z] = lens.turn.map(row => row.reduce(
        (sum, part, i) => sum + part * (place[i] - lens.middle[i]), 0));
    const w = lens.far * 0.68 - z * 0.14;
    return {x: x * lens.aspect[0] / w, y: y * lens.aspect[1] / w, z, scale: 1 / w};
}

class View {
    constructor(canvas, overlay) {
        this.canvas = canvas;
        this.overlay = overlay;
        this.size = [1, 1, 1];
        this.yaw = -0.6;
        this.pitch = 0.45;
        this.zoom = 1;
        this.chosen = 0;
        this.paths = []; // {nodes, style}
        this.flat = new Flat(canvas);
        this.setSize([1, 1, 1]);
        new ResizeObserver(() => this.draw()).observe(canvas);
    }

    setSize(size) {
        this.size = size;
        const [X, Y, Z] = size, count = X * Y * Z;
        this.places = new Float32Array(3 * count);
        for (let i = 0; i < count; i++)
            this.places.set([i % X, Math.floor(i / X) % Y, Math.floor(i / X / Y)], 3 * i);
        this.shares = null;
        this.setShares(new Float32Array(count));
        this.chosen = Math.min(this.chosen, count - 1);
        this.paths = [];
        this.draw();
    }

    /* Colours the nodes by shares of 0 to 1. */
    setShares(shares) {
        if (this.shares && shares.every((share, i) => share === this.shares[i]))
            return;
        this.shares = shares;
        this.drawLater();
    }

    matrix() {
        const [cy, sy] = [Math.cos(this.yaw), Math.sin(this.yaw)];
        const [cp, sp] = [Math.cos(this.pitch), Math.sin(this.pitch)];
        // rows: what is right, up and near of a place
        return [[cy, 0, sy], [sy * sp, cp, -cy * sp], [-sy * cp, sp, cy * cp]];
    }

    /* Returns what project() needs. */
    lens() {
        const longest = Math.max(...this.size);
        const far = (longest + 1.5) / this.zoom;
        const {clientWidth: w, clientHeight: h} = this.canvas;
        const aspect = w > h ? [h / w, 1] : [1, w / (h || 1)];
        return {far, aspect, middle: this.size.map(n => (n - 1) / 2), turn: this.matrix()};
    }

    /* Draws soon, also what lies over the nodes. */
    draw() {
        this.overDrawn = false;
        this.drawLater();
    }

    drawLater() {
        if (this.asked)
            return;
        this.asked = true;
        requestAnimationFrame(() => {
            this.asked = false;
            this.drawNow();
        });
    }

    drawNow() {
        const scale = window.devicePixelRatio || 1, {canvas} = this;
        for (const c of [canvas, this.overlay]) {
            const w = Math.round(canvas.clientWidth * scale);
            const h = Math.round(canvas.clientHeight * scale);
            if (c.width === w && c.height === h)
                continue;
            [c.width, c.height] = [w, h];
            this.overDrawn = false;
        }
        const lens = this.lens();
        this.flat.draw(this.places, this.shares, lens);
        if (!this.overDrawn)
            this.drawOver(lens);
        this.overDrawn = true;
    }

    placeOf(node) {
        return [...this.places.subarray(3 * node, 3 * node + 3)];
    }

    /* Draws paths, the chosen node and its coordinates. */
    drawOver(lens) {
        const context = this.overlay.getContext("2d"), {width, height} = this.overlay;
        const style = getComputedStyle(this.canvas);
        const spot = node => {
            const p = project(lens, this.placeOf(node));
            return [(p.x + 1) / 2 * width, (1 - p.y) / 2 * height, p.scale * Math.min(width, height)];
        };
        context.clearRect(0, 0, width, height);
        for (const path of this.paths) {
            context.strokeStyle = style.getPropertyValue(path.style);
            context.lineWidth = path.done ? 4 : 2;
            context.setLineDash(path.done ? [] : [6, 5]);
            context.beginPath();
            for (const node of path.nodes)
                context.lineTo(...spot(node).slice(0, 2));
            context.stroke();
        }
        context.setLineDash([]);
        const [x, y, scale] = spot(this.chosen);
        context.strokeStyle = style.color;
        context.lineWidth = 2;
        context.beginPath();
        context.arc(x, y, CUBE_MOST * scale / 2, 0, 2 * Math.PI);
        context.stroke();
        context.fillStyle = style.color;
        context.font = `${13 * (window.devicePixelRatio || 1)}px system-ui, sans-serif`;
        context.fillText(`node ${this.chosen} (${this.placeOf(this.chosen).join(",")})`, 8, height - 8);
    }

    /* Returns the nearest node at a point of the canvas, in its CSS pixels; -1: none. */
    nodeAt(x, y) {
        const lens = this.lens();
        const {clientWidth: w, clientHeight: h} = this.canvas;
        let best = -1, nearest = -Infinity;
        for (let i = 0; i < this.places.length / 3; i++) {
            const p = project(lens, this.placeOf(i));
            const distance = Math.hypot((p.x + 1) / 2 * w - x, (1 - p.y) / 2 * h - y);
            if (distance < CUBE_MOST / 2 * p.scale * Math.min(w, h) && p.z > nearest)
                [best, nearest] = [i, p.z];
        }
        return best;
    }

    turnBy(yaw, pitch) {
        this.yaw += yaw;
        this.pitch = Math.max(-1.55, Math.min(1.55, this.pitch + pitch));
        this.draw();
    }

    zoomBy(factor) {
        this.zoom = Math.max(0.3, Math.min(6, this.zoom * factor));
        this.draw();
    }
}

/* Lets pointer and wheel turn views together; `choose(node)` is called for a click. */
function makeTurn(views, choose) {
    const nearer = factor => views.forEach(v => v.zoomBy(factor));
    for (const view of views) {
        const {canvas} = view;
        let last = null, moved = 0;
        canvas.addEventListener("pointerdown", e => {
            last = [e.clientX, e.clientY];
            moved = 0;
            canvas.setPointerCapture(e.pointerId);
        });
        canvas.addEventListener("pointermove", e => {
            if (!last)
                return;
            const [dx, dy] = [e.clientX - last[0], e.clientY - last[1]];
            moved += Math.abs(dx) + Math.abs(dy);
            last = [e.clientX, e.clientY];
            views.forEach(v => v.turnBy(dx * 0.008, dy * 0.008));
        });
        canvas.addEventListener("pointerup", e => {
            const node = moved < 5 ? view.nodeAt(e.offsetX, e.offsetY) : -1;
            last = null;
            if (node >= 0)
                choose(node);
        });
        canvas.addEventListener("pointercancel", () => (last = null));
        canvas.addEventListener("wheel", e => {
            e.preventDefault();
            nearer(Math.exp(-e.deltaY * 0.001));
        }, {passive: false});
    }
}
