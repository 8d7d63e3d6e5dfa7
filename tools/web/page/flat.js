/* The nodes as cubes: far ones first, each with the three faces that look this way, as
 * parallelograms, which they nearly are. Many cubes look alike, so a picture is made of
 * each level and size, and its pixels are copied: browsers that rasterise in software are
 * slow at filling faces. */

const RAMP_LEVELS = 64; // of colours
const EDGE_STEPS = 4; // a pixel: sizes of which pictures are made

class Flat {
    constructor(canvas) {
        this.context = canvas.getContext("2d");
        this.scratch = document.createElement("canvas").getContext(
            "2d", {willReadFrequently: true});
    }

    /* `places`: of node i from 3 i on; `shares`: 0 to 1; `lens`: of the view. */
    draw(places, shares, lens) {
        const {width, height} = this.context.canvas;
        this.look(places, lens, width, height);
        this.pixels.fill(0);
        for (const i of this.order) {
            const level = Math.round(Math.max(0, Math.min(1, shares[i])) * (RAMP_LEVELS - 1));
            this.copy(this.picture(level, this.scale[i] * edgeOf(shares[i])), this.x[i], this.y[i]);
        }
        this.context.putImageData(this.image, 0, 0);
    }

    /* Finds where the nodes lie and in what order they are drawn; kept until something
     * is turned. */
    look(places, lens, width, height) {
        const key = [width, height, lens.far, lens.turn, lens.middle].join();
        if (this.key === key)
            return;
        this.key = key;
        this.image = this.context.createImageData(width || 1, height || 1);
        this.pixels = new Uint32Array(this.image.data.buffer);
        this.faces = [0, 1, 2].map(axis => faceOf(lens, axis, width, height));
        this.reach = [0, 1].map(k => Math.max(...this.faces.flatMap(
            face => face.corners.filter((_, i) => i % 2 === k).map(Math.abs))));
        this.pictures = new Map();
        const spots = Array.from({length: places.length / 3}, (_, i) =>
            project(lens, places.subarray(3 * i, 3 * i + 3)));
        this.x = Float32Array.from(spots, p => (p.x + 1) / 2 * width);
        this.y = Float32Array.from(spots, p => (1 - p.y) / 2 * height);
        this.scale = Float32Array.from(spots, p => p.scale);
        this.order = Uint32Array.from(spots.keys()).sort((a, b) => spots[a].z - spots[b].z);
    }

    /* Returns the picture of a cube, its middle in the middle: {width, height, pixels}. */
    picture(level, edge) {
        const size = Math.max(1, Math.round(edge * this.faces[0].unit * EDGE_STEPS));
        const key = size * RAMP_LEVELS + level;
        let picture = this.pictures.get(key);
        if (!picture)
            this.pictures.set(key, picture = this.paint(level, size / EDGE_STEPS / this.faces[0].unit));
        return picture;
    }

    paint(level, edge) {
        const [width, height] = this.reach.map(reach => 2 * Math.ceil(reach * edge) + 1);
        const {scratch} = this;
        scratch.canvas.width = width;
        scratch.canvas.height = height;
        scratch.translate(width / 2, height / 2);
        for (const {corners: c, styles} of this.faces) {
            scratch.fillStyle = styles[level];
            scratch.beginPath();
            for (let i = 0; i < c.length; i += 2)
                scratch.lineTo(c[i] * edge, c[i + 1] * edge);
            scratch.fill();
        }
        const {data} = scratch.getImageData(0, 0, width, height);
        return {width, height, pixels: new Uint32Array(data.buffer)};
    }

    copy({width, height, pixels}, x, y) {
        const {image, pixels: to} = this;
        const left = Math.round(x - width / 2), top = Math.round(y - height / 2);
        const first = Math.max(0, -left), end = Math.min(width, image.width - left);
        for (let row = Math.max(0, -top); row < Math.min(height, image.height - top); row++) {
            const from = row * width, at = (top + row) * image.width + left;
            for (let i = first; i < end; i++) {
                const pixel = pixels[from + i];
                if (pixel >>> 24 === 255 || (pixel && !to[at + i]))
                    to[at + i] = pixel;
                else if (pixel)
                    to[at + i] = mixed(pixel, to[at + i]);
            }
        }
    }
}

/* Returns a pixel over another, highest byte alpha; the colours as if both hid what is
 * below them by the first one's alpha, two at a time. */
function mixed(over, under) {
    const a = (over >>> 24) + 1, b = 256 - a;
    const outer = (Math.imul(over & 0xFF00FF, a) + Math.imul(under & 0xFF00FF, b)) >>> 8 & 0xFF00FF;
    const inner = (over >>> 8 & 255) * a + (under >>> 8 & 255) * b & 0xFF00;
    return (over >>> 24) + ((under >>> 24) * b >>> 8) << 24 | outer | inner;
}

/* Returns a face of a cube of edge 2 at scale 1: its corners in pixels, a style for each
 * level; and the pixels of a unit. */
function faceOf(lens, axis, width, height) {
    const unit = [lens.aspect[0] * width / 2, -lens.aspect[1] * height / 2];
    const side = Math.sign(lens.turn[2][axis]) || 1;
    const edge = i => [lens.turn[0][i] * unit[0], lens.turn[1][i] * unit[1]];
    const [out, u, v] = [edge(axis), edge((axis + 1) % 3), edge((axis + 2) % 3)];
    const normal = lens.turn.map(row => row[axis] * side);
    const light = (-0.35 * normal[0] + 0.6 * normal[1] + 0.75 * normal[2]) / 1.02;
    const shade = 255 * (0.62 + 0.38 * Math.max(light, 0));
    return {
        unit: unit[0],
        corners: [[-1, -1], [1, -1], [1, 1], [-1, 1]].flatMap(
            ([a, b]) => [0, 1].map(k => out[k] * side + a * u[k] + b * v[k])),
        styles: Array.from({length: RAMP_LEVELS}, (_, level) =>
            `rgb(${rampColour(level / (RAMP_LEVELS - 1)).map(c => Math.round(c * shade))})`),
    };
}
