-- A session of Neovim with the language server, for test_editors.sh: opens a source with
-- errors, looks at its messages, goes to a definition, renames, formats. Prints what it
-- sees; an error ends it.
local function wait(what, condition)
    assert(vim.wait(120000, condition, 20), "waited in vain for " .. what)
end

local function place()
    local at = vim.api.nvim_win_get_cursor(0)
    return vim.fn.expand("%:t") .. " " .. at[1] .. ":" .. at[2]
end

local function say(...)
    io.stdout:write(table.concat({...}, " "), "\n")
end

vim.o.hidden = true
vim.cmd("edit first.s")
vim.cmd("set filetype=mdp")
wait("two messages", function() return #vim.diagnostic.get(0) == 2 end)
for _, one in ipairs(vim.diagnostic.get(0)) do
    say(one.lnum .. ":" .. one.col .. "-" .. one.end_col, one.severity, one.message)
end

vim.api.nvim_win_set_cursor(0, {5, 3})
vim.lsp.buf.definition()
wait("the definition", function() return vim.fn.expand("%:t") == "second.inc" end)
say("definition", place())
vim.cmd("set filetype=mdp")

-- A change in the open include file changes the messages of the other, which is not saved.
vim.api.nvim_buf_set_lines(0, 0, 1, true, {"        .macro  twice value, more"})
vim.cmd("buffer first.s")
wait("one message less", function() return #vim.diagnostic.get(0) == 1 end)
say("left", vim.diagnostic.get(0)[1].message)

vim.api.nvim_win_set_cursor(0, {3, 0})
vim.lsp.buf.rename("start")
wait("the name", function() return vim.fn.getline(3):sub(1, 6) == "start:" end)
say("renamed", vim.fn.getline(2), vim.fn.getline(7))

-- What stands under the cursor: an instruction with its cycles.
local function ask(method, row, column, more)
    local params = vim.lsp.util.make_position_params()
    params.position = {line = row - 1, character = column}
    for key, value in pairs(more or {}) do
        params[key] = value
    end
    local answers = vim.lsp.buf_request_sync(0, method, params, 10000)
    return answers[next(answers)].result
end
local hover = ask("textDocument/hover", 4, 8).contents.value
say("hover", hover:match("Cycles: [^\n]*"))

-- An error while typing, and its correction.
vim.api.nvim_buf_set_lines(0, 2, 3, true, {"start: mvoe FOUR,r0 ; one"})
wait("one more", function() return #vim.diagnostic.get(0) == 2 end)
local slip = vim.tbl_filter(function(one) return one.lnum == 2 end, vim.diagnostic.get(0))[1]
say("typed", slip.message)
local place_of = {line = 2, character = slip.col}
local actions = ask("textDocument/codeAction", 3, slip.col, {
    range = {start = place_of, ["end"] = place_of},
    context = {diagnostics = {slip.user_data and slip.user_data.lsp or
        {range = {start = place_of, ["end"] = place_of}, message = slip.message}}}})
for uri, edits in pairs(actions[1].edit.changes) do
    vim.lsp.util.apply_text_edits(edits, vim.uri_to_bufnr(uri), "utf-16")
end
wait("its correction", function() return #vim.diagnostic.get(0) == 1 end)
say("corrected", vim.fn.getline(3))

-- A name of the include file, in both files.
vim.api.nvim_win_set_cursor(0, {3, 13})
vim.lsp.buf.rename("COUNT")
wait("the name in both", function()
    local lines = vim.api.nvim_buf_get_lines(vim.fn.bufnr("second.inc"), 0, -1, true)
    return vim.fn.getline(3):find("COUNT") and table.concat(lines):find("COUNT, 4")
end)
say("renamed", vim.fn.getline(3))

vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("<F3>", true, false, true), "mx", false)
wait("columns", function() return vim.fn.getline(3):sub(9, 12) == "move" end)
for line = 1, vim.fn.line("$") do
    say(vim.fn.getline(line))
end
vim.cmd("qall!")
