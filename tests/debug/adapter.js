// adapter.js JM: a session of the protocol's own client for tests
// (@vscode/debugadapter-testsupport, found by NODE_PATH) with `jm dap`. Ends with status 1
// and what is wrong.
"use strict";
const assert = require("assert");
const path = require("path");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const source = path.resolve("tests/debug/programs/tag.s");
const full = path.resolve("tests/debug/programs/full.s");

async function session(what) {
    const client = new DebugClient(process.argv[2], "dap", "jmachine", undefined, true);
    client.defaultTimeout = 20000;
    await client.start();
    await what(client);
    await client.disconnectRequest({});
    await client.stopAdapter();
}

// Does a request that moves the machine; where it has stopped.
async function moved(client, request) {
    const [stopped] = await Promise.all([client.waitForEvent("stopped"), request]);
    return stopped.body;
}

async function topFrame(client, threadId) {
    const { body } = await client.stackTraceRequest({ threadId, startFrame: 0, levels: 1 });
    return body.stackFrames[0];
}

async function atBreakpoint(client) {
    const launch = { program: source, mesh: "4x1x1" };
    await client.hitBreakpoint(launch, { path: source, line: 15 }, { path: source, line: 15 },
                               { path: source, line: 15, verified: true });
    const { body: { threads } } = await client.threadsRequest();
    assert.strictEqual(threads.length, 4);
    const frame = await topFrame(client, 1);
    const { body: { scopes } } = await client.scopesRequest({ frameId: frame.id });
    const registers = scopes.find((scope) => scope.name === "Registers");
    const { body: { variables } } = await client.variablesRequest(
        { variablesReference: registers.variablesReference });
    const r1 = variables.find((variable) => variable.name === "R1");
    const { body } = await client.evaluateRequest(
        { expression: "$r1", context: "watch", frameId: frame.id });
    assert.strictEqual(body.result, r1.value);
    await client.setVariableRequest(
        { variablesReference: registers.variablesReference, name: "R1", value: "77" });
    const set = await client.evaluateRequest({ expression: r1.evaluateName, context: "watch" });
    assert.strictEqual(set.body.result, "INT:0000004D  77");
}

async function thereAndBack(client) {
    await Promise.all([
        client.configurationSequence(),
        client.launch({ program: source, mesh: "4x1x1", stopOnEntry: true }),
        client.assertStoppedLocation("entry", {}),
    ]);
    const { body: { breakpoints } } = await client.setFunctionBreakpointsRequest(
        { breakpoints: [{ name: "arrive" }] });
    assert.ok(breakpoints[0].verified);
    const forward = [];
    for (let i = 0; i < 3; i++) {
        const { reason, threadId } = await moved(client, client.continueRequest({ threadId: 1 }));
        assert.strictEqual(reason, "function breakpoint");
        forward.push((await topFrame(client, threadId)).line);
    }
    await moved(client, client.nextRequest({ threadId: 1 }));
    const line = (await topFrame(client, 1)).line;
    await moved(client, client.stepInRequest({ threadId: 1, granularity: "instruction" }));
    await moved(client, client.stepBackRequest({ threadId: 1, granularity: "instruction" }));
    assert.strictEqual((await topFrame(client, 1)).line, line);
    for (let i = forward.length; i-- > 0;) {
        const { reason, threadId } = await moved(client,
                                                 client.reverseContinueRequest({ threadId: 1 }));
        assert.strictEqual(reason, "function breakpoint");
        assert.strictEqual((await topFrame(client, threadId)).line, forward[i]);
    }
    assert.strictEqual(
        (await moved(client, client.reverseContinueRequest({ threadId: 1 }))).reason, "entry");
    const frame = await topFrame(client, 1);
    const { body: { instructions } } = await client.disassembleRequest(
        { memoryReference: frame.instructionPointerReference, instructionCount: 5 });
    assert.strictEqual(instructions.length, 5);
}

async function deadlock(client) {
    const [stopped] = await Promise.all([
        client.waitForEvent("stopped"),
        client.configurationSequence(),
        client.launch({ program: full, bare: true, mesh: "2x1x1" }),
    ]);
    assert.strictEqual(stopped.body.reason, "exception");
    const { body } = await client.exceptionInfoRequest({ threadId: 1 });
    assert.strictEqual(body.exceptionId, "deadlock");
    await Promise.all([client.waitForEvent("terminated"), client.waitForEvent("exited"),
                       client.continueRequest({ threadId: 1 })]);
}

// 512 nodes: a breakpoint with a condition, who sent the message in hand, back over its SEND,
// and a word that is watched.
async function large(client) {
    const program = path.resolve("programs/greet/greet.s");
    await Promise.all([
        client.configurationSequence(),
        client.launch({ program, mesh: "8x8x8", stopOnEntry: true }),
        client.assertStoppedLocation("entry", {}),
    ]);
    const { body: { breakpoints } } = await client.setFunctionBreakpointsRequest(
        { breakpoints: [{ name: "greeting", condition: "[$a3 + 1] == 100" }] });
    assert.ok(breakpoints[0].verified);
    const { threadId } = await moved(client, client.continueRequest({ threadId: 1 }));
    assert.strictEqual(threadId, 1);
    const found = await client.evaluateRequest({ expression: "[$a3 + 1]", context: "watch" });
    assert.match(found.body.result, /100/);

    // Below the task, the sender at its SEND.
    const { body: { stackFrames } } = await client.stackTraceRequest(
        { threadId: 1, startFrame: 0, levels: 20 });
    const sender = stackFrames.find((frame) => frame.presentationHint === "subtle");
    const [, node, cycle] = /^node (\d+) sent it in cycle (\d+)/.exec(sender.name);
    assert.strictEqual(path.basename(sender.source.path), "greet.s");

    // The machine goes back to that cycle, and the sender over its SEND, forth and back.
    await client.setFunctionBreakpointsRequest({ breakpoints: [] });
    await client.evaluateRequest({ expression: `goto ${cycle}`, context: "repl" });
    const threadOf = Number(node) + 1;
    const state = async () => (await client.evaluateRequest(
        { expression: `$ip@${node}`, context: "watch" })).body.result;
    const before = await state();
    await moved(client, client.stepInRequest({ threadId: threadOf, granularity: "instruction" }));
    const after = await state();
    assert.notStrictEqual(before, after);
    await moved(client, client.stepBackRequest({ threadId: threadOf, granularity: "instruction" }));
    assert.strictEqual(await state(), before);

    // Writes of a word.
    const info = await client.customRequest("dataBreakpointInfo", { name: "hops" });
    const dataId = info.body.dataId;
    assert.ok(dataId, info.body.description);
    const watched = await client.customRequest("setDataBreakpoints",
        { breakpoints: [{ dataId, accessType: "write" }] });
    assert.ok(watched.body.breakpoints[0].verified, watched.body.breakpoints[0].message);
    const hit = await moved(client, client.continueRequest({ threadId: 1 }));
    assert.strictEqual(hit.reason, "data breakpoint");
}

async function refused(client) {
    await client.initializeRequest();
    await assert.rejects(client.launchRequest({ program: source, mehs: "4x1x1" }), /did you mean 'mesh'/);
    await assert.rejects(client.attachRequest({}), /nothing to attach to/);
}

(async () => {
    for (const what of [atBreakpoint, thereAndBack, deadlock, large, refused])
        await session(what);
    process.exit(0);
})().catch((error) => {
    console.error(error);
    process.exit(1);
});
