/* A machine in a worker, as the page sees it: requests that are promises. A worker that
 * fails or is terminated is replaced by a new one with its files. */

const $ = id => document.getElementById(id);
const ANSWER_MS = 15000; // after which the page offers to end the worker
let wasm = WASM; // the module: in base 64 until the first worker has decoded it
const workerText = Object.values(WORKER)[0];

class Machine {
    /* `events`: view(view, stopped), printed(out, err), late(bool), broken(text). */
    constructor(events) {
        this.events = events;
        this.files = new Map();
        this.begin();
    }

    begin() {
        this.waiting = new Map();
        this.next = 1;
        const url = URL.createObjectURL(new Blob([workerText], {type: "text/javascript"}));
        this.worker = new Worker(url);
        URL.revokeObjectURL(url);
        this.worker.onmessage = ({data}) => this.take(data);
        this.worker.onerror = event => this.broke(event.message || "the worker failed");
        this.ready = this.send("start", {wasm}).then(answer => (wasm = answer.wasm));
        for (const [name, content] of this.files)
            this.send("put", {name, content});
    }

    /* Asks the worker; `what` is a request of worker.js. */
    async ask(what, fields = {}) {
        await this.ready;
        if (what === "put")
            this.files.set(fields.name, fields.content);
        return this.send(what, fields);
    }

    send(what, fields) {
        const id = this.next++;
        return new Promise((done, failed) => {
            const timer = setTimeout(() => this.events.late(true), ANSWER_MS);
            this.waiting.set(id, {done, failed, timer});
            this.worker.postMessage({id, do: what, ...fields});
        });
    }

    take(data) {
        const request = this.waiting.get(data.id);
        this.waiting.delete(data.id);
        if (request)
            clearTimeout(request.timer);
        if (data.fatal) {
            this.broke(data.fatal, request);
            return;
        }
        if (!request)
            this.worker.postMessage({do: "seen"});
        if (request)
            request.done(data);
        else
            this.events.view(data.view, data.stopped, data.out, data.err);
    }

    /* Ends the worker and makes another. */
    broke(text, request) {
        this.worker.terminate();
        const error = new Error(text);
        if (request)
            request.failed(error);
        for (const {failed, timer} of this.waiting.values()) {
            clearTimeout(timer);
            failed(error);
        }
        this.begin();
        this.events.late(false);
        this.events.broken(text);
    }
}
