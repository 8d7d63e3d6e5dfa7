-- A session of Neovim with the language server, for test_editors.sh: opens a source with
-- errors, looks at its messages, goes to a definition, renames, formats. Prints what it
-- sees; an error ends it.
local function wait(what, condition)
    assert(vim.wait(10000, condition, 20), "waited in vain for " .. what)
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

vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("<F3>", true, false, true), "mx", false)
wait("columns", function() return vim.fn.getline(3):sub(9, 12) == "move" end)
for line = 1, vim.fn.line("$") do
    say(vim.fn.getline(line))
end
vim.cmd("qall!")
