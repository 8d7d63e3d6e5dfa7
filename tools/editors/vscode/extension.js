// The extension for VS Code: starts the language server (mdpas --lsp), sends it the
// changes of documents, and turns its answers into the editor's own objects by the
// table of features. The debug adapter (jm dap) is started by the editor. It uses no
// module but the editor's and Node's.
"use strict";
const vscode = require("vscode");
const { spawn } = require("child_process");

// ---- the wire: JSON behind its length -------------------------------------------------

class Server {
    constructor(command, args, notified) {
        this.number = 0;
        this.waiting = new Map();
        this.input = Buffer.alloc(0);
        this.notified = notified; // called with notifications of the server
        this.gone = () => {}; // called when the server ends by itself
        this.ending = false; // whether it was asked to end
        this.ended = null; // why the server is gone
        this.child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
        this.child.on("error", (error) => this.end(error.message));
        this.child.on("exit", (status) => this.end(`it has ended with status ${status}`));
        this.child.stdin.on("error", () => {});
        this.child.stdout.on("data", (data) => this.take(data));
    }

    end(why) {
        if (!this.ended && !this.ending)
            this.gone(why);
        this.ended = this.ended || why;
        for (const { reject } of this.waiting.values())
            reject(new Error(this.ended));
        this.waiting.clear();
    }

    send(message) {
        const text = JSON.stringify({ jsonrpc: "2.0", ...message });
        this.child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    }

    stop() {
        this.ending = true;
        this.notify("exit");
    }

    notify(method, params) {
        if (!this.ended)
            this.send({ method, params });
    }

    // Sends a request; returns the answer's result, nothing if it was cancelled.
    ask(method, params, token) {
        if (this.ended)
            return Promise.reject(new Error(this.ended));
        const id = ++this.number;
        if (token)
            token.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.send({ id, method, params });
        });
    }

    take(data) {
        this.input = Buffer.concat([this.input, data]);
        for (;;) {
            const head = this.input.indexOf("\r\n\r\n");
            const length = /content-length: *(\d+)/i.exec(this.input.toString("latin1", 0, head));
            if (head < 0 || !length || this.input.length < head + 4 + Number(length[1]))
                return;
            const end = head + 4 + Number(length[1]);
            const message = JSON.parse(this.input.toString("utf8", head + 4, end));
            this.input = this.input.subarray(end);
            this.answer(message);
        }
    }

    answer(message) {
        const asked = this.waiting.get(message.id);
        if (message.method) {
            this.notified(message.method, message.params);
            return;
        }
        this.waiting.delete(message.id);
        if (asked && message.error)
            asked.reject(new Error(message.error.message));
        else if (asked)
            asked.resolve(message.result);
    }
}

// ---- the protocol's objects as the editor's -------------------------------------------

const position = (p) => new vscode.Position(p.line, p.character);
const range = (r) => new vscode.Range(position(r.start), position(r.end));
const list = (value) => value || [];
const text = (value) => new vscode.MarkdownString(value.value === undefined ? value : value.value);
const edit = (e) => new vscode.TextEdit(range(e.range), e.newText);
const location = (l) => new vscode.Location(vscode.Uri.parse(l.uri), range(l.range));

function workspaceEdit(value) {
    const result = new vscode.WorkspaceEdit();
    for (const [uri, edits] of Object.entries(value.changes || {}))
        result.set(vscode.Uri.parse(uri), edits.map(edit));
    for (const change of list(value.documentChanges))
        result.set(vscode.Uri.parse(change.textDocument.uri), change.edits.map(edit));
    return result;
}

function diagnostic(d) {
    const result = new vscode.Diagnostic(range(d.range), d.message, (d.severity || 1) - 1);
    result.source = d.source;
    result.relatedInformation = list(d.relatedInformation).map(
        (r) => new vscode.DiagnosticRelatedInformation(location(r.location), r.message));
    return result;
}

// The diagnostic as the server has sent it.
const sent = (d) => ({ range: d.range, message: d.message, severity: d.severity + 1,
                       source: d.source });

function completion(c) {
    const item = new vscode.CompletionItem(c.label, c.kind ? c.kind - 1 : undefined);
    item.detail = c.detail;
    item.documentation = c.documentation && text(c.documentation);
    item.sortText = c.sortText;
    item.filterText = c.filterText;
    item.insertText = c.textEdit ? c.textEdit.newText : c.insertText;
    item.range = c.textEdit && range(c.textEdit.range);
    return item;
}

function symbol(s) {
    const result = new vscode.DocumentSymbol(s.name, s.detail || "", s.kind - 1,
                                             range(s.range), range(s.selectionRange));
    result.children = list(s.children).map(symbol);
    return result;
}

function signature(help) {
    const result = new vscode.SignatureHelp();
    result.activeSignature = help.activeSignature || 0;
    result.activeParameter = help.activeParameter || 0;
    result.signatures = help.signatures.map((s) => {
        const one = new vscode.SignatureInformation(
            s.label, s.documentation && text(s.documentation));
        one.parameters = list(s.parameters).map(
            (p) => new vscode.ParameterInformation(p.label, p.documentation));
        return one;
    });
    return result;
}

function inlay(h) {
    const result = new vscode.InlayHint(position(h.position), h.label, h.kind);
    result.paddingLeft = h.paddingLeft;
    result.tooltip = h.tooltip;
    return result;
}

function action(a) {
    const result = new vscode.CodeAction(
        a.title, a.kind ? vscode.CodeActionKind.Empty.append(a.kind) : undefined);
    result.edit = a.edit && workspaceEdit(a.edit);
    return result;
}

const hover = (h) => new vscode.Hover(text(h.contents), h.range && range(h.range));
const highlight = (h) => new vscode.DocumentHighlight(range(h.range), (h.kind || 1) - 1);
const link = (l) => new vscode.DocumentLink(range(l.range), l.target && vscode.Uri.parse(l.target));
const fold = (f) => new vscode.FoldingRange(f.startLine, f.endLine);
const tokens = (t) => new vscode.SemanticTokens(new Uint32Array(t.data), t.resultId);
const completions = (c) => new vscode.CompletionList(list(c.items || c).map(completion),
                                                     c.isIncomplete);

// ---- features -------------------------------------------------------------------------

// A row: capability of the server, function that registers it, the provider's method,
// request, parameters that the request has beside the document, conversion of the answer,
// and further arguments of the registering function.
const at = (_, p) => ({ position: { line: p.line, character: p.character } });
const none = () => ({});
const within = (_, r) => ({ range: { start: r.start, end: r.end } });
const layout = (_, o) => ({ options: { tabSize: o.tabSize, insertSpaces: o.insertSpaces } });
const each = (convert) => (answers) => list(answers).map(convert);
const features = [
    ["hoverProvider", "registerHoverProvider", "provideHover", "hover", at, hover],
    ["completionProvider", "registerCompletionItemProvider", "provideCompletionItems",
        "completion", at, completions, (o) => list(o.triggerCharacters)],
    ["signatureHelpProvider", "registerSignatureHelpProvider", "provideSignatureHelp",
        "signatureHelp", at, signature, (o) => list(o.triggerCharacters)],
    ["definitionProvider", "registerDefinitionProvider", "provideDefinition", "definition", at,
        (d) => [].concat(d).map(location)],
    ["referencesProvider", "registerReferenceProvider", "provideReferences", "references",
        (d, p, context) => ({ ...at(d, p), context }), each(location)],
    ["documentHighlightProvider", "registerDocumentHighlightProvider",
        "provideDocumentHighlights", "documentHighlight", at, each(highlight)],
    ["documentSymbolProvider", "registerDocumentSymbolProvider", "provideDocumentSymbols",
        "documentSymbol", none, each(symbol)],
    ["documentLinkProvider", "registerDocumentLinkProvider", "provideDocumentLinks",
        "documentLink", none, each(link)],
    ["foldingRangeProvider", "registerFoldingRangeProvider", "provideFoldingRanges",
        "foldingRange", none, each(fold)],
    ["inlayHintProvider", "registerInlayHintsProvider", "provideInlayHints", "inlayHint",
        within, each(inlay)],
    ["documentFormattingProvider", "registerDocumentFormattingEditProvider",
        "provideDocumentFormattingEdits", "formatting", layout, each(edit)],
    ["documentRangeFormattingProvider", "registerDocumentRangeFormattingEditProvider",
        "provideDocumentRangeFormattingEdits", "rangeFormatting",
        (d, r, o) => ({ ...within(d, r), ...layout(d, o) }), each(edit)],
    ["codeActionProvider", "registerCodeActionsProvider", "provideCodeActions", "codeAction",
        (d, r, context) => ({ ...within(d, r),
                              context: { diagnostics: context.diagnostics.map(sent) } }),
        each(action)],
    ["semanticTokensProvider", "registerDocumentSemanticTokensProvider",
        "provideDocumentSemanticTokens", "semanticTokens/full", none, tokens,
        (o) => [new vscode.SemanticTokensLegend(o.legend.tokenTypes, o.legend.tokenModifiers)]],
];

const schemes = ["file", "untitled"];
const selector = schemes.map((scheme) => ({ language: "mdp", scheme }));

// The last argument that looks like a token of cancellation.
const tokenOf = (args) => args.find((a) => a && a.onCancellationRequested);

function provider(server, method, request, parameters, convert) {
    return { [method]: async (document, ...args) => {
        const answer = await server.ask(
            `textDocument/${request}`,
            { textDocument: { uri: document.uri.toString() }, ...parameters(document, ...args) },
            tokenOf(args));
        return answer === null ? undefined : convert(answer);
    } };
}

function renaming(server) {
    const where = (document, p) => ({ textDocument: { uri: document.uri.toString() },
                                      ...at(document, p) });
    return {
        provideRenameEdits: async (document, p, newName, token) => workspaceEdit(
            await server.ask("textDocument/rename", { ...where(document, p), newName }, token)),
        prepareRename: async (document, p, token) => {
            const found = await server.ask("textDocument/prepareRename", where(document, p), token);
            if (!found)
                throw new Error("this has no name that can be changed");
            return range(found.range || found);
        },
    };
}

function register(server, capabilities) {
    const registered = [];
    for (const [capability, make, method, request, parameters, convert, more] of features)
        if (capabilities[capability])
            registered.push(vscode.languages[make](
                selector, provider(server, method, request, parameters, convert),
                ...(more ? more(capabilities[capability]).flat(0) : [])));
    if (capabilities.renameProvider)
        registered.push(vscode.languages.registerRenameProvider(selector, renaming(server)));
    return registered;
}

// ---- documents ------------------------------------------------------------------------

function follow(server) {
    const is = (document) => document.languageId === "mdp" &&
        schemes.includes(document.uri.scheme);
    const open = (document) => is(document) && server.notify("textDocument/didOpen", {
        textDocument: { uri: document.uri.toString(), languageId: "mdp",
                        version: document.version, text: document.getText() } });
    const change = ({ document, contentChanges }) => is(document) && contentChanges.length &&
        server.notify("textDocument/didChange", {
            textDocument: { uri: document.uri.toString(), version: document.version },
            contentChanges: contentChanges.map(
                (c) => ({ range: { start: c.range.start, end: c.range.end }, text: c.text })) });
    const close = (document) => is(document) && server.notify(
        "textDocument/didClose", { textDocument: { uri: document.uri.toString() } });
    vscode.workspace.textDocuments.forEach(open);
    return [vscode.workspace.onDidOpenTextDocument(open),
            vscode.workspace.onDidChangeTextDocument(change),
            vscode.workspace.onDidCloseTextDocument(close)];
}

// Sources that change outside the editor.
function watch(server) {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.{s,inc}");
    const changed = (type) => (uri) => server.notify("workspace/didChangeWatchedFiles",
                                                     { changes: [{ uri: uri.toString(), type }] });
    return [watcher, watcher.onDidCreate(changed(1)), watcher.onDidChange(changed(2)),
            watcher.onDidDelete(changed(3))];
}

async function startServer(context) {
    const settings = vscode.workspace.getConfiguration("jmachine");
    const found = vscode.languages.createDiagnosticCollection("mdp");
    const server = new Server(
        settings.get("mdpas", "mdpas"), ["--lsp", ...settings.get("mdpasArguments", [])],
        (method, params) => method === "textDocument/publishDiagnostics" &&
            found.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnostic)));
    const folders = list(vscode.workspace.workspaceFolders);
    context.subscriptions.push(found, { dispose: () => server.stop() });
    const { capabilities } = await server.ask("initialize", {
        processId: process.pid,
        rootUri: folders.length ? folders[0].uri.toString() : null,
        workspaceFolders: folders.map((f) => ({ uri: f.uri.toString(), name: f.name })),
        capabilities: { textDocument: {
            documentSymbol: { hierarchicalDocumentSymbolSupport: true },
            publishDiagnostics: { relatedInformation: true },
            rename: { prepareSupport: true },
            codeAction: { codeActionLiteralSupport: {
                codeActionKind: { valueSet: ["quickfix"] } } } } },
    });
    server.notify("initialized", {});
    server.gone = (why) => {
        found.clear();
        vscode.window.showErrorMessage(
            `mdpas --lsp: ${why}; "Reload Window" starts it again`);
    };
    context.subscriptions.push(...register(server, capabilities), ...follow(server),
                               ...watch(server));
    return server;
}

async function activate(context) {
    const jm = () => vscode.workspace.getConfiguration("jmachine").get("jm", "jm");
    context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("jmachine", {
        createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(jm(), ["dap"]) }));
    try {
        return await startServer(context);
    } catch (error) {
        vscode.window.showErrorMessage(`mdpas --lsp: ${error.message}`);
        return undefined;
    }
}

module.exports = { activate, deactivate: () => {} };
