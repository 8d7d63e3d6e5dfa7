// extension.js BUILD: the extension for VS Code in BUILD/editors/vscode, with a stand-in
// for the editor, and the language server. Ends with status 1 and what is wrong.
"use strict";
const assert = require("assert");
const fs = require("fs");
const os = require("os");
const path = require("path");
const Module = require("module");

const build = path.resolve(process.argv[2]);
const providers = {}, documents = [], listeners = {}, found = new Map(), errors = [];
let factory;

const disposable = { dispose() {} };
const listen = (name) => (f) => { listeners[name] = f; return disposable; };
const kept = (...names) => class { constructor(...args) {
    names.forEach((name, i) => { this[name] = args[i]; }); } };
class Edits extends kept() { set(uri, edits) { (this.all = this.all || []).push([uri, edits]); } }
const kind = (value) => ({ value, append: (more) => kind(value ? `${value}.${more}` : more) });

const vscode = {
    Position: kept("line", "character"), Range: kept("start", "end"),
    MarkdownString: kept("value"), TextEdit: kept("range", "newText"),
    Location: kept("uri", "range"), WorkspaceEdit: Edits,
    Diagnostic: kept("range", "message", "severity"),
    DiagnosticRelatedInformation: kept("location", "message"),
    CompletionItem: kept("label", "kind"), CompletionList: kept("items", "isIncomplete"),
    DocumentSymbol: kept("name", "detail", "kind", "range", "selectionRange"),
    SignatureHelp: kept(), SignatureInformation: kept("label", "documentation"),
    ParameterInformation: kept("label", "documentation"), Hover: kept("contents", "range"),
    InlayHint: kept("position", "label", "kind"), CodeAction: kept("title", "kind"),
    CodeActionKind: { Empty: kind("") }, DocumentHighlight: kept("range", "kind"),
    DocumentLink: kept("range", "target"), FoldingRange: kept("start", "end"),
    SemanticTokens: kept("data"), SemanticTokensLegend: kept("types", "modifiers"),
    DebugAdapterExecutable: kept("command", "args"),
    Uri: { parse: (text) => ({ toString: () => text, scheme: text.split(":")[0] }) },
    debug: { registerDebugAdapterDescriptorFactory: (type, f) => {
        factory = { type, f };
        return disposable;
    } },
    languages: new Proxy({ createDiagnosticCollection: () => (
        { set: (uri, all) => found.set(uri.toString(), all), clear: () => found.clear(),
          dispose() {} }) }, {
        get: (own, name) => own[name] || ((selector, provider, ...more) => {
            Object.assign(providers, provider, { [name]: more });
            return disposable;
        }) }),
    window: { showErrorMessage: (text) => errors.push(text) },
    workspace: {
        textDocuments: documents, workspaceFolders: [],
        getConfiguration: () => ({ get: (name, standard) => (
            { jm: "jm of mine", mdpas: `${build}/mdpas` }[name] || standard) }),
        onDidOpenTextDocument: listen("open"), onDidChangeTextDocument: listen("change"),
        onDidCloseTextDocument: listen("close"),
        createFileSystemWatcher: (pattern) => ({ pattern, ...disposable, onDidCreate: listen("created"),
            onDidChange: listen("changed"), onDidDelete: listen("deleted") }),
    },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

const document = (name, text) => ({ languageId: "mdp", version: 1, getText: () => text,
                                    uri: vscode.Uri.parse(`file:///nowhere/${name}`) });

async function until(what, holds) {
    for (let i = 0; i < 4800 && !holds(); i++)
        await new Promise((resolve) => setTimeout(resolve, 25));
    assert.ok(holds(), what);
}

const token = { onCancellationRequested() {} };
const source = `        .global again\nagain:  add     r0,1,r1\n        br      ^again\nfoo: nop\n`;

async function features(good) {
    const at = (line, character) => new vscode.Position(line, character);
    const whole = new vscode.Range(at(0, 0), at(4, 0));
    const hover = await providers.provideHover(good, at(1, 9), token);
    assert.match(hover.contents.value, /add/i);
    const offered = await providers.provideCompletionItems(good, at(1, 10), token, {});
    assert.ok(offered.items.some((item) => /^add/i.test(item.label)));
    const [there] = await providers.provideDefinition(good, at(2, 18), token);
    assert.strictEqual(there.range.start.line, 1);
    const uses = await providers.provideReferences(
        good, at(2, 18), { includeDeclaration: true }, token);
    assert.ok(uses.length >= 2);
    const names = await providers.provideDocumentSymbols(good, token);
    assert.ok(names.some((one) => one.name === "again"));
    const renamed = await providers.provideRenameEdits(good, at(2, 18), "start", token);
    assert.ok(renamed.all[0][1].length >= 3);
    assert.ok(await providers.prepareRename(good, at(2, 18), token));
    const edits = await providers.provideDocumentFormattingEdits(good, { tabSize: 8 }, token);
    assert.ok(edits.length > 0);
    const hints = await providers.provideInlayHints(good, whole, token);
    assert.ok(hints.length > 0);
    const tokens = await providers.provideDocumentSemanticTokens(good, token);
    assert.ok(tokens.data.length > 0 && tokens.data.length % 5 === 0);
    assert.ok(providers.registerDocumentSemanticTokensProvider[0].types.length > 0);
}

// A text without a file, and an include file that comes, changes and goes.
async function others() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "extension-"));
    const include = path.join(folder, "a.inc");
    const fresh = { ...document("", ` .include "${include}"\n move ONE,r0\n`),
                    uri: vscode.Uri.parse("untitled:Untitled-1") };
    const messages = () => (found.get(`${fresh.uri}`) || []).length;
    listeners.open(fresh);
    await until("no include file", () => messages() === 1);
    const happens = async (name, value, count) => {
        if (value === undefined)
            fs.unlinkSync(include);
        else
            fs.writeFileSync(include, ` .equ ONE, ${value}\n`);
        listeners[name](vscode.Uri.parse(`file://${include}`));
        await until(name, () => messages() === count);
    };
    await happens("created", 1, 0);
    await happens("changed", 99999, 1);
    await happens("changed", 1, 0);
    await happens("deleted", undefined, 1);
    fs.rmdirSync(folder);
}

// A server that ends by itself is told of once; one that is told to end is not.
async function ends(server, context) {
    assert.deepStrictEqual(errors, []);
    server.child.kill();
    await until("an end", () => errors.length === 1);
    assert.match(errors[0], /^mdpas --lsp: it has ended/);
    assert.strictEqual(found.size, 0);
    context.subscriptions.forEach((one) => one.dispose());
    const again = { subscriptions: [] };
    const other = await require(`${build}/editors/vscode/extension.js`).activate(again);
    again.subscriptions.forEach((one) => one.dispose());
    await until("the other's end", () => other.ended);
    assert.strictEqual(errors.length, 1);
}

async function main() {
    const extension = require(`${build}/editors/vscode/extension.js`);
    const context = { subscriptions: [] };
    const bad = document("bad.s", "        ad      r0,1,r1\n");
    documents.push(bad);
    const server = await extension.activate(context);
    assert.strictEqual(factory.type, "jmachine");
    const executable = factory.f.createDebugAdapterDescriptor();
    assert.deepStrictEqual([executable.command, executable.args], ["jm of mine", ["dap"]]);
    await until("a message", () => (found.get(`${bad.uri}`) || []).length === 1);
    const [message] = found.get(`${bad.uri}`);
    assert.match(message.message, /ad/);
    assert.strictEqual(message.severity, 0);
    assert.strictEqual(message.range.start.line, 0);
    const fixes = await providers.provideCodeActions(
        bad, message.range, { diagnostics: [message] }, token);
    assert.ok(fixes.some((fix) => fix.edit));
    listeners.change({ document: bad, contentChanges: [{
        range: message.range, text: "add" }] });
    await until("no message", () => found.get(`${bad.uri}`).length === 0);
    listeners.close(bad);
    const good = document("good.s", source);
    listeners.open(good);
    await features(good);
    listeners.open({ ...good, languageId: "c" });
    await others();
    await ends(server, context);
    process.exit(0);
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
