/* Charts of what changes while the machine runs. A chart keeps a row of samples by
 * cycle; when it is full every second one is dropped. */

const CHART_SAMPLES = 1200;
const CHART_MS = 100; // between two drawings of a chart that grows

class Chart {
    constructor(canvas, output) {
        this.canvas = canvas;
        this.output = output;
        this.clear();
    }

    clear() {
        this.samples = [];
        this.draw();
    }

    /* Adds a sample; of one in the past all later ones are forgotten. */
    add(cycle, value) {
        while (this.samples.length && this.samples.at(-1)[0] >= cycle)
            this.samples.pop();
        this.samples.push([cycle, value]);
        if (this.samples.length > CHART_SAMPLES)
            this.samples = this.samples.filter((sample, i) => i % 2 === 0);
        this.later ||= setTimeout(() => this.draw(), CHART_MS);
    }

    draw() {
        const {canvas, samples} = this;
        const scale = window.devicePixelRatio || 1;
        clearTimeout(this.later);
        this.later = 0;
        canvas.width = canvas.clientWidth * scale;
        canvas.height = canvas.clientHeight * scale;
        const context = canvas.getContext("2d");
        const now = samples.at(-1)?.[1] ?? "";
        this.output.textContent = Number.isInteger(now) ? now : now && now.toFixed(2);
        if (samples.length < 2)
            return;
        const first = samples[0][0], span = samples.at(-1)[0] - first || 1;
        const most = Math.max(1e-9, ...samples.map(sample => sample[1]));
        const style = getComputedStyle(canvas);
        context.strokeStyle = style.getPropertyValue("--main");
        context.lineWidth = 1.5 * scale;
        context.beginPath();
        for (const [cycle, value] of samples)
            context.lineTo((cycle - first) / span * canvas.width,
                           canvas.height * (1 - 0.92 * value / most) - 1);
        context.stroke();
        context.fillStyle = style.color;
        context.font = `${11 * scale}px system-ui, sans-serif`;
        context.fillText(Number.isInteger(most) || most < 0.05 ? Math.round(most) : most.toFixed(1), 3 * scale,
                         12 * scale);
    }
}
